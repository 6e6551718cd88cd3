"""The geometry of boards: curves, outlines, rings, tracks and grids."""

from __future__ import annotations

from itertools import pairwise
from math import cos, dist, hypot, pi, radians, sin, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.art.board_plan import line_of, outline, ring, track
from generator.geometry import polygons

SHAPES = ("round", "square", "diamond", "hex", "pointed-hex")


# ---- rings and tracks


def test_a_ring_starts_at_the_top_and_has_equal_steps():
    spots = ring((100, 50), 40, 8)
    assert [(spot.x, spot.y) for spot in spots[::2]] == [
        pytest.approx(point) for point in ((100, 10), (140, 50), (100, 90), (60, 50))
    ]
    assert {
        round(dist((first.x, first.y), (second.x, second.y)), 6) for first, second in pairwise([*spots, spots[0]])
    } == {round(80 * sin(radians(22.5)), 6)}
    assert [spot.heading for spot in spots[:3]] == pytest.approx([0, 45, 90])


def test_a_ring_may_start_elsewhere_and_go_the_other_way():
    spots = ring((0, 0), 10, 4, 90, clockwise=False)
    assert [(round(spot.x, 6), round(spot.y, 6)) for spot in spots] == [(10, 0), (0, -10), (-10, 0), (0, 10)]
    assert spots[0].heading == pytest.approx(270), "up on the right side"


def test_spots_of_a_track_are_evenly_spaced():
    spots = track(line_of([(0, 0), (30, 0), (30, 30)]), 7)
    assert [(spot.x, spot.y) for spot in spots] == [
        pytest.approx(point) for point in ((0, 0), (10, 0), (20, 0), (30, 0), (30, 10), (30, 20), (30, 30))
    ]
    assert [spot.heading for spot in spots] == pytest.approx([0, 0, 0, 45, 90, 90, 90])


def test_spots_of_a_closed_track_go_all_the_way_round():
    spots = track(line_of([(0, 0), (30, 0), (30, 30), (0, 30)], closed=True), 6, closed=True)
    assert [(spot.x, spot.y) for spot in spots] == [
        pytest.approx(point) for point in ((0, 0), (20, 0), (30, 10), (30, 30), (10, 30), (0, 20))
    ]


def test_a_single_spot_is_in_the_middle():
    (spot,) = track(line_of([(0, 0), (30, 0)]), 1)
    assert (spot.x, spot.y) == (15, 0)


points = st.lists(st.tuples(st.integers(0, 200), st.integers(0, 200)), min_size=2, max_size=8, unique=True)


@given(points=points, n=st.integers(2, 20), closed=st.booleans())
@settings(max_examples=50, deadline=None)
def test_smooth_tracks_pass_through_their_points_at_even_distances(points, n, closed):
    spots = track(line_of(points, smooth=True, closed=closed), n, closed=closed)
    line = polygons.smooth(points, closed=closed)
    assert all(min(dist(point, other) for other in line.points) < 1e-6 for point in points)
    steps = {round(second.along - first.along, 6) for first, second in pairwise(spots)}
    assert max(steps) - min(steps) < 1e-5
    assert spots[-1].along == pytest.approx(line.length * ((n - 1) / n if closed else 1))
    for first, second in pairwise(spots):
        assert dist((first.x, first.y), (second.x, second.y)) <= second.along - first.along + 1e-6


def test_a_smooth_line_has_no_corners():
    line = polygons.smooth([(0, 0), (50, 0), (50, 50), (0, 60)])
    ways = [polygons.heading(first, second) for first, second in pairwise(line.points)]
    assert max(abs((second - first + 180) % 360 - 180) for first, second in pairwise(ways)) < 12


# ---- curves


def test_lengths_are_measured_along_the_line():
    line = polygons.curve([(0, 0), (30, 0), (30, 0), (30, 40)])
    assert line.length == 70
    assert [line.at(length) for length in (-5, 0, 15, 30, 50, 70, 99)] == [
        (0, 0),
        (0, 0),
        (15, 0),
        (30, 0),
        (30, 20),
        (30, 40),
        (30, 40),
    ]
    part = line.part(20, 50)
    assert part.points == ((20, 0), (30, 0), (30, 20))


def test_an_arc_has_the_right_length_and_many_segments():
    arc = polygons.circle_part((0, 0), 50, 0, 90)
    assert arc.length == pytest.approx(50 * pi / 2, rel=1e-4)
    drawn = [segment[1:] for segment in arc.path]
    assert len(drawn) < 70 < len(arc.points), "simplified"
    for start, end in pairwise(drawn):
        middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        assert 50 - 0.02 < hypot(*middle) <= 50


@pytest.mark.parametrize("bend", [8, -8])
def test_a_bent_line_passes_to_the_right_of_its_middle(bend):
    line = polygons.bent((0, 0), (60, 0), bend)
    assert line.at(line.length / 2) == pytest.approx((30, bend)), "y down: the right of one who goes right"
    assert polygons.bent((0, 0), (60, 0), 0).points == ((0, 0), (60, 0))


def test_a_line_needs_two_different_points():
    with pytest.raises(ValueError, match="two different points"):
        polygons.bent((5, 5), (5, 5), 3)


# ---- outlines


@pytest.mark.parametrize("shape", SHAPES)
def test_an_outline_has_the_right_size_from_side_to_side(shape):
    drawn = outline(shape, 100, 100, 20)
    angles = {"round": 17, "square": 0, "diamond": 45, "hex": 90, "pointed-hex": 0}
    way = cos(radians(angles[shape])), sin(radians(angles[shape]))
    assert drawn.distance((100 + 10 * way[0], 100 + 10 * way[1])) == pytest.approx(0)
    assert drawn.distance((100 - 10 * way[0], 100 - 10 * way[1])) == pytest.approx(0)
    assert drawn.distance((100, 100)) == pytest.approx(-10)
    assert drawn.distance((100 + 15 * way[0], 100 + 15 * way[1])) == pytest.approx(5)


def test_hexes_lie_on_a_side_or_stand_on_a_corner():
    lying, standing = outline("hex", 0, 0, 20), outline("pointed-hex", 0, 0, 20)
    assert lying.bounds == pytest.approx((-20 / sqrt(3), -10, 20 / sqrt(3), 10))
    assert standing.bounds == pytest.approx((-10, -20 / sqrt(3), 10, 20 / sqrt(3)))


def test_the_distance_of_a_point_off_a_corner_is_to_the_corner():
    assert outline("square", 0, 0, 20).distance((13, 14)) == pytest.approx(5)


@given(
    one=st.sampled_from(SHAPES),
    two=st.sampled_from(SHAPES),
    x=st.floats(-30, 30),
    y=st.floats(-30, 30),
    size=st.floats(4, 30),
)
@settings(max_examples=200, deadline=None)
def test_outlines_overlap_if_they_share_points(one, two, x, y, size):
    """Compared with a raster of points of the second outline, some of which are in the first."""
    here, there = outline(one, 0, 0, 20), outline(two, x, y, size)
    depth = here.overlap(there)
    assert depth == pytest.approx(there.overlap(here))
    grid = [(x + size * i / 24, y + size * j / 24) for i in range(-18, 19) for j in range(-18, 19)]
    shared = any(there.distance(point) <= 0 and here.distance(point) <= 0 for point in grid)
    if shared:
        assert depth >= -1e-9
    if depth > size / 8:
        assert shared


@pytest.mark.parametrize("shape", SHAPES)
def test_an_outline_is_drawn_as_it_is_measured(shape):
    drawn = outline(shape, 40, 60, 18)
    ends = [(float(segment[-2]), float(segment[-1])) for segment in drawn.path if segment[0] != "Z"]
    assert all(drawn.distance(point) == pytest.approx(0, abs=1e-6) for point in ends)
    assert drawn.path[-1] == ("Z",)
