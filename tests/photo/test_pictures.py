"""Photos are opened upright, and what cannot be read is refused with one clear line."""

from __future__ import annotations

import struct
import sys
import zlib
from io import BytesIO
from types import SimpleNamespace

import numpy as np
import pi_heif
import pytest
from PIL import Image

from generator.errors import InputError
from generator.photo.pictures import LONG_SIDE, open_photo


def picture(width=1200, height=900) -> Image.Image:
    """Red at the top left, blue elsewhere."""
    image = Image.new("RGB", (width, height), (40, 40, 200))
    image.paste((220, 30, 30), (0, 0, width // 2, height // 2))
    return image


def saved(image: Image.Image, kind: str, **options) -> bytes:
    buffer = BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def png_header(width: int, height: int) -> bytes:
    chunk = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk)) + b"\0\0\0\x10IDAT"
    )


def is_red(colour: tuple[int, ...]) -> bool:
    return colour[0] > 150 > colour[2]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_usual_kinds_are_opened(kind):
    photo = open_photo(saved(picture(), kind), "a")
    assert (photo.picture.mode, photo.picture.size, photo.scale) == ("RGB", (1200, 900), 1.0)
    assert is_red(photo.picture.getpixel((100, 100)))


HEIC = b"\0\0\0\x18ftypheic" + bytes(60)


def test_heic_is_opened(monkeypatch):
    decoded = SimpleNamespace(size=(1200, 900), to_pillow=picture)
    monkeypatch.setattr(pi_heif, "open_heif", lambda stream: decoded)
    assert open_photo(HEIC, "a.heic").picture.size == (1200, 900)


def test_heic_without_its_library_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pi_heif", None)
    with pytest.raises(InputError, match=r"pip install 'pencilbox\[heic\]'"):
        open_photo(HEIC, "a.heic")


@pytest.mark.parametrize(("turn", "corner"), [(1, (0, 0)), (3, (1, 1)), (6, (1, 0)), (8, (0, 1))])
def test_photos_are_upright(turn, corner):
    exif = Image.Exif()
    exif[0x0112] = turn
    shown = open_photo(saved(picture(), "JPEG", exif=exif), "a").picture
    assert shown.size == ((900, 1200) if turn > 4 else (1200, 900))
    assert is_red(shown.getpixel((corner[0] * (shown.width - 40) + 20, corner[1] * (shown.height - 40) + 20)))


def test_large_photos_are_scaled_down():
    photo = open_photo(saved(Image.new("L", (5200, 2600), 200), "JPEG"), "a")
    assert photo.picture.size == (LONG_SIDE, LONG_SIDE // 2)
    assert photo.scale == pytest.approx(LONG_SIDE / 5200)


def test_very_large_jpeg_files_are_decoded_at_half_their_size():
    photo = open_photo(saved(Image.new("L", (6400, 1600), 200), "JPEG"), "a")
    assert (photo.picture.size, photo.scale) == ((3200, 800), 0.5)


def test_second_pictures_of_a_phone_are_left_out():
    data = saved(picture(), "MPO", save_all=True, append_images=[picture(400, 300)])
    assert open_photo(data, "a").picture.size == (1200, 900)


def test_transparent_parts_are_white():
    image = picture().convert("RGBA")
    image.putalpha(Image.fromarray(np.tile(np.uint8([0, 255]), (900, 600))))
    assert open_photo(saved(image, "PNG"), "a").picture.getpixel((100, 100)) == (255, 255, 255)


NOISE = saved(Image.fromarray(np.random.default_rng(1).integers(0, 255, (900, 1200, 3), np.uint8)), "JPEG")
FRAMES = [picture(), picture().rotate(180)]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "this is not a picture"),
        (b"players: 2\n" * 9, "this is not a picture"),
        (b"%PDF-1.7 ...", "this is a PDF file"),
        (saved(picture(90, 60), "PNG"), "too small to be read: 90 × 60 pixels"),
        (png_header(20_000, 10_000), "more pixels than can be read; the limit is 50 million"),
        (png_header(10_000, 6_000), "10,000 × 6,000 pixels; the limit is 50 million"),
        (saved(FRAMES[0], "GIF", save_all=True, append_images=FRAMES[1:]), "has several pictures or is animated"),
        (saved(FRAMES[0], "WEBP", save_all=True, append_images=FRAMES[1:]), "has several pictures or is animated"),
        (NOISE[: len(NOISE) // 2], "damaged"),
        (saved(picture(), "PNG")[:900], "damaged"),
        (HEIC, "this HEIC photo is damaged"),
        (png_header(7000, 5000), "too large for this kind of file: 7,000 × 5,000 pixels"),
    ],
)
def test_anything_else_is_refused(data, message):
    with pytest.raises(InputError) as caught:
        open_photo(data, "photo.jpg")
    (problem,) = caught.value.problems
    assert message in problem.message
    assert problem.place.file == "photo.jpg"
    assert problem.hint


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"photo\.jpg: cannot be read: no such file"):
        open_photo(tmp_path / "photo.jpg", "photo.jpg")
