"""Rectangles."""

from __future__ import annotations

from typing import NamedTuple

ON_TRIM = 0.01
"""What is nearer to an edge than this lies on it."""


class Rect(NamedTuple):
    """A rectangle of a face or a page: left, top, width and height in mm."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def grown(self, left: float, top: float, right: float, bottom: float) -> Rect:
        return Rect(self.x - left, self.y - top, self.width + left + right, self.height + top + bottom)

    def inset(self, left: float, top: float, right: float, bottom: float) -> Rect:
        return self.grown(-left, -top, -right, -bottom)

    def holds(self, other: Rect) -> bool:
        return (other.x >= self.x - ON_TRIM and other.y >= self.y - ON_TRIM
                and other.right <= self.right + ON_TRIM and other.bottom <= self.bottom + ON_TRIM)

    def common(self, other: Rect) -> Rect:
        x, y = max(self.x, other.x), max(self.y, other.y)
        return Rect(x, y, min(self.right, other.right) - x, min(self.bottom, other.bottom) - y)
