"""The shapes of blocks, and the best possible blocks on a grid. Row 0 is the lowest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache, lru_cache

from msgspec import Struct

from ...expressions.functions import Box

Boxes = frozenset[Box]
MAX_POSITIONS = 200_000
"""The number of positions after which the search gives up; it takes well under a second."""


class BlockShape(Struct, frozen=True):
    """A block shape: its points, its boxes in every orientation, moved to the bottom left corner or (`offsets`) seen
    from the leftmost box of the lowest row, and its `label` as printed."""

    name: str
    points: int
    orientations: frozenset[Boxes]
    offsets: tuple[tuple[Box, ...], ...]
    label: str = ""

    @property
    def size(self) -> int:
        return len(next(iter(self.orientations)))


def shape(
    name: str, points: int, drawn: tuple[str, ...], turned: bool = True, mirrored: bool = True, label: str = ""
) -> BlockShape:
    """A shape from its drawing with `#`, top row first. `turned` and `mirrored` say whether it may be."""
    boxes = frozenset(
        (column, -row) for row, line in enumerate(drawn) for column, sign in enumerate(line) if sign == "#"
    )
    ways = {boxes, frozenset((-column, row) for column, row in boxes)} if mirrored else {boxes}
    for _ in range(3 if turned else 0):
        ways |= {frozenset((row, -column) for column, row in way) for way in ways}
    orientations = frozenset(map(cornered, ways))
    offsets = [
        tuple((column - left, row - low) for column, row in way)
        for way in sorted(map(sorted, orientations))
        for left, low in [min(way, key=lambda box: box[::-1])]
    ]
    return BlockShape(name, points, orientations, tuple(offsets), label=label)


@lru_cache(1 << 12)
def cornered(boxes: Collection[Box]) -> Boxes:
    """The boxes moved to the bottom left corner."""
    left, low = min([column for column, _ in boxes]), min([row for _, row in boxes])
    return frozenset([(column - left, row - low) for column, row in boxes])


class BestBlocks(Struct, frozen=True):
    """The best blocks found, by shape, and their points; `exact` if no others can score more."""

    points: int
    blocks: tuple[tuple[str, Boxes], ...]
    exact: bool


def best_blocks(numbers: Mapping[Box, int], shapes: Iterable[BlockShape]) -> BestBlocks:
    """The blocks with the most points: each of one number, every shape at most once, no box in two blocks."""
    search = BlockSearch(numbers, tuple(sorted(shapes, key=lambda each: (-each.points, each.size, each.name))))
    search.visit(0, 0, 0, ())
    return BestBlocks(
        search.points,
        tuple(
            (search.shapes[shape].name, frozenset(box for box in numbers if mask & search.bit(box)))
            for mask, shape in search.blocks
        ),
        search.positions <= MAX_POSITIONS,
    )


class BlockSearch:
    """A depth-first branch and bound (https://en.wikipedia.org/wiki/Branch_and_bound). Goes through the boxes in order,
    row by row, and either covers each with a block that starts there or leaves it out.

    Sets of boxes and shapes are bits. Skips positions reached before with as many points, and positions from which the
    remaining shapes cannot beat the best result even if all of them fit."""

    def __init__(self, numbers: Mapping[Box, int], shapes: tuple[BlockShape, ...]) -> None:
        self.shapes = shapes
        widest = max([abs(column) for each in shapes for offsets in each.offsets for column, _ in offsets], default=0)
        self.stride = 1 + max([column for column, _ in numbers], default=0) + widest  # no block reaches the next row
        self.starts: dict[int, list[tuple[int, int]]] = {}
        self.useful = 0
        self.values = tuple([(shape.points, shape.size) for shape in shapes])
        masks, alike = _masks(shapes, self.stride), dict[int, int]()
        for box, number in numbers.items():
            alike[number] = alike.get(number, 0) | self.bit(box)
        for box, number in numbers.items():
            first, own = self.bit(box), alike[number]
            self.starts[first] = [(block, shape) for mask, shape in masks if (block := mask * first) & own == block]
            for block, _ in self.starts[first]:
                self.useful |= block
        self.points, self.positions = 0, 0
        self.blocks: tuple[tuple[int, int], ...] = ()
        self.seen: dict[tuple[int, int], int] = {}

    def bit(self, box: Box) -> int:
        return 1 << box[1] * self.stride + box[0]

    def visit(self, taken: int, used: int, points: int, blocks: tuple[tuple[int, int], ...]) -> None:
        """Visits a position: `taken` are the boxes covered or left out so far, `used` the shapes in `blocks`."""
        if points > self.points:
            self.points, self.blocks = points, blocks
        left = self.useful & ~taken
        if points + _most(self.values, used, left.bit_count()) <= self.points or self.positions > MAX_POSITIONS:
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


@lru_cache(16)
def _masks(shapes: tuple[BlockShape, ...], stride: int) -> list[tuple[int, int]]:
    """Every orientation of the shapes as bits, with its first box in the first place, and the index of the shape."""
    return [
        (sum(1 << row * stride + column for column, row in offsets), number)
        for number, shape in enumerate(shapes)
        for offsets in shape.offsets
    ]


@cache
def _most(values: tuple[tuple[int, int], ...], used: int, boxes: int) -> int:
    """The most points that the unused shapes can score with this many boxes. `values` has their points and sizes."""
    return max(
        [
            points + _most(values, used | 1 << number, boxes - size)
            for number, (points, size) in enumerate(values)
            if not used >> number & 1 and size <= boxes
        ],
        default=0,
    )
