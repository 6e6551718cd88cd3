"""Where on paper a typed mark would stand: groups that go on beyond their sheet go on on the next one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from ..definitions.models import FieldFile
from ..sheets import FilledSheet

T = TypeVar("T")
Key = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """The ids of a filled-in sheet on as many sheets of paper as it takes: `keys` are the sheets in their order, by how
    often each group that can go on has gone on. `marks` are the ids of all marks that are written."""

    filled: FilledSheet
    marks: tuple[str, ...] = ()
    keys: tuple[Key, ...] = ()

    @property
    def sheets(self) -> int:
        return max(1, len(self.keys))

    def on(self, sheet: int, found: Mapping[str, T]) -> dict[str, T]:
        """What stands on one sheet, by the ids of the paper. Names and codes are repeated on every sheet, all else
        that stands once is on the first; hands at the end, and what is claimed of the whole, are on the last."""
        made: dict[str, T] = {}
        for name, what in found.items():
            paper, key = self.place(name)
            slot = self.slot(paper)
            if slot and sheet in self._sheets_of(slot, key):
                made.setdefault(slot, what)
        return made

    def place(self, name: str) -> tuple[str, Key | None]:
        """The id on the paper, and the key of its sheet; None for what does not go on."""
        parts, key, goes_on = name.split("."), [], False
        fields: Mapping[str, FieldFile] = self.filled.sheet.definition.fields
        for place, part in enumerate(parts):
            spec = fields.get(part)
            if spec is None:
                continue
            fields = spec.fields or {}
            if spec.repeat and (spec.most or 0) > spec.repeat and place + 1 < len(parts) and parts[place + 1].isdigit():
                turn, number = divmod(int(parts[place + 1]) - 1, spec.repeat)
                parts[place + 1], goes_on = str(number + 1), True
                key.append(turn)
        return ".".join(parts), tuple(key) if goes_on else None

    def slot(self, name: str) -> str | None:
        """The slot of an id: its own, or for a group the first one in it."""
        if name in self.filled.sheet.fields:
            return name
        return next(iter(self._within(name)), None)

    def _within(self, name: str) -> list[str]:
        return [field for field in self.filled.sheet.fields if field.startswith(f"{name}.")] if name else []

    def nearest(self, name: str) -> str | None:
        """The id, of those that have a slot, nearest to what a finding is about: its own, the first in it (of ticks the
        first that is ticked), or one of what is around it; None for what is not on the paper."""
        filled = self.filled
        paper = self.place(name)[0]
        if name.partition(".")[0] in filled.extra and name not in self.marks and not self.slot(paper):
            return None
        inside = self._within(paper)
        if inside and all(filled.sheet.fields[field].kind == "tick" for field in inside):
            return next((mark for mark in self.marks if mark.startswith(f"{name}.")), inside[0])
        while name and not self.slot(self.place(name)[0]):
            name = name.rpartition(".")[0]
        return name or None

    def goes_on(self) -> list[str]:
        """In words, what stands on the sheets after the first."""
        told = []
        for sheet, key in enumerate(self.keys[1:], 2):
            first = next((name for name in self.marks if self.place(name)[1] == key), "")
            group, *rest = first.split(".")
            label = self.filled.sheet.definition.fields[group].label.lower() or group
            if rest and len(key) == 1 and self.place(first)[0] != first:
                told.append(f"Sheet {sheet} goes on with {label} {self._begins(group, key[0])}.")
        return told

    def _begins(self, group: str, turn: int) -> int:
        return turn * (self.filled.sheet.definition.fields[group].repeat or 1) + 1

    def _sheets_of(self, slot: str, key: Key | None) -> Collection[int]:
        if key is not None:
            return (self.keys.index(key),) if key in self.keys else ()
        group, *rest = slot.split(".")
        if self.filled.sheet.definition.fields[group].fields is not None or "claimed" in rest:
            return (self.sheets - 1,)
        return range(self.sheets) if self.filled.sheet.fields[slot].kind in ("text", "code") else (0,)


def spread(filled: FilledSheet, marks: Iterable[str]) -> Spread:
    """The sheets of paper that these marks of a filled-in sheet take."""
    alone = Spread(filled, tuple(marks))
    return Spread(filled, alone.marks, tuple(sorted(set(_keys(alone)))))


def _keys(alone: Spread) -> Iterator[Key]:
    for name in alone.marks:
        paper, key = alone.place(name)
        if key is not None and alone.slot(paper):
            yield key
