"""What has been read of a sheet so far, until it is whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import Any, TypeVar

from ..codes import SetCode
from ..definitions.models import Empty, Game, ScoreSheet
from ..errors import Place
from .late import Marks, Typed, Value
from .names import Names
from .nouns import FilledSheet

T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class Written:
    """As in FilledSheet; `groups` and `rows` hold the numbers of what is filled in, `grids` the grids that are not
    among the marks, `names` the rows of names that others are listed by."""

    game: Game
    sheet: ScoreSheet
    beside: Mapping[str, str] = field(default_factory=lambda: Empty)
    code: SetCode | None = None
    codes: dict[str, SetCode] = field(default_factory=dict)
    cards: Mapping[str, Any] = field(default_factory=dict)
    marks: dict[str, Value] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)
    names: dict[str, Names] = field(default_factory=dict)
    groups: dict[str, list[int]] = field(default_factory=dict)
    rows: dict[str, list[int]] = field(default_factory=dict)
    grids: dict[str, Typed] = field(default_factory=dict)
    blanks: set[str] = field(default_factory=set)

    def filled(self, place: Place) -> FilledSheet:
        entries = self._entries() if self.groups else {}
        if entries or self.names:
            self._name_people(entries)
        rows = {name: tuple(sorted(numbers)) for name, numbers in self.rows.items()}
        return FilledSheet(
            self.game, self.sheet, place, self.code, self.cards,
            Marks(self.marks, self.grids) if self.grids else MappingProxyType(self.marks),
            _fixed(entries), _fixed(rows), _fixed(self.extra), _fixed(self.places), _fixed(self.people), self.beside,
            frozenset(self.blanks), _fixed(self.codes))

    def _entries(self) -> dict[str, tuple[str, ...]]:
        return {group: tuple([f"{group}.{n}" for n in sorted(numbers)]) for group, numbers in self.groups.items()}

    def _name_people(self, entries: Mapping[str, tuple[str, ...]]) -> None:
        players = self.sheet.definition.players
        for entry in entries.get(players, ()) if players else ():
            name = self.marks.get(f"{entry}.name")
            self.people[entry] = str(name) if name is not None else f"player {entry.rpartition('.')[2]}"
        for entry in chain.from_iterable(entries.values()):
            if f"{entry}.player" in self.marks:
                self.people[entry] = str(self.marks[f"{entry}.player"])
        for row in self.names.values():
            self.people.update({f"{row.row}.{number}": name for number, name in row.by_number.items()})


def _fixed(written: dict[str, T]) -> Mapping[str, T]:
    return MappingProxyType(written) if written else Empty
