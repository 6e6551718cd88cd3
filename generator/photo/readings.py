"""A sheet as it was read from photos, judged as a whole.

The cells of a sheet are not independent: marks that follow the rules of the game are more probable than others. But
players make mistakes, in about one of twenty sums, so that a clear reading which breaks a rule is more probable than an
unlikely one which follows it. Therefore nothing is corrected cell by cell. Combinations of the few best readings of all
doubtful fields are weighed by how well they match the ink and by the rules that they break, and the probability of each
mark is that of all combinations that contain it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from ..errors import Place
from ..judging.judge import Judge, SheetView, check
from ..judging.questions import BlankForm
from ..model.game import Game
from ..nodes import Mapping as Node
from ..nodes import Scalar
from ..pages.field_map import FieldMap
from ..sheets import Document
from .fields import BLANK, UNREADABLE, FieldReading, ranked

_FIRST_MISTAKE, _MORE = 0.05, 0.4
"""How probable it is that players broke a rule, and each further one: a single mistake is often reported several times,
as in a sum and in the total of the sums."""
_NO_SHEET = 1e-3
_CLEAR = 0.999
_AT_ONCE, _COMBINATIONS = 8, 40
"""How many doubtful fields are weighed together, and in how many combinations."""


class Seen(Struct, frozen=True):
    """Where a page of a sheet was seen."""

    page: int
    photo: str


class SheetReading(Struct, frozen=True):
    """A sheet that was read: its game and field map, its layout and serial number (0: none), the pages that were seen,
    and the reading of each field on them. `name` is what messages call it: the photo, with a number if it is one of
    several."""

    game: Game
    map: FieldMap
    layout: int
    serial: int
    seen: tuple[Seen, ...]
    fields: Mapping[str, FieldReading]
    name: str

    @property
    def doubtful(self) -> list[FieldReading]:
        return [reading for reading in self.fields.values() if not reading.is_sure]

    @property
    def marks(self) -> dict[str, str]:
        """What was read, without blank and unreadable fields."""
        marks = {name: reading.mark for name, reading in self.fields.items()}
        return {name: mark for name, mark in marks.items() if mark not in (BLANK, UNREADABLE)}

    @property
    def place(self) -> Place:
        return Place(self.name)


def document(reading: SheetReading, form: BlankForm, marks: Mapping[str, str]) -> Document:
    """A sheet with these marks as if it had been typed. Players whose names only a person can read are numbered."""
    place = reading.place
    names = _unread_names(reading, form)
    pairs = [
        (Scalar(key, place), Scalar(text, place)) for key, text in (form.heading | names | dict(marks)).items() if text
    ]
    return Document(Node(pairs, place), place)


def _unread_names(reading: SheetReading, form: BlankForm) -> dict[str, str]:
    key = form.players.key if form.players else ""
    unread = (each.field for each in reading.fields.values() if each.mark == UNREADABLE and each.field.kind == "text")
    listed = (field.id for field in unread if field.length > 1 and key and field.id.split(".")[0] == key)
    return {name: " ".join(["Player", *filter(str.isdecimal, name.split("."))]) for name in listed}


class WholeSheet:
    """Weighs the readings of one sheet by the rules of its game."""

    def __init__(self, reading: SheetReading, form: BlankForm, judge: Judge) -> None:
        self.reading, self.form, self.judge = reading, form, judge
        self._weights: dict[tuple[tuple[str, str], ...], float] = {}

    def weighed(self) -> SheetReading:
        """The reading with the probabilities of its doubtful marks weighed against each other."""
        reading = self.reading
        doubtful = sorted(filter(_is_weighed, reading.fields.values()), key=lambda each: each.probability)
        best = reading.marks
        fields = dict(reading.fields)
        for start in range(0, len(doubtful), _AT_ONCE):
            group = doubtful[start : start + _AT_ONCE]
            for each in self._together(group, best):
                fields[each.field.id] = each
                best[each.field.id] = each.mark
        return replace(reading, fields=fields)

    def _together(self, group: Sequence[FieldReading], best: Mapping[str, str]) -> Iterator[FieldReading]:
        totals: list[dict[str, float]] = [defaultdict(float) for _ in group]
        for marks, weight in combinations(group):
            weight *= self._follows_rules(
                {**best, **{each.field.id: mark for each, mark in zip(group, marks, strict=True)}}
            )
            for total, mark in zip(totals, marks, strict=True):
                total[mark] += weight
        for each, total in zip(group, totals, strict=True):
            rare = {mark: chance for mark, chance in each.candidates if mark not in total}
            share = sum(total.values())
            yield replace(each, candidates=ranked(total | {mark: share * chance for mark, chance in rare.items()}))

    def _follows_rules(self, marks: Mapping[str, str]) -> float:
        """How probable it is that players write a sheet with these marks, as far as the rules can say."""
        known = {name: mark for name, mark in marks.items() if mark not in (BLANK, UNREADABLE)}
        key = tuple(sorted(known.items()))
        if key not in self._weights:
            view = self.judge.read(document(self.reading, self.form, known), "")
            self._weights[key] = _trusted(view) if isinstance(view, SheetView) else _NO_SHEET
        return self._weights[key]


def _trusted(view: SheetView) -> float:
    mistakes = sum(finding.severity == "error" for finding in check(view))
    return max(_FIRST_MISTAKE * _MORE ** (mistakes - 1), _NO_SHEET) if mistakes else 1.0


def _is_weighed(reading: FieldReading) -> bool:
    return not reading.confirmed and reading.probability < _CLEAR and len(reading.candidates) > 1


def combinations(group: Sequence[FieldReading]) -> Iterator[tuple[tuple[str, ...], float]]:
    """The most probable combinations of marks of these fields, the best first, with their probabilities."""
    options = [each.candidates for each in group]
    heap = [(-prod(each[0].probability for each in options), (0,) * len(group))]
    seen = {heap[0][1]}
    for _ in range(_COMBINATIONS):
        if not heap:
            return
        weight, places = heappop(heap)
        yield tuple(each[place].mark for each, place in zip(options, places, strict=True)), -weight
        for number, place in enumerate(places):
            after = (*places[:number], place + 1, *places[number + 1 :])
            if place + 1 < len(options[number]) and after not in seen:
                seen.add(after)
                better, worse = options[number][place].probability, options[number][place + 1].probability
                heappush(heap, (weight / better * worse, after))
