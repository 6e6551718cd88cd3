"""Random sets of cards, dealt from their codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ...draws import SetCode, draw_kinds
from ...draws.chance import Chance
from ...draws.deck import Deck, RandomSets
from ...model.game import Card, Game
from ...model.values import Span
from .. import standard_cards
from . import DECK, crates, print_run
from .crates import Row
from .recipe import Recipe, pools, read

KIND = "C"
"""The kind of its set codes."""


class FromTheGroundUpSets(RandomSets):
    """Sets of cards, drawn singly or as a print run in which no two sets share a card."""

    def deal(self, game: Game, code: SetCode) -> Deck:
        draw_kinds.refuse_foreign(game, code, KIND)
        recipe = read(game, code.recipe)
        rows = print_run.rows(recipe, code) if recipe.run else _rows(recipe, Chance(code.seed))
        part = game.components[DECK]
        blank: Mapping[str, Any] = dict.fromkeys(part.cards[0].values)
        cards = [
            Card(str(number), MappingProxyType({**blank, "star": position.star, "symbols": row}))
            for number, (position, row) in enumerate(zip(recipe.positions, rows, strict=True), 1)
        ]
        dealt = tuple(card for card in cards for _ in range(part.definition.copies))
        return Deck(MappingProxyType({**standard_cards(game), DECK: dealt}), str(code))

    def run(self, game: Game, code: SetCode, size: int) -> list[SetCode]:
        return print_run.codes(read(game, code.recipe), code, size)

    def data(self, game: Game, deck: Deck) -> list[dict[str, Any]]:
        """The cards, each with the number of ways to finish it."""
        return [
            {
                "card": card.id,
                "star": [card.star.low, card.star.high],
                "symbols": list(card.symbols),
                "crates": len(card.symbols) + 1,
                "ways": crates.ways(tuple(card.symbols), game.rules["compare"]),
            }
            for card in deck.cards[DECK]
        ]

    def lines(self, game: Game, deck: Deck) -> list[str]:
        """One line per card: its number, stars, crates, and the number of ways to fill them."""
        cards = self.data(game, deck)
        rows = [crates.row_text(card["symbols"]) for card in cards]
        width = max(map(len, rows))
        return [
            f"card {card['card']:>2}  {Span(*card['star'])}★  {row:<{width}}  "
            f"{card['ways']:>4} way{'s' * (card['ways'] > 1)} to fill it"
            for card, row in zip(cards, rows, strict=True)
        ]


SETS = FromTheGroundUpSets()


def _rows(recipe: Recipe, chance: Chance) -> Sequence[Row]:
    """A row for every position, no two alike: draws a number of crates, then a row with that many, uniformly among
    those still free."""
    rows: dict[int, Row] = {}
    taken: set[Row] = set()
    for position, pool in pools(recipe).items():
        free = [[pair for pair in pairs if pair[1] not in taken] for pairs in pool]
        rows[position], kind = chance.choice(chance.choice([pairs for pairs in free if pairs]))
        taken.add(kind)
    return [rows[number] for number in sorted(rows)]
