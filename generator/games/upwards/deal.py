"""Throw strips: numbered throws of the dice and the event die, one strip for all players or one for each. A code always
gives the same strips. A solo challenge is a strip with target points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from itertools import chain, combinations, pairwise, permutations
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from ...codes import SetCode, parse
from ...codes.chance import Chance
from ...codes.setcode import SEED_BITS
from ...definitions.models import Card, Game
from ...definitions.values import Empty
from ...errors import did_you_mean, fault
from ...fast_dataclasses import dataclass
from ..deck import Deck, RandomSets, standard_cards
from ..draws import is_positive, place, recipes, refuse_foreign, refuse_mistakes
from . import blocks, play, snake
from .numbers import OPTIONS, Numbers, Option, numbers
from .play import METEORITE, Move, State
from .snake import Box

KIND = "S"
STRIP_PART = "strip"
THROWS_ON_A_PAGE = 12


class Throw(NamedTuple):
    """The number dice, and the face of the event die."""

    dice: tuple[int, ...]
    event: str


@dataclass(frozen=True, slots=True)
class Strip:
    """The strips of a code: `strips` has the throws of each player's strip, or one strip for all players. A challenge
    has its scoring `option` and its `targets`: medals and their points, lowest first."""

    code: str
    strips: tuple[tuple[Throw, ...], ...]
    option: str = ""
    targets: Mapping[str, int] = field(default_factory=lambda: Empty)


class UpwardsSets(RandomSets):
    """The pages of throw strips."""

    def deal(self, game: Game, code: SetCode) -> Deck:
        part = replace(game.components[STRIP_PART], cards=tuple(_pages(strip(game, code))))
        return Deck(MappingProxyType(standard_cards(game)), str(code), MappingProxyType({STRIP_PART: part}), STRIP_PART)

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

    def unmet_constraints(self, game: Game, deck: Deck, code: SetCode) -> list[str]:
        return _unmet_constraints(deck, game.sets["recipes"][code.recipe])


SETS = UpwardsSets()


def strip(game: Game, code: SetCode, targets: bool = True) -> Strip:
    """The strips of a code. Raises InputError for a code of another game or kind, or with an unknown recipe. The
    targets of a challenge, which take a second to compute, are optional."""
    refuse_foreign(game, code, KIND)
    recipe = recipe_of(game, code.recipe)
    strips, task = rolled(recipe, code.seed), recipe.challenge
    if task is None:
        return Strip(str(code), strips)
    reached = challenge_targets(numbers(game), strips[0], task, code.seed) if targets else {}
    return Strip(str(code), strips, task.option, MappingProxyType(reached))


def rolled(recipe: Recipe, seed: int) -> tuple[tuple[Throw, ...], ...]:
    """Rolls every strip of a recipe. All dice are independent and all faces equally likely. A player's strip does not
    depend on the number of players."""
    return tuple(_throws(recipe, Chance(seed + (player << SEED_BITS))) for player in range(recipe.strips))


def _throws(recipe: Recipe, chance: Chance) -> tuple[Throw, ...]:
    return tuple(
        Throw(tuple(chance.choice(recipe.die) for _ in range(recipe.dice)), chance.choice(recipe.event))
        for _ in range(recipe.rounds)
    )


def _pages(named: Strip) -> Iterator[Card]:
    """The pages of all strips as cards, player by player, with numbered throws."""
    for player, throws in enumerate(named.strips, 1):
        numbered = tuple(enumerate(throws, 1))
        pages = [numbered[first : first + THROWS_ON_A_PAGE] for first in range(0, len(throws), THROWS_ON_A_PAGE)]
        for page, on_page in enumerate(pages, 1):
            yield Card(
                f"{player}.{page}",
                MappingProxyType(
                    {
                        "throws": on_page,
                        "page": page,
                        "pages": len(pages),
                        "count": len(throws),
                        "player": player if len(named.strips) > 1 else 0,
                        "players": len(named.strips),
                        "option": named.option,
                        "targets": named.targets,
                    }
                ),
            )


# ---- recipes ---------------------------------------------------------------------------------------------------------

_KEYS = ("rounds", "strips", "die", "dice", "event")
_CHALLENGE_KEYS = ("option", "games", "targets")


@dataclass(frozen=True, slots=True)
class Challenge:
    """The number of games to play to compute the targets and, for each medal, the percentage of games that end at its
    target or below."""

    option: Option
    games: int
    targets: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Recipe:
    """The number of strips, of rounds per strip, and of dice per round; `die` and `event` are the faces."""

    id: str
    rounds: int
    strips: int
    die: tuple[int, ...]
    dice: int
    event: tuple[str, ...]
    challenge: Challenge | None = None


def recipe_of(game: Game, name: str) -> Recipe:
    """The recipe with this id in sets.yaml. Raises InputError with every problem in it."""
    definitions = recipes(game)
    if name not in definitions:
        raise fault(
            f"{game.title} has no recipe “{name}” for strips", place(game, "recipes"), did_you_mean(name, definitions)
        )
    refuse_mistakes(game, name, (((), message) for message in _mistakes(definitions[name], numbers(game).most)))
    definition: Mapping[str, Any] = definitions[name]  # type: ignore[assignment]
    challenge = definition.get("challenge")
    return Recipe(
        name,
        definition["rounds"],
        definition["strips"],
        definition["die"],
        definition["dice"],
        definition["event"],
        Challenge(**challenge) if challenge else None,
    )


def _mistakes(definition: object, most: int) -> Iterator[str]:
    """Problems of a recipe in sets.yaml; `most` is the highest number that may be entered."""
    if not isinstance(definition, Mapping) or not set(_KEYS) <= set(definition) <= {*_KEYS, "challenge"}:
        yield f"it must be a mapping of {', '.join(_KEYS)}"
        return
    yield from (
        f"“{key}” must be a positive integer"
        for key in ("rounds", "strips", "dice")
        if not is_positive(definition[key])
    )
    if not isinstance(definition["die"], tuple) or not all(
        is_positive(face) and face <= most for face in definition["die"]
    ):
        yield f"“die” must be a list of numbers from 1 to {most}"
    if not isinstance(definition["event"], tuple) or not all(isinstance(face, str) for face in definition["event"]):
        yield "“event” must be a list of events"
    if "challenge" in definition:
        yield from _challenge_mistakes(definition["challenge"])


def _challenge_mistakes(definition: object) -> Iterator[str]:
    if not isinstance(definition, Mapping) or set(definition) != set(_CHALLENGE_KEYS):
        yield f"“challenge” must be a mapping of {', '.join(_CHALLENGE_KEYS)}"
        return
    if definition["option"] not in OPTIONS:
        yield f"“option” must be one of {', '.join(OPTIONS)}"
    if not is_positive(definition["games"]):
        yield "“games” must be a positive integer"
    if not isinstance(definition["targets"], Mapping) or not all(map(is_positive, definition["targets"].values())):
        yield "“targets” must be a mapping of names to percentages"


# ---- checking strips -------------------------------------------------------------------------------------------------


def _unmet_constraints(deck: Deck, recipe: Mapping[str, Any]) -> list[str]:
    """A message for each place where strips do not follow their recipe in sets.yaml. The check is independent of how
    they were drawn."""
    pages = deck.components["strip"].cards
    by_player: dict[str, list[Card]] = {}
    for page in pages:
        by_player.setdefault(page.id.partition(".")[0], []).append(page)
    mistakes = []
    if len(by_player) != recipe["strips"]:
        mistakes.append(f"there are {len(by_player)} strips instead of {recipe['strips']}")
    for player, player_pages in by_player.items():
        mistakes += [f"strip {player}: {mistake}" for mistake in _unmet_strip_constraints(player_pages, recipe)]
    return [*mistakes, *_unmet_challenge_constraints(pages, recipe)]


def _unmet_strip_constraints(pages: Sequence[Card], recipe: Mapping[str, Any]) -> Iterator[str]:
    throws = [throw for page in pages for throw in page.throws]
    if [number for number, _ in throws] != list(range(1, recipe["rounds"] + 1)):
        yield f"the throws are not numbered from 1 to {recipe['rounds']}"
    for number, (dice, event) in throws:
        if len(dice) != recipe["dice"] or not set(dice) <= set(recipe["die"]):
            yield f"throw {number} shows {' '.join(map(str, dice))}"
        if event not in recipe["event"]:
            yield f"throw {number} shows the event “{event}”"


def _unmet_challenge_constraints(pages: Sequence[Card], recipe: Mapping[str, Any]) -> Iterator[str]:
    task = recipe.get("challenge")
    for page in pages:
        option, targets = (task["option"], list(task["targets"])) if task else ("", [])
        if page.option != option or list(page.targets) != targets:
            yield f"page {page.id} does not describe the challenge"
        if list(page.targets.values()) != sorted(set(page.targets.values())):
            yield f"the targets on page {page.id} do not increase"


# ---- solo challenges -------------------------------------------------------------------------------------------------
#
# The target points are what a greedy player reaches on the strip over many games. The player is part of the recipes and
# never changes, because the points printed on a strip must always be reproducible. It does not see a round before it is
# rolled. In a round it first carries out the event. Then, as long as there are dice, it enters one of them, or the sum
# or difference of two numbers, where the value is highest: the points scored now plus a share of those in progress
# (`_worth`). Ties are broken at random.

_SAVING, _SAVED, _TOTAL = -0.5, 0.25, -0.1
"""The value of saving a number, of using a saved one, and of spending two numbers on one box."""

Columns: TypeAlias = tuple[tuple[int, ...], ...]


def challenge_targets(numbers: Numbers, throws: Sequence[Throw], task: Challenge, seed: int) -> dict[str, int]:
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
    by_option = {"rows": _row_points, "snake": _snake_points, "blocks": _block_points}[option]
    return _step_points(state) + _bonus_points(state) + by_option(state)


# ---- the greedy player's game ----------------------------------------------------------------------------------------


def greedy_game(numbers: Numbers, throws: Sequence[Throw], option: Option, chance: Chance) -> State:
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
    """The greedy player's next move."""
    if state.due:
        return _effect(state)
    if not state.dice:
        return Move("end")
    free = play.free_places(state)
    columns = [place for place in free if place < len(state.columns)]
    places = columns + free[len(columns) : len(columns) + 1]
    if not places:
        return Move("pass")
    worth = {
        (place, result): _worth(state, place, result, option)
        for place in places
        for result in range(state.numbers.least, state.numbers.most + 1)
    }
    candidates = [
        (worth[place, result] + more, Move("enter", place, plus, minus))
        for plus, minus, result, more in _totals(state)
        for place in places
    ]
    most = max(value for value, _ in candidates)
    return chance.choice([move for value, move in candidates if value > most - 1e-9])


def _effect(state: State) -> Move:
    """Drops a meteorite on the lowest column, outlines the first light field, or marks the row with the most different
    numbers. If several are equal, takes the first."""
    candidates = [move for move in sorted(play.effects(state)) if move.kind != "skip"]
    if state.event == play.DROP:
        return min(candidates, key=lambda move: len(state.columns[move.place]))
    return (
        max(candidates, key=lambda move: len(_numbers(state, move.place)))
        if state.event == play.ARROW
        else candidates[0]
    )


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


# ---- the value of an entry -------------------------------------------------------------------------------------------


def _worth(state: State, place: int, result: int, option: Option) -> float:
    if place >= len(state.columns):
        return _SAVING
    below = state.columns[place][-1] if state.columns[place] else METEORITE
    step = state.numbers.step_points * (state.numbers.after.get(below) == result)
    return step + {"rows": _row_gain, "snake": _patch_gain, "blocks": _beside_gain}[option](state, place, result)


def _row_gain(state: State, column: int, result: int) -> float:
    """A row with one number is worth its points in proportion to the square of its filled boxes."""
    row, wide = len(state.columns[column]), len(state.columns)
    marks = [boxes[row] for boxes in state.columns if len(boxes) > row]
    row_numbers = {mark for mark in marks if mark != METEORITE}
    before = len(marks) ** 2 if len(row_numbers) == 1 else 0
    after = (len(marks) + 1) ** 2 if row_numbers <= {result} else 0
    return state.numbers.row_points * (after - before) / wide**2


def _patch_gain(state: State, column: int, result: int) -> float:
    """A box is worth its points if it extends the largest patch, otherwise a tenth of a point for each box it joins."""
    box, diagonal = (column, len(state.columns[column])), state.numbers.diagonal
    around = snake.neighbours(box, diagonal)
    own = 1 + sum(len(patch) for patch in _patches(state.columns, result, diagonal) if not patch.isdisjoint(around))
    every = (
        patch for number in range(1, state.numbers.most + 1) for patch in _patches(state.columns, number, diagonal)
    )
    largest = max(map(len, every), default=1)
    return state.numbers.snake_points * (own - largest) if own > largest else 0.1 * (own - 1)


def _beside_gain(state: State, column: int, result: int) -> float:
    """A box is worth 1.25 points for each adjacent box with the same number."""
    row = len(state.columns[column])
    sides = ((column - 1, row), (column + 1, row), (column, row - 1))
    return 1.25 * sum(_mark(state, box) == result for box in sides)


def _mark(state: State, box: Box) -> int:
    column, row = box
    inside = 0 <= column < len(state.columns) and 0 <= row < len(state.columns[column])
    return state.columns[column][row] if inside else METEORITE


def _boxes_of(columns: Columns, number: int) -> list[Box]:
    return [(column, row) for column, boxes in enumerate(columns) for row, mark in enumerate(boxes) if mark == number]


@lru_cache(256)
def _patches(columns: Columns, number: int, diagonal: bool) -> tuple[frozenset[Box], ...]:
    boxes = _boxes_of(columns, number)
    return tuple(snake.patches(boxes, diagonal)) if boxes else ()


# ---- the points of a sheet -------------------------------------------------------------------------------------------


def _numbers(state: State, row: int) -> set[int]:
    return {boxes[row] for boxes in state.columns if len(boxes) > row} - {METEORITE}


def _step_points(state: State) -> int:
    after = state.numbers.after
    return state.numbers.step_points * sum(
        after.get(low) == high for boxes in state.columns for low, high in pairwise(boxes)
    )


def _bonus_points(state: State) -> int:
    return state.numbers.bonus_points * sum(
        len(_numbers(state, row)) for row in range(state.numbers.rows) if state.arrows >> row & 1
    )


def _row_points(state: State) -> int:
    full = min(map(len, state.columns))
    return state.numbers.row_points * sum(len(_numbers(state, row)) == 1 for row in range(full))


def _snake_points(state: State) -> int:
    lengths = [
        len(snake.longest(boxes, state.numbers.diagonal))
        for number in range(1, state.numbers.most + 1)
        if len(boxes := _boxes_of(state.columns, number)) >= state.numbers.snake_shortest
    ]
    longest = max(lengths, default=0)
    return state.numbers.snake_points * longest if longest >= state.numbers.snake_shortest else 0


def _block_points(state: State) -> int:
    numbered = {
        (column, row): mark
        for column, boxes in enumerate(state.columns)
        for row, mark in enumerate(boxes)
        if mark != METEORITE
    }
    return blocks.best(numbered, state.numbers.shapes).points
