"""What the judge says: findings, and the score with its lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from ..errors import Place

Severity: TypeAlias = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A breach of one rule: which, how bad, one sentence, the field ids it lies in, whose they are, and the line."""

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
    """One part of a line of a score, told in a few words, and the points it brings."""

    told: str
    points: int


class Line(NamedTuple):
    """One line of a score, labelled as on the paper. Where it was asked how the points were made, `parts` tells it:
    they add up to them."""

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


def ranks(keys: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """The rank of each key, the highest first; equal keys share the higher rank and leave out the next ones."""
    found = tuple(keys)
    if len(found) == 1:
        return (1,)
    return tuple(1 + sum(other > key for other in found) for key in found)
