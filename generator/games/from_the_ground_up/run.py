"""Print runs: N sets no two of which share a card, and as few cards as can be up to mirror and turning over.

How many sets can be had, and how little they must share, is exact. A run takes N rows for every card of the recipe,
each row for one star range only once: a flow from the cards' star ranges through rows to the kinds of alike rows, of
which a set has each at most once, so that a kind is taken at most N times. Of all such flows one of least cost is
taken, where a kind's second row costs 1, its third 2 and so on: the pairs of sets that share the kind. Every flow can
be dealt into N sets: its rows are the edges of a bipartite graph of cards and kinds with at most N at each end, and
by Kőnig's theorem such edges can be given N colours (the sets) so that no two of one colour meet.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import TypeAlias

from ...codes import SetCode
from ...codes.chance import Chance
from ...codes.setcode import SEED_BITS
from ...definitions.values import Span
from ...errors import fault
from .crates import Row
from .recipe import Recipe, plan

NUMBER_BITS = 7
"""Of a code's seed: so many bits for the number of the set in its run, so many for how many sets the run has."""
MOST = 1 << NUMBER_BITS
_SHARED_BITS = SEED_BITS - 2 * NUMBER_BITS

Run: TypeAlias = tuple[tuple[Row, ...], ...]
"""The sets of a run, each with the rows of its cards in print order."""
Node: TypeAlias = int | Row
Cell: TypeAlias = tuple[int, Row]
"""The number of a pool and a kind: the rows of that kind that a card of this pool may have."""


# ---- codes --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Numbered:
    """What the seed of a code of a run says: the run's own seed, the set's number in it (from 0), how many it has."""

    seed: int
    number: int
    size: int


def codes(recipe: Recipe, code: SetCode, size: int) -> list[SetCode]:
    """The codes of all sets of a run of this size that has the seed of `code`, in order; raises InputError naming the
    largest run that can be had where this one cannot."""
    most = largest(recipe)
    if size > most:
        raise fault(
            f"no run of {size} sets without a shared card can be had with recipe “{recipe.id}”",
            hint=f"the largest has {most}",
        )
    return _of(code, size)


def siblings(code: SetCode) -> list[SetCode]:
    """The codes of all sets of the run that a code is one of."""
    return _of(code, numbered(code.seed).size)


def _of(code: SetCode, size: int) -> list[SetCode]:
    shared = numbered(code.seed).seed
    return [replace(code, seed=(shared << NUMBER_BITS | size - 1) << NUMBER_BITS | number) for number in range(size)]


def numbered(seed: int) -> Numbered:
    """What the seed of a code of a run says."""
    return Numbered(seed >> (SEED_BITS - _SHARED_BITS), seed & MOST - 1, (seed >> NUMBER_BITS & MOST - 1) + 1)


def rows(recipe: Recipe, code: SetCode) -> tuple[Row, ...]:
    """The rows of the set that a code of a run names; raises InputError for one that no run has given out."""
    said = numbered(code.seed)
    if said.number >= said.size or said.size > largest(recipe):
        raise fault(f"the set code {code} names set {said.number + 1} of a run of {said.size}, and there is none")
    return sets(recipe, said.seed, said.size)[said.number]


# ---- how many -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def largest(recipe: Recipe) -> int:
    """The most sets a run of this recipe can have: exactly, but never more than codes can number."""
    low, high = 1, MOST + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _flow(recipe, middle, _cells(recipe)) else (low, middle)
    return low


@lru_cache(maxsize=8)
def _cells(recipe: Recipe) -> Mapping[Cell, tuple[Row, ...]]:
    """The rows of every kind, by pool."""
    found: dict[Cell, list[Row]] = {}
    for number, positions in enumerate(_pools(recipe)):
        for row, kind in chain.from_iterable(plan(recipe).pools[positions[0]].by_crates):
            found.setdefault((number, kind), []).append(row)
    return MappingProxyType({cell: tuple(rows) for cell, rows in found.items()})


@lru_cache(maxsize=8)
def _pools(recipe: Recipe) -> tuple[tuple[int, ...], ...]:
    """The positions of the cards that may be the same, pool by pool: those of one star range."""
    found: dict[Span, list[int]] = {}
    for number, position in enumerate(recipe.positions):
        found.setdefault(position.star, []).append(number)
    return tuple(map(tuple, found.values()))


# ---- the flow -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Flow:
    """Rows being taken: `taken` says how many of each cell, of the `capacity` there is, `loads` how many of each
    kind."""

    capacity: Mapping[Cell, int]
    most: int
    taken: dict[Cell, int]
    loads: dict[Row, int]
    by_pool: dict[int, list[Row]]
    by_kind: dict[Row, list[int]]

    def add(self, pool: int) -> bool:
        """Takes one row more for a pool, moving others where that costs less; False where there is no way.

        Moving rows from one kind to another costs nothing by itself, so the cheapest way ends at the kind with the
        least load among all that can be reached."""
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
        while (came := before[node]) is not None:
            if isinstance(came, int) and not isinstance(node, int):
                self.taken[came, node] += 1
            elif isinstance(node, int) and not isinstance(came, int):
                self.taken[node, came] -= 1
            node = came


def _flow(recipe: Recipe, size: int, cells: Mapping[Cell, tuple[Row, ...]]) -> dict[Cell, int] | None:
    """How many rows of each cell a run of this size takes; None where it cannot be had."""
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
    wanted = [pool for pool, positions in enumerate(_pools(recipe)) for _ in range(size * len(positions))]
    return flow.taken if all(flow.add(pool) for pool in wanted) else None


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
    made: list[list[Row]] = [[()] * len(recipe.positions) for _ in range(size)]
    for (position, _, row), colour in zip(edges, _coloured(edges, size), strict=True):
        made[colour][position] = row
    return tuple(chance.shuffled(map(tuple, made)))


Edge: TypeAlias = tuple[int, Row, Row]
"""The position of a card, the kind of its row, the row."""


def _edges(recipe: Recipe, size: int, rows: Mapping[Cell, Sequence[Row]], chance: Chance) -> Iterator[Edge]:
    """The rows of every pool dealt to its positions, `size` to each."""
    for pool, positions in enumerate(_pools(recipe)):
        own = chance.shuffled((kind, row) for (whose, kind), found in rows.items() if whose == pool for row in found)
        for number, (kind, row) in enumerate(own):
            yield positions[number // size], kind, row


def _coloured(edges: Sequence[Edge], colours: int) -> list[int]:
    """A colour for each edge, so that none meets another of its colour: where the free colours of its two ends
    differ, the path of these two colours that begins at one end changes them."""
    at: dict[Node, dict[int, int]] = {}
    found: list[int] = []
    for number, (position, kind, _) in enumerate(edges):
        one, other = at.setdefault(position, {}), at.setdefault(kind, {})
        here, there = (next(colour for colour in range(colours) if colour not in end) for end in (one, other))
        if here != there:
            _exchange(edges, at, found, kind, here, there)
        one[here] = other[here] = number
        found.append(here)
    return found


def _exchange(
    edges: Sequence[Edge], at: Mapping[Node, dict[int, int]], found: list[int], end: Node, here: int, there: int
) -> None:
    """Changes the colours `here` and `there` along the path that begins at `end` with `here`."""
    path: list[int] = []
    node, colour = end, here
    while colour in at[node]:
        number = at[node][colour]
        path.append(number)
        position, kind, _ = edges[number]
        node = kind if node == position else position
        colour = there if colour == here else here
    ends = [(number, node) for number in path for node in edges[number][:2]]
    for number, node in ends:
        at[node].pop(found[number], None)
    for number in path:
        found[number] = there if found[number] == here else here
    for number, node in ends:
        at[node][found[number]] = number
