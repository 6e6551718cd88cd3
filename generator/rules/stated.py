"""Rules stated in the YAML of a score sheet: required fields, ranges, names, sums and score lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from ..definitions.models import Field, FieldFile, LineFile, ScoreSheet, SumFile
from ..sheets import FilledSheet
from ..spelling import comparable
from .book import Rule, RuleBook, Violation
from .results import Line, Part, Result, Score, ranks

_SOURCE = "the score sheet"


class StatedRules:
    """The rules that follow from the definition of one score sheet."""

    def __init__(self, sheet: ScoreSheet) -> None:
        self.rules = rules = RuleBook()
        self._required = self._range = self._names = self._twice = None
        if any(spec.required for spec in sheet.fields.values()):
            self._required = rules.add(
                "required",
                "No required box is blank, in any part of the sheet that is used.",
                source=_SOURCE,
            )
        if any(_limited(name, spec) for name, spec in sheet.fields.items()):
            self._range = rules.add(
                "range",
                "Every number is within the range of its box. Sums that players wrote are added up instead.",
                source=_SOURCE,
            )
        if _has_lists_of_ticks(sheet.definition.fields):
            self._twice = rules.add("ticked-once", "Each box is ticked once at most.", source=_SOURCE)
        if sheet.definition.players:
            self._names = rules.add("names", "Every player on the sheet has a different name.", source=_SOURCE)
        self._claims = [
            (rules.add(name, _sums_text(sheet, claims), source=_SOURCE), claims)
            for name, claims in _claims(sheet).items()
        ]

    def violations(self, sheet: FilledSheet) -> Iterator[Violation]:
        """Every breach of these rules, in their order."""
        if self._required:
            yield from _required(self._required, sheet)
        if self._range:
            yield from _in_range(self._range, sheet)
        if self._twice:
            for name in sheet.twice:
                yield self._twice(name, f"the box “{_label_of(sheet, name)}” is ticked more than once")
        if self._names:
            yield from _own_names(self._names, sheet)
        if self._claims:
            sums = Sums(sheet)
            yield from chain.from_iterable(
                _wrong_sums(rule, claim, sums) for rule, claims in self._claims for claim in claims
            )


def _required(rule: Rule, sheet: FilledSheet) -> Iterator[Violation]:
    for name, spec in _fields(sheet, sheet.sheet.definition.fields, ""):
        if spec.required and name not in sheet.marks:
            yield rule(name, f"{_label(name, spec)} is blank")


def _in_range(rule: Rule, sheet: FilledSheet) -> Iterator[Violation]:
    for name, spec in _fields(sheet, sheet.sheet.definition.fields, ""):
        number = sheet.number(name)
        if _limited(name, spec) and spec.span and number is not None and number not in spec.span:
            yield rule(name, f"{_label(name, spec)} is {number}, but must be {spec.span.low} to {spec.span.high}")


def _own_names(rule: Rule, sheet: FilledSheet) -> Iterator[Violation]:
    seen: dict[str, str] = {}
    for entry in sheet.entries.get(sheet.sheet.definition.players or "", ()):
        name = comparable(sheet.text(f"{entry}.name"))
        if name and name in seen:
            yield rule((f"{entry}.name", f"{seen[name]}.name"), f"two players are called {sheet.text(f'{entry}.name')}")
        seen.setdefault(name, entry)


def _limited(name: str, spec: FieldFile | Field) -> bool:
    return spec.kind == "number" and spec.span is not None and "claimed" not in name.split(".")


def _has_lists_of_ticks(fields: Mapping[str, FieldFile]) -> bool:
    """Whether the sheet has a row or a group of tick boxes, which can be typed as a list of those that are ticked."""
    return any(
        all(inner.kind == "tick" for inner in spec.fields.values()) or _has_lists_of_ticks(spec.fields)
        if spec.fields
        else spec.kind == "tick" and spec.count is not None
        for spec in fields.values()
    )


def _label_of(sheet: FilledSheet, name: str) -> str:
    field = sheet.sheet.fields.get(name)
    return field.label.rpartition(", ")[2] if field else name


def _fields(sheet: FilledSheet, fields: Mapping[str, FieldFile], prefix: str) -> Iterator[tuple[str, FieldFile]]:
    """Every field for a mark in the parts of the sheet that are used."""
    for key, spec in fields.items():
        name = prefix + key
        if spec.fields is None:
            yield from [(f"{name}.{n}", spec) for n in range(1, spec.count + 1)] if spec.count else [(name, spec)]
        else:
            for entry in sheet.entries.get(name, ()) if spec.repeat is not None else (name,):
                yield from _fields(sheet, spec.fields, f"{entry}.")


def _label(name: str, spec: FieldFile) -> str:
    parts = name.split(".")
    number = f" {parts[-1]}" if parts[-1].isdigit() else ""
    return f"{spec.label or parts[-2 if number else -1]}{number}"


# ---- sums and score lines -------------------------------------------------------------------------------------------


def _claims(sheet: ScoreSheet) -> dict[str, list[SumFile]]:
    """The sums of a sheet, by the id of their rule."""
    claims: dict[str, list[SumFile]] = {}
    for claim in sheet.definition.sums:
        claims.setdefault(_sum_name(claim), []).append(claim)
    return claims


def _sum_name(claim: SumFile) -> str:
    parts = [part for part in claim.total.split(".") if part != "*" and not part.isdigit()]
    inside = parts[parts.index("claimed") + 1 :] if "claimed" in parts else parts[-1:]
    return "-".join(["claimed", *inside])


def _sums_text(sheet: ScoreSheet, claims: list[SumFile]) -> str:
    sums = []
    for claim in claims:
        terms = dict.fromkeys(_box(sheet, field) for field in claim.of)
        sums.append(f"{_box(sheet, claim.total)} is the sum of {' and '.join(terms)}")
    return f"If it is filled in, {'; '.join(dict.fromkeys(sums))}."


def _box(sheet: ScoreSheet, pattern: str) -> str:
    """The fields of a pattern by the label on paper: “Total”; “Game”, which stands for all boxes with this label."""
    spec, fields, parts = None, sheet.definition.fields, pattern.split(".")
    names = [part for part in parts if part != "*" and not part.isdigit()]
    for name in names:
        spec = fields.get(name)
        fields = (spec.fields if spec else None) or {}
    label = (spec.label if spec else "") or names[-1].replace("_", " ")
    return f"“{label} {parts[-1]}”" if parts[-1].isdigit() else f"“{label}”"


def _wrong_sums(rule: Rule, claim: SumFile, sums: Sums) -> Iterator[Violation]:
    for name in sums.marks.matching(claim.total):
        right, claimed = sum(sums.parts(claim, name)), sums.sheet.number(name)
        if claimed != right:
            yield rule(name, f"{_box(sums.sheet.sheet, name)} says {claimed}, but the marks add up to {right}")


class Marks:
    """Finds the ids of marks by patterns in which `*` stands for any number."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_shape: dict[str, list[str]] = {}
        for name in names:
            self._by_shape.setdefault(_shape(name), []).append(name)

    def matching(self, pattern: str) -> list[str]:
        candidates = self._by_shape.get(_shape(pattern), [])
        if not any(map(str.isdigit, pattern)):
            return candidates
        regex = _regex(pattern)
        return [name for name in candidates if regex.fullmatch(name)]

    def bound(self, patterns: Iterable[str], numbers: list[str]) -> Iterator[str]:
        """The marks that match the patterns, with `numbers` in place of the first stars."""
        for pattern in patterns:
            for number in numbers:
                pattern = pattern.replace("*", number, 1)
            yield from self.matching(pattern)


def _shape(name: str) -> str:
    """The id with a `*` for each number: the same for all ids that differ only in numbers, and for their pattern."""
    return re.sub(r"\d+", "*", name)


def _regex(pattern: str) -> re.Pattern[str]:
    return re.compile(re.escape(pattern).replace(r"\*", r"\d+"))


class Sums:
    """The right sums of a sheet."""

    def __init__(self, sheet: FilledSheet) -> None:
        self.sheet, self.marks = sheet, Marks(sheet.marks)
        self._lines: dict[str, list[tuple[re.Pattern[str], int]]] = {}
        for line in sheet.sheet.definition.score:
            for pattern in line.of:
                self._lines.setdefault(_shape(pattern), []).append((_regex(pattern), line.points))

    def parts(self, claim: SumFile, total: str) -> list[int]:
        """The terms of the claimed sum in the field `total`: the marks times the points that score lines give for them.
        If the sum is declared with `count`, or a score line counts the sum itself, the terms are the plain marks."""
        is_plain = claim.count or bool(self._points(total))
        names = self.marks.bound(claim.of, re.findall(r"(?<=\.)\d+(?=\.|$)", total))
        if is_plain:
            return [_value(self.sheet, name) for name in names]
        return [_value(self.sheet, name) * sum(self._points(name) or [1]) for name in names]

    def _points(self, name: str) -> list[int]:
        """The factor of each score line that counts a mark."""
        return [points for pattern, points in self._lines.get(_shape(name), ()) if pattern.fullmatch(name)]


def _value(sheet: FilledSheet, name: str) -> int:
    return int(sheet.number(name) or 0)


def score(sheet: FilledSheet) -> Result:
    """The score lines of the definition; a tick counts 1. Without score lines there is no score."""
    definition = sheet.sheet.definition
    if not definition.score:
        return Result(remark="This sheet has no score lines.")
    scores = tuple(_scores(sheet, definition.score, Marks(sheet.marks)))
    sign = 1 if definition.highest_wins else -1
    places = ranks((sign * each.total,) for each in scores)
    winners = tuple(each.player for each, place in zip(scores, places, strict=True) if place == 1)
    return Result(scores, places, winners)


def _scores(sheet: FilledSheet, lines: tuple[LineFile, ...], marks: Marks) -> Iterator[Score]:
    players = sheet.sheet.definition.players
    if not players:
        name = sheet.text("player") or sheet.text("name") or "player 1"
        yield Score(name, tuple(_line(sheet, line, [], marks) for line in lines))
        return
    for entry in sheet.entries.get(players, ()):
        number = entry.rpartition(".")[2]
        yield Score(sheet.people[entry], tuple(_line(sheet, line, [number], marks) for line in lines))


def _line(sheet: FilledSheet, line: LineFile, numbers: list[str], marks: Marks) -> Line:
    return Line(line.label, line.points * sum(_value(sheet, name) for name in marks.bound(line.of, numbers)))


# ---- explanations and right sums ------------------------------------------------------------------------------


def explain(sheet: FilledSheet) -> Iterator[list[list[Part]]]:
    """The parts of every player's lines: a part for each field that counts."""
    definition, marks = sheet.sheet.definition, Marks(sheet.marks)
    for numbers in _players(sheet) if definition.score else ():
        yield [list(_parts(sheet, line, numbers, marks)) for line in definition.score]


def _players(sheet: FilledSheet) -> list[list[str]]:
    """For each player, the numbers that the first stars of a pattern stand for."""
    group = sheet.sheet.definition.players
    return [[entry.rpartition(".")[2]] for entry in sheet.entries.get(group, ())] if group else [[]]


def _parts(sheet: FilledSheet, line: LineFile, numbers: list[str], marks: Marks) -> Iterator[Part]:
    names = [name for name in marks.bound(line.of, numbers) if sheet.number(name)]
    for name in names:
        yield Part(_described(sheet, name, line.points), line.points * int(sheet.number(name) or 0))
    if not names:
        yield Part("nothing is filled in", 0)


def _described(sheet: FilledSheet, name: str, points: int) -> str:
    field = sheet.sheet.fields.get(name)
    label = field.label.rpartition(", ")[2] if field else name
    if sheet.ticked(name):
        return f"{label} ticked"
    return f"{label}: {sheet.number(name)}" + (f" × {points}" if points != 1 else "")


def sums(sheet: FilledSheet) -> Mapping[str, int]:
    """The right value of every declared sum with at least one mark to add up, by the id of the sum's field."""
    by_field: dict[str, int] = {}
    right_sums, totals = Sums(sheet), Marks(dict.fromkeys([*sheet.sheet.fields, *sheet.marks]))
    for claim in sheet.sheet.definition.sums:
        for name in totals.matching(claim.total):
            parts = right_sums.parts(claim, name)
            if parts:
                by_field[name] = sum(parts)
    return by_field


def unknown_fields(sheet: ScoreSheet) -> list[str]:
    """The patterns of sums and score lines that match no field of the sheet."""
    definition = sheet.definition
    patterns = chain(*((claim.total, *claim.of) for claim in definition.sums), *(line.of for line in definition.score))
    fields = Marks(sheet.fields)
    return [pattern for pattern in patterns if not fields.matching(pattern)]
