"""What several games share: players, their names and seats, the replay of a log, and wording.

Seats count from 0 in the order of play. A game says in `Replay.play` what an entry of its log breaks and does. An entry
that breaks a rule is reported and then carried out anyway, as it was at the table. An entry that cannot be carried out,
or does not say what the player did, ends the replay.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from ..errors import Problem, did_you_mean
from ..spelling import ambiguity, comparable, matching

if TYPE_CHECKING:  # dealing and simulation use the helpers below and do not judge
    from ..errors import Place
    from ..rules.results import Rule, Violation
    from ..sheets import FilledSheet

T = TypeVar("T")


class TurnLog:
    """A log of turns on a sheet whose row `players` lists the players in the order of play."""

    def __init__(self, sheet: FilledSheet) -> None:
        self.sheet = sheet

    @cached_property
    def names(self) -> list[str]:
        """The names in the row `players`, in the order of play."""
        return [self.sheet.text(f"players.{number}") for number in self.sheet.rows.get("players", ())]

    @cached_property
    def twins(self) -> list[int]:
        """The seats of players with the same name as an earlier player."""
        names = [comparable(name) for name in self.names]
        return [seat for seat, name in enumerate(names) if name in names[:seat]]

    @property
    def playable(self) -> bool:
        """Whether the number of players is possible and all names are different."""
        return len(self.names) in self.sheet.game.players and not self.twins

    def seat(self, name: str) -> int | None:
        return seat_of(self.names, name)

    def player_violations(self, count_rule: Rule, names_rule: Rule) -> Iterator[Violation]:
        """Too few or too many players, and players with the same name."""
        limits, count = self.sheet.game.players, len(self.names)
        if count not in limits:
            yield count_rule(
                "players",
                f"the sheet has {counted(count, 'player')}, but the game is for {limits.low} to {limits.high}",
            )
        fields = self.sheet.rows.get("players", ())
        for seat in self.twins:
            yield names_rule(f"players.{fields[seat]}", f"two players are called {self.names[seat]}")


def seat_of(names: Sequence[str], name: str) -> int | None:
    """The seat of the player with this name, with a name that only this beginning or these initials match, or with this
    number on paper. None if no player matches, or several do."""
    seats = matching(names, name)
    if not seats and name.isdecimal() and 1 <= int(name) <= len(names):
        return int(name) - 1
    return seats[0] if len(seats) == 1 else None


def no_players(place: Place) -> Problem:
    """The problem of a sheet that does not list the players its log names."""
    return Problem("the sheet does not say who plays", place, "add players: [Ann, Ben, ...] in order of play")


def no_such_player(name: str, names: Sequence[str], place: Place) -> Problem:
    """The problem of a name that matches no player on the sheet, or several."""
    if problem := ambiguity(names, name):
        return Problem(problem, place, "write more of the name")
    return Problem(f"no player “{name}” on this sheet", place, did_you_mean(name, names))


# ---- words and tuples -----------------------------------------------------------------------------------------------


def counted(count: int, noun: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{count} {noun}{'s' * (count != 1)}"


def replaced(row: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The tuple with a different value at one index."""
    return (*row[:index], value, *row[index + 1 :])


Entry = TypeVar("Entry")


class StopReplay(Exception):  # noqa: N818 - not an error: the end of what can be replayed
    """Raised by `Replay.play` at an entry after which nothing can be judged. The `violations` say why. `complete` says
    whether the game had ended, so that nothing is missing."""

    def __init__(self, *violations: Violation, complete: bool = False) -> None:
        super().__init__(*violations)
        self.violations, self.complete = violations, complete


class Replay(ABC, Generic[Entry]):
    """The replay of a log. `violations` are in the order of its entries; `complete` says whether the replay reached the
    end of the game or of the log. `number` is that of the last entry."""

    def __init__(self) -> None:
        self.violations: list[Violation] = []
        self.complete = True
        self.number = 0

    @property
    def where(self) -> str:
        """The id of the last entry of a log that is not on paper."""
        return f"log.{self.number}"

    def stop_if(self, cannot_go_on: object, rule: Rule, message: str) -> None:
        """Ends the replay at an entry that cannot be carried out."""
        if cannot_go_on:
            raise StopReplay(rule(self.where, message))

    def follow(self, entries: Iterable[Entry]) -> None:
        """Plays the entries, one after another, and then checks the end."""
        try:
            for self.number, entry in enumerate(entries, 1):
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
