"""How a game customises the reading of its sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct, field

from .. import nodes
from ..draws import SetCode
from ..errors import Problem
from ..model.game import Asking as Asking
from ..model.game import Card, Game
from ..model.values import Empty
from .filled_sheet import FilledSheet


def _cards(game: Game, code: SetCode | None) -> Mapping[str, Card]:
    return {card.id: card for part in game.components.values() for card in part.cards}


def _no_problems(sheet: FilledSheet) -> Iterable[Problem]:
    return ()


def as_typed(node: nodes.Mapping, problems: list[Problem]) -> nodes.Mapping:
    return node


class Reading(Struct, frozen=True):
    """How a game customises the reading of its sheets.

    - `extra`: top-level keys that are not on paper, with the annotations by which they are read (`reading.typed`).
    - `cards`: returns the cards in play by id, for a set code or the standard set.
    - `problems`: yields the problems with the extra parts once the rest of the sheet is read.
    - `selects`: a key that names the score sheet, as `sheet` does.
    - `paper`: converts a file's longer notation into the marks on paper before anything is read, and adds to the
      problems whatever it cannot convert.
    """

    extra: Mapping[str, Any] = field(default_factory=lambda: Empty)
    cards: Callable[[Game, SetCode | None], Mapping[str, Card]] = _cards
    problems: Callable[[FilledSheet], Iterable[Problem]] = _no_problems
    selects: str = ""
    paper: Callable[[nodes.Mapping, list[Problem]], nodes.Mapping] = as_typed
