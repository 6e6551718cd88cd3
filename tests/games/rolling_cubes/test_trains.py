"""The trains of the last die: what a pencil writes on them, and what their letters may have been."""

from pathlib import Path

import pytest

from generator.judging.judge import Judge
from tests.games.from_the_ground_up.judging import judged

GOOD = Path(__file__).parent / "good"
PLAYERS = ["Ann", "Ben", "Cat"]


def sheet(*rounds, **more):
    return {"game": "rolling_cubes", "mode": "last-die", "players": PLAYERS, "rounds": [*rounds], **more}


def rules_of(result):
    return [finding["rule"] for finding in result["findings"]]


def test_players_are_written_by_number_where_there_is_room_for_one_character():
    answer = next(iter(Judge(copies=True).answers([str(GOOD / "trains.yaml")])))
    filled = answer.copied[0].filled
    assert filled.text("rounds.2.winner") == "Cat" and filled.written("rounds.2.winner") == "3"
    assert filled.written("rounds.5.letters.2.player") == "2"
    assert filled.written("players.1") == "Ann" and filled.written("cubes.1.crossed.2") == "x"


def test_an_old_sheet_is_written_on_the_trains():
    copied = next(iter(Judge(copies=True).answers([str(GOOD / "doubts.yaml")]))).copied[0]
    assert [copied.strokes.marks[f"rounds.{n}.train"] for n in (1, 2, 3)] == ["THR", "XT", "LL"]
    assert {name: number for name, number in copied.sums.items() if "winner" in name} == {
        "rounds.1.winner": 1,
        "rounds.2.winner": 2,
    }


@pytest.mark.parametrize(
    ("train", "found"),
    [("PIZZ", []), ("ZZ", []), ("ZZZZZZZ", ["tiles-possible"]), ("SPIN", ["complete"]), ("SP=", ["wildcard-said"])],
)
def test_letters_without_dice_may_be_wildcards(train, found):
    assert rules_of(judged(sheet({"train": train, "winner": "Ann"}))) == found


def test_the_first_letter_is_no_wildcard():
    """K and Q are on one die, and no word may begin with the wildcard that would be the other."""
    assert rules_of(judged(sheet({"train": "KQ", "winner": "Ann"}))) == []
    typed = sheet({"train": "KQ", "winner": "Ann", "who": "A B", "letters": "≠ ."})
    assert rules_of(judged(typed)) == ["wildcard-from"]


def test_the_second_sheet_decides_who_won():
    result = judged(sheet({"train": "SPRIN", "winner": "Ann", "who": "A", "stuck": "Cat"}))
    assert rules_of(result) == ["winner"] and [each["total"] for each in result["players"]] == [0, 1, 0]
    doubted = judged(sheet({"train": "XT", "winner": "Ben", "doubt": {"by": "Ben", "answer": "."}}))
    assert rules_of(doubted) == [] and doubted["players"][1]["total"] == 1


@pytest.mark.parametrize("cubes", [{"Ann": 2}, {"Ann": "1 2"}, {"Ann": {"crossed": [1, 2]}}, {"Ann": "x x"}])
def test_cubes_by_their_number_or_one_by_one(cubes):
    rounds = [{"train": "BRID", "winner": "Ann"}, {"train": "PLOU", "winner": "Ann"}]
    assert rules_of(judged(sheet(*rounds, cubes=cubes))) == []
    assert rules_of(judged(sheet(*rounds, cubes={"Ben": 1}))) == ["cubes", "cubes"]
