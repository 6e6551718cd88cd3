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

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from typing import NamedTuple, TypeAlias

from ..turns import replaced

Box: TypeAlias = tuple[int, int]
"""Column and row, both from 0; row 0 is the lowest."""

Frontier: TypeAlias = tuple[int, ...]
OUT, FREE, FINAL, PAIR = 0, 1, 2, 3


class FrontierStep(NamedTuple):
    """One way to continue from a frontier: the next frontier (None if the line is finished), the frontier places joined
    to the new box, whether there is now only a single line, and how many boxes the line can gain on top of its joints
    so far and the boxes ahead: one for each line to be linked and one for each free box."""

    frontier: Frontier | None
    joined: tuple[int, ...]
    whole: bool
    spare: int


Joints: TypeAlias = tuple[tuple[Box, Box], ...]
"""The pairs of boxes that are joined so far."""


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
    return longer_line(patch, diagonal, len(best)) or best


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


# ---- the search ---------------------------------------------------------------------------------------------------


def longer_line(patch: frozenset[Box], diagonal: bool, best: int) -> tuple[Box, ...]:
    """A longest line of more than `best` connected boxes; empty if there is none."""
    columns, rows = ([box[axis] for box in patch] for axis in (0, 1))
    left, wide = min(columns), max(columns) - min(columns) + 1
    order = [(column, row) for row in range(min(rows), max(rows) + 1) for column in range(left, left + wide)]
    ways: dict[Frontier, Joints] = {(OUT,) * (wide + 1): ()}
    line: Joints = ()
    ahead = len(patch)
    for number, box in enumerate(order):
        ahead -= box in patch
        beside = _behind(box[0] - left, wide, diagonal) if box in patch else None
        onward: dict[Frontier, Joints] = {}
        for before, way in ways.items():
            for frontier, joined, whole, spare in steps(before, beside):
                count = len(way) + len(joined)
                if count + spare + ahead <= best:
                    continue
                joints = (*way, *((box, order[number - wide - 1 + place]) for place in joined))
                if whole and count >= best:
                    best, line = count + 1, joints
                if frontier is not None and (frontier not in onward or len(onward[frontier]) < count):
                    onward[frontier] = joints
        ways = onward
    return _in_order(line)


def _behind(column: int, wide: int, diagonal: bool) -> tuple[int, ...]:
    """The frontier places of the neighbours behind a box."""
    corners = ([0] if column else []) + ([2] if column < wide - 1 else []) if diagonal else []
    return (1, *corners, *([wide] if column else []))


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


@cache
def steps(frontier: Frontier, beside: tuple[int, ...] | None) -> tuple[FrontierStep, ...]:
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


def _moved_on(frontier: Frontier, label: int, joined: tuple[int, ...]) -> Iterator[FrontierStep]:
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
        yield FrontierStep(_relabelled(others), joined, lines == 1, lines + others.count(FREE))


def _finished(others: Sequence[int], joined: tuple[int, ...]) -> Iterator[FrontierStep]:
    """The step that makes both ends of a line final, if no other line is open. Nothing can follow it."""
    if max(others) < FINAL:
        yield FrontierStep(None, joined, True, 1)


def _relabelled(labels: list[int]) -> Frontier:
    """The same frontier with its pairs numbered in order of appearance."""
    fresh: dict[int, int] = {}
    return tuple(label if label < PAIR else fresh.setdefault(label, PAIR + len(fresh)) for label in labels)
