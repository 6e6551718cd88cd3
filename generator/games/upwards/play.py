"""The game itself, on one player's sheet: what may be done now (`legal`) and what comes of it (`apply`).

A round begins when the dice are thrown (`throw`) and ends with the move “end”. A state is made of tuples of small
numbers, because simulation goes through thousands of games. The places a number can go to are numbered: first the
columns, then the fields of the reserve, dark ones before light ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from .numbers import Numbers

METEORITE = 0
NONE = -1
DROP, OUTLINE, ARROW, PLUS_OR_MINUS, MINUS_ONLY = (
    "meteorite", "extra-reserve", "bonus-row", "plus-or-minus", "minus-only")


class Move(NamedTuple):
    """What a player does.

    - `drop` a meteorite into the column `place`, `outline` the light field `place`, mark the row `place` with an
      `arrow` (from 0, the lowest), or `skip` one of the last two;
    - `enter` a total at `place`: `plus` and `minus` are its numbers, each the number of a die or ~field for the one
      saved in a field;
    - `pass` with all dice that are left; `end` the round."""

    kind: str
    place: int = NONE
    plus: tuple[int, ...] = ()
    minus: tuple[int, ...] = ()


class State(NamedTuple):
    """A sheet between two moves.

    `columns` from the lowest box up; `reserve` by field: 0 is blank, a crossed-out number negative. `opened` light
    fields and `arrows` are bits. `dice` are those still to be used, `due` says that the effect of the event has still
    to be done; `thrown` is False between rounds. `rounds` have been played; after `last` of them the game is over (0
    as long as nobody has passed)."""

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
    return State(numbers, ((),) * len(numbers.columns), (0,) * numbers.fields)


def throw(state: State, dice: Sequence[int], event: str = "") -> State:
    """The beginning of a round. An effect that cannot be done is not due."""
    thrown = state._replace(dice=tuple(sorted(dice)), event=event, thrown=True)
    return thrown._replace(due=bool(effects(thrown)))


# ---- what is so -----------------------------------------------------------------------------------------------------

def is_over(state: State) -> bool:
    return 0 < state.last <= state.rounds


def is_open(state: State, field: int) -> bool:
    """Whether the field may be used: a dark one, or a light one that is outlined."""
    return field < state.numbers.dark or bool(state.opened >> field - state.numbers.dark & 1)


def has_room(state: State, place: int) -> bool:
    """Whether a number can be entered there: into a column that is not full, or a blank field that may be used."""
    field = place - len(state.columns)
    if field < 0:
        return len(state.columns[place]) < state.numbers.rows
    return not state.reserve[field] and is_open(state, field)


def rooms(state: State) -> list[int]:
    """Every place a number can be entered."""
    return [place for place in range(len(state.columns) + len(state.reserve)) if has_room(state, place)]


def saved(state: State) -> list[int]:
    """The numbers in the reserve that can be used, each as ~field."""
    return [~field for field, number in enumerate(state.reserve) if number > 0]


def total(state: State, plus: Sequence[int], minus: Sequence[int]) -> int:
    return sum(_number(state, one) for one in plus) - sum(_number(state, one) for one in minus)


def _number(state: State, source: int) -> int:
    return source if source > 0 else state.reserve[~source]


def may_stand(numbers: Numbers, result: int) -> bool:
    """Whether the number may be written in a box or a field."""
    return numbers.least <= result <= numbers.most


def may_be_made(event: str, plus: Sequence[int], minus: Sequence[int]) -> bool:
    """Whether numbers may be put together in this way: added, unless it is “minus only”; subtracted, if the event says
    so."""
    if minus and event not in (PLUS_OR_MINUS, MINUS_ONLY):
        return False
    return len(plus) == 1 or (len(plus) > 1 and event != MINUS_ONLY)


# ---- what may be done -----------------------------------------------------------------------------------------------

def legal(state: State) -> tuple[Move, ...]:
    """Every move there is now; none between two rounds, and none after the end."""
    if is_over(state) or not state.thrown:
        return ()
    if state.due:
        return effects(state)
    entries = tuple(Move("enter", place, *made) for place, made in product(rooms(state), sums(state)))
    if not state.dice:
        return (*entries, Move("end"))
    return entries or (Move("pass"),)


def effects(state: State) -> tuple[Move, ...]:
    """What the event asks for before any number is entered; a meteorite must be dropped, the others may be left."""
    if state.event == DROP:
        return tuple(Move("drop", column) for column, boxes in enumerate(state.columns)
                     if len(boxes) < state.numbers.rows)
    kind, done, many = {OUTLINE: ("outline", state.opened, state.numbers.light),
                        ARROW: ("arrow", state.arrows, state.numbers.rows)}.get(state.event, ("", 0, 0))
    left = tuple(Move(kind, number) for number in range(many) if not done >> number & 1)
    return (*left, Move("skip")) if left else ()


def sums(state: State) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Every way to make a total of dice and saved numbers, as what is added and what is subtracted. Dice that show the
    same number are the same."""
    numbers, event = state.numbers, state.event
    less = event in (PLUS_OR_MINUS, MINUS_ONLY)
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {((), ()): 0}
    for one in (*state.dice, *saved(state)):
        value = _number(state, one)
        for (plus, minus), result in tuple(found.items()):
            if (less or result + value <= numbers.most) and not (plus and event == MINUS_ONLY):
                found[(*plus, one), minus] = result + value
            if less:
                found[plus, (*minus, one)] = result - value
    return tuple(made for made, result in found.items() if may_stand(numbers, result) and may_be_made(event, *made))


# ---- what comes of it -----------------------------------------------------------------------------------------------

def apply(state: State, move: Move) -> State:
    """The sheet after a move. The move is not asked whether it is legal, only done as far as it can be."""
    if move.kind == "enter":
        return _entered(state, move)
    if move.kind == "drop":
        return state._replace(columns=_on_top(state.columns, move.place, METEORITE), due=False)
    if move.kind == "outline":
        return state._replace(opened=state.opened | 1 << move.place, due=False)
    if move.kind == "arrow":
        return state._replace(arrows=state.arrows | 1 << move.place, due=False)
    if move.kind == "pass":
        return state._replace(dice=(), last=state.last or state.rounds + 1 + state.numbers.rounds_more)
    if move.kind == "end":
        return state._replace(dice=(), event="", due=False, thrown=False, rounds=state.rounds + 1)
    return state._replace(due=False)


def _entered(state: State, move: Move) -> State:
    result = total(state, move.plus, move.minus)
    dice, reserve = list(state.dice), list(state.reserve)
    for one in (*move.plus, *move.minus):
        if one < 0:
            reserve[~one] = -abs(reserve[~one])
        elif one in dice:
            dice.remove(one)
    field = move.place - len(state.columns)
    if field < 0:
        return state._replace(dice=tuple(dice), reserve=tuple(reserve),
                              columns=_on_top(state.columns, move.place, result))
    reserve[field] = result
    return state._replace(dice=tuple(dice), reserve=tuple(reserve))


def _on_top(columns: tuple[tuple[int, ...], ...], column: int, number: int) -> tuple[tuple[int, ...], ...]:
    return (*columns[:column], (*columns[column], number), *columns[column + 1:])
