"""Writes pages as PDF. Only this package measures in points, with y upwards. Forms are in `pdf.forms`."""

from ..files import save
from .canvas import Info, PrintCanvas
from .document import PageWriter, PaintedPage, canvas_for, paint_pages, painted, slot_rects, write
from .paint import Painter, Shared

__all__ = [
    "Info",
    "PageWriter",
    "PaintedPage",
    "Painter",
    "PrintCanvas",
    "Shared",
    "canvas_for",
    "paint_pages",
    "painted",
    "save",
    "slot_rects",
    "write",
]
