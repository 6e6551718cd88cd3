"""Prints with several processes, or with a Dask cluster: the same files, in the same order, as one process prints.

A job is a component of a set or, if there are many sets, a whole set. A worker process reads the game itself, because a
game with its templates is much more than its name, and returns the PDFs; only this process writes files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from typing import Any

from .. import __version__, games, paths
from ..draws import parse
from ..errors import Problem, fault
from ..fast_dataclasses import dataclass
from ..model.game import Game
from ..printing.game_faces import no_step
from ..reading.load import load
from ..reading.sizes import Paper
from ..reading.table_game import Look
from ..workers import TIMEOUT, WorkersLostError, cores, open_workers
from .console import progress
from .printed import Order, Outcome, PlannedFile, Result, print_files
from .selection import Chosen


@dataclass(frozen=True, slots=True)
class Job:
    """Files of one set, and all that a worker needs to print them. `run` is different for each command: workers of a
    cluster outlive it, and must not remember a game that has changed since."""

    game: str
    look: Look
    trust_code: bool
    code: str | None
    order: Order
    files: tuple[tuple[str, Paper, bool], ...]
    run: str
    version: str = __version__


def print_job(job: Job) -> list[Result]:
    """Prints the files of a job, in a worker process. Raises InputError if the worker has another version of
    Pencilbox."""
    if job.version != __version__:
        raise fault(f"a worker has Pencilbox {__version__}, not {job.version}", hint="install the same version on all")
    game = _game(job.game, job.look, job.trust_code, job.run)
    code = parse(job.code, prefix=game.definition.prefix) if job.code else None
    return list(print_files(game, games.deal(game, code), job.files, job.order, no_step, None))


@lru_cache(maxsize=8)
def _game(name: str, look: Look, trust_code: bool, run: str) -> Game:
    return load(name, look, trust_code, partial=True)


def print_elsewhere(
    chosen: list[Chosen], plan: list[list[PlannedFile]], order: Order, outcome: Outcome, options: Mapping[str, Any]
) -> None:
    """Prints every set with other processes, as `options` say. If these are lost, the outcome holds the files that were
    finished."""
    files, scheduler = [file for part in plan for file in part], options["scheduler"]
    processes = min(options["workers"] or cores(), len(files))
    run, whole = os.urandom(8).hex(), len(chosen) >= 2 * processes
    look = Look(options["size"], options["template"], options["sheet"])

    def jobs() -> Iterator[Job]:
        for (game, deck), planned in zip(chosen, plan, strict=True):
            for _, part in groupby(planned, key=lambda file: whole or file.component):
                specs = tuple((file.component, file.paper, file.fillable) for file in part)
                own = look if game.table else Look()
                yield Job(_name(game), own, options["trust_code"], deck.code, order, specs, run)

    remaining = iter(files)
    with (
        progress("printing", 0 if options["quiet"] else len(files)) as step,
        open_workers(processes, scheduler, options["timeout"] or TIMEOUT) as workers,
    ):
        try:
            for _, results in workers.results(print_job, jobs(), in_order=True):
                for result in results:
                    outcome.add(next(remaining), result)
                    step()
        except WorkersLostError as error:
            outcome.problems[Problem(str(error), hint="the files that were finished are complete")] = None
            outcome.failed |= {file.file: file.component for file in remaining}


def _name(game: Game) -> str:
    """The name by which a worker finds a game."""
    return game.key if game.folder.parent == paths.DATA else str(game.table or game.folder)
