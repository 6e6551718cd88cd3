"""PDF forms: printing, filling and reading a form gives the same answer as the typed sheet."""

from io import BytesIO

import pytest
from pypdf import PdfReader, PdfWriter

from generator import games
from generator.draws import draw
from generator.judging.judge import Judge
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper
from generator.rules.results import plain
from tests.games.from_the_ground_up.judging import judged
from tests.presses import form_of

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
    writer = PdfWriter(clone_from=PdfReader(BytesIO(form_of("rolling_cubes", mode))))
    for page in writer.pages:
        writer.update_page_form_field_values(page, PLAYERS | FILLED[mode], auto_regenerate=True)
    path = tmp_path / "filled.pdf"
    writer.write(path)
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
    code = draw("RC", "R", "02", "printed with")
    marks = {"rounds.1.words.1.tiles": "WERK", "rounds.1.words.1.word": "werk"}
    rules_by_set = {}
    for deck in (games.deal(GAME), games.deal(GAME, code)):
        form = Press(GAME, deck).fillable("one-by-one", paper("a4")).pdf
        writer = PdfWriter(clone_from=PdfReader(BytesIO(form)))
        for page in writer.pages:
            writer.update_page_form_field_values(page, PLAYERS | marks, auto_regenerate=True)
        path = tmp_path / "filled.pdf"
        writer.write(path)
        result = plain(next(iter(Judge(options={"words": str(list_of_words(tmp_path))}).answers([str(path)]))))
        rules_by_set[deck.code] = [finding["rule"] for finding in result["findings"]]
    assert rules_by_set == {None: ["tiles-possible"], str(code): []}
