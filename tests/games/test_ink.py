"""How much ink it takes to print at home: on average, cyan, magenta, yellow and black together cover at most 100% of
the trimmed art."""

from io import BytesIO

import pypdfium2
import pytest
from PIL import Image, ImageStat

from generator import pdf
from generator.exporting.pdfs import Inks
from generator.geometry.frame import Page, Placed
from generator.pdf import Info
from generator.printing.press import sheet_paper
from generator.reading.sizes import paper
from tests.presses import press_of

A4, MOST = paper("a4"), 100.0


def ink(picture):
    """The mean of all four inks together, in percent."""
    return sum(ImageStat.Stat(Inks().image(picture)).mean) / 2.55


def trimmed(key, frame):
    """The art without its bleed, at 72 dpi."""
    page = Page(frame.width, frame.height, (Placed(frame, 0, 0),))
    document = pypdfium2.PdfDocument(BytesIO(pdf.write([page], press_of(key).theme, info=Info(title="art"))))
    return document[0].render().to_pil().convert("RGB")


def test_the_measure_adds_all_inks():
    assert ink(Image.new("RGB", (4, 4), "#ffffff")) == 0
    assert ink(Image.new("RGB", (4, 4), "#000000")) == pytest.approx(100)
    assert ink(Image.new("RGB", (4, 4), "#ff0000")) == pytest.approx(200)


def test_each_page_of_the_board():
    """A quarter of the board is the art of each of its four pages."""
    picture = trimmed(
        "cosmic_consequences", press_of("cosmic_consequences").board(_part("cosmic_consequences", "board"))
    )
    wide, high = picture.width // 2, picture.height // 2
    quarters = [picture.crop((x, y, x + wide, y + high)) for x in (0, wide) for y in (0, high)]
    assert [round(ink(quarter)) for quarter in quarters if ink(quarter) > MOST] == []


@pytest.mark.parametrize("name", ["cards", "reference"])
def test_each_side_of_the_cards(name):
    part, printing = _part("elevator_up", name), press_of("elevator_up")
    heavy = {}
    for card in {card.id: card for card in part.cards}.values():
        for template in (*part.definition.face, part.definition.back):
            heavy[card.id, template] = round(ink(trimmed("elevator_up", printing.side(part, card, template))))
    assert {side: share for side, share in heavy.items() if share > MOST} == {}


def test_the_tally():
    part = _part("elevator_up", "tally")
    frames = press_of("elevator_up").blank_corners(part, sheet_paper(part, A4))
    assert all(ink(trimmed("elevator_up", frame)) <= MOST for frame in frames)


def _part(key, name):
    return press_of(key).game.components[name]
