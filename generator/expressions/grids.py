"""Groups and lines of boxes on a grid: connected boxes, and the longest line that visits none of them twice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache, lru_cache
from itertools import product
from typing import TypeAlias

Box: TypeAlias = tuple[int, int]
"""Column and row, both from 0."""

Mates: TypeAlias = tuple[Box | None, ...]
"""The mates of the boxes in the frontier."""

Joints: TypeAlias = tuple[tuple[Box, Box], ...]
"""The pairs of boxes that are joined so far."""

FINAL: Box = (-1, -1)


Spend: TypeAlias = Callable[[int], None] | None
"""Counts the steps of a search, which may be many."""


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
        best = max(best, _walked(box, near), key=len)
        if len(best) == most:
            return best
    return LineSearch(near, len(best), spend).longest() or best


_remembered = lru_cache(1 << 14)(longest_through)
"""Simulated players of Upwards! ask for the same boxes again and again: it doubles the games in a second."""


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
