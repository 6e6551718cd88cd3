"""The numbers and options of the game, read from game.yaml."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal

from ...model.game import Game
from .blocks import cornered, shape
from .snake import Box

Option = Literal["rows", "snake", "blocks"]
DARK, LIGHT = "r", "x"
OPTIONS: tuple[Option, ...] = ("rows", "snake", "blocks")


class Numbers:
    """The `rules` of game.yaml, prepared for play. `columns` are letters, `rows` is their height; `named` are the boxes
    by their names (`a1` is the lowest box of the first column), row by row from the bottom. A box takes a number from
    `least` to `most`. The first `dark` of the `fields` of the reserve are always open, the event die opens the others.
    `after` maps a number to the one that makes a step above it."""

    def __init__(self, rules: Mapping[str, Any]) -> None:
        self.rules = rules
        low, high = map(int, str(rules["die"]).split("-"))
        self.die = range(low, high + 1)
        self.least, self.most = int(rules["least"]), int(rules["most"])
        self.columns, self.rows = tuple(map(str, rules["columns"])), int(rules["rows"])
        self.dark, self.light = int(rules["reserve"]), int(rules["extra_reserve"])
        self.after = {int(number): following for number, following in rules["sequences"]["next"].items()}
        self.events: tuple[str, ...] = tuple(dict.fromkeys(rules["event_die"]["faces"]))
        self.points: dict[str, int] = {
            "step": rules["sequences"]["points"],
            "row": rules["rows_scoring"]["points"],
            "snake": rules["snake"]["points"],
            "bonus": rules["bonus_row"]["points"],
        }
        """The points of a step, of a row, of a box of the snake, and of a different number in a bonus row."""
        self.diagonal = rules["snake"]["neighbours"] == 8
        ways = rules["blocks"]["turned"], rules["blocks"]["mirrored"]
        self.shapes = tuple(
            shape(name, each["points"], each["boxes"], *ways, each.get("name", name))
            for name, each in rules["blocks"]["shapes"].items()
        )
        self.shape = {each.name: each for each in self.shapes}
        self.named: dict[str, Box] = {
            f"{letter}{row + 1}": (column, row)
            for row in range(self.rows)
            for column, letter in enumerate(self.columns)
        }
        self.fields = (
            *((f"reserve.{number}", f"{DARK}{number}") for number in range(1, self.dark + 1)),
            *((f"extra_reserve.{number}", f"{LIGHT}{number}") for number in range(1, self.light + 1)),
        )
        """The fields of the reserve, dark ones first: their field ids, and their names in a log."""
        self.place_names = (*self.columns, *(name for _, name in self.fields))
        """The names of the places for a number (`a`, `r1`, `x2`), which are numbered: first the columns, then the
        fields of the reserve."""

    def shape_called(self, name: str, boxes: Collection[Box]) -> str:
        """The name of the shape that is typed as a name, as printed (with `-` between its words) or by its boxes alone;
        the typed name if there is none."""
        if not name and boxes:
            return next((each.name for each in self.shapes if cornered(tuple(boxes)) in each.orientations), name)
        return next((each.name for each in self.shapes if name == each.label.lower().replace(" ", "-")), name)

    def box_name(self, box: Box) -> str:
        return f"{self.columns[box[0]]}{box[1] + 1}"

    def place_number(self, name: str) -> int:
        """The number of a place by its name; −1 for any other name."""
        name = name[:1] + name[1:].lstrip("0")
        return self.place_names.index(name) if name in self.place_names else -1


_latest: Numbers | None = None


def numbers(game: Game) -> Numbers:
    """The numbers of a game. Those of the latest game are cached, because most sheets come from the same game."""
    global _latest
    if _latest is None or _latest.rules is not game.rules:
        _latest = Numbers(game.rules)
    return _latest
