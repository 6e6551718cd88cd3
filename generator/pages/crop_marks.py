"""Lines for knives and scissors: crop marks, outlines to cut along, and lines to fold along."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

from ..geometry.frame import Placed, Shape, edged
from ..geometry.outlines import Path, Rect, Segment, line
from ..geometry.polygons import Polygon, bounds, clipped

LINE = 0.25 * 25.4 / 72
"""Width of a mark: a quarter of a point."""
GAP = 2.0
"""Distance between a mark and the bleed, if there is room for it."""
MAX_MARK = 6.0
MIN_MARK = 3.0
"""The length of a crop mark in mm, which lies where printers can print. Where there is less room than for the shorter
one, ticks lie on the bleed instead."""
SAFE_EDGE = 5.0
"""How far marks stay from the edge of the paper where they have the room, in mm: many printers leave more than their
data sheets say."""
CLEAR = 0.8
"""Distance between a tick and the trim: a little more than cuts usually stray, so that none is left on a card."""
MIN_TICK = 1.0
"""The length of the shortest tick."""
TICK_ROOM = CLEAR + 2.2
"""The room outside the trim for a tick of good length."""
HALO = 0.25
"""The width of the white edges of a tick, which make it visible on any art."""
_INK = "#000000"


def crop_marks(trims: Iterable[Rect], bleed: float, printable: Rect, page: Rect) -> tuple[Shape, ...]:
    """Marks in line with every edge of `trims`, within the area of the page that can be printed.

    On each side of the block of trims, they lie beyond the bleed if they can be at least 3 mm long. Otherwise ticks lie
    on the bleed, at the ends of the lines and in gutters. Where there is no room even for ticks, they run on to the
    edge of the page, since margins differ between printers."""
    boxes = list(trims)
    columns, rows = _spans((box.x, box.right) for box in boxes), _spans((box.y, box.bottom) for box in boxes)
    return marks(_edges(columns), _edges(rows), columns, rows=rows, bleed=bleed, printable=printable, page=page)


Span = tuple[float, float]


def marks(
    across: Sequence[float],
    down: Sequence[float],
    columns: Sequence[Span],
    rows: Sequence[Span],
    bleed: float,
    printable: Rect,
    page: Rect,
) -> tuple[Shape, ...]:
    """Crop marks for vertical cuts at `across` and horizontal ones at `down`, through `columns` and `rows` of trims."""
    long: list[Segment] = []
    ticks: list[Segment] = []
    for upright, lines_at, along, limits in (
        (True, across, rows, ((printable.y, page.y), (printable.bottom, page.bottom))),
        (False, down, columns, ((printable.x, page.x), (printable.right, page.right))),
    ):
        for start, end, is_mark in _stretches(along, bleed, *limits):
            for at in lines_at:
                mark = line(at, start, at, end) if upright else line(start, at, end, at)
                (long if is_mark else ticks).extend(mark)
    shapes = [Shape(tuple(long), stroke=_INK, stroke_width=LINE)] if long else []
    if ticks:
        shapes += edged(Shape(tuple(ticks), stroke=_INK, stroke_width=LINE), HALO)
    return tuple(shapes)


def _spans(ends: Iterable[Span]) -> list[Span]:
    """The different columns or rows of a grid, from one edge to the other."""
    return sorted({(round(start, 4), round(end, 4)) for start, end in ends})


def _edges(spans: Iterable[Span]) -> list[float]:
    """Each edge once, since cards without a gutter share theirs."""
    return sorted({edge for span in spans for edge in span})


def _stretches(spans: Sequence[Span], bleed: float, first: Span, last: Span) -> Iterator[tuple[float, float, bool]]:
    """The parts of a cut line that have marks (True) or ticks (False). The line runs through cards at `spans`; `first`
    and `last` are the ends of the area that can be printed, and those of the page."""
    ticks = False
    for edge, (limit, paper), out in (spans[0][0], first, -1), (spans[-1][1], last, 1):
        room = (limit - edge) * out - bleed
        if room >= MIN_MARK - 1e-6:
            room = max(MIN_MARK, min(room, (paper - edge) * out - bleed - SAFE_EDGE))
            start = edge + out * (bleed + min(GAP, room - MIN_MARK))
            yield start, start + out * min(MAX_MARK, bleed + room - (start - edge) * out), True
            continue
        ticks = True
        if (limit - edge) * out < CLEAR + MIN_TICK - 1e-6:
            limit = paper
        if (limit - edge) * out >= CLEAR + MIN_TICK - 1e-6:
            yield edge + out * CLEAR, edge + out * min(MAX_MARK, (limit - edge) * out), False
    for (_, end), (start, _) in pairwise(spans) if ticks else ():
        if start - end >= 2 * CLEAR + MIN_TICK - 1e-6:
            yield end + CLEAR, start - CLEAR, False


def cut_line(x1: float, y1: float, x2: float, y2: float) -> tuple[Shape, Shape]:
    """A line to cut along, or a part of one."""
    return edged(Shape(line(x1, y1, x2, y2), stroke=_INK, stroke_width=LINE))


def cut_outlines(fronts: Iterable[Placed]) -> tuple[Shape, Shape]:
    """The outlines of cards that are not rectangles, to cut along."""
    paths: Iterator[Path] = (
        front.frame.cut.turned(front.turn).path(front.x, front.y, *front.box) for front in fronts if front.frame.cut
    )
    return edged(Shape(tuple(chain.from_iterable(paths)), stroke=_INK, stroke_width=LINE, join="round"))


def fold_line(x1: float, y1: float, x2: float, y2: float) -> Shape:
    """A dashed line to fold along."""
    return Shape(line(x1, y1, x2, y2), stroke=_INK, stroke_width=LINE, dash=(3.0, 2.0))


def hatching(convex: Polygon, step: float) -> Path:
    """Lines through a convex polygon that rise to the right, `step` mm apart along its lower edge."""
    left, top, right, bottom = bounds(convex)
    height = bottom - top
    starts = (left - height + (i + 0.5) * step for i in range(int((right - left + height) / step) + 1))
    parts = (clipped((x, bottom), (x + height, top), convex) for x in starts)
    return tuple(segment for part in parts if part for segment in line(*part[0], *part[1]))
