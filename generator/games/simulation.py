"""The base classes of simulations, implemented by the `simulation` module of every game.

A `Simulation` is a game prepared for a number of players; `begin` starts a `SimulatedGame`, which is played move by
move. The legal moves and their results come from the game's `play` module; the simulation determines whose decision it
is, and makes all random draws. Seats count from 0 in the order of play: seat 0 has the first turn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

from ..draws import Chance, Deck
from ..errors import Place
from ..model.game import Game
from ..model.values import Empty
from ..reading import typed

Move = TypeVar("Move")
Sheet = dict[str, Any]
"""A sheet by its keys. Its values may be records, whose fields are the keys below; `as_typed` writes it."""


class FinishedGame(Struct, frozen=True):
    """The result of a game: its length, the points by seat, the seats of the winners, and the fates of its pieces, with
    each pair of piece and fate at most once. `ended` is False if the game was abandoned. `counts` says how often the
    events in the `counts` of its Simulation happened."""

    length: int
    points: tuple[int, ...]
    winners: tuple[int, ...]
    fates: tuple[tuple[str, str], ...] = ()
    ended: bool = True
    counts: tuple[tuple[str, int], ...] = ()


class SimulatedGame(ABC, Generic[Move]):
    """A game in progress. `seat` chooses among `choices` next."""

    chance: Chance
    seat: int

    def __init__(self, chance: Chance) -> None:
        self.chance, self.seat = chance, 0

    @abstractmethod
    def choices(self) -> Sequence[Move]:
        """Every legal move; empty when the game is over. If a die must be rolled first, this rolls it, so call it
        exactly once before every move."""

    @abstractmethod
    def do(self, move: Move) -> None:
        """Plays one of the `choices`, and sets `seat` to the next player."""

    @abstractmethod
    def gain(self, move: Move) -> int:
        """The points that a player gains immediately by a move."""

    def is_harmful(self, move: Move) -> bool:
        """Whether the move makes one of the player's cards or columns impossible to finish."""
        return False

    def best(self, choices: Sequence[Move]) -> Sequence[Move]:
        """The choices that gain the most points."""
        gains = list(map(self.gain, choices))
        most = max(gains)
        return [move for move, gain in zip(choices, gains, strict=True) if gain == most]

    def harmless(self, choices: Sequence[Move]) -> Sequence[Move]:
        """The choices that spoil nothing; all choices if there are none."""
        return [move for move in choices if not self.is_harmful(move)] or choices

    @abstractmethod
    def result(self) -> FinishedGame:
        """The result of the game, which may have been abandoned."""

    @abstractmethod
    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        """The score sheets of the game, to be scored: one for all players, or one for each. Only available if the game
        was begun with `keep`. They may contain records; `as_typed` writes them as plain data."""


class Simulation(ABC):
    """A game prepared for a number of players, with one set of its cards or dice, in one of its `variants` (the first
    is the standard one). A game of more than `longest` moves is abandoned. `unit` is the unit of a game's length.
    `pieces` maps each piece to be reported to its possible fates, which `fates` describes; the fate "" means that the
    piece was in play. `counts` names the other events that are counted in every game. `strategies` names the simulated
    players that make a difference; the last one is the default. Without `has_turns`, the order of play and the length
    of a game mean nothing."""

    variants: tuple[str, ...] = ("standard",)
    strategies: tuple[str, ...] = ("random", "greedy", "careful")
    unit: str = "rounds"
    longest: int = 20_000
    points_are: str = "points"
    fates: Mapping[str, str] = Empty
    pieces: Mapping[str, tuple[str, ...]] = Empty
    counts: tuple[str, ...] = ()
    has_turns: bool = True

    def __init__(self, game: Game, deck: Deck, players: int, variant: str) -> None:
        self.game, self.deck, self.players, self.variant = game, deck, players, variant

    @classmethod
    def variants_with(cls, game: Game, deck: Deck) -> tuple[str, ...]:
        """The variants that can be played with a set, the standard one first."""
        return cls.variants

    @classmethod
    def players_with(cls, game: Game, deck: Deck) -> tuple[int, ...]:
        """The possible numbers of players with a set, lowest first."""
        return tuple(range(game.players.low, game.players.high + 1))

    @abstractmethod
    def begin(self, chance: Chance, keep: bool = False) -> SimulatedGame[Any]:
        """Starts a game; `keep` records its log."""


def as_typed(value: Any) -> Any:
    """A simulated sheet, or a part of it, as plain data that `score` reads. A record becomes a mapping from the names
    of its fields, as `reading.typed` reads it back, without its blank parts (None, False, or empty). In other mappings,
    None is left out; in a row, it is a dot."""
    kind: Any = type(value)
    if typed.is_record(kind):
        parts = {name.rstrip("_"): getattr(value, name) for name in typed.hints(kind)}
        value = {name: part for name, part in parts.items() if part and not isinstance(part, Place)}
    if isinstance(value, Mapping):
        return {key: as_typed(part) for key, part in value.items() if part is not None}
    if isinstance(value, list | tuple):
        return ["." if part is None else as_typed(part) for part in value]
    return value
