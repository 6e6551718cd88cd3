"""Rows of names, such as the players. Other fields refer to them: `claimed: {Ann: 9}` is `claimed.1` on paper."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct

from ..model.game import FieldFile, SheetFile
from ..reading.typed import scalar_text
from ..spelling import ambiguity, comparable, matching, tidy
from .marks import by_commas, written


class Names(Struct, frozen=True, dict=True):
    """One row of names, by their numbers."""

    row: str
    by_number: Mapping[int, str]

    @cached_property
    def _names(self) -> list[str]:
        return [*self.by_number.values()]

    @cached_property
    def _numbers(self) -> list[int]:
        return [*self.by_number]

    @cached_property
    def _known(self) -> dict[str, int | None]:
        return {}

    def name(self, number: int) -> str:
        return self.by_number.get(number) or f"player {number}"

    def number(self, text: str) -> int | None:
        """The number of the name that a text matches; None if it matches none or several."""
        if text not in self._known:
            matches = matching(self._names, text)
            distinct = {comparable(self._names[index]) for index in matches}  # of two namesakes, the first
            self._known[text] = self._numbers[matches[0]] if len(distinct) == 1 else None
        return self._known[text]

    def match(self, text: str) -> str | None:
        """The name that a text matches; None if it matches none or several."""
        number = self.number(text)
        return None if number is None else self.by_number[number]

    def ambiguity(self, text: str) -> str:
        """The message that a text matches several names; empty if it matches one or none."""
        return ambiguity(self._names, text)


def read_names(data: Mapping[str, Any], rows: Collection[str], path_of: Callable[[str], list[str]]) -> dict[str, Names]:
    """The rows of names in a document. `path_of` splits a key into the name of its field and the rest."""
    typed: dict[str, dict[int, str]] = {row: {} for row in rows}
    for key, value in data.items():
        row, *path = path_of(key)
        if row in typed:
            typed[row].update(_numbered([(path[0], value)] if path else _listed(value)))
    return {row: Names(row, by_number) for row, by_number in typed.items()}


def listing_rows(definition: SheetFile) -> list[str]:
    """The keys of the rows that other fields refer to."""
    return list(dict.fromkeys(spec.by for top in definition.fields.values() for spec in _within(top) if spec.by))


def _within(spec: FieldFile) -> Iterator[FieldFile]:
    yield spec
    for inner in (spec.fields or {}).values():
        yield from _within(inner)


def _numbered(entries: Collection[tuple[str, Any]]) -> Iterator[tuple[int, str]]:
    for number, value in entries:
        if number.isdecimal() and len(number) < 4 and not isinstance(value, list | dict):
            text = written(value)
            if text is not None:
                yield int(number), tidy(text)


def _listed(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [*value.items()]
    entries = value if isinstance(value, list) else by_commas(written(value) or "")
    return [(str(number), entry) for number, entry in enumerate(entries, 1)]


def is_own_number(spec: FieldFile, name: str, key: str, typed: object) -> bool:
    """Whether this is the printed number of an entry of a list, such as `Turn: 2` in the second turn; `name` is the id
    of the entry."""
    labels = {label.casefold() for label in (spec.label, *spec.also)}
    return spec.repeat is not None and key.casefold() in labels and scalar_text(typed) == name.rpartition(".")[2]
