"""PNG and JPEG files → image XObjects. JPEG data goes into the PDF unchanged; PNG is decoded by Pillow, a dependency
of reportlab."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfdoc import PDFImageXObject

from ..errors import Place, fault
from .canvas import plain_streams

MOST_PIXELS = 50_000_000
MOST_BYTES = 64_000_000
MOST_DECODED = 60_000_000
"""Bytes of a decoded PNG: 20 million pixels in colour."""
_KINDS = ("PNG", "JPEG")
_WANTED = f"pictures are PNG, JPEG or SVG, of at most {MOST_PIXELS / 1e6:g} million pixels"


def load_picture(file: str, name: str) -> PDFImageXObject:
    """The picture as an XObject called `name`, with its transparency, if any, as `_smask`.

    Raises InputError for a file that is not a PNG or JPEG picture or is too large to decode safely."""
    reader = _opened(_bytes(file), file)
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
    size = 1 if image.format == "JPEG" else {"1": 1, "L": 1, "LA": 2, "RGB": 3}.get(image.mode, 4)
    most = MOST_PIXELS if image.format == "JPEG" else min(MOST_PIXELS, MOST_DECODED // size)
    if width * height > most:
        raise fault(
            f"too large: {width:,} × {height:,} pixels; the limit for this kind of picture is {most / 1e6:g} million",
            Place(file),
            "scale it down; 300 dpi is enough",
        )
    if image.mode == "1":  # reportlab would make three bytes of each bit
        reader._image = image.convert("L")
        reader._image.format = image.format


def _bytes(file: str) -> bytes:
    try:
        with Path(file).open("rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise fault(f"cannot be read: {(error.strerror or 'error').lower()}", Place(file)) from error
    if len(raw) > MOST_BYTES:
        raise fault(f"larger than {MOST_BYTES / 1e6:g} MB", Place(file))
    return raw


def _opened(raw: bytes, file: str) -> Any:
    """Opens the picture and reads only its header."""
    try:
        with catch_warnings():
            simplefilter("ignore")
            reader = ImageReader(BytesIO(raw))
    except Exception as error:  # Pillow raises all kinds of errors for hostile files
        raise fault("cannot be opened as a picture", Place(file), _WANTED) from error
    if reader._image.format not in _KINDS:
        raise fault(f"a {reader._image.format} picture", Place(file), _WANTED)
    if reader._image.mode.startswith("I"):
        raise fault("a picture with 16-bit grey levels", Place(file), "save it with 8 bits")
    return reader
