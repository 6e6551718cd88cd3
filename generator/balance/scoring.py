"""How well balanced a set is: a weighted sum of a report's figures, by the weights in the game's `balance.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..definitions import nodes, typed
from ..definitions.models import Game
from ..errors import InputError, Place, Problem, did_you_mean, fault
from ..paths import shown
from .report import FIGURES, Report, figures

FILE = "balance.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """A figure of the report: what it is multiplied by, and the value from which its distance is taken, if any."""

    figure: str
    weight: float
    aim: float | None = None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """balance.yaml. `games` says for each player how many games take about ten seconds; `score` is what a set is
    judged by, the lower the better."""

    games: dict[str, int] = field(default_factory=dict)
    score: tuple[Weight, ...] = ()

    def of(self, made: Report) -> float:
        """The score of a set by the report on it; lower is better."""
        known = figures(made)
        return sum(one.weight * (known[one.figure] if one.aim is None else abs(known[one.figure] - one.aim))
                   for one in self.score)


def scale(game: Game) -> Scale:
    """The balance.yaml of a game; raises InputError with every problem in it, also where there is none."""
    path = game.folder / FILE
    if not path.is_file():
        raise fault(f"{game.title} has no {FILE}", Place(shown(game.folder)))
    made = typed.read(nodes.document(nodes.read_text(path), shown(path)), Scale)
    if problems := list(_problems(made)):
        raise InputError(problems)
    return made


def _problems(made: Scale) -> Iterator[Problem]:
    for one in made.score:
        if one.figure not in FIGURES:
            yield Problem(f"no figure “{one.figure}” in a report", one.place, did_you_mean(one.figure, FIGURES))
