"""Nets, folded by calculation: open edges meet, flaps are on their partners, and the flat net does not overlap."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.geometry.frame import Frame
from generator.pages.assembly import fold, poses
from generator.pages.nets import box_net, box_panels, cube_net, pawn_net, tuck_box_size

TOUCH = 0.01
SIZES = [8.0, 10.0, 16.0, 16.001, 19.05, 40.0]
BOXES = [
    ((63.5, 88.9), 50, 0.3),
    ((63.5, 88.9), 26, 0.32),
    ((44.0, 63.0), 18, 0.3),
    ((63.5, 63.5), 110, 0.3),
    ((70.0, 121.0), 78, 0.35),
]


def frames(width, height, *names):
    return [Frame(name, width, height, (), bleed=2) for name in names]


def cube(size=16.0):
    return cube_net(size, frames(size, size, *"123456"))


def box(card, count, stock):
    size = tuck_box_size(card, count, stock)
    measures = size.width, size.height, size.depth
    panels = {name: Frame(name, *sizes, (), bleed=2) for name, sizes in box_panels("tuck", measures).items()}
    return box_net("tuck", measures, panels)


def pawn(base=14.0, shoulder=0.0):
    return pawn_net(*frames(20, 34, "front", "back"), base, shoulder=shoulder)


def tray(width=120.0, length=90.0, rim=18.0):
    sizes = box_panels("tray", (width, length, rim))
    return box_net(
        "tray", (width, length, rim), {name: Frame(name, *size, (), bleed=2) for name, size in sizes.items()}
    )


def sleeve():
    sizes = box_panels("sleeve", (64, 90, 16))
    panels = {name: Frame(name, *size, (), bleed=2) for name, size in sizes.items()}
    return box_net("sleeve", (64, 90, 16), panels, "sleeve")


EVERY = {
    **{f"cube {size:g}": lambda size=size: cube(size) for size in SIZES},
    **{f"box {what}": lambda what=what: box(*what) for what in BOXES},
    **{f"pawn {base:g}": lambda base=base: pawn(base) for base in (6.0, 14.0, 25.0)},
    "pawn with shoulders": lambda: pawn(shoulder=7.0),
    **{f"tray {rim:g}": lambda rim=rim: tray(rim=rim) for rim in (8.0, 18.0, 40.0)},
    "sleeve": sleeve,
}


@pytest.fixture(params=EVERY, ids=str)
def net(request):
    return EVERY[request.param]()


# ---- measuring, without the code under test


def flaps(net):
    return {join.flap for join in net.joins}


def walls(net):
    return [panel for panel in net.panels if panel.name not in flaps(net)]


def length(path):
    total, at = 0.0, None
    for name, *numbers in path:
        if name == "L":
            total += dist(at, numbers)
        at = numbers
    return total


def perimeter(outline):
    return sum(dist(one, two) for one, two in zip(outline, (*outline[1:], outline[0]), strict=True))


def common_area(first, second):
    """The area that two convex polygons share: the first is cut along every side of the second."""
    remaining = list(first)
    for (x1, y1), (x2, y2) in zip(second, (*second[1:], second[0]), strict=True):

        def inside(point, x1=x1, y1=y1, x2=x2, y2=y2):
            return (x2 - x1) * (point[1] - y1) - (y2 - y1) * (point[0] - x1)

        cut = []
        for a, b in zip(remaining, (*remaining[1:], *remaining[:1]), strict=True):
            if inside(a) >= 0:
                cut.append(a)
            if inside(a) * inside(b) < 0:
                share = inside(a) / (inside(a) - inside(b))
                cut.append((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share))
        remaining = cut
    return (
        abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(remaining, (*remaining[1:], *remaining[:1]), strict=True)))
        / 2
    )


def hull(panel):
    """A panel without its notch, if it has one."""
    xs, ys = [x for x, _ in panel.outline], [y for _, y in panel.outline]
    if panel.name in ("front", "back"):
        return (min(xs), min(ys)), (max(xs), min(ys)), (max(xs), max(ys)), (min(xs), max(ys))
    return panel.outline


def off_segment(point, start, end):
    along = [b - a for a, b in zip(start, end, strict=True)]
    share = sum((p - a) * d for p, a, d in zip(point, start, along, strict=True)) / sum(d * d for d in along)
    share = min(1.0, max(0.0, share))
    return dist(point, [a + d * share for a, d in zip(start, along, strict=True)])


def sides3(corners):
    return list(zip(corners, (*corners[1:], corners[0]), strict=True))


def in_frame_of(pose, point):
    """A point in space → x and y on a panel, and its distance behind the panel."""
    rest = [p - o for p, o in zip(point, pose.origin, strict=True)]
    return tuple(sum(r * a for r, a in zip(rest, axis, strict=True)) for axis in (pose.right, pose.down, pose.behind))


# ---- laws of every net


def test_every_open_edge_of_the_walls_meets_another_wall(net):
    """Once folded, points along each side of each wall are on a side of another wall. A pawn is open at its
    sides, a sleeve at its top and bottom."""
    where = poses(net.panels, net.folds)
    folded = {wall.name: [where[wall.name].point(*corner) for corner in hull(wall)] for wall in walls(net)}
    for wall in walls(net):
        others = [side for name, corners in folded.items() if name != wall.name for side in sides3(corners)]
        for flat, (start, end) in zip(sides3(hull(wall)), sides3(folded[wall.name]), strict=True):
            if {"pawn": flat[0][0] == flat[1][0], "sleeve": flat[0][1] == flat[1][1]}.get(net.name, False):
                continue
            for share in (0.0, 0.31, 0.5, 0.77, 1.0):
                point = [a + (b - a) * share for a, b in zip(start, end, strict=True)]
                assert min(off_segment(point, *side) for side in others) < TOUCH, (wall.name, share)


def test_every_flap_is_flat_behind_its_partner_and_inside_it(net):
    where, bent = poses(net.panels, net.folds), fold(net)
    assert net.joins
    for join in net.joins:
        panel = net.panel(join.panel)
        xs, ys = zip(*hull(panel) if panel.name == "front" else panel.outline, strict=True)
        for corner in bent[join.flap]:
            x, y, behind = in_frame_of(where[join.panel], corner)
            assert abs(behind) < TOUCH, (join, corner)
            assert min(xs) - TOUCH < x < max(xs) + TOUCH
            assert min(ys) - TOUCH < y < max(ys) + TOUCH


def test_glued_flaps_show_their_print_to_the_inside_of_their_partner(net):
    """Both face the same way, so the printed side of the flap touches the back of its partner."""
    where = poses(net.panels, net.folds)
    for join in net.joins:
        flap, panel = where[join.flap].behind, where[join.panel].behind
        assert sum(a * b for a, b in zip(flap, panel, strict=True)) == pytest.approx(1)


def test_nothing_overlaps_in_the_flat_net(net):
    for first, second in combinations(net.panels, 2):
        assert common_area(hull(first), hull(second)) < 1e-6, (first.name, second.name)


def test_flaps_glued_to_one_panel_do_not_overlap(net):
    where, bent = poses(net.panels, net.folds), fold(net)
    for first, second in combinations(net.joins, 2):
        if first.panel == second.panel and first.glued and second.glued:
            flat = [
                [in_frame_of(where[first.panel], corner)[:2] for corner in bent[join.flap]] for join in (first, second)
            ]
            assert common_area(*flat) < 0.05, (first, second)


def test_folding_keeps_panels_rigid(net):
    bent = fold(net)
    for panel in net.panels:
        for (a, b), (c, d) in zip(combinations(panel.outline, 2), combinations(bent[panel.name], 2), strict=True):
            assert dist(a, b) == pytest.approx(dist(c, d), abs=1e-6)


def test_every_side_is_cut_or_scored_once(net):
    """Each fold is part of two sides and is not cut; all other sides are cut once."""
    whole = sum(perimeter(panel.outline) for panel in net.panels)
    folded = sum(dist(fold.start, fold.end) for fold in net.folds)
    assert length(net.cuts[-1].path) == pytest.approx(whole - 2 * folded, abs=0.01)


def test_folds_of_blank_panels_are_dashed_and_those_of_faces_have_ticks_outside_the_net(net):
    faces = {placed.frame.name for placed in net.placed}
    blank = [fold for fold in net.folds if not {fold.parent, fold.child} & faces]
    dashed = sum(length(shape.path) for shape in net.scores if shape.dash)
    assert dashed == pytest.approx(sum(dist(fold.start, fold.end) for fold in blank))
    ticks = [shape for shape in net.scores if not shape.dash and shape.stroke == "#000000"]
    assert ticks, "beside the corners of the net"
    for _, x, y in (segment for shape in ticks for segment in shape.path):
        assert not any(_inside((x, y), panel.outline) for panel in net.panels)


def test_lines_differ_in_style_not_in_colour(net):
    assert [(shape.dash, shape.stroke_width, shape.stroke) for shape in net.cuts] == [
        ((), pytest.approx(0.35), "#ffffff"),
        ((), 0.15, "#000000"),
    ], "edged in white, to be seen on dark panels"
    for pale, dark in zip(net.scores[::2], net.scores[1::2], strict=True):
        assert dark.stroke == "#000000"
        assert not pale.dash and pale.stroke == "#ffffff" and pale.path == dark.path, "seen on dark panels too"
    glued = [join for join in net.joins if join.glued]
    assert len(net.glue) == 2 * len(glued)
    assert all(shape.stroke_width < 0.3 for shape in net.glue)


def test_only_glued_flaps_are_hatched(net):
    glued = [net.panel(join.flap) for join in net.joins if join.glued]
    for shape in net.glue[::2]:
        points = [(x, y) for _, x, y in shape.path]
        assert points
        assert any(all(_inside(point, panel.outline) for point in points) for panel in glued)


def _inside(point, outline):
    return all(
        (x2 - x1) * (point[1] - y1) - (y2 - y1) * (point[0] - x1) > -1e-6 for (x1, y1), (x2, y2) in sides3(outline)
    )


def test_faces_cover_their_panels_and_do_not_bleed_onto_others(net):
    boxes = [(placed.x, placed.y, placed.x + placed.box[0], placed.y + placed.box[1]) for placed in net.placed]
    assert {side for placed in net.placed for side in placed.clip} == {0.0, 2.0}
    for placed, (left, top, right, bottom) in zip(net.placed, boxes, strict=True):
        corners = (left, top), (right, top), (right, bottom), (left, bottom)
        assert max(map(dist, hull(net.panel(placed.frame.name)), corners)) < 1e-6
        over = left - placed.clip[0], top - placed.clip[1], right + placed.clip[2], bottom + placed.clip[3]
        others = [other for other in boxes if other != (left, top, right, bottom)]
        assert not any(
            over[0] < other[2] - 1e-6
            and other[0] < over[2] - 1e-6
            and over[1] < other[3] - 1e-6
            and other[1] < over[3] - 1e-6
            for other in others
        )


def test_the_net_fills_its_box(net):
    points = [point for panel in net.panels for point in panel.outline]
    assert min(x for x, _ in points) == pytest.approx(0)
    assert min(y for _, y in points) == pytest.approx(0)
    assert (max(x for x, _ in points), max(y for _, y in points)) == pytest.approx((net.width, net.height))


@given(width=st.floats(20, 120), height=st.floats(20, 150), depth=st.floats(4, 80))
@settings(max_examples=40, deadline=None)
def test_boxes_of_all_sizes_lie_flat_and_fold(width, height, depth):
    net = box_net("tuck", (width, height, depth), {})
    test_nothing_overlaps_in_the_flat_net(net)
    test_every_flap_is_flat_behind_its_partner_and_inside_it(net)
    test_flaps_glued_to_one_panel_do_not_overlap(net)


@given(size=st.floats(6, 80))
@settings(max_examples=30, deadline=None)
def test_cubes_of_all_sizes_lie_flat_and_fold(size):
    net = cube(size)
    test_nothing_overlaps_in_the_flat_net(net)
    test_every_flap_is_flat_behind_its_partner_and_inside_it(net)
    test_flaps_glued_to_one_panel_do_not_overlap(net)


def test_a_net_whose_folds_do_not_reach_a_panel_cannot_be_folded():
    net = pawn()
    with pytest.raises(ValueError, match="no fold leads to tab"):
        poses(net.panels, [fold for fold in net.folds if fold.child != "tab"])
    with pytest.raises(ValueError, match="no fold leads to back"):
        poses(net.panels, [fold for fold in net.folds if fold.child != "back"])
