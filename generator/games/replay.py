"""Replaying the log of a game: the driver that walks through its entries.

A game says in `play` what an entry breaks and does. An entry that breaks a rule is reported and then carried out
anyway, as it was at the table. An entry that cannot be carried out, or does not say what the player did, ends the
replay.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from ..rules.book import Violation

Entry = TypeVar("Entry")


class StopReplay(Exception):  # noqa: N818 - not an error: the end of what can be replayed
    """Raised by `Replay.play` at an entry after which nothing can be judged. The `violations` say why. `complete` says
    whether the game had ended, so that nothing is missing."""

    def __init__(self, *violations: Violation, complete: bool = False) -> None:
        super().__init__(*violations)
        self.violations, self.complete = violations, complete


class Replay(ABC, Generic[Entry]):
    """The replay of a log. `violations` are in the order of its entries; `complete` says whether the replay reached the
    end of the game or of the log."""

    def __init__(self) -> None:
        self.violations: list[Violation] = []
        self.complete = True

    def follow(self, entries: Iterable[Entry]) -> None:
        """Plays the entries, one after another, and then checks the end."""
        try:
            for entry in entries:
                for violation in self.play(entry):
                    self.violations.append(violation)
        except StopReplay as stop:
            self.violations += stop.violations
            self.complete = stop.complete
        if self.complete:
            self.violations += self.end()

    @abstractmethod
    def play(self, entry: Entry) -> Iterator[Violation]:
        """Carries out an entry, and yields the rules that it breaks. Raises StopReplay."""

    def end(self) -> Iterable[Violation]:
        """The rules that the end of the log breaks."""
        return ()
