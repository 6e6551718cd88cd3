"""Opens photos: upright, in colour, and small enough to work with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from ..art.bitmaps import MAX_BYTES, MAX_PIXELS, SCALE_DOWN, SUPPORTED, opened_stream, orientation, quiet
from ..errors import InputError, Place, fault

EXTRA = "pip install 'pencilbox[heic]'"
LONG_SIDE = 4600
"""Longer photos are scaled down: more pixels than these make no cell easier to read."""
MIN_SIDE = 800
"""Of a photo whose longer side has fewer pixels, not even the corner codes can be read."""

_DRAFT = 3000
"""A JPEG file is decoded at a half or a quarter of its size if this many pixels are left of its longer side."""
_MAX_DECODED = 24_000_000
"""The maximum number of pixels of other files, which are decoded in full: 24 million take up to 400 MiB."""
_TURNS = [*map(Image.Transpose, (0, 3, 1, 5, 4, 6, 2))]
"""What undoes the values 2 to 8 of Exif's Orientation (Exif 2.32, 4.6.4)."""
_HINTS = {
    SUPPORTED: "photos are JPEG, PNG, WebP or HEIC files",
    SCALE_DOWN: "take it with fewer megapixels, or scale it down",
}
"""What to do about a photo, by what to do about pictures to print."""
_HEIC = re.compile(rb".{4}ftyp(hei[cxms]|hev[cxms]|mif1|msf1)", re.DOTALL)


class Photo(Struct, frozen=True):
    """A photo: RGB, upright, its longer side at most LONG_SIDE pixels. A pixel of the file is `scale` pixels here."""

    name: str
    picture: Image.Image
    scale: float


def open_photo(path: Path | bytes, name: str) -> Photo:
    """The photo in a file, or in its bytes; messages call it `name`. Raises InputError if it cannot be used."""
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
        is_jpeg = image.format in ("JPEG", "MPO")
        if width * height > _MAX_DECODED and not is_jpeg:
            raise fault(f"too large for this kind of file: {width:,} × {height:,} pixels", place, "save it as JPEG")
        turn = orientation(image) if image.format else 1
        if is_jpeg:
            share = _DRAFT / max(width, height)
            image.draft("RGB", (round(width * share), round(height * share)))
        picture = _scaled_down(_in_colour(image))
        if turn > 1:
            picture = picture.transpose(_TURNS[turn - 2])
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
    try:
        with opened_stream(stream, place) as image:
            yield image
    except InputError as error:
        raise InputError(replace(each, hint=_HINTS.get(each.hint, each.hint)) for each in error.problems) from None


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
            raise fault(f"too large: {width:,} × {height:,} pixels", place, _HINTS[SCALE_DOWN])
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
