"""Judges sheets with several processes: the same answers, in the same order, as one process gives.

A job is a few files, or a part of a long file, which this process only cuts into documents. Answers are not kept once
they are printed, so memory does not grow with the number of sheets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple, TypeAlias

from ..errors import InputError, Place, fault
from ..judging.files import TYPED, opened
from ..judging.judge import Judge, SheetView
from ..rules.results import Answer, Unreadable
from ..sheets.documents import NO_SHEETS, Piece, of_piece, pieces
from ..workers import WorkersLostError, open_workers
from .printout import Line, as_line

JOB_BYTES = 100_000
"""The size of a job: enough to be worth sending, and so little that all processes end at about the same time."""
LONG = 1_000_000
"""The size from which a file is judged in parts."""
MAX_FILES = 50

Settings: TypeAlias = tuple[tuple[str, object], ...]
"""The fields of a `Judge`."""


class Job(NamedTuple):
    """Files to judge, or `pieces` of the file `name`, perhaps the last ones. Of several files, those with one sheet may
    be the players of one game. With `strict`, answers become lines of JSON."""

    judge: Settings
    strict: bool | None
    files: tuple[str, ...] = ()
    several: bool = False
    name: str = ""
    pieces: tuple[Piece, ...] = ()
    last: bool = False


class Player(NamedTuple):
    """A file with one player's sheet, which is judged together with those of the others."""

    file: str


class Part(NamedTuple):
    """The answers of a job, and the code of games that was not run, with the folders of these games."""

    answers: list[Answer | Line | Player]
    not_run: dict[Path, Path]


def judge_job(job: Job) -> Part:
    """The answers of a job, in a worker process."""
    judge = _judge(job.judge)
    judged: Iterable[Answer | Player] = _of_files(judge, job)
    if job.name:
        parsed = chain.from_iterable(of_piece(piece, job.name) for piece in job.pieces)
        judged = (judge.answer(document, job.name) for document in parsed)
    strict = job.strict
    answers = [answer if strict is None or isinstance(answer, Player) else as_line(answer, strict) for answer in judged]
    return Part(answers, {game.not_run: game.game.folder for game in judge.games.values() if game.not_run})


@lru_cache(maxsize=1)
def _judge(settings: Settings) -> Judge:
    named = dict(settings)
    return Judge(**named | {"options": dict(named["options"])})  # type: ignore[call-overload]


def _of_files(judge: Judge, job: Job) -> Iterator[Answer | Player]:
    for file in job.files:
        for answer in judge.sheets_of(file, several=job.several):
            yield Player(file) if isinstance(answer, SheetView) else answer


def answers_elsewhere(
    judge: Judge, files: tuple[str, ...], processes: int, strict: bool | None, not_run: dict[Path, Path]
) -> Iterator[Answer | Line]:
    """The answers of `Judge.answers`, in the same order, found by other processes; as lines of JSON unless `strict` is
    None. Adds the code that was not run to `not_run`."""
    flags = {name: getattr(judge, name) for name in judge.SETTINGS}
    settings = tuple((flags | {"options": tuple(judge.options.items())}).items())
    players: list[str] = []
    with open_workers(processes) as workers:
        try:
            parts = workers.results(judge_job, _jobs(settings, strict, files), in_order=True)
            for answer in _separated(parts, not_run):
                if isinstance(answer, Player):
                    players.append(answer.file)
                else:
                    yield answer
        except WorkersLostError as error:
            raise fault(str(error)) from None
    if players:
        yield from (found if strict is None else as_line(found, strict) for found in judge.answers(players))


def _separated(parts: Iterable[tuple[Job, Part]], not_run: dict[Path, Path]) -> Iterator[Answer | Line | Player]:
    """The answers of all parts; a long file without any sheet has an answer, too."""
    count = 0
    for job, part in parts:
        yield from part.answers
        not_run |= part.not_run
        count += len(part.answers)
        if job.last:
            if not count:
                yield Unreadable(fault(NO_SHEETS, Place(job.name)).problems)
            count = 0


def _jobs(settings: Settings, strict: bool | None, files: tuple[str, ...]) -> Iterator[Job]:
    several = len(files) > 1
    batch, size = list[str](), 0
    for file in files:
        length = _length(file)
        if batch and (length is None or size + length > JOB_BYTES or len(batch) >= MAX_FILES):
            yield Job(settings, strict, tuple(batch), several)
            batch, size = [], 0
        if length is None:
            yield from _parts(settings, strict, file)
        else:
            batch.append(file)
            size += length
    if batch:
        yield Job(settings, strict, tuple(batch), several)


def _length(file: str) -> int | None:
    """The size of a file that is judged as a whole; None for one that is judged in parts."""
    if file == "-":
        return None
    try:
        status = Path(file).stat()
        if not S_ISREG(status.st_mode) or status.st_size < LONG or Path(file).suffix.lower() not in TYPED:
            return status.st_size
        with opened(file) as stream:
            return status.st_size if stream.peek(5)[:5] == b"%PDF-" else None
    except (OSError, ValueError, InputError):
        return 0  # its worker reports it


def _parts(settings: Settings, strict: bool | None, file: str) -> Iterator[Job]:
    """A long file in parts."""
    name, batch, size = "stdin" if file == "-" else file, list[Piece](), 0
    with opened(file) as stream:
        for piece in pieces(stream, name):
            batch.append(piece)
            size += len(piece.text or b"")
            if size > JOB_BYTES:
                yield Job(settings, strict, name=name, pieces=tuple(batch))
                batch, size = [], 0
    yield Job(settings, strict, name=name, pieces=tuple(batch), last=True)
