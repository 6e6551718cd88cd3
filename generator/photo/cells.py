"""What is in each box of a straightened page, with probabilities.

Strokes are connected pieces of ink. Each belongs to the box in which most of it and its middle lie, so the tail of a 7
that hangs into the box below does not fill that one too. Strokes that cover several boxes are shared out among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from math import exp, log
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.outlines import Rect
from ..pages.field_map import DIGITS, FieldMap, MappedField
from . import nets
from .blank import PX
from .ink import Ink, page_ink, ring_thickness
from .straighten import StraightPage
from .strokes import EDGE, FAINT, PageStrokes, connected, strokes_of

Glyph: TypeAlias = NDArray[np.uint8]
Scores: TypeAlias = NDArray[np.float32]
Kind: TypeAlias = Literal["digit", "letter", "mark", "text"]

BLANK, MARKED, OTHER = "", "x", nets.UNKNOWN


class CellReading(Struct, frozen=True):
    """What can be in box number `box` of a field, at `rect` (mm), each with its probability: "" for nothing, "x" for a
    mark, a character, or "?" for other ink. `glyph` is the normalised ink, `scores` what the nets say of its parts."""

    field: str
    box: int
    kind: Kind
    rect: Rect
    probabilities: Mapping[str, float]
    glyph: Glyph | None = None
    scores: Scores | None = None


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
    names = [each.id for each in page.blank.map.fields]
    groups = [0 if cell.kind in ("mark", "text") else names.index(cell.field.id) + 1 for cell in cells]
    strokes = strokes_of(ink.ink, [cell.rect for cell in cells], groups)
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
            allowed = _characters(field.marks, field.span is None or field.span.low < 0)
            kind = _kind(field, allowed)
            for number, rect in enumerate(field.slot.boxes or (field.slot.box,)):
                yield Cell(field, number, kind, rect, allowed)


def _kind(field: MappedField, allowed: Mapping[str, str]) -> Kind:
    if field.slot.marks or field.kind == "tick":
        return "mark"
    if not field.slot.boxes and field.length > 1 and field.marks != DIGITS:
        return "text"
    return "digit" if set(allowed) <= set(nets.DIGITS) else "letter"


@cache
def _characters(marks: tuple[str, ...] | str, negative: bool) -> Mapping[str, str]:
    """The characters that a field takes, each with the mark it stands for."""
    if isinstance(marks, str):
        characters = "0123456789" + "-+" * negative if marks == DIGITS else nets.CHARACTERS[:-1]
        return MappingProxyType({character: character for character in characters})
    allowed = {mark.upper(): mark for mark in "".join(marks) if mark.upper() in nets.CHARACTERS}
    if "O" in allowed and allowed.keys() <= {*nets.DIGITS, "O"}:  # a ring among digits looks like a zero
        allowed["0"] = allowed.pop("O")
    return MappingProxyType(allowed)


class _Measured(NamedTuple):
    """The probability that something is written in a box, that it is unreadable, and the ink if it is a character."""

    filled: float
    unreadable: float
    ink: Ink | None = None


_HIDDEN = _Measured(1.0, 1.0)
_OWN, _STRIP, _SHIFTED = 3.0, 0.5, 1.3
"""How far strokes are followed outside their box, and how wide the strips along its outline are, in mm."""
_LINE, _AROUND, _CROSSED = 12, 12, 0.1
"""The width and the stray of a line through a box (pixels), and how probable it is that the mark is unreadable."""
_WAYS = np.array([(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)])
_SPLIT, _WIDE, _CUTS, _ONE_SIDE = 0.02, 0.7, (0.3, 0.4, 0.5, 0.6), 0.25
"""Ink is cut in two from this probability that it is not a character, and from this width, as a share of its height.
Then: where it is cut, as shares of its width, and how much of a stroke must be on each side of the cut."""
_PAIR, _GONE, _RARE = 0.9, 0.8, 1e-4
"""The least probability that the left character is crossed out, that it is not shown, and that two digits are meant."""


def _reading(cell: Cell, strokes: PageStrokes, number: int, ring: float) -> _Measured:
    window = strokes.window(number, cell.rect, _OWN)
    inner = _inside(window, cell.rect)
    if strokes.crossed[number]:
        _erase_lines(_inside(window, cell.rect, 0.0))
        window = inner = _inside(window, cell.rect, EDGE)
    mass = float(inner.sum()) / PX**2
    if cell.kind == "mark":
        return _mark(window, inner, ring)
    filled = _logistic(6 * log((mass + 0.02) / (0.55 if cell.kind != "text" else 0.8)))
    crowded = mass / (cell.rect.width * cell.rect.height)
    if cell.kind == "text" or not window.any():
        return _Measured(filled, _logistic(25 * (crowded - 0.42)))
    if not _inside(window, cell.rect, _SHIFTED).any():  # probably the outline itself, on a crumpled page
        return _Measured(0.3 * filled, 0.0)
    unreadable = max(_logistic(25 * (crowded - 0.42)), _CROSSED * bool(strokes.crossed[number]))
    return _Measured(filled, unreadable, window)


def _erase_lines(ink: Ink) -> None:
    """Erases lines that lead from the edge of a box to its middle, but not the strokes that they cross."""
    inked, middle = ink > 0.3, (np.array(ink.shape) - 1) / 2
    for towards in _WAYS:
        length = float(np.hypot(*(middle * towards)))
        along = middle * towards / length
        across = np.outer(np.arange(-_AROUND, _AROUND + 1), [-along[1], along[0]])
        off, width = np.zeros(2), 0
        for step in np.arange(1, length, 0.5):
            places = np.floor(middle * (1 - towards) + along * step + across + off + 0.5).astype(int)
            rows, columns = np.clip(places, 0, np.array(ink.shape) - 1).T
            near = [run for run in _runs(inked[rows, columns]) if abs(run.sum() - 2 * _AROUND - 1) < _AROUND]
            first, end = near[0] if near else (0, 0)
            if not width and (end - first > _LINE or step > 3):
                break
            width = width or end - first
            if near and end - first <= 1.5 * width + 2:
                around = slice(max(first - 2, 0), end + 2)
                ink[rows[around], columns[around]] = 0
                off += across[(first + end) // 2] / 4


def _runs(inked: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Where inked pixels in a row begin and end."""
    return np.flatnonzero(np.diff(np.pad(inked.astype(np.int8), 1))).reshape(-1, 2)


def _inside(window: Ink, rect: Rect, strip: float = _STRIP) -> Ink:
    """The part of a window that lies inside the box, without a strip along its outline."""
    top, left = (round((min(_OWN, before) + strip) * PX) for before in (rect.y, rect.x))
    edge = round((_OWN + strip) * PX)
    return window[top : window.shape[0] - edge, left : window.shape[1] - edge]


def _mark(window: Ink, inner: Ink, ring: float) -> _Measured:
    """A mark is a ring, or ink inside the box: a tick, a cross, or a scribble."""
    inside = float(inner.sum()) / PX**2
    filled = _logistic(max(80 * (ring - 0.11), 6 * log((inside + 0.02) / 1.7)))
    return _Measured(filled, 0.3 * _logistic(25 * (float((inner > 0.5).mean()) - 0.7)))


def _logistic(value: float) -> float:
    return 1 / (1 + exp(-max(min(value, 8.5), -8.5)))


def _classified(boxes: Sequence[Cell], found: Sequence[_Measured]) -> list[CellReading]:
    """Reads all glyphs of the page together; then the parts of those that may be two characters."""
    glyphs = {number: [nets.normalised(each.ink)] for number, each in enumerate(found) if each.ink is not None}
    scores = _scores(glyphs)
    for number, rows in scores.items():
        if character(rows, boxes[number].allowed, boxes[number].kind == "digit")[0][OTHER] > _SPLIT:
            glyphs[number] += chain.from_iterable(_cuts(found[number].ink))  # type: ignore[arg-type]
    more = _scores({number: each[1:] for number, each in glyphs.items()})
    readings = []
    for number, (box, each) in enumerate(zip(boxes, found, strict=True)):
        all_rows = np.concatenate([scores[number], more[number]]) if number in scores else None
        read: Mapping[str, float] = {MARKED: 1.0, OTHER: 0.0} if box.kind == "mark" else {OTHER: 1.0}
        shown = 0
        if all_rows is not None:
            read, shown = character(all_rows, box.allowed, box.kind == "digit")
            if box.field.marks == DIGITS and box.field.length > 1 and not box.field.slot.boxes:
                read = _number([nets.among(row, box.allowed, True) for row in all_rows])
        chances = {mark: each.filled * (1 - each.unreadable) * chance for mark, chance in read.items()}
        chances |= {BLANK: 1 - each.filled, OTHER: chances[OTHER] + each.filled * each.unreadable}
        glyph = glyphs[number][shown] if number in glyphs else None
        where = box.field.id, box.number, box.kind, box.rect
        readings.append(CellReading(*where, MappingProxyType(chances), glyph=glyph, scores=all_rows))
    return readings


def _scores(glyphs: Mapping[int, Sequence[Glyph]]) -> dict[int, Scores]:
    """What the networks say of the glyphs of each box."""
    every = np.array([*chain.from_iterable(glyphs.values())], np.uint8).reshape(-1, nets.SIDE, nets.SIDE)
    ends = np.cumsum([len(each) for each in glyphs.values()], dtype=int)
    return dict(zip(glyphs, np.split(nets.scores(every), ends[:-1]), strict=False))


def character(scores: Scores, allowed: Mapping[str, str], is_digit: bool) -> tuple[Mapping[str, float], int]:
    """What a character may be, and the number of the glyph that shows it. The first row of `scores` is for all of the
    ink, the others are for its left and right parts, cut in several places: the left one may be crossed out."""
    whole, *parts = (nets.among(row, allowed, is_digit) for row in scores)
    halves = zip(parts[::2], parts[1::2], strict=True)
    pairs = [(max(left[OTHER], _PAIR) * (1 - right[OTHER]), right) for left, right in halves]
    if not pairs:
        return whole, 0
    weights = [weight for weight, _ in pairs]
    share, total = whole[OTHER] * max(weights), sum(weights)
    corrected = {mark: sum(weight * right[mark] for weight, right in pairs) / total for mark in whole}
    chances = {mark: (1 - share) * chance + share * corrected[mark] for mark, chance in whole.items()}
    return chances, 2 + 2 * weights.index(max(weights)) if share > _GONE else 0


def _number(parts: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
    """What a box for a number may hold: one digit, or two that the best cut separates."""
    whole, *halves = parts
    two, best = dict[str, float](), 0.0
    for left, right in zip(halves[::2], halves[1::2], strict=True):
        if (clear := (1 - left[OTHER]) * (1 - right[OTHER])) > best:
            best, two = clear, {a + b: left[a] * right[b] for a in left for b in right if OTHER not in (a, b)}
    share = 1 - (1 - whole[OTHER]) * (1 - best)
    chances = {mark: chance * (1 - best) for mark, chance in whole.items()}
    chances |= {mark: share * chance for mark, chance in two.items() if chance > _RARE}
    return chances | {OTHER: share * (1 - best)}


def _cuts(ink: Ink) -> Iterator[tuple[Glyph, Glyph]]:
    """The glyphs left and right of several columns of wide ink. Strokes that lie mostly on one side are not cut."""
    rows, columns, pieces = connected(ink > FAINT)
    if not len(rows) or np.ptp(columns) < _WIDE * np.ptp(rows):
        return
    values = ink[rows, columns]
    mass = np.bincount(pieces, values)
    for share in _CUTS:
        beyond = columns >= columns.min() + share * (np.ptp(columns) + 1)
        most = (np.bincount(pieces, values * beyond) / mass)[pieces]
        is_right = np.where(np.minimum(most, 1 - most) < _ONE_SIDE, most > 0.5, beyond)
        if is_right.any() and not is_right.all():
            right, left = np.zeros_like(ink), ink.copy()
            right[rows[is_right], columns[is_right]] = values[is_right]
            left[rows[is_right], columns[is_right]] = 0
            yield nets.normalised(left), nets.normalised(right)
