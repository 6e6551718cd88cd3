"""What is printed: the deck follows the rulebook and our decisions, and cards look different enough."""

from collections import Counter
from itertools import combinations

import pytest
import yaml

from generator import games, paths
from generator.draws import draw_kinds
from generator.geometry.frame import Shape
from generator.geometry.outlines import bounds
from generator.printing.game_faces import GameFaces
from generator.printing.press import sheet_paper
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.games.colour_vision import SEEN, contrast, difference
from tests.presses import press_of

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
    assert {named[card] for card in SPECIALS} == set("PNKLD")


def test_there_are_enough_cards_for_five_players(game, cards):
    assert sum(game.rules["deal"].values()) * game.definition.players.high == 40 < len(cards)


def test_rules_name_existing_cards(game, cards):
    known = {card.id for card in cards}
    assert {*game.rules["transparent"], *game.rules["never_on_special"]} <= known
    assert game.rules["floors"] == f"{min(c.floor for c in cards if c.floor)}-{max(c.floor for c in cards if c.floor)}"


def test_the_log_has_the_fields_of_a_file(game):
    fields = {*game.sheets["log"].fields}
    assert {"players.5", "deal", "out", "turns.1.player", "turns.1.play.4", "turns.9.pickup", "turns.40.flip"} <= fields


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


@pytest.fixture(scope="module")
def press():
    return press_of("elevator_up")


def test_the_bar_of_the_lower_index_has_air_below_the_sill(press, cards):
    for floor in ("6", "9"):
        face = press.card(press.game.components["cards"], next(card for card in cards if card.id == floor), "card")
        boxes = [(item.fill, bounds(item.path)) for item in face.items if isinstance(item, Shape) and item.fill]
        theme = press.game.theme.colours
        bars = [box for fill, box in boxes if fill == theme["ink"] and box[3] - box[1] < 1]
        sill = max(box[3] for fill, box in boxes if fill == theme["brass"] and box[2] - box[0] > 38)
        assert len(bars) == 2
        assert max(box[1] for box in bars) - sill >= 1


@pytest.mark.parametrize("on", ["a4", "letter"])
def test_the_tally_is_symmetrical_and_turns_climb(press, on):
    page = sheet_paper(press.game.components["tally"], paper(on))
    (frame,) = press.sheet(press.game.components["tally"], page)
    totals = [slot for slot in frame.slots() if slot.id.endswith(".total")]
    assert sum(slot.x + slot.width / 2 for slot in totals) / 5 == pytest.approx(frame.width / 2, abs=0.05)
    (frame,) = press.sheet(press.game.components["log"], page)
    heights = {slot.id: slot.y for slot in frame.slots()}
    storeys = [heights[f"turns.{turn}.player"] for turn in range(1, 21)]
    assert storeys == sorted(storeys, reverse=True)


def test_what_is_printed_of_a_deck_does_not_depend_on_the_deal(game):
    """The key of the turn log, the reference cards and the box list the special cards in the order of their file."""
    dealt = GameFaces(game, games.deal(game, draw_kinds.new_code(game, "a", 0, "deal", {"players": "3"})))
    assert [card.id for card in dealt.deck.cards["cards"]] != [card.id for card in dealt.decks["cards"]]
    assert list(dict.fromkeys(card.id for card in dealt.decks["cards"] if card.values.get("icon"))) == [*SPECIALS]
