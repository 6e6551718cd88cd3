"""Laws for every face: nothing extends beyond its parent or overlaps its neighbour."""

from __future__ import annotations

from itertools import combinations, count
from types import SimpleNamespace

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generator.errors import InputError
from generator.faces.face import Element, Face, Words
from generator.faces.kinds import Track
from generator.geometry import outlines
from generator.geometry.frame import Run, Shape
from generator.geometry.outlines import ON_TRIM, Rect
from generator.layout.place import place

FEW = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
lengths = st.integers(1, 24).map(float)
sides = st.tuples(*[st.sampled_from([0.0, 0.0, 1.0, 2.5])] * 4)
cross = st.sampled_from(["start", "center", "end", "stretch"])
along = st.sampled_from(["center", "end", "between"])
turns = st.sampled_from([0, 0, 90, 180, 270])
sizes = st.fixed_dictionaries(
    {}, optional={"width": lengths, "height": lengths, "grow": st.sampled_from([1.0, 2.5]), "padding": sides}
)
texts = st.lists(st.sampled_from(["a", "roll", "the dice,", "then", "pass\n", "clockwise"]), min_size=1, max_size=9)


def holder(tag, **more):
    return st.tuples(sizes, st.fixed_dictionaries({}, optional=more)).map(lambda pair: (tag, {**pair[0], **pair[1]}))


def with_tracks(layout):
    tag, attributes = layout
    columns = Track(share=1.0), Track(length=9.0), Track(share=2.0)
    return tag, {**attributes, "columns": columns, "gap": (1.0, 0.5)}


leaves = st.one_of(
    sizes.map(lambda attributes: Element("stack", attributes)),
    st.tuples(sizes, texts).map(lambda pair: Element("text", pair[0], pieces=(Words(" ".join(pair[1])),))),
)
holders = st.one_of(
    holder("row", gap=st.just(1.5), align=cross, justify=along, turn=turns),
    holder("column", gap=st.just(1.5), align=cross, justify=along, turn=turns),
    holder("stack", align=cross, justify=cross, turn=turns),
    holder("grid", align=cross, justify=cross).map(with_tracks),
)
trees = st.recursive(
    leaves,
    lambda inner: st.tuples(holders, st.lists(inner, min_size=1, max_size=4)).map(
        lambda layout: Element(layout[0][0], layout[0][1], tuple(layout[1]))
    ),
    max_leaves=9,
)


def coloured(element, colours):
    """The tree with a different fill in every box."""
    return replace(
        element,
        attributes={**element.attributes, "fill": f"#{next(colours):06x}"},
        children=tuple(coloured(child, colours) for child in element.children),
    )


def pairs(element):
    for child in element.children:
        yield element, child
        yield from pairs(child)


def laid(tree, theme, bleed=0.0):
    """The frame of a face with this tree if it fits; if not, every problem is about lengths."""
    root = coloured(Element("face", {}, (tree,)), count(1))
    try:
        frame = place(Face("card", "t", root, (90.0, 120.0), bleed), theme)
    except InputError as error:
        assert all("needs" in problem.message for problem in error.problems), error
        assume(False)
    boxes = {}
    for item in frame.items:
        if isinstance(item, Shape):
            left, top, right, bottom = outlines.bounds(item.path)
            boxes[item.fill] = Rect(left, top, right - left, bottom - top)
    return SimpleNamespace(
        root=root,
        runs=[item for item in frame.items if isinstance(item, Run)],
        of=lambda element: boxes[element.attributes["fill"]],
    )


@FEW
@given(tree=trees)
def test_no_box_extends_beyond_its_parent(theme, tree):
    layout = laid(tree, theme)
    for parent, child in pairs(layout.root):
        assert layout.of(parent).holds(layout.of(child)), (parent.tag, layout.of(parent), layout.of(child))


@FEW
@given(tree=trees)
def test_neighbours_do_not_overlap(theme, tree):
    layout = laid(tree, theme)
    for parent in {id(parent): parent for parent, _ in pairs(layout.root) if parent.tag != "stack"}.values():
        for first, second in combinations(parent.children, 2):
            both = layout.of(first).common(layout.of(second))
            assert both.width <= ON_TRIM or both.height <= ON_TRIM, (parent.tag, layout.of(first), layout.of(second))


@FEW
@given(tree=trees)
def test_no_letter_is_lost(theme, tree):
    layout = laid(tree, theme)
    written = "".join(piece.text for _, child in pairs(layout.root) for piece in child.pieces)
    assert "".join(run.text for run in layout.runs).replace(" ", "") == written.replace(" ", "").replace("\n", "")


@FEW
@given(tree=trees)
def test_every_baseline_starts_in_the_box_of_its_text(theme, tree):
    layout = laid(tree, theme)
    runs = iter(layout.runs)
    for text in (child for _, child in pairs(layout.root) if child.pieces):
        left = len("".join(piece.text for piece in text.pieces).replace(" ", "").replace("\n", ""))
        while left > 0:
            run = next(runs)
            assert layout.of(text).holds(Rect(run.x, run.y, 0.0, 0.0))
            left -= len(run.text.replace(" ", ""))


@FEW
@given(tree=trees)
def test_bleed_moves_no_text(theme, tree):
    assert laid(tree, theme).runs == laid(tree, theme, bleed=3.0).runs
