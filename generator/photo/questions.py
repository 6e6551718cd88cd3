"""Questions about what was doubtful, and what their answers say of the rest of the sheet.

A person writes the same character in much the same way throughout a sheet. Therefore doubtful characters that look
alike are asked about once, and every answer makes other characters that look like it more probable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from ..errors import InputError, Problem, did_you_mean
from .cells import CellReading
from .fields import BLANK, SURE, UNREADABLE, FieldReading, Possibility, field_reading, usual
from .hand import learnt, likeness
from .readings import SheetReading

_OFFERED = 4


class PhotoQuestion(Struct, frozen=True):
    """A question about what is in a field. `fields` are that field and others in which the same seems to be written;
    `marks` are the best readings, the most probable one first; there are none for a text that must be typed."""

    fields: tuple[str, ...]
    marks: tuple[str, ...]


def questions(reading: SheetReading) -> tuple[PhotoQuestion, ...]:
    """The questions about a sheet. First come those that settle most: doubts of their field, and of others in which the
    same characters are in doubt."""
    doubtful, asked = reading.doubtful, list[PhotoQuestion]()
    doubts = np.array([_doubt(each) for each in doubtful])
    settled = _settled_by(doubtful)
    left = [*range(len(doubtful))]
    while left:
        first = max(left, key=lambda number: float(settled[number] @ doubts))
        best, settles = doubtful[first], settled[first]
        left.remove(first)
        alike = [each for each in left if settles[each] and _same(best, doubtful[each])]
        left = [each for each in left if each not in alike]
        doubts = doubts * (1 - settles)
        marks = () if best.is_text else tuple(mark for mark, _ in best.candidates if mark != UNREADABLE)[:_OFFERED]
        asked.append(PhotoQuestion(tuple(doubtful[each].field.id for each in (first, *alike)), marks))
    return tuple(asked)


def _settled_by(doubtful: Sequence[FieldReading]) -> NDArray[np.float64]:
    """The share of the doubt about each field (columns) that an answer for another one (rows) settles."""
    shares = np.eye(len(doubtful))
    cells = [cell for each in doubtful for cell in each.cells]
    if cells:
        fields = [number for number, each in enumerate(doubtful) for _ in each.cells]
        unsure = [max(cell.probabilities.values()) < SURE for cell in cells]
        np.maximum.at(shares, np.ix_(fields, fields), np.minimum(3 * likeness(cells, cells), 1) * unsure)
    return shares


def _doubt(reading: FieldReading) -> float:
    """How much there is to settle. A text that only a person can read seldom decides a verdict."""
    return 0.01 if reading.is_text else 1.0 if reading.mark == UNREADABLE else 1 - reading.probability


def _same(one: FieldReading, other: FieldReading) -> bool:
    """Whether two fields have a single box, and the same mark is most probable in it."""
    return len(one.cells) == len(other.cells) == 1 and one.mark == other.mark


def answered(reading: SheetReading, answers: Mapping[str, str]) -> SheetReading:
    """The reading with the answers of a person: the marks of fields by their ids. Other doubtful characters that look
    like an answered one become more probable. Raises InputError for fields that are not on the pages seen, and for
    marks that they do not take."""
    if problems := [*problems_of(reading, answers)]:
        raise InputError(problems)
    fields = dict(reading.fields)
    for name, mark in answers.items():
        settled = Possibility(_settled(fields[name], mark), 1.0)
        fields[name] = replace(fields[name], candidates=(settled,), confirmed=True)
    known = [pair for each in fields.values() if each.confirmed for pair in _characters(each)]
    for name, each in fields.items():
        if known and not each.is_sure and not each.is_text:
            fields[name] = field_reading(each.field, learnt(each.cells, known))
    return replace(reading, fields=fields)


def _settled(each: FieldReading, mark: str) -> str:
    """An answer as it would be typed, or UNREADABLE if the field does not take it."""
    return mark.strip() if each.is_text else usual(each.field, mark.strip())


def problems_of(reading: SheetReading, answers: Mapping[str, str]) -> Iterator[Problem]:
    """Answers for fields that are not on the pages seen, and marks that they do not take."""
    for name, mark in answers.items():
        each = reading.fields.get(name)
        if each is None:
            yield Problem(
                f"there is no field “{name}” on the pages seen", reading.place, did_you_mean(name, reading.fields)
            )
        elif _settled(each, mark) == UNREADABLE:
            marks = each.field.marks
            hint = f"it takes {marks}" if isinstance(marks, str) else f"it takes {', '.join(marks)}, or nothing"
            yield Problem(f"“{mark}” cannot be in {name}", reading.place, hint)


def _characters(reading: FieldReading) -> Iterator[tuple[str, CellReading]]:
    """The characters of a field with the cells that they are in, if that is certain."""
    filled = [cell for cell in reading.cells if cell.glyph is not None and cell.probabilities.get(BLANK, 0.0) < 0.5]
    if len(filled) == len(reading.mark):
        yield from zip(reading.mark, filled, strict=True)
