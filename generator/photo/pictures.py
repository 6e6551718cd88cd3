"""Opens photos: upright, in colour, and small enough to work with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct
from PIL import Image

from ..art.bitmaps import MAX_BYTES, MAX_PIXELS, opened_stream, orientation, quiet
from ..errors import InputError, Place, fault

EXTRA = "pip install 'pencilbox[heic]'"
LONG_SIDE = 4600
"""Longer photos are scaled down: more pixels than these make no cell easier to read."""
MIN_SIDE = 800
"""Of a photo whose longer side has fewer pixels, not even the corner codes can be read."""

_DRAFT = 3800
"""A JPEG file is decoded at a half or a quarter of its size if this many pixels are left of its longer side."""
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""What undoes each value of Exif's Orientation (Exif 2.32, 4.6.4)."""
_HEIC = re.compile(rb".{4}ftyp(hei[cxms]|hev[cxms]|mif1|msf1)", re.DOTALL)


class Photo(Struct, frozen=True):
    """A photo: RGB, upright, its longer side at most LONG_SIDE pixels. A pixel of the file is `scale` pixels here."""

    name: str
    picture: Image.Image
    scale: float


def open_photo(path: Path | bytes, name: str) -> Photo:
    """The photo in a file, or in its bytes; `name` is what messages call it. Raises InputError with a single problem if
    it cannot be used."""
    place = Place(name)
    with quiet(), _opened(path, place) as image:
        width, height = image.size
        if max(width, height) < MIN_SIDE:
            raise fault(
                f"too small to be read: {width} × {height} pixels", place, "send the photo in its original size"
            )
        if getattr(image, "n_frames", 1) > 1 and image.format in ("GIF", "PNG", "WEBP", "AVIF", "TIFF"):
            # phones add second pictures, such as depths, to JPEG files
            raise fault("has several pictures or is animated", place, "save a single picture as PNG or JPEG")
        turn = _TURNS.get(orientation(image)) if image.format else None
        if image.format in ("JPEG", "MPO"):
            share = _DRAFT / max(width, height)
            image.draft("RGB", (round(width * share), round(height * share)))
        picture = _scaled_down(_in_colour(image))
        if turn is not None:
            picture = picture.transpose(turn)
    return Photo(name, picture, max(picture.size) / max(width, height))


@contextmanager
def _opened(path: Path | bytes, place: Place) -> Iterator[Image.Image]:
    try:
        stream: BinaryIO = BytesIO(path) if isinstance(path, bytes) else path.open("rb")
    except OSError as error:
        raise fault(f"cannot be read: {(error.strerror or 'error').lower()}", place) from error
    head = stream.read(64)
    stream.seek(0)
    if _HEIC.match(head):
        with stream:
            yield _heic(stream, place)
        return
    with opened_stream(stream, place) as image:
        yield image


def _heic(stream: BinaryIO, place: Place) -> Image.Image:
    """The picture in a HEIC file, which is upright when it is decoded."""
    try:
        import pi_heif  # an extra: most photos are JPEG files
    except ModuleNotFoundError:
        raise fault("HEIC photos need pi-heif, which is not installed", place, EXTRA) from None
    if stream.seek(0, 2) > MAX_BYTES:
        raise fault(f"larger than {MAX_BYTES / 1e6:g} MB", place)
    stream.seek(0)
    try:
        file: Any = pi_heif.open_heif(stream)
        width, height = file.size
        if width * height > MAX_PIXELS:
            limit = f"the limit is {MAX_PIXELS / 1e6:g} million"
            raise fault(f"too large: {width:,} × {height:,} pixels; {limit}", place, "scale it down")
        picture: Image.Image = file.to_pillow()
    except InputError:
        raise
    except Exception as error:  # the library raises all kinds of errors for damaged files
        raise fault("this HEIC photo is damaged and cannot be decoded", place, "save or download it again") from error
    return picture


def _in_colour(image: Image.Image) -> Image.Image:
    """The picture in RGB, with white where it is transparent."""
    if image.mode.startswith("I"):  # 16 bits
        image = image.point(lambda value: value / 256).convert("L")
    if not image.has_transparency_data:
        return image.convert("RGB")
    image = image.convert("RGBA")
    white = Image.new("RGB", image.size, "white")
    white.paste(image, mask=image.getchannel("A"))
    return white


def _scaled_down(picture: Image.Image) -> Image.Image:
    share = LONG_SIDE / max(picture.size)
    if share >= 1:
        return picture
    size = max(1, round(picture.width * share)), max(1, round(picture.height * share))
    return picture.resize(size, Image.Resampling.BOX, reducing_gap=2.0)
