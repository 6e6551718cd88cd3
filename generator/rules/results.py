"""What the judge finds on a sheet: findings, hints, and the score with its lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from ..errors import Place
from .book import Severity


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation located on a sheet: the id of the rule, how bad it is, one sentence, the field ids it lies in, whose
    they are, and the line."""

    rule: str
    severity: Severity
    message: str
    where: tuple[str, ...]
    player: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class Hint:
    """What could have been better: one sentence, the field ids it is about, whose they are, and the line."""

    message: str
    where: tuple[str, ...]
    player: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class Verdict:
    """All findings of one sheet, in the order of its lines."""

    findings: tuple[Finding, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether no rule is broken; a warning breaks none."""
        return not self.findings or all(finding.severity != "error" for finding in self.findings)


class Part(NamedTuple):
    """One part of a line of a score, described in a few words, and the points it brings."""

    told: str
    points: int


class Line(NamedTuple):
    """One line of a score, labelled as on the paper. `parts` explain how the points were made, where that was
    asked for, and add up to them."""

    label: str
    points: int
    parts: tuple[Part, ...] = ()


class Score(NamedTuple):
    """What one player has: lines in the order of the paper. The total is their sum."""

    player: str
    lines: tuple[Line, ...] = ()

    @property
    def total(self) -> int:
        return sum([line.points for line in self.lines])


@dataclass(frozen=True, slots=True)
class Result:
    """The scores in the order of the sheet, everybody's rank, and who has won.

    `winners` is empty where all lose or the game is not over; then `remark` says why, and else how a tie was broken,
    in one sentence (or nothing). `unit` is what a total counts, in one word."""

    scores: tuple[Score, ...] = ()
    ranks: tuple[int, ...] = ()
    winners: tuple[str, ...] = ()
    remark: str = ""
    unit: str = "point"

    def __post_init__(self) -> None:
        if len(self.ranks) != len(self.scores):
            raise ValueError(f"{len(self.scores)} scores and {len(self.ranks)} ranks")


Explanation: TypeAlias = Iterable[Iterable[Sequence[Part]]]
"""For every player the parts of every line, in the order of the score."""


def with_parts(result: Result, explanation: Explanation) -> Result:
    """The result with the parts of its lines; raises ValueError where they are not those of this score."""
    scores = tuple(
        Score(score.player, tuple(_with_parts(score, lines)))
        for score, lines in zip(result.scores, explanation, strict=True)
    )
    return replace(result, scores=scores)


def _with_parts(score: Score, lines: Iterable[Sequence[Part]]) -> Iterator[Line]:
    for line, parts in zip(score.lines, lines, strict=True):
        if sum(part.points for part in parts) != line.points:
            raise ValueError(f"{line.label} has {line.points}, but its parts come to another sum: {parts}")
        yield line._replace(parts=tuple(parts))


def ranks(keys: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """The rank of each key, the highest first; equal keys share the higher rank and leave out the next ones."""
    found = tuple(keys)
    if len(found) == 1:
        return (1,)
    return tuple(1 + sum(other > key for other in found) for key in found)
