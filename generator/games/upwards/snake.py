"""The longest snake: the longest line through boxes with one number, from each to a neighbour, no box twice.

The search goes through the grid box by box, row by row from the bottom. For every way to join the boxes behind it, it
keeps only what still matters: the *frontier*, the last boxes that can have neighbours ahead. (This is the frontier
method of Knuth's Simpath, The Art of Computer Programming 4A, 7.1.4, exercise 225, with the longest line instead of the
number of lines.) Each frontier box is

- 0: out, because it holds something else or already has two joints;
- 1: free, not joined to anything yet;
- 2: the open end of a line whose other end is final (behind the frontier);
- 3 or higher: the open end of a line whose other end is the frontier box with the same label.

Of all ways with the same frontier, only one with the most joints is kept. Four columns have fewer than 500 frontiers,
so even the worst grid is fast, however many lines it contains.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from typing import NamedTuple, TypeAlias

from ..turns import replaced

Box: TypeAlias = tuple[int, int]
"""Column and row, both from 0; row 0 is the lowest."""

Frontier: TypeAlias = tuple[int, ...]
OUT, FREE, FINAL, PAIR = 0, 1, 2, 3


class Step(NamedTuple):
    """One way to continue from a frontier: the next frontier (None if the line is finished), the frontier places joined
    to the new box, whether there is now only a single line, and how many boxes the line can gain on top of its joints
    so far and the boxes ahead: one for each line to be linked and one for each free box."""

    frontier: Frontier | None
    joined: tuple[int, ...]
    whole: bool
    spare: int


class Way(NamedTuple):
    """The best way to a frontier: its joints, the frontier before, and what the last box was joined to."""

    joints: int
    before: Frontier
    joined: tuple[int, ...]


def longest(boxes: Collection[Box], diagonal: bool = True) -> tuple[Box, ...]:
    """A longest line through the boxes, from end to end; a single box if no two touch."""
    best: tuple[Box, ...] = ()
    for patch in sorted(patches(boxes, diagonal), key=len, reverse=True):
        if len(patch) > len(best):
            best = max(best, longest_through(patch, diagonal, len(best)), key=len)
    return best


def longest_through(patch: frozenset[Box], diagonal: bool, length: int = 0) -> tuple[Box, ...]:
    """A longest line through connected boxes; any line if none is longer than `length`."""
    near = {box: patch & neighbours(box, diagonal) for box in patch}
    ends = sum([len(others) == 1 for others in near.values()])
    most = len(patch) - max(0, ends - 2)  # a line has two ends
    best: tuple[Box, ...] = ()
    for box in sorted(patch):
        best = max(best, _walked(box, near), key=len)
        if len(best) == most:
            return best
    return best if length >= most else _Search(patch, diagonal, max(len(best), length)).line() or best


def patches(boxes: Collection[Box], diagonal: bool = True) -> list[frozenset[Box]]:
    """The boxes in connected groups."""
    left, connected = set(boxes), []
    while left:
        edge = [left.pop()]
        patch = set(edge)
        while edge:
            near = left & neighbours(edge.pop(), diagonal)
            left -= near
            patch |= near
            edge += near
        connected.append(frozenset(patch))
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


# ---- the search ---------------------------------------------------------------------------------------------------


class _Search:
    """Searches connected boxes for a line of more than `best` boxes. `layers` holds the frontiers after each box of
    `order`; `end` is the box that completed the best line, and how it was reached."""

    def __init__(self, patch: frozenset[Box], diagonal: bool, best: int) -> None:
        columns, rows = ([box[i] for box in patch] for i in (0, 1))
        self.patch, self.diagonal, self.best = patch, diagonal, best
        self.left, self.wide = min(columns), max(columns) - min(columns) + 1
        self.order = [
            (column, row)
            for row in range(min(rows), max(rows) + 1)
            for column in range(self.left, self.left + self.wide)
        ]
        self.layers: list[dict[Frontier, Way]] = [{(OUT,) * (self.wide + 1): Way(0, (), ())}]
        self.end: tuple[int, Way] | None = None

    def line(self) -> tuple[Box, ...] | None:
        """The longest line, or None if none is longer than `best`."""
        ahead = len(self.patch)
        for number, box in enumerate(self.order):
            ahead -= box in self.patch
            self.layers.append(self._layer(number, self._beside(box), ahead))
        return _in_order(self._joints(*self.end)) if self.end else None

    def _beside(self, box: Box) -> tuple[int, ...] | None:
        """The frontier places of the box's neighbours behind it; None for a box outside the patch."""
        if box not in self.patch:
            return None
        column = box[0] - self.left
        corners = ([0] if column else []) + ([2] if column < self.wide - 1 else []) if self.diagonal else []
        return (1, *corners, *([self.wide] if column else []))

    def _layer(self, number: int, beside: tuple[int, ...] | None, ahead: int) -> dict[Frontier, Way]:
        layer: dict[Frontier, Way] = {}
        for before, way in self.layers[-1].items():
            for frontier, joined, whole, spare in steps(before, beside):
                joints = way.joints + len(joined)
                if joints + spare + ahead <= self.best:
                    continue
                if whole and joints >= self.best:
                    self.best, self.end = joints + 1, (number, Way(joints, before, joined))
                if frontier is not None and (frontier not in layer or layer[frontier].joints < joints):
                    layer[frontier] = Way(joints, before, joined)
        return layer

    def _joints(self, number: int, way: Way) -> dict[Box, list[Box]]:
        """For each box of the line the boxes it is joined to, traced back from the last joint."""
        joints: dict[Box, list[Box]] = {}
        while True:
            for place in way.joined:
                box, behind = self.order[number], self.order[number - self.wide - 1 + place]
                joints.setdefault(box, []).append(behind)
                joints.setdefault(behind, []).append(box)
            if number == 0:
                return joints
            way, number = self.layers[number][way.before], number - 1


def _in_order(joints: dict[Box, list[Box]]) -> tuple[Box, ...]:
    line = [min(box for box, others in joints.items() if len(others) == 1)]
    while len(line) < len(joints):
        line.append(next(box for box in joints[line[-1]] if box not in line[-2:]))
    return tuple(line)


@cache
def steps(frontier: Frontier, beside: tuple[int, ...] | None) -> tuple[Step, ...]:
    """Every way to continue to the next box, with its neighbours `beside` (None if it holds something else)."""
    if beside is None:
        return tuple(_moved_on(frontier, OUT, ()))
    near = [place for place in beside if frontier[place] != OUT]
    onward = [*_moved_on(frontier, FREE, ())]
    for place in near:
        onward += _moved_on(*_joined_to_one(frontier, place), (place,))
    for a, b in combinations(near, 2):
        if frontier[a] == frontier[b] == FINAL:
            onward += _finished(replaced(replaced(frontier, a, OUT), b, OUT), (a, b))
        elif frontier[a] != frontier[b] or frontier[a] == FREE:  # otherwise the line would close into a ring
            onward += _moved_on(_linked(frontier, a, b), OUT, (a, b))
    return tuple(onward)


def _joined_to_one(frontier: Frontier, place: int) -> tuple[Frontier, int]:
    """The frontier after the new box was joined to this place, and the label of the new box."""
    label = frontier[place]
    if label == FREE:
        fresh = max(*frontier, FINAL) + 1
        return replaced(frontier, place, fresh), fresh
    return replaced(frontier, place, OUT), label


def _linked(frontier: Frontier, a: int, b: int) -> Frontier:
    """The frontier after the new box has linked two places: two free boxes, a free one and a line, or two lines."""
    low, high = sorted((frontier[a], frontier[b]))
    if high == FREE:
        fresh = max(*frontier, FINAL) + 1
        return replaced(replaced(frontier, a, fresh), b, fresh)
    if low == FREE:
        free, end = (a, b) if frontier[a] == FREE else (b, a)
        return replaced(replaced(frontier, free, high), end, OUT)
    apart = replaced(replaced(frontier, a, OUT), b, OUT)
    return tuple(low if label == high else label for label in apart)


def _moved_on(frontier: Frontier, label: int, joined: tuple[int, ...]) -> Iterator[Step]:
    """The step that adds the new box to the frontier and removes the oldest. There is none if a finished line would
    stay behind while another is begun, or if a third end would become final."""
    oldest, *others = (*frontier, label)
    if oldest == FINAL:
        yield from _finished(others, joined)
        return
    if oldest >= PAIR:
        others = [FINAL if other == oldest else other for other in others]
    if others.count(FINAL) <= 2:
        lines = others.count(FINAL) + sum(other >= PAIR for other in others) // 2
        yield Step(_relabelled(others), joined, lines == 1, lines + others.count(FREE))


def _finished(others: Sequence[int], joined: tuple[int, ...]) -> Iterator[Step]:
    """The step that makes both ends of a line final, if no other line is open. Nothing can follow it."""
    if max(others) < FINAL:
        yield Step(None, joined, True, 1)


def _relabelled(labels: list[int]) -> Frontier:
    """The same frontier with its pairs numbered in order of appearance."""
    fresh: dict[int, int] = {}
    return tuple(label if label < PAIR else fresh.setdefault(label, PAIR + len(fresh)) for label in labels)


# ---- grids as bits ---------------------------------------------------------------------------------------------------
#
# Boxes are the bits of a number, row by row from below, with a bit between two rows that is never set, so that a
# shift moves all boxes at once (https://www.chessprogramming.org/Fill_Algorithms). Connected boxes of the same shape
# have the same longest line wherever they are, and most shapes occur many times.


def longest_numbered(numbered: Mapping[Box, int], columns: int, diagonal: bool, least: int) -> tuple[Box, ...]:
    """A longest line through boxes with one number; if several numbers have one, the line of the lowest number. Empty
    if no line has `least` boxes. `columns` is the width of the grid."""
    wide, boxes = columns + 1, dict[int, int]()
    for (column, row), number in numbered.items():
        boxes[number] = boxes.get(number, 0) | 1 << row * wide + column
    return longest_of([mask for _, mask in sorted(boxes.items())], wide, diagonal, least)


def longest_of(masks: Iterable[int], wide: int, diagonal: bool, least: int) -> tuple[Box, ...]:
    """As `longest_numbered`, for boxes given as bits, lowest number first; `wide` is the distance between two rows."""
    best, lowest = tuple[Box, ...](), 0
    for size, above, mask in sorted(
        [(size, -number, mask) for number, mask in enumerate(masks) if (size := mask.bit_count()) >= least],
        reverse=True,
    ):
        number = -above
        min_size = max(len(best) + (number > lowest), least)
        if size < min_size:
            continue
        for patch in sorted(_patch_masks(mask, wide, diagonal, min_size), key=int.bit_count, reverse=True):
            if patch.bit_count() < min_size:
                break
            line = _line_through(patch, wide, diagonal)
            if len(line) >= min_size:
                best, lowest, min_size = line, number, len(line) + 1
    return best


def _patch_masks(boxes: int, wide: int, diagonal: bool, least: int) -> Iterator[int]:
    """The connected groups of at least `least` boxes."""
    if least > 1 and boxes.bit_count() >= least:
        boxes &= _around(boxes, wide, diagonal)
    while boxes.bit_count() >= least:
        patch, more = 0, boxes & -boxes
        while more != patch:
            patch, more = more, (more | _around(more, wide, diagonal)) & boxes
        boxes ^= patch
        if patch.bit_count() >= least:
            yield patch


def _around(boxes: int, wide: int, diagonal: bool) -> int:
    """The neighbours of these boxes, which can include some of the boxes."""
    beside = boxes << 1 | boxes >> 1
    upright = boxes | beside if diagonal else boxes
    return beside | upright << wide | upright >> wide


def _line_through(patch: int, wide: int, diagonal: bool) -> tuple[Box, ...]:
    """A longest line through connected boxes, cached for the patch moved to the lowest row."""
    row = ((patch & -patch).bit_length() - 1) // wide
    return tuple([(column, row + up) for column, up in _line_of(patch >> row * wide, wide, diagonal)])


@lru_cache(1 << 14)
def _line_of(patch: int, wide: int, diagonal: bool) -> tuple[Box, ...]:
    boxes = frozenset([(bit % wide, bit // wide) for bit in range(patch.bit_length()) if patch >> bit & 1])
    return longest_through(boxes, diagonal)
