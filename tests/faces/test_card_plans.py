"""What the built-in faces work out from texts: estimates that need no layout."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from generator.faces.card_plans import (
    StandardPlan,
    fact,
    facts_height,
    filled,
    lines,
    shared_size,
    tiles_of,
    type_size,
)
from generator.model.columns import Column, Columns

REST = (Column("power", "Power"), Column("home", "Home"), Column("story", "Story", long=True))


def test_long_texts_take_more_lines_and_smaller_type() -> None:
    short, long = "Draw a card.", "Draw a card. " * 20
    assert lines(short, 50, 8) == 1 < lines(long, 50, 8) < lines(long + "\n\n", 50, 8)
    assert type_size(short, 50, 40, (12, 10, 8)) == 12
    assert type_size(long, 50, 44, (12, 10, 8)) == 10
    assert type_size(long, 50, 4, (12, 10, 8)) == 8
    deck = SimpleNamespace(text=long, word="Draw")
    assert shared_size(short, deck, 50, 44, (12, 10, 8), 0.5, 9, 11) == 10
    assert shared_size(short, deck, 50, 44, (12, 10, 8), 0.5, 11, 11.5) == 11.5


def test_only_columns_with_a_value_are_printed() -> None:
    assert filled({"power": 0, "home": " ", "story": "x"}, REST) == [0]
    assert filled({"power": None, "home": ("a",), "story": "x"}, REST) == [1]
    assert filled({"power": 1, "home": "x", "story": "x"}, REST, long=True) == [2]
    assert [fact(value) for value in (True, False, ("a", "*b*"), 7, None)] == [
        '<icon name="tick"/>',
        "–",
        "a, <i>b</i>",
        "7",
        "",
    ]


@pytest.mark.parametrize(
    ("width", "count", "room", "arranged"),
    [(10, 3, 50, 3), (10, 6, 50, 3), (30, 3, 50, -1), (30, 4, 70, 2), (80, 5, 70, -2)],
)
def test_facts_stand_side_by_side_or_in_rows(width: float, count: int, room: float, arranged: int) -> None:
    assert tiles_of(width, count, room) == arranged
    assert facts_height(0, 0, 1, 1) == 0 < facts_height(count, arranged, 1, 1)


def test_a_picture_is_lower_above_many_words() -> None:
    columns = Columns(title="name", rules="text", image="art", headings={})
    longest = {"text": SimpleNamespace(text="", word="")}

    def height(words: int) -> float:
        values = {"name": "Fox", "text": "word " * words, "art": "fox.png"}
        return StandardPlan(values, columns, longest, 63.5, 88.9, 1.5, "").picture_height

    assert height(5) > height(70) > height(120) > 10
