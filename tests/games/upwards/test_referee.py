"""Random legal games break no rule, changed games do, and an independent referee agrees round by round."""

import copy
import os
import random

import pytest

from tests.games.upwards import referee
from tests.games.upwards.breaking import CHANGES, COLUMNS
from tests.games.upwards.judging import judged
from tests.games.upwards.playing import random_sheet
from tests.trials import seeds

GAMES = int(os.environ.get("PENCILBOX_GAMES", "12"))
"""Number of random games for each change; 2000 for the full test."""


def with_drawing(sheet, seed):
    """The sheet with its snake or some blocks drawn, and with every circle filled in."""
    rng = random.Random(seed)
    boxes = referee.boxes_of(sheet)
    lines = referee.points(sheet)
    if sheet["option"] == "snake" and lines["snake"]:
        sheet["snake"] = snake(boxes, lines["snake"] // 3)
    if sheet["option"] == "blocks":
        sheet["blocks"] = blocks(rng, boxes)
        lines["blocks"] = sum(referee.SHAPES[block["shape"]][0] for block in sheet["blocks"])
    claimed = {
        "columns": [referee.column_points(boxes, column) for column in range(4)],
        "option": lines[sheet["option"]],
        "bonus": lines.get("bonus", 0),
        "total": sum(lines.values()),
    }
    return sheet | {"player": "Nele", "claimed": claimed}


def snake(boxes, length):
    """A line of this many boxes, by brute force."""

    def onward(line):
        if len(line) == length:
            return line
        column, row = line[-1]
        near = [(column + x, row + y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
        ways = (onward([*line, place]) for place in near if boxes.get(place) == boxes[line[0]] and place not in line)
        return next(filter(None, ways), None)

    line = next(filter(None, (onward([place]) for place, mark in sorted(boxes.items()) if mark != "o")))
    return [f"{COLUMNS[column]}{row + 1}" for column, row in line]


def blocks(rng, boxes):
    """As many blocks as fit, in the order they are found."""
    fitting, taken = {}, set()
    candidates = referee.blocks_in(boxes)
    for shape, block in rng.sample(candidates, len(candidates)):
        if shape not in fitting and not taken & block:
            fitting[shape] = [f"{COLUMNS[column]}{row + 1}" for column, row in block]
            taken |= block
    return [{"shape": shape, "cells": cells} for shape, cells in fitting.items()]


@seeds(15)
def test_a_legal_game_breaks_no_rule(seed, known):
    sheet = with_drawing(random_sheet(known, seed), seed)
    answer = judged(sheet)
    assert answer["findings"] == []
    assert referee.complaints(sheet) == []
    (player,) = answer["players"]
    expected = referee.points(sheet) | ({"blocks": sheet["claimed"]["option"]} if "blocks" in sheet else {})
    assert {line["label"]: line["points"] for line in player["lines"]} == expected
    assert player["total"] == sheet["claimed"]["total"]


@pytest.mark.parametrize("seed", range(6))
def test_a_log_may_stop_after_any_round(seed, known):
    sheet = random_sheet(known, seed, most_rounds=seed % 15)
    assert judged(sheet)["findings"] == []
    assert referee.complaints(sheet) == []


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_broken_rule_is_always_reported(change, known):
    tried = 0
    for seed in range(GAMES):
        if tried == max(4, GAMES // 2):
            break
        rng = random.Random(seed)
        sheet = with_drawing(random_sheet(known, seed, rng.choice([None, None, rng.randint(2, 12)])), seed)
        expected = change(rng, sheet)
        if expected:
            tried += 1
            answer = judged(sheet)
            assert "error" not in answer, answer
            result = {finding["rule"] for finding in answer["findings"] if finding["severity"] == "error"}
            assert result & expected, (seed, result, expected)
    assert tried >= max(1, GAMES // 20)


@seeds(50)
def test_the_referee_agrees_on_changed_logs(seed, known):
    rng = random.Random(seed)
    sheet = changed_log(rng, random_sheet(known, seed, rng.choice([3, 9, None])))
    result = referee.complaints(sheet)
    answer = judged(sheet)
    assert "error" not in answer, answer
    errors = [finding for finding in answer["findings"] if finding["severity"] == "error"]
    assert bool(errors) == bool(result), (result, errors)
    rounds = [int(where[4:]) for finding in errors for where in finding["where"] if where.startswith("log.")]
    assert min(rounds, default=0) == (result[0][0] if result else 0), (result, errors)


def changed_log(rng, sheet):
    """The sheet with something in its log changed at random (the result is sometimes legal)."""
    sheet = copy.deepcopy(sheet)
    log = sheet["log"]
    number = rng.randrange(len(log))
    played, kind = log[number], rng.choice(["text", "text", "dice", "drop", "double", "swap", "round", "event", "pass"])
    if kind == "text" and played["entries"]:
        place = rng.randrange(len(played["entries"]))
        played["entries"][place] = _changed_text(rng, played["entries"][place])
    elif kind == "dice":
        played["dice"][rng.randrange(3)] = rng.randint(1, 6)
    elif kind == "drop" and played["entries"]:
        del played["entries"][rng.randrange(len(played["entries"]))]
    elif kind == "double" and played["entries"]:
        played["entries"].append(rng.choice(played["entries"]))
    elif kind == "swap":
        other = rng.randrange(len(log))
        log[number], log[other] = log[other], log[number]
    elif kind == "event" and sheet["event_die"]:
        played["event"] = rng.choice(["meteorite", "extra-reserve", "bonus-row", "plus-or-minus", "minus-only"])
    elif kind == "pass":
        played["passed"] = [rng.choice(played["dice"])]
    else:
        del log[number]
    return sheet


def _changed_text(rng, text):
    target, formula = text.split("=")
    if rng.random() < 0.5:
        return f"{rng.choice(['a', 'b', 'c', 'd', 'r1', 'r3', 'x1'])}={formula}"
    if formula == "o":
        return f"{target}={rng.randint(1, 6)}"
    return f"{target}={rng.choice(['o', str(rng.randint(1, 6)), 'r2', f'{formula}+1', f'{formula}-1'])}"


@pytest.mark.parametrize("seed", range(8))
def test_the_order_of_keys_changes_nothing(seed, known):
    sheet = with_drawing(random_sheet(known, seed), seed)
    assert judged(dict(reversed(sheet.items()))) == judged(sheet)
