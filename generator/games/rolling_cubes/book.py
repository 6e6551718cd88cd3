"""The rule book of all five sheets; the `…_rules` and `score` write it."""

from __future__ import annotations

from typing import Any

from ...sheets import FilledSheet
from ..legacy import LegacyBook as RuleBook
from .five_throws import FiveThrows
from .last_die import LastDie
from .played import Played
from .rounds import Rounds
from .tournament import Tournament

ROUNDS = ("one-by-one", "all-together")
FIVE_THROWS = ("five-throws",)
LAST_DIE = ("last-die",)
TOURNAMENT = ("tournament",)
WORDS = ROUNDS + FIVE_THROWS
POINTS = ROUNDS + LAST_DIE

_VIEWS: dict[str, type[Played]] = {"one-by-one": Rounds, "all-together": Rounds, "last-die": LastDie,
                                   "tournament": Tournament, "five-throws": FiveThrows}


def view(sheet: FilledSheet) -> Played:
    """The sheet as the rules of its game look at it."""
    return _VIEWS[sheet.sheet.name](sheet)


book: RuleBook[Any] = RuleBook(view)
