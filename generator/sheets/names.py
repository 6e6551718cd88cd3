"""Rows of names that others are listed by: `claimed: {Ann: 9}` where the paper has `claimed.1`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..definitions.models import FieldFile, SheetFile
from .marks import written


@dataclass(frozen=True)
class Names:
    """One row of names, by their numbers."""

    row: str
    by_number: Mapping[int, str]

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {name.casefold(): number for number, name in reversed([*self.by_number.items()])}

    def name(self, number: int) -> str:
        return self.by_number.get(number) or f"player {number}"

    def number(self, text: str) -> int | None:
        """The number of a name, in either case; None for one that is not in the row."""
        return self._numbers.get(text.strip().casefold())

    def meant(self, text: str) -> str | None:
        """The name that a text stands for: itself, or the only one that begins so."""
        number = self.number(text)
        if number is not None:
            return self.by_number[number]
        begun = [name for name in self.by_number.values() if name.casefold().startswith(text.strip().casefold())]
        return begun[0] if len(begun) == 1 else None


def read_names(data: Mapping[str, Any], rows: Collection[str]) -> dict[str, Names]:
    """The rows of a document that others are listed by, as they are typed."""
    typed: dict[str, dict[int, str]] = {row: {} for row in rows}
    for key, value in data.items():
        row, _, number = (key, "", "") if key in typed else key.strip().lower().partition(".")
        if row in typed:
            typed[row].update(_numbered([(number, value)] if number else _listed(value)))
    return {row: Names(row, by_number) for row, by_number in typed.items()}


def listing_rows(definition: SheetFile) -> list[str]:
    """The rows of the sheet that others are listed by."""
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
                yield int(number), text.strip()


def _listed(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [*value.items()]
    return [(str(number), entry) for number, entry in enumerate(value if isinstance(value, list) else [value], 1)]
