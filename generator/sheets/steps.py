"""The steps that take the fields of a sheet from plain data (`lines`) to their marks, made once for each sheet.

Each reads what `reader` reads of its field, as far as that is typed in one of the usual ways and nothing is wrong with
it; everything else is UnlikeError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from ..definitions.models import Empty, FieldFile
from ..errors import Place
from . import marks
from .lines import BLANK, UnlikeError, spelt
from .names import Names
from .parts import LONGEST_KEY
from .reader import bare
from .written import Written

_NOTHING_WRITTEN = object()
_MOST_KNOWN = 4000
_LONGEST_KNOWN = 40
"""Letters of a text that is kept with what it means."""
_MOST_NAMES = 1000
_FEW = ("number", "die", "choice")
"""Kinds of which few texts can be read."""


@dataclass(slots=True, kw_only=True)
class Into(Written):
    """What has been read so far; `place` is that of the line."""

    place: Place


Step = Callable[[Into, str, Any], None]
"""Reads the value of a field with this id."""


class Fields(dict[str, tuple[str, Step]]):
    """The fields of a group with their steps, by their names as they may be typed."""

    def __init__(self, specs: Mapping[str, FieldFile]) -> None:
        super().__init__((name, (name, _step(spec))) for name, spec in specs.items())
        self.specs = specs

    def __missing__(self, key: str) -> tuple[str, Step]:
        name = next((name for name in self.specs if bare(name) == bare(key)), None)
        if name is None or len(key) > LONGEST_KEY or len(self) > _MOST_KNOWN:
            raise UnlikeError
        found = self[key] = self[name]
        return found

    def spec(self, key: str) -> FieldFile:
        return self.specs[self[key][0]]


def is_blank(value: Any) -> bool:
    return value is None or (type(value) is str and value in BLANK)


def _step(spec: FieldFile) -> Step:
    one = _group(spec) if spec.fields is not None else _mark(spec)
    many = spec.repeat if spec.fields is not None else spec.count
    if many is None:
        return one
    if spec.fields is not None:
        return _repeated(spec, one)
    return _few(spec) if spec.kind in _FEW and not spec.by else _row(spec, one)


# ---- single marks --------------------------------------------------------------------------------------------------

def _mark(spec: FieldFile) -> Step:
    if spec.kind in _FEW or spec.kind == "tick":
        return _known(spec)
    return _text(spec) if spec.kind == "text" else _free(spec)


def _value(spec: FieldFile, value: Any, cards: Mapping[str, Any]) -> Any:
    """The value of a mark; of one that cannot be read UnlikeError."""
    if is_blank(value):
        return _NOTHING_WRITTEN
    text = spelt(value)
    if text is None:
        raise UnlikeError
    try:
        return marks.value(spec, text, cards)
    except marks.MarkError:
        raise UnlikeError


class _Values(dict[Any, Any]):
    """The values that few texts of one field can have, by those that were seen. A list asked for is a TypeError."""

    def __init__(self, spec: FieldFile) -> None:
        super().__init__()
        self.spec = spec

    def __missing__(self, typed: Any) -> Any:
        value = _value(self.spec, typed, Empty)
        if len(self) < _MOST_KNOWN and (type(typed) is not str or len(typed) <= _LONGEST_KNOWN):
            self[typed] = value
        return value


def _known(spec: FieldFile) -> Step:
    """Of a number, a choice, or a tick, which says no by a value of None."""
    values = _Values(spec)

    def read(into: Into, name: str, typed: Any) -> None:
        try:
            value = values[typed]
        except TypeError:
            raise UnlikeError
        if value is _NOTHING_WRITTEN:
            into.blanks.add(name)
        elif name in into.marks:
            raise UnlikeError
        elif value is not None:
            into.marks[name] = value

    return read


def _text(spec: FieldFile) -> Step:
    by = spec.by

    def read(into: Into, name: str, typed: Any) -> None:
        if type(typed) is not str or typed in BLANK:
            typed = _value(spec, typed, Empty)
        if typed is _NOTHING_WRITTEN:
            into.blanks.add(name)
            return
        text = typed.strip()
        if len(text) > marks.LONGEST or not text.isprintable() or name in into.marks:
            raise UnlikeError
        meant = into.names[by].meant(typed) if by else text
        if meant is None:
            raise UnlikeError
        into.marks[name] = meant

    return read


def _free(spec: FieldFile) -> Step:
    """Of cards, which depend on the set, and of set codes."""
    def read(into: Into, name: str, typed: Any) -> None:
        value = _value(spec, typed, into.cards)
        if value is _NOTHING_WRITTEN:
            into.blanks.add(name)
        elif name in into.marks:
            raise UnlikeError
        else:
            into.marks[name] = value

    return read


# ---- groups --------------------------------------------------------------------------------------------------------

def _group(spec: FieldFile) -> Step:
    fields = Fields(spec.fields or {})
    rows = _grid(spec, fields) if spec.across else _ticked(spec, fields)

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


def _grid(spec: FieldFile, fields: Fields) -> Step:
    """Rows of marks, as `grids` reads them; here a row is one text, and all boxes take the same marks."""
    across, names, specs = spec.across or 1, list(fields.specs), list(fields.specs.values())
    first = specs[0]
    if len(names) % across or first.kind not in _FEW or first.count or {*map(_takes, specs)} != {_takes(first)}:
        return _nothing
    rows, known = _Rows(_Values(first), across), dict[str, list[str]]()

    def read(into: Into, name: str, value: Any) -> None:
        if type(value) is not list or len(value) * across > len(names):
            raise UnlikeError
        inner = known.get(name) or [f"{name}.{field}" for field in names]
        if len(known) < _MOST_NAMES:
            known[name] = inner
        try:
            typed = [*chain.from_iterable(map(rows.__getitem__, value))]
        except TypeError:
            raise UnlikeError
        _put(into, inner[len(inner) - len(typed):], typed)

    return read


class _Rows(dict[str, tuple[Any, ...]]):
    """The values of the rows of a grid, by the texts that were seen. A list asked for is a TypeError."""

    def __init__(self, of_marks: _Values, across: int) -> None:
        super().__init__()
        self.of_marks, self.across = of_marks, across

    def __missing__(self, text: Any) -> tuple[Any, ...]:
        if type(text) is not str or "," in text:
            raise UnlikeError
        found = tuple(map(self.of_marks.__getitem__, _row_marks(text, self.across)))
        if len(self) < _MOST_KNOWN and len(text) <= _LONGEST_KNOWN:
            self[text] = found
        return found


def _put(into: Into, names: list[str], values: list[Any]) -> None:
    """Writes many marks, or blanks."""
    made = {name: value for name, value in zip(names, values, strict=True) if value is not _NOTHING_WRITTEN}
    before = len(into.marks)
    into.marks.update(made)
    if len(into.marks) != before + len(made):
        raise UnlikeError
    if len(made) < len(values):
        into.blanks.update(set(names).difference(made))


def _takes(spec: FieldFile) -> tuple[Any, ...]:
    return spec.kind, spec.choices, spec.span, spec.count


def _nothing(into: Into, name: str, value: Any) -> None:
    raise UnlikeError


def _row_marks(row: str, across: int) -> list[str]:
    pieces = row.split()
    if len(pieces) == across:
        return pieces
    if row in BLANK:
        return [row] * across
    letters = list(row.strip())
    if len(pieces) != 1 or len(letters) != across:
        raise UnlikeError
    return letters


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


def _few(spec: FieldFile) -> Step:
    """A row of marks, given as a list."""
    most, values = spec.count or 0, _Values(spec)

    def read(into: Into, name: str, value: Any) -> None:
        if is_blank(value):
            return
        if type(value) is not list or len(value) > most or name in into.rows:
            raise UnlikeError
        try:
            found = [*map(values.__getitem__, value)]
        except TypeError:
            raise UnlikeError
        _put(into, [f"{name}.{number}" for number in range(1, len(found) + 1)], found)
        numbers = [number for number, one in enumerate(found, 1) if one is not _NOTHING_WRITTEN]
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
