"""Travel logs filled in as PDF forms get the same answer as typed logs, however the cards are written."""

import json
from io import BytesIO

import pytest

from generator.games.cosmic_consequences.log import Log
from generator.judging.judge import Judge
from generator.reading.load import load
from generator.rules.results import plain
from generator.sheets import documents
from tests import forms
from tests.games.cosmic_consequences.judging import judged
from tests.games.cosmic_consequences.playing import random_sheet
from tests.presses import form_of

GAME = load("cosmic_consequences")
TYPED = {
    "players": ["Ann", "Ben"],
    "cards": True,
    "turns": [
        {"player": "Ann", "roll": 4, "to": "is-1", "forced": {"draw": {"from": "deck", "card": "dragon-3"}}},
        {"player": "Ben", "roll": 4, "to": "is-1", "forced": [{"draw": {"from": "deck", "card": "tiger-3"}}]},
        {"player": "Ann", "roll": 6, "to": "is-3", "forced": {"draw": {"from": "deck", "card": "zero-1"}}},
        {"player": "Ben", "jump": "tiger-3", "roll": 3, "to": "hd-3"},
        {
            "player": "Ann",
            "jump": "zero-1",
            "roll": 4,
            "to": "is-1",
            "forced": {"draw": {"from": "deck", "card": "dragon-4"}},
        },
        {"player": "Ben", "roll": 2, "to": "hd-5", "forced": {"draw": {"from": "deck", "card": "tiger-9"}}},
        {
            "player": "Ann",
            "discard": {"card": "dragon-3", "onto": "Ben", "with": ["tiger-3"]},
            "roll": 4,
            "to": "is-5",
            "forced": {"discard": {"card": "dragon-4", "onto": "pile"}},
        },
        {
            "player": "Ben",
            "draw": {"from": "pile", "card": "dragon-4"},
            "roll": 1,
            "to": "weak-2",
            "forced": {"draw": {"from": "deck", "card": "tiger-12"}},
        },
    ],
    "hands": {
        "Ann": {"number_up": ["zero-1"], "claimed": {"stacks": 1}},
        "Ben": {"cc_up": ["tiger-9", "dragon-4", "tiger-12"], "stacks": [["dragon-3", "tiger-3"]]},
    },
}
LINES = {
    "players.1": "Ann",
    "players.2": "Ben",
    "cards": "with",
    "turns.1.player": "Ann",
    "turns.1.roll": "4",
    "turns.1.to": "is-1",
    "turns.1.forced": "draw deck +3",
    "turns.2.player": "Ben",
    "turns.2.roll": "4",
    "turns.2.to": "is-1",
    "turns.2.forced": "draw deck −3",
    "turns.3.player": "Ann",
    "turns.3.roll": "6",
    "turns.3.to": "is-3",
    "turns.3.forced": "draw deck 0",
    "turns.4.player": "Ben",
    "turns.4.jump": "-3",
    "turns.4.roll": "3",
    "turns.4.to": "hd-3",
    "turns.5.player": "Ann",
    "turns.5.jump": "0",
    "turns.5.roll": "4",
    "turns.5.to": "is-1",
    "turns.5.forced": "draw deck dragon-4",
    "turns.6.player": "Ben",
    "turns.6.roll": "2",
    "turns.6.to": "hd-5",
    "turns.6.forced": "draw deck tiger-9",
    "turns.7.player": "Ann",
    "turns.7.discard": "Ben +3 −3",
    "turns.7.roll": "4",
    "turns.7.to": "is-5",
    "turns.7.forced": "discard pile +4",
    "turns.8.player": "Ben",
    "turns.8.draw": "pile +4",
    "turns.8.roll": "1",
    "turns.8.to": "weak-2",
    "turns.8.forced": "draw deck −12",
    "hands.1.number_up": "0",
    "hands.1.claimed.stacks": "1",
    "hands.2.cc_up": "−9 +4 −12",
    "hands.2.stacks.1": "+3 −3",
}
"""What a form has that was printed before there were boxes to ring."""


def drawn(turn, card, group="asked", place="deck"):
    return {f"turns.{turn}.{group}.{key}": mark for key, mark in (("what", "draw"), ("place", place), ("card", card))}


def moved(turn, player, roll, space):
    region, number = space.split("-")
    marks = {"player": player, "roll": roll, "region": region, "spot": number}
    return {f"turns.{turn}.{key}": mark for key, mark in marks.items()}


FILLED = {
    "players.1": "Ann",
    "players.2": "Ben",
    "cards": "with",
    **moved(1, "1", "4", "is-1"),
    **drawn(1, "+3"),
    **moved(2, "2", "4", "is-1"),
    **drawn(2, "-3"),
    **moved(3, "1", "6", "is-3"),
    **drawn(3, "0"),
    **moved(4, "2", "3", "hd-3"),
    "turns.4.action.what": "jump",
    "turns.4.action.card": "-3",
    **moved(5, "1", "4", "is-1"),
    "turns.5.action.what": "jump",
    "turns.5.action.card": "0",
    **drawn(5, "+4"),
    **moved(6, "2", "2", "hd-5"),
    **drawn(6, "-9"),
    **moved(7, "1", "4", "is-5"),
    "turns.7.action.what": "discard",
    "turns.7.action.whom": "2",
    "turns.7.action.card": "+3",
    "turns.7.asked.what": "discard",
    "turns.7.asked.place": "pile",
    "turns.7.asked.card": "4",
    **moved(8, "2", "1", "weak-2"),
    **drawn(8, "4", "action", "pile"),
    **drawn(8, "-12"),
    "hands.1.claimed.stacks": "1",
    "chart.zero-1.player": "1",
    "chart.zero-1.lies": "number",
    "chart.tiger-9.player": "2",
    "chart.tiger-9.lies": "cc",
    "chart.dragon-4.player": "2",
    "chart.dragon-4.lies": "cc",
    "chart.tiger-12.player": "2",
    "chart.tiger-12.lies": "cc",
    "chart.dragon-3.player": "2",
    "chart.dragon-3.lies": "1",
    "chart.tiger-3.player": "2",
    "chart.tiger-3.lies": "1",
}


def printed():
    return form_of("cosmic_consequences", "log")


def sheet_of(data):
    (document,) = documents(BytesIO(json.dumps(data).encode()), "sheet.json")
    return Judge().read(document, "sheet.json").filled


def read_back(tmp_path, marks):
    form, path = printed(), tmp_path / "filled.pdf"
    marks = {name: f"/{mark}" if forms.kind(form, name) == "/Btn" else mark for name, mark in marks.items()}
    path.write_bytes(forms.filled(form, marks))
    return plain(next(iter(Judge().answers([str(path)]))))


def test_a_form_is_judged_like_a_typed_log(tmp_path):
    answer = read_back(tmp_path, FILLED)
    typed = judged({"game": "cosmic_consequences", **TYPED})
    assert answer == typed
    assert answer["findings"] == []
    assert [player["total"] for player in answer["players"]] == [1, 1]


def test_a_form_with_lines_is_judged_in_the_same_way():
    assert judged({"game": "cosmic_consequences", **LINES}) == judged({"game": "cosmic_consequences", **TYPED})


@pytest.mark.parametrize(
    ("field", "text", "where"),
    [
        ("turns.7.action.card", "-9", ("in-hand", "turns.7.discard")),
        ("turns.8.action.card", "+5", ("pile", "turns.8.draw")),
        ("turns.4.action.card", "-4", ("in-hand", "turns.4.jump")),
        ("turns.4.spot", "4", ("move", "turns.4.to")),
        ("hands.1.claimed.stacks", "2", ("claimed-stacks", "hands.1.claimed.stacks")),
        ("chart.tiger-9.lies", "number", ("hands-agree", "hands.2")),
        ("chart.tiger-3.lies", "2", ("stack-zero", "chart.dragon-3")),
    ],
)
def test_problems_of_a_form_are_reported(field, text, where):
    """The tests of a whole form show that it is read as these marks."""
    answer = judged({"game": "cosmic_consequences", **FILLED, field: text})
    assert where in [(finding["rule"], finding["where"][0]) for finding in answer["findings"]]


def test_problems_are_reported_in_a_form(tmp_path):
    answer = read_back(tmp_path, FILLED | {"turns.7.action.card": "-9", "chart.tiger-9.lies": "number"})
    found = [(finding["rule"], finding["where"][0]) for finding in answer["findings"]]
    assert {("in-hand", "turns.7.discard"), ("hands-agree", "hands.2")} <= set(found)


# ---- turns in boxes -------------------------------------------------------------------------------------------------


def boxed(*turns, **more):
    return judged({"game": "cosmic_consequences", "players": ["Ann", "Ben"], "turns": list(turns), **more})


def first(**asked):
    return {"player": "1", "roll": "4", "region": "is", "spot": "1", "asked": asked}


def test_a_row_without_a_move_goes_on_with_the_turn_above_it():
    """A further card of a discard, and a draw of the player who was bumped."""
    lines = {"discard": "Ben +3 +4"}, {"forced": "draw deck +3; Ben draw deck +6"}
    rows = [
        [{"action": {"what": "discard", "whom": 2, "card": 3}}, {"action": {"card": 4}}],
        [
            {"asked": {"what": "draw", "place": "deck", "card": 3}},
            {"asked": {"who": 2, "what": "draw", "place": "deck", "card": 6}},
        ],
    ]
    for line, (row, more) in zip(lines, rows, strict=True):
        move = {"player": "Ann", "roll": "4", "to": "is-1"}
        written, ringed = boxed({**move, **line}), boxed({**move, **row}, more)
        assert [(each["rule"], each["message"]) for each in written["findings"]] == [
            (each["rule"], each["message"]) for each in ringed["findings"]
        ]


@pytest.mark.parametrize(
    ("turn", "message"),
    [
        (first(place="pile", card=3), "what was done with the card is missing"),
        (first(what="draw", place="pile", whom=2, card=3), "both “pile” and player 2 are marked"),
        (first(what="draw", whom=3, card=3), "there is no player 3"),
        (first(what="draw", place="deck", card=13), "no card “+13” in the game"),
        (first(what="draw", place="deck"), "the card is missing"),
        ({"player": "1", "roll": "4", "region": "is", "spot": "8"}, "no space is-8 on the board"),
    ],
)
def test_boxes_that_cannot_be_read(turn, message):
    assert any(message in problem["message"] for problem in boxed(turn)["error"])


def test_a_card_on_the_star_chart_has_a_player():
    chart = {"dragon-3": {"lies": "cc"}, "tiger-3": {"player": "5", "lies": "cc"}}
    assert [problem["message"] for problem in boxed(chart=chart)["error"]] == [
        "star chart, dragon-3: the player is missing",
        "star chart, tiger-3: there is no player 5",
    ]


@pytest.mark.parametrize("seed", range(8))
def test_a_random_game_in_boxes_is_judged_as_in_lines(seed):
    """If each turn has room for its cards."""
    sheet = random_sheet(GAME, seed, eager=False)
    log = Log(sheet_of(sheet))
    marks, form = log.on_paper(), forms.fields_of(printed())[0]
    assert {name.partition(".")[0] for name in marks} <= {"turns", "chart"}
    assert {name for name in marks if name not in form and int(name.split(".")[1]) <= 40} == set()
    turns = [{"player": turn.seat + 1, "roll": turn.roll or ""} for turn in log.turns]
    flat = {"game": "cosmic_consequences", "players": log.names, "turns": turns}
    again = Log(sheet_of(flat | {name: mark for name, mark in marks.items() if name.startswith("turns")}))
    for turn, ringed in zip(log.turns, again.turns, strict=True):
        assert (ringed.seat, ringed.roll, ringed.to) == (turn.seat, turn.roll, turn.to)
        assert [(line.kind, line.place, line.cards[0]) for line in ringed.actions + ringed.forced] == [
            (line.kind, line.place, line.cards[0]) for line in turn.actions[:1] + turn.forced[:1]
        ]


def test_problems_name_the_field(tmp_path):
    """A form has no lines."""
    answer = read_back(tmp_path, FILLED | {"turns.3.asked.whom": "1", "turns.4.action.card": "33"})
    assert [problem["message"] for problem in answer["error"]] == [
        "1, turn 3, “After the roll”: both “deck” and player 1 are marked",
        "2, turn 4, “Before the roll”: no card “+33” in the game",
    ]
