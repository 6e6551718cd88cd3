"""Random material by its codes: strips of throws with the event die, one for all players or one for each, and solo
challenges, which are strips with points to reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from ...codes import SetCode, parse
from ...definitions.models import Card, Game
from ..deck import Deck
from ..draws import refuse_foreign
from . import recipe as recipes
from .numbers import numbers
from .strips import Round, Strip, thrown

KIND = "S"
STRIP_PART = "strip"
A_PAGE = 12
"""Throws on a page of a strip."""


def deal(game: Game, code: SetCode) -> Deck:
    """The pages of the strips that `code` names; raises InputError for a code of another game or kind, and for one
    whose recipe is unknown."""
    made = strip(game, code)
    part = replace(game.components[STRIP_PART], cards=tuple(_pages(made)))
    return Deck(MappingProxyType({}), str(code), MappingProxyType({STRIP_PART: part}), STRIP_PART)


def strip(game: Game, code: SetCode, targets: bool = True) -> Strip:
    """The strips that a code names; raises InputError as `deal` does. The targets of a challenge, which take a second
    to find, may be left out."""
    refuse_foreign(game, code, KIND)
    chosen = recipes.read(game, code.recipe)
    strips, task = thrown(chosen, code.seed), chosen.challenge
    if task is None:
        return Strip(str(code), strips)
    found = _targets(game, task, strips[0], code.seed) if targets else {}
    return Strip(str(code), strips, task.option, MappingProxyType(found))


def _targets(game: Game, task: recipes.Challenge, rounds: tuple[Round, ...], seed: int) -> dict[str, int]:
    from . import challenge  # only challenges are played

    return challenge.targets(numbers(game), rounds, task.option, task.games, seed, task.targets)


def _pages(made: Strip) -> Iterator[Card]:
    """The pages of all strips as cards, in the order of players: the throws on each with their numbers."""
    for player, rounds in enumerate(made.strips, 1):
        pages = [tuple(enumerate(rounds, 1))[first:first + A_PAGE] for first in range(0, len(rounds), A_PAGE)]
        for page, throws in enumerate(pages, 1):
            yield Card(f"{player}.{page}", MappingProxyType({
                "throws": throws, "page": page, "pages": len(pages), "count": len(rounds),
                "player": player if len(made.strips) > 1 else 0, "players": len(made.strips),
                "option": made.option, "targets": made.targets}))


# ---- showing ------------------------------------------------------------------------------------------------------

def plain(game: Game, deck: Deck) -> dict[str, Any]:
    """The strips as plain data, a challenge with its scoring option and its targets."""
    made = strip(game, parse(deck.code or ""))
    strips = [[{"dice": list(one.dice), "event": one.event} for one in rounds] for rounds in made.strips]
    told = {"option": made.option, "targets": dict(made.targets)} if made.option else {}
    return {**told, "strips": strips}


def lines(game: Game, deck: Deck) -> list[str]:
    """The strips as rows of text, one for each round."""
    made = strip(game, parse(deck.code or ""))
    rows = [f"with the scoring option {made.option}: {_listed(made)}"] if made.option else []
    for player, rounds in enumerate(made.strips, 1):
        rows += [f"player {player}"] if len(made.strips) > 1 else []
        rows += [f"{number:>2}   {' '.join(map(str, one.dice))}   {one.event}" for number, one in enumerate(rounds, 1)]
    return rows


def _listed(made: Strip) -> str:
    return ", ".join(f"{name} {points}" for name, points in made.targets.items())
