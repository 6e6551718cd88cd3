"""SVG: supported elements are drawn exactly, everything else is reported with its line."""

from __future__ import annotations

import pytest

from generator import paths
from generator.errors import InputError
from generator.geometry.frame import Shape
from generator.svg.art import load_art, read_art
from generator.svg.values import matrix, segments

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">\n{}\n</svg>'


def art(inside, view="0 0 24 24"):
    return read_art(SVG.replace("0 0 24 24", view).format(inside), "art.svg")


def rounded(path):
    return tuple((name, *(round(n, 3) for n in numbers)) for name, *numbers in path)


def problems(inside):
    with pytest.raises(InputError) as caught:
        art(inside)
    return [str(problem) for problem in caught.value.problems]


def test_shapes_keep_their_order_and_paint():
    drawing = art(
        '<g fill="#ABC" stroke="currentColor"><rect x="1" y="2" width="3" height="4"/></g>'
        '<polygon points="0,0 1,0 1 1" style="fill: none; stroke: red; stroke-width: 2"/>'
        '<line x1="1" y1="2" x2="3" y2="4" stroke="black" stroke-linecap="round" stroke-dasharray="1"/>'
        '<polyline points="0 0 5 5" fill-rule="evenodd"/>'
    )
    assert drawing.items == (
        Shape((("M", 1, 2), ("L", 4, 2), ("L", 4, 6), ("L", 1, 6), ("Z",)), "#aabbcc", "currentColor", 1),
        Shape((("M", 0, 0), ("L", 1, 0), ("L", 1, 1), ("Z",)), None, "#ff0000", 2),
        Shape((("M", 1, 2), ("L", 3, 4)), None, "#000000", 1, (1, 1), cap="round"),
        Shape((("M", 0, 0), ("L", 5, 5)), "#000000", even_odd=True),
    )
    assert (drawing.width, drawing.height) == (24, 24)


def test_circles_and_ellipses_fill_their_box():
    circle, ellipse = art('<circle cx="5" cy="5" r="2"/><ellipse cx="5" cy="5" rx="3" ry="1"/>').items
    assert [segment[-2:] for segment in circle.path[:-1]] == [(5, 3), (7, 5), (5, 7), (3, 5), (5, 3)]
    assert [segment[-2:] for segment in ellipse.path[:-1]] == [(5, 4), (8, 5), (5, 6), (2, 5), (5, 4)]


def test_a_view_box_may_start_anywhere():
    drawing = art('<rect x="-5" y="10" width="1" height="1"/>', "-5 10 30 40")
    assert (drawing.width, drawing.height) == (30, 40)
    assert drawing.items[0].path[0] == ("M", 0, 0)


def test_width_and_height_replace_a_missing_view_box():
    drawing = read_art('<svg xmlns="http://www.w3.org/2000/svg" width="12px" height="8"/>', "art.svg")
    assert (drawing.width, drawing.height, drawing.items) == (12, 8, ())


def test_transforms_apply_from_the_inside_out():
    drawing = art(
        '<g transform="translate(10 0)"><path transform="rotate(90) scale(2)" d="M1 0L2 0" stroke="#000"/></g>'
    )
    (shape,) = drawing.items
    assert rounded(shape.path) == (("M", 10, 2), ("L", 10, 4))
    assert shape.stroke_width == pytest.approx(2)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("translate(3)", (1, 0, 0, 1, 3, 0)),
        ("scale(2, 3)", (2, 0, 0, 3, 0, 0)),
        ("skewX(45)", (1, 0, 1, 1, 0, 0)),
        ("matrix(1 2 3 4 5 6)", (1, 2, 3, 4, 5, 6)),
        ("rotate(180 5 5)", (-1, 0, 0, -1, 10, 10)),
        ("translate(1,2), translate(3 4)", (1, 0, 0, 1, 4, 6)),
    ],
)
def test_transform_lists(text, made):
    assert matrix(text) == pytest.approx(made)


def test_titles_and_notes_are_not_drawn():
    assert art("<title>A star</title><desc>by hand</desc><!-- so -->").items == ()


def test_unpainted_shapes_are_omitted():
    assert art('<rect width="5" height="5" fill="none"/><rect width="0" height="5"/><path d=""/>').items == ()


# ---- path data ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ("m1 1 2 0v2H1z", (("M", 1, 1), ("L", 3, 1), ("L", 3, 3), ("L", 1, 3), ("L", 1, 1), ("Z",))),
        ("M0,0Q3,3 6,0", (("M", 0, 0), ("C", 2, 2, 4, 2, 6, 0))),
        ("M0 0C1 1 2 1 3 0S5-1 6 0", (("M", 0, 0), ("C", 1, 1, 2, 1, 3, 0), ("C", 4, -1, 5, -1, 6, 0))),
        ("M1e1.5L-.5-.5", (("M", 10, 0.5), ("L", -0.5, -0.5))),
        ("M01 002L3. 4", (("M", 1, 2), ("L", 3, 4))),
    ],
)
def test_path_data(data, path):
    assert rounded(segments(data)) == path


def test_arcs_with_their_flags_run_together():
    """Half a circle of radius 5 over (5, -5): flags 0 and 1, then 10 and 0."""
    path = segments("M0 0a5 5 0 0110 0")
    assert [name for name, *_ in path] == ["M", "C", "C"]
    assert [round(n, 3) for n in path[1][-2:]] == [5, -5]
    assert [round(n, 3) for n in path[2][-2:]] == [10, 0]


@pytest.mark.parametrize(
    ("data", "problems"),
    [
        ("L1 1", "does not begin with M"),
        ("M1", "lacks numbers"),
        ("M0 0Lx", "“x” instead of a number"),
        ("5 M0 0", "must begin with M"),
        ("M0 0L1e9 0", "too large"),
        ("M0 0L1 1#", "instead of a number"),
        ("M0 0A5 5 0 2 1 3 3", "“2 1 3 3” instead of a number"),
        ("M0 0" + "L1 1" * 20_000, "more than 20,000 segments"),
    ],
)
def test_broken_path_data_is_refused(data, problems):
    with pytest.raises(ValueError, match=problems):
        segments(data)


# ---- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inside", "problem"),
    [
        ("<rec/>", "art.svg:2: <rec> is not supported; did you mean rect?"),
        ("<defs/>", "art.svg:2: <defs> is not supported"),
        ('<x:g xmlns:x="http://example.org"/>', "art.svg:2: <g> is not supported; save it as plain SVG"),
        ("\n<rect rotate='5'/>", "art.svg:3: <rect rotate> is not supported"),
        ('<rect fill="url(#a)"/>', "must be a plain colour: gradients and patterns are not supported"),
        ('<rect fill="rgb(1,2)"/>', "must be none, currentColor or a colour such as #24405f"),
        ('<rect opacity="0.5"/>', "art.svg:2: <rect opacity=“0.5”> is only supported as 1"),
        ('<rect style="mix-blend-mode: multiply"/>', "<rect style> with “mix-blend-mode” is not supported"),
        ('<rect width="50%"/>', "art.svg:2: <rect width=“50%”> must be a number"),
        ('<rect width="-1"/>', "must not be below 0"),
        ('<rect width="9" height="9" rx="1" ry="2"/>', "rx and ry that differ"),
        ('<path d="M0 0Lx"/>', "art.svg:2: <path d=“M0 0Lx”> path data with “x”"),
        (
            '<path transform="scale(2 3)" stroke="#000" d="M0 0H1"/>',
            "is stretched or skewed by its transform and has a stroke",
        ),
        ('<g transform="spin(3)"/>', "<g transform=“spin(3)”> has spin with 1 numbers, which is not supported"),
        ('<g transform="scale(1e9)"/>', "is too large"),
        ('<svg viewBox="0 0 1 1"/>', "<svg> is not supported"),
        ('<polygon points="1 2 3"/>', "needs an even number of coordinates"),
        ("<?xml-stylesheet href='a.css'?>", "<?xml-stylesheet?> is not supported"),
        ("<g>", "not readable as XML: mismatched tag"),
    ],
)
def test_unsupported_svg_is_reported(inside, problem):
    assert any(problem in message for message in problems(inside)), problems(inside)


def test_every_problem_of_a_file_is_reported():
    assert [message.split(":")[1] for message in problems("<text/>\n<image/>\n<use/>")] == ["2", "3", "4"]
    assert len(problems("<use/>" * 1000)) == 20


@pytest.mark.parametrize(
    ("head", "problem"),
    [
        ("<html/>", "<html> is not an SVG drawing"),
        ('<svg xmlns="http://www.w3.org/2000/svg"/>', "needs a viewBox"),
        ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 5"/>', "needs a viewBox"),
        (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 5 5" preserveAspectRatio="none"/>',
            "preserveAspectRatio",
        ),
        ('<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', "art.svg:1: a DOCTYPE is not allowed"),
        ('<!DOCTYPE svg SYSTEM "file:///etc/passwd"><svg/>', "a DOCTYPE is not allowed"),
        ("", "not readable as XML: no element found"),
    ],
)
def test_files_that_are_not_drawings(head, problem):
    with pytest.raises(InputError) as caught:
        read_art(head, "art.svg")
    assert problem in str(caught.value)


def test_an_entity_bomb_is_refused():
    bomb = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12))
    with pytest.raises(InputError, match="DOCTYPE"):
        read_art(f'<!DOCTYPE svg [<!ENTITY a0 "x">{bomb}]><svg>&a11;</svg>', "art.svg")


@pytest.mark.parametrize(
    "inside",
    [
        '<rect width="1" height="1"/>' * 5_000,
        f'<path d="M0 0{"L1 1" * 30_000}"/>',
        f'<path d="M0 0{"z" * 200_000}"/>',
        f'<path d="M0 0{"1" * 900_000}"/>',
    ],
)
def test_drawings_of_too_many_segments(inside):
    with pytest.raises(InputError, match=r"more than 20,000 segments|instead of a number|lacks numbers"):
        art(inside)


def test_files_that_are_too_large(svg):
    with pytest.raises(InputError, match="larger than 1 MB"):
        load_art(svg(" " * 1_000_001))


def test_the_shipped_icons_are_supported():
    files = sorted((paths.SHARED_DATA / "icons").glob("*.svg"))
    assert files
    assert all(load_art(file).items for file in files)
