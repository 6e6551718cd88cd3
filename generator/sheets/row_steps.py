"""The steps that take many marks at once from plain data (`lines`) to their values: rows of marks, and grids of them.
Those that their game looks at as a whole are kept `apart` as they were typed (`late`).

What a row of a grid means is kept by its text, and the ids of its boxes by the id of the grid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Any, TypeVar

from ..definitions.models import FieldFile
from .lines import BLANK, UnlikeError
from .mark_steps import FEW, LONGEST_KNOWN, MOST_KNOWN, Into, Step, Values, is_blank

_MOST_NAMES = 1000

T = TypeVar("T")


class _Known(dict[str, T]):
    """What is made of names, kept for those that were seen first."""

    def __init__(self, make: Callable[[str], T]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, name: str) -> T:
        made = self.make(name)
        if len(self) < _MOST_NAMES:
            self[name] = made
        return made


# ---- grids ---------------------------------------------------------------------------------------------------------

class _Rows(dict[str, tuple[Any, ...]]):
    """The values of the rows of a grid, by the texts that were seen. A list asked for is a TypeError."""

    def __init__(self, values: Values, across: int) -> None:
        super().__init__()
        self.of_marks, self.across = values, across

    def __missing__(self, text: Any) -> tuple[Any, ...]:
        if type(text) is not str or "," in text:
            raise UnlikeError
        found = tuple(map(self.of_marks.__getitem__, _row_marks(text, self.across)))
        if len(self) < MOST_KNOWN and len(text) <= LONGEST_KNOWN:
            self[text] = found
        return found


def grid(spec: FieldFile) -> Step | None:
    """Rows of marks, as `grids` reads them; here a row is one text, and all boxes take the same marks. None for other
    grids."""
    fields, across = spec.fields or {}, spec.across or 1
    first = next(iter(fields.values()))
    if len(fields) % across or first.kind not in FEW or first.count or any(
            _takes(one) != _takes(first) for one in fields.values()):
        return None
    rows, ids = _Rows(Values(first, None), across), _Known(lambda name: [f"{name}.{field}" for field in fields])

    def read(into: Into, name: str, value: Any) -> None:
        inner = ids[name]
        if type(value) is not list or len(value) * across > len(inner):
            raise UnlikeError
        try:
            typed = [*map(rows.__getitem__, value)]
        except TypeError:
            raise UnlikeError
        inner = inner[len(inner) - len(typed) * across:]
        if name in into.apart:
            into.grids[name] = len(into.marks), inner, typed
        else:
            _put(into, inner, [*chain.from_iterable(typed)])

    return read


def _put(into: Into, ids: list[str], values: Sequence[Any]) -> None:
    """Writes many marks; None is a blank."""
    marks = into.marks
    many = len(marks) + len(values)
    marks.update(zip(ids, values, strict=True))
    if len(marks) != many:
        raise UnlikeError
    if None in values:
        for name in (blank := [name for name, value in zip(ids, values, strict=True) if value is None]):
            del marks[name]
        into.blanks.update(blank)


def _takes(spec: FieldFile) -> tuple[Any, ...]:
    return spec.kind, spec.choices, spec.span, spec.count


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


# ---- rows ----------------------------------------------------------------------------------------------------------

def _numbered(most: int, name: str) -> list[str]:
    return [f"{name}.{number}" for number in range(1, most + 1)]


def few(spec: FieldFile) -> Step:
    """A row of marks, given as a list."""
    most, values = spec.count or 0, Values(spec, None)
    ids = _Known(partial(_numbered, most))

    def read(into: Into, name: str, value: Any) -> None:
        if is_blank(value):
            return
        if type(value) is not list or len(value) > most or name in into.rows:
            raise UnlikeError
        try:
            found = tuple(map(values.__getitem__, value))
        except TypeError:
            raise UnlikeError
        if name not in into.apart:
            _put(into, ids[name][:len(found)], found)
        elif name in into.grids:
            raise UnlikeError
        else:
            into.grids[name] = len(into.marks), ids[name], (found,)
        if numbers := [number for number, one in enumerate(found, 1) if one is not None]:
            into.rows[name] = numbers

    return read


def numbered_ticks(spec: FieldFile, otherwise: Step) -> Step:
    """A row of ticks, given as the numbers of the ticked ones: `[1, 3]`. All others are read `otherwise`."""
    most = spec.count or 0
    numbers = {str(number): number for number in range(1, most + 1)}
    ids = _Known(partial(_numbered, most))

    def read(into: Into, name: str, value: Any) -> None:
        try:
            found = [numbers[entry] for entry in value] if type(value) is list and len(value) <= most else []
        except (TypeError, KeyError):
            found = []
        if not found or name in into.rows or len({*found}) < len(found):
            otherwise(into, name, value)
            return
        into.rows[name], row = found, ids[name]
        for number in found:
            if row[number - 1] in into.marks:
                raise UnlikeError
            into.marks[row[number - 1]] = True

    return read
