"""Rules stated in the YAML of a score sheet: required fields, ranges, names, sums, and checks with their violations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, islice, pairwise
from typing import Any

from msgspec import Struct

from ..errors import listed
from ..expressions import Compiled, TooMuchError
from ..expressions.functions import connected, marked, total
from ..model.game import Field, FieldFile, ScoreSheet
from ..reading.sheet_rules import ClaimedSum, SheetCheck
from ..sheets import FilledSheet
from ..spelling import comparable, joined
from .results import Rule, RuleBook, Violation, number_text
from .scoring import (
    ScoredPlayer,
    Table,
    all_values,
    are_ticks,
    correct_sum,
    label_of,
    line_text,
    list_text,
    mark_text,
    readable,
    rules_of,
    sum_text,
    too_much,
)

_BOUND_WORDS = {"at_least": "at least", "at_most": "at most", "exactly": "exactly"}
_MAX_VIOLATIONS = 100  # the maximum number of violations of one check by one player
_MAX_VIOLATIONS_IN_ALL = 1_000  # the maximum number of violations of one check by all players
_MAX_MARKED = 12  # the maximum number of fields that a violation of an expression marks
_SOURCE = "the score sheet"


class StatedRules:
    """The rules that follow from the definition of one score sheet."""

    def __init__(self, sheet: ScoreSheet) -> None:
        self.rules = rules = RuleBook()
        sheet_rules = rules_of(sheet)
        self._needs_table = bool(sheet_rules.claims or sheet_rules.checks)
        self._finders: list[tuple[Rule, Callable[[Rule, FilledSheet, Any], Iterator[Violation]]]] = [
            (rules.add(name, text, source=_SOURCE), finder)
            for name, (text, applies, finder) in _OF_FIELDS.items()
            if applies(sheet)
        ]
        claims_by_rule: dict[str, list[ClaimedSum]] = {}
        for claim in sheet_rules.claims:
            parts = [part for part in claim.file.total.split(".") if part != "*" and not part.isdigit()]
            inside = parts[parts.index("claimed") + 1 :] if "claimed" in parts else parts[-1:]
            claims_by_rule.setdefault("-".join(["claimed", *inside]), []).append(claim)
        for name, claims in claims_by_rule.items():
            sums = dict.fromkeys(f"“{claim.target.label}” is {sum_text(claim.terms, named)}" for claim in claims)
            rule = rules.add(name, f"{'; '.join(sums)}, if filled in.", source=_SOURCE)
            self._finders.append((rule, partial(_wrong_sums, claims)))
        for check in sheet_rules.checks:
            rule = rules.add(check.id, rule_text(check), source=_SOURCE, severity=check.file.severity)
            self._finders.append((rule, partial(violations, check)))
        keys = [line.key for line in sheet_rules.lines]
        for number, line in enumerate(sheet_rules.lines, 1):
            name = f"score-{line.key.replace('_', '-')}"
            rules.scoring(name if keys.count(line.key) == 1 else f"{name}-{number}", line_text(line), source=_SOURCE)

    def violations(self, sheet: FilledSheet) -> Iterator[Violation]:
        """Every breach of these rules, in their order."""
        table = Table(sheet) if self._needs_table else None
        for rule, finder in self._finders:
            yield from finder(rule, sheet, table)


stated_rules = lru_cache(maxsize=50)(StatedRules)
"""The rules of a sheet; they are collected once."""


def _required(rule: Rule, sheet: FilledSheet, table: object) -> Iterator[Violation]:
    for name, spec in _fields(sheet, sheet.sheet.definition.fields, ""):
        if spec.required and name not in sheet.marks:
            yield rule(name, f"{_box_label(name, spec)} is blank")


def _in_range(rule: Rule, sheet: FilledSheet, table: object) -> Iterator[Violation]:
    for name, spec in _fields(sheet, sheet.sheet.definition.fields, ""):
        number = sheet.number(name) if _limited(name, spec) else None
        if spec.span and number is not None and number not in spec.span:
            limits = f"{number_text(spec.span.low)} to {number_text(spec.span.high)}"
            yield rule(name, f"{_box_label(name, spec)} is {number_text(number)}, but must be {limits}")


def _own_names(rule: Rule, sheet: FilledSheet, table: object) -> Iterator[Violation]:
    seen: dict[str, str] = {}
    for entry in sheet.entries.get(sheet.sheet.definition.players or "", ()):
        name = comparable(sheet.text(f"{entry}.name"))
        if name and name in seen:
            yield rule((f"{entry}.name", f"{seen[name]}.name"), f"two players are called {sheet.text(f'{entry}.name')}")
        seen.setdefault(name, entry)


def _ticked_once(rule: Rule, sheet: FilledSheet, table: object) -> Iterator[Violation]:
    for name in sheet.repeated_ticks:
        yield rule(name, f"the box “{label_of(sheet, name)}” is ticked more than once")


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


def _box_label(name: str, spec: FieldFile) -> str:
    parts = name.split(".")
    number = f" {parts[-1]}" if parts[-1].isdigit() else ""
    return f"{spec.label or parts[-2 if number else -1]}{number}"


def _wrong_sums(claims: Sequence[ClaimedSum], rule: Rule, sheet: FilledSheet, table: Table) -> Iterator[Violation]:
    for claim in claims:
        for name in claim.target.ids(table.nobody, ()):
            claimed = sheet.number(name)
            correct = 0 if claimed is None else correct_sum(table, claim, name) or 0
            if claimed is not None and claimed != correct:
                yield rule(name, f"{_box(claim, name)} says {number_text(claimed)}, but {_fact(claim, correct)}")


def _fact(claim: ClaimedSum, correct: int) -> str:
    if are_ticks(claim.terms):
        return f"{correct} box{'es' * (correct != 1)} {'is' if correct == 1 else 'are'} ticked"
    return f"the {'points' if claim.has_lines else 'numbers'} add up to {number_text(correct)}"


def _box(claim: ClaimedSum, name: str) -> str:
    """A field by its label on paper, with its number if it is one of a row."""
    number = name.rpartition(".")[2]
    numbered = number.isdigit() and not claim.target.label.endswith(number)
    return f"“{claim.target.label}{f' {number}' if numbered else ''}”"


# The rules of fields: their texts, the sheets that they apply to, and what finds their breaches.
_OF_FIELDS: Mapping[str, tuple[str, Callable[[ScoreSheet], bool], Callable[..., Iterator[Violation]]]] = {
    "required": (
        "No required box is left blank in the parts of the sheet that are used.",
        lambda sheet: any(spec.required for spec in sheet.fields.values()),
        _required,
    ),
    "range": (
        "Every number, except a total, is within the range of its box.",
        lambda sheet: any(_limited(name, spec) for name, spec in sheet.fields.items()),
        _in_range,
    ),
    "ticked-once": (
        "No box is ticked twice.",
        lambda sheet: _has_lists_of_ticks(sheet.definition.fields),
        _ticked_once,
    ),
    "names": (
        "Every player on the sheet has a different name.",
        lambda sheet: bool(sheet.definition.players),
        _own_names,
    ),
}


class Row(Struct, frozen=True):
    """Values that are checked together, and the ids of their fields (empty for values that are not fields)."""

    values: Sequence[Any]
    ids: Sequence[str]
    across: int | None = None

    def where(self, *numbers: int) -> tuple[str, ...]:
        return tuple(self.ids[number] for number in numbers if number < len(self.ids))


Breach = tuple[tuple[str, ...], str]


def rule_text(check: SheetCheck) -> str:
    """A check in plain words."""
    if check.file.label:
        return check.file.label
    if check.file.message and not any(isinstance(part, Compiled) for part in check.message):
        return check.file.message
    fields = joined([named(term) for term in check.terms])
    bounds = " and ".join(f"{_BOUND_WORDS[key]} {readable(term)}" for key, term in check.bounds.items())
    are = "are" if len(check.terms) > 1 else "is"
    grows = "" if check.file.strict else " or stay equal"
    texts = {
        "check": f"This must be true: {readable(check.terms[0])}",
        "rising": f"The numbers in {fields} rise{grows} from each box to the next",
        "falling": f"The numbers in {fields} fall{grows} from each box to the next",
        "distinct": f"No value appears twice in {fields}",
        "equal": f"All values in {fields} are equal",
        "no_gaps": f"{fields} {are} filled in from the start, without gaps",
        "connected": f"The marked squares of {fields} form one connected group",
        "value": f"{'Every number in ' if any(term.kind.many for term in check.terms) else ''}{fields} is {bounds}",
        "sum": f"The sum of {fields} is {bounds}",
        "count": f"The number of boxes marked in {fields} is {bounds}",
    }
    condition = f", if {readable(check.condition)}" if check.condition else ""
    text = texts[check.kind]
    return f"{text[:1].upper()}{text[1:]}{condition}."


def violations(check: SheetCheck, rule: Rule, sheet: FilledSheet, table: Table) -> Iterator[Violation]:
    """Every violation of one check, by each player if the check is about players."""
    is_own = any(term.own for term in check.parts) or not sheet.sheet.definition.players
    try:
        yield from islice(
            (
                each
                for player in (table.everyone if is_own else [table.nobody])
                for each in _breaches(check, rule, player)
            ),
            _MAX_VIOLATIONS_IN_ALL,
        )
    except TooMuchError as error:
        raise too_much(error, f"the check “{check.id}”", check.file.place) from error


def _breaches(check: SheetCheck, rule: Rule, player: ScoredPlayer) -> Iterator[Violation]:
    if _has_blanks(check, player) or (check.condition and not check.condition.run(player)):
        return
    if finder := _FINDERS.get(check.kind):
        breaches = finder(check, player)
    else:
        breaches = chain.from_iterable(_ROW_FINDERS[check.kind](check, player, row) for row in _rows(check, player))
    for number, (where, message) in enumerate(breaches):
        if number >= _MAX_VIOLATIONS:
            return
        if player is player.table.nobody:
            where = tuple(name for name in where if not player.table.filled.player_of(name))
        words = []
        for part in check.message:
            if isinstance(part, str):
                words.append(part)
            else:
                value = part.run(player)
                words.append(", ".join(map(mark_text, value)) if part.kind.many else mark_text(value))
        text = "".join(words) if check.message else message
        yield rule(where or ((player.entry,) if player.entry else ()), text)


def _has_blanks(check: SheetCheck, player: ScoredPlayer) -> bool:
    """Whether a field that the check needs is still blank, so that there is nothing to check yet. A check that calls
    `filled` waits for nothing: it says itself what a blank means."""
    own_terms = () if check.kind in ("check", "value") else check.terms
    if any(source.is_drawn and not source.run(player) for term in check.parts for source in term.names):
        return True
    if any("filled" in term.calls for term in check.parts):
        return False
    for term in check.parts:
        nodes = () if term in own_terms else term.node.nodes(_ABOUT_BLANKS)
        needed = {node.value for node in nodes if node.kind == "name"}
        for source in term.names:
            is_mark = source.ids and not source.kind.many and source.kind.name != "yes"
            if is_mark and source.name in needed and source.run(player) is None:
                return True
    return False


_ABOUT_BLANKS = ("count", "everyone", "others", "place")  # functions whose arguments may be blank


def _rows(check: SheetCheck, player: ScoredPlayer) -> Iterator[Row]:
    """The rows of a check, each checked on its own: every list, and all its single values together."""
    singles: list[tuple[Any, str]] = []
    for term in check.terms:
        if term.kind.many:
            yield from _split(term, player)
        else:
            ids = term.ids(player)
            singles.append((term.run(player), ids[0] if ids else player.entry))
    if singles:
        values, names = zip(*singles, strict=True)
        yield Row(values, names)


def _split(term: Compiled, player: ScoredPlayer) -> Iterator[Row]:
    """The rows of a list: one for each row or group that its name stands for."""
    values = term.run(player)
    source = next((source for source in term.names if source.ids and source.kind.many), None)
    ids = source.ids(player) if source and source.ids else ()
    if source is None or len(ids) != len(values):
        yield Row(values, (), term.kind.across)
        return
    if not source.is_rows:
        yield Row(values, ids, source.across)
        return
    by_parent: dict[str, list[int]] = {}
    for number, name in enumerate(ids):
        by_parent.setdefault(name.rpartition(".")[0], []).append(number)
    for numbers in by_parent.values():
        yield Row([values[number] for number in numbers], [ids[number] for number in numbers], source.across)


def _label(row: Row, number: int, player: ScoredPlayer) -> str:
    return label_of(player.table.filled, row.ids[number]) if number < len(row.ids) else f"value {number + 1}"


def _untrue(check: SheetCheck, player: ScoredPlayer) -> Iterator[Breach]:
    term = check.terms[0]
    if not term.run(player):
        ids, values = tuple(term.ids(player)), _values(term, player)
        filled = ids if len(ids) <= _MAX_MARKED else tuple(name for name in ids if name in player.marks)
        where = filled if len(filled) <= _MAX_MARKED else ()
        if check.file.label:
            yield where, f"“{check.file.label.rstrip('.')}” is broken{f' ({values})' if values else ''}"
        else:
            yield where, f"{readable(term, player)} is not true"


def _values(term: Compiled, player: ScoredPlayer) -> str:
    """The names in an expression with their values: `Apples 3, Crate 5 8 12`."""
    words = []
    for source in term.names:
        if not source.own or player is not player.table.nobody:
            value = source.run(player)
            words.append(f"{source.label} {list_text(value) if source.kind.many else mark_text(value)}")
    return ", ".join(words)


def _out_of_order(check: SheetCheck, player: ScoredPlayer, row: Row) -> Iterator[Breach]:
    sign, word = (1, "rise") if check.kind == "rising" else (-1, "fall")
    filled = [number for number, value in enumerate(row.values) if value is not None]
    for before, after in pairwise(filled):
        difference = sign * (row.values[after] - row.values[before])
        if difference < 0 or (check.file.strict and difference == 0):
            bound = word if check.file.strict else f"be at {'least' if sign > 0 else 'most'} that"
            yield _contrast(row, after, before, player, more=f": the numbers must {bound}")


def _contrast(row: Row, number: int, other: int, player: ScoredPlayer, more: str = "") -> Breach:
    """Two values of a row that do not go together."""
    first, second = (f"{_label(row, each, player)} is {mark_text(row.values[each])}" for each in (number, other))
    return row.where(number, other), f"{first}, but {second}{more}"


def _repeated(check: SheetCheck, player: ScoredPlayer, row: Row) -> Iterator[Breach]:
    numbers: dict[Any, list[int]] = {}
    for number, value in enumerate(row.values):
        if value is not None:
            numbers.setdefault(value, []).append(number)
    for value, places in numbers.items():
        if len(places) > 1:
            labels = joined([_label(row, number, player) for number in places])
            times = "twice" if len(places) == 2 else f"{len(places)} times"
            yield row.where(*reversed(places)), f"{mark_text(value)} appears {times}: in {labels}"


def _unequal(check: SheetCheck, player: ScoredPlayer, row: Row) -> Iterator[Breach]:
    first, *others = [number for number, value in enumerate(row.values) if value is not None] or [0]
    different = [number for number in others if row.values[number] != row.values[first]]
    yield from [_contrast(row, number, first, player) for number in different[:1]]


def _gaps(check: SheetCheck, player: ScoredPlayer, row: Row) -> Iterator[Breach]:
    marks = [marked(value) for value in row.values]
    if True in marks and False in marks[: (last := len(marks) - 1 - marks[::-1].index(True))]:
        gap = marks.index(False)
        message = f"{_label(row, gap, player)} is blank, but {_label(row, last, player)} is filled in"
        yield row.where(last, gap), message


def _apart(check: SheetCheck, player: ScoredPlayer, row: Row) -> Iterator[Breach]:
    groups = sorted(connected(row.values, row.across or len(row.values), check.file.diagonal), key=len)
    player.spend(len(row.values))
    for squares in map(sorted, groups[:-1]):
        labels = listed(_label(row, number, player) for number in squares)
        verb = "are" if len(squares) > 1 else "is"
        yield row.where(*squares), f"{labels} {verb} not connected to the rest"


def _bounds(check: SheetCheck, player: ScoredPlayer) -> dict[str, Any]:
    return {key: term.run(player) or 0 for key, term in check.bounds.items()}


def _out_of_bounds(check: SheetCheck, player: ScoredPlayer) -> Iterator[Breach]:
    bounds = _bounds(check, player)
    for term, row in _rows_of_terms(check, player):
        for number, value in enumerate(row.values):
            if value is not None and (requirement := _requirement(value, bounds)):
                label = _label(row, number, player) if term.is_name else readable(term)
                yield row.where(number), f"{label} is {number_text(value)}, but must be {requirement}"


def _rows_of_terms(check: SheetCheck, player: ScoredPlayer) -> Iterator[tuple[Compiled, Row]]:
    for term in check.terms:
        for row in _split(term, player) if term.kind.many else [Row([term.run(player)], term.ids(player)[:1])]:
            yield term, row


def _wrong_sum(check: SheetCheck, player: ScoredPlayer) -> Iterator[Breach]:
    values = all_values(check.terms, player)
    requirement = _requirement(total(values), _bounds(check, player))
    if requirement and any(value is not None for value in values):
        fields = joined([named(term) for term in check.terms])
        yield (
            _ids(check.terms, player),
            f"the sum of {fields} is {number_text(total(values))}, but must be {requirement}",
        )


def _wrong_count(check: SheetCheck, player: ScoredPlayer) -> Iterator[Breach]:
    number = sum(map(marked, all_values(check.terms, player)))
    if requirement := _requirement(number, _bounds(check, player)):
        rows = [row for _, row in _rows_of_terms(check, player)]
        counted = [name for row in rows for name, value in zip(row.ids, row.values, strict=False) if marked(value)]
        fields = joined([named(term) for term in check.terms])
        boxes = "1 box is" if number == 1 else f"{number} boxes are"
        found = f"in {fields}, {boxes} marked"
        if not all(term.is_name for term in check.terms):  # a comparison
            found = f"{fields} in {boxes.rpartition(' ')[0]}"
        yield tuple(counted) or _ids(check.terms, player), f"{found}, but there must be {requirement}"


def _requirement(value: Any, bounds: dict[str, Any]) -> str:
    """The bounds that a value breaks, in words: `at most 6`. Empty if it breaks none."""
    broken = {
        "at_least": lambda bound: value < bound,
        "at_most": lambda bound: value > bound,
        "exactly": lambda bound: value != bound,
    }
    return " and ".join(
        f"{_BOUND_WORDS[key]} {number_text(bound)}" for key, bound in bounds.items() if broken[key](bound)
    )


_ROW_FINDERS: dict[str, Callable[[SheetCheck, ScoredPlayer, Row], Iterator[Breach]]] = {
    "rising": _out_of_order,
    "falling": _out_of_order,
    "distinct": _repeated,
    "equal": _unequal,
    "no_gaps": _gaps,
    "connected": _apart,
}
_FINDERS: dict[str, Callable[[SheetCheck, ScoredPlayer], Iterator[Breach]]] = {
    "check": _untrue,
    "value": _out_of_bounds,
    "sum": _wrong_sum,
    "count": _wrong_count,
}


def _ids(terms: Iterable[Compiled], player: ScoredPlayer) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for term in terms for name in term.ids(player)))


def named(term: Compiled) -> str:
    """The fields of an expression by their labels; any other expression as it is written."""
    if term.is_name:
        source = term.names[0]
        return f"“{source.label}”" if source.ids or source.name != "lines.*" else source.label
    return readable(term)
