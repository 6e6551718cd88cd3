"""Travel logs filled in as PDF forms get the same answer as typed logs, however the cards are written."""

import json
from functools import cache
from io import BytesIO

import pytest
from pypdf import PdfReader, PdfWriter

from generator import games
from generator.games.cosmic_consequences.log import Log
from generator.judging.judge import Judge
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper
from generator.rules.results import plain
from generator.sheets import documents
from tests.games.cosmic_consequences.judging import judged
from tests.games.cosmic_consequences.playing import random_sheet

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
FILLED = {
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


@cache
def printed():
    return Press(GAME, games.deal(GAME)).fillable("log", paper("a4")).pdf


def fillable():
    """The fields of the form, by their ids."""
    return PdfReader(BytesIO(printed())).get_fields()


def sheet_of(data):
    (document,) = documents(BytesIO(json.dumps(data).encode()), "sheet.json")
    return Judge().read(document, "sheet.json").filled


def read_back(tmp_path, filled):
    writer = PdfWriter(clone_from=PdfReader(BytesIO(printed())))
    for page in writer.pages:
        writer.update_page_form_field_values(page, filled, auto_regenerate=True)
    path = tmp_path / "filled.pdf"
    writer.write(path)
    return plain(next(iter(Judge().answers([str(path)]))))


def test_a_form_is_judged_like_a_typed_log(tmp_path):
    answer = read_back(tmp_path, FILLED)
    typed = judged({"game": "cosmic_consequences", **TYPED})
    assert answer == typed
    assert answer["findings"] == []
    assert [player["total"] for player in answer["players"]] == [1, 1]


@pytest.mark.parametrize(
    ("field", "text", "rule"),
    [
        ("turns.7.discard", "Ben +3 −9", "discard"),
        ("turns.8.draw", "pile +5", "pile"),
        ("turns.4.jump", "−4", "in-hand"),
        ("hands.1.claimed.stacks", "2", "claimed-stacks"),
    ],
)
def test_problems_of_a_form_are_reported(tmp_path, field, text, rule):
    answer = read_back(tmp_path, FILLED | {field: text})
    assert (rule, field) in [(finding["rule"], finding["where"][0]) for finding in answer["findings"]]


# ---- room for everything that is legal ------------------------------------------------------------------------------

EVERY_CARD = " ".join(f"{number:+d}".replace("-", "−") for number in range(-12, 13) if number)


def test_every_legal_line_fits_the_form(tmp_path):
    """All numbered cards in one line, and the longest names."""
    names = ["Bartholomew the Great", "Wilhelmina the Second"]
    names = [name[:20] for name in names]
    forced = (
        f"draw deck −12; discard {names[1]} +10 +11 +12 with −10 −11 −12; {names[1]} draw {names[0]} −12; "
        f"{names[1]} discard {names[0]} −1 −2 −3 with +1 +2 +3"
    )
    filled = {
        "players.1": names[0],
        "players.2": names[1],
        "turns.1.player": names[0],
        "turns.1.jump": EVERY_CARD,
        "turns.1.discard": f"{names[1]} dragon-12 tiger-12",
        "turns.1.draw": "deck dragon-12",
        "turns.1.to": "right-centre",
        "turns.1.forced": forced,
        "hands.1.cc_up": f"0 0 {EVERY_CARD}",
        "hands.1.number_up": f"0 0 {EVERY_CARD}",
        "hands.1.stacks.1": EVERY_CARD,
    }
    form = fillable()
    lengths = {field: form[field].get("/MaxLen", 200) for field in filled}
    assert {field: text for field, text in filled.items() if len(text) > lengths[field]} == {}
    answer = read_back(tmp_path, filled)
    assert "error" not in answer


@pytest.mark.parametrize("seed", range(20))
def test_every_line_of_a_random_game_fits_the_form(seed):
    log = Log(sheet_of(random_sheet(GAME, seed, eager=False)))
    form = fillable()
    texts = {name: text for name, text in log.on_paper().items() if name in form}
    assert texts
    assert {name: text for name, text in texts.items() if len(text) > form[name].get("/MaxLen", 200)} == {}


def test_problems_name_the_field(tmp_path):
    """A form has no lines."""
    answer = read_back(
        tmp_path, FILLED | {"turns.3.forced": "draw deck +", "turns.4.jump": "-33", "hands.2.cc_up": "x"}
    )
    assert [problem["message"] for problem in answer["error"]] == [
        "Ann, turn 3, “The space asks”: no card “+” in the game",
        "Ben, turn 4, jump: no card “-33” in the game",
        "Ben, “cc side up”: no card “x” in the game",
    ]
