"""Whether a dealt deck keeps its recipe; asks nothing of the way decks are shuffled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ...codes import SetCode
from ...definitions.models import Game
from ..deck import Deck

DECK = "cards"


def broken(game: Game, deck: Deck, code: SetCode) -> list[str]:
    """What a deck breaks of the recipe of its code, in words; empty where it keeps all of it."""
    asked: Mapping[str, Any] = game.sets["recipes"][code.recipe]
    found = Counter(card.id for card in deck.cards[DECK])
    wrong = [f"{found[card]} cards “{card}” instead of {copies}" for card, copies in asked["deck"].items()
             if found[card] != copies]
    wrong += [f"card “{card}” is not in the recipe" for card in found if card not in asked["deck"]]
    return wrong + _not_enough(asked, found.total())


def _not_enough(asked: Mapping[str, Any], cards: int) -> list[str]:
    dealt = asked["players"] * (asked["down"] + asked["up"] + asked["hand"])
    return [f"{dealt} cards are dealt, but there are {cards}"] if dealt > cards else []
