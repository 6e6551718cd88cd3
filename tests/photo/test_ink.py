"""What was written is found, and what was printed is not."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFilter

from generator.errors import InputError
from generator.photo import strokes
from generator.photo.blank import PX, BlankPage, blank_page
from generator.photo.ink import page_ink
from generator.photo.pages import SeenPage
from generator.photo.straighten import StraightPage, Surface
from generator.reading.load import load
from generator.reading.sizes import paper


@pytest.fixture(scope="module")
def blank() -> BlankPage:
    return blank_page(load("examples/lantern_walk"), "sheet", paper("a4"), 1)


def photographed(blank: BlankPage, lines=(), *, white=230, toner=1.0, dark=0.7, shift=(0, 0)) -> StraightPage:
    """The page with lines of 0.5 mm (points in mm), in light that fades towards the bottom, out of focus and noisy."""
    layer = Image.new("L", blank.gray.shape[::-1])
    for line in lines:
        ImageDraw.Draw(layer).line([(x * PX, y * PX) for x, y in line], fill=255, width=PX // 2, joint="curve")
    page = 255 - (255.0 - np.roll(blank.gray, shift, (0, 1))) * toner
    page *= 1 - np.asarray(layer) / 255 * dark
    page *= white / 255 * np.linspace(1, 0.6, len(page))[:, None]
    page += np.random.default_rng(1).normal(0, 2, page.shape)
    picture = Image.fromarray(page.clip(0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(1))
    colour = np.asarray(picture.convert("RGB"))
    surface = Surface(np.eye(3), np.zeros((2, 2, 2)))
    return StraightPage(blank, SeenPage(None, 0, 1, ()), np.asarray(picture), colour, surface, 1.0)


def middle(rect) -> tuple[float, float]:
    return rect.x + rect.width / 2, rect.y + rect.height / 2


def test_a_photo_whose_noise_hides_marks_is_refused(blank):
    page = photographed(blank)
    pattern = 45 * np.sin(np.arange(page.gray.shape[1]) / 3)
    with pytest.raises(InputError, match="too grainy"):
        page_ink(replace(page, gray=(page.gray + pattern).clip(0, 255).astype(np.uint8)))


@pytest.mark.parametrize("damage", [{}, {"white": 130}, {"toner": 0.6}, {"shift": (1, -1)}])
def test_a_page_without_writing_has_no_ink(blank, damage):
    assert np.mean(page_ink(photographed(blank, **damage)).ink > 0.5) < 1e-5


@pytest.mark.parametrize("dark", [0.3, 0.9])
def test_strokes_are_found_whole_where_they_cross_an_outline(blank, dark):
    box = next(field.slot.box for field in blank.map.fields if field.kind == "number")
    x, y = middle(box)
    across = [(x, y), (x, box.bottom + 2)]
    ink = page_ink(photographed(blank, [across], dark=dark)).ink
    column = ink[round(y * PX) + 4 : round((box.bottom + 1.5) * PX), round(x * PX)]
    assert column.min() > 0.4
    assert ink[round(y * PX), round((x - 3) * PX)] < 0.1


def test_pieces_are_connected_over_corners_but_not_over_gaps():
    picture = ["##..#", "..#..", "##..#", ".#.##"]
    mask = np.array([[pixel == "#" for pixel in row] for row in picture])
    rows, columns, pieces = strokes.connected(mask)
    assert [*zip(rows, columns, strict=True)] == [*zip(*np.nonzero(mask), strict=True)]
    sizes = sorted(np.bincount(pieces).tolist())
    assert sizes == [1, 3, 6]


def test_nothing_is_connected_on_a_blank_mask():
    rows, columns, pieces = strokes.connected(np.zeros((3, 4), bool))
    assert len(rows) == len(columns) == len(pieces) == 0
