"""Intervals, against values from textbooks and against theory."""

import random
from math import sqrt

import pytest

from generator.simulation.report import NOTHING, mean_with_interval, wilson


@pytest.mark.parametrize(
    ("hits", "games", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 0.8389, 1.0),  # the mirror of 0 of 20
    ],
)
def test_wilson_intervals_match_published_tables(hits, games, low, high):
    interval = wilson(hits, games)
    assert interval.value == hits / games
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


def test_wilson_without_games_is_from_0_to_1():
    assert wilson(0, 0) == (0.0, 0.0, 1.0)


def test_the_interval_of_a_mean_matches_the_law_school_data():
    """Efron and Tibshirani’s fifteen LSAT scores: the standard error of the mean is the plug-in standard deviation
    (40.4) over the root of 15, which is 10.4."""
    scores = [576, 635, 558, 578, 666, 580, 555, 661, 651, 605, 653, 575, 545, 572, 594]
    interval = mean_with_interval({score: scores.count(score) for score in scores})
    assert interval == pytest.approx((600.27, 600.27 - 1.96 * 10.43, 600.27 + 1.96 * 10.43), abs=0.05)


def test_the_interval_of_many_values():
    rng = random.Random(3)
    counts = {}
    for _ in range(5000):
        number = rng.randint(1, 6) + rng.randint(1, 6)
        counts[number] = counts.get(number, 0) + 1
    interval = mean_with_interval(counts)
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * sqrt(35 / 6 / 5000), rel=0.05)
    assert interval.low < interval.value < interval.high


def test_the_interval_depends_only_on_the_counts():
    assert mean_with_interval({1: 3, 5: 4}) == mean_with_interval({5: 4, 1: 3})
    assert mean_with_interval({4: 10}) == (4.0, 4.0, 4.0)
    assert mean_with_interval({}) == NOTHING
