"""The numbers and options of the game, read from game.yaml."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Literal

from ...definitions.models import Game
from ...fast_dataclasses import dataclass
from ...lazy import cached_property
from .blocks import Shape, cornered, shape
from .snake import Box

Option = Literal["rows", "snake", "blocks"]
DARK, LIGHT = "r", "x"
OPTIONS: tuple[Option, ...] = ("rows", "snake", "blocks")


@dataclass(frozen=True, eq=False)
class Numbers:
    """The `rules` of game.yaml. `columns` are letters, `rows` is their height; a box takes a number from `least` to
    `most`. `dark` and `light` count the fields of the reserve; the event die opens light fields. `after` maps a number
    to the one that makes a step above it."""

    die: range
    dice: int
    least: int
    most: int
    columns: tuple[str, ...]
    rows: int
    dark: int
    light: int
    after: Mapping[int, int]
    step_points: int
    row_points: int
    row_full: bool
    snake_points: int
    snake_shortest: int
    snake_line: bool
    diagonal: bool
    shapes: tuple[Shape, ...]
    bonus_points: int
    events: tuple[str, ...]
    rounds_more: int

    @cached_property
    def boxes(self) -> tuple[tuple[Box, str], ...]:
        """Every box of the grid, row by row from the bottom, with its field id."""
        return tuple(
            ((column, row), f"grid.{letter}{row + 1}")
            for row in range(self.rows)
            for column, letter in enumerate(self.columns)
        )

    @cached_property
    def places(self) -> tuple[Box, ...]:
        return tuple(place for place, _ in self.boxes)

    @cached_property
    def box_ids(self) -> tuple[str, ...]:
        return tuple(name for _, name in self.boxes)

    @cached_property
    def named(self) -> Mapping[str, Box]:
        """Every box by its name (`a1` is the lowest box of the first column)."""
        return {name.removeprefix("grid."): box for box, name in self.boxes}

    @cached_property
    def dark_fields(self) -> tuple[tuple[str, str], ...]:
        """The dark fields of the reserve: their field ids, and their names in a log."""
        return tuple((f"reserve.{number}", f"{DARK}{number}") for number in range(1, self.dark + 1))

    @cached_property
    def light_fields(self) -> tuple[tuple[str, str], ...]:
        return tuple((f"extra_reserve.{number}", f"{LIGHT}{number}") for number in range(1, self.light + 1))

    @cached_property
    def shape_fields(self) -> tuple[tuple[str, str], ...]:
        """The names of the shapes, with their field ids."""
        return tuple((each.name, f"blocks.{each.name}") for each in self.shapes)

    @cached_property
    def shape_ids(self) -> frozenset[str]:
        return frozenset([field for _, field in self.shape_fields])

    @cached_property
    def shape(self) -> Mapping[str, Shape]:
        return {each.name: each for each in self.shapes}

    @property
    def fields(self) -> int:
        """The number of fields in the reserve."""
        return self.dark + self.light

    def shape_called(self, name: str, boxes: Collection[Box]) -> str:
        """The name of the shape that is typed as a name, as printed (with `-` between its words) or by its boxes alone;
        the typed name if there is none."""
        if not name and boxes:
            return next((each.name for each in self.shapes if cornered(tuple(boxes)) in each.orientations), name)
        return next((each.name for each in self.shapes if name == each.label.lower().replace(" ", "-")), name)

    def points(self, shape_name: str) -> int:
        return self.shape[shape_name].points

    # The places for a number are numbered: first the columns, then the fields of the reserve.

    def place_name(self, place: int) -> str:
        """The name of a place: `a`, `r1`, `x2`."""
        field = place - len(self.columns)
        if field < 0:
            return self.columns[place]
        return f"{DARK}{field + 1}" if field < self.dark else f"{LIGHT}{field - self.dark + 1}"

    def field_number(self, name: str) -> int | None:
        """The index of a field by its name, dark fields (`r1`) first; None for any other name."""
        if not re.fullmatch(f"[{DARK}{LIGHT}][0-9]{{1,3}}", name):
            return None
        first, count = (0, self.dark) if name[0] == DARK else (self.dark, self.light)
        return first + int(name[1:]) - 1 if 1 <= int(name[1:]) <= count else None


_latest: tuple[Mapping[str, Any], Numbers] | None = None


def numbers(game: Game) -> Numbers:
    """The numbers of a game. Those of the latest game are cached, because most sheets come from the same game."""
    global _latest
    if _latest is None or _latest[0] is not game.rules:
        _latest = game.rules, _read(game.rules)
    return _latest[1]


def _read(rules: Mapping[str, Any]) -> Numbers:
    low, high = map(int, str(rules["die"]).split("-"))
    snake, event, rows = rules["snake"], rules["event_die"], rules["rows_scoring"]
    return Numbers(
        die=range(low, high + 1),
        dice=rules["dice"],
        least=rules["least"],
        most=rules["most"],
        columns=tuple(map(str, rules["columns"])),
        rows=rules["rows"],
        dark=rules["reserve"],
        light=rules["extra_reserve"],
        after={int(number): following for number, following in rules["sequences"]["next"].items()},
        step_points=rules["sequences"]["points"],
        row_points=rows["points"],
        row_full=rows["full"],
        snake_points=snake["points"],
        snake_shortest=snake["shortest"],
        snake_line=snake["shape"] == "line",
        diagonal=snake["neighbours"] == 8,
        shapes=_shapes(rules["blocks"]),
        bonus_points=rules["bonus_row"]["points"],
        events=tuple(dict.fromkeys(event["faces"])),
        rounds_more=rules["end"]["rounds_more"],
    )


def _shapes(blocks: Mapping[str, Any]) -> tuple[Shape, ...]:
    return tuple(
        shape(
            name, drawing["points"], drawing["boxes"], blocks["turned"], blocks["mirrored"], drawing.get("name", name)
        )
        for name, drawing in blocks["shapes"].items()
    )
