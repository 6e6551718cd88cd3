"""Positions of boxes, checked against calculations by hand. The face is always 60 × 80 mm."""

from __future__ import annotations

import pytest

from generator.faces.kinds import Percent, Track
from generator.geometry.frame import Shape
from generator.geometry.outlines import bounds

A, B, C, D = "#00000a", "#00000b", "#00000c", "#00000d"
FR = Track(share=1.0)


def mm(length):
    return Track(length=length)


def test_a_column_places_fixed_heights_below_each_other(el, lay, filled):
    frame = lay(el("column", fill=A, height=10), el("row", fill=B, height=5), gap=2, padding=(1, 2, 3, 4))
    assert filled(frame) == {A: (4, 1, 54, 10), B: (4, 13, 54, 5)}


def test_growing_children_share_the_rest_exactly(el, lay, filled):
    """80 - 4 padding - 2 gaps of 3 - 10 fixed = 60, shared 1 : 2."""
    frame = lay(
        el("column", fill=A, grow=1), el("column", fill=B, height=10), el("column", fill=C, grow=2), padding=2, gap=3
    )
    assert filled(frame) == {A: (2, 2, 56, 20), B: (2, 25, 56, 10), C: (2, 38, 56, 40)}


def test_a_growing_child_starts_from_its_own_size(el, lay, filled):
    frame = lay(el("row", el("column", fill=A, width=10, grow=1), el("column", fill=B, grow=1), grow=1))
    assert filled(frame) == {A: (0, 0, 35, 80), B: (35, 0, 25, 80)}


def test_a_row_inside_a_column_takes_the_height_of_its_highest_child(el, lay, filled):
    frame = lay(
        el("row", el("column", width=5, height=7, fill=A), el("column", width=5, fill=B), fill=C),
        el("column", fill=D, grow=1),
    )
    assert filled(frame) == {C: (0, 0, 60, 7), A: (0, 0, 5, 7), B: (5, 0, 5, 7), D: (0, 7, 60, 73)}


@pytest.mark.parametrize(
    ("justify", "lefts"), [("start", (0, 12)), ("center", (19, 31)), ("end", (38, 50)), ("between", (0, 50))]
)
def test_justify_moves_children_along_a_row(el, lay, filled, justify, lefts):
    frame = lay(el("row", el("stack", width=10, fill=A), el("stack", width=10, fill=B), gap=2, justify=justify, grow=1))
    assert filled(frame) == {A: (lefts[0], 0, 10, 80), B: (lefts[1], 0, 10, 80)}


@pytest.mark.parametrize(
    ("align", "left", "width"), [("stretch", 0, 60), ("start", 0, 8), ("center", 26, 8), ("end", 52, 8)]
)
def test_align_moves_children_across_a_column(el, lay, filled, align, left, width):
    frame = lay(el("row", el("column", width=8, height=4), fill=A), align=align)
    assert filled(frame) == {A: (left, 0, width, 4)}


def test_a_box_as_wide_as_its_content_counts_its_padding(el, lay, filled):
    frame = lay(el("row", el("stack", width=8, height=4), padding=(1, 2, 3, 4), fill=A), align="start")
    assert filled(frame) == {A: (0, 0, 14, 8)}


def test_grid_tracks_in_mm_and_shares(el, lay, filled):
    """Columns: 10, then (60 - 10 - 2 gaps of 1) = 48 shared 1 : 2. Rows: 5 and the remaining 74 - 2 of gap."""
    grid = el(
        "grid",
        *(el("stack", fill=fill) for fill in (A, B, C, D)),
        grow=1,
        gap=(2, 1),
        rows=(mm(5), FR),
        columns=(mm(10), FR, Track(share=2.0)),
    )
    assert filled(lay(grid)) == {A: (0, 0, 10, 5), B: (11, 0, 16, 5), C: (28, 0, 32, 5), D: (0, 7, 10, 73)}


def test_grid_rows_are_as_high_as_their_content(el, lay, filled):
    grid = el(
        "grid",
        el("stack", height=4),
        el("stack", height=6, fill=A),
        el("stack", height=3, fill=B),
        columns=(FR, FR),
        gap=(1, 0),
        fill=C,
    )
    assert filled(lay(grid)) == {C: (0, 0, 60, 10), A: (30, 0, 30, 6), B: (0, 7, 30, 3)}


def test_grid_rows_share_a_given_height_but_none_gets_less_than_its_content(el, lay, filled):
    """30 mm for three rows: one needs 16 mm, the others share 14."""
    grid = el(
        "grid", el("stack", fill=A), el("stack", height=16, fill=B), el("stack", fill=C), height=30, columns=(FR,)
    )
    assert filled(lay(grid)) == {A: (0, 0, 60, 7), B: (0, 7, 60, 16), C: (0, 23, 60, 7)}


def test_a_grid_aligns_children_in_their_cells(el, lay, filled):
    grid = el(
        "grid",
        el("stack", width=4, height=2, fill=A),
        columns=(FR, FR),
        rows=(FR,),
        align="end",
        justify="center",
        grow=1,
    )
    assert filled(lay(grid)) == {A: (13, 78, 4, 2)}


def test_a_stack_lays_children_on_top_of_each_other(el, lay, filled):
    stack = el(
        "stack",
        el("stack", width=30, height=18, fill=A),
        el("stack", width=10, height=10, fill=B),
        align="center",
        justify="end",
        height=20,
        padding=1,
    )
    assert filled(lay(stack)) == {A: (29, 1, 30, 18), B: (49, 5, 10, 10)}


def test_at_counts_from_the_inner_box_and_takes_no_room(el, lay, filled):
    frame = lay(
        el("at", x=5, y=Percent(0.5), width=Percent(0.25), height=3, fill=A), el("stack", height=4, fill=B), padding=10
    )
    assert filled(frame) == {A: (15, 40, 10, 3), B: (10, 10, 40, 4)}


def test_at_without_a_size_reaches_to_the_edge(el, lay, filled):
    assert filled(lay(el("at", x=5, y=Percent(0.1), fill=A), padding=10)) == {A: (15, 16, 35, 54)}


def test_children_are_painted_in_the_order_they_are_written(el, lay):
    frame = lay(el("at", fill=A), el("stack", height=4, fill=B), el("at", fill=C))
    assert [item.fill for item in frame.items] == [A, B, C]


def test_a_rule_is_horizontal_in_a_column_and_vertical_in_a_row(el, lay):
    frame = lay(el("line", stroke_width=2), el("row", el("line", stroke_width=1), grow=1), padding=5)
    level, upright = frame.items
    assert level == Shape((("M", 5, 6), ("L", 55, 6)), None, "#222222", 2)
    assert upright == Shape((("M", 5.5, 7), ("L", 5.5, 75)), None, "#222222", 1)


def test_a_line_with_ends_has_a_fixed_position(el, lay):
    frame = lay(el("line", x1=0, y1=Percent(1), x2=10, y2=0, stroke="#123456", dash=(1, 2)), padding=5)
    assert frame.items == (Shape((("M", 5, 75), ("L", 15, 5)), None, "#123456", 0.25, (1, 2)),)


def test_turned_content_swaps_its_sides(el, lay, filled):
    """A box of 30 × 20 turned by 90: the top of its content is along the right edge."""
    frame = lay(el("column", el("stack", height=5, fill=A), el("stack", grow=1, fill=B), width=30, height=20, turn=90))
    assert filled(frame) == {A: (25, 0, 5, 20), B: (0, 0, 25, 20)}


@pytest.mark.parametrize(
    ("turn", "box"), [(0, (1, 2, 4, 3)), (90, (25, 1, 3, 4)), (180, (25, 15, 4, 3)), (270, (2, 15, 3, 4))]
)
def test_at_in_a_turned_box(el, lay, filled, turn, box):
    frame = lay(el("stack", el("at", x=1, y=2, width=4, height=3, fill=A), width=30, height=20, turn=turn))
    assert filled(frame) == {A: box}


def test_turned_boxes_are_measured_turned(el, lay, filled):
    frame = lay(el("row", el("stack", width=8, height=4), turn=270, fill=A), align="start")
    assert filled(frame) == {A: (0, 0, 4, 8)}


def test_an_icon_takes_its_width_from_the_height_of_its_row(el, lay):
    frame = lay(el("row", el("icon", name="wide"), el("stack", grow=1), height=6))
    icon = frame.items[0]
    assert (icon.x, icon.y, icon.width, icon.height, icon.colour) == (0, 0, 12, 6, "#111111")


def test_an_icon_keeps_its_proportions_and_is_centred_in_its_box(el, lay):
    icon = lay(el("icon", name="wide", width=10, height=9, colour="#abcdef"), align="start").items[0]
    assert (icon.x, icon.y, icon.width, icon.height, icon.colour) == (0, 2, 10, 5, "#abcdef")


def test_an_icon_that_covers_its_box_is_cropped_by_it(lay, el):
    (cropped,) = lay(el("icon", name="wide", width=10, height=9, fit="cover"), align="start").items
    assert bounds(cropped.clip) == (0, 0, 10, 9)
    (icon,) = cropped.items
    assert (icon.x, icon.y, icon.width, icon.height) == (-4, 0, 18, 9)


def test_a_path_is_fitted_into_its_box(el, lay):
    """A view box of 10 × 10 from (5, 5) in a box of 40 × 20: twice as large, and centred."""
    frame = lay(el("path", d="M5 5 H15 V15 Z", viewbox=(5, 5, 10, 10), width=40, height=20))
    assert frame.items == (Shape((("M", 10, 0), ("L", 30, 0), ("L", 30, 20), ("L", 10, 0), ("Z",)), "#111111"),)


def test_rounded_corners_are_round(el, lay):
    """Every point of a Bézier corner is within 0.03% of the circle that it approximates."""
    shape = lay(el("stack", width=20, height=20, radius=10, fill=A)).items[0]
    at = (10.0, 0.0)
    for name, *numbers in shape.path:
        if name == "C":
            for t in (0.25, 0.5, 0.75):
                points = [at, *zip(numbers[::2], numbers[1::2], strict=True)]
                weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
                x, y = (sum(w * p[i] for w, p in zip(weights, points, strict=True)) for i in (0, 1))
                assert ((x - 10) ** 2 + (y - 10) ** 2) ** 0.5 == pytest.approx(10, rel=3e-4)
        if numbers:
            at = tuple(numbers[-2:])


def test_slots_draw_their_outline_and_are_inside_their_padding(el, lay):
    frame = lay(
        el("slot", id="a", height=10, padding=1),
        el("slot", id="b", height=10, shape="circle", stroke=None),
        el("slot", id="c", height=10, shape="line"),
        el("slot", id="d", height=10, shape="none"),
    )
    assert [(slot.id, slot.x, slot.y, slot.width, slot.height) for slot in frame.slots()] == [
        ("a", 1, 1, 58, 8),
        ("b", 0, 10, 60, 10),
        ("c", 0, 20, 60, 10),
        ("d", 0, 30, 60, 10),
    ]
    box, line = (item for item in frame.items if isinstance(item, Shape))
    assert box.stroke == "#222222" and box.path[:2] == (("M", 0, 0), ("L", 60, 0))
    assert line.path == (("M", 0, 30), ("L", 60, 30))


# ---- what does not fit --------------------------------------------------------------------------------------------


def test_reports_a_column_that_is_too_high_in_mm(el, faults):
    assert faults(el("stack", height=50), el("stack", height=40), padding=2, gap=3) == [
        "card.xml.j2: card 4, face: needs 93.0 mm, has 76.0 mm; its content is too high"
    ]


def test_reports_a_row_that_is_too_wide_in_mm(el, faults):
    row = el("row", el("slot", id="a", width=50.04), el("slot", id="b", width=10), height=5)
    assert faults(row) == ["card.xml.j2: card 4, row: needs 60.1 mm, has 60.0 mm; its content is too wide"]


def test_reports_a_child_that_is_too_large_in_mm(el, faults):
    assert faults(el("slot", id="a", width=61, height=4), el("row", el("icon", name="star", size=9), height=8)) == [
        "card.xml.j2: card 4, slot “a”: needs 61.0 mm, has 60.0 mm; too wide for the box around it",
        "card.xml.j2: card 4, icon “star”: needs 9.0 mm, has 8.0 mm; too high for the box around it",
    ]


def test_reports_grids_that_overflow_in_mm(el, faults):
    grid = el("grid", el("stack"), columns=(mm(40), mm(30)), rows=(mm(90),), grow=1)
    assert faults(grid) == [
        "card.xml.j2: card 4, grid: needs 70.0 mm, has 60.0 mm; its content is too wide",
        "card.xml.j2: card 4, grid: needs 90.0 mm, has 80.0 mm; its content is too high",
    ]


def test_a_grid_with_too_few_cells(el, faults):
    assert faults(el("grid", *[el("stack")] * 5, columns=(FR, FR), rows=(FR, FR))) == [
        "card.xml.j2: card 4, grid has 2 × 2 cells for 5 children; leave out rows= to get as many rows as needed"
    ]


def test_nothing_extends_beyond_its_parent(el, faults):
    assert faults(el("stack", el("at", x=-1, y=0, width=5, height=21), el("at", x=70), height=20)) == [
        "card.xml.j2: card 4, at: leaves the stack around it; 1.0 mm over its left edge, 1.0 mm over its bottom edge",
        "card.xml.j2: card 4, at: begins 10.0 mm beyond the stack around it",
    ]


def test_at_may_be_on_the_padding_and_in_the_bleed(el, lay, filled):
    frame = lay(el("at", x=-4, y=-8, width=4, height=3, fill=A), padding=5, bleed=3)
    assert filled(frame) == {A: (1, -3, 4, 3)}


def test_a_slot_without_room_is_an_error(el, faults):
    assert faults(el("row", el("slot", id="a"), height=9)) == [
        "card.xml.j2: card 4, slot “a”: needs a width and a height, has 0.0 × 9.0 mm; set width and height, or grow"
    ]


def test_a_padding_larger_than_its_box(el, faults):
    assert faults(el("row", el("text", "a"), height=4, padding=(3, 0, 2, 0))) == [
        "card.xml.j2: card 4, row: needs 5.0 mm, has 4.0 mm; its padding alone is too high"
    ]


def test_all_problems_are_reported_together(el, faults):
    assert (
        len(
            faults(
                el("slot", id="a", width=70, height=4), el("slot", id="b", width=80, height=4), el("stack", height=90)
            )
        )
        == 3
    )


def test_unknown_icons_have_a_hint(el, faults):
    assert faults(el("icon", name="stra", size=4)) == [
        "card.xml.j2: card 4, icon “stra”: no icon “stra”; did you mean star?"
    ]


def test_texts_of_a_style_that_keeps_together_have_the_size_of_the_smallest(el, lay, runs):
    def sizes(*texts):
        column = [el("text", words, width=18.0, height=6.0, wrap=False, **how) for words, how in texts]
        return [round(run.size, 3) for run in runs(lay(el("column", *column, align="start")))]

    short, long, even = "Won", "Doubt by whom", {"style": "even"}
    (small,) = sizes((long, even))
    assert small < 4.0
    assert sizes((short, even), (long, even)) == [small, small]
    assert sizes((short, even), (short, even)) == [4.0, 4.0]
    assert sizes((short, {}), (long, even)) == [4.0, small], "another style keeps its size"
    larger = {**even, "font_size": 5.0}
    assert sizes((short, larger), (long, even)) == [5.0, small], "and so does another size of the style"
    assert sizes((short, even), (long * 2, {**even, "floor": 1.0}))[0] < small, "the lowest floor counts"
