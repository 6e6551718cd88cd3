"""The macro for tracks: evenly spaced spaces in playing order, none over another."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import dist

import pytest

from generator.art import board_plan
from generator.layout.flaws import box_of
from tests.layout_fixtures import overlaps

NEAR = 0.01
WAYS = [
    ("straight", 10, 12),
    ("down", 10, 7),
    ("snake", 5, 23),
    ("ring", 0, 9),
    ("ring", 0, 24),
    ("oval", 5, 26),
    ("oval", 0, 12),
    ("border", 8, 30),
    ("border", 2, 4),
]
PLAIN = 'every=0, line="none"'


def plain(macros, way, across, count, shape="round", more=""):
    return macros.draw(f'tracks.track({count}, "{way}", 10, 2, "{shape}", {across}, {PLAIN}{more})')


def gap(space, other):
    """The distance between two spaces."""
    if not space.corners:
        return -space.overlap(other)
    return min(space.distance(corner) for space, other in ((space, other), (other, space)) for corner in other.corners)


@pytest.mark.parametrize(("way", "across", "count"), WAYS)
def test_neighbours_are_one_gap_apart(macros, way, across, count):
    drawn = plain(macros, way, across, count)
    spaces = drawn.outlines
    assert len(spaces) == count and drawn.texts == [str(n) for n in range(1, count + 1)]
    assert all(space.radius == pytest.approx(5, abs=NEAR) for space in spaces)
    steps = [*pairwise(spaces), (spaces[-1], spaces[0])] if way in ("ring", "oval", "border") else pairwise(spaces)
    assert [dist(first.middle, second.middle) for first, second in steps] == pytest.approx(
        [12.0] * (count if way in ("ring", "oval", "border") else count - 1), abs=NEAR
    )


@pytest.mark.parametrize("shape", ["round", "square"])
@pytest.mark.parametrize(("way", "across", "count"), WAYS)
def test_no_two_spaces_are_closer_than_the_gap(macros, way, across, count, shape):
    spaces = plain(macros, way, across, count, shape).outlines
    assert min(gap(space, other) for space, other in combinations(spaces, 2)) == pytest.approx(2, abs=NEAR)


@pytest.mark.parametrize(("way", "across", "count"), WAYS)
def test_numbers_are_in_their_spaces(macros, way, across, count):
    drawn = plain(macros, way, across, count, "square")
    for space, run in zip(drawn.outlines, drawn.runs, strict=True):
        box = box_of(run)
        assert all(space.distance((x, y)) < 0 for x in (box.x, box.right) for y in (box.y, box.bottom))


def test_a_ring_is_a_circle_that_starts_at_the_top(macros):
    spaces = plain(macros, "ring", 0, 16).outlines
    x, y = (sum(numbers) / 16 for numbers in zip(*(space.middle for space in spaces), strict=True))
    expected = board_plan.ring((x, y), dist((x, y), spaces[0].middle), 16)
    for space, spot in zip(spaces, expected, strict=True):
        assert dist(space.middle, (spot.x, spot.y)) < NEAR
    assert min(space.y for space in spaces) == spaces[0].y == pytest.approx(5, abs=NEAR)


def test_an_oval_has_straight_sides_above_and_below(macros):
    spaces = plain(macros, "oval", 6, 24).outlines
    assert len({round(space.y, 2) for space in (spaces[-1], *spaces[:7])}) == 1
    assert len({round(space.y, 2) for space in spaces[11:19]}) == 1
    assert max(space.x for space in spaces) - min(space.x for space in spaces) > 12 * 7


def test_a_snake_runs_to_and_fro(macros):
    rows = {True: [], False: []}
    for upwards in rows:
        more = f", upwards={str(upwards).lower()}"
        rows[upwards] = [(round(s.x), round(s.y)) for s in plain(macros, "snake", 4, 10, more=more).outlines]
    assert rows[False] == [(5, 5), (17, 5), (29, 5), (41, 5), (41, 17), (29, 17), (17, 17), (5, 17), (5, 29), (17, 29)]
    assert rows[True] == [(x, 34 - y) for x, y in rows[False]]


def test_a_border_runs_around_a_rectangle(macros):
    spaces = plain(macros, "border", 5, 14).outlines
    assert [(round(s.x), round(s.y)) for s in spaces] == [
        (5, 5),
        (17, 5),
        (29, 5),
        (41, 5),
        (53, 5),
        (53, 17),
        (53, 29),
        (53, 41),
        (41, 41),
        (29, 41),
        (17, 41),
        (5, 41),
        (5, 29),
        (5, 17),
    ]


# ---- looks --------------------------------------------------------------------------------------------------------


def test_every_nth_number_is_emphasised(macros):
    drawn = macros.draw('tracks.track(12, first=0, every=4, line="none", strong="#cccccc", fill="#ffffff")')
    strong = [run.text for run, shape in zip(drawn.runs, drawn.shapes, strict=True) if shape.fill == "#cccccc"]
    heavy = [run.text for run, shape in zip(drawn.runs, drawn.shapes, strict=True) if shape.stroke_width > 0.5]
    large = [run.text for run in drawn.runs if run.size > min(other.size for other in drawn.runs) * 1.15]
    assert strong == heavy == large == ["0", "4", "8"]


def test_a_heavy_outline_stays_in_its_space(macros):
    drawn = macros.draw('tracks.track(6, every=2, gap=0, shape="square", line="none")')
    for shape, space in zip(drawn.shapes, drawn.outlines, strict=True):
        left, right = (f(x for x, _ in space.corners) for f in (min, max))
        assert right - left + shape.stroke_width == pytest.approx(9.25, abs=NEAR)


def test_start_and_finish_are_words(macros):
    drawn = macros.draw('tracks.track(5, start="Go", finish="End", ends="#101010")')
    assert drawn.texts == ["Go", "2", "3", "4", "End"]
    assert drawn.around("Go").fill == drawn.around("End").fill == "#101010" != drawn.around("2").fill
    assert drawn.run("Go").colour == "#ffffff"


@pytest.mark.parametrize("number", ["3", '"3"'])
def test_a_single_space_can_look_different(macros, number):
    drawn = macros.draw(f'tracks.track(5, spaces={{{number}: {{"text": "?", "fill": "#abcdef"}}}}, line="none")')
    assert drawn.texts == ["1", "2", "?", "4", "5"] and drawn.around("?").fill == "#abcdef"


def test_the_line_runs_from_space_to_space(macros):
    drawn = macros.draw('tracks.track(7, "snake", across=3, line="#00aa00")')
    line, *spaces = drawn.shapes
    assert line.stroke == "#00aa00" and line.fill is None and len(spaces) == 7
    for segment, space in zip(
        line.path, macros.draw('tracks.track(7, "snake", across=3, line="none")').outlines, strict=True
    ):
        assert dist(segment[1:], space.middle) < NEAR


@pytest.mark.parametrize("shape", ["round", "square"])
@pytest.mark.parametrize(("way", "across", "count"), WAYS)
def test_slots_are_in_their_spaces(macros, way, across, count, shape):
    drawn = plain(macros, way, across, count, shape, ', first=0, slots="t.{number}.{printed}"')
    assert [slot.id for slot in drawn.slots] == [f"t.{n + 1}.{n}" for n in range(count)] and not overlaps(drawn.frame)
    for space, slot in zip(drawn.outlines, drawn.slots, strict=True):
        ends = [(x, y) for x in (slot.x, slot.x + slot.width) for y in (slot.y, slot.y + slot.height)]
        assert max(map(space.distance, ends)) < NEAR and slot.width > 6.5
