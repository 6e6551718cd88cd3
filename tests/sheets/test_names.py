"""Rows by name, zeros for whole groups, fields that are not printed, and the key that selects a sheet."""

import re
from io import BytesIO

import pytest
import yaml

from generator import games, nodes
from generator.errors import InputError
from generator.judging.judge import Judge, Unreadable
from generator.model.game import SheetFile
from generator.reading import typed
from generator.reading.components import score_sheet
from generator.reading.load import load
from generator.sheets import FilledSheet, Reading, documents, heading
from tests.sheet_reading import read

GAME = load("from_the_ground_up")
SHEET = """
title: Laps
fields:
  walkers: {kind: text, count: 4}
  starts: {kind: text, by: walkers}
  laps:
    repeat: 4
    by: walkers
    zero: true
    fields:
      steps: {kind: number}
      note: {kind: text, paper: false}
      where: {paper: false, fields: {place: {kind: text}}}
  total: {kind: number, count: 4, by: walkers}
"""


def sheet(text: str = SHEET):
    return score_sheet("laps", typed.read(nodes.document(text, "sheet.yaml"), SheetFile))


def filled(text: str) -> FilledSheet:
    (document,) = documents(BytesIO(text.encode()), "f.yaml")
    return read(document, GAME, sheet(), Reading())


def problems(text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        filled(text)
    return [str(problem) for problem in caught.value.problems]


def test_fields_that_are_not_printed_have_no_slot_but_can_be_typed() -> None:
    assert [name for name in sheet().fields if name.startswith("laps.1")] == ["laps.1.steps"]
    sheet_read = filled("laps: {1: {steps: 3, note: wet, where: {place: here}}}")
    assert sheet_read.text("laps.1.note") == "wet" and sheet_read.text("laps.1.where.place") == "here"


def test_a_name_stands_for_its_entry_in_the_only_group_by_names() -> None:
    text = SHEET.replace("  laps:", "  days: {repeat: 2, fields: {\n  laps: {").replace(
        """
    repeat: 4
    by: walkers
    zero: true
    fields:
      steps: {kind: number}
      note: {kind: text, paper: false}
      where: {paper: false, fields: {place: {kind: text}}}
""",
        "repeat: 4, by: walkers, fields: {steps: {kind: number}}}, note: {kind: text}}}\n",
    )
    (document,) = documents(
        BytesIO(b"walkers: [Ann, J. R.]\ndays: [{ann: {steps: 3}, note: wet}, {J. R.: {steps: 4}, Ann.steps: 5}]"),
        "f.yaml",
    )
    marks = read(document, GAME, sheet(text), Reading()).marks
    assert {name: mark for name, mark in marks.items() if name.startswith("days")} == {
        "days.1.laps.1.steps": 3,
        "days.1.note": "wet",
        "days.2.laps.2.steps": 4,
        "days.2.laps.1.steps": 5,
    }


def test_the_tooltip_of_a_row_by_names_begins_with_the_person() -> None:
    fields = sheet(SHEET.replace("{kind: text, count: 4}", "{kind: text, count: 4, label: Walker}")).fields
    assert (fields["walkers.2"].tip, fields["total.2"].tip) == ("Walker 2", "Walker 2, total")


@pytest.mark.parametrize("key", games.SHIPPED)
def test_every_tooltip_of_a_shipped_sheet_explains_its_field(key: str) -> None:
    tips = [field.tip for sheet in load(key).sheets.values() for field in sheet.fields.values()]
    assert tips and [tip for tip in tips if not re.fullmatch(r"[^:]+: .+[^.]", tip)] == []


@pytest.mark.parametrize(
    "text",
    [
        "walkers: [Ada, Bo]\nlaps: {Bo: {steps: 3}}\ntotal: {Bo: 3}",
        "walkers: [Ada, Bo]\nlaps: {bo: {steps: 3}}\ntotal: {' BO ': 3}",
        "walkers: {1: Ada, 2: Bo}\nlaps: {2: {steps: 3}}\ntotal: [., 3]",
        "walkers.1: Ada\nwalkers.2: Bo\nlaps.Bo.steps: 3\ntotal.2: 3",
        "laps: [., {steps: 3}]\ntotal.bo: 3\nwalkers: [Ada, Bo]",
    ],
)
def test_entries_by_name_or_number(text: str) -> None:
    sheet_read = filled(text)
    assert (sheet_read.number("laps.2.steps"), sheet_read.number("total.2"), sheet_read.entries["laps"]) == (
        3,
        3,
        ("laps.2",),
    )
    assert [sheet_read.player_of(name) for name in ("laps.2.steps", "total.2", "walkers.2")] == ["Bo"] * 3


def test_a_name_that_is_a_number_is_a_name() -> None:
    sheet_read = filled("walkers: [2, 1]\ntotal: {2: 7}\nlaps: [{steps: 5}, {}]")
    assert (sheet_read.number("total.1"), sheet_read.number("laps.1.steps")) == (7, 5)
    assert filled("walkers: [2, 1]\ntotal.1: 7").number("total.1") == 7


def test_players_without_a_name_have_a_number() -> None:
    assert filled("laps: {3: {steps: 3}}").player_of("laps.3.steps") == "player 3"


def test_a_single_name_may_be_abbreviated() -> None:
    for text, name in (("a", "Ada"), ("ADA", "Ada"), ("bo", "Bo"), ("Bob", "Bob")):
        assert filled(f"walkers: [Ada, Bo, Bob]\nstarts: {text}").text("starts") == name
    assert problems("walkers: [Ada, Adele]\nstarts: Ad") == [
        "f.yaml:2: starts: “Ad” could be Ada or Adele; write more of the name"
    ]
    assert problems("walkers: [Ada, Adele]\nstarts: Adda") == [
        "f.yaml:2: starts: “Adda” is not one of the walkers; did you mean Ada?"
    ]


def test_names_may_be_typed_on_one_line_with_commas() -> None:
    assert filled("walkers: Ada, Bo Lee\ntotal: {Bo: 3}").marks == {
        "walkers.1": "Ada",
        "walkers.2": "Bo Lee",
        "total.2": 3,
    }
    assert filled("walkers: [Ada Lee]").marks == {"walkers.1": "Ada Lee"}
    assert filled("walkers: Ada Lee").marks == {"walkers.1": "Ada", "walkers.2": "Lee"}


def test_unknown_names_are_refused() -> None:
    assert problems("walkers: [Ada, Bo]\ntotal: {Cy: 3}\nlaps: {Dee: {steps: 1}}") == [
        "f.yaml:2: total: “Cy” is not one of the walkers; known: Ada, Bo",
        "f.yaml:3: laps: “Dee” is not one of the walkers; known: Ada, Bo",
    ]
    assert problems("total: {Ada: 3}") == [
        "f.yaml:1: total: “Ada” is not one of the walkers; list them under walkers: [...]"
    ]
    assert problems("total: {7: 3}") == ["f.yaml:1: total 7 is not on the sheet; type a number from 1 to 4"]


def test_a_zero_for_a_whole_group() -> None:
    sheet_read = filled("walkers: [Ada, Bo]\nlaps: {Ada: 0, Bo: {steps: 0}}")
    assert (sheet_read.number("laps.1"), sheet_read.number("laps.2"), sheet_read.entries["laps"]) == (
        0,
        None,
        ("laps.1", "laps.2"),
    )
    assert problems("walkers: [Ada]\nlaps: {Ada: [[1]]}") == [
        "f.yaml:2: Ada: laps cannot be read; name its parts (or type 0 for none): steps, note, place"
    ]


def test_a_row_of_fields_by_name() -> None:
    for wrong in ("by: runners", "by: laps"):
        with pytest.raises(InputError, match="must name a row of fields"):
            sheet(SHEET.replace("count: 4, by: walkers", f"count: 4, {wrong}"))


def test_a_key_that_selects_the_sheet() -> None:
    (document,) = documents(BytesIO(b"game: rolling_cubes\nmode: Last_Die\n"), "f.yaml")
    assert {name: scalar.text for name, scalar in heading(document, ("mode",)).items()} == {"mode": "Last_Die"}
    sheet_read = Judge().answer(document, "f.yaml")
    assert sheet_read.result and not sheet_read.verdict.findings
    (document,) = documents(BytesIO(yaml.safe_dump({"game": "from_the_ground_up", "mode": "table"}).encode()), "f.yaml")
    assert "unknown key “mode”" in str(Judge().answer(document, "f.yaml"))


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("cosmic_consequences", "chart: {zero-1: {player: ben, lies: cc}}"),
        ("from_the_ground_up", "towers: {1: {whose: Ben, star: 3}}"),
    ],
)
def test_a_name_where_a_number_is_written_is_answered_with_the_number(key: str, text: str) -> None:
    document = next(documents(BytesIO(f"game: {key}\nplayers: [Ann, Ben]\n{text}\n".encode()), "f.yaml"))
    answer = Judge().answer(document, "f.yaml")
    assert isinstance(answer, Unreadable)
    assert answer.problems[0].hint.lower() == "ben is player 2"
