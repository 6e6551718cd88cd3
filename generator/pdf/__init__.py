"""Pages → PDF. The only room with points and with y upwards. Forms are in `pdf.forms`."""

from .. import layout as _layout  # noqa: F401 - puts off what reportlab would load at once
from ..files import save
from .canvas import Info
from .document import slot_rects, write

__all__ = ["Info", "save", "slot_rects", "write"]
