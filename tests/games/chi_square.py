"""The chi-square test without a library: how likely chance alone is to deviate as much."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import exp, lgamma, log


def p_value(statistic: float, freedom: int) -> float:
    """The probability of a statistic as large or larger: the upper incomplete gamma function Q(k/2, x/2)."""
    a, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    return 1 - _series(a, x) if x < a + 1 else _fraction(a, x)


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    n = a
    while term > total * 1e-15:
        n += 1
        term *= x / n
        total += term
    return total * exp(a * log(x) - x - lgamma(a))


def _fraction(a: float, x: float) -> float:
    """Legendre's continued fraction, by Lentz's method."""
    b = x + 1 - a
    c, d = 1e300, 1 / b
    found = d
    for n in range(1, 10_000):
        b += 2
        step = -n * (n - a)
        d = 1 / (step * d + b)
        c = b + step / c
        found *= d * c
        if abs(d * c - 1) < 1e-14:
            break
    return found * exp(a * log(x) - x - lgamma(a))


def even(counts: Mapping[object, int], outcomes: Iterable[object]) -> float:
    """The p-value of counts of outcomes that should be equally likely."""
    each = list(outcomes)
    assert set(counts) <= set(each)
    wanted = sum(counts.values()) / len(each)
    return p_value(sum((counts.get(outcome, 0) - wanted) ** 2 / wanted for outcome in each), len(each) - 1)


def placed(counts: Mapping[tuple[object, int], int], copies: Mapping[object, int], times: int) -> float:
    """The p-value of how often each card came to each place of a shuffled deck, over many decks.

    Cards and places of one deck depend on each other, which makes the statistic larger by n / (n − 1)."""
    size = sum(copies.values())
    statistic = sum(
        (counts.get((card, place), 0) - times * number / size) ** 2 / (times * number / size)
        for card, number in copies.items()
        for place in range(size)
    )
    return p_value(statistic * (size - 1) / size, (size - 1) * (len(copies) - 1))
