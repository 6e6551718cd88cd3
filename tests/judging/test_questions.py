"""Answering question by question gives the same sheet as a file, and undo restores the state before."""

import json
import os
import re
from functools import cache
from io import BytesIO
from itertools import cycle, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple, replace

from generator.games import SHIPPED
from generator.games.from_the_ground_up.play import Spec
from generator.games.upwards.play import numbers
from generator.judging.questions import Transcript, sheet_filler
from generator.reading.load import load
from generator.rules.results import plain
from generator.sheets import documents
from generator.sheets.marks import LineError
from generator.sheets.typed_lines import sheet_text
from tests.games.elevator_up import playing as elevator_up
from tests.games.from_the_ground_up import playing as from_the_ground_up
from tests.games.upwards import playing as upwards
from tests.judging.filling import GOOD, STYLES, document, filler_of, game_of, orchard, transcript
from tests.sheet_reading import read

GAMES = int(os.environ.get("PENCILBOX_GAMES", "2"))
"""The number of random games of each kind to type in; 2000 for `make proof`."""


def node(text):
    (document,) = documents(BytesIO(text), "sheet.yaml")
    return document


def marks(filler, document):
    """Marks and extra parts, without their lines; lists as one text."""
    filled = read(document, filler.form.game, filler.form.sheet, filler.form.reading)
    extra = re.sub(r"Place\([^)]*\)", "", repr(dict(filled.extra))).replace("', '", " ").replace("',)", "')")
    return dict(filled.marks), extra


def judged(filler, document):
    """The judge's answer without line numbers, and so without the order of findings."""
    answer = plain(filler.judge.answer(document, "sheet.yaml"))
    findings = sorted(re.sub(r"'line': \d+", "", repr(finding)) for finding in answer.pop("findings"))
    return answer, findings


ALL_STYLES = [*product(GOOD, STYLES)] if "PENCILBOX_GAMES" in os.environ else [*zip(GOOD, cycle(STYLES), strict=False)]


@pytest.mark.parametrize(("path", "style"), ALL_STYLES)
def test_a_sheet_typed_line_by_line_is_the_same_sheet(path, style):
    data = document(path)
    filler = filler_of(data)
    before, after = (
        node(path.read_bytes()),
        node(sheet_text(transcript(filler, data, style).progress().document).encode()),
    )
    assert marks(filler, after) == marks(filler, before)
    assert judged(filler, after) == judged(filler, before)


def assert_accepted(filler):
    """Fails if an answer is refused or breaks a rule."""

    def look(before, text):
        trial = filler.trial(before, text)
        assert (trial.problems, [finding for finding in trial.findings if finding.severity == "error"]) == ((), [])

    return look


LATER = {"rejected", "ringed"}
"""Sheets with an answer that is only right because of a later one: a rejected word gets its 0 points after it, and a
bonus is ringed after the points that do not include it."""


@pytest.mark.parametrize("path", GOOD[:: 1 if "PENCILBOX_GAMES" in os.environ else 3], ids=lambda path: path.stem)
def test_a_good_sheet_is_accepted_at_every_step(path):
    if path.stem in LATER:
        pytest.skip("an answer is only right because of a later one")
    data = document(path)
    filler = filler_of(data)
    transcript(filler, data, look=assert_accepted(filler))


def texts(value):
    """Plain data as texts, as in a file."""
    if isinstance(value, dict):
        return {str(key): texts(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [texts(inner) for inner in value]
    return "." if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def played(key, seed):
    """A random game of a few turns."""
    game, most = game_of(key), (15, 3, 9, 30)[seed % 4]
    if key == "elevator_up":
        return elevator_up.random_sheet(game, seed, most_turns=most)
    if key == "upwards":
        sheet = {"game": key, "player": "Nele"} | upwards.random_sheet(numbers(game), seed, most)
        light = ("extra_reserve", "bonus_rows")  # only with the event die
        return {name: value for name, value in sheet.items() if sheet["event_die"] or name not in light}
    cards = [Spec(card.id, card.star, card.symbols) for card in game.components["cards"].cards]
    return from_the_ground_up.random_sheet(cards, seed, most)


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("key", ["elevator_up", "upwards", "from_the_ground_up"])
def test_a_random_game_is_accepted_at_every_step(key, seed):
    data = texts(played(key, seed))
    filler = filler_of(data)
    typed = transcript(filler, data, STYLES[seed % 3], look=assert_accepted(filler)).progress().document
    before, after = node(json.dumps(data).encode()), node(sheet_text(typed).encode())
    assert marks(filler, after)[0] == marks(filler, before)[0]
    assert judged(filler, after) == judged(filler, before)


@cache
def typed_whole(path):
    """A good sheet typed line by line."""
    return transcript(filler_of(document(path)), document(path))


@given(path=st.sampled_from(GOOD[::6]), source=st.data())
@settings(max_examples=20, deadline=None)
def test_undo_restores_the_state_before(path, source):
    whole = typed_whole(path)
    count = source.draw(st.integers(0, len(whole.answers) - 1))
    before = Transcript(whole.form, whole.answers[:count])
    typed = source.draw(st.sampled_from(["", "x", ".", *whole.answers]) | st.text(max_size=12))
    try:
        after = before.answered(typed)
    except LineError:
        return
    assert after.undone() == before
    assert without_part(after.undone().progress()) == without_part(before.progress())


def without_part(progress):
    """The state without the part that is asked about, which is the same if its id is."""
    question = progress.question
    return replace(progress, question=question and (*astuple(replace(question, part=None)), question.part.key))


@given(st.integers(0, len(GOOD) - 1), st.lists(st.text(max_size=20), max_size=12))
@settings(max_examples=60, deadline=None)
def test_any_answer_can_be_saved_and_read_or_is_refused_with_a_reason(number, lines):
    data = document(GOOD[number])
    filler = filler_of(data)
    state = Transcript(filler.form)
    for text in lines:
        trial = filler.trial(state, text)
        assert (trial.transcript is None) == bool(trial.problems)
        state = trial.transcript or state
    filler.answer(state.progress().document)


class TestFindings:
    def typed(self, key, *answers, sheet=None):
        filler = sheet_filler(game_of(key), sheet, "sheet.yaml")
        state = Transcript(filler.form)
        for text in answers[:-1]:
            state = state.answered(text)
        return filler.trial(state, answers[-1])

    def test_a_card_is_checked_at_once(self):
        trial = self.typed("from_the_ground_up", "", "", "Ann", "4, 5, 6 6 4 2")
        assert [(f.rule, f.where[0]) for f in trial.findings] == [
            ("star-range", "players.1.cards.1.star"),
            ("lower-higher", "players.1.cards.1.crates.2"),
        ]

    def test_a_row_is_checked_with_the_row_below_it(self):
        rows = ["Nele", "", "rows", "", "", "3 . . .", "2 4 . ."]
        assert self.typed("upwards", *rows).findings == ()
        assert [f.where for f in self.typed("upwards", *rows, "1 . . .").findings] == [("grid.b5",)]

    def test_parts_that_are_not_on_paper_are_not_asked_for(self):
        state = Transcript(sheet_filler(load("rolling_cubes"), None, "sheet.yaml").form)
        questions = []
        while (question := state.progress().question) and len(questions) < 12:
            questions.append(question.id)
            state = state.answered("Ann" if question.id == "players.1" else "")
        assert "players.1" in questions and "words_from" not in questions

    def test_only_what_can_end_a_round_is_asked_for(self):
        filler = sheet_filler(load("rolling_cubes"), "last-die", "sheet.yaml")

        def asked(letter, stuck):
            typed = {"players.1": "Ann", "players.2": "Ben", "rounds.1.letters.1": letter, "rounds.1.stuck": stuck}
            state, ids = Transcript(filler.form), []
            while (question := state.progress().question) and not question.id.startswith("claimed"):
                ids.append(question.id)
                state = state.answered(typed.get(question.id, ""))
            return [name for name in ids if name in ("rounds.1.stuck", "rounds.1.doubt")]

        assert asked("Ann T", "Ben") == ["rounds.1.stuck"]
        assert asked("Ann T", "") == ["rounds.1.stuck", "rounds.1.doubt"]
        assert asked("", "") == []

    @pytest.mark.parametrize(("name", "noted"), [("Ann Ben", True), ("Ann", False)])
    @pytest.mark.parametrize("game", ["elevator_up", "from_the_ground_up"])
    def test_a_name_with_a_space_is_noted(self, game, name, noted):
        filler = sheet_filler(load(game), None, "sheet.yaml")
        answers: tuple[str, ...] = ()
        question = Transcript(filler.form).progress().question
        while not question.names_a_player:
            answers = (*answers, "")
            question = Transcript(filler.form, answers).progress().question
        assert ("one player" in filler.note(question, name)) is noted

    def test_a_turn_is_checked_at_once(self):
        assert [f.rule for f in self.typed("elevator_up", "Ann", "Ben", "", "", "Ann 7", "Ben 3").findings] == ["beats"]

    def test_unreadable_marks_are_refused(self):
        trial = self.typed("upwards", "Nele", "", "rows", "7 . . .")
        assert trial.transcript is None
        assert [p.message for p in trial.problems] == ["a8 must be 1, 2, 3, 4, 5, 6 or o, not “7”"]

    def test_findings_that_later_answers_can_resolve_are_reported_at_the_end(self):
        log = ["Nele", "", "rows", *[""] * 6, "2 . . .", "1 1 . .", "", "1 1 2, a=1 b=1 a=2"]
        assert self.typed("upwards", *log).findings == ()
        wrong = [*log[:-1], "1 1 3, a=1 b=1 c=3"]
        assert [f.rule for f in self.typed("upwards", *wrong, "", "", "").findings] == ["log-agrees"]


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
    "5 .",
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


class TestYourOwnGame:
    @pytest.fixture
    def filler(self, tmp_path):
        return orchard(tmp_path)

    def test_fields_of_every_kind(self, filler):
        state = Transcript(filler.form)
        for text in TYPED:
            trial = filler.trial(state, text)
            assert trial.problems == ()
            state = trial.transcript
        assert state.progress().question is None
        assert sheet_text(state.progress().document) == ORCHARD
        filled = read(node(ORCHARD.encode()), filler.form.game, filler.form.sheet, filler.form.reading)
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

    def test_rules_stated_in_yaml(self, filler):
        blank = Transcript(filler.form)
        for text in ["", "", "", "", '""']:
            blank = blank.answered(text)
        assert [f.rule for f in filler.trial(blank, "3").findings] == ["required"]


@pytest.mark.parametrize(("key", "sheet"), [(key, sheet) for key in SHIPPED for sheet in game_of(key).sheets])
def test_blank_answers_give_an_empty_sheet(key, sheet):
    filler = sheet_filler(game_of(key), sheet, "sheet.yaml")
    state = Transcript(filler.form)
    while state.progress().question:
        state = state.answered("")
    assert state.progress().document == filler.form.heading
    assert filler.problems(state.progress().document) == ()


VARIANTS = [
    ("from_the_ground_up", None, {"variant": "stall"}),
    ("elevator_up", None, {"deal": "EU-1D05-VJ63K-MAHV4-ZN"}),
    *(("upwards", None, {"option": option, "event_die": die}) for option in ("snake", "blocks") for die in ("", "y")),
    *(("cosmic_consequences", None, {"cards": cards}) for cards in ("", "with", "without")),
    *(("rolling_cubes", mode, {}) for mode in ("one-by-one", "all-together", "last-die", "five-throws")),
]
FITS_ALONE = {"all-dice", "event-die", "line-met", "word-list"}
"""Rules that an example follows whatever the rest of the sheet says."""


def test_every_example_that_fill_shows_can_be_typed():
    with_examples, shown = set(), set()
    for key, mode, answers in VARIANTS:
        filler = sheet_filler(game_of(key), mode, "sheet.yaml")
        with_examples |= {(key, path) for path in filler.form.asking.examples}
        typed, answered = Transcript(filler.form), set()
        while (question := typed.progress().question) is not None:
            path = re.sub(r"\.(\d+|Ann|Ben)\b", "", question.id)
            for text in question.part.examples:
                trial = filler.trial(typed, text)
                assert not trial.problems, (key, answers, text)
                assert FITS_ALONE.isdisjoint(finding.rule for finding in trial.findings), (text, trial.findings)
                shown.add((key, path))
            first = path not in answered or question.id in ("players.2", "players.2.name")
            name = ("Ann", "Ben")[question.ends] if question.names_a_player else ""
            likely = next(iter(question.part.examples), "y" if question.kind == "more" else name)
            typed = typed.answered(answers.get(path, likely) if first else "")
            answered.add(path)
    assert shown == with_examples


def test_examples_of_a_race_without_cards_draw_no_cards():
    answers = {"with": [], "without": []}
    for cards, examples in answers.items():
        typed = Transcript(sheet_filler(game_of("cosmic_consequences"), None, "sheet.yaml").form)
        while (question := typed.progress().question).part.key != "turns":
            typed = typed.answered(
                {"players": "Ann" if len(typed.answers) < 1 else "", "cards": cards}.get(question.part.key, "")
            )
        examples.extend(question.part.examples)
    assert answers == {
        "with": ["Ann 5 is-2 the space asks draw deck -7", "Ann draw pile +3 roll 2 to em-4"],
        "without": ["Ann 5 is-2"],
    }


def test_the_sheet_of_your_own_game_states_its_questions(tmp_path):
    plain_form = orchard(tmp_path).form
    text = "questions:\n  order: [weather, names]\n  notes: {weather: what it was like}\n  examples: {weather: rain}\n"
    with (tmp_path / "sheet.yaml").open("a") as sheet:
        sheet.write(text)
    form = sheet_filler(load(tmp_path), None, str(tmp_path / "filled.yaml")).form
    assert [shape.key for shape in plain_form.parts][:2] == ["names", "weather"]
    assert [shape.key for shape in form.parts][:2] == ["weather", "names"]
    assert (form.parts[0].tip, form.parts[0].examples) == ("what it was like", ("rain",))
