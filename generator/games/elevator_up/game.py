"""The rules of Elevator Up for the judge: reading, checking and scoring its turn logs."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.book import Violation
from ...rules.results import Explanation, Result
from ...sheets import Asking, FilledSheet
from ..base import GameRules
from . import log, score
from .log import rules
from .replay import ReplayedLog


class ElevatorUpRules(GameRules[ReplayedLog]):
    rules = rules
    sheets = ("log",)
    reading = log.READING

    def read(self, sheet: FilledSheet) -> ReplayedLog:
        return ReplayedLog(sheet)

    def violations(self, view: ReplayedLog) -> Iterator[Violation]:
        yield from view.player_violations(rules["two-to-five"], rules["names"])
        if view.replay:
            yield from view.replay.violations

    def score(self, view: ReplayedLog) -> Result:
        return score.score(view)

    def explain(self, view: ReplayedLog) -> Explanation:
        return score.explain(view)

    def asking(self) -> Asking:
        return Asking(
            order=("players", "deal", "swaps", "turns", "out"),
            places={"turns": ("player", "play"), "swaps": ("up", "hand")},
            when={"swaps": ("deal", "")},
            notes={
                "swaps": "the cards that each player put face up before the first turn, and those they took in return"
            },
            examples={"turns": "Ann 7 7, or Ann pile, or Ann flip 8", "swaps": "up 9 L, hand 1 2"},
        )


RULES = ElevatorUpRules()
