"""Block shapes, turned and mirrored, and the best possible blocks in a grid."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, lru_cache

from ...fast_dataclasses import dataclass
from .snake import Box

Boxes = frozenset[Box]
MAX_POSITIONS = 200_000
"""The number of positions after which the search gives up; it takes well under a second."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A block shape: its points, its boxes in every orientation, moved to the bottom left corner, and its `label` as
    printed."""

    name: str
    points: int
    orientations: frozenset[Boxes]
    label: str = ""

    @property
    def size(self) -> int:
        return len(next(iter(self.orientations)))


def shape(
    name: str, points: int, drawn: tuple[str, ...], turned: bool = True, mirrored: bool = True, label: str = ""
) -> Shape:
    """A shape from its drawing with `#`, top row first. `turned` and `mirrored` say whether it may be."""
    boxes = frozenset(
        (column, -row) for row, line in enumerate(drawn) for column, sign in enumerate(line) if sign == "#"
    )
    ways = {boxes, frozenset((-column, row) for column, row in boxes)} if mirrored else {boxes}
    for _ in range(3 if turned else 0):
        ways |= {frozenset((row, -column) for column, row in way) for way in ways}
    return Shape(name, points, frozenset(map(cornered, ways)), label)


@lru_cache(1 << 12)
def cornered(boxes: Collection[Box]) -> Boxes:
    """The boxes moved to the bottom left corner."""
    left, low = min([column for column, _ in boxes]), min([row for _, row in boxes])
    return frozenset([(column - left, row - low) for column, row in boxes])


# ---- the best blocks ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Best:
    """The best blocks found, by shape, and their points; `exact` if no others can score more."""

    points: int
    blocks: tuple[tuple[str, Boxes], ...]
    exact: bool


def best(numbers: Mapping[Box, int], shapes: Iterable[Shape]) -> Best:
    """The blocks with the most points: each of one number, every shape at most once, no box in two blocks."""
    search = _Search(numbers, shapes)
    search.visit(0, 0, 0, ())
    return Best(
        search.points,
        tuple((search.shapes[n].name, search.boxes(mask)) for mask, n in search.blocks),
        search.positions <= MAX_POSITIONS,
    )


class _Search:
    """A depth-first branch and bound (https://en.wikipedia.org/wiki/Branch_and_bound). Goes through the boxes in order
    and either covers each with a block that starts there or leaves it out.

    Sets of boxes and shapes are bits. Skips positions reached before with as many points, and positions from which the
    remaining shapes cannot beat the best result even if all of them fit."""

    def __init__(self, numbers: Mapping[Box, int], shapes: Iterable[Shape]) -> None:
        self.plan = _plan(tuple(shapes), 1 + max((column for column, _ in numbers), default=0))
        self.shapes, self.most = self.plan.shapes, self.plan.most
        self.starts, self.useful = self.plan.blocks(numbers)
        self.points, self.positions = 0, 0
        self.blocks: tuple[tuple[int, int], ...] = ()
        self.seen: dict[tuple[int, int], int] = {}

    def visit(self, taken: int, used: int, points: int, blocks: tuple[tuple[int, int], ...]) -> None:
        """Visits a position: `taken` are the boxes covered or left out so far, `used` the shapes in `blocks`."""
        if points > self.points:
            self.points, self.blocks = points, blocks
        left = self.useful & ~taken
        if points + self.most(used, left.bit_count()) <= self.points or self.positions > MAX_POSITIONS:
            return
        self.positions += 1
        if self.seen.get((left, used), -1) >= points:
            return
        self.seen[left, used] = points
        first = left & -left
        for mask, shape in self.starts[first]:
            if not mask & taken and not used >> shape & 1:
                self.visit(
                    taken | mask, used | 1 << shape, points + self.shapes[shape].points, (*blocks, (mask, shape))
                )
        self.visit(taken | first, used, points, blocks)

    def boxes(self, mask: int) -> Boxes:
        return frozenset(
            (bit % self.plan.stride, bit // self.plan.stride) for bit in range(mask.bit_length()) if mask >> bit & 1
        )


class _Plan:
    """Data shared by all searches on grids of one width. Each box is a bit, row by row from the bottom; rows are far
    enough apart that no shape reaches from the end of one into the next."""

    def __init__(self, shapes: tuple[Shape, ...], columns: int) -> None:
        self.shapes = sorted(shapes, key=lambda each: (-each.points, each.size, each.name))
        self.stride = columns + max(
            (column for each in shapes for way in each.orientations for column, _ in way), default=0
        )
        self.orientations = [
            (number, self._bits(way))
            for number, each in enumerate(self.shapes)
            for way in sorted(map(sorted, each.orientations))
        ]
        self.most = cache(self._most)

    def _bits(self, way: Iterable[Box]) -> tuple[int, tuple[int, ...]]:
        """The boxes of a shape in the bottom left corner, as bits and as their indices."""
        places = tuple(row * self.stride + column for column, row in way)
        return sum(1 << place for place in places), places

    def blocks(self, numbers: Mapping[Box, int]) -> tuple[dict[int, list[tuple[int, int]]], int]:
        """For each box, the blocks of one number that start there with the index of their shape; and all boxes that
        belong to any block."""
        alike: dict[int, int] = {}
        for (column, row), number in numbers.items():
            alike[number] = alike.get(number, 0) | 1 << row * self.stride + column
        starts: dict[int, list[tuple[int, int]]] = {}
        useful = 0
        for number, (mask, places) in self.orientations:
            for boxes in alike.values():
                for corner in _corners(boxes, places):
                    block = mask << corner
                    starts.setdefault(block & -block, []).append((block, number))
                    useful |= block
        for free in _single(useful):
            starts.setdefault(free, [])
        return starts, useful

    def _most(self, used: int, boxes: int) -> int:
        """The most points that unused shapes with at most this many boxes in all can score."""
        rest = [
            number for number in range(len(self.shapes)) if not used >> number & 1 and self.shapes[number].size <= boxes
        ]
        return max(
            (self.shapes[n].points + self.most(used | 1 << n, boxes - self.shapes[n].size) for n in rest), default=0
        )


@lru_cache(maxsize=16)
def _plan(shapes: tuple[Shape, ...], columns: int) -> _Plan:
    return _Plan(shapes, columns)


def _corners(boxes: int, places: Iterable[int]) -> Iterator[int]:
    """The offsets at which all places of a shape are among the boxes."""
    corners = -1
    for place in places:
        corners &= boxes >> place
        if not corners:
            return
    yield from (corner.bit_length() - 1 for corner in _single(corners))


def _single(boxes: int) -> Iterator[int]:
    """The boxes one by one, as bits."""
    while boxes:
        yield boxes & -boxes
        boxes &= boxes - 1
