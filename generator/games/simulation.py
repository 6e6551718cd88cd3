"""Playing a game by simulation: what every game's own `simulation` module provides.

`Simulation` is a game made ready for so many players; `begin` opens one `SimulatedGame`, a single game that goes on
move by move. What is legal and what comes of it is asked of the game's `play` module; here is only who decides, and
what chance does.
Seats count from 0 in the order of play: seat 0 has the first turn.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from ..codes.chance import Chance
from ..definitions.models import Game
from .deck import Deck

Move = TypeVar("Move")
Sheet = dict[str, Any]
"""A sheet as it would be typed, as plain data."""


class FinishedGame(NamedTuple):
    """A finished game in figures: its length, the points and winners by seat, and what became of its pieces, each
    (piece, fate) once. `ended` is False for a game that was given up. `counts` says how often something was done, by
    the names that the game's Simulation has for it."""

    length: int
    points: tuple[int, ...]
    winners: tuple[int, ...]
    fates: tuple[tuple[str, str], ...] = ()
    ended: bool = True
    counts: tuple[tuple[str, int], ...] = ()


class SimulatedGame(ABC, Generic[Move]):
    """One game while it is played. `seat` is to choose among `choices`."""

    __slots__ = ("chance", "seat")

    def __init__(self, chance: Chance) -> None:
        self.chance, self.seat = chance, 0

    @abstractmethod
    def choices(self) -> Sequence[Move]:
        """Every move there is now, after dice were thrown where they are due; empty when the game is over. It is asked
        once before every move."""

    @abstractmethod
    def do(self, move: Move) -> None: ...

    @abstractmethod
    def gain(self, move: Move) -> int:
        """The points a move brings the player who makes it, there and then."""

    def spoils(self, move: Move) -> bool:
        """Whether the move makes a card or column of one's own impossible to finish."""
        return False

    def best(self, choices: Sequence[Move]) -> Sequence[Move]:
        """The choices that bring the most points."""
        gains = list(map(self.gain, choices))
        most = max(gains)
        return [move for move, gain in zip(choices, gains, strict=True) if gain == most]

    def unspoilt(self, choices: Sequence[Move]) -> Sequence[Move]:
        """The choices that spoil nothing, or all where every one does."""
        return [move for move in choices if not self.spoils(move)] or choices

    @abstractmethod
    def played(self) -> FinishedGame: ...

    @abstractmethod
    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        """The game as sheets for the judge, one or one for each player; only of a game that was begun to be kept."""


class Simulation(ABC):
    """A game made ready to be played by so many players, with one set of its cards or dice, by one of its `variants`
    (the first is the usual one). A game of more than `longest` moves is given up. `unit` is what the length of a game
    counts. `pieces` are told of one by one, each with the fates it can meet; `fates` says what they mean. The fate ""
    is to be in play. `counts` names what else is counted in every game."""

    variants: tuple[str, ...] = ("standard",)
    unit: str = "rounds"
    longest: int = 20_000
    points_are: str = "points"
    fates: Mapping[str, str]
    pieces: Mapping[str, tuple[str, ...]]
    counts: tuple[str, ...] = ()

    def __init__(self, game: Game, deck: Deck, players: int, variant: str) -> None:
        self.game, self.deck, self.players, self.variant = game, deck, players, variant

    @classmethod
    def variants_with(cls, game: Game, deck: Deck) -> tuple[str, ...]:
        """The variants that can be played with a set, the usual one first."""
        return cls.variants

    @classmethod
    def players_with(cls, game: Game, deck: Deck) -> tuple[int, ...]:
        """How many players a set is for: every number that will do, the lowest first."""
        return tuple(range(game.definition.players.low, game.definition.players.high + 1))

    @abstractmethod
    def begin(self, chance: Chance, keep: bool = False) -> SimulatedGame[Any]:
        """A new game; `keep` keeps its log."""
