"""What is printed: the deck follows the rulebook and our decisions, and cards look different enough."""

from collections import Counter
from itertools import combinations

import pytest
import yaml

from generator import paths
from generator.definitions.load import load
from tests.games.colour_vision import SEEN, contrast, difference

SPECIALS = {"penthouse": 2, "new-building": 3, "stuck": 3, "lobby": 3, "door-closed": 3}


@pytest.fixture(scope="module")
def game():
    return load("elevator_up")


@pytest.fixture(scope="module")
def cards(game):
    return game.components["cards"].cards


def looks(game):
    """The colours in full and with low ink."""
    pale = yaml.safe_load((paths.DATA / "elevator_up" / "low_ink.yaml").read_text())["colours"]
    return [dict(game.theme.colours), {**game.theme.colours, **pale}]


def test_fifty_cards_nine_floors_in_fours_and_fourteen_special_ones(cards):
    assert Counter(card.id for card in cards) == {**{str(floor): 4 for floor in range(1, 10)}, **SPECIALS}
    assert len(cards) == 50


def test_floors_have_their_numbers(cards):
    assert all(card.letter == card.id == str(card.floor) and card.dial == card.floor for card in cards if card.floor)


def test_each_letter_is_for_one_card(cards):
    named = {card.id: card.letter for card in cards}
    assert len(set(named.values())) == len(named)
    assert {named[card] for card in SPECIALS} == set("PNSLD")


def test_there_are_enough_cards_for_five_players(game, cards):
    assert sum(game.rules["deal"].values()) * game.definition.players.high == 40 < len(cards)


def test_rules_name_existing_cards(game, cards):
    known = {card.id for card in cards}
    assert {*game.rules["transparent"], *game.rules["never_on_special"]} <= known
    assert game.rules["floors"] == f"{min(c.floor for c in cards if c.floor)}-{max(c.floor for c in cards if c.floor)}"


def test_the_log_has_the_fields_of_a_file(game):
    fields = {*game.sheets["log"].fields}
    assert {"players.5", "deal", "out", "turns.1.player", "turns.1.play.4", "turns.9.pickup", "turns.44.flip"} <= fields


@pytest.mark.parametrize("seen", SEEN)
def test_backgrounds_of_special_cards_look_different(game, seen):
    grounds = [game.theme.colours[card] for card in SPECIALS]
    assert min(difference(one, other, seen) for one, other in combinations(grounds, 2)) >= 18


@pytest.mark.parametrize(
    "text, ground, least",
    [
        ("lettering", "ground", 7),
        ("lettering", "wall", 7),
        ("numeral", "panel", 7),
        ("ink", "panel", 7),
        ("brass", "ground", 3),
        *((f"on-{card}", card, 3) for card in SPECIALS),
    ],
)
def test_letters_and_icons_stand_out_from_their_background(game, text, ground, least):
    assert all(contrast(colours[text], colours[ground]) >= least for colours in looks(game))


def test_lit_windows_stand_out_from_dark_ones(game):
    assert all(contrast(colours["lit"], colours["unlit"]) >= 3 for colours in looks(game))
