"""How many cards a page holds, and where: the grid of one side of paper."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

from ..records import dataclass
from .rect import Rect

_SLACK = 1e-6
"""Lengths added up in another order differ in their last digits; less than this is no difference."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells in rows and columns around the middle of an area. `width` and `height` are those of a cell, which is a
    card's trim after its turn."""

    x: float
    y: float
    columns: int
    rows: int
    width: float
    height: float
    gutter: float
    turn: int

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def block(self) -> Rect:
        """The box around all trims."""
        return Rect(self.x, self.y, _length(self.columns, self.width, self.gutter),
                    _length(self.rows, self.height, self.gutter))

    def corner(self, cell: int) -> tuple[float, float]:
        """Top left corner of a cell; cells are counted along the rows from the top left, from 0."""
        row, column = divmod(cell, self.columns)
        return self.x + column * (self.width + self.gutter), self.y + row * (self.height + self.gutter)

    def reach(self, cell: int, used: int, bleed: float) -> tuple[float, float, float, float]:
        """How far the bleed of a cell may go (left, top, right, bottom) where cells 0 … used - 1 hold a card:
        up to the middle of the gutter towards a neighbour, in full elsewhere."""
        column, between = cell % self.columns, min(bleed, self.gutter / 2)
        return (between if column > 0 else bleed,
                between if cell >= self.columns else bleed,
                between if column < self.columns - 1 and cell + 1 < used else bleed,
                between if cell + self.columns < used else bleed)


def fits(area: Rect, width: float, height: float, gutter: float) -> Iterator[Grid]:
    """The grid of upright cards and the grid of cards turned by a quarter, each with as many cells as the area holds
    (perhaps none)."""
    yield _grid(area, width, height, gutter, 0)
    yield _grid(area, height, width, gutter, 90)


def _grid(area: Rect, width: float, height: float, gutter: float, turn: int) -> Grid:
    columns, rows = _count(area.width, width, gutter), _count(area.height, height, gutter)
    return Grid(area.x + (area.width - _length(columns, width, gutter)) / 2,
                area.y + (area.height - _length(rows, height, gutter)) / 2,
                columns, rows, width, height, gutter, turn)


def _count(room: float, length: float, gutter: float) -> int:
    return max(0, floor((room + gutter + _SLACK) / (length + gutter)))


def _length(count: int, length: float, gutter: float) -> float:
    return count * length + max(0, count - 1) * gutter
