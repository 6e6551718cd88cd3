"""A filled-in sheet: every mark by its field id, with the line on which it was typed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from ..draws import SetCode
from ..errors import Place
from ..model.game import Card, FieldFile, Game, ScoreSheet
from ..model.values import Empty

_NUMBER = re.compile("-?[0-9]{1,9}")
Value: TypeAlias = int | str
"""Numbers and dice are ints, ticks are True; names, choices and cards are texts."""


class FilledSheet(Struct, frozen=True):
    """A filled-in sheet of `game`.

    - `codes`: the set codes by the fields they were typed into; `code` is the first of them.
    - `marks`: the marks by field id, each parsed according to the kind of its field; blank fields are left out.
    - `entries`: the ids of the filled-in entries of each repeated group (`players` → `players.1`, `players.2`).
    - `rows`: the numbers of the filled-in marks of each row.
    - `extra`: the parts that are not on paper, parsed by the game's annotations.
    - `blanks`: the fields that were typed as blank rather than left out.
    - `places`: the line of every mark, group, row and entry.
    - `people`: the player that an entry belongs to.
    - `options`: options from the command line.
    - `repeated_ticks`: the boxes that a list ticks more than once.
    """

    game: Game
    sheet: ScoreSheet
    place: Place
    code: SetCode | None = None
    cards: Mapping[str, Card] = Empty
    marks: Mapping[str, Value] = Empty
    entries: Mapping[str, tuple[str, ...]] = Empty
    rows: Mapping[str, tuple[int, ...]] = Empty
    extra: Mapping[str, Any] = Empty
    places: Mapping[str, Place] = Empty
    people: Mapping[str, str] = Empty
    options: Mapping[str, str] = Empty
    blanks: frozenset[str] = frozenset()
    codes: Mapping[str, SetCode] = Empty
    repeated_ticks: tuple[str, ...] = ()

    def value(self, name: str) -> Value | None:
        """The mark in a field; None if the field is blank."""
        return self.marks.get(name)

    def spec(self, name: str) -> FieldFile | None:
        """The definition of a field; None if the sheet has no such field."""
        fields: Mapping[str, FieldFile] = self.sheet.definition.fields
        spec = None
        for part in (part for part in name.split(".") if not part.isdigit()):
            spec = fields.get(part)
            fields = (spec.fields if spec else None) or {}
        return spec

    def written(self, name: str) -> str:
        """A mark as it is written on paper: a cross for a tick, and the number of a player in a field that has room for
        a single character."""
        value, spec = self.marks[name], self.spec(name)
        if value is True:
            return "x"
        if spec is None or spec.kind != "text" or not spec.by or spec.length > 1:
            return str(value)
        entries = (at.removeprefix(f"{spec.by}.") for at, person in self.people.items() if person == value)
        return next(filter(str.isdecimal, entries), str(value))

    def number(self, name: str) -> int | None:
        """The number in a field, including a choice between numbers; None if the field is blank."""
        value, field = self.marks.get(name), self.sheet.fields.get(name)
        if isinstance(value, str):
            return int(value) if _NUMBER.fullmatch(value) and (not field or field.kind == "choice") else None
        return value

    def text(self, name: str) -> str:
        """The text in a field; empty if the field is blank."""
        value = self.marks.get(name)
        return value if isinstance(value, str) else ""

    def ticked(self, name: str) -> bool:
        """Whether a box is ticked."""
        return self.marks.get(name) is True

    def row(self, name: str) -> tuple[int | None, ...]:
        """The numbers of a row of marks, from 1 to the last one filled in; None is a blank."""
        last = max(self.rows.get(name, ()), default=0)
        return tuple(self.number(f"{name}.{number}") for number in range(1, last + 1))

    def ticks(self, name: str) -> frozenset[int]:
        """The numbers of the ticked boxes of a row."""
        return frozenset(self.rows.get(name, ()))

    def place_of(self, name: str) -> Place:
        """The line of this id, or of the smallest enclosing part that has one."""
        while name:
            if name in self.places:
                return self.places[name]
            name = name.rpartition(".")[0]
        return self.place

    def player_of(self, name: str) -> str | None:
        """The player whose part of the sheet contains this id. A single-player sheet belongs to its player."""
        while name:
            if name in self.people:
                return self.people[name]
            name = name.rpartition(".")[0]
        return None if self.sheet.definition.players else str(self.marks.get("player", "")) or None
