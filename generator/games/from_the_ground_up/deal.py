"""The cards of a set: the standard twelve as YAML gives them, or a random set made again from its code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from ...codes import SetCode, draw
from ...codes.chance import Chance
from ...definitions.models import Card, Game
from ...definitions.values import Span
from ...errors import InputError, Problem
from ..deck import Deck
from ..draws import refuse_foreign
from . import crates
from . import recipe as recipes
from .crates import START, Compare, Counts, Row
from .recipe import Position, Recipe

KIND = "C"
DECK = "cards"


def new_code(game: Game, seed_text: str | None, index: int = 0, recipe: str | None = None) -> SetCode:
    """The code of a new set: from a seed text always the same one for each index, without a text by chance."""
    chosen = recipes.read(game, recipe or recipes.standard_id(game))
    _plan(chosen)
    return draw(game.definition.prefix, KIND, chosen.id, seed_text, index)


def deal(game: Game, code: SetCode | None) -> Deck:
    """All decks of the game, with the cards of the set that `code` names, or as YAML gives them without a code.

    Raises InputError for a code of another game or kind, and for one whose recipe is unknown or cannot be kept."""
    decks = {name: part.cards for name, part in game.components.items() if part.kind == "deck"}
    if code is None:
        return Deck(MappingProxyType(decks))
    refuse_foreign(game, code, KIND)
    decks[DECK] = _cards(game, recipes.read(game, code.recipe), Chance(code.seed))
    return Deck(MappingProxyType(decks), str(code))


def _cards(game: Game, chosen: Recipe, chance: Chance) -> tuple[Card, ...]:
    part = game.components[DECK]
    blank: Mapping[str, Any] = dict.fromkeys(part.cards[0].values)
    made = [Card(str(number), MappingProxyType({**blank, "star": position.star, "symbols": row}))
            for number, (position, row) in enumerate(zip(chosen.positions, _rows(chosen, chance), strict=True), 1)]
    return tuple(card for card in made for _ in range(part.definition.copies))


# ---- drawing ------------------------------------------------------------------------------------------------------

@dataclass(frozen=True, slots=True)
class _Pool:
    """The rows a card may have, by number of crates, each with the row that stands for all those alike."""

    by_crates: tuple[tuple[tuple[Row, Row], ...], ...]
    kinds: frozenset[Row]


@dataclass(frozen=True, slots=True)
class _Plan:
    """The pool of every position, and the order in which positions are drawn: those with the fewest rows first."""

    pools: tuple[_Pool, ...]
    order: tuple[int, ...]


def _rows(chosen: Recipe, chance: Chance) -> list[Row]:
    """A row for every position, no two alike: first one of the numbers of crates, then one of its rows, each as
    likely as the others that are still free."""
    plan = _plan(chosen)
    made: list[Row] = [()] * len(plan.pools)
    taken: set[Row] = set()
    for position in plan.order:
        free = [[pair for pair in pairs if pair[1] not in taken] for pairs in plan.pools[position].by_crates]
        row, kind = chance.choice(chance.choice([pairs for pairs in free if pairs]))
        made[position] = row
        taken.add(kind)
    return made


@lru_cache(maxsize=64)
def _plan(chosen: Recipe) -> _Plan:
    pools = tuple(_pool(position, chosen.symbols, chosen.compare) for position in chosen.positions)
    order = tuple(sorted(range(len(pools)), key=lambda position: len(pools[position].kinds)))
    problems = [Problem(f"recipe “{chosen.id}”: {wrong}") for wrong in _too_narrow(pools, order)]
    if problems:
        raise InputError(problems)
    return _Plan(pools, order)


def _too_narrow(pools: Sequence[_Pool], order: Sequence[int]) -> Iterator[str]:
    """Positions that could be left without a card. A card drawn earlier takes away at most one kind of row, and only
    from positions that share a row with it; where more kinds than that are there, drawing always comes to its end."""
    for place, position in enumerate(order):
        kinds = pools[position].kinds
        rivals = sum(not kinds.isdisjoint(pools[earlier].kinds) for earlier in order[:place])
        if not kinds:
            yield f"no row of crates suits card {position + 1}"
        elif len(kinds) <= rivals:
            yield (f"card {position + 1} has {len(kinds)} different rows to choose from, "
                   f"and {rivals} other cards may take them")


def _pool(position: Position, symbols: tuple[str, ...], compare: Compare) -> _Pool:
    by_crates = tuple(pairs for count in range(position.crates.low, position.crates.high + 1)
                      if (pairs := _within(position.ways, symbols, compare, count)))
    return _Pool(by_crates, frozenset(kind for pairs in by_crates for _, kind in pairs))


@lru_cache(maxsize=256)
def _within(ways: Span, symbols: tuple[str, ...], compare: Compare, count: int) -> tuple[tuple[Row, Row], ...]:
    """The rows of so many crates with so many ways to finish them, in the order of the recipe's symbols."""
    return tuple((row, crates.alike(row)) for row, counts in _all_rows(symbols, compare, count) if sum(counts) in ways)


@lru_cache(maxsize=32)
def _all_rows(symbols: tuple[str, ...], compare: Compare, count: int) -> tuple[tuple[Row, Counts], ...]:
    """Every row of so many crates that can be finished, with its counts, each grown from the row before its last."""
    if count == 1:
        return (((), START),)
    grown = (((*row, symbol), crates.extend(counts, symbol, compare))
             for row, counts in _all_rows(symbols, compare, count - 1) for symbol in symbols)
    return tuple((row, counts) for row, counts in grown if any(counts))


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
