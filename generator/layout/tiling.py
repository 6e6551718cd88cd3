"""A poster larger than the paper → pages that overlap, to be cut, laid over one another and glued.

Tiles are laid in reading order. Each covers a strip of those before it: their right and lower strips are hatched and
say which tile goes there; a tile's own left and upper edges, where another tile lies beyond them, are cut. Crosses in
the strips stand at the same points of the poster on both tiles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil

from ..definitions.sizes import Paper
from ..errors import fault
from . import tile_marks
from .frame import Frame, scaled
from .page import Page, Placed
from .rect import Rect

FOOT = tile_marks.MOST_BLEED + tile_marks.LABEL_HEIGHT + 0.5
"""Kept free below the tiles, for their bleed and their names."""
_SLACK = 1e-6


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile: its row and column from 0, and the window of the poster it shows."""

    row: int
    column: int
    window: Rect

    @property
    def name(self) -> str:
        """`B3` is the third tile of the second row."""
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
    """How a poster is cut up: all tiles are of one size, `width` × `height`, and share strips `overlap` wide. `page` is
    the paper as it lies, `left` and `top` where the tile begins on it, `margin` what is kept free on the page."""

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
        return tuple(Tile(row, column, Rect(column * across, row * down, self.width, self.height))
                     for row in range(self.rows) for column in range(self.columns))

    def neighbours(self, tile: Tile) -> tuple[bool, bool, bool, bool]:
        """Whether another tile lies beyond its left, upper, right and lower edge."""
        return tile.column > 0, tile.row > 0, tile.column < self.columns - 1, tile.row < self.rows - 1


def tile_plan(width: float, height: float, paper: Paper, overlap: float, margin: float) -> TilePlan:
    """The plan with the fewest pages, the paper standing or lying (standing where that makes no difference).

    Raises InputError where the overlap is negative or leaves nothing of the paper."""
    plans = [_plan(width, height, replace(paper, width=across, height=down), overlap, margin)
             for across, down in ((paper.width, paper.height), (paper.height, paper.width))]
    return min(plans, key=lambda plan: plan.count)


def _plan(width: float, height: float, paper: Paper, overlap: float, margin: float) -> TilePlan:
    edge = max(margin, paper.margin)
    page, room = _room(paper, margin)
    if overlap < 0 or 2 * overlap >= min(room.width, room.height):
        raise fault(f"an overlap of {overlap:g} mm does not work on {paper.name}: tiles are at most "
                    f"{room.width:.1f} × {room.height:.1f} mm", hint="at most half of the shorter side")
    columns, rows = _count(width, room.width, overlap), _count(height, room.height, overlap)
    left, top = ((page.width - width) / 2, (page.height - height) / 2) if columns * rows == 1 else (edge, edge)
    return TilePlan(page, columns, rows, (width + (columns - 1) * overlap) / columns,
                    (height + (rows - 1) * overlap) / rows, overlap, left, top, edge)


def _room(paper: Paper, margin: float) -> tuple[Rect, Rect]:
    """The page and what of it a tile may take."""
    edge = max(margin, paper.margin)
    page = Rect(0, 0, paper.width, paper.height)
    return page, page.inset(edge, edge, edge, max(edge, paper.margin + FOOT))


def in_one_piece(frame: Frame, paper: Paper, margin: float, least: float) -> Frame:
    """The poster made so much smaller that it fits on one page, if that takes no less than `least` of its size; else
    as it is, to be cut into tiles."""
    rooms = [_room(replace(paper, width=across, height=down), margin)[1]
             for across, down in ((paper.width, paper.height), (paper.height, paper.width))]
    factor = max(min(room.width / frame.width, room.height / frame.height) for room in rooms)
    return scaled(frame, factor) if least <= factor < 1 else frame


def _count(length: float, room: float, overlap: float) -> int:
    return max(1, ceil((length - overlap - _SLACK) / (room - overlap)))


def tiles(frame: Frame, paper: Paper, overlap: float, margin: float) -> list[Page]:
    """The pages of a poster, in the order in which they are laid; `overlap` and `margin` in mm.

    A poster that fits on the paper is one page without marks. Else a map of the tiles stands on the first page where
    it has room, or on a page of its own at the end. Raises InputError where the overlap leaves nothing of the paper."""
    plan = tile_plan(frame.width, frame.height, paper, overlap, margin)
    pages = [_page(frame, tile, plan, paper) for tile in plan.tiles]
    if plan.count == 1:
        return pages
    map_ = tile_marks.page_map([(tile.name, tile.window) for tile in plan.tiles], overlap)
    spot = _map_spot(map_, plan)
    if spot:
        return [replace(pages[0], notes=(*pages[0].notes, Placed(map_, *spot))), *pages[1:]]
    own = Page(plan.page.width, plan.page.height, (), notes=(Placed(map_, plan.margin, plan.margin),), label="map")
    return [*pages, own]


def _map_spot(map_: Frame, plan: TilePlan) -> tuple[float, float] | None:
    """Where the map has room beside the first tile: at its right or below it."""
    right, below = plan.left + plan.width + tile_marks.CLEAR, plan.top + plan.height + tile_marks.CLEAR
    if right + map_.width <= plan.page.width - plan.margin:
        return right, plan.top
    if below + map_.height <= plan.page.height - plan.margin - FOOT:
        return plan.left, below
    return None


def _page(frame: Frame, tile: Tile, plan: TilePlan, paper: Paper) -> Page:
    window, beyond = tile.window, plan.neighbours(tile)
    x, y, bleed = plan.left - window.x, plan.top - window.y, min(frame.bleed, tile_marks.MOST_BLEED)
    hidden = window.x, window.y, frame.width - window.right, frame.height - window.bottom
    left, top, right, bottom = (-part if other else bleed for part, other in zip(hidden, beyond, strict=True))
    placed = Placed(frame, x, y, 0, (left, top, right, bottom))
    page = Page(plan.page.width, plan.page.height, (placed,), label=f"tile {tile.name}")
    if plan.count == 1:
        return page
    shown = Rect(plan.left, plan.top, window.width, window.height)
    marks = (*tile_marks.edges(shown, beyond, bleed, plan.page),
             *(shape for strip in _strips(tile, plan) for shape in tile_marks.hatched(_moved(strip, x, y))),
             *(shape for px, py in crosses(tile, plan) for shape in tile_marks.cross(px + x, py + y, plan.overlap)))
    foot = plan.page.height - paper.margin - tile_marks.LABEL_HEIGHT
    return replace(page, marks=marks, notes=tuple(_names(frame, tile, plan, foot)))


def _moved(area: Rect, x: float, y: float) -> Rect:
    return area._replace(x=area.x + x, y=area.y + y)


def _strips(tile: Tile, plan: TilePlan) -> Iterator[Rect]:
    """The strips other tiles will cover, on the poster: the right one in full height, the lower one beside it."""
    window, overlap = tile.window, plan.overlap
    _, _, right, below = plan.neighbours(tile)
    if right:
        yield Rect(window.right - overlap, window.y, overlap, window.height)
    if below:
        yield Rect(window.x, window.bottom - overlap, window.width - overlap * right, overlap)


def crosses(tile: Tile, plan: TilePlan) -> Iterator[tuple[float, float]]:
    """The points of the poster at which a tile has registration crosses: two on the middle line of each of its strips,
    those under and those over its neighbours, clear of the corners where four tiles meet."""
    window, overlap = tile.window, plan.overlap
    left, above, right, below = plan.neighbours(tile)
    inset = min(2 * overlap, window.height / 3), min(2 * overlap, window.width / 3)
    for there, x in (left, window.x + overlap / 2), (right, window.right - overlap / 2):
        if there and overlap:
            yield from ((x, window.y + inset[0]), (x, window.bottom - inset[0]))
    for there, y in (above, window.y + overlap / 2), (below, window.bottom - overlap / 2):
        if there and overlap:
            yield from ((window.x + inset[1], y), (window.right - inset[1], y))


def _names(frame: Frame, tile: Tile, plan: TilePlan, foot: float) -> Iterator[Placed]:
    """The tile's own name at the foot of the page, and in its strips the names of the tiles that will cover them."""
    yield Placed(tile_marks.label(f"{frame.name}, tile {tile.name}, of {plan.rows} × {plan.columns}"), plan.left, foot)
    _, _, right, below = plan.neighbours(tile)
    if plan.overlap < tile_marks.LABEL_HEIGHT + 1:
        return
    middle = (plan.overlap - tile_marks.LABEL_HEIGHT) / 2
    if right:
        name = tile_marks.label(f"glue {tile_name(tile.row, tile.column + 1)} here")
        yield Placed(name, plan.left + plan.width - plan.overlap + middle,
                     plan.top + (plan.height - name.width) / 2, 90)
    if below:
        name = tile_marks.label(f"glue {tile_name(tile.row + 1, tile.column)} here")
        yield Placed(name, plan.left + (plan.width - name.width) / 2, plan.top + plan.height - plan.overlap + middle)
