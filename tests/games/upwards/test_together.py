"""Several files are the players of one game; several documents in a file are separate games."""

import json

import pytest
from click.testing import CliRunner

from generator.cli import pencilbox
from generator.judging.judge import Judge
from generator.rules.results import plain

ANN = "game: upwards\nplayer: Ann\noption: rows\ngrid: [1 1 1 1]\n"
BEN = "game: upwards\nplayer: Ben\noption: rows\ngrid: [2 3 2 3, 1 2 1 2]\n"
CAT = "game: upwards\nplayer: Cat\noption: rows\ngrid: [1 2 3 4]\n"


@pytest.fixture
def judged(tmp_path):
    """The answers for files with these texts."""

    def result(*texts, judge=None):
        files = []
        for number, text in enumerate(texts):
            path = tmp_path / f"{number}.yaml"
            path.write_text(text, "utf-8")
            files.append(str(path))
        return [plain(answer) for answer in (judge or Judge()).answers(files)]

    return result


def test_players_are_ranked_together(judged):
    (answer,) = judged(ANN, BEN, CAT)
    assert [(player["name"], player["total"], player["rank"]) for player in answer["players"]] == [
        ("Ann", 5, 1),
        ("Ben", 4, 2),
        ("Cat", 0, 3),
    ]
    assert answer["winners"] == ["Ann"]
    assert "over" not in answer, "sheets without logs do not show whether the game is over"
    assert answer["valid"]


def test_equal_players_draw(judged):
    """U15"""
    (answer,) = judged(ANN, ANN.replace("Ann", "Ben").replace("1 1 1 1", "6 6 6 6"), CAT)
    assert answer["winners"] == ["Ann", "Ben"]
    assert [player["rank"] for player in answer["players"]] == [1, 1, 3]


def test_the_order_of_files_changes_nothing(judged):
    (one,) = judged(ANN, BEN, CAT)
    (other,) = judged(CAT, ANN, BEN)
    assert sorted(one["players"], key=str) == sorted(other["players"], key=str)
    assert one["winners"] == other["winners"]


def test_players_without_a_name_are_numbered(judged):
    (answer,) = judged(*[text.replace("player: ", "# ") for text in (ANN, BEN)])
    assert [player["name"] for player in answer["players"]] == ["player 1", "player 2"]
    assert answer["valid"]


def test_findings_name_the_file_of_each_player(judged):
    (answer,) = judged(ANN, BEN.replace("2 3 2 3, 1", ". . 1 ., 2 3 2 ., 1"), CAT + "claimed: {total: 1}\n")
    findings = [(finding["rule"], finding["player"], finding["file"][-6:]) for finding in answer["findings"]]
    assert findings == [("claimed-total", "Cat", "2.yaml")]


def test_documents_of_one_file_are_separate_games(judged):
    assert [answer["winners"] for answer in judged(f"{ANN}---\n{BEN}---\n{CAT}")] == [["Ann"], ["Ben"], ["Cat"]]


def test_files_with_several_documents_are_not_joined(judged):
    answers = judged(f"{ANN}---\n{BEN}", CAT)
    assert [[player["name"] for player in answer["players"]] for answer in answers] == [["Ann"], ["Ben"], ["Cat"]]


def test_other_games_are_judged_separately(judged):
    built = "game: from_the_ground_up\nplayers:\n- name: {}\n  cards: [{{card: 12, crates: [1, 2, 1], star: 1}}]\n"
    answers = judged(ANN, built.format("Dan"), BEN, built.format("Eve"))
    names = [[player["name"] for player in answer["players"]] for answer in answers]
    assert names == [["Dan"], ["Eve"], ["Ann", "Ben"]]


def test_an_unreadable_file_does_not_affect_the_others(judged):
    broken, answer = judged(ANN, "game: upwards\ngrid: [7 1 1 1]\n", CAT)
    assert "not “7”" in broken["error"][0]["message"]
    assert [player["name"] for player in answer["players"]] == ["Ann", "Cat"]


@pytest.mark.parametrize(("passes", "over"), [((True, False), True), ((False, False), False)])
def test_any_players_pass_ends_the_game(judged, passes, over):
    """U19: Ann's sheet is full in round 13, Ben puts numbers together and has room left in round 14."""
    texts = [logged(name, passing) for name, passing in zip(("Ann", "Ben"), passes, strict=True)]
    (answer,) = judged(*texts)
    assert answer["findings"] == []
    assert bool(answer["winners"]) == over
    assert answer.get("over", True) == over


def logged(name, passing):
    dice = [[1, 2, 3], [4, 5, 6]] * 6 + [[2, 5, 5], [1, 1, 6]]
    places = iter([column for column in "abcd" for _ in range(8)] + [f"r{field}" for field in range(1, 6)])
    grid, reserve, log = {letter: [] for letter in "abcd"}, [], []
    for number, thrown in enumerate(dice):
        played = {"dice": thrown, "entries": [], "passed": []}
        joined = not passing and thrown == [1, 2, 3] and number < 8
        for group in [thrown] if joined else [[die] for die in thrown]:
            place = next(places, None)
            if place is None:
                played["passed"] += group
                continue
            played["entries"].append(f"{place}={'+'.join(map(str, group))}")
            grid.get(place, reserve).append(sum(group))
        log.append(played)
    rows = [
        " ".join(str(grid[letter][row]) if row < len(grid[letter]) else "." for letter in "abcd")
        for row in range(7, -1, -1)
    ]
    sheet = {"game": "upwards", "player": name, "option": "rows", "grid": rows, "reserve": reserve, "log": log}
    return json.dumps(sheet)


def test_the_text_names_every_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ann.yaml").write_text(ANN)
    (tmp_path / "ben.yaml").write_text(BEN)
    result = CliRunner().invoke(pencilbox, ["score", "ann.yaml", "ben.yaml"])
    assert result.output.startswith("Upwards!  ann.yaml:1  ben.yaml:1\n\nAnn wins with 5 points.\n")
    assert (
        CliRunner()
        .invoke(pencilbox, ["check", "ann.yaml", "ben.yaml", "--hints"])
        .output.endswith("No problems found.\n")
    )
