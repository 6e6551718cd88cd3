"""A filled-in sheet: every mark by its field id, with the line on which it was typed.

The marks of grids and rows may be kept as they were typed, and are listed by field only when one of them
is first needed: a game that looks at whole rows needs no id for every box.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from ..codes import SetCode
from ..definitions.models import Card, Game, ScoreSheet
from ..definitions.values import Empty
from ..errors import Place

Value: TypeAlias = int | str
"""A number or a die's number is an int, a tick is True; names, choices and cards are texts."""

Rows: TypeAlias = Sequence[tuple[Value | None, ...]]
Typed: TypeAlias = tuple[int, Sequence[str], Rows]
"""A grid as it was typed: how many single marks came before it, the ids of its boxes, and its rows, the top one first.
A row of marks is a grid of one row; it may have fewer marks than ids."""


class LazyMarks(Mapping[str, Value]):
    """The marks of a sheet by field id, in the order they were typed: `single` are those beside the grids, which are
    kept by their ids."""

    __slots__ = ("_whole", "grids", "single")

    def __init__(self, single: dict[str, Value], grids: Mapping[str, Typed]) -> None:
        self.single, self.grids = single, grids
        self._whole: dict[str, Value] | None = None

    @property
    def blanks(self) -> frozenset[str]:
        """The boxes of the grids that are explicitly blank."""
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
        return iter(self._written())

    def __len__(self) -> int:
        return len(self._written())

    def _of(self, name: str) -> dict[str, Value]:
        """The dictionary that holds the mark with this id. Marks outside grids do not need the grids listed."""
        return self._written() if name.rpartition(".")[0] in self.grids else self.single

    def _written(self) -> dict[str, Value]:
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

    `codes` holds the set codes by the fields they were typed into, `code` is the first of them. `marks` holds the
    marks by field id, each parsed by the kind of its field (blank fields are left out). `entries` holds for every
    repeated group the ids of its filled-in entries (`players` → `players.1`, `players.2`), `rows` for every row of
    marks the numbers of the filled-in ones.
    `extra` is what the game reads beside the paper's fields, typed. `single_blanks` are the fields beside its `grids`
    that were typed as blank, where others were left out. `places` knows the line of every mark, group, row and entry;
    it is empty where a document of JSON stands on one line, which is then the place of everything. `people` says whose
    an entry is. `beside` is what was said beside the sheet, on the command line. `twice` holds the boxes that a list
    ticks more than once.
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
    beside: Mapping[str, str] = Empty
    single_blanks: frozenset[str] = frozenset()
    codes: Mapping[str, SetCode] = Empty
    twice: tuple[str, ...] = ()

    @property
    def single(self) -> Mapping[str, Value]:
        """The marks beside the grids that are kept as they were typed."""
        return self.marks.single if type(self.marks) is LazyMarks else self.marks

    @property
    def blanks(self) -> frozenset[str]:
        """The fields that were typed as blank, where others were left out."""
        return self.single_blanks | self.marks.blanks if type(self.marks) is LazyMarks else self.single_blanks

    @property
    def grids(self) -> Mapping[str, Typed]:
        """The grids and rows of marks that are kept as they were typed."""
        return self.marks.grids if type(self.marks) is LazyMarks else Empty

    def value(self, name: str) -> Value | None:
        return self.marks.get(name)

    def number(self, name: str) -> int | None:
        value = self.marks.get(name)
        return value if isinstance(value, int) else None

    def text(self, name: str) -> str:
        """The text in a field; empty if the field is blank."""
        value = self.marks.get(name)
        return value if isinstance(value, str) else ""

    def ticked(self, name: str) -> bool:
        return self.marks.get(name) is True

    def row(self, name: str) -> tuple[int | None, ...]:
        """The numbers of a row of marks, from 1 to the last one filled in; None is a blank."""
        last = max(self.rows.get(name, ()), default=0)
        return tuple(self.number(f"{name}.{number}") for number in range(1, last + 1))

    def ticks(self, name: str) -> frozenset[int]:
        """The numbers of the ticked ones of a row of ticks."""
        return frozenset(self.rows.get(name, ()))

    def place_of(self, name: str) -> Place:
        """The line of this id, or of the smallest part around it that has one."""
        while name:
            if name in self.places:
                return self.places[name]
            name = name.rpartition(".")[0]
        return self.place

    def player_of(self, name: str) -> str | None:
        """The player to whose part of the sheet this id belongs. A sheet of one player belongs to that player."""
        while name:
            if name in self.people:
                return self.people[name]
            name = name.rpartition(".")[0]
        return None if self.sheet.definition.players else self.text("player") or None
