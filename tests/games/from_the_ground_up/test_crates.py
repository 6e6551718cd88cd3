"""Compares the counting of rows with brute force."""

from __future__ import annotations

import random
from itertools import product

import pytest

from generator.games.from_the_ground_up import play as crates

SYMBOLS = ("lower", "higher", "equal", "unequal")
READINGS = ("neighbour", "first")
HOLDS = {
    "lower": lambda left, right: right < left,
    "higher": lambda left, right: right > left,
    "equal": lambda left, right: right == left,
    "unequal": lambda left, right: right != left,
}


def follows(symbols, row, compare):
    """Whether a full row follows every symbol, checked one by one."""
    return all(HOLDS[s](row[i] if compare == "neighbour" else row[0], row[i + 1]) for i, s in enumerate(symbols))


def outcomes(symbols, values, compare, numbers):
    """For each way to fill the blanks with `numbers`, whether the row follows all symbols."""
    choices = [numbers if value is None else (value,) for value in values]
    return (follows(symbols, row, compare) for row in product(*choices))


def brute_force(symbols, values, compare, numbers):
    """The number of ways to fill the blanks with `numbers`, by brute force."""
    return sum(outcomes(symbols, values, compare, numbers))


def rows(most):
    return [row for n in range(1, most) for row in product(SYMBOLS, repeat=n)]


def some_values(dice, crates_in_row, faces, blank):
    return tuple(None if dice.random() < blank else dice.choice(faces) for _ in range(crates_in_row))


@pytest.mark.parametrize("compare", READINGS)
def test_ways_of_every_blank_row_up_to_five_crates(compare):
    for crates_in_row in range(2, 6):
        by_row = dict.fromkeys(product(SYMBOLS, repeat=crates_in_row - 1), 0)
        for filled in product(range(1, 7), repeat=crates_in_row):
            fitting = [
                [s for s in SYMBOLS if HOLDS[s](filled[i] if compare == "neighbour" else filled[0], right)]
                for i, right in enumerate(filled[1:])
            ]
            for symbols in product(*fitting):
                by_row[symbols] += 1
        assert by_row == {symbols: crates.ways(symbols, compare) for symbols in by_row}


@pytest.mark.parametrize("compare", READINGS)
def test_every_partly_filled_row_up_to_three_crates(compare):
    for symbols in rows(3):
        for values in product((None, 1, 2, 3, 4, 5, 6), repeat=len(symbols) + 1):
            expected = brute_force(symbols, values, compare, range(1, 7))
            assert crates.ways(symbols, compare, values) == expected


@pytest.mark.parametrize("compare", READINGS)
def test_partly_filled_rows_of_four_and_five_crates(compare):
    dice = random.Random(4)
    for symbols in (row for row in rows(5) if len(row) > 2):
        for _ in range(4):
            values = some_values(dice, len(symbols) + 1, range(1, 7), 0.5)
            expected = brute_force(symbols, values, compare, range(1, 7))
            assert crates.ways(symbols, compare, values) == expected, (symbols, values)


@pytest.mark.parametrize("compare", READINGS)
def test_contradictions_in_rows_up_to_four_crates(compare):
    """For crates that hold 1–4 and at most two blanks, −1 … 8 stands for all whole numbers."""
    for symbols in rows(4):
        for values in product((None, 1, 2, 4), repeat=len(symbols) + 1):
            possible = any(outcomes(symbols, values, compare, range(-2, 8)))
            assert (crates.contradictions(symbols, values, compare) == []) == possible, (symbols, values)


@pytest.mark.parametrize("compare", READINGS)
def test_contradictions_in_long_rows(compare):
    """Compared with a plain search over −8 … 14 that follows all possible values from the left."""
    dice = random.Random(9)
    counts = {True: 0, False: 0}
    for _ in range(1500):
        symbols = tuple(dice.choice(SYMBOLS) for _ in range(dice.randint(4, 6)))
        values = some_values(dice, len(symbols) + 1, range(1, 7), 0.7)
        possible = search(symbols, values, compare, range(-8, 15))
        assert (crates.contradictions(symbols, values, compare) == []) == possible, (symbols, values)
        counts[possible] += 1
    assert min(counts.values()) > 100


def search(symbols, values, compare, numbers):
    candidates = [set(numbers) if value is None else {value} for value in values]
    if compare == "first":
        return any(
            all(any(HOLDS[s](first, n) for n in candidates[i + 1]) for i, s in enumerate(symbols))
            for first in candidates[0]
        )
    reached = candidates[0]
    for i, symbol in enumerate(symbols):
        reached = {right for right in candidates[i + 1] if any(HOLDS[symbol](left, right) for left in reached)}
    return bool(reached)


@pytest.mark.parametrize("compare", READINGS)
def test_groups_are_contradictory_and_minimal(compare):
    dice = random.Random(16)
    sizes = set()
    for _ in range(600):
        symbols = tuple(dice.choice(SYMBOLS) for _ in range(dice.randint(2, 5)))
        values = some_values(dice, len(symbols) + 1, range(1, 5), 0.5)
        for group in crates.contradictions(symbols, values, compare):
            sizes.add(len(group))
            alone = [value if i + 1 in group else None for i, value in enumerate(values)]
            assert None not in (values[crate - 1] for crate in group)
            assert not search(symbols, alone, compare, range(-6, 12))
            for crate in group:
                fewer = [None if i + 1 == crate else value for i, value in enumerate(alone)]
                assert search(symbols, fewer, compare, range(-6, 12))
    assert 2 in sizes
    assert compare == "first" or sizes == {2}


@pytest.mark.parametrize(
    ("symbols", "values", "expected"),
    [
        (("lower", "lower"), (3, None, 2), [(1, 3)]),
        (("lower", "lower"), (3, None, 1), []),
        (("lower", "lower"), (1, None, None), []),
        (("equal", "unequal"), (4, None, 4), [(1, 3)]),
        (("unequal", "unequal"), (4, None, 4), []),
        (("equal", "equal", "equal"), (2, 3, None, 4), [(1, 2), (2, 4)]),
        (("unequal", "equal"), (4, None, 4), [(1, 3)]),
        (("lower", "unequal", "higher"), (3, None, None, 1), []),
        (("higher",), (None, None), []),
    ],
)
def test_contradictions_between_neighbours(symbols, values, expected):
    assert crates.contradictions(symbols, values) == expected


@pytest.mark.parametrize(
    ("symbols", "values", "expected"),
    [
        (("lower", "lower"), (3, None, 2), []),
        (("lower", "lower"), (3, 4, 5), [(1, 2), (1, 3)]),
        (("lower", "higher"), (None, 4, 5), [(2, 3)]),
        (("lower", "higher"), (None, 4, 6), []),
        (("lower", "higher", "unequal"), (None, 4, 6, 5), [(2, 3, 4)]),
        (("lower", "higher", "unequal", "unequal"), (None, 3, 6, 4, 5), [(2, 3, 4, 5)]),
        (("equal", "equal"), (None, 3, 4), [(2, 3)]),
    ],
)
def test_contradictions_with_the_first_crate(symbols, values, expected):
    assert crates.contradictions(symbols, values, "first") == expected


def test_running_out_of_die_values_is_not_a_contradiction():
    assert crates.contradictions(("lower", "lower"), (2, None, None)) == []
    assert not crates.ways(("lower", "lower"), values=(2, None, None))


def test_there_may_be_fewer_values_than_crates():
    assert crates.ways(("lower", "lower"), values=(6,)) == 10


def test_only_reversed_and_turned_over_rows_are_alike():
    row = ("lower", "equal", "higher", "lower")
    same = {
        ("lower", "equal", "higher", "lower"),
        ("lower", "higher", "equal", "lower"),
        ("higher", "equal", "lower", "higher"),
        ("higher", "lower", "equal", "higher"),
    }
    assert {other for other in product(SYMBOLS, repeat=4) if crates.alike(other) == crates.alike(row)} == same


def test_a_row_as_text():
    assert crates.row_text(("lower", "higher", "equal", "unequal")) == "□ ▼ □ ▲ □ = □ ≠ □"
