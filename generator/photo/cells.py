"""What is in each box of a straightened page, with probabilities.

Strokes are connected pieces of ink. Each belongs to one box, decided for the whole page at once: the one where most of
it and its middle lie. So the tail of a 7 that hangs into the box below does not fill that one too. Strokes that cover
several boxes are shared out among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import exp, log
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.outlines import Rect
from ..pages.field_map import CARD, DIGITS, FieldMap, MappedField
from . import nets
from .blank import PX
from .ink import Ink, page_ink
from .marks import ring_thickness
from .straighten import StraightPage
from .strokes import PageStrokes, strokes_of

Kind: TypeAlias = Literal["digit", "letter", "mark", "text"]

BLANK, MARKED, OTHER = "", "x", nets.UNKNOWN


class CellReading(Struct, frozen=True):
    """What can be in box number `box` of a field, at `rect` (mm), each with its probability: "" for nothing, "x" for a
    mark, a character, or "?" for ink that is none of these. `glyph` is the ink, normalised, if there is any."""

    field: str
    box: int
    kind: Kind
    rect: Rect
    probabilities: Mapping[str, float]
    glyph: NDArray[np.uint8] | None = None


class Cell(NamedTuple):
    """A box of a field. `allowed` maps each character that may be written in it to its mark."""

    field: MappedField
    number: int
    kind: Kind
    rect: Rect
    allowed: Mapping[str, str]


def read_cells(page: StraightPage) -> list[CellReading]:
    """The readings of all boxes of the page, in the order of its field map."""
    cells = list(boxes_of(page.blank.map, page.blank.page))
    if not cells:
        return []
    ink = page_ink(page)
    strokes = strokes_of(ink.ink, [cell.rect for cell in cells])
    rings = ring_thickness(ink, [cell.rect if cell.field.slot.is_round else None for cell in cells])
    found = [
        _HIDDEN if page.hides(cell.rect) else _reading(cell, strokes, number, ring)
        for number, (cell, ring) in enumerate(zip(cells, rings, strict=True))
    ]
    return _classified(cells, found)


def boxes_of(field_map: FieldMap, page: int) -> Iterator[Cell]:
    """All boxes of a page in the order of its fields."""
    for field in field_map.fields:
        if field.page == page:
            kind, allowed = _kind(field), _allowed(field)
            for number, rect in enumerate(field.slot.boxes or (field.slot.box,)):
                yield Cell(field, number, kind, rect, allowed)


def _kind(field: MappedField) -> Kind:
    if field.slot.marks or field.kind == "tick":
        return "mark"
    if not field.slot.boxes and field.length > 1 and field.marks != DIGITS:
        return "text"
    return "digit" if set(_allowed(field)) <= set(nets.DIGITS) else "letter"


def _allowed(field: MappedField) -> Mapping[str, str]:
    listed = field.marks if isinstance(field.marks, tuple) else ()
    return _characters(
        field.marks if isinstance(field.marks, str) else "", listed, field.span is None or field.span.low < 0
    )


@cache
def _characters(taken: str, listed: tuple[str, ...], negative: bool) -> Mapping[str, str]:
    """The characters that a field takes, each with the mark it stands for."""
    if listed:
        marks = {character for mark in listed for character in mark}
        allowed = {mark.upper(): mark for mark in marks if mark.upper() in nets.CHARACTERS}
        if allowed.pop("O", "") and set(allowed) <= set(nets.DIGITS):  # a ring among digits looks like a zero
            return MappingProxyType({"0": "o"} | allowed)
        return MappingProxyType(allowed | ({"O": "o"} if "o" in marks else {}))
    if taken == DIGITS:
        return MappingProxyType({digit: digit for digit in "0123456789" + "-" * negative})
    allowed = {character: character for character in nets.CHARACTERS if character != OTHER}
    return MappingProxyType(allowed if taken == CARD else allowed | {"/": "≠"})


class _Measured(NamedTuple):
    """The probability that something is written in a box, that it is unreadable, and its glyph."""

    filled: float
    unreadable: float
    glyph: NDArray[np.uint8] | None


_HIDDEN = _Measured(1.0, 1.0, None)
_OWN, _STRIP = 3.0, 0.5
"""How far strokes are followed outside their box, and how far inside it they may be left over from its outline (mm)."""


def _reading(cell: Cell, strokes: PageStrokes, number: int, ring: float) -> _Measured:
    window = strokes.window(number, cell.rect, _OWN)
    inner = _inside(window, cell.rect)
    mass = float(inner.sum()) / PX**2
    if cell.kind == "mark":
        return _mark(window, inner, ring)
    filled = _logistic(6 * log((mass + 0.02) / (0.55 if cell.kind != "text" else 0.8)))
    crowded = mass / (cell.rect.width * cell.rect.height)
    glyph = nets.normalised(window) if cell.kind != "text" and window.any() else None
    return _Measured(filled, _logistic(25 * (crowded - 0.42)), glyph)


def _inside(window: Ink, rect: Rect) -> Ink:
    """The part of a window that lies inside the box, without a strip along its outline."""
    top, left = (round((min(_OWN, before) + _STRIP) * PX) for before in (rect.y, rect.x))
    edge = round((_OWN + _STRIP) * PX)
    return window[top : window.shape[0] - edge, left : window.shape[1] - edge]


def _mark(window: Ink, inner: Ink, ring: float) -> _Measured:
    """A mark is a ring, or ink inside the box: a tick, a cross, or a scribble."""
    inside = float(inner.sum()) / PX**2
    filled = _logistic(max(80 * (ring - 0.11), 6 * log((inside + 0.02) / 1.7)))
    return _Measured(filled, 0.3 * _logistic(25 * (float((inner > 0.5).mean()) - 0.7)), None)


def _logistic(value: float) -> float:
    return 1 / (1 + exp(-max(min(value, 8.5), -8.5)))


def _classified(boxes: Sequence[Cell], found: Sequence[_Measured]) -> list[CellReading]:
    """Reads all glyphs of the page together."""
    characters: dict[int, Mapping[str, float]] = {}
    for kind, classify, columns in (("digit", nets.digits, nets.DIGITS), ("letter", nets.letters, nets.CHARACTERS)):
        numbers = [number for number, box in enumerate(boxes) if box.kind == kind and found[number].glyph is not None]
        if numbers:
            rows = classify(np.stack([glyph for number in numbers if (glyph := found[number].glyph) is not None]))
            for number, row in zip(numbers, rows, strict=True):
                characters[number] = nets.among(row, columns, boxes[number].allowed)
    readings = []
    for number, (box, each) in enumerate(zip(boxes, found, strict=True)):
        chances = _probabilities(box, each, characters.get(number, {}))
        readings.append(CellReading(box.field.id, box.number, box.kind, box.rect, chances, glyph=each.glyph))
    return readings


def _probabilities(box: Cell, ink: _Measured, characters: Mapping[str, float]) -> Mapping[str, float]:
    """Everything that can be in the box, with probabilities that add up to 1."""
    filled, unreadable = ink.filled, ink.unreadable
    if box.kind == "text":
        return MappingProxyType({BLANK: 1 - filled, OTHER: filled})
    if box.kind == "mark":
        return MappingProxyType({BLANK: 1 - filled, MARKED: filled * (1 - unreadable), OTHER: filled * unreadable})
    read = {mark: filled * (1 - unreadable) * chance for mark, chance in characters.items()}
    rest = read.get(OTHER, filled) + filled * unreadable * bool(read)
    return MappingProxyType({BLANK: 1 - filled, **read, OTHER: rest})
