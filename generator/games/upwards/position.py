"""A player's sheet at any moment, and its points, as the parts that add up to each line of the score. Filled-in sheets,
simulated games and solo challenges all have a position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from ...model.values import Empty
from ...rules.results import Part
from ...sheets import FilledSheet
from ..turns import counted
from .play import METEORITE, Numbers, Option, State, is_open
from .shapes import BestBlocks, Box, best_blocks, longest_numbered, patches

BLANK, CLOSED, CROSSED, TYPED_METEORITE = ".", "-", "x", "o"


def typed(mark: int | None) -> str:
    """A mark as it is typed in the grid."""
    return "." if mark is None else TYPED_METEORITE if mark == METEORITE else str(mark)


def mark_of(text: object) -> int:
    """The number of a mark in the grid; METEORITE for `o`."""
    return METEORITE if text == TYPED_METEORITE else int(str(text))


def different(boxes: Iterable[int | None]) -> list[int]:
    """The different numbers in a row, in order."""
    return sorted({mark for mark in boxes if mark})


def is_one_number(numbers: Numbers, boxes: Sequence[int | None]) -> bool:
    """Whether a row scores: it is full and holds only one number."""
    return len(different(boxes)) == 1 and not (numbers.rules["rows_scoring"]["full"] and None in boxes)


def longest_snake(numbers: Numbers, numbered: Mapping[Box, int], least: int = 0) -> tuple[Box, ...]:
    """The boxes of a longest snake among boxes with their numbers; none if it has fewer than `least` boxes."""
    least = max(least, numbers.rules["snake"]["shortest"])
    if numbers.rules["snake"]["shape"] == "line":
        return longest_numbered(numbered, numbers.diagonal, least)
    groups = [
        sorted(patch)
        for number in sorted({*numbered.values()})
        for patch in patches([box for box, mark in numbered.items() if mark == number], numbers.diagonal)
    ]
    largest = max(groups, key=len, default=[])
    return tuple(largest) if len(largest) >= least else ()


Outlined: TypeAlias = tuple[str, Sequence[Box], bool]
"""A block on the grid: its shape, its boxes, and whether it scores."""


class Position:
    """A sheet. `marks` are those in the boxes that are not empty: numbers and meteorites. `arrows` are the rows with an
    arrow, from 0. `option` is None unless exactly one is ticked. Without a drawn snake or blocks, the snake is the
    longest one, and the blocks are the best ones of the `crossed_out` shapes. `reserve` has the mark in every field as
    it is typed: a number (`2`; `2x` if it is crossed out), BLANK, CLOSED for a light field that is not outlined, or a
    meteorite. `filled` is the sheet itself, if a person
    filled it in."""

    filled: FilledSheet | None = None
    drawn_snake: Sequence[tuple[str, Box]] = ()
    option: Option | None = None
    event_die = False
    arrows: Sequence[int] = ()
    reserve: Mapping[str, str] = Empty
    crossed_out: Sequence[str] = ()

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
        after, pairs = self.numbers.after, pairwise(self.column(column))
        return [(below, above) for below, above in pairs if below and above and above == after.get(below)]

    @cached_property
    def counted_snake(self) -> tuple[Box, ...]:
        """The boxes of the snake that scores."""
        return longest_snake(self.numbers, self.numbered)

    @cached_property
    def fitting(self) -> BestBlocks:
        """The best way to outline crossed-out shapes together."""
        shapes = [self.numbers.shape[name] for name in self.crossed_out]
        return best_blocks(self.numbered if shapes else {}, shapes)

    @property
    def outlined(self) -> Sequence[Outlined]:
        """The blocks, in the order of the list."""
        return [(shape, sorted(boxes), True) for shape, boxes in self.fitting.blocks]

    def box_names(self, boxes: Iterable[Box]) -> str:
        return " ".join(map(self.numbers.box_name, boxes))


def position_of(state: State, option: Option | None, event_die: bool) -> Position:
    """The sheet in a state of play, as if the player had crossed out every shape."""
    numbers, marked = state.numbers, enumerate(state.columns)
    position = Position(numbers, {(column, row): mark for column, boxes in marked for row, mark in enumerate(boxes)})
    position.option, position.event_die = option, event_die
    position.arrows = [row for row in range(numbers.rows) if state.arrows >> row & 1]
    position.reserve = {
        name: f"{abs(number)}{CROSSED * (number < 0)}" if number else BLANK if is_open(state, field) else CLOSED
        for field, ((name, _), number) in enumerate(zip(numbers.fields, state.reserve, strict=True))
    }
    position.crossed_out = [shape.name for shape in numbers.shapes]
    return position


def score_parts(position: Position) -> dict[str, list[Part]]:
    """The parts of every line of the score by its label."""
    lines = {"columns": column_parts(position)}
    if position.option:
        lines[position.option] = _OPTION_PARTS[position.option](position)
    if position.event_die:
        lines["bonus"] = [_bonus_part(position, row) for row in position.arrows] or [Part("no row has an arrow", 0)]
    return lines


def score_lines(position: Position) -> dict[str, int]:
    """The points of every line of the score by its label."""
    return {label: sum([part.points for part in parts]) for label, parts in score_parts(position).items()}


def column_parts(position: Position) -> list[Part]:
    """The parts of the first line, one for each column."""
    parts = []
    for number, letter in enumerate(position.numbers.columns):
        steps = position.steps(number)
        named = ", ".join(f"{below}→{above}" for below, above in steps) or "no step"
        parts.append(Part(f"column {letter}: {named}", position.numbers.points["step"] * len(steps)))
    return parts


def _row_parts(position: Position) -> list[Part]:
    rows = [(number, position.row(number - 1)) for number in range(1, position.numbers.rows + 1)]
    parts = [
        Part(f"row {number}: {' '.join(map(typed, row))}", position.numbers.points["row"])
        for number, row in rows
        if is_one_number(position.numbers, row)
    ]
    return parts or [Part("no full row of one number", 0)]


def _snake_parts(position: Position) -> list[Part]:
    line, drawn, each = position.counted_snake, position.drawn_snake, position.numbers.points["snake"]
    if not line:
        return [Part("the line is not a snake" if drawn else "no two boxes with the same number touch", 0)]
    boxes, how = f"{len(line)} boxes of {position.numbered[line[0]]}", "as drawn" if drawn else "the longest possible"
    return [Part(f"{boxes}, {how}, {each} each: {position.box_names(line)}", each * len(line))]


def _block_parts(position: Position) -> list[Part]:
    parts = []
    for shape, boxes, counts in position.outlined:
        named, points = f"{shape} at {position.box_names(boxes)}", position.numbers.shape[shape].points
        parts.append(Part(named, points) if counts else Part(f"{named}, which does not score", 0))
    return parts or [Part("no block is outlined", 0)]


_OPTION_PARTS = {"rows": _row_parts, "snake": _snake_parts, "blocks": _block_parts}


def _bonus_part(position: Position, row: int) -> Part:
    numbers = different(position.row(row))
    shown = f"{' '.join(map(str, numbers))}, {counted(len(numbers), 'different number')}" if numbers else "no number"
    return Part(f"row {row + 1}: {shown}", position.numbers.points["bonus"] * len(numbers))
