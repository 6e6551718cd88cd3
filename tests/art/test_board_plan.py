"""Lays out boards from their graphs: positions of spaces, edges from outline to outline, and errors."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import dist, hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator import nodes
from generator.art import svg_values
from generator.art.board_plan import lay_out
from generator.errors import InputError
from generator.geometry import outlines
from generator.model.board import BoardFile
from generator.reading import typed
from generator.reading.board_graph import board, reachable

DEMO = """\
size: 300 x 220
gap: 1
fields:
  number: {kind: number}
kinds:
  start: {size: 30}
  stop: {size: 14}
  gate: {shape: diamond, size: 12}
  hex: {shape: hex, size: 16}
spaces:
  start: {kind: start, x: 150, y: 190, label: Start}
  hub: {kind: hex, x: 80, y: 90}
tracks:
  road:
    points: [{x: 120, y: 200}, {x: 30, y: 190}, {x: 20, y: 60}, {x: 120, y: 20}, {x: 280, y: 30}]
    smooth: true
    kind: stop
    spaces: {r1: {fields: {number: 7}}, r2: {}, r3: {}, r4: {kind: gate}, r5: {}, r6: {}, r7: {}}
  fence:
    points: [{x: 280, y: 190}, {x: 280, y: 110}, {x: 200, y: 110}]
    kind: gate
    one_way: true
    spaces: {f1: {}, f2: {}, f3: {}}
rings:
  wheel:
    centre: {x: 80, y: 90}
    radius: 34
    kind: gate
    one_way: true
    start: 15
    spaces: {w1: {}, w2: {}, w3: {}, w4: {}, w5: {}}
edges:
  - {from: start, to: r1, one_way: true}
  - {from: start, to: f1, bend: 6}
  - {from: f3, to: r7, one_way: true, bend: -20}
  - {from: hub, to: w1}
  - {from: w2, to: f3}
"""


def read(text):
    return board(typed.read(nodes.document(text, "board.yaml"), BoardFile))


def problems(text):
    with pytest.raises(InputError) as caught:
        lay_out(read(text))
    return [str(problem) for problem in caught.value.problems]


@pytest.fixture(scope="module")
def plan():
    return lay_out(read(DEMO))


# ---- spaces


def test_every_space_occurs_once_with_its_fields(plan):
    assert list(plan.spaces) == [
        "start",
        "hub",
        "r1",
        "r2",
        "r3",
        "r4",
        "r5",
        "r6",
        "r7",
        "f1",
        "f2",
        "f3",
        "w1",
        "w2",
        "w3",
        "w4",
        "w5",
    ]
    first = plan.spaces["r1"]
    assert (first.x, first.y, first.kind, first.values["number"]) == (120, 200, "stop", 7)
    assert plan.spaces["start"].label == "Start"
    assert (plan.width, plan.height) == (300, 220)


def test_spaces_on_a_ring_are_at_its_radius_and_those_of_a_track_evenly_spaced(plan):
    wheel = [plan.spaces[f"w{n}"] for n in range(1, 6)]
    assert all(hypot(space.x - 80, space.y - 90) == pytest.approx(34) for space in wheel)
    assert [(plan.spaces[name].x, plan.spaces[name].y) for name in ("f1", "f2", "f3")] == [
        (280, 190),
        (280, 110),
        (200, 110),
    ]


def test_all_spaces_are_on_the_board_without_overlap(plan):
    for first, second in combinations(plan.spaces.values(), 2):
        assert first.outline.overlap(second.outline) <= 0
    for space in plan.spaces.values():
        left, top, right, bottom = space.outline.bounds
        assert min(left, top) >= 0
        assert right <= 300
        assert bottom <= 220


# ---- edges


def ends(edge):
    points = [segment[1:] for segment in edge.path]
    return points[0], edge.arrow[0] if edge.head else points[-1]


def test_edges_run_from_outline_to_outline_and_keep_the_gap(plan):
    assert len(plan.edges) == 6 + 2 + 5 + 5
    for edge in plan.edges:
        first, last = ends(edge)
        assert plan.spaces[edge.start].outline.distance(first) == pytest.approx(1, abs=0.001)
        assert plan.spaces[edge.end].outline.distance(last) == pytest.approx(1, abs=0.001)


def test_edges_touch_no_other_space(plan):
    for edge in plan.edges:
        points = [segment[1:] for segment in edge.path]
        close = [
            (start[0] + (end[0] - start[0]) * i / count, start[1] + (end[1] - start[1]) * i / count)
            for start, end in pairwise(points)
            for count in [int(dist(start, end)) + 1]
            for i in range(count + 1)
        ]
        for space in plan.spaces.values():
            if space.id not in (edge.start, edge.end):
                assert min(space.outline.distance(point) for point in close) > 0.4


def test_edges_follow_their_ring_or_track(plan):
    for edge in plan.edges:
        points = [segment[1:] for segment in edge.path]
        if edge.along == "wheel":
            assert all(hypot(x - 80, y - 90) == pytest.approx(34, abs=0.01) for x, y in points)
        if edge.along == "fence":
            assert all(x == pytest.approx(280) or y == pytest.approx(110) for x, y in points)
    assert {edge.along for edge in plan.edges} == {"", "road", "fence", "wheel"}


def test_one_way_edges_have_a_head_whose_tip_points_at_the_end(plan):
    for edge in plan.edges:
        assert bool(edge.head) == edge.one_way
        if edge.one_way:
            tip, left, right = edge.arrow
            foot = (left[0] + right[0]) / 2, (left[1] + right[1]) / 2
            end = plan.spaces[edge.end]
            assert dist(left, right) == pytest.approx(2.8)
            assert dist(tip, (end.x, end.y)) < dist(foot, (end.x, end.y))
            last = edge.path[-1][1:]
            assert dist(last, foot) < 3.2, "the line ends inside the head"
            assert dist(last, tip) > 1


def test_bent_edges_bend_to_the_right(plan):
    edge = next(candidate for candidate in plan.edges if (candidate.start, candidate.end) == ("start", "f1"))
    middle = edge.line.at(edge.line.length / 2)
    assert middle[1] == pytest.approx(196, abs=0.5), "going right, the right is down"


def test_path_data_equals_the_path(plan):
    for edge in plan.edges:
        read_back = svg_values.segments(edge.d)
        assert [segment[0] for segment in read_back] == [segment[0] for segment in edge.path]
        for actual, expected in zip(read_back, edge.path, strict=True):
            assert actual[1:] == pytest.approx(expected[1:], abs=0.01)
        assert bool(edge.head_d) == edge.one_way
    assert outlines.bounds(svg_values.segments(plan.spaces["hub"].d)) == pytest.approx(
        plan.spaces["hub"].outline.bounds, abs=0.01
    )


def test_the_demo_is_one_graph():
    plan = read(DEMO)
    assert reachable("start", plan.edges) == set(plan.spaces)


# ---- what is refused


def test_reports_overlapping_spaces_in_mm():
    messages = problems(DEMO.replace("hub: {kind: hex, x: 80, y: 90}", "hub: {kind: hex, x: 80, y: 63}"))
    assert [line for line in messages if "“hub” and “w1” overlap by" in line]
    assert all(line.startswith("board.yaml:") for line in messages)


def test_reports_a_space_beyond_the_edge_in_mm():
    messages = problems(DEMO.replace("{x: 280, y: 190}", "{x: 295, y: 190}"))
    assert "board.yaml:23: the space “f1” extends 3.5 mm beyond the edge of the board" in messages


def test_reports_an_edge_through_another_space():
    messages = problems(DEMO.replace("bend: -20", "bend: 0") + "  - {from: r3, to: f3}\n")
    assert any(
        line.startswith("board.yaml:38: the edge from “r3” to “f3” runs through the space “w3”; bend")
        for line in messages
    )


def small(a, b, *more, edge="{from: a, to: b}"):
    spaces = "".join(
        f"  {name}: {{kind: p, x: {x}, y: {y}}}\n"
        for name, (x, y) in {"a": a, "b": b, **dict(zip("cd", more, strict=False))}.items()
    )
    return f"size: 100 x 60\nkinds: {{p: {{size: 10}}}}\nspaces:\n{spaces}edges:\n  - {edge}\n"


def test_reports_an_edge_too_close_to_a_space():
    (message,) = problems(small((10, 10), (90, 10), (50, 15.2)) + "  - {from: a, to: c, bend: 10}\n")
    assert message.startswith("board.yaml:8: the edge from “a” to “b” passes only 0.2 mm from the space “c”; bend")


def test_reports_spaces_too_close_for_their_edge():
    (message,) = problems(small((10, 10), (23, 10), edge="{from: a, to: b, one_way: true}"))
    assert message.startswith("board.yaml:7: no room for the edge from “a” to “b”: needs 4.0 mm, has 1.4 mm")


def test_two_spaces_at_one_point_only_overlap():
    assert problems(small((10, 10), (10, 10))) == ["board.yaml:5: the spaces “a” and “b” overlap by 10.0 mm"]


def test_outlines_that_share_a_side_do_not_overlap():
    text = (
        "size: 100 x 60\nkinds: {p: {shape: square, size: 20}}\nspaces:\n  a: {kind: p, x: 10, y: 10}\n"
        "  b: {kind: p, x: 30, y: 10}\n"
    )
    assert len(lay_out(read(text)).spaces) == 2


def no_edge_enters_a_space(plan):
    for edge in plan.edges:
        first, last = ends(edge)
        assert plan.spaces[edge.start].outline.distance(first) > 0.5
        assert plan.spaces[edge.end].outline.distance(last) > 0.5


@given(
    st.lists(st.tuples(st.floats(10, 190), st.floats(10, 190)), min_size=2, max_size=5),
    st.floats(-40, 40),
    st.booleans(),
)
@settings(max_examples=30, deadline=None)
def test_any_board_is_valid_or_refused(places, bend, one_way):
    spaces = "".join(f"  s{n}: {{kind: p, x: {x:.3f}, y: {y:.3f}}}\n" for n, (x, y) in enumerate(places))
    edges = "".join(
        f"  - {{from: s{n}, to: s{n + 1}, bend: {bend:.3f}, one_way: {str(one_way).lower()}}}\n"
        for n in range(len(places) - 1)
    )
    text = f"size: 200 x 200\nkinds: {{p: {{shape: hex, size: 14}}}}\nspaces:\n{spaces}edges:\n{edges}"
    try:
        plan = lay_out(read(text))
    except InputError as error:
        assert error.problems
        return
    test_all_spaces_are_on_the_board_without_overlap(plan)
    no_edge_enters_a_space(plan)
    test_edges_touch_no_other_space(plan)
