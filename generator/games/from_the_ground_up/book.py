"""The rule book of the table sheet; `rules` and `score` write it."""

from __future__ import annotations

from ...rules.kept import kept
from ..legacy import LegacyBook as RuleBook
from .replay import Replay, replay
from .table import Table


class Judged(Table):
    """The table and, where the sheet has a log that can be played through, what comes of it."""

    @kept
    def replay(self) -> Replay | None:
        dealt = [card for hand in self.sheet.extra.get("deal", {}).values() for card in hand]
        playable = self.sheet.extra.get("log") and len(set(dealt)) == len(dealt)
        return replay(self) if playable else None


book: RuleBook[Judged] = RuleBook(Judged, sheet="table")
