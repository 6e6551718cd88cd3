"""Rules as objects: code that finds a breach calls the rule and yields the violation.

FAILED_FLIP = rules.add("failed-flip", "A flipped card that may not be played goes to the hand …", source="E10")
...
yield FAILED_FLIP(turn.done, f"{name} has already taken the pile with the flipped card")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct

Severity: TypeAlias = Literal["error", "warning"]
F = TypeVar("F", bound=Callable[..., Any])


class Rule(Struct, frozen=True, eq=False):
    """A rule that a sheet can break. `text` is the rule in plain words, `source` its origin. `sheets` lists the score
    sheets it applies to (empty: all sheets of the book). `order` is its position in the book."""

    id: str
    text: str
    source: str = ""
    severity: Severity = "error"
    sheets: tuple[str, ...] = ()
    order: int = 0

    def __call__(self, where: str | Iterable[str], message: str, player: str | None = None) -> Violation:
        """A violation of this rule: one sentence and the ids of the fields concerned, the most important first, or none
        for the whole sheet. `player` is needed only if those fields belong to another player."""
        if isinstance(where, str):
            return Violation(self, (where,) if where else (), message, player)
        return Violation(self, tuple(where), message, player)


class ScoringRule(Struct, frozen=True, eq=False):
    """A rule about how points are counted. A sheet cannot break it."""

    id: str
    text: str
    source: str = ""
    sheets: tuple[str, ...] = ()


class Violation(NamedTuple):
    """A breach of a rule: the rule, the ids of the fields concerned, one sentence, and the player who broke the rule if
    the fields belong to another player."""

    rule: Rule
    where: tuple[str, ...]
    message: str
    player: str | None = None


class Suggestion(NamedTuple):
    """What a player could have done better: the ids of the fields concerned, and one sentence."""

    where: tuple[str, ...]
    message: str


def by_order(violations: Iterable[Violation]) -> list[Violation]:
    """The violations sorted by the order of their rules in the book; those of one rule keep their order."""
    return sorted(violations, key=lambda violation: violation.rule.order)


class RuleBook:
    """The rules of a game in the order in which `pencilbox rules` lists them.

    `add` returns a rule; call it to report a violation. For a few simple rules, register functions instead,
    with the decorators `rule` and `counts`: the docstring is the text of the rule, and the function yields tuples of a
    sentence and the ids of the fields concerned."""

    def __init__(self) -> None:
        self.rules: list[Rule] = []
        self.scoring_rules: list[ScoringRule] = []
        self._checks: list[tuple[Rule, Callable[[Any], Iterable[tuple[str, ...] | str]]]] = []

    def __getitem__(self, name: str) -> Rule:
        """The rule with this id; `sheet/id` if a rule of another sheet has the same one. Raises KeyError."""
        sheet, _, identifier = name.rpartition("/")
        for rule in self.rules:
            if rule.id == identifier and (not sheet or sheet in rule.sheets):
                return rule
        raise KeyError(f"no rule “{name}”")

    @property
    def listed(self) -> list[Rule | ScoringRule]:
        """Every rule; scoring rules come last."""
        return [*self.rules, *self.scoring_rules]

    def add(
        self,
        id: str,  # noqa: A002 - rules have ids
        text: str,
        *,
        source: str = "",
        severity: Severity = "error",
        sheets: tuple[str, ...] = (),
    ) -> Rule:
        """Adds a rule. Raises ValueError if one of the sheets already has a rule with this id."""
        self._refuse_duplicate(id, sheets)
        rule = Rule(id, text, source, severity, sheets=sheets, order=len(self.rules))
        self.rules.append(rule)
        return rule

    def scoring(
        self,
        id: str,  # noqa: A002 - rules have ids
        text: str,
        *,
        source: str = "",
        sheets: tuple[str, ...] = (),
    ) -> ScoringRule:
        """Adds a rule about counting points, so that `pencilbox rules` can explain the score."""
        self._refuse_duplicate(id, sheets)
        rule = ScoringRule(id, text, source, sheets)
        self.scoring_rules.append(rule)
        return rule

    def rule(
        self, name: str, *, source: str = "", severity: Severity = "error", sheets: tuple[str, ...] = ()
    ) -> Callable[[F], F]:
        """Adds a function that yields breaches of a rule. Its docstring is the text of the rule."""

        def register(function: F) -> F:
            self._checks.append(
                (self.add(name, _text(function), source=source, severity=severity, sheets=sheets), function)
            )
            return function

        return register

    def counts(self, name: str, *, source: str = "", sheets: tuple[str, ...] = ()) -> Callable[[F], F]:
        """Adds a function that scores. Its docstring is the text of the scoring rule."""

        def register(function: F) -> F:
            self.scoring(name, _text(function), source=source, sheets=sheets)
            return function

        return register

    def check(self, view: Any, sheet: str) -> Iterator[Violation]:
        """The violations that the added functions find on a score sheet with this name."""
        for rule, function in self._checks:
            if not rule.sheets or sheet in rule.sheets:
                for breach in function(view):
                    message, *where = (breach,) if isinstance(breach, str) else breach
                    yield rule(where, message)

    def _refuse_duplicate(self, identifier: str, sheets: tuple[str, ...]) -> None:
        for other in self.listed:
            if other.id == identifier and (not sheets or not other.sheets or set(sheets) & set(other.sheets)):
                raise ValueError(f"the rule book already has a rule {identifier!r}")


def _text(function: Callable[..., Any]) -> str:
    words = (function.__doc__ or "").split()
    if not words:
        raise ValueError(f"the rule {function.__name__} has no docstring; write the rule there")
    return " ".join(words)
