"""Field ids in messages are replaced with words."""

import pytest

from generator.reading.load import load
from generator.sheets.parts import in_words, words


@pytest.mark.parametrize(
    ("sheet", "field", "people", "expected"),
    [
        ("elevator_up log", "turns.1.pickup", {"turns.1": "Ann"}, "Ann, turn 1: pile"),
        ("elevator_up log", "turns.1.play.2", {}, "turn 1: card 2"),
        ("elevator_up log", "turns.1.player", {"turns.1": "Ann"}, "turn 1: player"),
        ("elevator_up log", "players.2", {"players.2": "Ben"}, "player 2"),
        ("from_the_ground_up table", "players.1.cards.2.crates.4", {"players.1": "Ann"}, "Ann, card entry 2: crate 4"),
        ("from_the_ground_up table", "players.1.claimed.total", {"players.1": "Ann"}, "Ann, claimed: total"),
        ("from_the_ground_up table", "players.1.discarded", {"players.1": "Ann"}, "Ann: “Given up”"),
        ("from_the_ground_up table", "shared.3.card", {}, "shared card entry 3: card"),
        ("cosmic_consequences log", "turns.1.forced", {"turns.1": "Ann"}, "Ann, turn 1: “The space asks”"),
        ("from_the_ground_up table", "players.1.name", {"players.1": "Ann"}, "player 1: name"),
        ("from_the_ground_up table", "log.3", {"log.3": "Ann"}, "Ann, log entry 3"),
        ("from_the_ground_up table", "deal.Ann", {"deal.Ann": "Ann"}, "Ann: deal"),
        ("rolling_cubes one-by-one", "rounds.2.words.1.tiles", {"rounds.2.words.1": "Ann"}, "Ann, round 2: tiles"),
        ("rolling_cubes one-by-one", "claimed.2", {"claimed.2": "Ben"}, "Ben: total"),
        ("upwards sheet", "grid.a1", {}, "a1"),
        ("upwards sheet", "bonus_rows.3", {}, "bonus row 3"),
        ("upwards sheet", "claimed.columns.2", {}, "points: column 2"),
        ("upwards sheet", "blocks.2", {}, "block 2"),
    ],
)
def test_a_field_is_named_by_its_player_and_entries(sheet, field, people, expected):
    game, name = sheet.split()
    assert words(load(game).sheets[name].definition, field, people) == expected


def test_a_card_is_called_by_its_number():
    definition = load("from_the_ground_up").sheets["table"].definition
    marks, people = {"players.1.cards.1.card": "7"}, {"players.1": "Ann"}
    assert words(definition, "players.1.cards.1.crates.2", people, marks=marks) == "Ann, card 7: crate 2"


def test_words_replace_ids_except_in_quotations():
    definition = load("elevator_up").sheets["log"].definition
    message = "turns.1.pickup: “turns.1.pickup” is not one of the turns.2.play, and returns.1.x is not a field"
    assert in_words(message, definition, ["turns"], {"turns.1": "Ann"}) == (
        "Ann, turn 1, pile: “turns.1.pickup” is not one of the turn 2: play, and returns.1.x is not a field"
    )
