"""Places gradients in boxes: https://www.w3.org/TR/css-images-3/#gradients"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, hypot, radians, sin

from ..faces.kinds import ColourStop, Linear, Percent, Position, Radial
from ..geometry.frame import Gradient, LinearGradient, RadialGradient, Stop
from ..geometry.outlines import Matrix, Rect
from ..model.colours import channels

_STEPS = 8
"""Stops added between two colours with different alpha values, which CSS mixes differently from PDF."""
_THIN = 1e-4


def gradient(fill: Linear | Radial, box: Rect) -> Gradient:
    """The gradient that fills a box."""
    return _linear(fill, box) if isinstance(fill, Linear) else _radial(fill, box)


def _linear(fill: Linear, box: Rect) -> Gradient:
    if fill.to:
        across, down = box.height * (2 * fill.to[0] - 1), box.width * (2 * fill.to[1] - 1)
        length = hypot(across, down) or 1.0
        dx, dy = across / length, down / length
    else:
        dx, dy = sin(radians(fill.angle)), -cos(radians(fill.angle))
    half = (abs(box.width * dx) + abs(box.height * dy)) / 2
    first, last, stops = _spread(fill.stops, 2 * half)
    x, y = box.x + box.width / 2 - half * dx, box.y + box.height / 2 - half * dy
    start, end = first * 2 * half, last * 2 * half
    return LinearGradient(
        x1=x + start * dx,
        y1=y + start * dy,
        x2=x + end * dx,
        y2=y + end * dy,
        stops=stops,
        spread="repeat" if fill.repeats else "",
    )


def _radial(fill: Radial, box: Rect) -> Gradient:
    x, y = box.x + _along(fill.x, box.width), box.y + _along(fill.y, box.height)
    across, down = _radii(fill, box, x, y)
    first, last, stops = _spread(fill.stops, across)
    last = max(last, _THIN)
    if first < 0:  # the part before the centre is invisible
        stops, first = _from_the_middle(stops, first, last), 0.0
    squeezed: Matrix = (1.0, 0.0, 0.0, down / across, 0.0, y - y * down / across)
    return RadialGradient(
        x=x,
        y=y,
        r=last * across,
        fx=x,
        fy=y,
        fr=first * across,
        stops=stops,
        spread="repeat" if fill.repeats else "",
        matrix=squeezed,
    )


def _along(position: Position, whole: float, unit: float = 1.0) -> float:
    """A share of the whole, or a length in units."""
    return position.of(whole) if isinstance(position, Percent) else position / (unit or 1.0)


def _radii(fill: Radial, box: Rect, x: float, y: float) -> tuple[float, float]:
    """The radii of the ending shape, across and down."""
    if fill.radii:
        sizes = [_along(size, whole) for size, whole in zip(fill.radii, (box.width, box.height), strict=False)]
        return max(sizes[0], _THIN), max(sizes[-1], _THIN)
    nearest = min if fill.extent.startswith("closest") else max
    across = nearest(abs(x - box.x), abs(box.right - x))
    down = nearest(abs(y - box.y), abs(box.bottom - y))
    if fill.circle:
        radius = hypot(across, down) if fill.extent.endswith("corner") else nearest(across, down)
        across = down = radius
    elif fill.extent.endswith("corner"):
        across, down = across * 2**0.5, down * 2**0.5
    return max(across, _THIN), max(down, _THIN)


def _spread(listed: Sequence[ColourStop], length: float) -> tuple[float, float, tuple[Stop, ...]]:
    """Where the first and the last stop are, as shares of the length of a gradient, and the stops between them."""
    offsets = _offsets([None if stop.position is None else _along(stop.position, 1.0, length) for stop in listed])
    offsets[0] -= _THIN * (offsets[0] == offsets[1])  # so that a sharp edge at an end has its first colour before it
    offsets[-1] += _THIN * (offsets[-1] == offsets[-2])
    first, last = offsets[0], offsets[-1]
    colours = _opaque_names([stop.colour for stop in listed])
    stops = [
        Stop(min((offset - first) / (last - first), 1.0), code)
        for offset, codes in zip(offsets, colours, strict=True)
        for code in codes
    ]
    return first, last, tuple(_mixed(stops))


def _offsets(given: list[float | None]) -> list[float]:
    """The offsets of all stops: none is smaller than those before it, and those left out are spread evenly."""
    offsets = [0.0 if given[0] is None else given[0], *given[1:-1], 1.0 if given[-1] is None else given[-1]]
    highest = offsets[0]
    for number, offset in enumerate(offsets):
        if offset is not None:
            highest = offsets[number] = max(highest, offset)  # type: ignore[type-var]
    known = [number for number, offset in enumerate(offsets) if offset is not None]
    for start, end in pairwise(known):
        step = (offsets[end] - offsets[start]) / (end - start)  # type: ignore[operator]
        for number in range(start + 1, end):
            offsets[number] = offsets[start] + step * (number - start)  # type: ignore[operator]
    return offsets  # type: ignore[return-value]


def _opaque_names(codes: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The colours of each stop. CSS fades to the colour of the neighbour where a stop is fully transparent."""
    for number, code in enumerate(codes):
        if channels(code)[3]:
            yield (code,)
        else:
            neighbours = [*codes[max(0, number - 1) : number], *codes[number + 1 : number + 2]]
            yield tuple(neighbour[:7] + "00" for neighbour in neighbours)


def _mixed(stops: Sequence[Stop]) -> Iterator[Stop]:
    """The stops, with more between two that differ both in colour and in alpha value: CSS mixes colours multiplied by
    their alpha values."""
    for one, other in pairwise(stops):
        yield one
        (*colour, alpha), (*colour2, alpha2) = channels(one.colour), channels(other.colour)
        if colour != colour2 and alpha != alpha2 and one.offset < other.offset:
            for step in range(1, _STEPS):
                t = step / _STEPS
                a = alpha + (alpha2 - alpha) * t
                mixed = [
                    (c * alpha * (1 - t) + c2 * alpha2 * t) / (a or 1) for c, c2 in zip(colour, colour2, strict=True)
                ]
                code = "#" + "".join(f"{round(channel):02x}" for channel in (*mixed, a))
                yield Stop(one.offset + (other.offset - one.offset) * t, code)
    yield stops[-1]


def _from_the_middle(stops: Sequence[Stop], first: float, last: float) -> tuple[Stop, ...]:
    """The stops of a radial gradient that begins before its middle, measured from there."""
    shifted = [(first + stop.offset * (last - first), stop.colour) for stop in stops]
    for (at, colour), (next_at, next_colour) in pairwise(shifted):
        if at < 0 <= next_at:
            share = -at / (next_at - at)
            pairs = zip(channels(colour), channels(next_colour), strict=True)
            middle = "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)
            rest = [Stop(max(0.0, offset / last), code) for offset, code in shifted if offset >= 0]
            return (Stop(0.0, middle), *rest)
    return tuple(Stop(max(0.0, stop.offset), stop.colour) for stop in stops)
