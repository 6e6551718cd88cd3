"""The steps that take the fields of a sheet from plain data (`lines`) to their marks, made once for each sheet.

Each reads what `reader` reads of its field, as far as that is typed in one of the usual ways and nothing is wrong with
it; everything else is UnlikeError.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..definitions.models import FieldFile
from . import marks, row_steps
from .lines import UnlikeError
from .mark_steps import FEW, MOST_KNOWN, Into, Step, is_blank, mark
from .names import Names
from .parts import LONGEST_KEY
from .reader import bare


class Fields(dict[str, tuple[str, Step]]):
    """The fields of a group with their steps, by their names as they may be typed."""

    def __init__(self, specs: Mapping[str, FieldFile]) -> None:
        super().__init__((name, (name, _step(spec))) for name, spec in specs.items())
        self.specs = specs

    def __missing__(self, key: str) -> tuple[str, Step]:
        name = next((name for name in self.specs if bare(name) == bare(key)), None)
        if name is None or len(key) > LONGEST_KEY or len(self) > MOST_KNOWN:
            raise UnlikeError
        found = self[key] = self[name]
        return found

    def spec(self, key: str) -> FieldFile:
        return self.specs[self[key][0]]


def _step(spec: FieldFile) -> Step:
    one = _group(spec) if spec.fields is not None else mark(spec)
    many = spec.repeat if spec.fields is not None else spec.count
    if many is None:
        return one
    if spec.fields is not None:
        return _repeated(spec, one)
    if spec.by:
        return _row(spec, one)
    if spec.kind == "tick":
        return row_steps.numbered_ticks(spec, _row(spec, one))
    return row_steps.few(spec) if spec.kind in FEW else _row(spec, one)


# ---- groups --------------------------------------------------------------------------------------------------------

def _group(spec: FieldFile) -> Step:
    fields = Fields(spec.fields or {})
    rows = (row_steps.grid(spec) or _nothing) if spec.across else _ticked(spec, fields)

    def read(into: Into, name: str, value: Any) -> None:
        if type(value) is dict:
            prefix = name + "."
            for key, inner in value.items():
                field, step = fields[key]
                step(into, prefix + field, inner)
        elif spec.zero and value == "0":
            into.marks[name] = 0
        elif not is_blank(value):
            rows(into, name, value)

    return read


def _nothing(into: Into, name: str, value: Any) -> None:
    raise UnlikeError


def _ticked(spec: FieldFile, fields: Fields) -> Step:
    """The names of the ticked ones, as `grids` reads them."""
    only_ticks = bool(spec.fields) and all(inner.kind == "tick" and not inner.count
                                           for inner in (spec.fields or {}).values())

    def read(into: Into, name: str, value: Any) -> None:
        if not only_ticks:
            raise UnlikeError
        for entry in value if type(value) is list else [value]:
            if type(entry) is not str or entry not in fields.specs:
                raise UnlikeError
            fields[entry][1](into, f"{name}.{entry}", "x")

    return read


# ---- groups that repeat, and rows of marks --------------------------------------------------------------------------

def _repeated(spec: FieldFile, one: Step) -> Step:
    most, by = spec.most or spec.repeat or 0, spec.by

    def read(into: Into, name: str, value: Any) -> None:
        if is_blank(value):
            return
        if name in into.groups:
            raise UnlikeError
        numbers = into.groups[name] = []
        marks = into.marks
        for number, entry in _entries(into, value, by, most):
            before, inner = len(marks), f"{name}.{number}"
            if by:
                into.people[inner] = into.names[by].name(number)
            one(into, inner, entry)
            if len(marks) > before:
                numbers.append(number)
        if not numbers:
            del into.groups[name]

    return read


def _row(spec: FieldFile, one: Step) -> Step:
    most, by, ticks = spec.count or 0, spec.by, spec.kind == "tick"

    def read(into: Into, name: str, value: Any) -> None:
        if is_blank(value) or value == []:
            return
        if name in into.rows:
            raise UnlikeError
        numbers = []
        for number, entry in _ticks(value, most) if ticks else _entries(into, value, by, most):
            inner = f"{name}.{number}"
            if by:
                into.people[inner] = into.names[by].name(number)
            one(into, inner, entry)
            if inner in into.marks:
                numbers.append(number)
        if numbers:
            into.rows[name] = numbers

    return read


def _entries(into: Into, value: Any, by: str | None, most: int) -> Iterator[tuple[int, Any]]:
    """The entries with their numbers: of a list, or listed by names."""
    if type(value) is list:
        if len(value) > most:
            raise UnlikeError
        return enumerate(value, 1)
    if type(value) is not dict or not by:
        raise UnlikeError
    return _by_names(into.names[by], value, most)


def _by_names(names: Names, value: dict[str, Any], most: int) -> Iterator[tuple[int, Any]]:
    seen = set()
    for key, entry in value.items():
        number = names.number(key)
        if number is None or not 1 <= number <= most or number in seen or len(key) > LONGEST_KEY:
            raise UnlikeError
        seen.add(number)
        yield number, entry


def _ticks(value: Any, most: int) -> Iterator[tuple[int, Any]]:
    """`[1, 3]` for a row of ticks means the first and the third one."""
    if type(value) is not list or len(value) > most:
        raise UnlikeError
    if not all(type(entry) is str and marks.is_number(entry) for entry in value):
        yield from enumerate(value, 1)
        return
    for entry in value:
        if not 1 <= int(entry) <= most:
            raise UnlikeError
        yield int(entry), "x"
