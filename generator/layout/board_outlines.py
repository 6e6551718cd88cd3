"""Outlines of spaces: how far a point lies from one, and how deep two of them overlap."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist, hypot, sqrt

from . import outlines, polygons
from .outlines import Path
from .polygons import Point, Polygon, between, distance_to_line, share_along, sides


@dataclass(frozen=True, slots=True)
class Outline:
    """A circle of `radius` about (x, y), or where it has corners a convex polygon that this circle encloses."""

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
        """How far a point lies outside; negative inside."""
        if not self.corners:
            return dist(point, self.middle) - self.radius
        outside = max(distance_to_line(point, *side) for side in sides(self.corners))
        return outside if outside <= 0 else min(_distance(point, *side) for side in sides(self.corners))

    def overlap(self, other: Outline) -> float:
        """How deep two outlines overlap; nothing or less where they do not."""
        if dist(self.middle, other.middle) > self.radius + other.radius or not (self.corners or other.corners):
            return self.radius + other.radius - dist(self.middle, other.middle)
        if not self.corners:
            return self.radius - other.distance(self.middle)
        if not other.corners:
            return other.radius - self.distance(other.middle)
        return -max(_gap(self.corners, other.corners), _gap(other.corners, self.corners))


def _distance(point: Point, start: Point, end: Point) -> float:
    return dist(point, between(start, end, min(max(share_along(point, start, end), 0.0), 1.0)))


def _gap(one: Polygon, two: Polygon) -> float:
    """The widest gap between two polygons that a side of the first looks upon; below nothing where there is none."""
    return max(min(distance_to_line(corner, *side) for corner in two) for side in sides(one))


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
