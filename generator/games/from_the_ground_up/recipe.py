"""Recipes for random card sets, read from sets.yaml, and the rows of crates that each card of a recipe can have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from ...draws import draw_kinds
from ...errors import InputError, Problem
from ...model.game import Game
from ...model.values import Span
from .crates import START, Compare, Counts, Row, alike, extend

CRATES = Span(2, 6)
"""How many crates a card may have."""


class CardLimitsFile(Struct, frozen=True, kw_only=True):
    """The limits of one card in sets.yaml."""

    star: Span
    crates: Span


class RecipeFile(Struct, frozen=True, kw_only=True):
    """A recipe in sets.yaml. `ways` limits the number of ways to finish a card, by its star range."""

    symbols: tuple[Literal["lower", "higher", "equal", "unequal"], ...]
    compare: Literal["neighbour", "first"]
    ways: dict[str, Span]
    cards: tuple[CardLimitsFile, ...]


class CardLimits(Struct, frozen=True):
    """The limits of one card of a set: its star range, number of crates, and number of ways to finish it."""

    star: Span
    crates: Span
    ways: Span


class Recipe(Struct, frozen=True):
    """A recipe: the symbols it uses, which crates they compare, and the limits of its cards in print order. `run` marks
    a recipe for print runs, in which no two sets share a card."""

    id: str
    symbols: tuple[str, ...]
    compare: Compare
    positions: tuple[CardLimits, ...]
    run: bool = False


def read(game: Game, name: str) -> Recipe:
    """The recipe with this id; that of a print run names the recipe of its sets. Raises InputError with every problem
    in it."""
    entry = draw_kinds.recipes(game).get(name)
    base = str(entry["run"]) if isinstance(entry, Mapping) and set(entry) == {"run"} else name
    file = draw_kinds.read_recipe(game, base, RecipeFile)
    draw_kinds.refuse_mistakes(game, name, _mistakes(file, base != name))
    positions = tuple(CardLimits(card.star, card.crates, file.ways[str(card.star)]) for card in file.cards)
    return Recipe(name, file.symbols, file.compare, positions=positions, run=base != name)


def _mistakes(file: RecipeFile, run: bool) -> Iterator[draw_kinds.Mistake]:
    for number, card in enumerate(file.cards, 1):
        if str(card.star) not in file.ways:
            yield ("cards", number - 1), f"“ways” has no entry for {card.star} stars (card {number})"
        if card.crates.low < CRATES.low or card.crates.high > CRATES.high:
            yield ("cards", number - 1), f"“crates of card {number}” must be within {CRATES}, not {card.crates}"
    if run and len(set(file.cards)) > len({card.star for card in file.cards}):
        yield (), "in a print run, all cards with one star range need the same limits for their crates"


Pool = tuple[tuple[tuple[Row, Row], ...], ...]
"""The rows a card can have, by number of crates, each with the row that represents all rows like it."""


@lru_cache(maxsize=64)
def pools(recipe: Recipe) -> dict[int, Pool]:
    """The pool of every position, in the order in which positions are drawn: fewest different rows first. Raises
    InputError if a draw could leave a card without a row: a card drawn earlier uses up at most one kind of row, and
    only for positions that share a row with it; with more kinds than that, drawing always succeeds."""
    by_position: dict[int, Pool] = {}
    for number, position in enumerate(recipe.positions):
        counts = range(position.crates.low, position.crates.high + 1)
        by_crates = [_within(position.ways, recipe.symbols, recipe.compare, count) for count in counts]
        by_position[number] = tuple(filter(None, by_crates))
    kinds = {number: {kind for pairs in pool for _, kind in pairs} for number, pool in by_position.items()}
    order = sorted(kinds, key=lambda number: len(kinds[number]))
    problems = []
    for place, number in enumerate(order):
        rivals = sum(not kinds[number].isdisjoint(kinds[earlier]) for earlier in order[:place])
        if not kinds[number]:
            problems.append(f"no row of crates fits card {number + 1}")
        elif len(kinds[number]) <= rivals:
            count = len(kinds[number])
            problems.append(
                f"card {number + 1} has only {count} different rows, and {rivals} other cards can use them up"
            )
    if problems:
        raise InputError(Problem(f"recipe “{recipe.id}”: {problem}") for problem in problems)
    return {number: by_position[number] for number in order}


@lru_cache(maxsize=256)
def _within(ways: Span, symbols: tuple[str, ...], compare: Compare, count: int) -> tuple[tuple[Row, Row], ...]:
    """The rows with `count` crates and a number of ways in `ways`, in the order of the recipe's symbols."""
    return tuple((row, alike(row)) for row, counts in _all_rows(symbols, compare, count) if sum(counts) in ways)


@lru_cache(maxsize=32)
def _all_rows(symbols: tuple[str, ...], compare: Compare, count: int) -> tuple[tuple[Row, Counts], ...]:
    """Every row with `count` crates that can be finished, with its counts, each extended from a shorter row."""
    if count == 1:
        return (((), START),)
    grown = (
        ((*row, symbol), extend(counts, symbol, compare))
        for row, counts in _all_rows(symbols, compare, count - 1)
        for symbol in symbols
    )
    return tuple((row, counts) for row, counts in grown if any(counts))
