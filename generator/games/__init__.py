"""The games Pencilbox knows, in the order they are listed, and the way to a game's own rooms."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING

from ..definitions.models import Card, Empty, Game
from ..errors import fault
from .deck import Deck

if TYPE_CHECKING:
    from ..codes import SetCode
    from .draws import Options


SHIPPED = ("from_the_ground_up", "elevator_up", "rolling_cubes", "upwards", "cosmic_consequences")


def room(key: str, name: str) -> ModuleType | None:
    """The module `name` (deal, play, rules, score) of a shipped game; None where the game has no such room."""
    if key not in SHIPPED:
        return None
    try:
        return import_module(f"{__package__}.{key}.{name}")
    except ModuleNotFoundError as error:
        if error.name == f"{__package__}.{key}.{name}":
            return None
        raise


def deal(game: Game, code: SetCode | None = None) -> Deck:
    """The decks of a game: those its YAML gives, or with a code those it names. Raises InputError."""
    if code is None:
        return Deck(MappingProxyType(given(game)))
    from .draws import drawn  # what prints and scores standard games does without

    dealer = dealing(game)
    field = game.draws[drawn(game, code)].field
    dealt: Deck = dealer.deal(game, code)
    return replace(dealt, field=field)


def given(game: Game) -> dict[str, tuple[Card, ...]]:
    """The cards of every deck as YAML gives them, by component."""
    return {name: part.cards for name, part in game.components.items() if part.kind == "deck"}


def new_code(game: Game, seed_text: str | None, index: int = 0, what: str | None = None,
             options: Options = Empty) -> SetCode:
    """The code of a new random set (see `draws.new_code`); raises InputError for a game that has none."""
    from . import draws

    dealing(game)
    return draws.new_code(game, seed_text, index, what, options)


def dealing(game: Game) -> ModuleType:
    """The `deal` room of a game with random sets; raises InputError for one without."""
    found = room(game.key, "deal")
    if found is None:
        having = ", ".join(key for key in SHIPPED if room(key, "deal"))
        raise fault(f"{game.title} has no random sets", hint=f"games that have: {having}")
    return found
