"""Polygons, as corners in mm, clockwise on paper (y down), and curves as polylines of many short segments, measured
along their length."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from math import atan2, ceil, cos, degrees, dist, fsum, hypot, radians, sin
from typing import TypeAlias

from msgspec import Struct

from .outlines import Path

Point: TypeAlias = tuple[float, float]
Polygon: TypeAlias = tuple[Point, ...]


def box(x: float, y: float, width: float, height: float) -> Polygon:
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def sides(polygon: Polygon) -> Iterator[tuple[Point, Point]]:
    """Every side as its two ends; the last one returns to the first corner."""
    return pairwise((*polygon, polygon[0]))


def middle(polygon: Polygon) -> Point:
    """The mean of the corners."""
    return fsum(x for x, _ in polygon) / len(polygon), fsum(y for _, y in polygon) / len(polygon)


def bounds(polygon: Polygon) -> tuple[float, float, float, float]:
    """Left, top, right, bottom."""
    return (
        min(x for x, _ in polygon),
        min(y for _, y in polygon),
        max(x for x, _ in polygon),
        max(y for _, y in polygon),
    )


def is_inside(polygons: Iterable[Sequence[Point]], point: Point, *, even_odd: bool) -> bool:
    """Whether a point is inside an outline of several polygons, by the even-odd rule or by the nonzero winding number
    (ISO 32000-1, 8.5.3.3)."""
    x, y = point
    winding = 0
    for polygon in polygons:
        x1, y1 = polygon[-1]
        for x2, y2 in polygon:
            if (y1 <= y) != (y2 <= y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
                winding += 1 if y2 > y1 else -1
            x1, y1 = x2, y2
    return bool(winding % 2 if even_odd else winding)


def moved(polygon: Polygon, dx: float, dy: float) -> Polygon:
    return tuple((x + dx, y + dy) for x, y in polygon)


def arc(x: float, y: float, radius: float, start: float, end: float) -> Polygon:
    """Points on a circle between two angles, in degrees clockwise from the right, about 5 degrees apart."""
    count = max(1, round(abs(end - start) / 5))
    angles = (radians(start + (end - start) * i / count) for i in range(count + 1))
    return tuple((x + radius * cos(angle), y + radius * sin(angle)) for angle in angles)


def distance_to_line(point: Point, start: Point, end: Point) -> float:
    """The distance of a point to the left of the line from `start` to `end`; negative inside a polygon with this
    side."""
    (x, y), (x1, y1), (x2, y2) = point, start, end
    return ((y2 - y1) * (x - x1) - (x2 - x1) * (y - y1)) / hypot(x2 - x1, y2 - y1)


def share_along(point: Point, start: Point, end: Point) -> float:
    """The projection of a point on the line from `start` (0) to `end` (1)."""
    (x, y), (x1, y1), (x2, y2) = point, start, end
    return ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2)


def between(start: Point, end: Point, share: float) -> Point:
    """The point at this share of the way."""
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def clipped(start: Point, end: Point, convex: Polygon) -> tuple[Point, Point] | None:
    """The part of a segment inside a convex polygon, or None."""
    low, high = 0.0, 1.0
    for corner, next_corner in sides(convex):
        out, out_end = distance_to_line(start, corner, next_corner), distance_to_line(end, corner, next_corner)
        if out > 0 and out_end > 0:
            return None
        if out > 0:
            low = max(low, out / (out - out_end))
        elif out_end > 0:
            high = min(high, out / (out - out_end))
    return (between(start, end, low), between(start, end, high)) if low < high else None


FINE = 0.01
"""Maximum distance of a simplified curve from the full one."""
_STEPS = 48


class Curve(Struct, frozen=True):
    """A polyline through `points` (two or more, no two neighbours equal), each with its distance from the start."""

    points: tuple[Point, ...]
    lengths: tuple[float, ...]

    @property
    def length(self) -> float:
        return self.lengths[-1]

    def at(self, length: float) -> Point:
        """The point at this distance along the curve, limited to its ends."""
        i = min(max(bisect_right(self.lengths, length) - 1, 0), len(self.points) - 2)
        part = (length - self.lengths[i]) / (self.lengths[i + 1] - self.lengths[i])
        return between(self.points[i], self.points[i + 1], min(max(part, 0.0), 1.0))

    def part(self, start: float, end: float) -> Curve:
        """The part between two distances from the start."""
        inner = self.points[bisect_right(self.lengths, start) : bisect_left(self.lengths, end)]
        return curve([self.at(start), *inner, self.at(end)])

    def dense(self, step: float) -> Iterator[float]:
        """Distances from the start to the end, at most `step` apart."""
        count = max(1, ceil(self.length / step))
        return (self.length * i / count for i in range(count + 1))

    @property
    def path(self) -> Path:
        # Points are left out that are no further than FINE from the curve of the others (Ramer–Douglas–Peucker).
        points = self.points
        indices, pending = {0, len(points) - 1}, [(0, len(points) - 1)]
        while pending:
            low, high = pending.pop()
            inner = range(low + 1, high)
            if not inner:
                continue
            far = max(inner, key=lambda i: _off(points[i], points[low], points[high]))
            if _off(points[far], points[low], points[high]) > FINE:
                indices.add(far)
                pending += [(low, far), (far, high)]
        first, *rest = [points[i] for i in sorted(indices)]
        return ("M", *first), *(("L", *point) for point in rest)


def curve(points: Sequence[Point]) -> Curve:
    """The polyline through these points, without points that repeat the one before. Raises ValueError if fewer than two
    are left."""
    distinct = [points[0], *(point for before, point in pairwise(points) if dist(before, point) > 1e-9)]
    if len(distinct) < 2:
        raise ValueError("a curve needs two different points")
    return Curve(
        tuple(distinct), tuple(accumulate((dist(start, end) for start, end in pairwise(distinct)), initial=0.0))
    )


def smooth(points: Sequence[Point], *, closed: bool = False) -> Curve:
    """A smooth curve through all points (Catmull–Rom spline)."""
    count = len(points)
    if count < 3:
        return curve([*points, points[0]] if closed else points)
    curved: list[Point] = []
    for i in range(count if closed else count - 1):
        before, start, end, after = (_around(points, i + j, closed=closed) for j in (-1, 0, 1, 2))
        first = start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6
        second = end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6
        curved += bezier(start, first, second, end)
    return curve(curved)


def _around(points: Sequence[Point], i: int, *, closed: bool) -> Point:
    """The i-th point; beyond the ends of an open curve, its end."""
    return points[i % len(points)] if closed else points[min(max(i, 0), len(points) - 1)]


def bezier(start: Point, first: Point, second: Point, end: Point, steps: int = _STEPS) -> Iterator[Point]:
    """Points of a cubic Bézier curve, including both ends."""
    for i in range(steps + 1):
        t = i / steps
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        yield (
            a * start[0] + b * first[0] + c * second[0] + d * end[0],
            a * start[1] + b * first[1] + c * second[1] + d * end[1],
        )


def on_circle(centre: Point, radius: float, angle: float) -> Point:
    """The point at an angle in degrees clockwise from the top."""
    return centre[0] + radius * sin(radians(angle)), centre[1] - radius * cos(radians(angle))


def circle_part(centre: Point, radius: float, start: float, end: float) -> Curve:
    """An arc from one angle to another, in degrees clockwise from the top."""
    count = max(2, ceil(abs(end - start)))
    return curve([on_circle(centre, radius, start + (end - start) * i / count) for i in range(count + 1)])


def bent(start: Point, end: Point, bend: float) -> Curve:
    """A curve whose middle is `bend` mm to the right of the straight line, looking from `start` to `end`."""
    length = dist(start, end)
    if not bend or not length:
        return curve([start, end])
    dx, dy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    out = -dy * bend * 4 / 3, dx * bend * 4 / 3
    first, second = between(start, end, 0.25), between(start, end, 0.75)
    return curve(
        list(bezier(start, (first[0] + out[0], first[1] + out[1]), (second[0] + out[0], second[1] + out[1]), end))
    )


def heading(start: Point, end: Point) -> float:
    """The direction from one point to another, in degrees clockwise from the right."""
    return degrees(atan2(end[1] - start[1], end[0] - start[0]))


def _off(point: Point, start: Point, end: Point) -> float:
    """Distance of a point from the segment between two others."""
    if dist(start, end) < 1e-9 or not 0 <= share_along(point, start, end) <= 1:
        return min(dist(point, start), dist(point, end))
    return abs(distance_to_line(point, start, end))
