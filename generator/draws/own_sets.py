"""The random sets of your own game, drawn as game.yaml defines them (`draws.declarations`, `drawing`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from ..errors import shortened
from ..model.draws import OwnDraw, Plan
from ..model.game import Card, Component, Game
from ..tables.headings import assigned
from . import SetCode, draw_kinds, parse
from .deck import Deck, RandomSets, standard_cards
from .drawing import Drawn, drawn

_MAX_NAME = 40
"""The maximum length of a card's name in a list."""


class OwnSets(RandomSets):
    """Random sets of the draws in game.yaml."""

    def deal(self, game: Game, code: SetCode) -> Deck:
        draw, _, result = drawn_set(game, code)
        decks = standard_cards(game)
        components: dict[str, Component] = {}
        if draw.source:
            by_id = {card.id: card for card in decks[draw.source]}
            decks[draw.source] = tuple(by_id[name] for name in result.ids)
        if draw.into:
            part = game.components[draw.into]
            components[draw.into] = _filled(part, draw, result, game.components.get(draw.source))
            if part.kind == "deck":
                decks[draw.into] = components[draw.into].cards
        return Deck(MappingProxyType(decks), str(code), MappingProxyType(components), draw.file.field)

    def data(self, game: Game, deck: Deck) -> Any:
        draw, _, result = drawn_set(game, parse(deck.code or ""))
        if draw.kind == "shuffle":
            hands = [{name: list(cards) for name, cards in hand.items()} for hand in result.hands]
            return {"players": hands, **{name: list(cards) for name, cards in result.piles.items()}}
        return list(result.ids) if draw.kind == "pick" else list(result.rows)

    def lines(self, game: Game, deck: Deck) -> list[str]:
        draw, plan, result = drawn_set(game, parse(deck.code or ""))
        names = _names(game.components[draw.source], draw.file.names) if draw.source else {}
        if draw.kind == "shuffle":
            titles = {names[name]: title for name, title in _names(game.components[draw.source]).items()}
            letters = [f"{name}: {titles[name]}" for name in sorted(titles) if draw.file.names and not name.isdecimal()]
            return [*_dealt_lines(draw, plan, result, names), *([", ".join(letters)] if letters else [])]
        if draw.kind == "pick":
            width = len(str(len(result.ids)))
            return [f"{number:>{width}}  {names[card]}" for number, card in enumerate(result.ids, start=1)]
        if draw.kind == "dice":
            return _table([[f"die {number}", *row["faces"]] for number, row in enumerate(result.rows, start=1)])
        headings = ["row", *(column.name for column in draw.columns)]
        rows = [[number, *row.values()] for number, row in enumerate(result.rows, start=1)]
        return _table([headings, *rows])


def drawn_set(game: Game, code: SetCode) -> tuple[OwnDraw, Plan, Drawn]:
    """The draw of game.yaml that a code comes from, and what it drew. Raises InputError."""
    draw, plan = draw_kinds.own_draw_of(game, code)
    return draw, plan, drawn(draw, plan, code.seed)


# ---- components that show a draw -------------------------------------------------------------------------------------


def _filled(part: Component, draw: OwnDraw, result: Drawn, deck: Component | None) -> Component:
    """The component with what was drawn: a deck of rows, dice, or a page that can show the cards of a deck."""
    if part.kind == "dice":
        dice = [
            Card(str(number), MappingProxyType({"faces": tuple(map(str, row["faces"]))}))
            for number, row in enumerate(result.rows, start=1)
        ]
        return replace(part, cards=tuple(dice))
    rows = tuple(
        Card(str(number), MappingProxyType({name: _without_decimals(value) for name, value in row.items()}))
        for number, row in enumerate(result.rows, start=1)
    )
    columns = assigned({column.name: column.name for column in draw.columns}) if rows else part.columns
    if part.kind == "deck":
        return replace(part, cards=rows, columns=columns)
    by_id = {card.id: card for card in deck.cards} if deck else {}
    names = _names(deck, draw.file.names) if deck else {}
    values = {
        "names": names,
        "headings": tuple(column.name for column in draw.columns),
        "rows": rows,
        "players": tuple({name: _cards(ids, by_id) for name, ids in hand.items()} for hand in result.hands),
        "piles": {name: _cards(ids, by_id) for name, ids in result.piles.items()},
        "cards": _cards(result.ids, by_id) if draw.kind == "pick" else (),
    }
    return replace(part, cards=(Card(part.name, MappingProxyType(values)),))


def _cards(ids: Sequence[str], by_id: Mapping[str, Card]) -> tuple[Card, ...]:
    return tuple(by_id[name] for name in ids)


def _without_decimals(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _names(deck: Component, column: str | None = None) -> dict[str, str]:
    """The name of each card: its value in this column, by default its title or front, or its id."""
    title = column or deck.columns.title or deck.columns.front
    return {card.id: shortened(card.values.get(title or "") or card.id, _MAX_NAME) for card in deck.cards}


def _dealt_lines(draw: OwnDraw, plan: Plan, result: Drawn, names: Mapping[str, str]) -> Iterator[str]:
    rows = [
        (f"player {number}" if len(hand) == 1 else f"player {number}, {name}", cards)
        for number, hand in enumerate(result.hands, start=1)
        for name, cards in hand.items()
    ]
    rows += list(result.piles.items())
    width = max(len(name) for name, _ in rows)
    separator = " " if all(len(name) == 1 for name in names.values()) else ", "
    for name, cards in rows:
        top = "   (top card first)" if name == draw.file.rest else ""
        yield f"{name:<{width}}   {separator.join(map(names.__getitem__, cards)) or '–'}{top}"


def _table(rows: Sequence[Sequence[Any]]) -> list[str]:
    """Rows of values in columns; numbers are right-aligned."""
    texts = [[str(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    return [
        "  ".join(
            f"{text:>{width}}" if isinstance(rows[-1][place], int | float) else f"{text:<{width}}"
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in texts
    ]
