"""Sheets for cutting machines: cut paths lie on the cards as they are drawn, marks and slots where they should be."""

import re
from io import StringIO
from itertools import pairwise, product
from math import cos, hypot, pi, sin

import ezdxf
import ezdxf.bbox
import ezdxf.path
import pytest
from lxml import etree
from msgspec.structs import replace

from generator.art import svg_values
from generator.errors import InputError
from generator.geometry.frame import Frame
from generator.geometry.outlines import Cut, bounds, rect, rounded_rect
from generator.pages import cutting_sheets
from generator.pages.cutting_sheets import (
    CUT,
    PERF,
    SCORE,
    CutPath,
    Vertex,
    joined,
)
from generator.pages.nets import box_net
from generator.reading import targets
from generator.reading.sizes import paper

KNOWN = targets.targets()
CARDS = [
    Frame("poker", 63, 88, (), bleed=3),
    Frame("square", 50, 50, (), bleed=3),
    Frame("rounded", 44, 63, (), bleed=2, cut=Cut("rounded", 5)),
    Frame("coin", 20, 20, (), bleed=2, cut=Cut("round")),
    Frame("oval", 60, 40, (), bleed=2, cut=Cut("round")),
    Frame("hex", 60, 51.96, (), bleed=2, cut=Cut("hex")),
    Frame("pointed", 51.96, 60, (), bleed=2, cut=Cut("pointed-hex")),
]


def machine(name, on="a4"):
    return cutting_sheets.Machine.of(KNOWN[name].definition.cutter, paper(on))


def full(cutter, card, duplex="long"):
    slots = cutting_sheets.slots(cutter, card)
    used = cutting_sheets.used_slots(slots, ())
    count = len(used)
    return slots, cutting_sheets.card_pages(cutter, slots, used, [card] * count, [card] * count, duplex)


def flat(path):
    """The points along a path as it is drawn."""
    points = []
    for name, *numbers in path:
        ends = list(zip(numbers[::2], numbers[1::2], strict=True))
        if name == "C":
            (x0, y0), ((x1, y1), (x2, y2), (x3, y3)) = points[-1], ends
            for t in (step / 40 for step in range(1, 41)):
                a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
                points.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
        elif ends:
            points.append(ends[-1])
    return [*points, points[0]]


def away(point, outline):
    """The distance of a point from a closed line."""
    x, y = point
    nearest = 1e9
    for (x1, y1), (x2, y2) in pairwise(outline):
        dx, dy = x2 - x1, y2 - y1
        share = max(0.0, min(1.0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy or 1)))
        nearest = min(nearest, hypot(x1 + share * dx - x, y1 + share * dy - y))
    return nearest


def drawn_outline(placed, corner):
    """The edge of a card on the page, as the imposition knows it."""
    cut = placed.frame.cut
    if cut:
        return flat(cut.turned(placed.turn).path(placed.x, placed.y, *placed.box))
    return flat(rounded_rect(placed.x, placed.y, *placed.box, (corner,) * 4))


def read_dxf(data):
    document = ezdxf.read(StringIO(data.decode("ascii"), newline=None))
    audit = document.audit()
    assert not audit.errors and not audit.fixes
    return document


def test_cut_paths_lie_on_the_cards():
    for card, name in zip(CARDS, ("silhouette", "cricut") * 4, strict=False):
        cutter = machine(name, "letter")
        slots, pages = full(cutter, card)
        paths = slots.paths(cutter.about.corner)
        assert len(paths) == len(pages[0].placed) == len(slots.places) > 0
        document = read_dxf(cutting_sheets.dxf(paths, cutter.width, cutter.height))
        shapes = list(document.modelspace())
        assert all(shape.is_closed and shape.dxf.layer == CUT for shape in shapes)
        outline = drawn_outline(pages[0].placed[-1], cutter.about.corner)
        points = [(p.x, cutter.height - p.y) for p in ezdxf.path.make_path(shapes[-1]).flattening(0.006)]
        assert max(away(point, outline) for point in points[::2]) < 0.01, (name, card.name)
        assert max(away(point, [*points, points[0]]) for point in outline[::3]) < 0.01, (name, card.name)


def test_dxf_is_in_millimetres_with_layers_and_dos_lines():
    cutter = machine("silhouette")
    paths = cutting_sheets.slots(cutter, CARDS[0]).paths(3)
    data = cutting_sheets.dxf(paths, cutter.width, cutter.height)
    assert data.count(b"\r\n") == data.count(b"\n") and data.endswith(b"EOF\r\n")
    document = read_dxf(data)
    assert (document.dxfversion, document.header["$INSUNITS"], document.header["$MEASUREMENT"]) == ("AC1009", 4, 1)
    assert {layer.dxf.name for layer in document.layers} >= {CUT, SCORE, PERF}
    box = ezdxf.bbox.extents(document.modelspace())
    middle = (box.extmin + box.extmax) / 2
    assert (middle.x, middle.y) == pytest.approx((105, 148.5), abs=0.001), "in the middle of the page"
    assert (box.size.x, box.size.y) == pytest.approx((2 * 88 + 1.25, 4 * 63 + 3 * 1.25), abs=0.001)
    bulges = [vertex.dxf.bulge for vertex in next(iter(document.modelspace())).vertices]
    assert sorted({round(bulge, 6) for bulge in bulges}) == [-0.414214, 0.0]


def test_svg_has_millimetres_and_the_same_paths():
    cutter = machine("cricut")
    for card in CARDS:
        paths = cutting_sheets.slots(cutter, card).paths(3)
        root = etree.fromstring(cutting_sheets.svg(paths, cutter.width, cutter.height))
        assert (root.get("width"), root.get("height")) == ("171.45mm", "234.95mm")
        assert root.get("viewBox") == "0 0 171.45 234.95"
        (group,) = root
        assert (group.get("id"), len(group)) == (CUT, len(paths))
        for element, path in zip(group, paths, strict=True):
            numbers = re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)|A\S+ \S+ 0 0 1 (-?[\d.]+) (-?[\d.]+)", element.get("d"))
            points = [tuple(float(number) for number in found if number) for found in numbers]
            vertices = [vertex[:2] for vertex in path.vertices]
            pairs = zip(points, [*vertices, vertices[0]], strict=False)
            assert all(one == pytest.approx(other, abs=0.001) for one, other in pairs)
            assert len(vertices) <= len(points) <= len(vertices) + 1
        outline = drawn_outline(full(cutter, card)[1][0].placed[0], 3)
        curve = flat(svg_values.segments(group[0].get("d")))
        assert max(away(point, outline) for point in curve[::3]) < 0.02, card.name


def test_arcs_bend_outwards_in_both_formats():
    slots = cutting_sheets.Slots(((10.0, 10.0),), 20, 20, 0, Cut("round"))
    (circle,) = slots.paths(0)
    shape = next(iter(read_dxf(cutting_sheets.dxf([circle], 100, 100)).modelspace()))
    for point in ezdxf.path.make_path(shape).flattening(0.001):
        assert hypot(point.x - 20, point.y - 80) == pytest.approx(10, abs=0.005)
    first = circle.vertices[0]
    assert f"M{first.x:g} {first.y:g} A10 10 0 0 1 20 30" in cutting_sheets.svg([circle], 100, 100).decode()


# ---- marks and slots ------------------------------------------------------------------------------------------------


def test_marks_are_where_the_data_says():
    corners, square = machine("silhouette").marks()
    assert (corners.stroke_width, square.stroke_width) == (1, 1)
    assert bounds(square.path) == (10, 10, 15, 15)
    assert corners.path == (
        ("M", 195, 10), ("L", 200, 10), ("L", 200, 15), ("M", 15, 287), ("L", 10, 287), ("L", 10, 282),
    )  # fmt: skip
    (four,) = machine("silhouette-four-marks", "letter").marks()
    assert len(four.path) == 12 and bounds(four.path) == pytest.approx((10, 10, 205.9, 269.4))
    assert machine("cricut").marks() == ()


def test_the_corners_with_marks_stay_free():
    for name, on, card in product(("silhouette", "silhouette-four-marks"), ("a4", "letter"), CARDS):
        cutter = machine(name, on)
        _, (front, _) = full(cutter, card)
        side = 10 + 5 + 1.5
        corners = [(0, 0), (cutter.width - side, 0), (0, cutter.height - side)]
        corners += [(cutter.width - side, cutter.height - side)] if name == "silhouette-four-marks" else []
        for placed in front.placed:
            bleed = placed.clip[0]
            assert len(set(placed.clip)) == 1 and bleed <= 0.625
            assert placed.x > 9.99 and placed.y > 9.99
            right, bottom = placed.x + placed.box[0] + bleed, placed.y + placed.box[1] + bleed
            for x, y in corners:
                across = min(right, x + side) - max(placed.x - bleed, x)
                down = min(bottom, y + side) - max(placed.y - bleed, y)
                assert min(across, down) < 1e-6, (name, on, card.name)


def test_the_slots_are_in_the_middle_of_the_page_so_that_the_cut_file_can_be_centred():
    small = [Frame("hex", side, side * 3**0.5 / 2, (), bleed=2, cut=Cut("hex")) for side in (20, 25, 33, 38, 70)]
    for name, on, card in product(("silhouette", "silhouette-four-marks", "cricut"), ("a4", "letter"), CARDS + small):
        cutter = machine(name, on)
        slots = cutting_sheets.slots(cutter, card)
        left, right = min(x for x, _ in slots.places), max(x for x, _ in slots.places) + slots.width
        top, bottom = min(y for _, y in slots.places), max(y for _, y in slots.places) + slots.height
        assert (left + right, top + bottom) == pytest.approx((cutter.width, cutter.height)), (name, on, card)


def test_backs_are_behind_fronts_and_have_no_marks():
    for duplex in ("long", "short"):
        front, back = full(machine("silhouette"), CARDS[0], duplex)[1]
        assert front.marks and not back.marks and back.back
        for one, other in zip(front.placed, back.placed, strict=True):
            if duplex == "long":
                assert (other.x + other.box[0], other.y) == pytest.approx((210 - one.x, one.y))
            else:
                assert (other.x, other.y + other.box[1]) == pytest.approx((one.x, 297 - one.y))


def test_skipped_slots_stay_empty_and_are_cut_nevertheless():
    cutter = machine("silhouette")
    slots = cutting_sheets.slots(cutter, CARDS[0])
    used = cutting_sheets.used_slots(slots, (1, 8))
    pages = cutting_sheets.card_pages(cutter, slots, used, [CARDS[0]] * 7, [], "long")
    assert [len(page.placed) for page in pages] == [6, 1]
    places = {(placed.x, placed.y) for page in pages for placed in page.placed}
    assert places == set(slots.places[1:7])
    with pytest.raises(InputError, match="there is no slot 9 to skip; the sheet has slots 1 to 8"):
        cutting_sheets.used_slots(slots, (9,))
    with pytest.raises(InputError, match="all slots of the sheet are skipped"):
        cutting_sheets.used_slots(slots, range(1, 9))
    with pytest.raises(InputError, match="does not fit on the sheet"):
        cutting_sheets.slots(cutter, Frame("giant", 250, 300, ()))


# ---- nets -----------------------------------------------------------------------------------------------------------


def test_a_box_is_cut_around_and_scored_along_its_folds():
    net = box_net("tuck", (66, 92, 20), {})
    cutter = machine("silhouette")
    (sheet,) = cutting_sheets.net_sheets(cutter, [net])
    cuts, scores = ([path for path in sheet.paths if path.layer == layer] for layer in (CUT, SCORE))
    assert any(path.closed for path in cuts) and not any(path.closed for path in scores)
    length = sum(hypot(e[0] - s[0], e[1] - s[1]) for s, e in ((fold.start, fold.end) for fold in net.folds))
    assert sum(map(total, scores)) == pytest.approx(length)
    left, top, right, bottom = bounds(tuple(("L", v.x, v.y) for path in sheet.paths for v in path.vertices))
    assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx((105, 148.5), abs=0.01)
    assert sorted((right - left, bottom - top)) == pytest.approx(sorted((net.width, net.height)), abs=0.01)
    document = read_dxf(cutting_sheets.dxf(sheet.paths, cutter.width, cutter.height))
    assert {shape.dxf.layer for shape in document.modelspace()} == {CUT, SCORE}
    assert sheet.names == (net.name,)
    (other,) = cutting_sheets.net_sheets(replace(cutter, about=replace(cutter.about, folds="perf")), [net])
    assert {path.layer for path in other.paths} == {CUT, PERF}


def total(path):
    ends = [*path.vertices, path.vertices[0]] if path.closed else path.vertices
    return sum(hypot(b.x - a.x, b.y - a.y) for a, b in pairwise(ends))


def test_loose_pieces_between_nets_are_cut_too():
    coin = CARDS[3]
    (sheet,) = cutting_sheets.net_sheets(machine("cricut"), [coin] * 3)
    assert len(sheet.paths) == 3 and all(path.closed for path in sheet.paths)


def test_lines_are_joined_where_they_meet():
    square = list(pairwise([*flat(rect(0, 0, 10, 10))[:-1], (0, 0)]))
    shuffled = [square[2], square[0][::-1], square[3], square[1]]
    (chain,) = joined(shuffled)
    assert len(chain) == 5 and chain[0] == chain[-1]
    assert len(joined([[(0, 0), (1, 0)], [(5, 5), (6, 6)]])) == 2
    ring = CutPath(tuple(Vertex(10 + 5 * cos(t), 10 + 5 * sin(t)) for t in (2 * pi * k / 12 for k in range(12))))
    assert total(ring) == pytest.approx(31.06, abs=0.01)
