"""Rows of names, such as the players. Other fields refer to them: `claimed: {Ann: 9}` is `claimed.1` on paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from msgspec import Struct

from ..model.game import FieldFile, SheetFile
from ..spelling import ambiguity, comparable, matching


class Names(Struct, frozen=True, dict=True):
    """One row of names, by their numbers."""

    row: str
    by_number: Mapping[int, str]

    @cached_property
    def listed(self) -> list[str]:
        return [*self.by_number.values()]

    def name(self, number: int) -> str:
        return self.by_number.get(number) or f"player {number}"

    def number(self, text: str) -> int | None:
        """The number of the name that a text matches; None if it matches none or several."""
        matches = matching(self.listed, text)
        distinct = {comparable(self.listed[index]) for index in matches}  # of two namesakes, the first
        return [*self.by_number][matches[0]] if len(distinct) == 1 else None

    def match(self, text: str) -> str | None:
        """The name that a text matches; None if it matches none or several."""
        number = self.number(text)
        return None if number is None else self.by_number[number]

    def ambiguity(self, text: str) -> str:
        """The message that a text matches several names; empty if it matches one or none."""
        return ambiguity(self.listed, text)


def listing_rows(definition: SheetFile) -> list[str]:
    """The keys of the rows that other fields refer to."""
    return list(dict.fromkeys(spec.by for top in definition.fields.values() for spec in _within(top) if spec.by))


def _within(spec: FieldFile) -> Iterator[FieldFile]:
    yield spec
    for inner in (spec.fields or {}).values():
        yield from _within(inner)
