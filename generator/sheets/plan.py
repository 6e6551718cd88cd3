"""A score sheet as a plan, made once, that takes plain data (`lines`) to a FilledSheet, field by field (`steps`).

It reads what `reader` reads, as far as that is typed in one of the usual ways and nothing is wrong with it. Everything
else is UnlikeError, and `reader` reads it and says what is wrong. A test holds that both read the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .. import codes
from ..definitions.models import Game, ScoreSheet
from ..errors import InputError
from .lines import BLANK, Line, UnlikeError, spelt
from .mark_steps import Into, Step, is_blank
from .names import Names, listing_rows
from .nouns import FilledSheet, Reading, as_typed
from .parts import part
from .reader import HEADING, bare
from .steps import Fields


class _Keys(dict[str, tuple[str, Step]]):
    """What reads the value of each key, by those that were seen."""

    def __init__(self, reader: Callable[[str], tuple[str, Step]]) -> None:
        super().__init__()
        self.reader = reader

    def __missing__(self, key: str) -> tuple[str, Step]:
        found = self[key] = self.reader(key)             # which takes no more spellings than are kept
        return found


def _nothing(into: Into, name: str, value: Any) -> None:
    """Of what was read before the fields."""


class Plan:
    """The steps for the sheets of one kind."""

    def __init__(self, game: Game, sheet: ScoreSheet, reading: Reading) -> None:
        self.game, self.sheet, self.reading = game, sheet, reading
        fields = sheet.definition.fields
        self.rows = listing_rows(sheet.definition)
        self.codes = frozenset(name for name, spec in fields.items() if spec.kind == "code")
        self.cards = reading.cards(game, None)
        self.fields = Fields(fields)
        self.parts = {name: part(name, kind) for name, kind in reading.extra.items()}
        self.aside = {*HEADING, *([reading.selects] if reading.selects else ())}
        self.keys = _Keys(self._reader)
        self.as_typed = reading.paper is as_typed

    def read(self, line: Line, beside: Mapping[str, str]) -> FilledSheet:
        """The line as a filled-in sheet; raises UnlikeError."""
        data, place = line.data, line.place
        if not self.as_typed:
            raise UnlikeError
        into = Into(game=self.game, sheet=self.sheet, beside=beside, cards=self.cards, place=place,
                    apart=self.reading.grids)
        if not self.codes.isdisjoint(data):
            self._read_codes(into, data)
        for row in self.rows:
            into.names[row] = _names(row, data.get(row))
        keys = self.keys
        for key, value in data.items():
            name, step = keys[key]
            step(into, name, value)
        filled = into.filled(place)
        for _ in self.reading.problems(filled):
            raise UnlikeError
        return filled

    def _reader(self, key: str) -> tuple[str, Step]:
        """What reads the value of a key, and the id it has then."""
        if key in self.parts:
            return key, self._part_or_mark(key) if key in self.fields else self._part
        if key in self.aside:
            return key, _nothing
        name, step = self.fields[key]
        if name != key:
            self._refuse_another_spelling(name, key)
        return name, step

    def _part_or_mark(self, key: str) -> Step:
        _, step = self.fields[key]

        def read(into: Into, name: str, value: Any) -> None:
            (step if self._is_one_mark(name, value) else self._part)(into, name, value)

        return read

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
        """Of what is looked up before the fields are read, and of grids, which are not held against marks."""
        if (name in self.rows or name in self.codes or bare(key) in self.parts or bare(key) in self.aside
                or self.fields.spec(name).across):
            raise UnlikeError

    def _part(self, into: Into, name: str, value: Any) -> None:
        if not is_blank(value):
            into.extra[name] = self.parts[name](value, into.place, into.people)

    def _is_one_mark(self, name: str, value: Any) -> bool:
        """As in `reader`: whether marks were typed for the field on the paper, which a part has too."""
        spec = self.fields.spec(name)
        if not isinstance(value, list | dict):
            return True
        if not spec.fields or spec.repeat is not None:
            return False
        if type(value) is list:
            return not any(isinstance(entry, list | dict) for entry in value)
        return {*map(bare, value)} <= {*map(bare, spec.fields)}


def _names(row: str, value: Any) -> Names:
    if is_blank(value):
        return Names(row, {})
    if type(value) is not list or len(value) > 999:
        raise UnlikeError
    texts = ((number, spelt(entry)) for number, entry in enumerate(value, 1) if not is_blank(entry))
    return Names(row, {number: text.strip() for number, text in texts if text is not None})
