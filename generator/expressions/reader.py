"""Reads the expressions of a definition file and reports their mistakes with their places."""

from __future__ import annotations

import re
from typing import Any

from .. import limits
from ..errors import Place, Problem, shortened
from ..nodes import Scalar
from .compiler import Compiled, Scope, compiled
from .syntax import ExpressionError


class ExpressionReader:
    """Compiles expressions and collects the `problems` of the file that they are in. Messages begin with `subject`."""

    def __init__(self, subject: str = "") -> None:
        self.problems: list[Problem] = []
        self.subject = subject
        self._characters = 0

    def bad(self, message: str, place: Place | None, hint: str = "") -> None:
        self.problems.append(Problem(f"{self.subject}{message}", place, hint))

    def compiled(self, text: str, scope: Scope) -> Compiled:
        """The expression; raises ExpressionError."""
        return compiled(text, scope)

    def compile(self, text: str, scope: Scope, place: Place) -> Compiled | None:
        """The expression; None if it has mistakes, which are reported with their columns."""
        before = self._characters
        self._characters += len(text)
        if self._characters > limits.EXPRESSION_LETTERS:
            if before <= limits.EXPRESSION_LETTERS:
                message = f"the expressions of this sheet have more than {limits.EXPRESSION_LETTERS:,} characters"
                self.bad(message, place)
            return None
        try:
            return self.compiled(text, scope)
        except ExpressionError as error:
            for each in error.all:
                where = text.at(each.at) if isinstance(text, Scalar) else place
                self.bad(f"{each.message}{_excerpt(text, each)}", where, each.hint)
            return None

    def number(self, text: str | None, scope: Scope, place: Place, purpose: str) -> Compiled | None:
        """An expression that must be one number."""
        return self.single(text, scope, place, f"{purpose} must be a number", ("sum", "count"))

    def condition(self, text: str | None, scope: Scope, place: Place, purpose: str) -> Compiled | None:
        """An expression that must be yes or no."""
        return self.single(text, scope, place, f"{purpose} must be yes or no", ("any", "all"))

    def single(
        self, text: str | None, scope: Scope, place: Place, purpose: str, functions: tuple[str, str]
    ) -> Compiled | None:
        """An expression that must be one value. The `functions` make one of a list: those of numbers, or of yes or
        no."""
        term = self.compile(text, scope, place) if text is not None else None
        if term is None:
            return None
        is_number = functions == ("sum", "count")
        fits = term.kind.is_number if is_number else term.kind.name == "yes"
        if fits and not term.kind.many:
            return term
        one, other = functions
        hint = f"write {one}({text}) or {other}({text})" if fits else ""
        if not is_number and not term.kind.many:
            hint = "compare it, as in stars > 0"
        found = "a list" if fits or (term.kind.many and not is_number) else term.kind.words
        expected = purpose.replace("a number", "one number") if fits else purpose
        self.bad(f"{expected}, but {quoted(text)} is {found}", place_of(text, place), hint)
        return None

    def template(self, text: Any, scope: Scope, place: Place, what: str, example: str) -> list[str | Compiled]:
        """The parts of a text with expressions in braces. The messages call it `what`."""
        parts: list[str | Compiled] = []
        column = text.column if isinstance(text, Scalar) else 0
        for match in re.finditer(r"\{([^{}]*)\}|([^{}]+)|[{}]", text):
            if match[1] is not None:
                inner = Scalar(match[1], place, column=column + match.start(1) if column else 0)
                term = self.compile(inner, scope, place)
                parts += [term] if term else []
            elif match[2]:
                parts.append(match[2])
            else:
                self.bad(f"a brace of {what} is not closed", place, f"write expressions as {example}")
        return parts


def _excerpt(text: str, error: ExpressionError) -> str:
    """The part of the expression around a mistake."""
    if text and f"“{text}”" not in error.message:
        start, end = max(0, error.at - 30), error.at + 30
        return f" in “{'…' * (start > 0)}{shortened(text[start:end].strip(), 64)}{'…' * (end < len(text))}”"
    return ""


def quoted(text: object) -> str:
    return f"“{shortened(text)}”"


def place_of(text: object, place: Place) -> Place:
    """The place of an expression in its file, or else `place`."""
    return text.at(0) if isinstance(text, Scalar) else place
