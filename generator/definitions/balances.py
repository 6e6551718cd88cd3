"""balance.yaml: how many games tell enough, and what a well-balanced set is."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..errors import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightFile:
    """A figure of the report on simulated games: what it is multiplied by; with `aim` its distance from that value
    counts instead of itself."""

    figure: str
    weight: float
    aim: float | None = None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class BalanceFile:
    """balance.yaml: `games` says for each player (random, greedy, careful) how many games take about ten seconds, and
    `score` what a set is judged by: a sum of figures, each times its weight; the lowest is the best. `scores` are for
    what is drawn by these names and judged otherwise."""

    games: dict[str, int] = field(default_factory=dict)
    score: tuple[WeightFile, ...] = ()
    scores: dict[str, tuple[WeightFile, ...]] = field(default_factory=dict)
