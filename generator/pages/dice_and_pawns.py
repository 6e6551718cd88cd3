"""The nets of cubes, such as dice, and of pawns."""

from __future__ import annotations

from collections.abc import Sequence
from math import asin, cos, degrees, dist, hypot, pi, radians, sin, tan

from ..geometry import polygons
from ..geometry.frame import Frame
from ..geometry.polygons import Point, Polygon, sides
from ..limits import max_shoulder
from .nets import (
    Fold,
    Join,
    Net,
    Panel,
    draw_net,
    poses,
)
from .tuck_box import FLANK

Side = tuple[str, Point, Point]
"""A panel's name and the end points of one of its sides."""

_CELLS = {"1": (1, 1), "2": (2, 1), "3": (1, 0), "4": (1, 2), "5": (0, 1), "6": (3, 1)}
"""Column and row of each face. When folded, 1 and 6, 2 and 5, 3 and 4 are opposite; seen from outside, 1, 2 and 3 run
counterclockwise around their common corner (a right-handed die)."""
_HINGES = (("1", "2"), ("1", "3"), ("1", "4"), ("1", "5"), ("2", "6"))
MIN_TOP = 1.0
"""The minimum width of a tab at its outer edge, in mm."""


def tab_for(size: float) -> float:
    """The default depth of a glue tab: three tenths of the edge, and 4 to 8 mm if the size allows it."""
    return min(max(4.0, 0.3 * size), 8.0, 0.4 * size)


def cube_net(size: float, faces: Sequence[Frame], tab: float | None = None, name: str = "cube") -> Net:
    """The net of a cube of edge `size` mm. `faces` are six square frames of that size for the numbers 1 to 6: opposite
    numbers add up to 7, and the cube is right-handed (1, 2, 3 counterclockwise around their corner). The four faces of
    the strip (5, 1, 2, 6) are upright when 3 is on top.

    Tabs are `tab` mm deep (default: `tab_for(size)`) with edges at 45 degrees, so that two tabs on one face meet along
    its diagonal. Raises ValueError for a tab too deep for the size, or faces of the wrong size or number."""
    depth = tab_for(size) if tab is None else tab
    if len(faces) != 6:
        raise ValueError(f"a cube has 6 faces, not {len(faces)}")
    if not 0 < depth <= (size - MIN_TOP) / 2:
        raise ValueError(f"a tab of {depth:g} mm on a cube of {size:g} mm: at most {(size - MIN_TOP) / 2:g} mm")
    squares = [Panel(face, _square(column, row, size)) for face, (column, row) in _CELLS.items()]
    hinges = [_hinge(parent, child, squares) for parent, child in _HINGES]
    tabs, folds, joins = _tabs(squares, hinges, depth)
    art = {str(number): (face, 0) for number, face in enumerate(faces, start=1)}
    return draw_net(name, [*squares, *tabs], [*hinges, *folds], joins, art)


def _square(column: int, row: int, size: float) -> Polygon:
    """A square of the net; neighbours have identical corners."""
    left, top, right, bottom = column * size, row * size, (column + 1) * size, (row + 1) * size
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _hinge(parent: str, child: str, squares: Sequence[Panel]) -> Fold:
    """The fold along the common side of two neighbouring squares."""
    first, second = (next(square.outline for square in squares if square.name == name) for name in (parent, child))
    backwards = {(end, start) for start, end in sides(second)}
    start, end = next(side for side in sides(first) if side in backwards)
    return Fold(parent, child, start, end)


def _tabs(squares: Sequence[Panel], hinges: Sequence[Fold], depth: float) -> tuple[list[Panel], list[Fold], list[Join]]:
    """A tab on every second side along the rim of the net, and the panel that each is glued to.

    The sides of the rim pair up like brackets: an even number of others is between two sides that meet, so taking every
    second side takes one of each pair. Of the two ways to do so, the one that needs less paper is chosen."""
    rim = _rim(squares)
    choices = [rim[first::2] for first in (0, 1)]
    best = min(choices, key=lambda choice: _paper(squares, [_tab(start, end, depth) for _, start, end in choice]))
    partners = _partners(squares, hinges, rim)
    panels = [Panel(f"tab {number}", _tab(start, end, depth)) for number, (_, start, end) in enumerate(best, start=1)]
    folds = [Fold(owner, panel.name, start, end) for panel, (owner, start, end) in zip(panels, best, strict=True)]
    joins = [Join(panel.name, partners[side]) for panel, side in zip(panels, best, strict=True)]
    return panels, folds, joins


def _rim(squares: Sequence[Panel]) -> list[Side]:
    """The sides that belong to one square only, in order around the net."""
    all_sides = [(square.name, start, end) for square in squares for start, end in sides(square.outline)]
    shared = {(end, start) for _, start, end in all_sides}
    rest = {start: (name, start, end) for name, start, end in all_sides if (start, end) not in shared}
    rim = [next(iter(rest.values()))]
    while rim[-1][2] != rim[0][1]:
        rim.append(rest[rim[-1][2]])
    return rim


def _tab(start: Point, end: Point, depth: float) -> Polygon:
    """A tab on a side of a panel; at each end its outer edge is shorter by its depth."""
    (x1, y1), (x2, y2) = start, end
    dx, dy = (x2 - x1) / hypot(x2 - x1, y2 - y1) * depth, (y2 - y1) / hypot(x2 - x1, y2 - y1) * depth
    return start, (x1 + dx + dy, y1 + dy - dx), (x2 - dx + dy, y2 - dy - dx), end


def _paper(squares: Sequence[Panel], tabs: Sequence[Polygon]) -> float:
    """The area of the box around a net, in mm²."""
    points = [point for outline in (*(square.outline for square in squares), *tabs) for point in outline]
    left, top, right, bottom = polygons.bounds(tuple(points))
    return (right - left) * (bottom - top)


def _partners(squares: Sequence[Panel], hinges: Sequence[Fold], rim: Sequence[Side]) -> dict[Side, str]:
    """Each side of the rim → the panel that it meets when the squares are folded."""
    pose_of = poses(squares, hinges)
    middles = {(name, start, end): pose_of[name].point(*polygons.between(start, end, 0.5)) for name, start, end in rim}
    return {
        side: min((other for other in rim if other != side), key=lambda other: dist(middles[other], spot))[0]
        for side, spot in middles.items()
    }


# ---- pawns: two faces that lean against each other above a floor


_ARC_PIECES = 12
"""The straight pieces of a round shoulder; one with a radius of 10 mm strays from the circle by 0.02 mm."""


def pawn_net(
    front: Frame, back: Frame, base: float, tab: float | None = None, name: str = "pawn", shoulder: float = 0.0
) -> Net:
    """The net of a pawn that stands like a tent: `front` and `back` (of one size) share their upper edge, a floor
    `base` mm deep joins their lower edges, and a tab `tab` mm deep (default: up to 8 mm) is glued to the floor. Their
    upper corners have the radius `shoulder`, in mm.

    Raises ValueError for faces of different sizes, a floor that is too deep or too narrow for them, or a radius of
    more than `max_shoulder`."""
    width, height = front.width, front.height
    depth = min(8.0, 0.8 * base, 0.4 * width) if tab is None else tab
    inset = depth / tan(radians(FLANK))
    if max(abs(back.width - width), abs(back.height - height)) > 0.01:
        raise ValueError(f"{front.name} and {back.name} must have the same size")
    if not 0 < base < 1.5 * height:
        raise ValueError(f"a floor of {base:g} mm does not suit a pawn {height:g} mm high")
    if not 0 < depth <= base or 2 * inset >= width:
        raise ValueError(f"a tab of {depth:g} mm does not fit on a floor of {width:g} × {base:g} mm")
    if shoulder and not 0 < shoulder <= max_shoulder(width, height):
        raise ValueError(f"shoulders of {shoulder:g} mm do not suit a pawn of {width:g} × {height:g} mm")
    lean = degrees(asin(base / 2 / height))
    top = -height - depth
    left, right = _shoulder(shoulder), tuple((width - x, y) for x, y in reversed(_shoulder(shoulder)))
    below = tuple((x, -y) for x, y in (*left, *right))[::-1]
    panels = [
        Panel("front", (*left, *right, (width, height), (0, height))),
        Panel("back", ((0, -height), (width, -height), *below)),
        Panel("floor", polygons.box(0, height, width, base)),
        Panel("tab", ((0, -height), (inset, top), (width - inset, top), (width, -height))),
    ]
    folds = [
        Fold("front", "back", (shoulder, 0), (width - shoulder, 0), 180 - 2 * lean),
        Fold("front", "floor", (0, height), (width, height), 90 + lean),
        Fold("back", "tab", (0, -height), (width, -height), 90 + lean),
    ]
    return draw_net(name, panels, folds, [Join("tab", "floor")], {"front": (front, 0), "back": (back, 180)})


def _shoulder(radius: float) -> tuple[Point, ...]:
    """The points of a round upper left corner, clockwise."""
    if not radius:
        return ((0.0, 0.0),)
    turns = [pi / 2 * number / _ARC_PIECES for number in range(1, _ARC_PIECES)]
    arc = ((radius * (1 - cos(turn)), radius * (1 - sin(turn))) for turn in turns)
    return ((0.0, radius), *arc, (radius, 0.0))
