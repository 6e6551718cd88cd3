"""The points of a solo challenge: what a greedy player reaches on the strip, game after game.

The player is part of the recipes that name it, and is never changed: the points printed on a strip must come out again
for ever. It sees no round before it is thrown. In a round it does what the event asks for; then, as long as there are
dice, it enters one of them, or the sum or difference of two numbers, where that promises most at once: the points made
now, and a part of those that are begun (`_worth`). Only where two entries promise the same is chance asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, pairwise, permutations
from typing import TYPE_CHECKING

from ...codes.chance import Chance
from . import blocks, play, snake
from .numbers import Numbers, Option
from .play import METEORITE, Move, State
from .snake import Box

if TYPE_CHECKING:
    from .deal import Throw

_SAVING, _SAVED, _TOTAL = -0.5, 0.25, -0.1
"""What it is worth to save a number, to use a saved one, and to spend two numbers on one box."""

Columns = tuple[tuple[int, ...], ...]


def targets(numbers: Numbers, throws: Sequence[Throw], option: Option, games: int, seed: int,
            shares: Mapping[str, int]) -> dict[str, int]:
    """The points to reach, by the names of `shares`: at least so many per cent of the games end with these or fewer.
    Each is a point or more above the one before."""
    chance = Chance(seed)
    reached = sorted(points(played_out(numbers, throws, option, chance), option) for _ in range(games))
    found: dict[str, int] = {}
    for name, share in shares.items():
        found[name] = max(reached[min(games - 1, games * share // 100)], *(one + 1 for one in found.values()), 0)
    return found


def points(state: State, option: Option) -> int:
    """What a sheet is worth with the event die, its blocks or its snake drawn as well as can be."""
    return _steps(state) + _bonus(state) + {"rows": _rows, "snake": _snake, "blocks": _blocks}[option](state)


# ---- a game ---------------------------------------------------------------------------------------------------------

def played_out(numbers: Numbers, throws: Sequence[Throw], option: Option, chance: Chance) -> State:
    """The sheet after the last round of the strip, or after the end of the game."""
    state = play.start(numbers)
    for throw in throws:
        if play.is_over(state):
            break
        state = play.throw(state, throw.dice, throw.event)
        while state.thrown:
            state = play.apply(state, move(state, option, chance))
    return state


def move(state: State, option: Option, chance: Chance) -> Move:
    """What the greedy player does now."""
    if state.due:
        return _effect(state)
    if not state.dice:
        return Move("end")
    free = play.free_places(state)
    columns = [place for place in free if place < len(state.columns)]
    places = columns + free[len(columns):len(columns) + 1]
    if not places:
        return Move("pass")
    worth = {(place, result): _worth(state, place, result, option) for place in places
             for result in range(state.numbers.least, state.numbers.most + 1)}
    able = [(worth[place, result] + more, Move("enter", place, plus, minus))
            for plus, minus, result, more in _totals(state) for place in places]
    most = max(value for value, _ in able)
    return chance.choice([made for value, made in able if value > most - 1e-9])


def _effect(state: State) -> Move:
    """The meteorite goes onto the lowest column; the first light field is outlined; of the rows without an arrow the
    one with the most different numbers gets it. Of several the first."""
    able = [one for one in sorted(play.effects(state)) if one.kind != "skip"]
    if state.event == play.DROP:
        return min(able, key=lambda one: len(state.columns[one.place]))
    return max(able, key=lambda one: len(_numbers(state, one.place))) if state.event == play.ARROW else able[0]


def _totals(state: State) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int, float]]:
    """Every die, and every sum or difference of a die with another one or with a saved number: what is added and
    subtracted, what it makes, and what it is worth to put it together so."""
    dice = sorted(state.dice)
    for die in dict.fromkeys(dice):
        yield (die,), (), die, 0.0
    pairs = dict.fromkeys(chain(combinations(dice, 2), ((die, one) for die in dice for one in play.saved(state))))
    for one, other in pairs:
        more = _TOTAL + _SAVED * (other < 0)
        ways = [((one, other), ()), *(((a,), (b,)) for a, b in permutations((one, other)))]
        for plus, minus in dict.fromkeys(ways):
            result = play.total(state, plus, minus)
            if play.may_be_made(state.event, plus, minus) and play.may_stand(state.numbers, result):
                yield plus, minus, result, more


# ---- what an entry promises -----------------------------------------------------------------------------------------

def _worth(state: State, place: int, result: int, option: Option) -> float:
    if place >= len(state.columns):
        return _SAVING
    below = state.columns[place][-1] if state.columns[place] else METEORITE
    step = state.numbers.step_points * (state.numbers.after.get(below) == result)
    return step + {"rows": _row_gain, "snake": _patch_gain, "blocks": _beside_gain}[option](state, place, result)


def _row_gain(state: State, column: int, result: int) -> float:
    """A row of one number is worth its points in proportion to the square of its boxes."""
    row, wide = len(state.columns[column]), len(state.columns)
    marks = [boxes[row] for boxes in state.columns if len(boxes) > row]
    shown = {mark for mark in marks if mark != METEORITE}
    before = len(marks) ** 2 if len(shown) == 1 else 0
    after = (len(marks) + 1) ** 2 if shown <= {result} else 0
    return state.numbers.row_points * (after - before) / wide**2


def _patch_gain(state: State, column: int, result: int) -> float:
    """A box is worth its points where it joins the largest patch of its number, else a tenth for each box it joins."""
    box, diagonal = (column, len(state.columns[column])), state.numbers.diagonal
    around = snake.neighbours(box, diagonal)
    own = 1 + sum(len(patch) for patch in _patches(state.columns, result, diagonal) if not patch.isdisjoint(around))
    every = (patch for number in range(1, state.numbers.most + 1)
             for patch in _patches(state.columns, number, diagonal))
    largest = max(map(len, every), default=1)
    return state.numbers.snake_points * (own - largest) if own > largest else 0.1 * (own - 1)


def _beside_gain(state: State, column: int, result: int) -> float:
    """A box is worth a point and a quarter for each box of its number it touches at a side."""
    row = len(state.columns[column])
    sides = ((column - 1, row), (column + 1, row), (column, row - 1))
    return 1.25 * sum(_mark(state, box) == result for box in sides)


def _mark(state: State, box: Box) -> int:
    column, row = box
    inside = 0 <= column < len(state.columns) and 0 <= row < len(state.columns[column])
    return state.columns[column][row] if inside else METEORITE


def _boxes_of(columns: Columns, number: int) -> list[Box]:
    return [(column, row) for column, boxes in enumerate(columns) for row, mark in enumerate(boxes)
            if mark == number]


@lru_cache(256)
def _patches(columns: Columns, number: int, diagonal: bool) -> tuple[frozenset[Box], ...]:
    boxes = _boxes_of(columns, number)
    return tuple(snake.patches(boxes, diagonal)) if boxes else ()


# ---- what a sheet is worth ------------------------------------------------------------------------------------------

def _numbers(state: State, row: int) -> set[int]:
    return {boxes[row] for boxes in state.columns if len(boxes) > row} - {METEORITE}


def _steps(state: State) -> int:
    after = state.numbers.after
    return state.numbers.step_points * sum(after.get(low) == high for boxes in state.columns
                                           for low, high in pairwise(boxes))


def _bonus(state: State) -> int:
    return state.numbers.bonus_points * sum(len(_numbers(state, row)) for row in range(state.numbers.rows)
                                            if state.arrows >> row & 1)


def _rows(state: State) -> int:
    full = min(map(len, state.columns))
    return state.numbers.row_points * sum(len(_numbers(state, row)) == 1 for row in range(full))


def _snake(state: State) -> int:
    found = [len(snake.longest(boxes, state.numbers.diagonal)) for number in range(1, state.numbers.most + 1)
             if len(boxes := _boxes_of(state.columns, number)) >= state.numbers.snake_shortest]
    longest = max(found, default=0)
    return state.numbers.snake_points * longest if longest >= state.numbers.snake_shortest else 0


def _blocks(state: State) -> int:
    held = {(column, row): mark for column, boxes in enumerate(state.columns) for row, mark in enumerate(boxes)
            if mark != METEORITE}
    return blocks.best(held, state.numbers.shapes).points
