"""What an expression can call, on plain values: numbers, texts, True and False, and None for a blank. On grids,
it finds connected boxes, and the longest line that visits none of them twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, product
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from fractions import Fraction

MAX_NUMBER = 10**15
"""The largest number that an expression may reach."""
MAX_SETS = 10_000
MAX_PATH = 150
"""The maximum number of connected squares for a path search."""

Values = Sequence[Any]
Box: TypeAlias = tuple[int, int]
"""Column and row, both from 0."""

Mates: TypeAlias = tuple[Box | None, ...]
"""The mates of the boxes in the frontier."""

Joints: TypeAlias = tuple[tuple[Box, Box], ...]
"""The pairs of boxes that are joined so far."""

FINAL: Box = (-1, -1)


Spend: TypeAlias = Callable[[int], None] | None
"""Counts the steps of a search, which may be many."""


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
    return (entries[min(max(int((amount or 0) // 1), 0), len(entries) - 1)] or 0) if entries else 0


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


def longest(boxes: Collection[Box], diagonal: bool = True, spend: Spend = None) -> tuple[Box, ...]:
    """A longest line through the boxes, from end to end; a single box if no two touch."""
    best: tuple[Box, ...] = ()
    for patch in sorted(patches(boxes, diagonal), key=len, reverse=True):
        if len(patch) > len(best):
            line = longest_through(patch, diagonal, spend) if spend else _remembered(patch, diagonal)
            best = max(best, line, key=len)
    return best


def longest_through(patch: frozenset[Box], diagonal: bool, spend: Spend = None) -> tuple[Box, ...]:
    """A longest line through connected boxes."""
    near = {box: patch & neighbours(box, diagonal) for box in patch}
    ends = sum([len(others) == 1 for others in near.values()])
    most = len(patch) - max(0, ends - 2)  # a line has two ends
    best: tuple[Box, ...] = ()
    for box in sorted(patch):
        # The line always goes to the neighbour with the fewest exits: Warnsdorff's rule for knight's tours
        # (https://en.wikipedia.org/wiki/Knight%27s_tour#Warnsdorff's_rule). The result is rarely far from the longest.
        line, left = [box], set(near) - {box}
        while ways := near[line[-1]] & left:
            line.append(min(ways, key=lambda other: (len(near[other] & left), other)))
            left.remove(line[-1])
        best = max(best, tuple(line), key=len)
        if len(best) == most:
            return best
    return LineSearch(near, len(best), spend).longest() or best


# Simulated players of Upwards! ask for the same boxes again and again: it doubles the games in a second.
_remembered = lru_cache(1 << 14)(longest_through)


def patches(boxes: Collection[Box], diagonal: bool = True) -> list[frozenset[Box]]:
    """The boxes in connected groups, in the order of their lowest boxes."""
    left, connected = set(boxes), []
    for box in sorted(boxes, key=lambda box: box[::-1]):
        edge = [box] if box in left else []
        patch = {*edge}
        while edge:
            near = left & neighbours(edge.pop(), diagonal) - patch
            patch |= near
            edge += near
        if patch:
            connected.append(frozenset(patch))
            left -= patch
    return connected


@cache
def neighbours(box: Box, diagonal: bool = True) -> frozenset[Box]:
    """The four boxes next to this one and, with `diagonal`, the four at its corners."""
    column, row = box
    return frozenset(
        (column + across, row + up)
        for across, up in product((-1, 0, 1), repeat=2)
        if (across or up) and (diagonal or not (across and up))
    )


class LineSearch:
    """The search for a line of more than `best` connected boxes, which `near` lists with their neighbours. `ways` are
    the joints so far by the mates of the boxes in the frontier, `line` are the joints of the longest line."""

    def __init__(self, near: Mapping[Box, frozenset[Box]], best: int, spend: Spend = None) -> None:
        self.near, self.best, self.spend = near, best, spend
        self.line: Joints = ()
        self.frontier: list[Box] = []
        self.ways: dict[Mates, Joints] = {(): ()}

    def longest(self) -> tuple[Box, ...]:
        """The boxes of a longest line, from end to end; empty if none has more than `best`."""
        order = sorted(self.near, key=lambda box: box[::-1])
        for done, box in enumerate(order, 1):
            self.frontier.append(box)
            self.ways = {(*mates, box): joints for mates, joints in self.ways.items()}
            if self.spend:
                self.spend(4 * len(self.ways) * len(self.frontier))
            for other in self.frontier:
                if other in self.near[box]:
                    # The boxes are joined where neither is inside a line and they are not the ends of the same one.
                    for mates, joints in [*self.ways.items()]:
                        by_box = dict(zip(self.frontier, mates, strict=True))
                        a, b = by_box[other], by_box[box]
                        if a is not None and b is not None and a != box:
                            joined = {**by_box, other: None, box: None, a: b, b: a}
                            self._add(self.ways, joined, (*joints, (other, box)), a == b == FINAL)
            for other in [other for other in self.frontier if self.near[other].isdisjoint(order[done:])]:
                self._leave(other)
            ahead = len(order) - done
            self.ways = {  # an end or a box by itself can gain one joint, and so can every box ahead
                mates: joints
                for mates, joints in self.ways.items()
                if len(joints) + len(mates) - mates.count(None) + ahead > self.best
            }
        return _in_order(self.line)

    def _leave(self, box: Box) -> None:
        """Removes a box without neighbours ahead from the frontier. If it is the end of a line, this end is final; a
        line has two of them."""
        ways: dict[Mates, Joints] = {}
        frontier = self.frontier
        self.frontier = [other for other in frontier if other != box]
        for mates, joints in self.ways.items():
            by_box = dict(zip(frontier, mates, strict=True))
            mate = by_box[box]
            if mate not in (None, box, FINAL):
                by_box[mate] = FINAL
            if [*by_box.values()].count(FINAL) <= 2 + (mate == FINAL):
                self._add(ways, by_box, joints, mate == FINAL)
        self.ways = ways

    def _add(self, ways: dict[Mates, Joints], by_box: Mapping[Box, Box | None], joints: Joints, whole: bool) -> None:
        """Adds a way, unless there is a better one with the same mates. Nothing can follow a `whole` line, and none is
        whole while another is open."""
        mates = tuple([by_box[box] for box in self.frontier])
        if not whole:
            ways[mates] = max(ways.get(mates, joints), joints, key=len)
        elif len(joints) >= self.best and all(
            mate in (None, box) for box, mate in zip(self.frontier, mates, strict=True)
        ):
            self.best, self.line = len(joints) + 1, joints


def _in_order(joints: Joints) -> tuple[Box, ...]:
    """The joined boxes from one end to the other."""
    beside: dict[Box, list[Box]] = {}
    for pair in joints:
        for box, other in (pair, pair[::-1]):
            beside.setdefault(box, []).append(other)
    line = [box for box, others in beside.items() if len(others) == 1]
    line = [min(line)] if line else []
    while len(line) < len(beside):
        line.append(next(box for box in beside[line[-1]] if box not in line[-2:]))
    return tuple(line)
