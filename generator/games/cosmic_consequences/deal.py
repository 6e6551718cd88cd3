"""Random sets: the code of a deal shuffles the deck; the code of a board shuffles the board and its cards.

A deal has the same twenty-six cards in a different order, top card first. A shuffled board keeps its lap, its rings,
and the number of spaces of each kind in a region; within each region, the kinds and the cards are shuffled. The cards
themselves stay in their usual order, but each names its new space.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise, permutations
from types import MappingProxyType
from typing import Annotated, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from ...draws import Chance, Deck, RandomSets, SetCode, draw_kinds, parse
from ...errors import Place
from ...model.board import Board, Space, SpaceFile
from ...model.game import Game
from ...model.values import Between
from ...nodes import Scalar
from ...reading.board_graph import board as graph
from .play import BOARD, CARDS, board_of

CC, ARROW = "cc", "arrow"
_LANDED_ON = (CC, "green", "orange", ARROW)  # the kinds of spaces in a region
ORDER, SHUFFLED = "D", "B"
"""The kinds of codes: deals and shuffled boards."""


class CosmicConsequencesSets(RandomSets):
    def deal(self, game: Game, code: SetCode) -> Deck:
        """The cards in the order of a deal, or a shuffled board with its cards."""
        draw_kinds.refuse_foreign(game, code, ORDER, SHUFFLED)
        decks = {name: part.cards for name, part in game.components.items() if part.kind == "deck"}
        if code.kind == ORDER:
            by_id = {card.id: card for card in decks[CARDS]}
            deck = draw_kinds.read_recipe(game, code.recipe, DeckRecipe).deck
            messages = [
                *(f"no card “{card}” in the game" for card in deck if card not in by_id),
                *(f"the card “{card}” is listed {count} times" for card, count in Counter(deck).items() if count > 1),
            ]
            draw_kinds.refuse_mistakes(game, code.recipe, ((("deck",), message) for message in messages))
            order = Chance(code.seed).shuffled(deck)
            return Deck(MappingProxyType({**decks, CARDS: tuple(by_id[name] for name in order)}), str(code))
        board = _shuffled(board_of(game), board_recipe(game, code.recipe), Chance(code.seed))
        spaces = {space.values.get("card"): space.id for space in board.spaces.values()}
        decks[CARDS] = tuple(  # a zero card has no space to change
            replace(card, values=MappingProxyType({**card.values, "space": spaces[card.id]}))
            if card.id in spaces
            else card
            for card in decks[CARDS]
        )
        parts = {
            BOARD: replace(game.components[BOARD], board=board),
            CARDS: replace(game.components[CARDS], cards=decks[CARDS]),
        }
        return Deck(MappingProxyType(decks), str(code), MappingProxyType(parts))

    def data(self, game: Game, deck: Deck) -> dict[str, Any]:
        """For a deal, the ids of its cards, top card first; for a board, the kind and card of every shuffled space."""
        if parse(deck.code or "").kind == ORDER:
            return {"deck": [card.id for card in deck.cards[CARDS]]}
        return {
            "spaces": {
                space.id: {"kind": space.kind} | ({"card": card} if (card := space.values.get("card")) else {})
                for region in _regions(game, deck).values()
                for space in region
            }
        }

    def lines(self, game: Game, deck: Deck) -> list[str]:
        """For a deal, its cards, thirteen per line; for a board, one line per region. The first line says what the
        others list."""
        if parse(deck.code or "").kind == ORDER:
            numbers = [_number(card.id) for card in deck.cards[CARDS]]
            rows = (numbers[start : start + 13] for start in range(0, len(numbers), 13))
            return [
                "the deck, top card first (+ dragon, − tiger)",
                *(" ".join(f"{number:>3}" for number in row) for row in rows),
            ]
        return [
            "the spaces of each region, in the order of the lap (+ dragon, − tiger)",
            *(
                f"{name:<5}"
                + "".join(
                    f"{_number(card) if (card := space.values.get('card')) else space.kind:>8}" for space in region
                )
                for name, region in _regions(game, deck).items()
            ),
        ]


SETS = CosmicConsequencesSets()


def _regions(game: Game, deck: Deck) -> dict[str, list[Space]]:
    """The spaces on the lap, by region."""
    regions: dict[str, list[Space]] = {}
    for space in board_of(deck.dress(game)).spaces.values():
        if space.kind in _LANDED_ON:
            regions.setdefault(space.region, []).append(space)
    return regions


def _number(card: str) -> str:
    suit, _, number = card.partition("-")
    return {"dragon": f"+{number}", "tiger": f"−{number}"}.get(suit, "0")


def _shuffled(board: Board, recipe: BoardRecipe, chance: Chance) -> Board:
    """The board with the spaces of each region in a random order that the recipe allows (all are equally likely), and
    with the cards of each region shuffled. The edges into the rings begin at the arrows."""
    spaces: dict[str, SpaceFile] = {}
    starts: dict[str, str] = {}
    place, definition = Place("board.yaml"), board.definition
    for region, limits in recipe.regions.items():
        order = chance.choice(recipe.orders(region))
        cards = iter(chance.shuffled(limits.cards))
        for number, kind in enumerate(order, 1):
            name, label = f"{region}-{number}", ""
            fields: Any = {}
            if kind == CC:
                card = next(cards)
                label, fields = _number(card).replace("−", "-"), {"card": Scalar(card, place)}
            elif kind == ARROW:
                entry = recipe.arrows[region]
                starts[entry.to], fields = name, {"turn": Scalar(str(entry.at[str(number)]), place)}
            spaces[name] = SpaceFile(kind=kind, region=region, label=label, fields=fields, place=place)
    tracks = {
        name: replace(track, spaces={key: spaces.get(key, space) for key, space in track.spaces.items()})
        for name, track in definition.tracks.items()
    }
    edges = [
        replace(edge, from_=starts.get(edge.to, edge.from_)) if edge.one_way else edge for edge in definition.edges
    ]
    return graph(replace(definition, tracks=tracks, edges=tuple(edges)))


class DeckRecipe(Struct, frozen=True, kw_only=True):
    """The deck before it is shuffled."""

    deck: tuple[str, ...]


class Region(Struct, frozen=True, kw_only=True):
    """A region: the cards of its number spaces and the kinds of its other spaces. Spaces are named after the region and
    numbered from 1 in the order of the lap."""

    kinds: tuple[str, ...]
    cards: tuple[str, ...]


class RingEntry(Struct, frozen=True, kw_only=True):
    """The way from a region into a ring: `to` is the space it leads to. `at` has, for the number of each space where
    the arrow may be, the direction in which it points (degrees clockwise from the right)."""

    to: str
    at: dict[str, Literal[0, 90, 180, 270]]


class BoardRecipe(Struct, frozen=True, kw_only=True):
    """A recipe for boards. Every region `begins` with a space of this kind, and its spaces other than number spaces are
    at least `apart` steps from each other. `arrows` are the ways into the rings, by region."""

    begins: str
    apart: Annotated[int, Between(1, 99)]
    regions: dict[str, Region]
    arrows: dict[str, RingEntry]

    def orders(self, region: str) -> list[tuple[str, ...]]:
        """Every order of the kinds of a region's spaces that the recipe allows, sorted, so that a code always draws
        the same one."""
        orders = _orders((*self.regions[region].kinds, *[CC] * len(self.regions[region].cards)))
        return [order for order in orders if self._allows(region, order)]

    def _allows(self, region: str, order: tuple[str, ...]) -> bool:
        special = [number for number, kind in enumerate(order, 1) if kind != CC]
        too_close = any(later - number < self.apart for number, later in pairwise(special))
        entry = self.arrows.get(region)
        misplaced = entry is not None and str(order.index(ARROW) + 1) not in entry.at
        return order[0] == self.begins and not too_close and not misplaced


@lru_cache(maxsize=64)
def _orders(kinds: tuple[str, ...]) -> list[tuple[str, ...]]:
    return sorted(set(permutations(kinds)))


def board_recipe(game: Game, name: str) -> BoardRecipe:
    """The recipe for boards with this id. Raises InputError with all problems in the recipe."""
    recipe = draw_kinds.read_recipe(game, name, BoardRecipe)
    draw_kinds.refuse_mistakes(game, name, _mistakes(game, recipe))
    return recipe


def _mistakes(game: Game, recipe: BoardRecipe) -> Iterator[draw_kinds.Mistake]:
    board = board_of(game)
    kinds, cards = board.definition.kinds, {card.id for card in game.components[CARDS].cards}
    for name, region in recipe.regions.items():
        path: list[str | int] = ["regions", name]
        count = sum(space.region == name for space in board.spaces.values())
        listed = len(region.kinds) + len(region.cards)
        if count != listed:
            yield path, f"“{name}” has {count} spaces on the board, but {listed} in the recipe"
        yield from (([*path, "kinds"], f"no kind “{kind}”") for kind in region.kinds if kind not in kinds)
        yield from (([*path, "cards"], f"no card “{card}” in the game") for card in region.cards if card not in cards)
        if (ARROW in region.kinds) != (name in recipe.arrows):
            yield path, f"“{name}” must be under “arrows” if its kinds include an arrow, and only then"
        elif not recipe.orders(name):
            yield path, f"the recipe allows no order of the spaces of “{name}”"
    for name, entry in recipe.arrows.items():
        if entry.to not in board.spaces:
            yield ["arrows", name, "to"], f"no space “{entry.to}”"
