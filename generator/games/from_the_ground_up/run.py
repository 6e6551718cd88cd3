"""Print runs: N sets in which no two sets share a card, with as few cards as possible that are mirrored or turned
alike.

The largest number of sets, and the smallest number of alike cards, are exact. A run takes N rows for every card of the
recipe, each row only once for a star range: a flow from the cards' star ranges through rows to the kinds of alike rows.
A set has each kind at most once, so a kind is taken at most N times. Among all such flows we choose one of least cost,
where a kind's second row costs 1, its third 2 and so on (the pairs of sets that share the kind). Every flow can be
dealt into N sets: its rows are the edges of a bipartite graph of cards and kinds with at most N edges at each node, and
by Kőnig's theorem N colours (the sets) are enough for no two edges of one colour to meet.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import TypeAlias

from ...draws import SetCode
from ...draws.chance import Chance
from ...draws.setcode import SEED_BITS
from ...errors import fault
from ...fast_dataclasses import dataclass
from ...model.values import Span
from .crates import Row
from .recipe import Recipe, plan

NUMBER_BITS = 7
"""Bits of a code's seed for the number of the set in its run, and again for the size of the run."""
MAX_NUMBER = 1 << NUMBER_BITS
_SHARED_BITS = SEED_BITS - 2 * NUMBER_BITS

Run: TypeAlias = tuple[tuple[Row, ...], ...]
"""The sets of a run, each with the rows of its cards in print order."""
Node: TypeAlias = int | Row
Cell: TypeAlias = tuple[int, Row]
"""A pool's number and a kind: the rows of that kind that a card of the pool can have."""


# ---- codes --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeedParts:
    """The parts of the seed in a print run's code: the run's own seed, the number of the set (from 0) and the size of
    the run."""

    seed: int
    number: int
    size: int


def codes(recipe: Recipe, code: SetCode, size: int) -> list[SetCode]:
    """The codes of all sets, in order, of a run of this size with the seed of `code`. Raises InputError with the
    largest possible size if this one is impossible."""
    most = largest(recipe)
    if size > most:
        raise fault(
            f"recipe “{recipe.id}” has no print run of {size} sets without a shared card",
            hint=f"the largest has {most} sets; “randomise --count {size}” draws sets that may share cards",
        )
    return _of(code, size)


def siblings(code: SetCode) -> list[SetCode]:
    """The codes of all sets in the run of a code."""
    return _of(code, seed_parts(code.seed).size)


def _of(code: SetCode, size: int) -> list[SetCode]:
    shared = seed_parts(code.seed).seed
    return [replace(code, seed=(shared << NUMBER_BITS | size - 1) << NUMBER_BITS | number) for number in range(size)]


def seed_parts(seed: int) -> SeedParts:
    """The parts of the seed of a print run's code."""
    return SeedParts(
        seed >> (SEED_BITS - _SHARED_BITS), seed & MAX_NUMBER - 1, (seed >> NUMBER_BITS & MAX_NUMBER - 1) + 1
    )


def rows(recipe: Recipe, code: SetCode) -> tuple[Row, ...]:
    """The rows of a set in a print run. Raises InputError if there is no such set or run."""
    seed = seed_parts(code.seed)
    if seed.number >= seed.size or seed.size > largest(recipe):
        raise fault(
            f"the set code {code} is for set {seed.number + 1} of a print run of {seed.size}, which does not exist"
        )
    return sets(recipe, seed.seed, seed.size)[seed.number]


# ---- how many -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def largest(recipe: Recipe) -> int:
    """The largest size of a run of this recipe, limited by the numbers that codes can hold."""
    low, high = 1, MAX_NUMBER + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _flow(recipe, middle, _cells(recipe)) else (low, middle)
    return low


@lru_cache(maxsize=8)
def _cells(recipe: Recipe) -> Mapping[Cell, tuple[Row, ...]]:
    """The rows of every kind, by pool."""
    rows_of: dict[Cell, list[Row]] = {}
    for number, positions in enumerate(_pools(recipe)):
        for row, kind in chain.from_iterable(plan(recipe).pools[positions[0]].by_crates):
            rows_of.setdefault((number, kind), []).append(row)
    return MappingProxyType({cell: tuple(rows) for cell, rows in rows_of.items()})


@lru_cache(maxsize=8)
def _pools(recipe: Recipe) -> tuple[tuple[int, ...], ...]:
    """The positions of interchangeable cards, pool by pool: those with one star range."""
    by_star: dict[Span, list[int]] = {}
    for number, position in enumerate(recipe.positions):
        by_star.setdefault(position.star, []).append(number)
    return tuple(map(tuple, by_star.values()))


# ---- the flow -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Flow:
    """A flow under construction: `taken` counts the rows taken from each cell, up to its `capacity`, and `loads` the
    rows taken of each kind."""

    capacity: Mapping[Cell, int]
    most: int
    taken: dict[Cell, int]
    loads: dict[Row, int]
    by_pool: dict[int, list[Row]]
    by_kind: dict[Row, list[int]]

    def add(self, pool: int) -> bool:
        """Takes one more row for a pool, moving others if that costs less; False if that is impossible.

        Moving rows between kinds costs nothing by itself, so the cheapest path ends at the reachable kind with the
        smallest load."""
        before: dict[Node, Node | None] = {pool: None}
        waiting: deque[Node] = deque([pool])
        best: Row | None = None
        while waiting:
            node = waiting.popleft()
            for other in self._beyond(node):
                if other not in before:
                    before[other] = node
                    waiting.append(other)
                    if not isinstance(other, int) and (best is None or self.loads[other] < self.loads[best]):
                        best = other
        if best is None or self.loads[best] >= self.most:
            return False
        self._move(before, best)
        return True

    def _beyond(self, node: Node) -> Iterable[Node]:
        if isinstance(node, int):
            return (kind for kind in self.by_pool[node] if self.taken[node, kind] < self.capacity[node, kind])
        return (pool for pool in self.by_kind[node] if self.taken[pool, node])

    def _move(self, before: Mapping[Node, Node | None], end: Row) -> None:
        self.loads[end] += 1
        node: Node = end
        while (previous := before[node]) is not None:
            if isinstance(previous, int) and not isinstance(node, int):
                self.taken[previous, node] += 1
            elif isinstance(node, int) and not isinstance(previous, int):
                self.taken[node, previous] -= 1
            node = previous


def _flow(recipe: Recipe, size: int, cells: Mapping[Cell, tuple[Row, ...]]) -> dict[Cell, int] | None:
    """How many rows a run of this size takes from each cell; None if the run is impossible."""
    by_pool: dict[int, list[Row]] = {}
    by_kind: dict[Row, list[int]] = {}
    for pool, kind in cells:
        by_pool.setdefault(pool, []).append(kind)
        by_kind.setdefault(kind, []).append(pool)
    flow = _Flow(
        {cell: len(rows) for cell, rows in cells.items()},
        size,
        dict.fromkeys(cells, 0),
        dict.fromkeys(by_kind, 0),
        by_pool,
        by_kind,
    )
    needed = [pool for pool, positions in enumerate(_pools(recipe)) for _ in range(size * len(positions))]
    return flow.taken if all(flow.add(pool) for pool in needed) else None


# ---- the sets -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def sets(recipe: Recipe, seed: int, size: int) -> Run:
    """All sets of a run."""
    chance = Chance(seed)
    cells = {cell: tuple(chance.shuffled(rows)) for cell, rows in chance.shuffled(_cells(recipe).items())}
    taken = _flow(recipe, size, cells)
    if taken is None:
        raise ValueError(f"no run of {size} sets")
    edges = list(_edges(recipe, size, {cell: rows[: taken[cell]] for cell, rows in cells.items()}, chance))
    run: list[list[Row]] = [[()] * len(recipe.positions) for _ in range(size)]
    for (position, _, row), colour in zip(edges, _coloured(edges, size), strict=True):
        run[colour][position] = row
    return tuple(chance.shuffled(map(tuple, run)))


Edge: TypeAlias = tuple[int, Row, Row]
"""The position of a card, the kind of its row, the row."""


def _edges(recipe: Recipe, size: int, rows: Mapping[Cell, Sequence[Row]], chance: Chance) -> Iterator[Edge]:
    """The rows of every pool dealt to its positions, `size` to each."""
    for pool, positions in enumerate(_pools(recipe)):
        in_pool = chance.shuffled(
            (kind, row) for (owner, kind), kind_rows in rows.items() if owner == pool for row in kind_rows
        )
        for number, (kind, row) in enumerate(in_pool):
            yield positions[number // size], kind, row


def _coloured(edges: Sequence[Edge], colours: int) -> list[int]:
    """A colour for each edge, so that no two edges of one colour meet. If the free colours of an edge's two ends
    differ, the path of these two colours from one end swaps them."""
    at: dict[Node, dict[int, int]] = {}
    colour_of: list[int] = []
    for number, (position, kind, _) in enumerate(edges):
        ends = at.setdefault(position, {}), at.setdefault(kind, {})
        first, second = (next(colour for colour in range(colours) if colour not in end) for end in ends)
        if first != second:
            _swap(edges, at, colour_of, kind, first, second)
        for end in ends:
            end[first] = number
        colour_of.append(first)
    return colour_of


def _swap(
    edges: Sequence[Edge], at: Mapping[Node, dict[int, int]], colour_of: list[int], end: Node, first: int, second: int
) -> None:
    """Swaps two colours along the path that starts at `end` with the first of them."""
    path: list[int] = []
    node, colour = end, first
    while colour in at[node]:
        number = at[node][colour]
        path.append(number)
        position, kind, _ = edges[number]
        node = kind if node == position else position
        colour = second if colour == first else first
    ends = [(number, node) for number in path for node in edges[number][:2]]
    for number, node in ends:
        at[node].pop(colour_of[number], None)
    for number in path:
        colour_of[number] = second if colour_of[number] == first else first
    for number, node in ends:
        at[node][colour_of[number]] = number
