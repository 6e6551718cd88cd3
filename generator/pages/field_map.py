"""The field map of a score sheet: where each field is on paper, and what may be written in it.

The map is taken from the printed frames, so a photo reader looks exactly where the player writes. Lengths are in
millimetres from the top left corner of the trimmed sheet, y down, to a hundredth.

A layout id, five digits, permanently identifies where the fields of a sheet are. data/_shared/layouts.yaml lists the
layouts of the shipped sheets, one on each line; lines are added but never changed or removed. An id is computed from
the hash of its layout (or is the next free one), so an edited hash is detected: a sheet whose fields move cannot keep
its id. Sheets of your own games are not listed; their ids are computed from the hash alone, in a separate range.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from msgspec import Struct

from .. import nodes, paths
from ..errors import Place, Problem, fault, refuse
from ..geometry import outlines
from ..geometry.frame import Frame, Shape, Slot
from ..geometry.outlines import ON_TRIM, Rect
from ..model.game import Field, Game, ScoreSheet
from ..model.values import Span
from ..reading import typed
from ..reading.sizes import Paper, papers

FILE = paths.SHARED_DATA / "layouts.yaml"
LISTED = range(10_000, 90_000)
OWN = range(90_000, 100_000)

_HASH = re.compile(r"[0-9a-f]{16}")
DIGITS, CARD, ANY = "digits", "card", "any"
SHORT = 2
"""A choice of at most this many letters is drawn as cells, like a number."""

_DIE = Span(1, 6)
_OPEN = {"number": DIGITS, "card": CARD}
# The first line of every recipe. It is part of the hash: change the number if the format of recipes changes, nothing
# else.
_HEADER = "pencilbox cells 1"


class MappedField(Struct, frozen=True):
    """Where a field is on paper, and what may be written in it: `marks` is a list of choices, or `digits` (a number,
    with a minus sign if `span` goes below 0 or is None), `card` (the id of a card in play) or `any` (free text).
    `length` is the maximum number of characters. `slot` has its boxes, if there are several."""

    id: str
    kind: str
    page: int
    x: float
    y: float
    width: float
    height: float
    marks: tuple[str, ...] | str
    length: int
    span: Span | None
    slot: Slot


class FieldMap(Struct, frozen=True):
    """The fields of a sheet on a paper, in the order of its definition. `width` and `height` are those of the trimmed
    sheet. `own` means that the layout needs no registration: the game is your own, or the paper is not a registered
    one."""

    game: str
    sheet: str
    paper: str
    own: bool
    width: float
    height: float
    pages: int
    fields: tuple[MappedField, ...]


def map_fields(frames: Sequence[Frame], sheet: ScoreSheet, paper: Paper, game: Game) -> FieldMap:
    """The field map of a sheet. `frames` are its pages: all of one size, with one slot for each field."""
    slots = {slot.id: (page, slot) for page, frame in enumerate(frames, start=1) for slot in frame.slots()}
    fields = tuple(_mapped(field, *slots[name]) for name, field in sheet.fields.items())
    own = game.folder.resolve().parent != paths.DATA.resolve() or not paper.registered
    width, height = _mm(frames[0].width), _mm(frames[0].height)
    own_size = f"{_mm(paper.width):g}x{_mm(paper.height):g}mm"  # the shorter side first
    name = paper.name if paper.name in papers() else own_size
    return FieldMap(game.key, sheet.name, name, own=own, width=width, height=height, pages=len(frames), fields=fields)


def _mapped(field: Field, page: int, slot: Slot) -> MappedField:
    marks, length = marks_of(field)
    if slot.marks:
        marks = slot.marks
    elif slot.letters and field.kind == "choice":  # longer choices can only be typed
        marks, length = tuple(mark for mark in marks if len(mark) <= slot.letters), slot.letters
    return MappedField(
        field.id,
        field.kind,
        page,
        x=_mm(slot.x),
        y=_mm(slot.y),
        width=_mm(slot.width),
        height=_mm(slot.height),
        marks=marks,
        length=length,
        span=field.span,
        slot=slot,
    )


def _mm(length: float) -> float:
    return round(length, 2) + 0.0


def holds_digits(field: Field) -> bool:
    """Whether a field takes digits or an equally short mark, so that it is drawn as cells for a photo reader."""
    if field.kind == "choice":
        return max(map(len, field.choices)) <= SHORT
    return field.kind in ("die", "number", "card") or (field.kind == "code" and field.span is not None)


def marks_of(field: Field) -> tuple[tuple[str, ...] | str, int]:
    """What may be written in a field, and its maximum length."""
    if field.kind == "die":
        span = field.span or _DIE
        listed = tuple(map(str, range(span.low, span.high + 1)))
    elif field.kind == "tick":
        listed = ("x",)
    elif field.kind == "choice":
        listed = field.choices
    elif field.span and holds_digits(field):
        return DIGITS, max(len(str(field.span.low)), len(str(field.span.high)))
    else:
        return _OPEN.get(field.kind, ANY), field.length
    return listed, max(map(len, listed))


class RegisteredLayout(Struct, frozen=True, kw_only=True):
    """A sheet on a paper, and the hash of its fields."""

    game: str
    sheet: str
    paper: str
    hash: str
    place: Place | None = None

    def __str__(self) -> str:
        return f"{self.game}, {self.sheet} on {self.paper}"


class LayoutsFile(Struct, frozen=True, kw_only=True):
    """layouts.yaml: layouts by their ids."""

    layouts: dict[str, RegisteredLayout] | None = None


def hash_of(recipe: str) -> str:
    """The hash of the text that describes a layout: 16 hexadecimal digits."""
    return hashlib.sha256(recipe.encode()).hexdigest()[:16]


def registered_id(
    layout: RegisteredLayout, *, own: bool = False, layouts: Mapping[int, RegisteredLayout] | None = None
) -> int:
    """The id of a layout, from `layouts` (default: the registry). A layout of your `own` game needs no registration.
    For any other layout without an id, raises InputError with the command that registers it."""
    registered = registry() if layouts is None else layouts
    number = next((number for number, other in registered.items() if other.hash == layout.hash), None)
    if number is not None:
        return number
    if own:
        return OWN[int(layout.hash, 16) % len(OWN)]
    raise fault(
        f"{layout}: fields are new or have moved, so this layout has no id",
        None,
        f"if you meant to change it, run: pencilbox fields {layout.game} {layout.sheet} --register",
    )


@cache
def registry() -> Mapping[int, RegisteredLayout]:
    """The layouts of the shipped sheets by id; raises InputError for a file that contradicts itself."""
    return read(FILE)


def read(path: Path) -> Mapping[int, RegisteredLayout]:
    """The layouts of a file by id; raises InputError with all its contradictions."""
    layouts = typed.read(nodes.document(nodes.read_text(path), path.name), LayoutsFile).layouts or {}
    refuse(list(_problems(layouts)))
    return MappingProxyType({int(number): layout for number, layout in layouts.items()})


def _problems(layouts: Mapping[str, RegisteredLayout]) -> Iterator[Problem]:
    ids: dict[str, int] = {}
    for text, layout in layouts.items():
        number = int(text) if re.fullmatch("[0-9]{5}", text) else 0
        if number not in LISTED:
            yield Problem(f"layout id {text} must be from {LISTED[0]} to {LISTED[-1]}", layout.place)
        elif not _HASH.fullmatch(layout.hash):
            yield Problem(
                f"layout {number}: “{layout.hash}” is not a hash", layout.place, "write 16 digits of 0-9 and a-f"
            )
        elif layout.hash in ids:
            yield Problem(f"layout {number} repeats layout {ids[layout.hash]}", layout.place)
        elif number != _free(layout.hash, ids.values()):
            yield Problem(
                f"layout {number}: its id does not match its hash",
                layout.place,
                "give a changed layout a new line, with pencilbox fields GAME SHEET --register",
            )
        ids.setdefault(layout.hash, number)


def _free(layout_hash: str, taken: Iterable[int]) -> int:
    """The id for a hash: the one computed from it, or the next one that earlier lines have not taken."""
    used = set(taken)
    index = int(layout_hash, 16) % len(LISTED)
    while LISTED[index] in used:
        index = (index + 1) % len(LISTED)
    return LISTED[index]


def register(layouts: Iterable[RegisteredLayout], file: Path | None = None) -> dict[int, RegisteredLayout]:
    """Adds a line to a file (default: the registry) for each new layout; returns the layouts by their new ids."""
    path = file or FILE
    registered = dict(read(path))
    added: dict[int, RegisteredLayout] = {}
    for layout in layouts:
        if all(layout.hash != other.hash for other in registered.values()):
            number = _free(layout.hash, registered)
            registered[number] = added[number] = layout
    with path.open("a", encoding="utf-8") as stream:
        stream.writelines(
            f'  {number}: {{game: {new.game}, sheet: {new.sheet}, paper: {new.paper}, hash: "{new.hash}"}}\n'
            for number, new in added.items()
        )
    registry.cache_clear()
    return added


def layout(field_map: FieldMap) -> RegisteredLayout:
    """The entry for a field map in the registry."""
    return RegisteredLayout(
        game=field_map.game, sheet=field_map.sheet, paper=field_map.paper, hash=hash_of(recipe(field_map))
    )


def layout_id(field_map: FieldMap) -> int:
    """The five digits printed in the corners of the sheet. If the layout of a shipped game is not registered, raises
    InputError with the command that registers it."""
    return registered_id(layout(field_map), own=field_map.own)


def recipe(field_map: FieldMap) -> str:
    """Everything that a photo reader relies on, as text: names, the size of the sheet, and each field in hundredths of
    a millimetre, with the boxes inside it unless they touch, sorted by id so that the order of the definition makes no
    difference."""
    size = _hundredths(field_map.width, field_map.height)
    head = f"{_HEADER}\n{field_map.game} {field_map.sheet} {field_map.paper} {size} {field_map.pages}\n"
    return head + "".join(
        f"{field.id} {field.kind} {field.page} {_hundredths(field.x, field.y, field.width, field.height)}"
        f"{_boxes(field.slot)}\n"
        for field in sorted(field_map.fields, key=lambda field: field.id)
    )


def _boxes(slot: Slot) -> str:
    """The boxes of a choice, each with its mark, or those of separate letters."""
    if slot.marks:
        pairs = zip(slot.marks, slot.boxes, strict=True)
        return "".join(f" {mark} {_hundredths(*box)}" for mark, box in pairs)
    touch = all(later.x - box.right < ON_TRIM for box, later in pairwise(slot.boxes))
    return "" if touch else "".join(f" {_hundredths(*box)}" for box in slot.boxes)


def _hundredths(*lengths: float) -> str:
    return " ".join(str(round(length * 100)) for length in lengths)


def plain(field_map: FieldMap, number: int) -> dict[str, Any]:
    """A field map and its layout id (`number`), as plain data for JSON."""
    return {
        "game": field_map.game,
        "sheet": field_map.sheet,
        "paper": field_map.paper,
        "layout": number,
        "width": field_map.width,
        "height": field_map.height,
        "pages": field_map.pages,
        "cells": [_plain(field) for field in field_map.fields],
    }


def _plain(field: MappedField) -> dict[str, Any]:
    marks = field.marks if isinstance(field.marks, str) else list(field.marks)
    span = {"span": [field.span.low, field.span.high]} if field.span else {}
    boxes = {"boxes": [[*map(_mm, box)] for box in field.slot.boxes]} if field.slot.boxes else {}
    return {
        "field": field.id,
        "kind": field.kind,
        "page": field.page,
        "x": field.x,
        "y": field.y,
        "width": field.width,
        "height": field.height,
        "marks": marks,
        "length": field.length,
        "shape": "round" if field.slot.is_round else "square",
        "letters": field.slot.letters or (0 if field.slot.marks else 1),
        **span,
        **boxes,
    }


# ---- the four corner codes of a score sheet, which a photo reader uses to straighten and identify a photo
#
# Each is a Data Matrix ECC 200 symbol of 10 × 10 modules, which holds six digits. Sections and annexes below are those
# of ISO/IEC 16022:2006.
#
# Corners are numbered clockwise from the top left, 0 to 3. A code begins with its corner, followed by five digits:
#
#     corners 0 and 2    the layout id
#     corners 1 and 3    four digits of serial number, one digit of page (from 1)
#
# Any two neighbouring corners hold both parts, so a thumb may cover one corner. The serial number identifies a sheet of
# a pad; 0 means that the sheet has none.
#
# Two digits make a codeword. Five check codewords follow the three: a Reed-Solomon code over GF(256) that corrects any
# two wrong codewords of the eight.


Modules: TypeAlias = tuple[tuple[bool, ...], ...]
"""Rows from the top, modules from the left; True is dark."""

MODULES_PER_SIDE = 10
CODE_DIGITS = 6

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
    if not re.fullmatch(rf"[0-9]{{{CODE_DIGITS}}}", digits):
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
    data = [130 + int(digits[at : at + 2]) for at in range(0, CODE_DIGITS, 2)]
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
        for dark in re.finditer(b"\1+", bytes(modules))
        for segment in outlines.rect(
            place.x + dark.start() * module, place.y + row * module, len(dark[0]) * module, module
        )
    ]
    return Shape(tuple(path), fill=INK)
