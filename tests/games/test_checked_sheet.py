"""What the rules.py of users asks a sheet for: an answer, or an error with its line."""

import re

import pytest
from click.testing import CliRunner

from generator.cli import pencilbox

GAME = "title: G\nplayers: 1-4\ncomponents: {pad: {kind: sheet, title: S, sheet: sheet.yaml, face: score_pad}}\n"
SHEET = """\
title: S
players: players
fields:
  players:
    repeat: 2
    most: 5
    fields:
      name: {kind: text}
      bids: {kind: choice, choices: ["0", "25"], count: 3}
      colours: {kind: choice, choices: [red, blue], count: 3}
      coins: {kind: number}
      house: {kind: choice, choices: ["0", "25"]}
      luck: {kind: tick, count: 4}
      box: {kind: tick}
"""
FILLED = """\
game: ./
players:
  - {name: Ann, bids: [25, ., 25], colours: [red, blue], coins: 7, house: 25, luck: [1, 3], box: x}
  - {name: Bo}
  - {name: Cy, coins: 4}
"""
CODE = """\
from generator.api import Line, Result, RuleBook, Score

book = RuleBook()


def score(sheet):
    points = %s
    return Result((Score("Ann", (Line("points", int(points or 0)),)),), (1,), ("Ann",))
"""


@pytest.fixture
def scored(tmp_path):
    def score(expression):
        for name, text in (("game", GAME), ("sheet", SHEET), ("filled", FILLED)):
            (tmp_path / f"{name}.yaml").write_text(text)
        (tmp_path / "rules.py").write_text(CODE % expression)
        return CliRunner().invoke(
            pencilbox, ["score", str(tmp_path / "filled.yaml"), "--game", str(tmp_path), "--trust-code"]
        )

    return score


@pytest.mark.parametrize(
    ("expression", "points"),
    [
        ('sum(n or 0 for n in sheet.row("players.1.bids"))', 50),
        ('sheet.number("players.1.house")', 25),
        ('sheet.number("players.1.bids.2")', 0),
        ('sheet.number("players.3.coins")', 4),
        ('len(sheet.row("players.4.bids"))', 0),
        ('sum(sheet.ticks("players.1.luck"))', 4),
        ('len(sheet.ticks("players.2.luck"))', 0),
        ('sheet.ticked("players.1.box")', 1),
        ('len(sheet.text("players.1.name") + sheet.text("players.2.colours.3"))', 3),
        ('sheet.value("players.1.colours.2") == "blue"', 1),
    ],
)
def test_what_a_sheet_answers(scored, expression, points):
    result = scored(expression)
    assert result.exit_code == 0, result.exception
    assert re.search(rf"^ *points +{points}$", result.output, re.MULTILINE), result.output


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ('sum(sheet.row("players.1.colours"))', "“players.1.colours.1” holds the text “red”, not a number; read it"),
        ('sheet.row("players.1.coins")', "“players.1.coins” is a single field or a group, not a row"),
        ('sheet.row("players.1.bid")', "“players.1.bid” is not a row of the sheet"),
        ('sheet.row("bids")', "“bids” is not a row of the sheet"),
        (
            'sheet.number("players.1.coin")',
            "“players.1.coin” is not a field of the sheet; did you mean players.1.coins",
        ),
        ('sheet.number("players.9.coins")', "“players.9.coins” is not a field of the sheet"),
        ('sheet.number("players.1.bids")', "“players.1.bids” is not a single field"),
        ('sheet.number("players.1.name")', "“players.1.name” holds the text “Ann”, not a number"),
        ('sheet.text("players.1.coins")', "“players.1.coins” holds no text; read it with number(…) or ticked(…)"),
        ('sheet.ticked("players.1.coins")', "“players.1.coins” is not a box to tick"),
        ('len(sheet.ticks("players.1.bids"))', "“players.1.bids.1” is not a box to tick"),
        ('sheet.value("nobody")', "“nobody” is not a field of the sheet"),
    ],
)
def test_wrong_use_is_an_error_with_the_line_of_the_code(scored, expression, message):
    result = scored(expression)
    assert f"rules.py:7: {message}" in str(result.exception) + result.output, result.exception
