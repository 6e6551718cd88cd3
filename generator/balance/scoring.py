"""How well balanced a set is: a weighted sum of a report's figures, by the weights in the game's `balance.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

from ..definitions import nodes, typed
from ..definitions.balances import BalanceFile
from ..definitions.models import Game
from ..errors import InputError, Place, Problem, did_you_mean, fault
from ..paths import shown
from .report import FIGURES, Report, figures

FILE = "balance.yaml"


def score(scale: BalanceFile, made: Report) -> float:
    """The score of a set by the report on it; lower is better."""
    known = figures(made)
    return sum(one.weight * (known[one.figure] if one.aim is None else abs(known[one.figure] - one.aim))
               for one in scale.score)


def scale(game: Game) -> BalanceFile:
    """The balance.yaml of a game; raises InputError with every problem in it, also where there is none."""
    path = game.folder / FILE
    if not path.is_file():
        raise fault(f"{game.title} has no {FILE}", Place(shown(game.folder)))
    made = typed.read(nodes.document(nodes.read_text(path), shown(path)), BalanceFile)
    if problems := list(_problems(made)):
        raise InputError(problems)
    return made


def _problems(made: BalanceFile) -> Iterator[Problem]:
    for one in made.score:
        if one.figure not in FIGURES:
            yield Problem(f"no figure “{one.figure}” in a report", one.place, did_you_mean(one.figure, FIGURES))
