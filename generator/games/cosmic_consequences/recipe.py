"""Recipes of the deck's order and of shuffled boards, as sets.yaml gives them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, permutations
from typing import Any

from ...definitions.models import Game
from ...errors import InputError, Problem, did_you_mean, fault
from .. import draws

CARDS, BOARD = "cards", "board"
CC, ARROW = "cc", "arrow"


@dataclass(frozen=True, slots=True)
class Region:
    """A region: the kinds of its spaces that are no cc-spaces, and the cards of those that are. Its spaces are called
    after it, numbered from 1 in the order of the lap."""

    name: str
    kinds: tuple[str, ...]
    cards: tuple[str, ...]

    @property
    def spaces(self) -> tuple[str, ...]:
        return tuple(f"{self.name}-{number}" for number in range(1, len(self.kinds) + len(self.cards) + 1))


@dataclass(frozen=True, slots=True)
class Way:
    """The way from a region into a ring: the space it leads to, and by the number of the space where its arrow may
    stand how the arrow is turned."""

    to: str
    turns: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class BoardRecipe:
    """A recipe of boards; `ways` are by region."""

    id: str
    begins: str
    apart: int
    regions: tuple[Region, ...]
    ways: Mapping[str, Way]

    def orders(self, region: Region) -> list[tuple[str, ...]]:
        """Every order of the kinds of a region's spaces that the recipe allows, in the order of their names."""
        found = _orders((*region.kinds, *[CC] * len(region.cards)))
        return [order for order in found if self._allows(region, order)]

    def _allows(self, region: Region, order: tuple[str, ...]) -> bool:
        special = [number for number, kind in enumerate(order, 1) if kind != CC]
        near = any(later - number < self.apart for number, later in pairwise(special))
        way = self.ways.get(region.name)
        strays = way is not None and order.index(ARROW) + 1 not in way.turns
        return order[0] == self.begins and not near and not strays


@lru_cache(maxsize=64)
def _orders(kinds: tuple[str, ...]) -> list[tuple[str, ...]]:
    return sorted(set(permutations(kinds)))


def deck(game: Game, name: str) -> tuple[str, ...]:
    """The deck before it is shuffled; raises InputError with everything that is wrong with the recipe."""
    given = _given(game, name, "deck")
    known = {card.id for card in game.components[CARDS].cards}
    listed = given["deck"] if isinstance(given["deck"], tuple) else ()
    _refuse(game, name, [*(([], f"no card “{card}” in the game") for card in listed if card not in known),
                         *(([], f"the card “{card}” stands {count} times") for card, count in Counter(listed).items()
                           if count > 1),
                         *([] if listed else [([], "“deck” must be a list of cards")])], "deck")
    return listed


def board(game: Game, name: str) -> BoardRecipe:
    """The recipe of boards with this id; raises InputError with everything that is wrong with it."""
    given = _given(game, name, "begins", "apart", "regions", "arrows")
    _refuse(game, name, list(_shape(given)))
    _refuse(game, name, list(_wrong_names(game, given)))
    regions = tuple(Region(region, tuple(parts["kinds"]), tuple(parts["cards"]))
                    for region, parts in given["regions"].items())
    ways = {region: Way(parts["to"], {int(number): turn for number, turn in parts["at"].items()})
            for region, parts in given["arrows"].items()}
    made = BoardRecipe(name, given["begins"], given["apart"], regions, ways)
    _refuse(game, name, [(["regions", region.name], f"no order of the spaces of “{region.name}” is allowed")
                         for region in regions if not made.orders(region)])
    return made


# ---- what can be wrong --------------------------------------------------------------------------------------------

Wrong = tuple[list[str | int], str]
"""Where in the recipe, and what."""


def _given(game: Game, name: str, *keys: str) -> Mapping[str, Any]:
    recipes = draws.recipes(game)
    if name not in recipes:
        raise fault(f"{game.title} has no recipe “{name}”", draws.place(game), did_you_mean(name, recipes))
    given = recipes[name]
    if not isinstance(given, Mapping) or set(given) != set(keys):
        raise fault(f"recipe “{name}”: it must be a mapping of {', '.join(keys)}", draws.place(game, "recipes", name))
    return given


def _refuse(game: Game, name: str, wrong: list[Wrong], *below: str) -> None:
    if wrong:
        raise InputError(Problem(f"recipe “{name}”: {message}", draws.place(game, "recipes", name, *below, *path))
                         for path, message in wrong)


def _shape(given: Mapping[str, Any]) -> Iterator[Wrong]:
    if not isinstance(given["apart"], int) or given["apart"] < 1:
        yield ["apart"], "“apart” must be a whole number above nothing"
    for key, parts in (("regions", ("kinds", "cards")), ("arrows", ("to", "at"))):
        if not isinstance(given[key], Mapping):
            yield [key], f"“{key}” must be a mapping of regions"
            continue
        for region, entry in given[key].items():
            if not isinstance(entry, Mapping) or set(entry) != set(parts):
                yield [key, region], f"“{region}” must be a mapping of {' and '.join(parts)}"
            elif key == "arrows" and not _are_turns(entry["at"]):
                yield [key, region, "at"], "“at” must be a mapping of numbers of spaces and quarter turns"
            elif key == "regions" and not (isinstance(entry["kinds"], tuple) and isinstance(entry["cards"], tuple)):
                yield [key, region], "“kinds” and “cards” must be lists"


def _are_turns(given: object) -> bool:
    return isinstance(given, Mapping) and all(
        str(number).isdecimal() and turn in (0, 90, 180, 270) for number, turn in given.items())


def _wrong_names(game: Game, given: Mapping[str, Any]) -> Iterator[Wrong]:
    drawn = game.components[BOARD].board
    assert drawn
    kinds, cards = drawn.definition.kinds, {card.id for card in game.components[CARDS].cards}
    for region, parts in given["regions"].items():
        path: list[str | int] = ["regions", region]
        count = sum(space.region == region for space in drawn.spaces.values())
        if count != len(parts["kinds"]) + len(parts["cards"]):
            yield path, f"“{region}” has {count} spaces on the board"
        yield from (([*path, "kinds"], f"no kind “{kind}”") for kind in parts["kinds"] if kind not in kinds)
        yield from (([*path, "cards"], f"no card “{card}” in the game") for card in parts["cards"] if card not in cards)
        if (ARROW in parts["kinds"]) != (region in given["arrows"]):
            yield path, f"“arrows” and the kinds of “{region}” contradict each other"
    yield from ((["arrows", region, "to"], f"no space “{way['to']}”") for region, way in given["arrows"].items()
                if way["to"] not in drawn.spaces)
