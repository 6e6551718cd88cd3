"""Grids and groups of ticks, typed as they look on paper."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

from generator.errors import InputError
from generator.model.game import FieldFile, SheetFile
from generator.nodes import document as parsed
from generator.reading.typed import ProblemReport
from generator.sheets.draft import SheetDraft
from generator.sheets.parts import Names, of_field

GRID = FieldFile(across=2, fields={name: FieldFile(kind="number") for name in ("a3", "b3", "a2", "b2", "a1", "b1")})
TICKS = FieldFile(fields={name: FieldFile(kind="tick") for name in ("big", "small_one")})
OTHER = FieldFile(fields={"name": FieldFile(kind="text")})


def typed(text: str, spec: FieldFile) -> list[tuple[str, str, int]]:
    """(field, mark, line) for each mark or blank."""
    node = parsed(text, "f.yaml")
    sheet_draft = draft(node)
    sheet_draft.read(of_field("part", spec), "part", node)
    if sheet_draft.report.problems:
        raise InputError(sheet_draft.report.problems)
    read = {name: str(mark) for name, mark in sheet_draft.marks.items()} | dict.fromkeys(sheet_draft.blanks, ".")
    names = [f"part.{name}" for name in spec.fields or ()]
    lines = {name: place.line for name, place in sheet_draft.places.items()}
    return [(name.removeprefix("part."), read[name], lines.get(name, 0)) for name in names if name in read]


def draft(node: Any) -> SheetDraft:
    nothing: Any = None
    sheet: Any = SimpleNamespace(definition=SheetFile(title="Grid", fields={}))
    names = {"players": Names("players", {})}
    return SheetDraft(game=nothing, sheet=sheet, report=ProblemReport(node.place, []), names=names)


@pytest.mark.parametrize("text", ["- 1 2\n- 3 4\n- 5 6", "[[1, 2], 3 4, '5,6']", "['12', 3   4, 56]"])
def test_a_grid_is_typed_from_the_top(text: str) -> None:
    assert [mark[:2] for mark in typed(text, GRID)] == [
        ("a3", "1"),
        ("b3", "2"),
        ("a2", "3"),
        ("b2", "4"),
        ("a1", "5"),
        ("b1", "6"),
    ]


def test_if_rows_are_missing_the_lowest_are_filled_in() -> None:
    assert typed("- 3 .\n- 5 6", GRID) == [("a2", "3", 1), ("b2", ".", 0), ("a1", "5", 2), ("b1", "6", 2)]
    assert typed("|\n  3 .\n  5 6\n", GRID) == [("a2", "3", 1), ("b2", ".", 0), ("a1", "5", 1), ("b1", "6", 1)]


@pytest.mark.parametrize(
    "text", ["{1: [5, 6], 3: 1 2}", "{3: '12', 1: 56}", "{a1: 5, b1: 6, 3: 1 2}", "{1: 5 6, 2: '', a3: 1, b3: 2}"]
)
def test_rows_may_be_typed_by_the_numbers_beside_them(text: str) -> None:
    assert marks_of(text, GRID) == {"part.a3": 1, "part.b3": 2, "part.a1": 5, "part.b1": 6}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{4: 1 2}", "part has no row 4; its rows are 1 to 3"),
        ("{2: [1, 2, 3]}", "row 2 has 3 marks, but 2 boxes"),
        ("{2: 1 2, b2: 2}", "part.b2 is given twice"),
        ("{2: 1 x}", "part.b2 must be a whole number"),
        ("{2: {a: 1}}", "row 2 has 0 marks, but 2 boxes"),
    ],
)
def test_a_numbered_row_that_cannot_be_read_is_reported(text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        marks_of(text, GRID)


@pytest.mark.parametrize("names", ["x1 y2", "a1 b1 c1 d1", "one two", "1 2 3 4"])
def test_only_grids_of_lettered_columns_and_numbered_rows_have_numbered_rows(names: str) -> None:
    spec = FieldFile(across=2, fields={name: FieldFile(kind="number") for name in names.split()})
    with pytest.raises(InputError):
        marks_of("{1: 7 8}", spec)


def marks_of(text: str, spec: FieldFile) -> dict[str, Any]:
    node = parsed(text, "f.yaml")
    sheet_draft = draft(node)
    sheet_draft.read(of_field("part", spec), "part", node)
    if sheet_draft.report.problems:
        raise InputError(sheet_draft.report.problems)
    return sheet_draft.marks


def test_a_row_may_be_blank() -> None:
    assert [mark[1] for mark in typed("['.', '']", GRID)] == [".", ".", ".", "."]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("big", ["big"]),
        ("BIG", ["big"]),
        ("[small-one, big]", ["small_one", "big"]),
        ("[]", []),
        ("big small_one", ["big", "small_one"]),
        ("SMALL-ONE, big", ["small_one", "big"]),
    ],
)
def test_ticks_are_typed_by_their_names(text: str, names: list[str]) -> None:
    assert {mark[0] for mark in typed(text, TICKS)} == {*names}


@pytest.mark.parametrize(
    ("text", "spec", "message"),
    [
        ("[1 2, 1 2, 1 2, 1 2]", GRID, "part has 4 rows, but there are 3 on the paper"),
        ("[1 2 3]", GRID, "row 1 has 3 marks, but 2 boxes"),
        ("[{a1: 2}]", GRID, "row 1 has 0 marks, but 2 boxes"),
        ("bg", TICKS, "part must be big or small_one, not “bg”"),
        ("big bg", TICKS, "part must be big or small_one, not “bg”"),
        ("[[big]]", TICKS, "not “a list”"),
        ("big;small_one", TICKS, "list the ticked ones with commas, such as big, small_one"),
        ("x . ", TICKS, "list the ticked ones with commas, such as big, small_one"),
        ("{a1: 2+3}", GRID, "type only the result"),
        ("{a1: = 5}", GRID, "type only the result"),
        ("[2+3]", GRID, "has “\\+” between marks"),
    ],
)
def test_impossible_marks_are_refused(text: str, spec: FieldFile, message: str) -> None:
    with pytest.raises(InputError, match=message):
        typed(text, spec)


@pytest.mark.parametrize(
    ("text", "spec", "marks"),
    [
        ("{a1: 2}", GRID, {"part.a1": 2}),
        ("{big: x}", TICKS, {"part.big": True}),
        ("{name: a}", OTHER, {"part.name": "a"}),
    ],
)
def test_groups_of_every_kind_may_be_typed_by_their_keys(text: str, spec: FieldFile, marks: dict[str, Any]) -> None:
    node = parsed(text, "f.yaml")
    sheet_draft = draft(node)
    sheet_draft.read(of_field("part", spec), "part", node)
    assert (sheet_draft.marks, sheet_draft.report.problems) == (marks, [])


def test_other_groups_must_be_mappings() -> None:
    with pytest.raises(InputError, match="part cannot be read; name its parts: name"):
        typed("word", OTHER)
