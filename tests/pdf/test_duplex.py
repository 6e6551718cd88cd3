"""Fronts and backs coincide on paper: measured on the rendered pages, not taken from the numbers that made them.

Every card is a dark box with one corner cut off (the top left one as it is read); its grey says which card it is. A
page is rendered at a tenth of a millimetre to the pixel, the back is mirrored as the printer turns the paper (or the
page is folded), and then both are looked at through the paper from the front.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import pytest

from generator.geometry.frame import Frame, Shape
from generator.pages.nup import deck_pages
from generator.pdf import Info
from generator.pdf.document import write
from generator.reading.sizes import Paper, paper

PIXELS_PER_MM = 10
NOTCH = 6.0
CORNERS = ("top left", "top right", "bottom right", "bottom left")
WIDE = Paper("a4 landscape", 297, 210, 4.2)


@dataclass(frozen=True)
class Blob:
    """A card as it is seen: its number, its trim (mm) and the corner that is cut off."""

    card: int
    trim: tuple[float, float, float, float]
    corner: str


def card(number: int, width: float, height: float) -> Frame:
    grey = f"#{number * 10:02x}" + f"{number * 10:02x}" * 2
    path = (
        ("M", NOTCH, 0.0),
        ("L", width, 0.0),
        ("L", width, height),
        ("L", 0.0, height),
        ("L", 0.0, NOTCH),
        ("L", NOTCH, NOTCH),
        ("Z",),
    )
    return Frame(f"card {number}", width, height, (Shape(path, fill=grey),))


def blobs(image) -> dict[int, Blob]:
    """Every card of a picture, detected by its darkness; marks and labels are too thin to count."""
    cards = {}
    for top, bottom in _bands([_share(row, image.width) for row in _rows(image)], 0.15):
        strip = image.crop((0, top, image.width, bottom)).transpose(4)  # 4: mirrored about the falling diagonal
        for left, right in _bands([_share(row, strip.width) for row in _rows(strip)], 0.5):
            blob = _blob(image, left, top, right, bottom)
            cards[blob.card] = blob
    return cards


def _rows(image) -> list[bytes]:
    raw, width = image.tobytes(), image.width
    return [raw[i : i + width] for i in range(0, len(raw), width)]


_DARK = bytes(1 if value < 200 else 0 for value in range(256))


def _share(row: bytes, width: int) -> float:
    return row.translate(_DARK).count(1) / width


def _bands(shares: list[float], least: float) -> list[tuple[int, int]]:
    """Runs of rows in which at least this share is dark; a fold line is too thin to be one."""
    full = [False, *(share >= least for share in shares), False]
    edges = [i for i, (before, after) in enumerate(pairwise(full)) if before != after]
    return [(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if end - start > NOTCH]


def _blob(image, left: int, top: int, right: int, bottom: int) -> Blob:
    x, y = (left + right) // 2, (top + bottom) // 2
    grey = image.getpixel((x, y))
    across, down = (
        _edges(image.crop((left - 5, y, right + 5, y + 1)).tobytes(), grey),
        _edges(image.crop((x, top - 5, x + 1, bottom + 5)).tobytes(), grey),
    )
    inset = int(NOTCH * PIXELS_PER_MM / 2)
    spots = (
        (left + inset, top + inset),
        (right - inset, top + inset),
        (right - inset, bottom - inset),
        (left + inset, bottom - inset),
    )
    (corner,) = (name for name, spot in zip(CORNERS, spots, strict=True) if image.getpixel(spot) > 200)
    trim = (left - 5 + across[0], top - 5 + down[0], left - 5 + across[1], top - 5 + down[1])
    return Blob(grey // 10, tuple(edge / PIXELS_PER_MM for edge in trim), corner)


def _edges(line: bytes, grey: int) -> tuple[float, float]:
    """Where a line of pixels becomes dark and light again; partly covered pixels count in part."""
    cover = [(255 - value) / (255 - grey) for value in line]
    middle = len(line) // 2
    return middle - sum(cover[:middle]), middle + sum(cover[middle:])


def seen_through(image, axis: str):
    """The other side of the paper, as it would show through it."""
    return image.transpose(0 if axis == "vertical" else 1)  # 0 mirrors left and right, 1 top and bottom


@pytest.fixture(scope="module")
def sides(theme, render):
    """`sides(paper, size, duplex, count)` → pairs of fronts and backs as blobs, the backs seen through the paper."""

    def pairs(on: Paper, size: tuple[float, float], duplex: str, count: int = 5):
        fronts = [card(n, *size) for n in range(1, count + 1)]
        backs = [card(n, *size) for n in range(1, count + 1)]
        pages = deck_pages(fronts, backs, on, gutter=2, duplex=duplex, margin=5)
        pdf = write(pages, theme, info=Info(title="duplex"), duplex=duplex)
        if duplex == "gutterfold":
            return [_folded(render(pdf, n, grey=True)) for n in range(len(pages))]
        long_is_upright = on.height > on.width
        axis = "vertical" if (duplex == "long") == long_is_upright else "horizontal"
        return [
            (blobs(render(pdf, n, grey=True)), blobs(seen_through(render(pdf, n + 1, grey=True), axis)))
            for n in range(0, len(pages), 2)
        ]

    return pairs


def _folded(image):
    """The two halves of a folded page, the second seen through the first."""
    width, height = image.size
    if _dashed(image.crop((0, height // 2, width, height // 2 + 1)).tobytes()):
        half, axis = (0, 0, width, height // 2), "horizontal"
    else:
        assert _dashed(image.crop((width // 2, 0, width // 2 + 1, height)).tobytes())
        half, axis = (0, 0, width // 2, height), "vertical"
    return blobs(image.crop(half)), blobs(seen_through(image, axis).crop(half))


def _dashed(line: bytes) -> bool:
    """The fold is where many short dashes are."""
    dashes = [len(dash) / PIXELS_PER_MM for dash in line.translate(_DARK).split(b"\0") if dash]
    return len(dashes) > 20 and max(dashes) < 4


@pytest.mark.parametrize("on", [paper("a4"), paper("letter"), WIDE], ids=lambda on: on.name)
@pytest.mark.parametrize("duplex", ["long", "short", "gutterfold"])
@pytest.mark.parametrize("size", [(50.0, 66.0), (86.0, 62.0)], ids=["upright", "wide"])
def test_every_back_is_behind_its_front_and_upright(sides, on, size, duplex):
    seen = sides(on, size, duplex)
    assert sum(len(fronts) for fronts, _ in seen) == 5
    for fronts, backs in seen:
        assert fronts.keys() == backs.keys()
        for number, front in fronts.items():
            back = backs[number]
            assert back.trim == pytest.approx(front.trim, abs=0.1)
            # Turned over like the page of a book, a card's top left is behind its top right: the next corner.
            assert back.corner == CORNERS[(CORNERS.index(front.corner) + 1) % 4]
            width, height = front.trim[2] - front.trim[0], front.trim[3] - front.trim[1]
            assert sorted((width, height)) == pytest.approx(sorted(size), abs=0.05)


def test_turned_and_unturned_cards_were_both_measured(sides):
    corners = {
        blob.corner
        for size in ((50.0, 66.0), (86.0, 62.0))
        for fronts, _ in sides(paper("a4"), size, "long")
        for blob in fronts.values()
    }
    assert corners == {"top left", "top right"}


@pytest.mark.parametrize("duplex", ["long", "gutterfold"])
def test_partly_filled_pages_coincide_too(sides, duplex):
    pages = sides(paper("a4"), (63.5, 88.9), duplex, 10)
    assert len(pages) > 1
    assert len(pages[-1][0]) < len(pages[0][0])
    assert all(
        back.trim == pytest.approx(fronts[number].trim, abs=0.1)
        for fronts, backs in pages
        for number, back in backs.items()
    )
