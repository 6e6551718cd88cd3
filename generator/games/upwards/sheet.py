"""A player's sheet as it is filled in: the grid, the reserve, the arrows, and what is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from ...sheets import FilledSheet, Value
from . import snake
from .numbers import OPTIONS, Numbers, Option, numbers
from .play import METEORITE
from .reading import DARK, LIGHT, BlockDrawn, Round, box, pieces
from .snake import Box

_METEORITE, _CLOSED, _CROSSED = "o", "-", "x"


def _mark(typed: Value) -> int:
    return METEORITE if typed == _METEORITE else int(typed)


@dataclass(frozen=True, slots=True)
class Saved:
    """A field of the reserve as the sheet shows it: the number in it (0 where it is blank), whether that is crossed
    out, and whether the field may be used (a light one only where it is outlined)."""

    id: str
    name: str
    number: int
    crossed: bool
    open: bool

    @property
    def shown(self) -> str:
        if not self.open:
            return "not outlined"
        return f"{self.number}{_CROSSED if self.crossed else ''}" if self.number else "blank"


@dataclass(frozen=True)
class Sheet:
    """Everything a rule wants to look at. Boxes are column and row, both from 0."""

    filled: FilledSheet

    @cached_property
    def known(self) -> Numbers:
        return numbers(self.filled.game)

    @cached_property
    def name(self) -> str:
        return self.filled.text("player") or "player 1"

    @cached_property
    def options(self) -> list[Option]:
        """The scoring options that are ticked."""
        return [option for option in OPTIONS if self.filled.ticked(f"option.{option}")]

    @cached_property
    def option(self) -> Option | None:
        """The scoring option; None where not exactly one is ticked."""
        return self.options[0] if len(self.options) == 1 else None

    @cached_property
    def event_die(self) -> bool:
        return self.filled.ticked("event_die")

    # ---- the grid -------------------------------------------------------------------------------------------------

    @cached_property
    def marks(self) -> dict[Box, int]:
        """What stands in the boxes that are filled, column by column from below."""
        typed = self.filled.marks
        return {place: _mark(typed[name].value) for place, name in self.known.boxes if name in typed}

    @cached_property
    def numbered(self) -> dict[Box, int]:
        """The boxes with a number."""
        return {box: number for box, number in self.marks.items() if number != METEORITE}

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """How many steps each column has: boxes one more than the box below them, and a 1 above a 6."""
        found = [0] * len(self.known.columns)
        for (column, row), number in self.numbered.items():
            above = self.numbered.get((column, row + 1))
            found[column] += above is not None and above == self.known.after.get(number)
        return tuple(found)

    def column(self, number: int) -> list[int | None]:
        return [self.marks.get((number, row)) for row in range(self.known.rows)]

    def row(self, number: int) -> list[int | None]:
        return [self.marks.get((column, number)) for column in range(len(self.known.columns))]

    def box_name(self, place: Box) -> str:
        return f"{self.known.columns[place[0]]}{place[1] + 1}"

    def box_id(self, place: Box) -> str:
        return f"grid.{self.box_name(place)}"

    # ---- beside the grid --------------------------------------------------------------------------------------------

    @cached_property
    def reserve(self) -> tuple[Saved, ...]:
        """Every field of the reserve, the dark ones first."""
        dark = [self._saved(f"reserve.{number}", f"{DARK}{number}", True) for number in range(1, self.known.dark + 1)]
        light = [self._saved(f"extra_reserve.{number}", f"{LIGHT}{number}", False)
                 for number in range(1, self.known.light + 1)]
        return (*dark, *light)

    def _saved(self, name: str, short: str, dark: bool) -> Saved:
        mark = self.filled.text(name)
        number = 0 if mark in ("", _CLOSED) else int(mark.rstrip(_CROSSED))
        outlined = bool(number) or (mark != _CLOSED and name in self.filled.blanks)
        return Saved(name, short, number, mark.endswith(_CROSSED), dark or outlined)

    @cached_property
    def arrows(self) -> list[int]:
        """The rows with an arrow, from 0."""
        return [number - 1 for number in sorted(self.filled.ticks("bonus_rows"))]

    @cached_property
    def log(self) -> tuple[Round, ...]:
        rounds: tuple[Round, ...] = self.filled.extra.get("log") or ()
        return rounds

    # ---- what is drawn ----------------------------------------------------------------------------------------------

    @cached_property
    def drawn_snake(self) -> tuple[tuple[str, Box], ...]:
        """The boxes of the snake in the order of its line, each with the id of its entry."""
        entries: tuple[str, ...] = self.filled.extra.get("snake") or ()
        return tuple((f"snake.{number}", self.box(name)) for number, typed in enumerate(entries, 1)
                     for name in pieces((typed,)))

    @cached_property
    def drawn_blocks(self) -> tuple[tuple[str, BlockDrawn, tuple[Box, ...]], ...]:
        """The blocks as outlined: the id of the entry, the entry and its boxes."""
        entries: tuple[BlockDrawn, ...] = self.filled.extra.get("blocks") or ()
        return tuple((f"blocks.{number}", drawn, tuple(map(self.box, drawn.boxes)))
                     for number, drawn in enumerate(entries, 1))

    @cached_property
    def crossed_out(self) -> list[str]:
        """The shapes that are crossed out in the list of shapes."""
        return [shape.name for shape in self.known.shapes if self.filled.ticked(f"blocks.{shape.name}")]

    def box(self, name: str) -> Box:
        found = box(self.known, name)
        assert found is not None        # the reading has refused all others
        return found

    # ---- snakes -----------------------------------------------------------------------------------------------------

    @cached_property
    def longest_snake(self) -> tuple[Box, ...]:
        """The boxes of a longest snake there is; none where no two boxes of a number touch."""
        return longest_snake(self.known, self.numbered)

    def hangs_together(self, boxes: tuple[Box, ...]) -> bool:
        """Whether the boxes touch: each the one before, or as a patch where the game says so."""
        if not self.known.snake_line:
            return len(snake.patches(boxes, self.known.diagonal)) == 1
        return all(after in snake.neighbours(before, self.known.diagonal) for before, after in pairwise(boxes))


def longest_snake(known: Numbers, numbered: Mapping[Box, int]) -> tuple[Box, ...]:
    """The boxes of a longest snake among boxes with their numbers; none where no two boxes of a number touch."""
    best: tuple[Box, ...] = ()
    for number in sorted(set(numbered.values())):
        boxes = [place for place, held in numbered.items() if held == number]
        if len(boxes) > len(best):
            best = max(best, _longest(known, boxes), key=len)
    return best if len(best) >= known.snake_shortest else ()


def _longest(known: Numbers, boxes: list[Box]) -> tuple[Box, ...]:
    if known.snake_line:
        return snake.longest(boxes, known.diagonal)
    largest: frozenset[Box] = max(snake.patches(boxes, known.diagonal), key=len)
    return tuple(sorted(largest))
