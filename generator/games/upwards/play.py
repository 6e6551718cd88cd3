"""The numbers of the game, read from game.yaml, and the rules of play on one player's sheet: the legal moves in a state
(`legal`) and the state after a move (`apply`).

A round begins when the dice are rolled (`throw`) and ends with the move “end”. A state consists of tuples of small
numbers, because simulations play thousands of games. The places for a number are numbered: first the columns, then the
fields of the reserve, dark fields first.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from ...model.game import Game
from ..turns import replaced
from .shapes import Box, cornered, shape

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


Sum: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""The terms of a total: those added, and those subtracted."""

METEORITE = 0
NONE = -1
DROP, OUTLINE, ARROW, PLUS_OR_MINUS, MINUS_ONLY = (
    "meteorite",
    "extra-reserve",
    "bonus-row",
    "plus-or-minus",
    "minus-only",
)


class Move(NamedTuple):
    """A move of a player.

    - `drop` a meteorite into the column `place`, `outline` the light field `place`, mark the row `place` with an
      `arrow` (from 0, the lowest), or `skip` one of the last two;
    - `enter` a total at `place`: `plus` and `minus` are its terms, each the number on a die, or ~field for a number
      saved in a field;
    - `pass` with all remaining dice; `end` the round."""

    kind: str
    place: int = NONE
    plus: tuple[int, ...] = ()
    minus: tuple[int, ...] = ()


PASS, END, SKIP = Move("pass"), Move("end"), Move("skip")


class State(NamedTuple):
    """A sheet between two moves.

    `columns` from the bottom up; `reserve` by field: 0 is empty, a crossed-out number is negative. `opened` (light
    fields) and `arrows` are bits. `dice` are still to be used; `due` means that the effect of the event still has to be
    carried out; `thrown` is False between rounds. `rounds` have been played, and the game ends after `last` of them (0
    until a player passes)."""

    numbers: Numbers
    columns: tuple[tuple[int, ...], ...]
    reserve: tuple[int, ...]
    opened: int = 0
    arrows: int = 0
    dice: tuple[int, ...] = ()
    event: str = ""
    due: bool = False
    thrown: bool = False
    rounds: int = 0
    last: int = 0


def start(numbers: Numbers) -> State:
    """An empty sheet."""
    return State(numbers, ((),) * len(numbers.columns), (0,) * len(numbers.fields))


def throw(state: State, dice: Sequence[int], event: str = "") -> State:
    """The start of a round. An effect that is impossible is not due."""
    thrown = state._replace(dice=tuple(sorted(dice)), event=event, due=False, thrown=True)
    return thrown._replace(due=True) if event and effects(thrown) else thrown


def is_over(state: State) -> bool:
    return 0 < state.last <= state.rounds


def is_open(state: State, field: int) -> bool:
    """Whether the field may be used: all dark fields, and light ones that are outlined."""
    return field < state.numbers.dark or bool(state.opened >> field - state.numbers.dark & 1)


def free_places(state: State) -> list[int]:
    """Every place where a number can be entered: columns that are not full, and empty fields that may be used."""
    return _free_columns(state) + _blank_fields(state.reserve, state.opened, state.numbers.dark, len(state.columns))


def _free_columns(state: State) -> list[int]:
    return [column for column, boxes in enumerate(state.columns) if len(boxes) < state.numbers.rows]


@lru_cache(maxsize=1 << 14)
def _blank_fields(reserve: tuple[int, ...], opened: int, dark: int, columns: int) -> list[int]:
    """The empty fields that may be used, numbered after the columns."""
    return [
        columns + field
        for field, number in enumerate(reserve)
        if not number and (field < dark or opened >> field - dark & 1)
    ]


def row(state: State, row: int) -> list[int | None]:
    """The marks in a row."""
    return [boxes[row] if row < len(boxes) else None for boxes in state.columns]


def is_step(state: State, column: int, result: int) -> bool:
    """Whether a number would be a step in the column."""
    boxes = state.columns[column]
    return bool(boxes) and state.numbers.after.get(boxes[-1]) == result


def saved(state: State) -> list[int]:
    """The numbers in the reserve that can be used, each as ~field."""
    return [~field for field, number in enumerate(state.reserve) if number > 0]


def total(state: State, plus: Sequence[int], minus: Sequence[int]) -> int:
    reserve, result = state.reserve, 0
    for source in plus:
        result += source if source > 0 else reserve[~source]
    for source in minus:
        result -= source if source > 0 else reserve[~source]
    return result


def is_enterable(numbers: Numbers, result: int) -> bool:
    """Whether a number may be entered in a box or field."""
    return numbers.least <= result <= numbers.most


def may_combine(event: str, plus: Sequence[int], minus: Sequence[int]) -> bool:
    """Whether the event allows combining numbers in this way: adding unless it is “minus only”, subtracting if it says
    so."""
    if minus and event not in (PLUS_OR_MINUS, MINUS_ONLY):
        return False
    return len(plus) == 1 or (len(plus) > 1 and event != MINUS_ONLY)


def legal(state: State) -> Sequence[Move]:
    """Every legal move; none between rounds and after the end."""
    if not state.thrown or is_over(state):
        return ()
    if state.due:
        return effects(state)
    totals, places = sums(state), free_places(state)
    if state.dice and not (totals and places):
        return (PASS,)
    entries = [Move("enter", place, *terms) for place in places for terms in totals]
    return entries if state.dice else [*entries, END]


def effects(state: State) -> tuple[Move, ...]:
    """The moves for the event, before any number is entered. A meteorite must be dropped; the others may be skipped."""
    if state.event == DROP:
        return tuple([Move("drop", column) for column in _free_columns(state)])
    if state.event == OUTLINE:
        return _left("outline", state.opened, state.numbers.light)
    return _left("arrow", state.arrows, state.numbers.rows) if state.event == ARROW else ()


@lru_cache(maxsize=1 << 10)
def _left(kind: str, done: int, many: int) -> tuple[Move, ...]:
    """A move for each of `many` marks that is not yet made, and a skip; none if all are made."""
    left = [Move(kind, number) for number in range(many) if not done >> number & 1]
    return (*left, SKIP) if left else ()


def sums(state: State) -> tuple[Sum, ...]:
    """Every total of dice and saved numbers, as terms added and subtracted. Dice with the same number are
    interchangeable."""
    usable = tuple(max(0, number) for number in state.reserve)
    return _sums(state.dice, usable, state.event, state.numbers.least, most=state.numbers.most)


@lru_cache(maxsize=1 << 14)
def _sums(dice: tuple[int, ...], reserve: tuple[int, ...], event: str, least: int, most: int) -> tuple[Sum, ...]:
    """Every total between `least` and `most`; 0 in `reserve` is a field without a usable number."""
    subtracts = event in (PLUS_OR_MINUS, MINUS_ONLY)
    sources = (*((die, die) for die in dice), *((~field, number) for field, number in enumerate(reserve) if number))
    results: dict[Sum, int] = {((), ()): 0}
    for source, value in sources:
        for (plus, minus), result in tuple(results.items()):
            if (subtracts or result + value <= most) and not (plus and event == MINUS_ONLY):
                results[(*plus, source), minus] = result + value
            if subtracts:
                results[plus, (*minus, source)] = result - value
    return tuple(way for way, result in results.items() if least <= result <= most and may_combine(event, *way))


def apply(state: State, move: Move) -> State:
    """The sheet after a move, which is not checked for being legal."""
    if move.kind == "enter":
        return _entered(state, move)
    if move.kind == "drop":
        return state._replace(columns=_on_top(state.columns, move.place, METEORITE), due=False)
    if move.kind == "outline":
        return state._replace(opened=state.opened | 1 << move.place, due=False)
    if move.kind == "arrow":
        return state._replace(arrows=state.arrows | 1 << move.place, due=False)
    if move.kind == "pass":
        return state._replace(dice=(), last=state.last or state.rounds + 1 + state.numbers.rules["end"]["rounds_more"])
    if move.kind == "end":
        return state._replace(dice=(), event="", due=False, thrown=False, rounds=state.rounds + 1)
    return state._replace(due=False)


def _entered(state: State, move: Move) -> State:
    result, dice, reserve = total(state, move.plus, move.minus), list(state.dice), list(state.reserve)
    for source in move.plus + move.minus:
        if source < 0:
            reserve[~source] = -abs(reserve[~source])
        elif source in dice:
            dice.remove(source)
    columns, field = state.columns, move.place - len(state.columns)
    if field < 0:
        columns = _on_top(columns, move.place, result)
    else:
        reserve[field] = result
    return state._replace(columns=columns, reserve=tuple(reserve), dice=tuple(dice))


def _on_top(columns: tuple[tuple[int, ...], ...], column: int, number: int) -> tuple[tuple[int, ...], ...]:
    return replaced(columns, column, (*columns[column], number))
