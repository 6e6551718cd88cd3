"""Packs nets and loose pieces of any size onto few pages; the same pieces are always packed in the same way.

Each piece in turn goes to the highest (then leftmost) place on the skyline of the pieces before it. No order is always
best, so several orders are tried, with the pieces turned in several ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from math import ceil, fsum
from typing import Protocol

from ..errors import InputError, Problem
from ..fast_dataclasses import dataclass
from ..geometry import outlines
from ..geometry.frame import (
    Frame,
    Page,
    Placed,
    Run,
    Shape,
    edged,
)
from ..geometry.outlines import Matrix, Rect
from ..reading.sizes import Paper
from .nets import CUT_WIDTH, HALO, INK, Net

_SLACK = 1e-6


class Piece(Protocol):
    """Anything with a name and a size, such as a Frame or a Net."""

    @property
    def name(self) -> str: ...
    @property
    def width(self) -> float: ...
    @property
    def height(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a piece: its index, its top left corner on the page, and its clockwise turn (0 or 90)."""

    piece: int
    x: float
    y: float
    turn: int


def pack(pieces: Sequence[Piece], area: Rect, gap: float) -> list[list[Position]]:
    """The pages of the packed pieces, each a list of positions in reading order, with at least `gap` mm between pieces.

    Raises InputError with every piece that does not fit in the area either way round."""
    problems = [_too_large(piece, area) for piece in pieces if not _ways(piece, area)]
    if problems:
        raise InputError(problems)
    if not pieces:
        return []
    min_pages = ceil(
        fsum((piece.width + gap) * (piece.height + gap) for piece in pieces)
        / ((area.width + gap) * (area.height + gap))
        - _SLACK
    )
    best: list[_Skyline] = []
    attempts: set[tuple[object, ...]] = set()
    for ways, order in product(_turnings(pieces, area), _ORDERS):
        indices = sorted(range(len(pieces)), key=[order(piece) for piece in pieces].__getitem__)
        attempt = (tuple(tuple(turns) for turns in ways.values()), tuple(indices))
        if attempt in attempts:
            continue
        attempts.add(attempt)
        pages = _packed(indices, [ways[_size(piece)] for piece in pieces], area, gap)
        if not best or _cost(pages) < _cost(best):
            best = pages
        if len(best) == min_pages:
            break
    return [sorted(page.positions, key=lambda position: (round(position.y, 3), position.x)) for page in best]


def _too_large(piece: Piece, area: Rect) -> Problem:
    return Problem(
        f"{piece.name} does not fit: needs {piece.width:.1f} × {piece.height:.1f} mm, "
        f"has {area.width:.1f} × {area.height:.1f} mm",
        hint="choose a larger paper or a smaller size",
    )


Way = tuple[int, float, float]
"""A turn, and the width and height of a piece after it."""
Size = tuple[float, float]
_MAX_SIZES = 4
"""For more sizes than this, not every choice of turns is tried."""


def _ways(piece: Piece, area: Rect) -> list[Way]:
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
    any_turn = {_size(piece): _ways(piece, area) for piece in pieces}
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


@dataclass(slots=True)
class _Skyline:
    """One page being filled: steps (left, height) from left to right, each up to where the next one begins. Every piece
    includes the gap on its right and below it."""

    area: Rect
    gap: float
    steps: list[tuple[float, float]] = field(default_factory=lambda: [(0.0, 0.0)])
    positions: list[Position] = field(default_factory=list)

    @property
    def lowest(self) -> float:
        return max(height for _, height in self.steps)

    def take(self, index: int, ways: Sequence[Way]) -> bool:
        """Puts the piece where its lower edge is highest; False if there is no room for it."""
        spots = [(y + way[2], y, x, way) for way in ways for x, y in self._spots(way)]
        if not spots:
            return False
        _, y, x, (turn, width, height) = min(spots, key=lambda spot: (*(round(v, 4) for v in spot[:3]), spot[3][0]))
        self.positions.append(Position(index, self.area.x + x, self.area.y + y, turn))
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


# ---- pages

LEGEND_ROOM = 4.5
PlacedPiece = tuple[Net | Frame, Position]
_LEGEND_SIZE = 2.2
_LEGEND_STEP = 3.0


def net_area(paper: Paper, margin: float) -> Rect:
    """The part of a page for nets, above the legend. `margin` is free on all sides, at least the paper's own margin."""
    edge = max(margin, paper.margin)
    return Rect(0, 0, paper.width, paper.height).inset(edge, edge, edge, edge + LEGEND_ROOM)


def net_pages(pieces: Sequence[Net | Frame], paper: Paper, margin: float, gap: float) -> list[Page]:
    """Pages of packed nets and frames; frames get a cut line along their trim, as nets have.

    `margin` is free on all sides (at least the paper's own margin), `gap` between two pieces. Raises InputError for
    pieces that do not fit."""
    area = net_area(paper, margin)
    return [
        _page(number, centred([(pieces[position.piece], position) for position in page], area), paper, area, gap)
        for number, page in enumerate(pack(pieces, area, gap), start=1)
    ]


def centred(pieces: Sequence[PlacedPiece], area: Rect) -> list[PlacedPiece]:
    """The pieces of a page, moved together to its middle, away from the edges, which print worst."""
    right = max(position.x + _across(piece, position) for piece, position in pieces)
    bottom = max(position.y + _down(piece, position) for piece, position in pieces)
    x, y = (area.right - right) / 2, (area.bottom - bottom) / 2
    return [(piece, replace(position, x=position.x + x, y=position.y + y)) for piece, position in pieces]


def _across(piece: Net | Frame, position: Position) -> float:
    return piece.height if position.turn % 180 else piece.width


def _down(piece: Net | Frame, position: Position) -> float:
    return piece.width if position.turn % 180 else piece.height


def _page(number: int, pieces: Sequence[PlacedPiece], paper: Paper, area: Rect, gap: float) -> Page:
    placed: list[Placed] = []
    marks: list[Shape] = []
    for piece, position in pieces:
        if isinstance(piece, Net):
            placed += (on_page(face, piece, position, gap / 2) for face in piece.placed)
            marks += moved_shapes((*piece.glue, *piece.scores, *piece.cuts), matrix_of(piece, position))
        else:
            clip = min(piece.bleed, gap / 2)
            trim = Placed(piece, position.x, position.y, position.turn, (clip, clip, clip, clip))
            cut = piece.cut.turned(position.turn) if piece.cut else None
            outline = cut.path(trim.x, trim.y, *trim.box, clip) if cut else ()
            placed.append(replace(trim, outline=outline))
            path = cut.path(trim.x, trim.y, *trim.box) if cut else outlines.rect(trim.x, trim.y, *trim.box)
            marks += edged(Shape(path, stroke=INK, stroke_width=CUT_WIDTH), HALO)
    legend = _legend([piece for piece, _ in pieces])
    note = Placed(legend, area.x, area.bottom + LEGEND_ROOM - _LEGEND_STEP)
    return Page(paper.width, paper.height, tuple(placed), tuple(marks), (note,), f"pieces {number}")


def on_page(placed: Placed, net: Net, position: Position, max_bleed: float) -> Placed:
    """A face of a net at its place on the page, with a bleed of at most `max_bleed`."""
    left, top, right, bottom = (min(side, max_bleed) for side in placed.clip)
    if position.turn == 0:
        return replace(placed, x=position.x + placed.x, y=position.y + placed.y, clip=(left, top, right, bottom))
    x, y = net.height - placed.y - placed.box[1], placed.x
    return replace(
        placed, x=position.x + x, y=position.y + y, turn=(placed.turn + 90) % 360, clip=(bottom, left, top, right)
    )


def matrix_of(net: Net, position: Position) -> Matrix:
    """From the coordinates of a net to those of the page."""
    if position.turn:
        return 0.0, 1.0, -1.0, 0.0, position.x + net.height, position.y
    return 1.0, 0.0, 0.0, 1.0, position.x, position.y


def moved_shapes(shapes: Iterable[Shape], matrix: Matrix) -> Iterator[Shape]:
    """Shapes of a net at their place on the page."""
    for shape in shapes:
        yield replace(shape, path=outlines.transformed(shape.path, matrix))


def _legend(pieces: Sequence[Net | Frame]) -> Frame:
    """A note that explains the lines."""
    nets = [piece for piece in pieces if isinstance(piece, Net)]
    trays = [net for net in nets if any(fold.angle < 0 for fold in net.folds)]
    words = ["Cut along the solid lines"]
    if nets:
        words.append("score and fold from corner to corner, between ticks and along dashes")
    if len(trays) < len(nets):
        words[-1] += ", printed side out"
    if any(net.glue for net in nets):
        words.append("glue the hatched tabs")
    lines = [", ".join(words) + "."]
    if trays:
        lines.append(
            "Tray: fold the walls up, glue the tabs behind them, and glue the outer layers down over the tabs."
        )
    return Frame(
        "legend",
        130,
        _LEGEND_STEP * len(lines),
        tuple(
            Run(0, 2.2 + number * _LEGEND_STEP, line, "regular", _LEGEND_SIZE, INK, 0)
            for number, line in enumerate(lines)
        ),
    )
