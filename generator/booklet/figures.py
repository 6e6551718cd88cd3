"""Figures in a booklet: cards, dice and pictures drawn from their own faces, with the marks of an example."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, fsum, radians, sin
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from reportlab.platypus import Flowable

from .. import nodes
from ..errors import Place, fault
from ..geometry.frame import Frame, Group, Item, Shape
from ..geometry.outlines import Path, rect
from ..model.values import Length, Raw, Size
from ..pdf.operators import POINTS, segments
from ..pdf.paint import Content, put
from ..reading import typed

_SHADOW = "#00000038"
_SHADOW_OFFSET = 0.055
"""How far the shadow of a die on a picture is to the right of it and below it, as a share of its width."""


class CardFile(Struct, frozen=True, kw_only=True):
    """A card in a figure: its id, its `deck` (not needed if the game has one, or one called `cards`) and side, and the
    `marks` by field id. `component` is the old name of `deck`."""

    card: str
    deck: str = ""
    component: str = ""
    back: bool = False
    marks: dict[str, str] | None = None


class PictureFile(Struct, frozen=True, kw_only=True):
    """A face that exists only in the booklet: its template, its size, and the plain values that the template can use
    (`shows`). If `board` names a board, the template can use it as the board's own face does. `pieces` lie on it."""

    face: str
    size: Size
    shows: Raw | None = None
    board: str = ""
    pieces: tuple[PieceFile, ...] = ()


class FigureFile(Struct, frozen=True, kw_only=True):
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


class PieceFile(Struct, frozen=True, kw_only=True):
    """A piece on a cover or spread: a `card` as in a figure, a `die` by the side that faces up (and its `colour`), a
    `board`, the `page` of a `sheet` with its `marks`, or a `face` as in a figure, with its `size`. Its middle is
    `x` mm right of the middle of the picture and `y` mm below it. `width` is that of the piece, by default its own, and
    `turn` turns it clockwise by some degrees."""

    card: str = ""
    deck: str = ""
    back: bool = False
    die: str = ""
    colour: str = ""
    board: str = ""
    sheet: str = ""
    page: int = 1
    marks: dict[str, str] | None = None
    face: str = ""
    size: Size | None = None
    shows: Raw | None = None
    x: float
    y: float
    width: Length | None = None
    turn: float = 0.0
    place: Place


class FullPageFile(Struct, frozen=True, kw_only=True):
    """```cover, ```spread and ```back: a picture that fills the front of a booklet, the two pages in its middle, or its
    back. `face` is the template of its background, which has the `width` and `height` of the page or of both pages;
    `over` is the template of what lies on top of the pieces, such as their names. Pieces are painted in the order in
    which they are listed. `title` is its bookmark."""

    face: str = ""
    over: str = ""
    pieces: tuple[PieceFile, ...] = ()
    title: str = ""


GAP = 4.0
MAX_GROWTH = 1.3
"""How much larger a figure may be on a page with room to spare."""
CAPTION_WIDTH = 104.0
"""mm."""


class PieceDrawer(Struct, frozen=True):
    """How the pictures of a booklet are drawn: the pieces of a figure at a place, with their marks; the piece of a
    spread; and the face of a whole page, or of two, from the name of its template and its width and height in mm."""

    pieces: Callable[[FigureFile, Place], list[Frame]]
    piece: Callable[[PieceFile], Frame]
    page: Callable[[str, tuple[float, float]], Frame]


def figure(source: str, file: str, first_line: int = 1) -> FigureFile:
    """Reads the YAML of a figure block that begins on `first_line` of the file; raises InputError."""
    node = nodes.document(source, file, first_line)
    contents = typed.read(node, FigureFile)
    if sum(map(bool, (contents.cards, contents.faces, contents.dice, contents.picture))) != 1:
        raise fault("a figure must show either cards, faces, dice or a picture", node.place)
    for piece in (piece for face in contents.faces for piece in face.pieces):
        _check(piece, "figure")
    return contents


def with_pieces(frame: Frame, pieces: Sequence[PieceFile], drawn: Sequence[Frame]) -> Frame:
    """A frame with pieces on it."""
    items: list[Item] = list(frame.items)
    for piece, shown in zip(pieces, drawn, strict=True):
        scale, turn = piece.width / shown.width if piece.width else 1.0, radians(piece.turn)
        a, b = scale * cos(turn), scale * sin(turn)
        x = frame.width / 2 + piece.x - (a * shown.width - b * shown.height) / 2
        y = frame.height / 2 + piece.y - (b * shown.width + a * shown.height) / 2
        outline = _outline(shown)
        inner = Group(tuple(shown.items), clip=outline)
        paper, edge = Shape(outline, "#ffffff"), Shape(outline, None, "#8c8c8c", 0.12 / scale)
        whole = (inner,) if piece.face else (paper, inner, edge)
        if piece.die:
            off = _SHADOW_OFFSET * shown.width * scale
            items.append(Group((Shape(outline, _SHADOW),), transform=(a, b, -b, a, x + off, y + off)))
        items.append(Group(whole, transform=(a, b, -b, a, x, y)))
    return replace(frame, items=tuple(items))


def _check(piece: PieceFile, kind: str) -> None:
    """Raises InputError for a piece that is not exactly one thing."""
    if sum(map(bool, (piece.card, piece.die, piece.board and not piece.face, piece.sheet, piece.face))) != 1:
        raise fault(f"a piece of a {kind} is either a card, die, board, sheet or face", piece.place)
    if piece.face and not piece.size:
        raise fault(f"the piece “{piece.face}” of a {kind} needs a “size”", piece.place)


def full_page(kind: str, source: str, file: str, first_line: int = 1) -> FullPageFile:
    """Reads the YAML of a cover, spread or back that begins on `first_line` of the file; raises InputError."""
    node = nodes.document(source, file, first_line)
    contents = typed.read(node, FullPageFile)
    for piece in contents.pieces:
        _check(piece, kind)
    if not (contents.face or contents.pieces):
        raise fault(f"a {kind} needs a “face” or “pieces”", node.place)
    return contents


def picture_of(contents: FullPageFile, pieces: Sequence[Frame], size: tuple[float, float], draw: PieceDrawer) -> Frame:
    """A picture of this width and height (mm) with the frames of its pieces."""
    ground = draw.page(contents.face, size) if contents.face else Frame("", *size, ())
    over = draw.page(contents.over, size).items if contents.over else ()
    frame = with_pieces(ground, contents.pieces, pieces)
    return replace(frame, items=(*frame.items, *over))


def _outline(frame: Frame) -> Path:
    box = 0.0, 0.0, frame.width, frame.height
    return frame.cut.path(*box) if frame.cut else rect(*box)


class FigureFlowable(Flowable):  # type: ignore[misc]
    """Frames side by side above a caption, all centred. They are `zoom` times as large as the figure says, if they fit
    into the `room` (mm), and may grow further on a page with room to spare."""

    def __init__(
        self, frames: list[Frame], contents: FigureFile, caption: Flowable, room: float, zoom: float = 1.0
    ) -> None:
        super().__init__()
        self.frames = frames
        self.sizes = [
            (frame.height, frame.width) if contents.turned else (frame.width, frame.height) for frame in frames
        ]
        """The width and height (mm) of each frame as it appears on the page, before scaling."""
        self.has_edge, self.turned = bool(contents.cards or contents.dice), contents.turned
        width = contents.piece_width
        self.plain_scale = width / max(across for across, _ in self.sizes) if width else 1.0
        self.growth = 1.0
        self.gap = contents.gap
        self.caption = caption
        self.spaceBefore, self.spaceAfter = 2 * POINTS, 3 * POINTS
        self.plain_scale *= min(zoom, max(1.0, self._widest(room)))

    @property
    def scale(self) -> float:
        return self.plain_scale * self.growth

    def _widest(self, room: float) -> float:
        """How many times as wide as at its `plain_scale` the figure may be to fit into the room (mm)."""
        across = fsum(width for width, _ in self.sizes) * self.plain_scale
        return (room - self.gap * (len(self.frames) - 1)) / across

    def most_growth(self, width: float) -> float:
        """The largest `growth` in a column of this width, in points."""
        return max(1.0, min(MAX_GROWTH, self._widest(width / POINTS)))

    def growth_room(self, width: float) -> float:
        """How much higher the figure may become in a column of this width. Both are in points."""
        return (self.most_growth(width) - 1) * self._height() / self.growth

    def _height(self) -> float:
        return max(height for _, height in self.sizes) * self.scale * POINTS

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """The size of the figure in points. One that is too wide claims to be too high, so that platypus refuses it."""
        self.height = self._height()
        self.caption_width = min(width, CAPTION_WIDTH * POINTS)
        _, self.caption_height = self.caption.wrap(self.caption_width, height)
        self.available_width = width
        if self.total_width() * POINTS > width + 0.1:
            return width, 1e6
        return width, self.height + 1.6 * POINTS + self.caption_height

    def total_width(self) -> float:
        """Width (mm) of the frames and the gaps between them."""
        return fsum(width for width, _ in self.sizes) * self.scale + self.gap * (len(self.frames) - 1)

    def draw(self) -> None:
        x = (self.available_width / POINTS - self.total_width()) / 2
        bottom = self.caption_height + 1.6 * POINTS
        for frame, (width, _) in zip(self.frames, self.sizes, strict=True):
            self._paint(frame, x * POINTS, bottom)
            x += width * self.scale + self.gap
        self.caption.drawOn(self.canv, (self.available_width - self.caption_width) / 2, 0)

    def _paint(self, frame: Frame, x: float, bottom: float) -> None:
        """Paints the frame, its lower left corner at (x, bottom) in points."""
        unit = POINTS * self.scale
        upright = f"{unit:.6f} 0 0 {-unit:.6f} {x:.4f} {bottom + frame.height * unit:.4f}"
        turned = f"0 {unit:.6f} {unit:.6f} 0 {x:.4f} {bottom:.4f}"
        paint_frame(self.canv, frame, turned if self.turned else upright, self.scale, edge=self.has_edge)


def paint_frame(canvas: Any, frame: Frame, matrix: str, scale: float = 1.0, *, edge: bool = False) -> None:
    """Paints a frame within its outline, transformed by a PDF matrix that scales it to `scale` times its size. With an
    `edge`, it has a hairline edge, because cards and dice are cut from paper."""
    outline = segments(_outline(frame))
    content = Content([f"q {matrix} cm", f"q {outline} W n"])
    painter = canvas.painter
    painter.scale = scale
    painter.items(frame.items, content)
    painter.scale = 1.0
    content.code += ["Q", f"{f'0.55 G 0.2 w {outline} S ' if edge else ''}Q"]
    put(canvas, content)
