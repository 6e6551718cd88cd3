"""The four corner codes of a score sheet. A photo reader uses them to straighten and identify a photo of the sheet.

Each is a Data Matrix ECC 200 symbol of 10 × 10 modules, which holds six digits. Sections and annexes below are those of
ISO/IEC 16022:2006.

Corners are numbered clockwise from the top left, 0 to 3. A code begins with its corner, followed by five digits:

    corners 0 and 2    the layout id
    corners 1 and 3    four digits of serial number, one digit of page (from 1)

Any two neighbouring corners hold both parts, so a thumb may cover one corner. The serial number identifies a sheet of a
pad; 0 means that the sheet has none.

Two digits make a codeword. Five check codewords follow the three: a Reed-Solomon code over GF(256) that corrects any
two wrong codewords of the eight.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from ..errors import fault
from ..geometry import outlines
from ..geometry.frame import Shape
from ..geometry.outlines import Rect

Modules: TypeAlias = tuple[tuple[bool, ...], ...]
"""Rows from the top, modules from the left; True is dark."""

MODULES_PER_SIDE = 10
DIGITS = 6

# Reed-Solomon code over GF(256), annex E: the field polynomial and the generator polynomial of five check codewords.
_FIELD = 0b1_0010_1101  # x⁸ + x⁵ + x³ + x² + 1
_GENERATOR = (62, 111, 15, 48, 228)  # (x + 2)(x + 4)(x + 8)(x + 16)(x + 32), without its x⁵

# The bit in each module (annex F, the figure for 10 × 10): codeword 1 to 8, then bit 1 to 8 from the highest.
_BITS = """
21 22 36 37 38 43 44 45
23 24 25 51 52 46 47 48
26 27 28 53 54 55 11 12
15 61 62 56 57 58 13 14
18 63 64 65 81 82 16 17
72 66 67 68 83 84 85 71
74 75 31 32 86 87 88 73
77 78 33 34 35 41 42 76
"""
_BIT_OF_MODULE = tuple(
    tuple((int(cell[0]) - 1, 8 - int(cell[1])) for cell in row.split()) for row in _BITS.split("\n") if row
)


def data_matrix(digits: str) -> Modules:
    """The symbol for six digits, without its quiet zone. Raises ValueError for any other text."""
    if not re.fullmatch(rf"[0-9]{{{DIGITS}}}", digits):
        raise ValueError(f"a symbol holds six digits, not “{digits}”")
    words = codewords(digits)
    return (
        tuple(column % 2 == 0 for column in range(MODULES_PER_SIDE)),
        *(
            (True, *(bool(words[word] >> bit & 1) for word, bit in row), number % 2 == 0)
            for number, row in enumerate(_BIT_OF_MODULE)
        ),
        (True,) * MODULES_PER_SIDE,
    )


def codewords(digits: str) -> tuple[int, ...]:
    """Three data codewords of two digits each (ASCII encodation, 5.2.3: 130 plus their value) and five check
    codewords."""
    data = [130 + int(digits[at : at + 2]) for at in range(0, DIGITS, 2)]
    return *data, *_check(data)


def _check(data: Iterable[int]) -> Iterator[int]:
    """The remainder of the codewords (highest power first) when divided by the generator polynomial."""
    remainder = [0] * len(_GENERATOR)
    for word in data:
        factor = word ^ remainder[0]
        shifted = [*remainder[1:], 0]
        remainder = [_times(factor, coefficient) ^ term for coefficient, term in zip(_GENERATOR, shifted, strict=True)]
    yield from remainder


def _times(a: int, b: int) -> int:
    """The product of two elements of the field."""
    product = 0
    while b:
        product ^= a * (b & 1)
        a, b = a << 1, b >> 1
        a ^= _FIELD * (a >> 8)
    return product


SIDE = 10.0
"""Side of a code in mm, without its quiet zone: a module is 1 mm."""
EDGE = 8.0
"""Distance of a code from the edges of the trimmed sheet, in mm."""
QUIET_ZONE = 1.5
"""Width of the white border around a code, in mm."""
INK = "#000000"

MAX_SERIAL = 9999
MAX_PAGES = 9
CORNERS = ("top left", "top right", "bottom right", "bottom left")


def corner_codes(width: float, height: float, layout_id: int, serial: int = 0, page: int = 1) -> tuple[Shape, ...]:
    """The codes of one page of a sheet, one shape for each corner; `width` and `height` are its trimmed size in mm.
    Raises InputError for a serial number or page that does not fit in six digits."""
    digits = corner_digits(layout_id, serial, page)
    return tuple(_code(number, place) for number, place in zip(digits, places(width, height), strict=True))


def corner_digits(layout_id: int, serial: int = 0, page: int = 1) -> tuple[str, ...]:
    """The six digits of each corner; raises InputError as `corner_codes` does."""
    if not 0 <= serial <= MAX_SERIAL:
        raise fault(f"serial number {serial} does not fit in a corner code", hint=f"use 0 to {MAX_SERIAL}")
    if not 1 <= page <= MAX_PAGES:
        raise fault(
            f"page {page} of a score sheet does not fit in a corner code", hint=f"use at most {MAX_PAGES} pages"
        )
    layout, sheet = f"{layout_id:05d}", f"{serial:04d}{page}"
    return tuple(f"{corner}{digits}" for corner, digits in enumerate((layout, sheet) * 2))


def places(width: float, height: float) -> tuple[Rect, ...]:
    """The boxes of the codes on a sheet of this size, corner by corner."""
    right, bottom = width - EDGE - SIDE, height - EDGE - SIDE
    return tuple(Rect(x, y, SIDE, SIDE) for x, y in ((EDGE, EDGE), (right, EDGE), (right, bottom), (EDGE, bottom)))


def _code(digits: str, place: Rect) -> Shape:
    """The dark modules as a single path, so that no hairline of white shows between neighbours."""
    module = SIDE / MODULES_PER_SIDE
    path = [
        segment
        for row, modules in enumerate(data_matrix(digits))
        for start, end in _dark_runs(modules)
        for segment in outlines.rect(place.x + start * module, place.y + row * module, (end - start) * module, module)
    ]
    return Shape(tuple(path), fill=INK)


def _dark_runs(modules: tuple[bool, ...]) -> Iterator[tuple[int, int]]:
    """The start and end of each run of dark modules in a row."""
    start = None
    for index, dark in enumerate((*modules, False)):
        if dark and start is None:
            start = index
        elif not dark and start is not None:
            yield start, index
            start = None
