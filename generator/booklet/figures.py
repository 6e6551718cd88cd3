"""Figures in a booklet: cards, dice and pictures drawn from their own faces, with the marks of an example."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, fsum, radians, sin

from msgspec import Struct
from msgspec.structs import replace

from .. import nodes
from ..errors import Place, fault
from ..geometry.frame import Frame, Group, Shape
from ..geometry.outlines import Path, rect
from ..layout.ink import Ink
from ..model.values import Length, Raw, Size
from ..reading import typed
from .paragraphs import Item, TextLines

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
CAPTION_WIDTH, _CAPTION_GAP = 104.0, 1.6
"""The largest width of a caption, and its distance from the pictures, in mm."""


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
    items = list(frame.items)
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


class FigureItem(Item):
    """Frames side by side above a caption, all centred, at this `scale`; they may grow on a page with room to spare."""

    frames: list[Frame]
    contents: FigureFile
    caption: TextLines
    scale: float
    growth: float = 1.0

    @property
    def picture_height(self) -> float:
        return max(height for _, height in sizes(self.frames, self.contents)) * self.scale * self.growth

    def most_growth(self, width: float) -> float:
        """The largest `growth` in a column of this width."""
        return max(1.0, min(MAX_GROWTH, widest(self.frames, self.contents, width) / self.scale))

    def growth_room(self, width: float) -> float:
        """How much higher the figure may become in a column of this width."""
        return (self.most_growth(width) - 1) * self.picture_height / self.growth

    def height(self, width: float) -> float:
        """Its height; a figure that is too wide is too high for any page."""
        if self._across() > width + 0.04:
            return 1e6
        return self.picture_height + _CAPTION_GAP + self.caption.height(min(width, CAPTION_WIDTH))

    def _across(self) -> float:
        """The width of the frames and the gaps between them."""
        across = fsum(width for width, _ in sizes(self.frames, self.contents))
        return across * self.scale * self.growth + self.contents.gap * (len(self.frames) - 1)

    def draw(self, ink: Ink, x: float, y: float, width: float) -> None:
        left, bottom, scale = x + (width - self._across()) / 2, y + self.picture_height, self.scale * self.growth
        for frame, (across, down) in zip(self.frames, sizes(self.frames, self.contents), strict=True):
            upright = (scale, 0.0, 0.0, scale, left, bottom - down * scale)
            turned = (0.0, -scale, scale, 0.0, left, bottom)
            outline = _outline(frame)
            items: list[Group | Shape] = [Group(tuple(frame.items), clip=outline)]
            if self.contents.cards or self.contents.dice:  # they are cut from paper
                items.append(Shape(outline, None, "#8c8c8c", 0.2))
            ink.items.append(Group(tuple(items), transform=turned if self.contents.turned else upright))
            left += across * scale + self.contents.gap
        under = min(width, CAPTION_WIDTH)
        self.caption.draw(ink, x + (width - under) / 2, bottom + _CAPTION_GAP, under)


def figure_item(
    frames: list[Frame], contents: FigureFile, caption: TextLines, room: float, zoom: float = 1.0
) -> FigureItem:
    """A figure. Its frames are `zoom` times as large as it says, if they fit into the `room` (mm)."""
    width = contents.piece_width
    scale = width / max(across for across, _ in sizes(frames, contents)) if width else 1.0
    scale *= min(zoom, max(1.0, widest(frames, contents, room) / scale))
    return FigureItem(frames, contents, caption, scale, before=2.0, after=3.0, cost=14.0, stretch=2.0)


def sizes(frames: Sequence[Frame], contents: FigureFile) -> list[tuple[float, float]]:
    """The width and height of each frame as it appears on the page, before scaling."""
    return [(frame.height, frame.width) if contents.turned else (frame.width, frame.height) for frame in frames]


def widest(frames: Sequence[Frame], contents: FigureFile, room: float) -> float:
    """The largest scale at which frames fit into a room (mm)."""
    return (room - contents.gap * (len(frames) - 1)) / fsum(width for width, _ in sizes(frames, contents))
