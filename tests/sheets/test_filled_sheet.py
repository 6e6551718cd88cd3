"""Lazily parsed marks, compared with the same marks in one mapping."""

import pytest

from generator.sheets.filled_sheet import LazyMarks

SINGLE = {"player": "Ann", "claimed.total": 7, "ticked": True}
GRIDS = {
    "grid": (1, ["grid.a2", "grid.b2", "grid.a1", "grid.b1"], [("1", None), ("o", "6")]),
    "claimed.columns": (1, ["claimed.columns.1", "claimed.columns.2", "claimed.columns.3"], [(3, None)]),
    "reserve": (3, ["reserve.1", "reserve.2"], [()]),
}
WHOLE = {
    "player": "Ann",
    "grid.a2": "1",
    "grid.a1": "o",
    "grid.b1": "6",
    "claimed.columns.1": 3,
    "claimed.total": 7,
    "ticked": True,
}
ABSENT = ["grid.b2", "grid.c1", "grid", "claimed.columns.2", "claimed.columns.3", "reserve.1", "other", "claimed", ""]


@pytest.fixture
def marks():
    return LazyMarks(dict(SINGLE), GRIDS)


def test_all_marks_in_the_order_they_were_typed(marks):
    assert [*marks.items()] == [*WHOLE.items()]
    assert len(marks) == len(WHOLE)
    assert marks == WHOLE
    assert marks != SINGLE


@pytest.mark.parametrize("name", WHOLE)
def test_one_mark(name, marks):
    assert name in marks
    assert marks[name] == marks.get(name) == WHOLE[name]


@pytest.mark.parametrize("name", ABSENT)
def test_absent_marks(name, marks):
    assert name not in marks
    assert (marks.get(name), marks.get(name, "else")) == (None, "else")
    with pytest.raises(KeyError):
        marks[name]


def test_blanks_are_the_marks_typed_as_blank(marks):
    assert marks.blanks == {"grid.b2", "claimed.columns.2"}
    assert 1 not in marks
