"""Good sheets break no rule, and each bad sheet breaks exactly its rule."""

import json
import re
from pathlib import Path

import pytest
import yaml

from generator.judging.judge import Judge
from generator.reading.load import load
from generator.rules.results import plain as plain_answer
from tests.games.books import books, severities, sources
from tests.games.from_the_ground_up.judging import judged

HERE = Path(__file__).parent
GOOD = sorted(HERE.glob("good/*"))
BAD = sorted(HERE.glob("bad/*/*"))
WORDS = ("one-by-one", "all-together", "five-throws")
GAME = load("rolling_cubes")
RULES = [rule for book in books("rolling_cubes") for rule in book.rules]
SEVERITY = severities("rolling_cubes")


def mode(path):
    mode = re.search(r"^mode: (\S+)", path.read_text("utf-8"), re.MULTILINE)
    return mode[1] if mode else GAME.judged


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_sheets_break_nothing(path):
    assert judged(path.read_text("utf-8"))["findings"] == []


@pytest.mark.parametrize("path", BAD, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_bad_sheets_break_their_rule_and_no_other(path):
    answer = judged(path.read_text("utf-8"))
    severity = SEVERITY[path.parent.name]
    assert {(finding["rule"], finding["severity"]) for finding in answer["findings"]} == {(path.parent.name, severity)}
    assert answer["valid"] == (severity == "warning")
    assert all(finding["where"] and finding["line"] > 1 for finding in answer["findings"])


BETWEEN_SHEETS = {"same-game"}
"""Rules that several sheets break together: test_pads.py."""


@pytest.mark.parametrize(
    "rule",
    [rule for rule in RULES if rule.id not in BETWEEN_SHEETS],
    ids=lambda rule: f"{rule.id}-{'+'.join(rule.sheets)}",
)
def test_every_rule_has_a_bad_sheet(rule):
    """A rule for several sheets needs a bad sheet of only one of them."""
    sheets = {mode(path) for path in BAD if path.parent.name == rule.id}
    assert sheets & set(rule.sheets or GAME.sheets)


def test_rules_for_words_have_several_bad_sheets():
    for name in ("throw-possible", "tiles-thrown", "tiles-possible", "purple-die", "word-list"):
        assert len({mode(path) for path in BAD if path.parent.name == name} & set(WORDS)) >= 2, name
    assert {mode(path) for path in BAD if path.parent.name == "claimed-total"} >= {"last-die", "tournament"}


def test_every_decision_is_a_rule():
    assert {f"R{number}" for number in (*range(1, 28), "27b", 29, 30, 31, 32)} <= sources("rolling_cubes")


CODED = [path for path in (*GOOD, *BAD) if re.search("^(set|strip): ", path.read_text("utf-8"), re.MULTILINE)]


@pytest.mark.parametrize("path", CODED, ids=lambda path: path.stem)
def test_codes_are_read_from_json_on_one_line_too(path, tmp_path):
    """JSON Lines have a faster reader than YAML; it must read codes of dice and strips, too."""
    data = yaml.load(path.read_text("utf-8"), yaml.BaseLoader)
    line = tmp_path / "sheets.jsonl"
    line.write_text(f"{json.dumps(data, ensure_ascii=False)}\n" * 2, "utf-8")
    typed = judged(path.read_text("utf-8"))["findings"]
    for answer in map(plain_answer, Judge().answers([str(line)])):
        assert [(finding["rule"], finding["where"], finding["message"]) for finding in answer["findings"]] == [
            (finding["rule"], finding["where"], finding["message"]) for finding in typed
        ]
