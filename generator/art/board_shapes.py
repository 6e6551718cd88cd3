"""Positions and outlines of the spaces of a board, and the edges between them. Millimetres, y down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import dist, hypot, radians, sqrt

from msgspec import Struct

from ..geometry import outlines, polygons
from ..geometry.outlines import Path
from ..geometry.polygons import (
    Curve,
    Point,
    Polygon,
    between,
    bounds,
    distance_to_line,
    share_along,
    sides,
)


class Spot(Struct, frozen=True):
    """A position on a ring or track: the point, its distance along the line (mm), and the direction of the line there
    (degrees clockwise from the right)."""

    x: float
    y: float
    along: float
    heading: float


def ring(centre: Point, radius: float, n: int, start: float = 0.0, *, clockwise: bool = True) -> tuple[Spot, ...]:
    """`n` spots at equal distances on a circle, the first `start` degrees clockwise from the top."""
    way = 1 if clockwise else -1
    angles = [start + way * 360 * i / n for i in range(n)]
    return tuple(
        Spot(
            *polygons.on_circle(centre, radius, angle),
            radians(abs(angle - start)) * radius,
            (angle if clockwise else angle + 180) % 360,
        )
        for angle in angles
    )


def line_of(points: Sequence[Point], *, smooth: bool = False, closed: bool = False) -> Curve:
    """The line of a track. Raises ValueError without two different points."""
    if smooth:
        return polygons.smooth(points, closed=closed)
    return polygons.curve([*points, points[0]] if closed else points)


def track(points: Sequence[Point], n: int, *, smooth: bool = False, closed: bool = False) -> tuple[Spot, ...]:
    """`n` spots at equal distances along a line through `points`: from its first point to its last (a single spot in
    the middle), or all the way round if it is closed. Distances are measured along the line."""
    line = line_of(points, smooth=smooth, closed=closed)
    parts = [i / n for i in range(n)] if closed else [i / (n - 1) for i in range(n)] if n > 1 else [0.5]
    return tuple(_spot(line, part * line.length, closed=closed) for part in parts)


def _spot(line: Curve, along: float, *, closed: bool) -> Spot:
    near = min(0.5, line.length / 4)
    before = line.at((along - near) % line.length if closed else along - near)
    after = line.at((along + near) % line.length if closed else along + near)
    return Spot(*line.at(along), along, polygons.heading(before, after))


# ---- outlines of spaces


class Outline(Struct, frozen=True):
    """A circle of `radius` around (x, y), or, if there are corners, a convex polygon inside that circle."""

    x: float
    y: float
    radius: float
    corners: Polygon = ()

    @property
    def middle(self) -> Point:
        return self.x, self.y

    @property
    def path(self) -> Path:
        if not self.corners:
            return outlines.ellipse(self.x - self.radius, self.y - self.radius, 2 * self.radius, 2 * self.radius)
        first, *rest = self.corners
        return ("M", *first), *(("L", *point) for point in rest), ("Z",)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        around = self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius
        return polygons.bounds(self.corners) if self.corners else around

    def distance(self, point: Point) -> float:
        """The distance of a point from the outline; negative inside."""
        if not self.corners:
            return dist(point, self.middle) - self.radius
        outside = max(distance_to_line(point, *side) for side in sides(self.corners))
        return outside if outside <= 0 else min(_distance(point, *side) for side in sides(self.corners))

    def overlap(self, other: Outline) -> float:
        """How deep two outlines overlap; zero or negative if they do not."""
        if dist(self.middle, other.middle) > self.radius + other.radius or not (self.corners or other.corners):
            return self.radius + other.radius - dist(self.middle, other.middle)
        if not self.corners:
            return self.radius - other.distance(self.middle)
        if not other.corners:
            return other.radius - self.distance(other.middle)
        return -max(_gap(self.corners, other.corners), _gap(other.corners, self.corners))


def _distance(point: Point, start: Point, end: Point) -> float:
    return dist(point, between(start, end, min(max(share_along(point, start, end), 0.0), 1.0)))


def _gap(first: Polygon, second: Polygon) -> float:
    """The widest gap between a side of the first polygon and the second polygon; negative if there is none."""
    return max(min(distance_to_line(corner, *side) for corner in second) for side in sides(first))


def outline(shape: str, x: float, y: float, size: float) -> Outline:
    """The outline of a space `size` mm from side to side: `round`, `square`, `diamond` (a square on a corner), `hex`
    (lying on a side) or `pointed-hex` (standing on a corner)."""
    half = size / 2
    if shape == "round":
        return Outline(x, y, half)
    if shape in ("hex", "pointed-hex"):
        wide, side = size / sqrt(3), size / sqrt(3) / 2
        lying = ((-side, -half), (side, -half), (wide, 0.0), (side, half), (-side, half), (-wide, 0.0))
        corners = lying if shape == "hex" else tuple((-dy, dx) for dx, dy in lying)
    elif shape == "square":
        corners = ((-half, -half), (half, -half), (half, half), (-half, half))
    else:
        tip = half * sqrt(2)
        corners = ((0.0, -tip), (tip, 0.0), (0.0, tip), (-tip, 0.0))
    return Outline(x, y, max(hypot(*corner) for corner in corners), polygons.moved(corners, x, y))


# ---- edges

HEAD_LENGTH = 3.2
HEAD_WIDTH = 2.8
MIN_EDGE = 0.8
"""The shortest visible edge between two outlines, in mm."""
_STEP = 0.4
_COARSE = 8.0
_FINE_STEPS = tuple(_STEP * i for i in range(int(_COARSE / _STEP) + 1))


class Drawn(Struct, frozen=True):
    """A line trimmed at both outlines; if it has a `head`, it ends inside the head."""

    line: Curve
    head: tuple[Point, ...] = ()

    @property
    def head_path(self) -> Path:
        if not self.head:
            return ()
        first, *rest = self.head
        return ("M", *first), *(("L", *point) for point in rest), ("Z",)

    def passes(self, outlines: Iterable[tuple[str, Outline]], clearance: float) -> Iterator[tuple[str, float]]:
        """The outlines nearer than `clearance`, each with its distance (negative if the line runs through it)."""
        coarse = [(stop, self.line.at(stop)) for stop in self.line.dense(_COARSE)]
        left, top, right, bottom = bounds((*self.head, *self.line.points))
        for name, outline in outlines:
            reach, (x, y) = outline.radius + clearance, outline.middle
            if not (left - reach < x < right + reach and top - reach < y < bottom + reach):
                continue
            near = [
                self.line.at(stop + step)
                for stop, point in coarse
                if dist(point, (x, y)) < reach + _COARSE
                for step in _FINE_STEPS
            ]
            nearest = min((outline.distance(point) for point in (*self.head, *near)), default=clearance)
            if nearest < clearance:
                yield name, nearest


def trimmed(line: Curve, start: Outline, end: Outline, gap: float, *, one_way: bool) -> Drawn:
    """The part of a line between two outlines, `gap` mm away from both.

    Raises ValueError with the lengths in mm if there is no room for it."""
    stops = list(line.dense(_STEP))
    begin = _exit(line, stops, start, gap)
    finish = _exit(line, stops[::-1], end, gap)
    needed = (HEAD_LENGTH if one_way else 0.0) + MIN_EDGE
    if begin is None or finish is None or finish - begin < needed:
        room = 0.0 if begin is None or finish is None else max(0.0, finish - begin)
        raise ValueError(f"needs {needed:.1f} mm, has {room:.1f} mm")
    if not one_way:
        return Drawn(line.part(begin, finish))
    return Drawn(line.part(begin, finish - HEAD_LENGTH / 2), _head(line.at(finish - HEAD_LENGTH), line.at(finish)))


def _exit(line: Curve, stops: list[float], outline: Outline, gap: float) -> float | None:
    """The distance along a line, in the order of `stops`, at which it leaves the outline that it starts in."""
    inside = stops[0]
    for stop in stops:
        if outline.distance(line.at(stop)) > gap:
            break
        inside = stop
    else:
        return None
    outside = stop
    for _ in range(30):
        middle = (inside + outside) / 2
        if outline.distance(line.at(middle)) > gap:
            outside = middle
        else:
            inside = middle
    return outside


def _head(foot: Point, tip: Point) -> tuple[Point, ...]:
    """An arrowhead from the middle of its base to its tip."""
    length = dist(foot, tip)
    x, y = (tip[0] - foot[0]) / length * HEAD_WIDTH / 2, (tip[1] - foot[1]) / length * HEAD_WIDTH / 2
    return tip, (foot[0] - y, foot[1] + x), (foot[0] + y, foot[1] - x)
