"""Distances of drawn lines from boxes."""

from __future__ import annotations

from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.geometry import outlines
from generator.geometry.outlines import Rect
from tests.pages.laws import Line, apart, covered, distance, holds_point, lines, within

BOX = Rect(10, 10, 20, 10)
coordinate = st.integers(0, 40).map(float)


@pytest.mark.parametrize(
    ("line", "away"),
    [
        (Line(0, 15, 7, 15), 3),
        (Line(33, 0, 33, 40), 3),
        (Line(0, 6, 40, 6), 4),
        (Line(0, 15, 40, 15), 0),
        (Line(12, 12, 13, 13), 0),
        (Line(33, 24, 50, 60), 5),
        (Line(0, 10, 10, 0), hypot(5, 5)),
        (Line(30, 20, 40, 40), 0),
    ],
)
def test_distance_of_a_line(line, away):
    assert distance(line, BOX) == pytest.approx(away)


@given(coordinate, coordinate, coordinate, coordinate)
def test_distance_is_that_of_the_nearest_point(x1, y1, x2, y2):
    points = ((x1 + (x2 - x1) * t / 200, y1 + (y2 - y1) * t / 200) for t in range(201))
    nearest = min(hypot(max(10 - x, x - 30, 0), max(10 - y, y - 20, 0)) for x, y in points)
    assert distance(Line(x1, y1, x2, y2), BOX) == pytest.approx(nearest, abs=0.15)


def test_the_part_within_a_box():
    assert within(Line(0, 15, 40, 15), BOX) == (10, 15, 30, 15)
    assert within(Line(20, 0, 20, 12), BOX) == (20, 10, 20, 12)
    assert within(Line(0, 9, 40, 9), BOX) is None
    assert within(Line(0, 0, 5, 5), BOX) is None


def test_boxes_apart():
    assert apart(BOX, Rect(33, 24, 5, 5)) == 5
    assert apart(BOX, Rect(30, 0, 5, 50)) == 0
    assert apart(BOX, Rect(15, 12, 1, 1)) == 0


def test_lines_of_a_path_close_it():
    assert list(lines(outlines.rect(0, 0, 2, 1))) == [(0, 0, 2, 0), (2, 0, 2, 1), (2, 1, 0, 1), (0, 1, 0, 0)]


def test_a_circle_has_many_segments():
    for line in lines(outlines.ellipse(0, 0, 10, 10)):
        middle = (line.x1 + line.x2) / 2, (line.y1 + line.y2) / 2
        assert hypot(middle[0] - 5, middle[1] - 5) == pytest.approx(5, abs=0.03)


def test_a_filled_path_covers_its_inside():
    ring = (*outlines.ellipse(0, 0, 10, 10), *outlines.ellipse(3, 3, 4, 4))
    assert holds_point(ring, 1, 5) and not holds_point(ring, 5, 5) and not holds_point(ring, 0.5, 0.5)
    unclosed = (("M", 0.0, 0.0), ("L", 4.0, 0.0), ("L", 0.0, 4.0), ("M", 10.0, 0.0), ("L", 14.0, 0.0), ("L", 10.0, 4.0))
    assert holds_point(unclosed, 1, 1) and holds_point(unclosed, 11, 1) and not holds_point(unclosed, 7, 1)


def test_covered_detects_gaps():
    assert covered(0, 10, [(4, 12), (-1, 4)], 0.05)
    assert not covered(0, 10, [(0, 4), (4.2, 10)], 0.05)
    assert not covered(0, 10, [(0.2, 10)], 0.05)
    assert not covered(0, 10, [(0, 9.8)], 0.05)
    assert not covered(0, 10, [], 0.05)
