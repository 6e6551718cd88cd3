"""The field map: taken from the frames that are printed, and the identity of a layout."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from generator import paths
from generator.errors import InputError
from generator.geometry.frame import Frame, Slot
from generator.model.game import FieldFile, SheetFile
from generator.model.values import Span
from generator.pages import field_map
from generator.pages.field_map import (
    FieldMap,
    RegisteredLayout,
    holds_digits,
    layout,
    layout_id,
    map_fields,
    plain,
    recipe,
)
from generator.reading.components import score_sheet
from generator.reading.load import load
from generator.reading.sizes import paper

FIELDS = {
    "name": FieldFile(kind="text", length=18),
    "dice": FieldFile(kind="die", count=2),
    "event": FieldFile(kind="die", span=Span(0, 3)),
    "total": FieldFile(kind="number", span=Span(-20, 120)),
    "points": FieldFile(kind="number", length=3),
    "done": FieldFile(kind="tick"),
    "option": FieldFile(kind="choice", choices=("rows", "snake")),
    "card": FieldFile(kind="card", length=2),
    "set": FieldFile(kind="code"),
    "year": FieldFile(kind="code", span=Span(1990, 2090)),
}
SHEET = score_sheet("sheet", SheetFile(title="Sheet", fields=FIELDS))


@pytest.fixture(scope="module")
def own():
    return load(paths.ROOT / "examples" / "lantern_walk")


@pytest.fixture(scope="module")
def shipped():
    return load("from_the_ground_up")


def frames(*, moved="", by=0.0, names=tuple(SHEET.fields)):
    """Slots one below the other on two pages, the last of them on the second."""
    slots = [
        Slot(name, 20.0 + (by if name == moved else 0.0), 20 + 10.126 * number, 9.0, 9.5)
        for number, name in enumerate(names)
    ]
    return [Frame("page 1", 210.0, 297.0, tuple(slots[:-1])), Frame("page 2", 210.0, 297.0, tuple(slots[-1:]))]


def mapped(game, on="a4", **how) -> FieldMap:
    return map_fields(frames(**how), SHEET, paper(on), game)


def test_a_custom_paper_has_the_same_layout_however_its_size_is_written(shipped):
    sizes = ["9x12in", "12x9in", "228.6x304.8mm", "22.86x30.48cm"]
    assert len({recipe(mapped(shipped, size)) for size in sizes}) == 1


def test_fields_are_in_the_order_of_the_definition(own):
    field_map = mapped(own, names=tuple(reversed(SHEET.fields)))
    assert [field.id for field in field_map.fields] == list(SHEET.fields)
    assert (field_map.game, field_map.sheet, field_map.paper) == ("lantern_walk", "sheet", "a4")
    assert (field_map.width, field_map.height, field_map.pages) == (210.0, 297.0, 2)


def test_fields_are_where_the_slots_are_to_a_hundredth(own):
    first, *_, last = mapped(own).fields
    assert (first.page, first.x, first.y, first.width, first.height) == (1, 20.0, 20.0, 9.0, 9.5)
    assert (last.page, last.y) == (2, 121.26)
    assert mapped(own).fields[1].y == 30.13


def test_marks_are_those_that_a_reader_may_expect(own):
    marks = {field.id: (field.marks, field.length) for field in mapped(own).fields}
    assert marks == {
        "name": ("any", 18),
        "dice.1": (("1", "2", "3", "4", "5", "6"), 1),
        "dice.2": (("1", "2", "3", "4", "5", "6"), 1),
        "event": (("0", "1", "2", "3"), 1),
        "total": ("digits", 3),
        "points": ("digits", 3),
        "done": (("x",), 1),
        "option": (("rows", "snake"), 5),
        "card": ("card", 2),
        "set": ("any", 24),
        "year": ("digits", 4),
    }
    assert [name for name, field in SHEET.fields.items() if holds_digits(field)] == [
        "dice.1",
        "dice.2",
        "event",
        "total",
        "points",
        "card",
        "year",
    ]


def test_json_contains_everything(own):
    answer = plain(mapped(own), 90_123)
    assert json.loads(json.dumps(answer)) == answer
    assert {key: value for key, value in answer.items() if key != "cells"} == {
        "game": "lantern_walk",
        "sheet": "sheet",
        "paper": "a4",
        "layout": 90_123,
        "width": 210.0,
        "height": 297.0,
        "pages": 2,
    }
    total = next(field for field in answer["cells"] if field["field"] == "total")
    assert total == {
        "field": "total",
        "kind": "number",
        "page": 1,
        "x": 20.0,
        "y": 60.5,
        "width": 9.0,
        "height": 9.5,
        "marks": "digits",
        "length": 3,
        "shape": "square",
        "letters": 1,
        "span": [-20, 120],
    }


def test_the_recipe_in_full(own):
    text = recipe(
        map_fields(
            [Frame("page", 148.0, 210.0, (Slot("b", 20.004, 30, 9, 9), Slot("a", 10.126, 30, 9, 9)))],
            score_sheet(
                "pad", SheetFile(title="Pad", fields={"b": FieldFile(kind="die"), "a": FieldFile(kind="tick")})
            ),
            paper("a4"),
            own,
        )
    )
    assert text == (
        "pencilbox cells 1\nlantern_walk pad a4 14800 21000 1\na tick 1 1013 3000 900 900\nb die 1 2000 3000 900 900\n"
    )


def test_the_layout_changes_with_everything_a_reader_relies_on(own):
    field_map = mapped(own)
    first = field_map.fields[0]
    others = [
        mapped(own, moved="card", by=0.01),
        mapped(own, on="letter"),
        *(
            replace(field_map, **change)
            for change in (
                {"game": "x"},
                {"sheet": "x"},
                {"width": 1.0},
                {"height": 1.0},
                {"pages": 3},
                {"fields": field_map.fields[1:]},
            )
        ),
        *(
            replace(field_map, fields=(replace(first, **change), *field_map.fields[1:]))
            for change in (
                {"id": "x"},
                {"kind": "x"},
                {"page": 2},
                {"x": 1.0},
                {"y": 1.0},
                {"width": 1.0},
                {"height": 1.0},
            )
        ),
    ]
    hashes = [layout(candidate).hash for candidate in (field_map, *others)]
    assert len(set(hashes)) == len(hashes) == 16


def test_the_layout_does_not_depend_on_anything_else(own):
    assert layout(mapped(own, moved="card", by=0.001)) == layout(mapped(own))
    assert layout(mapped(own, names=tuple(SHEET.fields))) == layout(mapped(own))
    shuffled = replace(mapped(own), fields=tuple(reversed(mapped(own).fields)))
    assert recipe(shuffled) == recipe(mapped(own))


def test_only_layouts_of_shipped_games_need_registration(own, shipped, monkeypatch):
    assert mapped(own).own and 90_000 <= layout_id(mapped(own)) <= 99_999
    assert layout_id(mapped(own)) != layout_id(mapped(own, moved="card", by=0.01))
    assert not mapped(shipped).own
    with pytest.raises(InputError, match="pencilbox fields from_the_ground_up sheet --register"):
        layout_id(mapped(shipped))
    monkeypatch.setattr(field_map, "registry", lambda: {12_345: layout(mapped(shipped))})
    assert layout_id(mapped(shipped)) == 12_345
    assert isinstance(layout(mapped(shipped)), RegisteredLayout)
