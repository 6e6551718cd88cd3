"""The random draws of your own game, as game.yaml defines them."""

from __future__ import annotations

from typing import Annotated

from ..errors import Place
from ..fast_dataclasses import dataclass
from .values import Between, Expression, Raw, Span, empty_mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDrawFile:
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
    value. `into` names the component that shows the draw; `field` is the field of score sheets for its code. With
    `players`, or if an expression uses `players`, sets differ by the number of players."""

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
    place: Place | None = None
