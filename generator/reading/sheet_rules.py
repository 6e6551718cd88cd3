"""Compiles the rules in a score sheet's YAML: score lines, claimed sums, checks and tie-breakers.

`problems` checks them when a game is loaded; the judge compiles them again when it needs them (`rules.scoring`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec import Struct

from .. import limits
from ..errors import Place, Problem, shortened
from ..expressions import Compiled, ExpressionError
from ..expressions.reader import ExpressionReader, place_of, quoted
from ..model.game import (
    Card,
    CheckFile,
    LineFile,
    RankFile,
    ScoreSheet,
    SumFile,
    TieBreakerFile,
)
from ..model.values import whole
from ..nodes import Listing, Node, Scalar
from ..nodes import Mapping as MappingNode
from .sheet_names import SharedNames, SheetNames, Target, line_id

AMOUNTS = ("sum", "of", "count", "min", "max", "value", "rank")
"""The keys of a score line that say what it counts."""
CHECKS = ("check", "rising", "falling", "distinct", "equal", "no_gaps", "connected", "value", "sum", "count")
"""The keys of a check that say what it checks."""
BOUNDS = ("at_least", "at_most", "exactly")
_RESERVED = ("required", "range", "ticked-once", "names")
_RANGE = re.compile(r"\s*(-?[0-9]{1,12})\s*(?:(\+)|(?:-|–|to)\s*(-?[0-9]{1,12}))?\s*")


class Interval(NamedTuple):
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
    table: tuple[int, ...] | tuple[Interval, ...]

    @property
    def is_plain(self) -> bool:
        """Whether it adds up fields, each times the same points, and nothing more."""
        file = self.file
        no_limits = file.at_least is None and file.at_most is None
        return self.kind == "sum" and not (self.condition or self.times or self.table or file.per) and no_limits


class Claim(Struct, frozen=True):
    """A total that players write down, and the terms it should be the sum of."""

    file: SumFile
    target: Target
    is_own: bool
    terms: tuple[Compiled, ...]

    @property
    def has_lines(self) -> bool:
        """Whether score lines are added up."""
        return any(source.ids is None for term in self.terms for source in term.names)


class Check(Struct, frozen=True):
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
    claims: tuple[Claim, ...]
    checks: tuple[Check, ...]
    tie_breakers: tuple[TieBreaker, ...]


def problems(sheet: ScoreSheet) -> list[Problem]:
    """Every mistake in the rules of a score sheet."""
    reader = _Reader(sheet)
    reader.rules()
    return reader.problems


def sheet_rules(sheet: ScoreSheet) -> SheetRules:
    """The rules of a score sheet without mistakes."""
    return _Reader(sheet).rules()


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


class _Reader(ExpressionReader):
    def __init__(self, sheet: ScoreSheet) -> None:
        super().__init__()
        definition = sheet.definition
        self.definition, self.shared = definition, SharedNames(sheet.columns)
        self.line_count = 0
        self.line_ids = {file.id or line_id(file.label) for file in definition.score}

    def rules(self) -> SheetRules:
        lines: dict[str, str | None] = {}
        score = []
        if self.definition.players and not self.scope(lines).players:
            group = shortened(self.definition.players)
            message = f"“players” names “{group}”, which does not repeat, so nobody can be scored"
            self.bad(message, self.definition.place, "give that group “repeat”, or leave out “players”")
        for file in self.definition.score:
            score.append(self.line(file, lines))
            key = file.id or line_id(file.label)
            lines[key] = None if key in lines else file.label
            self.line_count += 1
        return SheetRules(
            tuple(filter(None, score)),
            tuple(filter(None, [self.claim(file, lines) for file in self.definition.sums])),
            tuple(self.checks(lines)),
            tuple(filter(None, [self.tie_breaker(file, lines) for file in self.definition.tie_breakers])),
        )

    def scope(self, lines: Mapping[str, str | None], **options: Any) -> SheetNames:
        return SheetNames(self.definition, self.shared, dict(lines), line_count=self.line_count, **options)

    def compiled(self, text: str, scope: Any) -> Compiled:
        return _field_alone(text, scope) or super().compiled(text, scope)

    # ---- score lines

    def line(self, file: LineFile, lines: Mapping[str, str | None]) -> ScoreLine | None:
        before, name = len(self.problems), f"score line “{shortened(file.label)}”"
        scope = self.scope(lines, has_total=False, later=self.line_ids)
        keys = [key for key in AMOUNTS if getattr(file, key)]
        if len(keys) != 1:
            what = f"has {_listed(keys)}; give only one of them" if keys else "does not say what it counts"
            self.bad(f"{name} {what}", file.place, "" if keys else f"add one of {', '.join(AMOUNTS)}")
        if file.id and not re.fullmatch(r"\w+", file.id):
            self.bad(f"{name}: an id has only letters, digits and _, not “{shortened(file.id)}”", file.place)
        kind = {"of": "sum"}.get(keys[0], keys[0]) if keys else "sum"
        terms = [term for key in keys for term in self.terms(file, key, scope, name)]
        condition = self.condition(file.if_, scope, file.place, "“if”")
        times = self.number(file.times, scope, file.place, "“times”")
        table = self.table(file)
        line = ScoreLine(file.id or line_id(file.label), file, kind, tuple(terms), condition, times, table)
        if file.at_least is not None and file.at_most is not None and file.at_least > file.at_most:
            self.bad(f"{name}: “at_least” is more than “at_most”", file.place)
        if len(self.problems) == before:
            self.refuse_fractions(line, name)
        return line if len(self.problems) == before else None

    def terms(self, file: LineFile, key: str, scope: SheetNames, name: str) -> Iterator[Compiled]:
        if key == "rank":
            yield from self.rank_terms(file.rank, scope) if file.rank else ()
        elif key == "value":
            term = self.number(file.value, scope, file.place, "“value”")
            yield from (term,) if term else ()
        else:
            for text in getattr(file, key):
                term = self.compile(text, scope, file.place)
                if term and key != "count" and not term.kind.is_number:
                    hint = f"count: {text}" if term.kind.many else ""
                    message = f"“{key}” needs numbers, but {quoted(text)} is {term.kind.words}"
                    self.bad(message, place_of(text, file.place), f"to count them, write {hint}" if hint else "")
                elif term:
                    yield term

    def rank_terms(self, rank: RankFile, scope: SheetNames) -> Iterator[Compiled]:
        if not scope.players:
            self.bad("“rank” compares players, but this sheet has only one", rank.place)
        if not rank.points:
            self.bad("“rank” needs the points of at least one place", rank.place, "such as points: [5, 3]")
        term = self.number(rank.of, scope, rank.place, "“rank”")
        if term:
            yield term

    def refuse_fractions(self, line: ScoreLine, name: str) -> None:
        """Reports a line whose points can be a fraction."""
        amount = any(term.kind.name == "number" for term in line.terms) and line.kind not in ("count", "rank")
        if (amount and not (line.file.per or line.table)) or (line.times and line.times.kind.name == "number"):
            self.bad(f"{name} can be a fraction", line.file.place, "round it with floor(…), ceil(…) or round(…)")

    def table(self, file: LineFile) -> tuple[int, ...] | tuple[Interval, ...]:
        node: Any = file.table
        if node is None:
            return ()
        if isinstance(node, Scalar):
            self.bad("“table” must be a list such as [0, 1, 3, 6], or a mapping such as {0-4: 0, 5+: 10}", node.place)
            return ()
        if len(node) > limits.ENTRIES:
            self.bad(f"this table has {len(node):,} entries; at most {limits.ENTRIES:,}", node.place)
            return ()
        if isinstance(node, Listing):
            if not node:
                self.bad("“table” has no entries", node.place)
            return tuple(points for entry in node if (points := self.points(entry, node.place)) is not None)
        return tuple(self.intervals(node))

    def points(self, node: Node, place: Place) -> int | None:
        try:
            if isinstance(node, Scalar):
                return whole(node.text)
        except ValueError:
            pass
        entry = f"“{shortened(node)}”" if isinstance(node, Scalar) else "a list or mapping"
        self.bad(f"an entry of “table” must be a whole number, not {entry}", getattr(node, "place", place))
        return None

    def intervals(self, node: MappingNode) -> Iterator[Interval]:
        intervals: list[Interval] = []
        for key, entry in node.pairs:
            match, points = _RANGE.fullmatch(key.text), self.points(entry, key.place)
            if match is None:
                message = f"“{shortened(key)}” is not a range of amounts"
                self.bad(message, key.place, "write 3, 0-4 or 5+")
            elif points is not None:
                low = int(match[1])
                intervals.append(Interval(low, None if match[2] else int(match[3] or low), points))
                if match[3] and int(match[3]) < low:
                    self.bad(f"the range {shortened(key)} must begin with its smaller number", key.place)
        intervals.sort(key=lambda interval: interval.low)
        for lower, upper in pairwise(intervals):
            if lower.high is None or lower.high >= upper.low:
                self.bad(f"two ranges of “table” contain {upper.low}", node.place)
        yield from intervals

    # ---- claimed sums

    def claim(self, file: SumFile, lines: Mapping[str, str | None]) -> Claim | None:
        before = len(self.problems)
        try:
            target = self.scope(lines).target(file.total)
        except ExpressionError as error:
            self.bad(f"“total”: {error.message}", file.place, error.hint)
            return None
        scope = self.scope(lines, positional=target.stars)
        is_own = not scope.players or target.pattern.startswith(f"{scope.group}.*")
        terms = [self.compile(text, scope, file.place) for text in file.of]
        for text, term in zip(file.of, terms, strict=True):
            if term and not term.kind.is_number:
                self.bad(f"“of” needs numbers, but {quoted(text)} is {term.kind.words}", place_of(text, file.place))
            elif term and term.kind.name == "number":
                self.bad(f"{quoted(text)} can be a fraction", place_of(text, file.place), "round it with floor(…)")
            elif term and not is_own and any(source.ids is None for source in term.names):
                message = f"{quoted(text)} is one player’s, but “{shortened(file.total)}” belongs to no player"
                self.bad(message, place_of(text, file.place))
        return Claim(file, target, is_own, tuple(filter(None, terms))) if len(self.problems) == before else None

    # ---- checks

    def checks(self, lines: Mapping[str, str | None]) -> Iterator[Check]:
        ids: set[str] = {*_RESERVED}
        scope = self.scope(lines)
        for file in self.definition.checks:
            check = self.check(file, scope, ids)
            if check:
                ids.add(check.id)
                yield check

    def check(self, file: CheckFile, scope: SheetNames, ids: set[str]) -> Check | None:
        before = len(self.problems)
        keys = [key for key in CHECKS if getattr(file, key)]
        if len(keys) != 1:
            what = (
                f"this check has {_listed(keys)}; give only one of them"
                if keys
                else "this check does not say what it checks"
            )
            self.bad(what, file.place, "" if keys else f"add one of {', '.join(CHECKS)}")
        kind = keys[0] if keys else "check"
        self.refuse_misplaced(file, kind)
        condition = self.condition(file.if_, scope, file.place, "“if”")
        terms = tuple(term for key in keys for term in self.check_terms(file, key, scope))
        bounds = {key: self.number(getattr(file, key), scope, file.place, f"“{key}”") for key in BOUNDS}
        message = tuple(self.template(file.message, scope, file.place, "“message”", "{bid}"))
        name = self.check_id(file, kind, terms, ids)
        if len(self.problems) > before:
            return None
        return Check(name, file, kind, terms, {key: term for key, term in bounds.items() if term}, condition, message)

    def refuse_misplaced(self, file: CheckFile, kind: str) -> None:
        bounds = [key for key in BOUNDS if getattr(file, key) is not None]
        if kind in ("value", "sum", "count") and not bounds:
            self.bad(f"the check “{kind}” has no bound", file.place, "add at_least, at_most or exactly")
        elif bounds and kind not in ("value", "sum", "count"):
            self.bad(f"“{bounds[0]}” is only for “value”, “sum” and “count”", file.place)
        if not file.strict and kind not in ("rising", "falling"):
            self.bad("“strict” is only for “rising” and “falling”", file.place)
        if file.diagonal and kind != "connected":
            self.bad("“diagonal” is only for “connected”", file.place)

    def check_terms(self, file: CheckFile, kind: str, scope: SheetNames) -> Iterator[Compiled]:
        if kind == "check":
            term = self.condition(file.check, scope, file.place, "“check”")
            yield from (term,) if term else ()
            return
        for text in getattr(file, kind):
            term = self.compile(text, scope, file.place)
            if term is None:
                continue
            place = place_of(text, file.place)
            if kind in ("rising", "falling", "value", "sum") and not term.kind.is_number:
                self.bad(f"“{kind}” needs numbers, but {quoted(text)} is {term.kind.words}", place)
            elif kind in ("no_gaps", "connected") and not term.kind.many:
                self.bad(f"“{kind}” needs a row of fields, but {quoted(text)} is a single value", place)
            elif kind == "connected" and not _is_grid(term):
                hint = "name a group whose definition has the key “across”"
                self.bad(f"“connected” needs a grid, but {quoted(text)} is not one", place, hint)
            else:
                yield term

    def check_id(self, file: CheckFile, kind: str, terms: Sequence[Compiled], ids: set[str]) -> str:
        if file.id:
            if not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", file.id):
                message = f"the id of a check has only lower-case letters, digits, - and _, not “{shortened(file.id)}”"
                self.bad(message, file.place)
            elif file.id in ids or file.id.startswith("claimed-"):
                self.bad(f"another rule of this sheet is called “{shortened(file.id)}”", file.place)
            return file.id
        words = file.label or f"{kind} {' '.join(source.name for term in terms[:1] for source in term.names[:1])}"
        name = "-".join(part for part in re.split(r"[^a-z0-9]+", words.lower()) if part)[:40].strip("-") or kind
        number = 2
        unique = name
        while unique in ids:
            unique, number = f"{name}-{number}", number + 1
        return unique

    # ---- tie-breakers

    def tie_breaker(self, file: TieBreakerFile, lines: Mapping[str, str | None]) -> TieBreaker | None:
        if (file.most is None) == (file.fewest is None):
            self.bad(f"tie-breaker “{shortened(file.label)}” needs either “most” or “fewest”", file.place)
            return None
        key = "fewest" if file.most is None else "most"
        term = self.number(getattr(file, key), self.scope(lines), file.place, f"“{key}”")
        return TieBreaker(file, term) if term else None


def _field_alone(text: str, scope: SheetNames) -> Compiled | None:
    """A field that stands alone, without an expression; its name may contain any character."""
    if not scope.knows(text.partition(".")[0]) or not re.search(r"[^\w.*]", text):
        return None
    try:
        source = scope.source(text, 0)
    except ExpressionError:
        return None
    return Compiled(text, source.kind, source.run, (source,), source.own)


def _is_grid(term: Compiled) -> bool:
    """Whether the expression is a grid, or names one grid in each entry of a repeated group."""
    return bool(term.kind.across) or bool(len(term.names) == 1 and term.names[0].across)


def _listed(keys: Iterable[str]) -> str:
    return " and ".join(f"“{key}”" for key in keys)
