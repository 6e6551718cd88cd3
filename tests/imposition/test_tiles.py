"""Tiled posters: the assembled tiles show the whole poster, by their numbers and as printed."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from generator import paths
from generator.definitions.models import Theme
from generator.definitions.sizes import Paper, paper
from generator.errors import InputError
from generator.geometry import outlines
from generator.geometry.frame import Frame, Page, Placed, Run, Shape
from generator.imposition.tiles import crosses, tile_name, tile_plan, tiles
from generator.pdf import Info, write

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
    edge = max(margin, paper(on).margin)
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

    room = 210 - 16, 297 - 8 - 9.7  # below: the margin of the printer, bleed and the tile's name
    lying = 297 - 16, 210 - 8 - 9.7
    best = min(count(width, area[0]) * count(height, area[1]) for area in (room, lying))
    assert tile_plan(width, height, paper("a4"), overlap, 8).count == best


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
    with pytest.raises(InputError, match=r"does not work on a4, where tiles are at most 194\.0 × 279\.3 mm"):
        tiles(poster(300, 300), paper("a4"), overlap, 8)


# ---- as printed

EXACT = Paper("test", 120, 160, 4)
POSTERS = [(220.0, 240.0, 10.0), (260.0, 130.0, 8.0), (100.0, 396.0, 12.0)]


@pytest.mark.parametrize(("width", "height", "overlap"), POSTERS)
def test_assembled_tiles_show_the_whole_poster(width, height, overlap):
    frame, plan = poster(width, height), tile_plan(width, height, EXACT, overlap, 6)
    pages = tiles(frame, EXACT, overlap, 6)
    assert len(pages) >= plan.count > 1
    board = laid(frame, plan, pictures([bare(page) for page in pages[: plan.count]]))
    assert board.size == whole(frame).size
    assert differing(board, whole(frame), 60) < 0.001
    assert differing(ImageChops.offset(board, 1, 0), whole(frame), 60) > 0.02, "a fifth of a millimetre shows"


def test_instructions_on_tiles_are_covered_or_cut_away_except_crosses_and_cut_edges():
    width, height, overlap = POSTERS[0]
    frame, plan = poster(width, height), tile_plan(width, height, EXACT, overlap, 6)
    board = laid(frame, plan, pictures(tiles(frame, EXACT, overlap, 6)[: plan.count]))
    clean = whole(frame)
    for tile in plan.tiles:
        for x, y in crosses(tile, plan):
            spot = tuple(round(value * SCALE) for value in (x - 2.5, y - 2.5, x + 2.5, y + 2.5))
            board.paste(clean.crop(spot), spot)
        for edge in ((tile.window.x, 0, 0.6, height), (0, tile.window.y, width, 0.6)):
            left, top = max(0, edge[0] - 0.3), max(0, edge[1] - 0.3)
            spot = tuple(round(value * SCALE) for value in (left, top, left + edge[2], top + edge[3]))
            board.paste(clean.crop(spot), spot)
    assert differing(board, clean, 60) < 0.001


def test_tiles_only_show_their_windows_and_bleed_at_the_edges_of_the_poster():
    frame, plan = poster(220, 240), tile_plan(220, 240, EXACT, 10, 6)
    seen = pictures([bare(page) for page in tiles(frame, EXACT, 10, 6)[: plan.count]])
    for tile, picture in zip(plan.tiles, seen, strict=True):
        left, top, right, bottom = plan.neighbours(tile)
        edges = {
            (plan.left - 1, plan.top + 50): not left,
            (plan.left + 50, plan.top - 1): not top,
            (plan.left + plan.width + 1, plan.top + 50): not right,
            (plan.left + 50, plan.top + plan.height + 1): not bottom,
        }
        for (x, y), printed in edges.items():
            pixel = picture.getpixel((round(x * SCALE), round(y * SCALE)))
            assert (pixel != (255, 255, 255)) == printed, (tile.name, x, y)


# ---- crosses, names, map


def cross_points(page):
    """The middles of the crosses among the marks of a page."""
    return [
        ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        for shape in page.marks
        if shape.stroke == "#ffffff" and shape.stroke_width == 0.3
        for box in [outlines.bounds(shape.path)]
    ]


@pytest.mark.parametrize(("width", "height", "overlap"), POSTERS)
def test_crosses_mark_the_same_points_of_the_poster_on_both_tiles(width, height, overlap):
    plan = tile_plan(width, height, EXACT, overlap, 6)
    pages = tiles(poster(width, height), EXACT, overlap, 6)
    on_board = {}
    for tile, page in zip(plan.tiles, pages, strict=False):
        (placed,) = page.placed
        points = {(round(x - placed.x, 3), round(y - placed.y, 3)) for x, y in cross_points(page)}
        assert len(points) == 2 * sum(plan.neighbours(tile))
        on_board[tile.row, tile.column] = points
        window = tile.window
        assert all(window.x < x < window.right and window.y < y < window.bottom for x, y in points)
    for row, column in on_board:
        for other in ((row, column + 1), (row + 1, column)):
            if other in on_board:
                shared = on_board[row, column] & on_board[other]
                assert len(shared) == 2
                first, second = (
                    tile.window for tile in plan.tiles if (tile.row, tile.column) in ((row, column), other)
                )
                middle = (first.right + second.x) / 2 if other[0] == row else (first.bottom + second.y) / 2
                assert all(point[other[0] != row] == pytest.approx(middle, abs=0.001) for point in shared)


def test_strips_name_the_tile_that_covers_them_and_pages_name_their_tile():
    frame = poster(330, 400)
    plan, pages = tile_plan(330, 400, paper("a4"), 12, 8), tiles(frame, paper("a4"), 12, 8)
    assert (plan.columns, plan.rows) == (2, 2)
    names = [[note.frame.name for note in page.notes] for page in pages]
    assert names[0][:3] == ["poster, tile A1, of 2 × 2", "glue A2 here", "glue B1 here"]
    assert names[1][:2] == ["poster, tile A2, of 2 × 2", "glue B2 here"]
    assert names[3][:1] == ["poster, tile B2, of 2 × 2"]
    for page, tile in zip(pages, plan.tiles, strict=False):
        for note in page.notes:
            x, y, (width, height) = note.x, note.y, note.box
            assert min(x, y) >= 4.2
            assert x + width <= page.width - 4.2
            assert y + height <= page.height - 4.2
            if note.turn:
                assert plan.left + plan.width - 12 <= x < x + width <= plan.left + plan.width
        own = page.notes[0]
        assert own.y >= plan.top + plan.height + 2, "below the bleed"
        assert page.label == f"tile {tile.name}"


def test_the_map_is_beside_the_first_tile_or_on_a_separate_page():
    roomy = tiles(poster(210, 546), paper("a4"), 12, 8)
    full = tiles(poster(376, 546), paper("a4"), 12, 8)
    assert (len(roomy), roomy[0].notes[-1].frame.name) == (3, "page map")
    assert (len(full), full[-1].notes[0].frame.name, full[-1].label) == (5, "page map", "map")
    placed = roomy[0].notes[-1]
    plan = tile_plan(210, 546, paper("a4"), 12, 8)
    assert placed.x >= plan.left + plan.width + 6 or placed.y >= plan.top + plan.height + 6
    names = {item.text for item in placed.frame.items if isinstance(item, Run)}
    assert {"A1", "B1", "C1", "3 tiles, overlap 12 mm"} <= names


def test_the_map_shows_the_tiles_in_their_places():
    map_ = tiles(poster(376, 546), paper("a4"), 12, 8)[-1].notes[0].frame
    boxes = [outlines.bounds(item.path) for item in map_.items if isinstance(item, Shape)]
    plan = tile_plan(376, 546, paper("a4"), 12, 8)
    scale = (boxes[-1][2] - boxes[0][0]) / 376
    for (left, top, right, bottom), tile in zip(boxes, plan.tiles, strict=True):
        window, (_, _, over_right, over_bottom) = tile.window, plan.neighbours(tile)
        seen = window.right - 12 * over_right, window.bottom - 12 * over_bottom
        assert (left, right) == pytest.approx((window.x * scale, seen[0] * scale))
        assert (top - boxes[0][1], bottom - boxes[0][1]) == pytest.approx((window.y * scale, seen[1] * scale))
    assert all(item.x >= 0 and item.y <= map_.height for item in map_.items if isinstance(item, Run))


def test_a_poster_that_fits_is_one_page_without_marks():
    (page,) = tiles(poster(190, 270), paper("a4"), 12, 8)
    assert not page.marks
    assert not page.notes
    (lying,) = tiles(poster(270, 190), paper("a4"), 12, 8)
    assert (lying.width, lying.height) == (297, 210)
    assert len(tiles(poster(380, 550), paper("a2"), 12, 8)) == 1


def test_cut_lines_run_along_the_edges_that_end_up_on_top():
    plan, pages = tile_plan(330, 400, paper("a4"), 12, 8), tiles(poster(330, 400), paper("a4"), 12, 8)
    for tile, page in zip(plan.tiles, pages, strict=False):
        lines = [
            (a[1:], b[1:])
            for shape in page.marks
            if shape.stroke == "#000000" and not shape.dash and shape.stroke_width < 0.1
            for a, b in zip(shape.path[::2], shape.path[1::2], strict=True)
        ]
        left, above, _, _ = plan.neighbours(tile)
        full_left = any(a[0] == b[0] == plan.left and abs(a[1] - b[1]) > plan.height for a, b in lines)
        full_top = any(a[1] == b[1] == plan.top and abs(a[0] - b[0]) > plan.width for a, b in lines)
        assert (full_left, full_top) == (left, above)
