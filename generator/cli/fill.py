"""pencilbox fill and pencilbox new-sheet"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct, field

from .. import paths
from ..errors import InputError, Place, Problem, fault
from ..files import save
from ..judging.questions import Filler, Progress, Question, Transcript, names_its_game, sheet_filler
from ..judging.sheet_forms import blank, describe, file_per_player, is_for_one_player, parts
from ..reading.load import load
from ..rules.results import Finding
from ..rules.text import sentence
from ..sheets.typed_lines import Plain, flow, sheet_text
from ..spelling import joined
from . import score
from .console import STYLED, echo, escaped, may_write, style, unstyled
from .failures import INTERRUPTED
from .options import Command, complete, trust_code_option

if TYPE_CHECKING:  # loaded only at a terminal
    from prompt_toolkit import PromptSession

_COMMANDS = {
    "undo": "take back the last answer (also: back, <)",
    "show": "print the sheet so far, as it will be written",
    "done": "leave the rest of the sheet blank",
    "quit": "stop for now; run the same command to continue",
    "?": "explain the question (also: help)",
}
_YES, _NO = ("y", "yes"), ("n", "no")
_ALIASES = {"<": "undo", "back": "undo", "help": "?"}


@click.command(cls=Command)
@click.argument("game", shell_complete=complete("games"))
@click.argument("file", required=False, shell_complete=complete("files"))
@click.option(
    "--sheet",
    metavar="NAME",
    shell_complete=complete("sheets"),
    help="The score sheet to fill in, if the game has several: a name from `pencilbox games`.",
)
@click.option("--output", "-o", metavar="FILE", shell_complete=complete("files"), help="The same as FILE.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
@trust_code_option
@click.pass_context
def command(
    ctx: click.Context,
    game: str,
    file: str | None,
    sheet: str | None,
    output: str | None,
    force: bool,
    trust_code: bool,
) -> None:
    """Fill in a score sheet of GAME question by question, and write it to FILE.

    Each answer is checked as you type it. Answers are saved in FILE.part after every line: if you stop, run the same
    command to continue. At the end the sheet is scored.

    Exit code 0: no rule is broken, 1: a rule is broken, 130: not finished.
    """
    if file and output:
        raise click.UsageError("FILE and --output name the same file: give one of them")
    loaded = load(game)
    path = Path(file or output or f"{loaded.key}{f'-{sheet}' if sheet else ''}.yaml")
    if str(path) == "-":
        raise fault("fill cannot write to standard output", hint="name a file, or leave it out")
    terminal = Terminal()
    may_write([path], force)
    filler = sheet_filler(loaded, sheet, str(path), trust_code)
    if not_run := next(iter(filler.judge.games.values())).not_run:
        echo(f"note: {not_run} was not run; to run it, add --trust-code", err=True)
    session = FillSession(filler, path, Transcript(filler.form), terminal)
    if not session.run():
        saved = f" Your answers are saved in {session.part}; run the same command to continue."
        terminal.say(f"\nNot finished.{saved if paths.is_file(session.part) else ''}")
        ctx.exit(INTERRUPTED)
    game_option = None if names_its_game(filler.form) and not trust_code else game
    option = f" --game {shlex.quote(game)}" if game_option else ""
    terminal.say(f"\nWrote {path}. To score it again: pencilbox score {shlex.quote(str(path))}{option}\n")
    ctx.invoke(score.command, sheet=(str(path),), game=game_option, trust_code=trust_code)


# ---- terminal -------------------------------------------------------------------------------------------------------


class Terminal(Struct):
    """Asks on standard error and reads lines: at a terminal with line editing, history and completion, otherwise
    (piped answers) line by line."""

    suggest: Callable[[], Iterable[str]] = tuple
    _sessions: dict[str, PromptSession[str]] = field(default_factory=dict)
    _pasted: list[str] = field(default_factory=list)

    @property
    def is_interactive(self) -> bool:
        """Whether a person is typing."""
        return sys.stdin.isatty()

    def say(self, text: str) -> None:
        echo(self._wrapped(text), err=True)

    def _wrapped(self, text: str) -> str:
        """The text with long lines broken between words at the width of the terminal, if it goes to one."""
        if not sys.stderr.isatty():
            return text
        width = max(shutil.get_terminal_size().columns - 1, 20)
        return "\n".join(_broken(line, width) for line in text.split("\n"))

    def ask(self, prompt: str, history: Iterable[str] = ()) -> str:
        """A line that answers the prompt. Raises click.Abort at the end of the input and for Ctrl-C."""
        typed = self._pasted.pop(0) if self._pasted else self._read(prompt, history, "answers")
        return typed.encode("utf-8", "replace").decode().strip()

    def confirm(self, question: str) -> str:
        """The answer to a yes-or-no question, in lower case."""
        return self._read(question, (), "confirmations").strip().lower()

    def _read(self, prompt: str, history: Iterable[str], kind: str) -> str:
        if self.is_interactive and sys.stderr.isatty() and os.environ.get("TERM") not in (None, "dumb"):
            first, *self._pasted = self._edited(prompt, history, kind).split("\n")
            return first
        typed = str(click.prompt(prompt, default="", show_default=False, prompt_suffix="", err=True))
        if not self.is_interactive:
            self.say(typed)
        return typed

    def _edited(self, prompt: str, history: Iterable[str], kind: str) -> str:
        if kind not in self._sessions:
            self._sessions[kind] = _prompt_session(history, (lambda: self.suggest()) if kind == "answers" else None)
        try:
            return self._sessions[kind].prompt(self._wrapped(prompt).removesuffix(" ") + " ")
        except (KeyboardInterrupt, EOFError):
            raise click.Abort from None


def _broken(line: str, width: int) -> str:
    """A line broken between words, each part with its indent; styled words stay styled."""
    plain = unstyled(line)
    if len(plain) <= width:
        return line
    indent = " " * (len(plain) - len(plain.lstrip()))
    broken = textwrap.fill(plain, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    for styled in STYLED.findall(line):
        broken = broken.replace(unstyled(styled), styled, 1)
    return broken


def _prompt_session(earlier: Iterable[str], suggest: Callable[[], Iterable[str]] | None) -> PromptSession[str]:
    """A prompt with line editing on standard error; `suggest` lists the words that Tab completes."""
    from prompt_toolkit import PromptSession, completion, document, history, output, shortcuts  # takes 0.1 s

    class SuggestionCompleter(completion.Completer):
        def get_completions(
            self, document: document.Document, complete_event: completion.CompleteEvent
        ) -> Iterator[completion.Completion]:
            word = document.text_before_cursor.replace(",", " ").rpartition(" ")[2]
            for suggestion in suggest() if suggest else ():
                if suggestion.lower().startswith(word.lower()):
                    yield completion.Completion(suggestion, start_position=-len(word))

    terminal: Any = output.create_output(sys.stderr)
    terminal.enable_cpr = False  # not every terminal answers a query for the cursor's position
    return PromptSession(
        history=history.InMemoryHistory([text for text in earlier if text]),
        completer=SuggestionCompleter(),
        complete_while_typing=False,
        complete_style=shortcuts.CompleteStyle.READLINE_LIKE,
        output=terminal,
    )


# ---- session --------------------------------------------------------------------------------------------------------


class _LeaveError(Exception):
    """The person at the terminal stops before the sheet is finished."""


class FillSession(Struct):
    """Asks the questions of one sheet and saves each answer."""

    filler: Filler
    path: Path
    transcript: Transcript
    terminal: Terminal
    heading: str = ""

    @property
    def part(self) -> Path:
        """The file with the answers so far."""
        return self.path.with_name(f"{self.path.name}.part")

    def run(self) -> bool:
        """Asks until the sheet is complete and writes it; returns False if the person stops earlier."""
        self.terminal.suggest = lambda: (*self.filler.suggestions(self.transcript.progress()), *_COMMANDS)
        answers = _saved_answers(self.part, self.filler)
        for number, answer in enumerate(answers, 1):
            trial = self.filler.trial(self.transcript, answer)
            if trial.transcript is None:
                self._say(f"{self.part}: answer {number} no longer fits; this answer and those after it are dropped")
                break
            self.transcript = trial.transcript
        if answers:
            self.filler.recheck(self.transcript)
            count = len(self.transcript.answers)
            self._say(f"Continuing after {count} {'answer' if count == 1 else 'answers'} saved in {self.part}.\n")
        form = self.filler.form
        names = joined(form.other_sheets, "or")
        others = f"For another sheet of this game, add --sheet {names}.\n" if names else ""
        self._say(
            f"{style(f'{form.game.title}: {form.sheet.definition.title}', 'bold')}\n"
            f"{others}Type what is on the paper; press Enter where it is blank. "
            "Type ? for help, or undo, show, done or quit."
        )
        try:
            while not self._step(self.transcript.progress()):
                pass
        except (_LeaveError, click.Abort):
            self._save_answers()
            return False
        save(sheet_text(self.transcript.progress().document).encode(), self.path)
        self.part.unlink(missing_ok=True)
        return True

    def _step(self, state: Progress) -> bool:
        """Asks one question; True when the sheet is to be written."""
        if state.question is None:
            return self._confirm()
        question = state.question
        if question.kind != "more" and question.heading not in (self.heading, question.prompt):
            how = f"  ({_how(question)})" if _explains_below(question) else ""
            self._say(f"\n{style(question.heading, 'bold')}{how}")
        self.heading = question.heading
        return self._take(self.terminal.ask(_prompt(state.question), self.transcript.answers), state)

    def _take(self, typed: str, state: Progress) -> bool:
        """Runs the typed line as a command, or takes it as the answer; True when the sheet is to be written."""
        command = _ALIASES.get(typed.lower(), typed.lower())
        if command == "done" and any(self.transcript.answers):
            return self._confirm()
        if command == "done":
            form, players = self.filler.form, self.filler.form.game.players
            several = form.players is not None and form.players.kind in ("list", "row")
            needed = f"the names of {players.low} to {players.high} players" if several else "an answer"
            self._say(f"  the sheet is still blank: type {needed} first, or quit")
            return False
        if command in _COMMANDS:
            if command == "quit":
                raise _LeaveError
            if command == "undo":
                self._undo()
            elif command == "show":
                self._show()
            elif state.question:
                self._say("\n".join(_help(state.question)))
            return False
        return self._answer(typed, state)

    def _confirm(self) -> bool:
        """Asks a person whether to write the file; piped answers need no confirmation."""
        while self.terminal.is_interactive:
            typed = self.terminal.confirm(f"\nWrite {self.path}? [Y/n] ")
            command = _ALIASES.get(typed, typed)
            if command in ("", *_YES):
                return True
            if command in ("quit", *_NO):
                raise _LeaveError
            if command == "undo":
                self._undo()
                return False
            if command == "show":
                self._show()
            else:
                self._say(
                    "  y writes the file, n stops without writing it, undo takes back the last answer, show prints it"
                )
        return True

    # ---- commands ----------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        self._say(sheet_text(self.transcript.progress().document).rstrip())

    def _undo(self) -> None:
        if not self.transcript.answers:
            self._say("  there is no answer to take back")
            return
        last = self.transcript.answers[-1]
        self.transcript = self.transcript.undone()
        self.filler.recheck(self.transcript)
        self.heading = ""
        self._say(f"  took back {f'“{last}”' if last else 'the blank'}")
        self._save_answers()

    # ---- answers -----------------------------------------------------------------------------------------------------

    def _answer(self, typed: str, state: Progress) -> bool:
        trial = self.filler.trial(self.transcript, typed)
        if trial.transcript is None:
            for problem in trial.problems:
                self._say(
                    f"  {style('error', 'error')}: {problem.message}{'; ' + problem.hint if problem.hint else ''}"
                )
            return False
        self._echo(state.question, trial.transcript.progress().document)
        if note := self.filler.note(state.question, typed) if state.question else "":
            self._say(f"  {note}")
        reply = self._keep_anyway(trial.findings)
        if reply.lower() in _YES:
            self.filler.mark_seen(trial.findings)
            self.transcript = trial.transcript
            self._save_answers()
        return reply.lower() not in ("", *_YES, *_NO) and self._take(reply, state)

    def _keep_anyway(self, findings: tuple[Finding, ...]) -> str:
        """Reports which rules an answer breaks and asks whether to keep it, unless there are only warnings. A reply
        that is neither yes nor no is a corrected answer."""
        for finding in findings:
            self._say(f"  {style(finding.severity, finding.severity)}: {sentence(finding.message)} ({finding.rule})")
        if all(finding.severity == "warning" for finding in findings):
            return _YES[0]
        question = "  Is that what the paper says? Keep it? [y/N] "
        while (reply := self.terminal.ask(question)).lower() == "done":
            self._say("  y keeps the line, n asks for it again; type done after that")
        return reply

    def _echo(self, question: Question | None, document: dict[str, Plain]) -> None:
        """Prints how an answer of several parts was understood."""
        value: Plain | None = document
        for step in question.at if question else ():
            if isinstance(value, list) and isinstance(step, int) and step <= len(value):
                value = value[step - 1]
            elif isinstance(value, dict):
                value = value.get(str(step))
            else:
                return
        if question and question.kind == "line" and (isinstance(value, dict) or (question.part.spec.zero and value)):
            self._say(style(f"    {flow(value)}", "quiet"))

    def _say(self, text: str) -> None:
        self.terminal.say(text)

    # ---- saved answers -----------------------------------------------------------------------------------------------

    def _save_answers(self) -> None:
        if not self.transcript.answers:
            self.part.unlink(missing_ok=True)
            return
        form = self.filler.form
        saved = {"game": form.game.key, "sheet": form.sheet.name, "answers": self.transcript.answers}
        save(json.dumps(saved, ensure_ascii=False, indent=1).encode("utf-8", "replace"), self.part)


def _saved_answers(part: Path, filler: Filler) -> list[str]:
    """The answers of an earlier session. Raises InputError for a file that does not contain answers for this sheet."""
    place = Place(str(part))
    if not paths.is_file(part):
        return []
    try:
        saved = json.loads(part.read_bytes())
        answers = [str(answer) for answer in saved["answers"]]
        sheet = saved["game"], saved["sheet"]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        raise fault("does not contain answers saved by fill", place, "remove it to start again") from None
    if sheet != (filler.form.game.key, filler.form.sheet.name):
        raise InputError(
            [Problem("contains answers for another sheet", place, "name another file, or remove this one")]
        )
    return answers


# ---- wording --------------------------------------------------------------------------------------------------------


def _prompt(question: Question) -> str:
    part = question.part
    single = part.kind in ("group", "ticks") and len(part.inner) == 1 and question.prompt == part.label
    prompt = escaped(part.inner[0].label if single else question.prompt)
    if question.kind == "more":
        return f"\nIs there a {prompt[:1].lower()}{prompt[1:]}? [y/N] "
    how = "" if _explains_below(question) else escaped(_how(question))
    yes_or_no = " [y/N]" if question.part.yes_or_no else ""
    return f"{prompt} ({how}){yes_or_no}: " if how else f"{prompt}{yes_or_no}: "


def _explains_below(question: Question) -> bool:
    """Whether the heading of several lines of one kind says how to type them, so that their prompts need not."""
    return question.kind == "row" or (question.heading != question.prompt and question.lines)


def _how(question: Question) -> str:
    """How to type the answer."""
    part = question.part
    if part.yes_or_no:
        return _lower(part.inner[0].tip if part.inner else part.tip)
    if question.names_a_player and question.ends:
        return "press Enter after the last"
    single = part.kind == "group" and len(part.places) == 1
    about = [_lower(describe(part.places[0] if single else part))]
    if question.kind == "row":
        about = ["a row per line, the top row first, from left to right", "a dot is a blank", *about]
    if part.kind == "group" and not single:
        about.append(f"type {', '.join(part.place_names)}")
    if part.examples:
        about.append(f"for example {', or '.join(part.examples)}")
    if question.ends:
        about.append("press Enter after the last")
    if question.names_a_player:
        about.append("one name per line")
    return "; ".join(filter(None, about))


def _lower(text: str) -> str:
    """Sentences as parts of a prompt: in lower case, unless the first word is an abbreviation, with semicolons between
    them."""
    text = re.sub(r"\. ([A-Z])(?=[a-z])", lambda match: f"; {match[1].lower()}", text)
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _help(question: Question) -> list[str]:
    part = question.part
    lines = [f"  {question.prompt}: {describe(part)}".rstrip(": ")]
    if part.kind == "group":
        typed = {inner.key: part.name_of(inner) for inner in part.inner} | {
            f"{part.key}.{part.inner[0].key}": part.inner[0].label.lower()
            for part in part.inner
            if part.kind == "group" and len(part.inner) == 1
        }
        rows = [(typed.get(key, key), text) for key, text in parts(part)]
        off_paper = [inner for inner in part.inner if not inner.paper and inner.kind == "mark"]
        rows += [(typed[inner.key], describe(inner)) for inner in off_paper]
        width = max((len(key) for key, _ in rows), default=0)
        lines += [f"    {key:<{width}}  {text}".rstrip() for key, text in rows]
        lines.append("  Type them in this order, or each after its name. Put commas between them if a text has spaces.")
    lines += [f"  For example: {', or '.join(part.examples)}"] if part.examples else []
    commands = [f"  {name:<5} {text}" for name, text in _COMMANDS.items()]
    return [*lines, *commands, '  To type one of these words as an answer, put it in quotes: "done"']


@click.command(cls=Command)
@click.argument("game", shell_complete=complete("games"))
@click.option(
    "--sheet",
    metavar="NAME",
    shell_complete=complete("sheets"),
    help="The score sheet to write, if the game has several: a name from `pencilbox games`.",
)
@click.option("--players", metavar="NAMES", default="", help="The players’ names, separated by commas.")
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    default="-",
    shell_complete=complete("files"),
    help="The file to write.  [default: -, standard output]",
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
def new_sheet(game: str, sheet: str | None, players: str, output: str, force: bool) -> None:
    """Write a blank score sheet of GAME as a file to type into.

    Comments in the file explain every part. If each player has their own sheet, as in Upwards!, several names
    write one file per player beside FILE: upwards-ann.yaml, upwards-ben.yaml.
    """
    form = sheet_filler(load(game), sheet, output).form
    names = [name.strip() for name in players.split(",")] if players.strip() else []
    options = "" if names_its_game(form) else f" --game {shlex.quote(game)}"
    files: tuple[Path, ...] = (Path(output),)
    groups = [names]
    if len(names) > 1 and is_for_one_player(form):
        example = f"{form.game.key}.yaml"
        files = file_per_player(Path(example if output == "-" else output), names)
        if output == "-":
            raise fault(
                f"each player has their own sheet, so {len(names)} names need {len(names)} files, not standard output",
                hint=f"add -o {example} to write {' and '.join(map(str, files))}",
            )
        groups = [[name] for name in names]
    texts = [blank(form, group, options) for group in groups]
    if output == "-":
        echo(texts[0], nl=False)
        return
    for file in files:
        may_write([file], force)
    for file, text in zip(files, texts, strict=True):
        save(text.encode(), file)
        echo(str(file))
