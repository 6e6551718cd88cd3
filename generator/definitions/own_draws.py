"""The random draws of your own game, checked and ready to draw (`draw_rules`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ..expressions import Compiled
from ..fast_dataclasses import NamedTuple, dataclass
from .draw_files import OwnDrawFile

FINGERPRINT_BITS = 20
DrawKind = Literal["shuffle", "pick", "rows", "dice"]


@dataclass(frozen=True, slots=True)
class Plan:
    """A draw for one number of players (0 if it does not matter): the id of its recipe, the number of cards in each
    hand and pile or of cards, rows or dice, and the fingerprint of all that decides what a code draws."""

    players: int
    recipe: str
    hands: tuple[tuple[str, int], ...]
    piles: tuple[tuple[str, int], ...]
    count: int
    fingerprint: int


@dataclass(frozen=True, slots=True)
class Demand:
    """How many cards, rows or faces must have a value in a field, at least and at most (None: any number)."""

    field: str
    value: str
    low: int = 0
    high: int | None = None


class Part(NamedTuple):
    """Values of which one is drawn, with their weights; without weights, all are equally likely."""

    values: Sequence[Any]
    weights: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawnColumn:
    """A column of drawn rows. A value is one of its only part, or the sum of one number from each of several `parts`
    (dice); or it is taken from the `bag`; or it is a `text`, made of texts and expressions."""

    name: str
    parts: tuple[Part, ...] = ()
    bag: tuple[Any, ...] = ()
    text: tuple[str | Compiled, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A card that can be drawn: its id, its weight, and its values as expressions see them."""

    id: str
    weight: int
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class OwnDraw:
    """A draw of your own game without mistakes. `letter` is the kind of its codes. `candidates` lists every copy of the
    cards that can be drawn from the deck `source`, in an order that does not depend on that of their table."""

    name: str
    file: OwnDrawFile
    kind: DrawKind
    letter: Literal["C", "D", "R", "S"]
    source: str
    into: str
    plans: tuple[Plan, ...]
    candidates: tuple[Candidate, ...] = ()
    columns: tuple[DrawnColumn, ...] = ()
    where: tuple[Compiled, ...] = ()
    check: tuple[Compiled, ...] = ()
    unique: tuple[str, ...] = ()
    demands: tuple[Demand, ...] = ()
