"""Recipes for random card sets, read from sets.yaml, and the rows of crates that each card of a recipe can have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import Literal

from ...draws import draw_kinds
from ...draws.setcode import ALPHABET
from ...errors import InputError, Problem, did_you_mean, fault
from ...fast_dataclasses import dataclass
from ...model.game import Game
from ...model.values import Span, span
from .crates import (
    START,
    Compare,
    Counts,
    Row,
    alike,
    extend,
)

MIN_CRATES, MAX_CRATES = 2, 6
STARS = Span(1, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLimits:
    """The limits of one card in sets.yaml."""

    star: Span
    crates: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipeFile:
    """A recipe in sets.yaml; `ways` are by star range."""

    symbols: tuple[Literal["lower", "higher", "equal", "unequal"], ...]
    compare: Literal["neighbour", "first"]
    ways: dict[str, Span]
    cards: tuple[CardLimits, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """The limits of one card of a set: its star range, number of crates, and number of ways to finish it."""

    star: Span
    crates: Span
    ways: Span


@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe: the symbols it uses, which crates they compare, and the limits of its cards in print order. `run` marks
    a recipe for print runs, in which no two sets share a card."""

    id: str
    symbols: tuple[str, ...]
    compare: Compare
    positions: tuple[Position, ...]
    run: bool = False


def read(game: Game, name: str) -> Recipe:
    """The recipe with this id. Raises InputError with every problem in it."""
    entry = draw_kinds.recipes(game).get(name)
    if isinstance(entry, Mapping) and set(entry) == {"run"}:
        return _of_a_run(game, name, str(entry["run"]))
    file = draw_kinds.read_recipe(game, name, RecipeFile)
    bands, mistakes = _bands(file)
    draw_kinds.refuse_mistakes(game, name, [*mistakes, *_mistakes(name, file, bands)])
    positions = tuple(Position(card.star, card.crates, bands[card.star]) for card in file.cards)
    return Recipe(name, file.symbols, file.compare, positions)


def _bands(file: RecipeFile) -> tuple[dict[Span, Span], list[draw_kinds.Mistake]]:
    """The ways by star range, and the mistakes in the ranges."""
    bands: dict[Span, Span] = {}
    mistakes: list[draw_kinds.Mistake] = []
    for key, ways in file.ways.items():
        try:
            bands[span(key)] = ways
        except ValueError as error:
            mistakes.append((("ways", key), f"“ways” must be {error}, not “{key}”"))
            continue
        mistakes += _outside(("ways", key), f"ways: {key}", ways, Span(1, 6**MAX_CRATES))
    return bands, mistakes


def _outside(path: Sequence[str | int], name: str, limits: Span, within: Span) -> Iterator[draw_kinds.Mistake]:
    if limits.low not in within or limits.high not in within:
        yield path, f"“{name}” must be within {within}, not {limits}"


def _mistakes(name: str, file: RecipeFile, bands: Mapping[Span, Span]) -> Iterator[draw_kinds.Mistake]:
    if len(name) != 2 or not set(name) <= set(ALPHABET):
        yield (), f"a recipe’s id must be two characters of {ALPHABET}"
    if not file.symbols or len(set(file.symbols)) < len(file.symbols):
        yield ("symbols",), "“symbols” must be a list of different symbols"
    for (star, ways), (other, fewer) in combinations(sorted(bands.items()), 2):
        if other.high >= star.high and (fewer.low > ways.low or fewer.high > ways.high):
            yield ("ways",), f"{other} stars have more ways ({fewer}) than {star} stars ({ways}), not fewer"
    if not file.cards:
        yield ("cards",), "“cards” must be a list of cards"
    for number, card in enumerate(file.cards, 1):
        at = ("cards", number - 1)
        yield from _outside(at, f"star of card {number}", card.star, STARS)
        yield from _outside(at, f"crates of card {number}", card.crates, Span(MIN_CRATES, MAX_CRATES))
        if card.star not in bands:
            yield at, f"“ways” has no entry for {card.star} stars (card {number})"


def _of_a_run(game: Game, name: str, base: str) -> Recipe:
    """The recipe of a print run: that of its sets, which are drawn together."""
    single = {other: entry for other, entry in draw_kinds.recipes(game).items() if "run" not in (entry or ())}  # type: ignore[operator]
    if base not in single:
        raise fault(
            f"recipe “{name}”: “run” must name a recipe for single sets, not “{base}”",
            draw_kinds.place(game, "recipes", name),
            did_you_mean(base, single),
        )
    recipe = replace(read(game, base), id=name, run=True)
    if len(set(recipe.positions)) > len({position.star for position in recipe.positions}):
        raise fault(
            f"recipe “{name}”: in a print run, all cards with one star range need the same limits for their crates; "
            f"in “{base}” they differ",
            draw_kinds.place(game, "recipes", name),
        )
    return recipe


# ---- the rows of crates that a card can have -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pool:
    """The rows a card can have, by number of crates, each with the row that represents all rows like it."""

    by_crates: tuple[tuple[tuple[Row, Row], ...], ...]
    kinds: frozenset[Row]


@dataclass(frozen=True, slots=True)
class Plan:
    """The pool of every position, and the order in which positions are drawn: fewest rows first."""

    pools: tuple[Pool, ...]
    order: tuple[int, ...]


@lru_cache(maxsize=64)
def plan(chosen: Recipe) -> Plan:
    """The pools of a recipe. Raises InputError if a draw could leave a card without a row."""
    pools = tuple(_pool(position, chosen.symbols, chosen.compare) for position in chosen.positions)
    order = tuple(sorted(range(len(pools)), key=lambda position: len(pools[position].kinds)))
    problems = [Problem(f"recipe “{chosen.id}”: {wrong}") for wrong in _too_narrow(pools, order)]
    if problems:
        raise InputError(problems)
    return Plan(pools, order)


def _too_narrow(pools: Sequence[Pool], order: Sequence[int]) -> Iterator[str]:
    """Positions that could be left without a row. A card drawn earlier uses up at most one kind of row, and only for
    positions that share a row with it; with more kinds than that, drawing always succeeds."""
    for place, position in enumerate(order):
        kinds = pools[position].kinds
        rivals = sum(not kinds.isdisjoint(pools[earlier].kinds) for earlier in order[:place])
        if not kinds:
            yield f"no row of crates fits card {position + 1}"
        elif len(kinds) <= rivals:
            yield (
                f"card {position + 1} has only {len(kinds)} different rows, and {rivals} other cards can use them up"
            )


def _pool(position: Position, symbols: tuple[str, ...], compare: Compare) -> Pool:
    by_crates = tuple(
        pairs
        for count in range(position.crates.low, position.crates.high + 1)
        if (pairs := _within(position.ways, symbols, compare, count))
    )
    return Pool(by_crates, frozenset(kind for pairs in by_crates for _, kind in pairs))


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
