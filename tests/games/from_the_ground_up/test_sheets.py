"""Good sheets have no finding; every rule has bad sheets that break it and no other."""

from pathlib import Path

import pytest

from tests.games.books import severities, sources
from tests.games.from_the_ground_up.judging import judged

HERE = Path(__file__).parent
GOOD = sorted(HERE.glob("good/*"))
BAD = sorted(HERE.glob("bad/*/*"))
SEVERITY = severities("from_the_ground_up")


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_sheets_break_nothing(path):
    assert judged(path.read_text("utf-8"))["findings"] == []


@pytest.mark.parametrize("path", BAD, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_bad_sheets_break_their_rule_and_no_other(path):
    answer = judged(path.read_text("utf-8"))
    severity = SEVERITY[path.parent.name]
    assert {(finding["rule"], finding["severity"]) for finding in answer["findings"]} == {(path.parent.name, severity)}
    assert answer["valid"] == (severity == "warning")


def test_every_rule_has_a_bad_sheet():
    assert {path.parent.name for path in BAD} == set(SEVERITY)


def test_every_decision_is_a_rule_or_a_count():
    assert {f"F{number}" for number in range(1, 17)} <= sources("from_the_ground_up")


def test_messages_about_points_use_the_minus_sign():
    sheet = """
game: from_the_ground_up
players:
  - {name: Ann, cards: [{card: 7, crates: [3, 2, ., ., .], star: 5, flipped: true}], claimed: {total: -4}}
  - {name: Ben, cards: [{card: 10, crates: [3, 3, 1, 1], star: 3}]}
"""
    answer = judged(sheet)
    messages = {finding["rule"]: finding["message"] for finding in answer["findings"]}
    assert messages["claimed-total"] == "Ann wrote −4, but the cards add up to −5"
    assert answer["players"][0]["total"] == -5


@pytest.mark.parametrize("deal", ["{Ann: 4 7 11, Ben: '3, 10, 1'}", "{Ann: '4,7,11', Ben: [3, 10, 1]}"])
def test_the_cards_dealt_may_be_one_text(deal):
    text = (HERE / "good/first_round.yaml").read_text("utf-8")
    listed = "deal: {Ann: [4, 7, 11], Ben: [3, 10, 1]}"
    assert listed in text
    assert judged(text.replace(listed, f"deal: {deal}")) == judged(text)
