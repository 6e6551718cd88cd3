"""Reads, checks, scores and shows the table sheets of From the Ground Up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...model.game import Card, Game
from ...rules.book import Violation
from ...rules.results import Explanation, Result
from ...sheets import Asking, FilledSheet
from ..base import GameRules
from . import checks, score
from .crates import SIGNS
from .replay import ReplayedTable
from .sheet import READING, compare_of, rules


class FromTheGroundUpRules(GameRules[ReplayedTable]):
    """The rules of the table at the end of the game and, if there is one, of its log."""

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
        """The symbols between the crates of a row."""
        entry, _, field = row.rpartition(".")
        card = sheet.cards.get(sheet.text(f"{entry}.card"))
        return tuple(SIGNS[symbol] for symbol in card.symbols) if card and field == "crates" else ()

    def asking(self) -> Asking:
        card = ("card", "star", "crates")  # as printed
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
                "shared": "count ticked crates from the left",
                "deal": "every player’s first cards, if you wrote down the turns; otherwise leave empty",
                "log": "all turns and passes, in order",
            },
            examples={
                "players.cards": "4, 4, 6 5 4 2",
                "shared": "12, 1, 5 2 5, ticked 1 3",
                "deal": "4 7 11",
                "log": "Ann 5 mark 4 2, or Ann 3 flip 7, or Ann pass 4",
            },
        )

    def worst_on_line(self, part: str, game: Game, cards: Mapping[str, Card], line: Mapping[str, Any]) -> int | None:
        return checks.worst_on_line(cards, compare_of(game), "" if part == "shared" else "players", line)


RULES = FromTheGroundUpRules()
