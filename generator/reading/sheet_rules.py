"""Compiles the rules in a score sheet's YAML: score lines, claimed sums, checks and tie-breakers.

`problems` checks them when a game is loaded; the judge compiles them again when it needs them (`rules.scoring`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf
from typing import Any, NamedTuple

from msgspec import Struct

from .. import limits
from ..errors import Place, Problem, shortened
from ..expressions import Compiled, ExpressionError, Node
from ..expressions.compiler import ExpressionReader, place_of, quoted
from ..model.game import Card, CheckFile, LineFile, ScoreSheet, SumFile, TieBreakerFile
from ..model.values import whole
from ..nodes import Mapping as MappingNode
from ..nodes import Node as YamlNode
from ..nodes import Scalar
from ..spelling import numbered
from .sheet_names import FieldPattern, SheetNames, line_id

AMOUNTS = ("sum", "of", "count", "min", "max", "value", "rank")
"""The keys of a score line that say what it counts."""
BOUNDS = ("at_least", "at_most", "exactly")
CHECKS = ("check", "rising", "falling", "distinct", "equal", "no_gaps", "connected", "value", "sum", "count")
"""The keys of a check that say what it checks."""
_BOUNDED = ("value", "sum", "count")
_OF_NUMBERS = ("rising", "falling", "value", "sum")
_RESERVED = ("required", "range", "ticked-once", "names")
_RANGE = re.compile(r"\s*(-?[0-9]{1,12})\s*(?:(\+)|(?:-|–|to)\s*(-?[0-9]{1,12}))?\s*")


class PointsInterval(NamedTuple):
    """An entry of a table: the points for amounts from `low` to `high` (None: and beyond)."""

    low: int
    high: int | None
    points: int


class ScoreLine(Struct, frozen=True):
    """A score line: `kind` is the key of its amount and `terms` its value; `table` is a list of points, or of
    intervals."""

    key: str
    file: LineFile
    kind: str
    terms: tuple[Compiled, ...]
    condition: Compiled | None
    times: Compiled | None
    table: tuple[int, ...] | tuple[PointsInterval, ...]

    @property
    def is_plain(self) -> bool:
        """Whether it adds up fields, each times the same points, and nothing more."""
        file = self.file
        no_limits = file.at_least is None and file.at_most is None
        return self.kind == "sum" and not (self.condition or self.times or self.table or file.per) and no_limits


class ClaimedSum(Struct, frozen=True):
    """A total that players write down, and the terms it should be the sum of."""

    file: SumFile
    target: FieldPattern
    is_own: bool
    terms: tuple[Compiled, ...]

    @property
    def has_lines(self) -> bool:
        """Whether score lines are added up."""
        return any(source.ids is None for term in self.terms for source in term.names)


class SheetCheck(Struct, frozen=True):
    """A check: `kind` is its key and `terms` what it is about. `message` is made of texts and expressions."""

    id: str
    file: CheckFile
    kind: str
    terms: tuple[Compiled, ...]
    bounds: Mapping[str, Compiled]
    condition: Compiled | None
    message: tuple[str | Compiled, ...]

    @property
    def parts(self) -> tuple[Compiled, ...]:
        """All its expressions, without those of the message."""
        return (*self.terms, *self.bounds.values(), *((self.condition,) if self.condition else ()))


class TieBreaker(Struct, frozen=True):
    file: TieBreakerFile
    term: Compiled


class SheetRules(Struct, frozen=True):
    lines: tuple[ScoreLine, ...]
    claims: tuple[ClaimedSum, ...]
    checks: tuple[SheetCheck, ...]
    tie_breakers: tuple[TieBreaker, ...]


def problems(sheet: ScoreSheet) -> list[Problem]:
    """Every mistake in the rules of a score sheet."""
    reader = _RuleReader(sheet)
    reader.rules()
    return reader.problems


def sheet_rules(sheet: ScoreSheet) -> SheetRules:
    """The rules of a score sheet without mistakes."""
    return _RuleReader(sheet).rules()


def card_columns(cards: Iterable[Card]) -> dict[str, str]:
    """The columns of a game's cards that expressions can use, each with the kind of its values."""
    kinds: dict[str, str] = {}
    for card in cards:
        for name, value in card.values.items():
            if value is not None:
                kind = _kind_of(value)
                kinds[name] = kind if kinds.get(name, kind) == kind else "text"
    return kinds


def _kind_of(value: Any) -> str:
    if isinstance(value, bool):
        return "yes"
    is_whole = isinstance(value, int) or (isinstance(value, str) and re.fullmatch("-?[0-9]{1,9}", value))
    return "whole" if is_whole else "text"


class _RuleReader(ExpressionReader):
    def __init__(self, sheet: ScoreSheet) -> None:
        super().__init__()
        definition = sheet.definition
        self.definition, self.names = definition, SheetNames(definition, sheet.columns)
        self.line_ids = {file.id or line_id(file.label) for file in definition.score}

    def rules(self) -> SheetRules:
        definition, names = self.definition, self.names
        if definition.players and not names.players:
            message = (
                f"“players” names “{shortened(definition.players)}”, which does not repeat, so nobody can be scored"
            )
            self.bad(message, definition.place, "give that group “repeat”, or leave out “players”")
        lines, labels = [], dict[str, str | None]()
        for number, file in enumerate(definition.score):
            lines.append(self.line(file, names.with_lines(labels, number, self.line_ids, has_total=False)))
            key = file.id or line_id(file.label)
            labels[key] = None if key in labels else file.label
        names = names.with_lines(labels, len(lines))
        ids = {*_RESERVED}
        return SheetRules(
            tuple(filter(None, lines)),
            tuple(filter(None, [self.claim(file, names) for file in definition.sums])),
            tuple(filter(None, [self.check(file, names, ids) for file in definition.checks])),
            tuple(filter(None, [self.tie_breaker(file, names) for file in definition.tie_breakers])),
        )

    def compiled(self, text: str, scope: Any) -> Compiled:
        return _field_alone(text, scope) or super().compiled(text, scope)

    def refuse_other_than_one(self, file: LineFile | CheckFile, keys: Sequence[str], name: str, verb: str) -> list[str]:
        """The keys of a rule that say what it is about. Reports another number of them than one."""
        present = [key for key in keys if getattr(file, key)]
        if not present:
            self.bad(f"{name} does not say what it {verb}", file.place, f"add one of {', '.join(keys)}")
        elif len(present) > 1:
            quoted = " and ".join(f"“{key}”" for key in present)
            self.bad(f"{name} has {quoted}; give only one of them", file.place)
        return present

    # ---- score lines

    def line(self, file: LineFile, scope: SheetNames) -> ScoreLine | None:
        before, name = len(self.problems), f"score line “{shortened(file.label)}”"
        keys = self.refuse_other_than_one(file, AMOUNTS, name, "counts")
        if file.id and not re.fullmatch(r"\w+", file.id):
            self.bad(f"{name}: an id has only letters, digits and _, not “{shortened(file.id)}”", file.place)
        if file.at_least is not None and file.at_most is not None and file.at_least > file.at_most:
            self.bad(f"{name}: “at_least” is more than “at_most”", file.place)
        terms = tuple(term for key in keys for term in self.terms(file, key, scope) if term)
        condition = self.condition(file.if_, scope, file.place, "“if”")
        times, table = self.number(file.times, scope, file.place, "“times”"), self.table(file.table)
        kind = {"of": "sum"}.get(keys[0], keys[0]) if keys else "sum"
        amount = any(term.kind.name == "number" for term in terms) and kind not in ("count", "rank")
        is_fraction = (amount and not (file.per or table)) or (times is not None and times.kind.name == "number")
        if is_fraction and len(self.problems) == before:
            self.bad(f"{name} can be a fraction", file.place, "round it with floor(…), ceil(…) or round(…)")
        if len(self.problems) > before:
            return None
        return ScoreLine(
            key=file.id or line_id(file.label),
            file=file,
            kind=kind,
            terms=terms,
            condition=condition,
            times=times,
            table=table,
        )

    def terms(self, file: LineFile, key: str, scope: SheetNames) -> Iterator[Compiled | None]:
        if key == "rank" and (rank := file.rank):
            if not scope.players:
                self.bad("“rank” compares players, but this sheet has only one", rank.place)
            if not rank.points:
                self.bad("“rank” needs the points of at least one place", rank.place, "such as points: [5, 3]")
            yield self.number(rank.of, scope, rank.place, "“rank”")
        elif key == "value":
            yield self.number(file.value, scope, file.place, "“value”")
        else:
            yield from self.listed(getattr(file, key), scope, file.place, key=key, numbers=key != "count")

    def listed(
        self, texts: Iterable[str], scope: SheetNames, place: Place, key: str, numbers: bool
    ) -> Iterator[Compiled]:
        """The expressions of a list, perhaps of `numbers`."""
        for text in texts:
            if term := self.compile(text, scope, place):
                yield term
            if term and numbers and not term.kind.is_number:
                hint = f"to count them, write count: {text}" if term.kind.many and key in AMOUNTS else ""
                self.bad(f"“{key}” needs numbers, but {quoted(text)} is {term.kind.words}", place_of(text, place), hint)

    def table(self, node: Any) -> tuple[int, ...] | tuple[PointsInterval, ...]:
        if node is None:
            return ()
        if isinstance(node, Scalar):
            self.bad("“table” must be a list such as [0, 1, 3, 6], or a mapping such as {0-4: 0, 5+: 10}", node.place)
        elif len(node) > limits.ENTRIES:
            self.bad(f"this table has {len(node):,} entries; at most {limits.ENTRIES:,}", node.place)
        elif isinstance(node, MappingNode):
            return tuple(self.intervals(node))
        elif not node:
            self.bad("“table” has no entries", node.place)
        else:
            return tuple(points for entry in node if (points := self.points(entry)) is not None)
        return ()

    def points(self, node: YamlNode) -> int | None:
        try:
            if isinstance(node, Scalar):
                return whole(node.text)
        except ValueError:
            pass
        entry = f"“{shortened(node)}”" if isinstance(node, Scalar) else "a list or mapping"
        self.bad(f"an entry of “table” must be a whole number, not {entry}", node.place)
        return None

    def intervals(self, node: MappingNode) -> list[PointsInterval]:
        intervals: list[PointsInterval] = []
        for key, entry in node.items():
            match, points = _RANGE.fullmatch(key.text), self.points(entry)
            if match is None:
                self.bad(f"“{shortened(key)}” is not a range of amounts", key.place, "write 3, 0-4 or 5+")
            elif points is not None:
                low, high = int(match[1]), int(match[3] or match[1])
                intervals.append(PointsInterval(low, None if match[2] else high, points))
                if high < low:
                    self.bad(f"the range {shortened(key)} must begin with its smaller number", key.place)
        intervals.sort(key=lambda interval: interval.low)
        for lower, upper in pairwise(intervals):
            if lower.high is None or lower.high >= upper.low:
                self.bad(f"two ranges of “table” contain {upper.low}", node.place)
        return intervals

    # ---- claimed sums

    def claim(self, file: SumFile, scope: SheetNames) -> ClaimedSum | None:
        before = len(self.problems)
        try:
            target = scope.target(file.total)
        except ExpressionError as error:
            self.bad(f"“total”: {error.message}", file.place, error.hint)
            return None
        is_own = not scope.players or target.pattern.startswith(f"{scope.group}.*")
        scope = scope.with_stars(target.stars)
        terms = []
        for term in self.listed(file.of, scope, file.place, key="of", numbers=True):
            terms.append(term)
            place = place_of(term.text, file.place)
            if term.kind.name == "number":
                self.bad(f"{quoted(term.text)} can be a fraction", place, "round it with floor(…)")
            elif not is_own and any(source.ids is None and not source.is_drawn for source in term.names):
                belongs = f"“{shortened(file.total)}” belongs to no player"
                self.bad(f"{quoted(term.text)} is one player’s, but {belongs}", place)
        return ClaimedSum(file, target, is_own, tuple(terms)) if len(self.problems) == before else None

    # ---- checks

    def check(self, file: CheckFile, scope: SheetNames, ids: set[str]) -> SheetCheck | None:
        before = len(self.problems)
        keys = self.refuse_other_than_one(file, CHECKS, "this check", "checks")
        kind = keys[0] if keys else "check"
        self.refuse_misplaced(file, kind)
        condition = self.condition(file.if_, scope, file.place, "“if”")
        terms = tuple(term for key in keys for term in self.check_terms(file, key, scope) if term)
        bounds = {key: self.number(getattr(file, key), scope, file.place, f"“{key}”") for key in BOUNDS}
        message = tuple(self.template(file.message, scope, file.place, "“message”", "{bid}"))
        name = self.check_id(file, kind, terms, ids)
        if len(self.problems) > before:
            return None
        ids.add(name)
        return SheetCheck(
            id=name,
            file=file,
            kind=kind,
            terms=terms,
            bounds={key: term for key, term in bounds.items() if term},
            condition=condition,
            message=message,
        )

    def refuse_misplaced(self, file: CheckFile, kind: str) -> None:
        bounds = [key for key in BOUNDS if getattr(file, key) is not None]
        if kind in _BOUNDED and not bounds:
            self.bad(f"the check “{kind}” has no bound", file.place, "add at_least, at_most or exactly")
        elif bounds and kind not in _BOUNDED:
            self.bad(f"“{bounds[0]}” is only for “value”, “sum” and “count”", file.place)
        numbers = {key: int(text) for key in bounds if re.fullmatch(r"-?\d{1,15}", text := getattr(file, key))}
        if numbers.get("at_least", -inf) > numbers.get("at_most", inf):
            self.bad("“at_least” is more than “at_most”", file.place)
        if not file.strict and kind not in ("rising", "falling"):
            self.bad("“strict” is only for “rising” and “falling”", file.place)
        if file.diagonal and kind != "connected":
            self.bad("“diagonal” is only for “connected”", file.place)

    def check_terms(self, file: CheckFile, kind: str, scope: SheetNames) -> Iterator[Compiled | None]:
        if kind == "check":
            yield self.condition(file.check, scope, file.place, "“check”")
            return
        for term in self.listed(getattr(file, kind), scope, file.place, key=kind, numbers=kind in _OF_NUMBERS):
            yield term
            subject, place = f"“{kind}” needs", place_of(term.text, file.place)
            if kind in ("no_gaps", "connected") and not term.kind.many:
                self.bad(f"{subject} a row of fields, but {quoted(term.text)} is a single value", place)
            elif kind == "connected" and not (term.kind.across or (len(term.names) == 1 and term.names[0].across)):
                hint = "name a group whose definition has the key “across”"
                self.bad(f"{subject} a grid, but {quoted(term.text)} is not one", place, hint)

    def check_id(self, file: CheckFile, kind: str, terms: Sequence[Compiled], ids: set[str]) -> str:
        if not file.id:
            words = file.label or f"{kind} {' '.join(source.name for term in terms[:1] for source in term.names[:1])}"
            name = "-".join(part for part in re.split(r"[^a-z0-9]+", words.lower()) if part)[:40].strip("-") or kind
            return numbered(name, ids, "-")
        if not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", file.id):
            message = f"the id of a check has only lower-case letters, digits, - and _, not “{shortened(file.id)}”"
            self.bad(message, file.place)
        elif file.id in ids or file.id.startswith("claimed-"):
            self.bad(f"another rule of this sheet is called “{shortened(file.id)}”", file.place)
        return file.id

    def tie_breaker(self, file: TieBreakerFile, scope: SheetNames) -> TieBreaker | None:
        if (file.most is None) == (file.fewest is None):
            self.bad(f"tie-breaker “{shortened(file.label)}” needs either “most” or “fewest”", file.place)
            return None
        key = "fewest" if file.most is None else "most"
        term = self.number(getattr(file, key), scope, file.place, f"“{key}”")
        return TieBreaker(file, term) if term else None


def _field_alone(text: str, scope: SheetNames) -> Compiled | None:
    """A field that stands alone, without an expression; its name may contain any character."""
    if not scope.knows(text.partition(".")[0]) or not re.search(r"[^\w.*]", text):
        return None
    try:
        source = scope.source(text, 0)
    except ExpressionError:
        return None
    return Compiled(text, source.kind, source.run, Node("name", 0, text), names=(source,), own=source.own)
