"""Whether a set of cards keeps its recipe.

Asks nothing of the way sets are drawn: every card is counted anew and compared with every other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import prod
from operator import eq, gt, lt, ne

from ...codes import SetCode
from ...definitions.models import Card, Game
from ..deck import Deck
from . import DECK
from .recipe import Position, Recipe, read
from .run import numbered, rows, siblings

DIE = range(1, 7)
KEEPS = {"lower": lt, "higher": gt, "equal": eq, "unequal": ne}
"""What the crate on the right must be, compared with the other one."""
_OVER = {"lower": "higher", "higher": "lower"}


def broken(game: Game, deck: Deck, code: SetCode) -> list[str]:
    """What a deck breaks of the recipe of its code, in words; empty where it keeps all of it."""
    copies = {id(card): card for card in deck.cards[DECK]}  # a card printed twice over is one card
    found = broken_cards(game, list(copies.values()), code.recipe)
    return [*found, *(_shared(game, code) if read(game, code.recipe).run else ())]


def _shared(game: Game, code: SetCode) -> Iterator[str]:
    """The cards that a set of a run has in common with another set of it: the same stars and symbols."""
    recipe = read(game, code.recipe)
    said = numbered(code.seed)
    sets = [
        {(position.star, row) for position, row in zip(recipe.positions, made, strict=True)}
        for made in (rows(recipe, each) for each in siblings(code))
    ]
    for number, other in enumerate(sets):
        if number != said.number and (both := sets[said.number] & other):
            yield f"{len(both)} of its cards are in set {number + 1} of its run, too"


def broken_cards(game: Game, cards: Sequence[Card], recipe: str) -> list[str]:
    """What a set of cards breaks of the recipe with this id, in words."""
    asked = read(game, recipe)
    if len(cards) != len(asked.positions):
        return [f"{len(cards)} cards instead of {len(asked.positions)}"]
    found = [
        f"card {card.id}: {wrong}"
        for card, position in zip(cards, asked.positions, strict=True)
        for wrong in _breaks(card, position, asked)
    ]
    return found + [
        f"cards {one.id} and {other.id} are alike"
        for one, other in combinations(cards, 2)
        if same(one.symbols, other.symbols)
    ]


def _breaks(card: Card, position: Position, recipe: Recipe) -> Iterator[str]:
    if card.star != position.star:
        yield f"its stars are {card.star}, not {position.star}"
    strange = [symbol for symbol in card.symbols if symbol not in recipe.symbols]
    if strange:
        yield f"the symbols {', '.join(strange)} are not in the recipe"
        return
    if len(card.symbols) + 1 not in position.crates:
        yield f"{len(card.symbols) + 1} crates, not {position.crates}"
    found = fills(card.symbols, recipe.compare)
    if found not in position.ways:
        yield f"{found} ways to finish it, not {position.ways}"


def fills(symbols: Sequence[str], compare: str) -> int:
    """In how many ways the crates can be filled, counted on from each value that the first of them may have."""
    row = tuple(symbols)
    if compare == "neighbour":
        return sum(_onward(value, row) for value in DIE)
    return sum(prod(sum(KEEPS[symbol](right, first) for right in DIE) for symbol in row) for first in DIE)


@cache
def _onward(value: int, symbols: tuple[str, ...]) -> int:
    """The ways to go on from a crate with this value."""
    if not symbols:
        return 1
    return sum(_onward(right, symbols[1:]) for right in DIE if KEEPS[symbols[0]](right, value))


def same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two rows are the same as they are, read backwards, turned over (v → 7 − v), or both."""
    turned = [_OVER.get(symbol, symbol) for symbol in other]
    return list(one) in (list(other), list(other)[::-1], turned, turned[::-1])
