"""Figures in a booklet: cards, dice and pictures drawn from their own faces, with the marks of an example."""

from __future__ import annotations

from collections.abc import Callable
from math import fsum

from reportlab.platypus import Flowable

from ..definitions import nodes, typed
from ..definitions.values import Length, Raw, Size
from ..errors import Place, fault
from ..fast_dataclasses import dataclass
from ..geometry.frame import Frame
from ..pdf.operators import POINTS, segments
from ..pdf.paint import Content


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFile:
    """A card in a figure: its id, its `deck` (not needed if the game has one, or one called `cards`) and side, and the
    `marks` by field id. `component` is the old name of `deck`."""

    card: str
    deck: str = ""
    component: str = ""
    back: bool = False
    marks: dict[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureFile:
    """A face that exists only in the booklet: its template, its size, and the plain values that the template can use
    (`shows`). If `board` names a board, the template can use it as the board's own face does."""

    face: str
    size: Size
    shows: Raw | None = None
    board: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureFile:
    """```figure: cards, faces or dice side by side over a caption, or a `picture` from a file.

    `dice` lists the sides that face up, and `colours` the dice they belong to, if that matters. `width` is the width of
    each piece (by default 60 for cards and pictures, 11 for dice, and the face's own width for faces). `turned` pieces
    stand on their right edge: the reader turns the booklet clockwise."""

    cards: tuple[CardFile, ...] = ()
    faces: tuple[PictureFile, ...] = ()
    dice: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    picture: str = ""
    caption: str = ""
    width: Length | None = None
    turned: bool = False

    @property
    def piece_width(self) -> float | None:
        return self.width or (60.0 if self.cards or self.picture else 11.0 if self.dice else None)

    @property
    def gap(self) -> float:
        return 1.2 if self.dice else GAP


GAP = 4.0
CAPTION_WIDTH = 104.0
"""mm."""
DrawPieces = Callable[[FigureFile, Place], list[Frame]]
"""Draws the pieces of the figure at this place with their marks."""


def figure(source: str, file: str, first_line: int = 1) -> FigureFile:
    """Reads the YAML of a figure block that begins on `first_line` of the file; raises InputError."""
    node = nodes.document(source, file, first_line)
    contents = typed.read(node, FigureFile)
    if sum(map(bool, (contents.cards, contents.faces, contents.dice, contents.picture))) != 1:
        raise fault("a figure must show either cards, faces, dice or a picture", node.place)
    return contents


class Pictures(Flowable):  # type: ignore[misc]
    """Frames side by side above a caption, all centred."""

    def __init__(self, frames: list[Frame], contents: FigureFile, caption: Flowable) -> None:
        super().__init__()
        self.frames = frames
        width, gap = contents.piece_width, contents.gap
        self.has_edge, self.turned = bool(contents.cards or contents.dice), contents.turned
        self.scale = width / max(self.size(frame)[0] for frame in frames) if width else 1.0
        self.gap = gap
        self.caption = caption
        self.spaceBefore, self.spaceAfter = 2 * POINTS, 3 * POINTS

    def size(self, frame: Frame) -> tuple[float, float]:
        """Width and height (mm) of a frame as it appears on the page, before scaling."""
        return (frame.height, frame.width) if self.turned else (frame.width, frame.height)

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """The size of the figure in points. One that is too wide claims to be too high, so that platypus refuses it."""
        self.height = max(self.size(frame)[1] for frame in self.frames) * self.scale * POINTS
        self.caption_width = min(width, CAPTION_WIDTH * POINTS)
        _, self.caption_height = self.caption.wrap(self.caption_width, height)
        self.available_width = width
        if self.total_width() * POINTS > width + 0.1:
            return width, 1e6
        return width, self.height + 1.6 * POINTS + self.caption_height

    def total_width(self) -> float:
        """Width (mm) of the frames and the gaps between them."""
        return fsum(self.size(frame)[0] for frame in self.frames) * self.scale + self.gap * (len(self.frames) - 1)

    def draw(self) -> None:
        x = (self.available_width / POINTS - self.total_width()) / 2
        bottom = self.caption_height + 1.6 * POINTS
        for frame in self.frames:
            self._paint(frame, x * POINTS, bottom)
            x += self.size(frame)[0] * self.scale + self.gap
        self.caption.drawOn(self.canv, (self.available_width - self.caption_width) / 2, 0)

    def _paint(self, frame: Frame, x: float, bottom: float) -> None:
        """Paints the frame within its outline, its lower left corner at (x, bottom) in points. Cards and dice get a
        hairline edge, because they are cut from paper."""
        unit = POINTS * self.scale
        upright = f"{unit:.6f} 0 0 {-unit:.6f} {x:.4f} {bottom + frame.height * unit:.4f}"
        turned = f"0 {unit:.6f} {unit:.6f} 0 {x:.4f} {bottom:.4f}"
        outline = f"0 0 {frame.width:.3f} {frame.height:.3f} re"
        if frame.cut:
            outline = segments(frame.cut.path(0.0, 0.0, frame.width, frame.height))
        content = Content([f"q {turned if self.turned else upright} cm", f"q {outline} W n"])
        painter = self.canv.painter
        painter.scale = self.scale
        painter.items(frame.items, content)
        painter.scale = 1.0
        edge = f"0.55 G 0.2 w {outline} S " if self.has_edge else ""
        content.code += ["Q", f"{edge}Q"]
        self.canv._code.append("\n".join(content.code))
        self.canv._formsinuse.extend(content.xobjects)
