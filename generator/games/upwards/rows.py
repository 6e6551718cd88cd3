"""The rows of a grid, each evaluated once for its marks, and the whole grid as bits of one number (a bitboard:
https://www.chessprogramming.org/Bitboards).

The bits form planes, one for each number, and plane 0 for all filled boxes. In a plane the boxes follow row by row from
the bottom, with a bit between two rows that is never set (as in `snake.longest_of`) and a row on top that is always
empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import itemgetter, lshift
from typing import NamedTuple, TypeAlias

from .numbers import Numbers
from .play import METEORITE

NO_NUMBER = {None, METEORITE}
_TYPED_METEORITE = "o"
_MAX_CACHED = 1 << 12

Column: TypeAlias = tuple[int | None, ...]
"""The marks in some boxes: numbers, meteorites, or None."""


class Row(NamedTuple):
    """The marks in a row, how many different numbers there are, and whether the row scores for the option rows. `bits`
    are its boxes in their planes, as if it were the lowest row, followed by the planes of the numbers that would be a
    step above them."""

    boxes: Column
    different: int
    alike: bool
    bits: int


_bits = itemgetter(Row._fields.index("bits"))


class Grid(NamedTuple):
    """The rows of a grid from the bottom, all their `bits`, and the `steps`: the boxes, in the planes of their numbers,
    that are a step above the box below them."""

    rows: Sequence[Row]
    bits: int
    steps: int


def different(boxes: Sequence[int | None]) -> int:
    """How many different numbers a row holds."""
    return len({*boxes} - NO_NUMBER)


def is_one_number(settings: Numbers, boxes: Sequence[int | None]) -> bool:
    """Whether a row scores: it is full and holds only one number."""
    marks = {*boxes}
    return not (None in marks and settings.row_full) and len(marks - NO_NUMBER) == 1


@lru_cache(16)
def rows_of(settings: Numbers) -> Rows:
    return Rows(settings)


def _parsed(mark: object) -> int | None:
    """The number of a mark in the grid; METEORITE for `o`."""
    return None if mark is None else METEORITE if mark == _TYPED_METEORITE else int(str(mark))


def typed(mark: int | None) -> str:
    """A mark as it is typed in the grid."""
    return "." if mark is None else _TYPED_METEORITE if mark == METEORITE else str(mark)


class Rows(dict[tuple[object, ...], Row]):
    """The rows of the grids of a game, by the marks in them."""

    def __init__(self, settings: Numbers) -> None:
        super().__init__()
        self.settings, self.wide = settings, len(settings.columns) + 1
        self.plane = self.wide * (settings.rows + 1)
        self.shifts = range(0, self.wide * settings.rows, self.wide)
        self.empty = (None,) * len(settings.columns)
        self.planes = 1 + max(settings.die[-1], settings.most, *settings.after.values())
        self.upper = self.plane * self.planes
        self.lower = (1 << self.upper) - 1
        self.marked = {mark: self._bits(mark) for mark in (None, *range(self.planes))}
        planes = sum(1 << self.plane * number for number in {*settings.after.values()})
        lowest = sum(1 << shift for shift in self.shifts)
        self.column_masks = [planes * lowest << column for column in range(len(settings.columns))]

    def __missing__(self, marks: tuple[object, ...]) -> Row:
        row = self._row(tuple(map(_parsed, marks)))
        if len(self) < _MAX_CACHED:
            self[marks] = row
        return row

    def _row(self, boxes: Column) -> Row:
        bits = sum([self.marked[mark] << column for column, mark in enumerate(boxes)])
        return Row(boxes, different(boxes), is_one_number(self.settings, boxes), bits)

    def _bits(self, mark: int | None) -> int:
        """The bits of a box with this mark in the first column."""
        if not mark:
            return 0 if mark is None else 1
        after = self.settings.after
        planes = [0, mark, self.planes + after[mark]] if mark in after else [0, mark]
        return sum([1 << plane * self.plane for plane in planes])

    def grid(self, marks: Sequence[tuple[object, ...]]) -> Grid:
        """The grid with these marks, row by row from the bottom; missing rows are empty."""
        rows = [*map(self.__getitem__, marks)]
        bits = sum(map(lshift, map(_bits, rows), self.shifts))
        if len(rows) < len(self.shifts):
            rows += [self[self.empty]] * (len(self.shifts) - len(rows))
        return Grid(rows, bits & self.lower, bits >> self.upper << self.wide & bits)

    def steps(self, grid: Grid) -> list[int]:
        """How many boxes of each column are a step above the box below them."""
        return [(grid.steps & mask).bit_count() for mask in self.column_masks]

    def hold(self, grid: Grid, number: int, boxes: int) -> bool:
        """Whether all these boxes, as bits of a plane, hold this number."""
        return grid.bits >> number * self.plane & boxes == boxes

    def has_gaps(self, bits: int) -> bool:
        """Whether a box is filled above an empty one."""
        filled = bits & (1 << self.plane) - 1
        return filled >> self.wide & ~filled != 0

    def has_meteorites(self, bits: int) -> bool:
        """Whether more boxes are filled than hold a number."""
        return (bits >> self.plane).bit_count() < (bits & (1 << self.plane) - 1).bit_count()

    def by_number(self, bits: int) -> Iterator[int]:
        """The boxes of each number, the lowest number first."""
        whole = (1 << self.plane) - 1
        while bits := bits >> self.plane:
            yield bits & whole
