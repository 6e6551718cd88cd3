"""Splits a poster that is larger than the paper into overlapping pages, to be cut out and glued together.

Tiles are laid in reading order. Each covers strips of those before it: right and lower strips are hatched and say which
tile goes there, and the left and upper edges next to another tile are cut. Crosses in the strips mark the same points
of the poster on both tiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

from ..definitions.sizes import Paper
from ..errors import fault
from ..geometry import outlines
from ..geometry.frame import Frame, Item, Page, Placed, Run, Shape, edged, scaled
from ..geometry.outlines import Rect, Segment
from ..geometry.polygons import box, clipped
from .marks import GAP, LINE, MAX_MARK, MIN_MARK

LABEL_HEIGHT = 3.0
MAX_BLEED = 2.0
"""Maximum bleed beyond the outer edges of a poster."""
CLEAR = MAX_BLEED + GAP + MAX_MARK + 1.0
"""Distance between a tile and the page map, which leaves room for the crop marks."""
_INK = "#000000"
_QUIET = "#8c8c8c"
_PAPER = "#ffffff"
_TEXT = 2.2
_LETTER = 0.56
"""A generous average width of a letter, as a multiple of the type size."""
_HATCH = 5.0
_BEYOND = 3.0
"""How far a cut line extends beyond the corners of its tile."""


def label(text: str) -> Frame:
    """A line of text on a white background, legible on any picture."""
    width = 2 + len(text) * _LETTER * _TEXT
    plate = Shape(outlines.rounded_rect(0, 0, width, LABEL_HEIGHT, (0.6,) * 4), _PAPER)
    return Frame(text, width, LABEL_HEIGHT, (plate, Run(1, 2.25, text, "regular", _TEXT, _INK, 0)))


def cross(x: float, y: float, overlap: float) -> tuple[Shape, Shape]:
    """A registration cross: a hairline edged in white, visible on any picture but unobtrusive."""
    arm = min(2.0, overlap * 0.4)
    path = (*outlines.line(x - arm, y, x + arm, y), *outlines.line(x, y - arm, x, y + arm))
    return edged(Shape(path, stroke=_INK, stroke_width=0.1))


def hatched(strip: Rect) -> tuple[Shape, ...]:
    """A strip that another tile will cover: hatched, with a dashed line at the edge of that tile."""
    corners, height = box(strip.x, strip.y, strip.width, strip.height), strip.height
    path: list[Segment] = []
    for i in range(int((strip.width + height) / _HATCH) + 1):
        x = strip.x - height + (i + 0.5) * _HATCH
        line = clipped((x, strip.bottom), (x + height, strip.y), corners)
        path += outlines.line(*line[0], *line[1]) if line else ()
    upright = strip.height > strip.width
    seam = outlines.line(strip.x, strip.y, strip.x if upright else strip.right, strip.bottom if upright else strip.y)
    return (
        Shape(tuple(path), stroke=_QUIET, stroke_width=0.15),
        Shape(seam, stroke=_PAPER, stroke_width=LINE),
        Shape(seam, stroke=_INK, stroke_width=LINE, dash=(2.0, 1.5)),
    )


def edges(visible: Rect, neighbours: Sequence[bool], bleed: float, page: Rect) -> tuple[Shape, ...]:
    """Cut lines along the left and upper edges next to another tile, and crop marks in line with the outer edges of the
    poster. `neighbours` says which edges (left, upper, right, lower) have a neighbour."""
    left, above, right, below = neighbours
    path: list[Segment] = []
    if left:
        path += outlines.line(visible.x, visible.y - _BEYOND, visible.x, visible.bottom + _BEYOND)
    if above:
        path += outlines.line(visible.x - _BEYOND, visible.y, visible.right + _BEYOND, visible.y)
    block = visible.inset(*[-bleed - GAP] * 4)
    for has_neighbour, x in (left, visible.x), (right, visible.right):
        if not has_neighbour:
            path += _marks(x, block.y, page.y, upright=True)
            path += _marks(x, block.bottom, page.bottom, upright=True)
    for has_neighbour, y in (above, visible.y), (below, visible.bottom):
        if not has_neighbour:
            path += _marks(y, block.x, page.x, upright=False)
            path += _marks(y, block.right, page.right, upright=False)
    return edged(Shape(tuple(path), stroke=_INK, stroke_width=LINE)) if path else ()


def _marks(at: float, start: float, limit: float, *, upright: bool) -> Iterator[Segment]:
    """A crop mark from `start` towards `limit`; none if it would be too short to see."""
    length = min(MAX_MARK, abs(limit - start))
    end = start + length if limit > start else start - length
    if length >= MIN_MARK:
        yield from outlines.line(at, start, at, end) if upright else outlines.line(start, at, end, at)


_STEPS = (
    "Cut each tile along its solid lines.",
    "Lay them in order, A1 first: each",
    "covers the hatched strips of those",
    "before it. Match crosses and glue.",
)
_MAP = 40.0, 44.0
_MAP_WIDTH = 44.0
"""Wide enough for the longest line of text."""
_LEADING = 3.2


def page_map(tiles: Sequence[tuple[str, Rect]], overlap: float) -> Frame:
    """A small picture of the visible parts of all tiles, with instructions."""
    width, height = max(area.right for _, area in tiles), max(area.bottom for _, area in tiles)
    scale = min(_MAP[0] / width, _MAP[1] / height)
    top = _LEADING + 1.5
    items: list[Item] = [_line(f"{len(tiles)} tiles, overlap {overlap:g} mm", _LEADING - 0.8)]
    for tile, area in tiles:
        x, y = area.x * scale, top + area.y * scale
        across = (area.width - overlap * (area.right < width - overlap / 2)) * scale
        down = (area.height - overlap * (area.bottom < height - overlap / 2)) * scale
        items.append(Shape(outlines.rect(x, y, across, down), None, _INK, 0.2))
        size = min(3.2, 0.4 * min(across, down))
        items.append(
            Run(
                x + (across - len(tile) * _LETTER * size) / 2,
                y + (down + 0.7 * size) / 2,
                tile,
                "regular",
                size,
                _INK,
                0,
            )
        )
    start = top + height * scale + 1.5
    items += (_line(text, start + number * _LEADING) for number, text in enumerate(_STEPS, start=1))
    return Frame("page map", _MAP_WIDTH, start + (len(_STEPS) + 0.5) * _LEADING, tuple(items))


def _line(text: str, y: float) -> Run:
    return Run(0, y, text, "regular", _TEXT, _INK, 0)


# ---- tiles

FOOT = MAX_BLEED + LABEL_HEIGHT + 0.5
"""Free space below the tiles, for their bleed and names."""
_SLACK = 1e-6


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile: its row and column, from 0, and the part of the poster that it shows."""

    row: int
    column: int
    window: Rect

    @property
    def name(self) -> str:
        """The row as a letter and the column as a number: `B3` is the third tile of the second row."""
        return tile_name(self.row, self.column)


def tile_name(row: int, column: int) -> str:
    letters = ""
    row += 1
    while row:
        row, letter = divmod(row - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{column + 1}"


@dataclass(frozen=True, slots=True)
class TilePlan:
    """How a poster is split: all tiles are `width` × `height` and overlap by `overlap`. `page` is the paper in its
    orientation, `left` and `top` are the corner of the tile on it, and `margin` is the free edge of the page."""

    page: Rect
    columns: int
    rows: int
    width: float
    height: float
    overlap: float
    left: float
    top: float
    margin: float

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def tiles(self) -> tuple[Tile, ...]:
        across, down = self.width - self.overlap, self.height - self.overlap
        return tuple(
            Tile(row, column, Rect(column * across, row * down, self.width, self.height))
            for row in range(self.rows)
            for column in range(self.columns)
        )

    def neighbours(self, tile: Tile) -> tuple[bool, bool, bool, bool]:
        """Whether a tile has a neighbour at its left, upper, right and lower edge."""
        return tile.column > 0, tile.row > 0, tile.column < self.columns - 1, tile.row < self.rows - 1


def tile_plan(width: float, height: float, paper: Paper, overlap: float, margin: float) -> TilePlan:
    """The plan with the fewest pages, on portrait or landscape paper (portrait if both need the same number).

    Raises InputError if the overlap is negative or leaves no room on the paper."""
    plans = [
        _plan(width, height, replace(paper, width=across, height=down), overlap, margin)
        for across, down in ((paper.width, paper.height), (paper.height, paper.width))
    ]
    return min(plans, key=lambda plan: plan.count)


def _plan(width: float, height: float, paper: Paper, overlap: float, margin: float) -> TilePlan:
    edge = max(margin, paper.margin)
    page, room = _room(paper, margin)
    if overlap < 0 or 2 * overlap >= min(room.width, room.height):
        raise fault(
            f"an overlap of {overlap:g} mm does not work on {paper.name}, where tiles are at most "
            f"{room.width:.1f} × {room.height:.1f} mm",
            hint="use less than half the shorter side",
        )
    columns, rows = _count(width, room.width, overlap), _count(height, room.height, overlap)
    left, top = ((page.width - width) / 2, (page.height - height) / 2) if columns * rows == 1 else (edge, edge)
    return TilePlan(
        page,
        columns,
        rows,
        (width + (columns - 1) * overlap) / columns,
        (height + (rows - 1) * overlap) / rows,
        overlap,
        left,
        top,
        edge,
    )


def _room(paper: Paper, margin: float) -> tuple[Rect, Rect]:
    """The page, and the area of it that a tile may use."""
    edge = max(margin, paper.margin)
    page = Rect(0, 0, paper.width, paper.height)
    return page, page.inset(edge, edge, edge, max(edge, paper.margin + FOOT))


def in_one_piece(frame: Frame, paper: Paper, margin: float, min_scale: float) -> Frame:
    """The poster scaled down to fit on one page, or unchanged, to be split into tiles, if the scale would be less than
    `min_scale`."""
    areas = [
        _room(replace(paper, width=across, height=down), margin)[1]
        for across, down in ((paper.width, paper.height), (paper.height, paper.width))
    ]
    scale = max(min(area.width / frame.width, area.height / frame.height) for area in areas)
    return scaled(frame, scale) if min_scale <= scale < 1 else frame


def _count(length: float, room: float, overlap: float) -> int:
    return max(1, ceil((length - overlap - _SLACK) / (room - overlap)))


def tiles(frame: Frame, paper: Paper, overlap: float, margin: float) -> list[Page]:
    """The pages of a poster, in the order in which you lay them; `overlap` and `margin` are in mm.

    A poster that fits on the paper is one page without marks. Otherwise a map of the tiles is on the first page if it
    has room, or on a separate page at the end. Raises InputError if the overlap leaves no room on the paper."""
    plan = tile_plan(frame.width, frame.height, paper, overlap, margin)
    pages = [_page(frame, tile, plan, paper) for tile in plan.tiles]
    if plan.count == 1:
        return pages
    map_ = page_map([(tile.name, tile.window) for tile in plan.tiles], overlap)
    spot = _map_spot(map_, plan)
    if spot:
        return [replace(pages[0], notes=(*pages[0].notes, Placed(map_, *spot))), *pages[1:]]
    map_page = Page(plan.page.width, plan.page.height, (), notes=(Placed(map_, plan.margin, plan.margin),), label="map")
    return [*pages, map_page]


def _map_spot(map_: Frame, plan: TilePlan) -> tuple[float, float] | None:
    """Where the map fits beside the first tile: to its right or below it."""
    right, below = plan.left + plan.width + CLEAR, plan.top + plan.height + CLEAR
    if right + map_.width <= plan.page.width - plan.margin:
        return right, plan.top
    if below + map_.height <= plan.page.height - plan.margin - FOOT:
        return plan.left, below
    return None


def _page(frame: Frame, tile: Tile, plan: TilePlan, paper: Paper) -> Page:
    window, neighbours = tile.window, plan.neighbours(tile)
    x, y, bleed = plan.left - window.x, plan.top - window.y, min(frame.bleed, MAX_BLEED)
    hidden = window.x, window.y, frame.width - window.right, frame.height - window.bottom
    left, top, right, bottom = (
        -part if neighbour else bleed for part, neighbour in zip(hidden, neighbours, strict=True)
    )
    placed = Placed(frame, x, y, 0, (left, top, right, bottom))
    page = Page(plan.page.width, plan.page.height, (placed,), label=f"tile {tile.name}")
    if plan.count == 1:
        return page
    visible = Rect(plan.left, plan.top, window.width, window.height)
    marks = (
        *edges(visible, neighbours, bleed, plan.page),
        *(shape for strip in _strips(tile, plan) for shape in hatched(_moved(strip, x, y))),
        *(shape for px, py in crosses(tile, plan) for shape in cross(px + x, py + y, plan.overlap)),
    )
    foot = plan.page.height - paper.margin - LABEL_HEIGHT
    return replace(page, marks=marks, notes=tuple(_names(frame, tile, plan, foot)))


def _moved(area: Rect, x: float, y: float) -> Rect:
    return area._replace(x=area.x + x, y=area.y + y)


def _strips(tile: Tile, plan: TilePlan) -> Iterator[Rect]:
    """The strips of the poster that other tiles will cover: the full-height right one, and the lower one beside it."""
    window, overlap = tile.window, plan.overlap
    _, _, right, below = plan.neighbours(tile)
    if right:
        yield Rect(window.right - overlap, window.y, overlap, window.height)
    if below:
        yield Rect(window.x, window.bottom - overlap, window.width - overlap * right, overlap)


def crosses(tile: Tile, plan: TilePlan) -> Iterator[tuple[float, float]]:
    """The points of the poster where a tile has registration crosses: two on the middle line of each overlap, away from
    the corners where four tiles meet."""
    window, overlap = tile.window, plan.overlap
    left, above, right, below = plan.neighbours(tile)
    inset = min(2 * overlap, window.height / 3), min(2 * overlap, window.width / 3)
    for has_neighbour, x in (left, window.x + overlap / 2), (right, window.right - overlap / 2):
        if has_neighbour and overlap:
            yield from ((x, window.y + inset[0]), (x, window.bottom - inset[0]))
    for has_neighbour, y in (above, window.y + overlap / 2), (below, window.bottom - overlap / 2):
        if has_neighbour and overlap:
            yield from ((window.x + inset[1], y), (window.right - inset[1], y))


def _names(frame: Frame, tile: Tile, plan: TilePlan, foot: float) -> Iterator[Placed]:
    """The name of the tile at the foot of the page, and in each strip the name of the tile that will cover it."""
    yield Placed(label(f"{frame.name}, tile {tile.name}, of {plan.rows} × {plan.columns}"), plan.left, foot)
    _, _, right, below = plan.neighbours(tile)
    if plan.overlap < LABEL_HEIGHT + 1:
        return
    middle = (plan.overlap - LABEL_HEIGHT) / 2
    if right:
        name = label(f"glue {tile_name(tile.row, tile.column + 1)} here")
        yield Placed(
            name, plan.left + plan.width - plan.overlap + middle, plan.top + (plan.height - name.width) / 2, 90
        )
    if below:
        name = label(f"glue {tile_name(tile.row + 1, tile.column)} here")
        yield Placed(name, plan.left + (plan.width - name.width) / 2, plan.top + plan.height - plan.overlap + middle)
