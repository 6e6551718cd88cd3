"""The numbers and options of the game, read from game.yaml."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any, Literal

from msgspec import Struct

from ...model.game import Game
from .blocks import BlockShape, cornered, shape
from .snake import Box

Option = Literal["rows", "snake", "blocks"]
DARK, LIGHT = "r", "x"
OPTIONS: tuple[Option, ...] = ("rows", "snake", "blocks")


class Numbers(Struct, frozen=True, eq=False, dict=True):
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
    shapes: tuple[BlockShape, ...]
    bonus_points: int
    events: tuple[str, ...]
    rounds_more: int

    @cached_property
    def named(self) -> Mapping[str, Box]:
        """Every box by its name (`a1` is the lowest box of the first column), row by row from the bottom."""
        return {
            f"{letter}{row + 1}": (column, row)
            for row in range(self.rows)
            for column, letter in enumerate(self.columns)
        }

    @cached_property
    def shape(self) -> Mapping[str, BlockShape]:
        return {each.name: each for each in self.shapes}

    @cached_property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The fields of the reserve, dark ones first: their field ids, and their names in a log."""
        return (
            *((f"reserve.{number}", f"{DARK}{number}") for number in range(1, self.dark + 1)),
            *((f"extra_reserve.{number}", f"{LIGHT}{number}") for number in range(1, self.light + 1)),
        )

    def shape_called(self, name: str, boxes: Collection[Box]) -> str:
        """The name of the shape that is typed as a name, as printed (with `-` between its words) or by its boxes alone;
        the typed name if there is none."""
        if not name and boxes:
            return next((each.name for each in self.shapes if cornered(tuple(boxes)) in each.orientations), name)
        return next((each.name for each in self.shapes if name == each.label.lower().replace(" ", "-")), name)

    def box_name(self, box: Box) -> str:
        return f"{self.columns[box[0]]}{box[1] + 1}"

    # The places for a number are numbered: first the columns, then the fields of the reserve.

    @cached_property
    def place_names(self) -> tuple[str, ...]:
        """The names of the places for a number: `a`, `r1`, `x2`."""
        return (*self.columns, *(name for _, name in self.fields))

    def place_name(self, place: int) -> str:
        return self.place_names[place]

    def field_number(self, name: str) -> int | None:
        """The index of a field by its name, dark fields (`r1`) first; None for any other name."""
        names = [field for _, field in self.fields]
        name = name[:1] + name[1:].lstrip("0")
        return names.index(name) if name in names else None


_latest: tuple[Mapping[str, Any], Numbers] | None = None


def numbers(game: Game) -> Numbers:
    """The numbers of a game. Those of the latest game are cached, because most sheets come from the same game."""
    global _latest
    if _latest is None or _latest[0] is not game.rules:
        _latest = game.rules, _read(game.rules)
    return _latest[1]


def _read(rules: Mapping[str, Any]) -> Numbers:
    low, high = map(int, str(rules["die"]).split("-"))
    snake, blocks, rows = rules["snake"], rules["blocks"], rules["rows_scoring"]
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
        shapes=tuple(
            shape(name, each["points"], each["boxes"], blocks["turned"], blocks["mirrored"], each.get("name", name))
            for name, each in blocks["shapes"].items()
        ),
        bonus_points=rules["bonus_row"]["points"],
        events=tuple(dict.fromkeys(rules["event_die"]["faces"])),
        rounds_more=rules["end"]["rounds_more"],
    )
