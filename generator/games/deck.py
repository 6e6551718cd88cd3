"""A deck: what is printed or played of a game, and the set code it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from ..definitions.models import Card, Component, Empty, Game
from ..records import dataclass


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

    def components_of(self, game: Game) -> Mapping[str, Component]:
        return {**game.components, **self.components}
