"""Dice, tuck boxes and pawns: each kind of net by itself."""

from __future__ import annotations

from itertools import pairwise
from math import atan2, cos, degrees, dist, hypot, pi, radians, sin

import pytest

from generator import games
from generator.errors import InputError
from generator.exporting.pdfs import CREASE, CUT, die_lines
from generator.geometry.frame import Frame
from generator.pages.assembly import fold, poses
from generator.pages.nets import (
    box_net,
    box_panels,
    cube_net,
    pawn_net,
    room_box_size,
    sleeve_size,
    tab_for,
    tuck_box_size,
)
from generator.printing import pieces
from generator.reading.sizes import paper
from tests.presses import press_of

SIZES = [8.0, 10.0, 16.0, 16.001, 19.05, 40.0]
DECKS = [((63.5, 88.9), 50, 0.3), ((44.0, 63.0), 18, 0.3), ((70.0, 121.0), 78, 0.35)]


def frames(width, height, *names):
    return [Frame(name, width, height, (), bleed=2) for name in names]


def cube(size=16.0):
    return cube_net(size, frames(size, size, *"123456"))


def box(card, count, stock):
    size = tuck_box_size(card, count, stock)
    measures = size.width, size.height, size.depth
    panels = {name: Frame(name, *sizes, ()) for name, sizes in box_panels("tuck", measures).items()}
    return box_net("tuck", measures, panels)


def pawn(base=14.0):
    return pawn_net(*frames(20, 34, "front", "back"), base)


def sides(corners):
    return list(zip(corners, (*corners[1:], corners[0]), strict=True))


def same(first, second):
    return dist(first, second) < 0.01


def same_edge(first, second):
    return all(map(same, first, second)) or all(map(same, first, second[::-1]))


# ---- cubes


@pytest.mark.parametrize("size", SIZES)
def test_each_of_the_twelve_edges_of_a_cube_joins_two_faces(size):
    bent = fold(cube(size))
    edges = [side for number in "123456" for side in sides(bent[number])]
    assert all(sum(same_edge(edge, other) for other in edges) == 2 for edge in edges)
    assert max(dist(a, b) for a in bent["1"] for b in bent["6"]) == pytest.approx(size * 3**0.5)


def outward(net, number):
    return [-value for value in poses(net.panels, net.folds)[number].behind]


def test_opposite_faces_add_up_to_seven():
    for number in range(1, 7):
        opposite = [
            other
            for other in range(1, 7)
            if sum(a * b for a, b in zip(outward(cube(), str(number)), outward(cube(), str(other)), strict=True))
            < -0.99
        ]
        assert opposite == [7 - number]


def test_one_two_three_run_counterclockwise_about_their_corner_seen_from_outside():
    net = cube()
    normals = [outward(net, number) for number in "123"]
    eye = [sum(values) for values in zip(*normals, strict=True)]  # the one who looks at the corner is out there
    right = _cross((0.0, -1.0, 0.0), eye)  # as the eye sees it, with its head up
    up = _cross(eye, right)
    angles = [degrees(atan2(_dot(normal, up) / hypot(*up), _dot(normal, right) / hypot(*right))) for normal in normals]
    turns = [(later - earlier) % 360 for earlier, later in pairwise(angles)]
    assert turns == pytest.approx([120, 120])


def _dot(u, v):
    return sum(a * b for a, b in zip(u, v, strict=True))


def _cross(u, v):
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])


def test_the_four_sides_are_upright_when_three_is_on_top():
    net = cube()
    where = poses(net.panels, net.folds)
    assert outward(net, "3") == pytest.approx([0, -1, 0])
    assert all(where[number].down == pytest.approx((0, 1, 0)) for number in "5126")


def test_each_of_the_seven_open_edges_has_one_tab():
    net = cube()
    bent = fold(net)
    hinges = [hinge for hinge in net.folds if hinge.child in "123456"]
    assert len(hinges) == 5
    bases = [(bent[join.flap][0], bent[join.flap][-1]) for join in net.joins]
    assert len(bases) == 7
    assert all(sum(same_edge(base, other) for other in bases) == 1 for base in bases)


@pytest.mark.parametrize("size", SIZES)
def test_tabs_are_long_enough_and_slant_by_45_degrees(size):
    net = cube(size)
    for join in net.joins:
        start, second, third, end = net.panel(join.flap).outline
        assert dist(start, end) == pytest.approx(size)
        assert dist(start, second) * cos(pi / 4) == pytest.approx(tab_for(size))
        assert dist(second, third) == pytest.approx(size - 2 * tab_for(size))
        assert tab_for(size) >= min(4, 0.4 * size)


# ---- boxes


@pytest.mark.parametrize(("card", "count", "stock"), DECKS)
def test_a_box_holds_its_deck_with_the_clearance(card, count, stock):
    size = tuck_box_size(card, count, stock, clearance=1.5)
    assert size.inner == pytest.approx((card[0] + 1.5, card[1] + 1.5, count * stock + 1.5))
    # What is left between the walls when each layer of card between them is taken off (half of one at each fold).
    assert size.width - 0.3 == pytest.approx(size.inner[0])
    assert size.depth - 0.3 - 0.3 == pytest.approx(size.inner[2])
    assert size.height - 0.3 - 2 * 0.3 == pytest.approx(size.inner[1])


@pytest.mark.parametrize("what", DECKS)
def test_a_folded_box_has_the_right_size(what):
    size, bent = tuck_box_size(*what), fold(box(*what))
    corners = [corner for name in box_panels("tuck", (1, 1, 1)) for corner in bent[name]]
    spans = [max(values) - min(values) for values in zip(*corners, strict=True)]
    assert spans == pytest.approx([size.width, size.height, size.depth])


def test_the_faces_of_a_box_are_upright_and_its_lid_reads_from_the_front():
    net = box(*DECKS[0])
    where = poses(net.panels, net.folds)
    turns = {placed.frame.name: placed.turn for placed in net.placed}
    assert turns == {"front": 0, "right": 0, "back": 0, "left": 0, "top": 180, "bottom": 0}
    assert all(where[name].down == pytest.approx((0, 1, 0)) for name in ("front", "right", "back", "left"))
    assert where["top"].direction(0, -1, 0) == pytest.approx((0, 0, -1)), "the lid's lower edge is towards the reader"
    assert where["bottom"].direction(0, -1, 0) == pytest.approx((0, 0, -1)), "the bottom's upper edge is at the front"
    assert where["right"].behind == pytest.approx((-1, 0, 0)), "right of the front as one looks at it"


def test_glue_tabs_slant_by_45_to_60_degrees():
    for net in (box(*DECKS[0]), pawn()):
        for name in {join.flap for join in net.joins if join.glued} - {"bottom dust left", "bottom dust right"}:
            start, second, _, end = net.panel(name).outline
            base, flank = (end[0] - start[0], end[1] - start[1]), (second[0] - start[0], second[1] - start[1])
            angle = abs(atan2(base[0] * flank[1] - base[1] * flank[0], base[0] * flank[0] + base[1] * flank[1]))
            assert radians(45) - 1e-9 <= angle <= radians(60) + 1e-9
            assert hypot(*flank) * sin(angle) >= 4


def test_the_thumb_notch_is_cut_into_the_front():
    outline = box(*DECKS[0]).panel("front").outline
    top, middle = min(y for _, y in outline), (outline[0][0] + outline[-2][0]) / 2
    notch = [point for point in outline if dist(point, (middle, top)) < 20]
    assert len(notch) > 20
    assert all(dist(point, (middle, top)) == pytest.approx(9) for point in notch)
    assert max(y for _, y in notch) == pytest.approx(top + 9)


def test_a_box_may_have_blank_panels_but_not_be_too_small():
    assert not box_net("tuck", (64, 90, 16), {}).placed
    with pytest.raises(ValueError, match=r"a depth of 2\.0 mm is too small for a tuck box: at least 4 mm"):
        box_net("tuck", (64, 90, 2), {})


# ---- pawns


def test_a_pawn_stands_like_a_tent():
    net = pawn(14)
    bent = fold(net)
    feet = [bent["front"][2], bent["front"][3], bent["back"][0], bent["back"][1]]
    assert dist(feet[0], feet[3]) == pytest.approx(14)
    tip = [(a + b) / 2 for a, b in zip(bent["front"][0], bent["front"][1], strict=True)]
    under = [sum(values) / 4 for values in zip(*feet, strict=True)]
    assert dist(tip, under) == pytest.approx((34**2 - 7**2) ** 0.5)
    assert {placed.frame.name: placed.turn for placed in net.placed} == {"front": 0, "back": 180}


def test_refuses_pawns_that_cannot_stand():
    with pytest.raises(ValueError, match="floor of 60 mm"):
        pawn(60)


def test_faces_of_shipped_nets_have_a_bleed_at_every_edge_that_is_cut():
    """So a cut that strays shows nothing but the face."""
    for key in games.SHIPPED:
        press = press_of(key)
        for part in press.game.components.values():
            if part.kind in ("dice", "pawns", "box"):
                for placed in {id(net): net for net in pieces.nets(press, part)}.values():
                    for face in placed.placed:
                        left, top = face.x, face.y
                        right, bottom = left + face.box[0], top + face.box[1]
                        corners = (left, top), (right, top), (right, bottom), (left, bottom)
                        sides = dict(zip(("top", "right", "bottom", "left"), pairs(corners), strict=True))
                        reach = dict(zip(("left", "top", "right", "bottom"), face.clip, strict=True))
                        for name, (start, end) in sides.items():
                            others = [other for other in placed.placed if other is not face]
                            folded = any(touches(other, start, end) for other in others)
                            assert reach[name] == (0 if folded else 2), (key, part.name, face.frame.name, name)


def pairs(corners):
    return zip(corners, (*corners[1:], corners[0]), strict=True)


def touches(face, start, end):
    """Whether a face has this edge, too."""
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    right, bottom = face.x + face.box[0], face.y + face.box[1]
    return face.x - 1e-6 <= x <= right + 1e-6 and face.y - 1e-6 <= y <= bottom + 1e-6


def test_a_box_for_four_dice_has_their_room_inside():
    size = room_box_size((33, 33, 17))
    assert size.inner == (33, 33, 17)
    assert (size.width, size.height, size.depth) == pytest.approx((33.3, 33.9, 17.6))


# ---- bands


def test_a_band_folds_over_the_top_of_a_pad():
    panels = {name: Frame(name, *sizes, ()) for name, sizes in box_panels("band", (180, 26, 4)).items()}
    net = box_net("band", (180, 26, 4), panels)
    assert (net.width, net.height) == (180, 56)
    bent = fold(net)
    front, top, back = ({round(z, 6) for _, _, z in bent[name]} for name in ("front", "top", "back"))
    assert (front, top, back) == ({0}, {0, 4}, {4})
    assert {(round(x), round(y)) for x, y, _ in bent["front"]} == {(round(x), round(y)) for x, y, _ in bent["back"]}


def test_the_back_of_a_band_is_upright_from_behind():
    panels = {name: Frame(name, *sizes, ()) for name, sizes in box_panels("band", (180, 26, 4)).items()}
    assert {placed.frame.name: placed.turn for placed in box_net("band", (180, 26, 4), panels).placed}["back"] == 180


# ---- sleeves


def test_a_sleeve_is_open_at_both_ends_and_as_high_as_its_room():
    size = sleeve_size((64, 90, 16))
    assert size == pytest.approx((64.3, 90, 16.6))
    net = box_net("sleeve", size, {name: Frame(name, *sides, ()) for name, sides in box_panels("sleeve", size).items()})
    corners = [corner for name in box_panels("sleeve", size) for corner in fold(net)[name]]
    assert [max(values) - min(values) for values in zip(*corners, strict=True)] == pytest.approx([*size])
    assert {join.flap for join in net.joins} == {"side tab"}


# ---- trays


def tray(width=120.0, length=90.0, rim=18.0):
    panels = {name: Frame(name, *sizes, ()) for name, sizes in box_panels("tray", (width, length, rim)).items()}
    return box_net("tray", (width, length, rim), panels)


def test_the_walls_of_a_tray_stand_on_its_floor_with_their_print_inside():
    net = tray()
    assert (net.width, net.height) == (120 + 4 * 18, 90 + 4 * 18)
    bent, where = fold(net), poses(net.panels, net.folds)
    assert {z for _, _, z in bent["floor"]} == {0}
    middle = [sum(values) / 4 for values in zip(*bent["floor"], strict=True)]
    for side in ("back", "right", "front", "left"):
        inside, outside = (bent[f"{layer}-{side}"] for layer in ("inside", "outside"))
        assert {round(z, 6) for _, _, z in inside} == {0, -18}, "towards the eye, so that the floor is inside"
        assert sorted((round(x), round(y), round(z)) for x, y, z in inside) == sorted(
            (round(x), round(y), round(z)) for x, y, z in outside
        ), "one layer behind the other"
        out = [sum(values) / 4 - centre for values, centre in zip(zip(*inside, strict=True), middle, strict=True)]
        assert _dot(where[f"inside-{side}"].behind, out) > 0, "its print faces the floor"
        assert _dot(where[f"outside-{side}"].behind, out) < 0, "its print faces away from the floor"


def test_the_walls_of_a_tray_are_upright_on_both_sides():
    net = tray()
    where = poses(net.panels, net.folds)
    up = {0: (0, -1), 90: (1, 0), 180: (0, 1), 270: (-1, 0)}
    for placed in net.placed:
        if placed.frame.name != "floor":
            assert where[placed.frame.name].direction(*up[placed.turn], 0) == pytest.approx((0, 0, -1)), placed.frame


def test_impossible_trays_are_refused():
    with pytest.raises(ValueError, match=r"a height of 20\.0 mm is too small for a tray box: at least 30 mm"):
        box_net("tray", (120, 20, 18), {})
    with pytest.raises(ValueError, match=r"a depth of 5\.0 mm is too small"):
        box_net("tray", (120, 90, 5), {})


def test_print_shops_get_the_outline_of_a_tray_in_one_piece_and_its_folds():
    lines = die_lines(tray(), 8)
    assert [name for name, *_ in lines[CUT]].count("M") == 1
    assert [name for name, *_ in lines[CREASE]].count("L") == 4 + 4 + 4, "walls, rims and tabs"


def test_a_tray_too_large_for_the_paper_is_refused_with_its_place():
    press = press_of("upwards")
    with pytest.raises(InputError, match=r"game\.yaml:\d+: tray does not fit: needs 192\.0 × 162\.0 mm"):
        press.pages(press.part("tray"), paper("a5"))
