"""A sheet as it was read from photos, judged as a whole.

Marks that follow the rules of the game are more probable than others. But players make mistakes, in about one of twenty
sums. Therefore combinations of the best readings of all doubtful fields are weighed by how well they match the ink and
by the rules that they break, and the probability of each mark is that of all combinations that contain it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import and_

from msgspec import Struct
from msgspec.structs import replace

from ..errors import Place
from ..sheets import Document
from .accepted import NOT_TAKEN, Accepted, document_of
from .fields import BLANK, UNREADABLE, FieldReading, combinations, ranked

_FIRST_MISTAKE, _MORE = 0.05, 0.4
"""How probably players break a rule, and each further one: a mistake is often in both a sum and a total."""
_NO_SHEET = 1e-3
_NO_WORD = 0.05
"""How probable it is that players write what is not a word."""
_CLEAR, _RARE = 0.999, 1e-4
_AT_ONCE, _COMBINATIONS, _TOO_RARE = 8, 40, 1e-3
"""The most doubtful fields and combinations that are weighed together, and the least probability beside the best."""


class SheetReading(Struct, frozen=True):
    """The reading of each field on the pages seen of a sheet. `name` is what messages call it."""

    fields: Mapping[str, FieldReading]
    name: str

    @property
    def doubtful(self) -> list[FieldReading]:
        return [reading for reading in self.fields.values() if not reading.is_sure]

    @property
    def marks(self) -> dict[str, str]:
        """What was read, without blank and unreadable fields."""
        return readable({name: reading.mark for name, reading in self.fields.items()})

    @property
    def place(self) -> Place:
        return Place(self.name)


def readable(marks: Mapping[str, str]) -> dict[str, str]:
    return {name: mark for name, mark in marks.items() if mark not in (BLANK, UNREADABLE)}


def document(reading: SheetReading, accepted: Accepted, marks: Mapping[str, str]) -> Document:
    """A sheet with these marks as if it had been typed. Players whose names only a person can read are numbered."""
    return document_of(accepted.form, accepted.numbered(reading.fields) | readable(marks), reading.place)


class WholeSheet:
    """Weighs the readings of one sheet by the rules of its game."""

    def __init__(self, reading: SheetReading, accepted: Accepted) -> None:
        self.reading, self.accepted = reading, accepted
        self._counted: dict[tuple[tuple[str, str], ...], Counter[str] | None] = {}

    def weighed(self) -> SheetReading:
        """The reading with the probabilities of its doubtful marks weighed against each other."""
        fields = {name: self._accepted(each) for name, each in self.reading.fields.items()}
        reading = replace(self.reading, fields=fields)
        doubtful = sorted(
            (each for each in fields.values() if each.probability < _CLEAR), key=lambda each: each.probability
        )
        best = reading.marks
        for start in range(0, len(doubtful), _AT_ONCE):
            group = doubtful[start : start + _AT_ONCE]
            for each in self._together(group, best):
                fields[each.field.id] = each
                best[each.field.id] = each.mark
        return replace(reading, fields=fields)

    def _accepted(self, each: FieldReading) -> FieldReading:
        """A text with the words that it may be, and with less weight on what the field cannot hold."""
        if each.confirmed or each.is_text or isinstance(each.field.marks, tuple):
            return each
        weights: dict[str, float] = defaultdict(float)
        for mark, chance in each.candidates:
            taken = chance < _RARE or self.accepted.takes(each.field, mark)
            weights[mark if taken else UNREADABLE] += chance if taken else chance * NOT_TAKEN
        if words := self.accepted.spelled(each.field, each.cells):
            for mark in weights.keys() - words.keys() - {BLANK}:
                weights[mark] *= NOT_TAKEN if mark == UNREADABLE else _NO_WORD
            for mark, chance in words.items():
                weights[mark] = max(weights[mark], chance)
        return replace(each, candidates=ranked(weights))

    def _together(self, group: Sequence[FieldReading], best: Mapping[str, str]) -> Iterator[FieldReading]:
        totals: list[dict[str, float]] = [defaultdict(float) for _ in group]
        possible = combinations([each.candidates for each in group], _COMBINATIONS)
        possible = [pair for pair in possible if pair[1] >= _TOO_RARE * possible[0][1]]
        names = [each.field.id for each in group]
        broken = [self._broken({**best, **dict(zip(names, marks, strict=True))}) for marks, _ in possible]
        for (marks, weight), trust in zip(possible, _trust(broken), strict=True):
            weight *= trust
            for total, mark in zip(totals, marks, strict=True):
                total[mark] += weight
        for each, total in zip(group, totals, strict=True):
            rare = {mark: chance for mark, chance in each.candidates if mark not in total}
            share = sum(total.values())
            yield replace(each, candidates=ranked(total | {mark: share * chance for mark, chance in rare.items()}))

    def _broken(self, marks: Mapping[str, str]) -> Counter[str] | None:
        """How often a sheet with these marks breaks each rule; None if it cannot be understood."""
        key = tuple(sorted(readable(marks).items()))
        if key not in self._counted:
            words = self.accepted.words_beside(dict(key))
            written = self.accepted.numbered(self.reading.fields) | words | dict(key)
            self._counted[key] = self.accepted.broken(written, self.reading.place)
        return self._counted[key]


def _trust(sheets: Sequence[Counter[str] | None]) -> Iterator[float]:
    """How probable it is that players write each of these sheets, by the rules that it breaks more often than others. A
    rule that all of them break says less: perhaps it depends on a page that was not photographed."""
    understood = [broken for broken in sheets if broken is not None]
    least = reduce(and_, understood) if understood else Counter[str]()
    for broken in sheets:
        if broken is None:
            yield _NO_SHEET
        else:
            more = broken - least
            yield _MORE ** more.total() * (_FIRST_MISTAKE / _MORE if more.keys() - least.keys() else 1)
