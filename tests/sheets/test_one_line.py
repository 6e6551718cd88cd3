"""JSON on one line, as in JSON Lines, is read as YAML: each line is a document with its own number."""

import json
from io import BytesIO

import pytest

from generator.errors import InputError, Place
from generator.judging.judge import Judge
from generator.rules.results import plain
from generator.sheets import documents

JUDGE = Judge(hints=True)
SHEET = {"game": "upwards", "option": "rows", "grid": ["1 2 3 4"]}


def line_of(raw, name="f.jsonl"):
    (document,) = documents(BytesIO(raw), name)
    return document


def answer(sheet):
    return plain(JUDGE.answer(line_of(json.dumps(sheet).encode()), "f.jsonl"))


@pytest.mark.parametrize("entry", ["\t", " ", "\u3000"])
def test_an_entry_of_spaces_is_no_error_of_the_program(entry):
    sheet = {"game": "cosmic_consequences", "players": ["Ann", "Ben"], "turns": [entry, {"player": "Ben", "roll": 2}]}
    assert answer(sheet)
    sheet = {"game": "rolling_cubes", "mode": "five-throws", "players": ["Ann"], "lines": {"Ann": {"trio": {}}}}
    sheet["lines"]["Ann"]["trio"] = {"tiles": entry, "word": entry}
    assert answer(sheet)


def test_numbers_and_words_are_kept_as_typed():
    assert line_of(b'{"a": [1.0, -0, 1e5, "1", true, null], "b": {"c": "\\u00e9\\/"}}\r\n').data == {
        "a": ["1.0", "-0", "1e5", "1", "true", "null"],
        "b": {"c": "é/"},
    }


def test_the_same_sheet_has_the_same_answer_with_escapes_and_without():
    sheet = {"game": "upwards", "player": "Zoë", "option": "rows", "grid": ["1 2 3 ä"]}
    raw = json.dumps(sheet, ensure_ascii=False).encode()
    assert answer(sheet) == plain(JUDGE.answer(line_of(raw), "f.jsonl"))


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', '{"a": ' + "[" * 200 + "]" * 200 + "}", '{"a": 1} {"b": 2}'])
def test_what_is_no_sheet_has_an_error(text):
    (document,) = documents(BytesIO(text.encode()), "f.jsonl")
    assert isinstance(document, InputError)


@pytest.mark.parametrize("space", ["\t", " \t", "\t \t "])
def test_white_space_before_json(space):
    document = line_of(f"{space}{json.dumps(SHEET)}".encode())
    assert document.place == Place("f.jsonl", 1)
    assert document.data == SHEET


@pytest.mark.parametrize("name", ["f.jsonl", "f.yaml"])
def test_lines_of_white_space_are_blank(name):
    raw = b'\t\n{"a": 1}\n \t\n{"b": 2}\n'
    assert [document.place.line for document in documents(BytesIO(raw), name)] == [2, 4]


def test_documents_have_their_line_numbers():
    raw = b'{"a": 1}\n\n{"game": "upwards", "option": "rows", "grid": ["1 . . .", ". 2 . ."]}\n'
    first, second = documents(BytesIO(raw), "f.jsonl")
    assert (first.place, second.place) == (Place("f.jsonl", 1), Place("f.jsonl", 3))
    (finding,) = JUDGE.answer(second, "f.jsonl").verdict.findings
    assert finding.place == Place("f.jsonl", 3)


def test_the_letter_of_a_block_is_no_key_of_a_sheet():
    sheet = {"game": "upwards", "option": "blocks", "grid": ["2 2 . ."], "T=": []}
    assert "unknown key “T=”" in answer(sheet)["error"][0]["message"]


@pytest.mark.parametrize("hand", [{}, {"cc_up": []}, {"cc_up": "."}, {"number_up": [], "cc_up": "."}])
def test_a_blank_hand_is_a_hand_in_json_too(hand):
    turn = {"player": "Ann", "roll": 6, "to": "is-3", "forced": "draw deck +1"}
    sheet = {"game": "cosmic_consequences", "players": ["Ann", "Ben"], "turns": [turn], "hands": {"Ann": hand}}
    (finding,) = answer(sheet)["findings"]
    assert finding["rule"] == "hands-agree"
