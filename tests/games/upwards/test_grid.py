"""Compares grids and their longest snakes with a box-by-box implementation."""

import random
from copy import copy
from itertools import pairwise, product

import pytest

from generator.expressions import functions as snake
from generator.games.upwards.play import Position, different, is_one_number, longest_snake, mark_of, typed
from tests.trials import seeds

COLUMNS, ROWS = range(4), range(8)


def random_marks(seed):
    """Marks by column and row: full grids and grids with gaps, many numbers or few, with and without meteorites."""
    rng = random.Random(seed)
    marks = rng.choice(["123456", "1234", "123456o", "66o1"])
    blank = rng.choice([0, 0.1, 0.6, 1])
    high = [rng.randint(0, 8) for _ in COLUMNS] if rng.random() < 0.5 else [8] * 4
    return {
        (column, row): rng.choice(marks)
        for row, column in product(ROWS, COLUMNS)
        if row < high[column] and (high != [8] * 4 or rng.random() >= blank)
    }


@seeds(100)
def test_a_grid_agrees_with_its_boxes(seed, known):
    marks = random_marks(seed)
    grid = Position(known, {box: mark_of(mark) for box, mark in marks.items()})
    columns = [[marks.get((column, row)) for row in ROWS] for column in COLUMNS]
    for number, column in enumerate(columns):
        assert len(grid.steps(number)) == sum(
            below in (*"123456",) and above == str(int(below) % 6 + 1) for below, above in pairwise(column)
        )
    assert len(grid.numbered) == sum(mark != "o" for mark in marks.values())
    for row in ROWS:
        here = [marks.get((column, row)) for column in COLUMNS]
        assert [typed(box) for box in grid.row(row)] == [mark or "." for mark in here]
        numbers = set(here) - {None, "o"}
        assert different(grid.row(row)) == sorted(map(int, numbers))
        assert is_one_number(known, grid.row(row)) == (None not in here and len(numbers) == 1)


@pytest.mark.parametrize("diagonal", [True, False])
@seeds(50)
def test_the_longest_snake_in_bits(seed, diagonal, known):
    """A longest snake of the lowest number that has one, for every minimum length."""
    numbered = {place: int(mark) for place, mark in random_marks(seed).items() if mark != "o"}
    by_number = [[place for place, number in numbered.items() if number == value] for value in range(1, 7)]
    lengths = [len(snake.longest(boxes, diagonal)) for boxes in by_number]
    rules = copy(known)
    rules.diagonal = diagonal
    line, most = longest_snake(rules, numbered), max(lengths)
    assert len(line) == (most if most > 1 else 0)
    if line:
        assert {numbered[box] for box in line} == {lengths.index(most) + 1}
        assert len({*line}) == most
        assert all(after in snake.neighbours(before, diagonal) for before, after in pairwise(line))
    for least in (1, most - 1, most):
        assert not line or longest_snake(rules, numbered, least) == line
    assert longest_snake(rules, numbered, most + 1) == ()
