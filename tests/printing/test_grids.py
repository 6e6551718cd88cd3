"""The macro for grids: its cells match the geometry of boards, and content stays in its cell."""

from __future__ import annotations

from itertools import combinations
from math import dist, sqrt

import pytest

from generator.art import board_plan
from generator.layout.flaws import box_of
from tests.layout_fixtures import overlaps

NEAR = 0.01
HEXES = ("hex", "pointed-hex")
SHAPES = ("square", "round", *HEXES)


def middles(shape, columns, rows, cell):
    """The expected middles of the cells, row by row."""
    step, corner = cell * sqrt(3) / 2, cell / sqrt(3)
    middle = {
        "hex": lambda x, y: (corner + x * step, (y + 0.5 + x % 2 / 2) * cell),
        "pointed-hex": lambda x, y: ((x + 0.5 + y % 2 / 2) * cell, corner + y * step),
    }.get(shape, lambda x, y: ((x + 0.5) * cell, (y + 0.5) * cell))
    return [middle(column, row) for row in range(rows) for column in range(columns)]


def neighbours(outlines, cell):
    """Pairs of cells that share a side."""
    return [
        (i, j)
        for i, j in combinations(range(len(outlines)), 2)
        if dist(outlines[i].middle, outlines[j].middle) < cell * 1.01
    ]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("columns", "rows"), [(7, 5), (4, 6), (1, 3), (3, 1)])
def test_cells_have_exact_positions(macros, shape, columns, rows):
    outlines = macros.draw(f'grids.grid({columns}, {rows}, 13.7, "{shape}")').outlines
    assert len(outlines) == columns * rows
    for outline, (x, y) in zip(outlines, middles(shape, columns, rows, 13.7), strict=True):
        assert dist(outline.middle, (x, y)) < NEAR
        expected = board_plan.outline(shape, x, y, 13.7)
        assert len(outline.corners) == len(expected.corners)
        assert outline.radius == pytest.approx(expected.radius, abs=NEAR)
        for corner in expected.corners:
            assert min(dist(corner, other) for other in outline.corners) < NEAR


@pytest.mark.parametrize("shape", HEXES)
def test_hexes_are_regular_and_share_their_sides(macros, shape):
    hexagons = macros.draw(f'grids.grid(6, 5, 11, "{shape}")').outlines
    for hexagon in hexagons:
        ends = zip(hexagon.corners, (*hexagon.corners[1:], hexagon.corners[0]), strict=True)
        assert all(dist(*side) == pytest.approx(11 / sqrt(3), abs=NEAR) for side in ends)
    pairs = neighbours(hexagons, 11)
    assert len(pairs) == 5 * 5 + 4 * 11
    for i, j in pairs:
        shared = [
            (corner, other)
            for corner in hexagons[i].corners
            for other in hexagons[j].corners
            if dist(corner, other) < NEAR
        ]
        assert len(shared) == 2


@pytest.mark.parametrize("shape", SHAPES)
def test_no_two_cells_overlap(macros, shape):
    cells = macros.draw(f'grids.grid(5, 5, 9, "{shape}")').outlines
    assert max(cell.overlap(other) for cell, other in combinations(cells, 2)) < NEAR


@pytest.mark.parametrize(("shape", "tints"), [("square", 2), ("hex", 3), ("pointed-hex", 3)])
def test_no_cell_touches_another_of_the_same_tint(macros, shape, tints):
    colours = ["#111111", "#222222", "#333333"][:tints]
    drawn = macros.draw(f'grids.grid(7, 6, 10, "{shape}", tints={colours})')
    fills = [item.fill for item in drawn.shapes]
    assert set(fills) == set(colours)
    pairs = neighbours(drawn.outlines, 10)
    assert pairs and not [(i, j) for i, j in pairs if fills[i] == fills[j]]


# ---- names --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments", "place"),
    [
        ("c2", "", (2, 1)),
        ("c2", ", upwards=true", (2, 3)),
        ("a1", ", upwards=true", (0, 4)),
        ("0302", ', names="numbers"', (2, 1)),
        ("e5", ', labels="inside"', (4, 4)),
        ("e5", ', labels="top left"', (4, 4)),
    ],
)
@pytest.mark.parametrize("shape", SHAPES)
def test_cells_are_addressed_by_name(macros, shape, name, arguments, place):
    drawn = macros.draw(f'grids.grid(5, 5, 12, "{shape}", cells={{"{name}": {{"fill": "#123456"}}}}{arguments})')
    filled = [item.fill for item in drawn.shapes].index("#123456")
    assert filled == place[1] * 5 + place[0]


def test_more_columns_than_letters(macros):
    texts = macros.draw('grids.grid(28, 2, 5, labels="inside")').texts
    assert texts[25:29] == ["z1", "aa1", "ab1", "a2"]


@pytest.mark.parametrize("shape", SHAPES)
def test_labels_are_outside_the_grid_in_order(macros, shape):
    drawn = macros.draw(f'grids.grid(8, 8, 10, "{shape}", labels="top bottom left right", upwards=true)')
    boxes = [box_of(run) for run in drawn.runs]
    assert sorted(drawn.texts) == sorted("abcdefgh12345678" * 2)
    for box in boxes:
        ends = [(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
        assert all(outline.distance(end) > 1 for outline in drawn.outlines for end in ends)
    assert [run.text for run in sorted(drawn.runs[:16:2], key=lambda run: run.x)] == list("abcdefgh")
    assert [run.text for run in sorted(drawn.runs[16::2], key=lambda run: run.y)] == list("87654321")
    assert min(box.x for box in boxes) >= -NEAR and min(box.y for box in boxes) >= -NEAR


def test_labels_are_beside_their_squares(macros):
    drawn = macros.draw('grids.grid(4, 3, 10, labels="bottom right")')
    assert [run.x + run.width / 2 for run in drawn.runs[:4]] == pytest.approx([5, 15, 25, 35], abs=0.1)
    assert [run.y - 0.36 * run.size for run in drawn.runs[4:]] == pytest.approx([5, 15, 25], abs=0.1)


# ---- what is in a cell --------------------------------------------------------------------------------------------

LOOK = {"text": "H8", "icon": "star", "fill": "#eeeeee", "colour": "#445566"}


@pytest.mark.parametrize("labels", ["", "inside"])
@pytest.mark.parametrize("shape", SHAPES)
def test_content_stays_in_its_cell(macros, shape, labels):
    more = f'labels="{labels}", cells={{"b1": {LOOK}}}, slots="s.{{name}}"'
    drawn = macros.draw(f'grids.grid(2, 1, 14, "{shape}", {more})')
    cell = drawn.outlines[1]
    icon = next(item for item in drawn.frame.items if type(item).__name__ == "Icon")
    text, slot = drawn.run("H8"), drawn.slots[1]
    assert (text.colour, icon.colour, slot.id) == ("#445566", "#445566", "s.b1")
    assert box_of(icon).bottom < box_of(text).y
    for box in map(box_of, (icon, text, slot, *(run for run in drawn.runs if run.text == "b1"))):
        ends = [(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
        assert all(cell.distance(end) < NEAR for end in ends)
    if labels:
        assert box_of(drawn.run("b1")).bottom < box_of(icon).y


@pytest.mark.parametrize("shape", SHAPES)
def test_slots_are_in_their_cells_clear_of_names(macros, shape):
    drawn = macros.draw(f'grids.grid(3, 4, 15, "{shape}", labels="inside", slots="m.{{number}}")')
    assert [slot.id for slot in drawn.slots] == [f"m.{n}" for n in range(1, 13)] and not overlaps(drawn.frame)
    for cell, slot, run in zip(drawn.outlines, drawn.slots, drawn.runs, strict=True):
        ends = [(x, y) for x in (slot.x, slot.x + slot.width) for y in (slot.y, slot.y + slot.height)]
        assert max(map(cell.distance, ends)) < NEAR
        assert box_of(run).bottom < slot.y
        assert min(slot.width, slot.height) > 0.5 * 15


def test_a_square_slot_fills_its_cell(macros):
    drawn = macros.draw('grids.grid(2, 2, 9.5, slots="r.{row}.c.{column}.{number}.{name}", upwards=true)')
    assert [slot.id for slot in drawn.slots] == ["r.2.c.1.1.a2", "r.2.c.2.2.b2", "r.1.c.1.3.a1", "r.1.c.2.4.b1"]
    assert [(slot.x, slot.y, slot.width, slot.height) for slot in drawn.slots] == [
        (0, 0, 9.5, 9.5),
        (9.5, 0, 9.5, 9.5),
        (0, 9.5, 9.5, 9.5),
        (9.5, 9.5, 9.5, 9.5),
    ]


def test_a_map_fills_cells_by_symbol(macros):
    drawn = macros.draw(
        'grids.grid(3, 2, map=["w.w", "..h"], fill="#ffffff", kinds={"w": {"fill": "#0000ff", '
        '"text": "W"}, "h": {"icon": "star"}}, cells={"c1": {"text": "X"}})'
    )
    assert [shape.fill for shape in drawn.shapes] == ["#0000ff", *["#ffffff"] * 5]
    assert drawn.texts == ["W", "X"]
