"""Prints the judge's answers, as text or JSON, and finds the exit code that follows from them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec import Struct

from ..rules.results import Answer, Judged, Unreadable, line, plain
from ..rules.text import text
from .console import (
    echo,
    echo_json,
    echo_json_text,
    json_escaped,
    show_errors,
    style,
)
from .failures import VIOLATIONS, WRONG_INPUT


class Line(NamedTuple):
    """The exit code for one sheet, and its answer as a line of JSON that a worker process has written."""

    code: int
    text: str


class Printout(Struct):
    """The answers in order, and the exit code that follows from them."""

    answers: Iterator[Answer | Line]
    strict: bool
    collect: Callable[[Judged], None] | None = None
    code: int = 0

    def __iter__(self) -> Iterator[Answer | Line]:
        for answer in self.answers:
            code = answer.code if isinstance(answer, Line) else exit_code(answer, self.strict)
            self.code = max(code, self.code)
            if self.collect and isinstance(answer, Judged):
                self.collect(answer)
            yield answer


def exit_code(answer: Answer, strict: bool) -> int:
    """The exit code for one sheet."""
    if isinstance(answer, Unreadable):
        return WRONG_INPUT
    broken = bool(answer.verdict.findings) if strict else not answer.verdict.valid
    return VIOLATIONS if broken else 0


def as_line(answer: Answer, strict: bool) -> Line:
    """The answer as a line of JSON."""
    return Line(exit_code(answer, strict), json_escaped(line(answer)))


def as_text(printout: Printout) -> None:
    width = _columns()
    for number, answer in enumerate(printout):
        if isinstance(answer, Judged):
            echo(("\n" if number else "") + text(answer, style, width))
        elif isinstance(answer, Unreadable):
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


def as_errors(printout: Printout) -> None:
    """Shows only why sheets cannot be read; the other answers are printed when all are collected."""
    for answer in printout:
        if isinstance(answer, Unreadable):
            show_errors(answer.problems)


def as_json(printout: Printout) -> None:
    answers = [plain(answer) for answer in printout if not isinstance(answer, Line)]
    echo_json(answers[0] if len(answers) == 1 else answers)


def as_lines(printout: Printout) -> None:
    for answer in printout:
        echo_json_text(answer.text if isinstance(answer, Line) else json_escaped(line(answer)))
