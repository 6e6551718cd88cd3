"""Intervals, against values from textbooks and against theory."""

import random
from math import sqrt

import pytest

from generator.simulation.report import NOTHING, binomial, bootstrap, mean, wilson


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


@pytest.mark.parametrize(("trials", "chance"), [(40, 0.1), (200, 0.3), (1000, 0.9), (5000, 0.002), (7, 1.0), (9, 0.0)])
def test_binomial_draws_have_its_mean_and_spread(trials, chance):
    rng = random.Random(7)
    drawn = [binomial(trials, chance, rng) for _ in range(4000)]
    middle, spread = trials * chance, sqrt(trials * chance * (1 - chance))
    average = sum(drawn) / len(drawn)
    assert all(0 <= hits <= trials for hits in drawn)
    assert abs(average - middle) <= 4 * spread / sqrt(len(drawn))
    assert sqrt(sum((hits - average) ** 2 for hits in drawn) / len(drawn)) == pytest.approx(spread, rel=0.06, abs=1e-9)


def test_bootstrap_matches_the_law_school_data():
    """Efron and Tibshirani's fifteen LSAT scores: the bootstrap's standard error of the mean is near 10.4, the plug-in
    standard deviation (40.4) over the root of 15; the percentile interval lies about ±1.96 of it around 600.3."""
    scores = [576, 635, 558, 578, 666, 580, 555, 661, 651, 605, 653, 575, 545, 572, 594]
    counts = {score: scores.count(score) for score in scores}
    interval = bootstrap(counts, draws=4000)
    error = sqrt(sum((score - mean(counts)) ** 2 for score in scores)) / 15
    assert interval.value == pytest.approx(600.27, abs=0.01)
    assert interval.low == pytest.approx(interval.value - 1.96 * error, abs=1.5)
    assert interval.high == pytest.approx(interval.value + 1.96 * error, abs=1.5)


def test_bootstrap_of_many_values_is_the_normal_interval():
    rng = random.Random(3)
    counts = {}
    for _ in range(5000):
        number = rng.randint(1, 6) + rng.randint(1, 6)
        counts[number] = counts.get(number, 0) + 1
    half = 1.96 * sqrt(35 / 6 / 5000)
    interval = bootstrap(counts)
    assert interval.high - interval.low == pytest.approx(2 * half, rel=0.1)
    assert interval.low < interval.value < interval.high


def test_bootstrap_depends_only_on_the_counts():
    assert bootstrap({1: 3, 5: 4}) == bootstrap({5: 4, 1: 3})
    assert bootstrap({4: 10}) == (4.0, 4.0, 4.0)
    assert bootstrap({}) == NOTHING
