"""Writes pages as PDF. Only this package measures in points, with y upwards. Forms are in `pdf.forms`."""

from .document import Bookmark, Info, PaintedPage, PdfDocument, painted, slots_on, write
from .file import PdfFile
from .paint import Painter, Shared

__all__ = [
    "Bookmark",
    "Info",
    "PaintedPage",
    "Painter",
    "PdfDocument",
    "PdfFile",
    "Shared",
    "painted",
    "slots_on",
    "write",
]
