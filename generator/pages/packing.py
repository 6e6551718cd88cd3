"""Packs nets and loose pieces of any size onto few pages; the same pieces are always packed in the same way.

Each piece in turn goes to the highest (then leftmost) place on the skyline of the pieces before it. No order is always
best, so several orders are tried, with the pieces turned in several ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import ceil, dist, fsum
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from ..errors import Problem, refuse
from ..geometry import polygons
from ..geometry.frame import Frame, Page, Placed, Run, Shape, edged
from ..geometry.outlines import Cut, Matrix, Rect, moved, rect, transformed
from ..reading.sizes import Paper
from .assembly import BETWEEN, extent, pictures
from .nets import CUT_WIDTH, HALO, INK, Net

_SLACK = 1e-6


Piece: TypeAlias = Net | Frame
Bounds: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class PlacedPiece(Struct, frozen=True):
    """A piece on a page: its top left corner, and its clockwise turn (0 or 90)."""

    piece: Piece
    x: float
    y: float
    turn: int

    @property
    def right(self) -> float:
        return self.x + (self.piece.height if self.turn else self.piece.width)

    @property
    def bottom(self) -> float:
        return self.y + (self.piece.width if self.turn else self.piece.height)

    @property
    def matrix(self) -> Matrix:
        """From the coordinates of the piece to those of the page."""
        if self.turn:
            return 0.0, 1.0, -1.0, 0.0, self.x + self.piece.height, self.y
        return 1.0, 0.0, 0.0, 1.0, self.x, self.y

    def placed(self, max_bleed: float) -> list[Placed]:
        """The faces on the page, with a bleed of at most `max_bleed`."""
        if isinstance(self.piece, Net):
            return [self._face(face, max_bleed) for face in self.piece.placed]
        clip = min(self.piece.bleed, max_bleed)
        placed = Placed(self.piece, self.x, self.y, turn=self.turn, clip=(clip,) * 4)
        return [replace(placed, outline=self.cut.path(placed.x, placed.y, *placed.box, clip) if self.cut else ())]

    @property
    def cut(self) -> Cut | None:
        """The shape to which a frame is cut, unless it is a rectangle."""
        return self.piece.cut.turned(self.turn) if isinstance(self.piece, Frame) and self.piece.cut else None

    def boxes(self) -> Iterator[Bounds]:
        """The boxes of the piece's panels on the page."""
        if not isinstance(self.piece, Net):
            yield self.x, self.y, self.right, self.bottom
            return
        for panel in self.piece.panels:
            yield polygons.bounds(tuple(moved(self.matrix, *point) for point in panel.outline))

    def _face(self, face: Placed, max_bleed: float) -> Placed:
        left, top, right, bottom = (min(side, max_bleed) for side in face.clip)
        if self.turn == 0:
            return replace(face, x=self.x + face.x, y=self.y + face.y, clip=(left, top, right, bottom))
        x, y, turn = self.piece.height - face.y - face.box[1], face.x, (face.turn + 90) % 360
        return replace(face, x=self.x + x, y=self.y + y, turn=turn, clip=(bottom, left, top, right))

    def moved(self, shapes: Iterable[Shape]) -> Iterator[Shape]:
        """Shapes of the piece at its place on the page."""
        yield from (replace(shape, path=transformed(shape.path, self.matrix)) for shape in shapes)


def pack(pieces: Sequence[Piece], area: Rect, gap: float) -> list[list[PlacedPiece]]:
    """The pages of the packed pieces, each in reading order, with at least `gap` mm between pieces.

    Raises InputError with every piece that does not fit in the area either way round."""
    refuse(
        Problem(
            f"{piece.name} does not fit: needs {piece.width:.1f} × {piece.height:.1f} mm, "
            f"has {area.width:.1f} × {area.height:.1f} mm",
            hint="choose a larger paper or a smaller size",
        )
        for piece in pieces
        if not ways(piece, area)
    )
    if not pieces:
        return []
    min_pages = ceil(
        fsum((piece.width + gap) * (piece.height + gap) for piece in pieces)
        / ((area.width + gap) * (area.height + gap))
        - _SLACK
    )
    best: list[_Skyline] = []
    attempts: set[tuple[object, ...]] = set()
    for ways_of, order in product(_turnings(pieces, area), _ORDERS):
        indices = sorted(range(len(pieces)), key=[order(piece) for piece in pieces].__getitem__)
        attempt = (tuple(tuple(turns) for turns in ways_of.values()), tuple(indices))
        if attempt in attempts:
            continue
        attempts.add(attempt)
        pages = _packed(indices, [ways_of[_size(piece)] for piece in pieces], area, gap)
        if not best or _cost(pages) < _cost(best):
            best = pages
        if len(best) == min_pages:
            break
    return [
        sorted(
            (PlacedPiece(pieces[index], x, y, turn) for index, x, y, turn in page.taken),
            key=lambda placed: (round(placed.y, 3), placed.x),
        )
        for page in best
    ]


Way = tuple[int, float, float]
"""A turn, and the width and height of a piece after it."""
Size = tuple[float, float]
_MAX_SIZES = 4  # for more sizes than this, not every choice of turns is tried


def ways(piece: Piece, area: Rect) -> list[Way]:
    """The turns in which a piece fits in the area."""
    both = (0, piece.width, piece.height), (90, piece.height, piece.width)
    return [way for way in both if way[1] <= area.width + _SLACK and way[2] <= area.height + _SLACK]


_ORDERS: tuple[Callable[[Piece], float], ...] = (
    lambda piece: -max(piece.width, piece.height),
    lambda piece: -piece.width * piece.height,
    lambda piece: -min(piece.width, piece.height),
    lambda piece: -piece.height,
    lambda piece: 0.0,
)


def _size(piece: Piece) -> Size:
    return round(piece.width, 3), round(piece.height, 3)


def _turnings(pieces: Sequence[Piece], area: Rect) -> Iterator[Mapping[Size, list[Way]]]:
    """The turns to try for pieces of each size: first any turn, then each choice of one turn per size, or, if there are
    many sizes, all unturned, all lying and all standing."""
    any_turn = {_size(piece): ways(piece, area) for piece in pieces}
    yield any_turn
    if len(any_turn) <= _MAX_SIZES:
        for choice in product(*any_turn.values()):
            yield {size: [way] for size, way in zip(any_turn, choice, strict=True)}
        return
    for prefer in (lambda way: way[0]), (lambda way: way[2]), (lambda way: -way[2]):
        yield {size: [min(ways, key=prefer)] for size, ways in any_turn.items()}


def _packed(order: Sequence[int], ways: Sequence[Sequence[Way]], area: Rect, gap: float) -> list[_Skyline]:
    """Puts every piece on the first page with room for it. A page without room for a piece has no room for others of
    the same size, so its copies do not try that page again."""
    pages: list[_Skyline] = []
    first: dict[tuple[Way, ...], int] = {}
    for index in order:
        size = tuple(ways[index])
        number = first.get(size, 0)
        while number < len(pages) and not pages[number].take(index, size):
            number += 1
        if number == len(pages):
            pages.append(_Skyline(area, gap))
            pages[-1].take(index, size)
        first[size] = number
    return pages


def _cost(pages: list[_Skyline]) -> tuple[int, float]:
    return len(pages), round(pages[-1].lowest, 3)


class _Skyline(Struct):
    """One page being filled: steps (left, height) from left to right, each up to where the next one begins. Every piece
    includes the gap on its right and below it. `taken` are the indexes of pieces, with their places and turns."""

    area: Rect
    gap: float
    steps: list[tuple[float, float]] = field(default_factory=lambda: [(0.0, 0.0)])
    taken: list[tuple[int, float, float, int]] = field(default_factory=list)

    @property
    def lowest(self) -> float:
        return max(height for _, height in self.steps)

    def take(self, index: int, ways: Sequence[Way]) -> bool:
        """Puts the piece where its lower edge is highest; False if there is no room for it."""
        spots = [(y + way[2], y, x, way) for way in ways for x, y in self._spots(way)]
        if not spots:
            return False
        _, y, x, (turn, width, height) = min(spots, key=lambda spot: (*(round(v, 4) for v in spot[:3]), spot[3][0]))
        self.taken.append((index, self.area.x + x, self.area.y + y, turn))
        self._raise(x, x + width + self.gap, y + height + self.gap)
        return True

    def _spots(self, way: Way) -> Iterator[tuple[float, float]]:
        """The possible places of a box: at the left edge of a step, as high as the steps below it allow."""
        _, width, height = way
        for number, (x, _) in enumerate(self.steps):
            if x + width > self.area.width + _SLACK:
                return
            y = max(
                height
                for i, (left, height) in enumerate(self.steps)
                if i == number or x < left < x + width + self.gap - _SLACK
            )
            if y + height <= self.area.height + _SLACK:
                yield x, y

    def _raise(self, left: float, right: float, height: float) -> None:
        """Adds a box to the skyline."""
        after = [y for x, y in self.steps if x < right + _SLACK][-1]
        before = [(x, y) for x, y in self.steps if x < left - _SLACK]
        rest = [(x, y) for x, y in self.steps if x > right + _SLACK]
        end = [(right, after)] if right < self.area.width + self.gap - _SLACK else []
        self.steps = [*before, (left, height), *end, *rest]


LEGEND_ROOM = 4.5
_LEGEND_SIZE = 2.85
_LEGEND_STEP = 3.7


def net_area(paper: Paper, margin: float) -> Rect:
    """The part of a page for nets, above the legend. `margin` is free on all sides, at least the paper's own margin."""
    edge = max(margin, paper.margin)
    return Rect(0, 0, paper.width, paper.height).inset(edge, edge, edge, edge + LEGEND_ROOM)


def net_pages(pieces: Sequence[Piece], paper: Paper, margin: float, gap: float) -> list[Page]:
    """Pages of packed nets and frames; frames get a cut line along their trim, as nets have.

    `margin` is free on all sides (at least the paper's own margin), `gap` between two pieces. Raises InputError for
    pieces that do not fit."""
    area, pages = net_area(paper, margin), list[Page]()
    left = {_size(piece): piece for piece in pieces if isinstance(piece, Net)}
    for number, packed in enumerate(pack(pieces, area, gap), start=1):
        ways = (
            (moved, _assembly(moved, area, left, side=side))
            for sides in (PICTURE_SIDES[:4], PICTURE_SIDES[4:])
            for moved in (centred(packed, area), centred(packed, area, 0.0))
            for side in sides
        )
        moved, rooms = max(ways, key=lambda way: len(way[1]))
        below = min((y for *_, y in rooms.values()), default=0.0)
        if below > max(each.bottom for each in moved):  # pictures below all pieces: no gap above them
            moved = centred(packed, Rect(area.x, area.y, area.width, below - _AROUND - area.y))
        shown = {
            size: Placed(pictures(left[size], side, columns), x, y) for size, (side, columns, x, y) in rooms.items()
        }
        left = {size: net for size, net in left.items() if size not in shown}
        placed = tuple(face for each in moved for face in each.placed(gap / 2))
        marks = tuple(shape for each in moved for shape in _lines(each))
        legend = Placed(_legend([each.piece for each in packed]), area.x, area.bottom + LEGEND_ROOM - _LEGEND_STEP)
        pages.append(
            Page(paper.width, paper.height, placed, marks, notes=(legend, *shown.values()), label=f"pieces {number}")
        )
    left = {size: net for size, net in left.items() if net.joins}
    side = min(44.0, (area.width - 3 * BETWEEN) / 4, (area.height + BETWEEN) / max(len(left), 1) - BETWEEN)
    rows = tuple(
        Placed(pictures(net, side, 4), area.x, area.y + number * (side + BETWEEN))
        for number, net in enumerate(left.values())
    )
    return [*pages, Page(paper.width, paper.height, (), (), notes=rows, label="assembly")] if rows else pages


PICTURE_SIDES = 36.0, 31.0, 27.0, 25.0, 22.0, 20.0
"""The sides to try for pictures of how to assemble a net, in mm; the last two are
for pages on which larger ones have no room."""
_AROUND = 4.0  # the least space between these pictures and a net


def _assembly(
    pieces: Sequence[PlacedPiece], area: Rect, nets: Mapping[Size, Net], *, side: float
) -> Mapping[Size, tuple[float, int, float, float]]:
    """The room for pictures of how to assemble each of these nets on a page: their side, the number of columns, and
    their left and top. It is beside the pieces, near the last one of its net, in one row if that is not far. Nets
    that need glue come first."""
    taken, rooms = [box for piece in pieces for box in piece.boxes()], dict[Size, tuple[float, int, float, float]]()
    sizes = {size: piece for piece in pieces if (size := _size(piece.piece)) in nets}
    for size, piece in sorted(sizes.items(), key=lambda item: not nets[item[0]].joins):
        middle = (piece.x + piece.right) / 2, (piece.y + piece.bottom) / 2
        spots = [
            ((2 - columns / 4) * dist(middle, (x + width / 2, y + height / 2)), columns, x, y)
            for columns in (4, 2, 1)
            for width, height in (extent(side, columns),)
            for x, y in _spots(width, height, area, taken)
        ]
        if spots:
            _, columns, x, y = min(spots)
            width, height = extent(side, columns)
            taken.append((x, y, x + width, y + height))
            rooms[size] = side, columns, x, y
    return rooms


def _spots(width: float, height: float, area: Rect, taken: Sequence[Bounds]) -> list[tuple[float, float]]:
    """Places for a box clear of others: in the middle of the page, along its edges and beside others."""
    right, bottom = area.right - width, area.bottom - height - 1.5
    ys = {bottom, *(y for _, top, _, low in taken for y in (top - _AROUND - height, low + _AROUND))}
    xs = {
        (area.x + right) / 2,
        area.x,
        right,
        *(x for left, _, end, _ in taken for x in (left - _AROUND - width, end + _AROUND)),
    }
    return [
        (x, y)
        for x, y in product(xs, ys)
        if area.x <= x <= right and area.y <= y <= bottom
        if not any(
            x < end + _AROUND - _SLACK
            and left < x + width + _AROUND - _SLACK
            and y < low + _AROUND - _SLACK
            and top < y + height + _AROUND - _SLACK
            for left, top, end, low in taken
        )
    ]


def centred(pieces: Sequence[PlacedPiece], area: Rect, down: float = 0.5) -> list[PlacedPiece]:
    """The pieces of a page, moved together to its middle, away from the edges, which print worst; `down` is the share
    of the free height that is left above them."""
    x = (area.right - max(each.right for each in pieces)) / 2
    y = (area.bottom - max(each.bottom for each in pieces)) * down
    return [replace(each, x=each.x + x, y=each.y + y) for each in pieces]


def _lines(placed: PlacedPiece) -> Iterator[Shape]:
    """The lines of a net, or the cut line of a frame."""
    if isinstance(placed.piece, Net):
        yield from placed.moved((*placed.piece.glue, *placed.piece.scores, *placed.piece.cuts))
        return
    box = placed.x, placed.y, placed.right - placed.x, placed.bottom - placed.y
    path = placed.cut.path(*box) if placed.cut else rect(*box)
    yield from edged(Shape(path, stroke=INK, stroke_width=CUT_WIDTH), HALO)


def _legend(pieces: Sequence[Piece]) -> Frame:
    """A note that explains the lines; the rest is in the pictures."""
    scores = ", score from corner to corner, between ticks and along dashes"
    line = f"Cut along the solid lines{scores if any(isinstance(piece, Net) for piece in pieces) else ''}."
    return Frame(
        "legend",
        130,
        _LEGEND_STEP,
        (Run(0, _LEGEND_SIZE, line, font="regular", size=_LEGEND_SIZE, colour=INK, width=0),),
    )
