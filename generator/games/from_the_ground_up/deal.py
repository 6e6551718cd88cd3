"""Random sets of cards, dealt from their codes: recipes, and the rows of crates that each card of a recipe can have.

Sets are drawn singly, or as a print run in which no two sets share a card.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ...draws import Chance, Deck, RandomSets, SetCode, draw_kinds
from ...errors import Problem, fault, refuse
from ...model.game import Card, Game
from ...model.values import Span
from .. import standard_cards
from .play import DECK, START, Compare, Counts, Row, alike, extend, row_text, ways

# How many crates a card may have.
CRATES = Span(2, 6)


class CardLimitsFile(Struct, frozen=True, kw_only=True):
    """The limits of one card in sets.yaml."""

    star: Span
    crates: Span


class RecipeFile(Struct, frozen=True, kw_only=True):
    """A recipe in sets.yaml. `ways` limits the number of ways to finish a card, by its star range."""

    symbols: tuple[Literal["lower", "higher", "equal", "unequal"], ...]
    compare: Literal["neighbour", "first"]
    ways: dict[str, Span]
    cards: tuple[CardLimitsFile, ...]


class CardLimits(Struct, frozen=True):
    """The limits of one card of a set: its star range, number of crates, and number of ways to finish it."""

    star: Span
    crates: Span
    ways: Span


class Recipe(Struct, frozen=True):
    """A recipe: the symbols it uses, which crates they compare, and the limits of its cards in print order. `run` marks
    a recipe for print runs, in which no two sets share a card."""

    id: str
    symbols: tuple[str, ...]
    compare: Compare
    positions: tuple[CardLimits, ...]
    run: bool = False


def read(game: Game, name: str) -> Recipe:
    """The recipe with this id; that of a print run names the recipe of its sets. Raises InputError with every problem
    in it."""
    entry = draw_kinds.recipes(game).get(name)
    base = str(entry["run"]) if isinstance(entry, Mapping) and set(entry) == {"run"} else name
    file = draw_kinds.read_recipe(game, base, RecipeFile)
    draw_kinds.refuse_mistakes(game, name, _mistakes(file, base != name))
    positions = tuple(CardLimits(card.star, card.crates, file.ways[str(card.star)]) for card in file.cards)
    return Recipe(name, file.symbols, file.compare, positions=positions, run=base != name)


def _mistakes(file: RecipeFile, run: bool) -> Iterator[draw_kinds.Mistake]:
    for number, card in enumerate(file.cards, 1):
        if str(card.star) not in file.ways:
            yield ("cards", number - 1), f"“ways” has no entry for {card.star} stars (card {number})"
        if card.crates.low < CRATES.low or card.crates.high > CRATES.high:
            yield ("cards", number - 1), f"“crates of card {number}” must be within {CRATES}, not {card.crates}"
    if run and len(set(file.cards)) > len({card.star for card in file.cards}):
        yield (), "in a print run, all cards with one star range need the same limits for their crates"


Pool = tuple[tuple[tuple[Row, Row], ...], ...]
"""The rows a card can have, by number of crates, each with the row that represents all rows like it."""


@lru_cache(maxsize=64)
def pools(recipe: Recipe) -> dict[int, Pool]:
    """The pool of every position, in the order in which positions are drawn: fewest different rows first. Raises
    InputError if a draw could leave a card without a row: a card drawn earlier uses up at most one kind of row, and
    only for positions that share a row with it; with more kinds than that, drawing always succeeds."""
    by_position: dict[int, Pool] = {}
    for number, position in enumerate(recipe.positions):
        by_crates = [
            tuple((row, alike(row)) for row, counts in rows if sum(counts) in position.ways)
            for count in range(position.crates.low, position.crates.high + 1)
            for rows in [_all_rows(recipe.symbols, recipe.compare, count)]
        ]
        by_position[number] = tuple(filter(None, by_crates))
    kinds = {number: {kind for pairs in pool for _, kind in pairs} for number, pool in by_position.items()}
    order = sorted(kinds, key=lambda number: len(kinds[number]))
    problems = []
    for place, number in enumerate(order):
        rivals = sum(not kinds[number].isdisjoint(kinds[earlier]) for earlier in order[:place])
        if not kinds[number]:
            problems.append(f"no row of crates fits card {number + 1}")
        elif len(kinds[number]) <= rivals:
            count = len(kinds[number])
            problems.append(
                f"card {number + 1} has only {count} different rows, and {rivals} other cards can use them up"
            )
    refuse(Problem(f"recipe “{recipe.id}”: {problem}") for problem in problems)
    return {number: by_position[number] for number in order}


@lru_cache(maxsize=32)
def _all_rows(symbols: tuple[str, ...], compare: Compare, count: int) -> tuple[tuple[Row, Counts], ...]:
    """Every row with `count` crates that can be finished, with its counts, each extended from a shorter row."""
    if count == 1:
        return (((), START),)
    grown = (
        ((*row, symbol), extend(counts, symbol, compare))
        for row, counts in _all_rows(symbols, compare, count - 1)
        for symbol in symbols
    )
    return tuple((row, counts) for row, counts in grown if any(counts))


# A print run is N sets in which no two sets share a card, with as few cards as possible that are mirrored or turned
# alike. The largest number of sets, and the smallest number of alike cards, are exact. A run takes N rows for every
# card of the recipe, each row only once for a star range: a flow from the cards' star ranges through rows to the
# kinds of alike rows. A set has each kind at most once, so a kind is taken at most N times. Among all such flows we
# choose one of least cost, where a kind's second row costs 1, its third 2 and so on (the pairs of sets that share the
# kind). Every flow can be dealt into N sets: its rows are the edges of a bipartite graph of cards and kinds with at
# most N edges at each node, and by Kőnig's theorem N colours (the sets) are enough for no two edges of one colour to
# meet.

# Bits of a code's seed for the number of the set in its run, and again for the size of the run.
NUMBER_BITS = 7
MAX_NUMBER = 1 << NUMBER_BITS

Node: TypeAlias = int | Row
Cell: TypeAlias = tuple[int, Row]
"""A pool's number and a kind: the rows of that kind that a card of the pool can have."""


class SeedParts(NamedTuple):
    """The parts of the seed in a print run's code: the run's own seed, the number of the set (from 0) and the size of
    the run."""

    seed: int
    number: int
    size: int


def seed_parts(seed: int) -> SeedParts:
    """The parts of the seed of a print run's code."""
    return SeedParts(seed >> 2 * NUMBER_BITS, seed % MAX_NUMBER, (seed >> NUMBER_BITS) % MAX_NUMBER + 1)


def run_codes(recipe: Recipe, code: SetCode, size: int) -> list[SetCode]:
    """The codes of all sets, in order, of a run of this size with the seed of `code`. Raises InputError with the
    largest possible size if this one is impossible."""
    most = largest(recipe)
    if size > most:
        raise fault(
            f"recipe “{recipe.id}” has no print run of {size} sets without a shared card",
            hint=f"the largest has {most} sets; “randomise --count {size}” draws sets that may share cards",
        )
    shared = seed_parts(code.seed).seed
    return [replace(code, seed=(shared << NUMBER_BITS | size - 1) << NUMBER_BITS | number) for number in range(size)]


def set_of_run(recipe: Recipe, code: SetCode) -> tuple[Row, ...]:
    """The rows of a set in a print run. Raises InputError if there is no such set or run."""
    seed, number, size = seed_parts(code.seed)
    if number >= size or size > largest(recipe):
        raise fault(f"the set code {code} is for set {number + 1} of a print run of {size}, which does not exist")
    return sets(recipe, seed, size)[number]


@lru_cache(maxsize=64)
def largest(recipe: Recipe) -> int:
    """The largest size of a run of this recipe, limited by the numbers that codes can hold."""
    low, high = 1, MAX_NUMBER + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _flow(recipe, middle, _cells(recipe)) else (low, middle)
    return low


@lru_cache(maxsize=8)
def _cells(recipe: Recipe) -> Mapping[Cell, tuple[Row, ...]]:
    """The rows of every kind, by pool."""
    rows_of: dict[Cell, list[Row]] = {}
    for number, positions in enumerate(_pools(recipe)):
        for pairs in pools(recipe)[positions[0]]:
            for row, kind in pairs:
                rows_of.setdefault((number, kind), []).append(row)
    return MappingProxyType({cell: tuple(rows) for cell, rows in rows_of.items()})


@lru_cache(maxsize=8)
def _pools(recipe: Recipe) -> tuple[tuple[int, ...], ...]:
    """The positions of interchangeable cards, pool by pool: those with one star range."""
    by_star: dict[Span, list[int]] = {}
    for number, position in enumerate(recipe.positions):
        by_star.setdefault(position.star, []).append(number)
    return tuple(map(tuple, by_star.values()))


def _flow(recipe: Recipe, size: int, cells: Mapping[Cell, tuple[Row, ...]]) -> dict[Cell, int] | None:
    """How many rows a run of this size takes from each cell; None if the run is impossible. Takes one row after
    another, moving others if that costs less."""
    movable: dict[Node, dict[Node, int]] = {}
    for (pool, kind), rows_of_kind in cells.items():
        movable.setdefault(pool, {})[kind] = len(rows_of_kind)
        movable.setdefault(kind, {})[pool] = 0
    loads: Counter[Node] = Counter()
    for pool in [pool for pool, positions in enumerate(_pools(recipe)) for _ in range(size * len(positions))]:
        path = _cheapest_path(movable, loads, pool)
        if len(path) < 2 or loads[path[-1]] >= size:
            return None
        loads[path[-1]] += 1
        for node, other in pairwise(path):
            movable[node][other] -= 1
            movable[other][node] += 1
    return {(pool, kind): movable[kind][pool] for pool, kind in cells}


def _cheapest_path(movable: Mapping[Node, Mapping[Node, int]], loads: Mapping[Node, int], pool: int) -> list[Node]:
    """The nodes from a pool to the kind that takes one more row at the least cost, if rows move only where some are
    `movable`. Moving rows between kinds costs nothing by itself, so this is the reachable kind with the smallest
    load."""
    before: dict[Node, Node] = {pool: pool}
    waiting: deque[Node] = deque([pool])
    while waiting:
        node = waiting.popleft()
        for other, count in movable[node].items():
            if count and other not in before:
                before[other] = node
                waiting.append(other)
    kinds = [node for node in before if not isinstance(node, int)]
    path: list[Node] = [min(kinds, key=loads.__getitem__)] if kinds else [pool]
    while path[-1] != pool:
        path.append(before[path[-1]])
    return path[::-1]


@lru_cache(maxsize=16)
def sets(recipe: Recipe, seed: int, size: int) -> tuple[tuple[Row, ...], ...]:
    """All sets of a run, each with the rows of its cards in print order."""
    chance = Chance(seed)
    cells = {cell: tuple(chance.shuffled(rows)) for cell, rows in chance.shuffled(_cells(recipe).items())}
    taken = _flow(recipe, size, cells)
    if taken is None:
        raise ValueError(f"no run of {size} sets")
    edges = list(_edges(recipe, size, {cell: rows[: taken[cell]] for cell, rows in cells.items()}, chance))
    run: list[list[Row]] = [[()] * len(recipe.positions) for _ in range(size)]
    for (position, _, row), colour in zip(edges, _coloured(edges, size), strict=True):
        run[colour][position] = row
    return tuple(chance.shuffled(map(tuple, run)))


Edge: TypeAlias = tuple[int, Row, Row]
"""The position of a card, the kind of its row, the row."""


def _edges(recipe: Recipe, size: int, rows: Mapping[Cell, Sequence[Row]], chance: Chance) -> Iterator[Edge]:
    """The rows of every pool dealt to its positions, `size` to each."""
    for pool, positions in enumerate(_pools(recipe)):
        in_pool = chance.shuffled(
            (kind, row) for (owner, kind), kind_rows in rows.items() if owner == pool for row in kind_rows
        )
        yield from ((positions[number // size], kind, row) for number, (kind, row) in enumerate(in_pool))


def _coloured(edges: Sequence[Edge], count: int) -> list[int]:
    """One of `count` colours for each edge, so that no two edges of one colour meet. If the free colours of an edge's
    two ends differ, they are swapped along the path of these two colours from one end."""
    at: dict[tuple[Node, int], int] = {}
    colours: list[int] = []
    for number, (position, kind, _) in enumerate(edges):
        first, second = (next(c for c in range(count) if (end, c) not in at) for end in (position, kind))
        path = _two_coloured_path(edges, at, kind, (first, second)) if first != second else []
        ends = [(other, end) for other in path for end in edges[other][:2]]
        for other, end in ends:
            at.pop((end, colours[other]), None)
        for other in path:
            colours[other] = first + second - colours[other]
        at |= {(end, colours[other]): other for other, end in ends}
        at |= {(position, first): number, (kind, first): number}
        colours.append(first)
    return colours


def _two_coloured_path(
    edges: Sequence[Edge], at: Mapping[tuple[Node, int], int], node: Node, colours: tuple[int, int]
) -> list[int]:
    """The edges of the path from a node whose colours alternate."""
    path: list[int] = []
    while (node, colours[0]) in at:
        number = at[node, colours[0]]
        path.append(number)
        position, kind, _ = edges[number]
        node, colours = kind if node == position else position, colours[::-1]
    return path


# The kind of its set codes.
KIND = "C"


class FromTheGroundUpSets(RandomSets):
    """Sets of cards, drawn singly or as a print run in which no two sets share a card."""

    def deal(self, game: Game, code: SetCode) -> Deck:
        draw_kinds.refuse_foreign(game, code, KIND)
        recipe = read(game, code.recipe)
        rows = set_of_run(recipe, code) if recipe.run else _rows(recipe, Chance(code.seed))
        part = game.components[DECK]
        blank: Mapping[str, Any] = dict.fromkeys(part.cards[0].values)
        cards = [
            Card(str(number), MappingProxyType({**blank, "star": position.star, "symbols": row}))
            for number, (position, row) in enumerate(zip(recipe.positions, rows, strict=True), 1)
        ]
        dealt = tuple(card for card in cards for _ in range(part.definition.copies))
        return Deck(MappingProxyType({**standard_cards(game), DECK: dealt}), str(code))

    def run(self, game: Game, code: SetCode, size: int) -> list[SetCode]:
        return run_codes(read(game, code.recipe), code, size)

    def data(self, game: Game, deck: Deck) -> list[dict[str, Any]]:
        """The cards, each with the number of ways to finish it."""
        return [
            {
                "card": card.id,
                "star": [card.star.low, card.star.high],
                "symbols": list(card.symbols),
                "crates": len(card.symbols) + 1,
                "ways": ways(tuple(card.symbols), game.rules["compare"]),
            }
            for card in deck.cards[DECK]
        ]

    def lines(self, game: Game, deck: Deck) -> list[str]:
        """One line per card: its number, stars, crates, and the number of ways to fill them."""
        cards = self.data(game, deck)
        rows = [row_text(card["symbols"]) for card in cards]
        width = max(map(len, rows))
        return [
            f"card {card['card']:>2}  {Span(*card['star'])}★  {row:<{width}}  "
            f"{card['ways']:>4} way{'s' * (card['ways'] > 1)} to fill it"
            for card, row in zip(cards, rows, strict=True)
        ]


SETS = FromTheGroundUpSets()


def _rows(recipe: Recipe, chance: Chance) -> Sequence[Row]:
    """A row for every position, no two alike: draws a number of crates, then a row with that many, uniformly among
    those still free."""
    rows: dict[int, Row] = {}
    taken: set[Row] = set()
    for position, pool in pools(recipe).items():
        free = [[pair for pair in pairs if pair[1] not in taken] for pairs in pool]
        rows[position], kind = chance.choice(chance.choice([pairs for pairs in free if pairs]))
        taken.add(kind)
    return [rows[number] for number in sorted(rows)]
