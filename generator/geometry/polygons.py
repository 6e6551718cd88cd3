"""Polygons, as corners in mm, clockwise on paper (y down)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import cos, fsum, hypot, radians, sin
from typing import TypeAlias

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


def moved(polygon: Polygon, dx: float, dy: float) -> Polygon:
    return tuple((x + dx, y + dy) for x, y in polygon)


def arc(x: float, y: float, radius: float, start: float, end: float, step: float = 5.0) -> Polygon:
    """Points on a circle between two angles, in degrees clockwise from the right, about `step` degrees apart."""
    count = max(1, round(abs(end - start) / step))
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
