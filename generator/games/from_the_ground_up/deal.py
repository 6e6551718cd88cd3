"""The cards of a set: the standard twelve as YAML gives them, or a random set made again from its code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ...codes import SetCode, draw
from ...codes.chance import Chance
from ...definitions.models import Card, Game
from ...definitions.values import Span
from ..deck import Deck
from ..draws import refuse_foreign
from . import crates, pools
from . import recipe as recipes
from . import run as runs
from .crates import Row
from .recipe import Recipe

KIND = "C"
DECK = "cards"


def new_code(game: Game, seed_text: str | None, index: int = 0, recipe: str | None = None) -> SetCode:
    """The code of a new set: from a seed text always the same one for each index, without a text by chance."""
    chosen = recipes.read(game, recipe or recipes.standard_id(game))
    pools.plan(chosen)
    return draw(game.definition.prefix, KIND, chosen.id, seed_text, index)


def deal(game: Game, code: SetCode | None) -> Deck:
    """All decks of the game, with the cards of the set that `code` names, or as YAML gives them without a code.

    Raises InputError for a code of another game or kind, and for one whose recipe is unknown or cannot be kept."""
    decks = {name: part.cards for name, part in game.components.items() if part.kind == "deck"}
    if code is None:
        return Deck(MappingProxyType(decks))
    refuse_foreign(game, code, KIND)
    chosen = recipes.read(game, code.recipe)
    decks[DECK] = _cards(game, chosen, runs.rows(chosen, code) if chosen.run else _rows(chosen, Chance(code.seed)))
    return Deck(MappingProxyType(decks), str(code))


def run(game: Game, code: SetCode, size: int) -> list[SetCode]:
    """The codes of a run of so many sets that has the seed of `code`; raises InputError where it cannot be had."""
    return runs.codes(recipes.read(game, code.recipe), code, size)


def _cards(game: Game, chosen: Recipe, rows: Sequence[Row]) -> tuple[Card, ...]:
    part = game.components[DECK]
    blank: Mapping[str, Any] = dict.fromkeys(part.cards[0].values)
    made = [Card(str(number), MappingProxyType({**blank, "star": position.star, "symbols": row}))
            for number, (position, row) in enumerate(zip(chosen.positions, rows, strict=True), 1)]
    return tuple(card for card in made for _ in range(part.definition.copies))


def _rows(chosen: Recipe, chance: Chance) -> list[Row]:
    """A row for every position, no two alike: first one of the numbers of crates, then one of its rows, each as
    likely as the others that are still free."""
    plan = pools.plan(chosen)
    made: list[Row] = [()] * len(plan.pools)
    taken: set[Row] = set()
    for position in plan.order:
        free = [[pair for pair in pairs if pair[1] not in taken] for pairs in plan.pools[position].by_crates]
        row, kind = chance.choice(chance.choice([pairs for pairs in free if pairs]))
        made[position] = row
        taken.add(kind)
    return made


# ---- showing ------------------------------------------------------------------------------------------------------

def plain(game: Game, deck: Deck) -> list[dict[str, Any]]:
    """The cards of a deck as plain data, each with the number of ways to finish it."""
    compare = game.rules["compare"]
    return [{"card": card.id, "star": [card.star.low, card.star.high], "symbols": list(card.symbols),
             "crates": len(card.symbols) + 1, "ways": crates.ways(card.symbols, compare)}
            for card in deck.cards[DECK]]


def lines(game: Game, deck: Deck) -> list[str]:
    """The cards of a deck as rows of text: number, stars, crates, ways to finish it."""
    facts = plain(game, deck)
    rows = [crates.shown(card["symbols"]) for card in facts]
    wide = max(map(len, rows))
    return [f"{card['card']:>2}  {Span(*card['star'])}★  {row:<{wide}}  {card['ways']:>4} way{'s' * (card['ways'] > 1)}"
            for card, row in zip(facts, rows, strict=True)]
