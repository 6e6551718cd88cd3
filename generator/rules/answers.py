"""The judge's answer for one filled-in sheet, and its JSON."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import Place, Problem
from ..fast_dataclasses import NamedTuple, dataclass
from .copies import Copied
from .drawing import Drawing
from .results import Finding, Hint, Line, Result, Score, Verdict

if TYPE_CHECKING:
    from json import JSONEncoder


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
        return {"error": [_problem(problem) for problem in answer.problems], "valid": False}
    data: dict[str, Any] = {
        "game": answer.game,
        "valid": answer.verdict.valid,
        "findings": [_finding(finding) for finding in answer.verdict.findings],
    }
    if answer.result is not None:
        data |= {"players": _players(answer.result), "winners": list(answer.result.winners)}
        if not answer.result.over:
            data["over"] = False
    if answer.hints is not None:
        data["hints"] = [_hint(hint) for hint in answer.hints]
    return data


def line(answer: Answer) -> str:
    """The answer as one line of JSON."""
    if isinstance(answer, Unreadable) or answer.result is None or answer.verdict.findings or answer.hints is not None:
        return _encoder().encode(plain(answer))
    text, result = _quoted(), answer.result
    players = ", ".join([_player_text(text, *place) for place in zip(result.scores, result.ranks, strict=True)])
    over = "" if result.over else ', "over": false'
    return (
        f'{{"game": {text(answer.game)}, "valid": true, "findings": [], "players": [{players}], '
        f'"winners": [{", ".join(map(text, result.winners))}]{over}}}'
    )


def _player_text(text: Callable[[str], str], score: Score, rank: int) -> str:
    name, lines = score
    written, total = [], 0
    for line in lines:
        label, points, parts = line
        total += points
        written.append(_encoder().encode(_line(line)) if parts else f'{{"label": {text(label)}, "points": {points}}}')
    return f'{{"name": {text(name)}, "lines": [{", ".join(written)}], "total": {total}, "rank": {rank}}}'


@cache
def _quoted() -> Callable[[str], str]:
    """The function that writes a text as JSON."""
    from json.encoder import encode_basestring  # not needed for answers as text

    return encode_basestring


@cache
def _encoder() -> JSONEncoder:
    from json import JSONEncoder  # not needed for answers as text

    return JSONEncoder(ensure_ascii=False)


def _problem(problem: Problem) -> dict[str, Any]:
    place = problem.place
    return {
        "file": place.file if place else None,
        "line": place.line or None if place else None,
        "message": problem.message,
        "hint": problem.hint or None,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "player": finding.player,
        "where": list(finding.where),
        "message": finding.message,
        "file": finding.place.file,
        "line": finding.place.line or None,
    }


def _hint(hint: Hint) -> dict[str, Any]:
    return {
        "player": hint.player,
        "where": list(hint.where),
        "message": hint.message,
        "file": hint.place.file,
        "line": hint.place.line or None,
    }


def _players(result: Result) -> list[dict[str, Any]]:
    return [
        {"name": score.player, "lines": list(map(_line, score.lines)), "total": score.total, "rank": rank}
        for score, rank in zip(result.scores, result.ranks, strict=True)
    ]


def _line(line: Line) -> dict[str, Any]:
    data: dict[str, Any] = {"label": line.label, "points": line.points}
    if line.parts:
        data["explain"] = [{"told": part.text, "points": part.points} for part in line.parts]
    return data
