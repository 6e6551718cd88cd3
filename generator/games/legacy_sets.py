# mypy: ignore-errors
"""Until every game has its own `RandomSets`: the modules of a game as they were, looked up by their names."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..codes import SetCode
from ..definitions.models import Game
from .deck import Deck, RandomSets


class LegacySets(RandomSets):
    def __init__(self, key: str) -> None:
        self.key = key
        self._dealer: Any = import_module(f"generator.games.{key}.deal")

    def deal(self, game: Game, code: SetCode) -> Deck:
        return self._dealer.deal(game, code)

    def run(self, game: Game, code: SetCode, size: int) -> list[SetCode]:
        return self._dealer.run(game, code, size)

    def data(self, game: Game, deck: Deck) -> Any:
        return self._dealer.plain(game, deck)

    def lines(self, game: Game, deck: Deck) -> list[str]:
        return self._dealer.lines(game, deck)

    def broken(self, game: Game, deck: Deck, code: SetCode) -> list[str]:
        return import_module(f"generator.games.{self.key}.constraints").broken(game, deck, code)
