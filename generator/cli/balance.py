"""pencilbox balance"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from ..codes import parse
from ..definitions.load import load
from ..definitions.models import BalanceFile, Game
from ..errors import fault
from ..games import draws
from ..simulation import fairness, report_text, simulate
from ..simulation.report import Report, Setting, Tally, plain, report
from ..simulation.simulate import MINDS, Done, Job
from ..simulation.statistics import DRAWS
from ..simulation.workers import Hands, cores, hands
from . import INTERRUPTED
from .drawing import options, wanted
from .playing_files import write_pdf, write_sheets, write_text

USUAL_PLAYERS = str(simulate.USUAL)
AT_ONCE = 64
"""Games of a job at most."""

FINALISTS = 5
FIRST_ROUND = 10
"""A search plays a tenth of the games with every set, and all of them with the finalists."""


@click.command()
@click.argument("game")
@click.option("--set", "code", metavar="CODE", help="Play with the random set of this code.")
@click.option("--games", type=click.IntRange(1, 10_000_000), metavar="N",
              help="How many games.  [default: as many as take about ten seconds]")
@click.option("--seed", metavar="TEXT", default="1", show_default=True, help="The same text gives the same games.")
@click.option("--players", type=click.IntRange(1, 6), metavar="N",
              help="How many play.  [default: 4, or as many as the set is for]")
@click.option("--player", "minds", multiple=True, type=click.Choice([*MINDS]), metavar="NAME",
              help="random, greedy or careful; once for all, or once for each player.  [default: careful]")
@click.option("--variant", metavar="NAME", default="", help="One of the game's variants.  [default: the usual game]")
@click.option("--workers", type=click.IntRange(1, 1024), metavar="N", help="Processes.  [default: one for each core]")
@click.option("--scheduler", metavar="ADDRESS", help="Play on a Dask cluster: tcp://HOST:PORT.")
@click.option("--search", type=click.IntRange(2, 10_000), metavar="N", help="Find the best balanced of N random sets.")
@options("players")
@click.option("--keep", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Write every game as a sheet that `pencilbox score` reads.")
@click.option("--format", "form", type=click.Choice(["text", "json", "pdf"]), default="text", show_default=True)
@click.option("--output", "-o", "file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Where the report goes.  [default: standard output; output/GAME/balance.pdf]")
@click.pass_context
def command(ctx: click.Context, /, game: str, code: str | None, games: int | None, seed: str, players: int | None,
            minds: tuple[str, ...], variant: str, workers: int | None, scheduler: str | None, search: int | None,
            keep: Path | None, form: str, file: Path | None, what: str | None, **given: Any) -> None:
    """Play GAME many times with simulated players, and report how fair and how long it is.

    Ctrl-C reports what has been played so far.
    """
    if search and (code or keep):
        raise fault("--search goes with neither --set nor --keep")
    asked = wanted(given) | ({"what": what} if what else {})
    if asked and not search:
        raise fault(f"--{next(iter(asked))} goes with --search")
    known = load(game)
    scale = fairness.scale(known)
    sets = _codes(known, seed, search, what, wanted(given), len(minds) if len(minds) > 1 else players) if search else []
    lineup = _lineup(game, sets[0] if sets else code, minds, players)
    ready = simulate.seats(game, sets[0] if sets else code, len(lineup), variant)
    job = Job(game, lineup, code, ready.variant, seed, 0, games or _count(scale, lineup), keep is not None)
    run = Run(keep)
    with hands(workers or cores(), scheduler) as players_of:
        found = _searched(run, players_of, job, sets, scale) if sets else _played(run, players_of, job)
    if form == "pdf":
        write_pdf(load(game), found.report, file)
    else:
        write_text(found.text if form == "text" else json.dumps(found.plain, indent=2, ensure_ascii=False), file)
    ctx.exit(INTERRUPTED if run.interrupted else 0)


def _count(scale: BalanceFile, lineup: Iterable[str]) -> int:
    """How many games take about ten seconds."""
    return min((scale.games.get(mind, 1000) for mind in lineup), default=1000)


def _codes(game: Game, seed: str, count: int, what: str | None, asked: dict[str, str],
           players: int | None) -> list[str]:
    """The codes to search among: those that `randomise --seed` draws, for as many players as there are."""
    found = draws.chosen(game, what, asked)
    able = draws.takes(game, game.draws[found]).get("players", ())
    if able and (players or USUAL_PLAYERS in able):
        asked = asked | {"players": str(players or USUAL_PLAYERS)}
    codes = (draws.new_code(game, seed, index, found, asked) for index in range(count))
    return list(dict.fromkeys(map(str, codes)))


def _lineup(game: str, code: str | None, minds: tuple[str, ...], players: int | None) -> tuple[str, ...]:
    """The minds in the order of the line-up; raises InputError where their number does not fit."""
    if len(minds) > 1:
        if players not in (None, len(minds)):
            raise fault(f"{len(minds)} players are named, but --players says {players}")
        return minds
    return (minds or ("careful",)) * (players or simulate.usual_players(game, code))


# ---- playing --------------------------------------------------------------------------------------------------------

@dataclass(slots=True)
class Run:
    """The games that are played, and whether Ctrl-C ended them early. `keep` is where their sheets go."""

    keep: Path | None
    interrupted: bool = False
    tallies: dict[str | None, Tally] = field(default_factory=dict)

    def play(self, players: Hands, jobs: Iterable[Job]) -> None:
        """Plays the jobs and adds what comes of them to the tally of their set."""
        jobs = list(jobs)
        with _progress(jobs) as step:
            try:
                for job, done in players.played(_parts(jobs)):
                    self.add(job, done)
                    step(done.tally.games)
            except KeyboardInterrupt:
                self.interrupted = True

    def add(self, job: Job, done: Done) -> None:
        self.tallies.setdefault(job.code, Tally()).add(done.tally)
        if self.keep:
            write_sheets(self.keep, done.sheets)


def _parts(jobs: list[Job]) -> Iterator[Job]:
    total = sum(job.stop - job.first for job in jobs)
    for job in jobs:
        yield from job.parts(max(1, min(AT_ONCE, total // 64)))


@contextmanager
def _progress(jobs: list[Job]) -> Iterator[Any]:
    """A bar with the rate and the time left, at a terminal alone."""
    if not sys.stderr.isatty():
        yield lambda games: None
        return
    start, total, played = time.monotonic(), sum(job.stop - job.first for job in jobs), [0]
    bar: Any = click.progressbar(length=total, label="playing", file=sys.stderr, show_pos=True,
                                 item_show_func=lambda rate: f"{rate:,.0f} games/s" if rate else "")
    with bar:
        def step(games: int) -> None:
            played[0] += games
            bar.update(games, played[0] / max(time.monotonic() - start, 1e-3))
        yield step


@dataclass(frozen=True, slots=True)
class Found:
    """What is told at the end: the report, as text and as plain data."""

    report: Report
    text: str
    plain: dict[str, Any]


def _played(run: Run, players: Hands, job: Job) -> Found:
    run.play(players, [job])
    made = _report(run, job)
    return Found(made, report_text.text(made), plain(made))


def _report(run: Run, job: Job, draws: int = DRAWS) -> Report:
    tally = run.tallies.get(job.code, Tally())
    if not tally.games:
        raise click.Abort
    seats = simulate.seats(job.game, job.code, len(job.minds), job.variant)
    definition = seats.game.definition
    setting = Setting(seats.game.key, definition.title, job.code, seats.variant, job.seed, job.names, job.minds,
                      seats.unit, seats.points_are, seats.pieces, seats.fates, seats.counts)
    return report(setting, tally, draws)


# ---- searching ------------------------------------------------------------------------------------------------------

def _searched(run: Run, players: Hands, job: Job, codes: list[str], scale: BalanceFile) -> Found:
    """The best of these sets: the finalists of a short first round play on."""
    short = max(1, job.stop // FIRST_ROUND)
    run.play(players, [replace(job, code=code, stop=short) for code in codes])
    ranked = _ranked(run, job, scale)[:FINALISTS]
    if not run.interrupted:
        run.play(players, [replace(job, code=code, first=short) for _, code in ranked])
        kept = {code for _, code in ranked}
        ranked = [one for one in _ranked(run, job, scale) if one[1] in kept]
    best = _report(run, replace(job, code=ranked[0][1]))
    ranking = [{"set": code, "score": round(score, 6), "games": run.tallies[code].games} for score, code in ranked]
    return Found(best, _ranking(ranking, len(codes), report_text.text(best)),
                 {"searched": len(codes), "ranking": ranking, "best": plain(best)})


def _ranked(run: Run, job: Job, scale: BalanceFile) -> list[tuple[float, str]]:
    """The sets that were played with, the best first, each with its score."""
    if not run.tallies:
        raise click.Abort
    reports = {str(code): _report(run, replace(job, code=code), draws=1) for code in run.tallies}
    what = draws.drawn(load(job.game), parse(min(reports)))
    return sorted((fairness.score(scale, made, what), code) for code, made in reports.items())


def _ranking(ranking: list[dict[str, Any]], count: int, text: str) -> str:
    rows = [f"{place:>3}  {one['set']}  {one['score']:>8.3f}  {one['games']:>9,}"
            for place, one in enumerate(ranking, 1)]
    head = f"The best of {count} sets; the lower the score, the better balanced."
    wide = len(str(ranking[0]["set"]))
    return "\n".join([head, "", f"{'':3}  {'set':<{wide}}  {'score':>8}  {'games':>9}", *rows, "", text])
