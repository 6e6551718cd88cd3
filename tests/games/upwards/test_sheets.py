"""Good sheets have no finding; every rule has bad sheets that break it and no other. A folder is the sheets of several
players of one game."""

from pathlib import Path

import pytest

from generator.definitions.load import load
from generator.games.upwards import together
from generator.games.upwards.rules import book
from generator.judge import umpire
from generator.rules import plain
from tests.games.upwards.judging import judged_files

HERE = Path(__file__).parent
GOOD = sorted(HERE.glob("good/*"))
BAD = sorted(HERE.glob("bad/*/*"))
BOOKS = [book, together.book, *map(plain.book, load("upwards").sheets.values())]
SEVERITY = {rule.name: rule.severity for each in BOOKS for rule in each.rules}


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_sheets_break_nothing(path):
    assert judged_files(path)["findings"] == []


@pytest.mark.parametrize("path", BAD, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_bad_sheets_break_their_rule_and_no_other(path):
    answer = judged_files(path)
    severity = SEVERITY[path.parent.name]
    assert {(finding["rule"], finding["severity"]) for finding in answer["findings"]} == {(path.parent.name, severity)}
    assert answer["valid"] == (severity == "warning")
    assert all(finding["line"] and finding["player"] for finding in answer["findings"])


def test_every_rule_has_a_bad_sheet():
    assert {path.parent.name for path in BAD} == set(SEVERITY)


def test_every_decision_is_a_rule_or_a_count(game):
    books = [umpire(game).book, together.book]
    told = " ".join(rule.source for each in books for rule in [*each.rules, *each.counting])
    assert {f"U{number}" for number in range(1, 23)} <= set(told.replace(",", " ").replace(";", " ").split())
