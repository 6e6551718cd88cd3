"""The longest snake, compared with brute force on small grids, and the cost of the worst grids."""

import random
from itertools import pairwise, product

import pytest

from generator.expressions import functions as snake
from tests.games.upwards.referee import longest_snake
from tests.trials import seeds

HARD = [
    "####/##../####/####/#..#/##.#/#.#./#.#.",
    ".#.#/#.../#.##/####/####/.###/#.##/#..#",
    "#.##/#.##/.##./##.#/####/####/####/####",
    "####/#..#/#.##/##.#/..#./##../####/####",
    "####/####/####/####/####/####/####/####",
    "#.#./.#.#/#.#./.#.#/#.#./.#.#/#.#./.#.#",
    "####/#..#/#..#/####/####/#..#/#..#/####",
    ".##./####/.##./####/.##./####/.##./####",
]
"""Grids of one number that are hard for a depth-first search, found by hill climbing."""


def boxes_of(drawn):
    rows = drawn.split("/")
    return {
        (column, len(rows) - 1 - row)
        for row, line in enumerate(rows)
        for column, sign in enumerate(line)
        if sign == "#"
    }


def longest_by_force(boxes, diagonal):
    """The boxes of a longest line, by brute force."""

    def onward(box, seen):
        near = [other for other in boxes - seen if _touch(box, other, diagonal)]
        return 1 + max((onward(other, seen | {other}) for other in near), default=0)

    return max(onward(box, {box}) for box in boxes)


def _touch(one, other, diagonal):
    across, up = abs(one[0] - other[0]), abs(one[1] - other[1])
    return max(across, up) == 1 and (diagonal or across + up == 1)


def assert_is_line(line, boxes, diagonal=True):
    assert len(set(line)) == len(line)
    assert set(line) <= set(boxes)
    assert all(_touch(one, other, diagonal) for one, other in pairwise(line))


@pytest.mark.parametrize(("wide", "high"), [(2, 2), (2, 4), (4, 2), (3, 3), (1, 6)])
@pytest.mark.parametrize("diagonal", [True, False])
def test_every_small_grid(wide, high, diagonal):
    cells = list(product(range(wide), range(high)))
    for bits in range(1, 1 << len(cells)):
        boxes = {cell for number, cell in enumerate(cells) if bits >> number & 1}
        line = snake.longest(boxes, diagonal)
        assert_is_line(line, boxes, diagonal)
        assert len(line) == longest_by_force(boxes, diagonal), boxes


@seeds(20)
def test_grids_of_four_columns(seed):
    rng = random.Random(seed)
    cells = list(product(range(4), range(rng.randint(3, 8))))
    boxes = set(rng.sample(cells, min(len(cells), rng.randint(6, 12))))
    for diagonal in (True, False):
        line = snake.longest(boxes, diagonal)
        assert_is_line(line, boxes, diagonal)
        assert len(line) == longest_by_force(boxes, diagonal)


@seeds(20)
def test_every_number_of_a_grid(seed):
    """All numbers of a filled grid, compared with the referee."""
    rng = random.Random(seed)
    numbers = rng.choice(["123456", "1234", "12345o"])
    boxes = {cell: rng.choice(numbers) for cell in product(range(4), range(8))}
    best = max(
        (
            len(snake.longest([cell for cell, mark in boxes.items() if mark == number]))
            for number in set(boxes.values()) - {"o"}
        ),
        default=0,
    )
    assert (best if best > 1 else 0) == longest_snake(boxes)


@pytest.mark.parametrize(("drawn", "length"), list(zip(HARD, [22, 21, 27, 23, 32, 15, 24, 24], strict=True)))
def test_hard_grids(drawn, length):
    boxes = boxes_of(drawn)
    line = snake.longest(boxes)
    assert_is_line(line, boxes)
    assert len(line) == length


@pytest.mark.parametrize("drawn", HARD)
def test_the_worst_grid_has_few_ways(drawn, monkeypatch):
    """Without a known line, which would prune the search: never more than 2,000 between two boxes."""
    counted = []
    leave = snake.LineSearch._leave
    monkeypatch.setattr(
        snake.LineSearch, "_leave", lambda self, box: counted.append(len(self.ways)) or leave(self, box)
    )
    for patch in snake.patches(boxes_of(drawn)):
        near = {box: patch & snake.neighbours(box) for box in patch}
        assert len(snake.LineSearch(near, 1).longest() or (0,)) == len(snake.longest(patch))
        assert max(counted) < 2000


def test_a_line_may_cross_itself():
    """U1: two diagonals that cross in a corner."""
    assert len(snake.longest(boxes_of("##/##"))) == 4
    assert len(snake.longest(boxes_of("#.#/.#./#.#"))) == 3


def test_without_diagonals_a_chessboard_has_no_line():
    assert len(snake.longest(boxes_of("#.#./.#.#"), diagonal=False)) == 1
