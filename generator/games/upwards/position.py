"""A player's sheet at any moment: its grid, reserve and arrows, and what of it scores. Filled-in sheets, simulated
games and solo challenges all have a position, and `points` counts its points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from . import blocks, snake
from .numbers import Numbers, Option
from .play import METEORITE, State, is_open
from .snake import Box

_TYPED_METEORITE = "o"


def typed(mark: int | None) -> str:
    """A mark as it is typed in the grid."""
    return "." if mark is None else _TYPED_METEORITE if mark == METEORITE else str(mark)


def mark_of(text: object) -> int:
    """The number of a mark in the grid; METEORITE for `o`."""
    return METEORITE if text == _TYPED_METEORITE else int(str(text))


def different(boxes: Iterable[int | None]) -> list[int]:
    """The different numbers in a row, in order."""
    return sorted({mark for mark in boxes if mark})


def is_one_number(numbers: Numbers, boxes: Sequence[int | None]) -> bool:
    """Whether a row scores: it is full and holds only one number."""
    return len(different(boxes)) == 1 and not (numbers.row_full and None in boxes)


def longest_snake(numbers: Numbers, numbered: Mapping[Box, int], least: int = 0) -> tuple[Box, ...]:
    """The boxes of a longest snake among boxes with their numbers; none if it has fewer than `least` boxes."""
    least = max(least, numbers.snake_shortest)
    if numbers.snake_line:
        return snake.longest_numbered(numbered, numbers.diagonal, least)
    patches = [
        sorted(patch)
        for number in sorted({*numbered.values()})
        for patch in snake.patches([box for box, mark in numbered.items() if mark == number], numbers.diagonal)
    ]
    largest = max(patches, key=len, default=[])
    return tuple(largest) if len(largest) >= least else ()


class Grid:
    """The marks in the boxes that are not empty: numbers and meteorites."""

    def __init__(self, numbers: Numbers, marks: Mapping[Box, int]) -> None:
        self.numbers, self.marks = numbers, marks
        self.numbered = {box: mark for box, mark in marks.items() if mark != METEORITE}

    def column(self, column: int) -> list[int | None]:
        """The marks in a column from the bottom."""
        return [self.marks.get((column, row)) for row in range(self.numbers.rows)]

    def row(self, row: int) -> list[int | None]:
        return [self.marks.get((column, row)) for column in range(len(self.numbers.columns))]

    def steps(self, column: int) -> list[tuple[int, int]]:
        """The numbers of a column that are a step above the box below them, each after the number there."""
        after = self.numbers.after
        return [
            (below, above) for below, above in pairwise(self.column(column)) if below and above == after.get(below, 0)
        ]

    @property
    def floating(self) -> list[Box]:
        """The filled boxes above empty ones, row by row."""
        boxes = sorted(self.marks, key=lambda box: (box[1], box[0]))
        return [(column, row) for column, row in boxes if row and (column, row - 1) not in self.marks]


class SavedNumber(NamedTuple):
    """A field of the reserve: its id, its name in a log, the number in it (0 if there is none), whether that is crossed
    out, whether the field may be used (a light one only if it is outlined), and whether it holds a meteorite."""

    id: str
    name: str
    number: int
    crossed: bool
    open: bool
    meteorite: bool = False

    @property
    def shown(self) -> str:
        if self.meteorite:
            return "a meteorite"
        if not self.open:
            return "not outlined"
        return f"{self.number}{'x' if self.crossed else ''}" if self.number else "empty"


class OutlinedBlock(NamedTuple):
    """A block on the grid that scores, if it `counts`."""

    shape: str
    boxes: Sequence[Box]
    counts: bool = True


class Position:
    """A sheet at the end of a state of play. Its snake is the longest one, its blocks are the best ones, as if the
    player had crossed out every shape. `option` is None unless exactly one is ticked. `arrows` are the rows with an
    arrow, from 0."""

    drawn_snake: Sequence[tuple[str, Box]] = ()
    option: Option | None

    def __init__(self, state: State, option: Option, event_die: bool) -> None:
        self.numbers, self.option, self.event_die = state.numbers, option, event_die
        self.grid = Grid(
            state.numbers,
            {(column, row): mark for column, boxes in enumerate(state.columns) for row, mark in enumerate(boxes)},
        )
        self.arrows: Sequence[int] = [row for row in range(self.numbers.rows) if state.arrows >> row & 1]
        self.reserve = tuple(
            SavedNumber(where, name, abs(number), number < 0, bool(number) or is_open(state, field))
            for field, ((where, name), number) in enumerate(zip(self.numbers.fields, state.reserve, strict=True))
        )
        self.crossed_out: Sequence[str] = [shape.name for shape in self.numbers.shapes]

    @cached_property
    def counted_snake(self) -> tuple[Box, ...]:
        """The boxes of the snake that scores."""
        return longest_snake(self.numbers, self.grid.numbered)

    @cached_property
    def fitting(self) -> blocks.BestBlocks:
        """The best way to outline crossed-out shapes together."""
        shapes = [self.numbers.shape[name] for name in self.crossed_out]
        return blocks.best(self.grid.numbered if shapes else {}, shapes)

    @cached_property
    def outlined(self) -> Sequence[OutlinedBlock]:
        """The blocks, in the order of the list."""
        return [OutlinedBlock(shape, sorted(boxes)) for shape, boxes in self.fitting.blocks]
