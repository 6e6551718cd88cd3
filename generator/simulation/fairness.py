"""How well balanced a set is: a weighted sum of a report's figures, by the weights in the game's `balance.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ..definitions import nodes, typed
from ..definitions.models import BalanceFile, Game
from ..errors import InputError, Place, Problem, did_you_mean, fault
from ..paths import shown
from .report import FIGURES, Report, figures

FILE = "balance.yaml"


def score(scale: BalanceFile, made: Report, what: str = "") -> float:
    """The score of a set by the report on it, as a set of what is drawn by the name `what`; lower is better."""
    known = figures(made)
    return sum(one.weight * (known[one.figure] if one.aim is None else abs(known[one.figure] - one.aim))
               for one in scale.scores.get(what, scale.score))


def scale(game: Game) -> BalanceFile:
    """The balance.yaml of a game; raises InputError with every problem in it, also where there is none."""
    path = game.folder / FILE
    if not path.is_file():
        raise fault(f"{game.title} has no {FILE}", Place(shown(game.folder)))
    made = typed.read(nodes.document(nodes.read_text(path), shown(path)), BalanceFile)
    if problems := list(_problems(game, made)):
        raise InputError(problems)
    return made


def _problems(game: Game, made: BalanceFile) -> Iterator[Problem]:
    for one in (*made.score, *chain.from_iterable(made.scores.values())):
        if one.figure not in FIGURES:
            yield Problem(f"no figure “{one.figure}” in a report", one.place, did_you_mean(one.figure, FIGURES))
    for what, weights in made.scores.items():
        if what not in game.draws:
            yield Problem(f"{game.title} draws no “{what}”", weights[0].place if weights else None,
                          did_you_mean(what, game.draws))
