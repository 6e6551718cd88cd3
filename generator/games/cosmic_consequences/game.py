"""The rules of Cosmic Consequences for the judge: reading, checking, scoring and printing its travel logs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...rules.book import Suggestion, Violation
from ...rules.results import Explanation, Result, Strokes
from ...sheets import Asking, FilledSheet
from ..base import GameRules
from . import score
from .log import rules
from .replay import ReplayedLog, hand_violations
from .sheet import READING


class CosmicConsequencesRules(GameRules[ReplayedLog]):
    rules = rules
    sheets = ("log",)
    reading = READING

    def read(self, sheet: FilledSheet) -> ReplayedLog:
        return ReplayedLog(sheet)

    def violations(self, view: ReplayedLog) -> Iterator[Violation]:
        yield from view.player_violations(rules["two-to-six"], rules["names"])
        if view.replay:
            yield from view.replay.violations
        yield from hand_violations(view)

    def score(self, view: ReplayedLog) -> Result:
        return score.score(view)

    def explain(self, view: ReplayedLog) -> Explanation:
        return score.explain(view)

    def hints(self, view: ReplayedLog) -> Iterator[Suggestion]:
        return score.hints(view)

    def sums(self, view: ReplayedLog) -> Mapping[str, int]:
        return score.sums(view)

    def strokes(self, view: ReplayedLog) -> Strokes:
        return Strokes(marks=view.on_paper())

    def asking(self) -> Asking:
        return Asking(
            places={"turns": ("player", "roll", "to"), "hands": ("cc_up", "number_up")},
            order=("players", "cards", "deal"),
            when={
                part: ("cards", "not without")
                for part in ("deal", "hands", "turns.draw", "turns.jump", "turns.discard", "turns.forced")
            },
            rest=frozenset({"turns.forced"}),
            notes={"turns": "the draw for leaving the Big Bang goes under “the space asks”"},
            examples={
                "turns": "Ann 5 is-2, or Ann 5 is-2 the space asks draw deck -7, or Ann draw pile +3 roll 2 to em-4",
                "hands": '+3 -5, -7 +1, stacks "+2 -2" "-3 -4 +7" 0',
            },
        )


RULES = CosmicConsequencesRules()
