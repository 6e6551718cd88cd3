"""Pictures on pages: their positions, their content, and unusable files."""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import PIL.Image
import pytest

from generator.errors import InputError
from generator.geometry.frame import Image, Shape
from tests.pdf.pages import box, card, pixel


def picture(file: Path, **more) -> Image:
    return Image(str(file), 10, 10, 40, 20, **more)


QUARTERS = {(0, 0): (255, 0, 0), (1, 0): (0, 255, 0), (0, 1): (0, 0, 255), (1, 1): (0, 0, 0)}
SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><rect width="1" height="1" fill="#ff0000"/>
<rect x="1" width="1" height="1" fill="#00ff00"/><rect y="1" width="1" height="1" fill="#0000ff"/>
<rect x="1" y="1" width="1" height="1"/></svg>"""


@pytest.fixture
def quarters(tmp_path):
    """`quarters(kind)` → a picture whose quarters are red, green, blue and black, as a file."""

    def made(kind: str) -> Path:
        file = tmp_path / f"quarters.{kind}"
        if kind == "svg":
            file.write_text(SVG)
            return file
        image = PIL.Image.new("RGB", (64, 64))
        for (column, row), colour in QUARTERS.items():
            image.paste(colour, (column * 32, row * 32, column * 32 + 32, row * 32 + 32))
        image.save(file, quality=95)
        return file

    return made


def near(colour: tuple[int, int, int], expected: tuple[int, int, int]) -> bool:
    return all(abs(a - b) < 40 for a, b in zip(colour, expected, strict=True))


@pytest.mark.parametrize("kind", ["png", "jpg", "svg"])
@pytest.mark.parametrize("flip", ["", "x", "y", "xy"])
def test_a_picture_fills_its_box_and_can_be_mirrored(printed, render, quarters, kind, flip):
    image = render(printed(card(picture(quarters(kind), flip=flip))))
    for (column, row), colour in QUARTERS.items():
        x = 30 + 20 * (1 - column if "x" in flip else column)
        y = 25 + 10 * (1 - row if "y" in flip else row)
        assert near(pixel(image, x, y), colour), (column, row)


@pytest.mark.parametrize("kind", ["png", "jpg", "svg"])
def test_a_picture_is_clipped_and_written_once(printed, render, quarters, kind):
    file = quarters(kind)
    pdf = printed(card(picture(file, clip=(10, 10, 20, 20)), replace(picture(file), y=50)))
    image = render(pdf)
    assert near(pixel(image, 30, 25), (255, 0, 0))
    assert pixel(image, 45, 25) == (255, 255, 255)
    assert len(re.findall(rb"/Subtype\s*/(?:Image|Form)\b", pdf)) == 1


def test_pictures_keep_their_transparency(printed, render, tmp_path):
    image = PIL.Image.new("RGBA", (10, 10), (255, 0, 0, 0))
    image.paste((255, 0, 0, 255), (0, 0, 5, 10))
    image.save(tmp_path / "half.png")
    rendered = render(printed(card(Shape(box(0, 0, 60, 80), fill="#00ff00"), picture(tmp_path / "half.png"))))
    assert pixel(rendered, 25, 30) == (255, 0, 0)
    assert pixel(rendered, 50, 30) == (0, 255, 0)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK"])
def test_every_common_kind_of_pixels_is_printed(printed, render, tmp_path, mode):
    file = tmp_path / ("grey.jpg" if mode == "CMYK" else "grey.png")
    PIL.Image.new("L", (8, 8), 80).convert(mode).save(file, quality=95)
    red, green, blue = pixel(render(printed(card(picture(file)))), 30, 30)
    assert red == green == blue or mode == "CMYK"
    assert red in (0, 255) if mode == "1" else 40 < red < 130


def _png(width: int, height: int) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + b"IHDR" + head + struct.pack(">I", zlib.crc32(b"IHDR" + head))
    return b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", 0) + b"IDAT" + struct.pack(">I", zlib.crc32(b"IDAT"))


def _saved(image: PIL.Image.Image, kind: str) -> bytes:
    stream = BytesIO()
    image.save(stream, kind)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("bomb.png", _png(10_000, 10_000), "too large: 10,000 × 10,000 pixels; the limit for this kind"),
        ("huge.png", _png(65_000, 65_000), "cannot be opened as a picture; pictures are PNG, JPEG or SVG"),
        ("cut.png", _png(10, 10), "a damaged picture"),
        ("text.png", b"no picture at all", "cannot be opened as a picture"),
        ("other.png", _saved(PIL.Image.new("L", (8, 8)), "GIF"), "a GIF picture; pictures are PNG"),
        (
            "deep.png",
            _saved(PIL.Image.new("I;16", (8, 8)), "PNG"),
            "a picture with 16-bit grey levels; save it with 8 bits",
        ),
    ],
    ids=["bomb", "huge", "cut", "text", "gif", "deep"],
)
def test_refuses_unusable_pictures(printed, tmp_path, name, content, said):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=rf"{name}: {said}"):
        printed(card(picture(tmp_path / name)))


def test_a_missing_picture_is_reported(printed, tmp_path):
    with pytest.raises(InputError, match=r"gone\.png: cannot be read: no such file"):
        printed(card(picture(tmp_path / "gone.png")))
