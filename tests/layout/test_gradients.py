"""Gradients: how they are read, and where their colours are."""

import pytest

from generator.faces import kinds
from generator.faces.kinds import ColourStop, Linear, Percent, Radial
from generator.geometry.frame import (
    Group,
    LinearGradient,
    RadialGradient,
    Run,
    Shape,
    Stop,
)
from generator.geometry.outlines import Rect
from generator.layout.boxes import gradient
from generator.model import colours

RED, BLUE = ColourStop("#ff0000"), ColourStop("#0000ff")
BOX = Rect(10, 20, 30, 40)


def read(text):
    return kinds.gradient(text, colours.parsed)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("linear-gradient(red, blue)", Linear((RED, BLUE), False)),
        ("linear-gradient( 0.25turn , red,blue )", Linear((RED, BLUE), False, 90.0)),
        ("linear-gradient(-90deg, red, blue)", Linear((RED, BLUE), False, 270.0)),
        ("linear-gradient(to left, red, blue)", Linear((RED, BLUE), False, 270.0)),
        ("linear-gradient(to bottom right, red, blue)", Linear((RED, BLUE), False, to=(1.0, 1.0))),
        (
            "linear-gradient(rgb(255 0 0) 10% 2mm, rgb(0, 0, 255) -5)",
            Linear(
                (ColourStop("#ff0000", Percent(0.1)), ColourStop("#ff0000", 2.0), ColourStop("#0000ff", -5.0)), False
            ),
        ),
        ("repeating-radial-gradient(red, blue)", Radial((RED, BLUE), True)),
        ("radial-gradient(circle, red, blue)", Radial((RED, BLUE), False, True)),
        ("radial-gradient(5mm, red, blue)", Radial((RED, BLUE), False, True, radii=(5.0,))),
        (
            "radial-gradient(5mm 20% at 1cm 25%, red, blue)",
            Radial((RED, BLUE), False, radii=(5.0, Percent(0.2)), x=10.0, y=Percent(0.25)),
        ),
        (
            "radial-gradient(closest-side circle at top right, red, blue)",
            Radial((RED, BLUE), False, True, "closest-side", x=Percent(1.0), y=Percent(0.0)),
        ),
        ("radial-gradient(at bottom, red, blue)", Radial((RED, BLUE), False, y=Percent(1.0))),
    ],
)
def test_gradients_are_written_as_in_css(text, expected):
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("linear-gradient(red)", "needs from 2 to 50 colours, has 1"),
        ("linear-gradient()", "has a comma too many"),
        ("linear-gradient(red,, blue)", "has a comma too many"),
        ("linear-gradient(to middle, red, blue)", "must go “to” a side or corner such as “to top right”"),
        ("linear-gradient(to top bottom, red, blue)", "must go “to” a side or corner"),
        ("linear-gradient(red, 40%, blue)", "must have a colour and at most two positions between commas, not “40%”"),
        ("linear-gradient(red, blue 4em)", "has “4em” where there must be a percentage such as 40%"),
        ("radial-gradient(circle 4mm 5mm, red, blue)", "must have a shape such as “circle”"),
        ("radial-gradient(circle at, red, blue)", "must have one or two places after “at”"),
        ("conic-gradient(red, blue)", "must be a gradient such as linear-gradient(90deg, navy, #fff 40%)"),
        ("linear-gradient(red, blue", "must be a gradient such as"),
    ],
)
def test_mistakes_in_gradients_are_explained(text, problem):
    assert kinds.is_gradient(text)
    with pytest.raises(ValueError, match=r"\w") as caught:
        read(text)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("linear-gradient(red, blue)", (25, 20, 25, 60)),
        ("linear-gradient(90deg, red, blue)", (10, 40, 40, 40)),
        ("linear-gradient(90deg, red 10%, blue 50%)", (13, 40, 25, 40)),
        ("linear-gradient(to bottom right, red, blue)", (5.8, 25.6, 44.2, 54.4)),
        ("linear-gradient(45deg, red, blue)", (7.5, 57.5, 42.5, 22.5)),
    ],
)
def test_a_linear_gradient_ends_where_css_ends_it(text, ends):
    placed = gradient(read(text), BOX)
    assert isinstance(placed, LinearGradient) and (placed.x1, placed.y1, placed.x2, placed.y2) == pytest.approx(ends)


@pytest.mark.parametrize(
    ("text", "middle", "radii"),
    [
        ("radial-gradient(red, blue)", (25, 40), (15 * 2**0.5, 20 * 2**0.5)),
        ("radial-gradient(circle, red, blue)", (25, 40), (25, 25)),
        ("radial-gradient(circle closest-side, red, blue)", (25, 40), (15, 15)),
        ("radial-gradient(farthest-side at left top, red, blue)", (10, 20), (30, 40)),
        ("radial-gradient(circle closest-corner at 5mm 10%, red, blue)", (15, 24), (41**0.5, 41**0.5)),
        ("radial-gradient(3mm 50% at center, red, blue)", (25, 40), (3, 20)),
    ],
)
def test_a_radial_gradient_ends_where_css_ends_it(text, middle, radii):
    placed = gradient(read(text), BOX)
    assert isinstance(placed, RadialGradient) and (placed.x, placed.y) == pytest.approx(middle)
    assert (placed.r, placed.r * placed.matrix[3]) == pytest.approx(radii)


@pytest.mark.parametrize(
    ("text", "stops"),
    [
        ("red, lime, blue", [(0, "#ff0000"), (0.5, "#00ff00"), (1, "#0000ff")]),
        ("red 50%, lime 20%, blue", [(0, "#ff0000"), (0.0002, "#00ff00"), (1, "#0000ff")]),
        ("red, transparent", [(0, "#ff0000"), (1, "#ff000000")]),
        ("red, transparent, blue", [(0, "#ff0000"), (0.5, "#ff000000"), (0.5, "#0000ff00"), (1, "#0000ff")]),
    ],
)
def test_stops_are_spread_and_fade_as_in_css(text, stops):
    placed = gradient(read(f"linear-gradient({text})"), BOX)
    assert [(stop.offset, stop.colour) for stop in placed.stops] == [
        (pytest.approx(at, abs=1e-6), code) for at, code in stops
    ]


def test_colours_with_different_alpha_values_are_mixed_as_in_css():
    stops = gradient(read("linear-gradient(rgb(255 0 0 / 20%), rgb(0 0 255))"), BOX).stops
    assert len(stops) == 9 and stops[4] == Stop(0.5, "#2a00d499")


# ---- in faces -------------------------------------------------------------------------------------------------------


def test_a_gradient_fills_a_box_and_continues_into_the_bleed(el, lay):
    (shape,) = lay(el("stack", fill=read("linear-gradient(90deg, red, blue)"), grow=1), bleed=3).items
    assert isinstance(shape, Shape) and shape.path[0] == ("M", -3, -3)
    assert (shape.fill.x1, shape.fill.x2) == pytest.approx((0, 60))


def test_opacity_groups_the_contents_of_a_box(el, lay):
    box = el("column", el("text", "hi"), el("slot", id="x", height=5), opacity=0.5, fill="#aa0000")
    frame = lay(box)
    (group,) = frame.items
    assert isinstance(group, Group) and group.opacity == 0.5 and len(group.items) == 4
    assert [slot.id for slot in frame.slots()] == ["x"]


def test_the_opacity_of_a_text_is_that_of_its_colour(el, lay):
    (run,) = lay(el("text", "hi", opacity=0.5)).items
    assert isinstance(run, Run) and run.colour == "#11111180"
    (line,) = lay(el("line", x1=0, y1=0, x2=5, y2=5, opacity=0.5)).items
    assert isinstance(line, Group) and line.opacity == 0.5


def test_a_gradient_colours_outlines_and_lines(el, lay):
    fade, glow = read("linear-gradient(90deg, red, blue)"), read("radial-gradient(circle, red, blue)")
    face = lay(
        el("stack", stroke=fade, stroke_width=1.0, grow=1),
        el("row", el("path", d="M0 0 L24 24", stroke=glow, width=12), height=12),
        el("line", stroke=fade, height=1),
        el("line", stroke=glow, height=1),
    )
    box, path, line, glowing = face.items
    assert (box.fill, box.stroke_width) == (None, 1.0)
    assert (box.stroke.x1, box.stroke.x2) == pytest.approx((0, 60))
    assert (path.stroke.x, path.stroke.y, path.stroke.r) == pytest.approx((6, 72, 72**0.5), abs=1)
    assert (line.stroke.x1, line.stroke.x2) == pytest.approx((0, 60))
    assert isinstance(glowing.stroke, RadialGradient) and glowing.stroke.x == pytest.approx(30)
