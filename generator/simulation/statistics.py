"""95% intervals for shares (Wilson) and for means (bootstrap)."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, lgamma, log, log1p, sqrt
from random import Random
from typing import NamedTuple

Z95 = 1.959963984540054
Z999 = 3.290526731491894
"""The 97.5% and 99.95% quantiles of the standard normal distribution, for intervals of 95% and 99.9%."""

DRAWS = 1000
MIN_SUCCESSES = 10
"""Transformed rejection needs at least this many expected successes (Hörmann)."""


class Interval(NamedTuple):
    """A figure and the ends of its 95% interval."""

    value: float
    low: float
    high: float


NOTHING = Interval(0.0, 0.0, 0.0)


def wilson(hits: int, games: int, z: float = Z95) -> Interval:
    """A share with its score interval, by default of 95%, which stays between 0 and 1 and is useful even for 0 hits.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927,
    https://doi.org/10.1080/01621459.1927.10502953
    """
    if not games:
        return Interval(0.0, 0.0, 1.0)
    share, z2 = hits / games, z * z
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = z / (1 + z2 / games) * sqrt(share * (1 - share) / games + z2 / (4 * games * games))
    return Interval(share, max(0.0, middle - half) if hits else 0.0, min(1.0, middle + half) if hits < games else 1.0)


def mean(counts: Mapping[int, int]) -> float:
    """The mean of integers, given with their counts."""
    games = sum(counts.values())
    return sum(number * count for number, count in counts.items()) / games if games else 0.0


def bootstrap(counts: Mapping[int, int], seed: int = 1, draws: int = DRAWS) -> Interval:
    """The mean with its percentile bootstrap interval: samples as large as the data are drawn with replacement, the
    same ones for the same seed.

    A mean depends only on how often each number is drawn, so the counts are drawn instead (multinomial).
    B. Efron, Bootstrap methods: another look at the jackknife, 1979, https://doi.org/10.1214/aos/1176344552
    """
    frequencies = sorted((number, count) for number, count in counts.items() if count)
    if not frequencies:
        return NOTHING
    random = Random(seed)
    means = sorted(_drawn_mean(frequencies, random) for _ in range(draws if len(frequencies) > 1 else 1))
    low, high = (means[min(len(means) - 1, floor(part * len(means)))] for part in (0.025, 0.975))
    return Interval(mean(counts), low, high)


def _drawn_mean(frequencies: list[tuple[int, int]], random: Random) -> float:
    games = rest = sum(count for _, count in frequencies)
    left, total = games, 0
    for number, count in frequencies:
        drawn = binomial(left, count / rest, random) if count < rest else left
        total += number * drawn
        left, rest = left - drawn, rest - count
    return total / games


def binomial(trials: int, chance: float, random: Random) -> int:
    """A binomial variate: small ones by the gaps between successes, large ones by transformed rejection.

    W. Hörmann, The generation of binomial random variates, 1993 (algorithm BTRS, whose constants are below),
    https://doi.org/10.1080/00949659308811496
    """
    if chance > 0.5:
        return trials - binomial(trials, 1 - chance, random)
    if trials * chance < MIN_SUCCESSES:
        return _by_gaps(trials, chance, random)
    return _by_rejection(trials, chance, random)


def _by_gaps(trials: int, chance: float, random: Random) -> int:
    """The gaps between successes are geometric (L. Devroye, Non-Uniform Random Variate Generation, 1986,
    X.4: the first waiting time algorithm)."""
    if chance <= 0:
        return 0
    hits, at, missed = -1, 0, log1p(-chance)
    while at <= trials:
        at += floor(log(1.0 - random.random()) / missed) + 1
        hits += 1
    return hits


def _by_rejection(trials: int, chance: float, random: Random) -> int:
    spread = sqrt(trials * chance * (1 - chance))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * chance
    middle, inner = trials * chance + 0.5, 0.92 - 4.2 / b
    while True:
        u, v = random.random() - 0.5, random.random()
        near = 0.5 - abs(u)
        hits = floor((2 * a / near + b) * u + middle) if near else -1
        if near >= 0.07 and v <= inner:
            return hits
        if (
            0 <= hits <= trials
            and v
            and _log_acceptance(v, near, a, b, spread) <= _log_likelihood(trials, chance, hits)
        ):
            return hits


def _log_acceptance(v: float, near: float, a: float, b: float, spread: float) -> float:
    return log(v * (2.83 + 5.1 / b) * spread / (a / (near * near) + b))


def _log_likelihood(trials: int, chance: float, hits: int) -> float:
    """The log of the likelihood of this many hits, relative to the most likely number."""
    top = floor((trials + 1) * chance)
    return (
        lgamma(top + 1)
        + lgamma(trials - top + 1)
        - lgamma(hits + 1)
        - lgamma(trials - hits + 1)
        + (hits - top) * log(chance / (1 - chance))
    )
