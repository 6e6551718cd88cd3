"""The steps that take many marks at once from plain data (`lines`) to their values: rows of marks, and grids of them.

What a row of a grid means is kept by its text and its place in the grid; so is the list of the ids of a row."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from ..definitions.models import FieldFile
from .lines import BLANK, UnlikeError
from .mark_steps import FEW, LONGEST_KNOWN, NOTHING_WRITTEN, Into, Step, Values, is_blank

_MOST_NAMES = 1000
_MOST_GRIDS = 100
_MOST_ROWS = 16_000
"""Rows of a grid that are kept, of all its places and names together."""

T = TypeVar("T")


class _Known(dict[str, T]):
    """What is made of names, kept for those that were seen first."""

    def __init__(self, make: Callable[[str], T], most: int = _MOST_NAMES) -> None:
        super().__init__()
        self.make, self.most = make, most

    def __missing__(self, name: str) -> T:
        made = self.make(name)
        if len(self) < self.most:
            self[name] = made
        return made


# ---- grids ---------------------------------------------------------------------------------------------------------

class _Grid:
    """What the rows of a grid have in common: its fields, how its marks are read, and how many rows may still be
    kept."""

    def __init__(self, spec: FieldFile) -> None:
        self.across, self.fields = spec.across or 1, list(spec.fields or ())
        self.values = Values((spec.fields or {})[self.fields[0]])
        self.left = _MOST_ROWS

    def rows(self, name: str) -> list[_Row]:
        """The rows of a grid with this id, the top one first."""
        ids = [f"{name}.{field}" for field in self.fields]
        return [_Row(self, ids[first:first + self.across]) for first in range(0, len(ids), self.across)]


class _Row(dict[str, tuple[dict[str, Any], list[str]]]):
    """One row of a grid: the marks in it and its blanks, by the texts that were seen. A list asked for is a
    TypeError."""

    def __init__(self, grid: _Grid, ids: list[str]) -> None:
        super().__init__()
        self.grid, self.ids = grid, ids

    def __missing__(self, text: Any) -> tuple[dict[str, Any], list[str]]:
        if type(text) is not str or "," in text:
            raise UnlikeError
        values = dict(zip(self.ids, map(self.grid.values.__getitem__, _row_marks(text, len(self.ids))), strict=True))
        found = ({name: value for name, value in values.items() if value is not NOTHING_WRITTEN},
                 [name for name, value in values.items() if value is NOTHING_WRITTEN])
        if self.grid.left and len(text) <= LONGEST_KNOWN:
            self.grid.left -= 1
            self[text] = found
        return found


def grid(spec: FieldFile) -> Step | None:
    """Rows of marks, as `grids` reads them; here a row is one text, and all boxes take the same marks. None for other
    grids."""
    specs = list((spec.fields or {}).values())
    first = specs[0]
    if len(specs) % (spec.across or 1) or first.kind not in FEW or first.count or any(
            _takes(one) != _takes(first) for one in specs):
        return None
    known = _Known(_Grid(spec).rows, _MOST_GRIDS)

    def read(into: Into, name: str, value: Any) -> None:
        rows = known[name]
        if type(value) is not list or len(value) > len(rows):
            raise UnlikeError
        marks, blanks, many = into.marks, into.blanks, len(into.marks)
        try:
            for row, text in zip(rows[len(rows) - len(value):], value, strict=True):
                written, blank = row[text]
                marks.update(written)
                many += len(written)
                if blank:
                    blanks.update(blank)
        except TypeError:
            raise UnlikeError
        if len(marks) != many:
            raise UnlikeError

    return read


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
    most, values = spec.count or 0, Values(spec)
    ids = _Known(partial(_numbered, most))

    def read(into: Into, name: str, value: Any) -> None:
        if is_blank(value):
            return
        if type(value) is not list or len(value) > most or name in into.rows:
            raise UnlikeError
        try:
            found = [*map(values.__getitem__, value)]
        except TypeError:
            raise UnlikeError
        numbers = _put(into, ids[name], found)
        if numbers:
            into.rows[name] = numbers

    return read


def _put(into: Into, names: list[str], values: list[Any]) -> list[int]:
    """Writes many marks, or blanks; gives the numbers of the marks."""
    written, marks = [], into.marks
    for number, value in enumerate(values):
        if value is NOTHING_WRITTEN:
            into.blanks.add(names[number])
        elif names[number] in marks:
            raise UnlikeError
        else:
            marks[names[number]] = value
            written.append(number + 1)
    return written


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
