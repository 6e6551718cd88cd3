"""What one face may cost. Templates come from a person's game folder: they are data, and may be hostile.

Everything a template can repeat is counted as steps: a turn of a loop, a call, a filter, sixteen characters made. Now
and then the clock is read, so that a face ends in time whatever it does; no signal and no tracing is needed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

MOST_STEPS = 400_000
MOST_SECONDS = 1.0
MOST_CHARACTERS = 200_000
MOST_WEIGHT = 10_000
MOST_BITS = 256

_STEPS_BETWEEN_LOOKS = 1_000
_CHARACTERS_A_STEP = 16
_PLAIN = (str, bytes)
_HELD = (list, tuple, dict, set, frozenset)


class TooMuchError(Exception):
    """A template wants more than a face may have; `file` is set where it is so before it is rendered."""

    def __init__(self, message: str, file: str = "") -> None:
        super().__init__(message)
        self.file = file


class Budget(threading.local):
    """The steps and the processor time left to the face that is being built in this thread."""

    def __init__(self) -> None:
        self.left = 0
        self.next_look = 0
        self.ends = 0.0

    def start(self) -> None:
        """The whole budget anew, for another face."""
        self.left = MOST_STEPS
        self.next_look = MOST_STEPS - _STEPS_BETWEEN_LOOKS
        self.ends = time.thread_time() + MOST_SECONDS

    def spend(self, steps: int = 1) -> None:
        """Takes `steps` off; raises TooMuchError when steps or time are gone. Nothing gives steps back."""
        if steps < 0:
            raise ValueError(f"cannot spend {steps} steps")
        self.left -= steps
        if self.left < self.next_look:
            self._look()

    def _look(self) -> None:
        if self.left < 0:
            raise TooMuchError(f"takes more than {MOST_STEPS:,} steps; does a loop or a macro repeat without end?")
        self.check_time()
        self.next_look = self.left - _STEPS_BETWEEN_LOOKS

    def check_time(self) -> None:
        """Raises TooMuchError when the time is gone."""
        if time.thread_time() > self.ends:
            raise TooMuchError(f"takes more than {MOST_SECONDS:g} s; does a loop or a macro repeat without end?")

    def text(self, length: int) -> None:
        """Pays for a text of `length` characters, before it is made where that is possible."""
        if length > MOST_CHARACTERS:
            raise TooMuchError(f"makes a text of {length:,} characters; a face may have {MOST_CHARACTERS:,}")
        self.spend(1 + length // _CHARACTERS_A_STEP)

    def bounded(self, value: Any) -> Any:
        """The value, paid for, if it is of bearable size. What comes one by one is collected into a list."""
        if isinstance(value, _PLAIN):
            self.text(len(value))
        elif isinstance(value, int):
            _narrow(value)
        elif isinstance(value, _HELD):
            self.spend(weight(value))
        elif isinstance(value, Iterator):
            return self.collected(value)
        return value

    def collected(self, values: Iterator[Any]) -> list[Any]:
        made: list[Any] = []
        total = 0
        for value in values:
            total += weight(value)
            check_weight(total)
            self.spend()
            made.append(value)
        return made


def check_length(total: int) -> None:
    """Raises TooMuchError for a face of more characters than one may have."""
    if total > MOST_CHARACTERS:
        raise TooMuchError(f"makes more than {MOST_CHARACTERS:,} characters; does a loop repeat without end?")


def _narrow(number: int) -> None:
    if number.bit_length() > MOST_BITS:
        raise TooMuchError(f"makes a number of more than {MOST_BITS} bits")


def check_weight(total: int) -> None:
    if total > MOST_WEIGHT:
        raise TooMuchError(f"makes a list of more than {MOST_WEIGHT:,} values")


def weight(value: Any) -> int:
    """How much a value holds, at every depth and with repetitions; raises TooMuchError where that is past all bounds.

    What a template cannot make (a card, a mapping of the game) counts as one."""
    total, waiting = 0, [value]
    while waiting:
        one = waiting.pop()
        total += 1
        if isinstance(one, _PLAIN):
            total += len(one) // _CHARACTERS_A_STEP
        elif isinstance(one, _HELD):
            check_weight(total + len(waiting) + len(one))
            waiting += one
            waiting += one.values() if isinstance(one, dict) else ()
        if total > MOST_WEIGHT:
            check_weight(total)
    return total
