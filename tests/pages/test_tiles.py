"""Tiled posters: the assembled tiles show the whole poster, by their numbers and as printed."""

from __future__ import annotations

from itertools import product

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image, ImageChops

from generator import paths
from generator.errors import InputError
from generator.geometry import outlines
from generator.geometry.frame import Frame, Page, Placed, Run, Shape
from generator.model.game import Theme
from generator.model.values import MM_PER_UNIT
from generator.pages.tiles import poster_plan, tile_name, tile_plan, tiles
from generator.pdf import Info, write
from generator.reading.sizes import Paper, paper

THEME = Theme({}, {"regular": paths.SHARED_DATA / "fonts" / "Lato-Regular.ttf"}, {}, ())
SCALE = 5
"""Pixels to a millimetre; windows of the rendered posters begin at whole pixels."""


def poster(width, height, bleed=3.0):
    """A poster on which no two parts look alike."""
    shapes = [Shape(outlines.rect(-3, -3, width + 6, height + 6), "#fff0d8")]
    for i, (x, y) in enumerate(product(range(0, int(width), 20), range(0, int(height), 20))):
        colour = f"#{40 + x * 200 // int(width):02x}{40 + y * 200 // int(height):02x}{i * 37 % 200:02x}"
        shapes.append(Shape(outlines.ellipse(x + 2, y + 3, 15, 11), colour, "#202020", 0.4))
        shapes.append(Run(x + 3, y + 18, f"{x}.{y}", "regular", 4, "#202020", 0))
    return Frame("poster", width, height, tuple(shapes), bleed)


def pictures(pages):
    document = pypdfium2.PdfDocument(write(pages, THEME, info=Info(title="poster")))
    try:
        return [page.render(scale=(SCALE - 1e-4) * 25.4 / 72).to_pil().convert("RGB") for page in document]
    finally:
        document.close()


def bare(page):
    return replace(page, marks=(), notes=())


def whole(frame):
    return pictures([Page(frame.width, frame.height, (Placed(frame, 0, 0),))])[0]


def laid(frame, plan, seen):
    """The tiles, cut out of their pages and laid on top of each other in order."""
    board = Image.new("RGB", (round(frame.width * SCALE), round(frame.height * SCALE)), "#ff00ff")
    for tile, picture in zip(plan.tiles, seen, strict=False):
        left, top = plan.left * SCALE, plan.top * SCALE
        size = round(plan.width * SCALE), round(plan.height * SCALE)
        cut = picture.crop((round(left), round(top), round(left) + size[0], round(top) + size[1]))
        board.paste(cut, (round(tile.window.x * SCALE), round(tile.window.y * SCALE)))
    return board


def differing(first, second, by=40):
    """The share of pixels that differ clearly."""
    bands = ImageChops.difference(first, second).split()
    strongest = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return sum(strongest.histogram()[by:]) / (first.width * first.height)


# ---- the plan

lengths = st.floats(50, 1400)


@given(
    width=lengths,
    height=lengths,
    overlap=st.floats(0, 30),
    margin=st.floats(0, 20),
    on=st.sampled_from(["a4", "letter", "a3"]),
)
@settings(max_examples=80, deadline=None)
def test_windows_cover_the_poster_with_the_overlap_and_fit_on_the_paper(width, height, overlap, margin, on):
    plan = tile_plan(width, height, paper(on), overlap, margin)
    windows = [tile.window for tile in plan.tiles]
    assert (windows[0].x, windows[0].y) == (0, 0)
    assert (windows[-1].right, windows[-1].bottom) == pytest.approx((width, height))
    for tile in plan.tiles:
        if tile.column:
            before = next(
                other.window for other in plan.tiles if (other.row, other.column) == (tile.row, tile.column - 1)
            )
            assert before.right - tile.window.x == pytest.approx(overlap, abs=1e-6)
        if tile.row:
            above = next(
                other.window for other in plan.tiles if (other.row, other.column) == (tile.row - 1, tile.column)
            )
            assert above.bottom - tile.window.y == pytest.approx(overlap, abs=1e-6)
    edge = max(margin, paper(on).margin + (3 if plan.count > 1 else 0))
    assert min(plan.left, plan.top) >= edge - 1e-4
    assert plan.left + plan.width <= plan.page.width - edge + 1e-4
    assert plan.top + plan.height <= plan.page.height - edge + 1e-4


@given(width=lengths, height=lengths, overlap=st.floats(0, 30))
@settings(max_examples=60, deadline=None)
def test_neither_orientation_takes_fewer_pages(width, height, overlap):
    """Counted by placing tiles of the largest size one after another."""

    def count(length, room):
        tiles_, reached = 1, room
        while reached < length - 1e-6:
            tiles_, reached = tiles_ + 1, reached + room - overlap
        return tiles_

    whole = 210 - 16, 297 - 16
    if any(width <= room[0] and height <= room[1] for room in (whole, whole[::-1])):
        best = 1
    else:  # 5 mm for a note below each tile or beside it
        rooms = [(whole[0] - 5, whole[1]), (whole[0], whole[1] - 5)]
        best = min(
            count(width, room[0]) * count(height, room[1]) for across in rooms for room in (across, across[::-1])
        )
    assert tile_plan(width, height, paper("a4"), overlap, 8, note=4.5).count == best


def test_tiles_are_named_by_row_and_column():
    assert [tile.name for tile in tile_plan(400, 500, paper("a4"), 10, 8).tiles][:4] == ["A1", "A2", "A3", "B1"]
    assert [tile_name(*at) for at in ((0, 0), (25, 11), (26, 0), (27, 1), (701, 0), (702, 0))] == [
        "A1",
        "Z12",
        "AA1",
        "AB2",
        "ZZ1",
        "AAA1",
    ]


@pytest.mark.parametrize("overlap", [-1, 97, 400])
def test_an_overlap_that_leaves_no_room_is_refused(overlap):
    with pytest.raises(InputError, match=r"does not work on a4, where tiles are at most 194\.0 × 276\.7 mm"):
        tiles(poster(300, 300), paper("a4"), overlap, 8)


def test_words_on_tiles_are_at_least_8_pt():
    notes = [placed.frame for page in tiles(poster(300, 300), paper("a4"), 10, 8) for placed in page.notes]
    sizes = {item.size for note in notes for item in note.items if isinstance(item, Run)}
    assert sizes and min(sizes) >= 8 * MM_PER_UNIT["pt"]


# ---- as printed

EXACT = Paper("test", 120, 160, 4)
POSTERS = [(220.0, 238.0, 10.0), (260.0, 130.0, 8.0), (100.0, 396.0, 12.0)]


@pytest.mark.parametrize(("width", "height", "overlap"), POSTERS)
def test_assembled_tiles_show_the_whole_poster(width, height, overlap):
    frame = poster(width, height)
    plan = poster_plan(frame, EXACT, overlap, 6)
    pages = tiles(frame, EXACT, overlap, 6)
    assert len(pages) >= plan.count > 1
    board = laid(frame, plan, pictures([bare(page) for page in pages[: plan.count]]))
    assert board.size == whole(frame).size
    assert differing(board, whole(frame), 60) < 0.001
    assert differing(ImageChops.offset(board, 1, 0), whole(frame), 60) > 0.02, "a fifth of a millimetre shows"


def test_nothing_but_the_poster_is_seen_on_assembled_tiles():
    width, height, overlap = POSTERS[0]
    frame = poster(width, height)
    plan = poster_plan(frame, EXACT, overlap, 6)
    marked = tiles(frame, EXACT, overlap, 6)
    assert all(page.marks and page.notes for page in marked)
    board = laid(frame, plan, pictures(marked))
    assert differing(board, laid(frame, plan, pictures([bare(page) for page in marked])), 10) == 0


def test_tiles_show_a_bleed_at_the_edges_where_they_are_cut():
    frame = poster(220, 240)
    plan = poster_plan(frame, EXACT, 10, 6)
    seen = pictures([bare(page) for page in tiles(frame, EXACT, 10, 6)])
    for tile, picture in zip(plan.tiles, seen, strict=True):
        _, _, right, bottom = plan.neighbours(tile)
        edges = {
            (plan.left - 2.5, plan.top + 50): True,
            (plan.left + 50, plan.top - 2.5): True,
            (plan.left + plan.width + 2.5, plan.top + 50): not right,
            (plan.left + 50, plan.top + plan.height + 2.5): not bottom,
        }
        for (x, y), printed in edges.items():
            pixel = picture.getpixel((round(x * SCALE), round(y * SCALE)))
            assert (pixel != (255, 255, 255)) == printed, (tile.name, x, y)


# ---- notes and marks


def test_strips_name_the_tile_that_covers_them_and_pages_name_their_tile():
    frame = poster(330, 400)
    plan, pages = poster_plan(frame, paper("a4"), 12, 8), tiles(frame, paper("a4"), 12, 8)
    assert (plan.columns, plan.rows, len(pages)) == (2, 2, 4)
    names = [[note.frame.name for note in page.notes] for page in pages]
    assert [name[1:] for name in names] == [["glue A2 here", "glue B1 here"], ["glue B2 here"], ["glue B2 here"], []]
    assert names[3][0].startswith("Poster, tile B2 of 2 × 2. Cut along the marks")
    for page, tile in zip(pages, plan.tiles, strict=True):
        assert page.label == f"tile {tile.name}"
        for note in page.notes:
            x, y, (width, height) = note.x, note.y, note.box
            assert min(x, y) >= 4.2 - 1e-6
            assert x + width <= page.width - 4.2 + 1e-6
            assert y + height <= page.height - 4.2 + 1e-6
            if note.turn and note.frame.name.startswith("glue"):
                assert plan.left + plan.width - 12 <= x < x + width <= plan.left + plan.width
        own = page.notes[0]
        assert own.x >= plan.left + plan.width + 3 or own.y >= plan.top + plan.height + 3, "outside the bleed"


def test_notes_are_broken_into_lines_on_small_paper():
    frame = poster(150, 200)
    for page in tiles(frame, Paper("small", 80, 120, 4.2), 10, 4.2):
        note = page.notes[0]
        assert len(note.frame.items) > 3
        assert max(note.x + note.box[0] - page.width, note.y + note.box[1] - page.height) <= -4.2 + 1e-6


def test_a_poster_that_fits_is_one_page_with_marks_only_if_it_has_a_bleed():
    (page,) = tiles(poster(190, 270), paper("a4"), 12, 8)
    assert page.marks
    assert not page.notes
    (bare_page,) = tiles(poster(190, 270, bleed=0), paper("a4"), 12, 8)
    assert not bare_page.marks
    (lying,) = tiles(poster(270, 190), paper("a4"), 12, 8)
    assert (lying.width, lying.height) == (297, 210)
    assert len(tiles(poster(380, 550), paper("a2"), 12, 8)) == 1


def test_marks_are_at_the_edges_where_tiles_are_cut_and_off_the_poster():
    frame = poster(330, 400)
    plan, pages = poster_plan(frame, paper("a4"), 12, 8), tiles(frame, paper("a4"), 12, 8)
    for tile, page in zip(plan.tiles, pages, strict=True):
        lines = [
            (*a[1:], *b[1:])
            for shape in page.marks
            if shape.stroke == "#000000" and not shape.dash and shape.stroke_width < 0.1
            for a, b in zip(shape.path[::2], shape.path[1::2], strict=True)
        ]
        _, _, right, below = plan.neighbours(tile)
        upright = {round(x1 - plan.left, 3) for x1, _, x2, _ in lines if x1 == x2}
        level = {round(y1 - plan.top, 3) for _, y1, _, y2 in lines if y1 == y2}
        assert upright == {0.0} | (set() if right else {round(plan.width, 3)})
        assert level == {0.0} | (set() if below else {round(plan.height, 3)})
        for x1, y1, x2, y2 in lines:
            beside = max(x1, x2) <= plan.left - 0.8 or min(x1, x2) >= plan.left + plan.width + 0.8
            assert beside or max(y1, y2) <= plan.top - 0.8 or min(y1, y2) >= plan.top + plan.height + 0.8
