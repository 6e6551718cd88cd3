"""A player's sheet as it is filled in: the grid, the reserve, the arrows, and what is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, compress, pairwise
from typing import NamedTuple

from ...rules.kept import kept
from ...sheets import FilledSheet
from . import snake, snake_bits
from .numbers import OPTIONS, Numbers, Option, numbers
from .reading import BlockDrawn, Outline, Round, outline, pieces
from .rows import Column, Grid, Rows, rows_of
from .snake import Box

_CLOSED, _CROSSED = "-", "x"
_OPTIONS = tuple((option, f"option.{option}") for option in OPTIONS)


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


class Sheet:
    """Everything a rule wants to look at. Boxes are column and row, both from 0. `options` are the scoring options that
    are ticked, `option` is None where that is not exactly one; `arrows` are the rows with an arrow, from 0."""

    def __init__(self, filled: FilledSheet) -> None:
        self.filled, self.known, self.single = filled, numbers(filled.game), filled.single
        marks = self.single
        self.options: list[Option] = [option for option, name in _OPTIONS if name in marks]
        self.option: Option | None = self.options[0] if len(self.options) == 1 else None
        self.event_die = marks.get("event_die") is True
        self.arrows: Sequence[int] = [number - 1 for number in filled.rows.get("bonus_rows", ())]
        self.log: tuple[Round, ...] = filled.extra.get("log") or ()

    @property
    def name(self) -> str:
        return self.filled.text("player") or "player 1"

    # ---- the grid -------------------------------------------------------------------------------------------------

    @kept
    def by_rows(self) -> Grid:
        """What stands in the boxes, row by row from below."""
        typed = self.filled.grids.get("grid")
        if typed:
            return self._known_rows.grid(typed[2][::-1])
        marks = map(self.filled.marks.get, self.known.box_ids)
        return self._known_rows.grid([*zip(*[marks] * len(self.known.columns), strict=True)])

    @kept
    def _known_rows(self) -> Rows:
        return rows_of(self.known)

    @kept
    def _boxes(self) -> Column:
        """What stands in the boxes, in the order of `known.boxes`."""
        return tuple(chain.from_iterable([row.boxes for row in self.by_rows.rows]))

    @kept
    def grid(self) -> tuple[Column, ...]:
        """The same, column by column from below."""
        marks, across = self._boxes, len(self.known.columns)
        return tuple([marks[column::across] for column in range(across)])

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
    def steps(self) -> list[int]:
        """How many steps each column has: boxes one more than the box below them, and a 1 above a 6."""
        return self._known_rows.steps(self.by_rows)

    @property
    def has_gaps(self) -> bool:
        """Whether a box is filled above an empty one."""
        return self._known_rows.has_gaps(self.by_rows.bits)

    @property
    def has_meteorites(self) -> bool:
        return self._known_rows.has_meteorites(self.by_rows.bits)

    def held(self, boxes: Iterable[Box]) -> set[int | None]:
        """All that stands in these boxes."""
        rows = self.by_rows.rows
        return {rows[row].boxes[column] for column, row in boxes}

    def column(self, number: int) -> Column:
        return self.grid[number]

    def row(self, number: int) -> Column:
        return self.by_rows.rows[number].boxes

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

    @property
    def touches_light(self) -> bool:
        """Whether anything was typed for a light field."""
        typed = self.filled.grids.get("extra_reserve")
        if typed:
            return typed[2] != ((),)
        marks, blanks = self.single, self.filled.single_blanks
        return any([name in marks or name in blanks for name, _ in self.known.light_fields])

    def _saved(self, name: str, short: str, dark: bool) -> Saved:
        mark = self.filled.marks.get(name)
        if mark is None:
            return Saved(name, short, 0, False, dark or name in self.filled.blanks)
        mark = str(mark)
        number = 0 if mark == _CLOSED else int(mark.rstrip(_CROSSED))
        return Saved(name, short, number, mark.endswith(_CROSSED), dark or bool(number))

    # ---- what is drawn ----------------------------------------------------------------------------------------------

    @kept
    def drawn_snake(self) -> tuple[tuple[str, Box], ...]:
        """The boxes of the snake in the order of its line, each with the id of its entry."""
        entries: tuple[str, ...] = self.filled.extra.get("snake") or ()
        return tuple([(f"snake.{number}", self.box(name)) for number, typed in enumerate(entries, 1)
                      for name in ((typed,) if typed in self.known.named else pieces((typed,)))])

    @kept
    def drawn_blocks(self) -> tuple[tuple[str, Outline], ...]:
        """The blocks as outlined, each with the id of its entry."""
        entries: tuple[BlockDrawn, ...] = self.filled.extra.get("blocks") or ()
        return tuple([(f"blocks.{number}", outline(self.known, drawn)) for number, drawn in enumerate(entries, 1)])

    @kept
    def crossed_out(self) -> list[str]:
        """The shapes that are crossed out in the list of shapes."""
        marks = self.single
        return [name for name, where in self.known.shape_fields if where in marks]

    def box(self, name: str) -> Box:
        return self.known.named[name]        # the reading has refused all others

    # ---- snakes -----------------------------------------------------------------------------------------------------

    @kept
    def longest_snake(self) -> tuple[Box, ...]:
        """The boxes of a longest snake there is; none where no two boxes of a number touch."""
        return self.snake_of(self.known.snake_shortest)

    def snake_of(self, least: int) -> tuple[Box, ...]:
        """The same, but none where it has fewer boxes."""
        known, rows = self.known, self._known_rows
        if not known.snake_line:
            found = longest_snake(known, self.numbered)
            return found if len(found) >= least else ()
        numbers = rows.by_number(self.by_rows.bits)
        return snake_bits.longest_in(numbers, rows.wide, known.diagonal, max(least, known.snake_shortest))

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
