"""Writes pages as PDF. Only this package measures in points, with y upwards. Forms are in `pdf.forms`."""

from ..files import save
from .canvas import Info, PrintCanvas
from .document import PageWriter, canvas_for, paint_pages, painted, slot_rects, write
from .paint import Painter

__all__ = [
    "Info",
    "PageWriter",
    "Painter",
    "PrintCanvas",
    "canvas_for",
    "paint_pages",
    "painted",
    "save",
    "slot_rects",
    "write",
]
