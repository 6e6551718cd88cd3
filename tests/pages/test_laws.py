"""The laws of score sheets: a lawful page breaks none, and a page for each law breaks it."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from generator.geometry import outlines
from generator.geometry.frame import (
    Frame,
    Icon,
    Image,
    Run,
    Shape,
    Slot,
)
from generator.geometry.outlines import Rect
from generator.model.game import FieldFile, SheetFile
from generator.pages.field_map import corner_codes
from generator.reading.components import score_sheet
from tests.pages.laws import GREY, OUTLINE, law_breaks

WIDTH, HEIGHT, SAFE = 148.0, 210.0, 8.0
KINDS = {
    "grid": FieldFile(kind="die", count=12),
    "total": FieldFile(kind="number"),
    "name": FieldFile(kind="text"),
    "note": FieldFile(kind="text"),
    "done": FieldFile(kind="tick", count=2),
    "choice": FieldFile(kind="choice", choices=("1", "2", "3")),
    "word": FieldFile(kind="text"),
}
SHEET = score_sheet("sheet", SheetFile(title="Sheet", fields=KINDS))
TOTAL = (100.0, 150.0, 12.0, 10.0)


def outline(x, y, width, height, **changes):
    return Shape(outlines.rect(x, y, width, height), **{"stroke": GREY, "stroke_width": OUTLINE, **changes})


def text(words, x, y, size=3.0, **changes):
    return Run(x, y, words, "regular", size, "#20262e", len(words) * size / 2, **changes)


def grid(across=4, left=20.0, top=30.0, side=9.0):
    """Twelve cells with neighbouring outlines that coincide."""
    for number in range(12):
        box = (left + number % across * side, top + number // across * side, side, side)
        yield outline(*box)
        yield Slot(f"grid.{number + 1}", *box)


def rest(total=TOTAL, tick=7.2, pitch=9.0):
    yield text("TOTAL", 100.0, total[1] - 2.6)
    yield outline(*total)
    yield Slot("total", *total)
    yield from ticks(tick, pitch)
    yield from words()


def ticks(side=7.2, pitch=9.0):
    for number in range(2):
        yield outline(80 + number * pitch, 60, side, side)
        yield Slot(f"done.{number + 1}", 80 + number * pitch, 60, side, side)


def words():
    """Outlined boxes for words; with the grid, the cells are spread over the page."""
    for name, box in {"name": (90, 30, 40, 10), "note": (20, 170, 60, 12)}.items():
        yield outline(*box)
        yield Slot(name, *box)


def page(*items, width=WIDTH, height=HEIGHT, codes=True):
    corners = corner_codes(width, height, 12345) if codes else ()
    return Frame("page", width, height, (*items, *corners), safe=SAFE)


def breaks(*items, codes=True):
    return law_breaks([page(*items, codes=codes)], SHEET)


def lawful():
    return [*grid(), *rest()]


def only(sentences, *words):
    """There is exactly one sentence, and it contains these words."""
    assert len(sentences) == 1, sentences
    assert all(word in sentences[0] for word in words), sentences
    return True


# ---- pages that break nothing -------------------------------------------------------------------------------------


def test_a_lawful_page():
    assert breaks(*lawful()) == []


def test_a_grid_drawn_as_lines_in_one_shape():
    rules = [outlines.line(20, 30 + 9 * row, 56, 30 + 9 * row) for row in range(4)]
    rules += [outlines.line(20 + 9 * column, 30, 20 + 9 * column, 57) for column in range(5)]
    ruled = Shape(tuple(segment for rule in rules for segment in rule), stroke=GREY, stroke_width=OUTLINE)
    cells = [item for item in grid() if isinstance(item, Slot)]
    assert breaks(ruled, *cells, *rest()) == []


def test_round_and_rounded_cells():
    items = [*grid(), *rest(total=(100.0, 150.0, 10.0, 10.0))]
    for path in (outlines.ellipse(100, 150, 10, 10), outlines.rounded_rect(100, 150, 10, 10, (2, 2, 2, 2))):
        shown = [
            Shape(path, stroke=GREY, stroke_width=OUTLINE)
            if isinstance(item, Shape) and item.path == outlines.rect(100.0, 150.0, 10.0, 10.0)
            else item
            for item in items
        ]
        assert shown != items and breaks(*shown) == []


def test_white_cells_on_a_tinted_panel():
    panel = Shape(outlines.rect(15, 25, 46, 37), fill="#eef1f4")
    white = [replace(item, fill="#ffffff") if isinstance(item, Shape) else item for item in grid()]
    assert breaks(panel, *white, *rest()) == []


def test_grids_just_far_enough_apart():
    neighbour = (56.0 + 1.5, 30.0, 9.0, 9.0)
    assert breaks(*grid(), outline(*neighbour), Slot("total", *neighbour), *ticks(), *words()) == []


def test_the_options_of_a_choice_have_their_marks_inside():
    def options(side, pitch):
        boxes = tuple(Rect(80.0 + number * pitch, 100.0, side, side) for number in range(3))
        yield Slot("choice", 80.0, 100.0, 2 * pitch + side, side, boxes, ("1", "2", "3"), is_round=True)
        for number, box in enumerate(boxes, 1):
            yield Shape(outlines.ellipse(*box), stroke=GREY, stroke_width=OUTLINE)
            yield text(str(number), box.x + 3, box.y + 5)

    assert breaks(*lawful(), *options(8.0, 9.6)) == []
    assert len(breaks(*lawful(), *options(6.5, 8.1))) == 3
    assert len(breaks(*lawful(), *options(7.2, 7.9))) == 2


def test_the_letters_of_a_word_are_cells():
    def boxes(count, side, gap):
        each = tuple(Rect(20.0 + number * (side + gap), 100.0, side, side) for number in range(count))
        yield Slot("word", 20.0, 100.0, each[-1].right - 20.0, side, each)
        yield from (outline(*box) for box in each)

    assert breaks(*lawful(), *boxes(13, 7.0, 1.5)) == []
    assert only(breaks(*lawful(), *boxes(2, 7.0, 1.5))[:1], "cell “word” is 7.0 × 7.0 mm, less than 8 mm")
    assert "a line is 1.0 mm from the outline of cell “word”" in breaks(*lawful(), *boxes(2, 8.0, 1.0))[0]


# ---- each law and a page that breaks it ---------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "said"), [((7.9, 10), "7.9 × 10.0 mm"), ((12, 7.5), "12.0 × 7.5 mm")])
def test_a_small_cell(size, said):
    assert only(breaks(*grid(), *rest((100.0, 150.0, *size))), "“total”", said, "less than 8 mm")


@pytest.mark.parametrize(
    "flaw", [{"stroke": "#c0c4c8"}, {"stroke_width": 0.1}, {"dash": (1.0, 1.0)}, {"stroke": None, "fill": "#ffffff"}]
)
def test_a_wrong_outline(flaw):
    changed = [
        replace(item, **flaw) if isinstance(item, Shape) and item.path == outlines.rect(*TOTAL) else item
        for item in lawful()
    ]
    assert only(breaks(*changed), "“total” has no unbroken dark outline of at least 0.5 pt")


def test_no_outline():
    bare = [item for item in lawful() if not (isinstance(item, Shape) and item.path == outlines.rect(*TOTAL))]
    assert only(breaks(*bare), "“total” has no unbroken dark outline")


def test_an_outline_with_a_gap():
    x, y, width, height = TOTAL
    right, bottom = x + width, y + height
    three = Shape(
        (("M", x, y), ("L", right, y), ("L", right, bottom), ("L", x, bottom)), stroke=GREY, stroke_width=OUTLINE
    )
    nearly = Shape(outlines.line(x, bottom, x, y + 0.3), stroke=GREY, stroke_width=OUTLINE)
    bare = [item for item in lawful() if not (isinstance(item, Shape) and item.path == outlines.rect(*TOTAL))]
    assert only(breaks(*bare, three, nearly), "“total” has no unbroken dark outline")


def test_an_outline_beside_its_slot():
    moved = [
        replace(item, path=outlines.rect(100.5, 150, 12, 10))
        if isinstance(item, Shape) and item.path == outlines.rect(*TOTAL)
        else item
        for item in lawful()
    ]
    assert any("“total” has no unbroken dark outline" in sentence for sentence in breaks(*moved))


@pytest.mark.parametrize(
    ("thing", "named"),
    [
        (text("6", 104, 158), "text “6”"),
        (Icon("star", 104, 153, 4, 4, "#20262e"), "icon “star”"),
        (Image(str(Path("art") / "dots.png"), 104, 153, 4, 4), "picture “dots.png”"),
        (Shape(outlines.line(101, 155, 111, 155), stroke=GREY, stroke_width=OUTLINE), "a line"),
        (Shape(outlines.line(106, 140, 106, 170), stroke="#20262e", stroke_width=0.2), "a line"),
    ],
)
def test_something_printed_inside(thing, named):
    assert only(breaks(*lawful(), thing), f"{named} is inside cell “total”")


@pytest.mark.parametrize("box", [TOTAL, (90.0, 140.0, 40.0, 40.0)])
def test_a_tinted_cell(box):
    sentences = breaks(Shape(outlines.rect(*box), fill="#eef1f4"), *lawful())
    assert any("cell “total” is tinted #eef1f4" in sentence for sentence in sentences)


@pytest.mark.parametrize(
    ("thing", "named"),
    [
        (text("SUM", 113.2, 156), "text “SUM” is 1.2 mm"),
        (text("Sg", 100, 148.0), "text “Sg” is 1.3 mm"),
        (text("UP", 96.44, 152, turn=90.0), "text “UP” is 1.4 mm"),
        (Icon("star", 113, 150, 4, 4, "#20262e"), "icon “star” is 1.0 mm"),
        (Shape(outlines.line(90, 161, 130, 161), stroke=GREY, stroke_width=OUTLINE), "a line is 1.0 mm"),
        (Shape(outlines.line(112, 150, 116, 150), stroke=GREY, stroke_width=OUTLINE), "a line is 0.0 mm"),
        (Shape(outlines.rect(99, 149, 14, 12), stroke="#24507a", stroke_width=0.5), "a line is 1.0 mm"),
        (Shape(outlines.rect(113, 150, 4, 4), fill="#eef1f4"), "a line is 1.0 mm"),
    ],
)
def test_something_too_near(thing, named):
    assert only(breaks(*lawful(), thing), named, "from the outline of cell “total”, less than 1.5 mm")


def test_a_white_box_on_a_tint_has_an_edge():
    tint = Shape(outlines.rect(90, 140, 40, 40), fill="#eef1f4")
    white = Shape(outlines.rect(99, 149, 14, 12), fill="#ffffff")
    items = [item for item in lawful() if not isinstance(item, Run)]
    assert only(breaks(tint, white, *items), "a line is 1.0 mm")
    assert breaks(white, *items) == []


def test_grids_that_are_too_close_but_do_not_touch():
    neighbour = (57.0, 30.0, 9.0, 9.0)
    sentences = breaks(*grid(), outline(*neighbour), Slot("total", *neighbour), *ticks(), *words())
    assert {sentence.partition(" from")[0] for sentence in sentences} == {"page 1: a line is 1.0 mm"}
    assert {name for sentence in sentences for name in ("grid.4", "total") if name in sentence} == {"grid.4", "total"}


def test_too_few_cells():
    few = list(grid())[:8]
    assert only(breaks(*few, *rest()), "has 7 outlined cells of 8 mm, less than 8")


def test_cells_in_too_few_quarters():
    low = (25.0, 150.0, 12.0, 10.0)
    sentences = breaks(*grid(), outline(*low), Slot("total", *low), *ticks())
    assert sentences == [
        "page 1: has outlined cells in 2 quarters of the page, less than 3",
        "page 1: has outlined cells over 18% of its width, less than 33%",
    ]


def test_cells_that_are_not_spread():
    """In three quarters of the page, but all near its middle."""
    low = (62.0, 122.0, 10.0, 10.0)
    sentences = breaks(*grid(left=56.0, top=80.0), outline(*low), Slot("total", *low), *ticks())
    assert sentences == [
        "page 1: has outlined cells over 18% of its width, less than 33%",
        "page 1: has outlined cells over 20% of its height, less than 33%",
    ]


def test_small_tick_boxes():
    sentences = breaks(*grid(), *rest(tick=6.4))
    assert len(sentences) == 2 and "tick box “done.1” is 6.4 × 6.4 mm, less than 7 mm" in sentences[0]


def test_tick_boxes_close_together():
    assert only(breaks(*grid(), *rest(pitch=7.5)), "tick boxes “done.1” and “done.2” are 7.5 mm apart, less than 8 mm")


@pytest.mark.parametrize(
    "thing",
    [
        text("front", 19.0, 13.0),
        Icon("star", 6.6, 18.0, 1.0, 1.0, "#20262e"),
        Shape(outlines.line(8, 19, 60, 19), stroke="#20262e", stroke_width=0.2),
        Shape(outlines.rect(8, 8, 132, 194), fill="#eef1f4"),
        Image("paper.png", 8, 8, 30, 20),
    ],
)
def test_something_in_a_corner(thing):
    items = [item for item in lawful() if not isinstance(item, Run)]
    sentences = [sentence for sentence in breaks(thing, *items) if "corner" in sentence]
    assert sentences and "in the top left corner" in sentences[0]


def test_a_slot_in_a_corner():
    assert any(
        "slot “name” is in the bottom right corner" in sentence
        for sentence in breaks(*lawful(), Slot("name", 120, 186, 15, 9))
    )


def test_no_codes():
    assert breaks(*lawful(), codes=False) == [
        f"page 1: the {name} corner has no code" for name in ("top left", "top right", "bottom right", "bottom left")
    ]


@pytest.mark.parametrize(
    "thing",
    [
        text("edge", 7.0, 100.0),
        Icon("star", 138, 100, 4, 4, "#20262e"),
        Image("art.png", 60, 195, 20, 9),
        Shape(outlines.line(7.5, 100, 30, 100), stroke="#20262e", stroke_width=0.2),
        Shape(outlines.rect(30, -3, 90, 12), fill="#eef1f4"),
    ],
)
def test_something_beyond_the_safe_area(thing):
    assert only(breaks(*lawful(), thing), "leaves the safe area")


def test_each_page_is_checked():
    sentences = law_breaks([page(*lawful()), page(*grid(), *rest(pitch=7.0))], SHEET)
    assert only(sentences, "page 2: tick boxes")
