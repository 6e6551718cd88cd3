"""The games that come with Pencilbox, in the order they are listed, and access to what each game provides.

Each game is a package `games/<key>` with three public modules: `game` (its `GameRules`, for judging), `deal` (its
`RandomSets`) and `simulation` (its `Simulation`). They are imported on first use, so that judging does not load
dealing, and dealing does not load judging."""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from ..draws import Deck, RandomSets, draw_kinds
from ..draws.deck import standard_cards
from ..errors import fault
from ..model.game import Game
from ..model.values import Empty

if TYPE_CHECKING:
    from ..draws import SetCode
    from ..draws.draw_kinds import Options
    from .simulation import Simulation

__all__ = [
    "SHIPPED",
    "Deck",
    "RandomSets",
    "deal",
    "declared_sets",
    "new_code",
    "random_sets",
    "simulation_of",
    "standard_cards",
]

SHIPPED = ("from_the_ground_up", "elevator_up", "rolling_cubes", "upwards", "cosmic_consequences")


def declared_sets(game: Game) -> RandomSets | None:
    """The random sets that a game's trusted rules.py or its game.yaml defines; None without any."""
    if game.trusted_code:
        from .own_code import own_random_sets  # rarely needed

        if own := own_random_sets(game):
            return own
    if game.own_draws:
        from ..draws.own_sets import OwnSets  # not needed for games without draws

        return OwnSets()
    return None


def random_sets(game: Game) -> RandomSets:
    """The random sets of a game. Raises InputError if it has none."""
    if declared := declared_sets(game):
        return declared
    if game.key not in SHIPPED:
        hint = "say under “draws” in game.yaml what to draw, such as draws: {deal: {shuffle: cards, hands: 5}}"
        if (game.folder / "rules.py").is_file() and not game.trusted_code:
            hint = "if its rules.py defines them, add --trust-code"
        raise fault(f"{game.title} has no random sets", hint=hint)
    return cast(RandomSets, import_module(f"{__package__}.{game.key}.deal").SETS)


def simulation_of(game: Game) -> type[Simulation]:
    """The simulation class of a game. Raises InputError if the game cannot be simulated."""
    if game.key not in SHIPPED:
        from .own_simulation import own_simulation  # not needed for shipped games

        return own_simulation(game)
    return cast("type[Simulation]", import_module(f"{__package__}.{game.key}.simulation").SIMULATION)


def deal(game: Game, code: SetCode | None = None) -> Deck:
    """The decks of a game: the standard ones from its YAML files or, with a code, those of a random set. Raises
    InputError."""
    if code is None:
        return Deck(MappingProxyType(standard_cards(game)))
    sets = random_sets(game)
    field = game.draws[draw_kinds.draw_of(game, code)].field
    return replace(sets.deal(game, code), field=field)


def new_code(
    game: Game, seed_text: str | None, index: int = 0, draw_name: str | None = None, options: Options = Empty
) -> SetCode:
    """The code of a new random set (see `draws.new_code`). Raises InputError if the game has no random sets."""
    random_sets(game)
    return draw_kinds.new_code(game, seed_text, index, draw_name, options=options)
