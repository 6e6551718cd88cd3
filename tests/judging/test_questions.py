"""Asking for a sheet line by line gives the sheet that was typed, and taking an answer back gives the sheet before."""

import json
import os
import re
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.games import SHIPPED
from generator.games.from_the_ground_up.play import Spec
from generator.games.upwards.numbers import numbers
from generator.judging.filler import sheet_filler
from generator.judging.questions import Transcript
from generator.judging.typed_lines import LineError
from generator.judging.writing import sheet_text
from generator.rules.answers import plain
from generator.sheets import documents, read
from tests.games.elevator_up import playing as elevator_up
from tests.games.from_the_ground_up import playing as from_the_ground_up
from tests.games.upwards import playing as upwards
from tests.judging.filling import GOOD, STYLES, document, filler_of, game_of, orchard, transcript

GAMES = int(os.environ.get("PENCILBOX_GAMES", "4"))
"""How many random games of each are typed in; 2000 for the whole proof."""


def node(text):
    (found,) = documents(BytesIO(text), "sheet.yaml")
    return found


def marks(taker, document):
    """Marks and what stands beside them, without their lines, and lists as they are typed in one text."""
    filled = read(document, taker.form.game, taker.form.sheet, taker.form.reading)
    beside = re.sub(r"Place\([^)]*\)", "", repr(dict(filled.extra))).replace("', '", " ").replace("',)", "')")
    return dict(filled.marks), beside


def told(taker, document):
    """The judge's answer without its lines, and so without the order of findings."""
    answer = plain(taker.judge.answer(document, "sheet.yaml"))
    findings = sorted(re.sub(r"'line': \d+", "", repr(finding)) for finding in answer.pop("findings"))
    return answer, findings


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("path", GOOD, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_sheet_typed_line_by_line_is_the_same_sheet(path, style):
    said = document(path)
    taker = filler_of(said)
    before, after = node(path.read_bytes()), node(sheet_text(transcript(taker, said, style).asked().document).encode())
    assert marks(taker, after) == marks(taker, before)
    assert told(taker, after) == told(taker, before)


def objects(taker):
    """Fails where an answer is refused, or found against a rule."""

    def look(before, text):
        tried = taker.trial(before, text)
        assert (tried.problems, [one for one in tried.findings if one.severity == "error"]) == ((), [])

    return look


@pytest.mark.parametrize("path", GOOD, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_good_sheet_is_never_objected_to(path):
    said = document(path)
    taker = filler_of(said)
    transcript(taker, said, look=objects(taker))


def texts(value):
    """Plain data as a file has it."""
    if isinstance(value, dict):
        return {str(key): texts(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [texts(inner) for inner in value]
    return "." if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def played(key, seed):
    """A random game of some turns."""
    game, most = game_of(key), (30, 3, 9, 15)[seed % 4]
    if key == "elevator_up":
        return elevator_up.random_sheet(game, seed, most_turns=most)
    if key == "upwards":
        made = {"game": key, "player": "Nele"} | upwards.random_sheet(numbers(game), seed, most)
        light = ("extra_reserve", "bonus_rows")  # asked for with the event die alone
        return {name: value for name, value in made.items() if made["event_die"] or name not in light}
    cards = [Spec(card.id, card.star, card.symbols) for card in game.components["cards"].cards]
    return from_the_ground_up.random_sheet(cards, seed, most)


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("key", ["elevator_up", "upwards", "from_the_ground_up"])
def test_a_random_game_is_typed_in_without_an_objection(key, seed):
    said = texts(played(key, seed))
    taker = filler_of(said)
    made = transcript(taker, said, STYLES[seed % 3], look=objects(taker)).asked().document
    before, after = node(json.dumps(said).encode()), node(sheet_text(made).encode())
    assert marks(taker, after)[0] == marks(taker, before)[0]
    assert told(taker, after) == told(taker, before)


@given(st.integers(0, len(GOOD) - 1), st.data())
@settings(max_examples=40, deadline=None)
def test_an_answer_taken_back_leaves_what_was_there_before(number, data):
    said = document(GOOD[number])
    whole = transcript(filler_of(said), said)
    kept = data.draw(st.integers(0, len(whole.answers) - 1))
    before = Transcript(whole.form, whole.answers[:kept])
    typed = data.draw(st.sampled_from(["", "x", ".", *whole.answers]) | st.text(max_size=12))
    try:
        after = before.answered(typed)
    except LineError:
        return
    assert after.undone() == before
    assert after.undone().asked() == before.asked()


@given(st.integers(0, len(GOOD) - 1), st.lists(st.text(max_size=20), max_size=12))
@settings(max_examples=60, deadline=None)
def test_whatever_is_typed_can_be_written_and_read_again(number, lines):
    """Or it is refused with a reason."""
    said = document(GOOD[number])
    taker = filler_of(said)
    made = Transcript(taker.form)
    for text in lines:
        tried = taker.trial(made, text)
        assert (tried.transcript is None) == bool(tried.problems)
        made = tried.transcript or made
    taker.answer(made.asked().document)


class TestWhatIsFound:
    def typed(self, key, *answers, sheet=None):
        taker = sheet_filler(game_of(key), sheet, "sheet.yaml")
        made = Transcript(taker.form)
        for text in answers[:-1]:
            made = made.answered(text)
        return taker.trial(made, answers[-1])

    def test_a_card_as_soon_as_it_is_typed(self):
        tried = self.typed("from_the_ground_up", "", "", "Ann", "4, 6 6 4 2, 5")
        assert [(f.rule, f.where[0]) for f in tried.findings] == [
            ("star-range", "players.1.cards.1.star"),
            ("lower-higher", "players.1.cards.1.crates.2"),
        ]

    def test_a_row_when_the_one_below_it_is_typed(self):
        rows = ["Nele", "", "rows", "", "", "3 . . .", "2 4 . ."]
        assert self.typed("upwards", *rows).findings == ()
        assert [f.where for f in self.typed("upwards", *rows, "1 . . .").findings] == [("grid.b5",)]

    def test_a_turn_as_soon_as_it_is_typed(self):
        assert [f.rule for f in self.typed("elevator_up", "Ann", "Ben", "", "", "Ann 7", "Ben 3").findings] == ["beats"]

    def test_what_no_pencil_could_have_meant(self):
        tried = self.typed("upwards", "Nele", "", "rows", "7 . . .")
        assert tried.transcript is None
        assert [p.message for p in tried.problems] == ["grid.a8 must be 1, 2, 3, 4, 5, 6 or o, not “7”"]

    def test_what_the_rest_may_mend_is_told_at_the_end(self):
        log = ["Nele", "", "rows", *[""] * 6, "2 . . .", "1 1 . .", "", "1 1 2, a=1 b=1 a=2"]
        assert self.typed("upwards", *log).findings == ()
        wrong = [*log[:-1], "1 1 3, a=1 b=1 c=3"]
        assert [f.rule for f in self.typed("upwards", *wrong, "", "", "").findings] == ["log-agrees", "log-agrees"]


TYPED = [
    "Ann",
    "Bo Li",
    "",
    "rain",
    "x 6 -12",
    ". . 7",
    "apple",
    "1, 3 4 5, rotten",
    "year 2 fruit 4",
    "",
    "plum",
    "",
    "",
    "1 x",
    "",
    "Ann 3, Bo Li 4",
    "y",
    "",
    "5",
    "n",
    "4, 5",
    "plums 6",
    "rake",
    "under the stone",
    "12",
]
ORCHARD = """\
game: ./
names: [Ann, Bo Li]
weather: rain
map:
  - "x 6 -12"
  - ". . 7"
trees:
  - kind: apple
    years:
      - {year: 1, fruit: [3, 4, 5], rotten: true}
      - {year: 2, fruit: [4]}
  - {kind: plum}
visits:
  - weeks:
      - {day: 1, rain: x}
    points: {Ann: 3, Bo Li: 4}
  - {points: {Ann: 5}}
store:
  Ann: {apples: 4, plums: 5}
  Bo Li: {plums: 6}
tools: rake
secret: under the stone
claimed: {total: 12}
"""


class TestOnesOwnGame:
    @pytest.fixture
    def taker(self, tmp_path):
        return orchard(tmp_path)

    def test_fields_of_every_kind(self, taker):
        made = Transcript(taker.form)
        for text in TYPED:
            tried = taker.trial(made, text)
            assert tried.problems == ()
            made = tried.transcript
        assert made.asked().question is None
        assert sheet_text(made.asked().document) == ORCHARD
        filled = read(node(ORCHARD.encode()), taker.form.game, taker.form.sheet, taker.form.reading)
        assert {
            name: filled.value(name)
            for name in ("map.c2", "trees.1.years.1.rotten", "visits.1.points.2", "store.2.plums", "tools.rake")
        } == {
            "map.c2": -12,
            "trees.1.years.1.rotten": True,
            "visits.1.points.2": 4,
            "store.2.plums": 6,
            "tools.rake": True,
        }

    def test_what_its_yaml_asks_for(self, taker):
        blank = Transcript(taker.form)
        for text in ["", "", "", "", '""']:
            blank = blank.answered(text)
        assert [f.rule for f in taker.trial(blank, "3").findings] == ["required"]


@pytest.mark.parametrize(("key", "sheet"), [(key, sheet) for key in SHIPPED for sheet in game_of(key).sheets])
def test_nothing_but_blanks_is_an_empty_sheet(key, sheet):
    taker = sheet_filler(game_of(key), sheet, "sheet.yaml")
    made = Transcript(taker.form)
    while made.asked().question:
        made = made.answered("")
    assert made.asked().document == taker.form.heading
    assert taker.problems(made.asked().document) == ()
