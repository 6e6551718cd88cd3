"""The rules in the `rules.py` of your own game, checked as they run: what they ask of a sheet, and what they return.

rules.py ── OwnCode ──▶ its GameRules ── OwnRules, which checks what they return ──▶ judge
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from msgspec.structs import replace

from ..draws import RandomSets
from ..errors import Problem, did_you_mean, shortened
from ..model.game import FieldFile, Game, ScoreSheet
from ..reading.typed import is_record
from ..rules.results import (
    Explanation,
    Line,
    Part,
    Result,
    Rule,
    RuleBook,
    Score,
    Strokes,
    Suggestion,
    Violation,
    with_parts,
)
from ..sheets import Asking, FilledSheet, Reading, Value
from .base import GameRules, cards_in_play
from .own_code import CheckedCode, MisuseError, OwnCode, are, are_texts, is_whole, own_code, shown
from .simulation import Simulation


def own_rules(game: Game) -> GameRules[Any]:
    """The rules of your own game: its class that extends GameRules, or its `book` and `score`. Raises InputError."""
    code = own_code(game)
    return OwnRules(code, code.instance(GameRules) or _function_rules(code), game)


def _function_rules(code: OwnCode) -> GameRules[FilledSheet]:
    """The rules of a file that has a `book` and perhaps a function `score`, but no class."""
    book, score = getattr(code.module, "book", None), getattr(code.module, "score", None)
    if book is None and not callable(score) and (code.kind(RandomSets) or code.kind(Simulation)):
        return GameRules()
    if not isinstance(book, RuleBook):
        hint = "add class Rules(GameRules), or book = RuleBook(), both imported from generator.api"
        raise code.fault("defines no rules", hint=hint)
    rules: GameRules[FilledSheet] = GameRules()
    rules.rules = book
    if callable(score):
        rules.score = score  # type: ignore[method-assign]
    return rules


class OwnRules(CheckedCode, GameRules[Any]):
    def __init__(self, code: OwnCode, own: GameRules[Any], game: Game) -> None:
        self.code, self.own, self.game = code, own, game
        self.rules = self._attribute("rules", RuleBook, "a RuleBook")
        self.sheets = self._attribute("sheets", tuple, 'a tuple of names such as ("sheet",)')
        self.reading = self._whole_reading(self._attribute("reading", Reading, "a Reading"))
        self.joint_rules = self._attribute("joint_rules", RuleBook | None, "a RuleBook")
        for name in self.sheets:
            if name not in game.sheets:
                hint = did_you_mean(str(name), game.sheets)
                raise code.fault(f"“sheets” names “{shortened(name)}”, but the game has no such sheet", type(own), hint)

    def covers(self, sheet: ScoreSheet) -> bool:
        return bool(self._call("covers", sheet))

    def reading_of(self, sheet: ScoreSheet) -> Reading:
        return self._whole_reading(self._checked("reading_of", Reading, "a Reading", sheet))

    def read(self, sheet: FilledSheet) -> Any:
        view = self._call("read", _checked(sheet))
        if view is None:
            self._refuse("read", "must return what the other methods take, not None")
        return view

    def violations(self, view: Any) -> Iterable[Violation]:
        return self._violations("violations", self._list("violations", "violations", view))

    def score(self, view: Any) -> Result:
        return self._result("score", view)

    def explain(self, view: Any) -> Explanation | None:
        explanation = self._call("explain", view)
        if explanation is None:
            return None
        with self.code.located():
            parts = [[tuple(line) for line in player] for player in explanation]
        if not all(are(line, Part) for player in parts for line in player):
            self._refuse("explain", "must give, for every player, the Parts of every line of the score")
        try:
            with_parts(self.score(view), parts)
        except ValueError as error:
            self._refuse("explain", f"does not fit the score: {error}")
        return parts

    def hints(self, view: Any) -> Iterable[Suggestion]:
        hints = self._list("hints", "suggestions", view)
        for hint in hints:
            if not isinstance(hint, Suggestion) or not are_texts(hint.where) or not hint.where:
                self._refuse("hints", f"must yield Suggestion((field, …), sentence), not {shown(hint)}")
            self._refuse_unknown("hints", hint.where)
        return hints

    def joint_violations(self, views: Sequence[Any]) -> Iterable[Iterable[Violation]]:
        by_sheet = self._list("joint_violations", "violations for every sheet", views)
        if len(by_sheet) != len(views):
            self._refuse("joint_violations", f"must give violations for {len(views)} sheets, not {len(by_sheet)}")
        with self.code.located():
            listed = [list(violations) for violations in by_sheet]
        return [self._violations("joint_violations", violations) for violations in listed]

    def joint_score(self, views: Sequence[Any]) -> Result:
        return self._result("joint_score", views)

    def sums(self, view: Any) -> Mapping[str, int]:
        sums: Mapping[str, int] = self._checked("sums", Mapping, "a dictionary", view)
        if not are_texts(tuple(sums)) or not all(map(is_whole, sums.values())):
            self._refuse("sums", "must return the ids of fields with whole numbers")
        return sums

    def strokes(self, view: Any) -> Strokes:
        strokes: Strokes = self._checked("strokes", Strokes, "Strokes", view)
        return strokes

    def signs(self, sheet: FilledSheet, row: str) -> Sequence[str]:
        return self._texts("signs", "texts", _checked(sheet), row)

    def asking(self) -> Asking:
        asking: Asking = self._checked("asking", Asking, "an Asking")
        return asking

    def _violations(self, method: str, violations: list[Any]) -> list[Violation]:
        for violation in violations:
            if not isinstance(violation, Violation):
                self._refuse(method, f"must yield violations such as RULE(field, sentence), not {shown(violation)}")
            rule, where, message, player = violation
            if not isinstance(rule, Rule) or not are_texts(where) or not isinstance(message, str):
                self._refuse(method, "must yield violations of a Rule, with the ids of fields and a sentence")
            if not isinstance(player, str | None):
                self._refuse(method, f"yields a violation whose player is {shown(player)} instead of a name")
            self._refuse_unknown(method, where)
        return violations

    def _refuse_unknown(self, method: str, where: Iterable[str]) -> None:
        """Refuses ids of fields that no sheet of the game has."""
        for name in where:
            if name not in self._ids and name.partition(".")[0] not in self._extra:
                hint = did_you_mean(name, self._ids)
                message = f"{method} names “{shortened(name)}”, which is not a field of the sheet"
                raise self.code.fault(message, getattr(self.own, method), hint)

    @cached_property
    def _ids(self) -> frozenset[str]:
        """The ids of all fields, rows, entries and groups."""
        fields = (name.split(".") for sheet in self.game.sheets.values() for name in sheet.fields)
        return frozenset(".".join(parts[:count]) for parts in fields for count in range(1, len(parts) + 1))

    @cached_property
    def _extra(self) -> frozenset[str]:
        """The parts of a file that are not on paper."""
        return frozenset(name for sheet in self.game.sheets.values() for name in self.reading_of(sheet).extra)

    def _result(self, method: str, view: Any) -> Result:
        result: Result = self._checked(method, Result, "a Result", view)
        if not are(result.scores, Score):
            self._refuse(method, "must return a Result whose scores are a tuple of Scores")
        for player, lines in result.scores:
            if not isinstance(player, str) or not are(lines, Line):
                self._refuse(method, "must return Scores with the name of the player and a tuple of Lines")
            for line in lines:
                if not isinstance(line.label, str) or not is_whole(line.points):
                    points = f"whole points, not {shortened(repr(line.points))}"
                    self._refuse(method, f"must return Lines with a text and {points}")
        if not all(map(is_whole, result.ranks)) or not are_texts(result.winners):
            self._refuse(method, "must return a Result with whole ranks and a tuple of the winners’ names")
        return result

    def _attribute(self, name: str, kind: Any, expected: str) -> Any:
        value = getattr(self.own, name)
        if not isinstance(value, kind):
            raise self.code.fault(f"“{name}” must be {expected}, not {shown(value)}", type(self.own))
        return value

    def _whole_reading(self, reading: Reading) -> Reading:
        """The reading with functions that report their errors, and with the cards of random sets."""
        for name, kind in reading.extra.items():
            if not _is_readable(kind):
                message = f"“extra” of the Reading has no kind of value for “{shortened(name)}”"
                raise self.code.fault(
                    message, type(self.own), "use str, int, bool, a Literal, tuple[int, ...] or a similar type"
                )
        default = Reading()
        wrappers = {"cards": self._function, "problems": self._problems, "paper": self._function}
        functions: dict[str, Any] = {
            name: partial(wrapper, function)
            for name, wrapper in wrappers.items()
            if (function := getattr(reading, name)) is not getattr(default, name)
        }
        return replace(reading, **{"cards": cards_in_play, **functions})

    def _function(self, function: Callable[..., Any], *args: Any) -> Any:
        with self.code.located():
            return function(*args)

    def _problems(self, function: Callable[[FilledSheet], Iterable[Problem]], sheet: FilledSheet) -> list[Problem]:
        with self.code.located():
            problems = list(function(_checked(sheet)))
        if not are(problems, Problem):
            raise self.code.fault("the function of Reading.problems must yield Problems", function)
        return problems


class CheckedSheet(FilledSheet, frozen=True):
    """The same sheet. Its methods raise MisuseError for fields and rows that it does not have, and for marks of another
    kind than they return."""

    def value(self, name: str) -> Value | None:
        self._refuse_unknown(name)
        return super().value(name)

    def number(self, name: str) -> int | None:
        self._refuse_unknown(name)
        number, mark = super().number(name), self.marks.get(name)
        if number is None and mark is not None:
            raise MisuseError(f"“{name}” holds the text “{shortened(mark)}”, not a number; read it with text(…)")
        return number

    def text(self, name: str) -> str:
        self._refuse_unknown(name)
        if isinstance(self.marks.get(name), int):
            raise MisuseError(f"“{name}” holds no text; read it with number(…) or ticked(…)")
        return super().text(name)

    def ticked(self, name: str) -> bool:
        self._refuse_unknown(name)
        if self.marks.get(name, True) is not True:
            raise MisuseError(f"“{name}” is not a box to tick; read it with number(…) or text(…)")
        return super().ticked(name)

    def row(self, name: str) -> tuple[int | None, ...]:
        self._refuse_no_row(name)
        return super().row(name)

    def ticks(self, name: str) -> frozenset[int]:
        self._refuse_no_row(name)
        return frozenset(number for number in super().ticks(name) if self.ticked(f"{name}.{number}"))

    def _refuse_unknown(self, name: str) -> None:
        spec = self._definition(name)
        if spec is None or spec.fields is not None or spec.count is not None:
            what = "is not a single field" if spec else "is not a field of the sheet"
            hint = "" if spec else did_you_mean(name, self.sheet.fields)
            raise MisuseError(f"“{shortened(name)}” {what}{'; ' if hint else ''}{hint}")

    def _refuse_no_row(self, name: str) -> None:
        spec = self._definition(name)
        if spec is None or spec.count is None:
            what = "is a single field or a group, not a row" if spec else "is not a row of the sheet"
            raise MisuseError(f"“{shortened(name)}” {what}")

    def _definition(self, name: str) -> FieldFile | None:
        """The definition of a field, a row or a group; of one of a row, without its `count`."""
        spec = FieldFile(fields=dict(self.sheet.definition.fields))
        for part in name.split("."):
            length = spec.most or spec.count or spec.repeat
            if length and not (part.isdecimal() and 1 <= int(part) <= length):
                return None
            inner = replace(spec, count=None, repeat=None, most=None) if length else (spec.fields or {}).get(part)
            if inner is None:
                return None
            spec = inner
        return spec


def _checked(sheet: FilledSheet) -> CheckedSheet:
    return CheckedSheet(**{name: getattr(sheet, name) for name in sheet.__struct_fields__})


def _is_readable(kind: Any) -> bool:
    """Whether a part of a file can be read by this annotation."""
    if get_origin(kind) is Literal:
        return True
    if inner := [arg for arg in get_args(kind) if arg not in (..., NoneType)]:
        return all(map(_is_readable, inner))
    return kind in (str, int, float, bool) or is_record(kind)
