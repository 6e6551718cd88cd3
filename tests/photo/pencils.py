"""Strokes as ink on a picture of a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from PIL import Image, ImageChops, ImageDraw

from tests.photo.hands import Line

_FINE = 3
"""Strokes are drawn this much larger, so that their edges are soft."""


@cache
def _grain() -> Image.Image:
    """The roughness of paper, as a pencil shows it."""
    rng = np.random.default_rng(7)
    rough = np.asarray(
        Image.fromarray(rng.integers(0, 256, (512, 512), np.uint8)).resize((1024, 1024), Image.BILINEAR), float
    )
    rough = (rough - rough.mean()) / rough.std() * 40 + rng.normal(0, 20, rough.shape)
    return Image.fromarray(np.clip(235 + np.minimum(rough, 20), 90, 255).astype(np.uint8))


def ink_layer(lines: Iterable[Line], size: tuple[int, int], scale: float, rough: bool) -> Image.Image:
    """The ink of all lines on a page of `size` pixels, `scale` pixels per millimetre: 0 none, 255 as dark as can be."""
    layer = Image.new("L", size)
    for line in lines:
        _draw(layer, line, scale)
    if rough:
        grain = _grain()
        tiled = Image.new("L", size)
        for x in range(0, size[0], grain.width):
            for y in range(0, size[1], grain.height):
                tiled.paste(grain, (x, y))
        layer = ImageChops.multiply(layer, tiled)
    return layer


def _draw(layer: Image.Image, line: Line, scale: float) -> None:
    widest = float(line.width.max()) * scale
    corner = np.floor(line.points.min(0) * scale - widest - 1).astype(int)
    end = np.ceil(line.points.max(0) * scale + widest + 1).astype(int)
    width, height = (int(length) for length in end - corner)
    patch = Image.new("L", (width * _FINE, height * _FINE))
    draw = ImageDraw.Draw(patch)
    points = (line.points * scale - corner) * _FINE
    widths, greys = line.width * scale * _FINE, line.darkness * 255
    order = np.argsort(greys[:-1], kind="stable")  # the darkest on top
    for number in order:
        start, stop, grey = points[number], points[number + 1], int(greys[number])
        thick, round_ = max(int(widths[number]), 1), widths[number] / 2
        draw.line([*start, *stop], fill=grey, width=thick)
        draw.ellipse([*(start - round_), *(start + round_)], fill=grey)
        draw.ellipse([*(stop - round_), *(stop + round_)], fill=grey)
    patch = patch.reduce(_FINE)
    place = (int(corner[0]), int(corner[1]))
    below = layer.crop((*place, place[0] + width, place[1] + height))
    # A second stroke over the first is a little darker than each of them.
    layer.paste(ImageChops.lighter(ImageChops.lighter(below, patch), ImageChops.add(below, patch, 1.25)), place)


def inked(page: Image.Image, layer: Image.Image, colour: Sequence[int]) -> Image.Image:
    """The page with ink of a colour on it: what is printed below stays dark."""
    ink = Image.merge(
        "RGB", [layer.point([255 - round(level * (255 - part) / 255) for level in range(256)]) for part in colour]
    )
    return ImageChops.multiply(page, ink)
