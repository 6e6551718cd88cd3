"""Gradients as shading patterns; alpha values that differ between their stops are soft masks.

Section titles refer to ISO 32000-1:2008 (PDF 1.7),
https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, dist, floor
from typing import TypeAlias

from ..geometry.frame import Gradient, LinearGradient, RadialGradient, Shape
from ..geometry.outlines import bounds, inverse, rect, transformed
from . import operators

Box: TypeAlias = tuple[float, float, float, float]
_MAX_REPEATS = 200
"""How often a gradient is reflected or repeated within a shape."""
_Segment: TypeAlias = tuple[float, float, str, str]
"""Part of a gradient: start, end, and their colours."""
_END = 0.01
"""The length of the segment of a stop that only shows beyond the end of a gradient: viewers use some 256 colours."""
_MITER_LIMIT = 10.0
"""That of PDF (8.4.3.5 “Miter Limit”)."""


@lru_cache(maxsize=1000)
def pattern_code(gradient: Gradient, box: Box, space: str, components: Callable[[str], str]) -> str:
    """The dictionary of the pattern of a gradient for a shape within `box`, in a colour space of which `components`
    gives the numbers of a colour (8.7.4 “Shading Patterns”)."""
    first, last = _periods(gradient, box)
    segments = list(_segments(gradient, first, last))
    segments = segments if gradient.spread else _with_ends(gradient, segments)
    shading = (
        f"{_shading(gradient, segments[0][0], segments[-1][1])}/ColorSpace/{space}/Extend[true true]"
        f"/Function {_function(segments, components)}"
    )
    return f"/PatternType 2/Matrix[{numbers(*gradient.matrix)}]/Shading<<{shading}>>"


def paint_box(shape: Shape) -> Box:
    """A box that holds everything that a shape paints."""
    left, top, right, bottom = bounds(shape.path)
    reach = 0.75 * shape.stroke_width if shape.stroke else 0.0  # square caps extend by √2 ÷ 2
    if shape.stroke and not shape.join:
        reach *= shape.miter_limit or _MITER_LIMIT
    return left - reach, top - reach, right + reach, bottom + reach


def only_colour(gradient: Gradient) -> str | None:
    """The colour of a gradient that has only one: it has a single stop, or no length."""
    ends = (
        ((gradient.x1, gradient.y1), (gradient.x2, gradient.y2))
        if isinstance(gradient, LinearGradient)
        else ((gradient.r, 0.0), (0.0, 0.0))  # type: ignore[attr-defined]
    )
    flat = dist(*ends) < 1e-9 or len({stop.colour for stop in gradient.stops}) == 1
    return gradient.stops[-1].colour if flat else None


def only_alpha(gradient: Gradient) -> float | None:
    """The alpha value of all stops, or None if they differ."""
    alphas = {operators.alpha(stop.colour) for stop in gradient.stops}
    return alphas.pop() if len(alphas) == 1 else None


def alpha_of(colour: str) -> str:
    return f"{operators.alpha(colour):.3f}"


def numbers(*numbers: float) -> str:
    return " ".join([f"{number:.6f}".rstrip("0").rstrip(".") for number in numbers])


def _periods(gradient: Gradient, box: Box) -> tuple[int, int]:
    """The first and last multiple of a gradient's length that a shape within `box` needs."""
    back = inverse(gradient.matrix)
    if not gradient.spread or back is None:
        return 0, 1
    left, top, right, bottom = box
    corners = [(float(x), float(y)) for _, x, y in transformed(rect(left, top, right - left, bottom - top), back)[:4]]
    if isinstance(gradient, LinearGradient):
        dx, dy = gradient.x2 - gradient.x1, gradient.y2 - gradient.y1
        shares = [((x - gradient.x1) * dx + (y - gradient.y1) * dy) / (dx * dx + dy * dy) for x, y in corners]
        first, last = floor(min(shares)), max(ceil(max(shares)), 1)
    else:
        assert isinstance(gradient, RadialGradient)
        focus = gradient.fx, gradient.fy
        slowest = max(gradient.r - gradient.fr - dist(focus, (gradient.x, gradient.y)), gradient.r / _MAX_REPEATS)
        first, last = 0, max(ceil(max(dist(focus, corner) for corner in corners) / slowest), 1)
    middle = max(min(first, 0), -_MAX_REPEATS // 2)
    return middle, min(last, middle + _MAX_REPEATS)


def _shading(gradient: Gradient, first: float, last: float) -> str:
    """Type and coordinates of a shading, whose parametric variable runs from `first` to `last` (8.7.4.5.3 “Type 2
    (Axial) Shadings”, 8.7.4.5.4 “Type 3 (Radial) Shadings”)."""
    domain = "" if (first, last) == (0, 1) else f"/Domain[{numbers(first, last)}]"
    if isinstance(gradient, LinearGradient):
        starts, ends = (gradient.x1, gradient.y1), (gradient.x2, gradient.y2)
    else:
        assert isinstance(gradient, RadialGradient)
        starts, ends = (gradient.fx, gradient.fy, gradient.fr), (gradient.x, gradient.y, gradient.r)  # type: ignore
    coordinates = [a + (b - a) * at for at in (first, last) for a, b in zip(starts, ends, strict=True)]
    return f"/ShadingType {2 if isinstance(gradient, LinearGradient) else 3}/Coords[{numbers(*coordinates)}]{domain}"


def _segments(gradient: Gradient, first: int, last: int) -> Iterator[_Segment]:
    """The parts of a gradient between two stops: start, end, and their colours. Stops with the same offset have no
    part between them, so that the colour changes abruptly."""
    stops = [(max(0.0, min(stop.offset, 1.0)), stop.colour) for stop in gradient.stops]
    stops = [(0.0, stops[0][1]), *stops, (1.0, stops[-1][1])]
    for period in range(first, last):
        backwards = gradient.spread == "reflect" and period % 2
        ordered = [(1.0 - offset, colour) for offset, colour in reversed(stops)] if backwards else stops
        for (start, before), (end, after) in pairwise(ordered):
            if end - start > 1e-6:
                yield period + start, period + end, before, after


def _with_ends(gradient: Gradient, segments: list[_Segment]) -> list[_Segment]:
    """The segments, and short ones for several stops at 0 or 1: beyond the ends, the outermost stop counts."""
    first, last = gradient.stops[0].colour, gradient.stops[-1].colour
    before = [(-_END, 0.0, first, first)] if segments[0][2] != first and isinstance(gradient, LinearGradient) else []
    after = [(1.0, 1.0 + _END, last, last)] if segments[-1][3] != last else []
    return before + segments + after


def _function(segments: Sequence[_Segment], components: Callable[[str], str]) -> str:
    """From the parametric variable to colours (7.10.3 “Type 2 (Exponential Interpolation) Functions”, 7.10.4 “Type 3
    (Stitching) Functions”)."""
    functions = [
        f"<</FunctionType 2/Domain[0 1]/N 1/C0[{components(before)}]/C1[{components(after)}]>>"
        for _, _, before, after in segments
    ]
    start, end = segments[0][0], segments[-1][1]
    if len(functions) == 1 and (start, end) == (0.0, 1.0):
        return functions[0]
    limits = numbers(*[start for start, *_ in segments[1:]])
    encode = " ".join(["0 1"] * len(functions))
    return (
        f"<</FunctionType 3/Domain[{numbers(start, end)}]/Bounds[{limits}]"
        f"/Encode[{encode}]/Functions[{''.join(functions)}]>>"
    )
