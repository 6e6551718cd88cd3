"""Logs filled in on a screen: print → fill → read gives the same answer as the typed log, in every spelling."""

from io import BytesIO

import pytest
from pypdf import PdfReader, PdfWriter

from generator import games
from generator.definitions.load import load
from generator.definitions.sizes import paper
from generator.judging.judge import Judge
from generator.printing.press import Press
from generator.rules.answers import plain
from tests.games.cosmic_consequences.judging import judged

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


def read_back(tmp_path, filled):
    writer = PdfWriter(clone_from=PdfReader(BytesIO(Press(GAME, games.deal(GAME)).fillable("log", paper("a4")).pdf)))
    for page in writer.pages:
        writer.update_page_form_field_values(page, filled, auto_regenerate=True)
    path = tmp_path / "filled.pdf"
    writer.write(path)
    return plain(next(iter(Judge().answers([str(path)]))))


def test_a_form_is_judged_like_the_typed_log(tmp_path):
    told = read_back(tmp_path, FILLED)
    typed = judged({"game": "cosmic_consequences", **TYPED})
    assert told == typed
    assert told["findings"] == []
    assert [player["total"] for player in told["players"]] == [1, 1]


@pytest.mark.parametrize(
    ("field", "text", "rule"),
    [
        ("turns.7.discard", "Ben +3 −9", "discard"),
        ("turns.8.draw", "pile +5", "pile"),
        ("turns.4.jump", "−4", "in-hand"),
        ("hands.1.claimed.stacks", "2", "claimed-stacks"),
    ],
)
def test_a_wrong_form_is_found_out(tmp_path, field, text, rule):
    told = read_back(tmp_path, FILLED | {field: text})
    assert (rule, field) in [(finding["rule"], finding["where"][0]) for finding in told["findings"]]
