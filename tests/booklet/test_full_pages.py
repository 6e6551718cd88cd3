"""The pages of the shipped booklets: how full they are, and what is printed on them."""

from functools import cache
from io import BytesIO

import pypdfium2
import pytest
from PIL import ImageOps
from pypdf import PdfReader

from generator import games
from generator.booklet.booklet import COLUMN
from generator.booklet.folding import half
from generator.booklet.pages import LEAST_FILL
from generator.definitions.load import load
from generator.definitions.sizes import paper
from generator.printing.press import Press

SCALE = 0.5


@cache
def printed(key, size):
    """The booklet page by page."""
    game = load(key)
    (part,) = [part for part in game.components.values() if part.kind == "booklet"]
    return Press(game, games.deal(game)).component(part.name, paper(size), folded=False).pdf


def fills(pdf, size):
    """How full the column of each page is, between the highest and the lowest of what is printed there."""
    _, height = half(paper(size))
    top = (height - COLUMN[1]) / 2 - 2
    document = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            picture = page.render(scale=SCALE).to_pil().convert("L")
            unit = picture.height / height
            column = picture.crop((0, int(top * unit), picture.width, int((top + COLUMN[1] + 1) * unit)))
            box = ImageOps.invert(column).point(lambda shade: 255 * (shade > 60)).getbbox()
            yield box[3] / (COLUMN[1] * unit) if box else 0.0
    finally:
        document.close()


@pytest.mark.parametrize("size", ["a4", "letter"])
@pytest.mark.parametrize("key", games.SHIPPED)
def test_the_pages_are_full(key, size):
    pdf = printed(key, size)
    found = list(fills(pdf, size))
    assert min(found) >= LEAST_FILL, [round(fill, 2) for fill in found]
    pages = PdfReader(BytesIO(pdf)).pages
    wide = [number for number, page in enumerate(pages) if page.mediabox.width > 1.5 * pages[0].mediabox.width]
    assert wide == [len(pages) // 2], "the spread is in the middle"
    assert (len(pages) + 1) % 4 == 0, "all pages of the sheets are in use"
