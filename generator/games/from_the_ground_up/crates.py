"""A card's row of crates: what its symbols require, in how many ways it can be filled, and whether it contradicts
itself.

A row of n symbols has n + 1 crates. Each symbol says what the crate on its right must be, compared with the crate on
its left (`neighbour`) or with the first crate of the row (`first`). Blank crates are None; a `filled` or `values`
shorter than the row leaves the remaining crates blank. Crates are numbered from 1, as in the ids of the table sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, pairwise
from math import inf
from types import MappingProxyType
from typing import Literal, TypeAlias

from ...fast_dataclasses import dataclass

Compare: TypeAlias = Literal["neighbour", "first"]
Row: TypeAlias = tuple[str, ...]
Values: TypeAlias = Sequence[int | None]

SIGNS: Mapping[str, str] = MappingProxyType({"lower": "▼", "higher": "▲", "equal": "=", "unequal": "≠"})
DIE = range(1, 7)

_TURNED = {"lower": "higher", "higher": "lower", "equal": "equal", "unequal": "unequal"}


def fits(symbol: str, left: int, right: int) -> bool:
    """Whether `right` may follow `left` across `symbol`."""
    if symbol == "lower":
        return right < left
    if symbol == "higher":
        return right > left
    return (right == left) == (symbol == "equal")


def row_text(symbols: Iterable[str]) -> str:
    """The row as printed: `□ ▼ □ ▼ □`."""
    return "□" + "".join(f" {SIGNS[symbol]} □" for symbol in symbols)


def alike(symbols: Row) -> Row:
    """The row that represents all rows alike: this one as printed, read backwards, turned over (v → 7 − v), or both."""
    turned = tuple(_TURNED[symbol] for symbol in symbols)
    return min(symbols, symbols[::-1], turned, turned[::-1])


# ---- counting with the die's values -------------------------------------------------------------------------------

Counts: TypeAlias = tuple[int, ...]
"""For each value of the die, the number of ways to fill the row so far with that value in the crate that the next
symbol compares."""

START: Counts = (1,) * len(DIE)


@cache
def _partners(symbol: str) -> tuple[tuple[int, ...], ...]:
    """For each value on the right, the indices in DIE of the possible values on its left."""
    return tuple(tuple(i for i, left in enumerate(DIE) if fits(symbol, left, right)) for right in DIE)


def extend(counts: Counts, symbol: str, compare: Compare = "neighbour", right: int | None = None) -> Counts:
    """The counts after one more crate, which holds `right` unless that is None."""
    partners = _partners(symbol)
    if compare == "neighbour":
        sums = (sum(counts[i] for i in lefts) for lefts in partners)
        return tuple(n if right in (None, value) else 0 for value, n in zip(DIE, sums, strict=True))
    room = [0] * len(DIE)
    for value, lefts in zip(DIE, partners, strict=True):
        for i in lefts if right in (None, value) else ():
            room[i] += 1
    return tuple(n * m for n, m in zip(counts, room, strict=True))


def ways(symbols: Sequence[str], compare: Compare = "neighbour", filled: Values = ()) -> int:
    """The number of ways to fill the blank crates with values of the die without breaking a symbol."""
    first, *others = _padded(symbols, filled)
    counts = tuple(int(first in (None, value)) for value in DIE)
    for symbol, right in zip(symbols, others, strict=True):
        counts = extend(counts, symbol, compare, right)
    return sum(counts)


def finishable(symbols: Sequence[str], values: Values, compare: Compare = "neighbour") -> bool:
    """Whether the blank crates can still be filled with values of the die."""
    return ways(symbols, compare, values) > 0


@lru_cache(maxsize=1 << 15)
def can_finish(symbols: Row, values: tuple[int | None, ...], compare: Compare) -> bool:
    """As `finishable`, cached for players who consider it before every mark."""
    return finishable(symbols, values, compare)


def _padded(symbols: Sequence[str], values: Values) -> list[int | None]:
    blank = len(symbols) + 1 - len(values)
    if blank < 0:
        raise ValueError(f"{len(values)} values for a row of {len(symbols) + 1} crates")
    return [*values, *[None] * blank]


# ---- contradictions over all whole numbers ------------------------------------------------------------------------


def contradictions(symbols: Sequence[str], values: Values, compare: Compare = "neighbour") -> list[tuple[int, ...]]:
    """Groups of filled crates that no whole numbers in the blank ones can reconcile; empty if there are none.

    A group is nearly always a pair: with `neighbour` two filled crates with only blank ones between them, with `first`
    any two crates. Only with `first` and a blank first crate can it take three or more crates to leave no number for
    it; these are then one group.
    """
    padded = _padded(symbols, values)
    if compare == "neighbour":
        filled = [(i, value) for i, value in enumerate(padded) if value is not None]
        return [(i + 1, j + 1) for (i, left), (j, right) in pairwise(filled) if right not in _reach(left, symbols[i:j])]
    others = [
        _Requirement(i + 2, symbol, value)
        for i, (symbol, value) in enumerate(zip(symbols, padded[1:], strict=True))
        if value is not None
    ]
    if padded[0] is not None:
        return [(1, other.crate) for other in others if not fits(other.symbol, padded[0], other.value)]
    return _without_first(others)


@dataclass(frozen=True, slots=True)
class _Reach:
    """The whole numbers from `low` to `high` without `hole`: all that a crate can hold, given a filled one before it.

    Going crate by crate from one number, such a set is always a single number, all numbers below or above one, all but
    one, or all numbers, so three fields describe it exactly."""

    low: float
    high: float
    hole: int | None = None

    def __contains__(self, number: int) -> bool:
        return self.low <= number <= self.high and number != self.hole

    def after(self, symbol: str) -> _Reach:
        if symbol == "lower":
            return _Reach(-inf, self.high - 1)
        if symbol == "higher":
            return _Reach(self.low + 1, inf)
        if symbol == "equal":
            return self
        return _Reach(-inf, inf, int(self.low) if self.low == self.high else None)


def _reach(number: int, symbols: Sequence[str]) -> _Reach:
    reach = _Reach(number, number)
    for symbol in symbols:
        reach = reach.after(symbol)
    return reach


@lru_cache(maxsize=1 << 14)
def agreeing(left: int | None, before: Row, after: Row, right: int | None) -> tuple[int, ...]:
    """The values of the die that a crate can take. `left` and `right` are the nearest filled crates (None if there are
    none); `before` and `after` are the symbols between them and the crate."""
    return tuple(
        value
        for value in DIE
        if (left is None or value in _reach(left, before)) and (right is None or right in _reach(value, after))
    )


@dataclass(frozen=True, slots=True)
class _Requirement:
    """What a filled crate requires of the blank first one."""

    crate: int
    symbol: str
    value: int


def _without_first(others: Sequence[_Requirement]) -> list[tuple[int, ...]]:
    if _some_first(others):
        return []
    pairs: list[tuple[int, ...]] = [(a.crate, b.crate) for a, b in combinations(others, 2) if not _some_first((a, b))]
    return pairs or [tuple(other.crate for other in _needed(others))]


def _some_first(others: Sequence[_Requirement]) -> bool:
    """Whether some whole number meets all requirements. Only numbers next to the filled values need to be tried."""
    near = {other.value + step for other in others for step in (-1, 0, 1)}
    return not others or any(all(fits(o.symbol, first, o.value) for o in others) for first in near)


def _needed(others: Sequence[_Requirement]) -> list[_Requirement]:
    """A minimal contradictory subset: drops every requirement that the contradiction does not need."""
    needed = list(others)
    for other in others:
        fewer = [each for each in needed if each is not other]
        if not _some_first(fewer):
            needed = fewer
    return needed
