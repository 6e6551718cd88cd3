"""A rule book: named rules, each one small function whose docstring is the rule in plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Generic, TypeAlias, TypeVar

from ..sheets import FilledSheet
from .nouns import Finding, Severity

V = TypeVar("V")
F = TypeVar("F", bound=Callable[..., Any])

Breach: TypeAlias = tuple[str, ...]
"""What a rule yields: one sentence, then the ids of the fields it is about, the most telling one first. A sentence
about the sheet as a whole may come by itself."""


@dataclass(frozen=True, slots=True)
class Rule(Generic[V]):
    """A named rule. `source` says where it comes from; `breaches` finds every breach of it; `sheets` names the score
    sheets it is about, none where it is about every sheet of its book. It is only looked at `when` there is something
    that can break it."""

    name: str
    says: str
    source: str
    severity: Severity
    breaches: Callable[[V], Iterable[Breach]]
    sheets: tuple[str, ...] = ()
    when: Callable[[V], object] | None = None


@dataclass(frozen=True, slots=True)
class Counting:
    """A rule about the count, which a sheet cannot break."""

    name: str
    says: str
    source: str
    sheets: tuple[str, ...] = ()


_Same: TypeAlias = tuple[Callable[[V], object] | None, list[Rule[V]]]


class RuleBook(Generic[V]):
    """The rules of one score sheet of a game, in the order they are written.

    `view` turns the filled-in sheet into what the rules look at; without one they look at the sheet itself. `sheet`
    names the score sheet, None means every sheet of the game.
    """

    def __init__(self, view: Callable[[FilledSheet], V] | None = None, sheet: str | None = None) -> None:
        self._view = view
        self.sheet = sheet
        self.rules: list[Rule[V]] = []
        self.counting: list[Counting] = []
        self._of: dict[str, list[_Same[V]]] = {}

    def view(self, sheet: FilledSheet) -> V:
        return self._view(sheet) if self._view else sheet  # type: ignore[return-value]

    def rule(self, name: str, *, source: str = "", severity: Severity = "error",
             sheets: tuple[str, ...] = (), when: Callable[[V], object] | None = None) -> Callable[[F], F]:
        """Enters a function that yields breaches; its docstring is the rule in plain words."""
        def enter(function: F) -> F:
            self._refuse_twin(name, sheets)
            self.rules.append(Rule(name, _says(function), source, severity, function, sheets, when))
            self._of.clear()
            return function
        return enter

    def counts(self, name: str, *, source: str = "", sheets: tuple[str, ...] = ()) -> Callable[[F], F]:
        """Enters a function of the score, so that the book says how it counts."""
        def enter(function: F) -> F:
            self._refuse_twin(name, sheets)
            self.counting.append(Counting(name, _says(function), source, sheets))
            return function
        return enter

    def check(self, view: V, sheet: FilledSheet) -> Iterator[Finding]:
        """Every breach of every rule."""
        for when, rules in self._rules_of(sheet.sheet.name):
            if when is not None and not when(view):
                continue
            for rule in rules:
                for breach in rule.breaches(view):
                    yield _finding(rule, breach, sheet)

    def _rules_of(self, name: str) -> list[_Same[V]]:
        """The rules about the score sheet of this name, those together that are looked at when the same is so."""
        if name not in self._of:
            about = [rule for rule in self.rules if not rule.sheets or name in rule.sheets]
            self._of[name] = [(when, list(some)) for when, some in groupby(about, lambda rule: rule.when)]
        return self._of[name]

    def _refuse_twin(self, name: str, sheets: tuple[str, ...]) -> None:
        others: list[Rule[V] | Counting] = [*self.rules, *self.counting]
        for other in others:
            if other.name == name and (not sheets or not other.sheets or set(sheets) & set(other.sheets)):
                raise ValueError(f"the rule book has a rule {name!r} already")


def _finding(rule: Rule[Any], breach: Breach, sheet: FilledSheet) -> Finding:
    message, *where = (breach,) if isinstance(breach, str) else breach
    first = where[0] if where else ""
    return Finding(rule.name, rule.severity, message, tuple(where), sheet.player_of(first), sheet.place_of(first))


def _says(function: Callable[..., Any]) -> str:
    words = (function.__doc__ or "").split()
    if not words:
        raise ValueError(f"the rule {function.__name__} has no docstring to say it in words")
    return " ".join(words)
