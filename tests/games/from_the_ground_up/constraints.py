"""Checks whether a set of cards follows its recipe.

Shares no code with the drawing of sets: it counts the ways to finish each card anew and compares all pairs of cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import prod
from operator import eq, gt, lt, ne

from generator.draws import SetCode
from generator.games import Deck
from generator.games.from_the_ground_up.deal import CardLimits, Recipe, read, run_codes, seed_parts, set_of_run
from generator.games.from_the_ground_up.play import DECK
from generator.model.game import Card, Game

DIE = range(1, 7)
HOLDS = {"lower": lt, "higher": gt, "equal": eq, "unequal": ne}
"""How the crate to the right of a symbol must compare with the other one."""
_TURNED_OVER = {"lower": "higher", "higher": "lower"}


def unmet_constraints(game: Game, deck: Deck, code: SetCode) -> list[str]:
    """Where a deck does not follow the recipe of its code, in words; empty if it does."""
    cards = {id(card): card for card in deck.cards[DECK]}  # several copies are one card
    problems = unmet_card_constraints(game, list(cards.values()), code.recipe)
    return [*problems, *(_shared(game, code) if read(game, code.recipe).run else ())]


def _shared(game: Game, code: SetCode) -> Iterator[str]:
    """Cards that also occur in another set of the same print run, with the same stars and symbols."""
    recipe = read(game, code.recipe)
    seed = seed_parts(code.seed)
    sets = [
        {(position.star, row) for position, row in zip(recipe.positions, set_of_run(recipe, sibling), strict=True)}
        for sibling in run_codes(recipe, code, seed.size)
    ]
    for number, other in enumerate(sets):
        if number != seed.number and (common := sets[seed.number] & other):
            yield f"{len(common)} of its cards are also in set {number + 1} of its print run"


def unmet_card_constraints(game: Game, cards: Sequence[Card], recipe: str) -> list[str]:
    """Where a set of cards does not follow the recipe with this id, in words."""
    required = read(game, recipe)
    if len(cards) != len(required.positions):
        return [f"{len(cards)} cards instead of {len(required.positions)}"]
    problems = [
        f"card {card.id}: {problem}"
        for card, position in zip(cards, required.positions, strict=True)
        for problem in _breaks(card, position, required)
    ]
    return problems + [
        f"cards {first.id} and {second.id} are alike"
        for first, second in combinations(cards, 2)
        if same(first.symbols, second.symbols)
    ]


def _breaks(card: Card, position: CardLimits, recipe: Recipe) -> Iterator[str]:
    if card.star != position.star:
        yield f"its star range is {card.star}, not {position.star}"
    unknown = [symbol for symbol in card.symbols if symbol not in recipe.symbols]
    if unknown:
        yield f"the symbols {', '.join(unknown)} are not in the recipe"
        return
    if len(card.symbols) + 1 not in position.crates:
        yield f"{len(card.symbols) + 1} crates, not {position.crates}"
    ways = fills(card.symbols, recipe.compare)
    if ways not in position.ways:
        yield f"{ways} ways to finish it, not {position.ways}"


def fills(symbols: Sequence[str], compare: str) -> int:
    """The number of ways to fill the crates, counted from each value of the first crate."""
    row = tuple(symbols)
    if compare == "neighbour":
        return sum(_onward(value, row) for value in DIE)
    return sum(prod(sum(HOLDS[symbol](right, first) for right in DIE) for symbol in row) for first in DIE)


@cache
def _onward(value: int, symbols: tuple[str, ...]) -> int:
    """The number of ways to continue from a crate with this value."""
    if not symbols:
        return 1
    return sum(_onward(right, symbols[1:]) for right in DIE if HOLDS[symbols[0]](right, value))


def same(row: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two rows are the same as printed, read backwards, turned over (v → 7 − v), or both."""
    turned = [_TURNED_OVER.get(symbol, symbol) for symbol in other]
    return list(row) in (list(other), list(other)[::-1], turned, turned[::-1])
