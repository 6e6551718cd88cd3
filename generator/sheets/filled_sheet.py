"""What a filled-in sheet says: every mark by its field id, with the line it was typed on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..codes import SetCode
from ..definitions import nodes
from ..definitions.models import Card, Empty, Game, ScoreSheet
from ..errors import Place, Problem
from .lazy_marks import LazyMarks, Typed, Value


class FilledSheet(NamedTuple):
    """A filled-in sheet of `game`.

    `codes` holds the set codes by the fields they were typed into, `code` is the first of them. `marks` holds the
    marks by field id, each parsed by the kind of its field (blank fields are left out). `entries` holds for every
    repeated group the ids of its filled-in entries (`players` → `players.1`, `players.2`), `rows` for every row of
    marks the numbers of the filled-in ones.
    `extra` is what the game reads beside the paper's fields, typed. `single_blanks` are the fields beside its `grids`
    that were typed as blank, where others were left out. `places` knows the line of every mark, group, row and entry;
    it is empty where a document of JSON stands on one line, which is then the place of everything. `people` says whose
    an entry is. `beside` is what was said beside the sheet, on the command line.
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
        """The text in a field; empty where nothing was written."""
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
        """The line of this id, or of the nearest thing around it that has one."""
        while name:
            if name in self.places:
                return self.places[name]
            name = name.rpartition(".")[0]
        return self.place

    def player_of(self, name: str) -> str | None:
        """The player in whose part of the sheet this id lies; on one player's own sheet always that one."""
        while name:
            if name in self.people:
                return self.people[name]
            name = name.rpartition(".")[0]
        return None if self.sheet.definition.players else self.text("player") or None


def _cards(game: Game, code: SetCode | None) -> Mapping[str, Card]:
    return {card.id: card for part in game.components.values() for card in part.cards}


def _nothing(sheet: FilledSheet) -> Iterable[Problem]:
    return ()


def as_typed(node: nodes.Mapping, problems: list[Problem]) -> nodes.Mapping:
    return node


@dataclass(frozen=True, slots=True)
class Reading:
    """What a game adds to the reading of its sheets.

    `extra` maps top-level keys that are not on the paper to the annotation they are read by (`definitions.typed`);
    `cards` gives the cards in play by id, for a set code or the standard set; `problems` tells what is wrong with the
    extra parts once the rest of the sheet is known. `selects` is a key that names the score sheet, as `sheet` does.
    `paper` turns what a file may write out at length into the marks that stand on the paper, before anything is read,
    and adds what it cannot to the problems. `grids` are the grids and rows of marks that the game looks at as a whole;
    they may be kept as they were typed.
    """

    extra: Mapping[str, Any] = field(default_factory=lambda: Empty)
    cards: Callable[[Game, SetCode | None], Mapping[str, Card]] = _cards
    problems: Callable[[FilledSheet], Iterable[Problem]] = _nothing
    selects: str = ""
    paper: Callable[[nodes.Mapping, list[Problem]], nodes.Mapping] = as_typed
    grids: frozenset[str] = frozenset()
