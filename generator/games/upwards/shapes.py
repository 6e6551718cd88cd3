"""The shapes on the grid: the longest snake, and the best possible blocks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache, lru_cache
from itertools import product
from typing import TypeAlias

from msgspec import Struct

Box: TypeAlias = tuple[int, int]
"""Column and row, both from 0; row 0 is the lowest."""

Mates: TypeAlias = tuple[Box | None, ...]
"""The mates of the boxes in the frontier."""

Joints: TypeAlias = tuple[tuple[Box, Box], ...]
"""The pairs of boxes that are joined so far."""

FINAL: Box = (-1, -1)


def longest_numbered(numbered: Mapping[Box, int], diagonal: bool, least: int) -> tuple[Box, ...]:
    """A longest line through boxes with one number; if several numbers have one, the line of the lowest number. Empty
    if no line has `least` boxes."""
    lines = [
        longest([box for box, mark in numbered.items() if mark == number], diagonal)
        for number in sorted({*numbered.values()})
    ]
    line = max(lines, key=len, default=())
    return line if len(line) >= least else ()


def longest(boxes: Collection[Box], diagonal: bool = True) -> tuple[Box, ...]:
    """A longest line through the boxes, from end to end; a single box if no two touch."""
    best: tuple[Box, ...] = ()
    for patch in sorted(patches(boxes, diagonal), key=len, reverse=True):
        if len(patch) > len(best):
            best = max(best, longest_through(patch, diagonal), key=len)
    return best


@lru_cache(1 << 14)
def longest_through(patch: frozenset[Box], diagonal: bool) -> tuple[Box, ...]:
    """A longest line through connected boxes. Simulated players ask for the same boxes again and again; remembering the
    lines doubles the number of games in a second."""
    near = {box: patch & neighbours(box, diagonal) for box in patch}
    ends = sum([len(others) == 1 for others in near.values()])
    most = len(patch) - max(0, ends - 2)  # a line has two ends
    best: tuple[Box, ...] = ()
    for box in sorted(patch):
        best = max(best, _walked(box, near), key=len)
        if len(best) == most:
            return best
    return LineSearch(near, len(best)).longest() or best


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


def _walked(box: Box, near: Mapping[Box, frozenset[Box]]) -> tuple[Box, ...]:
    """A line from this box that always goes to the neighbour with the fewest exits: Warnsdorff's rule for knight's
    tours (https://en.wikipedia.org/wiki/Knight%27s_tour#Warnsdorff's_rule). The result is rarely far from the
    longest."""
    line, left = [box], set(near) - {box}
    while ways := near[line[-1]] & left:
        line.append(min(ways, key=lambda other: (len(near[other] & left), other)))
        left.remove(line[-1])
    return tuple(line)


class LineSearch:
    """The search for a line of more than `best` connected boxes, which `near` lists with their neighbours. `ways` are
    the joints so far by the mates of the boxes in the frontier, `line` are the joints of the longest line."""

    def __init__(self, near: Mapping[Box, frozenset[Box]], best: int) -> None:
        self.near, self.best = near, best
        self.line: Joints = ()
        self.frontier: list[Box] = []
        self.ways: dict[Mates, Joints] = {(): ()}

    def longest(self) -> tuple[Box, ...]:
        """The boxes of a longest line, from end to end; empty if none has more than `best`."""
        order = sorted(self.near, key=lambda box: box[::-1])
        for done, box in enumerate(order, 1):
            self.frontier.append(box)
            self.ways = {(*mates, box): joints for mates, joints in self.ways.items()}
            for other in self.frontier:
                if other in self.near[box]:
                    self._join(other, box)
            for other in [other for other in self.frontier if self.near[other].isdisjoint(order[done:])]:
                self._leave(other)
            ahead = len(order) - done
            self.ways = {  # an end or a box by itself can gain one joint, and so can every box ahead
                mates: joints
                for mates, joints in self.ways.items()
                if len(joints) + len(mates) - mates.count(None) + ahead > self.best
            }
        return _in_order(self.line)

    def _join(self, one: Box, other: Box) -> None:
        """Joins two boxes, wherever neither is inside a line and they are not the ends of the same line."""
        for mates, joints in [*self.ways.items()]:
            by_box = dict(zip(self.frontier, mates, strict=True))
            a, b = by_box[one], by_box[other]
            if a is not None and b is not None and a != other:
                joined = {**by_box, one: None, other: None, a: b, b: a}
                self._add(self.ways, joined, (*joints, (one, other)), a == b == FINAL)

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
