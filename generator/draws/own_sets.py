"""The random sets that game.yaml declares: shuffled and dealt cards, picked cards, rows of values, and dice.

Cards and rows are drawn one after another. Those that would break a constraint are skipped, and once `at_least` needs
all that are left to draw, only cards and rows it asks for are drawn. A condition that can only be checked at the end,
such as `check`, restarts the draw if it is not met. The number of tries is limited, so that drawing always ends.

All chance comes from `draws.deck.Chance`. A change to what this module draws needs a new `_METHOD` in
`draws.declarations`, because printed codes refer to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ..errors import fault, shortened
from ..expressions import Compiled, TooMuchError
from ..expressions.functions import exact
from ..model.draws import Candidate, DrawnColumn, DrawnPart, OwnDraw, Plan
from ..model.game import Card, Component, Game
from ..tables.headings import assigned
from . import SetCode, draw_kinds, parse
from .deck import Chance, Deck, RandomSets, standard_cards, table
from .declarations import SIDES
from .drawn_values import Values, texts_of

TRIES = 10_000
"""Sets drawn in search of one that meets every condition."""
ROW_TRIES = 1_000
"""Rows or dice drawn in search of the next one."""
STEPS = 300_000
"""Cards and values drawn, and conditions evaluated, in all these tries together."""

Row = dict[str, Any]
T = TypeVar("T")
_MAX_NAME = 40  # the maximum length of a card's name in a list


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
        draw, _, result = drawn_set(game, parse(deck.code or ""))
        names = _names(game.components[draw.source], draw.file.names) if draw.source else {}
        if draw.kind == "shuffle":
            titles = {names[name]: title for name, title in _names(game.components[draw.source]).items()}
            letters = [f"{name}: {titles[name]}" for name in sorted(titles) if draw.file.names and not name.isdecimal()]
            return [*_dealt_lines(draw, result, names), *([", ".join(letters)] if letters else [])]
        if draw.kind == "pick":
            width = len(str(len(result.ids)))
            return [f"{number:>{width}}  {names[card]}" for number, card in enumerate(result.ids, start=1)]
        if draw.kind == "dice":
            return table([[f"die {number}", *row["faces"]] for number, row in enumerate(result.rows, start=1)])
        headings = ["row", *(column.name for column in draw.columns)]
        rows = [[number, *row.values()] for number, row in enumerate(result.rows, start=1)]
        return table([headings, *rows])


def drawn_rows(game: Game, code: SetCode) -> dict[str, Sequence[Row]]:
    """The rows of values that a code stands for by the name of their draw, or by those of the draw and the pile if it
    deals cards (`deal.market`)."""
    draw, _, result = drawn_set(game, code)
    by_id = {each.id: dict(each.values) for each in draw.candidates}
    if draw.kind == "shuffle":
        return {f"{draw.name}.{pile}": [by_id[card] for card in ids] for pile, ids in result.piles.items()}
    return {draw.name: result.rows or [by_id[card] for card in result.ids]}


def drawn_values(game: Game, codes: Iterable[SetCode]) -> dict[str, list[Any]]:
    """The same for several codes as lists of values by their names in expressions: `strip.wind`,
    `deal.market.colour`."""
    values: dict[str, list[Any]] = {}
    for code in codes:
        for name, rows in drawn_rows(game, code).items():
            for row in rows:
                for column, value in row.items():
                    value = exact(str(value)) if isinstance(value, float) else value
                    values.setdefault(f"{name}.{column}", []).append(value)
    return values


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
        Card(
            str(number),
            MappingProxyType(
                {
                    name: int(value) if isinstance(value, float) and value.is_integer() else value
                    for name, value in row.items()
                }
            ),
        )
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


def _names(deck: Component, column: str | None = None) -> dict[str, str]:
    """The name of each card: its value in this column, by default its title or front, or its id."""
    title = column or deck.columns.title or deck.columns.front
    return {card.id: shortened(card.values.get(title or "") or card.id, _MAX_NAME) for card in deck.cards}


def _dealt_lines(draw: OwnDraw, result: Drawn, names: Mapping[str, str]) -> Iterator[str]:
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


# ---- drawing


class Drawn(Struct, frozen=True):
    """What was drawn: the ids of cards in order, or rows; the hands of each player and the piles after them."""

    ids: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    hands: tuple[Mapping[str, tuple[str, ...]], ...] = ()
    piles: Mapping[str, tuple[str, ...]] = {}


def drawn(draw: OwnDraw, plan: Plan, seed: int) -> Drawn:
    """The set of a seed. Raises InputError if none is found."""
    search = _Search(draw, plan, Chance(seed))
    attempt = {"shuffle": search.shuffle, "pick": search.pick}.get(draw.kind, search.rows)
    for _ in range(TRIES):
        if result := attempt():
            return result
        if search.steps <= 0:
            break
    condition = search.failures.most_common(1)[0][0] if search.failures else "at_least"
    message = f"draw “{draw.name}”: no set was found that meets all its conditions"
    raise fault(message, draw.file.place, f"make “{condition}” easier to meet; it failed most often")


class _Search:
    """Tries sets; `shuffle`, `pick` and `rows` make one try and return None if it fails. `failures` counts the
    conditions that were not met."""

    def __init__(self, draw: OwnDraw, plan: Plan, chance: Chance) -> None:
        self.draw, self.plan, self.chance = draw, plan, chance
        self.steps = STEPS
        heavy = sum(len(part.weights) // 100 for each in draw.columns for part in each.parts)
        self.row_cost = sum(1 + len(each.parts) + len(each.text) for each in draw.columns) + heavy + len(draw.where)
        self.failures: Counter[str] = Counter()

    def hold(self, key: str, values: Mapping[str, Any]) -> bool:
        """Whether the conditions `where` or `check` are met; counts the first one that is not."""
        terms: Sequence[Compiled] = getattr(self.draw, key)
        for term in terms:
            try:
                met = term.run(Values({**values, "players": self.plan.players}))
            except TooMuchError as error:
                message = f"draw “{self.draw.name}”: “{key}: {term.text}” gives {error}"
                raise fault(message, self.draw.file.place) from None
            if not met:
                self.failures[f"{key}: {term.text}"] += 1
                return False
        return True

    def is_complete(self, tally: _Tally, missing: bool) -> bool:
        """Whether nothing is missing from a set, by number or by `at_least`."""
        if missing or not tally.is_complete:
            self.failures[tally.problem] += 1
            return False
        return True

    # ---- cards

    def shuffle(self) -> Drawn | None:
        cards = self.draw.candidates
        order = iter(self.chance.shuffled([each.id for each in cards]))
        self.steps -= len(cards)
        dealt = [
            [tuple(next(order) for _ in range(count)) for _ in range(self.plan.players)] for _, count in self.plan.hands
        ]
        piles = {name: tuple(next(order) for _ in range(count)) for name, count in self.plan.piles}
        piles[self.draw.file.rest] = tuple(order)
        if self.draw.check:
            by_id = {each.id: each.values for each in cards}
            fields = {
                f"{pile}.{field}": [by_id[card][field] for card in ids]
                for pile, ids in piles.items()
                for field in cards[0].values
            }
            if not self.hold("check", fields):
                return None
        names = [name for name, _ in self.plan.hands]
        hands = tuple(dict(zip(names, player, strict=True)) for player in zip(*dealt, strict=True))
        in_order = (*(card for kind in dealt for hand in kind for card in hand), *sum(piles.values(), ()))
        return Drawn(in_order, (), hands, piles)

    def pick(self) -> Drawn | None:
        tally = _Tally(self.draw, self.plan.count)
        picked: list[Candidate] = []
        for each in self.order():
            self.steps -= 2 + len(self.draw.demands)
            if tally.takes(each.values):
                picked.append(each)
                if len(picked) == self.plan.count:
                    break
        complete = self.is_complete(tally, len(picked) < self.plan.count)
        if not complete or not self.all_hold([each.values for each in picked]):
            return None
        return Drawn(tuple(each.id for each in self.mixed(picked)))

    def order(self) -> Iterator[Candidate]:
        """The candidates in random order; a heavier one is likely to come earlier."""
        candidates = self.draw.candidates
        if len({each.weight for each in candidates}) == 1:
            return iter(self.chance.shuffled(candidates))
        return _by_weight(candidates, self.chance)

    def mixed(self, drawn_things: Sequence[T]) -> list[T]:
        """Cards or rows in random order if `at_least` may have decided which ones came last."""
        has_needs = any(demand.low for demand in self.draw.demands)
        return self.chance.shuffled(drawn_things) if has_needs else list(drawn_things)

    def all_hold(self, values: Sequence[Mapping[str, Any]]) -> bool:
        """Whether the cards or rows meet the conditions for all of them together."""
        if self.draw.kind != "dice":
            self.steps -= len(values) * len(self.draw.check)
        return self.hold("check", {name: [each[name] for each in values] for name in values[0]})

    # ---- rows and dice

    def rows(self) -> Drawn | None:
        """Rows of values, or dice: rows with a list of six faces each."""
        is_dice = self.draw.kind == "dice"
        tally = _Tally(self.draw, self.plan.count * (SIDES if is_dice else 1))
        bags = {each.name: iter(self.chance.shuffled(each.bag)) for each in self.draw.columns if each.bag}
        rows: list[Row] = []
        while len(rows) < self.plan.count and (row := self.next_row(tally, bags)):
            rows.append(row)
        if not self.is_complete(tally, len(rows) < self.plan.count) or not self.all_hold(self.single_values(rows)):
            return None
        if is_dice:
            rows = [{name: self.mixed(faces) for name, faces in row.items()} for row in rows]
        return Drawn(rows=tuple(self.mixed(rows)))

    def single_values(self, rows: Sequence[Row]) -> Sequence[Row]:
        """The rows as constraints count them: every face of a die by itself."""
        if self.draw.kind != "dice":
            return rows
        return [{name: face} for row in rows for name, faces in row.items() for face in faces]

    def next_row(self, tally: _Tally, bags: Mapping[str, Iterator[Any]]) -> Row | None:
        """A row that meets the conditions for it, with values dealt from bags; None if none was found."""
        sides = SIDES if self.draw.kind == "dice" else 0
        dealt = {name: [next(bag) for _ in range(sides)] if sides else next(bag) for name, bag in bags.items()}
        for _ in range(1 if sides and bags else ROW_TRIES):
            self.steps -= self.row_cost * (sides or 1)
            row = self.row(dealt, sides)
            if self.hold("where", row) and tally.takes_all(self.single_values([row])):
                return row
            if self.steps <= 0:
                break
        return None

    def row(self, dealt: Mapping[str, Any], sides: int) -> Row:
        row: Row = {}
        for column in self.draw.columns:
            if column.text:
                values = Values({**row, "players": self.plan.players})
                parts = [part if isinstance(part, str) else part.run(values) for part in column.text]
                row[column.name] = "".join("" if part is None else str(part) for part in parts)
            elif column.bag:
                row[column.name] = dealt[column.name]
            else:
                row[column.name] = [self.value(column) for _ in range(sides)] if sides else self.value(column)
        return row

    def value(self, column: DrawnColumn) -> Any:
        values = [_one_of(part, self.chance) for part in column.parts]
        return values[0] if len(values) == 1 else sum(values)


class _Tally:
    """Counts what has been drawn, and refuses whatever would break `unique`, `at_most` or `at_least`."""

    def __init__(self, draw: OwnDraw, count: int) -> None:
        self.draw, self.left = draw, count
        self.counts: Counter[tuple[str, str]] = Counter()
        self.seen: set[tuple[Any, ...]] = set()
        self.fields = tuple(dict.fromkeys(demand.field for demand in draw.demands))
        self.problem = "unique" if draw.unique else "at_least" if draw.demands else "where"

    def takes(self, values: Mapping[str, Any]) -> bool:
        """Whether this card or row can be the next; if so, counts it."""
        key = tuple(map(values.__getitem__, self.draw.unique))
        if self.draw.unique and key in self.seen:
            self.problem = "unique"
            return False
        texts = {field: texts_of(values[field]) for field in self.fields}
        for demand in self.draw.demands:
            has, there = demand.value in texts[demand.field], self.counts[demand.field, demand.value]
            if demand.high is not None and has and there >= demand.high:
                self.problem = "at_most"
                return False
        if any(self.needed(field) >= self.left and not self.helps(field, texts[field]) for field in self.fields):
            self.problem = "at_least"
            return False
        self.seen.add(key)
        self.left -= 1
        self.counts.update({(field, text) for field in self.fields for text in texts[field]})
        return True

    def takes_all(self, rows: Sequence[Mapping[str, Any]]) -> bool:
        """Like `takes`, for several rows: all or none of them are counted."""
        counts, left = self.counts.copy(), self.left
        for row in rows:
            if not self.takes(row):
                self.counts, self.left = counts, left
                return False
        return True

    def needed(self, field: str) -> int:
        """How many more cards or rows `at_least` needs by this field, if each has one value in it."""
        return sum(
            max(0, demand.low - self.counts[field, demand.value])
            for demand in self.draw.demands
            if demand.field == field
        )

    def helps(self, field: str, texts: Sequence[str]) -> bool:
        return not self.needed(field) or any(
            demand.field == field and demand.value in texts and self.counts[field, demand.value] < demand.low
            for demand in self.draw.demands
        )

    @property
    def is_complete(self) -> bool:
        return not any(map(self.needed, self.fields))


def _one_of(part: DrawnPart, chance: Chance) -> Any:
    if not part.weights:
        return chance.choice(part.values)
    number = chance.below(sum(part.weights))
    for value, weight in zip(part.values, part.weights, strict=True):
        number -= weight
        if number < 0:
            return value
    raise AssertionError


def _by_weight(candidates: Sequence[Candidate], chance: Chance) -> Iterator[Candidate]:
    """The candidates in random order: each time, one of those left, as likely as its weight says. The weights are kept
    in a tree of sums (P. Fenwick, 1994), so that 20,000 cards take a moment."""
    size = len(candidates)
    sums = [0] * (size + 1)
    for place, each in enumerate(candidates, start=1):
        sums[place] += each.weight
        if (above := place + (place & -place)) <= size:
            sums[above] += sums[place]
    total = sum(each.weight for each in candidates)
    highest = 1 << (size.bit_length() - 1)
    for _ in range(size):
        number, place, step = chance.below(total), 0, highest
        while step:
            if place + step <= size and sums[place + step] <= number:
                place += step
                number -= sums[place]
            step >>= 1
        each = candidates[place]
        yield each
        total -= each.weight
        place += 1
        while place <= size:
            sums[place] -= each.weight
            place += place & -place
