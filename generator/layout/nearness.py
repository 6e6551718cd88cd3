"""How near drawn lines come to a box: paths as straight segments, and their distance from a rectangle."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import NamedTuple

from .outlines import Path
from .rect import Rect

_PIECES = 8
"""Straight pieces a Bézier curve is taken for; a circle of 10 mm strays from it by 0.03 mm."""


class Line(NamedTuple):
    """A straight segment of a path."""

    x1: float
    y1: float
    x2: float
    y2: float

    @property
    def box(self) -> Rect:
        x, y = min(self.x1, self.x2), min(self.y1, self.y2)
        return Rect(x, y, max(self.x1, self.x2) - x, max(self.y1, self.y2) - y)


def lines(path: Path) -> Iterator[Line]:
    """The straight segments of a path, curves cut into pieces."""
    start = here = (0.0, 0.0)
    for name, *numbers in path:
        points = [float(number) for number in numbers]
        if name == "M":
            start = here = points[0], points[1]
        elif name == "Z":
            if here != start:
                yield Line(*here, *start)
            here = start
        else:
            for there in [(points[0], points[1])] if name == "L" else _curve(here, points):
                yield Line(*here, *there)
                here = there


def _curve(start: tuple[float, float], numbers: list[float]) -> Iterator[tuple[float, float]]:
    points = [start, *zip(numbers[::2], numbers[1::2], strict=True)]
    for piece in range(1, _PIECES + 1):
        t = piece / _PIECES
        shares = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3)
        yield (sum(share * x for share, (x, _) in zip(shares, points, strict=True)),
               sum(share * y for share, (_, y) in zip(shares, points, strict=True)))


def within(line: Line, box: Rect) -> Line | None:
    """The part of a line that lies in a box, or None (Liang and Barsky)."""
    dx, dy = line.x2 - line.x1, line.y2 - line.y1
    first, last = 0.0, 1.0
    for step, room in ((-dx, line.x1 - box.x), (dx, box.right - line.x1),
                       (-dy, line.y1 - box.y), (dy, box.bottom - line.y1)):
        if step == 0:
            if room < 0:
                return None
        elif step < 0:
            first = max(first, room / step)
        else:
            last = min(last, room / step)
    if first > last:
        return None
    return Line(line.x1 + first * dx, line.y1 + first * dy, line.x1 + last * dx, line.y1 + last * dy)


def distance(line: Line, box: Rect) -> float:
    """How far a line stays from a box; 0 where it enters it."""
    if within(line, box):
        return 0.0
    corners = ((box.x, box.y), (box.right, box.y), (box.x, box.bottom), (box.right, box.bottom))
    return min(*(_to_box(x, y, box) for x, y in (line[:2], line[2:])), *(_to_line(x, y, line) for x, y in corners))


def off_circle(line: Line, box: Rect) -> float:
    """How far a line stays outside the circle in a square box; below 0 where it enters it."""
    return _to_line(box.x + box.width / 2, box.y + box.height / 2, line) - box.width / 2


def apart(one: Rect, other: Rect) -> float:
    """How far two boxes are from each other; 0 where they meet."""
    return hypot(max(0.0, other.x - one.right, one.x - other.right),
                 max(0.0, other.y - one.bottom, one.y - other.bottom))


def _to_box(x: float, y: float, box: Rect) -> float:
    return apart(Rect(x, y, 0.0, 0.0), box)


def _to_line(x: float, y: float, line: Line) -> float:
    dx, dy = line.x2 - line.x1, line.y2 - line.y1
    length = dx * dx + dy * dy
    t = min(1.0, max(0.0, ((x - line.x1) * dx + (y - line.y1) * dy) / length)) if length else 0.0
    return hypot(line.x1 + t * dx - x, line.y1 + t * dy - y)


def holds_point(path: Path, x: float, y: float) -> bool:
    """Whether a filled path covers a point (by the even-odd rule)."""
    inside = False
    for x1, y1, x2, y2 in lines(_closed(path)):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
    return inside


def _closed(path: Path) -> Path:
    """The path as filling takes it: every stretch of it closed."""
    parted = ((("Z",), segment) if segment[0] == "M" else (segment,) for segment in path)
    return *(segment for part in parted for segment in part), ("Z",)


def covered(low: float, high: float, stretches: list[tuple[float, float]], slack: float) -> bool:
    """Whether stretches of a line leave no gap wider than `slack` between `low` and `high`."""
    reached = low
    for start, end in sorted(stretches):
        if start > reached + slack:
            break
        reached = max(reached, end)
    return reached >= high - slack
