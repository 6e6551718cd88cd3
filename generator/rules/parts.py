"""How the points of a score were made: the parts of each line, put beside it where somebody asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from .nouns import Line, Part, Result, Score

Told: TypeAlias = Iterable[Iterable[Sequence[Part]]]
"""For every player the parts of every line, in the order of the score."""


def explained(result: Result, told: Told) -> Result:
    """The result with the parts of its lines; raises ValueError where they are not those of this score."""
    scores = tuple(Score(score.player, tuple(_lines(score, parts)))
                   for score, parts in zip(result.scores, told, strict=True))
    return replace(result, scores=scores)


def _lines(score: Score, told: Iterable[Sequence[Part]]) -> Iterator[Line]:
    for line, parts in zip(score.lines, told, strict=True):
        if sum(part.points for part in parts) != line.points:
            raise ValueError(f"{line.label} has {line.points}, but its parts come to another sum: {parts}")
        yield line._replace(parts=tuple(parts))
