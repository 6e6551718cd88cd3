"""A random generator whose draws never change.

Python guarantees that `random()` gives the same numbers in every version, but not `shuffle`, `sample` or `choice`, so
only `random()` is used (https://docs.python.org/3/library/random.html#notes-on-reproducibility).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A random generator with a seed. The same seed gives the same draws in every version of Python and on every
    machine."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def below(self, n: int) -> int:
        """An integer from 0 to n − 1, each equally likely; n is at least 1 and far below 2⁵³.

        `random()` is a multiple of 2⁻⁵³, so no number is more than n / 2⁵³ likelier than another."""
        return int(self._random() * n)

    def choice(self, choices: Sequence[T]) -> T:
        """One of the choices, each equally likely."""
        return choices[self.below(len(choices))]

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in random order, every order equally likely: the Fisher–Yates shuffle (D. Knuth, The Art of
        Computer Programming 2, 3.4.2, algorithm P)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
