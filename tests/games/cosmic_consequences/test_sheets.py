"""Good sheets have no problems, bad sheets break exactly one rule, and unreadable input is an error."""

from pathlib import Path

import pytest

from tests.games.books import severities, sources
from tests.games.cosmic_consequences.judging import broken, judged

HERE = Path(__file__).parent
GOOD = sorted(HERE.glob("good/*"))
BAD = sorted(HERE.glob("bad/*/*"))
SEVERITY = severities("cosmic_consequences")


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_sheets_have_no_problems(path):
    assert judged(path.read_text("utf-8"))["findings"] == []


@pytest.mark.parametrize("path", BAD, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_bad_sheets_break_exactly_one_rule(path):
    answer = judged(path.read_text("utf-8"))
    severity = SEVERITY[path.parent.name]
    assert [(finding["rule"], finding["severity"]) for finding in answer["findings"]] == [(path.parent.name, severity)]
    assert answer["valid"] == (severity == "warning")


def test_every_rule_has_a_bad_sheet():
    assert {path.parent.name for path in BAD} == set(SEVERITY)


def test_every_decision_has_a_rule():
    assert {f"C{number}" for number in (*range(1, 21), 30, 31, 32)} <= sources("cosmic_consequences")


# ---- unreadable input -----------------------------------------------------------------------------------------------


def errors(**more):
    answer = judged({"game": "cosmic_consequences", "players": ["Ann", "Ben"], **more})
    return [problem["message"] for problem in answer.get("error", [])]


def turn(**parts):
    return {"turns": [{"player": "Ann", "roll": 4, "to": "is-1", **parts}]}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (turn(player="Anna"), "no player “Anna” on this sheet"),
        (turn(to="is-7"), "no space “is-7” on the board"),
        (turn(roll=7), "Ann, turn 1: roll must be a number from 1 to 6, not “7”"),
        (turn(draw="deck"), "turn 1, draw: the card is missing"),
        (turn(draw="Ann"), "turn 1, draw: the card is missing"),
        (turn(draw="stock +3"), "“stock +3” must begin with deck, pile or a player"),
        (turn(draw="deck +13"), "no card “+13” in the game"),
        (turn(draw={"from": "deck", "card": "dragon-13"}), "no card “+13” in the game"),
        (turn(draw={"from": "deck"}), "“draw” needs the key “card”"),
        (turn(draw={"card": "dragon-3"}), "“draw” needs the key “from”"),
        (turn(draw={"from": "deck", "card": "dragon-3", "onto": "Ben"}), "unknown key “onto”"),
        (turn(discard={"card": "+3", "onto": "Cat"}), "“Cat +3” must begin with pile or a player"),
        (turn(discard="deck +3"), "“deck +3” must begin with pile or a player"),
        (turn(jump="lion-3"), "no card “lion-3” in the game"),
        (turn(forced="stock +3"), "“stock +3” must say draw or discard"),
        (turn(forced="draw +3"), "“+3” must begin with deck, pile or a player"),
        (turn(to="12"), "no space “12” on the board"),
        (turn(to="is-3, back to the Big Bang"), "no space “is-3, back to the Big Bang” on the board"),
        (turn(forced={"player": "Ann"}), "“forced” must be either a draw or a discard"),
        (turn(forced=["draw deck +3", {"draw": {"from": "deck", "card": 77}}]), "no card “77” in the game"),
        ({"hands": {"Cat": {"cc_up": ["+3"]}}}, "“Cat” is not one of the players"),
        ({"hands": {"Ann": {"cc_up": ["+30"]}}}, "no card “+30” in the game"),
        ({"hands": {"3": {"cc_up": ["+3"]}}}, "there is a hand 3, but no player 3"),
        ({"hands": {"Ann": {"stacks": [[]] * 5}}}, ""),
        ({"cards": "perhaps"}, "cards must be with or without, not “perhaps”"),
        ({"deal": {"deck": ["+3", "lion"]}}, "no card “lion” in the game"),
        ({"deal": {"hands": []}}, "deal needs the key “deck”"),
        ({"deal": "EU-1D03-7Y9CW-HTB7W-N9"}, "is not a valid set code"),
        ({"players": ["Ann", "pile"]}, "no player can be called “pile” in this game"),
    ],
)
def test_unreadable_input(more, message):
    messages = errors(**more)
    assert any(message in found for found in messages) if message else not messages


def test_a_space_among_the_cards_is_named_in_the_hint():
    def hint(**parts):
        sheet = {"game": "cosmic_consequences", "players": ["Ann", "Ben"], "turns": [{"player": "Ann", **parts}]}
        return judged(sheet)["error"][0]["hint"]

    assert hint(jump="+5 3 bh-4") == "“bh-4” is a space, not a card; type “roll 3 to bh-4” after the cards"
    assert hint(draw="deck +5 BH-4") == "“BH-4” is a space, not a card; type “to BH-4” after the cards"


def test_turns_are_read_as_families_write_them():
    head, written = {"game": "cosmic_consequences", "players": ["Ann", "Ben"]}, turn(roll=6, to="is-3")
    for space in ("is-3", "IS 3", "Intergalactic Space 3", "−12"):
        for forced in ("draw deck +3", "deck + 3"):
            assert judged({**head, **turn(roll=6, to=space, forced=forced)})["findings"] == []
    assert judged({**head, **written})["findings"] != []


def test_a_forced_draw_may_be_a_mapping_or_words():
    def answer(forced):
        turns = [{"player": "Ann", "roll": 4, "to": "is-1", "forced": forced}]
        return judged({"game": "cosmic_consequences", "players": ["Ann", "Ben"], "turns": turns})

    assert answer({"draw": "deck +3"})["findings"] == []
    assert answer({"draw": "deck +3"}) == answer("draw deck +3") == answer([{"draw": "deck +3"}])


def test_a_log_needs_players():
    answer = judged({"game": "cosmic_consequences", "turns": [{"player": "Ann", "roll": 4, "to": "is-1"}]})
    assert [problem["hint"] for problem in answer["error"]] == ["add players: [Ann, Ben, ...] in order of play"]


def test_all_problems_are_reported_at_once():
    assert (
        len(
            errors(
                turns=[{"player": "Anna", "roll": 9, "to": "is-7", "draw": {"form": "deck"}, "jump": "lion"}],
                hands={"Ann": {"cc_up": ["+30"]}},
                cards="perhaps",
            )
        )
        == 9
    )


# ---- spellings ---------------------------------------------------------------------------------------------------

LEAVING = {"player": "Ann", "roll": 4, "to": "is-1"}


@pytest.mark.parametrize("card", ["dragon-3", "Dragon-3", "DRAGON_3", "+3", "3"])
@pytest.mark.parametrize("line", [True, False])
def test_a_card_can_be_written_as_id_or_value(card, line):
    entry = f"draw deck {card}" if line else {"draw": {"from": "deck", "card": card}}
    hand = {"Ann": {"cc_up": ["dragon-3"]}}
    sheet = {"game": "cosmic_consequences", "players": ["Ann", "Ben"], "turns": [{**LEAVING, "forced": entry}]}
    assert broken(sheet | {"hands": hand}) == set()
    hand["Ann"]["cc_up"] = ["dragon-4"]
    assert broken(sheet | {"hands": hand}) == {"hands-agree"}


@pytest.mark.parametrize("card", ["tiger-3", "-3", "−3", "− 3", "Tiger-3"])
def test_every_kind_of_minus_is_read(card):
    hands = {"Ann": {"number_up": "+3", "stacks": [["+4", "-4"]]}, "Ben": {"cc_up": [card, "zero-1"], "number_up": "0"}}
    assert broken({"game": "cosmic_consequences", "players": ["Ann", "Ben"], "hands": hands}) == set()
    hands["Ann"]["number_up"] = "tiger-3"
    assert broken({"game": "cosmic_consequences", "players": ["Ann", "Ben"], "hands": hands}) == {"card-once"}


def test_flat_field_ids_mean_the_same():
    nested = {
        "game": "cosmic_consequences",
        "players": ["Ann", "Ben"],
        "turns": [{**LEAVING, "forced": {"draw": {"from": "deck", "card": "dragon-3"}}}],
        "hands": {"Ann": {"cc_up": ["dragon-4"]}},
    }
    flat = {
        "game": "cosmic_consequences",
        "players.1": "Ann",
        "players.2": "Ben",
        "turns.1.player": "Ann",
        "turns.1.roll": 4,
        "turns.1.to": "IS 1",
        "turns.1.forced": "draw deck +3",
        "hands.1.cc_up": "+4",
    }
    assert judged(nested) == judged(flat)
    assert broken(flat) == {"hands-agree"}


def test_a_name_may_have_several_words_and_digits():
    sheet = {
        "game": "cosmic_consequences",
        "players": ["Ann 2", "Ann"],
        "turns": [
            {**LEAVING, "player": "Ann 2", "forced": "Ann 2 draw deck +3"},
            {"player": "ann", "roll": 6, "to": "is-3", "forced": "ANN draw deck 2"},
            {"player": "Ann 2", "draw": "Ann 2", "roll": 2, "to": "is-3"},
        ],
    }
    assert broken(sheet) == {"draw-from"}


def test_the_order_of_keys_changes_nothing():
    sheet = {
        "game": "cosmic_consequences",
        "players": ["Ann", "Ben"],
        "turns": [{**LEAVING, "forced": "draw deck 0"}, {"player": "Ben", "roll": 2, "to": "is-3"}],
    }
    turned = {key: sheet[key] for key in reversed(sheet)}
    turned["turns"] = [{key: turn[key] for key in reversed(turn)} for turn in sheet["turns"]]
    assert judged(turned) == judged(sheet)
    assert broken(sheet) == {"move", "leaving"}
