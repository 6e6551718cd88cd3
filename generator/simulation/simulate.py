"""Plays games with simulated players.

    Deck ── Simulation.begin ──▶ SimulatedGame ── a strategy's choice, move by move ──▶ FinishedGame ──▶ Tally, sheets

Every game has a number, and its random generator is seeded by that alone; how games are split into jobs makes no
difference to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from .. import games
from ..codes import parse
from ..codes.chance import Chance
from ..definitions.load import load
from ..definitions.models import Game
from ..definitions.values import Span
from ..errors import did_you_mean, fault
from ..games.deck import Deck
from ..games.simulation import FinishedGame, Sheet, SimulatedGame, Simulation
from .report import Tally

USUAL_PLAYERS = 4

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")

Strategy = Callable[[SimulatedGame[Any], Sequence[Any], Chance], Any]
"""How a simulated player chooses one of the legal moves."""


def random(game: SimulatedGame[Any], choices: Sequence[Any], chance: Chance) -> Any:
    """Any legal move, all equally likely."""
    return choices[chance.below(len(choices))]


def greedy(game: SimulatedGame[Any], choices: Sequence[Any], chance: Chance) -> Any:
    """The most points now; equal moves are equally likely."""
    return chance.choice(game.best(choices))


def careful(game: SimulatedGame[Any], choices: Sequence[Any], chance: Chance) -> Any:
    """Greedy, but avoids a move that makes a card or column of the player's own impossible to finish."""
    return chance.choice(game.best(game.unspoilt(choices)))


STRATEGIES: Mapping[str, Strategy] = MappingProxyType({"random": random, "greedy": greedy, "careful": careful})


@dataclass(frozen=True, slots=True)
class Job:
    """Games to play: of `game` (its key or folder), with the set of a code or the standard one, by players with these
    strategies in the order of the line-up. Of the games that `seed` names, those from number `first` to before
    `stop`. `keep` asks for their sheets."""

    game: str
    strategies: tuple[str, ...]
    code: str | None = None
    variant: str = ""
    seed: str = "1"
    first: int = 0
    stop: int = 0
    keep: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES[: len(self.strategies)]

    def parts(self, size: int) -> Iterator[Job]:
        """The same games in jobs of at most `size`."""
        for first in range(self.first, self.stop, size):
            yield replace(self, first=first, stop=min(first + size, self.stop))


@dataclass(slots=True)
class JobResult:
    """What came of a job: the counts of its games and, if asked for, the sheets of each game with its number."""

    tally: Tally = field(default_factory=Tally)
    sheets: list[tuple[int, list[Sheet]]] = field(default_factory=list)


@lru_cache(maxsize=64)
def prepare(game: str, code: str | None, players: int, variant: str) -> Simulation:
    """A game set up for so many players and a variant; raises InputError where it cannot be played like that."""
    found, deck, kind = _laid_out(game, code)
    if players not in (able := kind.players_with(found, deck)):
        raise fault(f"{found.title} is for {_listed(able)} player{'s' * (able != (1,))}{_with(deck)}, not {players}")
    variants = kind.variants_with(found, deck)
    if variant and variant not in kind.variants:
        raise fault(f"{found.title} has no variant “{variant}”", hint=did_you_mean(variant, kind.variants))
    if variant and variant not in variants:
        raise fault(f"“{variant}” cannot be played with {deck.code}", hint=f"what can be: {', '.join(variants)}")
    return kind(found, deck, players, variant or variants[0])


def usual_players(game: str, code: str | None) -> int:
    """How many play when nobody says: four, or as many as the game or the set is for."""
    found, deck, kind = _laid_out(game, code)
    able = kind.players_with(found, deck)
    return USUAL_PLAYERS if USUAL_PLAYERS in able else max(able)


@lru_cache(maxsize=64)
def _laid_out(game: str, code: str | None) -> tuple[Game, Deck, type[Simulation]]:
    """A game, the set that is played with, and how it is played."""
    found = _read(game)
    kind = games.simulation_of(found)
    return found, games.deal(found, parse(code, prefix=found.definition.prefix) if code else None), kind


@lru_cache(maxsize=4)
def _read(game: str) -> Game:
    return load(game)


def _listed(numbers: Sequence[int]) -> str:
    if len(numbers) == numbers[-1] - numbers[0] + 1:
        return str(Span(numbers[0], numbers[-1]))
    return f"{', '.join(map(str, numbers[:-1]))} or {numbers[-1]}"


def _with(deck: Deck) -> str:
    return f" with {deck.code}" if deck.code else ""


def play(job: Job) -> JobResult:
    """Plays the games of a job. The line-up moves on by a place with every game, so that all begin equally often."""
    ready = prepare(job.game, job.code, len(job.strategies), job.variant)
    result = JobResult()
    for number in range(job.first, job.stop):
        lineup = [(place + number) % len(job.strategies) for place in range(len(job.strategies))]
        game = ready.begin(Chance(seed_of(job.seed, number)), job.keep)
        strategies = [STRATEGIES[job.strategies[player]] for player in lineup]
        result.tally.count(play_game(game, strategies, ready.longest), lineup)
        if job.keep:
            result.sheets.append((number, game.sheets([job.names[player] for player in lineup])))
    return result


def seed_of(seed: str, number: int) -> int:
    """The seed of one game: it depends on the seed text and the number of the game alone."""
    return int.from_bytes(sha256(f"{seed}\n{number}".encode("utf-8", "surrogatepass")).digest()[:8], "big")


def play_game(game: SimulatedGame[Any], strategies: Sequence[Strategy], longest: int) -> FinishedGame:
    """Plays a game to its end; gives it up after `longest` moves."""
    chance = game.chance
    for _ in range(longest):
        choices = game.choices()
        count = len(choices)
        if not count:
            break
        game.do(choices[0] if count == 1 else strategies[game.seat](game, choices, chance))
    return game.played()
