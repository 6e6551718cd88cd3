"""Figures in a booklet: cards, dice and pictures drawn from their own faces, with the marks of an example."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, radians, sin

from msgspec import Struct
from msgspec.structs import replace

from .. import nodes
from ..errors import Place, fault
from ..geometry.frame import Frame, Group, Shape
from ..geometry.outlines import Path, rect
from ..model.values import Length, Raw, Size
from ..reading import typed

_SHADOW = "#00000038"
# How far the shadow of a die on a picture is to the right of it and below it, as a share of its width.
_SHADOW_OFFSET = 0.055


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
    (`shows`). If `board` names a board, the template can use it as the board's own face does. `pieces` lie on it.
    `as_printed` says that it shows a component, with the same type as that: large print has larger type on other
    faces."""

    face: str
    size: Size
    shows: Raw | None = None
    board: str = ""
    pieces: tuple[PieceFile, ...] = ()
    as_printed: bool = False

    def with_pieces(self, ground: Frame, drawn: Sequence[Frame]) -> Frame:
        """The picture: its ground, and on it the pieces as they are drawn."""
        return with_pieces(ground, self.pieces, drawn)


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


class PieceDrawer(Struct, frozen=True):
    """How the pictures of a booklet are drawn: the pieces of a figure at a place, with their marks; the piece of a
    spread; and a face from the name of its template, its width and height in mm, and further variables."""

    pieces: Callable[[FigureFile, Place], list[Frame]]
    piece: Callable[[PieceFile], Frame]
    page: Callable[..., Frame]


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
        outline = outline_of(shown)
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


def picture_of(
    contents: FullPageFile, pieces: Sequence[Frame], size: tuple[float, float], draw: PieceDrawer, enlarged: float = 1.0
) -> Frame:
    """A picture of this width and height (mm) with the frames of its pieces; it is `enlarged` more than pages of
    text."""
    ground = draw.page(contents.face, size, enlarged) if contents.face else Frame("", *size, ())
    over = draw.page(contents.over, size, enlarged).items if contents.over else ()
    frame = with_pieces(ground, contents.pieces, pieces)
    return replace(frame, items=(*frame.items, *over))


def outline_of(frame: Frame) -> Path:
    """The outline of a frame, which may be cut to another shape than a rectangle."""
    box = 0.0, 0.0, frame.width, frame.height
    return frame.cut.path(*box) if frame.cut else rect(*box)
