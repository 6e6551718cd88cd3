"""Golden files: frames as text, and a few small pictures.

Look at what has changed, then write them again with `python tests/printing/test_golden.py`.
"""

from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageStat

from generator.reading.sizes import paper
from tests.frame_dumps import dump
from tests.presses import press_of
from tests.printing.test_games import press_for

GOLDEN = Path(__file__).parent.parent / "golden"
CARDS = [
    ("from_the_ground_up", "cards", "card", "7"),
    ("from_the_ground_up", "cards", "back", "7"),
    ("from_the_ground_up", "cards", "card", "12"),
    ("elevator_up", "cards", "card", "stuck"),
    ("cosmic_consequences", "cards", "number", "tiger-7"),
    ("from_the_ground_up", "reference", "reference", "panel"),
]
PICTURES = [
    ("from_the_ground_up", "cards"),
    ("from_the_ground_up", "table"),
    ("elevator_up", "cards"),
    ("elevator_up", "box"),
    ("rolling_cubes", "dice"),
    ("upwards", "sheet"),
    ("rolling_cubes", "strip"),
    ("upwards", "strip"),
    ("cosmic_consequences", "board"),
    ("cosmic_consequences", "cards"),
]
TOLERANCE = 1.5  # mean difference of a pixel, of 255: another renderer's smoothing is less, a moved box is more


def dump_of(game, component, template, card):
    press = press_of(game)
    part = press.game.components[component]
    drawn_card = next(candidate for candidate in press.deck.cards[component] if candidate.id == card)
    return dump(press.card(part, drawn_card, template))


def picture(game, component):
    printed = press_for(game, component).component(component, paper("a4"))
    return pypdfium2.PdfDocument(BytesIO(printed.pdf))[0].render(scale=0.32).to_pil().convert("RGB")


def text_file(game, component, template, card):
    return GOLDEN / f"{game}-{component}-{template}-{card}.txt"


def picture_file(game, component):
    return GOLDEN / f"{game}-{component}.png"


@pytest.mark.parametrize("which", CARDS, ids="-".join)
def test_frame_is_unchanged(which):
    assert dump_of(*which) == text_file(*which).read_text()


@pytest.mark.parametrize("which", PICTURES, ids="-".join)
def test_page_looks_the_same(which):
    was, now = Image.open(picture_file(*which)).convert("RGB"), picture(*which)
    assert was.size == now.size
    assert max(ImageStat.Stat(ImageChops.difference(was, now)).mean) < TOLERANCE


def test_pictures_are_small():
    assert all(path.stat().st_size <= 36 * 1024 for path in GOLDEN.glob("*.png"))


if __name__ == "__main__":
    for which in CARDS:
        text_file(*which).write_text(dump_of(*which))
    for which in PICTURES:
        picture(*which).quantize(256, kmeans=3, dither=Image.Dither.NONE).save(picture_file(*which), optimize=True)
