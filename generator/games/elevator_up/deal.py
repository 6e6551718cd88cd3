"""Random deals: a code shuffles the fifty cards and deals them to the players.

The cards are dealt in order of play: first three cards face down to each player, then two face up to each, then a hand
to each. The remaining cards are the deck to draw from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Annotated, Any

from ...draws import SetCode, draw_kinds, parse
from ...draws.chance import Chance
from ...draws.deck import Deck, RandomSets
from ...errors import did_you_mean, fault
from ...fast_dataclasses import dataclass
from ...model.game import Card, Component, Game
from ...model.values import Between, Empty
from .. import standard_cards

KIND, DRAW = "D", "deal"
"""The kind of code, and its name in sets.yaml."""
DECK = "cards"
DEALER = "dealer"
PARTS = ("down", "up", "hand")


@dataclass(frozen=True, slots=True)
class DealtCards:
    """The ids of the cards that each player gets, in the order of play, and of the deck, next card first."""

    down: tuple[tuple[str, ...], ...]
    up: tuple[tuple[str, ...], ...]
    hands: tuple[tuple[str, ...], ...]
    deck: tuple[str, ...]

    @property
    def cards(self) -> Iterator[str]:
        """Every card, in the order of dealing."""
        for part in (*self.down, *self.up, *self.hands, self.deck):
            yield from part


_PART_LABELS = {"down": "face down", "up": "face up"}


class ElevatorUpSets(RandomSets):
    """Random deals, each with a page that tells the dealer which cards each player gets."""

    def deal(self, game: Game, code: SetCode) -> Deck:
        decks = standard_cards(game)
        by_id = {card.id: card for card in decks[DECK]}
        deal = dealt_cards(game, code)
        decks[DECK] = tuple(by_id[name] for name in deal.cards)
        return Deck(MappingProxyType(decks), str(code), _dealers_page(game, deal, by_id))

    def data(self, game: Game, deck: Deck) -> dict[str, Any]:
        """The card ids of each player's three parts and of the deck."""
        deal = dealt_cards(game, parse(deck.code or ""))
        players = [
            dict(zip(PARTS, map(list, parts), strict=True))
            for parts in zip(deal.down, deal.up, deal.hands, strict=True)
        ]
        return {"players": players, "deck": list(deal.deck)}

    def lines(self, game: Game, deck: Deck) -> list[str]:
        """The letters of each player's cards, in three parts, and of the deck, and what the letters stand for."""
        letters = {card.id: str(card.letter) for card in deck.cards[DECK]}
        names = {str(card.letter): card.name for card in deck.cards[DECK] if not card.floor}
        data = self.data(game, deck)
        rows = [
            f"player {number}   "
            + "   ".join(f"{_PART_LABELS.get(part, part)} {_row(cards, letters)}" for part, cards in player.items())
            for number, player in enumerate(data["players"], 1)
        ]
        return [
            *rows,
            f"deck       {_row(data['deck'], letters)}   (top card first)",
            ", ".join(f"{letter}: {names[letter]}" for letter in sorted(names)),
        ]


SETS = ElevatorUpSets()


def dealt_cards(game: Game, code: SetCode) -> DealtCards:
    """The deal of a code. Raises InputError as `RandomSets.deal` does."""
    draw_kinds.refuse_foreign(game, code, KIND)
    deal_recipe = recipe(game, code.recipe)
    deck = [card for card, copies in deal_recipe.deck.items() for _ in range(copies)]
    order = iter(Chance(code.seed).shuffled(deck))
    down, up, hands = (
        tuple(tuple(next(order) for _ in range(count)) for _ in range(deal_recipe.players))
        for count in (deal_recipe.down, deal_recipe.up, deal_recipe.hand)
    )
    return DealtCards(down, up, hands, tuple(order))


def _dealers_page(game: Game, deal: DealtCards, by_id: Mapping[str, Card]) -> Mapping[str, Component]:
    """The dealer's page as a component; empty if the game has no such component."""
    if DEALER not in game.components:
        return Empty
    players = tuple(
        {part: tuple(map(by_id.__getitem__, cards)) for part, cards in zip(PARTS, parts, strict=True)}
        for parts in zip(deal.down, deal.up, deal.hands, strict=True)
    )
    page = Card(DEALER, MappingProxyType({"players": players, "deck": tuple(map(by_id.__getitem__, deal.deck))}))
    return MappingProxyType({DEALER: replace(game.components[DEALER], cards=(page,))})


def _row(cards: list[str], letters: Mapping[str, str]) -> str:
    return " ".join(letters[card] for card in cards)


# ---- recipes -------------------------------------------------------------------------------------------------------

Count = Annotated[int, Between(1, 999)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DealRecipe:
    """The number of cards that each player gets face down, face up and in hand, and the copies of each card in the
    deck before it is shuffled."""

    players: Count
    down: Count
    up: Count
    hand: Count
    deck: dict[str, Count]


def recipe(game: Game, name: str) -> DealRecipe:
    """The recipe with this id. Raises InputError with all problems in it."""
    if name not in draw_kinds.recipes(game):  # a wrong code on a sheet: its place is the sheet
        raise fault(f"{game.title} has no recipe “{name}” for deals", hint=did_you_mean(name, draw_kinds.recipes(game)))
    deal_recipe = draw_kinds.read_recipe(game, name, DealRecipe)
    draw_kinds.refuse_mistakes(game, name, _mistakes(game, name, deal_recipe))
    return deal_recipe


def _mistakes(game: Game, name: str, deal_recipe: DealRecipe) -> Iterator[draw_kinds.Mistake]:
    players = game.draws[DRAW].recipes.get(name, {}).get("players") if DRAW in game.draws else None
    if players and str(deal_recipe.players) not in players:
        yield (
            ("players",),
            f"“players” is {deal_recipe.players}, but “draws” lists this recipe for {' or '.join(players)}",
        )
    card_ids = {card.id for card in game.components[DECK].cards}
    for card in sorted(deal_recipe.deck.keys() - card_ids):
        yield ("deck", card), f"there is no card “{card}” in the game"
    needed = deal_recipe.players * (deal_recipe.down + deal_recipe.up + deal_recipe.hand)
    if needed > sum(deal_recipe.deck.values()):
        yield ("players",), f"{needed} cards are dealt, but the deck has {sum(deal_recipe.deck.values())}"
