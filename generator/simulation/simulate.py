"""The table's corridor: games are played, one after another, by named players.

    Deck ── Simulation.begin ──▶ SimulatedGame ── a player's choice, move by move ──▶ FinishedGame ──▶ Tally, sheets

Every game has a number, and its chance comes from that alone; who plays how many games of a job makes no difference.
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

USUAL = 4

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")

Mind = Callable[[SimulatedGame[Any], Sequence[Any], Chance], Any]
"""A player: chooses one of the moves."""


def random(sitting: SimulatedGame[Any], choices: Sequence[Any], chance: Chance) -> Any:
    """Any legal move alike."""
    return choices[chance.below(len(choices))]


def greedy(sitting: SimulatedGame[Any], choices: Sequence[Any], chance: Chance) -> Any:
    """The most points now; of equal moves any alike."""
    return chance.choice(sitting.best(choices))


def careful(sitting: SimulatedGame[Any], choices: Sequence[Any], chance: Chance) -> Any:
    """Greedy, but never a move that makes a card or column of one's own impossible to finish when another exists."""
    return chance.choice(sitting.best(sitting.unspoilt(choices)))


MINDS: Mapping[str, Mind] = MappingProxyType({"random": random, "greedy": greedy, "careful": careful})


@dataclass(frozen=True, slots=True)
class Job:
    """Games to play: of `game` (its key or folder), with the set of a code or the standard one, by these minds in the
    order of the line-up, the games numbered `first` to before `stop` of those that `seed` names."""

    game: str
    minds: tuple[str, ...]
    code: str | None = None
    variant: str = ""
    seed: str = "1"
    first: int = 0
    stop: int = 0
    keep: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES[:len(self.minds)]

    def parts(self, size: int) -> Iterator[Job]:
        """The same games in jobs of at most `size`."""
        for first in range(self.first, self.stop, size):
            yield replace(self, first=first, stop=min(first + size, self.stop))


@dataclass(slots=True)
class Done:
    """What came of a job: the games counted together and, where they are kept, the sheets of each by its number."""

    tally: Tally = field(default_factory=Tally)
    sheets: list[tuple[int, list[Sheet]]] = field(default_factory=list)


@lru_cache(maxsize=64)
def seats(game: str, code: str | None, players: int, variant: str) -> Simulation:
    """A game made ready to be played; raises InputError for one that cannot be, or not so."""
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
    return USUAL if USUAL in able else max(able)


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


def play(job: Job) -> Done:
    """Plays the games of a job. The line-up moves on a place with every game, so that everybody begins as often."""
    ready = seats(job.game, job.code, len(job.minds), job.variant)
    done = Done()
    for number in range(job.first, job.stop):
        lineup = [(place + number) % len(job.minds) for place in range(len(job.minds))]
        sitting = ready.begin(Chance(seed_of(job.seed, number)), job.keep)
        minds = [MINDS[job.minds[player]] for player in lineup]
        done.tally.count(played(sitting, minds, ready.longest), lineup)
        if job.keep:
            done.sheets.append((number, sitting.sheets([job.names[player] for player in lineup])))
    return done


def seed_of(seed: str, number: int) -> int:
    """The seed of one game: it hangs on the seed text and the number of the game alone."""
    return int.from_bytes(sha256(f"{seed}\n{number}".encode("utf-8", "surrogatepass")).digest()[:8], "big")


def played(sitting: SimulatedGame[Any], minds: Sequence[Mind], longest: int) -> FinishedGame:
    """A game played to its end; one that finds none in so many moves is given up."""
    chance = sitting.chance
    for _ in range(longest):
        choices = sitting.choices()
        count = len(choices)
        if not count:
            break
        sitting.do(choices[0] if count == 1 else minds[sitting.seat](sitting, choices, chance))
    return sitting.played()
