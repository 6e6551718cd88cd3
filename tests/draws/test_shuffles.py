"""All orders are equally likely, and no two seeds give the same set.

`PENCILBOX_GAMES=100000` draws that many sets of every kind and looks for equal ones.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from itertools import permutations

import pytest

from generator import games
from generator.draws import Chance, draw
from generator.games.cosmic_consequences.deal import board_recipe
from generator.games.from_the_ground_up import deal as sets
from generator.games.from_the_ground_up import play as crates
from generator.reading.load import load
from tests.games.chi_square import even, p_value, placed

UNLIKELY = 0.001
TIMES = int(os.environ.get("PENCILBOX_GAMES", 800))
DRAWN = [
    ("from_the_ground_up", "cards"),
    ("elevator_up", "deal"),
    ("cosmic_consequences", "deal"),
    ("cosmic_consequences", "board"),
]


def drawn(key, what):
    game = load(key)
    return (games.deal(game, games.new_code(game, "shuffled well", index, what)) for index in range(TIMES))


@cache
def kept(key, what):
    return list(drawn(key, what))


def decks(key, what):
    return kept(key, what) if TIMES < 1000 else drawn(key, what)


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (18.307, 10, 0.05),
        (29.588, 10, 0.001),
        (124.342, 100, 0.05),
        (0.0, 5, 1.0),
        (2.706, 1, 0.10),
        (1074.679, 1000, 0.05),
        (7.779, 4, 0.10),
        (3.94, 10, 0.95),
    ],
)
def test_the_chi_square_test_agrees_with_tables(statistic, freedom, p):
    assert p_value(statistic, freedom) == pytest.approx(p, rel=0.002)


def test_the_chi_square_test_detects_a_poor_shuffle():
    """Swapping each card with any other is a poor shuffle, and so is a cut."""
    chance = Chance(5)

    def poor(cards):
        order = list(cards)
        for place in range(len(order)):
            other = chance.below(len(order))
            order[place], order[other] = order[other], order[place]
        return tuple(order)

    found = Counter(poor("abcde") for _ in range(20_000))
    assert even(found, permutations("abcde")) < UNLIKELY
    cuts = [(place + chance.below(10)) % 10 for place in range(10) for _ in range(100)]
    assert placed(Counter(zip(range(1000), cuts, strict=True)), dict.fromkeys(range(10), 1), 100) < UNLIKELY


def test_all_orders_of_five_cards_are_equally_likely():
    found = Counter(
        tuple(Chance(draw("XX", "D", "01", "fives", index).seed).shuffled("abcde")) for index in range(20_000)
    )
    assert even(found, permutations("abcde")) > UNLIKELY


@pytest.mark.parametrize("key", ["elevator_up", "cosmic_consequences"])
def test_every_card_is_equally_likely_in_every_place(key):
    game = load(key)
    copies = Counter(card.id for card in game.components["cards"].cards)
    found = Counter((card.id, place) for deck in decks(key, "deal") for place, card in enumerate(deck.cards["cards"]))
    assert placed(found, copies, TIMES) > UNLIKELY


def test_all_orders_of_a_region_are_equally_likely():
    game = load("cosmic_consequences")
    recipe = board_recipe(game, "B1")
    found: dict[str, Counter] = {name: Counter() for name in recipe.regions}
    cards: dict[str, Counter] = {name: Counter() for name in recipe.regions}
    for deck in decks("cosmic_consequences", "board"):
        spaces = deck.components["board"].board.spaces
        for name in recipe.regions:
            mine = [space for space in spaces.values() if space.region == name]
            found[name][tuple(space.kind for space in mine)] += 1
            cards[name][tuple(space.values["card"] for space in mine if space.kind == "cc")] += 1
    for name, region in recipe.regions.items():
        assert even(found[name], recipe.orders(name)) > UNLIKELY
        assert even(cards[name], permutations(region.cards)) > UNLIKELY


def test_every_row_of_crates_is_equally_likely():
    """The position drawn first can have any row: each number of crates is equally likely, and so is each row with
    that number."""
    game = load("from_the_ground_up")
    first, pool = next(iter(sets.pools(sets.read(game, "01")).items()))
    rows = [[row for row, _ in pairs] for pairs in pool]
    found = Counter(deck.cards["cards"][first].symbols for deck in decks("from_the_ground_up", "cards"))
    lengths = Counter(len(row) for row in found.elements())
    assert even(lengths, [len(pairs[0]) for pairs in rows]) > UNLIKELY
    for pairs in rows:
        assert even({row: found[row] for row in pairs}, pairs) > UNLIKELY


def said(deck):
    """The content of a set as text, for comparisons."""
    board = deck.components.get("board")
    if board:
        return tuple((space.kind, space.values.get("card")) for space in board.board.spaces.values())
    return tuple((card.id, card.values.get("symbols")) for card in deck.cards["cards"])


@pytest.mark.parametrize(("key", "what"), DRAWN)
def test_no_two_seeds_give_the_same_set(key, what):
    seen = {hash(said(deck)) for deck in decks(key, what)}
    assert len(seen) == TIMES


def test_each_row_is_equally_likely_not_each_kind_of_row():
    """A kind with four rows is drawn four times as often as a kind with one row."""
    assert crates.alike(("lower", "equal")) == crates.alike(("equal", "lower")) == crates.alike(("higher", "equal"))
