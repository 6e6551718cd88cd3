"""The base class for judging the sheets of a game.

`RandomSets` (`games.deck`) and `Simulation` (`games.simulation`) are the other two classes that a game can implement.
They are in separate modules so that judging a sheet does not load dealing and simulation, or vice versa.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from ..codes import SetCode
from ..definitions.models import Card, Game, ScoreSheet
from ..definitions.values import Empty
from ..rules import scoring
from ..rules.book import RuleBook, Suggestion, Violation
from ..rules.copies import Strokes
from ..rules.results import Explanation, Result
from ..sheets import Asking, FilledSheet, Reading

V = TypeVar("V")


def cards_in_play(game: Game, code: SetCode | None) -> Mapping[str, Card]:
    """The cards of a set of your own game by id, or the standard cards."""
    cards = {card.id: card for part in game.components.values() for card in part.cards}
    if code and game.own_draws:
        from .own_sets import OwnSets  # not needed for shipped games

        cards |= {card.id: card for deck in OwnSets().deal(game, code).cards.values() for card in deck}
    return cards


class GameRules(ABC, Generic[V]):
    """Reads, checks and scores the sheets of one game. All methods except the abstract ones have defaults.

    `V` is the view: a filled-in sheet as the rules see it. `read` creates it, and all other methods take it.
    `sheets` names the score sheets that the rules apply to (all sheets of the game if it is empty). Rules stated in
    the YAML of a sheet are checked in addition. If each player has a sheet, `joint_rules` apply to all sheets of a
    game together."""

    rules: RuleBook
    sheets: tuple[str, ...] = ()
    reading: Reading = Reading(cards=cards_in_play)
    joint_rules: RuleBook | None = None

    def covers(self, sheet: ScoreSheet) -> bool:
        """Whether the rules apply to this sheet."""
        return not self.sheets or sheet.name in self.sheets

    def reading_of(self, sheet: ScoreSheet) -> Reading:
        """How the game customises the reading of this sheet."""
        return self.reading

    @abstractmethod
    def read(self, sheet: FilledSheet) -> V:
        """The sheet as the rules see it."""

    @abstractmethod
    def violations(self, view: V) -> Iterable[Violation]:
        """Every violation, in any order. The judge sorts them by line, then by the order of the rules in the book."""

    @abstractmethod
    def score(self, view: V) -> Result: ...

    def explain(self, view: V) -> Explanation | None:
        """For every player, the parts that add up to each line of the score, in order; None if the game cannot explain
        its scores."""
        return None

    def hints(self, view: V) -> Iterable[Suggestion]:
        """Better options that the players had."""
        return ()

    # ---- several sheets of one game ---------------------------------------------------------------------------------

    def joint_violations(self, views: Sequence[V]) -> Iterable[Iterable[Violation]]:
        """For every sheet, its violations of the `joint_rules`, found by comparing all sheets."""
        return [() for _ in views]

    def joint_score(self, views: Sequence[V]) -> Result:
        """The scores of all sheets, ranked. Only called for a game with `joint_rules`."""
        raise NotImplementedError

    # ---- printing and filling in a sheet ----------------------------------------------------------------------------

    def sums(self, view: V) -> Mapping[str, int]:
        """The correct sums of the sheet, by field id."""
        return Empty

    def strokes(self, view: V) -> Strokes:
        """What to draw on the sheet, and the marks that look different on paper from how they are typed."""
        return Strokes()

    def signs(self, sheet: FilledSheet, row: str) -> Sequence[str]:
        """The symbols printed between the marks of a row."""
        return ()

    def asking(self) -> Asking:
        """The order and wording of the questions that `fill` asks."""
        return Asking()


class StatedOnly(GameRules[FilledSheet]):
    """The rules of a game or sheet that has only the rules stated in its YAML."""

    rules = RuleBook()

    def covers(self, sheet: ScoreSheet) -> bool:
        return False

    def read(self, sheet: FilledSheet) -> FilledSheet:
        return sheet

    def violations(self, view: FilledSheet) -> Iterator[Violation]:
        return iter(())

    def score(self, view: FilledSheet) -> Result:
        return scoring.score(view)

    def explain(self, view: FilledSheet) -> Explanation | None:
        return scoring.explain(view)

    def sums(self, view: FilledSheet) -> Mapping[str, int]:
        return scoring.sums(view)


STATED_ONLY = StatedOnly()
