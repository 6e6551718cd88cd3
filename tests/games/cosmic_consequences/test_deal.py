"""A code always gives the same order of the deck or the same shuffled board, and both follow their recipes."""

from collections import Counter
from types import MappingProxyType

import pytest
from msgspec import structs

from generator import games
from generator.draws import SetCode
from generator.errors import InputError
from generator.games.cosmic_consequences.deal import SETS, board_recipe
from generator.reading.load import load
from tests.games.books import with_sets
from tests.games.cosmic_consequences.constraints import unmet_constraints


@pytest.fixture(scope="module")
def game():
    return load("cosmic_consequences")


def drawn(game, what, index=0):
    code = games.new_code(game, "cosmic", index, what)
    return code, SETS.deal(game, code)


def with_recipe(game, name, **changes):
    recipes = game.sets["recipes"]
    changed = MappingProxyType({**recipes[name], **changes})
    return with_sets(game, {**game.sets, "recipes": {**recipes, name: changed}})


def test_without_a_code_everything_is_as_in_the_yaml(game):
    deck = games.deal(game)
    assert deck.code is None
    assert not deck.components
    assert deck.cards["cards"] == game.components["cards"].cards


def test_a_deal_is_the_same_cards_in_another_order(game):
    for index in range(100):
        code, deck = drawn(game, "deal", index)
        assert Counter(card.id for card in deck.cards["cards"]) == Counter(
            card.id for card in game.components["cards"].cards
        )
        assert unmet_constraints(game, deck, code) == []
    assert SETS.data(game, deck)["deck"] == [card.id for card in deck.cards["cards"]]


def test_boards_follow_their_recipe_and_use_all_of_it(game):
    """In 300 boards, every order of kinds occurs, and every card is on every space of its region."""
    recipe = board_recipe(game, "B1")
    seen, orders = set(), set()
    for index in range(300):
        code, deck = drawn(game, "board", index)
        assert unmet_constraints(game, deck, code) == []
        for region in recipe.regions:
            names = [f"{region}-{number}" for number in range(1, 7)]
            spaces = [deck.components["board"].board.spaces[name] for name in names]
            orders.add((region, tuple(space.kind for space in spaces)))
            seen |= {(space.values["card"], space.id) for space in spaces if space.kind == "cc"}
    assert orders == {(region, order) for region in recipe.regions for order in recipe.orders(region)}
    assert seen == {
        (card, f"{name}-{number}")
        for name, region in recipe.regions.items()
        for card in region.cards
        for number in range(1, 7)
    }


def test_cards_name_the_spaces_of_the_board(game):
    _, deck = drawn(game, "board")
    board = deck.components["board"].board
    assert [card.id for card in deck.cards["cards"]] == [card.id for card in game.components["cards"].cards]
    assert all(
        board.spaces[card.space].values["card"] == card.id for card in deck.cards["cards"] if card.suit != "zero"
    )
    assert [space.label for space in board.spaces.values() if space.kind == "cc"] != [
        space.label for space in game.components["board"].board.spaces.values() if space.kind == "cc"
    ]


def test_arrows_lead_to_their_rings(game):
    for index in range(50):
        board = drawn(game, "board", index)[1].components["board"].board
        arrows = [name for name, space in board.spaces.items() if space.kind == "arrow"]
        assert [board.spaces[name].region for name in arrows] == ["is", "weak"]
        assert [set(board.steps(name)) & {"left-7", "right-7"} for name in arrows] == [{"left-7"}, {"right-7"}]
        assert board.steps("left-1")[-1] == "left-centre" or "em-1" in board.steps("left-1")
        assert board.spaces["em-1"].kind == board.spaces["bh-1"].kind == "cc"


def test_sets_are_shown_as_text(game):
    _, order = drawn(game, "deal")
    heading, *rows = SETS.lines(game, order)
    assert heading == "the deck, top card first (+ dragon, − tiger)"
    assert [len(row.split()) for row in rows] == [13, 13]
    _, board = drawn(game, "board")
    heading, *shown = SETS.lines(game, board)
    assert heading.startswith("the spaces of each region, in the order of the lap")
    assert [line.split()[0] for line in shown] == ["is", "em", "weak", "hd", "bh", "ap"]
    assert Counter(word for line in shown for word in line.split()[1:] if word.isalpha()) == {
        "green": 5,
        "orange": 5,
        "arrow": 2,
    }
    assert {**SETS.data(game, board)["spaces"]["is-1"]}["kind"] == "cc"


# ---- constraints --------------------------------------------------------------------------------------------------


def changed(deck, **spaces):
    """The deck with some spaces of its board changed: `is_1={"kind": "green"}`."""
    part = deck.components["board"]
    by_id = dict(part.board.spaces)
    for name, change in spaces.items():
        key = name.replace("_", "-")
        by_id[key] = structs.replace(by_id[key], **change)
    board = structs.replace(part.board, spaces=by_id)
    return structs.replace(deck, components={**deck.components, "board": structs.replace(part, board=board)})


def test_a_changed_space_breaks_the_recipe(game):
    code, deck = drawn(game, "board")
    board = deck.components["board"].board
    cc = next(space for space in board.spaces.values() if space.region == "hd" and space.kind == "cc")
    key = cc.id.replace("-", "_")
    assert any(
        "begins with green" in problem
        for problem in unmet_constraints(game, changed(deck, **{key: {"kind": "green"}}), code)
    )
    other = {"values": {**cc.values, "card": "dragon-1"}}
    problems = unmet_constraints(game, changed(deck, **{key: other}), code)
    assert any(problem.startswith("the cards of hd do not match the recipe") for problem in problems)
    assert any("has 0 spaces" in problem for problem in problems)
    assert any("has 2 spaces" in problem for problem in problems)
    assert any(
        "is labelled" in problem for problem in unmet_constraints(game, changed(deck, **{key: {"label": "+1"}}), code)
    )


def test_changed_edges_break_the_recipe(game):
    code, deck = drawn(game, "board")
    part = deck.components["board"]
    arrow = next(name for name, space in part.board.spaces.items() if space.kind == "arrow")

    def without(keep):
        board = structs.replace(part.board, edges=tuple(filter(keep, part.board.edges)))
        return structs.replace(deck, components={"board": structs.replace(part, board=board)})

    assert unmet_constraints(game, without(lambda edge: edge.along or edge.start != arrow), code) == [
        "no arrow leads from is to left-7"
    ]
    problems = unmet_constraints(game, without(lambda edge: (edge.start, edge.end) != ("big-bang", "first-1")), code)
    assert problems == [
        "the paths between spaces differ from those of the standard board",
        "some spaces cannot be reached from the Big Bang",
    ]
    turned = changed(deck, **{arrow.replace("-", "_"): {"values": {"turn": 270, "card": None}}})
    assert unmet_constraints(game, turned, code) == [
        f"the arrow on {arrow} points in the wrong direction (270 degrees)"
    ]


def test_spaces_too_close_together_break_the_recipe(game):
    spread = with_recipe(game, "B1", apart=5)
    near = [unmet_constraints(spread, deck, code) for code, deck in (drawn(game, "board", index) for index in range(5))]
    assert all(any("less than 5 steps apart" in problem for problem in problems) for problems in near)


def test_a_wrong_card_in_the_deck_breaks_the_recipe(game):
    code, deck = drawn(game, "deal")
    cards = deck.cards["cards"]
    wrong = structs.replace(deck, cards={"cards": (*cards[:-1], cards[0])})
    assert unmet_constraints(game, wrong, code) == [
        f"card “{cards[-1].id}” is missing",
        f"card “{cards[0].id}” is in the deck too often (1 more than the recipe has)",
    ]


# ---- recipes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"apart": 0}, "“apart” must be from 1 to 99, not “0”"),
        ({"apart": 9}, "the recipe allows no order of the spaces of “is”"),
        ({"begins": "arrow"}, "the recipe allows no order of the spaces of “em”"),
        ({"regions": ("is",)}, "“regions” must be written with keys, such as “name: value”"),
        ({"arrows": {}}, "“is” must be under “arrows” if its kinds include an arrow, and only then"),
        (
            {"arrows": {"is": {"to": "left-7", "at": {"2": 45}}}},
            "“2” must be one of 0, 90, 180, 270, not “45”",
        ),
        ({"regions": {"is": {"kinds": ("gren",), "cards": ("lion-1",)}}}, "no kind “gren”"),
        ({"regions": {"is": {"kinds": ("gren",), "cards": ("lion-1",)}}}, "no card “lion-1” in the game"),
        ({"regions": {"is": {"kinds": ("green",), "cards": ()}}}, "“is” has 6 spaces on the board"),
        ({"regions": {"is": {"kinds": ()}}}, "“is” needs the key “cards”"),
        ({"more": 1}, "unknown key “more”"),
    ],
)
def test_a_bad_recipe_for_boards_is_an_error_with_its_line(game, changes, message):
    wrong = with_recipe(
        game,
        "B1",
        **{key: MappingProxyType(value) if isinstance(value, dict) else value for key, value in changes.items()},
    )
    with pytest.raises(InputError) as caught:
        SETS.deal(wrong, SetCode("CC", 1, "B", "B1", 5))
    problem = next(problem for problem in caught.value.problems if message in problem.message)
    assert str(problem).startswith("data/cosmic_consequences/sets.yaml:")
    assert problem.place.line > 20


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        (("lion-1",), "no card “lion-1” in the game"),
        (("zero-1", "zero-1"), "the card “zero-1” is listed 2 times"),
    ],
)
def test_a_bad_recipe_for_deals_is_an_error(game, deck, message):
    with pytest.raises(InputError, match=rf"sets.yaml:[0-9]+: recipe “01”: {message}"):
        SETS.deal(with_recipe(game, "01", deck=deck), SetCode("CC", 1, "D", "01", 5))


def test_codes_of_other_kinds_and_games_are_errors(game):
    for code, message in (
        (SetCode("CC", 1, "C", "01", 5), "is for card sets, but Cosmic Consequences only has deals"),
        (SetCode("CC", 1, "B", "01", 5), "has no recipe “01” for a board"),
        (SetCode("GU", 1, "B", "B1", 5), "does not belong to Cosmic Consequences"),
    ):
        with pytest.raises(InputError, match=message):
            games.deal(game, code)
