"""Ways to type a sheet, and messages for impossible marks."""

import pytest

from generator.games.upwards.sheet import entry
from generator.judging.judge import Judge
from tests.games.upwards.judging import broken, judged, lines


def problems(sheet):
    return [problem["message"] for problem in judged(sheet)["error"]]


@pytest.mark.parametrize(
    "grid",
    [
        ["2 2 . .", "1 1 3 o"],
        ["2,2,.,.", "1, 1, 3, O"],
        ["22..", "113o"],
        [[2, 2, None, "."], [1, 1, 3, "o"]],
        "2 2 . .\n1 1 3 o\n",
        {"a1": 1, "b1": 1, "c1": 3, "d1": "o", "a2": 2, "b2": 2},
        [".", "", "....", "2 2 . .", "1 1 3 o"],
        ["02 2 . .", "1 01 03 O"],
    ],
)
def test_many_ways_to_type_a_grid(grid):
    result = judged({"option": "rows", "event_die": True, "grid": grid, "claimed": {"columns": [1, 1, 0, 0]}})
    assert result["findings"] == []


@pytest.mark.parametrize("reserve", ["2x 3", "2X, 03", ["2x", 3], {"1": "2x", "2": 3}])
def test_many_ways_to_type_the_reserve(reserve):
    sheet = {"option": "rows", "reserve": reserve, "log": [{"dice": [1, 2, 3], "entries": ["r1=2", "r2=3", "a=1+r1"]}]}
    assert broken(sheet | {"grid": ["3 . . ."]}) == set()


def test_flat_ids_are_the_same_marks():
    nested = {
        "option": "blocks",
        "event_die": True,
        "reserve": ["2x", ".", "3"],
        "extra_reserve": ["-", "4"],
        "bonus_rows": [1],
        "grid": ["2 . . .", "1 o 3 3"],
        "claimed": {"columns": [1], "bonus": 2},
    }
    flat = {
        "option.blocks": "x",
        "event_die": "yes",
        "reserve.1": "2X",
        "reserve.3": 3,
        "extra_reserve.2": "4",
        "bonus_rows.1": "x",
        "grid.a2": 2,
        "grid.a1": 1,
        "grid.b1": "o",
        "grid.c1": 3,
        "grid.d1": 3,
        "claimed.columns.1": 1,
        "claimed.bonus": 2,
    }
    assert judged(nested) == judged(flat)
    assert judged(nested)["findings"] == []


@pytest.mark.parametrize("typed", ["rows", "ROWS", ["rows"], {"rows": "x"}, {"rows": True, "snake": False}])
def test_ways_to_choose_an_option(typed):
    assert "rows" in lines({"option": typed})


def test_a_blank_light_field_is_outlined():
    def open_fields(typed):
        sheet = {"option": "rows", "extra_reserve": typed}
        return [where for finding in judged(sheet)["findings"] for where in finding["where"]]

    assert open_fields([".", "-", "~"]) == ["extra_reserve.1", "extra_reserve.3"]
    assert open_fields(["-", 3]) == ["extra_reserve.2"]
    assert open_fields(["-", "-", "-"]) == open_fields([]) == open_fields(None) == open_fields(".") == []


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("a=4", ("a", ["4"], [])),
        ("A = 4 + 1", ("a", ["4", "1"], [])),
        ("r1=o", ("r1", [], [])),
        ("c=O", ("c", [], [])),
        ("b=1+R1-x2", ("b", ["1", "r1"], ["x2"])),
        ("d=6−2", ("d", ["6"], ["2"])),
        ("d=-2+6", ("d", ["6"], ["2"])),
        ("x3=+2", ("x3", ["2"], [])),
    ],
)
def test_entries(text, parsed):
    assert entry(text) == parsed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "a=",
        "=4",
        "a=4+",
        "a=4++1",
        "a=o+1",
        "a=4=4",
        "a==4",
        "a=4*2",
        "a:4",
        "a=" + "1+" * 9 + "z",
        "a=" + "9" * 50,
        "ä=4",
    ],
)
def test_invalid_entries(text):
    assert entry(text) is None


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        ({"grid": ["7 . . ."]}, "a1 must be 1, 2, 3, 4, 5, 6 or o, not “7”"),
        ({"grid": ["1 . ."]}, "row 1 has 3 marks, but 4 boxes"),
        ({"grid": ["1 . . ."] * 9}, "grid has 9 rows, but there are 8 on the paper"),
        ({"grid": {"e1": 1}}, "grid: unknown key “e1”"),
        ({"option": "row"}, "“Scoring option” must be rows, snake or blocks, not “row”"),
        ({"option": 7}, "“Scoring option” must be rows, snake or blocks, not “7”"),
        ({"reserve": ["7"]}, "reserve 1 must be 1, 2, 3, 4, 5, 6, 1x, 2x, 3x, 4x, 5x, 6x or o, not “7”"),
        ({"reserve": [1, 1, 1, 1, 1, 1]}, "reserve has 6 marks, but there are 5 boxes"),
        ({"bonus_rows": [9]}, "bonus row 9 is not on the sheet"),
        ({"snake": ["a1", "e1"]}, "there is no box “e1” in the grid"),
        ({"snake": ["a9"]}, "there is no box “a9” in the grid"),
        ({"blocks": [{"shape": "star", "cells": ["a1"]}]}, "there is no shape “star”"),
        ({"blocks": [{"shape": "t", "cells": ["a0"]}]}, "there is no box “a0” in the grid"),
        ({"blocks": [{"shape": "t"}]}, "block 1 needs the key “cells”"),
        ({"blocks": ["tt"]}, "block must be line-3, corner-3, line-4, square, t, l, z, p or u, not “tt”"),
        ({"blocks": [{"shape": "t", "cells": ["a1"] * 40}]}, "the block has 40 boxes, more than the grid"),
        ({"blocks": [{"shape": "t", "cells": ["a1"]}] * 33}, "there are 33 blocks, more than the grid has boxes"),
        ({"log": [{"dice": [1, 2], "entries": []}]}, "a round has 3 dice, not 2"),
        ({"log": [{"dice": [1, 2, 7], "entries": []}]}, "“7” is not a number on the die, 1 to 6"),
        ({"log": [{"dice": [1, 2, 3], "event": "meteor"}]}, "“meteor” is not on the event die"),
        ({"log": [{"dice": [1, 2, 3], "row": 9}]}, "there is no row 9"),
        ({"log": [{"dice": [1, 2, 3], "outline": "r1"}]}, "there is no light field “r1”"),
        ({"log": [{"dice": [1, 2, 3], "outline": "x4"}]}, "there is no light field “x4”"),
        ({"log": [{"dice": [1, 2, 3], "entries": ["e=1"]}]}, "there is no column or field “e” (in the entry “e=1”)"),
        ({"log": [{"dice": [1, 2, 3], "entries": ["a=r6"]}]}, "there is no column or field “r6” (in the entry “a=r6”)"),
        ({"log": [{"dice": [1, 2, 3], "entries": ["a=0"]}]}, "“0” is not a number on the die, 1 to 6"),
        ({"log": [{"dice": [1, 2, 3], "entries": ["a4"]}]}, "the entry “a4” cannot be read"),
        ({"log": [{"dice": [1, 2, 3], "passed": [8]}]}, "“8” is not a number on the die, 1 to 6"),
        ({"log": [{"dice": [1, 2, 3], "enter": ["a=1"]}]}, "log entry 1: unknown key “enter”"),
        ({"log": [{"entries": ["a=1"]}]}, "log entry 1 needs the key “dice”"),
    ],
)
def test_impossible_marks_are_input_errors(sheet, message):
    assert problems(sheet) == [message]


def test_all_problems_are_reported_at_once():
    sheet = {"option": "row", "grid": ["8 . . 9"], "snake": ["z1"], "log": [{"dice": [0, 0], "event": "?"}]}
    assert len(problems(sheet)) == 8


def test_blocks_are_listed_or_crossed_out():
    grid = ["2 2 . .", "2 2 . ."]
    listed = {"option": "blocks", "grid": grid, "blocks": {"shape": "Square", "cells": "A1 a2 b1 b2"}}
    assert lines(listed)["blocks"] == 5
    for crossed in (["square"], {"square": "x"}, "square"):
        assert lines({"option": "blocks", "grid": grid, "blocks": crossed})["blocks"] == 5
    assert broken(listed) == set()


@pytest.mark.parametrize(
    "junk",
    [
        {"log": 5},
        {"log": [5]},
        {"log": {"a": 1}},
        {"snake": {"a": 1}},
        {"snake": [[1]]},
        {"blocks": [[1]]},
        {"grid": [[[1]]]},
        {"grid": [{"a": 1}]},
        {"option": [[1]]},
        {"option": {"x": 1}},
        {"bonus_rows": {"a": 1}},
        {"log": [{"dice": [1, 2, 3], "entries": [[1]]}]},
        {"log": [{"dice": ["9" * 5000, 1, 1]}]},
        {"snake": ["a" + "9" * 5000]},
        {"log": [{"dice": [1, 2, 3], "outline": "x" + "9" * 5000}]},
        {"log": [{"dice": [1, 2, 3], "outline": "x²"}]},
        {"snake": ["a²"]},
        {"blocks": 7},
    ],
)
def test_junk_is_reported(junk):
    assert problems(junk)


def test_shapes_may_be_typed_as_words():
    option = {"option": "blocks"}
    assert problems({**option, "blocks": "U, X"}) == [
        "block must be line-3, corner-3, line-4, square, t, l, z, p or u, not “X”"
    ]
    as_list = judged({**option, "blocks": ["u", "l"]})
    assert all(judged({**option, "blocks": typed}) == as_list for typed in ("U L", "u, l", "U,L"))
    as_list = judged({**option, "blocks": ["line-3", "corner-3"]})
    assert judged({**option, "blocks": "three in a row, small corner"}) == as_list


def test_the_same_block_on_two_sheets_has_two_places(tmp_path):
    (tmp_path / "sheets.jsonl").write_text('{"game": "upwards", "blocks": [{"shape": "star", "cells": ["a1"]}]}\n' * 2)
    answers = Judge().answers([str(tmp_path / "sheets.jsonl")])
    assert [problem.place.line for answer in answers for problem in answer.problems] == [1, 2]
