"""Splits a poster that is larger than the paper into overlapping pages, to be cut out and glued together.

Tiles are laid in reading order. Each covers strips of those before it: right and lower strips are hatched and say which
tile goes there, and the left and upper edges next to another tile are cut. Nothing else is drawn on the poster: marks
lie in the margin, and on strips that are covered.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor
from textwrap import wrap

from msgspec import Struct
from msgspec.structs import replace

from ..errors import fault
from ..geometry import outlines
from ..geometry.frame import Frame, Page, Placed, Run, Shape, scaled
from ..geometry.outlines import Rect
from ..geometry.polygons import box
from ..model.values import MM_PER_UNIT, Size
from ..reading.sizes import Paper
from .crop_marks import LINE, hatching, marks

LABEL_HEIGHT = 3.8
MAX_BLEED = 3.0
"""Maximum bleed beyond the edges at which a tile is cut."""
_INK = "#000000"
_QUIET = "#8c8c8c"
_PAPER = "#ffffff"
_TEXT = 8 * MM_PER_UNIT["pt"]
_LETTER = 0.56  # a generous average width of a letter, as a multiple of the type size
_HATCH = 5.0
# How far inside a strip the line along the edge of the covering tile is, so that nothing of it remains visible.
_COVERED = 0.5


def label(*lines: str) -> Frame:
    """Lines of text on a white background, legible on any picture."""
    width, height = 2 + max(map(len, lines)) * _LETTER * _TEXT, len(lines) * LABEL_HEIGHT
    plate = Shape(outlines.rounded_rect(0, 0, width, height, radii=(0.6,) * 4), _PAPER)
    runs = (
        Run(1, number * LABEL_HEIGHT + 2.85, text, font="regular", size=_TEXT, colour=_INK, width=0)
        for number, text in enumerate(lines)
    )
    return Frame(" ".join(lines), width, height, (plate, *runs))


def hatched(strip: Rect) -> tuple[Shape, ...]:
    """A strip that another tile will cover: hatched, with a dashed line that the edge of that tile just hides."""
    upright = strip.height > strip.width
    strip = strip.inset(_COVERED * upright, _COVERED * (not upright), 0, 0)
    corners = box(strip.x, strip.y, strip.width, strip.height)
    seam = outlines.line(strip.x, strip.y, strip.x if upright else strip.right, strip.bottom if upright else strip.y)
    return (
        Shape(hatching(corners, _HATCH), stroke=_QUIET, stroke_width=0.15),
        Shape(seam, stroke=_PAPER, stroke_width=LINE),
        Shape(seam, stroke=_INK, stroke_width=LINE, dash=(2.0, 1.5)),
    )


NOTE_GAP = 0.5
"""Distance between the bleed or the marks of a tile and its note."""
_SLACK = 1e-6


class Tile(Struct, frozen=True):
    """One tile: its row and column, from 0, and the part of the poster that it shows."""

    row: int
    column: int
    window: Rect

    @property
    def name(self) -> str:
        return tile_name(self.row, self.column)


def tile_name(row: int, column: int) -> str:
    """The row as a letter and the column as a number: `B3` is the third tile of the second row."""
    letters, row = "", row + 1
    while row:
        row, letter = divmod(row - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{column + 1}"


class TilePlan(Struct, frozen=True):
    """How a poster is split: all tiles are `width` × `height` and overlap by `overlap`. `page` is the paper in its
    orientation, and `left` and `top` are the corner of the tile on it. `printable` is the area for marks, and the note
    is to its right if it is `beside` the tile, else below it."""

    page: Rect
    printable: Rect
    columns: int
    rows: int
    width: float
    height: float
    overlap: float
    left: float
    top: float
    beside: bool

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


def tile_plan(
    width: float, height: float, paper: Paper, overlap: float, margin: float, bleed: float = 0.0, note: float = 0.0
) -> TilePlan:
    """The plan with the fewest pages, on portrait or landscape paper, with a note `note` mm high below each tile or
    beside it. If several plans have as few pages, the one with the most room around tiles, whichever of those beside it
    and above it is less.

    Raises InputError if the overlap is negative or leaves no room on the paper."""
    size = Size(width, height)
    plans = [
        _plan(size, turned, overlap, (margin, bleed), note=note, beside=beside)
        for turned in (paper, replace(paper, width=paper.height, height=paper.width))
        for beside in (False, True)
    ]

    def spare(plan: TilePlan) -> float:
        return round(min(plan.printable.width - plan.width, plan.printable.height - plan.height), 3)

    return min(plans, key=lambda plan: (plan.count, -spare(plan)))


def _plan(
    size: Size, paper: Paper, overlap: float, edges: tuple[float, float], *, note: float, beside: bool
) -> TilePlan:
    margin, bleed = edges
    page, room = Rect(0, 0, paper.width, paper.height), _room(paper, margin, bleed)
    one = size.width <= room.width + _SLACK and size.height <= room.height + _SLACK
    below = 0.0 if one else note + NOTE_GAP
    free = 0, 0, below * beside, below * (not beside)
    room = room if one else _room(paper, margin, MAX_BLEED).inset(*free)
    if overlap < 0 or 2 * overlap >= min(room.width, room.height):
        raise fault(
            f"an overlap of {overlap:g} mm does not work on {paper.name}, where tiles are at most "
            f"{room.width:.1f} × {room.height:.1f} mm",
            hint="use less than half the shorter side",
        )
    columns, rows = (
        max(1, ceil((length - overlap - _SLACK) / (most - overlap)))
        for length, most in ((size.width, room.width), (size.height, room.height))
    )
    across, down = (size.width + (columns - 1) * overlap) / columns, (size.height + (rows - 1) * overlap) / rows
    return TilePlan(
        page,
        page.inset(*[paper.margin] * 4).inset(*free),
        columns=columns,
        rows=rows,
        width=across,
        height=down,
        overlap=overlap,
        left=room.x + floor((room.width - across) / 2 + _SLACK),  # whole millimetres
        top=room.y + floor((room.height - down) / 2 + _SLACK),
        beside=beside,
    )


def _room(paper: Paper, margin: float, bleed: float) -> Rect:
    """The area of a page that a tile may use."""
    return Rect(0, 0, paper.width, paper.height).inset(*[max(margin, paper.margin + bleed)] * 4)


def in_one_piece(frame: Frame, paper: Paper, margin: float, min_scale: float) -> Frame:
    """The poster scaled down to fit on one page, or unchanged, to be split into tiles, if the scale would be less than
    `min_scale`."""
    area = _room(paper, margin, min(frame.bleed, MAX_BLEED))
    sides = (area.width, area.height), (area.height, area.width)
    scale = max(min(width / frame.width, height / frame.height) for width, height in sides)
    return scaled(frame, scale) if min_scale <= scale < 1 else frame


def tiles(frame: Frame, paper: Paper, overlap: float, margin: float) -> list[Page]:
    """The pages of a poster, in the order in which you lay them; `overlap` and `margin` are in mm. Every page says how
    to put the tiles together.

    A poster that fits on the paper is one page, with crop marks if it has a bleed. Raises InputError if the overlap
    leaves no room on the paper."""
    plan, letters = poster_plan(frame, paper, overlap, margin), _letters(paper)
    return [_page(frame, tile, plan, letters) for tile in plan.tiles]


def poster_plan(frame: Frame, paper: Paper, overlap: float, margin: float) -> TilePlan:
    """How a poster is split, with room for its bleed and for notes."""
    longest = wrap(_note(frame.name, "AA99", "99 × 99"), _letters(paper))
    bleed, note = min(frame.bleed, MAX_BLEED), len(longest) * LABEL_HEIGHT
    return tile_plan(frame.width, frame.height, paper, overlap=overlap, margin=margin, bleed=bleed, note=note)


def _letters(paper: Paper) -> int:
    """The number of letters in a line of a note."""
    return int((min(paper.width, paper.height) - 2 * paper.margin - 2) / (_LETTER * _TEXT))


def _note(name: str, tile: str, grid: str) -> str:
    return (
        f"{name[:1].upper()}{name[1:]}, tile {tile} of {grid}. Cut along the marks, then glue each tile over the "
        "hatched strips of those before it."
    )


def _page(frame: Frame, tile: Tile, plan: TilePlan, letters: int) -> Page:
    window, neighbours, bleed = tile.window, plan.neighbours(tile), min(frame.bleed, MAX_BLEED)
    x, y = plan.left - window.x, plan.top - window.y
    hidden = window.x, window.y, frame.width - window.right, frame.height - window.bottom
    _, _, right, below = neighbours
    cut = True, True, not right, not below
    reach = [MAX_BLEED if neighbour else bleed for neighbour in neighbours]
    clip = tuple(beyond * is_cut - part for beyond, part, is_cut in zip(reach, hidden, cut, strict=True))
    placed = Placed(frame, x, y, turn=0, clip=clip)  # type: ignore[arg-type]
    bleed = bleed if plan.count == 1 else MAX_BLEED
    trim = Rect(plan.left, plan.top, window.width, window.height)
    at_x, at_y = [trim.x, *([] if right else [trim.right])], [trim.y, *([] if below else [trim.bottom])]
    spans = [(trim.x, trim.right)], [(trim.y, trim.bottom)]
    lines = marks(at_x, at_y, *spans, bleed, plan.printable, plan.page) if bleed or plan.count > 1 else ()
    strips = (shape for strip in _strips(tile, plan) for shape in hatched(strip._replace(x=strip.x + x, y=strip.y + y)))
    notes = tuple(_notes(frame, tile, plan, letters)) if plan.count > 1 else ()
    size = plan.page.width, plan.page.height
    return Page(*size, (placed,), (*lines, *strips), notes, f"tile {tile.name}", cut=True, trim=trim)


def _strips(tile: Tile, plan: TilePlan) -> Iterator[Rect]:
    """The strips of the poster that other tiles will cover: the full-height right one, and the lower one beside it."""
    window, overlap = tile.window, plan.overlap
    _, _, right, below = plan.neighbours(tile)
    if right:
        yield Rect(window.right - overlap, window.y, overlap, window.height)
    if below:
        yield Rect(window.x, window.bottom - overlap, window.width - overlap * right, overlap)


def _notes(frame: Frame, tile: Tile, plan: TilePlan, letters: int) -> Iterator[Placed]:
    """The name of the tile and what to do with it, and in each strip the name of the tile that will cover it."""
    note = label(*wrap(_note(frame.name, tile.name, f"{plan.rows} × {plan.columns}"), letters))
    edge = plan.printable
    if plan.beside:
        yield Placed(note, edge.right + NOTE_GAP, edge.y, 90)
    else:
        yield Placed(note, edge.x, edge.bottom + NOTE_GAP)
    _, _, right, below = plan.neighbours(tile)
    if plan.overlap < LABEL_HEIGHT + 1:
        return
    middle = (plan.overlap - LABEL_HEIGHT) / 2
    if right:
        name = label(f"glue {tile_name(tile.row, tile.column + 1)} here")
        x = plan.left + plan.width - plan.overlap + middle
        yield Placed(name, x, plan.top + (plan.height - name.width) / 2, 90)
    if below:
        name = label(f"glue {tile_name(tile.row + 1, tile.column)} here")
        y = plan.top + plan.height - plan.overlap + middle
        yield Placed(name, plan.left + (plan.width - name.width) / 2, y)
