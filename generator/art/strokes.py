"""Outlines of shapes as PDF draws them: how a transform changes their width, and where their corners are cut off.

Specification: https://www.w3.org/TR/SVG11/painting.html, stroke properties in 11.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import atan2, cos, hypot, isclose, sin, sqrt

from ..geometry import outlines
from ..geometry.outlines import Matrix

_MITER_LIMIT = 10.0
"""PDF's default, which need not be written."""


def scale(matrix: Matrix) -> float | None:
    """The factor by which a matrix scales all lengths; None if it is not uniform."""
    a, b, c, d, _, _ = matrix
    first, second = hypot(a, b), hypot(c, d)
    uniform = isclose(first, second, rel_tol=1e-6) and abs(a * c + b * d) <= 1e-6 * first * second
    return sqrt(first * second) if uniform else None


def main_direction(matrix: Matrix) -> float:
    """The angle of the direction that a matrix stretches most. Outlines are turned so that it becomes their x axis,
    because viewers (pdfium) go by its scale to choose how many straight lines a curve needs."""
    a, b, c, d, _, _ = matrix
    return atan2(2 * (a * c + b * d), a * a + b * b - c * c - d * d) / 2


def rotation(angle: float) -> Matrix:
    return cos(angle), sin(angle), -sin(angle), cos(angle), 0.0, 0.0


def is_sharp(path: outlines.Path, limit: float) -> bool:
    """Whether a path has a corner that PDF's own miter limit would draw differently (11.4)."""
    if isclose(limit, _MITER_LIMIT):
        return False
    low, high = (1 - 2 / max(each, 1.0) ** 2 for each in sorted((limit, _MITER_LIMIT)))
    return any(low - 1e-9 <= -cosine <= high + 1e-9 for cosine in _turns(path))


def _turns(path: outlines.Path) -> Iterator[float]:
    """The cosine of the angle between the directions before and after each point of a path."""
    first: tuple[float, float] | None = None
    before: tuple[float, float] | None = None
    start = position = (0.0, 0.0)
    for name, *numbers in path:
        if name == "M":
            start = position = float(numbers[0]), float(numbers[1])
            first = before = None
            continue
        points = [position, *((float(numbers[i]), float(numbers[i + 1])) for i in range(0, len(numbers), 2))]
        if name == "Z":
            points.append(start)
        directions = [(x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in pairwise(points) if (x1, y1) != (x2, y2)]
        if directions:
            if before is not None:
                yield _cosine(before, directions[0])
            first, before = first or directions[0], directions[-1]
        if name == "Z" and first is not None and before is not None:
            yield _cosine(before, first)
        position = points[-1]


def _cosine(before: tuple[float, float], after: tuple[float, float]) -> float:
    first, second = hypot(*before), hypot(*after)
    return before[0] / first * (after[0] / second) + before[1] / first * (after[1] / second)
