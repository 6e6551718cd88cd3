"""Rules as objects: the code that finds a breach yields the rule it breaks.

FAILED_FLIP = rules.add("failed-flip", "A flipped card that may not be played goes to the hand …", source="E10")
...
yield FAILED_FLIP(turn.done, f"{name} has already taken the pile with the flipped card")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

Severity: TypeAlias = Literal["error", "warning"]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, eq=False, slots=True)
class Rule:
    """A rule that a sheet can break. `text` says it in plain words, `source` where it comes from; `sheets` names the
    score sheets it is about (none: every sheet of its book). `order` is its place in the book."""

    id: str
    text: str
    source: str = ""
    severity: Severity = "error"
    sheets: tuple[str, ...] = ()
    order: int = 0

    def __call__(self, where: str | Iterable[str], message: str, player: str | None = None) -> Violation:
        """A breach of this rule: one sentence, and the ids of the fields it lies in, the most telling one first; none
        where it is about the sheet as a whole. `player` is needed only where those fields are another player's."""
        if isinstance(where, str):
            return Violation(self, (where,) if where else (), message, player)
        return Violation(self, tuple(where), message, player)


@dataclass(frozen=True, eq=False, slots=True)
class ScoringRule:
    """A rule about how points are counted, which a sheet cannot break."""

    id: str
    text: str
    source: str = ""
    sheets: tuple[str, ...] = ()


class Violation(NamedTuple):
    """A breach of a rule: the rule, the ids of the fields it lies in, one sentence, and the player who broke it, unless
    that is the player whose fields they are."""

    rule: Rule
    where: tuple[str, ...]
    message: str
    player: str | None = None


class Suggestion(NamedTuple):
    """What a player could have had: the ids of the fields it is about, and one sentence."""

    where: tuple[str, ...]
    message: str


def by_order(violations: Iterable[Violation]) -> list[Violation]:
    """The violations in the order of their rules in the book; those of one rule stay as they were found."""
    return sorted(violations, key=lambda violation: violation.rule.order)


class RuleBook:
    """The rules of a game in the order in which `pencilbox rules` lists them.

    The games of Pencilbox `add` their rules. The `rules.py` of your own game enters functions instead, with the
    decorators `rule` and `counts`: the docstring is the rule, and the function yields tuples of a sentence and the ids
    of the fields it is about."""

    def __init__(self) -> None:
        self.rules: list[Rule] = []
        self.scoring_rules: list[ScoringRule] = []
        self._checks: list[tuple[Rule, Callable[[Any], Iterable[tuple[str, ...] | str]]]] = []

    @property
    def listed(self) -> list[Rule | ScoringRule]:
        """Every rule, those about scoring last."""
        return [*self.rules, *self.scoring_rules]

    def add(
        self,
        id: str,  # noqa: A002 - it is what a rule has
        text: str,
        *,
        source: str = "",
        severity: Severity = "error",
        sheets: tuple[str, ...] = (),
    ) -> Rule:
        """Enters a rule. Raises ValueError if a rule with this id is about one of the sheets already."""
        self._refuse_twin(id, sheets)
        rule = Rule(id, text, source, severity, sheets, len(self.rules))
        self.rules.append(rule)
        return rule

    def scoring(
        self,
        id: str,  # noqa: A002 - it is what a rule has
        text: str,
        *,
        source: str = "",
        sheets: tuple[str, ...] = (),
    ) -> ScoringRule:
        """Enters a rule about counting points, so that the book says how a sheet is scored."""
        self._refuse_twin(id, sheets)
        rule = ScoringRule(id, text, source, sheets)
        self.scoring_rules.append(rule)
        return rule

    def rule(
        self, name: str, *, source: str = "", severity: Severity = "error", sheets: tuple[str, ...] = ()
    ) -> Callable[[F], F]:
        """Enters a function that yields breaches of a rule; its docstring is the rule in plain words."""

        def enter(function: F) -> F:
            self._checks.append(
                (self.add(name, _text(function), source=source, severity=severity, sheets=sheets), function)
            )
            return function

        return enter

    def counts(self, name: str, *, source: str = "", sheets: tuple[str, ...] = ()) -> Callable[[F], F]:
        """Enters a function of the score; its docstring says how it counts."""

        def enter(function: F) -> F:
            self.scoring(name, _text(function), source=source, sheets=sheets)
            return function

        return enter

    def check(self, view: Any, sheet: str) -> Iterator[Violation]:
        """What the entered functions find on a score sheet of this name."""
        for rule, function in self._checks:
            if not rule.sheets or sheet in rule.sheets:
                for breach in function(view):
                    message, *where = (breach,) if isinstance(breach, str) else breach
                    yield rule(where, message)

    def _refuse_twin(self, identifier: str, sheets: tuple[str, ...]) -> None:
        for other in self.listed:
            if other.id == identifier and (not sheets or not other.sheets or set(sheets) & set(other.sheets)):
                raise ValueError(f"the rule book has a rule {identifier!r} already")


def _text(function: Callable[..., Any]) -> str:
    words = (function.__doc__ or "").split()
    if not words:
        raise ValueError(f"the rule {function.__name__} has no docstring to say it in words")
    return " ".join(words)
