"""Prints planned files: in this process, in several, or on a Dask cluster; the same files, in the same order.

A job for another process is a component of a set or, if there are many sets, a whole set. A worker reads the game
itself, because a game with its templates is much more than its name, and returns the PDFs; only this process writes
files. Problems with one component do not stop the others.

The layouts of your own score sheets are kept in the folder of the game, so that a photo of a sheet can be read although
the game has changed since.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from msgspec import DecodeError, Struct, field, json
from msgspec.structs import replace

from .. import __version__, games, paths, pdf
from ..draws import parse
from ..errors import InputError, Problem, fault, noting
from ..files import save
from ..geometry.frame import Frame
from ..geometry.outlines import IDENTITY
from ..layout.flaws import Draft
from ..model.game import Component, Game
from ..model.print_settings import PrintSettings
from ..pages.field_map import FieldMap, layout_id, map_fields
from ..pages.nup import sheet_pages
from ..reading.load import load
from ..reading.sizes import Paper
from ..reading.table_game import DEFAULT_LOOK, TableLook
from .game_faces import Step, no_step
from .plan import PlannedFile, PrintPlan, chosen_cards
from .press import Press, Printed
from .records import FOLDER, PrintedFile, Records
from .variants import whole_paper

MANY_FILES = 30
"""The number of files from which several processes are used: starting one takes as long as printing a few files."""
HOW = {
    "long": "double-sided, flip on the long edge",
    "short": "double-sided, flip on the short edge",
    "gutterfold": "one-sided, fold along the dashed line and glue",
    None: "one-sided",
}

Progress = Callable[[str, int], AbstractContextManager[Step]]
"""Shows the progress of a task with this label and number of steps."""


@contextmanager
def no_progress(label: str, steps: int) -> Iterator[Step]:
    """Shows nothing."""
    yield no_step


class ProcessOptions(Struct, frozen=True):
    """Where files are printed: in this number of `workers` (None: one for each core if there are many files), or on the
    cluster of a `scheduler`, which gets `timeout` seconds to answer."""

    workers: int | None = None
    scheduler: str | None = None
    timeout: float | None = None

    def are_needed(self, files: Sequence[PlannedFile]) -> bool:
        """Whether these files are printed in other processes. One process numbers the flaws of drafts."""
        many = self.workers != 1 and len(files) >= (self.workers or MANY_FILES)
        return bool(self.scheduler) or (many and not any(file.settings.draft for file in files))


class PrintOutcome(Struct):
    """What was printed, and what was not: the `failed` files with the components they would have shown, and all
    `problems`. A `draft` is printed despite its problems."""

    files: list[PrintedFile] = field(default_factory=list)
    failed: dict[Path, str] = field(default_factory=dict)
    problems: dict[Problem, None] = field(default_factory=dict)
    draft: Draft = field(default_factory=Draft)


class PrintResult(Struct, frozen=True):
    """What became of a file: what was printed with its notes, or the problems that prevent it, and the files that it
    was printed from (`read`): those of components, templates and pictures."""

    printed: Printed | None
    notes: tuple[Problem, ...] = ()
    problems: tuple[Problem, ...] = ()
    read: frozenset[Path] = frozenset()


def print_plan(
    planned: PrintPlan,
    records: Records | None,
    *,
    again: bool,
    check_paths: Callable[[Sequence[Path]], None],
    processes: ProcessOptions,
    look: TableLook,
    trust_code: bool,
    progress: Progress,
) -> PrintOutcome:
    """Prints and writes the files of a plan, in its order. Files that have not changed since they were recorded stay as
    they are, unless they are to be printed `again`. `check_paths` raises InputError if files must not be replaced. A
    bare table gets this `look`. If workers are lost, the outcome holds the files that were finished."""
    outcome = PrintOutcome(failed=dict(planned.left_out), problems=dict.fromkeys(planned.problems))
    outcome.files += filter(None, map(records.find, planned.files) if records and not again else ())
    places = {str(file.path): place for place, file in enumerate(planned.files)}
    unchanged = {file.file for file in outcome.files}
    files = [file for file in planned.files if str(file.path) not in unchanged]
    check_paths([file.path for file in files])
    if processes.are_needed(files):
        results = _results_elsewhere(files, processes, look, trust_code, progress=progress)
    else:
        results = _results_here(files, outcome.draft, progress, processes.workers)
    complete = False
    try:
        remaining = list(files)
        try:
            for file, result in zip(files, results, strict=True):
                _write(file, result, outcome, records, elsewhere=bool(processes.scheduler))
                del remaining[0]
        except InputError as error:
            outcome.problems.update(dict.fromkeys(error.problems))
            outcome.failed |= {file.path: file.component for file in remaining}
        complete = bool(outcome.files) and not outcome.problems
    finally:  # if interrupted, too: what was printed need not be printed again
        if records:
            records.save([file.file for file in outcome.files] if complete else None)
    outcome.files.sort(key=lambda file: places[file.file])
    return outcome


def _write(
    file: PlannedFile, result: PrintResult, outcome: PrintOutcome, records: Records | None, *, elsewhere: bool
) -> None:
    """Writes what was printed. A file that cannot be written counts as failed."""
    problems, printed = result.problems, result.printed
    if printed:
        try:
            save(printed.write_to, file.path)
        except InputError as error:
            problems = error.problems
        else:
            finished = _finished(file, printed, result.notes)
            outcome.files.append(finished)
            if records:
                records.add(file, finished, result.read, elsewhere=elsewhere)
            return
    outcome.failed[file.path] = file.component
    outcome.problems.update(dict.fromkeys(problems))


def _finished(file: PlannedFile, printed: Printed, notes: tuple[Problem, ...]) -> PrintedFile:
    corrected = f"; backs corrected for {printed.printer}" if printed.printer else ""
    how = f"print at 100% (actual size), {HOW[printed.duplex]}{corrected}"
    if file.form:
        how = "to fill in on screen"
    elif file.part.kind == "booklet" and printed.duplex is None and not file.settings.large_print:
        how = "to read on a screen"
    return PrintedFile(
        game=file.game.key,
        component=file.component,
        paper=file.paper.name,
        file=str(file.path),
        pages=printed.pages,
        duplex=printed.duplex,
        printer=printed.printer or None,
        print=how,
        fillable=file.form,
        set=file.deck.code,
        notes=notes,
    )


# ---- in this process


def _results_here(
    files: Sequence[PlannedFile], draft: Draft, progress: Progress, processes: int | None
) -> Iterator[PrintResult]:
    sets = [list(group) for _, group in groupby(files, key=lambda file: id(file.deck))]
    for number, group in enumerate(sets, start=1):
        title = group[0].game.title
        label = title if len(sets) == 1 else f"{title} ({number} of {len(sets)})"
        with progress(label, sum(map(_steps, group))) as step:
            yield from _results(group, step, draft, processes)


def _steps(file: PlannedFile) -> int:
    """The number of faces of a component."""
    chosen = chosen_cards(file.game, file.deck, file.component, file.settings)
    cards = (file.deck.cards if chosen is None else chosen).get(file.component, ())
    return len({card.id for card in cards}) * (2 if file.part.definition.back else 1) or 1


def _results(
    files: Iterable[PlannedFile], step: Step, draft: Draft | None, processes: int | None = 1
) -> Iterator[PrintResult]:
    """Prints files of one set, a large deck in several processes."""
    for _, group in groupby(files, key=lambda file: file.component):
        press = None  # one for each component, because it knows what it has read
        for file in group:
            press = press or Press(
                file.base_game,
                file.deck,
                file.settings,
                step=step,
                cards=chosen_cards(file.game, file.deck, file.component, file.settings),
                draft=draft if file.settings.draft else None,
                processes=processes,
            )
            try:
                result = _printed(press, file)
                yield replace(result, read=press.files)
            except InputError as error:
                yield PrintResult(None, problems=error.problems)


def _printed(press: Press, file: PlannedFile) -> PrintResult:
    with noting() as notes:
        printed = (Press.fillable if file.form else print_component)(press, file.component, file.paper)
    if notes and file.settings.strict:
        raise InputError(notes)
    return PrintResult(printed, tuple(notes))


# ---- in other processes


class PrintJob(Struct, frozen=True):
    """Files of one set, and all that a worker needs to print them: the component, paper, form and settings of each.
    `run` is different for each command: workers of a cluster outlive it, and must not remember a game that has changed
    since."""

    game: str
    look: TableLook
    trust_code: bool
    code: str | None
    files: tuple[tuple[str, Paper, bool, PrintSettings], ...]
    run: str
    version: str = __version__


def print_job(job: PrintJob) -> list[PrintResult]:
    """Prints the files of a job, in a worker process. Raises InputError if the worker has another version of
    Pencilbox."""
    if job.version != __version__:
        raise fault(f"a worker has Pencilbox {__version__}, not {job.version}", hint="install the same version on all")
    base = _game(job.game, job.look, job.trust_code, job.run)
    deck = games.deal(base, parse(job.code, prefix=base.definition.prefix) if job.code else None)
    game = deck.dress(base)
    files = [
        PlannedFile(base, game, deck, component, paper=paper, path=Path(), settings=settings, form=form)
        for component, paper, form, settings in job.files
    ]
    return list(_results(files, no_step, None))


@lru_cache(maxsize=8)
def _game(name: str, look: TableLook, trust_code: bool, run: str) -> Game:
    return load(name, look, trust_code, partial=True)


def _results_elsewhere(
    files: Sequence[PlannedFile], processes: ProcessOptions, look: TableLook, trust_code: bool, progress: Progress
) -> Iterator[PrintResult]:
    """Raises InputError if the workers are lost."""
    from ..workers import TIMEOUT, WorkersLostError, cores, open_workers  # loads multiprocessing: 20 ms

    run, timeout, count = (
        os.urandom(8).hex(),
        processes.timeout or TIMEOUT,
        min(processes.workers or cores(), len(files)),
    )
    whole = len({id(file.deck) for file in files}) >= 2 * count

    def jobs() -> Iterator[PrintJob]:
        for _, group in groupby(files, key=lambda file: (id(file.deck), whole or file.component)):
            job_files = list(group)
            game, deck = job_files[0].base_game, job_files[0].deck
            shipped = game.folder.parent == paths.DATA
            yield PrintJob(
                game=game.key if shipped else str(game.table or game.folder),
                look=look if game.table else DEFAULT_LOOK,
                trust_code=trust_code,
                code=deck.code,
                files=tuple((file.component, file.paper, file.form, file.settings) for file in job_files),
                run=run,
            )

    with progress("printing", len(files)) as step, open_workers(count, processes.scheduler, timeout) as workers:
        try:
            for _, results in workers.results(print_job, jobs(), in_order=True):
                for result in results:
                    yield result
                    step()
        except WorkersLostError as error:
            raise fault(str(error), hint="the files that were finished are complete") from None


class PrintedLayout(Struct, frozen=True):
    """The field map of a sheet, and a PDF of its pages without corner codes."""

    map: FieldMap
    pages: bytes


def layout_of(press: Press, part: Component, paper: Paper, *, large: bool) -> tuple[FieldMap, Paper, list[Frame]]:
    """The field map of a sheet, the part of the paper that it fills, and its pages without corner codes."""
    assert part.sheet
    own = whole_paper(part, paper) if large else press.paper_of(part, paper)
    frames = press.blank_corners(part, own, large)
    return map_fields(frames, part.sheet, own, press.game), own, frames


def blank_pages(press: Press, frames: Sequence[Frame], paper: Paper) -> bytes:
    """Pages of a sheet as a PDF, each as large as the trimmed sheet."""
    painter = pdf.Painter(press.theme, None, None)
    document = pdf.PdfDocument(painter, pdf.Info(title=""), None)
    document.add(pdf.painted(page, painter, IDENTITY) for page in sheet_pages(frames, paper))
    return Printed(document.finish(), len(frames), None).pdf


def print_component(press: Press, name: str, paper: Paper) -> Printed:
    """A component as a PDF. If it is a sheet of your own game, its layout is kept, unless its folder is read-only."""
    printed, part = press.component(name, paper), press.part(name)
    if part.sheet and press.draft is None and press.game.folder.resolve().parent not in (paths.DATA, paths.EXAMPLES):
        field_map, own, frames = layout_of(
            press, part, paper, large=press.settings.large_print and bool(part.definition.large)
        )
        kept = json.encode(PrintedLayout(field_map, blank_pages(press, frames, own)))
        with suppress(InputError):
            save(kept, press.game.folder / FOLDER / "layouts" / f"{layout_id(field_map)}.json")
    return printed


def kept_layout(game: Game, number: int) -> PrintedLayout | None:
    """The layout with this id, if it was kept."""
    with suppress(OSError, DecodeError):
        return json.decode((game.folder / FOLDER / "layouts" / f"{number}.json").read_bytes(), type=PrintedLayout)
    return None
