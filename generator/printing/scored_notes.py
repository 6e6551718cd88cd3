"""The last page of a scored copy: the score, the problems by the numbers of their circles, and the winner."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any

from ..rules.results import Cell, Drawing, Judged, Result, Score, cut, number_text, ordinal
from ..rules.text import counted, sentence, shared_labels, winners

Line = Mapping[str, Any]
_NAME = 18
_PLAYERS = 6
_HEAVY = "cell-heavy"
_WIDE = 64
_READABLE = 60
"""The longest mark, in letters, that is legible in its place."""


def notes(answer: Judged, circled: Collection[int], continuations: Iterable[str]) -> Iterator[Line]:
    """The lines, each with its kind and texts. Problems that are not `circled` on the sheets are drawn here.
    `continuations` say where sheets of paper continue."""
    yield {"kind": "title", "text": answer.title}
    if answer.result and any(score.lines for score in answer.result.scores):
        yield _space(3)
        yield from _table(answer.result)
        yield from _parts(answer.result)
    yield _space(3)
    yield from _findings(answer, circled)
    yield _space(1.5)
    yield {"kind": "heading", "text": counted(answer.verdict)}
    last = winners(answer)
    if last:
        yield {"kind": "heading", "text": last}
    yield from ({"kind": "small", "text": text} for text in continuations)
    yield from _not_on_paper(answer)


def _space(height: float) -> Line:
    return {"kind": "space", "height": height}


def _findings(answer: Judged, circled: Collection[int]) -> Iterator[Line]:
    for place, finding in enumerate(answer.verdict.findings, 1):
        facts = [finding.severity, finding.rule, cut(finding.player or "", 24)]
        yield {
            "kind": "finding",
            "number": place,
            "head": " · ".join(filter(None, facts)),
            "text": sentence(finding.message),
        }
        for drawing in answer.drawings[place - 1] if place not in circled and answer.drawings else ():
            yield from _drawing(drawing)


def _drawing(drawing: Drawing) -> Iterator[Line]:
    """A drawing as rows of a table, with the problem in brackets."""
    rows = [list(drawing.head), *([_words(cell) for cell in row] for row in drawing.rows)]
    rows = [row for row in rows if any(row)]
    widths = [max(2, *map(len, column)) for column in zip(*rows, strict=True)]
    tracks = f"5.4 {' '.join(f'{width}fr' for width in widths)} {max(1, _WIDE - sum(widths))}fr"
    for row in rows:
        cells = [("", "left"), *((words, "left") for words in row), ("", "left")]
        yield {"kind": "row", "tracks": tracks, "style": "cell-small", "cells": cells}


def _words(cell: Cell) -> str:
    return " ".join(f"[{piece.text}]" if piece.marked else piece.text for piece in cell)


def _not_on_paper(answer: Judged) -> Iterator[Line]:
    """What was typed but has no place on the sheet."""
    typed = dict.fromkeys(name for copied in answer.copied for name in copied.beside)
    for filled in (copied.filled for copied in answer.copied):
        for name in filled.marks:
            if len(text := filled.text(name)) > _READABLE:
                yield {"kind": "small", "text": f"Too long for its place, {name}: {text}"}
    if typed:
        yield _space(1.5)
        yield {"kind": "small", "text": f"In the file, but not on this paper: {', '.join(typed)}."}


# ---- the score ------------------------------------------------------------------------------------------------------


def _table(result: Result) -> Iterator[Line]:
    for start in range(0, len(result.scores), _PLAYERS):
        players = list(zip(result.scores, result.ranks, strict=True))[start : start + _PLAYERS]
        labels = shared_labels([score for score, _ in players])
        yield from _lists(players, result.over) if labels is None else _one_table(labels, players, result.over)


def _one_table(labels: list[str], players: list[tuple[Score, int]], ranked: bool) -> Iterator[Line]:
    tracks = f"40 {'3fr ' * len(players)}{3 * (_PLAYERS - len(players)) + 1}fr"

    def row(label: str, cells: list[str], style: str = "cell") -> Line:
        return {
            "kind": "row",
            "tracks": tracks,
            "style": style,
            "cells": [(label, "left"), *((cell, "right") for cell in cells), ("", "left")],
        }

    yield row("", [cut(score.player, _NAME) for score, _ in players], style=_HEAVY)
    points = [{line.label: number_text(line.points) for line in score.lines} for score, _ in players]
    yield from (row(label, [cells.get(label, "") for cells in points]) for label in labels)
    yield row("total", [number_text(score.total) for score, _ in players], style=_HEAVY)
    if ranked and len(players) > 1:
        yield row("rank", [ordinal(rank) for _, rank in players])


def _lists(players: list[tuple[Score, int]], ranked: bool) -> Iterator[Line]:
    """Players with different score lines, side by side."""
    tracks = f"{'5fr 2fr 2fr ' * len(players)}{9 * max(0, 4 - len(players)) + 1}fr"

    def row(pairs: list[tuple[str, str]], style: str = "cell") -> Line:
        cells = [cell for label, points in pairs for cell in ((label, "left"), (points, "right"), ("", "left"))]
        return {"kind": "row", "tracks": tracks, "style": style, "cells": [*cells, ("", "left")]}

    yield row([(cut(score.player, _NAME), "") for score, _ in players], style=_HEAVY)
    lines = ([(line.label, number_text(line.points)) for line in score.lines] for score, _ in players)
    yield from (row(list(pairs)) for pairs in zip_longest(*lines, fillvalue=("", "")))
    yield row([("total", number_text(score.total)) for score, _ in players], style=_HEAVY)
    if ranked:
        yield row([("rank", ordinal(rank)) for _, rank in players])


def _parts(result: Result) -> Iterator[Line]:
    """How the points were scored, with `--explain`."""
    for score in result.scores:
        if any(line.parts for line in score.lines):
            yield _space(2)
            yield {"kind": "heading", "text": score.player}
        for line in score.lines:
            for place, part in enumerate(line.parts):
                yield {
                    "kind": "part",
                    "left": 30,
                    "head": "" if place else line.label,
                    "text": f"{part.text} = {number_text(part.points)}",
                }
