"""Explanations of scores: the parts of a line add up to its points, for all test sheets and random games."""

import json
from io import BytesIO
from pathlib import Path

import pytest

from generator.games.from_the_ground_up.play import Spec
from generator.games.upwards.play import numbers
from generator.judging.judge import Judge
from generator.reading.load import load
from generator.rules.results import Judged, plain
from generator.sheets import documents
from tests.games.cosmic_consequences import playing as cosmic_consequences
from tests.games.elevator_up import playing as elevator_up
from tests.games.from_the_ground_up import playing as from_the_ground_up
from tests.games.rolling_cubes.playing import MODES
from tests.games.rolling_cubes.test_referee import random_sheet as rolling_cubes
from tests.games.upwards import playing as upwards

HERE = Path(__file__).parent
EXPLAINED = ("cosmic_consequences", "elevator_up", "from_the_ground_up", "rolling_cubes", "upwards")
FILES = [path for key in EXPLAINED for pattern in ("good/*", "bad/*/*") for path in sorted((HERE / key).glob(pattern))]
JUDGE, UNASKED = Judge(explain=True), Judge()
SEEDS = range(8)


def answer(sheet, judge=JUDGE):
    (document,) = documents(BytesIO(json.dumps(sheet).encode()), "sheet.yaml")
    return judge.answer(document, "sheet.yaml")


def told(sheet, label, player=0):
    """The parts of one line as text."""
    line = next(line for line in answer(sheet).result.scores[player].lines if line.label == label)
    return [f"{part.text} = {part.points}" for part in line.parts]


def holds(judged):
    """Whether the parts of every line add up to its points."""
    assert isinstance(judged, Judged)
    for line in (line for score in judged.result.scores for line in score.lines):
        assert line.parts, line
        assert sum(part.points for part in line.parts) == line.points, line
    return True


@pytest.mark.parametrize("start", range(0, len(FILES), 20))
def test_the_parts_of_a_sheet(start):
    for path in FILES[start : start + 20]:
        files = sorted(map(str, path.iterdir())) if path.is_dir() else [str(path)]
        for judged, unasked in zip(JUDGE.answers(files), UNASKED.answers(files), strict=True):
            assert holds(judged), path
            assert [score.total for score in judged.result.scores] == [score.total for score in unasked.result.scores]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_parts_of_a_random_game(seed):
    specs = [Spec(card.id, card.star, card.symbols) for card in load("from_the_ground_up").components["cards"].cards]
    for sheet in (
        from_the_ground_up.random_sheet(specs, seed),
        {"game": "elevator_up"} | elevator_up.random_sheet(load("elevator_up"), seed, 60),
        cosmic_consequences.random_sheet(load("cosmic_consequences"), seed, hands=bool(seed % 2)),
        {"game": "upwards"} | upwards.random_sheet(numbers(load("upwards")), seed),
        rolling_cubes(MODES[seed % len(MODES)], seed),
    ):
        assert holds(answer({"game": "from_the_ground_up"} | sheet))


def test_explanations_are_optional():
    sheet = {"game": "upwards", "option": "rows", "grid": ["1 1 1 1"]}
    assert "explain" not in json.dumps(plain(answer(sheet, UNASKED)))
    line = plain(answer(sheet))["players"][0]["lines"][1]
    assert line == {"label": "rows", "points": 5, "explain": [{"told": "row 1: 1 1 1 1", "points": 5}]}


def test_upwards():
    sheet = {
        "game": "upwards",
        "option": "rows",
        "event_die": True,
        "bonus_rows": [1, 2],
        "grid": ["3 . . .", "2 . . .", "1 o . .", "6 2 . .", "3 3 3 o"],
    }
    assert told(sheet, "columns") == [
        "column a: 6→1, 1→2, 2→3 = 3",
        "column b: no step = 0",
        "column c: no step = 0",
        "column d: no step = 0",
    ]
    assert told(sheet, "rows") == ["row 1: 3 3 3 o = 5"]
    assert told(sheet, "bonus") == ["row 1: 3, 1 different number = 1", "row 2: 2 6, 2 different numbers = 2"]
    assert told(sheet | {"option": "snake"}, "snake") == ["3 boxes of 3, the longest possible, 3 each: a1 b1 c1 = 9"]
    drawn = {"option": "blocks", "blocks": [{"shape": "line-3", "cells": "a1 b1 c1"}, {"shape": "t", "cells": "a1 b1"}]}
    assert told(sheet | drawn, "blocks") == ["line-3 at a1 b1 c1 = 4", "t at a1 b1, which does not score = 0"]


def test_from_the_ground_up():
    cards = [
        {"card": 4, "crates": [6, 5, 4, 2], "star": 4},
        {"card": 7, "flipped": True},
        {"card": 11, "crates": [5]},
        {"card": 3, "crates": [5, 5, 5, 5, 5]},
    ]
    sheet = {"game": "from_the_ground_up", "players": [{"name": "Ann", "cards": cards}]}
    assert [told(sheet, f"card {number}") for number in (4, 7, 11, 3)] == [
        ["finished: the 4 in its star = 4"],
        ["flipped, star empty: minus 3, the lowest of 3-5 = -3"],
        ["unfinished: crates 2 and 3 are empty = 0"],
        ["unfinished: the star is empty = 0"],
    ]


def test_rolling_cubes():
    throw = {"red": "AEIO", "orange": "C=", "green": "NSR", "light-blue": "G", "blue": "≠T", "purple": "K"}
    words = {"Ann": {"throw": throw, "tiles": "CO=KING", "word": "cooking"}, "Ben": 0}
    sheet = {"game": "rolling_cubes", "players": ["Ann", "Ben"], "rounds": [{"words": words}]}
    assert told(sheet, "round 1") == [
        "letters of “cooking”: C O K I N G = 6",
        "one wildcard = 0",
        "the K on the purple die = 1",
    ]
    assert told(sheet, "round 1 bonus") == ["best word of the round with 7 = 2"]
    assert told(sheet, "round 1", player=1) == ["no word = 0"]
    five = {
        "game": "rolling_cubes",
        "mode": "five-throws",
        "players": ["Ann"],
        "lines": {"Ann": {"double": {"tiles": "BALL", "word": "ball", "rethrown": 5}, "trio": 0}},
    }
    assert told(five, "double") == ["letters of “ball”: B A L L = 4", "L twice = 1", "5 dice thrown again = -5"]
    assert told(five, "trio") == ["given up for 0 = 0"]
    assert told(five, "poker") == ["still open = 0"]
    five["lines"]["Ann"]["no-wildcards"] = {"tiles": "RAT", "word": "rat", "rethrown": 5}
    assert told(five, "no wildcards")[-2:] == ["5 dice thrown again = -5", "a line never scores less than 0 = 2"]


def test_elevator_up():
    deal = {"hands": {"Ann": [5], "Ben": [4, "lobby"]}, "up": {"Ben": [9]}, "down": {"Ben": [7]}, "deck": []}
    sheet = {"game": "elevator_up", "players": ["Ann", "Ben"], "deal": deal, "turns": [{"player": "Ann", "play": 5}]}
    assert told(sheet, "cards left", player=1) == ["in hand: 4 and Lobby = 2", "face up: 9 = 1", "face down: 7 = 1"]
    assert told(sheet, "cards left") == ["no cards left = 0"]


def test_cosmic_consequences():
    sheet = {
        "game": "cosmic_consequences",
        "players": ["Ann", "Ben"],
        "hands": {"Ann": {"stacks": ["+7 -3 -4", "+5 -4"], "number_up": ["0", "+9"]}, "Ben": {"cc_up": ["+3"]}},
    }
    assert told(sheet, "locked zero stacks") == [
        "−4, −3 and +7 add up to zero = 1",
        "−4 and +5 are not a zero stack = 0",
        "a zero card by itself = 1",
    ]
    assert told(sheet, "locked zero stacks", player=1) == ["no zero stack = 0"]
    turns = [
        {"player": "Ann", "roll": 4, "to": "is-1", "forced": "draw deck +3"},
        {"player": "Ben", "roll": 6, "to": "is-3", "forced": "draw deck -3"},
        {"player": "Ann", "jump": "+3", "roll": 2, "to": "weak-3"},
        {"player": "Ben", "discard": "Ann -3 +3", "roll": 1, "to": "is-4"},
    ]
    log = {"game": "cosmic_consequences", "players": ["Ann", "Ben"], "turns": turns}
    assert told(log, "locked zero stacks") == ["−3 and +3 add up to zero = 1"]


def test_a_sheet_judged_from_yaml_alone():
    sheet = {"game": "elevator_up", "sheet": "tally", "players": [{"name": "Ann", "wins": [1, 3]}, {"name": "Ben"}]}
    assert told(sheet, "wins") == ["Game 1 ticked = 1", "Game 3 ticked = 1"]
    assert told(sheet, "wins", player=1) == ["nothing is filled in = 0"]
