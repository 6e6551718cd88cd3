"""PNG and JPEG files → image XObjects. JPEG data goes into the PDF as it is; PNG is decoded by Pillow, which
reportlab brings along."""

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
"""Bytes of the pixels of a PNG picture, which is decoded whole: 20 million in colour."""
_KINDS = ("PNG", "JPEG")
_WANTED = f"pictures are PNG, JPEG or SVG, of at most {MOST_PIXELS / 1e6:g} million pixels"


def load_picture(file: str, name: str) -> PDFImageXObject:
    """The picture as an XObject called `name`; its transparency, where it has any, hangs on it as `_smask`.

    Raises InputError for a file that is no PNG or JPEG picture, or that is too large to be decoded safely."""
    reader = _opened(_bytes(file), file)
    _check_pixels(reader, file)
    try:
        with plain_streams():
            picture = PDFImageXObject(name, reader, mask="auto")
    except (OSError, ValueError, SyntaxError, EOFError, LookupError) as error:
        raise fault("a broken picture: it cannot be decoded", Place(file)) from error
    if not isinstance(picture.streamContent, bytes):  # reportlab puts in a picture of its own where it fails
        raise fault("a JPEG picture of an unknown kind; save it again as a plain one", Place(file))
    return picture


def _check_pixels(reader: Any, file: str) -> None:
    """Raises InputError for a picture whose pixels would take more memory than printing may. JPEG data stays packed."""
    width, height = reader.getSize()
    image = reader._image
    size = 1 if image.format == "JPEG" else {"1": 1, "L": 1, "LA": 2, "RGB": 3}.get(image.mode, 4)
    most = MOST_PIXELS if image.format == "JPEG" else min(MOST_PIXELS, MOST_DECODED // size)
    if width * height > most:
        raise fault(
            f"a picture of {width:,} × {height:,} pixels; at most {most / 1e6:g} million of this kind are printed",
            Place(file),
            "make it smaller: 300 dots per inch are plenty",
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
    """Reads no more than the head of the picture."""
    try:
        with catch_warnings():
            simplefilter("ignore")
            reader = ImageReader(BytesIO(raw))
    except Exception as error:  # Pillow's refusals of hostile files share no base class below this
        raise fault("cannot be opened as a picture", Place(file), _WANTED) from error
    if reader._image.format not in _KINDS:
        raise fault(f"a {reader._image.format} picture", Place(file), _WANTED)
    if reader._image.mode.startswith("I"):
        raise fault("a picture with 16 bits of grey", Place(file), "save it with 8 bits")
    return reader
