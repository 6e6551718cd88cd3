"""What the boxes of a field say together: its possible marks, each with a probability."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import prod
from operator import itemgetter
from typing import NamedTuple

from msgspec import Struct

from ..pages.field_map import DIGITS, MappedField
from .cells import CellReading

BLANK = ""
UNREADABLE = "?"
"""The mark of a field that holds something other than what belongs there, or that only a person can read."""
SURE = 0.98
"""How probable a mark must be to be taken as read without a question."""

_BEAM, _KEPT, _LEAST = 24, 8, 1e-6
_WRONGLY_FILLED = 0.1
"""How probable it is that people write a mark which a field does not take, rather than that it was misread."""
_UNREAD = 0.25
"""The weight of “cannot be read” beside doubtful marks, which are asked about."""
_NUMBER = re.compile("-?[0-9]+")


class Possibility(NamedTuple):
    """A mark that a field may hold."""

    mark: str
    probability: float


class FieldReading(Struct, frozen=True):
    """A field as it was read from its cells: its `candidates`, the best one first. A person may have `confirmed` it."""

    field: MappedField
    cells: tuple[CellReading, ...]
    candidates: tuple[Possibility, ...]
    confirmed: bool = False

    @property
    def mark(self) -> str:
        return self.candidates[0].mark

    @property
    def probability(self) -> float:
        return self.candidates[0].probability

    @property
    def runner_up(self) -> Possibility:
        return self.candidates[1] if len(self.candidates) > 1 else Possibility(BLANK, 0.0)

    @property
    def is_text(self) -> bool:
        """Whether only a person can read it."""
        return self.cells[0].kind == "text"

    @property
    def is_sure(self) -> bool:
        return self.confirmed or (self.probability >= SURE and self.mark != UNREADABLE)


def field_reading(field: MappedField, cells: Sequence[CellReading]) -> FieldReading:
    """The reading of a field from those of its boxes, in their order."""
    return FieldReading(field, tuple(cells), ranked(_weights(field, cells)))


def ranked(weights: Mapping[str, float]) -> tuple[Possibility, ...]:
    """The marks with these weights as candidates: the best few, with probabilities that add up to 1."""
    total = sum(weights.values())
    best = sorted(weights.items(), key=lambda item: -item[1] * (_UNREAD if item[0] == UNREADABLE else 1))[:_KEPT]
    return tuple(Possibility(mark, weight / total) for mark, weight in best if weight > _LEAST * total)


def _weights(field: MappedField, cells: Sequence[CellReading]) -> Mapping[str, float]:
    if field.slot.marks:
        return _of_choice(field.slot.marks, [cell.probabilities for cell in cells])
    if len(cells) == 1:
        return {usual(field, mark): weight for mark, weight in cells[0].probabilities.items()}
    return _of_letters(field, [cell.probabilities for cell in cells])


def _of_choice(marks: Sequence[str], boxes: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
    """One of several boxes is marked, or none; two that are marked cannot be read."""
    blank = [box.get(BLANK, 0.0) for box in boxes]
    weights = {BLANK: prod(blank)}
    for number, (mark, box) in enumerate(zip(marks, boxes, strict=True)):
        weights[mark] = box.get("x", 0.0) * prod(blank[:number] + blank[number + 1 :])
    weights[UNREADABLE] = max(1 - sum(weights.values()), _LEAST)
    return weights


def _of_letters(field: MappedField, boxes: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
    """The texts that the boxes can spell, with blank boxes before and after them but not inside."""
    options = [[(letter or " ", chance) for letter, chance in box.items() if chance > _LEAST] for box in boxes]
    weights: dict[str, float] = defaultdict(float)
    for letters, weight in combinations(options, _BEAM):
        text = "".join(letters)
        mark = usual(field, text.strip())
        weights[mark] += weight if mark != UNREADABLE or UNREADABLE in text else weight * _WRONGLY_FILLED
    return weights


def combinations(options: Iterable[Sequence[tuple[str, float]]], most: int) -> list[tuple[tuple[str, ...], float]]:
    """The most probable combinations with one of each of some options, the best first."""
    best: list[tuple[tuple[str, ...], float]] = [((), 1.0)]
    for each in options:
        longer = [((*marks, mark), weight * chance) for (marks, weight), (mark, chance) in product(best, each)]
        best = sorted(longer, key=itemgetter(1), reverse=True)[:most]
    return best


def usual(field: MappedField, text: str) -> str:
    """The text as it would be typed, or UNREADABLE if the field does not take it."""
    if not text:
        return BLANK
    if UNREADABLE in text or " " in text:
        return UNREADABLE
    if field.marks == DIGITS:
        text = text.removeprefix("+")
        if not _NUMBER.fullmatch(text) or (field.span and int(text) not in field.span):
            return UNREADABLE
        return str(int(text))
    if isinstance(field.marks, str):
        return text
    listed = text in field.marks
    return (
        text if listed else next((mark for mark in field.marks if mark.lower() == text.lower().lstrip("0")), UNREADABLE)
    )


def by_field(cells: Iterable[CellReading]) -> Mapping[str, list[CellReading]]:
    """The cells of each field, in the order of its boxes."""
    grouped: dict[str, list[CellReading]] = defaultdict(list)
    for cell in cells:
        grouped[cell.field].append(cell)
    return {name: sorted(group, key=lambda cell: cell.box) for name, group in grouped.items()}
