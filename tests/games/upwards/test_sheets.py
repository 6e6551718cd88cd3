"""Good sheets have no findings; every rule has bad sheets that break it and no other rule. A folder is the sheets of
several players of one game."""

from pathlib import Path

import pytest

from tests.games.books import severities, sources
from tests.games.upwards.judging import judged_files

HERE = Path(__file__).parent
GOOD = sorted(HERE.glob("good/*"))
BAD = sorted(HERE.glob("bad/*/*"))
SEVERITY = severities("upwards")


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


def test_every_decision_is_a_rule_or_a_scoring_rule():
    assert {f"U{number}" for number in range(1, 23)} <= sources("upwards")
