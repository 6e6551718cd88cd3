# mypy: ignore-errors
"""Until every game has its own `GameRules`: the modules of a game as they were, looked up by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import groupby
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from ..rules.book import F, RuleBook, Severity, Suggestion, Violation, by_order
from ..rules.copies import Strokes
from ..rules.results import Explanation, Result
from ..sheets import FilledSheet, Reading
from .base import GameRules

V = TypeVar("V")
Breach: TypeAlias = tuple[str, ...]


class LegacyBook(RuleBook, Generic[V]):
    """A rule book of functions, as games used to have: its view, its sheet, and when a rule is looked at."""

    def __init__(self, view: Callable[[FilledSheet], V] | None = None, sheet: str | None = None) -> None:
        super().__init__()
        self.view, self.sheet = view, sheet
        self._when: dict[int, Callable[[Any], object] | None] = {}

    def rule(self, name: str, *, source: str = "", severity: Severity = "error", sheets: tuple[str, ...] = (),
             when: Callable[[Any], object] | None = None) -> Callable[[F], F]:
        self._when[len(self.rules)] = when
        return super().rule(name, source=source, severity=severity, sheets=sheets)

    def check(self, view: Any, sheet: str) -> Iterator[Violation]:
        for when, checks in groupby(self._checks, lambda check: self._when[check[0].order]):
            if when is None or when(view):
                for rule, function in checks:
                    if not rule.sheets or sheet in rule.sheets:
                        for breach in function(view):
                            message, *where = (breach,) if isinstance(breach, str) else breach
                            yield rule(where, message)


class View(NamedTuple):
    filled: FilledSheet
    view: Any


class LegacyRules(GameRules[View]):
    def __init__(self, key: str) -> None:
        self._of = lambda name: _module(key, name)
        self.rules = self._of("rules").book
        self.sheets = (self.rules.sheet,) if self.rules.sheet else ()
        reading, joint = self._of("reading"), self._of("together")
        self.reading = reading.READING if reading else Reading()
        self.joint_rules = joint.book if joint else None
        self._score = self._of("score").score
        self._explain, self._hints, self._drawing = self._of("explain"), self._of("hints"), self._of("drawing")

    def read(self, sheet: FilledSheet) -> View:
        return View(sheet, self.rules.view(sheet))

    def violations(self, view: View) -> Iterator[Violation]:
        return self.rules.check(view.view, view.filled.sheet.name)

    def score(self, view: View) -> Result:
        return self._score(view.view)

    def explain(self, view: View) -> Explanation | None:
        return self._explain.explain(view.view)

    def hints(self, view: View) -> Iterator[Suggestion]:
        for message, *where in self._hints.hints(view.view) if self._hints else ():
            yield Suggestion(tuple(where), message)

    def joint_violations(self, views: Sequence[View]) -> Iterable[Iterable[Violation]]:
        seats = self._of("together").seats([view.view for view in views])
        return [by_order(self.joint_rules.check(seat, view.filled.sheet.name))
                for seat, view in zip(seats, views, strict=True)]

    def joint_score(self, views: Sequence[View]) -> Result:
        return self._of("together").score([view.view for view in views])

    def sums(self, view: View) -> Mapping[str, int]:
        return self._explain.sums(view.view) if hasattr(self._explain, "sums") else super().sums(view)

    def strokes(self, view: View) -> Strokes:
        return self._drawing.drawn(view.view) if hasattr(self._drawing, "drawn") else Strokes()

    def signs(self, sheet: FilledSheet, row: str) -> Sequence[str]:
        return self._drawing.signs(sheet, row) if hasattr(self._drawing, "signs") else ()

    def asking(self) -> Any:
        return self._of("asking").ASKING


def _module(key: str, name: str) -> Any:
    try:
        return import_module(f"generator.games.{key}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"generator.games.{key}.{name}":
            raise
        return None
