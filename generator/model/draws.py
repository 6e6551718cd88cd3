"""The random draws of your own game: as game.yaml defines them, and checked and ready to draw (`draw_rules`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from msgspec import Struct

from ..errors import Place
from .values import Between, Expression, Raw, Span, empty_mapping

if TYPE_CHECKING:
    from ..expressions import Compiled

FINGERPRINT_BITS = 20
DrawKind = Literal["shuffle", "pick", "rows", "dice"]
CodeLetter = Literal["C", "D", "R", "S"]


class Plan(Struct, frozen=True):
    """A draw for one number of players (0 if it does not matter): the id of its recipe, the number of cards in each
    hand and pile or of cards, rows or dice, and the fingerprint of all that decides what a code draws (None for a
    draw with a recipe of its own, which never changes)."""

    players: int
    recipe: str
    fingerprint: int | None
    hands: tuple[tuple[str, int], ...] = ()
    piles: tuple[tuple[str, int], ...] = ()
    count: int = 0


class Demand(Struct, frozen=True):
    """How many cards, rows or faces must have a value in a field, at least and at most (None: any number)."""

    field: str
    value: str
    low: int = 0
    high: int | None = None


class DrawnPart(NamedTuple):
    """Values of which one is drawn, with their weights; without weights, all are equally likely."""

    values: Sequence[Any]
    weights: tuple[int, ...] = ()


class DrawnColumn(Struct, frozen=True):
    """A column of drawn rows. A value is one of its only part, or the sum of one number from each of several `parts`
    (dice); or it is taken from the `bag`; or it is a `text`, made of texts and expressions."""

    name: str
    parts: tuple[DrawnPart, ...] = ()
    bag: tuple[Any, ...] = ()
    text: tuple[str | Compiled, ...] = ()


class Candidate(Struct, frozen=True):
    """A card that can be drawn: its id, its weight, and its values as expressions see them."""

    id: str
    weight: int
    values: Mapping[str, Any]


class OwnDraw(Struct, frozen=True):
    """A draw of your own game without mistakes. `letter` is the kind of its codes. `candidates` lists every copy of the
    cards that can be drawn from the deck `source`, in an order that does not depend on that of their table."""

    name: str
    file: OwnDrawFile
    kind: DrawKind
    letter: CodeLetter
    source: str
    into: str
    plans: tuple[Plan, ...]
    candidates: tuple[Candidate, ...] = ()
    columns: tuple[DrawnColumn, ...] = ()
    where: tuple[Compiled, ...] = ()
    check: tuple[Compiled, ...] = ()
    unique: tuple[str, ...] = ()
    demands: tuple[Demand, ...] = ()


class OwnDrawFile(Struct, frozen=True, kw_only=True):
    """Something that `pencilbox randomise` draws for your own game. One of these keys says what:

    - `shuffle`: the cards of this deck in random order. `hands` deals to the players (`hands: 5`, or several kinds:
      `hands: {face down: 3, hand: 4}`), `then` deals named piles (`then: {market: 4}`), and `rest` names what is left.
    - `pick`: `count` cards of this deck, without replacement. `weight` makes some more likely than others.
    - `rows`: this many rows of values, which become the cards of the component `into`. `columns` says what each value
      is: a die (`d6`, `2d6`), a range (`1-20`), a list, values with weights (`{gold: 1, wood: 3}`), a bag that is drawn
      empty (`{bag: {gold: 1, wood: 3}}`), or a text with expressions in braces (`"{a} + {b}"`).
    - `dice`: this many dice with six `faces` each, drawn like a column, for the dice component `into`.

    `where` lists conditions that each card or row must meet, `check` conditions for all of them together. No two have
    the same values in the fields `unique`. `at_least: {suit: {red: 2}}` and `at_most` count cards, rows or faces by a
    value. `into` names the component that shows the draw; `field` is the field of score sheets for its code, and
    `names` the field of the cards that lists show. With `players`, or if an expression uses `players`, sets differ by
    the number of players; `default` is that of sets drawn without it.

    A code contains a fingerprint of its draw, so that it is refused when the draw has changed. `recipe` (a digit or a
    letter) replaces the fingerprint, for a draw that you never change again: not its numbers, nor the cards of the deck
    or their order. The codes begin with this recipe."""

    about: str = ""
    shuffle: str | None = None
    pick: str | None = None
    rows: Expression | None = None
    dice: Expression | None = None
    players: Span | None = None
    hands: Raw | None = None
    then: dict[str, Expression] = empty_mapping()
    rest: str = "deck"
    count: Expression | None = None
    weight: Expression | None = None
    columns: dict[str, Raw] = empty_mapping()
    faces: Raw | None = None
    where: tuple[Expression, ...] = ()
    check: tuple[Expression, ...] = ()
    unique: tuple[str, ...] = ()
    at_least: dict[str, dict[str, Annotated[int, Between(0, 20_000)]]] = empty_mapping()
    at_most: dict[str, dict[str, Annotated[int, Between(0, 20_000)]]] = empty_mapping()
    into: str | None = None
    field: str = "set"
    names: str | None = None
    default: int | None = None
    recipe: str = ""
    place: Place | None = None


def flag(option: str, value: str = "yes") -> str:
    """An option of sets.yaml and its value as typed on the command line."""
    name = {"each": "--per-player", "run": "--print-run"}.get(option, f"--{option}")
    return name if value == "yes" else f"{name} {value}"
