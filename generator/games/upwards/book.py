"""The rule book of a player's sheet; `rules` and `score` write it."""

from __future__ import annotations

from ...rules.kept import kept
from ..legacy import LegacyBook as RuleBook
from .replay import Replay, replay
from .sheet import Sheet


class Judged(Sheet):
    """The sheet and, where it has a log, what comes of that."""

    @kept
    def replay(self) -> Replay | None:
        return replay(self) if self.log else None


book: RuleBook[Judged] = RuleBook(Judged, sheet="sheet")
