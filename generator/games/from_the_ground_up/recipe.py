"""Recipes for random card sets, read from sets.yaml, and the rows of crates that each card of a recipe can have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import combinations
from typing import Any

from ...codes.setcode import ALPHABET
from ...definitions.models import Game
from ...definitions.values import Span, span
from ...errors import InputError, Place, Problem, did_you_mean, fault
from ...fast_dataclasses import dataclass
from .. import draws
from .crates import SIGNS, START, Compare, Counts, Row, alike, extend

MIN_CRATES, MAX_CRATES = 2, 6
STARS = Span(1, 6)

Path = tuple[str | int, ...]
"""A place in the recipe: keys, and indices of entries."""

_KEYS = ("symbols", "compare", "ways", "cards")


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
    recipes = draws.recipes(game)
    if name not in recipes:
        raise fault(
            f"{game.title} has no recipe “{name}” for random sets", draws.place(game), did_you_mean(name, recipes)
        )
    entry = recipes[name]
    if isinstance(entry, Mapping) and set(entry) == {"run"}:
        return _of_a_run(game, name, str(entry["run"]))
    reading = _Reading(name, partial(draws.place, game, "recipes", name), [])
    recipe = reading.recipe(entry)
    if reading.problems:
        raise InputError(reading.problems)
    return recipe


def _of_a_run(game: Game, name: str, base: str) -> Recipe:
    """The recipe of a print run: that of its sets, which are drawn together."""
    single = {other: entry for other, entry in draws.recipes(game).items() if "run" not in (entry or ())}  # type: ignore[operator]
    if base not in single:
        raise fault(
            f"recipe “{name}”: “run” must name a recipe for single sets, not “{base}”",
            draws.place(game, "recipes", name),
            did_you_mean(base, single),
        )
    recipe = replace(read(game, base), id=name, run=True)
    if len(set(recipe.positions)) > len({position.star for position in recipe.positions}):
        raise fault(
            f"recipe “{name}”: in a print run, all cards with one star range need the same limits for their crates; "
            f"in “{base}” they differ",
            draws.place(game, "recipes", name),
        )
    return recipe


class _Reading:
    """Reads one recipe and collects its problems."""

    def __init__(self, name: str, place: Callable[..., Place], problems: list[Problem]) -> None:
        self.name = name
        self.place = place
        self.problems = problems

    def bad(self, message: str, hint: str = "", at: Path = ()) -> None:
        self.problems.append(Problem(f"recipe “{self.name}”: {message}", self.place(*at), hint))

    def recipe(self, entry: object) -> Recipe:
        if len(self.name) != 2 or not set(self.name) <= set(ALPHABET):
            self.bad(f"a recipe’s id must be two characters of {ALPHABET}")
        parts = self.mapping(entry, "the recipe", _KEYS)
        symbols = self.symbols(parts.get("symbols"))
        compare = parts.get("compare")
        if compare not in ("neighbour", "first"):
            self.bad(f"“compare” must be neighbour or first, not “{compare}”", at=("compare",))
        return Recipe(
            self.name,
            symbols,
            "first" if compare == "first" else "neighbour",
            self.positions(parts.get("cards"), self.bands(parts.get("ways"))),
        )

    def mapping(self, entry: object, name: str, keys: Sequence[str], at: Path = ()) -> Mapping[str, Any]:
        if not isinstance(entry, Mapping):
            self.bad(f"{name} must be a mapping", at=at)
            return {}
        for key in entry:
            if keys and key not in keys:
                self.bad(f"{name} has an unknown key “{key}”", did_you_mean(key, keys), (*at, key))
        for key in keys:
            if key not in entry:
                self.bad(f"{name} needs the key “{key}”", at=at)
        return entry

    def symbols(self, entry: object) -> tuple[str, ...]:
        symbols = entry if isinstance(entry, tuple) else ()
        for symbol in symbols:
            if symbol not in SIGNS:
                self.bad(f"unknown symbol “{symbol}”", did_you_mean(str(symbol), SIGNS), ("symbols",))
        if not symbols or len(set(symbols)) < len(symbols):
            self.bad("“symbols” must be a list of different symbols", at=("symbols",))
        return tuple(symbol for symbol in symbols if symbol in SIGNS)

    def span(self, entry: object, name: str, within: Span, at: Path) -> Span | None:
        """The range typed as `3-5` or `3`; None, and a problem, if it is not a range or not inside `within`."""
        try:
            limits = span(str(entry))
        except ValueError as error:
            self.bad(f"“{name}” must be {error}, not “{entry}”", at=at)
            return None
        if limits.low in within and limits.high in within:
            return limits
        self.bad(f"“{name}” must be within {within}, not {limits}", at=at)
        return None

    def bands(self, entry: object) -> dict[Span, Span]:
        bands = {}
        for key, value in self.mapping(entry, "“ways”", (), ("ways",)).items():
            star = self.span(key, "ways", STARS, ("ways", key))
            ways = self.span(value, f"ways: {key}", Span(1, 6**MAX_CRATES), ("ways", key))
            if star and ways:
                bands[star] = ways
        for (star, ways), (other, fewer) in combinations(sorted(bands.items()), 2):
            if other.high >= star.high and (fewer.low > ways.low or fewer.high > ways.high):
                self.bad(f"{other} stars have more ways ({fewer}) than {star} stars ({ways}), not fewer", at=("ways",))
        return bands

    def positions(self, entry: object, bands: Mapping[Span, Span]) -> tuple[Position, ...]:
        if not isinstance(entry, tuple) or not entry:
            self.bad("“cards” must be a list of cards", at=("cards",))
            return ()
        positions = [self.position(card, number, bands) for number, card in enumerate(entry, 1)]
        return tuple(position for position in positions if position)

    def position(self, entry: object, number: int, bands: Mapping[Span, Span]) -> Position | None:
        at = ("cards", number - 1)
        parts = self.mapping(entry, f"card {number}", ("star", "crates"), at)
        star = self.span(parts.get("star", STARS), f"star of card {number}", STARS, at)
        room = Span(MIN_CRATES, MAX_CRATES)
        count = self.span(parts.get("crates", room), f"crates of card {number}", room, at)
        if star and star not in bands and "star" in parts:
            self.bad(f"“ways” has no entry for {star} stars (card {number})", at=at)
        return Position(star, count, bands[star]) if star and count and star in bands else None


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
