"""Boxes turned by any angle."""

from math import cos, radians, sin

import pytest

from generator.geometry import outlines
from generator.geometry.frame import Group, Icon, Run, Shape
from tests.layout_fixtures import outside_safe

A = "#aa0000"


def middle(shape):
    left, top, right, bottom = outlines.bounds(shape.path)
    return (left + right) / 2, (top + bottom) / 2


def test_a_box_is_turned_about_its_centre_with_its_contents(el, lay, svg):
    box = el(
        "at",
        el("text", "hi", valign="bottom"),
        el("icon", name="star"),
        el("image", file=str(svg(""))),
        x=10,
        y=20,
        width=20,
        height=10,
        turn=30.0,
        fill=A,
    )
    shape, run, icon, picture = lay(el("stack", box, grow=1)).items
    _, straight_run, straight_icon, image = lay(
        el("stack", el("at", *box.children, **box.attributes | {"turn": 0}), grow=1)
    ).items
    assert isinstance(shape, Shape) and middle(shape) == pytest.approx((20, 25))
    corner = shape.path[0][1:]
    assert corner == pytest.approx(
        (20 - 10 * cos(radians(30)) + 5 * sin(radians(30)), 25 - 10 * sin(radians(30)) - 5 * cos(radians(30)))
    )
    assert isinstance(run, Run) and run.turn == 30
    matrix = outlines.rotation(30, 20, 25)
    assert (run.x, run.y) == pytest.approx(outlines.moved(matrix, straight_run.x, straight_run.y))
    assert isinstance(icon, Icon) and icon.turn == 30
    assert (icon.x, icon.y) == pytest.approx((straight_icon.x, straight_icon.y))
    assert isinstance(picture, Group) and picture.items == (image,) and picture.transform == matrix


def test_turns_add_up(el, lay):
    (run,) = lay(el("stack", el("stack", el("text", "hi"), turn=90.0), turn=330.0, width=20, height=20)).items
    assert run.turn == 60
    (run,) = lay(el("stack", el("stack", el("text", "hi"), turn=-12.5 % 360), turn=12.5, width=20, height=20)).items
    (straight,) = lay(el("text", "hi", width=20, height=20)).items
    assert run.turn % 360 == 0 and (run.x, run.y) == pytest.approx((straight.x, straight.y))


def test_turning_a_box_does_not_change_the_layout(el, lay, filled):
    frame = lay(el("stack", width=8, height=4, turn=45.0), el("stack", height=4, fill=A), align="start")
    assert filled(frame) == {A: (0, 4, 0, 4)}


def test_turned_boxes_do_not_extend_into_the_bleed(el, lay, filled):
    (left, top, width, height) = filled(lay(el("stack", fill=A, turn=180.001, grow=1), bleed=3))[A]
    assert (left, top, width, height) == pytest.approx((0, 0, 60, 80), abs=0.01)


def test_slots_stay_upright(el, faults):
    (problem,) = faults(el("row", el("slot", id="x", width=5), turn=10.0, height=10))
    assert "row turns the slot “x”; turn slots by 90, 180 or 270 degrees only" in problem


def test_turned_texts_are_checked_where_they_are(el, lay):
    text = el("at", el("text", "WWWW", align="center", valign="middle"), x=2, y=30, width=20, height=5, turn=45.0)
    assert outside_safe(lay(el("stack", text, grow=1), safe=1)) == []
    moved = el("at", *text.children, **text.attributes | {"y": 0})
    assert "leaves the safe area" in " ".join(outside_safe(lay(el("stack", moved, grow=1), safe=1)))


@pytest.mark.parametrize("turn", [0, 90, 20])
def test_a_box_is_clipped_to_its_shape_before_it_is_turned(el, lay, turn):
    frame = lay(el("stack", el("stack", fill=A, grow=1), clip="hex", turn=turn, width=20, height=10), bleed=2)
    (group,) = frame.items
    corners = outlines.transformed(group.clip, group.transform)
    left, top, right, bottom = outlines.bounds(group.clip)
    assert (right - left, bottom - top) == pytest.approx((20, 10))
    assert middle(Shape(corners)) == pytest.approx((10, 5))
    assert len(corners) == 7
