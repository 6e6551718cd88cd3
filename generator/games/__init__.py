"""The games Pencilbox knows, in the order they are listed, and the way to a game's own rooms."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

SHIPPED = ("from_the_ground_up",)


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
