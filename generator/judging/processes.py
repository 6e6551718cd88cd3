"""Judges sheets with several processes: the same answers, in the same order, as one process gives.

A job is a few files, or a part of a long file, which this process only cuts into documents. Answers are not kept once
they are printed, so memory does not grow with the number of sheets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path
from stat import S_ISREG
from typing import Any, NamedTuple

from msgspec import Struct

from ..errors import InputError, Place, fault
from ..rules.results import Answer, Unreadable
from ..sheets.documents import NO_SHEETS, DocumentBytes, of_piece, pieces
from ..workers import WorkersLostError, open_workers
from .judge import TYPED, Judge, SheetView, opened

# The size of a job: enough to be worth sending, and so little that all processes end at about the same time.
JOB_BYTES = 100_000
# The size from which a file is judged in parts.
LONG = 1_000_000
MAX_FILES = 50

Settings = tuple[tuple[str, Any], ...]
"""The fields of a `Judge`."""


class JudgingJob(Struct, frozen=True):
    """Files to judge, or `pieces` of the one file, perhaps the `last` ones. Of `several` files, those with one sheet
    may be the players of one game."""

    judge: Settings
    several: bool
    files: tuple[str, ...]
    pieces: tuple[DocumentBytes, ...] | None = None
    last: bool = False


class JudgedPart(NamedTuple):
    """The answers of a job, and the code of games that was not run, with the folders of these games. The name of a file
    stands for one player's sheet, which is judged together with those of the others."""

    answers: list[Answer | str]
    not_run: Mapping[Path, Path]


def judge_job(job: JudgingJob) -> JudgedPart:
    """The answers of a job, in a worker process."""
    judge = _judge(job.judge)
    answers: list[Answer | str]
    if job.pieces is None:
        answers = [
            file if isinstance(answer, SheetView) else answer
            for file in job.files
            for answer in judge.sheets_of(file, several=job.several)
        ]
    else:
        documents = chain.from_iterable(of_piece(piece, job.files[0]) for piece in job.pieces)
        answers = [judge.answer(document, job.files[0]) for document in documents]
    return JudgedPart(answers, judge.not_run)


@lru_cache(maxsize=1)
def _judge(settings: Settings) -> Judge:
    named = dict(settings)
    return Judge(**named | {"options": dict(named["options"])})


def answers_elsewhere(
    judge: Judge, files: tuple[str, ...], processes: int, untrusted: dict[Path, Path]
) -> Iterator[Answer]:
    """The answers of `Judge.answers`, in the same order, found by other processes. Adds the code that was not run to
    `untrusted`."""
    flags = {name: getattr(judge, name) for name in judge.SETTINGS}
    settings = tuple((flags | {"options": tuple(judge.options.items())}).items())
    players: list[str] = []
    count = 0
    with open_workers(processes) as workers:
        try:
            for job, part in workers.results(judge_job, _jobs(settings, files), in_order=True):
                untrusted |= part.not_run
                count += len(part.answers)
                for answer in part.answers:
                    if isinstance(answer, str):
                        players.append(answer)
                    else:
                        yield answer
                if job.last and not count:
                    yield Unreadable(fault(NO_SHEETS, Place(job.files[0])).problems)
                count = 0 if job.last else count
        except WorkersLostError as error:
            raise fault(str(error)) from None
    if players:
        yield from judge.answers(players)


def _jobs(settings: Settings, files: tuple[str, ...]) -> Iterator[JudgingJob]:
    batch, size = list[str](), 0
    for file in files:
        length = _length(file)
        if batch and (length is None or size + length > JOB_BYTES or len(batch) >= MAX_FILES):
            yield JudgingJob(settings, len(files) > 1, tuple(batch))
            batch, size = [], 0
        if length is None:
            yield from _parts(settings, file)
        else:
            batch.append(file)
            size += length
    if batch:
        yield JudgingJob(settings, len(files) > 1, tuple(batch))


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


def _parts(settings: Settings, file: str) -> Iterator[JudgingJob]:
    """A long file in parts."""
    name, batch, size = "stdin" if file == "-" else file, list[DocumentBytes](), 0
    with opened(file) as stream:
        for piece in pieces(stream, name):
            batch.append(piece)
            size += len(piece.text or b"")
            if size > JOB_BYTES:
                yield JudgingJob(settings, False, (name,), pieces=tuple(batch))
                batch, size = [], 0
    yield JudgingJob(settings, False, (name,), pieces=tuple(batch), last=True)
