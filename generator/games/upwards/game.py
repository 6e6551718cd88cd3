"""Reads, checks and scores the sheets of Upwards!, one for each player, singly or together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...rules.book import Suggestion, Violation
from ...rules.results import Explanation, Result, Strokes
from ...sheets import Asking, FilledSheet
from ..base import GameRules
from . import checks, score
from .checks import joint_rules
from .numbers import numbers
from .play import METEORITE
from .position import score_parts
from .replay import rules
from .sheet import READING, PlayerSheet


class UpwardsRules(GameRules[PlayerSheet]):
    """The rules of a sheet and its log, and those of all players' sheets together."""

    rules = rules
    joint_rules = joint_rules
    sheets = ("sheet",)
    reading = READING

    def read(self, sheet: FilledSheet) -> PlayerSheet:
        return PlayerSheet(sheet, numbers(sheet.game))

    def violations(self, view: PlayerSheet) -> Iterator[Violation]:
        return checks.violations(view)

    def score(self, view: PlayerSheet) -> Result:
        return score.result([view])

    def explain(self, view: PlayerSheet) -> Explanation:
        return [list(score_parts(view).values())]

    def hints(self, view: PlayerSheet) -> Iterator[Suggestion]:
        return score.hints(view)

    def joint_violations(self, views: Sequence[PlayerSheet]) -> Iterable[Iterable[Violation]]:
        return [checks.joint_violations(views, number) for number in range(len(views))]

    def joint_score(self, views: Sequence[PlayerSheet]) -> Result:
        return score.result(views)

    def sums(self, view: PlayerSheet) -> Mapping[str, int]:
        return {each.field: each.points for each in score.written_sums(view) if each.shown}

    def strokes(self, view: PlayerSheet) -> Strokes:
        """A line through the snake, outlines round blocks and outlined light fields, crosses through used numbers, and
        circles for meteorites."""
        box_ids, reserve = view.box_id, view.reserve
        snake = tuple(box_ids(place) for _, place in view.drawn_snake)
        blocks = tuple(tuple(map(box_ids, block.boxes)) for block in view.drawn_blocks)
        light = tuple((field.id,) for field in reserve[view.numbers.dark :] if field.open)
        crossed = tuple(field.id for field in reserve if field.crossed)
        marks = {field.id: str(field.number or "") for field in reserve if field.crossed or not field.open}
        marks |= {box_ids(box): "○" for box, mark in view.marks.items() if mark == METEORITE}
        return Strokes((snake,) if snake else (), blocks + light, crossed, marks, ("snake", "blocks"))

    def asking(self) -> Asking:
        return Asking(
            order=(
                "player",
                "event_die",
                "option",
                "grid",
                "snake",
                "reserve",
                "extra_reserve",
                "bonus_rows",
                "blocks",
                "log",
                "strip",
                "claimed",
            ),
            places={"log": ("dice", "entries", "event")},
            when={
                "snake": ("option", "snake"),
                "blocks": ("option", "blocks"),
                "extra_reserve": ("event_die", ""),
                "bonus_rows": ("event_die", ""),
                "claimed.bonus": ("event_die", ""),
                "log.event": ("event_die", ""),
                "log.row": ("event_die", ""),
                "log.outline": ("event_die", ""),
                "strip": ("log", ""),
            },
            later=frozenset({"log-agrees", "blocks-crossed"}),
            by_rows=frozenset({"grid"}),
            notes={
                "snake": "its boxes from end to end, if you drew one; otherwise leave empty",
                "blocks": "the outlined blocks",
                "log": "the rounds, if you wrote them down",
            },
            examples={
                "snake": "a1 b2 b3",
                "blocks": "square a2 a3 b2 b3",
                "extra_reserve": ". 3 -",
                "log": "4 3 1, a=4 b=3+1, or 4 1 3, c=o a=4+1 d=3, event meteorite",
                "claimed": "3 0 0 3, 10, total 16",
            },
        )


RULES = UpwardsRules()
