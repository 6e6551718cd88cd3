"""Recipes of throw strips and solo challenges, as sets.yaml gives them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...definitions.models import Game
from ...errors import InputError, Problem, did_you_mean, fault
from ..draws import place, recipes
from .numbers import OPTIONS, Option

_KEYS = ("rounds", "strips", "die", "dice", "event")
_CHALLENGE = ("option", "games", "targets")


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


def read(game: Game, name: str) -> Recipe:
    """The recipe with this id; raises InputError with everything that is wrong with it."""
    known = recipes(game)
    if name not in known:
        raise fault(f"{game.title} has no recipe “{name}” for strips", place(game, "recipes"),
                    did_you_mean(name, known))
    problems = [Problem(f"recipe “{name}”: {wrong}", place(game, "recipes", name)) for wrong in _wrong(known[name])]
    if problems:
        raise InputError(problems)
    given: Mapping[str, Any] = known[name]  # type: ignore[assignment]
    told = given.get("challenge")
    return Recipe(name, given["rounds"], given["strips"], given["die"], given["dice"], given["event"],
                  Challenge(**told) if told else None)


def _wrong(given: object) -> Iterator[str]:
    if not isinstance(given, Mapping) or not set(_KEYS) <= set(given) <= {*_KEYS, "challenge"}:
        yield f"it must be a mapping of {', '.join(_KEYS)}"
        return
    yield from (f"“{key}” must be a whole number above nothing" for key in ("rounds", "strips", "dice")
                if not _counts(given[key]))
    if not isinstance(given["die"], tuple) or not all(map(_counts, given["die"])):
        yield "“die” must be a list of numbers"
    if not isinstance(given["event"], tuple) or not all(isinstance(face, str) for face in given["event"]):
        yield "“event” must be a list of events"
    if "challenge" in given:
        yield from _wrong_challenge(given["challenge"])


def _wrong_challenge(given: object) -> Iterator[str]:
    if not isinstance(given, Mapping) or set(given) != set(_CHALLENGE):
        yield f"“challenge” must be a mapping of {', '.join(_CHALLENGE)}"
        return
    if given["option"] not in OPTIONS:
        yield f"“option” must be one of {', '.join(OPTIONS)}"
    if not _counts(given["games"]):
        yield "“games” must be a whole number above nothing"
    if not isinstance(given["targets"], Mapping) or not all(map(_counts, given["targets"].values())):
        yield "“targets” must be a mapping of names and per cent"


def _counts(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number > 0
