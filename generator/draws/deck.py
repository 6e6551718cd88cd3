"""What all random sets have in common: a random generator whose draws never change, decks, and the base class.

Python guarantees that `random()` gives the same numbers in every version, but not `shuffle`, `sample` or `choice`, so
only `random()` is used (https://docs.python.org/3/library/random.html#notes-on-reproducibility).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from ..model.game import Card, Component, Game
from ..model.values import Empty

if TYPE_CHECKING:
    from .setcode import SetCode


T = TypeVar("T")


class Chance:
    """A random generator with a seed. The same seed gives the same draws in every version of Python and on every
    machine."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def below(self, n: int) -> int:
        """An integer from 0 to n − 1, each equally likely; n is at least 1 and far below 2⁵³.

        `random()` is a multiple of 2⁻⁵³, so no number is more than n / 2⁵³ likelier than another."""
        return int(self._random() * n)

    def choice(self, choices: Sequence[T]) -> T:
        """One of the choices, each equally likely."""
        return choices[self.below(len(choices))]

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in random order, every order equally likely: the Fisher–Yates shuffle (D. Knuth, The Art of
        Computer Programming 2, 3.4.2, algorithm P)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


THROWS_ON_A_PAGE = 12


class Deck(Struct, frozen=True):
    """Cards by component name, in order. `code` is None for the standard set.

    `components` are those that a random set draws (dice, strips, a board) or adds; they replace the components of the
    game. `field` is the field for the code on score sheets."""

    cards: Mapping[str, tuple[Card, ...]]
    code: str | None = None
    components: Mapping[str, Component] = field(default_factory=lambda: Empty)
    field: str = "set"

    def dress(self, game: Game) -> Game:
        """The game with the components of this deck instead of its own."""
        return replace(game, components=self.components_of(game)) if self.components else game

    def changes(self, game: Game) -> tuple[str, ...]:
        """The components that print differently from the standard set: those it draws or adds, and sheets with a field
        for its code."""
        if not self.code:
            return ()
        return tuple(
            name
            for name, part in self.components_of(game).items()
            if name in self.components
            or (part.kind == "deck" and self.cards.get(name, part.cards) != part.cards)
            or (part.sheet and self.field in part.sheet.fields)
        )

    def components_of(self, game: Game) -> Mapping[str, Component]:
        return {**game.components, **self.components}


def standard_cards(game: Game) -> dict[str, tuple[Card, ...]]:
    """The standard cards of every deck, by component."""
    return {name: part.cards for name, part in game.components.items() if part.kind == "deck"}


def with_cards(game: Game, code: SetCode, cards: Mapping[str, Sequence[Card]], field: str = "set") -> Deck:
    """The standard cards of a game with a code, and these cards in place of those of its components."""
    parts = {name: replace(game.components[name], cards=tuple(listed)) for name, listed in cards.items()}
    return Deck(MappingProxyType(standard_cards(game)), str(code), MappingProxyType(parts), field)


def strip_pages(throws: Sequence[Any], prefix: str = "", **values: Any) -> list[Card]:
    """The pages of a throw strip as cards with numbered throws and these other values."""
    numbered = tuple(enumerate(throws, 1))
    pages = [numbered[first : first + THROWS_ON_A_PAGE] for first in range(0, len(throws), THROWS_ON_A_PAGE)]
    counts = {"pages": len(pages), "count": len(throws)}
    return [
        Card(f"{prefix}{number}", MappingProxyType({"throws": page, "page": number, **counts, **values}))
        for number, page in enumerate(pages, 1)
    ]


def table(rows: Sequence[Sequence[Any]]) -> list[str]:
    """Rows of values in columns; numbers are right-aligned."""
    texts = [[str(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    return [
        "  ".join(
            f"{text:>{width}}" if isinstance(rows[-1][place], int | float) else f"{text:<{width}}"
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in texts
    ]


class RandomSets(ABC):
    """The random sets of a game. `draws` in sets.yaml lists the kinds of draws and their options (`draws.draw_kinds`);
    `code.kind` and `code.recipe` identify one of them."""

    @abstractmethod
    def deal(self, game: Game, code: SetCode) -> Deck:
        """The set of a code. Raises InputError for a code of another game or kind, or with an unknown or impossible
        recipe."""

    def run(self, game: Game, code: SetCode, size: int) -> list[SetCode]:
        """The codes of a print run of `size` sets with the seed of `code`. Only called if sets.yaml has an option
        `run`. Raises InputError if the run is impossible."""
        raise NotImplementedError

    @abstractmethod
    def data(self, game: Game, deck: Deck) -> Any:
        """A set as plain data, for JSON."""

    @abstractmethod
    def lines(self, game: Game, deck: Deck) -> list[str]:
        """A set as lines of text."""

    def unmet_constraints(self, game: Game, deck: Deck, code: SetCode) -> list[str]:
        """A message for each constraint of the recipe that the set does not meet, checked independently of how the set
        was drawn. By default none: for the shipped games, the tests check their sets."""
        return []
