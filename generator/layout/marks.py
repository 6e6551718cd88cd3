"""What guides the knife and the fold: crop marks in line with the trims, the dashed fold line of a gutterfold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .frame import Shape
from .rect import Rect

LINE = 0.25 * 25.4 / 72
"""Width of a mark: a quarter of a point."""
GAP = 2.0
"""A mark stays this far off the bleed."""
LONGEST = 6.0
SHORTEST = 1.0
"""A side with less room than this for its marks gets none: they could not be seen."""
_INK = "#000000"


def crop_marks(trims: Iterable[Rect], block: Rect, bleed: float, limits: Rect) -> tuple[Shape, ...]:
    """Marks outside `block`, in line with every edge of `trims`, on all four sides that have the room.

    Marks begin 2 mm off the bleed and are shortened to stay inside `limits`: the paper's edge, or a fold. They may
    run into the strip that some printers do not reach, as every printer leaves out another one."""
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


def cut_line(x1: float, y1: float, x2: float, y2: float) -> Shape:
    """A line to cut along, or a piece of one."""
    return Shape((("M", x1, y1), ("L", x2, y2)), stroke=_INK, stroke_width=LINE)


def fold_line(x1: float, y1: float, x2: float, y2: float) -> Shape:
    """A dashed line to fold along."""
    return Shape((("M", x1, y1), ("L", x2, y2)), stroke=_INK, stroke_width=LINE, dash=(3.0, 2.0))


def _edges(found: Iterable[float]) -> list[float]:
    """Each position once: cards without a gutter share their trim edge."""
    return sorted({round(edge, 4) for edge in found})


def _side(start: float, limit: float, direction: int) -> Iterator[tuple[float, float]]:
    """Where the marks of one side begin and end; nothing where there is no room for them."""
    length = min(LONGEST, (limit - start) * direction)
    if length >= SHORTEST:
        yield start, start + length * direction


def _lines(ends: Iterable[tuple[float, float, float, float]]) -> Iterator[tuple[str | float, ...]]:
    for x1, y1, x2, y2 in ends:
        yield "M", x1, y1
        yield "L", x2, y2
