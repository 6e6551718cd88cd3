"""The box around the lines of a text."""

from itertools import product

from msgspec.structs import replace

from generator.faces.face import InlineIcon, Words
from generator.geometry.outlines import ON_TRIM, Rect
from generator.layout.flaws import box_of, lines_box
from generator.layout.ink import Ink, write
from generator.text.lines import fitted, setting
from generator.text.words import paragraph


def test_a_text_stays_in_the_box_of_its_lines(theme):
    style = setting({"style": "body"}, theme)
    pieces = (Words("Ägypten, (quay) "), InlineIcon("star"), Words(" jumpy\nÇa", bold=True), Words(" and on and on"))
    text = paragraph(pieces, style.family, 0.1, False, theme.icon_folders)
    for align, valign, size in product(("left", "center", "right", "justify"), ("top", "middle", "bottom"), (2.0, 4.0)):
        inside = Rect(3.0, 4.0, 30.0, 40.0)
        look = replace(style, align=align, valign=valign, size=size, tracking=0.1)
        fit = fitted(text, look, inside.width, inside.height)
        around = lines_box(look, inside, fit.size, len(fit.lines)).grown(*[ON_TRIM] * 4)
        ink = Ink(inside, 0.0)
        write(ink, fit, look, inside)
        for item in ink.items:
            assert around.holds(box_of(item)), (align, valign, size, item)
