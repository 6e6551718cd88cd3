"""What is printed on a poster's tiles besides the poster: lines to cut along, hatched strips, crosses, names, a map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from . import outlines
from .frame import Frame, Item, Run, Shape
from .marks import GAP, LINE, LONGEST, SHORTEST
from .outlines import Segment
from .polygons import box, clipped
from .rect import Rect

LABEL_HEIGHT = 3.0
MOST_BLEED = 2.0
"""How far a poster's bleed runs over its outer edges."""
CLEAR = MOST_BLEED + GAP + LONGEST + 1.0
"""From a tile to the page map: the crop marks lie between."""
_INK = "#000000"
_QUIET = "#8c8c8c"
_PAPER = "#ffffff"
_TEXT = 2.2
_LETTER = 0.56
"""Width of a letter on average, as a multiple of the type size, on the wide side."""
_HATCH = 5.0
_BEYOND = 3.0
"""How far a cut line runs on past the corners of its tile."""


def label(text: str) -> Frame:
    """A line of text on white, so that it can be read on any picture."""
    width = 2 + len(text) * _LETTER * _TEXT
    plate = Shape(outlines.rounded_rect(0, 0, width, LABEL_HEIGHT, (0.6,) * 4), _PAPER)
    return Frame(text, width, LABEL_HEIGHT, (plate, Run(1, 2.25, text, "regular", _TEXT, _INK, 0)))


def cross(x: float, y: float, overlap: float) -> tuple[Shape, Shape]:
    """A registration cross: a hairline edged in white, to be seen on any picture and hardly missed on none."""
    arm = min(2.0, overlap * 0.4)
    path = (*outlines.line(x - arm, y, x + arm, y), *outlines.line(x, y - arm, x, y + arm))
    return Shape(path, stroke=_PAPER, stroke_width=0.3), Shape(path, stroke=_INK, stroke_width=0.1)


def hatched(strip: Rect) -> tuple[Shape, ...]:
    """A strip another tile will cover: hatched, and dashed along the line where that tile ends."""
    corners, height = box(strip.x, strip.y, strip.width, strip.height), strip.height
    path: list[Segment] = []
    for i in range(int((strip.width + height) / _HATCH) + 1):
        x = strip.x - height + (i + 0.5) * _HATCH
        found = clipped((x, strip.bottom), (x + height, strip.y), corners)
        path += outlines.line(*found[0], *found[1]) if found else ()
    upright = strip.height > strip.width
    seam = outlines.line(strip.x, strip.y, strip.x if upright else strip.right, strip.bottom if upright else strip.y)
    return (Shape(tuple(path), stroke=_QUIET, stroke_width=0.15), Shape(seam, stroke=_PAPER, stroke_width=LINE),
            Shape(seam, stroke=_INK, stroke_width=LINE, dash=(2.0, 1.5)))


def edges(shown: Rect, beyond: Sequence[bool], bleed: float, page: Rect) -> tuple[Shape, ...]:
    """Lines along the edges to cut that lie over another tile (the left and the upper one), and crop marks in line with
    the poster's own edges. `beyond` says beyond which edges (left, upper, right, lower) another tile lies."""
    left, above, right, below = beyond
    path: list[Segment] = []
    if left:
        path += outlines.line(shown.x, shown.y - _BEYOND, shown.x, shown.bottom + _BEYOND)
    if above:
        path += outlines.line(shown.x - _BEYOND, shown.y, shown.right + _BEYOND, shown.y)
    block = shown.inset(*[-bleed - GAP] * 4)
    for there, x in (left, shown.x), (right, shown.right):
        if not there:
            path += _marks(x, block.y, page.y, upright=True)
            path += _marks(x, block.bottom, page.bottom, upright=True)
    for there, y in (above, shown.y), (below, shown.bottom):
        if not there:
            path += _marks(y, block.x, page.x, upright=False)
            path += _marks(y, block.right, page.right, upright=False)
    return (Shape(tuple(path), stroke=_INK, stroke_width=LINE),) if path else ()


def _marks(at: float, start: float, limit: float, *, upright: bool) -> Iterator[Segment]:
    """A crop mark from `start` towards `limit`; none where it could not be seen."""
    length = min(LONGEST, abs(limit - start))
    end = start + length if limit > start else start - length
    if length >= SHORTEST:
        yield from outlines.line(at, start, at, end) if upright else outlines.line(start, at, end, at)


_STEPS = ("Cut each tile along its solid lines.", "Lay them in order, A1 first: each",
          "covers the hatched strips of those", "before it. Glue, cross upon cross.")
_MAP = 40.0, 44.0
_MAP_WIDTH = 44.0
"""Room for the longest line of the text."""
_LEADING = 3.2


def page_map(tiles: Sequence[tuple[str, Rect]], overlap: float) -> Frame:
    """A small picture of how the tiles lie together, each as much as is seen of it, with what to do."""
    width, height = max(area.right for _, area in tiles), max(area.bottom for _, area in tiles)
    scale = min(_MAP[0] / width, _MAP[1] / height)
    top = _LEADING + 1.5
    found: list[Item] = [_line(f"{len(tiles)} tiles, overlap {overlap:g} mm", _LEADING - 0.8)]
    for tile, area in tiles:
        x, y = area.x * scale, top + area.y * scale
        across = (area.width - overlap * (area.right < width - overlap / 2)) * scale
        down = (area.height - overlap * (area.bottom < height - overlap / 2)) * scale
        found.append(Shape(outlines.rect(x, y, across, down), None, _INK, 0.2))
        size = min(3.2, 0.4 * min(across, down))
        found.append(Run(x + (across - len(tile) * _LETTER * size) / 2, y + (down + 0.7 * size) / 2, tile, "regular",
                         size, _INK, 0))
    start = top + height * scale + 1.5
    found += (_line(text, start + number * _LEADING) for number, text in enumerate(_STEPS, start=1))
    return Frame("page map", _MAP_WIDTH, start + (len(_STEPS) + 0.5) * _LEADING, tuple(found))


def _line(text: str, y: float) -> Run:
    return Run(0, y, text, "regular", _TEXT, _INK, 0)
