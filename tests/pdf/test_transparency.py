"""Gradients, alpha values and groups: as PDF defines them, rendered by pdfium, and absent where nothing uses them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from generator.geometry.frame import (
    Frame,
    Group,
    LinearGradient,
    RadialGradient,
    Run,
    Shape,
    Slot,
    Stop,
    scaled,
)
from generator.printing.printed_pages import read_pages
from tests.frame_dumps import dump
from tests.pdf.pages import box, card, pixel, reader, text

RED_TO_BLUE = Stop(0, "#ff0000"), Stop(1, "#0000ff")


def shade(paint, *, x=0.0, y=0.0, **more):
    return Shape(box(x, y, 20, 20), fill=paint, **more)


def near(colour, expected, tolerance=6):
    return all(abs(a - b) <= tolerance for a, b in zip(colour, expected, strict=True))


@pytest.fixture
def at(printed, render):
    """`at(items)(x, y)` → the colour there, in the coordinates of a card with these items."""

    def painted(*items):
        image = render(printed(card(*items)))
        return lambda x, y: pixel(image, 10 + x, 10 + y)

    return painted


def test_linear_gradients_spread_beyond_their_ends(at):
    ends = 5, 0, 15, 0
    spreads = "", "reflect", "repeat"
    colours = at(*(shade(LinearGradient(*ends, stops=RED_TO_BLUE, spread=s), y=20 * n) for n, s in enumerate(spreads)))
    for x, expected in [
        (3, ((255, 0, 0), (204, 0, 51), (51, 0, 204))),
        (10, ((127, 0, 127),) * 3),
        (17, ((0, 0, 255), (51, 0, 204), (204, 0, 51))),
    ]:
        assert all(near(colours(x, 10 + 20 * n), colour) for n, colour in enumerate(expected)), x


def test_equal_offsets_change_the_colour_at_once(at):
    stops = Stop(0, "#ff0000"), Stop(0.5, "#ff0000"), Stop(0.5, "#0000ff"), Stop(1, "#0000ff")
    colours = at(shade(LinearGradient(0, 0, 20, 0, stops=stops)))
    assert near(colours(9.5, 10), (255, 0, 0)) and near(colours(10.5, 10), (0, 0, 255))


def test_radial_gradients_start_at_their_focus(at):
    colours = at(shade(RadialGradient(10, 10, 8, 6, 10, stops=RED_TO_BLUE)))
    assert near(colours(6, 10), (255, 0, 0), 12)
    assert near(colours(12, 10), (127, 0, 127))  # halfway from the focus to the circle
    assert near(colours(1, 1), (0, 0, 255))


def test_a_gradient_moves_with_its_matrix_and_its_frame(at):
    gradient = LinearGradient(0, 0, 1, 0, stops=RED_TO_BLUE, matrix=(0, 20, 1, 0, 0, 0))
    frame = scaled(Frame("small", 10, 10, (Shape(box(0, 0, 10, 10), fill=gradient),)), 2)
    colours = at(*frame.items)
    assert near(colours(10, 4), (229, 0, 25)) and near(colours(10, 19), (134, 0, 121))


def test_outlines_may_be_gradients(at):
    gradient = LinearGradient(5, 0, 45, 0, stops=RED_TO_BLUE)
    colours = at(Shape(box(5, 5, 40, 20), fill="#00ff00", stroke=gradient, stroke_width=4))
    assert near(colours(25, 5), (127, 0, 127)) and near(colours(25, 15), (0, 255, 0))


def test_alpha_values_of_stops_become_a_soft_mask(at):
    fading = Stop(0, "#ff0000"), Stop(1, "#ff000000")
    colours = at(shade("#0000ff"), shade(LinearGradient(0, 0, 20, 0, stops=fading)))
    assert near(colours(5, 10), (191, 0, 64)) and near(colours(15, 10), (64, 0, 191))


def test_colours_may_have_alpha_values(at):
    colours = at(shade("#0000ff"), shade("#ff000080"), Shape(box(30, 10, 0, 20), stroke="#ff000040", stroke_width=4))
    assert near(colours(10, 10), (128, 0, 127))
    assert near(colours(31, 20), (255, 191, 191))


def test_a_transparent_outline_covers_its_fill(at):
    colours = at(Shape(box(5, 5, 30, 30), fill="#0000ff", stroke="#ff000080", stroke_width=8))
    assert near(colours(7, 20), (128, 0, 127)) and near(colours(3, 20), (255, 127, 127))


def test_texts_may_have_alpha_values(printed, render):
    dark, pale = (render(printed(card(replace(text("HHHH"), colour=c)))) for c in ("#000000", "#00000040"))
    darkest = [image.convert("L").getextrema()[0] for image in (dark, pale)]
    assert darkest[0] < 20 and abs(darkest[1] - 191) < 6


def test_the_items_of_a_group_do_not_show_through_each_other(at):
    colours = at(Group((shade("#ff0000"), shade("#0000ff", x=10)), opacity=0.5))
    assert near(colours(5, 10), (255, 127, 127)) and near(colours(15, 10), (127, 127, 255))


def test_groups_are_clipped_and_transformed(at):
    group = Group((shade("#ff0000"),), clip=box(0, 0, 10, 20), transform=(0, 1, -1, 0, 40, 10))
    colours = at(group)  # turned clockwise by a right angle, so that the left half is the upper one
    assert colours(30, 15) == (255, 0, 0) and colours(30, 25) == (255, 255, 255)


def test_opacities_multiply_in_nested_groups(at):
    inner = Group((shade("#000000"), shade("#000000", x=2)), opacity=0.5)
    assert near(at(Group((inner, shade("#ffffff", x=30)), opacity=0.5))(10, 10), (191,) * 3)


def test_slots_in_groups_have_their_box_on_the_face():
    group = Group((Slot("a", 1, 2, 4, 2),), transform=(0, 2, -2, 0, 20, 0))
    assert list(card(group).slots()) == [Slot("a", 12, 2, 4, 8)]


def test_dumps_indent_the_items_of_groups():
    lines = dump(card(Group((shade(LinearGradient(0, 0, 20, 0, stops=RED_TO_BLUE)),), opacity=0.5))).splitlines()
    assert lines[1] == "group opacity=0.5"
    assert lines[2].startswith("  shape path=(")
    assert "fill=(lineargradient x2=20 stops=((stop colour=#ff0000) (stop offset=1 colour=#0000ff)))" in lines[2]


def test_pages_without_transparency_do_not_mention_it(printed):
    pdf = printed(card(shade("#ff0000"), text("HHHH")))
    page = reader(pdf).pages[0]
    assert "/Group" not in page and "/ExtGState" not in page["/Resources"]
    assert b"/SMask" not in pdf and b"/Pattern" not in pdf


def test_a_gradient_on_several_cards_is_written_once(printed):
    one, three = (
        printed(*(card(shade(LinearGradient(0, 0, 20, 0, stops=RED_TO_BLUE))) for _ in range(n))) for n in (1, 3)
    )
    assert one.count(b"/PatternType") == three.count(b"/PatternType") == 1


def test_a_printed_page_is_read_with_its_gradients_and_opacity(printed):
    def looks(paint, opacity=1.0):
        (ink,) = read_pages(printed(card(Group((shade(paint),), opacity=opacity))))[0].ink
        return ink.text

    fading = Stop(0, "#ff0000"), Stop(1, "#ff000000")
    kinds = [
        looks("#ff0000"),
        looks("#ff000080"),
        looks("#ff0000", 0.25),
        looks(LinearGradient(0, 0, 20, 0, stops=RED_TO_BLUE)),
        looks(LinearGradient(0, 0, 20, 0, stops=RED_TO_BLUE[::-1])),
        looks(LinearGradient(0, 0, 20, 0, stops=fading)),
        looks(RadialGradient(0, 0, 20, 0, 0, stops=RED_TO_BLUE)),
    ]
    assert len(set(kinds)) == len(kinds)
    assert kinds[0] == looks("#ff0000")


def test_text_in_a_group_is_read_at_its_place(printed):
    run = Run(5, 20, "Fox", "regular", 4, "#000000", 0)
    (ink,) = read_pages(printed(card(Group((run,), transform=(1, 0, 0, 1, 10, 5)))))[0].ink
    assert (ink.text, round(ink.x), round(ink.y)) == ("Fox", 25, 35)
