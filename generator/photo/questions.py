"""Questions about what was doubtful, and what their answers say of the rest of the sheet.

A person writes a character in much the same way throughout a sheet: doubtful ones that look alike are asked about once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import itemgetter

from msgspec import Struct
from msgspec.structs import replace

from ..errors import InputError, Problem, did_you_mean
from .cells import CellReading
from .fields import BLANK, UNREADABLE, FieldReading, Possibility, field_reading, usual
from .hand import learnt, likeness
from .readings import SheetReading

_OFFERED = 4


class PhotoQuestion(Struct, frozen=True):
    """A question about a field, and others that seem to hold the same: the best readings, none for text to be typed."""

    fields: tuple[str, ...]
    marks: tuple[str, ...]


def questions(reading: SheetReading) -> tuple[PhotoQuestion, ...]:
    """The questions about a sheet. First come those that settle most: the sum of the doubts of their fields."""
    asked: list[tuple[float, PhotoQuestion]] = []
    left = sorted(reading.doubtful, key=_doubt, reverse=True)
    while left:
        first = left[0]
        alike = (each for each in left[1:] if len(first.cells) == len(each.cells) == 1 and first.mark == each.mark)
        group = [first, *(each for each in alike if likeness(first.cells, each.cells)[0, 0] > 0)]
        left = [each for each in left if not any(each is other for other in group)]
        marks = () if first.is_text else tuple(mark for mark, _ in first.candidates if mark != UNREADABLE)[:_OFFERED]
        question = PhotoQuestion(tuple(each.field.id for each in group), marks)
        asked.append((sum(map(_doubt, group)), question))
    return tuple(question for _, question in sorted(asked, key=itemgetter(0), reverse=True))


def _doubt(reading: FieldReading) -> float:
    """How much there is to settle. A text that only a person can read seldom decides a verdict."""
    return 0.01 if reading.is_text else 1.0 if reading.mark == UNREADABLE else 1 - reading.probability


def answered(reading: SheetReading, answers: Mapping[str, str]) -> SheetReading:
    """The reading with the answers of a person: the marks of fields by their ids. Doubtful characters that look like an
    answered one become more probable. Raises InputError for unknown fields, and for marks that they do not take."""
    if problems := [*problems_of(reading, answers)]:
        raise InputError(problems)
    fields = dict(reading.fields)
    for name, mark in answers.items():
        settled = Possibility(_settled(fields[name], mark), 1.0)
        fields[name] = replace(fields[name], candidates=(settled,), confirmed=True)
    pairs = (pair for each in fields.values() if each.confirmed for pair in _characters(each))
    known = [pair for pair in pairs if pair[0] not in "=≠"]  # a single stroke makes too little difference
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
