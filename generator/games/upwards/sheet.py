"""A player's sheet as it is filled in: the grid, the reserve, the arrows, and what is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import compress, pairwise
from operator import eq
from typing import NamedTuple, TypeAlias

from ...rules.kept import kept
from ...sheets import FilledSheet, Value
from . import snake, snake_bits
from .numbers import OPTIONS, Numbers, Option, numbers
from .play import METEORITE
from .reading import BlockDrawn, Round, pieces
from .snake import Box

_METEORITE, _CLOSED, _CROSSED = "o", "-", "x"
_OPTIONS = tuple((option, f"option.{option}") for option in OPTIONS)


Column: TypeAlias = tuple[int | None, ...]


class _Written(dict[Value | None, int | None]):
    """What a mark in the grid stands for."""

    def __missing__(self, typed: Value) -> int:
        return int(typed)


_WRITTEN = _Written([(None, None), (_METEORITE, METEORITE), *((str(number), number) for number in range(1, 10))])


class Saved(NamedTuple):
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

    @kept
    def known(self) -> Numbers:
        return numbers(self.filled.game)

    @kept
    def name(self) -> str:
        return self.filled.text("player") or "player 1"

    @kept
    def options(self) -> list[Option]:
        """The scoring options that are ticked."""
        marks = self.filled.marks
        return [option for option, name in _OPTIONS if name in marks]

    @kept
    def option(self) -> Option | None:
        """The scoring option; None where not exactly one is ticked."""
        return self.options[0] if len(self.options) == 1 else None

    @kept
    def event_die(self) -> bool:
        return self.filled.ticked("event_die")

    # ---- the grid -------------------------------------------------------------------------------------------------

    @kept
    def grid(self) -> tuple[Column, ...]:
        """What stands in the boxes, column by column from below."""
        marks, across = self._boxes, len(self.known.columns)
        return tuple([marks[column::across] for column in range(across)])

    @kept
    def _boxes(self) -> Column:
        """What stands in the boxes, in the order of `known.boxes`, row by row from below."""
        return tuple(map(_WRITTEN.__getitem__, map(self.filled.marks.get, self.known.box_ids)))

    @kept
    def rows(self) -> tuple[Column, ...]:
        """The same, row by row from below."""
        marks, across = self._boxes, len(self.known.columns)
        return tuple([marks[first:first + across] for first in range(0, len(marks), across)])

    @kept
    def marks(self) -> dict[Box, int]:
        """What stands in the boxes that are filled."""
        return {place: mark for place, mark in zip(self.known.places, self._boxes, strict=True) if mark is not None}

    @kept
    def numbered(self) -> dict[Box, int]:
        """The boxes with a number."""
        marks = self._boxes
        return dict(zip(compress(self.known.places, marks), filter(None, marks), strict=True))

    @kept
    def steps(self) -> tuple[int, ...]:
        """How many steps each column has: boxes one more than the box below them, and a 1 above a 6."""
        marks, across = self._boxes, len(self.known.columns)
        made = [*map(eq, map(self.known.following.__getitem__, marks), marks[across:])]
        return tuple([sum(made[column::across]) for column in range(across)])

    def column(self, number: int) -> Column:
        return self.grid[number]

    def row(self, number: int) -> Column:
        return self.rows[number]

    def box_name(self, place: Box) -> str:
        return f"{self.known.columns[place[0]]}{place[1] + 1}"

    def box_id(self, place: Box) -> str:
        return f"grid.{self.box_name(place)}"

    # ---- beside the grid --------------------------------------------------------------------------------------------

    @kept
    def reserve(self) -> tuple[Saved, ...]:
        """Every field of the reserve, the dark ones first."""
        return (*(self._saved(*field, True) for field in self.known.dark_fields), *self.light)

    @kept
    def light(self) -> tuple[Saved, ...]:
        """The light fields of the reserve."""
        return tuple([self._saved(*field, False) for field in self.known.light_fields])

    def _saved(self, name: str, short: str, dark: bool) -> Saved:
        mark = self.filled.marks.get(name)
        if mark is None:
            return Saved(name, short, 0, False, dark or name in self.filled.blanks)
        mark = str(mark)
        number = 0 if mark == _CLOSED else int(mark.rstrip(_CROSSED))
        return Saved(name, short, number, mark.endswith(_CROSSED), dark or bool(number))

    @kept
    def arrows(self) -> list[int]:
        """The rows with an arrow, from 0."""
        return [number - 1 for number in self.filled.rows.get("bonus_rows", ())]

    @kept
    def log(self) -> tuple[Round, ...]:
        rounds: tuple[Round, ...] = self.filled.extra.get("log") or ()
        return rounds

    # ---- what is drawn ----------------------------------------------------------------------------------------------

    @kept
    def drawn_snake(self) -> tuple[tuple[str, Box], ...]:
        """The boxes of the snake in the order of its line, each with the id of its entry."""
        entries: tuple[str, ...] = self.filled.extra.get("snake") or ()
        return tuple([(f"snake.{number}", self.box(name)) for number, typed in enumerate(entries, 1)
                      for name in pieces((typed,))])

    @kept
    def drawn_blocks(self) -> tuple[tuple[str, BlockDrawn, tuple[Box, ...]], ...]:
        """The blocks as outlined: the id of the entry, the entry and its boxes."""
        entries: tuple[BlockDrawn, ...] = self.filled.extra.get("blocks") or ()
        return tuple([(f"blocks.{number}", drawn, tuple(map(self.box, drawn.boxes)))
                      for number, drawn in enumerate(entries, 1)])

    @kept
    def crossed_out(self) -> list[str]:
        """The shapes that are crossed out in the list of shapes."""
        marks = self.filled.marks
        return [name for name, where in self.known.shape_fields if where in marks]

    def box(self, name: str) -> Box:
        return self.known.named[name]        # the reading has refused all others

    # ---- snakes -----------------------------------------------------------------------------------------------------

    @kept
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
    if known.snake_line:
        return snake_bits.longest(numbered, len(known.columns), known.diagonal, known.snake_shortest)
    patches = [sorted(patch) for number in sorted({*numbered.values()}) for patch in snake.patches(
        [box for box, held in numbered.items() if held == number], known.diagonal)]
    best = max(patches, key=len, default=[])
    return tuple(best) if len(best) >= known.snake_shortest else ()
