"""Turns the exception that ends a command into messages and an exit code."""

from __future__ import annotations

import errno
import os
import re
import sys
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from ..errors import InputError, Place, Problem, did_you_mean
from .console import echo, echo_json, escaped, problem_data, show_errors

VIOLATIONS, WRONG_INPUT, BUG, IO_ERROR, INTERRUPTED, BROKEN_PIPE = 1, 2, 70, 74, 130, 141
"""Exit codes: a rule is broken or a PDF does not match its code; invalid input; a bug and a failed read or write
(EX_SOFTWARE and EX_IOERR in sysexits.h); Ctrl-C and a closed pipe, for shells 128 + SIGINT and 128 + SIGPIPE."""

_OTHER_WORDS = {"--pad": "--copies", "--pads": "--copies"}
_TRACEBACK = "PENCILBOX_TRACEBACK"


def report(error: BaseException, words: Sequence[str]) -> int:
    """Prints what ended the command, as JSON if its arguments ask for that, and returns the exit code."""
    try:
        code, problems = _explained(error)
        form = ""  # that the arguments ask for, even if they cannot be parsed
        for word, following in zip(words, [*words[1:], ""], strict=False):
            if word == "--":
                break
            if word == "--format":
                form = following
            elif word.startswith("--format="):
                form = word.removeprefix("--format=")
        if problems and form in ("json", "jsonl") and code != BROKEN_PIPE:
            echo_json({"error": list(map(problem_data, problems)), "valid": False}, None)
        elif code == INTERRUPTED:
            echo("interrupted", err=True)
        else:
            show_errors(problems)
    except OSError:  # standard error cannot be written either: only the exit code is left
        return IO_ERROR
    return code


def _explained(error: BaseException) -> tuple[int, Sequence[Problem]]:
    """The exit code and the problems of an exception. click turns a closed pipe into SystemExit."""
    if isinstance(error, SystemExit) or (isinstance(error, OSError) and error.errno == errno.EPIPE):
        return BROKEN_PIPE, ()
    if isinstance(error, InputError):
        return WRONG_INPUT, error.problems
    if isinstance(error, click.UsageError):
        return WRONG_INPUT, [usage_problem(error)]
    if isinstance(error, click.ClickException):
        return WRONG_INPUT, [Problem(_lower(error.format_message()))]
    if isinstance(error, (click.Abort, KeyboardInterrupt, EOFError)):
        return INTERRUPTED, [Problem("interrupted")]
    if isinstance(error, OSError):
        return IO_ERROR, [_io_problem(error)]
    return BUG, [_bug(error)]


def _io_problem(error: OSError) -> Problem:
    try:
        Path.cwd()
    except OSError:
        return Problem("the working folder no longer exists", hint="change to a folder that does")
    reason = (error.strerror or type(error).__name__).lower()
    if error.filename is not None:
        return Problem(f"cannot be read or written: {reason}", Place(os.fsdecode(error.filename)))
    return Problem(f"cannot write the output: {reason}")


def _bug(error: BaseException) -> Problem:
    if os.environ.get(_TRACEBACK):
        echo("".join(traceback.format_exception(error)), err=True)
    if isinstance(error, MemoryError):
        return Problem("Pencilbox ran out of memory", hint="try fewer sheets, cards or copies at once")
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {'/'.join(Path(frames[-1].filename).parts[-3:])}:{frames[-1].lineno}" if frames else ""
    what = f"{type(error).__name__}{where}{f': {error}' if str(error) else ''}"
    return Problem(
        f"Pencilbox failed: {escaped(what)}",
        hint=f"this is a bug; please report this line and your command ({_TRACEBACK}=1 prints the details)",
    )


# ---- usage errors ---------------------------------------------------------------------------------------------------


class WrongUsageError(InputError, click.ClickException):
    """A command line with usage errors, as an exception that click can show too."""

    exit_code = WRONG_INPUT

    def show(self, file: Any = None) -> None:
        show_errors(self.problems)


def usage_problem(error: click.UsageError) -> Problem:
    """A usage error of click as a problem."""
    if isinstance(error, click.NoSuchOption):
        names = [name for param in error.ctx.command.get_params(error.ctx) for name in param.opts] if error.ctx else []
        return Problem(
            f"there is no option {error.option_name}",
            hint=_near(
                _OTHER_WORDS.get(error.option_name, error.option_name),
                (name for name in names if name.startswith("--")),
            )
            or _see_help(error),
        )
    if isinstance(error, click.BadOptionUsage):
        message = error.message.rstrip(".").replace(" requires an argument", " needs a value")
        return Problem(_lower(re.sub(r"^Option '(.*?)'", r"\1", message)), hint=_see_help(error))
    if isinstance(error, click.MissingParameter):
        words = [error.ctx.command_path, *error.ctx.command.collect_usage_pieces(error.ctx)] if error.ctx else []
        return Problem(f"{_name(error)} is missing", hint=f"usage: {' '.join(words)}" if words else "")
    if isinstance(error, click.BadParameter):
        return _bad_value(error)
    message = error.message.rstrip(".")
    if match := re.match(r"Got unexpected extra arguments? \((.*)\)$", message, re.DOTALL):
        message = f"too many arguments: {match[1]}"
    return Problem(_lower(message), hint=_see_help(error))


def _bad_value(error: click.BadParameter) -> Problem:
    name, kind, message = _name(error), error.param.type if error.param else None, error.message.rstrip(".")
    if isinstance(kind, click.Choice) and (match := re.match(r"'(.*)' is not one of ", message, re.DOTALL)):
        choices = [str(choice) for choice in kind.choices]
        near = _near(match[1], choices)
        return Problem(f"{name} cannot be “{match[1]}”", hint=near or f"it is one of {', '.join(choices)}")
    if isinstance(kind, click.IntRange) and (match := re.match(r"(-?\d+) is not in the range", message)):
        return Problem(f"{name} must be {_span(kind)}, not {match[1]}")
    if match := re.match(r"'(.*)' is not a valid integer", message, re.DOTALL):
        return Problem(f"{name} must be a whole number, not “{match[1]}”")
    return Problem(f"{name}: {_lower(message)}")


def _span(kind: click.IntRange) -> str:
    if kind.min is None or kind.max is None:
        return f"at least {kind.min}" if kind.max is None else f"at most {kind.max}"
    return f"from {kind.min:g} to {kind.max:g}" if kind.max < 1_000_000 else f"from {kind.min} to {kind.max:,}"


def _name(error: click.BadParameter) -> str:
    """A parameter as users type it, such as `--paper` or `GAME`."""
    if error.param is None:
        return "a value"
    if isinstance(error.param, click.Option):
        return max(error.param.opts, key=len)
    if error.ctx is None or isinstance(error.param.type, click.Choice):
        return error.param.human_readable_name.upper()
    return error.param.make_metavar(error.ctx).strip("[]. ")


def _near(word: str, choices: Iterable[str]) -> str:
    hint = did_you_mean(word, choices)
    return hint if hint.startswith("did") else ""


def _see_help(error: click.UsageError) -> str:
    return f"see “{error.ctx.command_path} --help”" if error.ctx else ""


def _lower(message: str) -> str:
    """The message with its first letter in lower case, unless it begins with a name in capitals."""
    return message[:1].lower() + message[1:] if message[1:2].islower() else message


def close_output() -> None:
    """Stops Python from flushing output that cannot be written when it exits."""
    try:
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
