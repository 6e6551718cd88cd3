"""Random sets follow their recipe, are reproduced by their code, and can always be completed."""

from __future__ import annotations

from collections import Counter
from itertools import product
from types import MappingProxyType

import pytest
from msgspec import structs

from generator import games
from generator.draws import SetCode, draw
from generator.errors import InputError
from generator.games import new_code
from generator.games.from_the_ground_up import play as crates
from generator.games.from_the_ground_up.deal import SETS, read
from generator.model.game import Card
from generator.model.values import Span
from tests.games.books import with_sets
from tests.games.from_the_ground_up.constraints import unmet_card_constraints

STANDARD_WAYS = [1, 1, 6, 15, 15, 6, 85, 85, 671, 30, 75, 150]


@pytest.fixture(scope="module")
def sets(game):
    """A thousand random sets."""
    return [SETS.deal(game, new_code(game, "a thousand sets", index)) for index in range(1000)]


def with_recipe(game, **changes):
    """The game with another recipe “02”: recipe 01 with some keys changed."""
    recipes = {"02": MappingProxyType({**game.sets["recipes"]["01"], **changes})}
    return with_sets(game, {"default": "02", "recipes": recipes})


def cards(*given):
    return tuple(MappingProxyType({"star": star, "crates": count}) for star, count in given)


def refusal(game, name="02"):
    with pytest.raises(InputError) as caught:
        SETS.deal(game, SetCode("GU", 1, "C", name, 0))
    return [problem.message for problem in caught.value.problems]


# ---- the standard set ---------------------------------------------------------------------------------------------


def test_without_a_code_all_decks_come_from_yaml(game):
    deck = games.deal(game)
    assert deck.code is None
    assert dict(deck.cards) == {name: part.cards for name, part in game.components.items() if part.kind == "deck"}


def test_the_standard_cards_have_the_numbers_of_ways_that_were_published(game):
    standard = games.deal(game).cards["cards"]
    assert [card["ways"] for card in SETS.data(game, games.deal(game))] == STANDARD_WAYS
    assert unmet_card_constraints(game, standard, "01") == [
        "card 9: 671 ways to finish it, not 6-240",
        "cards 1 and 2 are alike",
        "cards 4 and 5 are alike",
        "cards 7 and 8 are alike",
    ]


# ---- random sets --------------------------------------------------------------------------------------------------


def test_a_thousand_sets_follow_the_recipe(game, sets):
    assert [unmet_card_constraints(game, deck.cards["cards"], "01") for deck in sets] == [[]] * 1000


def test_a_thousand_sets_counted_by_brute_force(game, sets):
    """Tries every filling of up to six crates with 1–6 and every row of symbols, without our own counting."""
    ways = Counter()
    for count in range(3, 7):
        for filled in product(range(1, 7), repeat=count):
            ways.update(product(*map(symbols_between, filled, filled[1:])))
    bands = {(1, 2): (30, 750), (1, 3): (20, 400), (3, 4): (6, 240), (3, 5): (6, 150), (5, 6): (1, 100)}
    for row, star in {(card.symbols, (card.star.low, card.star.high)) for deck in sets for card in deck.cards["cards"]}:
        fewest, most = bands[star]
        assert fewest <= ways[row] <= most
        assert ways[row] == crates.ways(row)


def symbols_between(left, right):
    if left == right:
        return ("equal",)
    return ("lower" if right < left else "higher", "unequal")


def test_a_random_set_has_the_shape_of_the_standard_one(game, sets):
    standard = games.deal(game)
    for deck in sets[:50]:
        drawn_cards = deck.cards["cards"]
        assert [card.id for card in drawn_cards] == [card.id for card in standard.cards["cards"]]
        assert [card.star for card in drawn_cards] == [card.star for card in standard.cards["cards"]]
        assert {tuple(card.values) for card in drawn_cards} == {tuple(standard.cards["cards"][0].values)}
        assert deck.cards["reference"] == standard.cards["reference"]


def test_a_code_reproduces_its_set(game, sets):
    code = new_code(game, "a thousand sets", 7)
    assert sets[7].code == str(code)
    assert SETS.deal(game, code) == sets[7]


def test_sets_vary_widely(sets):
    drawn = [tuple(card.symbols for card in deck.cards["cards"]) for deck in sets]
    assert len(set(drawn)) == 1000
    assert len({row for rows in drawn for row in rows}) > 400
    for position, counts in enumerate([2, 2, 2, 2, 2, 2, 1, 1, 2, 2, 2, 2]):
        lengths = Counter(len(rows[position]) for rows in drawn)
        assert len(lengths) == counts
        assert min(lengths.values()) > 400


def test_every_row_of_a_position_is_equally_likely(game):
    """The 119 rows of five crates for one 3-5 card. Chi-square exceeds 171.3 by chance once in a thousand runs."""
    alone = with_recipe(game, cards=cards(("3-5", 5)))
    decks = (SETS.deal(alone, SetCode("GU", 1, "C", "02", seed)) for seed in range(6000))
    counts = Counter(deck.cards["cards"][0].symbols for deck in decks)
    assert len(counts) == 119
    assert sum((n - 6000 / 119) ** 2 / (6000 / 119) for n in counts.values()) < 171.3


def test_new_codes(game):
    assert new_code(game, "x") == new_code(game, "x", 0, "cards") == draw("GU", "C", "01", "x")
    assert new_code(game, "x", 1) == draw("GU", "C", "01", "x", 1)
    assert new_code(game, None) != new_code(game, None)


def test_a_deck_with_two_copies_has_every_card_twice(game):
    part = game.components["cards"]
    doubled = structs.replace(part, definition=structs.replace(part.definition, copies=2))
    drawn_cards = SETS.deal(structs.replace(game, components={"cards": doubled}), new_code(game, "x")).cards["cards"]
    assert [card.id for card in drawn_cards[:4]] == ["1", "1", "2", "2"]
    assert drawn_cards[::2] == SETS.deal(game, new_code(game, "x")).cards["cards"]


def test_cards_as_text_and_as_data(game):
    deck = games.deal(game)
    assert SETS.lines(game, deck)[0] == "card  1  5-6★  □ ▼ □ ▼ □ ▼ □ ▼ □ ▼ □     1 way to fill it"
    assert SETS.lines(game, deck)[9] == "card 10  1-3★  □ = □ ≠ □ = □            30 ways to fill it"
    assert SETS.data(game, deck)[10] == {
        "card": "11",
        "star": [1, 2],
        "symbols": ["lower", "unequal"],
        "crates": 3,
        "ways": 75,
    }


# ---- codes that cannot be dealt -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (SetCode("EU", 1, "C", "01", 5), "does not belong to From the Ground Up"),
        (SetCode("GU", 1, "D", "01", 5), "is for deals, but From the Ground Up only has card sets"),
        (SetCode("GU", 1, "C", "09", 5), "has no recipe “09”"),
    ],
)
def test_foreign_codes_are_refused(game, code, message):
    with pytest.raises(InputError, match=message):
        SETS.deal(game, code)


def test_a_game_without_recipes_draws_nothing(game):
    with pytest.raises(InputError, match="has no random sets"):
        new_code(structs.replace(game, draws={}), "x")
    with pytest.raises(InputError, match="has no recipe “01”"):
        SETS.deal(with_sets(game, {}), new_code(game, "x"))


# ---- recipes ------------------------------------------------------------------------------------------------------


def test_the_recipe_is_read(game):
    recipe = read(game, "01")
    assert len(recipe.positions) == 12
    assert recipe.symbols == ("lower", "higher", "equal", "unequal")
    assert recipe.compare == "neighbour"
    position = recipe.positions[3]
    assert (position.star, position.crates, position.ways) == (Span(3, 4), Span(4, 5), Span(6, 240))


def test_all_problems_of_a_recipe_are_reported_at_once(game):
    wrong = with_recipe(
        game,
        symbols=("lower", "heigher"),
        compare="last",
        cards=(*cards(("3-4", 4)), MappingProxyType({"star": "3-4", "crate": 3})),
    )
    assert refusal(wrong) == [
        "recipe “02”: “symbols” must be one of lower, higher, equal, unequal, not “heigher”",
        "recipe “02”: “compare” must be one of neighbour, first, not “last”",
        "recipe “02”: unknown key “crate”",
        "recipe “02”: “cards” needs the key “crates”",
    ]
    wrong = with_recipe(
        game,
        ways=MappingProxyType({"1-2": "5", "3-4": "9"}),
        cards=cards(("3-4", "2-9"), ("5-6", 4)),
    )
    assert refusal(wrong) == [
        "recipe “02”: “crates of card 1” must be within 2-6, not 2-9",
        "recipe “02”: “ways” has no entry for 5-6 stars (card 2)",
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ways": "many"}, "“ways” must be written with keys, such as “name: value”"),
        ({"cards": ("x",)}, "“cards” must be written with its keys: star, crates"),
        ({"cards": cards(("few", 4))}, "“star” must be a range such as 3-5, not “few”"),
        ({"kind": "C"}, "unknown key “kind”"),
    ],
)
def test_a_wrong_recipe_is_refused(game, changes, message):
    assert f"recipe “02”: {message}" in refusal(with_recipe(game, **changes))


def test_the_recipes_keep_to_what_the_documentation_says(game):
    """Different symbols, bands above zero that get harder with the stars, and star ranges on the die."""
    for name in game.sets["recipes"]:
        recipe = read(game, name)
        assert len(set(recipe.symbols)) == len(recipe.symbols)
        for card, other in product(recipe.positions, repeat=2):
            assert card.ways.low > 0
            assert card.star.low in Span(1, 6)
            assert card.star.high in Span(1, 6)
            if other.star > card.star and other.star.high >= card.star.high:
                assert other.ways.low <= card.ways.low
                assert other.ways.high <= card.ways.high


WIDE = MappingProxyType({"3-4": "1-46656"})


def test_a_recipe_without_a_possible_row_is_refused(game):
    changed_game = with_recipe(game, ways=MappingProxyType({"3-4": "7-14"}), cards=cards(("3-4", 4)))
    assert refusal(changed_game) == ["recipe “02”: no row of crates fits card 1"]


def test_a_recipe_with_too_few_different_rows_is_refused(game):
    """Two crates allow at most three different cards: ▼ (like ▲), = and ≠."""
    assert refusal(with_recipe(game, ways=WIDE, cards=cards(*[("3-4", 2)] * 4))) == [
        "recipe “02”: card 4 has only 3 different rows, and 3 other cards can use them up"
    ]


@pytest.mark.parametrize(
    "asked",
    [
        [("3-4", 2)] * 3,
        [("3-4", "2-3"), *[("3-4", 2)] * 3],
        [("3-4", 3)] * 7,
        [*[("3-4", 3)] * 7, *[("3-4", 2)] * 3],
    ],
)
def test_a_recipe_with_just_enough_rows_can_always_be_dealt(game, asked):
    tight = with_recipe(game, ways=WIDE, cards=cards(*asked))
    for seed in range(200):
        drawn_cards = SETS.deal(tight, SetCode("GU", 1, "C", "02", seed))
        assert unmet_card_constraints(tight, drawn_cards.cards["cards"], "02") == []


def test_the_recipe_decides_how_symbols_compare(game):
    """□ ▼ □ ▼ □ has 20 ways by neighbours, 55 by the first crate. The game’s option does not change printed sets."""
    by_first = with_recipe(
        game, compare="first", ways=MappingProxyType({"3-4": "55"}), symbols=("lower", "equal"), cards=cards(("3-4", 3))
    )
    assert SETS.deal(by_first, SetCode("GU", 1, "C", "02", 1)).cards["cards"][0].symbols == ("lower", "lower")
    other = structs.replace(game, rules={**game.rules, "compare": "first"})
    code = new_code(game, "x")
    assert SETS.deal(other, code).cards == SETS.deal(game, code).cards


# ---- what breaks a set --------------------------------------------------------------------------------------------


def changed(cards, number, **values):
    return [
        Card(card.id, MappingProxyType({**card.values, **values})) if card.id == str(number) else card for card in cards
    ]


@pytest.mark.parametrize(
    ("number", "values", "message"),
    [
        (1, {"star": Span(4, 6)}, "card 1: its star range is 4-6, not 5-6"),
        (1, {"symbols": ("lower", "lower", "lower")}, "card 1: 4 crates, not 5-6"),
        (2, {"symbols": ("lower", "above")}, "card 2: the symbols above are not in the recipe"),
        (12, {"symbols": ("equal", "equal")}, "card 12: 6 ways to finish it, not 30-750"),
        (9, {"symbols": ("lower", "higher", "lower", "higher")}, "card 9: 671 ways to finish it, not 6-240"),
    ],
)
def test_a_changed_card_is_reported(game, sets, number, values, message):
    assert message in unmet_card_constraints(game, changed(sets[0].cards["cards"], number, **values), "01")


@pytest.mark.parametrize(
    "alike",
    [
        ("lower", "equal", "higher", "lower", "lower"),
        ("lower", "lower", "higher", "equal", "lower"),
        ("higher", "equal", "lower", "higher", "higher"),
        ("higher", "higher", "lower", "equal", "higher"),
    ],
)
def test_alike_cards_are_reported(game, sets, alike):
    drawn_cards = changed(sets[0].cards["cards"], 1, symbols=("lower", "equal", "higher", "lower", "lower"))
    assert "cards 1 and 2 are alike" in unmet_card_constraints(game, changed(drawn_cards, 2, symbols=alike), "01")


def test_a_missing_card_is_reported(game, sets):
    assert unmet_card_constraints(game, sets[0].cards["cards"][1:], "01") == ["11 cards instead of 12"]
