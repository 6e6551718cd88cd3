"""SVG: supported elements are drawn exactly, everything else is reported with its line."""

from __future__ import annotations

from gzip import compress

import pytest
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path.parser import parse_path
from hypothesis import given
from hypothesis import strategies as st

from generator import paths
from generator.art.svg_shapes import load_art, read_art
from generator.art.svg_values import matrix, segments
from generator.errors import InputError
from generator.geometry.frame import Shape, Stop, leaves
from generator.geometry.outlines import bounds, transformed

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
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
        Shape(
            (("M", 1, 2), ("L", 4, 2), ("L", 4, 6), ("L", 1, 6), ("Z",)), "#aabbcc", "currentColor", 1, miter_limit=4
        ),
        Shape((("M", 0, 0), ("L", 1, 0), ("L", 1, 1), ("Z",)), None, "#ff0000", 2, miter_limit=4),
        Shape((("M", 1, 2), ("L", 3, 4)), None, "#000000", 1, (1, 1), cap="round"),
        Shape((("M", 0, 0), ("L", 5, 5)), "#000000", even_odd=True),
    )
    assert (drawing.width, drawing.height) == (24, 24)


def test_circles_and_ellipses_fill_their_box():
    circle, ellipse = art('<circle cx="5" cy="5" r="2"/><ellipse cx="5" cy="5" rx="3" ry="1"/>').items
    assert [segment[-2:] for segment in circle.path[:-1]] == [(7, 5), (5, 7), (3, 5), (5, 3), (7, 5)]
    assert [segment[-2:] for segment in ellipse.path[:-1]] == [(8, 5), (5, 6), (2, 5), (5, 4), (8, 5)]


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

NUMBERS = st.integers(-20, 20).map(str) | st.floats(-20, 20).map("{:.2f}".format)
RADII = st.floats(1, 20).map("{:.2f}".format)


def command(letters, *values):
    return st.builds(lambda letter, *words: f"{letter}{' '.join(words)}", st.sampled_from(letters), *values)


COMMANDS = st.one_of(
    *(
        command([letter, letter.lower()], *[NUMBERS] * size)
        for letter, size in zip("MLHVCSQT", map(int, "22116442"), strict=True)
    ),
    command("Aa", RADII, RADII, NUMBERS, *[st.sampled_from("01")] * 2, NUMBERS, NUMBERS),
    st.just("Z"),
)


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ("m1 1 2 0v2H1z", (("M", 1, 1), ("L", 3, 1), ("L", 3, 3), ("L", 1, 3), ("L", 1, 1), ("Z",))),
        ("M0,0Q3,3 6,0", (("M", 0, 0), ("C", 2, 2, 4, 2, 6, 0))),
        ("M0 0C1 1 2 1 3 0S5-1 6 0", (("M", 0, 0), ("C", 1, 1, 2, 1, 3, 0), ("C", 4, -1, 5, -1, 6, 0))),
        ("M1e1.5L-.5-.5", (("M", 10, 0.5), ("L", -0.5, -0.5))),
        ("M01 002L3. 4", (("M", 1, 2), ("L", 3, 4))),
        ("M1 1h2zl1 1", (("M", 1, 1), ("L", 3, 1), ("L", 1, 1), ("Z",), ("M", 1, 1), ("L", 2, 2))),
        ("M0 0Q3 3 6 0T12 0", (("M", 0, 0), ("C", 2, 2, 4, 2, 6, 0), ("C", 8, -2, 10, -2, 12, 0))),
        ("M0 0T3 0S6 3 6 0", (("M", 0, 0), ("C", 0, 0, 1, 0, 3, 0), ("C", 3, 0, 6, 3, 6, 0))),
        ("M0 0A0 5 0 0 1 3 3A5 5 0 0 1 3 3L4 4", (("M", 0, 0), ("L", 3, 3), ("L", 4, 4))),
        ("M0 0ZZ", (("M", 0, 0), ("Z",))),
        ("", ()),
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


@given(st.lists(COMMANDS, min_size=1, max_size=8))
def test_path_data_is_read_as_by_fonttools(commands):
    data = "M1 2" + "".join(commands)
    pen, ours = RecordingPen(), segments(data)
    parse_path(data, pen)
    theirs, at = [], (0.0, 0.0)
    for name, points in pen.value:
        if name == "qCurveTo":
            (x, y), end = points
            points = [(px + (x - px) * 2 / 3, py + (y - py) * 2 / 3) for px, py in (at, end)] + [end]
        at = points[-1] if points else at
        letter = {"moveTo": "M", "lineTo": "L", "curveTo": "C", "qCurveTo": "C", "closePath": "Z"}.get(name)
        if letter:
            theirs.append((letter, *(number for point in points for number in point)))
    assert len(ours) == len(theirs)
    for own, other in zip(ours, theirs, strict=True):
        assert own[0] == other[0] and own[1:] == pytest.approx(other[1:], rel=1e-4, abs=1e-4)


@pytest.mark.parametrize(
    ("data", "problems"),
    [
        ("L1 1", "does not begin with M"),
        ("M1", "lacks numbers"),
        ("M0 0L", "lacks numbers"),
        ("M0 0C1 1 2 2", "lacks numbers"),
        ("M0 0Z1 1", "lacks numbers"),
        ("Z", "does not begin with M"),
        ("M0 0A1e-300 1e-300 0 0 1 9 9", "too large"),
        ("M0 0Lx", "“x” instead of a number"),
        ("5 M0 0", "must begin with M"),
        ("M0 0L1e9 0", "too large"),
        ("M0 0L1 1#", "instead of a number"),
        ("M0 0A5 5 0 2 1 3 3", "“2 1 3 3” instead of a number"),
    ],
)
def test_broken_path_data_is_refused(data, problems):
    with pytest.raises(ValueError, match=problems):
        segments(data)


# ---- styles and structure ------------------------------------------------------------------------------------------


def fills(inside):
    """The fills of the shapes of a drawing, also of those in groups."""
    return [item.fill for item, _ in leaves(art(inside).items)]


def test_style_sheets_select_by_type_class_id_and_combination():
    sheet = """<style>/* a comment */ @font-face { src: url(x) }
        rect { fill: red } .a, .b { fill: blue } #c { fill: #0f0 !important } g > .d { fill: navy }
        svg g rect.e { fill: gold } rect:hover { fill: black }</style>"""
    rects = '<rect/><rect class="x a"/><rect id="c" style="fill: red"/><g><rect class="d"/><g><rect class="e"/></g></g>'
    rects += '<rect class="b" style="fill: white"/><rect fill="red" class="a"/><rect class="d"/>'
    sized = rects.replace("<rect", '<rect width="1" height="1"')
    assert fills(sheet + sized) == [
        "#ff0000", "#0000ff", "#00ff00", "#000080", "#ffd700", "#ffffff", "#0000ff", "#ff0000"
    ]  # fmt: skip


def test_colours_are_those_of_css():
    texts = ["rgb(255, 0, 0)", "hsl(240 100% 50%)", "rebeccapurple", "#0f08", "#CD853F icc-color(x, 1)", "none-such"]
    shapes = "".join(f'<path d="M0 0h1" fill="{text}"/>' for text in texts)
    assert fills(shapes) == ["#ff0000", "#0000ff", "#663399", "#00ff0088", "#cd853f", "#000000"]
    assert fills('<g color="#f00"><path d="M0 0h1" fill="currentColor"/></g>') == ["#ff0000"]


def test_hidden_elements_are_not_drawn():
    hidden = '<g display="none"><path d="M0 0h1"/></g><g visibility="hidden"><path d="M0 0h2"/>'
    (shape,) = art(hidden + '<path d="M0 0h3" visibility="visible"/></g><defs><path d="M0 0h4"/></defs>').items
    assert shape.path[1] == ("L", 3, 0)


def test_use_repeats_elements_and_symbols():
    drawing = art(
        '<defs><rect id="r" width="2" height="2"/>'
        '<symbol id="s" viewBox="0 0 10 10"><path d="M0 0L10 10"/></symbol></defs>'
        '<use href="#r" x="5" fill="red"/>'
        '<use xmlns:x="http://www.w3.org/1999/xlink" x:href="#s" x="1" width="4" height="8"/>'
        '<use href="#nowhere"/>'
    )
    rect, symbol = drawing.items
    assert (rect.path[0], rect.fill) == (("M", 5, 0), "#ff0000")
    assert symbol.clip[2] == ("L", 5, 8)
    assert symbol.items[0].path == (("M", 1, 2), ("L", 5, 6))  # centred in its viewport


def test_nested_drawings_have_their_own_viewports():
    (group,) = art(
        '<svg x="2" y="2" width="50%" height="4" viewBox="0 0 1 1"><rect width="100%" height="1"/></svg>'
    ).items
    assert group.clip[0] == ("M", 2, 2)
    assert group.items[0].path[0] == ("M", 6, 2) and group.items[0].path[2] == ("L", 10, 6)


def test_lengths_have_units():
    drawing = art('<rect x="1in" y="10%" width="1cm" height="2em" font-size="5"/>', "0 0 100 50")
    assert [round(edge, 3) for edge in bounds(drawing.items[0].path)] == [96, 5, 133.795, 15]


def test_the_size_follows_width_and_height_if_they_differ_from_the_view_box():
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" width="40" height="20" {}>'
    head += '<path d="M0 0L10 10"/></svg>'
    for attribute, start in [("", ("M", 10, 0)), ('preserveAspectRatio="xMinYMax"', ("M", 0, 0))]:
        drawing = read_art(head.format(attribute), "art.svg")
        assert (drawing.width, drawing.height, drawing.items[0].path[0]) == (40, 20, start)
    stretched = read_art(head.format('preserveAspectRatio="none"'), "art.svg").items[0].path
    assert stretched == (("M", 0, 0), ("L", 40, 20))


def test_outlines_under_a_stretching_transform_are_groups():
    (group,) = art('<path transform="scale(2 3)" stroke="#000" fill="none" d="M0 0H1"/>').items
    (outline,) = group.items
    assert outline.stroke_width == 1
    assert rounded(transformed(outline.path, group.transform)) == (("M", 0, 0), ("L", 2, 0))
    x, y = group.transform[:2]  # the x axis is the direction that is stretched most
    assert (round(x, 6), round(y, 6)) == (0, 3)


def test_opacity_belongs_to_a_shape_or_a_group():
    fill, group, current = art(
        '<path opacity=".5" d="M0 0h1"/><g opacity=".5"><path d="M0 0h1"/><path d="M0 0h1"/></g>'
        '<path fill="currentColor" fill-opacity=".5" d="M0 0h1"/>'
    ).items
    assert fill.fill == "#00000080"
    assert (group.opacity, len(group.items)) == (0.5, 2)
    assert (current.opacity, current.items[0].fill) == (0.5, "currentColor")


def test_corners_keep_the_miter_limit_of_svg():
    def limit(data, **more):
        more = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in more.items())
        return art(f'<path d="{data}" stroke="red" fill="none" {more}/>').items[0].miter_limit

    assert limit("M0 0L10 0L0 4") == 4  # a corner of 22°: mitred by PDF, bevelled by SVG
    assert limit("M0 0L10 0") == limit("M0 0L10 0L0 4", stroke_linejoin="round") == 0


def test_gradients_inherit_and_move_with_their_shapes():
    defs = """<linearGradient id="a"><stop offset="20%" stop-color="red"/><stop offset="1" style="stop-color: blue;
        stop-opacity: .5"/></linearGradient><linearGradient id="b" href="#a" x2="0" y2="1" spreadMethod="reflect"/>
        <radialGradient id="c" href="#a" gradientUnits="userSpaceOnUse" cx="5" cy="5" r="5" fx="9"
        gradientTransform="scale(2)"/>"""
    linear, radial, missing = (
        item.fill
        for item in art(
            f'{defs}<rect x="2" y="2" width="4" height="8" fill="url(#b)"/><g transform="translate(3)">'
            '<circle r="5" fill="url(#c)"/></g><path d="M0 0h1" fill="url(#none) lime"/>'
        ).items
    )
    assert linear.stops == (Stop(0.2, "#ff0000"), Stop(1.0, "#0000ff80"))
    assert (linear.x2, linear.y2, linear.spread, linear.matrix) == (0, 1, "reflect", (4, 0, 0, 8, 2, 2))
    assert radial.matrix == (2, 0, 0, 2, 3, 0) and radial.fx == 9
    assert missing == "#00ff00"


def test_clip_paths_become_clipped_groups():
    clip = '<clipPath id="c" transform="translate(1)"><circle cx="5" cy="5" r="2" clip-rule="evenodd"/></clipPath>'
    group, boxed = art(
        f'{clip}<clipPath id="d" clipPathUnits="objectBoundingBox"><rect width=".5" height="1"/></clipPath>'
        '<g clip-path="url(#c)" opacity=".5"><path d="M0 0h9v9z"/><path d="M0 0h9v9z"/></g>'
        '<rect x="2" width="8" height="4" clip-path="url(#d)"/><path clip-path="url(#e)" d=""/>'
    ).items
    assert bounds(group.clip) == (4, 3, 8, 7)
    assert (group.even_odd, group.opacity, len(group.items)) == (True, 0.5, 2)
    assert bounds(boxed.clip) == (2, 0, 6, 4)
    assert art('<clipPath id="c"/><rect width="5" height="5" clip-path="url(#c)"/>').items == ()


def test_what_editors_add_is_ignored():
    drawing = read_art(
        """<?xml version="1.0" encoding="iso-8859-1" standalone="no"?>
        <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
            <!ENTITY ns_svg "http://www.w3.org/2000/svg"> <!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/">]>
        <svg xmlns="&ns_svg;" xmlns:i="&ns_ai;" width="48" height="48" x="0px" y="0px" style="enable-background:new"
            xml:space="preserve" xmlns:sodipodi="http://example.org" sodipodi:version="0.3">
        <sodipodi:namedview><rect/></sodipodi:namedview><metadata><a><b/></a></metadata>
        <switch><foreignObject requiredExtensions="&ns_ai;"><i:pgf/></foreignObject>
        <g i:extraneous="self"><path d="M0 0h9" rotate="5"/></g><path d="M0 0h8"/></switch></svg>""",
        "art.svg",
    )
    (shape,) = drawing.items
    assert shape.path[1] == ("L", 9, 0)


# ---- what becomes a picture ----------------------------------------------------------------------------------------


def test_features_beyond_shapes_become_a_picture():
    for inside, reason in [
        ('<filter id="a"/><rect width="9" height="9" filter="url(#a)"/>', "a filter"),
        ('<g mask="url(#a)"><path d="M0 0h9"/></g>', "a mask"),
        ('<rect width="9" height="9" style="mix-blend-mode: multiply"/>', "a blend mode"),
        ('<pattern id="a"/><rect width="9" height="9" fill="url(#a)"/>', "a pattern"),
        ("<text>Fox</text>", "text"),
        (f'<image href="data:image/png;base64,{PIXEL}"/>', "an embedded picture"),
        ('<path d="M0 0h9" marker-end="url(#a)"/>', "markers"),
        (f'<path d="M0 0{"L1 1" * 20_000}"/>', "more than 20,000 segments"),
        (
            '<clipPath id="a"><path d="M0 0h9v9z"/><path d="M0 0h8v9z"/></clipPath>'
            '<path clip-path="url(#a)" d="M0 0h9v9z"/>',
            "a clipPath of several overlapping shapes",
        ),
    ]:
        drawing = art(inside)
        assert (drawing.beyond, drawing.items) == (reason, ()), inside
        assert drawing.picture_note.startswith(f"uses {reason}, so it is printed as a picture at 300 dpi")
    assert art("<text> </text><pattern id='a'/><filter id='b'/>").beyond == ""


def test_a_note_names_the_fonts_of_texts():
    drawing = art(
        '<g font-family="Arial, sans-serif"><text>Fox</text></g><text style="font-family: \'My Font\'">Ox</text>'
    )
    assert "looks right only where “Arial”, “My Font” is installed" in drawing.picture_note
    assert drawing.picture_hint == "convert the text to paths"


def test_pictures_in_other_files_are_left_out_with_a_note():
    drawing = art(
        '<path d="M0 0h9v9z"/><image href="C:\\art\\fox.png"/><g><image href="fox.png"><title>Fox</title></image></g>'
    )
    assert len(drawing.items) == 1 and not drawing.beyond
    assert drawing.notes == ("its picture “fox.png” is in another file and is left out; embed it",)
    assert art('<text>Fox</text><image href="fox.png"/>').beyond == "text"


def test_editor_only_features_are_noted():
    line = '<path d="M0 0h9" stroke="red"/>'
    assert "flowed text" in art(f"{line}<flowRoot><flowPara>Fox</flowPara></flowRoot>").notes[0]
    assert art(f"{line}<style>@media print {{ a {{ fill: red }} }}</style>").notes == (
        "its CSS rules for “@media print” are left out",
    )


# ---- what is refused -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inside", "problem"),
    [
        ("<rec/>", "art.svg:2: <rec> is not an element of SVG; did you mean rect?"),
        ('<rect width="1 mile"/>', "art.svg:2: <rect width=“1 mile”> must be a number or a length"),
        ('<rect width="-1"/>', "cannot be negative"),
        ('<path d="M0 0Lx"/>', "art.svg:2: <path d=“M0 0Lx”> has “x”"),
        ('<g transform="spin(3)"/>', "<g transform=“spin(3)”> has spin with 1 numbers, which is not supported"),
        ('<g transform="scale(1e9)"/>', "is too large"),
        ('<svg viewBox="0 0 1"/>', "needs a viewBox"),
        ('<polygon points="1 2 3"/>', "needs an even number of coordinates"),
        ("<?xml-stylesheet href='a.css'?>", "its style sheet is in another file"),
        ("<style>@import 'a.css';</style>", "its style sheet is in another file"),
        ("<script>alert(1)</script>", "art.svg:2: it contains a script"),
        ("<foreignObject/>", "HTML inside a drawing cannot be printed"),
        ('<use href="a.svg#b"/>', "<use> refers to another file, “a.svg#b”"),
        ('<image href="https://example.org/a.png"/>', "<image> refers to another file"),
        ('<image href="//example.org/a.png"/>', "<image> refers to another file"),
        ('<image href="file:///etc/passwd"/>', "<image> refers to another file"),
        ('<filter id="a"><feImage href="a.png"/></filter><text>A</text>', "<feImage> refers to another file"),
        ('<image href="/home/ann/a.png"/>', "nothing is left to draw: its picture “a.png” is in another file"),
        ("<flowRoot><flowPara>Fox</flowPara></flowRoot>", "nothing is left to draw: its flowed text"),
        ('<image href="data:image/svg+xml;base64,AAAA"/>', "<image> contains “data:image/svg+xml”"),
        ('<image href="data:image/png;base64,AAAA"/>', "this is not a picture"),
        ('<g id="a"><use href="#a"/></g>', "<use> of “a” contains itself"),
        ("<g>" * 200 + "</g>" * 200, "nested more than 100 levels deep"),
        ("<g/>" * 50_001, "more than 50,000 elements"),
        ("<g>", "not readable as XML: mismatched tag"),
    ],
)
def test_unprintable_drawings_are_refused(inside, problem):
    assert any(problem in message for message in problems(inside)), problems(inside)


def test_every_problem_of_a_file_is_reported():
    wrong = '<rect width="x"/>'
    assert [message.split(":")[1] for message in problems("\n".join([wrong] * 3))] == ["2", "3", "4"]
    assert len(problems(wrong * 1000)) == 20


@pytest.mark.parametrize(
    ("head", "problem"),
    [
        ("<html/>", "<html> is not an SVG drawing"),
        ('<svg xmlns="http://www.w3.org/2000/svg"/>', "needs a viewBox"),
        ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 5"/>', "needs a viewBox"),
        ('<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg/>', "the entity “a” must be plain, short text"),
        ("", "not readable as XML: no element found"),
        (b'<?xml version="1.0" encoding="utf-5"?><svg/>', "its encoding is unknown or not supported"),
        (b'<?xml version="1.0" encoding="shift-jis"?><svg/>', "its encoding is unknown or not supported"),
    ],
)
def test_files_that_are_not_drawings(head, problem):
    with pytest.raises(InputError) as caught:
        read_art(head, "art.svg")
    assert problem in str(caught.value)


def test_bombs_are_refused():
    """Entities of entities, `use` of `use`, patterns in patterns, and many rules for many elements."""
    entities = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12))
    with pytest.raises(InputError, match="entity"):
        read_art(f'<!DOCTYPE svg [<!ENTITY a0 "x">{entities}]><svg>&a11;</svg>', "art.svg")
    uses = "".join(f'<g id="u{i}">{f"<use href=#u{i - 1}/>" * 10}</g>' for i in range(1, 12)).replace("=#", "='#")
    uses = uses.replace("/>", "'/>")
    assert (
        "<use> repeats more than 20,000 elements"
        in problems(f'<path id="u0" d="M0 0h1"/><defs>{uses}</defs><use href="#u11"/>')[0]
    )
    fills = "".join(
        f'<pattern id="p{i}">{f"""<rect width="9" height="9" fill="url(#p{i - 1})"/>""" * 10}</pattern>'
        for i in range(1, 12)
    )
    assert "50,000 elements are drawn" in problems(f'{fills}<rect width="9" height="9" fill="url(#p11)"/>')[0]
    rules = "<style>" + "g{fill:red}" * 1000 + "</style>"
    assert "too many rules" in problems(rules + "<g/>" * 1000)[0]


def test_files_that_are_too_large(svg):
    with pytest.raises(InputError, match="larger than 4 MB"):
        load_art(svg(" " * 4_000_001))


def test_the_shipped_icons_are_supported():
    files = sorted((paths.SHARED_DATA / "icons").glob("*.svg"))
    assert files
    assert all(load_art(file).items for file in files)


SQUARE = '<rect width="5" height="5" {}/>'


@pytest.mark.parametrize(
    "inside",
    [
        SQUARE.format('fill="var(--missing, #07c)"'),
        SQUARE.format('style="--blue: #07c; fill: VAR( --blue )"'),
        SQUARE.format('fill="var(--a, var(--b, rgb(0 119 204)))"'),
        "<style>:root { --sky: var(--blue); --blue: #07c } rect { fill: var(--sky) }</style>" + SQUARE.format(""),
        "<style>svg { --Blue: #07c; --blue: red }</style>" + SQUARE.format('fill="var(--Blue)"'),
        '<g style="--c: red"><g style="--c: #07c"><rect width="5" height="5" fill="var(--c)"/></g></g>',
        '<g fill="#07c"><rect width="5" height="5" fill="var(--none)"/></g>',
        "<style>rect { fill: var(--c, #07c) !important }</style>" + SQUARE.format('style="fill: red"'),
        SQUARE.format('fill="color(srgb 0 0.4667 0.8)"'),
        "<style>:root { --red: 0% }</style>" + SQUARE.format('fill="rgb(var(--red) 46.67% 80%)"'),
    ],
)
def test_css_variables_and_new_notations_of_colours(inside):
    (square,) = art(inside).items
    assert square.fill == "#0077cc"


def test_variables_reach_gradients_opacities_and_transforms():
    stops = (
        '<stop stop-color="var(--c, oklch(51.975% 0.17686 142.495))"/><stop offset="1" stop-opacity="var(--o, 0.5)"/>'
    )
    (square,) = art(f'<linearGradient id="g">{stops}</linearGradient>' + SQUARE.format('fill="url(#g)"')).items
    assert square.fill.stops == (Stop(0.0, "#008000"), Stop(1.0, "#00000080"))
    (square,) = art(SQUARE.format('style="--angle: 90deg; transform: rotate(var(--angle))"')).items
    assert bounds(square.path) == pytest.approx((-5, 0, 0, 5))


def test_what_would_silently_turn_black_is_noted_or_refused():
    loops = "<style>:root { --a: var(--b); --b: var(--a) }</style>" + SQUARE.format('fill="var(--a)"')
    many = "".join(f"--v{n}: var(--v{n + 1})var(--v{n + 1});" for n in range(60))
    assert art(loops).notes == ("a variable in its fill “var(--a)” on line 2 has no value",)
    assert art(f"<style>:root {{{many}--v60: x}}</style>" + SQUARE.format('fill="var(--v0)"')).notes
    assert art(SQUARE.format('stroke="bleu"')).notes == ("its stroke “bleu” on line 2 is not a colour and is ignored",)
    for word in ("inherit", "none", "currentColor", "context-fill"):
        assert art(SQUARE.format(f'stroke="{word}"')).notes == ()
    assert problems(SQUARE.format('fill="device-cmyk(0 1 1 0)" stroke="oklch(from red l c h)"')) == [
        "art.svg:2: <rect fill=“device-cmyk(0 1 1 0)”> cannot be printed; write it as #rrggbb",
        "art.svg:2: <rect stroke=“oklch(from red l c h)”> cannot be printed; write it as #rrggbb",
    ]


def test_a_compressed_file_is_read(tmp_path):
    plain = SVG.format(SQUARE.format("")).encode()
    for name, data in {"good": compress(plain), "plain": plain}.items():
        (tmp_path / f"{name}.svgz").write_bytes(data)
        assert load_art(tmp_path / f"{name}.svgz").items == read_art(plain, "art.svg").items
    broken = {"damaged": compress(plain)[:40], "no": b"\x1f\x8b" + b"x" * 50, "larger": compress(bytes(5_000_000))}
    for word, data in broken.items():
        (tmp_path / f"{word}.svgz").write_bytes(data)
        with pytest.raises(InputError, match=r"compressed SVG file is (incomplete|damaged)|larger than 4 MB"):
            load_art(tmp_path / f"{word}.svgz")
