"""The points of a position, as the parts that add up to each line of the score."""

from __future__ import annotations

from collections.abc import Iterable

from ...rules.results import Part
from .position import Position, different, is_one_number, typed
from .snake import Box


def score_parts(position: Position) -> dict[str, list[Part]]:
    """The parts of every line of the score by its label: a line for each kind of circle on paper."""
    lines = {"columns": column_parts(position)}
    if position.option:
        lines[position.option] = _OPTION_PARTS[position.option](position)
    if position.event_die:
        lines["bonus"] = [_bonus_part(position, row) for row in position.arrows] or [Part("no row has an arrow", 0)]
    return lines


def score_lines(position: Position) -> dict[str, int]:
    """The points of every line of the score by its label."""
    return {label: sum([part.points for part in parts]) for label, parts in score_parts(position).items()}


def column_parts(position: Position) -> list[Part]:
    parts = []
    for number, letter in enumerate(position.numbers.columns):
        steps = position.grid.steps(number)
        named = ", ".join(f"{below}→{above}" for below, above in steps) or "no step"
        parts.append(Part(f"column {letter}: {named}", position.numbers.step_points * len(steps)))
    return parts


def _row_parts(position: Position) -> list[Part]:
    rows = [(number, position.grid.row(number - 1)) for number in range(1, position.numbers.rows + 1)]
    parts = [
        Part(f"row {number}: {' '.join(map(typed, row))}", position.numbers.row_points)
        for number, row in rows
        if is_one_number(position.numbers, row)
    ]
    return parts or [Part("no full row of one number", 0)]


def _snake_parts(position: Position) -> list[Part]:
    line = position.counted_snake
    if not line:
        drawn = position.drawn_snake
        return [Part("the line is not a snake" if drawn else "no two boxes with the same number touch", 0)]
    how = "as drawn" if position.drawn_snake else "the longest possible"
    each, number = position.numbers.snake_points, position.grid.numbered[line[0]]
    named = f"{len(line)} boxes of {number}, {how}, {each} each: {box_names(position, line)}"
    return [Part(named, each * len(line))]


def _block_parts(position: Position) -> list[Part]:
    parts = []
    for block in position.outlined:
        named = f"{block.shape} at {box_names(position, block.boxes)}"
        points = position.numbers.shape[block.shape].points if block.counts else 0
        parts.append(Part(named if block.counts else f"{named}, which does not score", points))
    return parts or [Part("no block is outlined", 0)]


_OPTION_PARTS = {"rows": _row_parts, "snake": _snake_parts, "blocks": _block_parts}


def _bonus_part(position: Position, row: int) -> Part:
    numbers = different(position.grid.row(row))
    counted = f"{' '.join(map(str, numbers))}, {len(numbers)} different number{'s' * (len(numbers) != 1)}"
    return Part(f"row {row + 1}: {counted if numbers else 'no number'}", position.numbers.bonus_points * len(numbers))


def box_names(position: Position, boxes: Iterable[Box]) -> str:
    return " ".join(map(position.numbers.box_name, boxes))
