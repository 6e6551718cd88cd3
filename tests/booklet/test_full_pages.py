"""No page of a booklet is left blank or half empty."""

from functools import cache

import pypdfium2
import pytest
from PIL import ImageOps

from generator import games
from generator.definitions.load import load
from generator.definitions.sizes import paper
from generator.printing.press import Press

FOOTER = 0.92
"""The part of a page above the footer."""


@cache
def fills(key, size):
    """For each page of the booklet, how far down it the words and pictures reach, as a part of its height."""
    game = load(key)
    press = Press(game, games.deal(game))
    (part,) = [part for part in game.components.values() if part.kind == "booklet"]
    document = pypdfium2.PdfDocument(press.component(part.name, paper(size), "none").pdf)
    try:
        pictures = [page.render(scale=0.5).to_pil().convert("L") for page in document]
    finally:
        document.close()
    fills = []
    for picture in pictures:
        width, height = picture.size
        for left in (0, width // 2):
            half = picture.crop((left, 0, left + width // 2, int(height * FOOTER)))
            box = ImageOps.invert(half).point(lambda shade: 255 * (shade > 60)).getbbox()
            fills.append(box[3] / height if box else 0)
    return fills


@pytest.mark.parametrize("size", ["a4", "letter"])
@pytest.mark.parametrize("key", games.SHIPPED)
def test_the_pages_are_full(key, size):
    assert min(fills(key, size)) > 0.55
