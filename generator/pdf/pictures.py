"""Turns PNG and JPEG files into image XObjects. JPEG data goes into the PDF unchanged; Pillow, a dependency of
reportlab, decodes PNG."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfdoc import PDFImageXObject

from ..errors import Place, fault
from .canvas import plain_streams

MAX_PIXELS = 50_000_000
MAX_BYTES = 64_000_000
MAX_DECODED_BYTES = 60_000_000
"""The largest decoded PNG: 20 million pixels in colour."""
_KINDS = ("PNG", "JPEG")
_SUPPORTED = f"pictures are PNG, JPEG or SVG, of at most {MAX_PIXELS / 1e6:g} million pixels"


def load_picture(file: str, name: str) -> PDFImageXObject:
    """Loads a picture as an XObject called `name`, with any transparency as `_smask`.

    Raises InputError for a file that is not a PNG or JPEG picture or is too large to decode safely."""
    reader = _open(_read(file), file)
    _check_pixels(reader, file)
    try:
        with plain_streams():
            picture = PDFImageXObject(name, reader, mask="auto")
    except (OSError, ValueError, SyntaxError, EOFError, LookupError) as error:
        raise fault("a damaged picture, which cannot be decoded", Place(file)) from error
    if not isinstance(picture.streamContent, bytes):  # reportlab substitutes a picture of its own if it fails
        raise fault("a JPEG picture of an unknown kind; save it again as a baseline JPEG", Place(file))
    return picture


def _check_pixels(reader: Any, file: str) -> None:
    """Raises InputError for a picture whose pixels would take too much memory. JPEG data is not decoded."""
    width, height = reader.getSize()
    image = reader._image
    bytes_per_pixel = 1 if image.format == "JPEG" else {"1": 1, "L": 1, "LA": 2, "RGB": 3}.get(image.mode, 4)
    limit = MAX_PIXELS if image.format == "JPEG" else min(MAX_PIXELS, MAX_DECODED_BYTES // bytes_per_pixel)
    if width * height > limit:
        raise fault(
            f"too large: {width:,} × {height:,} pixels; the limit for this kind of picture is {limit / 1e6:g} million",
            Place(file),
            "scale it down; 300 dpi is enough",
        )
    if image.mode == "1":  # reportlab would turn each bit into three bytes
        reader._image = image.convert("L")
        reader._image.format = image.format


def _read(file: str) -> bytes:
    try:
        with Path(file).open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise fault(f"cannot be read: {(error.strerror or 'error').lower()}", Place(file)) from error
    if len(raw) > MAX_BYTES:
        raise fault(f"larger than {MAX_BYTES / 1e6:g} MB", Place(file))
    return raw


def _open(raw: bytes, file: str) -> Any:
    """Opens the picture and reads only its header."""
    try:
        with catch_warnings():
            simplefilter("ignore")
            reader = ImageReader(BytesIO(raw))
    except Exception as error:  # Pillow raises all kinds of errors for hostile files
        raise fault("cannot be opened as a picture", Place(file), _SUPPORTED) from error
    if reader._image.format not in _KINDS:
        raise fault(f"a {reader._image.format} picture", Place(file), _SUPPORTED)
    if reader._image.mode.startswith("I"):
        raise fault("a picture with 16-bit grey levels", Place(file), "save it with 8 bits")
    return reader
