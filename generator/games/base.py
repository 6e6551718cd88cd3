"""The base class for judging the sheets of a game.

`RandomSets` (`draws`) and `Simulation` (`games.simulation`) are the other two classes that a game can implement.
They are in separate modules so that judging a sheet does not load dealing and simulation, or vice versa.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Generic, Literal, TypeVar, cast

from msgspec import Struct

from .. import nodes, paths
from ..draws import SetCode
from ..model.game import Card, Game, ScoreSheet
from ..model.values import Empty
from ..reading import typed
from ..rules import scoring
from ..rules.results import Explanation, Result, Rule, RuleBook, Strokes, Suggestion, Violation, number_text
from ..sheets import Asking, FilledSheet, Reading
from . import SHIPPED, declared_sets

V = TypeVar("V")


class WrittenSum(Struct, frozen=True):
    """A sum that players write on a sheet: its field and its correct value. If the sheet has another number, `rule` is
    broken: `said` that number, but `right`, with `{}` for the correct value. Scored copies show sums that are
    `shown`."""

    field: str
    points: int
    rule: Rule
    said: str
    right: str
    shown: bool = True


def wrong_sums(sheet: FilledSheet, sums: Iterable[WrittenSum]) -> Iterator[Violation]:
    """A violation for every sum on the sheet that is not the correct one."""
    for each in sums:
        number = sheet.number(each.field)
        if number is not None and number != each.points:
            right = each.right.format(number_text(each.points))
            yield each.rule(each.field, f"{each.said} {number_text(number)}, but {right}")


def cards_in_play(game: Game, code: SetCode | None) -> Mapping[str, Card]:
    """The cards of a set of your own game by id, those of a deck in their order, or the standard cards."""
    cards = {card.id: card for part in game.components.values() for card in part.cards}
    sets = declared_sets(game) if code else None
    if code is None or sets is None:
        return cards
    deck = sets.deal(game, code)
    parts = deck.components_of(game)
    dealt = {card.id: card for name, part in parts.items() for card in deck.cards.get(name, part.cards)}
    return dealt | {name: card for name, card in cards.items() if name not in dealt}


class GameRules(Generic[V]):
    """Reads, checks and scores the sheets of one game. Every method has a default: what the YAML of the sheet says.

    `V` is the view: a filled-in sheet as the rules see it. `read` creates it, and all other methods take it. The
    defaults are for a view that is the sheet itself.
    `rules` is the rule book that `pencilbox rules` lists. `sheets` names the score sheets that the rules apply to (all
    sheets of the game if it is empty). Rules stated in the YAML of a sheet are checked in addition. `reading`
    customises how sheets are read. If each player has a sheet, `joint_rules` apply to all sheets of a game together."""

    rules: RuleBook = RuleBook()
    sheets: tuple[str, ...] = ()
    reading: Reading = Reading(cards=cards_in_play)
    joint_rules: RuleBook | None = None

    def covers(self, sheet: ScoreSheet) -> bool:
        """Whether the rules apply to this sheet."""
        return not self.sheets or sheet.name in self.sheets

    def reading_of(self, sheet: ScoreSheet) -> Reading:
        """How the game customises the reading of this sheet."""
        return self.reading

    def read(self, sheet: FilledSheet) -> V:
        """The sheet as the rules see it; by default the sheet itself."""
        return cast("V", sheet)

    def violations(self, view: V) -> Iterable[Violation]:
        """Every violation, in any order; by default those that the functions of the rule book find. They are
        sorted by line, then by the order of the rules in the book."""
        return self.rules.check(view, cast("FilledSheet", view).sheet.name)

    def score(self, view: V) -> Result:
        """The score; by default the one that the sheet's YAML states."""
        return scoring.score(cast("FilledSheet", view))

    def explain(self, view: V) -> Explanation | None:
        """For every player, the parts that add up to each line of the score, in order; None if the game cannot explain
        its scores, or if the lines have their parts already. By default only the score of the YAML is explained."""
        return scoring.explain(cast("FilledSheet", view)) if self._scored_in_yaml else None

    def hints(self, view: V) -> Iterable[Suggestion]:
        """Better options that the players had."""
        return ()

    def words(self, game: Game) -> Mapping[int, bytes]:
        """The words that people may write, for a reader of photos: for each length, all words in the letters a to z,
        each followed by a line end. By default there are none."""
        return {}

    # ---- several sheets of one game ---------------------------------------------------------------------------------

    def is_joint(self, view: V) -> bool:
        """Whether the sheet is one player's, and judged together with those of the others; by default if there are
        `joint_rules`."""
        return self.joint_rules is not None

    def together(self, views: Sequence[V]) -> Sequence[V]:
        """The views of all sheets of a game, each of which may know the others; by default the views themselves."""
        return views

    def joint_violations(self, views: Sequence[V]) -> Iterable[Iterable[Violation]]:
        """For every sheet, its violations of the `joint_rules`, found by comparing all sheets."""
        return [() for _ in views]

    def joint_score(self, views: Sequence[V]) -> Result:
        """The scores of all sheets, ranked. Only called for a game with `joint_rules`, which must implement it."""
        raise NotImplementedError("joint_rules need the method joint_score")

    # ---- printing and filling in a sheet ----------------------------------------------------------------------------

    def sums(self, view: V) -> Mapping[str, int]:
        """The correct sums of the sheet, by field id; by default those that the YAML states, unless the game has its
        own `score`."""
        return scoring.sums(cast("FilledSheet", view)) if self._scored_in_yaml else Empty

    def strokes(self, view: V) -> Strokes:
        """What to draw on the sheet, and the marks that look different on paper from how they are typed."""
        return Strokes()

    def signs(self, sheet: FilledSheet, row: str) -> Sequence[str]:
        """The symbols printed between the marks of a row."""
        return ()

    def asking(self) -> Asking:
        """The order and wording of the questions that `fill` asks. By default, the YAML of the sheet states them under
        `questions`."""
        return Asking()

    def worst_on_line(self, part: str, game: Game, cards: Mapping[str, Card], line: Mapping[str, Any]) -> int | None:
        """How wrong an entry of this part of the sheet is, typed on one line: 0 if it breaks no rule, 1 for a warning,
        2 for an error; None if its card is not among those in play. This decides how to read the numbers on a card,
        such as `4 4 6 5`, if they are a mark and a row of marks."""
        return 0

    @property
    def _scored_in_yaml(self) -> bool:
        return getattr(self.score, "__func__", None) is GameRules.score


class StatedOnly(GameRules[FilledSheet]):
    """The rules of a game or sheet that has only the rules stated in its YAML."""

    def covers(self, sheet: ScoreSheet) -> bool:
        return False


STATED_ONLY = StatedOnly()


def rules_of(key: str) -> GameRules[Any] | None:
    """The rules that judge the sheets of a game; None for a game that does not come with Pencilbox."""
    return None if key not in SHIPPED else cast("GameRules[Any]", import_module(f"{__package__}.{key}.game").RULES)


class RuleText(Struct, frozen=True, kw_only=True):
    """A rule in plain words, where it comes from, and the score sheets it applies to (all if there are none)."""

    text: str
    source: str = ""
    severity: Literal["error", "warning"] = "error"
    sheets: tuple[str, ...] = ()


class RulesFile(Struct, frozen=True, kw_only=True):
    """The rules that a sheet can break, and those of the score, by their ids."""

    rules: dict[str, RuleText]
    scoring: dict[str, RuleText]


def rule_book(key: str) -> RuleBook:
    """The rules of a shipped game. The code that finds a breach takes the rule by its id: `rules["failed-flip"]`, with
    the name of a sheet if two sheets have rules with this id: `rules["last-die/equal-copies"]`."""
    path = paths.SHARED_DATA / "rules" / f"{key}.yaml"
    file = typed.read(nodes.document(nodes.read_text(path), path.name), RulesFile)
    book = RuleBook()
    for name, rule in file.rules.items():
        book.add(name.rpartition("/")[2], rule.text, source=rule.source, severity=rule.severity, sheets=rule.sheets)
    for name, rule in file.scoring.items():
        book.scoring(name, rule.text, source=rule.source, sheets=rule.sheets)
    return book
