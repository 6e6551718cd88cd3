"""How the points of a sheet were made, step by step, and the sums that belong into its circles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from ...rules.results import Part
from . import drawn, score
from .book import Judged
from .play import METEORITE
from .sheet import Sheet
from .snake import Box


def explain(sheet: Judged) -> Iterator[list[list[Part]]]:
    """The parts of the lines of a single sheet."""
    lines = [_columns(sheet)]
    if sheet.option:
        lines.append(_OPTIONS[sheet.option](sheet))
    if sheet.event_die:
        lines.append(_bonus(sheet))
    yield lines


# ---- columns --------------------------------------------------------------------------------------------------------

def _columns(sheet: Sheet) -> list[Part]:
    return [Part(f"column {letter}: {', '.join(_steps(sheet, number)) or 'no step'}", score.steps(sheet, number))
            for number, letter in enumerate(sheet.known.columns)]


def _steps(sheet: Sheet, column: int) -> Iterator[str]:
    for below, above in pairwise(sheet.column(column)):
        if below not in (None, METEORITE) and above == sheet.known.after.get(below or 0):
            yield f"{below}→{above}"


# ---- the options ----------------------------------------------------------------------------------------------------

def _rows(sheet: Sheet) -> list[Part]:
    parts = [Part(f"row {row + 1}: {' '.join(map(_mark, sheet.row(row)))}", sheet.known.row_points)
             for row in range(sheet.known.rows) if _counts(sheet, row)]
    return parts or [Part("no row is full of one number", 0)]


def _counts(sheet: Sheet, row: int) -> bool:
    full = None not in sheet.row(row) or not sheet.known.row_full
    return full and len(_numbers(sheet, row)) == 1


def _numbers(sheet: Sheet, row: int) -> list[int]:
    """The different numbers in a row."""
    return sorted({mark for mark in sheet.row(row) if mark is not None and mark != METEORITE})


def _snake(sheet: Sheet) -> list[Part]:
    line = drawn.counted_snake(sheet)
    if not line:
        return [Part("what is drawn is no snake" if sheet.drawn_snake else "no two boxes of a number touch", 0)]
    how = "as drawn" if sheet.drawn_snake else "the longest there is"
    each = sheet.known.snake_points
    return [Part(f"{len(line)} boxes of {sheet.numbered[line[0]]}, {how}, {each} each: {_boxes(sheet, line)}",
                 each * len(line))]


def _blocks(sheet: Sheet) -> list[Part]:
    if sheet.drawn_blocks:
        parts = [_block(sheet, one.shape, one.boxes, one.counts) for one in drawn.outlined(sheet)]
    else:
        found = drawn.fitting(sheet).blocks if sheet.crossed_out else ()
        parts = [_block(sheet, shape, sorted(boxes), True) for shape, boxes in found]
    return parts or [Part("no block is outlined", 0)]


def _block(sheet: Sheet, shape: str, boxes: Iterable[Box], counts: bool) -> Part:
    named = f"{shape} at {_boxes(sheet, boxes)}"
    return Part(named, sheet.known.points(shape)) if counts else Part(f"{named}, which does not count", 0)


_OPTIONS = {"rows": _rows, "snake": _snake, "blocks": _blocks}


def _boxes(sheet: Sheet, boxes: Iterable[Box]) -> str:
    return " ".join(map(sheet.box_name, boxes))


def _mark(mark: int | None) -> str:
    return "." if mark is None else "o" if mark == METEORITE else str(mark)


# ---- bonus rows -----------------------------------------------------------------------------------------------------

def _bonus(sheet: Sheet) -> list[Part]:
    parts = [_bonus_row(sheet, row) for row in sheet.arrows]
    return parts or [Part("no row has an arrow", 0)]


def _bonus_row(sheet: Sheet, row: int) -> Part:
    numbers = _numbers(sheet, row)
    return Part(f"row {row + 1}: {_counted(numbers)}", sheet.known.bonus_points * len(numbers))


def _counted(numbers: list[int]) -> str:
    if not numbers:
        return "no number"
    return f"{' '.join(map(str, numbers))}, {len(numbers)} different number{'s' * (len(numbers) != 1)}"


# ---- sums -----------------------------------------------------------------------------------------------------------

def sums(sheet: Judged) -> Mapping[str, int]:
    """What belongs into the circles, by the id of the field."""
    found = {f"claimed.columns.{number}": points for number, points in enumerate(score.columns(sheet), 1)}
    if sheet.option:
        found |= {"claimed.option": score.option_points(sheet), "claimed.total": score.score_of(sheet, "").total}
    return found | ({"claimed.bonus": score.bonus(sheet)} if sheet.event_die else {})
