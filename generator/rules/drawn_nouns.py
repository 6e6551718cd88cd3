"""A drawing of a part of a sheet, as plain data: cells in rows, each with the pieces that stand in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ..sheets import FilledSheet

Signs: TypeAlias = Callable[[FilledSheet, str], Sequence[str]]
"""The signs printed between the marks of a row, where a game has some; else none."""


class Piece(NamedTuple):
    """One mark or word, and whether the finding is about it."""

    text: str
    marked: bool = False


Cell: TypeAlias = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """Rows of cells with the heads of their columns (none where there are none); a `grid` has cells of one width."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    grid: bool = False


def plain(text: str) -> Piece:
    """A piece that is not marked."""
    return Piece(text)


def blank(cell: Cell) -> bool:
    """Whether nothing stands in a cell and nothing is marked in it."""
    return all(piece.text in ("", ".") and not piece.marked for piece in cell)
