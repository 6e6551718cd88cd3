"""Frames as SVG for web pages: one element for each item, definitions once, texts escaped."""

import xml.etree.ElementTree as ElementTree

from PIL import Image as Pillow

from generator.geometry.frame import (
    Frame,
    Group,
    Icon,
    Image,
    LinearGradient,
    RadialGradient,
    Run,
    Shape,
    Slot,
    Stop,
)
from generator.geometry.outlines import rect
from generator.printing.html_pages import SvgWriter
from generator.reading.load import load

STOPS = (Stop(0.0, "#ffffff"), Stop(1.0, "#00000080"))
SQUARE = rect(0, 0, 10, 10)


def written(*items):
    writer = SvgWriter(load("upwards").theme)
    svg = writer.svg(Frame("f", 20, 30, items), 'A "frame" & <more>')
    return ElementTree.fromstring(svg), ElementTree.fromstring(writer.definitions())


def tags(element):
    return [child.tag.rpartition("}")[2] for child in element.iter()]


def test_a_frame_has_its_size_and_a_label():
    svg, _ = written(Slot("x", 0, 0, 5, 5))
    assert svg.get("viewBox") == "0 0 20 30" and svg.get("aria-label") == 'A "frame" & <more>'
    assert tags(svg) == ["svg"], "slots draw nothing"


def test_items_become_elements():
    svg, defined = written(
        Shape(SQUARE, "#ff0000", "#00ff00", 0.5, dash=(1.0, 2.0), even_odd=True),
        Run(1, 2, "<b> & co", "bold", 4, "#112233", 12.5, turn=90),
        Group((Shape(SQUARE, "#0000ff"),), 0.5, SQUARE, transform=(1, 0, 0, 1, 3, 4)),
        Icon("meteorite", 1, 2, 3, 4, "#abcdef"),
        Icon("meteorite", 5, 6, 3, 4, "#fedcba", turn=45),
    )
    shape, run, group, icon, other = svg
    assert (shape.get("fill-rule"), shape.get("stroke-dasharray"), shape.get("d")[:5]) == ("evenodd", "1 2", "M0 0L")
    assert run.text == "<b> & co" and run.get("textLength") == "12.5" and run.get("font-weight") == "700"
    assert run.get("transform") == "rotate(90 1 2)"
    assert group.get("opacity") == "0.5" and group[0].get("clip-path") == "url(#clip-1)"
    assert icon.get("href") == other.get("href") == "#icon-meteorite" and "rotate(45" in other.get("transform")
    assert tags(defined).count("symbol") == 1 and tags(defined).count("clipPath") == 1


def test_gradients_are_defined_once():
    line = LinearGradient(x1=0, y1=0, x2=10, y2=0, stops=STOPS)
    ball = RadialGradient(x=5, y=5, r=5, fx=5, fy=5, stops=STOPS, spread="reflect")
    svg, defined = written(Shape(SQUARE, line), Shape(SQUARE, line), Shape(SQUARE, ball))
    assert [shape.get("fill") for shape in svg] == ["url(#paint-1)", "url(#paint-1)", "url(#paint-2)"]
    first, second = defined
    assert [stop.get("stop-color") for stop in first] == ["#ffffff", "#00000080"]
    assert second.get("spreadMethod") == "reflect" and second.get("r") == "5"


def test_pictures_are_in_the_page(tmp_path):
    Pillow.new("RGB", (2, 2), "navy").save(tmp_path / "a.png")
    svg, _ = written(Image(str(tmp_path / "a.png"), 1, 2, 3, 4, clip=(1, 2, 1, 1), flip="x"))
    (picture,) = (element for element in svg.iter() if element.tag.endswith("image"))
    assert picture.get("href").startswith("data:image/png;base64,") and picture.get("width") == "3"
