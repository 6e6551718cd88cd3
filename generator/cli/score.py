"""pencilbox score, and what check shares with it"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from .. import paths
from ..definitions.sizes import Paper, paper
from ..errors import fault
from ..files import save
from ..judging.judge import Judge
from ..rules.answers import Answer, Judged, Unreadable, line, plain
from ..rules.text import text
from .common import Command
from .console import echo, echo_json, echo_json_text, json_escaped, show_errors, style
from .failures import VIOLATIONS, WRONG_INPUT


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The arguments and options that score and check have in common."""
    for decorate in reversed(
        (
            click.argument("sheet", nargs=-1, required=True),
            click.option(
                "--format",
                "form",
                type=click.Choice(["text", "json", "jsonl"]),
                default="text",
                show_default=True,
                help="jsonl: one answer a line, as soon as it is known.",
            ),
            click.option("--strict", is_flag=True, help="Exit with 1 for warnings too."),
            click.option("--hints", is_flag=True, help="Say what a player could have had, where the game can tell."),
            click.option(
                "--game", metavar="GAME", help="The game of the sheets: a name, or the folder of one's own game."
            ),
            click.option("--words", metavar="FILE", help="The word list of a word game: plain text, a word a line."),
            click.option("--trust-code", is_flag=True, help="Run the rules.py of one's own game."),
        )
    ):
        command = decorate(command)
    return command


@click.command(cls=Command)
@options
@click.option("--explain", is_flag=True, help="Tell how every point was made.")
@click.option(
    "--pdf",
    "copy",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write a scored copy: the sheets as filled in, sums added up, findings ringed.",
)
@click.option("--paper", "-p", "size", default="a4", show_default=True, help="The paper of the copy: a4, letter, ...")
@click.option(
    "--font",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A TrueType font for letters the bundled ones do not have.",
)
@click.pass_context
def command(
    ctx: click.Context,
    sheet: tuple[str, ...],
    form: str,
    strict: bool,
    hints: bool,
    game: str | None,
    words: str | None,
    trust_code: bool,
    explain: bool,
    copy: Path | None,
    size: str,
    font: Path | None,
) -> None:
    """Check filled-in SHEETs (YAML or JSON; - is standard input) and score them.

    Exit code 0: no rule broken, 1: a rule is broken, 2: a sheet cannot be read.
    """
    if font and not copy:
        raise fault("--font goes with --pdf")
    if copy:
        _refuse_what_is_read(copy, [*sheet, *([words] if words else []), *([str(font)] if font else [])])
    judge = Judge(
        game,
        trust_code,
        hints=hints,
        explain=explain,
        draw=form == "text" or copy is not None,
        copies=copy is not None,
        beside=beside(words),
    )
    wanted = paper(size)
    kept: list[Judged] = []
    code = run(judge, sheet, form, strict, kept.append if copy else None)
    if copy and kept:
        _write_copy(kept, wanted, font, copy)
    ctx.exit(code)


def _refuse_what_is_read(copy: Path, files: list[str]) -> None:
    """A slip of the keyboard must not cost a sheet."""
    for file in files:
        if file != "-" and paths.is_file(copy) and paths.is_file(Path(file)) and copy.samefile(file):
            raise fault(f"--pdf would write over {file}, which is read", hint="name another file for the copy")


def _write_copy(answers: list[Judged], size: Paper, font: Path | None, copy: Path) -> None:
    from .copies import write  # what prints takes longer to load than a sheet to judge

    save(write(answers, size, font), copy)


def beside(words: str | None) -> dict[str, str]:
    """What the judge has to know beside the sheets."""
    return {} if words is None else {"words": words}


def run(
    judge: Judge, files: tuple[str, ...], form: str, strict: bool, keep: Callable[[Judged], None] | None = None
) -> int:
    """Prints the answers; returns the exit code. Every answer for a sheet that could be read is handed to `keep`."""
    teller = Teller(judge.answers(files), strict, keep)
    {"text": _as_text, "json": _as_json, "jsonl": _as_lines}[form](teller)
    for game in judge.games.values():
        if game.not_run:
            echo(f"note: {game.not_run} was not run; to run it, add --game {game.game.folder}/ --trust-code", err=True)
    return teller.code


@dataclass(slots=True)
class Teller:
    """The answers one after another, and the exit code they come to."""

    answers: Iterator[Answer]
    strict: bool
    keep: Callable[[Judged], None] | None = None
    code: int = 0

    def __iter__(self) -> Iterator[Answer]:
        for answer in self.answers:
            if (code := self._code(answer)) > self.code:
                self.code = code
            if self.keep and isinstance(answer, Judged):
                self.keep(answer)
            yield answer

    def _code(self, answer: Answer) -> int:
        if isinstance(answer, Unreadable):
            return WRONG_INPUT
        broken = bool(answer.verdict.findings) if self.strict else not answer.verdict.valid
        return VIOLATIONS if broken else 0


def _as_text(teller: Teller) -> None:
    width = _columns()
    for number, answer in enumerate(teller):
        if isinstance(answer, Judged):
            echo(("\n" if number else "") + text(answer, style, width))
        else:
            show_errors(answer.problems)


def _columns() -> int:
    """The width of the terminal, as shutil has it, which takes longer to load than a sheet to judge."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return 80


def _as_json(teller: Teller) -> None:
    answers = [plain(answer) for answer in teller]
    echo_json(answers[0] if len(answers) == 1 else answers)


def _as_lines(teller: Teller) -> None:
    for answer in teller:
        echo_json_text(json_escaped(line(answer)))
