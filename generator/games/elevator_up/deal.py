"""The deck: as YAML gives it, or in the order that the code of a deal has shuffled it; and who is dealt what of it.

A deal is the same fifty cards in another order, the first card dealt first: everybody's three cards face down, then
everybody's two face up, then everybody's hand, each in the order of play; what is left is the deck to draw from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from ...codes import SetCode, draw, parse
from ...codes.chance import Chance
from ...definitions.models import Card, Component, Empty, Game
from ..deck import Deck
from ..draws import refuse_foreign
from . import recipe as recipes

KIND = "D"
DECK = "cards"
DEALER = "dealer"
PARTS = ("down", "up", "hand")


@dataclass(frozen=True, slots=True)
class Dealt:
    """Ids of cards: those of each player in the order of play, and the deck, whose first card is drawn first."""

    down: tuple[tuple[str, ...], ...]
    up: tuple[tuple[str, ...], ...]
    hands: tuple[tuple[str, ...], ...]
    deck: tuple[str, ...]

    @property
    def cards(self) -> Iterator[str]:
        """Every card, in the order it is dealt."""
        for part in (*self.down, *self.up, *self.hands, self.deck):
            yield from part


def new_code(game: Game, seed_text: str | None, index: int = 0, players: int | None = None) -> SetCode:
    """The code of a new deal: from a seed text always the same one for each index, without a text by chance."""
    return draw(game.definition.prefix, KIND, recipes.for_players(game, players).id, seed_text, index)


def deal(game: Game, code: SetCode | None) -> Deck:
    """All decks of the game, the cards in the order `code` deals them, or as YAML gives them without a code.

    Raises InputError for a code of another game or kind, and for one whose recipe is unknown."""
    decks = {name: part.cards for name, part in game.components.items() if part.kind == "deck"}
    if code is None:
        return Deck(MappingProxyType(decks))
    known = {card.id: card for card in decks[DECK]}
    made = dealt(game, code)
    decks[DECK] = tuple(known[name] for name in made.cards)
    return Deck(MappingProxyType(decks), str(code), _dealers_sheet(game, made, known))


def _dealers_sheet(game: Game, made: Dealt, known: Mapping[str, Card]) -> Mapping[str, Component]:
    """The page that tells a dealer who gets which cards; a game without one prints none."""
    if DEALER not in game.components:
        return Empty
    players = tuple({part: tuple(map(known.__getitem__, cards)) for part, cards in zip(PARTS, dealt, strict=True)}
                    for dealt in zip(made.down, made.up, made.hands, strict=True))
    page = Card(DEALER, MappingProxyType({"players": players, "deck": tuple(map(known.__getitem__, made.deck))}))
    return MappingProxyType({DEALER: replace(game.components[DEALER], cards=(page,))})


def dealt(game: Game, code: SetCode) -> Dealt:
    """Who has which cards when the game that `code` names begins; raises InputError as `deal` does."""
    refuse_foreign(game, code, KIND)
    chosen = recipes.read(game, code.recipe)
    order = iter(Chance(code.seed).shuffled(chosen.deck))
    down, up, hands = (tuple(tuple(next(order) for _ in range(count)) for _ in range(chosen.players))
                       for count in (chosen.down, chosen.up, chosen.hand))
    return Dealt(down, up, hands, tuple(order))


# ---- showing ------------------------------------------------------------------------------------------------------

def plain(game: Game, deck: Deck) -> dict[str, Any]:
    """A deal as plain data: the three parts of every player by their numbers, and the deck."""
    made = dealt(game, parse(deck.code or ""))
    players = [dict(zip(PARTS, map(list, parts), strict=True))
               for parts in zip(made.down, made.up, made.hands, strict=True)]
    return {"players": players, "deck": list(made.deck)}


def lines(game: Game, deck: Deck) -> list[str]:
    """A deal as rows of text, cards by their letters: everybody's three parts, and the deck."""
    letters = {card.id: _letter(card) for card in deck.cards[DECK]}
    shown = plain(game, deck)
    rows = [f"player {number}   " + "   ".join(f"{part} {_row(cards, letters)}" for part, cards in player.items())
            for number, player in enumerate(shown["players"], 1)]
    return [*rows, f"deck       {_row(shown['deck'], letters)}"]


def _letter(card: Card) -> str:
    letter: str = card.letter
    return letter


def _row(cards: list[str], letters: dict[str, str]) -> str:
    return " ".join(letters[card] for card in cards)
