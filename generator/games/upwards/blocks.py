"""Block shapes, turned and mirrored, and the best blocks that could be outlined in a grid."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain

from .snake import Box

Boxes = frozenset[Box]
MOST_LOOKS = 200_000
"""How many places of the search are looked at before it is given up, well within a second."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A block shape: its points, and its boxes in every way it may lie, moved into the lowest left corner."""

    name: str
    points: int
    ways: frozenset[Boxes]

    @property
    def size(self) -> int:
        return len(next(iter(self.ways)))


def shape(name: str, points: int, drawn: tuple[str, ...], turned: bool = True, mirrored: bool = True) -> Shape:
    """The shape drawn with `#`, the top row first, and whether it may be turned and mirrored."""
    boxes = frozenset((column, -row) for row, line in enumerate(drawn) for column, sign in enumerate(line)
                      if sign == "#")
    ways = {boxes, frozenset((-column, row) for column, row in boxes)} if mirrored else {boxes}
    for _ in range(3 if turned else 0):
        ways |= {frozenset((row, -column) for column, row in way) for way in ways}
    return Shape(name, points, frozenset(map(cornered, ways)))


@lru_cache(1 << 12)
def cornered(boxes: Collection[Box]) -> Boxes:
    """The boxes moved into the lowest left corner."""
    left, low = min([column for column, _ in boxes]), min([row for _, row in boxes])
    return frozenset([(column - left, row - low) for column, row in boxes])


# ---- the best blocks ------------------------------------------------------------------------------------------------

@dataclass(frozen=True, slots=True)
class Best:
    """Blocks that could be outlined, by shape, and their points; `exact` where no others are worth more."""

    points: int
    blocks: tuple[tuple[str, Boxes], ...]
    exact: bool


def best(numbers: Mapping[Box, int], shapes: Iterable[Shape]) -> Best:
    """The most points that blocks of one number each can make, every shape once and no box in two of them."""
    search = _Search(numbers, shapes)
    search.look(0, 0, 0, ())
    return Best(search.points, tuple((search.shapes[n].name, search.boxes(mask)) for mask, n in search.blocks),
                search.looks <= MOST_LOOKS)


class _Search:
    """Goes through the boxes in order, and covers each with a block whose first box it is or leaves it out.

    Boxes and shapes are bits of numbers. A place reached before with as many points is not looked at again, nor one
    from which the shapes left over could not make more than the best found, if they fitted."""

    def __init__(self, numbers: Mapping[Box, int], shapes: Iterable[Shape]) -> None:
        self.shapes = sorted(shapes, key=lambda each: (-each.points, each.size, each.name))
        self.order = sorted(numbers, key=lambda box: (box[1], box[0]))
        self.starts = self._starts(numbers)
        self.useful = 0
        for mask, _ in chain(*self.starts):
            self.useful |= mask
        self.points, self.looks = 0, 0
        self.blocks: tuple[tuple[int, int], ...] = ()
        self.seen: dict[tuple[int, int], int] = {}
        self.most = cache(self._most)

    def _starts(self, numbers: Mapping[Box, int]) -> list[list[tuple[int, int]]]:
        """For each box the blocks whose first one it is, as bits, with the number of the shape."""
        bit = {box: 1 << number for number, box in enumerate(self.order)}
        starts: list[list[tuple[int, int]]] = [[] for _ in self.order]
        for number, one in enumerate(self.shapes):
            for boxes in placings(one, numbers):
                mask = sum(bit[box] for box in boxes)
                starts[(mask & -mask).bit_length() - 1].append((mask, number))
        return starts

    def look(self, taken: int, used: int, points: int, blocks: tuple[tuple[int, int], ...]) -> None:
        """`taken`: the boxes covered or left out so far; `used`: the shapes."""
        if points > self.points:
            self.points, self.blocks = points, blocks
        left = self.useful & ~taken
        if points + self.most(used, left.bit_count()) <= self.points or self.looks > MOST_LOOKS:
            return
        self.looks += 1
        if self.seen.get((left, used), -1) >= points:
            return
        self.seen[left, used] = points
        first = left & -left
        for mask, shape in self.starts[first.bit_length() - 1]:
            if not mask & taken and not used >> shape & 1:
                self.look(taken | mask, used | 1 << shape, points + self.shapes[shape].points, (*blocks, (mask, shape)))
        self.look(taken | first, used, points, blocks)

    def _most(self, used: int, boxes: int) -> int:
        """The points of the shapes left over that have no more than so many boxes together."""
        rest = [number for number in range(len(self.shapes)) if not used >> number & 1 and
                self.shapes[number].size <= boxes]
        return max((self.shapes[n].points + self.most(used | 1 << n, boxes - self.shapes[n].size) for n in rest),
                   default=0)

    def boxes(self, mask: int) -> Boxes:
        return frozenset(box for number, box in enumerate(self.order) if mask >> number & 1)


def placings(one: Shape, numbers: Mapping[Box, int]) -> Iterator[Boxes]:
    """Every way to lay the shape on boxes of one number."""
    for way in sorted(map(sorted, one.ways)):
        (a, b), *others = way
        for (column, row), number in numbers.items():
            if all(numbers.get((column - a + c, row - b + r)) == number for c, r in others):
                yield frozenset((column - a + c, row - b + r) for c, r in way)
