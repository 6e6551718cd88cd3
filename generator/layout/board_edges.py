"""The edges of a board as they are drawn: lines from outline to outline, with heads where they lead one way only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import dist

from .board_outlines import Outline
from .curves import Curve
from .outlines import Path
from .polygons import Point, bounds

HEAD_LENGTH = 3.2
HEAD_WIDTH = 2.8
LEAST = 0.8
"""An edge shorter than this between two outlines would not be seen."""
_STEP = 0.4
_COARSE = 8.0
_FINE_STEPS = tuple(_STEP * i for i in range(int(_COARSE / _STEP) + 1))


@dataclass(frozen=True, slots=True)
class Drawn:
    """A line trimmed at both outlines; where it has a `head`, it ends inside that."""

    line: Curve
    head: tuple[Point, ...] = ()

    @property
    def head_path(self) -> Path:
        if not self.head:
            return ()
        first, *rest = self.head
        return ("M", *first), *(("L", *point) for point in rest), ("Z",)

    def passes(self, outlines: Iterable[tuple[str, Outline]], clearance: float) -> Iterator[tuple[str, float]]:
        """The outlines it comes nearer to than `clearance`, each with how near (below nothing: it runs through)."""
        coarse = [(stop, self.line.at(stop)) for stop in self.line.dense(_COARSE)]
        left, top, right, bottom = bounds((*self.head, *self.line.points))
        for name, outline in outlines:
            reach, (x, y) = outline.radius + clearance, outline.middle
            if not (left - reach < x < right + reach and top - reach < y < bottom + reach):
                continue
            near = [self.line.at(stop + step) for stop, point in coarse if dist(point, (x, y)) < reach + _COARSE
                    for step in _FINE_STEPS]
            nearest = min((outline.distance(point) for point in (*self.head, *near)), default=clearance)
            if nearest < clearance:
                yield name, nearest


def trimmed(line: Curve, start: Outline, end: Outline, gap: float, *, one_way: bool) -> Drawn:
    """The part of a line between two outlines, `gap` mm away from both.

    Raises ValueError saying in numbers that there is no room for it."""
    stops = list(line.dense(_STEP))
    begin = _leaves(line, stops, start, gap)
    finish = _leaves(line, stops[::-1], end, gap)
    least = (HEAD_LENGTH if one_way else 0.0) + LEAST
    if begin is None or finish is None or finish - begin < least:
        room = 0.0 if begin is None or finish is None else max(0.0, finish - begin)
        raise ValueError(f"needs {least:.1f} mm, has {room:.1f} mm")
    if not one_way:
        return Drawn(line.part(begin, finish))
    return Drawn(line.part(begin, finish - HEAD_LENGTH / 2), _head(line.at(finish - HEAD_LENGTH), line.at(finish)))


def _leaves(line: Curve, stops: list[float], outline: Outline, gap: float) -> float | None:
    """How far along a line it leaves an outline it begins in, seen in the order of `stops`."""
    inside = stops[0]
    for stop in stops:
        if outline.distance(line.at(stop)) > gap:
            break
        inside = stop
    else:
        return None
    outside = stop
    for _ in range(30):
        middle = (inside + outside) / 2
        if outline.distance(line.at(middle)) > gap:
            outside = middle
        else:
            inside = middle
    return outside


def _head(foot: Point, tip: Point) -> tuple[Point, ...]:
    """An arrow head from the middle of its foot to its tip."""
    length = dist(foot, tip)
    x, y = (tip[0] - foot[0]) / length * HEAD_WIDTH / 2, (tip[1] - foot[1]) / length * HEAD_WIDTH / 2
    return tip, (foot[0] - y, foot[1] + x), (foot[0] + y, foot[1] - x)
