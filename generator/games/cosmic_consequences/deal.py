"""The deck's order from the code of a deal, and a shuffled board from the code of a board, with the cards that fit it.

A deal is the same twenty-six cards in another order, the first card being the top of the deck. A board keeps its lap,
its rings and how many spaces of a kind each region has; within their region kinds and cards change places. The cards
of a board stand in their usual order, each with the space that it has there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from ...codes import SetCode, parse
from ...codes.chance import Chance
from ...definitions.board_graph import board as graph
from ...definitions.boards import Board, BoardFile, SpaceFile
from ...definitions.models import Card, Game
from ...definitions.nodes import Scalar
from ...errors import Place
from ..deck import Deck
from ..draws import refuse_foreign
from . import recipe as recipes
from .recipe import ARROW, BOARD, CARDS, CC, BoardRecipe

ORDER, SHUFFLED = "D", "B"


def deal(game: Game, code: SetCode | None) -> Deck:
    """The cards in the order of a deal, or a board and its cards; as YAML gives them without a code.

    Raises InputError for a code of another game or kind, and for one whose recipe is unknown or wrong."""
    decks = {name: part.cards for name, part in game.components.items() if part.kind == "deck"}
    if code is None:
        return Deck(MappingProxyType(decks))
    refuse_foreign(game, code, ORDER, SHUFFLED)
    if code.kind == ORDER:
        known = {card.id: card for card in decks[CARDS]}
        order = Chance(code.seed).shuffled(recipes.deck(game, code.recipe))
        return Deck(MappingProxyType({**decks, CARDS: tuple(known[name] for name in order)}), str(code))
    part = game.components[BOARD]
    assert part.board
    asked = recipes.board(game, code.recipe)
    made = _shuffled(part.board, asked, Chance(code.seed))
    decks[CARDS] = tuple(_on(made, card) for card in decks[CARDS])
    parts = {BOARD: replace(part, board=made), CARDS: replace(game.components[CARDS], cards=decks[CARDS])}
    return Deck(MappingProxyType(decks), str(code), MappingProxyType(parts))


def _on(made: Board, card: Card) -> Card:
    """The card with the space that stands for it on this board; a zero card stays what it is."""
    space = next((space for space in made.spaces.values() if space.values.get("card") == card.id), None)
    return replace(card, values=MappingProxyType({**card.values, "space": space.id})) if space else card


# ---- drawing ------------------------------------------------------------------------------------------------------

def _shuffled(board: Board, asked: BoardRecipe, chance: Chance) -> Board:
    """The board with every region in one of the orders the recipe allows, each as likely, and its cards shuffled."""
    spaces: dict[str, SpaceFile] = {}
    for region in asked.regions:
        order = chance.choice(asked.orders(region))
        cards = iter(chance.shuffled(region.cards))
        turns = asked.ways[region.name].turns if region.name in asked.ways else {}
        for number, (name, kind) in enumerate(zip(region.spaces, order, strict=True), 1):
            told = {"card": next(cards)} if kind == CC else {"turn": str(turns[number])} if kind == ARROW else {}
            spaces[name] = _space(region.name, kind, told)
    return graph(_with(board.definition, spaces, asked))


def _space(region: str, kind: str, told: Mapping[str, str]) -> SpaceFile:
    """A space as board.yaml would say it."""
    suit, _, number = told.get("card", "").partition("-")
    label = {"dragon": f"+{number}", "tiger": f"-{number}"}.get(suit, "")
    place = Place("board.yaml")
    fields: Any = {key: Scalar(value, place) for key, value in told.items()}
    return SpaceFile(kind=kind, region=region, label=label, fields=fields, place=place)


def _with(definition: BoardFile, spaces: Mapping[str, SpaceFile], asked: BoardRecipe) -> BoardFile:
    """The definition with these spaces on its tracks, and its ways into the rings beginning at the arrows."""
    tracks = {name: replace(track, spaces={key: spaces.get(key, space) for key, space in track.spaces.items()})
              for name, track in definition.tracks.items()}
    starts = {asked.ways[space.region].to: name for name, space in spaces.items()
              if space.kind == ARROW and space.region}
    edges = tuple(replace(edge, from_=starts.get(edge.to, edge.from_)) if edge.one_way else edge
                  for edge in definition.edges)
    return replace(definition, tracks=tracks, edges=edges)


# ---- showing ------------------------------------------------------------------------------------------------------

def plain(game: Game, deck: Deck) -> dict[str, Any]:
    """A deal as the ids of its cards, the top one first; a board as kind and card of every space it shuffles."""
    if parse(deck.code or "").kind == ORDER:
        return {"deck": [card.id for card in deck.cards[CARDS]]}
    return {"spaces": {space: {"kind": kind} | ({"card": card} if card else {})
                       for region in _regions(deck).values() for space, kind, card in region}}


def lines(game: Game, deck: Deck) -> list[str]:
    """A deal as its cards from the top, ten in a row; a board region by region."""
    if parse(deck.code or "").kind == ORDER:
        shown = [_number(card.id) for card in deck.cards[CARDS]]
        return [" ".join(f"{card:>3}" for card in shown[start:start + 13]) for start in range(0, len(shown), 13)]
    return [f"{name:<5}" + "".join(f"{_number(card) if card else kind:>8}" for _, kind, card in region)
            for name, region in _regions(deck).items()]


def _regions(deck: Deck) -> dict[str, list[tuple[str, str, str]]]:
    """By region the id, kind and card ("" for none) of each of its spaces on the lap."""
    made = deck.components[BOARD].board
    assert made
    found: dict[str, list[tuple[str, str, str]]] = {}
    for space in made.spaces.values():
        if space.kind in (CC, ARROW, "green", "orange"):
            found.setdefault(space.region, []).append((space.id, space.kind, space.values.get("card") or ""))
    return found


def _number(card: str) -> str:
    suit, _, number = card.partition("-")
    return {"dragon": f"+{number}", "tiger": f"−{number}"}.get(suit, "0")
