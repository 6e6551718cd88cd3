"""Throw strips: numbered throws of the dice and the event die, one strip for all players or one for each. A code always
gives the same strips. A solo challenge is a strip with target points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, permutations
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, TypeAlias

from msgspec import Struct, field

from ...draws import Chance, Deck, RandomSets, SetCode, parse
from ...draws.deck import strip_pages, with_cards
from ...draws.draw_kinds import read_recipe, refuse_foreign
from ...draws.setcode import SEED_BITS
from ...expressions.functions import Box, neighbours, patches
from ...model.game import Card, Game
from ...model.values import Between, Empty
from . import play
from .play import METEORITE, Move, Numbers, Option, State, different, numbers, position_of, score_lines

KIND = "S"
STRIP_PART = "strip"


class RoundThrow(NamedTuple):
    """The number dice, and the face of the event die."""

    dice: tuple[int, ...]
    event: str


class ThrowStrip(Struct, frozen=True):
    """The strips of a code: `strips` has the throws of each player's strip, or one strip for all players. A challenge
    has its scoring `option` and its `targets`: medals and their points, lowest first."""

    strips: tuple[tuple[RoundThrow, ...], ...]
    option: str = ""
    targets: Mapping[str, int] = field(default_factory=lambda: Empty)


class UpwardsSets(RandomSets):
    def deal(self, game: Game, code: SetCode) -> Deck:
        named, pages = strip(game, code), list[Card]()
        shared = {"players": len(named.strips), "option": named.option, "targets": named.targets}
        for player, throws in enumerate(named.strips, 1):
            pages += strip_pages(throws, f"{player}.", player=player if len(named.strips) > 1 else 0, **shared)
        return with_cards(game, code, {STRIP_PART: pages}, STRIP_PART)

    def data(self, game: Game, deck: Deck) -> dict[str, Any]:
        """The strips; for a challenge also its scoring option and targets."""
        named = strip(game, parse(deck.code or ""))
        strips = [[{"dice": list(throw.dice), "event": throw.event} for throw in throws] for throws in named.strips]
        challenge = {"option": named.option, "targets": dict(named.targets)} if named.option else {}
        return {**challenge, "strips": strips}

    def lines(self, game: Game, deck: Deck) -> list[str]:
        """The strips as rows of text, one for each round."""
        named = strip(game, parse(deck.code or ""))
        targets = ", ".join(f"{name} {points}" for name, points in named.targets.items())
        rows = [f"points to reach with the scoring option {named.option}: {targets}"] if named.option else []
        for player, throws in enumerate(named.strips, 1):
            rows += [f"player {player}"] if len(named.strips) > 1 else []
            rows.append("round   dice    event die")
            rows += [
                f"{number:>5}   {' '.join(map(str, throw.dice))}   {throw.event}"
                for number, throw in enumerate(throws, 1)
            ]
        return rows


SETS = UpwardsSets()


def strip(game: Game, code: SetCode, targets: bool = True) -> ThrowStrip:
    """The strips of a code. Raises InputError for a code of another game or kind, or with an unknown recipe. The
    targets of a challenge, which take a second to compute, are optional."""
    refuse_foreign(game, code, KIND)
    recipe = recipe_of(game, code.recipe)
    strips, task = rolled(recipe, code.seed), recipe.challenge
    if task is None:
        return ThrowStrip(strips)
    reached = challenge_targets(numbers(game), strips[0], task, code.seed) if targets else {}
    return ThrowStrip(strips, task.option, MappingProxyType(reached))


def rolled(recipe: ThrowsRecipe, seed: int) -> tuple[tuple[RoundThrow, ...], ...]:
    """Rolls every strip of a recipe. All dice are independent and all faces equally likely. A player's strip does not
    depend on the number of players."""
    chances = [Chance(seed + (player << SEED_BITS)) for player in range(recipe.strips)]
    return tuple(
        tuple(
            RoundThrow(tuple(chance.choice(recipe.die) for _ in range(recipe.dice)), chance.choice(recipe.event))
            for _ in range(recipe.rounds)
        )
        for chance in chances
    )


Count: TypeAlias = Annotated[int, Between(1, 1000)]


class Challenge(Struct, frozen=True):
    """The number of games to play to compute the targets and, for each medal, the percentage of games that end at its
    target or below."""

    option: Option
    games: Count
    targets: dict[str, Count]


class ThrowsRecipe(Struct, frozen=True):
    """The number of strips, of rounds per strip, and of dice per round; `die` and `event` are the faces."""

    rounds: Count
    strips: Count
    die: tuple[Annotated[int, Between(1, 6)], ...]
    dice: Count
    event: tuple[str, ...]
    challenge: Challenge | None = None


def recipe_of(game: Game, name: str) -> ThrowsRecipe:
    """The recipe with this id in sets.yaml. Raises InputError with every problem in it."""
    return read_recipe(game, name, ThrowsRecipe)


# The target points are what a greedy player reaches on the strip over many games. The player is part of the recipes and
# never changes, because the points printed on a strip must always be reproducible. It does not see a round before it is
# rolled. In a round it first carries out the event. Then, as long as there are dice, it enters one of them, or the sum
# or difference of two numbers, where the value is highest: the points scored now plus a share of those in progress
# (`_worth`). Ties are broken at random.

_SAVING, _SAVED, _TOTAL = -0.5, 0.25, -0.1
"""The value of saving a number, of using a saved one, and of spending two numbers on one box."""


def challenge_targets(numbers: Numbers, throws: Sequence[RoundThrow], task: Challenge, seed: int) -> dict[str, int]:
    """The target points by medal: at least this percentage of games end with these points or fewer. Each target is at
    least one point higher than the one before."""
    chance = Chance(seed)
    reached = sorted(
        greedy_points(greedy_game(numbers, throws, task.option, chance), task.option) for _ in range(task.games)
    )
    targets: dict[str, int] = {}
    for name, share in task.targets.items():
        easiest = max(targets.values(), default=-1) + 1
        targets[name] = max(reached[min(task.games - 1, task.games * share // 100)], easiest)
    return targets


def greedy_points(state: State, option: Option) -> int:
    """The points of a sheet with the event die and the best possible blocks or snake."""
    return sum(score_lines(position_of(state, option, event_die=True)).values())


def greedy_game(numbers: Numbers, throws: Sequence[RoundThrow], option: Option, chance: Chance) -> State:
    """The sheet at the end of the strip or of the game."""
    state = play.start(numbers)
    for throw in throws:
        if play.is_over(state):
            break
        state = play.throw(state, throw.dice, throw.event)
        while state.thrown:
            state = play.apply(state, greedy_move(state, option, chance))
    return state


def greedy_move(state: State, option: Option, chance: Chance) -> Move:
    if state.due:
        effects = [move for move in sorted(play.effects(state)) if move.kind != "skip"]
        if state.event == play.DROP:
            return min(effects, key=lambda move: len(state.columns[move.place]))
        if state.event == play.ARROW:
            return max(effects, key=lambda move: len(different(play.row(state, move.place))))
        return effects[0]
    if not state.dice:
        return Move("end")
    free = play.free_places(state)
    columns = [place for place in free if place < len(state.columns)]
    places = columns + free[len(columns) : len(columns) + 1]
    if not places:
        return Move("pass")
    totals = [*_totals(state)]
    worth = {
        (place, result): _worth(state, place, result, option)
        for place in places
        for result in {result for _, _, result, _ in totals}
    }
    candidates = [
        (worth[place, result] + more, Move("enter", place, plus, minus))
        for plus, minus, result, more in totals
        for place in places
    ]
    most = max(value for value, _ in candidates)
    return chance.choice([move for value, move in candidates if value > most - 1e-9])


def _totals(state: State) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int, float]]:
    """Every die, and every sum or difference of a die and another die or saved number: the terms added and subtracted,
    the result, and the value of combining them."""
    dice = sorted(state.dice)
    for die in dict.fromkeys(dice):
        yield (die,), (), die, 0.0
    pairs = dict.fromkeys(chain(combinations(dice, 2), ((die, field) for die in dice for field in play.saved(state))))
    for pair in pairs:
        more = _TOTAL + _SAVED * (pair[1] < 0)
        ways = [(pair, ()), *(((a,), (b,)) for a, b in permutations(pair))]
        for plus, minus in dict.fromkeys(ways):
            result = play.total(state, plus, minus)
            if play.may_combine(state.event, plus, minus) and play.is_enterable(state.numbers, result):
                yield plus, minus, result, more


def _worth(state: State, place: int, result: int, option: Option) -> float:
    if place >= len(state.columns):
        return _SAVING
    below = state.columns[place][-1] if state.columns[place] else METEORITE
    step = state.numbers.points["step"] * (state.numbers.after.get(below) == result)
    return step + {"rows": _row_gain, "snake": _patch_gain, "blocks": _beside_gain}[option](state, place, result)


def _row_gain(state: State, column: int, result: int) -> float:
    """A row with one number is worth its points in proportion to the square of its filled boxes."""
    row, wide = len(state.columns[column]), len(state.columns)
    marks = [boxes[row] for boxes in state.columns if len(boxes) > row]
    row_numbers = {mark for mark in marks if mark != METEORITE}
    before = len(marks) ** 2 if len(row_numbers) == 1 else 0
    after = (len(marks) + 1) ** 2 if row_numbers <= {result} else 0
    return state.numbers.points["row"] * (after - before) / wide**2


def _patch_gain(state: State, column: int, result: int) -> float:
    """A box is worth its points if it extends the largest patch, otherwise a tenth of a point for each box it joins."""
    box, diagonal = (column, len(state.columns[column])), state.numbers.diagonal
    around = neighbours(box, diagonal)
    own = 1 + sum(len(patch) for patch in _patches(state.columns, result, diagonal) if not patch.isdisjoint(around))
    largest = _largest_patch(state.columns, state.numbers.most, diagonal)
    return state.numbers.points["snake"] * (own - largest) if own > largest else 0.1 * (own - 1)


def _beside_gain(state: State, column: int, result: int) -> float:
    """A box is worth 1.25 points for each adjacent box with the same number."""
    box = (column, len(state.columns[column]))
    alike = {(x, y) for x, boxes in enumerate(state.columns) for y, mark in enumerate(boxes) if mark == result}
    return 1.25 * len(alike & neighbours(box, diagonal=False))


@lru_cache(256)
def _patches(columns: tuple[tuple[int, ...], ...], number: int, diagonal: bool) -> tuple[frozenset[Box], ...]:
    boxes = [(column, row) for column, marks in enumerate(columns) for row, mark in enumerate(marks) if mark == number]
    return tuple(patches(boxes, diagonal))


@lru_cache(256)
def _largest_patch(columns: tuple[tuple[int, ...], ...], most: int, diagonal: bool) -> int:
    every = (patch for number in range(1, most + 1) for patch in _patches(columns, number, diagonal))
    return max(map(len, every), default=1)
