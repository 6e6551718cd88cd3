"""Where the spaces of a board lie: on a ring, along a track, in a grid of squares or hexes. Millimetres, y down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sqrt

from . import curves
from .curves import Curve
from .polygons import Point


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on a ring or track: its point, how far along the line it lies (mm), and which way the line goes there
    (degrees clockwise from the right)."""

    x: float
    y: float
    along: float
    heading: float


def ring(centre: Point, radius: float, n: int, start: float = 0.0, *, clockwise: bool = True) -> tuple[Spot, ...]:
    """`n` spots at equal distances on a circle, the first `start` degrees clockwise from the top."""
    way = 1 if clockwise else -1
    angles = [start + way * 360 * i / n for i in range(n)]
    return tuple(Spot(*curves.on_circle(centre, radius, angle), radians(abs(angle - start)) * radius,
                      (angle if clockwise else angle + 180) % 360) for angle in angles)


def line_of(points: Sequence[Point], *, smooth: bool = False, closed: bool = False) -> Curve:
    """The line of a track; raises ValueError where there are no two different points."""
    if smooth:
        return curves.smooth(points, closed=closed)
    return curves.curve([*points, points[0]] if closed else points)


def track(points: Sequence[Point], n: int, *, smooth: bool = False, closed: bool = False) -> tuple[Spot, ...]:
    """`n` spots at equal distances along a line through `points`: from its first point to its last (a single one in the
    middle), or from the first all the way round. Distances are measured along the line."""
    line = line_of(points, smooth=smooth, closed=closed)
    parts = [i / n for i in range(n)] if closed else [i / (n - 1) for i in range(n)] if n > 1 else [0.5]
    return tuple(_spot(line, part * line.length, closed=closed) for part in parts)


def _spot(line: Curve, along: float, *, closed: bool) -> Spot:
    near = min(0.5, line.length / 4)
    before = line.at((along - near) % line.length if closed else along - near)
    after = line.at((along + near) % line.length if closed else along + near)
    return Spot(*line.at(along), along, curves.heading(before, after))


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a grid: its column and row from 0, and its middle."""

    column: int
    row: int
    x: float
    y: float


def squares(columns: int, rows: int, size: float) -> tuple[Cell, ...]:
    """The squares of a grid row by row, `size` mm wide; the grid's box begins at (0, 0)."""
    return tuple(Cell(column, row, (column + 0.5) * size, (row + 0.5) * size)
                 for row in range(rows) for column in range(columns))


def hexes(columns: int, rows: int, size: float, *, pointy: bool = True) -> tuple[Cell, ...]:
    """The hexes of a grid row by row, `size` mm from side to side; the grid's box begins at (0, 0).

    Hexes that are `pointy` stand on a corner and lie in straight rows, every second row half a hex to the right; others
    lie on a side and stand in straight columns, every second column half a hex lower."""
    corner, step = size / sqrt(3), size * cos(radians(30))
    return tuple(Cell(column, row, *((size * (column + 0.5 + (row % 2) / 2), corner + row * step) if pointy else
                                     (corner + column * step, size * (row + 0.5 + (column % 2) / 2))))
                 for row in range(rows) for column in range(columns))
