"""From the Ground Up for the judge: how its table sheets are read, checked, scored and shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...rules.book import Violation
from ...rules.results import Explanation, Result
from ...sheets import Asking, FilledSheet
from ..base import GameRules
from . import checks, score
from .crates import SIGNS
from .replay import ReplayedTable
from .rules import rules
from .sheet import READING


class FromTheGroundUpRules(GameRules[ReplayedTable]):
    """The table at the end of the game and, where there is one, the log that leads to it."""

    rules = rules
    sheets = ("table",)
    reading = READING

    def read(self, sheet: FilledSheet) -> ReplayedTable:
        return ReplayedTable(sheet)

    def violations(self, view: ReplayedTable) -> Iterator[Violation]:
        yield from checks.violations(view)
        if view.replay:
            yield from view.replay.violations

    def score(self, view: ReplayedTable) -> Result:
        return score.score(view)

    def explain(self, view: ReplayedTable) -> Explanation:
        return score.explain(view)

    def sums(self, view: ReplayedTable) -> Mapping[str, int]:
        return score.sums(view)

    def signs(self, sheet: FilledSheet, row: str) -> Sequence[str]:
        """The symbols of the card whose row of crates this is."""
        entry, _, field = row.rpartition(".")
        card = sheet.cards.get(sheet.text(f"{entry}.card"))
        return tuple(SIGNS[symbol] for symbol in card.symbols) if card and field == "crates" else ()

    def asking(self) -> Asking:
        card = ("card", "crates", "star")
        return Asking(
            order=("set", "variant", "players", "shared", "deal", "log"),
            places={
                "players.cards": (*card, "flipped"),
                "shared": (*card, "ticked"),
                "log": ("player", "roll"),
                "log.mark": ("card", "crate"),
            },
            when={"players.discarded": ("variant", "stall"), "log": ("deal", "")},
            later=frozenset({"cards-dealt", "log-agrees", "stalled"}),
            notes={
                "deal": "the first cards of every player, if the turns were written down; nothing if not",
                "log": "the turns and passes from the first to the last",
            },
            examples={
                "players.cards": "4, 6 5 4 2, 4",
                "shared": "12, 5 2 5, 1, ticked 2",
                "deal": "4 7 11",
                "log": "Ann 5 mark 4 2, or Ann 3 flip 7, or Ann pass 4",
            },
        )


RULES = FromTheGroundUpRules()
