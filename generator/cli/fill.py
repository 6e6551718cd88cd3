"""pencilbox fill"""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

import click

from .. import paths
from ..definitions.load import load
from ..errors import InputError, Place, Problem, fault
from ..files import save
from ..judging.blank_sheets import about, parts
from ..judging.filler import Filler, filler, leads
from ..judging.questions import Asked, Question, Transcript
from ..judging.typed_lines import Plain
from ..judging.writing import flow, sheet_text
from ..rules.results import Finding
from ..rules.text import sentence
from . import score
from .common import INTERRUPTED, refuse_overwriting

_COMMANDS = {
    "undo": "take the last answer back (also < or back)",
    "show": "the sheet so far, as it will be written",
    "done": "leave the rest blank",
    "quit": "stop here; the same command goes on later",
    "?": "what is asked for",
}
_YES, _NO = ("y", "yes"), ("n", "no", "")
_SAME = {"<": "undo", "back": "undo", "help": "?"}


@click.command()
@click.argument("game")
@click.argument("file", required=False)
@click.option("--sheet", metavar="NAME", help="Which score sheet, where the game has several.")
@click.option("--force", is_flag=True, help="Write over a file that is there already.")
@click.option("--trust-code", is_flag=True, help="Run the rules.py of one's own game.")
@click.pass_context
def command(ctx: click.Context, game: str, file: str | None, sheet: str | None, force: bool, trust_code: bool) -> None:
    """Ask for a score sheet of GAME line by line, check it as it grows, and write it to FILE.

    What was typed is kept in FILE.part after every line: after an interruption the same command goes on there.
    Exit code 0: no rule broken, 1: a rule is broken, 130: not finished.
    """
    found = load(game)
    path = Path(file or f"{found.key}{f'-{sheet}' if sheet else ''}.yaml")
    if str(path) == "-":
        raise fault("fill writes a file", hint="name one, or leave it out")
    refuse_overwriting(path, force)
    taker = filler(found, sheet, str(path), trust_code)
    desk = Desk(taker, path, Transcript(taker.form))
    if not desk.sit():
        kept = f" What was typed is in {desk.part}; the same command goes on there." if paths.is_file(desk.part) else ""
        _say(f"\nNot finished.{kept}")
        ctx.exit(INTERRUPTED)
    form = desk.filler.form
    named = None if leads(form) else game
    again = f" --game {shlex.quote(game)}" if named else ""
    _say(f"\nWritten to {path}. To score it again: pencilbox score {shlex.quote(str(path))}{again}\n")
    ctx.invoke(score.command, sheet=(str(path),), game=named, trust_code=trust_code)


class _LeaveError(Exception):
    """The person at the terminal stops before the sheet is finished."""


@dataclass(slots=True)
class Desk:
    """A person at a terminal and the filler; `part` is the file that keeps what was typed."""

    filler: Filler
    path: Path
    transcript: Transcript
    heading: str = ""

    @property
    def part(self) -> Path:
        return self.path.with_name(f"{self.path.name}.part")

    def sit(self) -> bool:
        """Asks until the sheet is finished and written; False where it is left before that."""
        self._resume()
        title = self.filler.form.sheet.definition.title
        _say(
            f"{click.style(f'{self.filler.form.game.title}: {title}', bold=True)}\n"
            "Type what is written on the paper; an empty line is a blank. Also: ? undo show done quit"
        )
        try:
            while not self._finished(self.transcript.asked()):
                pass
        except (_LeaveError, click.Abort):
            self._keep()
            return False
        save(sheet_text(self.transcript.asked().document).encode(), self.path)
        self.part.unlink(missing_ok=True)
        return True

    def _finished(self, asked: Asked) -> bool:
        """Asks one question; True when there is nothing more to ask."""
        if asked.question is None:
            return self._close()
        self._announce(asked.question)
        return self._heard(_read(_prompt(asked.question)), asked)

    def _heard(self, typed: str, asked: Asked) -> bool:
        """Does what was typed says, or takes it as the answer; True when there is nothing more to ask."""
        command = _SAME.get(typed.lower(), typed.lower())
        if command == "done":
            return True
        if command in _COMMANDS:
            self._obey(command, asked)
            return False
        return self._answer(typed, asked)

    def _close(self) -> bool:
        """At a terminal the sheet may be looked at once more before it is written."""
        if not sys.stdin.isatty():
            return True
        typed = _read(f"\nThat is all. Enter writes {self.path}; undo and show as before: ").lower()
        command = _SAME.get(typed, typed)
        if command in _COMMANDS and command != "done":
            self._obey(command, self.transcript.asked())
            return False
        return True

    # ---- commands ----------------------------------------------------------------------------------------------------

    def _obey(self, command: str, asked: Asked) -> None:
        if command == "quit":
            raise _LeaveError
        if command == "undo":
            self._undo()
        elif command == "show":
            _say(sheet_text(asked.document).rstrip())
        elif asked.question:
            _say("\n".join(_help(asked.question)))

    def _undo(self) -> None:
        if not self.transcript.answers:
            _say("  there is nothing to take back")
            return
        taken = self.transcript.answers[-1]
        self.transcript = self.transcript.undone()
        self.filler.look_again(self.transcript)
        self.heading = ""
        _say(f"  taken back: {taken or 'a blank'}")
        self._keep()

    # ---- answers -----------------------------------------------------------------------------------------------------

    def _answer(self, typed: str, asked: Asked) -> bool:
        tried = self.filler.tried(self.transcript, typed)
        if tried.transcript is None:
            for problem in tried.problems:
                _say(f"  {click.style('no', fg='red')}: {_words(problem)}")
            return False
        self._echo(asked.question, tried.transcript.asked().document)
        said = self._asked_again(tried.findings)
        if said.lower() in _YES:
            self.filler.told(tried.findings)
            self.transcript = tried.transcript
            self._keep()
        return said.lower() not in (*_YES, *_NO) and self._heard(said, asked)

    def _asked_again(self, findings: tuple[Finding, ...]) -> str:
        """Tells what is against a rule; asks whether it is so on the paper, unless they are mere warnings. What is
        neither yes nor no is the line as it should have been."""
        for finding in findings:
            style = {"error": "red", "warning": "yellow"}[finding.severity]
            _say(f"  {click.style(finding.severity, fg=style)}  {finding.rule}: {sentence(finding.message)}")
        if all(finding.severity == "warning" for finding in findings):
            return _YES[0]
        return _read("  Is it so on the paper? Keep it? [y/N] ")

    def _echo(self, question: Question | None, document: dict[str, Plain]) -> None:
        """Says how a line was understood."""
        found: object = document
        for step in question.at if question else ():
            inside = (
                found[step - 1 : step]
                if isinstance(found, list) and isinstance(step, int)
                else ([found[str(step)]] if isinstance(found, dict) and str(step) in found else [])
            )
            found = inside[0] if inside else None
        if isinstance(found, dict) and question and question.kind == "line":
            _say(click.style(f"    {flow(found)}", dim=True))

    def _announce(self, question: Question) -> None:
        if question.kind != "more" and question.heading not in (self.heading, question.prompt):
            how = f"  {_how(question)}" if _below(question) else ""
            _say(f"\n{click.style(question.heading, bold=True)}{how}")
        self.heading = question.heading

    # ---- what is kept ------------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        if not self.transcript.answers:
            self.part.unlink(missing_ok=True)
            return
        form = self.filler.form
        said = {"game": form.game.key, "sheet": form.sheet.name, "answers": self.transcript.answers}
        save(json.dumps(said, ensure_ascii=False, indent=1).encode("utf-8", "replace"), self.part)

    def _resume(self) -> None:
        answers = _answers(self.part, self.filler)
        for number, answer in enumerate(answers):
            tried = self.filler.tried(self.transcript, answer)
            if tried.transcript is None:
                _say(f"{self.part}: the answers from number {number + 1} on do not fit any more and are left out")
                break
            self.transcript = tried.transcript
        if answers:
            self.filler.look_again(self.transcript)
            _say(f"Going on after {len(self.transcript.answers)} answers from {self.part}.\n")


def _answers(part: Path, taker: Filler) -> list[str]:
    """The answers of an earlier sitting. Raises InputError for a file that holds none of this sheet."""
    place = Place(str(part))
    if not paths.is_file(part):
        return []
    try:
        said = json.loads(part.read_bytes())
        answers = [str(answer) for answer in said["answers"]]
        other = (said["game"], said["sheet"]) != (taker.form.game.key, taker.form.sheet.name)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        raise fault("does not hold the answers of an earlier sitting", place, "remove it to begin anew") from None
    if other:
        raise InputError([Problem("holds the answers to another sheet", place, "name another file, or remove it")])
    return answers


# ---- words ----------------------------------------------------------------------------------------------------------


def _read(prompt: str) -> str:
    """A line from the terminal or a pipe; raises click.Abort at its end."""
    typed = str(click.prompt(prompt, default="", show_default=False, prompt_suffix="", err=True))
    if not sys.stdin.isatty():
        _say(typed)
    return typed.encode("utf-8", "replace").decode().strip()


def _say(words: str) -> None:
    click.echo(words, err=True)


def _words(problem: Problem) -> str:
    """The problem without letters that a terminal would obey: it repeats what was typed."""
    words = f"{problem.message}{'; ' + problem.hint if problem.hint else ''}"
    return "".join(letter if letter.isprintable() else "�" for letter in words)


def _prompt(question: Question) -> str:
    if question.kind == "more":
        return f"\nIs there a {question.prompt} [y/N] "
    how = "" if _below(question) else _how(question)
    return f"{question.prompt} ({how}): " if how else f"{question.prompt}: "


def _below(question: Question) -> bool:
    """Whether several lines of one kind stand below the heading, so that it says how they are typed."""
    return question.kind == "row" or (question.heading != question.prompt and question.lines)


def _how(question: Question) -> str:
    """How the answer is typed."""
    shape = question.shape
    lone = shape.kind == "group" and len(shape.places) == 1
    said = [about(shape.places[0] if lone else shape)]
    if shape.kind == "group" and not lone:
        said.append(", ".join(part.key for part in shape.places))
    return "; ".join(
        filter(
            None,
            [*said, f"such as {shape.example}" if shape.example else "", "an empty line ends" if question.ends else ""],
        )
    )


def _help(question: Question) -> list[str]:
    shape = question.shape
    lines = [f"  {question.prompt}: {about(shape)}".rstrip(": ")]
    if shape.kind == "group":
        rows = list(parts(shape))
        width = max(len(key) for key, _ in rows)
        lines += [f"    {key:<{width}}  {says}".rstrip() for key, says in rows]
        lines.append("  one after the other, or with their keys; with commas between them where a text has spaces")
    lines += [f"  such as {shape.example}"] if shape.example else []
    return [
        *lines,
        *(f"  {name:<5} {says}" for name, says in _COMMANDS.items()),
        '  "…"   a text in quotes is no command',
    ]
