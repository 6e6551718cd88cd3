"""What an expression can call, on plain values: numbers, texts, True and False, and None for a blank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from .grids import Box, longest, patches

if TYPE_CHECKING:
    from fractions import Fraction

MAX_NUMBER = 10**15
"""The largest number that an expression may reach."""
MAX_SETS = 10_000
MAX_PATH = 150
"""The maximum number of connected squares for a path search."""

Values = Sequence[Any]


class TooMuchError(ValueError):
    """A result or a calculation beyond the limits."""


def bounded(number: Any) -> Any:
    if abs(number) > MAX_NUMBER:
        raise TooMuchError(f"a number larger than {MAX_NUMBER:,}")
    return number


def exact(number: Any) -> Fraction:
    """A number, or a decimal number as text, as a fraction."""
    from fractions import Fraction  # takes a millisecond to load, and is rarely needed

    return Fraction(number)


# ---- operators ------------------------------------------------------------------------------------------------------


def divided(a: Any, b: Any) -> Any:
    """a ÷ b, exactly; dividing by 0 gives 0."""
    if not b:
        return 0
    quotient = exact(a) / exact(b)
    if quotient.denominator > MAX_NUMBER:
        raise TooMuchError(f"a fraction with a denominator larger than {MAX_NUMBER:,}")
    return quotient.numerator if quotient.denominator == 1 else bounded(quotient)


ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: (a or 0) + (b or 0),
    "-": lambda a, b: (a or 0) - (b or 0),
    "*": lambda a, b: bounded((a or 0) * (b or 0)),
    "/": lambda a, b: divided(a or 0, b or 0),
    "//": lambda a, b: (a or 0) // b if b else 0,
    "%": lambda a, b: (a or 0) % b if b else 0,
}
"""A blank counts as 0."""
LOGIC: dict[str, Callable[..., bool]] = {
    "and": lambda a, b: bool(a and b),
    "or": lambda a, b: bool(a or b),
    "not": lambda truth: not truth,
}
COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


# ---- rows of values -------------------------------------------------------------------------------------------------


def present(values: Values) -> list[Any]:
    """The values that are not blank."""
    return [value for value in values if value is not None]


def marked(value: Any) -> bool:
    """Whether a field is filled in or ticked, or a comparison holds."""
    return value is not None and value is not False


def total(values: Values) -> Any:
    return sum(value for value in values if value is not None)


def counts(values: Values) -> list[int]:
    """How often each different value occurs, most often first."""
    return sorted(Counter(present(values)).values(), reverse=True)


def straight(values: Values) -> int:
    """The length of the longest run of consecutive numbers."""
    numbers, longest = set(present(values)), 0
    for number in numbers:
        if number - 1 not in numbers:
            length = 1
            while number + length in numbers:
                length += 1
            longest = max(longest, length)
    return longest


def sets(numbers: Values) -> list[int]:
    """The sizes of the sets of different things that can be made from the number of each: 3, 1 and 2 things make a set
    of three, a set of two and a set of one."""
    amounts = present(numbers)
    largest = max(amounts, default=0)
    if largest > MAX_SETS:
        raise TooMuchError(f"more than {MAX_SETS:,} sets")
    return [sum(amount >= size for amount in amounts) for size in range(1, int(largest) + 1)]


def looked_up(amount: Any, entries: Values) -> Any:
    """The entry with this number, counted from 0; the last entry stands for all larger numbers."""
    if not entries:
        return 0
    return entries[min(max(int((amount or 0) // 1), 0), len(entries) - 1)] or 0


def rounded(number: Any) -> int:
    """To the nearest whole number; a half is rounded up."""
    return int((2 * (number or 0) + 1) // 2)


class Function(Struct, frozen=True):
    """A function of one row of values, made up of all its arguments; or, if it is `numbered`, of one row and a number.
    `takes` is the kind of values: numbers, yes (or no), or any. `gives` is the kind of its result (same: that of its
    arguments), `many` whether it is a list."""

    takes: str
    gives: str
    run: Callable[..., Any]
    many: bool = False
    numbered: bool = False


def best(values: Values, number: int, highest: bool) -> list[Any]:
    return sorted(present(values), reverse=highest)[: max(0, number)]


OF_ROWS: dict[str, Function] = {
    "sum": Function("numbers", "same", total),
    "min": Function("numbers", "same", lambda values: min(present(values), default=0)),
    "max": Function("numbers", "same", lambda values: max(present(values), default=0)),
    "distinct": Function("any", "whole", lambda values: len({*present(values)})),
    "counts": Function("any", "whole", counts, many=True),
    "same": Function("any", "whole", lambda values: max(counts(values), default=0)),
    "straight": Function("numbers", "whole", straight),
    "sets": Function("numbers", "whole", sets, many=True),
    "first": Function("any", "same", lambda values: next(iter(present(values)), None)),
    "last": Function("any", "same", lambda values: next(reversed(present(values)), None)),
    "running": Function("numbers", "same", lambda values: list(accumulate(value or 0 for value in values)), many=True),
    "when": Function("yes", "whole", lambda values: next((n for n, value in enumerate(values, 1) if value), 0)),
    "at": Function("any", "same", lambda values, n: values[n - 1] if 0 < n <= len(values) else None, numbered=True),
    "highest": Function("numbers", "same", lambda values, n: best(values, n, True), many=True, numbered=True),
    "lowest": Function("numbers", "same", lambda values, n: best(values, n, False), many=True, numbered=True),
    "any": Function("yes", "yes", lambda values: any(present(values))),
    "all": Function("yes", "yes", lambda values: bool(values) and all(values)),
}
OF_ONE: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "abs": ("same", lambda number: abs(number or 0)),
    "floor": ("whole", lambda number: int((number or 0) // 1)),
    "ceil": ("whole", lambda number: -int(-(number or 0) // 1)),
    "round": ("whole", rounded),
    "filled": ("yes", marked),
}
"""Functions of one value, which are applied to every value of a list: the kind of the result, and the function."""


# ---- grids ----------------------------------------------------------------------------------------------------------


def groups(values: Values, across: int, diagonal: bool = False) -> list[int]:
    """The sizes of the connected groups of marked squares, the largest first."""
    return sorted(map(len, connected(values, across, diagonal)), reverse=True)


def connected(values: Values, across: int, diagonal: bool = False) -> list[list[int]]:
    """The connected groups of marked squares of a grid with rows of `across` squares, by their numbers from 0."""
    return [
        [row * across + column for column, row in patch] for patch in patches(_marked_boxes(values, across), diagonal)
    ]


def path(values: Values, across: int, diagonal: bool, spend: Callable[[int], None]) -> int:
    """The number of squares of the longest path from marked square to marked square that visits none twice. `spend`
    counts the steps of the search, which may be many."""
    if max(groups(values, across, diagonal), default=0) > MAX_PATH:
        raise TooMuchError(f"a path among more than {MAX_PATH} connected squares")
    return len(longest(_marked_boxes(values, across), diagonal, spend))


def _marked_boxes(values: Values, across: int) -> list[Box]:
    return [(number % across, number // across) for number, value in enumerate(values) if marked(value)]


def full_rows(values: Values, across: int) -> int:
    return sum(all(map(marked, row)) for row in _rows(values, across) if len(row) == across)


def full_columns(values: Values, across: int) -> int:
    rows = list(_rows(values, across))
    return sum(all(column < len(row) and marked(row[column]) for row in rows) for column in range(across) if rows)


def _rows(values: Values, across: int) -> Iterable[Values]:
    return (values[start : start + across] for start in range(0, len(values), across))
