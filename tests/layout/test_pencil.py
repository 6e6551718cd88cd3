"""Marks and rings, and content beyond the safe area."""

from __future__ import annotations

import pytest

from generator.geometry import outlines
from generator.geometry.frame import Frame, Icon, Run, Shape, Slot
from generator.layout.handwriting import Writing, write_on
from tests.layout_fixtures import outside_safe, overlaps

CAP = 0.7235
"""Lato Bold's capitals, as a multiple of the type size."""


@pytest.fixture
def sheet(el):
    return [
        el("row", el("slot", id="a", width=10), el("slot", id="name", width=30), height=8, gap=4),
        el("slot", id="tick", height=5, width=5),
    ]


def test_marks_are_centred_in_their_slots(lay, runs, sheet):
    (run,) = runs(lay(*sheet, marks={"a": "6"}, padding=2))
    assert (run.text, run.font, run.size, run.colour) == ("6", "bold", 5, "#333333")
    assert run.x + run.width / 2 == pytest.approx(2 + 5)
    assert run.y - 5 * CAP / 2 == pytest.approx(2 + 4, abs=0.01)


def test_marks_shrink_to_their_slot(lay, runs, sheet):
    (run,) = runs(lay(*sheet, marks={"a": "-1024"}))
    assert run.size < 5 and run.x > 0 and run.x + run.width < 10


def test_a_slot_for_single_letters_has_one_in_each_box(el, lay, runs):
    slot = el("slot", id="tiles", width=50, height=8, letters=5)
    written = runs(lay(slot, marks={"tiles": "box"}))
    assert [run.text for run in written] == ["b", "o", "x"]
    assert [run.x + run.width / 2 for run in written] == pytest.approx([5, 15, 25])
    (whole,) = runs(lay(slot, marks={"tiles": "no word"}))
    assert whole.text == "no word"


def test_reports_a_mark_that_does_not_fit(faults, sheet):
    (problem,) = faults(*sheet, marks={"tick": "Wednesday"})
    assert problem.startswith("card 4, mark “Wednesday” in slot “tick”: needs ")
    assert "mm, has 4.2 mm at 5.67pt" in problem


def test_reports_a_mark_with_letters_missing_from_the_font(faults, sheet):
    assert faults(*sheet, marks={"a": "ქ"}) == ["card 4, mark “ქ” in slot “a”: the font has no “ქ”"]


def test_a_blank_mark_writes_nothing(lay, sheet):
    assert lay(*sheet, marks={"a": ""}) == lay(*sheet)


def test_ticks_are_drawn(lay, sheet):
    cross = lay(*sheet, marks={"tick": "x"}).items[-1]
    assert cross.path == (("M", 1, 9), ("L", 4, 12), ("M", 4, 9), ("L", 1, 12))
    assert (cross.fill, cross.stroke, cross.cap) == (None, "#333333", "round")


def test_reports_unknown_slots_with_a_hint(faults, sheet):
    assert faults(*sheet, marks={"nane": "Ada", "zzz": "x"}) == [
        "card 4 has no slot “nane”; did you mean name?",
        "card 4 has no slot “zzz”; known: a, name, tick",
    ]


def test_a_ring_surrounds_its_slot_and_shows_its_number(lay, runs, sheet, theme):
    frame = write_on(lay(*sheet, padding=(10, 5, 10, 10)), theme, Writing(rings={"name": (12,)}))
    ring, disc = (item for item in frame.items[-3:] if isinstance(item, Shape))
    (number,) = runs(frame)
    assert (ring.fill, ring.stroke, outlines.bounds(ring.path)) == (None, "#ff0000", (23.5, 9.5, 54.5, 18.5))
    assert disc.fill == "#ff0000" and (number.text, number.colour) == ("12", "#ffffff")
    assert number.x + number.width / 2 == pytest.approx(54.5)


def test_the_number_of_a_ring_stays_in_the_safe_area(lay, sheet, theme):
    frame = write_on(lay(*sheet, padding=3, safe=3), theme, Writing(rings={"a": (1,), "name": (2,)}))
    assert outside_safe(frame) == []


# ---- the safe area ------------------------------------------------------------------------------------------------


def framed(*items):
    return Frame("card 4", 60, 80, items, 3, 5)


def test_accepts_items_in_the_safe_area():
    assert (
        outside_safe(
            framed(
                Slot("a", 5, 5, 50, 70),
                Icon("star", 5, 5, 50, 70, "#000000"),
                Run(5, 75, "flat", "regular", 4, "#000000", 50),
            )
        )
        == []
    )


def test_backgrounds_may_extend_to_the_edge():
    assert outside_safe(framed(Shape(outlines.rect(-3, -3, 66, 86), "#000000"))) == []
    assert outside_safe(framed(Icon("sky", -3, -3, 66, 86, "#000000"), Icon("sky", 0, 0, 60, 80, "#000000"))) == []
    assert outside_safe(framed(Icon("sky", 0, 0, 60, 70, "#000000"))) != []


def test_names_items_beyond_the_safe_area():
    assert outside_safe(
        framed(
            Slot("a", 4, 5, 10, 10),
            Icon("star", 50, 70, 6, 7, "#000000"),
            Run(10, 75, "deep g", "regular", 10, "#000000", 20),
            Run(5, 12, "TOP", "regular", 10, "#000000", 20),
        )
    ) == [
        "slot “a” leaves the safe area: 1.0 mm at the left",
        "icon “star” leaves the safe area: 1.0 mm at the right, 2.0 mm at the bottom",
        "text “deep g” leaves the safe area: 2.2 mm at the bottom",
        "text “TOP” leaves the safe area: 0.2 mm at the top",
    ]


def test_turned_text_is_checked_in_its_place():
    """Turned by 90 about (8, 10), 10 mm of text run down to y = 20, with the capitals to the right."""
    assert outside_safe(framed(Run(8, 10, "TEXT", "regular", 5, "#000000", 64, turn=90.0))) == []
    assert outside_safe(framed(Run(8, 10, "TEXT", "regular", 5, "#000000", 68, turn=90.0))) == [
        "text “TEXT” leaves the safe area: 3.0 mm at the bottom"
    ]
    assert outside_safe(framed(Run(8, 10, "gap", "regular", 20, "#000000", 5, turn=270.0))) == [
        "text “gap” leaves the safe area: 11.4 mm at the left"
    ]


def test_a_turned_icon_is_turned_about_its_middle():
    assert outside_safe(framed(Icon("star", 5, 30, 20, 10, "#000000", 90.0))) == []
    assert outside_safe(framed(Icon("star", 5, 5, 20, 10, "#000000", 90.0))) == [
        "icon “star” leaves the safe area: 5.0 mm at the top"
    ]


def test_slots_side_by_side_do_not_overlap():
    assert overlaps(framed(Slot("a", 5, 5, 10, 10), Slot("b", 15, 5, 10, 10), Slot("c", 5, 15, 10, 10))) == []


def test_slots_on_top_of_each_other_are_named():
    assert overlaps(framed(Slot("a", 5, 5, 10, 10), Slot("c", 30, 5, 5, 5), Slot("b", 14, 14, 30, 10))) == [
        "slots “a” and “b” overlap"
    ]


def test_text_and_icons_in_turned_boxes_are_turned(el, lay):
    run, icon = lay(
        el("column", el("text", "hi"), el("icon", name="wide", width=8), turn=270, width=20, height=30, align="start")
    ).items
    assert (run.turn, run.x) == (270, pytest.approx((5 + 4 * 0.7165) / 2)) and run.y == 30
    assert (icon.turn, icon.width, icon.height) == (270, 8, 4)
    assert (icon.x + 4, icon.y + 2) == (pytest.approx(5 + 2), pytest.approx(30 - 4))
