"""Decks, and the random sets that a game deals them from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..definitions.models import Card, Component, Game
from ..definitions.values import Empty

if TYPE_CHECKING:
    from ..codes import SetCode


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards by component name, each in order. `code` is None for the standard set, which is given, not drawn.

    `components` are those that a random set draws anew (dice, strips, a board) or adds; they stand in the place of the
    game's own. `field` is the field of score sheets that the code is written into."""

    cards: Mapping[str, tuple[Card, ...]]
    code: str | None = None
    components: Mapping[str, Component] = field(default_factory=lambda: Empty)
    field: str = "set"

    def dress(self, game: Game) -> Game:
        """The game with the components of this deck in the place of its own."""
        return replace(game, components=self.components_of(game)) if self.components else game

    def changes(self, game: Game) -> tuple[str, ...]:
        """The components that this set prints otherwise than the standard one: those it draws or adds, and sheets that
        its code is filled in on."""
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


class RandomSets(ABC):
    """What a game draws at random. sets.yaml says under `draws` what there is and which options it takes
    (`games.draws`); `code.kind` and `code.recipe` say which of it a code names."""

    @abstractmethod
    def deal(self, game: Game, code: SetCode) -> Deck:
        """The set that a code names. Raises InputError for a code of another game or kind, and for one whose recipe
        is unknown or cannot be kept."""

    def run(self, game: Game, code: SetCode, size: int) -> list[SetCode]:
        """The codes of a run of so many sets that has the seed of `code`. Only asked of a game whose sets.yaml has an
        option `run`. Raises InputError where it cannot be had."""
        raise NotImplementedError

    @abstractmethod
    def data(self, game: Game, deck: Deck) -> Any:
        """A set as plain data, for JSON."""

    @abstractmethod
    def lines(self, game: Game, deck: Deck) -> list[str]:
        """A set as rows of text."""

    @abstractmethod
    def broken(self, game: Game, deck: Deck, code: SetCode) -> list[str]:
        """What a set breaks of the recipe of its code, in words; it does not ask how the set was drawn."""
