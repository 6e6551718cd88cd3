"""PDF forms: printing, filling and reading a form gives the same answer as the typed sheet."""

import pytest

from generator.draws import draw
from generator.judging.judge import Judge
from generator.reading.load import load
from generator.reading.sizes import paper
from generator.rules.results import plain
from tests.forms import filled
from tests.games.from_the_ground_up.judging import judged
from tests.presses import form_of, press_of

GAME = load("rolling_cubes")
PLAYERS = {"players.1": "Ann", "players.2": "Ben"}
FILLED = {
    "one-by-one": {
        "rounds.1.words.1.tiles": "CO=KING",
        "rounds.1.words.1.word": "cooking",
        "rounds.1.words.1.purple": "/Yes",
        "rounds.1.claimed.1": "7",
        "rounds.1.bonus.1": "/2",
        "claimed.1": "9",
    },
    "last-die": {
        "rounds.1.train": "TH",
        "rounds.1.winner": "/2",
        "rounds.1.letters.1.player": "1",
        "rounds.1.letters.2.player": "B",
        "rounds.1.letters.2.letter": "≠",
        "rounds.1.stuck": "1",
        "rounds.2.train": "QUE",
        "rounds.2.winner": "/1",
        "cubes.1.crossed.1": "/Yes",
        "cubes.2.crossed.1": "/Yes",
    },
    "five-throws": {
        "lines.1.double.tiles": "LOVEL≠",
        "lines.1.double.word": "lovely",
        "lines.1.double.claimed": "6",
        "lines.1.trio.tiles": "-",
        "lines.1.poker.claimed": "0",
    },
    "tournament": {"games.one-by-one.1": "24", "games.one-by-one.2": "19", "awarded.one-by-one.1": "10"},
}
TYPED = {
    "one-by-one": {
        "rounds": [
            {
                "words": {"Ann": {"tiles": "CO=KING", "word": "cooking", "purple": True}},
                "claimed": {"Ann": 7},
                "bonus": {"Ann": 2},
            }
        ],
        "claimed": {"Ann": 9},
    },
    "last-die": {
        "rounds": [
            {
                "letters": [{"player": "Ann", "letter": "T"}, {"player": "Ben", "letter": "≠", "as": "H"}],
                "stuck": "Ann",
            },
            {"train": "QUE", "winner": "Ann"},
        ]
    },
    "five-throws": {
        "lines": {"Ann": {"double": {"tiles": "LOVEL≠", "word": "lovely", "claimed": 6}, "trio": 0, "poker": 0}}
    },
    "tournament": {"games": {"one-by-one": {"Ann": 24, "Ben": 19}}, "awarded": {"one-by-one": {"Ann": 10}}},
}


@pytest.mark.parametrize("mode", FILLED)
def test_a_form_is_judged_like_the_typed_sheet(mode, tmp_path):
    path = tmp_path / "filled.pdf"
    path.write_bytes(filled(form_of("rolling_cubes", mode), PLAYERS | FILLED[mode]))
    result = plain(next(iter(Judge().answers([str(path)]))))
    players = ["Ann", "Ben"][: 1 if mode in ("one-by-one", "five-throws") else 2]
    typed = judged({"game": "rolling_cubes", "mode": mode, "players": players, **TYPED[mode]})
    assert result == typed and result["valid"] and result["findings"] == []
    assert sum(player["total"] for player in result["players"]) > 0


def list_of_words(folder):
    (folder / "words.txt").write_text("werk\n", "utf-8")
    return folder / "words.txt"


def test_a_form_names_the_dice_of_its_set(tmp_path):
    """W and K are on one die of the standard set, and on two of the German set."""
    marks = {"rounds.1.words.1.tiles": "WERK", "rounds.1.words.1.word": "werk"}
    rules_by_set = {}
    for code in (None, draw("RC", "R", "02", "printed with")):
        form = press_of("rolling_cubes", code).fillable("one-by-one", paper("a4")).pdf
        path = tmp_path / "filled.pdf"
        path.write_bytes(filled(form, PLAYERS | marks))
        result = plain(next(iter(Judge(options={"words": str(list_of_words(tmp_path))}).answers([str(path)]))))
        rules_by_set[code] = [finding["rule"] for finding in result["findings"]]
    assert rules_by_set == {None: ["tiles-possible"], code: []}
