"""Rectangles, and outlines as path segments: straight lines and cubic Béziers, in mm."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, radians, sin, sqrt
from typing import NamedTuple, TypeAlias

ON_TRIM = 0.01
"""Anything nearer to an edge than this is on it."""


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

    @property
    def edges(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        return self.x, self.y, self.right, self.bottom

    def grown(self, left: float, top: float, right: float, bottom: float) -> Rect:
        return Rect(self.x - left, self.y - top, self.width + left + right, self.height + top + bottom)

    def inset(self, left: float, top: float, right: float, bottom: float) -> Rect:
        return self.grown(-left, -top, -right, -bottom)

    def holds(self, other: Rect) -> bool:
        return (
            other.x >= self.x - ON_TRIM
            and other.y >= self.y - ON_TRIM
            and other.right <= self.right + ON_TRIM
            and other.bottom <= self.bottom + ON_TRIM
        )

    def common(self, other: Rect) -> Rect:
        x, y = max(self.x, other.x), max(self.y, other.y)
        return Rect(x, y, min(self.right, other.right) - x, min(self.bottom, other.bottom) - y)


Segment: TypeAlias = tuple[str | float, ...]
Path: TypeAlias = tuple[Segment, ...]
Matrix: TypeAlias = tuple[float, float, float, float, float, float]
"""(a, b, c, d, e, f) as in SVG: x' = a·x + c·y + e, y' = b·x + d·y + f."""
Corners: TypeAlias = tuple[float, float, float, float]
"""Radii of the top left, top right, bottom right and bottom left corner."""

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_CURVE = 0.5522847498
"""Distance of the control points of a cubic Bézier quarter circle from its ends, for a radius of 1: 4/3 (√2 − 1)."""


def line(x1: float, y1: float, x2: float, y2: float) -> Path:
    return ("M", x1, y1), ("L", x2, y2)


def rect(x: float, y: float, width: float, height: float) -> Path:
    return ("M", x, y), ("L", x + width, y), ("L", x + width, y + height), ("L", x, y + height), ("Z",)


def elliptic_rect(x: float, y: float, width: float, height: float, rx: float, ry: float) -> Path:
    """A box whose corners are quarters of an ellipse."""
    right, bottom = x + width, y + height
    return (
        ("M", x + rx, y),
        ("L", right - rx, y),
        *_corner(right - rx, y, right, y + ry, across=True),
        ("L", right, bottom - ry),
        *_corner(right, bottom - ry, right - rx, bottom, across=False),
        ("L", x + rx, bottom),
        *_corner(x + rx, bottom, x, bottom - ry, across=True),
        ("L", x, y + ry),
        *_corner(x, y + ry, x + rx, y, across=False),
        ("Z",),
    )


def rounded_rect(x: float, y: float, width: float, height: float, radii: Corners) -> Path:
    """A box with a radius for each corner, limited to half its shorter side."""
    max_radius = min(width, height) / 2
    a, b, c, d = (max(0.0, min(radius, max_radius)) for radius in radii)
    if not (a or b or c or d):
        return rect(x, y, width, height)
    right, bottom = x + width, y + height
    path: list[Segment] = [("M", x + a, y), ("L", right - b, y)]
    path += _corner(right - b, y, right, y + b, across=True) if b else ()
    path.append(("L", right, bottom - c))
    path += _corner(right, bottom - c, right - c, bottom, across=False) if c else ()
    path.append(("L", x + d, bottom))
    path += _corner(x + d, bottom, x, bottom - d, across=True) if d else ()
    path.append(("L", x, y + a))
    path += _corner(x, y + a, x + a, y, across=False) if a else ()
    return *path, ("Z",)


def _corner(x1: float, y1: float, x2: float, y2: float, *, across: bool) -> Iterator[Segment]:
    """A quarter of an ellipse between two points, which starts horizontally (`across`) or vertically."""
    dx, dy = (x2 - x1) * _CURVE, (y2 - y1) * _CURVE
    if across:
        yield "C", x1 + dx, y1, x2, y2 - dy, x2, y2
    else:
        yield "C", x1, y1 + dy, x2 - dx, y2, x2, y2


def ellipse(x: float, y: float, width: float, height: float) -> Path:
    """The ellipse that fills a box."""
    middle, centre, right, bottom = x + width / 2, y + height / 2, x + width, y + height
    return (
        ("M", middle, y),
        *_corner(middle, y, right, centre, across=True),
        *_corner(right, centre, middle, bottom, across=False),
        *_corner(middle, bottom, x, centre, across=True),
        *_corner(x, centre, middle, y, across=False),
        ("Z",),
    )


def transformed(path: Path, matrix: Matrix) -> Path:
    """The path with every point transformed by `matrix`."""
    if matrix == IDENTITY:
        return path
    a, b, c, d, e, f = matrix
    return tuple(
        (name, *(number for x, y in _points(numbers) for number in (a * x + c * y + e, b * x + d * y + f)))
        for name, *numbers in path
    )


def _points(numbers: list[str | float]) -> Iterator[tuple[float, float]]:
    for i in range(0, len(numbers), 2):
        yield float(numbers[i]), float(numbers[i + 1])


def moved(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """A point transformed by `matrix`."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def rotation(degrees: float, x: float, y: float) -> Matrix:
    """The matrix that turns clockwise about a point."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return c, s, -s, c, x - c * x + s * y, y - s * x - c * y


def multiplied(outer: Matrix, inner: Matrix) -> Matrix:
    """The matrix that applies `inner` first, then `outer`."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


def inverse(matrix: Matrix) -> Matrix | None:
    """The matrix that undoes `matrix`; None if there is none."""
    a, b, c, d, e, f = matrix
    area = a * d - b * c
    if abs(area) < 1e-12:
        return None
    return d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area


def bounds(path: Path) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the points of a path, including control points."""
    xs = [float(x) for segment in path for x in segment[1::2]]
    ys = [float(y) for segment in path for y in segment[2::2]]
    return min(xs), min(ys), max(xs), max(ys)


def exact_bounds(path: Path) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a path itself, without control points."""
    xs: list[float] = []
    ys: list[float] = []
    x = y = 0.0
    for name, *numbers in path:
        points = list(_points(numbers))
        if name == "C":
            (x1, y1), (x2, y2), (x3, y3) = points
            xs += _extremes(x, x1, x2, x3)
            ys += _extremes(y, y1, y2, y3)
        for x, y in points[-1:]:
            xs.append(x)
            ys.append(y)
    return (min(xs), min(ys), max(xs), max(ys)) if xs else (0.0, 0.0, 0.0, 0.0)


def _extremes(p0: float, p1: float, p2: float, p3: float) -> Iterator[float]:
    """One coordinate of a cubic Bézier curve where its derivative is 0."""
    a, b, c = p3 - 3 * p2 + 3 * p1 - p0, 2 * (p2 - 2 * p1 + p0), p1 - p0
    if abs(a) < 1e-12:
        roots = [-c / b] if abs(b) > 1e-12 else []
    else:
        square = b * b - 4 * a * c
        roots = [(-b + sign * sqrt(square)) / (2 * a) for sign in (1, -1)] if square >= 0 else []
    for t in roots:
        if 0 < t < 1:
            yield (1 - t) ** 3 * p0 + 3 * t * (1 - t) ** 2 * p1 + 3 * t * t * (1 - t) * p2 + t**3 * p3
