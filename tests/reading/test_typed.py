"""Nodes become dataclasses: units, colours, ranges, and every problem at once."""

from dataclasses import dataclass

import pytest

from generator import nodes
from generator.errors import InputError, Place
from generator.model import values
from generator.model.game import CardsFile, GameFile, Style
from generator.reading import typed


def read(text, kind):
    return typed.read(nodes.document(text, "f.yaml"), kind)


def test_lengths_become_millimetres():
    style = read("{size: 72pt, tracking: 0.5, floor: 1in}", Style)
    assert (style.size, style.tracking, style.floor) == (pytest.approx(25.4), 0.5, pytest.approx(25.4))


@pytest.mark.parametrize(("text", "mm"), [("63.5", 63.5), ("2.5 in", 63.5), ("1cm", 10), ("96px", 25.4), (".5mm", 0.5)])
def test_a_length_with_or_without_a_unit(text, mm):
    assert values.length(text) == pytest.approx(mm)


def test_every_problem_of_a_file_is_reported_with_its_line():
    with pytest.raises(InputError) as caught:
        read("size: 9\nleading: wide\ncase: uper\ncolor: red\ncolour: '#12'", Style)
    messages = [str(problem) for problem in caught.value.problems]
    assert [line.split(": ")[0] for line in messages] == ["f.yaml:1", "f.yaml:2", "f.yaml:3", "f.yaml:4", "f.yaml:5"]
    assert "9pt" in messages[0] and "did you mean upper?" in messages[2] and "did you mean colour" in messages[3]


def test_a_missing_key_is_reported_with_the_line_of_its_mapping():
    with pytest.raises(InputError, match=r"f\.yaml:1: needs the key “title”"):
        read("players: 2\ncomponents: {}", GameFile)


def test_keys_may_be_written_with_dashes():
    assert read("{size: 9pt, case: upper}", Style) == read("{size: 9pt, 'case': upper}", Style)


@pytest.mark.parametrize(("text", "expected"), [("3-5", (3, 5)), ("4", (4, 4)), ("-3 to 2", (-3, 2)), ("1–6", (1, 6))])
def test_ranges(text, expected):
    span = values.span(text)
    assert (span.low, span.high) == expected


def test_ranges_sort_by_their_numbers():
    spans = list(map(values.span, ("3-5", "2-6", "3-4", "1")))
    assert [str(span) for span in sorted(spans)] == ["1", "2-6", "3-4", "3-5"]


@pytest.mark.parametrize("text", ["5-3", "a", "", "1-2-3", "1.5-2"])
def test_invalid_ranges_are_refused(text):
    with pytest.raises(ValueError, match="range"):
        values.span(text)


@dataclass(frozen=True, kw_only=True)
class Turn:
    player: str
    pass_: int | None = None
    words: tuple[str, ...] = ()
    place: Place


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[{player: Ann, Bob, words: a}]", 'the text of “player” before “Bob”; put it in quotes: player: "Ann, Bob"'),
        ("[{player: Ann, pass: 3, words: [a], x}]", "unknown key “x”; known: pass, player, words"),
        ("[{player: f(a, b) > 3}]", '“player” before “b) > 3”; put it in quotes: player: "f(a, b) > 3"'),
        ("- player: Ann\n  wards:", "unknown key “wards”; did you mean words?"),
    ],
)
def test_a_text_with_a_comma_needs_quotes(text, problem):
    with pytest.raises(InputError) as error:
        typed.read(nodes.document(text, "f"), tuple[Turn, ...])
    assert problem in str(error.value)


def test_a_key_of_another_key_is_reported_with_the_line_to_write():
    with pytest.raises(InputError) as error:
        read("table: cards.csv\nsheet: Deck", CardsFile)
    assert [*map(str, error.value.problems)] == [
        "f.yaml:2: unknown key “sheet”; it belongs to “table”: write table: {file: cards.csv, sheet: …}"
    ]


def test_plain_data_is_read_like_nodes():
    report = typed.ProblemReport(Place("f", 7), [])
    read = typed.parser(tuple[Turn, ...])
    assert read([{"player": None, "pass": "3", "words": "a"}, {"player": True, "pass": None}], "", report) == (
        Turn(player="null", pass_=3, words=("a",), place=Place("f", 7)),
        Turn(player="true", place=Place("f", 7)),
    )
    assert not report.problems
    assert read([{"pas": "3"}, {"player": [], "pass": "x"}], "log", report) is typed.BAD
    assert [*map(str, report.problems)] == [
        "f:7: unknown key “pas”; did you mean pass?",
        "f:7: “log” needs the key “player”",
        "f:7: “player” must be text, not a list",
        "f:7: “pass” must be a whole number, not “x”",
    ]
