"""Throw strips: numbered throws of the dice and the event die, one strip for all players or one for each, the same for
whoever has the code. A solo challenge is a strip with points to reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from ...codes import SetCode, parse
from ...codes.chance import Chance
from ...codes.setcode import SEED_BITS
from ...definitions.models import Card, Game
from ...definitions.values import Empty
from ...errors import InputError, Problem, did_you_mean, fault
from ..deck import Deck, RandomSets
from ..draws import place, recipes, refuse_foreign
from . import constraints
from .numbers import OPTIONS, Option, numbers

KIND = "S"
STRIP_PART = "strip"
THROWS_ON_A_PAGE = 12


class Throw(NamedTuple):
    """The dice, and what the event die shows."""

    dice: tuple[int, ...]
    event: str


@dataclass(frozen=True, slots=True)
class Strip:
    """What a code names: `strips` has the throws of each player's strip, or one strip for all. A challenge has the
    scoring `option` it is for, and its `targets`: names of medals and their points, the lowest first."""

    code: str
    strips: tuple[tuple[Throw, ...], ...]
    option: str = ""
    targets: Mapping[str, int] = field(default_factory=lambda: Empty)


class UpwardsSets(RandomSets):
    """The pages of throw strips."""

    def deal(self, game: Game, code: SetCode) -> Deck:
        part = replace(game.components[STRIP_PART], cards=tuple(_pages(strip(game, code))))
        return Deck(MappingProxyType({}), str(code), MappingProxyType({STRIP_PART: part}), STRIP_PART)

    def data(self, game: Game, deck: Deck) -> dict[str, Any]:
        """The strips, a challenge with its scoring option and its targets."""
        named = strip(game, parse(deck.code or ""))
        strips = [[{"dice": list(throw.dice), "event": throw.event} for throw in throws] for throws in named.strips]
        challenge = {"option": named.option, "targets": dict(named.targets)} if named.option else {}
        return {**challenge, "strips": strips}

    def lines(self, game: Game, deck: Deck) -> list[str]:
        """The strips as rows of text, one for each round."""
        named = strip(game, parse(deck.code or ""))
        targets = ", ".join(f"{name} {points}" for name, points in named.targets.items())
        rows = [f"with the scoring option {named.option}: {targets}"] if named.option else []
        for player, throws in enumerate(named.strips, 1):
            rows += [f"player {player}"] if len(named.strips) > 1 else []
            rows += [f"{number:>2}   {' '.join(map(str, throw.dice))}   {throw.event}"
                     for number, throw in enumerate(throws, 1)]
        return rows

    def broken(self, game: Game, deck: Deck, code: SetCode) -> list[str]:
        return constraints.broken(game, deck, code)


SETS = UpwardsSets()


def strip(game: Game, code: SetCode, targets: bool = True) -> Strip:
    """The strips that a code names; raises InputError for a code of another game or kind, and for one whose recipe is
    unknown. The targets of a challenge, which take a second to find, may be left out."""
    refuse_foreign(game, code, KIND)
    recipe = recipe_of(game, code.recipe)
    strips, task = thrown(recipe, code.seed), recipe.challenge
    if task is None:
        return Strip(str(code), strips)
    points = _targets(game, task, strips[0], code.seed) if targets else {}
    return Strip(str(code), strips, task.option, MappingProxyType(points))


def _targets(game: Game, task: Challenge, throws: tuple[Throw, ...], seed: int) -> dict[str, int]:
    from . import challenge  # only challenges are played

    return challenge.targets(numbers(game), throws, task.option, task.games, seed, task.targets)


def thrown(recipe: Recipe, seed: int) -> tuple[tuple[Throw, ...], ...]:
    """Every strip of a recipe: each die of each round by itself, each of its faces as likely. A player's strip does not
    hang on how many players there are."""
    return tuple(_throws(recipe, Chance(seed + (player << SEED_BITS))) for player in range(recipe.strips))


def _throws(recipe: Recipe, chance: Chance) -> tuple[Throw, ...]:
    return tuple(Throw(tuple(chance.choice(recipe.die) for _ in range(recipe.dice)), chance.choice(recipe.event))
                 for _ in range(recipe.rounds))


def _pages(named: Strip) -> Iterator[Card]:
    """The pages of all strips as cards, in the order of players: the throws on each with their numbers."""
    for player, throws in enumerate(named.strips, 1):
        numbered = tuple(enumerate(throws, 1))
        pages = [numbered[first:first + THROWS_ON_A_PAGE] for first in range(0, len(throws), THROWS_ON_A_PAGE)]
        for page, on_page in enumerate(pages, 1):
            yield Card(f"{player}.{page}", MappingProxyType({
                "throws": on_page, "page": page, "pages": len(pages), "count": len(throws),
                "player": player if len(named.strips) > 1 else 0, "players": len(named.strips),
                "option": named.option, "targets": named.targets}))


# ---- recipes ---------------------------------------------------------------------------------------------------------

_KEYS = ("rounds", "strips", "die", "dice", "event")
_CHALLENGE_KEYS = ("option", "games", "targets")


@dataclass(frozen=True, slots=True)
class Challenge:
    """How the targets of a challenge are found: names of medals, each with a share of so many games, in per cent."""

    option: Option
    games: int
    targets: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Recipe:
    """So many strips of so many rounds with so many dice; `die` and `event` are the faces."""

    id: str
    rounds: int
    strips: int
    die: tuple[int, ...]
    dice: int
    event: tuple[str, ...]
    challenge: Challenge | None = None


def recipe_of(game: Game, name: str) -> Recipe:
    """The recipe with this id in sets.yaml; raises InputError with everything that is wrong with it."""
    known = recipes(game)
    if name not in known:
        raise fault(f"{game.title} has no recipe “{name}” for strips", place(game, "recipes"),
                    did_you_mean(name, known))
    problems = [Problem(f"recipe “{name}”: {wrong}", place(game, "recipes", name)) for wrong in _wrong(known[name])]
    if problems:
        raise InputError(problems)
    given: Mapping[str, Any] = known[name]  # type: ignore[assignment]
    challenge = given.get("challenge")
    return Recipe(name, given["rounds"], given["strips"], given["die"], given["dice"], given["event"],
                  Challenge(**challenge) if challenge else None)


def _wrong(given: object) -> Iterator[str]:
    if not isinstance(given, Mapping) or not set(_KEYS) <= set(given) <= {*_KEYS, "challenge"}:
        yield f"it must be a mapping of {', '.join(_KEYS)}"
        return
    yield from (f"“{key}” must be a whole number above nothing" for key in ("rounds", "strips", "dice")
                if not _is_positive(given[key]))
    if not isinstance(given["die"], tuple) or not all(map(_is_positive, given["die"])):
        yield "“die” must be a list of numbers"
    if not isinstance(given["event"], tuple) or not all(isinstance(face, str) for face in given["event"]):
        yield "“event” must be a list of events"
    if "challenge" in given:
        yield from _wrong_challenge(given["challenge"])


def _wrong_challenge(given: object) -> Iterator[str]:
    if not isinstance(given, Mapping) or set(given) != set(_CHALLENGE_KEYS):
        yield f"“challenge” must be a mapping of {', '.join(_CHALLENGE_KEYS)}"
        return
    if given["option"] not in OPTIONS:
        yield f"“option” must be one of {', '.join(OPTIONS)}"
    if not _is_positive(given["games"]):
        yield "“games” must be a whole number above nothing"
    if not isinstance(given["targets"], Mapping) or not all(map(_is_positive, given["targets"].values())):
        yield "“targets” must be a mapping of names and per cent"


def _is_positive(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number > 0
