"""pencilbox balance"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from ..draws import draw_kinds, parse
from ..errors import Problem, fault
from ..files import save
from ..model.draws import flag
from ..model.game import Game
from ..reading.load import is_game, load, shipped
from ..simulation import simulate
from ..simulation.report import Job, Report, read_balance
from ..simulation.simulate import (
    SHEETS,
    STRATEGIES,
    NothingPlayedError,
    SimulationRun,
    codes_to_search,
    games_in_ten_seconds,
    play_set,
    search,
)
from ..workers import TIMEOUT, WorkersLostError, cores, open_workers
from .console import OUTPUT, echo, json_text, may_write, show_errors
from .failures import INTERRUPTED
from .options import (
    Command,
    Count,
    cluster_options,
    complete,
    draw_options,
    refuse_unused_cluster,
    trust_code_option,
    typed_draw_options,
    workers_option,
)

_CODE = re.compile(r"[A-Za-z]{2}-[0-9A-Za-z]{4}-")  # how a set code begins


@click.command(cls=Command)
@click.argument("game", required=False, metavar="[GAME|CODE]", shell_complete=complete("games"))
@click.option("--set", "code", metavar="CODE", help="Play with the random set of this code.")
@click.option(
    "--games",
    type=Count(1, 10_000_000),
    metavar="N",
    help="The number of games.  [default: as many as one processor core plays in ten seconds: 400 to 8,000]",
)
@click.option("--seed", metavar="TEXT", default="1", show_default=True, help="The same text gives the same games.")
@click.option(
    "--players",
    type=Count(1, 6),
    metavar="N",
    help="The number of players.  [default: 4, or as many as the set is for]",
)
@click.option(
    "--player",
    "strategies",
    multiple=True,
    type=click.Choice([*STRATEGIES]),
    metavar="NAME",
    help="random, greedy or careful; give it once for all players, or once for each.  [default: careful]",
)
@click.option("--variant", metavar="NAME", default="", help="A variant of the game.  [default: the usual game]")
@workers_option("one for each core")
@cluster_options("Play")
@click.option("--search", "sets", type=Count(2, 10_000), metavar="N", help="Find the best-balanced of N random sets.")
@draw_options("players")
@trust_code_option
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Save every game as a sheet that `pencilbox score` reads.",
)
@click.option("--format", "form", type=click.Choice(["text", "json", "pdf", "html"]), default="text", show_default=True)
@click.option(
    "--output",
    "-o",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The file to write the report to.  [default: standard output; for pdf and html, output/GAME/balance.pdf]",
)
@click.option("--force", is_flag=True, help="With --output or --keep: replace existing files without asking.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    game: str | None,
    code: str | None,
    games: int | None,
    seed: str,
    players: int | None,
    strategies: tuple[str, ...],
    variant: str,
    workers: int | None,
    scheduler: str | None,
    timeout: float | None,
    sets: int | None,
    keep: Path | None,
    form: str,
    file: Path | None,
    force: bool,
    kind: str | None,
    trust_code: bool,
    **draw_values: Any,
) -> None:
    """Play GAME many times with simulated players, and report how fair and how long it is.

    Press Ctrl-C to end early and report on the games played so far.
    """
    game, code = _game_and_code(game, code)
    if sets and (code or keep):
        raise fault("--search cannot be used with --set or --keep")
    refuse_unused_cluster(workers, scheduler, timeout)
    if force and not (file or keep):
        raise fault("--force only works with --output FILE or --keep DIR")
    options = typed_draw_options(draw_values)
    search_options = options | ({"kind": kind} if kind else {})
    if search_options and not sets:
        raise fault(f"{flag(next(iter(search_options)))} only works with --search")
    definition = load(game, trust_code=trust_code)
    balance = read_balance(definition)
    may_write([*([file] if file else ()), *(sorted(keep.glob(SHEETS)) if keep else ())], force)
    seats = len(strategies) if len(strategies) > 1 else players
    codes = codes_to_search(definition, seed, sets, kind, options=options, players=seats) if sets else []
    lineup = _lineup(game, codes[0] if codes else code, strategies, players, trust_code=trust_code)
    ready = simulate.prepare(game, codes[0] if codes else code, len(lineup), variant, trust_code=trust_code)
    usual = games_in_ten_seconds(balance, lineup)
    job = Job(
        game,
        lineup,
        code,
        ready.variant,
        seed=seed,
        first=0,
        stop=games or usual,
        keep=keep is not None,
        trust_code=trust_code,
    )
    brief = not codes and job.stop * 10 < usual  # less than a second: starting other processes takes longer
    try:
        with open_workers(workers or (1 if brief else cores()), scheduler, timeout or TIMEOUT) as executor:
            run = SimulationRun(executor, _progress, keep)
            outcome = search(run, job, codes, balance) if codes else play_set(run, job)
    except NothingPlayedError as error:
        if isinstance(error.stopped_by, WorkersLostError):
            raise fault(str(error.stopped_by)) from None
        raise click.Abort from None
    if form in ("pdf", "html"):
        _write_page(definition, outcome.report, form, file)
    else:
        text = outcome.text if form == "text" else json_text(outcome.plain)
        save(f"{text}\n".encode(), file) if file else echo(text)
    if isinstance(run.stopped_by, WorkersLostError):
        show_errors([Problem(str(run.stopped_by), hint="the report covers the games that were finished")])
    ctx.exit(INTERRUPTED if run.stopped_by else 0)


def _game_and_code(game: str | None, code: str | None) -> tuple[str, str | None]:
    """The game to play and the code of its set. A code alone names the shipped game that it is for."""
    if game and not code and not is_game(game) and _CODE.match(game):
        game, code = None, game
    if game:
        return game, code
    if not code:
        raise fault("GAME is missing", hint=f"one of {', '.join(shipped())}, a folder, or a set code")
    return draw_kinds.game_of(parse(code)).key, code


def _lineup(
    game: str, code: str | None, strategies: tuple[str, ...], players: int | None, trust_code: bool
) -> tuple[str, ...]:
    """The strategy of each player. Raises InputError if there are not as many strategies as players, or if one makes no
    difference."""
    choices = simulate.strategies_of(game, code, trust_code)
    useless = [strategy for strategy in strategies if strategy not in choices]
    if useless:
        raise fault(f"--player {useless[0]} makes no difference here", hint=f"its players are {' or '.join(choices)}")
    if len(strategies) > 1:
        if players not in (None, len(strategies)):
            raise fault(f"--player is given {len(strategies)} times, but --players is {players}")
        return strategies
    return (strategies or choices[-1:]) * (players or simulate.usual_players(game, code, trust_code))


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar with the rate and the time left; only on a terminal."""
    if not sys.stderr.isatty():
        yield lambda games: None
        return
    start, played = time.monotonic(), 0
    bar: Any = click.progressbar(
        length=total,
        label="playing",
        file=sys.stderr,
        show_pos=True,
        item_show_func=lambda rate: f"{rate:,.0f} games/s" if rate else "",
    )
    with bar:

        def step(games: int) -> None:
            nonlocal played
            played += games
            bar.update(games, played / max(time.monotonic() - start, 1e-3))

        yield step


def _write_page(game: Game, report: Report, form: str, file: Path | None) -> None:
    """Writes the report as a PDF or HTML page, and prints the name of its file."""
    file = file or OUTPUT / report.simulation.game.key / f"balance.{form}"
    from ..printing import balance_report, html_pages  # load HarfBuzz and Jinja2

    page = balance_report.sheet(game, report) if form == "pdf" else html_pages.balance(game, report).encode()
    save(page, file)
    echo(str(file))
