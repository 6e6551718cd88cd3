"""The score as a table: lines downwards, players across, totals and ranks below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from .letters import Paint, columns, cut, filled, number, ordinal
from .results import Result, Score

_GAP = "   "
_INDENT = "  "
_NAME = 24

Half = tuple[str, str]


def tables(result: Result, paint: Paint, width: int) -> Iterator[str]:
    """The score in tables as wide as `width` letters take. Where the players' lines are quite different, as every card
    is a line, each player has a list."""
    labels = shared_labels(result.scores)
    if labels is None:
        yield from (_lists(row, paint) for row in _rows(_blocks(result), width))
        return
    players = list(zip(result.scores, result.ranks, strict=True))
    left = max(5, *map(columns, labels))
    for start, end in _chunks([_across(score) for score, _ in players], width - left - len(_INDENT)):
        yield _table(labels, left, players[start:end], paint, ranked=len(players) > 1)


# ---- one table for all ---------------------------------------------------------------------------------------------

def shared_labels(scores: Sequence[Score]) -> list[str] | None:
    """The labels of a table for all players, in their order; None where their lines are quite different."""
    labels = _labels(scores)
    return labels if labels is not None and 2 * len(_common(scores)) >= len(labels) else None


def _labels(scores: Sequence[Score]) -> list[str] | None:
    """The labels of all lines in one order; None where a player has two lines of the same label."""
    labels: list[str] = []
    for score in scores:
        place = 0
        if len({line.label for line in score.lines}) < len(score.lines):
            return None
        for line in score.lines:
            if line.label not in labels:
                labels.insert(place, line.label)
            place = labels.index(line.label) + 1
    return labels


def _common(scores: Sequence[Score]) -> set[str]:
    """The labels that all players with lines have."""
    each = [{line.label for line in score.lines} for score in scores if score.lines]
    return set.intersection(*each) if each else set()


def _across(score: Score) -> int:
    points = [*(line.points for line in score.lines), score.total]
    return max(4, columns(cut(score.player, _NAME)), *(len(number(each)) for each in points))


def _chunks(widths: list[int], room: int) -> Iterator[tuple[int, int]]:
    """As many players at once as there is room for."""
    start, taken = 0, 0
    for place, width in enumerate(widths):
        if place > start and taken + len(_GAP) + width > room:
            yield start, place
            start, taken = place, 0
        taken += len(_GAP) + width
    yield start, len(widths)


def _table(labels: list[str], left: int, players: Sequence[tuple[Score, int]], paint: Paint, *,
           ranked: bool) -> str:
    widths = [_across(score) for score, _ in players]

    def row(label: str, cells: Sequence[str]) -> str:
        right = (" " * (width - columns(cell)) + cell for cell, width in zip(cells, widths, strict=True))
        return (filled(label, left) + "".join(_GAP + cell for cell in right)).rstrip()

    points = [{line.label: number(line.points) for line in score.lines} for score, _ in players]
    rule = "─" * (left + sum(widths) + len(_GAP) * len(widths))
    lines = [paint(row("", [cut(score.player, _NAME) for score, _ in players]), "bold"),
             *(row(label, [one.get(label, "") for one in points]) for label in labels),
             paint(rule, "quiet"),
             paint(row("total", [number(score.total) for score, _ in players]), "bold"),
             *([row("rank", [ordinal(rank) for _, rank in players])] if ranked else [])]
    return "\n".join(_INDENT + line for line in lines)


# ---- a list for each player -----------------------------------------------------------------------------------------

def _blocks(result: Result) -> list[list[Half]]:
    """For each player the name, the lines, the total and the rank, each as left and right half."""
    return [[(cut(score.player, _NAME), ""), *((line.label, number(line.points)) for line in score.lines),
             ("total", number(score.total)), ("rank", ordinal(rank))]
            for score, rank in zip(result.scores, result.ranks, strict=True)]


def _rows(blocks: Sequence[list[Half]], width: int) -> Iterator[list[list[Half]]]:
    """As many players beside each other as the width takes."""
    for start, end in _chunks(list(map(_block_width, blocks)), width):
        yield list(blocks[start:end])


def _block_width(block: list[Half]) -> int:
    return max(12, *(columns(left) + 2 * bool(right) + columns(right) for left, right in block))


def _lists(blocks: list[list[Half]], paint: Paint) -> str:
    """Heads, lines and totals of the players beside each other; totals and ranks stand in rows."""
    widths = list(map(_block_width, blocks))
    body = zip_longest(*(block[1:-2] for block in blocks), fillvalue=("", ""))
    return "\n".join([
        _row([block[0] for block in blocks], widths, paint, "bold"),
        *(_row(row, widths) for row in body),
        _joined([paint("─" * width, "quiet") for width in widths]),
        _row([block[-2] for block in blocks], widths, paint, "bold"),
        _row([block[-1] for block in blocks], widths)])


def _row(halves: Sequence[Half], widths: list[int], paint: Paint | None = None, style: str = "") -> str:
    cells = [left + " " * (width - columns(left) - columns(right)) + right
             for (left, right), width in zip(halves, widths, strict=True)]
    return _joined([paint(cell, style) for cell in cells] if paint else cells)


def _joined(cells: Sequence[str]) -> str:
    return (_INDENT + _GAP.join(cells)).rstrip()
