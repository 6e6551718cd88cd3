"""The parts of a sheet that have been read so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Any, TypeVar

from msgspec import Struct, field

from ..draws import SetCode
from ..errors import MAX_SHOWN, Place, did_you_mean, shortened
from ..model.game import FieldFile, Game, ScoreSheet
from ..model.values import Empty
from ..nodes import Scalar
from ..reading.typed import ProblemReport
from ..spelling import matching
from .filled_sheet import FilledSheet, LazyMarks, Typed, Value
from .names import Names
from .wording import printed_words

T = TypeVar("T")


class Draft(Struct, kw_only=True):
    """The parts read so far; most attributes are those of FilledSheet. `groups` and `rows` hold the numbers of
    filled-in entries, `names` the rows of names that other fields refer to. `grids` are the grids kept outside `marks`,
    and `apart` names those that may be kept there. `beside` counts the marks that were typed inside a player's entry
    but belong to a field beside its list. `located` is true if the values know their places; `report` collects the
    problems."""

    game: Game
    sheet: ScoreSheet
    report: ProblemReport
    located: bool
    apart: frozenset[str] = frozenset()
    options: Mapping[str, str] = field(default_factory=lambda: Empty)
    code: SetCode | None = None
    codes: dict[str, SetCode] = field(default_factory=dict)
    cards: Mapping[str, Any] = field(default_factory=lambda: Empty)
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
    repeated_ticks: dict[str, None] = field(default_factory=dict)
    beside: int = 0

    def bad(self, value: Any, message: str, hint: str = "") -> None:
        """Reports a problem with a value or key."""
        self.report.bad(value, message, hint)

    def hint(self, look_up: Callable[[], str]) -> str:
        """The hint for the next problem; empty once more problems have been found than will be printed."""
        return look_up() if len(self.report.problems) < MAX_SHOWN else ""

    def put_place(self, name: str, value: Any) -> None:
        """Records the place where a group, row or entry begins."""
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
            MappingProxyType(entries) if entries else Empty,
            MappingProxyType(rows) if rows else Empty,
            MappingProxyType(self.extra) if self.extra else Empty,
            MappingProxyType(self.places) if self.places else Empty,
            MappingProxyType(self.people) if self.people else Empty,
            self.options,
            frozenset(self.blanks),
            MappingProxyType(self.codes) if self.codes else Empty,
            tuple(self.repeated_ticks),
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
        """The full names of the players. The rest of the sheet may shorten them."""
        group = self.sheet.definition.players
        fields = [f"{entry}.name" for entry in entries.get(group, ())] if group else []
        fields += [f"players.{number}" for number in self.rows.get("players", ())]
        return dict.fromkeys(str(self.marks[name]) for name in fields if name in self.marks)

    def _complete_names(self, names: list[str]) -> None:
        """Replaces shortened names with the players' full names, both in `people` and in keys (`deal.A`)."""

        def full_name(typed: str) -> str:
            matches = matching(names, typed)
            return names[matches[0]] if len(matches) == 1 else typed

        self.people = {entry: full_name(name) for entry, name in self.people.items()}
        for part, entries in self.extra.items():
            keys = {key: full_name(key) for key in entries} if isinstance(entries, dict) else {}
            if {*keys.values()} <= {*names} and len({*keys.values()}) == len(keys):
                self.extra[part] = {keys[key]: entry for key, entry in entries.items()} if keys else entries
                for key, name in keys.items():
                    _rename(self.places, f"{part}.{key}", f"{part}.{name}")
                    _rename(self.people, f"{part}.{key}", f"{part}.{name}")


def unknown_key(
    draft: Draft, key: str, word: str, specs: Mapping[str, FieldFile], inside: str = "", others: Iterable[str] = ()
) -> None:
    """Reports a key that names no field of a group and none of the `others`. The hint lists what is printed."""
    prefix = f"{inside}: " if inside else ""
    known = [*printed_words(specs), *others]
    printed = [name for name in known if name.lower() not in specs]  # of “Star” and `star`, suggest the key
    hint = draft.hint(lambda: did_you_mean(quoted(word), [*printed, *specs], known))
    draft.bad(key, f"{prefix}unknown key “{quoted(word)}”", hint)


def quoted(text: str) -> str:
    """The typed text, shortened for messages."""
    return shortened(text, 40)


def _rename(by_id: dict[str, T], old: str, new: str) -> None:
    if old in by_id:
        by_id[new] = by_id.pop(old)
