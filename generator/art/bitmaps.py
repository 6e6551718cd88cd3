"""Opens bitmap pictures. Their first bytes decide their kind, whatever their file name says, and their size is checked
before they are decoded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from logging import NullHandler, getLogger
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from warnings import catch_warnings, simplefilter

from msgspec import Struct

from ..errors import InputError, Place, fault
from ..files import of_files
from ..paths import display_path

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS = 50_000_000
MAX_BYTES = 64_000_000
SUPPORTED = "pictures are PNG, JPEG, WebP, AVIF, GIF, TIFF, BMP or SVG files"
SCALE_DOWN = "scale it down; 300 dpi is enough"
_HEAD = 64
# Pillow's names of formats, by their first bytes.
_KINDS = {
    re.compile(rb"\x89PNG\r\n\x1a\n"): "PNG",
    re.compile(rb"\xff\xd8\xff"): "JPEG",
    re.compile(rb"RIFF.{4}WEBP", re.DOTALL): "WEBP",
    re.compile(rb".{4}ftypavi[fs]", re.DOTALL): "AVIF",
    re.compile(rb"GIF8"): "GIF",
    re.compile(rb"II\*\0|MM\0\*"): "TIFF",
    re.compile(rb"BM"): "BMP",
}
_REFUSED = {
    b"8BPS": "a Photoshop file",
    b"%PDF": "a PDF file",
    b"%!PS": "a PostScript file",
    b"gimp xcf": "a GIMP file",
    b"\0\0\0\x0cjP  ": "a JPEG 2000 picture",
    b"\0\0\0\x0cJXL ": "a JPEG XL picture",
    b"\xff\n": "a JPEG XL picture",
    b"\0\0\1\0": "a Windows icon",
    b"v/1\1": "an OpenEXR picture",
    b"<!DOCTYPE html": "a web page",
    b"<!doctype html": "a web page",
    b"<html": "a web page",
    b"version https://git-lfs": "a pointer to a picture in Git LFS",
    b"PK\3\4": "a ZIP file",
    b"<svg": "an SVG file",
    b"<?xml": "an SVG file",
    b"\x1f\x8b": "a compressed file",
}
_HINTS = {
    "an SVG file": "name it .svg",
    "a compressed file": "if it is an SVG file, name it .svgz",
    "a web page": "download the picture itself",
    "a pointer to a picture in Git LFS": "download it with “git lfs pull”",
    "a ZIP file": "unpack it",
}
_EXIF_ORIENTATION = 0x0112
SIDEWAYS = (5, 6, 7, 8)
"""The values of Exif's Orientation for which width and height change places."""


getLogger("PIL").addHandler(NullHandler())  # otherwise Pillow prints warnings about odd files


class Bitmap(Struct, frozen=True):
    """The header of a picture: its kind, its size in pixels as shown (turned as its Exif data say), and whether some
    of it may be transparent."""

    kind: str
    width: int
    height: int
    transparent: bool


@of_files
@cache
def bitmap(file: str) -> Bitmap:
    """The header of a picture. Raises InputError if it cannot be used."""
    with quiet(), opened(file) as image:
        width, height = image.size
        kind = image.format or ""
        if orientation(image) in SIDEWAYS:
            width, height = height, width
        return Bitmap(kind, width, height, image.has_transparency_data)


@of_files
@cache
def see_through(file: str) -> bool:
    """Whether any pixel is transparent. An alpha channel alone says little: many programs always write one. Damaged
    pixels are reported when the picture is printed."""
    if not bitmap(file).transparent:
        return False
    try:
        with quiet(), opened(file) as image:
            alpha = image if image.mode in ("LA", "RGBA") else image.convert("RGBA")
            return alpha.getchannel("A").getextrema()[0] < 255  # type: ignore[operator]
    except InputError:
        return True


@contextmanager
def quiet() -> Iterator[None]:
    """Silences Pillow's warnings about odd files. It must not be used in a thread."""
    with catch_warnings():
        simplefilter("ignore")
        yield


@contextmanager
def opened(file: str) -> Iterator[Image]:
    """Opens a picture and reads its header. Raises InputError if it is not a picture or is too large, or later, if its
    pixels turn out to be damaged."""
    place = Place(display_path(Path(file)))
    try:
        stream = Path(file).open("rb")  # noqa: SIM115  # closed below; a `with` here would also catch later errors
    except OSError as error:
        raise fault(f"cannot be read: {(error.strerror or 'error').lower()}", place) from error
    with opened_stream(stream, place) as image:
        yield image


@contextmanager
def opened_stream(stream: BinaryIO, place: Place) -> Iterator[Image]:
    """Like `opened`, but from a stream, which is closed at the end."""
    from PIL import Image, features  # most games have no pictures

    with stream:
        kind = _kind(stream, place)
        try:
            image = Image.open(stream, formats=(kind,))
        except Image.DecompressionBombError as error:
            raise _too_large(place, "more pixels than can be read; ") from error
        except Exception as error:  # Pillow raises all kinds of errors for damaged headers
            name = kind.replace("WEBP", "WebP")
            if kind in ("AVIF", "WEBP") and not features.check(kind.lower()):
                message = f"{name} pictures cannot be read by this version of Pillow"
                raise fault(message, place, "save it as PNG or JPEG") from error
            raise fault(f"this {name} picture is damaged and cannot be opened", place, SUPPORTED) from error
        if kind == "TIFF" and image.mode in ("F", "I"):
            raise fault(
                "it has 32 bits per channel, so its white level is unknown",
                place,
                "save it with 8 or 16 bits per channel",
            )
        if image.width * image.height > MAX_PIXELS:
            raise _too_large(place, f"{image.width:,} × {image.height:,} pixels; ")
        try:
            yield image
        except InputError:
            raise
        except Exception as error:
            raise fault("this picture is damaged and cannot be decoded", place, "save or download it again") from error


def _kind(stream: BinaryIO, place: Place) -> str:
    """Pillow's name for the format of a picture, by its first bytes."""
    head = stream.read(_HEAD)
    size = stream.seek(0, 2)
    stream.seek(0)
    if size > MAX_BYTES:
        raise fault(f"larger than {MAX_BYTES / 1e6:g} MB", place)
    kind = next((kind for start, kind in _KINDS.items() if start.match(head)), "")
    if not kind:
        raise _refused(head, place)
    return kind


def is_picture(head: bytes) -> bool:
    """Whether a file that begins with these bytes is a picture of a known kind, or a HEIC file."""
    return any(start.match(head) for start in _KINDS) or head[4:8] == b"ftyp"


def _refused(head: bytes, place: Place) -> InputError:
    what = next((what for start, what in _REFUSED.items() if head.lstrip().startswith(start)), "")
    if what:
        return fault(f"this is {what}, which cannot be printed", place, _HINTS.get(what, "save it as PNG or JPEG"))
    if head[4:8] == b"ftyp":
        return fault("this kind of file, such as HEIC, is not supported", place, "save it as PNG or JPEG")
    return fault("this is not a picture", place, SUPPORTED)


def _too_large(place: Place, size: str = "") -> InputError:
    return fault(f"too large: {size}the limit is {MAX_PIXELS / 1e6:g} million", place, SCALE_DOWN)


def orientation(image: Image) -> int:
    """How a picture must be turned or mirrored to be shown, from 1 (not at all) to 8 (Exif 2.32, 4.6.4). In a PNG, only
    Exif data before the pixels count: to find later ones, the whole file would have to be decoded. Pillow turns TIFF
    itself."""
    if image.format == "TIFF" or (image.format == "PNG" and "exif" not in image.info):
        return 1
    try:
        value = image.getexif().get(_EXIF_ORIENTATION, 1)
    except Exception:  # damaged Exif data do not mean damaged pixels
        return 1
    return value if value in range(1, 9) else 1
