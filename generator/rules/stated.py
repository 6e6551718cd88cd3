"""Rules stated in the YAML of a score sheet: required fields, ranges, names, sums and checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from ..definitions.models import Field, FieldFile, ScoreSheet, SumFile
from ..definitions.sheet_rules import Claim, SheetRules
from ..sheets import FilledSheet
from ..spelling import comparable
from .book import Rule, RuleBook, Violation
from .checking import named, rule_text, violations
from .scoring import Sums, Table, are_ticks, label_of, line_text, rules_of, sum_text
from .terminal import number_text

_SOURCE = "the score sheet"


class StatedRules:
    """The rules that follow from the definition of one score sheet."""

    def __init__(self, sheet: ScoreSheet) -> None:
        self.rules = rules = RuleBook()
        self._required = self._range = self._names = self._twice = None
        if any(spec.required for spec in sheet.fields.values()):
            self._required = rules.add(
                "required",
                "No required box is left blank in the parts of the sheet that are used.",
                source=_SOURCE,
            )
        if any(_limited(name, spec) for name, spec in sheet.fields.items()):
            self._range = rules.add(
                "range",
                "Every number, except a total, is within the range of its box.",
                source=_SOURCE,
            )
        if _has_lists_of_ticks(sheet.definition.fields):
            self._twice = rules.add("ticked-once", "No box is ticked twice.", source=_SOURCE)
        if sheet.definition.players:
            self._names = rules.add("names", "Every player on the sheet has a different name.", source=_SOURCE)
        sheet_rules = rules_of(sheet)
        self._claims = [
            (rules.add(name, _sums_text(claims), source=_SOURCE), claims)
            for name, claims in _claims(sheet_rules).items()
        ]
        self._checks = [
            (rules.add(check.id, rule_text(check), source=_SOURCE, severity=check.file.severity), check)
            for check in sheet_rules.checks
        ]
        for number, line in enumerate(sheet_rules.lines, 1):
            name = f"score-{line.key.replace('_', '-')}"
            unique = name if [other.key for other in sheet_rules.lines].count(line.key) == 1 else f"{name}-{number}"
            rules.scoring(unique, line_text(line), source=_SOURCE)

    def violations(self, sheet: FilledSheet) -> Iterator[Violation]:
        """Every breach of these rules, in their order."""
        if self._required:
            yield from _required(self._required, sheet)
        if self._range:
            yield from _in_range(self._range, sheet)
        if self._twice:
            for name in sheet.repeated_ticks:
                yield self._twice(name, f"the box “{label_of(sheet, name)}” is ticked more than once")
        if self._names:
            yield from _own_names(self._names, sheet)
        if self._claims:
            sums = Sums(sheet)
            yield from chain.from_iterable(
                _wrong_sums(rule, claim, sums) for rule, claims in self._claims for claim in claims
            )
        if self._checks:
            table = Table(sheet)
            yield from chain.from_iterable(violations(check, rule, table) for rule, check in self._checks)


def _required(rule: Rule, sheet: FilledSheet) -> Iterator[Violation]:
    for name, spec in _fields(sheet, sheet.sheet.definition.fields, ""):
        if spec.required and name not in sheet.marks:
            yield rule(name, f"{_label(name, spec)} is blank")


def _in_range(rule: Rule, sheet: FilledSheet) -> Iterator[Violation]:
    for name, spec in _fields(sheet, sheet.sheet.definition.fields, ""):
        number = sheet.number(name)
        if _limited(name, spec) and spec.span and number is not None and number not in spec.span:
            limits = f"{number_text(spec.span.low)} to {number_text(spec.span.high)}"
            yield rule(name, f"{_label(name, spec)} is {number_text(number)}, but must be {limits}")


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


# ---- sums -----------------------------------------------------------------------------------------------------------


def _claims(rules: SheetRules) -> dict[str, list[Claim]]:
    """The sums of a sheet, by the id of their rule."""
    claims: dict[str, list[Claim]] = {}
    for claim in rules.claims:
        claims.setdefault(_sum_name(claim.file), []).append(claim)
    return claims


def _sum_name(claim: SumFile) -> str:
    parts = [part for part in claim.total.split(".") if part != "*" and not part.isdigit()]
    inside = parts[parts.index("claimed") + 1 :] if "claimed" in parts else parts[-1:]
    return "-".join(["claimed", *inside])


def _sums_text(claims: list[Claim]) -> str:
    sums = dict.fromkeys(f"“{claim.target.label}” is {sum_text(claim.terms, named)}" for claim in claims)
    return f"{'; '.join(sums)}, if filled in."


def _wrong_sums(rule: Rule, claim: Claim, sums: Sums) -> Iterator[Violation]:
    for name in sums.totals(claim):
        claimed = sums.sheet.number(name)
        if claimed is not None:
            correct = sums.correct(claim, name) or 0
            if claimed != correct:
                yield rule(name, f"{_box(claim, name)} says {number_text(claimed)}, but {_fact(claim, correct)}")


def _fact(claim: Claim, correct: int) -> str:
    if are_ticks(claim.terms):
        return f"{correct} box{'es' * (correct != 1)} {'is' if correct == 1 else 'are'} ticked"
    return f"the {'points' if claim.has_lines else 'numbers'} add up to {number_text(correct)}"


def _box(claim: Claim, name: str) -> str:
    """A field by its label on paper, with its number if it is one of a row."""
    number = name.rpartition(".")[2]
    numbered = number.isdigit() and not claim.target.label.endswith(number)
    return f"“{claim.target.label}{f' {number}' if numbered else ''}”"
