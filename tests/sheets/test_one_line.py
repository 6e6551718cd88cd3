"""JSON on one line is read exactly as YAML: the same sheet, the same answer."""

import json
import os
import random
import re
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.errors import Place
from generator.judging.judge import Judge, SheetView
from generator.rules.results import plain
from generator.sheets import documents
from generator.sheets.documents import MAX_LETTERS, DocumentBytes, from_json, from_yaml, in_usual_signs

JUDGE = Judge(hints=True)
FOLDER = Path(__file__).parents[1] / "games"
THOROUGH = "PENCILBOX_GAMES" in os.environ
"""Whether to test every sheet in both notations, with more changed sheets; by default, half of them in one notation."""
FEW = settings(max_examples=1000 if THOROUGH else 100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def converted(data):
    """Data from YAML, with the texts that are numbers, true, false or null in JSON converted."""
    if isinstance(data, dict):
        return {key: converted(value) for key, value in data.items()}
    if isinstance(data, list):
        return [converted(value) for value in data]
    return json.loads(data) if re.fullmatch("-?(0|[1-9][0-9]{0,8})|true|false|null", data) else data


def documents_of(path):
    return [
        converted(data) for data in yaml.load_all(path.read_text("utf-8"), yaml.BaseLoader) if isinstance(data, dict)
    ]


@cache
def all_sheets():
    """The good sheets of every game, then the bad ones."""
    files = sorted(FOLDER.glob("*/good/**/*.yaml")) + sorted(FOLDER.glob("*/bad/**/*.yaml"))
    return [data for path in files for data in documents_of(path)]


def line_of(raw, name="f.jsonl"):
    (document,) = documents(BytesIO(raw), name)
    return document


def as_yaml(raw, name="f.jsonl"):
    """The document when read as YAML."""
    (document,) = from_yaml(in_usual_signs(DocumentBytes(1, raw)), name)
    return document


PARTS = ("game", "sheet", "place", "code", "cards", "marks", "entries", "rows", "extra", "people", "blanks", "options")


def is_json_read_alike(raw):
    """Asserts that a document gets the same answer as JSON and as YAML; returns whether it is read as JSON."""
    if from_json(raw) is None:
        return False
    line, node = line_of(raw), as_yaml(raw)
    assert json.dumps(plain(JUDGE.answer(line, "f.jsonl"))) == json.dumps(plain(JUDGE.answer(node, "f.jsonl")))
    sheet = JUDGE.read(line, "f.jsonl")
    if isinstance(sheet, SheetView):
        read_alike(sheet.filled, JUDGE.read(node, "f.jsonl").filled)
    return True


def read_alike(quick, slow):
    for name in quick.sheet.fields:  # one by one, before anything else parses them
        assert (name in quick.marks, quick.value(name)) == (name in slow.marks, slow.value(name)), name
    for part in PARTS:
        assert getattr(quick, part) == getattr(slow, part), part
    assert (list(quick.marks), list(quick.entries)) == (list(slow.marks), list(slow.entries))
    assert {slow.place_of(name) for name in (*slow.marks, *slow.places)} <= {quick.place}


@pytest.mark.parametrize("compact", [True, False])
def test_all_sheets_are_read_alike(compact):
    separators = (",", ":") if compact else (", ", ": ")
    every = all_sheets() if THOROUGH else all_sheets()[compact::4]
    quick = [
        is_json_read_alike(json.dumps(data, ensure_ascii=compact, separators=separators).encode()) for data in every
    ]
    assert sum(quick) > len(every) * 0.9


WORDS = [
    "",
    ".",
    "~",
    "null",
    "o",
    "x",
    "-",
    "1x",
    "a",
    "A",
    "Ann",
    "ann ",
    "Zed",
    "rows",
    "option",
    "0",
    "00",
    "1",
    "01",
    "1.0",
    "+3",
    "−1",
    "999999999999",
    "1 2 3 4",
    "1,2",
    "....",
    "a1",
    "yes",
    "no",
    "≠",
    "/",
    "cooking",
    "\t",
    "\u2028",
    "\x00",
    "🎲",
    "\ud83d",
    "é" * 300,
    "GU-1",
    "poker",
    "words",
    "1.throw",
    "T=",
    "b.1",
]
VALUES = st.one_of(
    st.sampled_from(WORDS),
    st.integers(-2, 12),
    st.sampled_from([10**30, 1.0, -0.0, 1e300, 0.5, float("nan")]),
    st.booleans(),
    st.none(),
    st.builds(list),
    st.builds(dict),
    st.lists(st.integers(0, 9), max_size=9),
    st.lists(st.sampled_from(WORDS), max_size=4),
    st.dictionaries(st.sampled_from(WORDS), st.integers(0, 9), max_size=2),
)


def inside(data):
    """Every mapping and list in some data, including itself."""
    yield data
    for value in data.values() if isinstance(data, dict) else data:
        if isinstance(value, dict | list):
            yield from inside(value)


@st.composite
def changed(draw):
    """A sheet from the tests with some values changed and some keys misspelt, duplicated or removed."""
    sheet = json.loads(json.dumps(draw(st.sampled_from(all_sheets()))))
    for _ in range(draw(st.integers(1, 3))):
        where = draw(st.sampled_from(list(inside(sheet))))
        keys = list(where) if isinstance(where, dict) else list(range(len(where)))
        key = draw(st.sampled_from(keys)) if keys else None
        kind = draw(st.sampled_from(["value", "value", "lose", "spell", "add", "double"]))
        if kind == "lose" and keys:
            del where[key]
        elif kind == "spell" and isinstance(where, dict) and keys:
            misspelt = draw(st.sampled_from([key.upper(), f" {key}", key.replace("_", "-"), key + ".1", f"{key}{key}"]))
            where[misspelt] = where.pop(key)
        elif kind == "add" and isinstance(where, dict):
            where[draw(st.sampled_from(WORDS))] = draw(VALUES)
        elif kind == "double" and isinstance(where, list) and keys:
            where.append(where[key])
        elif keys:
            where[key] = draw(VALUES)
    return sheet


@FEW
@given(changed(), st.booleans())
def test_changed_sheets_are_read_alike(sheet, as_ascii):
    is_json_read_alike(json.dumps(sheet, ensure_ascii=as_ascii).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("entry", ["\t", " ", "\u3000"])
def test_an_entry_of_spaces_is_no_error_of_the_program(entry):
    sheet = {"game": "cosmic_consequences", "players": ["Ann", "Ben"], "turns": [entry, {"player": "Ben", "roll": 2}]}
    is_json_read_alike(json.dumps(sheet).encode())
    sheet = {"game": "rolling_cubes", "mode": "five-throws", "players": ["Ann"], "lines": {"Ann": {"trio": {}}}}
    sheet["lines"]["Ann"]["trio"] = {"tiles": entry, "word": entry}
    is_json_read_alike(json.dumps(sheet).encode())


ODD = {
    "grid": [
        "1 2 3 4",
        "o . . 6",
        "1234",
        "12.o",
        ".",
        "",
        "1  2 3 4 ",
        "1 2 3",
        "7 1 1 1",
        "1,2,3,4",
        "−1 1 1 1",
        1234,
        None,
        ["1", "2", "3", "4"],
        True,
    ],
    "reserve": [1, "1", "6x", "X", ".", None, "2 ", 7, 1.0, [1], True],
    "extra_reserve": ["-", ".", "1x", 3, None, "−"],
    "bonus_rows": [1, 2, 8, "3", "03", 9, 0, -1, "x", "no", None, True, 1.0, [2]],
    "snake": ["a1", "b2", "B3", "a4 b4", "c5,d5", "e1", "a9", "", None, 1],
    "columns": [0, 1, 7, 8, "2", ".", None, "x"],
}


def odd_sheet(rng):
    """A sheet of Upwards! whose rows seldom have more than one odd value."""

    def row(name, most):
        usual = rng.randint(1, len(ODD[name]))
        return [rng.choice(ODD[name][: usual if rng.random() < 0.2 else 3]) for _ in range(rng.randint(0, most))]

    blocks = [
        {"shape": rng.choice(["square", "line-3", "Line_3", "t", "s"]), "cells": row("snake", 4)} for _ in range(3)
    ]
    marks = {
        "grid": row("grid", 9),
        "reserve": row("reserve", 6),
        "extra_reserve": row("extra_reserve", 4),
        "bonus_rows": rng.choice([row("bonus_rows", 4), rng.sample(range(1, 9), 3)]),
        "snake": row("snake", 9),
        "blocks": rng.choice([blocks, ["t", "l"], {"t": "x"}]),
        "claimed": {"columns": row("columns", 5), "total": 3},
    }
    chosen = rng.sample(list(marks), rng.randint(1, len(marks)))
    return {
        "game": "upwards",
        "option": rng.choice(["rows", "snake", "blocks"]),
        "event_die": rng.random() < 0.5,
        **{name: marks[name] for name in chosen},
    }


@pytest.mark.parametrize("seed", range(20))
def test_rows_grids_and_drawings_are_read_alike(seed):
    rng = random.Random(seed)
    sheets = [json.dumps(odd_sheet(rng)).encode() for _ in range(200 if THOROUGH else 20)]
    assert all(is_json_read_alike(sheet) or b"null" in sheet for sheet in sheets)


@st.composite
def damaged(draw):
    """The text of a sheet with a few pieces cut out, duplicated or overwritten."""
    text = json.dumps(draw(st.sampled_from(all_sheets())), ensure_ascii=draw(st.booleans()))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        new = draw(
            st.sampled_from(
                [
                    "",
                    text[start:end] * 2,
                    "NaN",
                    "-Infinity",
                    "1.0",
                    "1e5",
                    "-0",
                    "[",
                    "{",
                    "]",
                    "}",
                    '"',
                    ",",
                    ":",
                    " ",
                    "\t",
                    "#",
                    "\\",
                    "\\u0041",
                    "\\ud83d\\ude00",
                    "\\ud83d",
                    "'",
                    "null",
                    "true",
                    "\x7f",
                    "\x85",
                    "\u2028",
                    "\ufeff",
                    "&a ",
                    "*a",
                    "!!int ",
                ]
            )
        )
        text = text[:start] + new + text[end:]
    return text


@FEW
@given(damaged())
def test_damaged_texts_are_read_alike(text):
    is_json_read_alike(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        '{"game": "upwards", "game": "upwards"}',
        '{"a": NaN}',
        '{"a": [1, -Infinity]}',
        '{"a": "\\ud83d"}',
        '{"a": "\x7f"}',
        '{"a": "\u2028"}',
        '{"a": "\ufeff"}',
        '{"a":\t1}',
        '{"a": 1',
        '["a"]',
        '{"a": 1} {"b": 2}',
        "{'a': 1}",
        "{a: 1}",
        '{"a": 01}',
        '{"a": [1,]}',
        '{"a": "' + "x" * MAX_LETTERS + '"}',
        '{"a":' * 5000 + "1" + "}" * 5000,
        "game: upwards",
    ],
)
def test_texts_that_are_read_as_yaml(text):
    assert from_json(text.encode()) is None


def test_texts_with_control_characters_are_read_as_yaml():
    for letter in map(chr, (*range(32), *range(127, 160))):
        assert from_json(f'{{"a": "1{letter}2"}}'.encode()) is None, ascii(letter)
        assert from_json(f'{{"a":{letter}"1"}}'.encode()) is None, ascii(letter)
        assert from_json(f'{{"é": "1{letter}2"}}'.encode()) is None, ascii(letter)


def test_numbers_are_kept_as_typed():
    assert from_json(b'{"a": [1.0, -0, 1e5, 007, "1"]}') is None
    assert from_json(b'{"a": [null]}') is None
    assert from_json(b'{"a": [1.0, -0, 1e5, "1", true], "b": {"c": "\\u00e9\\/"}}\r\n') == {
        "a": ["1.0", "-0", "1e5", "1", "true"],
        "b": {"c": "é/"},
    }


def test_a_document_with_a_long_key_is_read_as_yaml():
    sheet = {"game": "upwards", "option": "rows", "grid": ["1 2 3 4"]}
    assert is_json_read_alike(json.dumps(sheet).encode())
    spaced = sheet | {" " * 2000 + "claimed": {"total": 1}}
    assert not is_json_read_alike(json.dumps(spaced).encode())
    assert is_json_read_alike(json.dumps(sheet | {"event-die": True, "event_die": True}).encode())


@pytest.mark.parametrize("space", ["\t", " \t", "\t \t "])
def test_white_space_before_json(space):
    sheet = json.dumps({"game": "upwards", "option": "rows", "grid": ["1 2 3 4"]})
    assert is_json_read_alike(f"{space}{sheet}".encode())
    assert as_yaml(f"{space}{{'game': upwards}}".encode()).place == Place("f.jsonl", 1)


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


@pytest.mark.parametrize("options", [{"named": "upwards"}, {"named": "rolling_cubes"}, {"options": {"words": "none"}}])
def test_options_apply_to_both_notations(options):
    for data in all_sheets()[:: 9 if THOROUGH else 18]:
        raw, judge = json.dumps(data).encode(), Judge(**options)
        assert plain(judge.answer(line_of(raw), "f")) == plain(judge.answer(as_yaml(raw), "f"))


def test_the_letter_of_a_block_is_no_key_of_a_sheet():
    line = b'{"game": "upwards", "option": "blocks", "grid": ["2 2 . ."], "T=": []}'
    assert "unknown key “T=”" in plain(JUDGE.answer(line_of(line), "f.jsonl"))["error"][0]["message"]


@pytest.mark.parametrize("hand", [{}, {"cc_up": []}, {"cc_up": "."}, {"number_up": [], "cc_up": "."}])
def test_a_blank_hand_is_a_hand_in_json_too(hand):
    turn = {"player": "Ann", "roll": 6, "to": "is-3", "forced": "draw deck +1"}
    sheet = {"game": "cosmic_consequences", "players": ["Ann", "Ben"], "turns": [turn], "hands": {"Ann": hand}}
    raw = json.dumps(sheet).encode()
    assert is_json_read_alike(raw)
    (finding,) = plain(JUDGE.answer(line_of(raw), "f.jsonl"))["findings"]
    assert finding["rule"] == "hands-agree"
