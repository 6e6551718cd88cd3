"""The games that come with Pencilbox, in the order they are listed, and what each of them can do.

A game is a package `games/<key>` with three modules that nothing else needs to know the inside of: `game` (its
`GameRules`, for judging), `deal` (its `RandomSets`) and `simulation` (its `Simulation`). Each is imported when it is
first asked for: judging does without dealing, and dealing without judging.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..definitions.models import Card, Game
from ..definitions.values import Empty
from ..errors import fault
from .deck import Deck, RandomSets

if TYPE_CHECKING:
    from ..codes import SetCode
    from .base import GameRules
    from .draws import Options
    from .simulation import Simulation


SHIPPED = ("from_the_ground_up", "elevator_up", "rolling_cubes", "upwards", "cosmic_consequences")


def rules_of(key: str) -> GameRules[Any] | None:
    """What judges the sheets of a game; None for one that did not come with Pencilbox."""
    if key not in SHIPPED:
        return None
    rules: GameRules[Any] = import_module(f"{__package__}.{key}.game").RULES
    return rules


def random_sets(game: Game) -> RandomSets:
    """What deals the random sets of a game; raises InputError for one that has none."""
    if game.key not in SHIPPED:
        raise fault(f"{game.title} has no random sets", hint=f"games that have: {', '.join(SHIPPED)}")
    sets: RandomSets = import_module(f"{__package__}.{game.key}.deal").SETS
    return sets


def simulation_of(game: Game) -> type[Simulation]:
    """How a game is played by simulation; raises InputError for one that cannot be."""
    if game.key not in SHIPPED:
        raise fault(f"{game.title} cannot be played by simulation", hint=f"games that can: {', '.join(SHIPPED)}")
    kind: type[Simulation] = import_module(f"{__package__}.{game.key}.simulation").SIMULATION
    return kind


def deal(game: Game, code: SetCode | None = None) -> Deck:
    """The decks of a game: those its YAML gives, or with a code those it names. Raises InputError."""
    if code is None:
        return Deck(MappingProxyType(given(game)))
    from .draws import drawn  # what prints and scores standard games does without

    sets = random_sets(game)
    field = game.draws[drawn(game, code)].field
    return replace(sets.deal(game, code), field=field)


def given(game: Game) -> dict[str, tuple[Card, ...]]:
    """The cards of every deck as YAML gives them, by component."""
    return {name: part.cards for name, part in game.components.items() if part.kind == "deck"}


def new_code(
    game: Game, seed_text: str | None, index: int = 0, what: str | None = None, options: Options = Empty
) -> SetCode:
    """The code of a new random set (see `draws.new_code`); raises InputError for a game that has none."""
    from . import draws

    random_sets(game)
    return draws.new_code(game, seed_text, index, what, options)
