"""The sums on a sheet, results and winners, and hints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...rules.book import Suggestion
from ...rules.results import Line, Result, Score, ranks
from ..base import WrittenSum
from . import blocks
from .position import Position, column_parts, score_lines
from .replay import rules
from .sheet import PlayerSheet, strip_of


def written_sums(position: Position) -> list[WrittenSum]:
    """The circles for points on the sheet: one for each column, one for every other line of the score, and the total.
    Only those that can be worked out."""
    lines = score_lines(position)
    option, parts = position.option, zip(position.numbers.columns, column_parts(position), strict=True)
    sums = [
        _sum(f"columns.{number}", part.points, f"column {letter} scores {{}}")
        for number, (letter, part) in enumerate(parts, 1)
    ]
    for label, points in ({"bonus": 0} | lines).items():
        if label == option:
            sums.append(_sum("option", points, f"the option “{option}” scores {{}}"))
        elif label != "columns":
            words = {"bonus": "bonus rows"}.get(label, label)
            sums.append(_sum(label, points, f"the {words} score {{}}", shown=label in lines))
    return [*sums, _sum("total", sum(lines.values()), "the points add up to {}")] if option else sums


def _sum(circle: str, points: int, right: str, shown: bool = True) -> WrittenSum:
    rule = rules[f"claimed-{circle.partition('.')[0]}"]
    return WrittenSum(f"claimed.{circle}", points, rule, "the sheet says", right, shown)


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
    passed = min((replay.passed for replay in replays if replay.passed), default=0)
    played = max(len(sheet.log) for sheet in sheets)
    if passed and played < passed + sheets[0].numbers.rules["end"]["rounds_more"]:
        return "The game is not over: one more round follows the round in which a number was passed."
    if len(replays) == len(sheets) > 1 and not passed:
        return "The game is not over: nobody has passed a number yet."
    return ""


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
    best = blocks.best(sheet.numbered, sheet.numbers.shapes)
    if best.points <= points and best.exact:
        return Suggestion(("blocks",), f"no other blocks score more than these {best.points} points")
    named = ", ".join(f"{shape} {sheet.box_names(sorted(boxes))}" for shape, boxes in best.blocks)
    most = "the best blocks score" if best.exact else "some blocks score at least"
    where = ("blocks", *(sheet.box_id(place) for _, boxes in best.blocks for place in sorted(boxes)))
    return Suggestion(where, f"{most} {best.points} points: {named}")
