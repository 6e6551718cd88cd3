"""Rectangles, outlines as path segments (lines and cubic Béziers), and the shapes to which cards are cut, in mm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, hypot, radians, sin, sqrt
from typing import NamedTuple, TypeAlias

from msgspec import Struct

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

    def around(self, matrix: Matrix) -> Rect:
        """The box around this one after it is transformed by `matrix`."""
        if matrix is IDENTITY:
            return self
        left, top, right, bottom = bounds(transformed(rect(*self), matrix))
        return Rect(left, top, right - left, bottom - top)

    def overlaps(self, other: Rect, by: float = 0.0) -> bool:
        """Whether more than `by` mm of their widths and heights is common to both."""
        return (
            self.x < other.right - by
            and other.x < self.right - by
            and self.y < other.bottom - by
            and other.y < self.bottom - by
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
# Distance of the control points of a cubic Bézier quarter circle from its ends, for a radius of 1: 4/3 (√2 − 1).
_CURVE = 0.5522847498


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


def pill(x: float, y: float, width: float, height: float) -> Path:
    """A box with fully rounded ends: a circle if it is square."""
    if width == height:
        return ellipse(x, y, width, height)
    return rounded_rect(x, y, width, height, (max(width, height),) * 4)


def _corner(x1: float, y1: float, x2: float, y2: float, *, across: bool) -> Iterator[Segment]:
    """A quarter of an ellipse between two points, which starts horizontally (`across`) or vertically."""
    dx, dy = (x2 - x1) * _CURVE, (y2 - y1) * _CURVE
    if across:
        yield "C", x1 + dx, y1, x2, y2 - dy, x2, y2
    else:
        yield "C", x1, y1 + dy, x2 - dx, y2, x2, y2


def ellipse(x: float, y: float, width: float, height: float) -> Path:
    """The ellipse that fills a box, clockwise from its right, where its dashes begin (SVG 2, 10.4)."""
    middle, centre, right, bottom = x + width / 2, y + height / 2, x + width, y + height
    return (
        ("M", right, centre),
        *_corner(right, centre, middle, bottom, across=False),
        *_corner(middle, bottom, x, centre, across=True),
        *_corner(x, centre, middle, y, across=False),
        *_corner(middle, y, right, centre, across=True),
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
