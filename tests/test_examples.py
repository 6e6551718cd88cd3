"""The examples: short folders that print without a problem, and sheets that score as they should."""

import json

import pytest
import yaml

from generator import games, paths
from generator.judging.judge import Judge
from generator.model.print_settings import PrintSettings
from generator.paths import examples
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper

LONG = {"lantern_walk", "beetles", "dice_dozen", "kite_day", "potting_shed", "star_trails"}
"""They show every kind of file with a template of its own, everything that Python can do, and score pads as one could
sell them."""
TEXTS = (".yaml", ".csv", ".j2", ".py", ".svg")
WORKED_OUT = sorted((paths.ROOT / "tests" / "example_sheets").glob("*.yaml"))
SHEETS = sorted(paths.EXAMPLES.glob("*/filled.yaml"))


@pytest.mark.parametrize("name", [name for name in examples() if name not in LONG])
def test_an_example_has_less_than_60_lines(name):
    files = [path for path in (paths.EXAMPLES / name).rglob("*") if path.suffix in TEXTS]
    lines = {path.name: len(path.read_text("utf-8").splitlines()) for path in files}
    assert sum(lines.values()) < 60, lines
    assert max(len(line) for path in files for line in path.read_text("utf-8").splitlines()) <= 150


@pytest.mark.parametrize("size", ["a4", "letter"])
@pytest.mark.parametrize("name", examples())
def test_an_example_prints(name, size):
    game = load(paths.EXAMPLES / name)
    press = Press(game, games.deal(game), PrintSettings(low_ink=size == "letter"))
    for part in game.components:
        assert press.component(part, paper(size)).pages
    for part in game.sheets:
        assert press.fillable(part, paper(size)).pages


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.parent.name)
def test_the_filled_sheet_of_an_example_is_valid(path):
    (answer,) = Judge().answers([str(path)])
    assert answer.verdict.findings == ()


def test_every_score_sheet_has_a_filled_example():
    with_sheets = {name for name in examples() if load(paths.EXAMPLES / name).sheets}
    assert with_sheets == {path.parent.name for path in SHEETS}


def worked_out(kind):
    """The sheets of tests/example_sheets: the game, the sheet, and what was worked out by hand for it."""
    return [
        pytest.param(path.stem, case["sheet"], case, id=f"{path.stem}-{number}")
        for path in WORKED_OUT
        for number, case in enumerate(yaml.safe_load(path.read_text("utf-8"))[kind], 1)
    ]


def judged(tmp_path, game, sheet):
    file = tmp_path / "sheet.json"
    file.write_text(json.dumps(sheet))
    (answer,) = Judge(named=str(paths.EXAMPLES / game)).answers([str(file)])
    return answer


@pytest.mark.parametrize(("game", "sheet", "case"), worked_out("legal"))
def test_a_legal_sheet_scores_as_worked_out_by_hand(tmp_path, game, sheet, case):
    answer = judged(tmp_path, game, sheet)
    assert answer.verdict.findings == ()
    assert answer.result.scores[0].total == case["total"]


@pytest.mark.parametrize(("game", "sheet", "case"), worked_out("illegal"))
def test_an_illegal_sheet_breaks_the_rules_worked_out_by_hand(tmp_path, game, sheet, case):
    findings = judged(tmp_path, game, sheet).verdict.findings
    assert sorted({finding.rule for finding in findings}) == sorted(case["rules"])


def test_each_pad_has_ten_legal_and_ten_illegal_sheets():
    assert {path.stem for path in WORKED_OUT} == {"dice_dozen", "kite_day", "potting_shed"}
    assert len(worked_out("legal")) == len(worked_out("illegal")) == 30
