"""The four corner codes of a score sheet: by them a photo of it is straightened and told from every other sheet.

Corners count clockwise from the top left, 0 to 3. A code begins with its corner; the five digits after it are

    corners 0 and 2    the layout id
    corners 1 and 3    four digits of serial number, one digit of page (from 1)

so that any two neighbours say all there is, and a thumb may lie on one of the corners. The serial number tells the
sheets of a pad apart; 0 is a sheet without one.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import fault
from . import datamatrix, outlines
from .frame import Shape
from .rect import Rect

SIDE = 10.0
"""Side of a code in mm, without its white: a module is 1 mm."""
EDGE = 8.0
"""How far a code stands from the edges of the trimmed sheet."""
WHITE = 1.5
"""What stays white around a code."""
INK = "#000000"

MOST_SERIAL = 9999
MOST_PAGES = 9
CORNERS = ("top left", "top right", "bottom right", "bottom left")


def corner_codes(width: float, height: float, layout_id: int, serial: int = 0, page: int = 1) -> tuple[Shape, ...]:
    """The codes of one page of a sheet of this size (mm, trimmed), one shape a corner; raises InputError for a serial
    number or page that has no room in six digits."""
    digits = corner_digits(layout_id, serial, page)
    return tuple(_code(number, place) for number, place in zip(digits, places(width, height), strict=True))


def corner_digits(layout_id: int, serial: int = 0, page: int = 1) -> tuple[str, ...]:
    """The six digits of each corner; raises InputError as `corner_codes` does."""
    if not 0 <= serial <= MOST_SERIAL:
        raise fault(f"serial number {serial} has no room in a corner code", hint=f"from 0 to {MOST_SERIAL}")
    if not 1 <= page <= MOST_PAGES:
        raise fault(f"page {page} of a score sheet has no room in a corner code", hint=f"at most {MOST_PAGES} pages")
    layout, copy = f"{layout_id:05d}", f"{serial:04d}{page}"
    return tuple(f"{corner}{five}" for corner, five in enumerate((layout, copy) * 2))


def places(width: float, height: float) -> tuple[Rect, ...]:
    """Where the codes stand on a sheet of this size, corner by corner."""
    right, bottom = width - EDGE - SIDE, height - EDGE - SIDE
    return tuple(Rect(x, y, SIDE, SIDE) for x, y in ((EDGE, EDGE), (right, EDGE), (right, bottom), (EDGE, bottom)))


def clearances(width: float, height: float) -> tuple[Rect, ...]:
    """The corners that belong to the codes alone: their places and the white around them."""
    return tuple(place.grown(WHITE, WHITE, WHITE, WHITE) for place in places(width, height))


def _code(digits: str, place: Rect) -> Shape:
    """The dark modules as one path: filled at once, so that no hair of white shows between neighbours."""
    module = SIDE / datamatrix.SIDE
    path = [segment for row, dark in enumerate(datamatrix.modules(digits)) for start, end in _dark(dark)
            for segment in outlines.rect(place.x + start * module, place.y + row * module,
                                         (end - start) * module, module)]
    return Shape(tuple(path), fill=INK)


def _dark(modules: tuple[bool, ...]) -> Iterator[tuple[int, int]]:
    """Where the dark stretches of a row begin and end."""
    start = None
    for at, dark in enumerate((*modules, False)):
        if dark and start is None:
            start = at
        elif not dark and start is not None:
            yield start, at
            start = None
