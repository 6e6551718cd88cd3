"""Writes pages as PDF. Only this package measures in points, with y upwards. Forms are in `pdf.forms`."""

from ..files import save
from .canvas import Info, PrintCanvas
from .document import paint_pages, slot_rects, write

__all__ = ["Info", "PrintCanvas", "paint_pages", "save", "slot_rects", "write"]
