"""Nets, and loose pieces such as tokens, together on as few pages as they fit on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..definitions.sizes import Paper
from . import outlines
from .frame import Frame, Run, Shape
from .net_lines import CUT_WIDTH, INK
from .net_parts import Net
from .outlines import Matrix
from .packing import Position, pack
from .page import Page, Placed
from .rect import Rect

LEGEND_ROOM = 4.5
Laid = tuple[Net | Frame, Position]
_LEGEND_SIZE = 2.2


def net_pages(pieces: Sequence[Net | Frame], paper: Paper, margin: float, gap: float) -> list[Page]:
    """Pages of nets and frames, packed; frames get a cut line along their trim like the nets' own.

    `margin` is kept on all sides (at least the paper's own), `gap` between two pieces. Raises InputError for pieces
    that do not fit."""
    edge = max(margin, paper.margin)
    area = Rect(0, 0, paper.width, paper.height).inset(edge, edge, edge, edge + LEGEND_ROOM)
    return [_page(number, _centred([(pieces[one.piece], one) for one in page], area), paper, area, gap)
            for number, page in enumerate(pack(pieces, area, gap), start=1)]


def _centred(pieces: Sequence[Laid], area: Rect) -> list[Laid]:
    """The pieces of a page moved together into the middle of it, away from the edges that print worst."""
    right = max(position.x + _across(piece, position) for piece, position in pieces)
    bottom = max(position.y + _down(piece, position) for piece, position in pieces)
    x, y = (area.right - right) / 2, (area.bottom - bottom) / 2
    return [(piece, replace(position, x=position.x + x, y=position.y + y)) for piece, position in pieces]


def _across(piece: Net | Frame, position: Position) -> float:
    return piece.height if position.turn % 180 else piece.width


def _down(piece: Net | Frame, position: Position) -> float:
    return piece.width if position.turn % 180 else piece.height


def _page(number: int, pieces: Sequence[Laid], paper: Paper, area: Rect, gap: float) -> Page:
    placed: list[Placed] = []
    marks: list[Shape] = []
    for piece, position in pieces:
        if isinstance(piece, Net):
            placed += (_on_page(one, piece, position, gap / 2) for one in piece.placed)
            marks += _lines(piece, position)
        else:
            clip = min(piece.bleed, gap / 2)
            placed.append(Placed(piece, position.x, position.y, position.turn, (clip, clip, clip, clip)))
            marks.append(Shape(outlines.rect(position.x, position.y, *placed[-1].box), stroke=INK,
                               stroke_width=CUT_WIDTH))
    legend = _legend([piece for piece, _ in pieces])
    note = Placed(legend, area.x, area.bottom + LEGEND_ROOM - legend.height)
    return Page(paper.width, paper.height, tuple(placed), tuple(marks), (note,), f"pieces {number}")


def _on_page(placed: Placed, net: Net, position: Position, most: float) -> Placed:
    """A face of a net where the net is set on the page, its bleed no further than `most`."""
    left, top, right, bottom = (min(side, most) for side in placed.clip)
    if position.turn == 0:
        return replace(placed, x=position.x + placed.x, y=position.y + placed.y, clip=(left, top, right, bottom))
    x, y = net.height - placed.y - placed.box[1], placed.x
    return replace(placed, x=position.x + x, y=position.y + y, turn=(placed.turn + 90) % 360,
                   clip=(bottom, left, top, right))


def _lines(net: Net, position: Position) -> Iterator[Shape]:
    matrix: Matrix = (1.0, 0.0, 0.0, 1.0, position.x, position.y)
    if position.turn:
        matrix = (0.0, 1.0, -1.0, 0.0, position.x + net.height, position.y)
    for shape in (*net.glue, *net.scores, *net.cuts):
        yield replace(shape, path=outlines.transformed(shape.path, matrix))


def _legend(pieces: Sequence[Net | Frame]) -> Frame:
    """What the lines mean, for the maker's hands."""
    nets = [piece for piece in pieces if isinstance(piece, Net)]
    words = ["Cut along the solid lines"]
    if nets:
        words.append("score and fold the dashed lines, print outside")
    if any(net.glue for net in nets):
        words.append("glue the hatched tabs")
    return Frame("legend", 130, 3, (Run(0, 2.2, ", ".join(words) + ".", "regular", _LEGEND_SIZE, INK, 0),))
