"""Winners, explanations of scores, and hints. `PlayerSheet` computes the points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from ...rules.book import Suggestion
from ...rules.results import Part, Result, Score, ranks
from . import blocks
from .play import METEORITE
from .rows import typed
from .sheet import PlayerSheet, strip_of
from .snake import Box


def result(sheets: Sequence[PlayerSheet]) -> Result:
    """The scores of all players, and the winners if the game is over."""
    if len(sheets) == 1 and not sheets[0].log:
        name = sheets[0].name
        return Result((Score(name, sheets[0].score_lines),), (1,), (name,))
    scores = tuple(
        [
            Score(sheet.filled.text("player") or f"player {number}", sheet.score_lines)
            for number, sheet in enumerate(sheets, 1)
        ]
    )
    places = ranking([sheet.total for sheet in sheets])
    remark = _still_going(sheets)
    winners = () if remark else tuple([score.player for score, place in zip(scores, places, strict=True) if place == 1])
    return Result(scores, places, winners, remark, over=not remark)


def ranking(totals: Sequence[int]) -> tuple[int, ...]:
    return ranks([(total,) for total in totals])


def leading(totals: Sequence[int]) -> tuple[int, ...]:
    """The indices of the winners of a finished game."""
    return tuple(seat for seat, place in enumerate(ranking(totals)) if place == 1)


def _still_going(sheets: Sequence[PlayerSheet]) -> str:
    """Why the game is not over, as far as the logs show; empty if it is."""
    replays = [sheet.replay for sheet in sheets if sheet.log and sheet.replay]
    if not replays:
        return ""
    passed = min((replay.passed for replay in replays if replay.passed), default=0)
    played = max((len(sheet.log) for sheet in sheets), default=0)
    if passed and played < passed + sheets[0].numbers.rounds_more:
        return "The game is not over: one more round follows the round in which a number was passed."
    if len(replays) == len(sheets) > 1 and not passed:
        return "The game is not over: nobody has passed a number yet."
    return ""


def sums(sheet: PlayerSheet) -> Mapping[str, int]:
    """The correct numbers for the circles, by field id."""
    correct = {f"claimed.columns.{number}": points for number, points in enumerate(sheet.column_points, 1)}
    if sheet.option:
        correct |= {"claimed.option": sheet.option_points, "claimed.total": sheet.total}
    return correct | ({"claimed.bonus": sheet.bonus_points} if sheet.event_die else {})


# ---- how the points add up ------------------------------------------------------------------------------------------


def explain(sheet: PlayerSheet) -> Iterator[list[list[Part]]]:
    """The parts of every score line of a sheet."""
    lines = [_columns(sheet)]
    if sheet.option:
        lines.append(_OPTIONS[sheet.option](sheet))
    if sheet.event_die:
        lines.append([_bonus_row(sheet, row) for row in sheet.arrows] or [Part("no row has an arrow", 0)])
    yield lines


def _columns(sheet: PlayerSheet) -> list[Part]:
    return [
        Part(f"column {letter}: {', '.join(_steps(sheet, number)) or 'no step'}", sheet.column_points[number])
        for number, letter in enumerate(sheet.numbers.columns)
    ]


def _steps(sheet: PlayerSheet, column: int) -> Iterator[str]:
    for below, above in pairwise(sheet.column(column)):
        if below not in (None, METEORITE) and above == sheet.numbers.after.get(below or 0):
            yield f"{below}→{above}"


def _rows(sheet: PlayerSheet) -> list[Part]:
    parts = [
        Part(f"row {number}: {' '.join(map(typed, row.boxes))}", sheet.numbers.row_points)
        for number, row in enumerate(sheet.grid.rows, 1)
        if row.alike
    ]
    return parts or [Part("no full row of one number", 0)]


def _snake(sheet: PlayerSheet) -> list[Part]:
    line = sheet.counted_snake
    if not line:
        return [Part("the line is not a snake" if sheet.drawn_snake else "no two boxes with the same number touch", 0)]
    how = "as drawn" if sheet.drawn_snake else "the longest possible"
    each = sheet.numbers.snake_points
    return [
        Part(
            f"{len(line)} boxes of {sheet.numbered[line[0]]}, {how}, {each} each: {_boxes(sheet, line)}",
            each * len(line),
        )
    ]


def _blocks(sheet: PlayerSheet) -> list[Part]:
    if sheet.drawn_blocks:
        parts = [_block(sheet, block.shape, block.boxes, block.counts) for block in sheet.outlined]
    else:
        fitting = sheet.fitting.blocks if sheet.crossed_out else ()
        parts = [_block(sheet, shape, sorted(boxes), True) for shape, boxes in fitting]
    return parts or [Part("no block is outlined", 0)]


def _block(sheet: PlayerSheet, shape: str, boxes: Iterable[Box], counts: bool) -> Part:
    named = f"{shape} at {_boxes(sheet, boxes)}"
    return Part(named, sheet.numbers.points(shape)) if counts else Part(f"{named}, which does not score", 0)


_OPTIONS = {"rows": _rows, "snake": _snake, "blocks": _blocks}


def _boxes(sheet: PlayerSheet, boxes: Iterable[Box]) -> str:
    return " ".join(map(sheet.box_name, boxes))


def _bonus_row(sheet: PlayerSheet, row: int) -> Part:
    different = sorted({mark for mark in sheet.row(row) if mark})
    counted = f"{' '.join(map(str, different))}, {len(different)} different number{'s' * (len(different) != 1)}"
    return Part(f"row {row + 1}: {counted if different else 'no number'}", sheet.numbers.bonus_points * len(different))


# ---- hints -----------------------------------------------------------------------------------------------------------


def hints(sheet: PlayerSheet) -> Iterator[Suggestion]:
    """For a solo challenge, its targets; for the option blocks, the best blocks if they score more."""
    strip = strip_of(sheet.filled, targets=True)
    if strip and strip.targets:
        reached = [name for name, points in strip.targets.items() if sheet.total >= points]
        targets = ", ".join(f"{points} for {name}" for name, points in strip.targets.items())
        earned = f"earn {reached[-1]}" if reached else "earn none of them"
        yield Suggestion(("strip",), f"the targets are {targets}: {sheet.total} points {earned}")
    if sheet.option == "blocks":
        yield _best_blocks(sheet)


def _best_blocks(sheet: PlayerSheet) -> Suggestion:
    best = blocks.best(sheet.numbered, sheet.numbers.shapes)
    if best.points <= sheet.option_points and best.exact:
        return Suggestion(("blocks",), f"no other blocks score more than these {best.points} points")
    named = ", ".join(f"{shape} {_boxes(sheet, sorted(boxes))}" for shape, boxes in best.blocks)
    most = "the best blocks score" if best.exact else "some blocks score at least"
    where = ("blocks", *(sheet.box_id(place) for _, boxes in best.blocks for place in sorted(boxes)))
    return Suggestion(where, f"{most} {best.points} points: {named}")
