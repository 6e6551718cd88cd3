"""The random sets of your own game, drawn as game.yaml defines them (`definitions.draw_rules`, `drawing`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from ..codes import SetCode, parse
from ..definitions.columns import assigned
from ..definitions.draw_rules import SIDES
from ..definitions.draw_values import Values, texts_of
from ..definitions.models import Card, Component, Game
from ..definitions.own_draws import OwnDraw, Plan
from ..errors import shortened
from . import draws
from .deck import Deck, RandomSets, standard_cards
from .drawing import Drawn, drawn

_MAX_NAME = 40
"""The maximum length of a card's name in a list."""


class OwnSets(RandomSets):
    """Random sets of the draws in game.yaml."""

    def deal(self, game: Game, code: SetCode) -> Deck:
        draw, plan = draws.own_draw_of(game, code)
        result = drawn(draw, plan, code.seed)
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
        draw, _, result = _drawn(game, deck)
        if draw.kind == "shuffle":
            hands = [{name: list(cards) for name, cards in hand.items()} for hand in result.hands]
            return {"players": hands, **{name: list(cards) for name, cards in result.piles.items()}}
        return list(result.ids) if draw.kind == "pick" else list(result.rows)

    def lines(self, game: Game, deck: Deck) -> list[str]:
        draw, plan, result = _drawn(game, deck)
        names = _names(game.components[draw.source]) if draw.source else {}
        if draw.kind == "shuffle":
            return list(_dealt_lines(draw, plan, result, names))
        if draw.kind == "pick":
            width = len(str(len(result.ids)))
            return [f"{number:>{width}}  {names[card]}" for number, card in enumerate(result.ids, start=1)]
        if draw.kind == "dice":
            return _table([[f"die {number}", *row["faces"]] for number, row in enumerate(result.rows, start=1)])
        headings = ["row", *(column.name for column in draw.columns)]
        rows = [[number, *row.values()] for number, row in enumerate(result.rows, start=1)]
        return _table([headings, *rows])

    def unmet_constraints(self, game: Game, deck: Deck, code: SetCode) -> list[str]:
        draw, plan = draws.own_draw_of(game, code)
        if draw.kind == "shuffle":
            return list(_broken_deal(game, draw, plan, deck))
        by_id = {each.id: each for each in draw.candidates}
        if draw.kind == "pick":
            ids = [card.id for card in deck.cards[draw.source]]
            unknown = [f"card “{name}” cannot be picked" for name in dict.fromkeys(ids) if name not in by_id]
            in_deck = Counter(each.id for each in draw.candidates)
            too_many = [
                f"card “{name}” is picked {count} times, but there are {in_deck[name]}"
                for name, count in Counter(ids).items()
                if name in in_deck and count > in_deck[name]
            ]
            if unknown or too_many:
                return [*unknown, *too_many]
            return list(_broken_set(draw, plan, [by_id[name].values for name in ids], "cards"))
        rows = _rows_of(deck, draw)
        if draw.kind == "dice":
            return list(_broken_dice(draw, plan, rows))
        return list(_broken_set(draw, plan, rows, "rows"))


def _drawn(game: Game, deck: Deck) -> tuple[OwnDraw, Plan, Drawn]:
    code = parse(deck.code or "")
    draw, plan = draws.own_draw_of(game, code)
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
    names = _names(deck) if deck else {}
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


def _names(deck: Component) -> dict[str, str]:
    """The name of each card: its title or front, or its id."""
    title = deck.columns.title or deck.columns.front
    return {card.id: shortened((card.values[title] if title else None) or card.id, _MAX_NAME) for card in deck.cards}


def _dealt_lines(draw: OwnDraw, plan: Plan, result: Drawn, names: Mapping[str, str]) -> Iterator[str]:
    rows = [
        (f"player {number}" if len(hand) == 1 else f"player {number}, {name}", cards)
        for number, hand in enumerate(result.hands, start=1)
        for name, cards in hand.items()
    ]
    rows += list(result.piles.items())
    width = max(len(name) for name, _ in rows)
    for name, cards in rows:
        top = "   (top card first)" if name == draw.file.rest else ""
        yield f"{name:<{width}}   {', '.join(map(names.__getitem__, cards)) or '–'}{top}"


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


# ---- checks of a set, independent of how it was drawn ----------------------------------------------------------------


def _rows_of(deck: Deck, draw: OwnDraw) -> list[Mapping[str, Any]]:
    """The rows or dice as a set prints them."""
    part = deck.components[draw.into]
    if part.kind == "page":
        rows: Sequence[Card] = part.cards[0].values["rows"]
        return [row.values for row in rows]
    return [card.values for card in part.cards]


def _broken_deal(game: Game, draw: OwnDraw, plan: Plan, deck: Deck) -> Iterator[str]:
    counts = Counter(card.id for card in deck.cards[draw.source])
    in_deck = Counter(each.id for each in draw.candidates)
    for name in dict.fromkeys((*in_deck, *counts)):
        if counts[name] != in_deck[name]:
            yield f"there are {counts[name]} cards “{name}” instead of {in_deck[name]}"
    dealt = sum(plan.players * count for _, count in plan.hands)
    cards = [card.id for card in deck.cards[draw.source]][dealt:]
    by_id = {each.id: each for each in draw.candidates}
    if set(counts) - set(in_deck) or len(cards) < sum(count for _, count in plan.piles):
        return
    values: dict[str, Any] = {"players": plan.players}
    for name, count in (*plan.piles, (draw.file.rest, len(cards))):
        pile, cards = cards[:count], cards[count:]
        for field in draw.candidates[0].values:
            values[f"{name}.{field}"] = [by_id[card].values[field] for card in pile]
    yield from _unmet(draw, values)


def _broken_set(draw: OwnDraw, plan: Plan, drawn_values: Sequence[Mapping[str, Any]], noun: str) -> Iterator[str]:
    if len(drawn_values) != plan.count:
        yield f"there are {len(drawn_values)} {noun} instead of {plan.count}"
    keys = Counter(tuple(each[name] for name in draw.unique) for each in drawn_values if draw.unique)
    for key, count in keys.items():
        if count > 1:
            yield f"{count} {noun} have “{' '.join(map(str, key))}” in {', '.join(draw.unique)}"
    for demand in draw.demands:
        number = sum(demand.value in texts_of(each[demand.field]) for each in drawn_values)
        yield from _wrong_number(number, demand.low, demand.high, f"{noun} have “{demand.value}” in {demand.field}")
    if noun == "rows":
        yield from _unmet_rows(draw, plan, drawn_values)
    if drawn_values:
        columns = {name: [each[name] for each in drawn_values] for name in drawn_values[0]}
        yield from _unmet(draw, {**columns, "players": plan.players})


def _wrong_number(number: int, low: int, high: int | None, what: str) -> Iterator[str]:
    if number < low:
        yield f"{number} {what}, but at least {low} must"
    if high is not None and number > high:
        yield f"{number} {what}, but at most {high} may"


def _unmet_rows(draw: OwnDraw, plan: Plan, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for number, row in enumerate(rows, start=1):
        for column in draw.columns:
            if not _possible(row[column.name], column):
                yield f"row {number}: {column.name} cannot be {row[column.name]}"
        for term in draw.where:
            if not term.run(Values({**row, "players": plan.players})):
                yield f"row {number} does not meet “{term.text}”"
    for column in draw.columns:
        surplus = Counter(row[column.name] for row in rows) - Counter(column.bag) if column.bag else {}
        yield from (f"{column.name} has more “{value}” than its bag" for value in surplus)


def _possible(value: Any, column: Any) -> bool:
    """Whether a column can have this value."""
    if column.text:
        return isinstance(value, str)
    if column.bag:
        return value in column.bag
    if len(column.parts) == 1:
        return value in column.parts[0].values
    low, high = (sum(limit(part.values) for part in column.parts) for limit in (min, max))
    return bool(low <= value <= high)


def _broken_dice(draw: OwnDraw, plan: Plan, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if len(rows) != plan.count:
        yield f"there are {len(rows)} dice instead of {plan.count}"
    column = draw.columns[0]
    by_text = {str(value): value for value in (*column.bag, *(value for part in column.parts for value in part.values))}
    dice = [[by_text.get(face, face) for face in row["faces"]] for row in rows]
    for number, faces in enumerate(dice, start=1):
        if len(faces) != SIDES:
            yield f"die {number} has {len(faces)} faces"
        yield from (f"die {number} cannot show “{face}”" for face in faces if str(face) not in by_text)
        for term in draw.where:
            if not term.run(Values({"faces": faces, "players": plan.players})):
                yield f"die {number} does not meet “{term.text}”"
    every = [face for faces in dice for face in faces]
    counts = Counter(map(str, every))
    for demand in draw.demands:
        yield from _wrong_number(counts[demand.value], demand.low, demand.high, f"faces show “{demand.value}”")
    yield from _unmet(draw, {"faces": every, "players": plan.players})


def _unmet(draw: OwnDraw, values: Mapping[str, Any]) -> Iterator[str]:
    for term in draw.check:
        if not term.run(Values(values)):
            yield f"the set does not meet “{term.text}”"
