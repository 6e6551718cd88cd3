"""Checks the order of a deck or a shuffled board against its recipe, independently of how it was drawn.

A board is checked as it is printed: its spaces in the order of the lap, its edges, and the spaces on its cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from generator.draws import SetCode
from generator.games import Deck
from generator.model.board import Board, Space
from generator.model.game import Game
from generator.reading.board_graph import reachable

LANDED_ON = ("cc", "green", "orange", "arrow")
"""The kinds of spaces in a region."""


def unmet_constraints(game: Game, deck: Deck, code: SetCode) -> list[str]:
    """How a deck breaks the recipe of its code, one sentence for each problem."""
    recipe: Mapping[str, Any] = game.sets["recipes"][code.recipe]
    if code.kind == "D":
        return list(_order(recipe, [card.id for card in deck.cards["cards"]]))
    board, standard = deck.components["board"].board, game.components["board"].board
    assert board and standard
    return [*_regions(recipe, board), *_edges(recipe, board, standard), *_cards(board, deck)]


def _order(recipe: Mapping[str, Any], cards: list[str]) -> Iterator[str]:
    dealt, expected = Counter(cards), Counter(recipe["deck"])
    for card, count in (expected - dealt).items():
        yield f"card “{card}” is missing" + (f" ({count} copies)" if count > 1 else "")
    for card, count in (dealt - expected).items():
        yield f"card “{card}” is in the deck too often ({count} more than the recipe has)"


def _regions(recipe: Mapping[str, Any], board: Board) -> Iterator[str]:
    for name, expected in recipe["regions"].items():
        region = [space for space in board.spaces.values() if space.region == name and space.kind in LANDED_ON]
        kinds = Counter(space.kind for space in region)
        if kinds != Counter([*expected["kinds"], *["cc"] * len(expected["cards"])]):
            yield f"the kinds of spaces in {name} do not match the recipe: " + ", ".join(
                f"{count} {kind}" for kind, count in sorted(kinds.items())
            )
        cards = [space.values.get("card") for space in region if space.kind == "cc"]
        if Counter(cards) != Counter(expected["cards"]):
            yield f"the cards of {name} do not match the recipe: {', '.join(map(str, cards))}"
        if region and region[0].kind != recipe["begins"]:
            yield f"{name} begins with {region[0].kind}, not with {recipe['begins']}"
        yield from _too_close(recipe["apart"], region)
    for space in board.spaces.values():
        if space.kind == "cc" and space.label != _label(space):
            yield f"{space.id} is labelled {space.label}, but its card is {space.values.get('card')}"


def _too_close(apart: int, region: list[Space]) -> Iterator[str]:
    special = [number for number, space in enumerate(region) if space.kind != "cc"]
    for number in special:
        for other in special:
            if number < other < number + apart:
                yield f"{region[number].id} and {region[other].id} are less than {apart} steps apart"


def _label(space: Space) -> str:
    suit, _, number = str(space.values.get("card")).partition("-")
    return {"dragon": "+", "tiger": "-"}.get(suit, "?") + number


def _edges(recipe: Mapping[str, Any], board: Board, standard: Board) -> Iterator[str]:
    """Arrows must lead to their rings and point as in the recipe; all other edges are those of the standard board."""
    arrows = {space.region: space for space in board.spaces.values() if space.kind == "arrow"}
    arrow_to = {
        edge.end: edge.start
        for edge in board.edges
        if edge.one_way and board.spaces[edge.start].kind == "arrow" and not edge.along
    }
    for region, way in recipe["arrows"].items():
        arrow = arrows.get(region)
        if arrow is None or arrow_to.get(way["to"]) != arrow.id:
            yield f"no arrow leads from {region} to {way['to']}"
        elif way["at"].get(arrow.id.rpartition("-")[2]) != arrow.values["turn"]:
            yield f"the arrow on {arrow.id} points in the wrong direction ({arrow.values['turn']} degrees)"
    ends = {way["to"] for way in recipe["arrows"].values()}
    if _edges_except_to(ends, board) != _edges_except_to(ends, standard):
        yield "the paths between spaces differ from those of the standard board"
    if len(reachable("big-bang", board.edges)) < len(board.spaces):
        yield "some spaces cannot be reached from the Big Bang"


def _edges_except_to(ends: set[str], board: Board) -> set[tuple[str, str, bool]]:
    """The edges of a board except the one-way edges to these ends, which lead into the rings."""
    return {
        (edge.start, edge.end, edge.one_way)
        for edge in board.edges
        if not (edge.one_way and not edge.along and edge.end in ends)
    }


def _cards(board: Board, deck: Deck) -> Iterator[str]:
    """Every card must name a space, and only that space must name the card."""
    spaces = Counter(space.values.get("card") for space in board.spaces.values() if space.values.get("card"))
    for card in deck.cards["cards"]:
        if card.suit == "zero":
            continue
        if spaces[card.id] != 1:
            yield f"card “{card.id}” has {spaces[card.id]} spaces instead of one"
        elif board.spaces[card.space].values.get("card") != card.id:
            yield f"card “{card.id}” names {card.space}, which belongs to another card"
