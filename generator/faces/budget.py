"""Limits the cost of building one face. Templates come from game folders and may be hostile.

Everything that a template can repeat costs steps: an iteration of a loop, a call, a filter, sixteen characters of
output. Processor time is checked every thousand steps, without signals or tracing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

MAX_STEPS = 400_000
MAX_SECONDS = 1.0
MAX_CHARACTERS = 200_000
MAX_WEIGHT = 10_000
MAX_BITS = 256

_STEPS_BETWEEN_CHECKS = 1_000
_CHARACTERS_PER_STEP = 16
_TEXTS = (str, bytes)
_CONTAINERS = (list, tuple, dict, set, frozenset)


class TooMuchError(Exception):
    """A template exceeds a limit; `file` is set if that happens before rendering."""

    def __init__(self, message: str, file: str = "") -> None:
        super().__init__(message)
        self.file = file


class Budget(threading.local):
    """The steps and processor time left for the face that this thread is building."""

    def __init__(self) -> None:
        self.steps_left = 0
        self.next_check = 0
        self.first_check = 0.0
        self.deadline = 0.0

    def start(self) -> None:
        """Restores the full budget for the next face."""
        self.steps_left = MAX_STEPS
        self.next_check = MAX_STEPS - _STEPS_BETWEEN_CHECKS
        self.deadline = 0.0

    def spend(self, steps: int = 1) -> None:
        """Spends `steps`; raises TooMuchError when steps or time run out. Steps are never given back."""
        if steps < 0:
            raise ValueError(f"cannot spend {steps} steps")
        self.steps_left -= steps
        if self.steps_left < self.next_check:
            self._check()

    def _check(self) -> None:
        if self.steps_left < 0:
            raise TooMuchError(f"takes more than {MAX_STEPS:,} steps; is there an endless loop or macro?")
        self.check_time()
        self.next_check = self.steps_left - _STEPS_BETWEEN_CHECKS

    def check_time(self) -> None:
        """Raises TooMuchError if the time has run out. It begins with the first check, because most faces need none.
        No processor time can pass without other time, which is asked for much faster."""
        now = time.perf_counter()
        if not self.deadline:
            self.first_check, self.deadline = now, time.thread_time() + MAX_SECONDS
        elif now - self.first_check > MAX_SECONDS and time.thread_time() > self.deadline:
            raise TooMuchError(f"takes more than {MAX_SECONDS:g} s; is there an endless loop or macro?")

    def text(self, length: int) -> None:
        """Spends the steps for a text of `length` characters. If possible, call this before building the text."""
        if length > MAX_CHARACTERS:
            raise TooMuchError(f"makes a text of {length:,} characters; a face may have at most {MAX_CHARACTERS:,}")
        self.spend(1 + length // _CHARACTERS_PER_STEP)

    def bounded(self, value: Any) -> Any:
        """Spends the steps for a value and returns it; collects an iterator into a list."""
        if isinstance(value, _TEXTS):
            self.text(len(value))
        elif isinstance(value, int):
            check_bits(value.bit_length())
        elif isinstance(value, _CONTAINERS):
            self.spend(weight(value))
        elif isinstance(value, Iterator):
            return self.collected(value)
        return value

    def collected(self, values: Iterator[Any]) -> list[Any]:
        items: list[Any] = []
        total = 0
        for value in values:
            total += weight(value)
            check_weight(total)
            self.spend()
            items.append(value)
        return items


def check_bits(bits: int) -> None:
    if bits > MAX_BITS:
        raise TooMuchError(f"makes a number of more than {MAX_BITS} bits")


def check_weight(total: int) -> None:
    if total > MAX_WEIGHT:
        raise TooMuchError(f"makes a list of more than {MAX_WEIGHT:,} values")


def weight(value: Any) -> int:
    """Counts the values nested in a value, including repeated ones; raises TooMuchError above the limit.

    A value that templates cannot build, such as a card or a mapping of the game, counts as one."""
    total, pending = 0, [value]
    while pending:
        item = pending.pop()
        total += 1
        if isinstance(item, _TEXTS):
            total += len(item) // _CHARACTERS_PER_STEP
        elif isinstance(item, _CONTAINERS):
            check_weight(total + len(pending) + len(item))
            pending += item
            pending += item.values() if isinstance(item, dict) else ()
        if total > MAX_WEIGHT:
            check_weight(total)
    return total
