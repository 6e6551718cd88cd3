"""Drawings that need more than shapes: resvg draws them in the colour and size they are used at, once."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from generator.art import rasterise
from generator.art.svg_shapes import read_art
from generator.errors import InputError, noting
from generator.geometry.frame import Frame, Icon
from generator.pdf.document import write
from tests.pdf.conftest import icons, render, theme
from tests.pdf.pages import INFO, page, pixel, reader

__all__ = ["icons", "render", "theme"]

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4cm" height="2cm">{}</svg>'
BLURRED = '<filter id="f"><feGaussianBlur stdDeviation="0"/></filter><g filter="url(#f)">{}</g>'
HALF = BLURRED.format('<rect width="50%" height="100%" fill="{}"/>')


def picture(inside, width=20, height=10, colour="#00ff00"):
    drawing = read_art(SVG.format(inside), "art.svg")
    assert drawing.document is not None
    return Image.open(BytesIO(rasterise.draw(drawing.document, width, height, colour)))


def test_a_drawing_fills_its_size_at_300_dpi_on_a_transparent_ground():
    drawn = picture(HALF.format("currentColor"))
    assert drawn.size == (237, 119)
    assert drawn.getpixel((60, 60)) == (0, 255, 0, 255) and drawn.getpixel((180, 60)) == (0, 0, 0, 0)


def test_icons_in_several_colours_are_drawn_once_for_each(theme, icons, render):
    (icons / "plain.svg").write_text(SVG.format(HALF.format("red")))
    (icons / "tinted.svg").write_text(SVG.format(HALF.format("currentColor")))
    shown = [
        Icon(name, x, y, 8, 4, colour)
        for y, name in ((5, "plain"), (15, "tinted"))
        for x, colour in ((5, "#0000ff"), (15, "#00ff00"))
    ]
    with noting() as notes:
        pdf = write([page(Frame("card", 60, 80, shown))], theme, info=INFO)
    assert [str(note) for note in notes] == [
        f"{icons / name}.svg: uses a filter, so it is printed as a picture at 300 dpi" for name in ("plain", "tinted")
    ]
    drawn = render(pdf)
    assert [pixel(drawn, 10 + item.x + 1, 10 + item.y + 1) for item in shown] == [
        (255, 0, 0), (255, 0, 0), (0, 0, 255), (0, 255, 0)
    ]  # fmt: skip
    objects = map(reader(pdf).get_object, range(1, len(reader(pdf).xref[0]) + 1))
    images = [each for each in objects if isinstance(each, dict) and each.get("/Subtype") == "/Image"]
    assert len(images) == 3 * 2  # each has a soft mask


def test_drawings_that_take_too_long_are_refused(monkeypatch):
    monkeypatch.setattr(rasterise, "_PATIENCE", 0.001)
    with pytest.raises(InputError, match="cannot be drawn: too complicated"):
        picture(HALF.format("red"))


def test_only_drawn_content_reaches_resvg():
    inside = (
        '<g onclick="alert(1)" filter="url(#f)"><title>&lt;b&gt;</title><text x="1">A &amp; <tspan>B</tspan></text></g>'
    )
    drawing = read_art(SVG.format(inside), "art.svg")
    text = rasterise.markup(drawing.document, 40, 20, "#ff0000")
    assert "onclick" not in text and "alert" not in text
    assert '<text x="1">A &amp; <tspan>B</tspan></text>' in text
    assert 'width="40" height="20" color="#ff0000"' in text


@pytest.mark.parametrize(
    "inside",
    [
        "<style>svg { --c: #0077cc }</style>" + HALF.format("var(--c)"),
        "<style>rect { fill: color(srgb 0 0.4667 0.8) !important }</style>" + HALF.format("red"),
        "<style>rect[width] { fill: color(srgb 0 0.4667 0.8) } g > rect { fill: red }</style>" + HALF.format("red"),
    ],
)
def test_variables_and_new_notations_of_colours_reach_resvg(inside):
    assert picture(inside).getpixel((10, 10)) == (0, 119, 204, 255)


def test_icons_may_be_pictures(theme, icons, render):
    half = Image.new("RGBA", (60, 30), "#0077cc")
    half.paste("#ffcc00", (30, 0, 60, 30))
    half.save(icons / "zorb.png")
    boxes = [Icon("zorb", 10, 10, 20, height=10, colour="#000000"), Icon("zorb", 40, 10, 20, 10, "#000000", turn=90)]
    shot = render(write([page(Frame("f", 80, 40, tuple(boxes)))], theme, info=INFO))
    assert [pixel(shot, 10 + x, 10 + y) for x, y in ((15, 15), (25, 15), (50, 7), (50, 22))] == [
        (0, 119, 204),
        (255, 204, 0),
        (0, 119, 204),
        (255, 204, 0),
    ]
