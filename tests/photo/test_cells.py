"""The boxes of a page are read: blank ones, ticks, rings and digits, and strokes that leave their box."""

from __future__ import annotations

from math import cos, pi, sin

import pytest

from generator.photo.blank import blank_page
from generator.photo.cells import _number, boxes_of, read_cells
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.photo.test_ink import middle, photographed


@pytest.fixture(scope="module")
def table():
    return blank_page(load("from_the_ground_up"), "table", paper("a4"), 1)


@pytest.fixture(scope="module")
def boxes(table):
    return {(box.field.id, box.number): box.rect for box in boxes_of(table.map, 1)}


def read(page):
    return {(cell.field, cell.box): cell for cell in read_cells(page)}


def mark(cell) -> str:
    return max(cell.probabilities, key=cell.probabilities.get)


def ring(rect, grown=1.0):
    x, y = middle(rect)
    return [
        (x + cos(turn / 20 * pi) * rect.width / 2 * grown, y + sin(turn / 20 * pi) * rect.height / 2 * grown)
        for turn in range(41)
    ]


def cross(rect):
    return [(rect.x + 1, rect.y + 1), (rect.right - 1, rect.bottom - 1)], [
        (rect.right - 1, rect.y + 1),
        (rect.x + 1, rect.bottom - 1),
    ]


def one(rect, down=0.0):
    x, y = middle(rect)
    return [(x, y - 2.5 + down), (x - 0.1, y + 2.5 + down)]


def test_a_page_without_writing_is_blank(table):
    for cell in read_cells(photographed(table)):
        assert mark(cell) == ""
        assert sum(cell.probabilities.values()) == pytest.approx(1)


def test_marks_are_read_where_they_were_made(table, boxes):
    written = [
        ring(boxes["towers.3.owner", 1], 1.15),
        *cross(boxes["towers.5.flipped", 0]),
        one(boxes["towers.2.crates.3", 0]),
        one(boxes["players.1.claimed.total", 1]),
    ]
    cells = read(photographed(table, written))
    filled = {key: mark(cell) for key, cell in cells.items() if mark(cell)}
    assert filled == {
        ("towers.3.owner", 1): "x",
        ("towers.5.flipped", 0): "x",
        ("towers.2.crates.3", 0): "1",
        ("players.1.claimed.total", 1): "1",
    }
    assert [key for key, cell in cells.items() if cell.glyph is not None] == [
        key for key in filled if "owner" not in key[0] and "flipped" not in key[0]
    ]


def test_a_stroke_belongs_to_the_box_that_has_most_of_it(table, boxes):
    upper, lower = boxes["towers.1.crates.2", 0], boxes["towers.1.crates.1", 0]
    above = min(upper, lower, key=lambda rect: rect.y)
    cells = read(photographed(table, [one(above, down=3.5)]))
    filled = [cell.rect for cell in cells.values() if mark(cell)]
    assert filled == [above]


def test_a_line_along_an_outline_is_never_sure(table, boxes):
    """It may be the outline itself, if the page could not be laid on it exactly."""
    box = boxes["players.1.claimed.total", 0]
    line = [(box.x + 1, box.bottom - 0.9), (box.right - 1, box.bottom - 0.9)]
    cell = read(photographed(table, [line]))["players.1.claimed.total", 0]
    assert 1 - max(cell.probabilities.values()) > 0.02


def test_only_marks_that_a_field_takes_are_read(table):
    for cell in read_cells(photographed(table)):
        assert set(cell.probabilities) <= {"", "x", "?", *"-+0123456789", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ=≠"}


@pytest.fixture(scope="module")
def grid():
    return blank_page(load("upwards"), "sheet", paper("a4"), 1)


def in_grid(grid, *more):
    """The marks of the upper row of the grid with a one in each box and these lines on it."""
    rects = [box.rect for box in boxes_of(grid.map, 1) if box.field.id in ("grid.a8", "grid.b8", "grid.c8", "grid.d8")]
    cells = read(photographed(grid, [*map(one, rects), *(line(rects) for line in more)]))
    return [cells[f"grid.{column}8", 0] for column in "abcd"]


def around(rects):
    first, last = rects[0], rects[-1]
    return [
        (first.x, first.y),
        (last.right, first.y),
        (last.right, last.bottom),
        (first.x, last.bottom),
        (first.x, first.y),
    ]


def test_an_outline_around_boxes_is_not_read(grid):
    cells = in_grid(grid, around)
    assert [mark(cell) for cell in cells] == ["1"] * 4
    assert [cell.glyph.tobytes() for cell in cells] == [cell.glyph.tobytes() for cell in in_grid(grid)]


def test_marks_are_doubted_where_a_line_leads_through_them(grid):
    cells = in_grid(grid, lambda rects: [middle(rect) for rect in rects])
    assert [mark(cell) for cell in cells] == ["1"] * 4
    assert all(cell.probabilities["?"] >= 0.1 for cell in cells)


def test_a_character_beside_one_that_was_crossed_out_is_read(table, boxes):
    rect = boxes["towers.2.crates.3", 0]
    x, y = rect.x + 1, rect.y + 2
    gone = [(x + 2.2 * (turn % 2), y + turn * 0.35) for turn in range(12)]
    beside = [(rect.right - 1.8, rect.y + 1), (rect.right - 1.8, rect.y + 5)]
    cell = read(photographed(table, [gone, beside]))["towers.2.crates.3", 0]
    assert mark(cell) == "1"
    assert cell.probabilities["?"] > 0.02


def test_a_box_for_a_number_holds_one_digit_or_two():
    one, seven, neither = (
        {"1": 0.9, "7": 0.06, "?": 0.04},
        {"1": 0.1, "7": 0.8, "?": 0.1},
        {"1": 0.0, "7": 0.0, "?": 1.0},
    )
    for parts, number in (([one], "1"), ([one, neither, neither], "1"), ([neither, one, seven, neither, one], "17")):
        read = _number(parts)
        assert max(read, key=read.get) == number
        assert sum(read.values()) == pytest.approx(1)
