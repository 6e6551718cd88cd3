"""Sheets typed as they look on paper: numbers, names and lines instead of the keys of fields."""

from io import BytesIO

import pytest

from generator.errors import InputError
from generator.reading.load import load
from generator.sheets import Reading, documents
from tests.sheet_reading import read


def answer(game: str, sheet: str, text: str, selects: str = "mode") -> object:
    """The marks of a sheet, or its problems."""
    (document,) = documents(BytesIO(text.encode()), "f.yaml")
    definition = load(game)
    try:
        if isinstance(document, InputError):
            raise document
        return dict(read(document, definition, definition.sheets[sheet], Reading(selects=selects)).marks)
    except InputError as error:
        return [str(problem) for problem in error.problems]


SAME = [
    ("elevator_up", "log", "1: Ann\n2: Ben", "players: [Ann, Ben]"),
    ("elevator_up", "log", "players: {Ann: , Ben: }", "players: [Ann, Ben]"),
    ("elevator_up", "log", "1: {player: Ann, play: 3}", "turns: [{player: Ann, play: 3}]"),
    (
        "elevator_up",
        "log",
        "players: Ann, Ben\nturns: [Ann: 5 5, B: {play: 6}, Ann: pile]",
        "players: [Ann, Ben]\nturns: [{player: Ann, play: 5 5}, {player: B, play: 6}, {player: Ann, pickup: x}]",
    ),
    (
        "from_the_ground_up",
        "table",
        "players: {Ann: {cards: [{card: 4}]}, Ben: [{card: 3, star: 6}]}",
        "players: [{name: Ann, cards: [{card: 4}]}, {name: Ben, cards: [{card: 3, star: 6}]}]",
    ),
    (
        "from_the_ground_up",
        "table",
        "1: {name: Ann, given up: 7}\n2: Ben",
        "players: [{name: Ann, discarded: 7}, {name: Ben}]",
    ),
    ("from_the_ground_up", "tally", "players: Ann, Ben", "players: [{name: Ann}, {name: Ben}]"),
    ("upwards", "sheet", "2: 1 2 3 4\na1: 5", "grid: {a2: 1, b2: 2, c2: 3, d2: 4, a1: 5}"),
    ("upwards", "sheet", "light green fields: 3", "extra_reserve: [3]"),
    (
        "cosmic_consequences",
        "log",
        "1: Ann\nPlayer 2: {name: Ben, Zero stacks: [+8 −8], Locked stacks: 1}",
        "players: [Ann, Ben]\nhands: {2: {stacks: [+8 −8], claimed: {stacks: 1}}}",
    ),
    (
        "cosmic_consequences",
        "log",
        "players: [Ann, Ben]\nHands at the end: {Player 2: {cc side up: +7}}",
        "players: [Ann, Ben]\nhands: {Ben: {cc_up: +7}}",
    ),
    (
        "rolling_cubes",
        "one-by-one",
        "Player 1: Ann\n1: {Ann: {Tiles: BIRD, Points: 4}}",
        "players: [Ann]\nrounds: [{words: {Ann: {tiles: BIRD}}, claimed: [4]}]",
    ),
    (
        "rolling_cubes",
        "five-throws",
        "players: [Ann]\nTrio: {tiles: BIRD, points: 4}",
        "players: [Ann]\nlines: {Ann: {trio: {tiles: BIRD, claimed: 4}}}",
    ),
    (
        "rolling_cubes",
        "five-throws",
        "players: [{name: Ann, trio: 0}, {name: Ben, trio: {tiles: BIRD}}]\nFull house: {Ben: {tiles: TREE}}",
        "players: [Ann, Ben]\nlines: {Ann: {trio: 0}, Ben: {trio: {tiles: BIRD}, full-house: {tiles: TREE}}}",
    ),
    (
        "elevator_up",
        "log",
        "players: [Ann, Ben]\nturns: [[Ann, 5 5], [Ben, 6]]",
        "players: [Ann, Ben]\nturns: [{player: Ann, play: 5 5}, {player: Ben, play: 6}]",
    ),
    (
        "rolling_cubes",
        "one-by-one",
        "Player 1: Ann\nRound 1: {Ann: {Tiles: BIRD, star: x}}",
        "players: [Ann]\nrounds: [{words: {Ann: {tiles: BIRD, purple: x}}}]",
    ),
    (
        "rolling_cubes",
        "all-together",
        "rounds: [throw: AEIO CR STH M NW K]",
        "rounds: [throw: {red: AEIO, orange: CR, green: STH, light-blue: M, blue: NW, purple: K}]",
    ),
]


def test_paper_and_keys_give_the_same_marks() -> None:
    for game, sheet, on_paper, with_keys in SAME:
        marks = answer(game, sheet, with_keys)
        assert isinstance(marks, dict) and marks, with_keys
        assert answer(game, sheet, on_paper) == marks, on_paper


def test_json_may_be_typed_as_on_paper_too() -> None:
    text = '{"1": "Ann", "turns": [{"Ann": {"play": "Door Closed"}}]}'
    assert answer("elevator_up", "log", text) == answer("elevator_up", "log", "1: Ann\nturns: [Ann: Door Closed]")


@pytest.mark.parametrize(
    ("typed", "cards"),
    [
        ("Door Closed", ["door-closed"]),
        ("5 5", ["5", "5"]),
        ("Stuck stuck", ["stuck", "stuck"]),
        ("New Building, Lobby", ["new-building", "lobby"]),
        ("[Door Closed, 8]", ["door-closed", "8"]),
        ("8 door closed 9", ["8", "door-closed", "9"]),
    ],
)
def test_names_of_cards_may_have_spaces(typed: str, cards: list[str]) -> None:
    marks = answer("elevator_up", "log", f"players: [Ann]\nturns:\n- player: Ann\n  play: {typed}")
    assert isinstance(marks, dict)
    assert [marks[f"turns.1.play.{number}"] for number in range(1, len(cards) + 1)] == cards


def test_a_dash_is_a_value() -> None:
    expected = answer("rolling_cubes", "one-by-one", "players: [Ann, Ben]\nrounds: [words: {Ann: '-', Ben: BIRD}]")
    for text in ("words:\n    Ann: -  # no word\n    Ben: BIRD", "words: {Ann: -, Ben: BIRD}", "words: [-, BIRD]"):
        assert answer("rolling_cubes", "one-by-one", f"players: [Ann, Ben]\nrounds:\n- {text}") == expected


def test_ambiguous_input_is_reported_as_typed() -> None:
    assert answer("elevator_up", "log", "players: [Ann, Ben]\nturns: [Cat: 5]") == [
        "f.yaml:2: turn 1: unknown key “Cat”; known: Player, Card, Pile, Flip"
    ]
    twice = answer("elevator_up", "log", "1: Ann\nplayers: [Bea]")
    assert isinstance(twice, list) and "“1: Ann” can be the name of player 1 or belong to turn 1" in twice[0]
