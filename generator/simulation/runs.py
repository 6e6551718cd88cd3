"""Plays many games with one set, or searches for the best-balanced of many sets.

Job ── parts ──▶ Workers.results ──▶ Tally by set ── summarise ──▶ Outcome
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct, field
from msgspec.structs import replace

from ..draws import draw_kinds, parse
from ..files import save
from ..games.simulation import Sheet
from ..model.game import BalanceFile, Game
from ..reading.load import load
from ..workers import Workers, WorkersLostError
from . import simulate
from .report import (
    Report,
    balance_score,
    plain,
    ranking,
    summarise,
    text,
)
from .simulate import USUAL_PLAYERS, Job, Tally, prepare

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
                for job, result in self.workers.results(simulate.play, parts):
                    self.tallies.setdefault(job.code, Tally()).add(result.tally)
                    if self.folder:
                        _save_sheets(self.folder, result.sheets)
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
        best,
        ranking(rows, len(codes), best),
        {"searched": len(codes), "ranking": rows, "best": plain(best)},
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


def _save_sheets(folder: Path, games: Iterable[tuple[int, list[Sheet]]]) -> None:
    """Saves each game as `game-00001.yaml`, or one file for each player as `game-00001-ann.yaml`."""
    for number, sheets in games:
        for sheet in sheets:
            name = f"-{sheet['player'].lower()}" if len(sheets) > 1 else ""
            text: str = yaml.dump(sheet, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)
            save(text.encode(), folder / f"game-{number + 1:05}{name}.yaml")
