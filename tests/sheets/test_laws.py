"""Laws that hold for the sheets of every game."""

import json
import random
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import yaml

from generator.games import SHIPPED
from generator.judging.judge import Judge
from generator.rules.results import plain
from tests.sheets.test_one_line import line_of

FOLDER = Path(__file__).parents[1] / "games"
JUDGE = Judge()


def converted(data):
    """Data from YAML, with the texts that are numbers, true, false or null in JSON converted."""
    if isinstance(data, dict):
        return {key: converted(value) for key, value in data.items()}
    if isinstance(data, list):
        return [converted(value) for value in data]
    return json.loads(data) if re.fullmatch("-?(0|[1-9][0-9]{0,8})|true|false|null", data) else data


def documents_of(path):
    return [
        converted(data) for data in yaml.load_all(path.read_text("utf-8"), yaml.BaseLoader) if isinstance(data, dict)
    ]


@cache
def sheets_of(key):
    """The good and bad sheets of a game, each with its file."""
    files = sorted(FOLDER.glob(f"{key}/good/*.yaml")) + sorted(FOLDER.glob(f"{key}/bad/*/*.yaml"))
    return [(path, sheet) for path in files for sheet in documents_of(path)]


def answer(sheet):
    return plain(JUDGE.answer(line_of(json.dumps(sheet).encode()), "f.jsonl"))


def shuffled(data, rng):
    """The same marks, typed in a different order. Lists and deals keep their order, because it matters."""
    if isinstance(data, dict):
        keys = rng.sample(list(data), len(data))
        return {key: data[key] if key == "deal" else shuffled(data[key], rng) for key in keys}
    return [shuffled(value, rng) for value in data] if isinstance(data, list) else data


def without_order(answer):
    """An answer without the order of its findings."""
    return answer | {"findings": Counter(json.dumps(finding) for finding in answer.get("findings", ()))}


@pytest.mark.parametrize("key", SHIPPED)
def test_the_order_in_which_marks_are_typed_changes_nothing(key):
    for path, sheet in sheets_of(key):
        expected, rng = without_order(answer(sheet)), random.Random("order")
        assert without_order(answer(shuffled(sheet, rng))) == expected, path


def test_a_total_is_the_sum_of_its_lines():
    answers = [answer(sheet) for key in SHIPPED for _, sheet in sheets_of(key)]
    players = [player for each in answers for player in each.get("players", ())]
    assert len(players) > len(answers)
    for player in players:
        assert player["total"] == sum(line["points"] for line in player["lines"]), player


@pytest.mark.parametrize("path", sorted(FOLDER.glob("from_the_ground_up/good/*.yaml")), ids=lambda path: path.stem)
def test_the_order_of_the_players_changes_nothing(path):
    for sheet in yaml.safe_load_all(path.read_text("utf-8")):
        if not sheet or "log" in sheet:
            continue
        expected = answer(sheet)
        reversed_ = answer(sheet | {"players": sheet["players"][::-1]})
        assert {json.dumps(player) for player in reversed_["players"]} == {
            json.dumps(player) for player in expected["players"]
        }
        assert sorted(reversed_["winners"]) == sorted(expected["winners"])
