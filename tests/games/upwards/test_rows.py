"""Compares cached rows and bitboards with a box-by-box implementation."""

import random
from itertools import pairwise, product

import pytest

from generator.games.upwards import snake
from generator.games.upwards.rows import rows_of
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


def ordered(marks):
    return [tuple(marks.get((column, row)) for column in COLUMNS) for row in ROWS]


@seeds(200)
def test_a_grid_agrees_with_its_boxes(seed, known):
    marks, rows = random_marks(seed), rows_of(known)
    grid = rows.grid(ordered(marks))
    assert grid == rows.grid(ordered(marks))
    columns = [[marks.get((column, row)) for row in ROWS] for column in COLUMNS]
    assert rows.steps(grid) == [
        sum(below in (*"123456",) and above == str(int(below) % 6 + 1) for below, above in pairwise(column))
        for column in columns
    ]
    assert grid.steps.bit_count() == sum(rows.steps(grid))
    assert rows.has_gaps(grid.bits) == any(
        below is None and above is not None for column in columns for below, above in pairwise(column)
    )
    assert rows.has_meteorites(grid.bits) == ("o" in marks.values())
    assert len(grid.rows) == len(ROWS)
    for row, held in enumerate(grid.rows):
        here = [marks.get((column, row)) for column in COLUMNS]
        assert ["o" if box == 0 else box and str(box) for box in held.boxes] == here
        numbers = set(here) - {None, "o"}
        assert held.different == len(numbers)
        assert held.alike == (None not in here and len(numbers) == 1)


@pytest.mark.parametrize("seed", range(20))
def test_missing_rows_are_empty(seed, known):
    marks, rows = ordered(random_marks(seed)), rows_of(known)
    for typed in range(len(ROWS) + 1):
        assert rows.grid(marks[:typed]) == rows.grid(marks[:typed] + [(None,) * 4] * (len(ROWS) - typed))


@pytest.mark.parametrize("diagonal", [True, False])
@seeds(100)
def test_the_longest_snake_in_bits(seed, diagonal, known):
    """A longest snake of the lowest number that has one, for every minimum length."""
    numbered = {place: int(mark) for place, mark in random_marks(seed).items() if mark != "o"}
    by_number = [[place for place, number in numbered.items() if number == value] for value in range(1, 7)]
    lengths = [len(snake.longest(boxes, diagonal)) for boxes in by_number]
    line, most = snake.longest_numbered(numbered, 4, diagonal, 2), max(lengths)
    assert len(line) == (most if most > 1 else 0)
    if line:
        assert {numbered[box] for box in line} == {lengths.index(most) + 1}
        assert len({*line}) == most
        assert all(after in snake.neighbours(before, diagonal) for before, after in pairwise(line))
    for least in (1, most - 1, most):
        assert not line or snake.longest_numbered(numbered, 4, diagonal, least) == line
    assert snake.longest_numbered(numbered, 4, diagonal, most + 1) == ()


def test_typed_and_played_grids_have_the_same_bits(known):
    """A typed sheet and a played sheet give the same grid."""
    marks = ordered(random_marks(3))
    assert rows_of(known).grid(marks) == rows_of(known).grid(
        [tuple(None if mark is None else 0 if mark == "o" else int(mark) for mark in row) for row in marks]
    )
