"""Filled-in sheets: marks, sums, lines, outlines, and rings with several numbers."""

import pytest
from msgspec.structs import replace

from generator import paths
from generator.errors import InputError
from generator.geometry.frame import Icon, Shape
from generator.layout.handwriting import Writing, write_on
from generator.model.game import Style
from generator.model.values import Colour


@pytest.fixture
def pencil(theme):
    """The test theme with the styles of players' and judge's marks."""
    fonts = {**theme.fonts, "hand": paths.SHARED_DATA / "fonts/Lato-BoldItalic.ttf"}
    hands = {
        name: Style(font="hand", size=5.0, floor=0.02, colour=Colour(colour), align="center")
        for name, colour in (("mark", "#333333"), ("sum", "#008800"))
    }
    return replace(
        theme,
        fonts=fonts,
        styles={**theme.styles, **hands},
        colours={**theme.colours, "stroke": "#cccccc"},
        icon_folders=(paths.SHARED_DATA / "icons",),
    )


@pytest.fixture
def blank(lay, el):
    grid = [el("row", *(el("slot", id=f"{letter}{row}", width=10) for letter in "ab"), height=10) for row in (2, 1)]
    return lay(*grid, el("slot", id="name", width=30, height=6), padding=2, safe=1)


def added(blank, theme, **writing):
    """The items that the writing adds to the frame."""
    frame = write_on(blank, theme, Writing(**writing))
    assert frame.items[: len(blank.items)] == blank.items
    return frame.items[len(blank.items) :]


def test_marks_and_sums_have_their_own_colours(blank, pencil):
    mark, total = added(blank, pencil, marks={"a1": "5"}, sums={"b1": "12"})
    assert [(run.text, run.colour) for run in (mark, total)] == [("5", "#333333"), ("12", "#008800")]
    assert 2 < mark.x < mark.x + mark.width < 12


def test_writing_for_other_pages_is_left_out(blank, pencil):
    assert added(blank, pencil, marks={"z9": "5"}, rings={"z9": [1]}, lines=(("a1", "z9"),), crossed=("z9",)) == ()


def test_long_names_shrink_and_wrap(blank, pencil):
    runs = added(blank, pencil, marks={"name": "Wolfgang Amadeus Theophilus Mozart"})
    assert len(runs) > 1
    assert all(run.x >= 2 and run.x + run.width <= 32 + 1e-6 for run in runs)
    (name_run,) = added(blank, pencil, marks={"name": "W" * 200})
    assert name_run.x + name_run.width <= 32


def test_the_unlike_sign_is_drawn(blank, pencil):
    """Lato's italics have only half of it."""
    before, sign, after = added(blank, pencil, marks={"name": "RA≠N"})
    assert (before.text, after.text) == ("RA", "N")
    assert isinstance(sign, Icon) and sign.name == "unequal"


def test_reports_letters_that_no_font_has(blank, pencil):
    with pytest.raises(InputError, match="mark “ქ” in slot “a1”: the font has no “ქ”"):
        write_on(blank, pencil, Writing(marks={"a1": "ქ"}))


def test_a_ring_with_several_numbers(blank, pencil):
    items = added(blank, pencil, rings={"a1": (1, 12)})
    rings = [item for item in items if isinstance(item, Shape) and item.stroke]
    discs = [item for item in items if isinstance(item, Shape) and item.fill]
    assert (len(rings), len(discs)) == (1, 2)
    assert [item.text for item in items if not isinstance(item, Shape)] == ["12", "1"]


def test_a_line_runs_through_the_middles_of_slots(blank, pencil):
    (line,) = added(blank, pencil, lines=(("a1", "b2"),))
    assert line.path == (("M", 7, 17), ("L", 17, 7))


def test_an_outline_leaves_out_the_sides_between_its_boxes(blank, pencil):
    (corner,) = added(blank, pencil, outlines=(("a1", "a2", "b1"),))
    assert sum(1 for name, *_ in corner.path if name == "M") == 8
    (square,) = added(blank, pencil, outlines=(("a1", "a2", "b1", "b2"),))
    xs, ys = zip(*((x, y) for _, x, y in square.path), strict=True)
    assert (min(xs), max(xs), min(ys), max(ys)) == pytest.approx((3.1, 20.9, 3.1, 20.9))


def test_a_crossed_number_has_a_stroke_through_it(blank, pencil):
    (stroke,) = added(blank, pencil, crossed=("a1",))
    assert stroke.path == (("M", 4, 20), ("L", 10, 14))
