"""A page: frames at their positions on paper, and the marks around them. Millimetres, y down."""

from __future__ import annotations

from typing import TypeAlias

from ..records import dataclass
from .frame import Frame, Shape
from .refill import Filled

Side: TypeAlias = Frame | Filled
"""What lies on a page: a frame, or one that is not written out."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A frame on a page: the top left corner of the box its trim takes after being turned by `turn` degrees
    clockwise (0, 90, 180, 270); `clip` is how far its bleed may reach (left, top, right, bottom); a
    negative one cuts inside the trim."""

    frame: Side
    x: float
    y: float
    turn: int = 0
    clip: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)

    @property
    def box(self) -> tuple[float, float]:
        """Width and height of the trim on the page, after the turn."""
        size = self.frame.width, self.frame.height
        return size if self.turn % 180 == 0 else size[::-1]


@dataclass(frozen=True, slots=True)
class Page:
    """One side of a piece of paper. `label` says what it is ("front 1", "back 1"); `notes` are small texts for the
    maker's hands, such as where to fold; `cut` says that its frames are cut out along their trims."""

    width: float
    height: float
    placed: tuple[Placed, ...]
    marks: tuple[Shape, ...] = ()
    notes: tuple[Placed, ...] = ()
    label: str = ""
    cut: bool = False
