"""Checks sets of declared draws against their conditions, independently of how they were drawn."""

from __future__ import annotations

from collections import Counter

from generator.draws import draw_kinds
from generator.draws.declarations import SIDES
from generator.draws.drawn_values import Values, texts_of


def unmet_constraints(game, deck, code):
    """A message for each condition that a set does not meet."""
    draw, plan = draw_kinds.own_draw_of(game, code)
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


def _rows_of(deck, draw):
    """The rows or dice as a set prints them."""
    part = deck.components[draw.into]
    if part.kind == "page":
        rows = part.cards[0].values["rows"]
        return [row.values for row in rows]
    return [card.values for card in part.cards]


def _broken_deal(game, draw, plan, deck):
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
    values = {"players": plan.players}
    for name, count in (*plan.piles, (draw.file.rest, len(cards))):
        pile, cards = cards[:count], cards[count:]
        for field in draw.candidates[0].values:
            values[f"{name}.{field}"] = [by_id[card].values[field] for card in pile]
    yield from _unmet(draw, values)


def _broken_set(draw, plan, drawn_values, noun):
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


def _wrong_number(number, low, high, what):
    if number < low:
        yield f"{number} {what}, but at least {low} must"
    if high is not None and number > high:
        yield f"{number} {what}, but at most {high} may"


def _unmet_rows(draw, plan, rows):
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


def _possible(value, column):
    """Whether a column can have this value."""
    if column.text:
        return isinstance(value, str)
    if column.bag:
        return value in column.bag
    if len(column.parts) == 1:
        return value in column.parts[0].values
    low, high = (sum(limit(part.values) for part in column.parts) for limit in (min, max))
    return bool(low <= value <= high)


def _broken_dice(draw, plan, rows):
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


def _unmet(draw, values):
    for term in draw.check:
        if not term.run(Values(values)):
            yield f"the set does not meet “{term.text}”"
