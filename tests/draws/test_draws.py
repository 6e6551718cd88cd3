"""Random draws of a game, and the recipes that options select."""

from __future__ import annotations

import pytest
from msgspec import structs

from generator import games
from generator.draws import SetCode, draw, draw_kinds
from generator.errors import InputError
from generator.model.game import DrawFile
from generator.reading.load import load


@pytest.fixture(scope="module")
def game():
    """A game that draws dice by language and strips by rounds, with a strip for each player or one for all."""
    strip = {
        "10": {"rounds": ("10",)},
        "20": {"rounds": ("20",)},
        "2E": {"rounds": ("20",), "each": ("yes",)},
        "34": {"rounds": ("30", "40")},
    }
    dice = {"E0": {"language": ("english",)}, "D0": {"language": ("german",)}}
    files = {"dice": DrawFile(kind="R", recipes=dice), "strip": DrawFile(kind="S", default="20", recipes=strip)}
    return structs.replace(load("upwards"), draws=files, sets={"default": "D0"})


@pytest.mark.parametrize(
    ("what", "options", "recipe"),
    [
        ("dice", {}, "D0"),
        ("dice", {"language": "english"}, "E0"),
        ("strip", {}, "20"),
        ("strip", {"rounds": "10"}, "10"),
        ("strip", {"rounds": "20"}, "20"),
        ("strip", {"each": "yes"}, "2E"),
        ("strip", {"rounds": "40"}, "34"),
    ],
)
def test_options_select_a_recipe(game, what, options, recipe):
    assert draw_kinds.recipe(game, what, options) == recipe


def test_options_select_a_draw(game):
    assert [
        draw_kinds.choose_draw(game, None, options) for options in ({}, {"rounds": "10"}, {"language": "german"})
    ] == [
        "dice",
        "strip",
        "dice",
    ]
    assert draw_kinds.new_code(game, "x", 2, "strip", {"each": "yes"}) == draw("UP", "S", "2E", "x", 2)


@pytest.mark.parametrize(
    ("what", "options", "message"),
    [
        ("cards", {}, "Upwards! has no kind of random set “cards”; known: dice, strip"),
        ("dice", {"rounds": "10"}, "--rounds does not apply to the dice of Upwards!; known: --language english|german"),
        ("strip", {"rounds": "5"}, r"the strip of Upwards! cannot be drawn with --rounds 5; known: 10, 20, 30, 40"),
        ("strip", {"rounds": "10", "each": "yes"}, "cannot be drawn with --rounds 10 --per-player together"),
    ],
)
def test_impossible_draws_are_refused_with_the_possible_ones(game, what, options, message):
    with pytest.raises(InputError) as caught:
        draw_kinds.new_code(game, "x", 0, what, options)
    assert message in str(caught.value)


def test_a_code_identifies_its_draw(game):
    assert draw_kinds.draw_of(game, SetCode("UP", 1, "S", "2E", 5)) == "strip"
    for code, message in (
        (SetCode("UP", 1, "S", "99", 5), "has no recipe “99” for a strip"),
        (SetCode("UP", 1, "D", "20", 5), "is for deals, but Upwards! only has dice and strips"),
        (SetCode("EU", 1, "S", "20", 5), "does not belong to Upwards!"),
    ):
        with pytest.raises(InputError, match=message):
            draw_kinds.draw_of(game, code)


@pytest.mark.parametrize("key", games.SHIPPED)
def test_every_recipe_of_every_game_can_be_drawn(key):
    """Each recipe belongs to one draw, can be selected by options, and gives a deck with its code."""
    found = load(key)
    listed = [recipe for about in found.draws.values() for recipe in about.recipes]
    assert found.own_draws or sorted(listed) == sorted(draw_kinds.recipes(found))
    for what, about in found.draws.items():
        for name, options in about.recipes.items():
            chosen = {option: values[0] for option, values in options.items()}
            code = draw(found.definition.prefix, about.kind, name, "every recipe")
            assert draw_kinds.recipe(found, what, chosen) == name
            if "run" in options:
                code = games.random_sets(found).run(found, code, 3)[1]
            deck = games.deal(found, code)
            assert deck.code == str(code)
            assert games.random_sets(found).unmet_constraints(found, deck, code) == []
            assert draw_kinds.draw_of(found, code) == what
