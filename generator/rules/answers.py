"""The judge's answer for one filled-in sheet, and its JSON."""

from __future__ import annotations

from typing import Any, TypeAlias

from ..errors import Place, Problem
from ..fast_dataclasses import NamedTuple, dataclass
from .drawing import Drawing
from .results import (
    Copied,
    Finding,
    Hint,
    Line,
    Result,
    Verdict,
)


class Judged(NamedTuple):
    """The answer for a sheet that could be read: its game, the problems found, and the score and hints if requested.
    `others` are the places of other players' sheets that were judged with it. `drawings` holds the drawings below each
    finding, if requested, and `copied` the data for a scored copy of every sheet."""

    game: str
    title: str
    place: Place
    verdict: Verdict
    result: Result | None = None
    others: tuple[Place, ...] = ()
    hints: tuple[Hint, ...] | None = None
    drawings: tuple[tuple[Drawing, ...], ...] = ()
    copied: tuple[Copied, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The answer for a sheet that cannot be read, with every reason."""

    problems: tuple[Problem, ...]


Answer: TypeAlias = Judged | Unreadable


def plain(answer: Answer) -> dict[str, Any]:
    """The answer as plain data for JSON, with its keys in order."""
    if isinstance(answer, Unreadable):
        errors = [
            {**_place(problem.place), "message": problem.message, "hint": problem.hint or None}
            for problem in answer.problems
        ]
        return {"error": errors, "valid": False}
    data: dict[str, Any] = {
        "game": answer.game,
        "valid": answer.verdict.valid,
        "findings": [
            {"rule": finding.rule, "severity": finding.severity, **_remark(finding)}
            for finding in answer.verdict.findings
        ],
    }
    if answer.result is not None:
        data |= {"players": _players(answer.result), "winners": list(answer.result.winners)}
        if not answer.result.over:
            data["over"] = False
    if answer.hints is not None:
        data["hints"] = list(map(_remark, answer.hints))
    return data


def line(answer: Answer) -> str:
    """The answer as one line of JSON."""
    import json  # not needed for answers as text

    return json.dumps(plain(answer), ensure_ascii=False)


def _place(place: Place | None) -> dict[str, Any]:
    return {"file": place.file if place else None, "line": (place.line or None) if place else None}


def _remark(remark: Finding | Hint) -> dict[str, Any]:
    words = {"player": remark.player, "where": list(remark.where), "message": remark.message}
    return {**words, **_place(remark.place)}


def _players(result: Result) -> list[dict[str, Any]]:
    return [
        {"name": score.player, "lines": list(map(_line, score.lines)), "total": score.total, "rank": rank}
        for score, rank in zip(result.scores, result.ranks, strict=True)
    ]


def _line(line: Line) -> dict[str, Any]:
    parts = [{"told": part.text, "points": part.points} for part in line.parts]
    return {"label": line.label, "points": line.points, **({"explain": parts} if parts else {})}
