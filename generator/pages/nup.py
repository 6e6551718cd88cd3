"""Arranges frames on pages: as many cards as fit, with their backs behind them and crop marks.

Turning the cards by 90° fits as many as turning the paper would. So pages keep the orientation of their paper, in which
printers duplex most reliably.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from math import dist, floor, hypot, inf
from typing import Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from ..errors import fault
from ..geometry.frame import Frame, Page, Placed, Run, Shape
from ..geometry.outlines import Cut, Path, Rect, grown_polygon, transformed
from ..model.print_settings import PrintSettings
from ..reading.sizes import Paper
from .crop_marks import MIN_MARK, TICK_ROOM, crop_marks, cut_line, cut_outlines, fold_line
from .seams import BORDER, Seams, border, seams

_SLACK = 1e-6  # tolerance for rounding errors in sums of lengths
MIN_GUTTER = 1.5
"""The narrowest gutter that keeps the colours of neighbours off cards, in mm: half of it is the bleed of each."""
MAX_LOOKED_AT = 500
"""Only the edges of this many cards decide whether cards share cuts."""


class CardGrid(Struct, frozen=True):
    """Rows and columns of cells, centred in an area. `width` and `height` are those of a cell: the trim of a card after
    its turn. `across` and `down` are the gutters between columns and between rows. With `turned_across` or
    `turned_down`, the cards in every other column or row are turned by 180°."""

    x: float
    y: float
    columns: int
    rows: int
    width: float
    height: float
    across: float
    down: float
    turn: int
    turned_across: bool = False
    turned_down: bool = False

    @property
    def count(self) -> int:
        return self.columns * self.rows

    def placed(self, card: Frame, used: int) -> list[Placed]:
        """A card in each of the first cells, which are numbered row by row. Its bleed extends to the middle of the
        gutter towards a neighbour, and in full elsewhere."""
        bleed, beside, between = card.bleed, min(card.bleed, self.across / 2), min(card.bleed, self.down / 2)
        cards = []
        for cell in range(used):
            row, column = divmod(cell, self.columns)
            x, y = self.x + column * (self.width + self.across), self.y + row * (self.height + self.down)
            clip = (
                beside if column > 0 else bleed,
                between if row > 0 else bleed,
                beside if column < self.columns - 1 and cell + 1 < used else bleed,
                between if cell + self.columns < used else bleed,
            )
            outline = card.cut.path(x, y, self.width, self.height, grown=bleed) if card.cut else ()
            turn = (self.turn + 180 * (row * self.turned_down + column * self.turned_across)) % 360
            cards.append(Placed(card, x, y, turn=turn, clip=clip, outline=outline))
        return cards


class Honeycomb(Struct, frozen=True):
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

    def placed(self, card: Frame, used: int) -> list[Placed]:
        """A card in each of the first places."""
        return [
            Placed(card, x, y, turn=self.turn, clip=(card.bleed,) * 4, outline=self.outline(cell, used, card.bleed))
            for cell, (x, y) in enumerate(self.places[:used])
        ]

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
            places = _staggered(area.width, area.height, across, height=down, gutter=gutter)
        else:
            places = [(x, y) for y, x in _staggered(area.height, area.width, down, height=across, gutter=gutter)]
        comb = Honeycomb(
            turned,
            tuple(sorted(places, key=lambda at: (round(at[1], 3), at[0]))),
            across,
            height=down,
            gutter=gutter,
            turn=turn,
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


def _count(available: float, length: float, gutter: float) -> int:
    return max(0, floor((available + gutter + _SLACK) / (length + gutter)))


def _length(count: int, length: float, gutter: float) -> float:
    return count * length + max(0, count - 1) * gutter


Axis = Literal["vertical", "horizontal"]
"""The line about which a page is turned over or folded, as seen on its front."""

FOLD_ROOM = 4.0
"""Free space on each side of a fold, beyond the bleed: folds are inexact, and the line has a label."""
HALVES_TICK = 5.0
"""The length of the ticks where halves are cut apart."""
FOLD_TICK = 1.5
"""That of the ticks where they are folded: they stay on the spine."""
_FOLD_NOTE = "Fold here, printed side out, glue, then cut along the marks."


def sheet_pages(frames: Sequence[Frame], paper: Paper) -> list[Page]:
    """One frame in the middle of each page, on landscape paper if it only fits that way.

    Raises InputError for a frame that is larger than the paper."""
    return [_sheet_page(frame, paper, f"sheet {number}") for number, frame in enumerate(frames, 1)]


def _sheet_page(frame: Frame, paper: Paper, label: str) -> Page:
    for width, height in (paper.width, paper.height), (paper.height, paper.width):
        left, top = (width - frame.width) / 2, (height - frame.height) / 2
        if min(left, top) > -0.01:
            return Page(width, height, (Placed(frame, left, top, turn=0, clip=(left, top, left, top)),), label=label)
    raise fault(
        f"{frame.name} does not fit on {paper.name}: needs {_size(frame.width, frame.height)}, "
        f"has {_size(paper.width, paper.height)}",
        hint="choose a smaller size or a larger paper",
    )


def halves_pages(frames: Sequence[Frame], paper: Paper, tick: float = HALVES_TICK) -> list[Page]:
    """Two frames side by side on landscape paper, one in each half, or one above the other on portrait paper if they
    are too wide for that, with ticks of `tick` mm where the page is cut or folded, from the edge of what can be printed
    inwards. An odd number of frames leaves the last half empty."""
    stacked = any(frame.width > paper.height / 2 + 0.01 for frame in frames)
    width, height = (paper.width, paper.height) if stacked else (paper.height, paper.width)
    across, down = (width, height / 2) if stacked else (width / 2, height)
    length = width if stacked else height
    ends = [(start, start + tick) for start in (paper.margin, length - paper.margin - tick)]
    lines = [(start, down, end, down) if stacked else (across, start, across, end) for start, end in ends]
    cut = tuple(chain.from_iterable(cut_line(*line) for line in lines))
    pairs = [frames[start : start + 2] for start in range(0, len(frames), 2)]
    return [
        Page(
            width,
            height,
            tuple(_in_half(frame, across, down, side, stacked) for side, frame in enumerate(pair)),
            cut,
            label=f"sheets {number}",
        )
        for number, pair in enumerate(pairs, start=1)
    ]


def _in_half(frame: Frame, width: float, height: float, side: int, stacked: bool) -> Placed:
    """A frame in the middle of the first or second half of a page, which is `width` × `height` mm."""
    if frame.width > width + 0.01 or frame.height > height + 0.01:
        raise fault(
            f"{frame.name} does not fit on half the paper: needs {_size(frame.width, frame.height)}, "
            f"has {_size(width, height)}"
        )
    x, y = (0.0, side * height) if stacked else (side * width, 0.0)
    return Placed(frame, x + (width - frame.width) / 2, y + (height - frame.height) / 2)


def deck_pages(
    fronts: Sequence[Frame],
    backs: Sequence[Frame] | None,
    paper: Paper,
    *,
    gutter: float | None = None,
    duplex: str,
    margin: float,
) -> list[Page]:
    """Pages of cards of one size, with crop marks. Raises InputError if not even one card fits.

    Without a `gutter`, cards share cuts if their edges look alike. Otherwise their bleeds keep them apart, unless fewer
    would fit on a page: then those in every other row are turned so that like edges meet, or else all get a border.

    `backs[n]` belongs to `fronts[n]`. `duplex` is the double-sided mode: with `long` or `short`, the paper is turned
    over about that edge (the pages are front 1, back 1, front 2, …); with `gutterfold`, backs are on the other half of
    the same page, which is folded in the middle; with `none`, backs are not printed. A back reads upright when its card
    is turned over sideways, like the page of a book. `margin` is the minimum distance of a trim from the edge of the
    page; bleed stays within the printable area.

    Only fronts have crop marks: a second set, shifted by the inaccuracy of the printer, would contradict the first."""
    if duplex == "none" or not backs:
        backs, duplex = (), "none"
    settings = PrintSettings(duplex=duplex)
    return list(DeckPages(iter(fronts), iter(backs), paper, settings, gutter=gutter, margin=margin).sheets())


class DeckPages:
    """The pages of `deck_pages`, made one by one as cards arrive. The mode of the settings is `none` if there are no
    backs. The first 500 cards decide how all are laid out."""

    def __init__(
        self,
        fronts: Iterator[Frame],
        backs: Iterator[Frame],
        paper: Paper,
        settings: PrintSettings,
        *,
        gutter: float | None = None,
        margin: float | None = None,
    ) -> None:
        margin = paper.margin if margin is None else margin
        if min(gutter or 0.0, margin) < 0:
            raise fault(f"gutter ({gutter:g} mm) and margin ({margin:g} mm) cannot be negative")
        self._first_fronts = deque(islice(fronts, MAX_LOOKED_AT if gutter is None else 1))
        self._first_backs = deque(islice(backs, MAX_LOOKED_AT if gutter is None else 0))
        self._fronts, self._backs, self._number = fronts, backs, 0
        self._plan: _Plan | None = None
        if self._first_fronts:
            edges = seams(self._first_fronts, self._first_backs) if gutter is None else None
            self._plan = _plan(self._first_fronts[0], paper, gutter, edges=edges, settings=settings, margin=margin)

    @property
    def cards(self) -> int:
        """The number of cards on a sheet."""
        return self._plan.grid.count if self._plan else 1

    def sheets(self, count: int | None = None) -> Iterator[Page]:
        """The fronts and backs of the next sheets: of this number, or all."""
        end = inf if count is None else self._number + count
        while self._number < end and (fronts := tuple(_taken(self._first_fronts, self._fronts, self.cards))):
            assert self._plan
            backs = tuple(_taken(self._first_backs, self._backs, len(fronts)))
            self._number += 1
            yield from self._plan.pages(self._number, fronts, backs)

    def skip(self, count: int) -> None:
        """Leaves out sheets that another process makes."""
        self._number += count
        for first, rest in ((self._first_fronts, self._fronts), (self._first_backs, self._backs)):
            missing = count * self.cards
            while first and missing:
                first.popleft()
                missing -= 1
            rest.skip(missing)  # type: ignore[attr-defined]


def _taken(first: deque[Frame], rest: Iterator[Frame], count: int) -> Iterator[Frame]:
    """The next frames: those that were looked at, and then others."""
    while first and count:
        yield first.popleft()
        count -= 1
    yield from islice(rest, count)


class _Plan(Struct, frozen=True):
    """The grid of fronts on a `page`, the part of the page within which they have crop marks (`side`), and the axis
    about which backs are mirrored. `borders` are the colours of the borders of fronts and backs, if they have any.
    `layouts` is a memory: crop marks take as long as a page of cards."""

    page: Rect
    grid: CardGrid | Honeycomb
    side: Rect
    bleed: float
    margin: float
    axis: Axis
    folded: bool = False
    borders: tuple[str, str] | None = None
    layouts: dict[int, _Layout] = field(default_factory=dict)

    def pages(self, number: int, fronts: Sequence[Frame], backs: Sequence[Frame]) -> Iterator[Page]:
        if len(fronts) not in self.layouts:
            self.layouts[len(fronts)] = self._layout(fronts[0], len(fronts))
        places, places_of_backs, marks, back_marks = self.layouts[len(fronts)]
        front = tuple([replace(place, frame=frame) for place, frame in zip(places, fronts, strict=True)])
        back = tuple([replace(place, frame=frame) for place, frame in zip(places_of_backs, backs, strict=False)])
        width, height = self.page.width, self.page.height
        if self.folded:
            line, note = self._fold()
            marks = (*marks, *back_marks, line)
            yield Page(width, height, front + back, marks, notes=(note,), label=f"fold {number}", cut=True)
            return
        yield Page(width, height, front, marks, label=f"front {number}", cut=True)
        if back:
            yield Page(width, height, back, back_marks, label=f"back {number}", cut=True, back=True)

    def _layout(self, card: Frame, count: int) -> _Layout:
        fronts = self.grid.placed(card, count)
        backs = [behind(front, card, self.page, self.axis) for front in fronts]
        boxes = [Rect(front.x, front.y, *front.box) for front in fronts]
        cut = cut_outlines(fronts) if card.cut else crop_marks(boxes, self.bleed, self.side, self.page)
        edge, back_edge = [
            tuple([Shape(border(placed), colour, even_odd=True) for placed in side if colour])
            for side, colour in zip((fronts, backs), self.borders or ("", ""), strict=True)
        ]
        return fronts, backs, edge + cut, back_edge

    def _fold(self) -> tuple[Shape, Placed]:
        """The fold line, and its label on the side with the backs."""
        width, height = self.page.width, self.page.height
        text = Frame("fold", 80, 3, (Run(0, 2.2, _FOLD_NOTE, font="regular", size=2.2, colour="#000000", width=0),))
        start = self.margin
        if self.axis == "vertical":
            return (fold_line(width / 2, start, width / 2, height - start), Placed(text, width / 2 + 0.5, start, 90))
        return fold_line(start, height / 2, width - start, height / 2), Placed(text, start, height / 2 + 0.5)


# What pages with the same number of cards have in common: the places of fronts and of backs, and their marks.
_Layout: TypeAlias = tuple[list[Placed], list[Placed], tuple[Shape, ...], tuple[Shape, ...]]


def behind(front: Placed, frame: Frame, page: Rect, axis: Axis) -> Placed:
    """Places the back of a front: mirrored about the axis, with its top towards the same edge of the card."""
    left, top, right, bottom = front.clip
    if axis == "vertical":
        return Placed(
            frame,
            page.width - front.x - front.box[0],
            front.y,
            turn=-front.turn % 360,
            clip=(right, top, left, bottom),
            outline=transformed(front.outline, (-1.0, 0.0, 0.0, 1.0, page.width, 0.0)),
        )
    return Placed(
        frame,
        front.x,
        page.height - front.y - front.box[1],
        turn=(180 - front.turn) % 360,
        clip=(left, bottom, right, top),
        outline=transformed(front.outline, (1.0, 0.0, 0.0, -1.0, 0.0, page.height)),
    )


def _plan(
    card: Frame, paper: Paper, gutter: float | None, edges: Seams | None, settings: PrintSettings, margin: float
) -> _Plan:
    """The plan that holds the most cards, preferably upright ones."""
    page = Rect(0, 0, paper.width, paper.height)
    printable = page.inset(*[paper.margin] * 4)
    reserve = max(margin, paper.margin + card.bleed)
    area = page.inset(*[reserve] * 4)
    duplex = settings.duplex or "long"
    if duplex == "gutterfold":
        plans = list(_folded_plans(card, page, area, margin=paper.margin, gutter=gutter, edges=edges))
    else:
        plans = [
            _Plan(
                page,
                grid,
                printable,
                bleed=card.bleed,
                margin=paper.margin,
                axis=axis_of(paper.width, paper.height, duplex),
                borders=borders,
            )
            for grid, borders in _arrangements(area, reserve - paper.margin, card, gutter=gutter, edges=edges)
        ]
    best = max(plans, key=lambda plan: (plan.grid.count, plan.borders is None, plan.grid.turn == 0))
    if best.grid.count:
        return best
    width, height = card.width + 2 * reserve, card.height + 2 * reserve
    if best.folded:
        height += card.height + 2 * _fold_room(card, gutter or 0.0)
    raise fault(
        f"a card of {_size(card.width, card.height)} does not fit on {paper.name}: with margins"
        f"{' and its back' if best.folded else ''} it needs {_size(width, height)}, "
        f"has {_size(paper.width, paper.height)}",
        hint="choose a smaller margin or a larger paper",
    )


# Where cards lie, and the colours of their borders.
_Arrangement = tuple["CardGrid | Honeycomb", "tuple[str, str] | None"]


def _arrangements(
    area: Rect, free: float, card: Frame, gutter: float | None, edges: Seams | None
) -> Iterator[_Arrangement]:
    """The ways in which cards like this fill an area; `free` is the space around it that can
    be printed."""
    if card.cut and card.cut.is_hex:
        for joined, apart in zip(
            honeycombs(area, card.width, card.height, gutter=gutter or 0.0, cut=card.cut),
            honeycombs(
                area, card.width, card.height, gutter=2 * card.bleed if gutter is None else gutter, cut=card.cut
            ),
            strict=True,
        ):
            yield (apart if apart.count == joined.count else joined), None
        return
    yield from (_grid(area, free, card, turn=turn, gutter=gutter, edges=edges) for turn in (0, 90))


def _grid(area: Rect, free: float, card: Frame, turn: int, gutter: float | None, edges: Seams | None) -> _Arrangement:
    """As many cards in rows and columns as fit in an area, in its middle."""
    width, height = (card.height, card.width) if turn else (card.width, card.height)
    columns, rows = _count(area.width, width, gutter or 0.0), _count(area.height, height, gutter or 0.0)
    across = down = gutter or 0.0
    turned, borders = (False, False), None
    if edges:
        horizontal, vertical = (edges.down, edges.across) if turn else (edges.across, edges.down)
        if not horizontal:
            across = _own_gutter(area.width, columns, width, bleed=card.bleed, free=free)
        if not vertical:
            down = _own_gutter(area.height, rows, height, bleed=card.bleed, free=free)
        turns = (edges.turned_down, edges.turned_across) if turn else (edges.turned_across, edges.turned_down)
        closed = (columns > 1 and not horizontal and not across, rows > 1 and not vertical and not down)
        turned = closed[0] and turns[0], closed[1] and turns[1]
        if closed != turned and card.safe >= BORDER:
            across, down, turned, borders = 0.0, 0.0, (False, False), (edges.front, edges.back)
    block = _length(columns, width, across), _length(rows, height, down)
    x, y = area.x + (area.width - block[0]) / 2, area.y + (area.height - block[1]) / 2
    return CardGrid(x, y, columns, rows, width, height, across, down, turn, *turned), borders


def _own_gutter(room: float, count: int, length: float, bleed: float, free: float) -> float:
    """The gutter between cards whose edges differ, if it costs no card: twice their bleed, or less, so that marks have
    room beyond the bleed or else on it; 0 if it would be too narrow for any use. `free` is the space around `room` that
    can be printed."""
    if count < 2:
        return 0.0
    for outside in (bleed + MIN_MARK, TICK_ROOM, 0.0):
        spare = room - count * length - 2 * max(0.0, outside - free)
        gutter = min(max(2 * bleed, MIN_GUTTER), spare / (count - 1))
        if gutter >= MIN_GUTTER - _SLACK:
            return gutter
    return 0.0


def axis_of(width: float, height: float, duplex: str) -> Axis:
    """Turning over about a vertical edge mirrors left and right; on portrait pages the long edge is vertical."""
    return "vertical" if (duplex == "long") == (height >= width) else "horizontal"


def _folded_plans(
    card: Frame, page: Rect, area: Rect, margin: float, gutter: float | None, edges: Seams | None
) -> Iterator[_Plan]:
    """Plans with the fronts on the upper or left half; the shorter fold first."""
    folds: list[Axis] = ["horizontal", "vertical"]
    printable = page.inset(*[margin] * 4)
    for axis in folds if page.height >= page.width else folds[::-1]:
        half, side = _half(area, axis, page, _fold_room(card, gutter or 0.0)), _half(printable, axis, page, 1)
        for grid, borders in _arrangements(half, area.x - printable.x, card, gutter=gutter, edges=edges):
            yield _Plan(page, grid, side, bleed=card.bleed, margin=margin, axis=axis, folded=True, borders=borders)


def _fold_room(card: Frame, gutter: float) -> float:
    return max(card.bleed + FOLD_ROOM, gutter / 2)


def _half(area: Rect, axis: Axis, page: Rect, room: float) -> Rect:
    """The part of an area to the left of the fold or above it, at a distance of `room`."""
    if axis == "vertical":
        return area.inset(0, 0, area.right - page.width / 2 + room, 0)
    return area.inset(0, 0, 0, area.bottom - page.height / 2 + room)


def _size(width: float, height: float) -> str:
    return f"{width:.1f} × {height:.1f} mm"
