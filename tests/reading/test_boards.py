"""Boards become graphs of spaces and edges; every contradiction is reported with its line."""

import pytest

from generator import nodes
from generator.errors import InputError
from generator.model.board import BoardFile
from generator.reading import typed
from generator.reading.board_graph import board, reachable

HEAD = """\
size: 200 x 200
kinds:
  plain: {size: 10}
  big: {shape: hex, size: 20}
regions:
  north: {title: The North, colour: "#3366aa"}
fields:
  number: {kind: number, span: 1-12}
  suit: {kind: choice, choices: [dragon, tiger]}
"""
BODY = """\
spaces:
  start: {kind: big, x: 100, y: 180, label: Start}
tracks:
  road:
    points: [{x: 20, y: 20}, {x: 180, y: 20}]
    kind: plain
    region: north
    one_way: true
    spaces:
      road-1: {fields: {number: 3, suit: tiger}}
      road-2: {}
      road-3: {kind: big}
rings:
  loop:
    centre: {x: 100, y: 100}
    radius: 40
    kind: plain
    spaces: {loop-1: {}, loop-2: {}, loop-3: {}, loop-4: {}}
edges:
  - {from: start, to: road-1, one_way: true}
  - {from: road-3, to: loop-1, bend: 4}
"""


def read(text):
    return board(typed.read(nodes.document(text, "board.yaml"), BoardFile))


def problems(text):
    with pytest.raises(InputError) as caught:
        read(text)
    return [str(problem) for problem in caught.value.problems]


def test_spaces_take_the_kind_and_region_of_their_track():
    graph = read(HEAD + BODY)
    assert list(graph.spaces) == ["start", "road-1", "road-2", "road-3", "loop-1", "loop-2", "loop-3", "loop-4"]
    assert [(space.kind, space.region) for space in graph.spaces.values()][:4] == [
        ("big", ""),
        ("plain", "north"),
        ("plain", "north"),
        ("big", "north"),
    ]
    assert graph.spaces["start"].label == "Start"


def test_fields_of_spaces_are_read_by_their_declared_kinds():
    graph = read(HEAD + BODY)
    assert dict(graph.spaces["road-1"].values) == {"number": 3, "suit": "tiger"}
    assert dict(graph.spaces["road-2"].values) == {"number": None, "suit": None}


def test_spaces_may_share_a_value_whatever_its_field_is_called():
    text = (
        (HEAD + BODY)
        .replace("  suit: {", "  id: {")
        .replace("suit: tiger}}\n      road-2: {}", "id: tiger}}\n      road-2: {fields: {id: tiger}}")
    )
    assert [space.values["id"] for space in read(text).spaces.values()][1:3] == ["tiger", "tiger"]


def test_tracks_are_connected_in_a_line_and_rings_in_a_circle():
    graph = read(HEAD + BODY)
    edges = [(edge.start, edge.end, edge.one_way, edge.along) for edge in graph.edges]
    assert edges[:2] == [("road-1", "road-2", True, "road"), ("road-2", "road-3", True, "road")]
    assert [edge[:2] for edge in edges[2:6]] == [
        ("loop-1", "loop-2"),
        ("loop-2", "loop-3"),
        ("loop-3", "loop-4"),
        ("loop-4", "loop-1"),
    ]
    assert graph.edges[-1].bend == 4


def test_steps_go_both_ways_except_on_one_way_edges():
    graph = read(HEAD + BODY)
    assert graph.steps("road-2") == ("road-3",)
    assert set(graph.steps("loop-1")) == {"loop-2", "loop-4", "road-3"}
    assert reachable("start", graph.edges) == set(graph.spaces)
    assert reachable("road-2", graph.edges) == set(graph.spaces) - {"start", "road-1"}


def test_a_closed_track_leads_back_to_its_first_space():
    graph = read(
        HEAD
        + """\
tracks:
  round:
    points: [{x: 20, y: 20}, {x: 180, y: 20}, {x: 100, y: 180}]
    closed: true
    kind: plain
    spaces: {a: {}, b: {}, c: {}}
"""
    )
    assert [(edge.start, edge.end) for edge in graph.edges] == [("a", "b"), ("b", "c"), ("c", "a")]


def test_a_board_without_edges_is_a_plain_set_of_spaces():
    assert not read(HEAD + "spaces: {a: {kind: plain, x: 20, y: 20}, b: {kind: plain, x: 60, y: 20}}").edges


def test_every_contradiction_is_reported_with_its_line():
    messages = problems(
        HEAD
        + """\
spaces:
  a: {kind: plane, x: 20, y: 20}
  b: {kind: plain, x: 20}
  c: {x: 20, y: 60, region: nord}
  d: {kind: plain, x: 20, y: 90, fields: {numbr: 3, suit: dragoon}}
tracks:
  road: {points: [{x: 1, y: 1}], spaces: {a: {kind: plain, x: 3}, e: {kind: plain}}}
edges:
  - {from: b, to: f}
  - {from: b, to: b}
  - {from: d, to: b}
  - {from: b, to: d}
"""
    )
    expected = [
        "11: space “a”: no kind “plane”; did you mean plain?",
        "12: space “b” needs x and y",
        "13: space “c”: no region “nord”; did you mean north?",
        "13: space “c” needs a kind",
        "14: space “d”: unknown field “numbr”; did you mean number?",
        "14: “suit” must be one of dragon, tiger, not “dragoon”; did you mean dragon?",
        "16: track “road” needs at least two different points",
        "16: two spaces have the id “a”; the first is in board.yaml:11",
        "16: space “a” must not have x and y: “road” places it",
        "18: edge: no space “f”",
        "19: this edge leads from “b” to itself",
        "21: this is a second edge between “b” and “d”",
    ]
    lines = [line.removeprefix("board.yaml:") for line in messages]
    assert len(lines) == len(expected)
    for message in expected:
        assert any(line.startswith(message) for line in lines), (message, lines)


def test_a_missing_required_field_is_reported():
    text = HEAD.replace("span: 1-12", "span: 1-12, required: true") + "spaces: {a: {kind: plain, x: 20, y: 20}}"
    assert problems(text) == ["board.yaml:10: space “a” needs “number”"]


def test_unconnected_spaces_are_reported():
    (message,) = problems(HEAD + BODY.replace("  - {from: road-3, to: loop-1, bend: 4}\n", ""))
    assert "no edges connect loop-1, loop-2, loop-3, loop-4 with “start”" in message


def test_a_one_way_edge_connects_both_of_its_spaces():
    graph = read(HEAD + BODY.replace("{from: start, to: road-1", "{from: road-1, to: start"))
    assert reachable("start", graph.edges) == {"start"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("size: 200 x 200", "size: 90000 x 200", "at most 1500 mm"),
        ("plain: {size: 10}", "plain: {size: 0}", "board.yaml:3: “size” must be from 1 to 1500 mm, not “0”"),
        ("radius: 40", "radius: -40", "“radius” must be from 1 to 1500 mm, not “-40”"),
        ("{x: 100, y: 100}", "{x: 90000, y: 100}", "ring “loop”: its centre is not on the board"),
        ("{x: 180, y: 20}", "{x: 18000, y: 20}", "track “road” leaves the board"),
        ("bend: 4", "bend: 4000", "“bend” must be smaller than the board, not 4000 mm"),
        ("size: 200 x 200", "size: 200 x 200\ngap: -1", "“gap” must be from 0 to 20 mm"),
        ("radius: 40", "radius: 40\n    start: -400", "“start” must be from -360 to 360"),
    ],
)
def test_impossible_dimensions_are_refused(old, new, message):
    assert any(message in line for line in problems((HEAD + BODY).replace(old, new)))


def test_a_board_with_too_many_spaces_is_refused_at_once():
    spaces = "".join(f"  s{n}: {{kind: plain, x: 1, y: 1}}\n" for n in range(301))
    assert problems(HEAD + "spaces:\n" + spaces) == ["board.yaml:1: this board has 301 spaces; at most 300"]
