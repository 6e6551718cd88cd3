"""Recipes of deals, as sets.yaml gives them: for a number of players, the deck and what everybody is dealt of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...definitions.models import Game
from ...errors import InputError, Problem, did_you_mean, fault
from .. import draws

_COUNTS = ("players", "down", "up", "hand")


@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe: so many cards face down, face up and in hand for each of the players, from `deck` (ids of cards in
    the order before they are shuffled)."""

    id: str
    players: int
    down: int
    up: int
    hand: int
    deck: tuple[str, ...]


def for_players(game: Game, players: int | None = None) -> Recipe:
    """The recipe for so many players, or the default one; raises InputError where there is none."""
    default = read(game, str(game.sets.get("default", "")))
    if players in (None, default.players):
        return default
    known = [read(game, name) for name in draws.recipes(game)]
    for recipe in known:
        if recipe.players == players:
            return recipe
    counts = ", ".join(sorted(str(recipe.players) for recipe in known))
    raise fault(f"{game.title} has no deal for {players} players", hint=f"there are deals for {counts}")


def read(game: Game, name: str) -> Recipe:
    """The recipe with this id; raises InputError with everything that is wrong with it."""
    recipes = draws.recipes(game)
    if name not in recipes:
        raise fault(f"{game.title} has no recipe “{name}” for deals", hint=did_you_mean(name, recipes))
    problems = [Problem(f"recipe “{name}”: {wrong}", draws.place(game, "recipes", name, *path))
                for path, wrong in _wrong(game, recipes[name])]
    if problems:
        raise InputError(problems)
    given: Mapping[str, Any] = game.sets["recipes"][name]
    deck = tuple(card for card, copies in given["deck"].items() for _ in range(copies))
    return Recipe(name, given["players"], given["down"], given["up"], given["hand"], deck)


Wrong = tuple[tuple[str, ...], str]
"""Where in the recipe, and what."""


def _wrong(game: Game, given: object) -> Iterator[Wrong]:
    if not isinstance(given, Mapping) or set(given) != {*_COUNTS, "deck"}:
        yield (), f"it must be a mapping of {', '.join(_COUNTS)} and deck"
        return
    numbers: list[Wrong] = [((key,), f"“{key}” must be a whole number above nothing")
                            for key in _COUNTS if not _counts(given[key])]
    yield from numbers
    yield from (cards := list(_wrong_deck(game, given["deck"])))
    if not numbers and not cards:
        dealt = given["players"] * (given["down"] + given["up"] + given["hand"])
        if dealt > sum(given["deck"].values()):
            yield ("players",), f"{dealt} cards are dealt, but the deck has {sum(given['deck'].values())}"


def _wrong_deck(game: Game, deck: object) -> Iterator[Wrong]:
    if not isinstance(deck, Mapping):
        yield ("deck",), "“deck” must be a mapping of cards and their numbers"
        return
    known = {card.id for card in game.components["cards"].cards}
    for card, copies in deck.items():
        if card not in known:
            yield ("deck", card), f"no card “{card}” in the game"
        if not _counts(copies):
            yield ("deck", card), f"“deck: {card}” must be a whole number above nothing"


def _counts(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number > 0
