"""A card's row of crates: what its symbols require, in how many ways it can be filled, and whether it contradicts
itself.

A row of n symbols has n + 1 crates. Each symbol says what the crate on its right must be, compared with the crate on
its left (`neighbour`) or with the first crate of the row (`first`). Blank crates are None.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache, reduce
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import Literal, TypeAlias

Compare: TypeAlias = Literal["neighbour", "first"]
Row: TypeAlias = tuple[str, ...]
Values: TypeAlias = Sequence[int | None]

SIGNS: Mapping[str, str] = MappingProxyType({"lower": "▼", "higher": "▲", "equal": "=", "unequal": "≠"})
DIE = range(1, 7)
WHOLE_NUMBERS = frozenset(range(-12, 20))
"""Every whole number that matters for a crate in a row of up to twelve."""

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


Counts: TypeAlias = tuple[int, ...]
"""For each value of the die, the number of ways to fill the row so far with that value in the crate that the next
symbol compares."""

START: Counts = (1,) * len(DIE)


@cache
def _fitting(symbol: str, right: int | None) -> tuple[tuple[int, int], ...]:
    """The indices in DIE of every pair of values that fits the symbol; with `right`, only of those that end with it."""
    pairs = [(left, value) for left in DIE for value in DIE if right in (None, value) and fits(symbol, left, value)]
    return tuple((DIE.index(left), DIE.index(value)) for left, value in pairs)


def extend(counts: Counts, symbol: str, compare: Compare = "neighbour", right: int | None = None) -> Counts:
    """The counts after one more crate, which holds `right` unless that is None."""
    extended = [0] * len(DIE)
    for left, value in _fitting(symbol, right):
        extended[value if compare == "neighbour" else left] += counts[left]
    return tuple(extended)


@lru_cache(maxsize=1 << 15)
def ways(symbols: Row, compare: Compare = "neighbour", values: tuple[int | None, ...] = ()) -> int:
    """The number of ways to fill the blank crates with values of the die without breaking a symbol. Crates beyond the
    `values` are blank. Remembered because careful simulated players ask before every mark: a third of their time."""
    first, *others = values + (None,) * (len(symbols) + 1 - len(values))
    counts = tuple(int(first in (None, value)) for value in DIE)
    for symbol, right in zip(symbols, others, strict=True):
        counts = extend(counts, symbol, compare, right)
    return sum(counts)


@cache
def _after(numbers: frozenset[int], symbol: str) -> frozenset[int]:
    """The whole numbers that may follow one of these across a symbol."""
    return frozenset(right for right in WHOLE_NUMBERS if any(fits(symbol, left, right) for left in numbers))


def room(symbols: Row, values: Values, compare: Compare, place: int) -> frozenset[int]:
    """The whole numbers that agree with the filled crates, and with any whole numbers in the other blank ones, in the
    crate with this index."""
    if compare == "first":
        first = WHOLE_NUMBERS if values[0] is None else frozenset([values[0]])
        for index, symbol in enumerate(symbols, 1) if values[0] is None else ():
            if index != place and (value := values[index]) is not None:
                first &= _after(frozenset([value]), _TURNED[symbol])
        return _after(first, symbols[place - 1]) if place else first
    left = right = WHOLE_NUMBERS
    for symbol, value in zip(symbols[:place], values[:place], strict=True):
        left = _after(left if value is None else frozenset([value]), symbol)
    for symbol, value in zip(symbols[place:][::-1], values[place + 1 :][::-1], strict=True):
        right = _after(right if value is None else frozenset([value]), _TURNED[symbol])
    return left & right


def contradictions(symbols: Row, values: Values, compare: Compare = "neighbour") -> list[tuple[int, ...]]:
    """Groups of filled crates, by their numbers from 1, that no whole numbers in the blank ones can reconcile.

    With `neighbour` a group is two filled crates with only blank ones between them, with `first` any two crates. Only
    with `first` and a blank first crate can it take three or more crates to leave no number for it; these are then one
    group."""
    filled = [(number, value) for number, value in enumerate(values, 1) if value is not None]
    if compare == "neighbour":
        return [
            (number, other)
            for (number, left), (other, right) in pairwise(filled)
            if right not in reduce(_after, symbols[number - 1 : other - 1], frozenset([left]))
        ]
    if values[0] is not None:
        first = values[0]
        return [(1, number) for number, value in filled[1:] if not fits(symbols[number - 2], first, value)]
    for size in range(2, len(filled) + 1):
        groups = [
            tuple(number for number, _ in group)
            for group in combinations(filled, size)
            if not any(
                all(fits(symbols[number - 2], first, value) for number, value in group) for first in WHOLE_NUMBERS
            )
        ]
        if groups:
            return groups if size == 2 else groups[:1]
    return []
