"""pencilbox score, and what it shares with `check`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Any

import click

from .. import paths
from ..definitions.sizes import Paper
from ..errors import InputError, Problem, fault
from ..fast_dataclasses import dataclass
from ..files import save
from ..judging.judge import Judge
from ..rules.answers import Answer, Judged, Unreadable, line, plain
from ..rules.text import text
from . import completions
from .common import Command, trust_code_option
from .console import echo, echo_json, echo_json_text, json_escaped, show_errors, style
from .failures import VIOLATIONS, WRONG_INPUT
from .outputs import open_in_viewer, refuse_overwriting


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetOptions:
    """The arguments and options that score and check have in common."""

    sheet: tuple[str, ...]
    form: str
    strict: bool
    hints: bool
    game: str | None
    words: str | None
    trust_code: bool

    def judge(self, *, score: bool = True, explain: bool = False, draw: bool = False, copies: bool = False) -> Judge:
        """The judge that these options ask for."""
        return Judge(
            self.game,
            self.trust_code,
            score=score,
            hints=self.hints,
            explain=explain,
            draw=draw,
            copies=copies,
            options={} if self.words is None else {"words": self.words},
        )


def sheet_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds these options to a command, which gets them as one object."""
    names = [field.name for field in fields(SheetOptions)]

    @wraps(command)
    def with_options(**values: Any) -> None:
        command(SheetOptions(**{name: values.pop(name) for name in names}), **values)

    decorated: Callable[..., None] = with_options
    for decorate in reversed(
        (
            click.argument("sheet", nargs=-1, required=True, shell_complete=completions.files),
            click.option(
                "--format",
                "form",
                type=click.Choice(["text", "json", "jsonl"]),
                default="text",
                show_default=True,
                help="jsonl prints one answer per line, as soon as it is ready.",
            ),
            click.option("--strict", is_flag=True, help="Also exit with 1 for warnings."),
            click.option(
                "--hints", is_flag=True, help="Show the better moves that players missed, for games that can tell."
            ),
            click.option(
                "--game",
                metavar="GAME",
                shell_complete=completions.games,
                help="The game of the sheets: a name, or the folder of your own game.",
            ),
            click.option(
                "--words",
                metavar="FILE",
                shell_complete=completions.files,
                help="The word list of a word game: plain text, one word per line.",
            ),
            trust_code_option,
        )
    ):
        decorated = decorate(decorated)
    return decorated


@click.command(cls=Command)
@sheet_options
@click.option("--explain", is_flag=True, help="Show how every point was scored.")
@click.option(
    "--pdf",
    "copy",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write a scored copy: the sheets as filled in, with sums added and problems circled.",
)
@click.option(
    "--paper",
    "-p",
    "size",
    metavar="PAPER",
    shell_complete=completions.papers,
    help="The paper of the copy: a4, letter, ...  [default: as in your settings, else a4]",
)
@click.option(
    "--font",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --pdf: a TrueType font for letters that the bundled ones lack.",
)
@click.option("--force", is_flag=True, help="With --pdf: replace an existing file without asking.")
@click.option("--open", "show", is_flag=True, help="With --pdf: open the copy when it is written.")
@click.pass_context
def command(
    ctx: click.Context,
    options: SheetOptions,
    explain: bool,
    copy: Path | None,
    size: str | None,
    font: Path | None,
    force: bool,
    show: bool,
) -> None:
    """Check and score filled-in SHEETs: PDF forms, YAML or JSON; - is standard input.

    The PDF forms are those that “pencilbox make” prints, filled in and saved. Exit codes: 0 if no rule is broken, 1 if
    one is, 2 if a sheet cannot be read.
    """
    if not copy:
        _refuse_without_pdf({"--paper": size, "--font": font, "--force": force, "--open": show})
    else:
        _refuse_input(copy, [*options.sheet, *filter(None, (options.words, str(font or "")))])
        refuse_overwriting(copy, force)
    judge = options.judge(explain=explain, draw=options.form == "text" or copy is not None, copies=copy is not None)
    if not copy:
        ctx.exit(run(judge, options))
    from .settings import usual_paper  # reads a file that judging does not need

    paper = usual_paper(size)
    answers: list[Judged] = []
    code = run(judge, options, answers.append)
    if answers:
        _write_copy(answers, paper, font, copy)
        echo(f"Scored copy: {copy}", err=True)
        if show:
            open_in_viewer(copy)
    ctx.exit(code)


def _refuse_without_pdf(options: dict[str, object]) -> None:
    """Raises InputError for typed options of the scored copy."""
    problems = [Problem(f"{name} only works with --pdf FILE") for name, value in options.items() if value]
    if problems:
        raise InputError(problems)


def _refuse_input(copy: Path, files: list[str]) -> None:
    """Raises InputError if the copy would replace a file that is read."""
    for file in files:
        if file != "-" and paths.is_file(copy) and paths.is_file(Path(file)) and copy.samefile(file):
            raise fault(f"--pdf would overwrite {file}, which is an input", hint="name another file for the copy")


def _write_copy(answers: list[Judged], size: Paper, font: Path | None, copy: Path) -> None:
    from .copies import write  # loading this takes longer than judging a sheet

    save(write(answers, size, font), copy)


def run(judge: Judge, options: SheetOptions, collect: Callable[[Judged], None] | None = None) -> int:
    """Prints the answers and returns the exit code. `collect` is called with each answer to a readable sheet."""
    printout = Printout(judge.answers(options.sheet), options.strict, collect)
    {"text": _as_text, "json": _as_json, "jsonl": _as_lines}[options.form](printout)
    for game in judge.games.values():
        if game.not_run:
            echo(f"note: {game.not_run} was not run; to run it, add --game {game.game.folder}/ --trust-code", err=True)
    return printout.code


@dataclass(slots=True)
class Printout:
    """The answers in order, and the exit code that follows from them."""

    answers: Iterator[Answer]
    strict: bool
    collect: Callable[[Judged], None] | None = None
    code: int = 0

    def __iter__(self) -> Iterator[Answer]:
        for answer in self.answers:
            if (code := self._code(answer)) > self.code:
                self.code = code
            if self.collect and isinstance(answer, Judged):
                self.collect(answer)
            yield answer

    def _code(self, answer: Answer) -> int:
        if isinstance(answer, Unreadable):
            return WRONG_INPUT
        broken = bool(answer.verdict.findings) if self.strict else not answer.verdict.valid
        return VIOLATIONS if broken else 0


def _as_text(printout: Printout) -> None:
    width = _columns()
    for number, answer in enumerate(printout):
        if isinstance(answer, Judged):
            echo(("\n" if number else "") + text(answer, style, width))
        else:
            show_errors(answer.problems)


def _columns() -> int:
    """The width of the terminal. `shutil` reports it too, but loading it takes longer than judging a sheet."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return int(columns)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return 80


def _as_json(printout: Printout) -> None:
    answers = [plain(answer) for answer in printout]
    echo_json(answers[0] if len(answers) == 1 else answers)


def _as_lines(printout: Printout) -> None:
    for answer in printout:
        echo_json_text(json_escaped(line(answer)))
