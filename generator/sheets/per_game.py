"""What a game adds to the reading of its sheets and to `pencilbox fill`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..codes import SetCode
from ..definitions import nodes
from ..definitions.models import Card, Game
from ..definitions.values import Empty
from ..errors import Problem
from .filled_sheet import FilledSheet


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
    `cards` gives the cards in play by id, for a set code or the standard set; `problems` yields what is wrong with the
    extra parts once the rest of the sheet is read. `selects` is a key that names the score sheet, as `sheet` does.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How `pencilbox fill` asks for a sheet. Parts are named by their keys, joined with dots.

    `order` lists the parts at the top that come first; `places` what is typed without its key on the line of a part;
    `when` the mark that a part depends on (`option`, `snake`; an empty text: anything; `not without`: anything else);
    `rest` the texts in which keys are words like any other; `later` the rules whose findings the rest of the sheet may
    mend, whatever they are about, and `by_rows` the grids of which a row can be judged as soon as the one below it is
    typed. `notes` and `examples` say of a part what it is and how a line of it is typed.
    """

    order: tuple[str, ...] = ()
    places: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: Empty)
    when: Mapping[str, tuple[str, str]] = field(default_factory=lambda: Empty)
    rest: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()
    by_rows: frozenset[str] = frozenset()
    notes: Mapping[str, str] = field(default_factory=lambda: Empty)
    examples: Mapping[str, str] = field(default_factory=lambda: Empty)
