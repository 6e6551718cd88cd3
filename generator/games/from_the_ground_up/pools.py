"""What the cards of a recipe may be: for each position the rows of crates that suit it, counted and told apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ...definitions.values import Span
from ...errors import InputError, Problem
from . import crates
from .crates import START, Compare, Counts, Row
from .recipe import Position, Recipe


@dataclass(frozen=True, slots=True)
class Pool:
    """The rows a card may have, by number of crates, each with the row that stands for all those alike."""

    by_crates: tuple[tuple[tuple[Row, Row], ...], ...]
    kinds: frozenset[Row]


@dataclass(frozen=True, slots=True)
class Plan:
    """The pool of every position, and the order in which positions are drawn: those with the fewest rows first."""

    pools: tuple[Pool, ...]
    order: tuple[int, ...]


@lru_cache(maxsize=64)
def plan(chosen: Recipe) -> Plan:
    """The pools of a recipe; raises InputError for one that could leave a card without a row."""
    pools = tuple(_pool(position, chosen.symbols, chosen.compare) for position in chosen.positions)
    order = tuple(sorted(range(len(pools)), key=lambda position: len(pools[position].kinds)))
    problems = [Problem(f"recipe “{chosen.id}”: {wrong}") for wrong in _too_narrow(pools, order)]
    if problems:
        raise InputError(problems)
    return Plan(pools, order)


def _too_narrow(pools: Sequence[Pool], order: Sequence[int]) -> Iterator[str]:
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


def _pool(position: Position, symbols: tuple[str, ...], compare: Compare) -> Pool:
    by_crates = tuple(pairs for count in range(position.crates.low, position.crates.high + 1)
                      if (pairs := _within(position.ways, symbols, compare, count)))
    return Pool(by_crates, frozenset(kind for pairs in by_crates for _, kind in pairs))


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
