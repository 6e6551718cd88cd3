"""Cards that are not rectangles: how they nest, where they are cut, and where their backs are."""

from itertools import combinations
from math import dist

import pytest

from generator.geometry import outlines as shapes
from generator.geometry.frame import Frame, Run
from generator.geometry.outlines import Cut, bounds
from generator.pages.nup import deck_pages
from generator.reading.sizes import paper
from tests.layout_fixtures import outside_safe

HEX = {"hex": (46.188, 40.0), "pointed-hex": (40.0, 46.188)}


def cards(count, shape, size=(40.0, 40.0), bleed=0.0, radius=3.0):
    return [Frame(f"{shape} {n}", *size, (), bleed, cut=Cut(shape, radius)) for n in range(count)]


def impose(fronts, backs=None, gutter=0.0, duplex="long"):
    return deck_pages(fronts, backs, paper("a4"), gutter=gutter, duplex=duplex, margin=5.0)


def points(path):
    return [segment[-2:] for segment in path if len(segment) > 1]


def middle(placed):
    width, height = placed.box
    return placed.x + width / 2, placed.y + height / 2


def separation(first, second):
    """The distance between two convex polygons along the line that separates them best."""
    gaps = []
    for one, other in ((first, second), (second, first)):
        for (x1, y1), (x2, y2) in zip(one, [*one[1:], one[0]], strict=True):
            nx, ny = (y2 - y1) / dist((x1, y1), (x2, y2)), -(x2 - x1) / dist((x1, y1), (x2, y2))
            gaps.append(min(nx * x + ny * y for x, y in other) - (nx * x1 + ny * y1))
    return max(gaps)


@pytest.mark.parametrize("shape", HEX)
@pytest.mark.parametrize("gutter", [0.0, 3.0])
def test_hexagons_nest_at_the_distance_of_the_gutter(shape, gutter):
    page, *_ = impose(cards(60, shape, HEX[shape]), gutter=gutter)
    cut = [points(placed.frame.cut.turned(placed.turn).path(placed.x, placed.y, *placed.box)) for placed in page.placed]
    gaps = [separation(one, other) for one, other in combinations(cut, 2)]
    assert min(gaps) == pytest.approx(gutter, abs=0.01)
    near = sum(gap < gutter + 0.01 for gap in gaps)
    assert near > 2 * len(cut), "most have six neighbours"
    left, top, right, bottom = bounds(page.marks[0].path)
    assert min(left, top, page.width - right, page.height - bottom) > 4.99
    assert len(page.placed) == (33 if not gutter else 30)


@pytest.mark.parametrize("shape", [*HEX, "round", "rounded"])
@pytest.mark.parametrize("duplex", ["long", "short", "gutterfold"])
def test_backs_are_behind_their_fronts(shape, duplex):
    """Turned over, the outlines of the backs are those of the fronts."""
    size = HEX.get(shape, (40.0, 40.0))
    fronts, backs = cards(20, shape, size, 2.0), cards(20, shape, size, 2.0)
    pages = impose(fronts, backs, 4.0, duplex)
    if duplex == "gutterfold":
        placed = pages[0].placed
        front, back = placed[: len(placed) // 2], placed[len(placed) // 2 :]
        across = dist(middle(front[0]), middle(back[0])) and front[0].y == back[0].y
    else:
        front, back, across = pages[0].placed, pages[1].placed, duplex == "long"
    size = pages[0].width if across else pages[0].height
    for one, other in zip(front, back, strict=True):
        mirrored = [(size - x, y) if across else (x, size - y) for x, y in points(other.outline)]
        assert mirrored == [(pytest.approx(x), pytest.approx(y)) for x, y in points(one.outline)]
        assert other.frame.name == one.frame.name


def test_neighbours_share_the_gutter_and_the_outer_edges_have_full_bleed():
    page, *_ = impose(cards(7, "pointed-hex", HEX["pointed-hex"], bleed=3.0), gutter=2.0)
    outlines = [points(placed.outline) for placed in page.placed]
    assert min(separation(one, other) for one, other in combinations(outlines, 2)) == pytest.approx(0, abs=0.01)
    first = page.placed[0]
    trim = first.frame.cut.turned(first.turn).corners(first.x, first.y, *first.box)
    moves = [grown[2] - edge[2] for grown, edge in zip(shapes._edges(outlines[0]), shapes._edges(trim), strict=True)]
    assert sorted(moves) == pytest.approx([1, 1, 3, 3, 3, 3])


def test_hexagons_without_a_gutter_are_clipped_where_they_are_cut():
    page, *_ = impose(cards(30, "hex", HEX["hex"], bleed=3.0))
    outlines = [points(placed.outline) for placed in page.placed]
    assert min(separation(one, other) for one, other in combinations(outlines, 2)) == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize(("shape", "segment"), [("round", "C"), ("rounded", "C"), ("hex", "L")])
def test_cut_lines_take_the_place_of_crop_marks(shape, segment):
    (page,) = impose(cards(2, shape))
    edge, mark = page.marks
    assert edge.stroke == "#ffffff" and edge.stroke_width > mark.stroke_width, "visible on dark art"
    assert sum(part[0] == "M" for part in mark.path) == 2 and any(part[0] == segment for part in mark.path)


@pytest.mark.parametrize(
    ("shape", "x", "y", "size", "beyond"),
    [
        ("round", 15, 21, 10, 0),
        ("round", 3, 5, 10, 6.2),
        ("hex", 0.5, 22, 5, 2.4),
        ("hex", 5, 22, 5, 0),
        ("pointed-hex", 18, 5, 4, 0.4),
        ("rounded", 3, 8, 5, 0),
        ("rounded", 2.5, 5, 5, 1.5),
        ("rounded", 1, 20, 5, 1),
    ],
)
def test_the_safe_area_has_the_shape_of_the_card(shape, x, y, size, beyond):
    run = Run(x, y, "WW", "regular", 3, "#000000", size)
    frame = Frame("card", 40, 40, (run,), safe=2, cut=Cut(shape, 8))
    assert outside_safe(frame) == (
        [f"text “WW” leaves the safe area: {beyond:.1f} mm at the outline"] if beyond else []
    )
