"""Where the marks of a file belong on paper: a log that is longer than its sheet continues on the next sheet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TypeVar

from msgspec import Struct

from ..model.game import FieldFile
from ..sheets import FilledSheet

T = TypeVar("T")
Key = tuple[int, ...]
"""For each repeated group around a mark, how many full sheets of that group come before it."""


class PaperSheets(Struct, frozen=True):
    """The sheets of paper that a filled-in sheet needs: `keys` has one entry for each, in order, and `marks` the ids of
    all marks to write."""

    filled: FilledSheet
    marks: tuple[str, ...] = ()
    keys: tuple[Key, ...] = ()

    @property
    def count(self) -> int:
        return max(1, len(self.keys))

    def on(self, sheet: int, values: Mapping[str, T]) -> dict[str, T]:
        """The values that belong on one sheet, by the field ids of the paper. Names and codes are repeated on every
        sheet; other single fields are on the first one; groups that do not repeat, and claims, on the last one."""
        placed: dict[str, T] = {}
        for name, value in values.items():
            paper, key = self.place(name)
            slot = self.slot(paper)
            if slot and sheet in self._sheets_of(slot, key):
                placed.setdefault(slot, value)
        return placed

    def place(self, name: str) -> tuple[str, Key | None]:
        """The field id on the paper, and the key of its sheet; None for fields outside repeated groups."""
        parts, key, repeats = name.split("."), [], False
        fields: Mapping[str, FieldFile] = self.filled.sheet.definition.fields
        for place, part in enumerate(parts):
            spec = fields.get(part)
            if spec is None:
                continue
            fields = spec.fields or {}
            if spec.repeat and (spec.most or 0) > spec.repeat and place + 1 < len(parts) and parts[place + 1].isdigit():
                full_sheets, number = divmod(int(parts[place + 1]) - 1, spec.repeat)
                parts[place + 1], repeats = str(number + 1), True
                key.append(full_sheets)
        return ".".join(parts), tuple(key) if repeats else None

    def slot(self, name: str) -> str | None:
        """The slot of a field id: its own, or the first one in a group."""
        if name in self.filled.sheet.fields:
            return name
        return next(iter(self._inside(name)), None)

    def _inside(self, name: str) -> list[str]:
        return [field for field in self.filled.sheet.fields if field.startswith(f"{name}.")] if name else []

    def nearest(self, name: str) -> str | None:
        """The field id with a slot that is nearest to the id of a problem: its own, the first one inside it (of tick
        boxes the first ticked one), or the innermost group around it. None for what is not on the paper."""
        filled = self.filled
        paper = self.place(name)[0]
        if name.partition(".")[0] in filled.extra and name not in self.marks and not self.slot(paper):
            return None
        inside = self._inside(paper)
        if inside and all(filled.sheet.fields[field].kind == "tick" for field in inside):
            return next((mark for mark in self.marks if mark.startswith(f"{name}.")), inside[0])
        while name and not self.slot(self.place(name)[0]):
            name = name.rpartition(".")[0]
        return name or None

    def continuations(self) -> list[str]:
        """A sentence for each sheet after the first, saying where it continues."""
        sentences = []
        for sheet, key in enumerate(self.keys[1:], 2):
            first = next((name for name in self.marks if self.place(name)[1] == key), "")
            group, *rest = first.split(".")
            label = self.filled.sheet.definition.fields[group].label.lower() or group
            if rest and len(key) == 1 and self.place(first)[0] != first:
                sentences.append(f"Sheet {sheet} continues with {label} {self._first_number(group, key[0])}.")
        return sentences

    def _first_number(self, group: str, full_sheets: int) -> int:
        return full_sheets * (self.filled.sheet.definition.fields[group].repeat or 1) + 1

    def _sheets_of(self, slot: str, key: Key | None) -> Collection[int]:
        if key is not None:
            return (self.keys.index(key),) if key in self.keys else ()
        group, *rest = slot.split(".")
        if self.filled.sheet.definition.fields[group].fields is not None or "claimed" in rest:
            return (self.count - 1,)
        return range(self.count) if self.filled.sheet.fields[slot].kind in ("text", "code") else (0,)


def paper_sheets(filled: FilledSheet, marks: Iterable[str]) -> PaperSheets:
    """The sheets of paper that these marks of a filled-in sheet need."""
    unplaced = PaperSheets(filled, tuple(marks))
    return PaperSheets(filled, unplaced.marks, tuple(sorted(set(_keys(unplaced)))))


def _keys(sheets: PaperSheets) -> Iterator[Key]:
    for name in sheets.marks:
        paper, key = sheets.place(name)
        if key is not None and sheets.slot(paper):
            yield key
