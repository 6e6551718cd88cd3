"""What Pencilbox needs to know of a game to judge its sheets: one class for each game.

`RandomSets` (`games.deck`) and `Simulation` (`games.simulation`) are the other two things a game may have. They are
apart because judging a sheet loads nothing that deals or plays, and dealing nothing that judges.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from ..definitions.models import ScoreSheet
from ..definitions.values import Empty
from ..rules import stated
from ..rules.book import RuleBook, Suggestion, Violation
from ..rules.copies import Strokes
from ..rules.results import Explanation, Result
from ..sheets import Asking, FilledSheet, Reading

V = TypeVar("V")


class GameRules(ABC, Generic[V]):
    """How the sheets of one game are read, checked and scored. A method that a game leaves out keeps its default.

    `V` is the view: a filled-in sheet as the rules look at it, which `read` makes once and every other method takes.
    `sheets` names the score sheets that the rules are about; empty, they are about every sheet of the game. What the
    YAML of a sheet states is checked besides. Where each player has a sheet of their own, `joint_rules` are those that
    the sheets of one game must keep together."""

    rules: RuleBook
    sheets: tuple[str, ...] = ()
    reading: Reading = Reading()
    joint_rules: RuleBook | None = None

    def covers(self, sheet: ScoreSheet) -> bool:
        """Whether the rules are about this sheet."""
        return not self.sheets or sheet.name in self.sheets

    @abstractmethod
    def read(self, sheet: FilledSheet) -> V:
        """The sheet as the rules look at it."""

    @abstractmethod
    def violations(self, view: V) -> Iterable[Violation]:
        """Every breach of a rule, in any order: findings are sorted by their line and then by the order of the rules
        in the book, and only those of one rule on one line stay as they come."""

    @abstractmethod
    def score(self, view: V) -> Result: ...

    def explain(self, view: V) -> Explanation | None:
        """How the points were made: for every player the parts of every line of the score, in its order; None where
        the game cannot tell."""
        return None

    def hints(self, view: V) -> Iterable[Suggestion]:
        """What the players could have had."""
        return ()

    # ---- several sheets of one game ---------------------------------------------------------------------------------

    def joint_violations(self, views: Sequence[V]) -> Iterable[Iterable[Violation]]:
        """For every sheet what it breaks of the `joint_rules`, beside the others."""
        return [() for _ in views]

    def joint_score(self, views: Sequence[V]) -> Result:
        """The scores of all sheets, ranked. Only asked of a game with `joint_rules`."""
        raise NotImplementedError

    # ---- showing and filling in a sheet -----------------------------------------------------------------------------

    def sums(self, view: V) -> Mapping[str, int]:
        """The right sums of the sheet, by the ids of their fields."""
        return Empty

    def strokes(self, view: V) -> Strokes:
        """What was drawn on the sheet, or is written there in other words than it was typed."""
        return Strokes()

    def signs(self, sheet: FilledSheet, row: str) -> Sequence[str]:
        """The signs printed between the marks of a row."""
        return ()

    def asking(self) -> Asking:
        """How the sheet is asked for, question by question."""
        return Asking()


class StatedOnly(GameRules[FilledSheet]):
    """A game, or a sheet, of which nothing is known but what its YAML states."""

    rules = RuleBook()

    def covers(self, sheet: ScoreSheet) -> bool:
        return False

    def read(self, sheet: FilledSheet) -> FilledSheet:
        return sheet

    def violations(self, view: FilledSheet) -> Iterator[Violation]:
        return iter(())

    def score(self, view: FilledSheet) -> Result:
        return stated.score(view)

    def explain(self, view: FilledSheet) -> Explanation | None:
        return stated.explain(view)

    def sums(self, view: FilledSheet) -> Mapping[str, int]:
        return stated.sums(view)


STATED_ONLY = StatedOnly()
