"""What can be judged from YAML alone: required fields, ranges, names, claimed sums, and score lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from ..definitions.models import Field, FieldFile, LineFile, ScoreSheet, SumFile
from ..sheets import FilledSheet
from .book import Breach, RuleBook
from .nouns import Line, Result, Score, ranks


def book(sheet: ScoreSheet) -> RuleBook[FilledSheet]:
    """The rules that the definition of a score sheet states; only those it gives reason for."""
    made: RuleBook[FilledSheet] = RuleBook(sheet=sheet.name)
    if any(spec.required for spec in sheet.fields.values()):
        made.rule("required", source="the score sheet")(required)
    if any(_limited(name, spec) for name, spec in sheet.fields.items()):
        made.rule("range", source="the score sheet")(in_range)
    if sheet.definition.players:
        made.rule("names", source="the score sheet")(own_names)
    for name in dict.fromkeys(map(_sum_name, sheet.definition.sums)):
        made.rule(name, source="the score sheet")(_claimed(name, sheet))
    return made


def required(sheet: FilledSheet) -> Iterator[Breach]:
    """Every field that must be filled in is filled in, wherever its part of the sheet is used."""
    for name, spec in _fields(sheet, sheet.sheet.definition.fields, ""):
        if spec.required and name not in sheet.marks:
            yield f"{_label(name, spec)} is blank", name


def in_range(sheet: FilledSheet) -> Iterator[Breach]:
    """Every number lies in the range of its field. A claimed sum is held against what it adds up to instead."""
    for name, spec in _fields(sheet, sheet.sheet.definition.fields, ""):
        number = sheet.number(name)
        if _limited(name, spec) and spec.span and number is not None and number not in spec.span:
            yield f"{_label(name, spec)} is {number}, outside {spec.span.low} to {spec.span.high}", name


def _limited(name: str, spec: FieldFile | Field) -> bool:
    return spec.kind == "number" and spec.span is not None and "claimed" not in name.split(".")


def own_names(sheet: FilledSheet) -> Iterator[Breach]:
    """Every player has a name that nobody else on the sheet has."""
    seen: dict[str, str] = {}
    for entry in sheet.entries.get(sheet.sheet.definition.players or "", ()):
        name = sheet.text(f"{entry}.name").casefold()
        if name and name in seen:
            yield f"two players are called {sheet.text(f'{entry}.name')}", f"{entry}.name", f"{seen[name]}.name"
        seen.setdefault(name, entry)


def _fields(sheet: FilledSheet, fields: Mapping[str, FieldFile], prefix: str) -> Iterator[tuple[str, FieldFile]]:
    """Every mark field of the parts that are in use."""
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

def _sum_name(claim: SumFile) -> str:
    parts = [part for part in claim.total.split(".") if part != "*" and not part.isdigit()]
    inside = parts[parts.index("claimed") + 1:] if "claimed" in parts else parts[-1:]
    return "-".join(["claimed", *inside])


def _claimed(name: str, sheet: ScoreSheet) -> Callable[[FilledSheet], Iterator[Breach]]:
    claims = [claim for claim in sheet.definition.sums if _sum_name(claim) == name]

    def rule(filled: FilledSheet) -> Iterator[Breach]:
        for claim in claims:
            yield from _wrong_sums(filled, claim)

    sums = " and ".join(f"{claim.total} is the sum of {' and '.join(claim.of)}" for claim in claims)
    rule.__doc__ = f"Where a player wrote it, {sums}."
    return rule


def _wrong_sums(sheet: FilledSheet, claim: SumFile) -> Iterator[Breach]:
    for name in _matching(sheet, claim.total):
        numbers = re.findall(r"(?<=\.)\d+(?=\.|$)", name)
        right = sum(_value(sheet, part) for part in bound(sheet, claim.of, numbers))
        if sheet.number(name) != right:
            yield f"{sheet.number(name)} is claimed, but it adds up to {right}", name


def bound(sheet: FilledSheet, patterns: tuple[str, ...], numbers: list[str]) -> Iterator[str]:
    """The filled-in fields of the patterns, their first stars standing for `numbers`."""
    for pattern in patterns:
        for number in numbers:
            pattern = pattern.replace("*", number, 1)
        yield from _matching(sheet, pattern)


def _matching(sheet: FilledSheet, pattern: str) -> list[str]:
    wanted = re.compile(re.escape(pattern).replace(r"\*", r"\d+"))
    return [name for name in sheet.marks if wanted.fullmatch(name)]


def _value(sheet: FilledSheet, name: str) -> int:
    return int(sheet.number(name) or 0)


def score(sheet: FilledSheet) -> Result:
    """The score lines of the definition; a tick counts 1. Without score lines there is no score."""
    definition = sheet.sheet.definition
    if not definition.score:
        return Result(remark="This sheet has no score lines.")
    scores = tuple(_scores(sheet, definition.score))
    sign = 1 if definition.highest_wins else -1
    places = ranks((sign * each.total,) for each in scores)
    winners = tuple(each.player for each, place in zip(scores, places, strict=True) if place == 1)
    return Result(scores, places, winners)


def _scores(sheet: FilledSheet, lines: tuple[LineFile, ...]) -> Iterator[Score]:
    players = sheet.sheet.definition.players
    if not players:
        name = sheet.text("player") or sheet.text("name") or "player 1"
        yield Score(name, tuple(_line(sheet, line, []) for line in lines))
        return
    for entry in sheet.entries.get(players, ()):
        number = entry.rpartition(".")[2]
        yield Score(sheet.people[entry], tuple(_line(sheet, line, [number]) for line in lines))


def _line(sheet: FilledSheet, line: LineFile, numbers: list[str]) -> Line:
    return Line(line.label, line.points * sum(_value(sheet, name) for name in bound(sheet, line.of, numbers)))


def unknown_fields(sheet: ScoreSheet) -> list[str]:
    """The patterns of sums and score lines that no field of the sheet fits."""
    definition = sheet.definition
    patterns = chain(*((claim.total, *claim.of) for claim in definition.sums), *(line.of for line in definition.score))
    return [pattern for pattern in patterns
            if not any(re.fullmatch(re.escape(pattern).replace(r"\*", r"\d+"), name) for name in sheet.fields)]
