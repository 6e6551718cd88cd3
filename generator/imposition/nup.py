"""Arranges frames on pages: as many cards as fit, with their backs behind them and crop marks.

Turning the cards by 90° fits as many as turning the paper would. So pages keep the orientation of their paper, in which
printers duplex most reliably.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from math import dist, floor, hypot
from typing import Literal

from ..definitions.sizes import Paper
from ..errors import fault
from ..geometry.cuts import Cut, grown_polygon
from ..geometry.frame import Frame, Page, Placed, Run, Shape, edged
from ..geometry.outlines import Path, Rect, transformed

_SLACK = 1e-6
"""Tolerance for rounding errors in sums of lengths."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows and columns of cells, centred in an area. `width` and `height` are those of a cell: the trim of a card after
    its turn."""

    x: float
    y: float
    columns: int
    rows: int
    width: float
    height: float
    gutter: float
    turn: int

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def block(self) -> Rect:
        """The box around all trims."""
        return Rect(
            self.x, self.y, _length(self.columns, self.width, self.gutter), _length(self.rows, self.height, self.gutter)
        )

    def corner(self, cell: int) -> tuple[float, float]:
        """The top left corner of a cell; cells are numbered from 0, row by row from the top left."""
        row, column = divmod(cell, self.columns)
        return self.x + column * (self.width + self.gutter), self.y + row * (self.height + self.gutter)

    def reach(self, cell: int, used: int, bleed: float) -> tuple[float, float, float, float]:
        """How far the bleed of a cell may extend (left, top, right, bottom) if cells 0 to used - 1 hold cards: to the
        middle of the gutter towards a neighbour, and in full elsewhere."""
        column, between = cell % self.columns, min(bleed, self.gutter / 2)
        return (
            between if column > 0 else bleed,
            between if cell >= self.columns else bleed,
            between if column < self.columns - 1 and cell + 1 < used else bleed,
            between if cell + self.columns < used else bleed,
        )


@dataclass(frozen=True, slots=True)
class Honeycomb:
    """Hexagons in staggered rows or columns, centred in an area. `places` are the top left corners of their trims, row
    by row. With a gutter, all edges of neighbours are that far apart; without one, neighbours share a cut."""

    cut: Cut
    places: tuple[tuple[float, float], ...]
    width: float
    height: float
    gutter: float
    turn: int

    @property
    def count(self) -> int:
        return len(self.places)

    @property
    def block(self) -> Rect:
        """The box around all trims."""
        left, top = min(x for x, _ in self.places), min(y for _, y in self.places)
        right, bottom = max(x for x, _ in self.places), max(y for _, y in self.places)
        return Rect(left, top, right - left + self.width, bottom - top + self.height)

    def corner(self, cell: int) -> tuple[float, float]:
        """The top left corner of the trim in a cell."""
        return self.places[cell]

    def reach(self, cell: int, used: int, bleed: float) -> tuple[float, float, float, float]:
        """How far the bleed of a cell may extend beyond the box of its trim."""
        return (bleed,) * 4

    def outline(self, cell: int, used: int, bleed: float) -> Path:
        """The outline of a cell with its bleed: to the middle of the gutter towards neighbours, in full elsewhere."""
        x, y = self.places[cell]
        corners = self.cut.corners(x, y, self.width, self.height)
        middle, others = (x + self.width / 2, y + self.height / 2), self.places[:used]
        distances = []
        for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
            across, down = (x1 + x2) / 2 - middle[0], (y1 + y2) / 2 - middle[1]
            length = hypot(across, down)
            beyond = 2 + (self.gutter / length)
            neighbour = x + across * beyond, y + down * beyond
            near = any(dist(neighbour, other) < (self.width + self.height) / 8 for other in others)
            distances.append(min(bleed, self.gutter / 2) if near else bleed)
        return grown_polygon(corners, distances)


def honeycombs(area: Rect, width: float, height: float, gutter: float, cut: Cut) -> Iterator[Honeycomb]:
    """The honeycombs of upright hexagons and of hexagons turned by 90°, each with as many as fit in the area (perhaps
    none)."""
    for turn, across, down in ((0, width, height), (90, height, width)):
        turned = cut.turned(turn)
        if turned.shape == "pointed-hex":
            places = _staggered(area.width, area.height, across, down, gutter)
        else:
            places = [(x, y) for y, x in _staggered(area.height, area.width, down, across, gutter)]
        comb = Honeycomb(
            turned, tuple(sorted(places, key=lambda at: (round(at[1], 3), at[0]))), across, down, gutter, turn
        )
        if places:
            block = comb.block
            x, y = area.x + (area.width - block.width) / 2, area.y + (area.height - block.height) / 2
            comb = replace(comb, places=tuple((left + x, top + y) for left, top in comb.places))
        yield comb


def _staggered(
    room_across: float, room_down: float, width: float, height: float, gutter: float
) -> list[tuple[float, float]]:
    """The top left corners of pointed hexagons in rows, every other one shifted by half a hexagon; the first is at the
    origin."""
    pitch = width + gutter
    slope = hypot(width / 2, height / 4)
    row = 0.75 * height + gutter * (slope - height / 8) / (width / 2)
    count = _count(room_across, width, gutter)
    shifted = count if count * pitch - gutter + pitch / 2 <= room_across + _SLACK else count - 1
    rows = floor((room_down - height + _SLACK) / row) + 1 if count and room_down + _SLACK >= height else 0
    return [
        (column * pitch + (number % 2) * pitch / 2, number * row)
        for number in range(rows)
        for column in range(shifted if number % 2 else count)
    ]


def fits(area: Rect, width: float, height: float, gutter: float) -> Iterator[Grid]:
    """The grids of upright cards and of cards turned by 90°, each with as many cells as fit in the area (perhaps
    none)."""
    yield _grid(area, width, height, gutter, 0)
    yield _grid(area, height, width, gutter, 90)


def _grid(area: Rect, width: float, height: float, gutter: float, turn: int) -> Grid:
    columns, rows = _count(area.width, width, gutter), _count(area.height, height, gutter)
    return Grid(
        area.x + (area.width - _length(columns, width, gutter)) / 2,
        area.y + (area.height - _length(rows, height, gutter)) / 2,
        columns,
        rows,
        width,
        height,
        gutter,
        turn,
    )


def _count(available: float, length: float, gutter: float) -> int:
    return max(0, floor((available + gutter + _SLACK) / (length + gutter)))


def _length(count: int, length: float, gutter: float) -> float:
    return count * length + max(0, count - 1) * gutter


# ---- crop marks and fold lines

LINE = 0.25 * 25.4 / 72
"""Width of a mark: a quarter of a point."""
GAP = 2.0
"""Distance between a mark and the bleed."""
MAX_MARK = 6.0
"""The maximum length of a crop mark."""
MIN_MARK = 1.0
"""A side with less room than this gets no marks, because they would be too short to see."""
_INK = "#000000"


def crop_marks(trims: Iterable[Rect], block: Rect, bleed: float, limits: Rect) -> tuple[Shape, ...]:
    """Marks outside `block`, in line with every edge of `trims`, on each side that has room.

    Marks begin 2 mm outside the bleed and end within `limits`: the edge of the paper, or a fold. They may run into the
    unprintable margin, whose width differs between printers."""
    boxes = list(trims)
    across = _edges(edge for box in boxes for edge in (box.x, box.right))
    down = _edges(edge for box in boxes for edge in (box.y, box.bottom))
    start = block.inset(*[-bleed - GAP] * 4)
    path: list[tuple[str | float, ...]] = []
    for near, far in (*_side(start.y, limits.y, -1), *_side(start.bottom, limits.bottom, 1)):
        path += _lines((x, near, x, far) for x in across)
    for near, far in (*_side(start.x, limits.x, -1), *_side(start.right, limits.right, 1)):
        path += _lines((near, y, far, y) for y in down)
    return (Shape(tuple(path), stroke=_INK, stroke_width=LINE),) if path else ()


def cut_line(x1: float, y1: float, x2: float, y2: float) -> tuple[Shape, Shape]:
    """A line to cut along, or a part of one."""
    return edged(Shape((("M", x1, y1), ("L", x2, y2)), stroke=_INK, stroke_width=LINE))


def cut_outlines(fronts: Iterable[Placed]) -> tuple[Shape, Shape]:
    """The outlines of cards that are not rectangles, to cut along."""
    paths = (
        front.frame.cut.turned(front.turn).path(front.x, front.y, *front.box) for front in fronts if front.frame.cut
    )
    return edged(Shape(tuple(chain.from_iterable(paths)), stroke=_INK, stroke_width=LINE, join="round"))


def fold_line(x1: float, y1: float, x2: float, y2: float) -> Shape:
    """A dashed line to fold along."""
    return Shape((("M", x1, y1), ("L", x2, y2)), stroke=_INK, stroke_width=LINE, dash=(3.0, 2.0))


def _edges(positions: Iterable[float]) -> list[float]:
    """Each position once, since cards without a gutter share their trim edges."""
    return sorted({round(position, 4) for position in positions})


def _side(start: float, limit: float, direction: int) -> Iterator[tuple[float, float]]:
    """The start and end of the marks on one side; nothing if there is no room for them."""
    length = min(MAX_MARK, (limit - start) * direction)
    if length >= MIN_MARK:
        yield start, start + length * direction


def _lines(ends: Iterable[tuple[float, float, float, float]]) -> Iterator[tuple[str | float, ...]]:
    for x1, y1, x2, y2 in ends:
        yield "M", x1, y1
        yield "L", x2, y2


# ---- pages

_Cell = tuple[float, float, int, tuple[float, float, float, float], Path]
"""The position of a front, its turn, how far its bleed may extend, and its outline unless it is a rectangle."""
_Positions = tuple[tuple[float, float, int, tuple[float, float, float, float], tuple[float, float]], ...]
Axis = Literal["vertical", "horizontal"]
"""The line about which a page is turned over or folded, as seen on its front."""

FOLD_ROOM = 4.0
"""Free space on each side of a fold, beyond the bleed: folds are inexact, and the line has a label."""
HALVES_TICK = 5.0
_FOLD_NOTE = "Fold here, printed side out, glue, then cut along the marks."


def sheet_pages(frames: Sequence[Frame], paper: Paper) -> list[Page]:
    """One frame in the middle of each page, on landscape paper if it only fits that way.

    Raises InputError for a frame that is larger than the paper."""
    return [_sheet_page(frame, paper, f"sheet {number}") for number, frame in enumerate(frames, 1)]


def _sheet_page(frame: Frame, paper: Paper, label: str) -> Page:
    for width, height in (paper.width, paper.height), (paper.height, paper.width):
        left, top = (width - frame.width) / 2, (height - frame.height) / 2
        if min(left, top) > -0.01:
            return Page(width, height, (Placed(frame, left, top, 0, (left, top, left, top)),), label=label)
    raise fault(
        f"{frame.name} does not fit on {paper.name}: needs {_size(frame.width, frame.height)}, "
        f"has {_size(paper.width, paper.height)}",
        hint="choose a smaller size or a larger paper",
    )


def halves_pages(frames: Sequence[Frame], paper: Paper) -> list[Page]:
    """Two frames side by side on landscape paper, one in each half, with ticks at the edges of the page where it is
    cut. An odd number of frames leaves the last half empty."""
    width, height = paper.height, paper.width
    ticks = [cut_line(width / 2, y, width / 2, y + HALVES_TICK) for y in (0.0, height - HALVES_TICK)]
    cut = tuple(chain.from_iterable(ticks))
    pairs = [frames[start : start + 2] for start in range(0, len(frames), 2)]
    return [
        Page(
            width,
            height,
            tuple(_in_half(frame, side * width / 2, width / 2, height) for side, frame in enumerate(pair)),
            cut,
            label=f"sheets {number}",
        )
        for number, pair in enumerate(pairs, start=1)
    ]


def _in_half(frame: Frame, x: float, width: float, height: float) -> Placed:
    if frame.width > width + 0.01 or frame.height > height + 0.01:
        raise fault(
            f"{frame.name} does not fit on half the paper: needs {_size(frame.width, frame.height)}, "
            f"has {_size(width, height)}"
        )
    return Placed(frame, x + (width - frame.width) / 2, (height - frame.height) / 2)


def deck_pages(
    fronts: Sequence[Frame], backs: Sequence[Frame] | None, paper: Paper, *, gutter: float, duplex: str, margin: float
) -> list[Page]:
    """Pages of cards of one size, with crop marks. Raises InputError if not even one card fits.

    `backs[n]` belongs to `fronts[n]`. `duplex` is the double-sided mode: with `long` or `short`, the paper is turned
    over about that edge (the pages are front 1, back 1, front 2, …); with `gutterfold`, backs are on the other half of
    the same page, which is folded in the middle; with `none`, backs are not printed. A back reads upright when its card
    is turned over sideways, like the page of a book. `margin` is the minimum distance of a trim from the edge of the
    page; bleed stays within the printable area.

    Only fronts have crop marks: a second set, shifted by the inaccuracy of the printer, would contradict the first."""
    if not fronts:
        return []
    if backs is not None and len(backs) != len(fronts):
        raise ValueError(f"{len(fronts)} fronts and {len(backs)} backs")
    if duplex == "none" or not backs:
        backs, duplex = (), "none"
    return list(pages_of(iter(fronts), iter(backs), paper, gutter=gutter, duplex=duplex, margin=margin))


def pages_of(
    fronts: Iterator[Frame], backs: Iterator[Frame], paper: Paper, *, gutter: float, duplex: str, margin: float
) -> Iterator[Page]:
    """The pages of `deck_pages`, made one by one as cards arrive; `duplex` is `none` if there are no backs."""
    if min(gutter, margin) < 0:
        raise fault(f"gutter ({gutter:g} mm) and margin ({margin:g} mm) cannot be negative")
    first = next(fronts, None)
    if first is None:
        return
    plan = _plan(first, paper, gutter, duplex, margin)
    fronts, number = chain((first,), fronts), 0
    while page_fronts := tuple(islice(fronts, plan.grid.count)):
        number += 1
        yield from plan.pages(number, page_fronts, tuple(islice(backs, len(page_fronts))))
    deque(backs, maxlen=0)  # a generator of backs raises its problems at its end


@dataclass(frozen=True, slots=True)
class _Plan:
    """The grid of fronts on a `page`, the part of the page that they use (`side`), and the axis about which backs are
    mirrored. The dictionaries cache what pages have in common."""

    page: Rect
    grid: Grid | Honeycomb
    side: Rect
    bleed: float
    margin: float
    axis: Axis
    folded: bool = False
    cells: dict[tuple[int, float], tuple[_Cell, ...]] = field(default_factory=dict, compare=False)
    marks: dict[tuple[tuple[float, float], ...], tuple[Shape, ...]] = field(default_factory=dict, compare=False)
    backs: dict[_Positions, tuple[Placed, ...]] = field(default_factory=dict, compare=False)

    def pages(self, number: int, fronts: Sequence[Frame], backs: Sequence[Frame]) -> Iterator[Page]:
        front = tuple([self._front(cell, frame, len(fronts)) for cell, frame in enumerate(fronts)])
        back = self._backs(front, backs)
        cut = self._cut(front)
        width, height = self.page.width, self.page.height
        if self.folded:
            line, note = self._fold()
            yield Page(width, height, front + back, (*cut, line), (note,), f"fold {number}", cut=True)
            return
        yield Page(width, height, front, cut, label=f"front {number}", cut=True)
        if back:
            yield Page(width, height, back, label=f"back {number}", cut=True)

    def _front(self, cell: int, frame: Frame, used: int) -> Placed:
        cells = self.cells.get((used, frame.bleed))
        if cells is None:
            cells = self.cells[used, frame.bleed] = tuple(self._cell(at, used, frame) for at in range(used))
        return Placed(frame, *cells[cell])

    def _cell(self, cell: int, used: int, frame: Frame) -> _Cell:
        grid, (x, y) = self.grid, self.grid.corner(cell)
        outline: Path = ()
        if isinstance(grid, Honeycomb):
            outline = grid.outline(cell, used, frame.bleed)
        elif frame.cut:
            outline = frame.cut.path(x, y, grid.width, grid.height, frame.bleed)
        return x, y, grid.turn, grid.reach(cell, used, frame.bleed), outline

    def _cut(self, front: Sequence[Placed]) -> tuple[Shape, ...]:
        """The crop marks of a page, or the lines to cut along unless cards are rectangles; pages with the same number
        and sizes of fronts share them."""
        boxes = tuple([placed.box for placed in front])
        if boxes not in self.marks and front[0].frame.cut:
            self.marks[boxes] = cut_outlines(front)
        elif boxes not in self.marks:
            trims = [Rect(placed.x, placed.y, *box) for placed, box in zip(front, boxes, strict=True)]
            self.marks[boxes] = crop_marks(trims, self.grid.block, self.bleed, self.side)
        return self.marks[boxes]

    def _backs(self, fronts: Sequence[Placed], backs: Sequence[Frame]) -> tuple[Placed, ...]:
        """The backs behind these fronts. If all cards have the same back, pages share them."""
        positions = tuple([(front.x, front.y, front.turn, front.clip, front.box) for front in fronts])
        alike = bool(backs) and all([back is backs[0] for back in backs])
        cached = self.backs.get(positions) if alike else None
        if cached and cached[0].frame is backs[0]:
            return cached
        placed = tuple([self._behind(front, frame) for front, frame in zip(fronts, backs, strict=False)])
        if alike:
            self.backs[positions] = placed
        return placed

    def _behind(self, front: Placed, frame: Frame) -> Placed:
        """Places the back of a front: mirrored about the axis, with its top towards the same edge of the card."""
        left, top, right, bottom = front.clip
        if self.axis == "vertical":
            width = self.page.width
            return Placed(
                frame,
                width - front.x - front.box[0],
                front.y,
                -front.turn % 360,
                (right, top, left, bottom),
                transformed(front.outline, (-1.0, 0.0, 0.0, 1.0, width, 0.0)),
            )
        height = self.page.height
        return Placed(
            frame,
            front.x,
            height - front.y - front.box[1],
            (180 - front.turn) % 360,
            (left, bottom, right, top),
            transformed(front.outline, (1.0, 0.0, 0.0, -1.0, 0.0, height)),
        )

    def _fold(self) -> tuple[Shape, Placed]:
        """The fold line, and its label on the side with the backs."""
        width, height = self.page.width, self.page.height
        text = Frame("fold", 80, 3, (Run(0, 2.2, _FOLD_NOTE, "regular", 2.2, "#000000", 0),))
        start = self.margin
        if self.axis == "vertical":
            return (fold_line(width / 2, start, width / 2, height - start), Placed(text, width / 2 + 0.5, start, 90))
        return fold_line(start, height / 2, width - start, height / 2), Placed(text, start, height / 2 + 0.5)


def _plan(card: Frame, paper: Paper, gutter: float, duplex: str, margin: float) -> _Plan:
    """The plan that holds the most cards, preferably upright ones."""
    page = Rect(0, 0, paper.width, paper.height)
    reserve = max(margin, paper.margin + card.bleed)
    area = page.inset(*[reserve] * 4)
    if duplex == "gutterfold":
        plans = list(_folded_plans(card, page, area, paper.margin, gutter))
    else:
        plans = [
            _Plan(page, grid, page, card.bleed, paper.margin, _axis(paper, duplex))
            for grid in _arrangements(area, card, gutter)
        ]
    best = max(plans, key=lambda plan: (plan.grid.count, plan.grid.turn == 0))
    if best.grid.count:
        return best
    width, height = card.width + 2 * reserve, card.height + 2 * reserve
    if best.folded:
        height += card.height + 2 * _fold_room(card, gutter)
    raise fault(
        f"a card of {_size(card.width, card.height)} does not fit on {paper.name}: with margins"
        f"{' and its back' if best.folded else ''} it needs {_size(width, height)}, "
        f"has {_size(paper.width, paper.height)}",
        hint="choose a smaller margin or a larger paper",
    )


def _arrangements(area: Rect, card: Frame, gutter: float) -> Iterator[Grid | Honeycomb]:
    """The ways in which cards like this fill an area."""
    if card.cut and card.cut.is_hex:
        return honeycombs(area, card.width, card.height, gutter, card.cut)
    return fits(area, card.width, card.height, gutter)


def _axis(paper: Paper, duplex: str) -> Axis:
    """Turning over about a vertical edge mirrors left and right; on portrait paper the long edge is vertical."""
    upright = (duplex == "long") == (paper.height >= paper.width)
    return "vertical" if upright else "horizontal"


def _folded_plans(card: Frame, page: Rect, area: Rect, margin: float, gutter: float) -> Iterator[_Plan]:
    """Plans with the fronts on the upper or left half; the shorter fold first."""
    folds: list[Axis] = ["horizontal", "vertical"]
    for axis in folds if page.height >= page.width else folds[::-1]:
        half, side = _half(area, axis, page, _fold_room(card, gutter)), _half(page, axis, page, 1)
        for grid in _arrangements(half, card, gutter):
            yield _Plan(page, grid, side, card.bleed, margin, axis, folded=True)


def _fold_room(card: Frame, gutter: float) -> float:
    return max(card.bleed + FOLD_ROOM, gutter / 2)


def _half(area: Rect, axis: Axis, page: Rect, room: float) -> Rect:
    """The part of an area to the left of the fold or above it, at a distance of `room`."""
    if axis == "vertical":
        return area.inset(0, 0, area.right - page.width / 2 + room, 0)
    return area.inset(0, 0, 0, area.bottom - page.height / 2 + room)


def _size(width: float, height: float) -> str:
    return f"{width:.1f} × {height:.1f} mm"
