"""The circles for points on a sheet, results and winners, and hints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...rules.book import Rule, Suggestion
from ...rules.results import Line, Result, Score, ranks
from . import blocks
from .points import box_names, column_parts, score_lines
from .position import Position
from .replay import rules
from .sheet import PlayerSheet, strip_of

# ---- the circles -----------------------------------------------------------------------------------------------------


class Circle(NamedTuple):
    """A circle for points on the sheet: its correct number, the rule that it is correct, and the words that explain a
    mistake."""

    points: int
    rule: Rule
    reason: str


def circles(position: Position) -> dict[str, Circle]:
    """The circles by field id; only those that can be worked out."""
    lines = score_lines(position)
    columns = {
        f"claimed.columns.{number}": Circle(part.points, rules["claimed-columns"], f"column {letter} scores")
        for number, (letter, part) in enumerate(zip(position.numbers.columns, column_parts(position), strict=True), 1)
    }
    circles = columns | {"claimed.bonus": Circle(lines.get("bonus", 0), rules["claimed-bonus"], "the bonus rows score")}
    if position.option:
        reason = f"the option “{position.option}” scores"
        circles["claimed.option"] = Circle(lines[position.option], rules["claimed-option"], reason)
        circles["claimed.total"] = Circle(sum(lines.values()), rules["claimed-total"], "the points add up to")
    return circles


# ---- results ---------------------------------------------------------------------------------------------------------


def result(sheets: Sequence[PlayerSheet]) -> Result:
    """The scores of all players, and the winners if the game is over."""
    names = [sheet.filled.text("player") or f"player {number}" for number, sheet in enumerate(sheets, 1)]
    scores = tuple(
        Score(name, tuple(Line(label, points) for label, points in score_lines(sheet).items()))
        for name, sheet in zip(names, sheets, strict=True)
    )
    places = ranks([(score.total,) for score in scores])
    remark = _still_going(sheets)
    winners = () if remark else tuple(name for name, place in zip(names, places, strict=True) if place == 1)
    return Result(scores, places, winners, remark, over=not remark)


def _still_going(sheets: Sequence[PlayerSheet]) -> str:
    """Why the game is not over, as far as the logs show; empty if it is."""
    replays = [sheet.replay for sheet in sheets if sheet.replay]
    if not replays:
        return ""
    passed = min((replay.passed for replay in replays if replay.passed), default=0)
    played = max(len(sheet.log) for sheet in sheets)
    if passed and played < passed + sheets[0].numbers.rounds_more:
        return "The game is not over: one more round follows the round in which a number was passed."
    if len(replays) == len(sheets) > 1 and not passed:
        return "The game is not over: nobody has passed a number yet."
    return ""


def sums(sheet: PlayerSheet) -> Mapping[str, int]:
    """The correct numbers for the circles, by field id."""
    without = () if sheet.event_die else ("claimed.bonus",)
    return {name: circle.points for name, circle in circles(sheet).items() if name not in without}


# ---- hints -----------------------------------------------------------------------------------------------------------


def hints(sheet: PlayerSheet) -> Iterator[Suggestion]:
    """For a solo challenge, its targets; for the option blocks, the best blocks if they score more."""
    strip, lines = strip_of(sheet.filled, targets=True), score_lines(sheet)
    if strip and strip.targets:
        total = sum(lines.values())
        reached = [name for name, points in strip.targets.items() if total >= points]
        targets = ", ".join(f"{points} for {name}" for name, points in strip.targets.items())
        earned = f"earn {reached[-1]}" if reached else "earn none of them"
        yield Suggestion(("strip",), f"the targets are {targets}: {total} points {earned}")
    if sheet.option == "blocks":
        yield _best_blocks(sheet, lines["blocks"])


def _best_blocks(sheet: PlayerSheet, points: int) -> Suggestion:
    best = blocks.best(sheet.grid.numbered, sheet.numbers.shapes)
    if best.points <= points and best.exact:
        return Suggestion(("blocks",), f"no other blocks score more than these {best.points} points")
    named = ", ".join(f"{shape} {box_names(sheet, sorted(boxes))}" for shape, boxes in best.blocks)
    most = "the best blocks score" if best.exact else "some blocks score at least"
    where = ("blocks", *(sheet.box_id(place) for _, boxes in best.blocks for place in sorted(boxes)))
    return Suggestion(where, f"{most} {best.points} points: {named}")
