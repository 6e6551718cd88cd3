"""A filled-in sheet: every mark by its field id, with the line on which it was typed.

Grids and rows of marks may be kept as typed. They are expanded into fields only when one of their marks is first
needed: a game that checks whole rows does not need an id for every box.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from ..draws import SetCode
from ..errors import Place
from ..model.game import Card, Game, ScoreSheet
from ..model.values import Empty

Value: TypeAlias = int | str
"""Numbers and dice are ints, ticks are True; names, choices and cards are texts."""

Rows: TypeAlias = Sequence[tuple[Value | None, ...]]
Typed: TypeAlias = tuple[int, Sequence[str], Rows]
"""A grid as typed: the number of single marks before it, the ids of its boxes, and its rows, the top row first. A row
of marks is a grid with one row; it may have fewer marks than ids."""


class LazyMarks(Mapping[str, Value]):
    """The marks of a sheet by field id, in the order they were typed. `single` holds the marks outside the grids,
    `grids` the grids by their ids."""

    __slots__ = ("_whole", "grids", "single")

    def __init__(self, single: dict[str, Value], grids: Mapping[str, Typed]) -> None:
        self.single, self.grids = single, grids
        self._whole: dict[str, Value] | None = None

    @property
    def blanks(self) -> frozenset[str]:
        """The boxes of the grids that were typed as blank."""
        return frozenset(
            [
                name
                for _, names, rows in self.grids.values()
                for name, value in zip(names, chain.from_iterable(rows), strict=False)
                if value is None
            ]
        )

    def __getitem__(self, name: str) -> Value:
        return self._of(name)[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._of(name)

    def get(self, name: str, default: Value | None = None) -> Value | None:  # type: ignore[override]
        return self._of(name).get(name, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._expanded())

    def __len__(self) -> int:
        return len(self._expanded())

    def _of(self, name: str) -> dict[str, Value]:
        """The dictionary that holds the mark with this id. For a mark outside the grids, they are not expanded."""
        return self._expanded() if name.rpartition(".")[0] in self.grids else self.single

    def _expanded(self) -> dict[str, Value]:
        if self._whole is None:
            self._whole = dict(self._in_order())
        return self._whole

    def _in_order(self) -> Iterator[tuple[str, Value]]:
        single, done = [*self.single.items()], 0
        for before, names, rows in self.grids.values():
            yield from single[done:before]
            for name, value in zip(names, chain.from_iterable(rows), strict=False):
                if value is not None:
                    yield name, value
            done = before
        yield from single[done:]


class FilledSheet(NamedTuple):
    """A filled-in sheet of `game`.

    - `codes`: the set codes by the fields they were typed into; `code` is the first of them.
    - `marks`: the marks by field id, each parsed according to the kind of its field; blank fields are left out.
    - `entries`: the ids of the filled-in entries of each repeated group (`players` → `players.1`, `players.2`).
    - `rows`: the numbers of the filled-in marks of each row.
    - `extra`: the parts that are not on paper, parsed by the game's annotations.
    - `single_blanks`: the fields outside the `grids` that were typed as blank rather than left out.
    - `places`: the line of every mark, group, row and entry; empty for JSON on one line, where `place` is enough.
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
    single_blanks: frozenset[str] = frozenset()
    codes: Mapping[str, SetCode] = Empty
    repeated_ticks: tuple[str, ...] = ()

    @property
    def single(self) -> Mapping[str, Value]:
        """The marks outside the grids that are kept as typed."""
        return self.marks.single if type(self.marks) is LazyMarks else self.marks

    @property
    def blanks(self) -> frozenset[str]:
        """The fields that were typed as blank rather than left out."""
        return self.single_blanks | self.marks.blanks if type(self.marks) is LazyMarks else self.single_blanks

    @property
    def grids(self) -> Mapping[str, Typed]:
        """The grids and rows of marks that are kept as typed."""
        return self.marks.grids if type(self.marks) is LazyMarks else Empty

    def value(self, name: str) -> Value | None:
        """The mark in a field; None if the field is blank."""
        return self.marks.get(name)

    def number(self, name: str) -> int | None:
        """The number in a field; None if the field is blank."""
        value = self.marks.get(name)
        return value if isinstance(value, int) else None

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
        return None if self.sheet.definition.players else self.text("player") or None
