"""What holds on every score sheet, so that a photo of it can be read: the laws of docs/cells.md.

A cell is a slot for digits (die, number, card, code with a span). Cells that touch are one grid and share outlines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..definitions.models import Field, ScoreSheet
from . import registration
from .frame import Frame, Image, Shape, Slot
from .nearness import Line, apart, covered, distance, holds_point, off_circle, within
from .rect import ON_TRIM, Rect
from .safety import outside_safe
from .seen import GREY, SLACK, Seen, Side, edges, same, shrunk

CELL = 9.0
"""Least width and height of a cell in mm."""
CLEAR = 2.4
"""How far other lines and texts stay from a cell's outline."""
TICK = 4.5
PITCH = 8.0
"""Least distance between the middles of two tick boxes."""
LEAST_CELLS = 8
LEAST_QUARTERS = 3
LEAST_SPREAD = 1 / 3
"""How much of the page's width, and of its height, the middles of its outlined cells span at least."""


def law_breaks(frames: Sequence[Frame], sheet: ScoreSheet) -> list[str]:
    """A sentence for each breach on the pages of a sheet, which carry their corner codes; none for a lawful sheet."""
    return [f"page {number}: {sentence}" for number, frame in enumerate(frames, start=1)
            for side in [Side(frame, sheet)] for law in _LAWS for sentence in law(side)]


# ---- cells --------------------------------------------------------------------------------------------------------

def _cells_are_large(side: Side) -> Iterator[str]:
    yield from (f"cell “{field.id}” is {box.width:.1f} × {box.height:.1f} mm, less than {CELL:g} mm"
                for field, box in side.cells if min(box.width, box.height) < CELL - ON_TRIM)


def _cells_are_outlined(side: Side) -> Iterator[str]:
    yield from (f"cell “{field.id}” has no unbroken outline of 0.5 pt in {GREY}"
                for field, box in side.cells if box not in side.outlined)


def _cells_are_clear(side: Side) -> Iterator[str]:
    """Nothing is printed inside a cell, and nothing but the outlines of its grid near it."""
    for field, box in side.cells:
        near = side.near(box, CLEAR)
        grid = side.grid(box, near)
        for one in near:
            if not isinstance(one.item, Slot):
                yield from _too_near(field, one, _gap(side, box, one, grid))
        tint = _tint(box, near)
        if tint:
            yield f"cell “{field.id}” is tinted {tint}"


def _too_near(field: Field, one: Seen, gap: float) -> Iterator[str]:
    if gap < 0:
        yield f"{one} stands inside cell “{field.id}”"
    elif gap < CLEAR - SLACK:
        yield f"{one} is {gap:.1f} mm from the outline of cell “{field.id}”, less than {CLEAR:g} mm"


def _gap(side: Side, box: Rect, one: Seen, grid: Sequence[Rect]) -> float:
    """How far from a cell something is drawn; below 0 inside it. The outlines of its grid do not count, nor does its
    own where that is no lawful one: another law says so."""
    inside = shrunk(box)
    if not isinstance(one.item, Shape):
        return -1.0 if apart(one.box, inside) == 0 else apart(one.box, box)
    if any(one.outlines(cell) and (one.lawful or cell not in side.outlined) for cell in grid):
        return CLEAR
    counting = [line for line in one.lines if not (one.lawful and _on_grid(line, box, grid))]
    if side.circled(box):
        return min((off_circle(line, box) for line in counting), default=CLEAR)
    if any(within(line, inside) for line in counting):
        return -1.0
    return min((distance(line, box) for line in counting), default=CLEAR)


def _on_grid(line: Line, box: Rect, grid: Sequence[Rect]) -> bool:
    """Whether what there is of a line near a cell lies on the edges of its grid."""
    part = within(line, box.grown(CLEAR, CLEAR, CLEAR, CLEAR))
    if part is None:
        return True
    for axis in (0, 1):
        if abs(part[axis] - part[axis + 2]) < SLACK:
            low, high = sorted((part[1 - axis], part[3 - axis]))
            there = [(start, end) for cell in grid for (across, at), start, end in edges(cell)
                     if across == axis and abs(at - part[axis]) < SLACK]
            return covered(low, high, there, SLACK)
    return False


def _tint(box: Rect, near: Sequence[Seen]) -> str | None:
    """The last fill over a cell, unless it is white."""
    for one in reversed(near):
        if isinstance(one.item, Shape) and one.item.fill and holds_point(
                one.item.path, box.x + box.width / 2, box.y + box.height / 2):
            return one.tint
    return None


def _cells_are_spread(side: Side) -> Iterator[str]:
    """Enough outlined cells, in enough quarters of the page, to straighten a photo by."""
    frame = side.frame
    middles = [(box.x + box.width / 2, box.y + box.height / 2) for box in side.outlined
               if min(box.width, box.height) > CELL - ON_TRIM]
    if len(middles) < LEAST_CELLS:
        yield f"has {len(middles)} outlined cells of {CELL:g} mm, less than {LEAST_CELLS}"
        return
    quarters = {(x > frame.width / 2, y > frame.height / 2) for x, y in middles}
    if len(quarters) < LEAST_QUARTERS:
        yield f"has outlined cells in {len(quarters)} quarters of the page, less than {LEAST_QUARTERS}"
    for axis, whole, way in ((0, frame.width, "width"), (1, frame.height, "height")):
        span = max(middle[axis] for middle in middles) - min(middle[axis] for middle in middles)
        if span < LEAST_SPREAD * whole:
            yield f"has outlined cells over {span / whole:.0%} of its {way}, less than {LEAST_SPREAD:.0%}"


# ---- ticks, corners, edges ----------------------------------------------------------------------------------------

def _ticks_are_apart(side: Side) -> Iterator[str]:
    ticks = [(field, box) for field, box in side.slots if field.kind == "tick"]
    for number, (field, box) in enumerate(ticks):
        if min(box.width, box.height) < TICK - ON_TRIM:
            yield f"tick box “{field.id}” is {box.width:.1f} × {box.height:.1f} mm, less than {TICK:g} mm"
        for other, there in ticks[:number]:
            pitch = _pitch(box, there)
            if pitch < PITCH - ON_TRIM:
                yield f"tick boxes “{other.id}” and “{field.id}” are {pitch:.1f} mm apart, less than {PITCH:g} mm"


def _pitch(one: Rect, other: Rect) -> float:
    middles = [Rect(box.x + box.width / 2, box.y + box.height / 2, 0.0, 0.0) for box in (one, other)]
    return apart(*middles)


def _corners_are_free(side: Side) -> Iterator[str]:
    size = side.frame.width, side.frame.height
    corners = zip(registration.CORNERS, registration.places(*size), registration.clearances(*size), strict=True)
    for name, place, clearance in corners:
        codes = [one for one in side.seen if _is_code(one, place)]
        if not codes:
            yield f"the {name} corner has no code"
        yield from (f"{one} stands in the {name} corner" for one in side.near(clearance, SLACK)
                    if one not in codes and _enters(one, shrunk(clearance)))


def _is_code(one: Seen, place: Rect) -> bool:
    return isinstance(one.item, Shape) and one.tint == registration.INK and same(one.box, place)


def _enters(one: Seen, box: Rect) -> bool:
    if not isinstance(one.item, Shape):
        return apart(one.box, box) == 0
    covers = one.tint is not None and holds_point(one.item.path, box.x + box.width / 2, box.y + box.height / 2)
    return covers or any(within(line, box) for line in one.lines)


def _all_is_safe(side: Side) -> Iterator[str]:
    """Unlike on cards, lines and pictures stay in the safe area, too: what the printer cuts off is nobody's guess."""
    frame = side.frame
    yield from outside_safe(frame)
    safe = Rect(0.0, 0.0, frame.width, frame.height).grown(*[-frame.safe] * 4)
    yield from (f"{one} leaves the safe area" for one in side.seen
                if isinstance(one.item, Shape | Image) and (one.lines or isinstance(one.item, Image))
                and not safe.holds(one.box))


_LAWS: tuple[Callable[[Side], Iterator[str]], ...] = (
    _cells_are_large, _cells_are_outlined, _cells_are_clear, _cells_are_spread, _ticks_are_apart, _corners_are_free,
    _all_is_safe)
