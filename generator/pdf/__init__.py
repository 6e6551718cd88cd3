"""Pages → PDF. The only room with points and with y upwards. Forms are in `pdf.forms`."""

from .. import text as _text  # noqa: F401 - puts off loading Pillow, which reportlab would load at once
from ..files import save
from .canvas import Info
from .document import slot_rects, write

__all__ = ["Info", "save", "slot_rects", "write"]
