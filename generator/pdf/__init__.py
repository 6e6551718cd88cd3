"""Writes pages as PDF. Only this package measures in points, with y upwards. Forms are in `pdf.forms`."""

from ..files import save
from .canvas import Info, PrintCanvas
from .document import paint_pages, painter_for, slot_rects, write
from .paint import Painter

__all__ = ["Info", "Painter", "PrintCanvas", "paint_pages", "painter_for", "save", "slot_rects", "write"]
