"""What the commands that take photos of sheets share: reading them, and asking about what is doubtful."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from .. import paths
from ..errors import InputError, Problem, fault
from ..judging.files import TYPED
from .console import columns, echo, style
from .terminal_pictures import terminal_picture

if TYPE_CHECKING:
    from PIL.Image import Image

    from ..photo.photo_sheet import PhotoSheet
    from ..photo.questions import PhotoQuestion

_WIDTH = 32
"""The most columns for the picture of a field."""
_MOST_PICTURES = 5
"""The most fields that are shown for one question."""


class PhotoOptions(Struct, frozen=True, kw_only=True):
    """The options for photos."""

    answer: tuple[str, ...]
    questions: bool
    code: str | None

    @property
    def answers(self) -> dict[str, str]:
        """The marks that were given, by the ids of their fields. Raises InputError for anything else."""
        pairs = [given.partition("=") for given in self.answer]
        if wrong := [given for given, (name, sign, _) in zip(self.answer, pairs, strict=True) if not (name and sign)]:
            raise InputError(
                Problem(f"--answer {given} is not an answer", hint="write FIELD=MARK, or FIELD= for a blank field")
                for given in wrong
            )
        return {name.strip(): mark.strip() for name, _, mark in pairs}

    def refuse(self) -> None:
        """Raises InputError for options that only work with a photo."""
        typed = {"--answer": self.answer, "--no-questions": not self.questions, "--set": self.code}
        if problems := [Problem(f"{name} only works with a photo") for name, value in typed.items() if value]:
            raise InputError(problems)


def photo_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options for photos to a command, which gets them as one object."""
    names = PhotoOptions.__struct_fields__

    @wraps(command)
    def with_options(*args: Any, **values: Any) -> None:
        command(*args, photos=PhotoOptions(**{name: values.pop(name) for name in names}), **values)

    decorated: Callable[..., None] = with_options
    for decorate in reversed(
        (
            click.option(
                "--answer",
                multiple=True,
                metavar="FIELD=MARK",
                help="With a photo: what is in a field, as “pencilbox read” names it; repeat it for more.",
            ),
            click.option(
                "--questions/--no-questions",
                default=True,
                help="With a photo: ask about what is doubtful, at a terminal.  [default: ask]",
            ),
            click.option(
                "--set",
                "code",
                metavar="CODE",
                help="With a photo: the set code of a sheet on which the cards in play are printed.",
            ),
        )
    ):
        decorated = decorate(decorated)
    return decorated


def pictures_among(files: Sequence[str]) -> list[str]:
    """The files that are pictures, by their first bytes. Files that cannot be opened are none."""
    return [file for file in files if file != "-" and _is_picture(Path(file))]


def _is_picture(file: Path) -> bool:
    if (file.suffix and file.suffix.lower() in TYPED) or not paths.is_file(file):
        return False
    from ..art.bitmaps import is_picture  # loads logging, which typed sheets do without

    with suppress(OSError), file.open("rb") as stream:
        return is_picture(stream.read(16))
    return False


def read_sheets(
    files: Sequence[str], options: PhotoOptions, *, game: str | None, trust_code: bool = False, workers: int = 1
) -> list[PhotoSheet | InputError]:
    """The sheets on photos, with all answers taken and questions asked, and an InputError for each page that cannot be
    read. Raises InputError if the extra for photos is missing, and for answers that fit no sheet."""
    answers = options.answers
    try:
        from ..photo.reader import PhotoJob, read_photos  # an extra
    except ModuleNotFoundError as error:
        raise fault(f"photos need {error.name}", hint="install it with: pip install 'pencilbox[photo]'") from None
    jobs = (PhotoJob(file, tuple([game] if game else []), options.code or "") for file in files)
    found = list(read_photos(jobs, workers, trust_code=trust_code))
    sheets = [each for each in found if not isinstance(each, InputError)]
    if answers and len(sheets) != 1:
        raise fault(f"--answer is for one sheet, but the photos show {len(sheets)}", hint="read one sheet at a time")
    for sheet in sheets:
        if answers:
            sheet.answer(answers)
        if options.questions and sys.stdin.isatty() and sys.stderr.isatty():
            ask(sheet)
    return found


# ---- questions at a terminal


def ask(sheet: PhotoSheet) -> None:
    """Asks about everything that is doubtful, until it is settled or the person stops with Ctrl-D."""
    skipped: set[str] = set()
    while question := next((each for each in sheet.questions if each.fields[0] not in skipped), None):
        try:
            answers = _answer(sheet, question)
        except click.Abort:
            echo("\nStopped; what was not answered stays doubtful.", err=True)
            return
        try:
            sheet.answer(answers)
        except InputError as error:
            echo(f"{style('error', 'error')}: {error.problems[0].message}; {error.problems[0].hint}", err=True)
            continue
        skipped.update(set(question.fields[:1]) - answers.keys())


def _answer(sheet: PhotoSheet, question: PhotoQuestion) -> dict[str, str]:
    shown = question.fields[:_MOST_PICTURES]
    picture = terminal_picture(_side_by_side([*map(sheet.crop, shown)]), min(columns() - 2, _WIDTH * len(shown)))
    sys.stderr.write(f"\n{picture}\n")
    echo(_wording(question), err=True)
    typed = _typed(one_key=all(len(mark) <= 1 for mark in question.marks) and bool(question.marks))
    if not question.marks:
        return {question.fields[0]: typed} if typed else {}
    if typed == "?":
        return {}
    return dict.fromkeys(question.fields, "" if typed == "." else typed or question.marks[0])


def _side_by_side(pictures: Sequence[Image]) -> Image:
    from PIL.Image import new  # takes a while to load

    whole = new("RGB", (sum(each.width for each in pictures), max(each.height for each in pictures)))
    for number, each in enumerate(pictures):
        whole.paste(each, (sum(before.width for before in pictures[:number]), 0))
    return whole


def _typed(*, one_key: bool) -> str:
    """What a person types: one key where a mark is one character, otherwise a line."""
    if not one_key:
        return str(click.prompt("", default="", show_default=False, prompt_suffix="> ", err=True)).strip()
    try:
        key = click.getchar()
    except (EOFError, KeyboardInterrupt):
        raise click.Abort from None
    if key in "\x03\x04":
        raise click.Abort
    return key.strip()


def _wording(question: PhotoQuestion) -> str:
    count, first = len(question.fields), question.fields[0]
    if not question.marks:
        return f"{first}: type what is written, or press Enter to leave it unread."
    best, *others = [mark or "blank" for mark in question.marks]
    what = f"{first}: is this" if count == 1 else f"{count} fields look alike: is each of them"
    perhaps = f" (Or {', '.join(others)}?)" if others else ""
    return f"{what} {best}?{perhaps} Enter: yes; or type what it is, “.” if it is blank, “?” if you cannot tell."
