"""What holds for every sheet of every game, whatever its rules are."""

import json
import random
from collections import Counter
from pathlib import Path

import pytest
import yaml

from generator.judging.judge import Judge
from generator.rules.answers import plain
from tests.sheets.test_one_line import documents_of, line_of

FOLDER = Path(__file__).parents[1] / "games"
SHEETS = [
    pytest.param(one, id=f"{path.parent.parent.name}-{path.stem}-{number}")
    for path in sorted(FOLDER.glob("*/good/*.yaml")) + sorted(FOLDER.glob("*/bad/*/*.yaml"))
    for number, one in enumerate(documents_of(path))
]
JUDGE = Judge()


def answer(sheet):
    return plain(JUDGE.answer(line_of(json.dumps(sheet).encode()), "f.jsonl"))


def shuffled(data, rng):
    """The same marks, typed in another order; lists stay as they are, as their order tells something, and so does that
    of a deal."""
    if isinstance(data, dict):
        keys = rng.sample(list(data), len(data))
        return {key: data[key] if key == "deal" else shuffled(data[key], rng) for key in keys}
    return [shuffled(one, rng) for one in data] if isinstance(data, list) else data


def told(found):
    """An answer without the order of its findings."""
    return found | {"findings": Counter(json.dumps(one) for one in found.get("findings", ()))}


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_order_in_which_marks_are_typed_changes_nothing(sheet):
    right, rng = told(answer(sheet)), random.Random("order")
    for _ in range(3):
        assert told(answer(shuffled(sheet, rng))) == right


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_total_is_the_sum_of_its_lines(sheet):
    for player in answer(sheet).get("players", ()):
        assert player["total"] == sum(line["points"] for line in player["lines"])


@pytest.mark.parametrize("path", sorted(FOLDER.glob("from_the_ground_up/good/*.yaml")), ids=lambda path: path.stem)
def test_the_order_of_the_players_changes_nothing(path):
    for sheet in yaml.safe_load_all(path.read_text("utf-8")):
        if not sheet or "log" in sheet:
            continue
        right = answer(sheet)
        turned = answer(sheet | {"players": sheet["players"][::-1]})
        assert {json.dumps(one) for one in turned["players"]} == {json.dumps(one) for one in right["players"]}
        assert sorted(turned["winners"]) == sorted(right["winners"])
