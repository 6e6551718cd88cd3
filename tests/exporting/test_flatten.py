"""Faces without transparency: what becomes a picture, and what stays as it is."""

from PIL import ImageChops

from generator import paths
from generator.exporting.pdfs import Flattener
from generator.exporting.raster import PagePicture, pictures_of
from generator.geometry import outlines
from generator.geometry.frame import (
    Frame,
    Group,
    LinearGradient,
    Page,
    Placed,
    Run,
    Shape,
    Stop,
    leaves,
)
from generator.geometry.outlines import rect
from generator.pdf import Info
from generator.pdf.document import write
from generator.reading.theme import theme

GROUND = Shape(rect(-3, -3, 46, 66), fill="#335c81")
UNDER = Run(5, 12, "under", "regular", 4, "#ffffff", 10)
GLASS = Shape(rect(4, 5, 20, 10), fill="#ff000080")
BESIDE = Run(5, 40, "beside", "regular", 4, "#ffffff", 10)
ABOVE = Run(8, 10, "above", "regular", 4, "#000000", 10)


def drawn(frame, look):
    page = Page(46, 66, (Placed(frame, 3, 3, 0, (3, 3, 3, 3)),))
    (image,) = pictures_of(write([page], look, info=Info(title="x")), [PagePicture("x", 0, (276, 396), 150)])
    return image


def test_only_what_is_under_transparent_items_becomes_a_picture(tmp_path):
    look = theme(paths.EXAMPLES / "picnic", "theme.yaml")
    frame = Frame("card", 40, 60, (GROUND, UNDER, BESIDE, GLASS, ABOVE), 3)
    flattener = Flattener(look, tmp_path)
    flat = flattener.flat(frame)
    assert flat.items[1:] == (BESIDE, ABOVE) and flattener.count == 1
    difference = ImageChops.difference(drawn(frame, look), drawn(flat, look))
    assert sum(difference.convert("L").histogram()[40:]) < 0.01 * 276 * 396  # the picture is a little softer
    opaque = Frame("card", 40, 60, (GROUND, UNDER, ABOVE), 3)
    assert flattener.flat(opaque) == opaque


def test_dark_small_texts_and_fine_lines_are_printed_in_black_ink_alone(tmp_path):
    """As grey, which becomes black ink; large titles, pale texts and thick lines keep their colours."""
    flattener = Flattener(theme(paths.EXAMPLES / "picnic", "theme.yaml"), tmp_path)
    small, large, pale = (
        Run(5, 10, "Word", "regular", size, colour, 10)
        for size, colour in ((3.0, "#161d38"), (8.0, "#161d38"), (3.0, "#c9a24b"))
    )
    fine, thick = (Shape(outlines.line(0, 0, 9, 9), stroke="#161d38", stroke_width=width) for width in (0.1, 1.0))
    flat = flattener.flat(Frame("card", 40, 60, (small, Group((large, fine), opacity=1.0), pale, thick)))
    found = [item for item, _ in leaves(flat.items)]
    assert [getattr(item, "colour", None) or item.stroke for item in found] == [
        "#1e1e1e",
        "#161d38",
        "#1e1e1e",
        "#c9a24b",
        "#161d38",
    ]


def test_every_kind_of_transparency_is_found(tmp_path):
    flattener = Flattener(theme(paths.EXAMPLES / "picnic", "theme.yaml"), tmp_path)
    fading = LinearGradient(stops=(Stop(0, "#ff0000"), Stop(1, "#ff000000")), x1=0, y1=0, x2=9, y2=9)
    for item in (
        Run(5, 5, "faint", "regular", 4, "#ffffff80", 10),
        Shape(rect(0, 0, 9, 9), fill=fading),
        Shape(rect(0, 0, 9, 9), stroke="#00000010", stroke_width=1),
        Group((UNDER,), opacity=0.5),
        Group((Group((GLASS,)),)),
    ):
        assert flattener._is_transparent(item), item
    for item in (UNDER, GROUND, Group((UNDER,)), Shape(rect(0, 0, 9, 9), fill="#ff0000ff")):
        assert not flattener._is_transparent(item), item
