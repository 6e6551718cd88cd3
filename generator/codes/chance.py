"""Randomness that stays the same for ever.

Of Python's generator only `random()` is promised to give the same numbers in every version, so it alone is drawn on;
`shuffle`, `sample` and `choice` of the standard library are not promised
(https://docs.python.org/3/library/random.html#notes-on-reproducibility).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """Draws from the seed of a set code."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def below(self, n: int) -> int:
        """A whole number from 0 to n − 1, each as likely; n is at least 1 and far below 2⁵³.

        `random()` is a multiple of 2⁻⁵³, so that the likeliest number is at most n / 2⁵³ likelier than its share."""
        return int(self._random() * n)

    def choice(self, choices: Sequence[T]) -> T:
        """One of the choices, each as likely."""
        return choices[self.below(len(choices))]

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """The same things in another order, every order as likely: Fisher and Yates's shuffle (D. Knuth, The Art of
        Computer Programming 2, 3.4.2, algorithm P)."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
