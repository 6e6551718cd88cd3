"""Plays games with simulated players.

    Deck ── Simulation.begin ──▶ SimulatedGame ── a strategy's choice, move by move ──▶ FinishedGame ──▶ Tally, sheets

Every game has a number, and its random generator is seeded from the seed text and that number alone. So it makes no
difference how games are split into jobs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from .. import games
from ..draws import Chance, Deck, parse
from ..errors import did_you_mean, fault
from ..games.own_code import located
from ..games.simulation import FinishedGame, Sheet, SimulatedGame, Simulation, as_typed
from ..model.game import Game
from ..model.values import Span
from ..reading.load import load

USUAL_PLAYERS = 4

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")

Strategy = Callable[[SimulatedGame[Any], Sequence[Any], Chance], Any]
"""How a simulated player chooses one of the legal moves."""


def random(game: SimulatedGame[Any], choices: Sequence[Any], chance: Chance) -> Any:
    """Plays any legal move, each equally likely."""
    return choices[chance.below(len(choices))]


def greedy(game: SimulatedGame[Any], choices: Sequence[Any], chance: Chance) -> Any:
    """Plays the move that scores most immediately; moves that score the same are equally likely."""
    return chance.choice(game.best(choices))


def careful(game: SimulatedGame[Any], choices: Sequence[Any], chance: Chance) -> Any:
    """Plays greedily, but avoids moves that make a card or column of the player impossible to finish."""
    return chance.choice(game.best(game.harmless(choices)))


STRATEGIES: Mapping[str, Strategy] = MappingProxyType({"random": random, "greedy": greedy, "careful": careful})


class Job(Struct, frozen=True):
    """Games to play: `game` is a key or folder, `code` that of a set (None for the standard one), and `strategies` are
    in the order of the line-up. Plays the games of `seed` with the numbers from `first` up to, but not including,
    `stop`. With `keep`, the sheets are returned too; with `trust_code`, the rules.py of the game may run."""

    game: str
    strategies: tuple[str, ...]
    code: str | None = None
    variant: str = ""
    seed: str = "1"
    first: int = 0
    stop: int = 0
    keep: bool = False
    trust_code: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES[: len(self.strategies)]

    def parts(self, size: int) -> Iterator[Job]:
        """The same games, in jobs of at most `size` games."""
        for first in range(self.first, self.stop, size):
            yield replace(self, first=first, stop=min(first + size, self.stop))


class Tally(Struct):
    """Counts of games. Players are numbered as in the line-up, places in the order of play (0 goes first).

    `lengths` by rounds; `points` by (player, points) and `place_points` by (place, points); `won` (player) and
    `place_won` (place) count games won alone, `shared` (player) games won with others; `fates` by (piece, fate);
    `counts` by (what was counted, how often)."""

    games: int = 0
    endless: int = 0
    ties: int = 0
    all_lose: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    points: Counter[tuple[int, int]] = field(default_factory=Counter)
    place_points: Counter[tuple[int, int]] = field(default_factory=Counter)
    won: Counter[int] = field(default_factory=Counter)
    place_won: Counter[int] = field(default_factory=Counter)
    shared: Counter[int] = field(default_factory=Counter)
    fates: Counter[tuple[str, str]] = field(default_factory=Counter)
    counts: Counter[tuple[str, int]] = field(default_factory=Counter)

    def count(self, played: FinishedGame, lineup: Sequence[int]) -> None:
        """Adds a game; `lineup` has the player in each place."""
        self.games += 1
        self.fates.update(played.fates)
        self.counts.update(played.counts)
        self.points.update(zip(lineup, played.points, strict=True))
        self.place_points.update(enumerate(played.points))
        if not played.ended:
            self.endless += 1
            return
        self.lengths[played.length] += 1
        if len(played.winners) == 1:
            self.place_won[played.winners[0]] += 1
            self.won[lineup[played.winners[0]]] += 1
        else:
            self.shared.update(lineup[place] for place in played.winners)
        self.ties += len(played.winners) > 1
        self.all_lose += not played.winners

    def add(self, other: Tally) -> None:
        for name in self.__struct_fields__:
            if isinstance(count := getattr(self, name), Counter):
                count.update(getattr(other, name))
            else:
                setattr(self, name, count + getattr(other, name))


class JobResult(Struct):
    """The counts of the games of a job and, with `keep`, the number and sheets of each game."""

    tally: Tally = field(default_factory=Tally)
    sheets: list[tuple[int, list[Sheet]]] = field(default_factory=list)


@lru_cache(maxsize=64)
def prepare(game: str, code: str | None, players: int, variant: str, trust_code: bool = False) -> Simulation:
    """A game set up for a number of players and a variant. Raises InputError if it cannot be played with them."""
    loaded, deck, kind = _setup(game, code, trust_code)
    if players not in (allowed := kind.players_with(loaded, deck)):
        numbers = f"{_listed(allowed)} player{'s' * (allowed != (1,))}{f' with {deck.code}' if deck.code else ''}"
        raise fault(f"{loaded.title} is for {numbers}, not {players}")
    variants = kind.variants_with(loaded, deck)
    if variant and variant not in kind.variants:
        raise fault(f"{loaded.title} has no variant “{variant}”", hint=did_you_mean(variant, kind.variants))
    if variant and variant not in variants:
        raise fault(f"“{variant}” cannot be played with {deck.code}", hint=f"choose from {', '.join(variants)}")
    with located(loaded):
        return kind(loaded, deck, players, variant or variants[0])


def usual_players(game: str, code: str | None, trust_code: bool = False) -> int:
    """The default number of players: four, or the maximum if the game or the set is not for four."""
    loaded, deck, kind = _setup(game, code, trust_code)
    allowed = kind.players_with(loaded, deck)
    return USUAL_PLAYERS if USUAL_PLAYERS in allowed else max(allowed)


def strategies_of(game: str, code: str | None, trust_code: bool = False) -> tuple[str, ...]:
    """The simulated players that make a difference in a game, the default one last."""
    return _setup(game, code, trust_code)[2].strategies


_loaded = lru_cache(maxsize=4)(load)
"""A search sets up the same game for every code."""


@lru_cache(maxsize=64)
def _setup(game: str, code: str | None, trust_code: bool) -> tuple[Game, Deck, type[Simulation]]:
    """A game, its set, and its simulation."""
    loaded = _loaded(game, trust_code=trust_code)
    kind = games.simulation_of(loaded)
    return loaded, games.deal(loaded, parse(code, prefix=loaded.definition.prefix) if code else None), kind


def _listed(numbers: Sequence[int]) -> str:
    if len(numbers) == numbers[-1] - numbers[0] + 1:
        return str(Span(numbers[0], numbers[-1]))
    return f"{', '.join(map(str, numbers[:-1]))} or {numbers[-1]}"


def play(job: Job) -> JobResult:
    """Plays the games of a job. The line-up moves on by one seat each game, so that everyone goes first equally
    often."""
    simulation = prepare(job.game, job.code, len(job.strategies), job.variant, trust_code=job.trust_code)
    result = JobResult()
    with located(simulation.game):
        for number in range(job.first, job.stop):
            lineup = [(place + number) % len(job.strategies) for place in range(len(job.strategies))]
            game = simulation.begin(Chance(seed_of(job.seed, number)), job.keep)
            finished = play_game(game, [STRATEGIES[job.strategies[player]] for player in lineup], simulation.longest)
            if job.trust_code:
                _refuse_malformed(finished, len(lineup))
            result.tally.count(finished, lineup)
            if job.keep:
                sheets = game.sheets([job.names[player] for player in lineup])
                result.sheets.append((number, list(map(as_typed, sheets))))
    return result


def _refuse_malformed(finished: object, players: int) -> None:
    """Raises TypeError if the rules.py of a user returned something else than a finished game."""
    if not isinstance(finished, FinishedGame):
        raise TypeError(f"result must return a FinishedGame, not {type(finished).__name__}")
    if len(finished.points) != players or not set(finished.winners) <= set(range(players)):
        raise TypeError(f"result must give the points of {players} players, and winners by their seats from 0")


def seed_of(seed: str, number: int) -> int:
    """The seed of one game, from the seed text and the number of the game."""
    return int.from_bytes(sha256(f"{seed}\n{number}".encode("utf-8", "surrogatepass")).digest()[:8], "big")


def play_game(game: SimulatedGame[Any], strategies: Sequence[Strategy], longest: int) -> FinishedGame:
    """Plays a game to its end, or abandons it after `longest` moves."""
    chance = game.chance
    for _ in range(longest):
        choices = game.choices()
        count = len(choices)
        if not count:
            break
        game.do(choices[0] if count == 1 else strategies[game.seat](game, choices, chance))
    return game.result()
