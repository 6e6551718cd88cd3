"""The fields of a score sheet as steps, made once, that take plain data (`lines`) to a FilledSheet.

It reads what `reader` reads, as far as that is typed in one of the usual ways and nothing is wrong with it. Everything
else is `UnlikeError`, and `reader` reads it and says what is wrong. A test holds that both read the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .. import codes
from ..definitions.models import Empty, FieldFile, Game, ScoreSheet
from ..errors import InputError, Place
from . import marks
from .lines import Line, spelt
from .names import Names, listing_rows
from .nouns import FilledSheet, Mark, Reading
from .parts import LONGEST_KEY, UnlikeError, part
from .reader import HEADING, bare
from .written import Written

BLANK = ("", ".", "~", None)
"""What is nothing written, as plain data."""

_NOTHING_WRITTEN = object()
_MOST_KNOWN = 1000


@dataclass(slots=True, kw_only=True)
class Into(Written):
    """What has been read so far. On one line all marks have the same place, so equal ones can be one."""

    place: Place
    tick: Mark
    made: dict[Any, Mark]


Step = Callable[[Into, str, Any], None]
"""Reads the value of a field with this id."""


class Plan:
    """The steps for the sheets of one kind."""

    def __init__(self, game: Game, sheet: ScoreSheet, reading: Reading) -> None:
        self.game, self.sheet, self.reading = game, sheet, reading
        fields = sheet.definition.fields
        self.rows = listing_rows(sheet.definition)
        self.codes = [name for name, spec in fields.items() if spec.kind == "code"]
        self.cards = reading.cards(game, None)
        self.fields = _Fields(fields)
        self.parts = {name: part(name, kind) for name, kind in reading.extra.items()}
        self.aside = {*HEADING, *([reading.selects] if reading.selects else ())}

    def read(self, line: Line, beside: Mapping[str, str]) -> FilledSheet:
        """The line as a filled-in sheet; raises UnlikeError."""
        data, place = line.data, line.place
        into = Into(game=self.game, sheet=self.sheet, beside=beside, cards=self.cards, place=place,
                    tick=Mark(True, place), made={})
        if self.reading.paper is not as_typed:
            raise UnlikeError
        self._read_codes(into, data)
        for row in self.rows:
            into.names[row] = _names(row, data.get(row))
        for key, value in data.items():
            if key in self.parts and not self._is_one_mark(key, value):
                self._part(into, key, value)
            elif key not in self.aside:
                name, step = self.fields[key]
                if name != key:
                    self._refuse_another_spelling(name, key)
                step(into, name, value)
        filled = into.filled(place)
        if any(True for _ in self.reading.problems(filled)):
            raise UnlikeError
        return filled

    def _read_codes(self, into: Into, data: Mapping[str, Any]) -> None:
        for name in [name for name in data if name in self.codes and data[name] not in BLANK]:
            into.codes[name] = self._code(into, name, data[name])
        into.code = next(iter(into.codes.values()), None)
        if into.code:
            try:
                into.cards = self.reading.cards(self.game, into.code)
            except InputError:
                raise UnlikeError

    def _code(self, into: Into, name: str, value: Any) -> codes.SetCode:
        if type(value) is not str:
            raise UnlikeError
        try:
            code = codes.parse(value, prefix=self.game.definition.prefix, place=into.place)
        except InputError:
            raise UnlikeError
        kinds = [about.kind for about in self.game.draws.values() if about.field == name]
        if kinds and code.kind not in kinds:
            raise UnlikeError
        return code

    def _refuse_another_spelling(self, name: str, key: str) -> None:
        """Of what is looked up before the fields are read."""
        if name in self.rows or name in self.codes or bare(key) in self.parts or bare(key) in self.aside:
            raise UnlikeError

    def _part(self, into: Into, name: str, value: Any) -> None:
        if not _is_blank(value):
            into.extra[name] = self.parts[name](value, into.place, into.people)

    def _is_one_mark(self, name: str, value: Any) -> bool:
        """As in `reader`: whether a part has a field on the paper too, and marks were typed for that."""
        if name not in self.fields:
            return False
        spec = self.fields.spec(name)
        if not isinstance(value, list | dict):
            return True
        if not spec.fields or spec.repeat is not None:
            return False
        if type(value) is list:
            return not any(isinstance(entry, list | dict) for entry in value)
        return {*map(bare, value)} <= {*map(bare, spec.fields)}


class _Fields(dict[str, tuple[str, Step]]):
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


def _is_blank(value: Any) -> bool:
    return value is None or (type(value) is str and value in BLANK)


def _names(row: str, value: Any) -> Names:
    if _is_blank(value):
        return Names(row, {})
    if type(value) is not list or len(value) > 999:
        raise UnlikeError
    texts = ((number, spelt(entry)) for number, entry in enumerate(value, 1) if not _is_blank(entry))
    return Names(row, {number: text.strip() for number, text in texts if text is not None})


def _step(spec: FieldFile) -> Step:
    one = _group(spec) if spec.fields is not None else _mark(spec)
    many = spec.repeat if spec.fields is not None else spec.count
    if many is None:
        return one
    return _repeated(spec, one) if spec.fields is not None else _row(spec, one)


# ---- single marks --------------------------------------------------------------------------------------------------

def _mark(spec: FieldFile) -> Step:
    if spec.kind == "tick":
        return _tick(spec)
    if spec.kind in ("number", "die", "choice"):
        return _known(spec)
    return _free(spec)


def _value(spec: FieldFile, value: Any, cards: Mapping[str, Any]) -> Any:
    """The value of a mark; of one that cannot be read UnlikeError."""
    if _is_blank(value):
        return _NOTHING_WRITTEN
    text = spelt(value)
    if text is None:
        raise UnlikeError
    try:
        return marks.value(spec, text, cards)
    except marks.MarkError:
        raise UnlikeError


class _Values(dict[Any, Any]):
    """The values that few texts of one field can have, by those that were seen."""

    def __init__(self, spec: FieldFile) -> None:
        super().__init__()
        self.field = spec

    def __missing__(self, typed: Any) -> Any:
        value = _value(self.field, typed, Empty)
        if len(self) < _MOST_KNOWN:
            self[typed] = value
        return value


def _seen(values: _Values, typed: Any) -> Any:
    try:
        return values[typed]
    except TypeError:           # a list or mapping
        raise UnlikeError


def _known(spec: FieldFile) -> Step:
    values = _Values(spec)

    def read(into: Into, name: str, typed: Any) -> None:
        value = _seen(values, typed)
        if value is _NOTHING_WRITTEN:
            into.blanks.add(name)
        elif name in into.marks:
            raise UnlikeError
        else:
            into.marks[name] = into.made.get(value) or _made(into, value)

    return read


def _made(into: Into, value: Any) -> Mark:
    mark = into.made[value] = Mark(value, into.place)
    return mark


def _tick(spec: FieldFile) -> Step:
    values = _Values(spec)

    def read(into: Into, name: str, typed: Any) -> None:
        value = _seen(values, typed)
        if value is _NOTHING_WRITTEN:
            into.blanks.add(name)
        elif name in into.marks:
            raise UnlikeError
        elif value:
            into.marks[name] = into.tick

    return read


def _free(spec: FieldFile) -> Step:
    """Of texts, and of cards, which depend on the set."""
    listed = spec.by if spec.kind == "text" else None

    def read(into: Into, name: str, typed: Any) -> None:
        value = _value(spec, typed, into.cards)
        if value is _NOTHING_WRITTEN:
            into.blanks.add(name)
            return
        if listed:
            value = into.names[listed].meant(spelt(typed) or "")
        if name in into.marks or value is None:
            raise UnlikeError
        into.marks[name] = Mark(value, into.place)

    return read


# ---- groups --------------------------------------------------------------------------------------------------------

def _group(spec: FieldFile) -> Step:
    fields = _Fields(spec.fields or {})
    rows = _grid(spec, fields) if spec.across else _ticked(spec, fields)

    def read(into: Into, name: str, value: Any) -> None:
        if type(value) is dict:
            prefix = name + "."
            for key, inner in value.items():
                field, step = fields[key]
                step(into, prefix + field, inner)
        elif spec.zero and value == "0":
            into.marks[name] = Mark(0, into.place)
        elif not _is_blank(value):
            rows(into, name, value)

    return read


def _grid(spec: FieldFile, fields: _Fields) -> Step:
    """Rows of marks, as `grids` reads them; here a row is one text."""
    across, names = spec.across or 1, list(spec.fields or {})
    height = len(names) // across
    steps = [fields[name][1] for name in names]

    def read(into: Into, name: str, value: Any) -> None:
        if type(value) is not list or len(value) > height:
            raise UnlikeError
        first = (height - len(value)) * across
        for row in value:
            marks = _row_marks(row, across)
            for number, typed in enumerate(marks, first):
                steps[number](into, f"{name}.{names[number]}", typed)
            first += across

    return read


def _row_marks(row: Any, across: int) -> list[str]:
    if type(row) is not str or "," in row:
        raise UnlikeError
    pieces = row.split()
    if len(pieces) == across:
        return pieces
    if _is_blank(row):
        return [row] * across
    letters = list(row.strip())
    if len(pieces) != 1 or len(letters) != across:
        raise UnlikeError
    return letters


def _ticked(spec: FieldFile, fields: _Fields) -> Step:
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
        if _is_blank(value):
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
        if _is_blank(value):
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
