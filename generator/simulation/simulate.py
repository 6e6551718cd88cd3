"""Plays games with simulated players.

    Deck ── Simulation.begin ──▶ SimulatedGame ── a strategy's choice, move by move ──▶ FinishedGame ──▶ Tally, sheets

Every game has a number, and its random generator is seeded from the seed text and that number alone. So it makes no
difference how games are split into jobs. Many games are played with one set, or to search for the
best-balanced of many:

    Job ── parts ──▶ Workers.results ──▶ Tally by set ── summarise ──▶ Outcome
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml
from msgspec import Struct, field
from msgspec.structs import replace

from .. import games
from ..draws import Chance, Deck, draw_kinds, parse
from ..errors import did_you_mean, fault
from ..files import save
from ..games.own_code import located
from ..games.simulation import FinishedGame, Sheet, SimulatedGame, Simulation, as_typed
from ..model.game import BalanceFile, Game
from ..model.values import Span
from ..reading.load import load
from ..spelling import joined
from ..workers import Workers, WorkersLostError
from .report import Job, Report, Tally, balance_score, plain, ranking, summarise, text

USUAL_PLAYERS = 4
Strategy = Callable[[SimulatedGame[Any], Sequence[Any], Chance], Any]
"""How a simulated player chooses one of the legal moves."""
JOB_SIZE = 64
"""The maximum number of games in a job: enough to be worth sending, and few enough that Ctrl-C loses little."""

FINALISTS = 5
FIRST_ROUND = 10
"""A search plays a tenth of the games with every set, and the rest with the finalists."""

USUAL_GAMES = 1000
"""The number of games for a strategy that balance.yaml does not list."""

Progress = Callable[[int], AbstractContextManager[Callable[[int], None]]]
"""Shows progress through a number of games. The context manager gives a function to call with the number of games in
each finished job."""


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


_loaded = lru_cache(maxsize=4)(load)  # a search sets up the same game for every code


@lru_cache(maxsize=64)
def _setup(game: str, code: str | None, trust_code: bool) -> tuple[Game, Deck, type[Simulation]]:
    """A game, its set, and its simulation."""
    loaded = _loaded(game, trust_code=trust_code)
    kind = games.simulation_of(loaded)
    return loaded, games.deal(loaded, parse(code, prefix=loaded.definition.prefix) if code else None), kind


def _listed(numbers: Sequence[int]) -> str:
    if len(numbers) == numbers[-1] - numbers[0] + 1:
        return str(Span(numbers[0], numbers[-1]))
    return joined([*map(str, numbers)], "or")


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


class NothingPlayedError(Exception):
    """The run was stopped before its first job was finished."""

    def __init__(self, stopped_by: BaseException | None) -> None:
        super().__init__()
        self.stopped_by = stopped_by


class Outcome(Struct, frozen=True):
    """The report on the set, or on the best set of a search, and the whole answer as text and as plain data."""

    report: Report
    text: str
    plain: dict[str, Any]


# ---- what to play ---------------------------------------------------------------------------------------------------


def games_in_ten_seconds(balance: BalanceFile, strategies: Iterable[str]) -> int:
    """The number of games that take about ten seconds."""
    return min((balance.games.get(strategy, USUAL_GAMES) for strategy in strategies), default=USUAL_GAMES)


def codes_to_search(
    game: Game, seed: str, count: int, kind: str | None, options: dict[str, str], players: int | None
) -> list[str]:
    """The codes to search: those that `randomise --seed` draws, for this number of players."""
    draw = draw_kinds.choose_draw(game, kind, options)
    player_counts = draw_kinds.options_of(game, game.draws[draw]).get("players", ())
    if player_counts and (players or str(USUAL_PLAYERS) in player_counts):
        options = options | {"players": str(players or USUAL_PLAYERS)}
    codes = (draw_kinds.new_code(game, seed, index, draw, options=options) for index in range(count))
    return list(dict.fromkeys(map(str, codes)))


# ---- playing --------------------------------------------------------------------------------------------------------


class SimulationRun(Struct):
    """Games being played and their counts by set code. `folder` is where their sheets are saved, if they are.
    `stopped_by` is what ended the run early: Ctrl-C or lost workers."""

    workers: Workers
    progress: Progress
    folder: Path | None = None
    stopped_by: KeyboardInterrupt | WorkersLostError | None = None
    tallies: dict[str | None, Tally] = field(default_factory=dict)

    def play(self, jobs: Sequence[Job]) -> None:
        """Plays the jobs in parts and counts the games of each set, until Ctrl-C or until the workers are lost."""
        total = sum(job.stop - job.first for job in jobs)
        parts = (part for job in jobs for part in job.parts(max(1, min(JOB_SIZE, total // 64))))
        with self.progress(total) as step:
            try:
                for job, result in self.workers.results(play, parts):
                    self.tallies.setdefault(job.code, Tally()).add(result.tally)
                    if self.folder:
                        # Each game is saved as `game-00001.yaml`, or one file for each player: `game-00001-ann.yaml`.
                        for number, sheets in result.sheets:
                            for sheet in sheets:
                                name = f"-{sheet['player'].lower()}" if len(sheets) > 1 else ""
                                text: str = yaml.dump(
                                    sheet, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH
                                )
                                save(text.encode(), self.folder / f"game-{number + 1:05}{name}.yaml")
                    step(result.tally.games)
            except (KeyboardInterrupt, WorkersLostError) as error:
                self.stopped_by = error

    def report(self, job: Job) -> Report:
        """Reports on the games played with the set of a job."""
        tally = self.tallies.get(job.code, Tally())
        if not tally.games:
            raise NothingPlayedError(self.stopped_by)
        simulation = prepare(job.game, job.code, len(job.strategies), job.variant, trust_code=job.trust_code)
        return summarise(job, simulation, tally)


def play_set(run: SimulationRun, job: Job) -> Outcome:
    """Plays the games of a job and reports on them."""
    run.play([job])
    report = run.report(job)
    return Outcome(report, text(report), plain(report))


# ---- searching ------------------------------------------------------------------------------------------------------


def search(run: SimulationRun, job: Job, codes: Sequence[str], balance: BalanceFile) -> Outcome:
    """Finds the best-balanced of these sets: plays a few games with every set, then the rest with the finalists."""
    short = max(1, job.stop // FIRST_ROUND)
    run.play([replace(job, code=code, stop=short) for code in codes])
    ranked = _ranked(run, job, balance)[:FINALISTS]
    if run.stopped_by is None:
        finalists = {code for _, code in ranked}
        run.play([replace(job, code=code, first=short) for _, code in ranked])
        ranked = [(score, code) for score, code in _ranked(run, job, balance) if code in finalists]
    best = run.report(replace(job, code=ranked[0][1]))
    rows = [{"set": code, "score": round(score, 6), "games": run.tallies[code].games} for score, code in ranked]
    return Outcome(
        best, ranking(rows, len(codes), best), {"searched": len(codes), "ranking": rows, "best": plain(best)}
    )


def _ranked(run: SimulationRun, job: Job, balance: BalanceFile) -> list[tuple[float, str]]:
    """The scores and codes of all sets with games, the best first."""
    if not run.tallies:
        raise NothingPlayedError(run.stopped_by)
    reports = {str(code): run.report(replace(job, code=code)) for code in run.tallies}
    draw = draw_kinds.draw_of(load(job.game), parse(min(reports)))
    return sorted((balance_score(balance, report, draw), code) for code, report in reports.items())


# ---- sheets ---------------------------------------------------------------------------------------------------------

SHEETS = "game-*.yaml"
"""The pattern of the files that sheets are saved in."""

_Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_WIDTH = 118
