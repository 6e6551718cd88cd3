"""The parts of a sheet that have been read so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import Any, TypeVar

from ..codes import SetCode
from ..definitions.models import Game, ScoreSheet
from ..definitions.nodes import Scalar
from ..definitions.typed import Report
from ..definitions.values import Empty
from ..errors import MAX_SHOWN, Place
from ..spelling import meant
from .filled_sheet import FilledSheet, LazyMarks, Typed, Value
from .names import Names

T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class Draft:
    """As in FilledSheet; `groups` and `rows` hold the numbers of what is filled in, `names` the rows of names that
    other fields refer to. `grids` are those that are not among the marks, `apart` those that may be kept so. `located`
    says whether the values know their places, and `report` what is wrong with them."""

    game: Game
    sheet: ScoreSheet
    report: Report
    located: bool
    apart: frozenset[str] = frozenset()
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
    full: set[str] = field(default_factory=set)
    twice: dict[str, None] = field(default_factory=dict)

    def bad(self, value: Any, message: str, hint: str = "") -> None:
        """Reports a problem with a value or a key."""
        self.report.bad(value, message, hint)

    def hint(self, look_up: Callable[[], str]) -> str:
        """The hint for the next problem; empty once more problems have been found than will be printed."""
        return look_up() if len(self.report.problems) < MAX_SHOWN else ""

    def put_place(self, name: str, value: Any) -> None:
        """Records where a group, row or entry begins."""
        if self.located:
            self.places.setdefault(name, value.place)

    def scalar(self, text: str, value: Any) -> Scalar:
        """A text with the place of the value that it comes from."""
        return Scalar(text, self.report.place_of(value))

    def filled(self) -> FilledSheet:
        entries = self._entries() if self.groups else {}
        if entries or self.names or self.people:
            self._name_people(entries)
        rows = {name: tuple(sorted(numbers)) for name, numbers in self.rows.items()}
        return FilledSheet(
            self.game,
            self.sheet,
            self.report.place,
            self.code,
            self.cards,
            LazyMarks(self.marks, self.grids) if self.grids else MappingProxyType(self.marks),
            _fixed(entries),
            _fixed(rows),
            _fixed(self.extra),
            _fixed(self.places),
            _fixed(self.people),
            self.beside,
            frozenset(self.blanks),
            _fixed(self.codes),
            tuple(self.twice),
        )

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
        names = self._player_names(entries)
        if names and not names.keys() >= {*self.people.values()}:
            self._complete_names([*names])

    def _player_names(self, entries: Mapping[str, tuple[str, ...]]) -> dict[str, None]:
        """The names of the players, whom the rest of the sheet may name by a beginning."""
        group = self.sheet.definition.players
        named = [f"{entry}.name" for entry in entries.get(group, ())] if group else []
        named += [f"players.{number}" for number in self.rows.get("players", ())]
        return dict.fromkeys(str(self.marks[name]) for name in named if name in self.marks)

    def _complete_names(self, names: list[str]) -> None:
        """Replaces shortened names of players by the full ones, beside entries and as keys (`deal.A`)."""

        def whole(typed: str) -> str:
            found = meant(names, typed)
            return names[found[0]] if len(found) == 1 else typed

        self.people = {entry: whole(name) for entry, name in self.people.items()}
        for part, entries in self.extra.items():
            keys = {key: whole(key) for key in entries} if isinstance(entries, dict) else {}
            if {*keys.values()} <= {*names} and len({*keys.values()}) == len(keys):
                self.extra[part] = {keys[key]: entry for key, entry in entries.items()} if keys else entries
                for key, name in keys.items():
                    _rename(self.places, f"{part}.{key}", f"{part}.{name}")
                    _rename(self.people, f"{part}.{key}", f"{part}.{name}")


def _rename(written: dict[str, T], old: str, new: str) -> None:
    if old in written:
        written[new] = written.pop(old)


def _fixed(written: dict[str, T]) -> Mapping[str, T]:
    return MappingProxyType(written) if written else Empty
