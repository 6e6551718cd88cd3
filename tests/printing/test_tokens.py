"""The macros for tokens: cut lines of the right size, bleed beyond them, backs behind their fronts."""

from __future__ import annotations

from math import sqrt

import pytest

from generator.geometry.outlines import bounds
from generator.layout.flaws import box_of

NEAR = 0.01
BOXES = {"round": (20, 20), "square": (20, 20), "hex": (40 / sqrt(3), 20), "pointed-hex": (20, 40 / sqrt(3))}
PIECES = '[{"text": "A", "fill": "#aa0000", "count": 3}, {"text": "B", "fill": "#00aa00"}, {"text": "C", "count": 2}]'


def sizes(drawn):
    """Width and height of each shape."""
    boxes = [bounds(shape.path) for shape in drawn.shapes]
    return [(right - left, bottom - top) for left, top, right, bottom in boxes]


def cut_lines(drawn):
    return [bounds(shape.path) for shape in drawn.shapes if shape.stroke_width == 0.2]


@pytest.mark.parametrize("shape", BOXES)
def test_a_token_has_its_size(macros, shape):
    drawn = macros.draw(f'tokens.token("{shape}", 20, text="R", fill="#aa0000", cut="#000000")')
    body, cut = drawn.shapes
    assert (body.fill, body.stroke, cut.fill, cut.stroke, cut.stroke_width) == ("#aa0000", None, None, "#000000", 0.2)
    assert sizes(drawn) == [pytest.approx(BOXES[shape], abs=NEAR)] * 2
    assert bounds(cut.path)[:2] == pytest.approx((0, 0), abs=NEAR)


@pytest.mark.parametrize("shape", BOXES)
def test_the_bleed_surrounds_a_token(macros, shape):
    body, cut = macros.draw(f'tokens.token("{shape}", 18, bleed=1.5)').outlines
    ends = body.corners or [(body.x - body.radius, body.y)]
    far = 2 / sqrt(3) if "hex" in shape else sqrt(2) if shape == "square" else 1
    assert [cut.distance(end) for end in ends] == pytest.approx([1.5 * far] * len(ends), abs=NEAR)


@pytest.mark.parametrize("shape", BOXES)
def test_tones_and_content_are_nested(macros, shape):
    drawn = macros.draw(f'tokens.token("{shape}", 20, "R", "star", "#aa0000", "#111111", "#eeeeee", "#cccccc")')
    assert [shape.fill or shape.stroke for shape in drawn.shapes] == ["#aa0000", "#eeeeee", "#cccccc", "#20262e"]
    body, inner, ring, cut = drawn.outlines
    assert inner.radius < ring.radius < cut.radius and body.radius == pytest.approx(cut.radius, abs=NEAR)
    icon = next(item for item in drawn.frame.items if type(item).__name__ == "Icon")
    assert icon.colour == drawn.run("R").colour == "#111111" and box_of(icon).bottom < box_of(drawn.run("R")).y
    for box in (box_of(icon), box_of(drawn.run("R"))):
        assert all(inner.distance((x, y)) < 0 for x in (box.x, box.right) for y in (box.y, box.bottom))


@pytest.mark.parametrize("what", ['text="W"', 'icon="star"', 'text="Gold"', "text=100"])
@pytest.mark.parametrize("shape", BOXES)
def test_content_stays_on_a_small_token(macros, shape, what):
    drawn = macros.draw(f'tokens.token("{shape}", 10, {what})')
    content = [item for item in drawn.frame.items if type(item).__name__ in ("Icon", "Run")]
    assert len(content) == 1
    box = box_of(content[0])
    assert all(drawn.outlines[0].distance((x, y)) < 0 for x in (box.x, box.right) for y in (box.y, box.bottom))


# ---- punchboards --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", BOXES)
def test_tokens_are_in_rows_with_gutters(macros, shape):
    drawn = macros.draw(f'tokens.punchboard({PIECES}, 4, "{shape}", 20, gutter=5, bleed=2)')
    wide, high = BOXES[shape]
    assert drawn.texts == ["A", "A", "A", "B", "C", "C"]
    lefts, tops = zip(*((left, top) for left, top, *_ in cut_lines(drawn)), strict=True)
    assert lefts == pytest.approx([2 + n * (wide + 5) for n in (0, 1, 2, 3, 0, 1)], abs=NEAR)
    assert tops == pytest.approx([2 + n * (high + 5) for n in (0, 0, 0, 0, 1, 1)], abs=NEAR)
    bodies = [outline for outline, shape in zip(drawn.outlines, drawn.shapes, strict=True) if shape.fill]
    assert max(outline.overlap(other) for i, outline in enumerate(bodies) for other in bodies[:i]) < 1e-6


def test_a_back_is_mirrored(macros):
    front, back = (macros.draw(f"tokens.punchboard({PIECES}, 4, size=18, mirrored={way})") for way in ("false", "true"))
    width = 4 * 18 + 3 * 4 + 2 * 1.5
    assert back.texts == front.texts
    for outline, mirrored in zip(cut_lines(front), cut_lines(back), strict=True):
        assert (width - outline[2], outline[1], width - outline[0], outline[3]) == pytest.approx(mirrored, abs=NEAR)


def test_squares_may_share_their_cut_lines(macros):
    drawn = macros.draw('tokens.punchboard([{"count": 6}], 3, "square", 15, gutter=0, bleed=0)')
    expected = [(x, y, x + 15, y + 15) for y in (0, 15) for x in (0, 15, 30)]
    assert cut_lines(drawn) == [pytest.approx(box, abs=NEAR) for box in expected]
