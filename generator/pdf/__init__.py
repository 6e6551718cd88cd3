"""Pages → PDF. The only room with points and with y upwards."""

from ..files import save
from .canvas import Info
from .document import slot_rects, write
from .forms import write_fillable

__all__ = ["Info", "save", "slot_rects", "write", "write_fillable"]
