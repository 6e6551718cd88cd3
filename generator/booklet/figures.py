"""Figures of a booklet: cards drawn by their own faces, written on where the example says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from reportlab.platypus import Flowable

from ..definitions import nodes, typed
from ..definitions.values import Length
from ..layout.frame import Frame
from ..pdf.operators import POINTS
from ..pdf.paint import Content


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFile:
    """One card of a figure: its id, its component, which side, and field id → what is written there."""

    card: str
    component: str = "cards"
    back: bool = False
    marks: dict[str, str] | None = None


Drawn = Callable[[CardFile], Frame]
"""The card of a figure as it would look with its marks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureFile:
    """```figure: cards side by side, each `width` wide, over a caption."""

    cards: tuple[CardFile, ...]
    caption: str = ""
    width: Length = 60.0


def figure(source: str, file: str) -> FigureFile:
    """The text of a figure block; raises InputError."""
    return typed.read(nodes.document(source, file), FigureFile)


GAP = 4.0


class Pictures(Flowable):  # type: ignore[misc]
    """Frames side by side, centred, above a caption."""

    def __init__(self, frames: list[Frame], width: float, caption: Flowable) -> None:
        super().__init__()
        self.frames = frames
        self.scale = width / max(frame.width for frame in frames)
        self.caption = caption
        self.spaceBefore, self.spaceAfter = 2 * POINTS, 3 * POINTS

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Platypus asks how much room the figure takes; too wide a one is told as too high,
        which it refuses."""
        self.height = max(frame.height for frame in self.frames) * self.scale * POINTS
        self.caption_width = min(width, 104 * POINTS)
        _, self.caption_height = self.caption.wrap(self.caption_width, height)
        self.room = width
        if self.across() * POINTS > width + 0.1:
            return width, 1e6
        return width, self.height + 1.6 * POINTS + self.caption_height

    def across(self) -> float:
        """Width (mm) of the frames and the gaps between them."""
        return sum(frame.width for frame in self.frames) * self.scale + GAP * (len(self.frames) - 1)

    def draw(self) -> None:
        x = (self.room / POINTS - self.across()) / 2
        foot = self.caption_height + 1.6 * POINTS
        for frame in self.frames:
            _paint(self.canv, frame, x * POINTS, foot, self.scale)
            x += frame.width * self.scale + GAP
        self.caption.drawOn(self.canv, (self.room - self.caption_width) / 2, 0)


def _paint(canvas: object, frame: Frame, x: float, foot: float, scale: float) -> None:
    """The frame within its trim, its lower left corner at (x, foot) points, with a hairline round it."""
    unit = POINTS * scale
    content = Content([f"q {unit:.6f} 0 0 {-unit:.6f} {x:.4f} {foot + frame.height * unit:.4f} cm",
                       f"q 0 0 {frame.width:.3f} {frame.height:.3f} re W n"])
    canvas.painter.items(frame.items, content)  # type: ignore[attr-defined]
    content.code += ["Q", f"0.55 G 0.2 w 0 0 {frame.width:.3f} {frame.height:.3f} re S Q"]
    canvas._code.append("\n".join(content.code))  # type: ignore[attr-defined]
    canvas._formsinuse.extend(content.xobjects)  # type: ignore[attr-defined]
