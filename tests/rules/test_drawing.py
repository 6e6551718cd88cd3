"""The drawing below a finding: which part of the sheet it shows, and how it looks in a terminal."""

import json
import os
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest

from generator import paths
from generator.judging.judge import Judge
from generator.rules.results import unpainted
from generator.rules.text import drawn
from generator.sheets import documents

GAMES = Path(__file__).parents[1] / "games"
JUDGED = ("cosmic_consequences", "elevator_up", "from_the_ground_up", "rolling_cubes", "upwards")
JUDGE = Judge(draw=True, score=False)


def painted(words, style):
    return f"\x1b[1m{words}\x1b[0m"


UNDRAWN = {"two-to-six": "the sheet names nobody"}


def lines(sheet, rule, width=80, paint=unpainted):
    """The lines drawn under the finding of this rule."""
    (document,) = documents(BytesIO(json.dumps(sheet).encode()), "sheet.yaml")
    answer = JUDGE.answer(document, "sheet.yaml")
    findings = zip(answer.verdict.findings, answer.drawings, strict=True)
    under = next(under for finding, under in findings if finding.rule == rule)
    return [line for drawing in under for line in drawn(drawing, paint, "error", width)]


@pytest.mark.parametrize("key", JUDGED)
def test_every_finding_is_drawn_and_marked(key):
    for path in sorted((GAMES / key).glob("bad/*/*")):
        files = sorted(map(str, path.iterdir())) if path.is_dir() else [str(path)]
        for answer in JUDGE.answers(files):
            for finding, under in zip(answer.verdict.findings, answer.drawings, strict=True):
                _check_drawing(finding, under, path)


def _check_drawing(finding, under, path):
    assert under or not finding.where, (path, finding)
    shown = [line for drawing in under for line in drawn(drawing, unpainted, "error", 60)]
    marked = re.findall(r"\[[^\]]+\]", "\n".join(shown))
    assert marked or _is_wide(finding.where), (path, finding, shown)
    coloured = [line for drawing in under for line in drawn(drawing, painted, "error", 60)]
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in coloured] == shown, path


def _is_wide(where):
    """Whether the finding is about a whole list, so that no part of it is marked."""
    return where[0] in ("players", "deal") or where[0].endswith(".words")


def test_a_grid_with_its_axes():
    sheet = {"game": "upwards", "option": "rows", "grid": ["3 . 2 .", "2 . . 6", "6 o 4 5"]}
    assert lines(sheet, "no-gaps") == [
        "4  .  .  .  .",
        "3  3  . [2] .",
        "2  2  .  .  6",
        "1  6  o  4  5",
        "   a  b  c  d",
    ]


def test_a_row_of_crates_with_the_printed_symbols():
    cards = [{"card": 4, "crates": [6, 6, 4, 2], "star": 4}]
    sheet = {"game": "from_the_ground_up", "players": [{"name": "Ann", "cards": cards}, {"name": "Ben"}]}
    assert lines(sheet, "lower-higher") == ["     card  star  crates", "Ann  4     4     [6] ▼ [6] ▼ 4 ▼ 2"]


def test_too_many_cards_are_drawn_card_by_card():
    cards = [{"card": number} for number in (1, 2, 3, 4)]
    ben = {"name": "Ben", "cards": [{"card": 5, "star": 3}, {"card": 6}]}
    sheet = {"game": "from_the_ground_up", "players": [{"name": "Ann", "cards": cards}, ben], "shared": [{"card": 12}]}
    drawing = lines(sheet, "cards-dealt")
    assert [line.split()[:2] for line in drawing[:2]] == [["card", "star"], ["Ann", "[1]"]]
    assert [line.split()[0] for line in drawing if "[" in line] == ["Ann"] * 4 + ["Ben"] * 2 + ["shared"]


def test_a_turn_with_the_turn_before():
    turns = [{"player": "Ann", "play": [4]}, {"player": "Ben", "play": [7, 7]}, {"player": "Ann", "play": [3, 3]}]
    sheet = {"game": "elevator_up", "players": ["Ann", "Ben"], "turns": turns}
    assert lines(sheet, "beats") == ["        player  card", "turn 2  Ben     7 7", "turn 3  Ann     [3] [3]"]


def test_a_turn_of_short_marks_is_a_row_too():
    turns = [{"player": name, "roll": 2, "to": "first-2", "forced": "draw deck +3"} for name in ("Ann", "Ben")]
    turns[1] |= {"to": "is-2", "forced": {"draw": {"from": "deck", "card": "dragon-4"}}}
    assert lines({"game": "cosmic_consequences", "players": ["Ann", "Ben"], "turns": turns}, "move") == [
        "        player  roll  to       the space asks",
        "turn 1  Ann     2     first-2  draw deck +3",
        "turn 2  Ben     2     [is-2]   draw deck +4",
    ]


def test_a_round_of_a_log_that_is_not_on_the_paper():
    sheet = {
        "game": "upwards",
        "option": "rows",
        "grid": ["4 . . ."],
        "log": [{"dice": [4, 1, 2], "entries": ["a=4"], "passed": [1]}],
    }
    assert lines(sheet, "all-dice") == ["         dice   entries  passed", "[log 1]  4 1 2  a=4      1"]


def test_the_letters_of_a_word_beside_each_other():
    letters = [{"player": "Ann", "letter": "S"}, {"player": "Ben", "letter": "=", "as": "P"}]
    sheet = {"game": "rolling_cubes", "mode": "last-die", "players": ["Ann", "Ben"], "rounds": [{"letters": letters}]}
    assert lines(sheet, "equal-copies") == ["player  Ann  [Ben]", "letter  S    [=]", "as      .    [P]"]


def test_a_table_wider_than_the_terminal_goes_on_below():
    throw = {"red": "AEIO", "orange": "C=", "green": "NSR", "light-blue": "G", "blue": "≠T", "purple": "K"}
    words = {"Ann": {"throw": throw, "tiles": "READING", "word": "reading"}}
    drawing = lines(
        {"game": "rolling_cubes", "players": ["Ann"], "rounds": [{"words": words}]}, "tiles-thrown", width=40
    )
    assert len(drawing) > 2
    assert max(map(len, drawing)) <= 40
    assert "[READING]" in "\n".join(drawing)
    tables = "\n".join(drawing).split("\n\n")
    assert len(tables) > 1
    assert {table.splitlines()[1].split("  ")[0] for table in tables} == {"round 1, Ann"}


def test_the_grid_of_an_own_game(tmp_path):
    fields = {"map": {"across": 3, "fields": {name: {"kind": "number", "span": "1-9"} for name in "pqrstu"}}}
    (tmp_path / "game.yaml").write_text(
        json.dumps(
            {
                "title": "Own",
                "prefix": "OW",
                "players": "1-4",
                "judged": "sheet",
                "components": {"sheet": {"kind": "sheet", "title": "Sheet", "sheet": "sheet.yaml", "face": "sheet"}},
            }
        )
    )
    (tmp_path / "sheet.yaml").write_text(json.dumps({"title": "Sheet", "fields": fields}))
    (tmp_path / "templates").mkdir()
    filled = tmp_path / "filled.yaml"
    filled.write_text('game: ./\nmap: ["1 2 3", "4 12 6"]\n')
    (answer,) = JUDGE.answers([str(filled)])
    (drawing,) = answer.drawings[0]
    assert list(drawn(drawing, unpainted, "error", 80)) == ["  1   2   3", "  4  [12] 6"]


@pytest.mark.parametrize(
    ("encoding", "form"),
    [
        ("ascii", "text"),
        ("latin-1", "text"),
        ("cp437", "text"),
        ("utf-8", "text"),
        ("ascii", "json"),
        ("cp437", "jsonl"),
    ],
)
def test_a_terminal_that_cannot_show_every_letter(encoding, form):
    sheet = GAMES / "from_the_ground_up/bad/lower-higher/higher.yaml"
    done = subprocess.run(
        [sys.executable, "-m", "generator", "score", "--explain", "--format", form, str(sheet)],
        capture_output=True,
        check=False,
        cwd=paths.ROOT,
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONPATH": str(paths.ROOT)},
    )
    assert done.returncode == 1, done.stderr
    output = done.stdout.decode(encoding if form == "text" else "utf-8")
    if form == "text":
        assert ("▲" in output) == (encoding == "utf-8")
        assert "?" not in output
    else:
        assert "▲" in json.loads(output)["findings"][0]["message"]
