"""Draws the random sets of your own game: shuffled and dealt cards, picked cards, rows of values, and dice.

Cards and rows are drawn one after another. Those that would break a constraint are skipped, and once `at_least` needs
all that are left to draw, only cards and rows it asks for are drawn. A condition that can only be checked at the end,
such as `check`, restarts the draw if it is not met. The number of tries is limited, so that drawing always ends.

All chance comes from `codes.chance.Chance`. A change to what this module draws needs a new `_METHOD` in
`draws.declarations`, because printed codes refer to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from ..errors import fault
from ..expressions import Compiled, TooMuchError
from ..model.draws import Candidate, DrawnColumn, OwnDraw, Part, Plan
from .chance import Chance
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


class Drawn(NamedTuple):
    """What was drawn: the ids of cards in order, or rows; the hands of each player and the piles after them."""

    ids: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    hands: tuple[Mapping[str, tuple[str, ...]], ...] = ()
    piles: Mapping[str, tuple[str, ...]] = {}


def drawn(draw: OwnDraw, plan: Plan, seed: int) -> Drawn:
    """The set of a seed. Raises InputError if none is found."""
    search = _Search(draw, plan, Chance(seed))
    return {"shuffle": search.shuffle, "pick": search.pick, "rows": search.rows, "dice": search.dice}[draw.kind]()


class _Search:
    """Tries sets until one meets every condition. `failures` counts the conditions that were not met."""

    def __init__(self, draw: OwnDraw, plan: Plan, chance: Chance) -> None:
        self.draw, self.plan, self.chance = draw, plan, chance
        self.steps = STEPS
        self.row_cost = sum(map(_cost, draw.columns)) + len(draw.where)
        self.failures: Counter[str] = Counter()

    def holds(self, term: Compiled, values: Mapping[str, Any], key: str) -> bool:
        """Whether a condition is met; counts it as a failure if not."""
        try:
            met = bool(term.run(Values({**values, "players": self.plan.players})))
        except TooMuchError as error:
            raise fault(f"draw “{self.draw.name}”: “{key}: {term.text}” gives {error}", self.draw.file.place) from None
        if not met:
            self.failures[f"{key}: {term.text}"] += 1
        return met

    def tries(self) -> Iterator[None]:
        """The tries of a set. Raises InputError when there were too many."""
        for _ in range(TRIES):
            yield
            if self.steps <= 0:
                break
        condition = self.failures.most_common(1)[0][0] if self.failures else "at_least"
        raise fault(
            f"draw “{self.draw.name}”: no set was found that meets all its conditions",
            self.draw.file.place,
            f"make “{condition}” easier to meet; it failed most often",
        )

    # ---- cards

    def shuffle(self) -> Drawn:
        by_id = {each.id: each for each in self.draw.candidates}
        for _ in self.tries():
            order = iter(self.chance.shuffled([each.id for each in self.draw.candidates]))
            self.steps -= len(self.draw.candidates)
            dealt = [
                [tuple(next(order) for _ in range(count)) for _ in range(self.plan.players)]
                for _, count in self.plan.hands
            ]
            piles = {name: tuple(next(order) for _ in range(count)) for name, count in self.plan.piles}
            piles[self.draw.file.rest] = tuple(order)
            values = {
                f"{pile}.{field}": [by_id[card].values[field] for card in cards]
                for pile, cards in (piles.items() if self.draw.check else ())
                for field in self.draw.candidates[0].values
            }
            if all(self.holds(term, values, "check") for term in self.draw.check):
                names = [name for name, _ in self.plan.hands]
                hands = tuple(dict(zip(names, player, strict=True)) for player in zip(*dealt, strict=True))
                in_order = (*(card for kind in dealt for hand in kind for card in hand), *sum(piles.values(), ()))
                return Drawn(in_order, (), hands, piles)
        raise AssertionError

    def pick(self) -> Drawn:
        for _ in self.tries():
            tally = _Tally(self.draw, self.plan.count)
            picked: list[Candidate] = []
            for each in self.order():
                self.steps -= 2 + len(self.draw.demands)
                if tally.takes(each.values):
                    picked.append(each)
                    if len(picked) == self.plan.count:
                        break
            if len(picked) < self.plan.count or not tally.is_complete:
                self.failures[tally.problem] += 1
            elif self.all_hold([each.values for each in picked]):
                return Drawn(tuple(each.id for each in self.mixed(picked)))
        raise AssertionError

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
        if not self.draw.check:
            return True
        self.steps -= len(values) * len(self.draw.check)
        columns = {name: [each[name] for each in values] for name in values[0]}
        return all(self.holds(term, columns, "check") for term in self.draw.check)

    # ---- rows and dice

    def rows(self) -> Drawn:
        for _ in self.tries():
            rows = self.some_rows(self.plan.count)
            if rows and self.all_hold(rows):
                return Drawn(rows=tuple(self.mixed(rows)))
        raise AssertionError

    def some_rows(self, count: int) -> list[Row] | None:
        """Rows that each meet the conditions for them; None if a row was not found, or if a value is missing."""
        tally = _Tally(self.draw, count)
        bags = {each.name: self.chance.shuffled(each.bag)[:count] for each in self.draw.columns if each.bag}
        rows: list[Row] = []
        for number in range(count):
            dealt = {name: values[number] for name, values in bags.items()}
            for _ in range(ROW_TRIES):
                self.steps -= self.row_cost
                row = self.row(dealt)
                if all(self.holds(term, row, "where") for term in self.draw.where) and tally.takes(row):
                    rows.append(row)
                    break
                if self.steps <= 0:
                    return None
            else:
                self.failures[tally.problem] += 1
                return None
        if not tally.is_complete:
            self.failures[tally.problem] += 1
            return None
        return rows

    def row(self, dealt: Mapping[str, Any]) -> Row:
        row: Row = {"players": self.plan.players}
        for column in self.draw.columns:
            if column.text:
                row[column.name] = _text(column, row)
            else:
                row[column.name] = dealt[column.name] if column.bag else self.value(column)
        del row["players"]
        return row

    def value(self, column: DrawnColumn) -> Any:
        values = [_one_of(part, self.chance) for part in column.parts]
        return values[0] if len(values) == 1 else sum(values)

    def dice(self) -> Drawn:
        """Dice with six faces each. Constraints by face are for all dice together."""
        column = self.draw.columns[0]
        for _ in self.tries():
            tally = _Tally(self.draw, self.plan.count * SIDES)
            bag = iter(self.chance.shuffled(column.bag))
            rows: list[Row] = []
            while len(rows) < self.plan.count and (faces := self.die(column, bag, tally)):
                rows.append({column.name: faces})
            if len(rows) < self.plan.count or not tally.is_complete:
                self.failures[tally.problem] += 1
                continue
            every = {column.name: [face for row in rows for face in row[column.name]]}
            if all(self.holds(term, every, "check") for term in self.draw.check):
                mixed = [{column.name: self.mixed(row[column.name])} for row in rows]
                return Drawn(rows=tuple(self.mixed(mixed)))
        raise AssertionError

    def die(self, column: DrawnColumn, bag: Iterator[Any], tally: _Tally) -> list[Any] | None:
        """The faces of one die; None if none was found."""
        for _ in range(1 if column.bag else ROW_TRIES):
            self.steps -= SIDES * self.row_cost
            faces = [next(bag) if column.bag else self.value(column) for _ in range(SIDES)]
            meets = all(self.holds(term, {column.name: faces}, "where") for term in self.draw.where)
            if meets and tally.takes_all([{column.name: face} for face in faces]):
                return faces
            if self.steps <= 0:
                break
        return None


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


def _cost(column: DrawnColumn) -> int:
    """The work of drawing a value, in steps."""
    return len(column.parts) + len(column.text) + sum(len(part.weights) // 100 for part in column.parts) + 1


def _text(column: DrawnColumn, row: Row) -> str:
    values = Values(row)
    parts = [part if isinstance(part, str) else part.run(values) for part in column.text]
    return "".join("" if part is None else str(part) for part in parts)


def _one_of(part: Part, chance: Chance) -> Any:
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
