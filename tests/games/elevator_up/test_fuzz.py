"""Sheets with random changes get an answer, whatever they contain."""

import copy
import random
from pathlib import Path

import pytest
import yaml

from tests.games.elevator_up.judging import judged

SHEETS = [
    yaml.load(path.read_text("utf-8"), yaml.BaseLoader) for path in sorted(Path(__file__).parent.glob("*/**/*.yaml"))
]
VALUES = [
    "",
    ".",
    None,
    "Ann",
    "7",
    "P",
    0,
    -1,
    10**30,
    [],
    {},
    ["7"],
    {"a": 1},
    "x",
    True,
    "lift",
    [["1"]],
    {"1": "7"},
    "EU-1D03-7Y9CW-HTB7W-N8",
    {"up": ["1"]},
    {"hands": {"Ann": ["1"]}},
    "🂡",
]
KEYS = ["play", "flip", "pickup", "deal", "swaps", "out", "player", "turns", "players", "hands"]


def parts(node):
    """Every list and mapping in a sheet that is not empty."""
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return ([node] if inner else []) + [part for value in inner for part in parts(value)]


def tampered(rng, sheet):
    for _ in range(rng.choice([1, 1, 2, 4])):
        part = rng.choice(parts(sheet))
        key = rng.choice(list(part) if isinstance(part, dict) else range(len(part)))
        value = copy.deepcopy(rng.choice(VALUES))
        if isinstance(part, dict) and rng.random() < 0.2:
            part[rng.choice(KEYS)] = value
        elif isinstance(part, list) and rng.random() < 0.3:
            part.append(copy.deepcopy(part[key]))
        elif key != "game":
            part[key] = value
    return sheet


@pytest.mark.parametrize("seed", range(8))
def test_every_sheet_gets_an_answer(seed):
    rng = random.Random(seed)
    for _ in range(15):
        answer = judged(tampered(rng, copy.deepcopy(rng.choice(SHEETS))))
        if answer["valid"] or "findings" in answer:
            for player in answer["players"]:
                assert player["total"] == sum(line["points"] for line in player["lines"])
        else:
            assert answer["error"]
