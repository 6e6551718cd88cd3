"""Writes pages as PDF. Only this package measures in points, with y upwards. Forms are in `pdf.forms`."""

from ..files import save
from .canvas import Info
from .document import slot_rects, write

__all__ = ["Info", "save", "slot_rects", "write"]
