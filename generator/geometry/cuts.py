"""The shapes to which cards and tiles are cut, other than rectangles."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import TypeAlias

from msgspec import Struct

from .outlines import Path, ellipse, rounded_rect

Point: TypeAlias = tuple[float, float]


class Cut(Struct, frozen=True):
    """The shape of a cut: `round`, `rounded` with a `radius`, `hex` (flat-topped) or `pointed-hex`. It fills the trim
    of its card, as wide and as high as that."""

    shape: str
    radius: float = 0.0

    @property
    def is_hex(self) -> bool:
        return self.shape in ("hex", "pointed-hex")

    def turned(self, turn: float) -> Cut:
        """The shape of a card that is turned by quarter turns."""
        if turn % 180 and self.is_hex:
            return Cut("hex" if self.shape == "pointed-hex" else "pointed-hex")
        return self

    def path(self, x: float, y: float, width: float, height: float, grown: float = 0.0) -> Path:
        """The outline of a card with its trim at this box, or `grown` by its bleed."""
        if self.is_hex:
            return grown_polygon(self.corners(x, y, width, height), (grown,) * 6)
        box = x - grown, y - grown, width + 2 * grown, height + 2 * grown
        return ellipse(*box) if self.shape == "round" else rounded_rect(*box, (self.radius + grown,) * 4)

    def corners(self, x: float, y: float, width: float, height: float) -> list[Point]:
        """The corners of a hexagon, clockwise, from the left corner or the upper one."""
        w, h = width / 4, height / 4
        steps = (
            ((0, 2), (1, 0), (3, 0), (4, 2), (3, 4), (1, 4))
            if self.shape == "hex"
            else ((2, 0), (4, 1), (4, 3), (2, 4), (0, 3), (0, 1))
        )
        return [(x + across * w, y + down * h) for across, down in steps]

    def beyond(self, points: Sequence[Point], width: float, height: float, safe: float) -> float:
        """By how many mm points of a card are outside the area that is `safe` mm inside its outline; negative if all
        of them are inside."""
        if self.is_hex:
            edges = _edges(self.corners(0.0, 0.0, width, height))
            return safe + max(nx * x + ny * y - away for x, y in points for nx, ny, away in edges)
        a, b = width / 2, height / 2
        if self.shape == "round":
            short = max(1e-9, 1 - safe / min(a, b))
            return max(hypot((x - a) / a, (y - b) / b) - short for x, y in points) * min(a, b)
        radius = min(max(self.radius - safe, 0.0), a, b)
        inner = a - safe - radius, b - safe - radius
        return max(_outside(abs(x - a) - inner[0], abs(y - b) - inner[1]) - radius for x, y in points)


def _outside(x: float, y: float) -> float:
    """The distance from a corner at the origin of a box that extends to the left and up; negative inside."""
    return hypot(max(x, 0.0), max(y, 0.0)) + min(max(x, y), 0.0)


def _edges(corners: Sequence[Point]) -> list[tuple[float, float, float]]:
    """The outward normal of each edge of a clockwise polygon, and the distance of the edge from the origin."""
    edges = []
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        length = hypot(x2 - x1, y2 - y1)
        nx, ny = (y2 - y1) / length, -(x2 - x1) / length
        edges.append((nx, ny, nx * x1 + ny * y1))
    return edges


def grown_polygon(corners: Sequence[Point], distances: Sequence[float]) -> Path:
    """A convex polygon with each edge moved outwards by a distance of its own."""
    edges = [(nx, ny, away + more) for (nx, ny, away), more in zip(_edges(corners), distances, strict=True)]
    points = []
    for (a, b, c), (d, e, f) in zip([edges[-1], *edges[:-1]], edges, strict=True):
        area = a * e - b * d
        points.append(((c * e - b * f) / area, (a * f - c * d) / area))
    return ("M", *points[0]), *(("L", *point) for point in points[1:]), ("Z",)
