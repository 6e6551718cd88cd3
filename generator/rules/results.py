"""The results of judging a sheet: findings, hints, the score with its lines, and the data for a scored copy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TypeAlias

from ..errors import Place
from ..fast_dataclasses import NamedTuple, dataclass
from ..model.values import Empty
from ..sheets import FilledSheet
from .book import Severity


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation with its place on a sheet: the rule's id, the severity, one sentence, the ids of the fields, the
    player they belong to, and the line."""

    rule: str
    severity: Severity
    message: str
    where: tuple[str, ...]
    player: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class Hint:
    """What a player could have done better: one sentence, the ids of the fields, the player, and the line."""

    message: str
    where: tuple[str, ...]
    player: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class Verdict:
    """All findings on one sheet, in the order of its lines."""

    findings: tuple[Finding, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether there is no error. Warnings do not count."""
        return not self.findings or all(finding.severity != "error" for finding in self.findings)


class Part(NamedTuple):
    """One part of a score line: a short description and its points."""

    text: str
    points: int


class Line(NamedTuple):
    """One line of a score, labelled as on the paper. `parts` explain its points if requested, and add up to them."""

    label: str
    points: int
    parts: tuple[Part, ...] = ()


class Score(NamedTuple):
    """One player's score: lines in the order of the paper. The total is their sum."""

    player: str
    lines: tuple[Line, ...] = ()

    @property
    def total(self) -> int:
        """The sum of the lines."""
        return sum([line.points for line in self.lines])


@dataclass(frozen=True, slots=True)
class Result:
    """The scores in the order of the sheet, each player's rank, and the winners.

    `winners` is empty if everybody loses or the game is not over. `remark` is a sentence that says why, or how a tie
    was broken; it may be empty. `unit` names what a total counts, in one word. Ranks are not shown before the game is
    `over`."""

    scores: tuple[Score, ...] = ()
    ranks: tuple[int, ...] = ()
    winners: tuple[str, ...] = ()
    remark: str = ""
    unit: str = "point"
    over: bool = True

    def __post_init__(self) -> None:
        if len(self.ranks) != len(self.scores):
            raise ValueError(f"{len(self.scores)} scores and {len(self.ranks)} ranks")


Explanation: TypeAlias = Iterable[Iterable[Sequence[Part]]]
"""The parts of every line, for every player, in the order of the score."""


def with_parts(result: Result, explanation: Explanation) -> Result:
    """The result with the parts of its lines; raises ValueError if they do not belong to this score."""
    scores = tuple(
        Score(score.player, tuple(_with_parts(score, lines)))
        for score, lines in zip(result.scores, explanation, strict=True)
    )
    return replace(result, scores=scores)


def _with_parts(score: Score, lines: Iterable[Sequence[Part]]) -> Iterator[Line]:
    for line, parts in zip(score.lines, lines, strict=True):
        if sum(part.points for part in parts) != line.points:
            raise ValueError(f"{line.label} has {line.points}, but its parts do not add up to that: {parts}")
        yield line._replace(parts=tuple(parts))


def ranks(keys: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """The rank of each key, the highest first; equal keys share the higher rank, and the next ranks are skipped."""
    all_keys = tuple(keys)
    if len(all_keys) == 1:
        return (1,)
    by_key: dict[tuple[int, ...], int] = {}
    for rank, key in enumerate(sorted(all_keys, reverse=True), 1):
        by_key.setdefault(key, rank)
    return tuple(by_key[key] for key in all_keys)


Ids: TypeAlias = tuple[tuple[str, ...], ...]


class Strokes(NamedTuple):
    """Drawings on a sheet: `lines` from field to field, `outlines` around fields, and fields `crossed` out. `marks` are
    those that look different on paper than in the file; `tells` names the extra parts of the file that the
    drawings show."""

    lines: Ids = ()
    outlines: Ids = ()
    crossed: tuple[str, ...] = ()
    marks: Mapping[str, str] = Empty
    tells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Copied:
    """A filled-in sheet, the right `sums` by the ids of their fields, and what was drawn on it."""

    filled: FilledSheet
    sums: Mapping[str, int] = field(default_factory=lambda: Empty)
    strokes: Strokes = Strokes()

    @property
    def marks(self) -> tuple[str, ...]:
        """The ids of all marks, whether on paper or not."""
        return tuple(dict.fromkeys((*self.filled.marks, *self.strokes.marks)))

    @property
    def beside(self) -> list[str]:
        """The typed parts that the paper cannot show."""
        return [name for name in self.filled.extra if name not in self.strokes.tells]
