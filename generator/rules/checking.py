"""Finds violations of the checks in a score sheet's YAML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Any

from ..definitions.sheet_rules import Check
from ..errors import listed
from ..expressions import Compiled, TooMuchError
from ..expressions.functions import connected, marked, total
from ..fast_dataclasses import NamedTuple
from .book import Rule, Violation
from .scoring import (
    Player,
    Table,
    all_values,
    and_,
    is_field,
    label_of,
    list_text,
    mark_text,
    readable,
    too_much,
)
from .terminal import number_text

_BOUND_WORDS = {"at_least": "at least", "at_most": "at most", "exactly": "exactly"}
_MAX_VIOLATIONS = 100
"""The maximum number of violations of one check by one player."""
_MAX_VIOLATIONS_IN_ALL = 1_000
"""The maximum number of violations of one check by all players."""
_MAX_MARKED = 12
"""The maximum number of fields that a violation of an expression marks."""


class Row(NamedTuple):
    """Values that are checked together, and the ids of their fields (empty for values that are not fields)."""

    values: Sequence[Any]
    ids: Sequence[str]
    across: int | None = None

    def where(self, *numbers: int) -> tuple[str, ...]:
        return tuple(self.ids[number] for number in numbers if number < len(self.ids))


Breach = tuple[tuple[str, ...], str]


def rule_text(check: Check) -> str:
    """A check in plain words."""
    if check.file.label:
        return check.file.label
    if check.file.message and not any(isinstance(part, Compiled) for part in check.message):
        return check.file.message
    fields = and_([named(term) for term in check.terms])
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
    return f"{_capital(texts[check.kind])}{condition}."


def violations(check: Check, rule: Rule, table: Table) -> Iterator[Violation]:
    """Every violation of one check, by each player if the check is about players."""
    is_own = any(term.own for term in check.parts) or not table.filled.sheet.definition.players
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


def _breaches(check: Check, rule: Rule, player: Player) -> Iterator[Violation]:
    if _has_blanks(check, player) or (check.condition and not check.condition.run(player)):
        return
    for number, (where, message) in enumerate(_FINDERS[check.kind](check, player)):
        if number >= _MAX_VIOLATIONS:
            return
        if player is player.table.nobody:
            where = tuple(name for name in where if not player.table.filled.player_of(name))
        text = _filled_in(check, player) if check.message else message
        yield rule(where or ((player.entry,) if player.entry else ()), text)


def _has_blanks(check: Check, player: Player) -> bool:
    """Whether a field that the check needs is still blank, so that there is nothing to check yet."""
    own_terms = () if check.kind in ("check", "value") else check.terms
    for term in check.parts:
        needed = _needed_names(term) if term not in own_terms else set()
        for source in term.names:
            is_mark = source.ids and not source.kind.many and source.kind.name != "yes"
            if is_mark and source.name in needed and source.run(player) is None:
                return True
    return False


_ABOUT_BLANKS = ("filled", "count", "everyone", "others", "place")
"""Functions whose arguments may be blank."""


def _needed_names(term: Compiled) -> set[str]:
    if term.node is None:
        return {term.names[0].name}
    names, nodes = set(), [term.node]
    while nodes:
        node = nodes.pop()
        if node.kind == "name":
            names.add(node.value)
        elif node.kind != "call" or node.value not in _ABOUT_BLANKS:
            nodes += node.parts
    return names


def _filled_in(check: Check, player: Player) -> str:
    """The message of a check with the values of its expressions."""
    words = []
    for part in check.message:
        if isinstance(part, str):
            words.append(part)
        else:
            value = part.run(player)
            words.append(", ".join(map(mark_text, value)) if part.kind.many else mark_text(value))
    return "".join(words)


# ---- rows -----------------------------------------------------------------------------------------------------------


def _rows(check: Check, player: Player) -> Iterator[Row]:
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


def _split(term: Compiled, player: Player) -> Iterator[Row]:
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


def _label(row: Row, number: int, player: Player) -> str:
    return label_of(player.table.filled, row.ids[number]) if number < len(row.ids) else f"value {number + 1}"


# ---- finding breaches -----------------------------------------------------------------------------------------------


def _untrue(check: Check, player: Player) -> Iterator[Breach]:
    term = check.terms[0]
    if not term.run(player):
        where, values = tuple(term.ids(player)[:_MAX_MARKED]), _values(term, player)
        if check.file.label:
            yield where, f"{check.file.label.rstrip('.')}{f' ({values})' if values else ''}"
        else:
            yield where, f"{readable(term, player)} is not true"


def _values(term: Compiled, player: Player) -> str:
    """The names in an expression with their values: `Apples 3, Crate 5 8 12`."""
    words = []
    for source in term.names:
        if not source.own or player is not player.table.nobody:
            value = source.run(player)
            words.append(f"{source.label} {list_text(value) if source.kind.many else mark_text(value)}")
    return ", ".join(words)


def _out_of_order(check: Check, player: Player) -> Iterator[Breach]:
    sign, word = (1, "rise") if check.kind == "rising" else (-1, "fall")
    for row in _rows(check, player):
        filled = [number for number, value in enumerate(row.values) if value is not None]
        for before, after in pairwise(filled):
            difference = sign * (row.values[after] - row.values[before])
            if difference < 0 or (check.file.strict and difference == 0):
                first, second = (
                    f"{_label(row, number, player)} is {number_text(row.values[number])}" for number in (after, before)
                )
                bound = "be at least" if sign > 0 else "be at most"
                must = f"must {word}" if check.file.strict else f"must {bound} that"
                yield row.where(after, before), f"{first}, but {second}: the numbers {must}"


def _repeated(check: Check, player: Player) -> Iterator[Breach]:
    for row in _rows(check, player):
        numbers: dict[Any, list[int]] = {}
        for number, value in enumerate(row.values):
            if value is not None:
                numbers.setdefault(value, []).append(number)
        for value, places in numbers.items():
            if len(places) > 1:
                labels = and_([_label(row, number, player) for number in places])
                yield row.where(*reversed(places)), f"{mark_text(value)} appears {_times(len(places))}: in {labels}"


def _unequal(check: Check, player: Player) -> Iterator[Breach]:
    for row in _rows(check, player):
        filled = [number for number, value in enumerate(row.values) if value is not None]
        for number in filled[1:]:
            if row.values[number] != row.values[filled[0]]:
                first, second = (
                    f"{_label(row, each, player)} is {mark_text(row.values[each])}" for each in (number, filled[0])
                )
                yield row.where(number, filled[0]), f"{first}, but {second}"
                break


def _gaps(check: Check, player: Player) -> Iterator[Breach]:
    for row in _rows(check, player):
        marks = [marked(value) for value in row.values]
        if True in marks and False in marks[: (last := len(marks) - 1 - marks[::-1].index(True))]:
            gap = marks.index(False)
            message = f"{_label(row, gap, player)} is blank, but {_label(row, last, player)} is filled in"
            yield row.where(last, gap), message


def _apart(check: Check, player: Player) -> Iterator[Breach]:
    for row in _rows(check, player):
        groups = sorted(connected(row.values, row.across or len(row.values), check.file.diagonal), key=len)
        player.spend(len(row.values))
        for group in groups[:-1]:
            squares = sorted(group)
            labels = listed(_label(row, number, player) for number in squares)
            verb = "are" if len(squares) > 1 else "is"
            yield row.where(*squares), f"{labels} {verb} not connected to the rest"


def _bounds(check: Check, player: Player) -> dict[str, Any]:
    return {key: term.run(player) or 0 for key, term in check.bounds.items()}


def _out_of_bounds(check: Check, player: Player) -> Iterator[Breach]:
    bounds = _bounds(check, player)
    for term in check.terms:
        for row in _split(term, player) if term.kind.many else [Row([term.run(player)], term.ids(player)[:1])]:
            for number, value in enumerate(row.values):
                if value is not None and (requirement := _requirement(value, bounds)):
                    label = _label(row, number, player) if is_field(term) else readable(term)
                    yield row.where(number), f"{label} is {number_text(value)}, but must be {requirement}"


def _wrong_sum(check: Check, player: Player) -> Iterator[Breach]:
    values = all_values(check.terms, player)
    requirement = _requirement(total(values), _bounds(check, player))
    if requirement and any(value is not None for value in values):
        fields = and_([named(term) for term in check.terms])
        yield (
            _ids(check.terms, player),
            f"the sum of {fields} is {number_text(total(values))}, but must be {requirement}",
        )


def _wrong_count(check: Check, player: Player) -> Iterator[Breach]:
    number = sum(map(marked, all_values(check.terms, player)))
    if requirement := _requirement(number, _bounds(check, player)):
        ids = _ids(check.terms, player)
        marked_ids = tuple(name for name in ids if marked(player.marks.get(name)))
        fields = and_([named(term) for term in check.terms])
        boxes = "1 box is" if number == 1 else f"{number} boxes are"
        yield marked_ids or ids, f"in {fields}, {boxes} marked, but there must be {requirement}"


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


_FINDERS: dict[str, Callable[[Check, Player], Iterator[Breach]]] = {
    "check": _untrue,
    "rising": _out_of_order,
    "falling": _out_of_order,
    "distinct": _repeated,
    "equal": _unequal,
    "no_gaps": _gaps,
    "connected": _apart,
    "value": _out_of_bounds,
    "sum": _wrong_sum,
    "count": _wrong_count,
}


# ---- words ----------------------------------------------------------------------------------------------------------


def _ids(terms: Iterable[Compiled], player: Player) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for term in terms for name in term.ids(player)))


def named(term: Compiled) -> str:
    """The fields of an expression by their labels; any other expression as it is written."""
    if is_field(term):
        source = term.names[0]
        return f"“{source.label}”" if source.ids or source.name != "lines.*" else source.label
    return readable(term)


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
