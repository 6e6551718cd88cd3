"""The field map of a score sheet: where each field is on paper, and what may be written in it.

It is made from the printed frames, so a reader of photos looks exactly where the pencil wrote. Lengths are in
millimetres from the top left corner of the trimmed sheet, y down, to a hundredth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .. import paths
from ..definitions.models import Field, Game, ScoreSheet
from ..definitions.sizes import Paper
from ..definitions.values import Span
from ..geometry.frame import Frame, Slot
from . import layout_ids
from .layout_ids import Layout

DIGITS, CARD, ANY = "digits", "card", "any"
SHORT = 2
"""A choice of at most this many letters is written in a cell, like a number."""

_DIE = Span(1, 6)
_OPEN = {"number": DIGITS, "card": CARD}
_FORM = "pencilbox cells 1"
"""The first line of every recipe; change it with the form of recipes."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The place of one mark. `marks` lists what may be written there, or is `digits` (a number, with a minus sign if
    `span` goes below 0 or is None), `card` (the id of a card in play) or `any` (free text). `length` is the maximum
    number of characters."""

    field: str
    kind: str
    page: int
    x: float
    y: float
    width: float
    height: float
    marks: tuple[str, ...] | str
    length: int
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class CellMap:
    """The cells of a sheet on a paper, in the order of its fields. `width` and `height` are those of the trimmed sheet.
    `own` means that the layout is not registered: the game is your own, or the paper is unusual."""

    game: str
    sheet: str
    paper: str
    own: bool
    width: float
    height: float
    pages: int
    cells: tuple[Cell, ...]


def cell_map(frames: Sequence[Frame], sheet: ScoreSheet, paper: Paper, game: Game) -> CellMap:
    """The field map of a sheet, from its pages, which all have the same size and one slot for each field."""
    slots = {slot.id: (page, slot) for page, frame in enumerate(frames, start=1) for slot in frame.slots()}
    cells = tuple(_cell(field, *slots[name]) for name, field in sheet.fields.items())
    own = game.folder.resolve().parent != paths.DATA.resolve() or not paper.registered
    width, height = _mm(frames[0].width), _mm(frames[0].height)
    return CellMap(game.key, sheet.name, paper.name, own, width, height, len(frames), cells)


def _cell(field: Field, page: int, slot: Slot) -> Cell:
    marks, length = _marks(field)
    return Cell(
        field.id,
        field.kind,
        page,
        _mm(slot.x),
        _mm(slot.y),
        _mm(slot.width),
        _mm(slot.height),
        marks,
        length,
        field.span,
    )


def _mm(length: float) -> float:
    return round(length, 2) + 0.0


def holds_digits(field: Field) -> bool:
    """Whether a reader of photos expects digits or an equally short mark, so that the field is drawn as cells."""
    if field.kind == "choice":
        return max(map(len, field.choices)) <= SHORT
    return field.kind in ("die", "number", "card") or (field.kind == "code" and field.span is not None)


def _marks(field: Field) -> tuple[tuple[str, ...] | str, int]:
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


# ---- the layout's identity ----------------------------------------------------------------------------------------


def layout(cells: CellMap) -> Layout:
    """The entry of this field map in the registry."""
    return Layout(game=cells.game, sheet=cells.sheet, paper=cells.paper, hash=layout_ids.hash_of(recipe(cells)))


def layout_id(cells: CellMap) -> int:
    """The five digits printed in the corners of the sheet. Raises InputError with the command that registers the layout
    if a shipped game has an unregistered one."""
    return layout_ids.layout_id(layout(cells), own=cells.own)


def recipe(cells: CellMap) -> str:
    """Everything that a reader relies on, as text: names, size, and each cell in hundredths of a millimetre, in an
    order that does not depend on the definition."""
    head = f"{_FORM}\n{cells.game} {cells.sheet} {cells.paper} {_hundredths(cells.width, cells.height)} {cells.pages}\n"
    return head + "".join(
        f"{cell.field} {cell.kind} {cell.page} {_hundredths(cell.x, cell.y, cell.width, cell.height)}\n"
        for cell in sorted(cells.cells, key=lambda cell: cell.field)
    )


def _hundredths(*lengths: float) -> str:
    return " ".join(str(round(length * 100)) for length in lengths)


# ---- answers ------------------------------------------------------------------------------------------------------


def plain(cells: CellMap, number: int) -> dict[str, Any]:
    """The field map and its layout id as JSON has them."""
    return {
        "game": cells.game,
        "sheet": cells.sheet,
        "paper": cells.paper,
        "layout": number,
        "width": cells.width,
        "height": cells.height,
        "pages": cells.pages,
        "cells": [_plain(cell) for cell in cells.cells],
    }


def _plain(cell: Cell) -> dict[str, Any]:
    marks = cell.marks if isinstance(cell.marks, str) else list(cell.marks)
    span = {"span": [cell.span.low, cell.span.high]} if cell.span else {}
    return {
        "field": cell.field,
        "kind": cell.kind,
        "page": cell.page,
        "x": cell.x,
        "y": cell.y,
        "width": cell.width,
        "height": cell.height,
        "marks": marks,
        "length": cell.length,
        **span,
    }
