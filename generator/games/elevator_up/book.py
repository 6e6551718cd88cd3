"""The rule book of the turn log; `rules` and `score` write it."""

from __future__ import annotations

from ...rules.kept import kept
from ..legacy import LegacyBook as RuleBook
from .log import Log
from .replay import Replay, replay


class Judged(Log):
    """The log and, where its players can be told apart, what comes of playing it through."""

    @kept
    def replay(self) -> Replay | None:
        return replay(self) if self.playable else None


book: RuleBook[Judged] = RuleBook(Judged, sheet="log")
