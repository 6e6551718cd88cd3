"""Rows of names that others are listed by: `claimed: {Ann: 9}` where the paper has `claimed.1`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ..definitions import nodes
from ..definitions.models import FieldFile, SheetFile
from ..definitions.nodes import Listing, Node, Scalar


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


def read_names(node: nodes.Mapping, definition: SheetFile) -> dict[str, Names]:
    """Every row of the sheet that others are listed by, as it is typed."""
    return {row: Names(row, dict(_typed(node, row))) for row in listing_rows(definition)}


def listing_rows(definition: SheetFile) -> list[str]:
    """The rows of the sheet that others are listed by."""
    return list(dict.fromkeys(spec.by for top in definition.fields.values() for spec in _within(top) if spec.by))


def _within(spec: FieldFile) -> Iterator[FieldFile]:
    yield spec
    for inner in (spec.fields or {}).values():
        yield from _within(inner)


def _typed(node: nodes.Mapping, row: str) -> Iterator[tuple[int, str]]:
    for key, value in node.pairs:
        name, _, number = key.text.strip().lower().partition(".")
        if name == row:
            listed = [(number, value)] if number else _listed(value)
            yield from ((int(text), one.text.strip()) for text, one in listed
                        if text.isdecimal() and len(text) < 4 and isinstance(one, Scalar) and not one.blank)


def _listed(node: Node) -> list[tuple[str, Node]]:
    if isinstance(node, nodes.Mapping):
        return [(key.text, value) for key, value in node.pairs]
    entries = node.entries if isinstance(node, Listing) else [node]
    return [(str(number), entry) for number, entry in enumerate(entries, 1)]
