"""Good sheets break no rule, each bad sheet breaks exactly its rule, and wrong input is reported."""

from pathlib import Path

import pytest

from tests.games.books import severities, sources
from tests.games.elevator_up.judging import broken, judged

HERE = Path(__file__).parent
GOOD = sorted(HERE.glob("good/*"))
BAD = sorted(HERE.glob("bad/*/*"))
SEVERITY = severities("elevator_up")


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_sheets_break_nothing(path):
    assert judged(path.read_text("utf-8"))["findings"] == []


@pytest.mark.parametrize("path", BAD, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_bad_sheets_break_their_rule_and_no_other(path):
    answer = judged(path.read_text("utf-8"))
    severity = SEVERITY[path.parent.name]
    assert [(finding["rule"], finding["severity"]) for finding in answer["findings"]] == [(path.parent.name, severity)]
    assert answer["valid"] == (severity == "warning")


def test_every_rule_has_a_bad_sheet():
    assert {path.parent.name for path in BAD} == set(SEVERITY)


def test_every_decision_is_a_rule():
    assert {f"E{number}" for number in range(1, 18)} <= sources("elevator_up")


def test_a_finding_names_its_player_and_line():
    answer = judged((HERE / "bad/beats/lower.yaml").read_text("utf-8"))
    assert answer["findings"] == [
        {
            "rule": "beats",
            "severity": "error",
            "player": "Ben",
            "where": ["turns.2.play.1"],
            "file": "sheet.yaml",
            "message": "Ben plays 3, which does not beat 4",
            "line": 6,
        }
    ]


# ---- wrong input --------------------------------------------------------------------------------------------------


def errors(**more):
    answer = judged({"game": "elevator_up", "players": ["Ann", "Ben"], **more})
    return [problem["message"] for problem in answer.get("error", [])]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"turns": [{"player": "Anna", "play": [4]}]}, "Anna"),
        ({"out": "Cat"}, "Cat"),
        ({"swaps": {"Cat": {"up": [1], "hand": [2]}}}, "Cat"),
        ({"deal": {"hands": {"Cat": [1]}}}, "Cat"),
        ({"turns": [{"player": "Ann", "play": [10]}]}, "Ann, turn 1: card 1 must be a card in the game, not “10”"),
        (
            {"turns": [{"player": "Ann", "play": ["lift"]}]},
            "Ann, turn 1: card 1 must be a card in the game, not “lift”",
        ),
        (
            {"turns": [{"player": "Ann", "play": [1, 1, 1, 1, 1]}]},
            "Ann, turn 1: play has 5 marks, but there are 4 boxes",
        ),
        ({"turns": [{"player": "Ann", "lpay": [1]}]}, "Ann, turn 1: unknown key “lpay”"),
        ({"turns": [{"player": "Ann", "pickup": "perhaps"}]}, "Ann, turn 1: pile must be x (ticked) or blank"),
        ({"deal": {"deck": [1, "lift"]}}, "no card “lift” in the game"),
        ({"deal": {"deck": [1], "stock": [2]}}, "unknown key “stock”"),
        ({"deal": [1, 2]}, "deal must be written with its keys: deck, hands, up, down"),
        ({"deal": "EU-1D03-7Y9CW-HTB7W-N9"}, "is not a valid set code"),
        ({"deal": "GU-1C01-62K98-RJWND-XN"}, "codes of this game begin with EU"),
        ({"swaps": {"Ann": {"up": ["lift"], "hand": [2]}}}, "no card “lift” in the game"),
        ({"players": ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay"]}, "at most 5 players can play"),
    ],
)
def test_wrong_input(more, message):
    (error,) = errors(**more)
    assert message in error


def test_a_log_without_players():
    answer = judged({"game": "elevator_up", "turns": [{"player": "Ann", "play": [4]}, {"player": "Ben", "play": [4]}]})
    assert [problem["hint"] for problem in answer["error"]] == ["add players: [Ann, Ben, ...] in order of play"]


def test_all_problems_are_reported_at_once():
    assert len(errors(turns=[{"player": "Anna", "play": [10]}], out="Cat", deal={"deck": ["lift", 11]})) == 5


# ---- ways of writing ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["new-building", "New-Building", "NEW_BUILDING", "N", "n"])
def test_a_card_may_be_typed_as_its_name_or_letter_in_either_case(card):
    log = {
        "game": "elevator_up",
        "players": ["Ann", "Ben"],
        "turns": [{"player": "Ann", "play": [card]}, {"player": "Ann", "play": [4]}],
    }
    assert broken(log) == set()
    log["turns"][1]["player"] = "Ben"
    assert broken(log) == {"new-building"}


@pytest.mark.parametrize("card", ["stuck", "K", "k", "S"])
@pytest.mark.parametrize(("one", "other"), [("Ann", "Ben"), (1, 2), ("1", "2")])
def test_stuck_has_an_older_letter_and_players_have_numbers(card, one, other):
    turns = [{"player": one, "play": [8]}, {"player": other, "play": [card]}, {"player": one, "play": [7]}]
    log = {"game": "elevator_up", "players": ["Ann", "Ben"], "turns": turns}
    assert broken(log) == {"beats"}


@pytest.mark.parametrize("row", [7, "7", "07", [7], "7 7", "7, 7", [7, 7], {"1": 7, "2": 7}])
def test_a_row_of_cards_may_be_a_list_or_a_text(row):
    log = {
        "game": "elevator_up",
        "players": ["Ann", "Ben"],
        "turns": [{"player": "Ann", "play": [8]}, {"player": "Ben", "play": row}],
    }
    assert broken(log) == {"beats"}


def test_players_may_be_named_in_either_case():
    log = {
        "game": "elevator_up",
        "players": ["Ann", "Ben"],
        "deal": {"hands": {"ann": [4, 5], "BEN": [7]}},
        "turns": [{"player": "ann", "play": [4]}, {"player": "BEN", "play": [7]}],
        "out": "ben",
    }
    assert judged(log)["winners"] == ["Ben"]


def test_flat_ids_give_the_same_answer():
    nested = {
        "game": "elevator_up",
        "players": ["Ann", "Ben"],
        "turns": [{"player": "Ann", "play": [4]}, {"player": "Ben", "play": [3, 3]}, {"player": "Ann", "pickup": True}],
    }
    flat = {
        "game": "elevator_up",
        "players.1": "Ann",
        "players.2": "Ben",
        "turns.1.player": "Ann",
        "turns.1.play.1": 4,
        "turns.2.player": "Ben",
        "turns.2.play.1": 3,
        "turns.2.play.2": 3,
        "turns.3.player": "Ann",
        "turns.3.pickup": "x",
    }
    assert judged(nested) == judged(flat)


def test_the_order_of_keys_changes_nothing():
    sheet = {
        "game": "elevator_up",
        "players": ["Ann", "Ben"],
        "deal": "EU-1D02-6Q92T-52HN2-MH",
        "turns": [{"player": "Ann", "play": [4]}, {"player": "Ben", "play": [3]}],
    }
    backwards = {key: sheet[key] for key in reversed(sheet)}
    backwards["turns"] = [{key: turn[key] for key in reversed(turn)} for turn in sheet["turns"]]
    assert judged(backwards) == judged(sheet)
