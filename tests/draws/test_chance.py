"""Random draws are uniform and never change."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from generator.draws import Chance


def chi_square(counts, cells, draws):
    expected = draws / len(cells)
    return sum((counts[cell] - expected) ** 2 / expected for cell in cells)


# Values of chi-square that are exceeded once in a thousand times, by degrees of freedom.
ONE_IN_A_THOUSAND = {1: 10.828, 2: 13.816, 5: 20.515, 9: 27.877, 11: 31.264, 23: 49.728, 99: 148.230}


@pytest.mark.parametrize("n", [2, 3, 6, 10, 12, 100])
def test_numbers_are_uniform(n):
    chance = Chance(20)
    counts = Counter(chance.below(n) for _ in range(20_000))
    assert set(counts) == set(range(n))
    assert chi_square(counts, range(n), 20_000) < ONE_IN_A_THOUSAND[n - 1]


def test_successive_draws_are_independent():
    chance = Chance(3)
    counts = Counter((chance.below(10), chance.below(10)) for _ in range(20_000))
    assert chi_square(counts, [(a, b) for a in range(10) for b in range(10)], 20_000) < ONE_IN_A_THOUSAND[99]


def test_all_orders_are_equally_likely():
    chance = Chance(7)
    orders = list(permutations("abcd"))
    counts = Counter(tuple(chance.shuffled("abcd")) for _ in range(24_000))
    assert chi_square(counts, orders, 24_000) < ONE_IN_A_THOUSAND[23]


def test_choices_are_uniform_over_successive_seeds():
    counts = Counter(Chance(seed).choice("abcdef") for seed in range(6_000))
    assert chi_square(counts, "abcdef", 6_000) < ONE_IN_A_THOUSAND[5]


def test_below_one_is_zero_and_shuffling_does_not_change_the_list():
    assert {Chance(1).below(1) for _ in range(50)} == {0}
    items = [1, 2, 3, 4, 5, 6]
    assert sorted(Chance(1).shuffled(items)) == items == [1, 2, 3, 4, 5, 6]
    assert Chance(1).shuffled([]) == []


def test_the_sequences_are_frozen():
    """They must never change, because printed codes depend on them."""
    chance = Chance(2**50 - 1)
    assert [chance.below(1000) for _ in range(12)] == FROZEN_BELOW
    assert "".join(Chance(1234567890123).shuffled("abcdefghijklmnopqrstuvwxyz")) == FROZEN_ORDER
    chance = Chance(0)
    assert "".join(chance.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(5)) == FROZEN_CHOICE


FROZEN_BELOW = [560, 914, 582, 573, 987, 298, 508, 882, 861, 546, 409, 656]
FROZEN_ORDER = "oewucxkbghtqlsmanrziydjpfv"
FROZEN_CHOICE = "vtkgn"
