"""Lays out a board: its graph → the positions of its spaces and edges, in millimetres, y down. No two spaces may
overlap, no edge may run through another space, and everything must be on the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import dist, hypot, radians, sqrt
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from ..errors import Problem, refuse
from ..geometry import outlines, polygons
from ..geometry.outlines import Path
from ..geometry.polygons import Curve, Point, Polygon, between, bounds, distance_to_line, share_along, sides
from ..model.board import Board, Edge

CLEARANCE = 0.5
"""The minimum distance of an edge from the spaces that it does not join, in mm."""
_MAX_OVERLAP = 0.001  # outlines that share a side may overlap by this much, in mm, because of rounding
HEAD_LENGTH = 3.2
HEAD_WIDTH = 2.8
"""Those of an arrowhead, in mm."""
MIN_EDGE = 0.8
"""The shortest visible edge between two outlines, in mm."""
_STEP = 0.4
_COARSE = 8.0
_FINE_STEPS = tuple(_STEP * i for i in range(int(_COARSE / _STEP) + 1))


class Spot(Struct, frozen=True):
    """A position on a ring or track: the point, its distance along the line (mm), and the direction of the line there
    (degrees clockwise from the right)."""

    x: float
    y: float
    along: float
    heading: float


def ring(centre: Point, radius: float, n: int, start: float = 0.0, *, clockwise: bool = True) -> tuple[Spot, ...]:
    """`n` spots at equal distances on a circle, the first `start` degrees clockwise from the top."""
    way = 1 if clockwise else -1
    angles = [start + way * 360 * i / n for i in range(n)]
    return tuple(
        Spot(
            *polygons.on_circle(centre, radius, angle),
            radians(abs(angle - start)) * radius,
            (angle if clockwise else angle + 180) % 360,
        )
        for angle in angles
    )


def line_of(points: Sequence[Point], *, smooth: bool = False, closed: bool = False) -> Curve:
    """The line of a track. Raises ValueError without two different points."""
    if smooth:
        return polygons.smooth(points, closed=closed)
    return polygons.curve([*points, points[0]] if closed else points)


def track(line: Curve, n: int, *, closed: bool = False) -> tuple[Spot, ...]:
    """`n` spots at equal distances along a line: from its first point to its last (a single spot in the middle), or all
    the way round if it is closed. Distances are measured along the line."""
    parts = [i / n for i in range(n)] if closed else [i / (n - 1) for i in range(n)] if n > 1 else [0.5]
    return tuple(_spot(line, part * line.length, closed=closed) for part in parts)


def _spot(line: Curve, along: float, *, closed: bool) -> Spot:
    near = min(0.5, line.length / 4)
    before = line.at((along - near) % line.length if closed else along - near)
    after = line.at((along + near) % line.length if closed else along + near)
    return Spot(*line.at(along), along, polygons.heading(before, after))


class SpaceOutline(Struct, frozen=True):
    """A circle of `radius` around (x, y), or, if there are corners, a convex polygon inside that circle."""

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
        return _closed(self.corners)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        around = self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius
        return polygons.bounds(self.corners) if self.corners else around

    def distance(self, point: Point) -> float:
        """The distance of a point from the outline; negative inside."""
        if not self.corners:
            return dist(point, self.middle) - self.radius
        outside = max(distance_to_line(point, *side) for side in sides(self.corners))
        return outside if outside <= 0 else min(_distance(point, *side) for side in sides(self.corners))

    def overlap(self, other: SpaceOutline) -> float:
        """How deep two outlines overlap; zero or negative if they do not."""
        if dist(self.middle, other.middle) > self.radius + other.radius or not (self.corners or other.corners):
            return self.radius + other.radius - dist(self.middle, other.middle)
        if not self.corners:
            return self.radius - other.distance(self.middle)
        if not other.corners:
            return other.radius - self.distance(other.middle)
        return -max(_gap(self.corners, other.corners), _gap(other.corners, self.corners))


def _distance(point: Point, start: Point, end: Point) -> float:
    return dist(point, between(start, end, min(max(share_along(point, start, end), 0.0), 1.0)))


def _gap(first: Polygon, second: Polygon) -> float:
    """The widest gap between a side of the first polygon and the second polygon; negative if there is none."""
    return max(min(distance_to_line(corner, *side) for corner in second) for side in sides(first))


def outline(shape: str, x: float, y: float, size: float) -> SpaceOutline:
    """The outline of a space `size` mm from side to side: `round`, `square`, `diamond` (a square on a corner), `hex`
    (lying on a side) or `pointed-hex` (standing on a corner)."""
    half = size / 2
    if shape == "round":
        return SpaceOutline(x, y, half)
    if shape in ("hex", "pointed-hex"):
        wide, side = size / sqrt(3), size / sqrt(3) / 2
        lying = ((-side, -half), (side, -half), (wide, 0.0), (side, half), (-side, half), (-wide, 0.0))
        corners = lying if shape == "hex" else tuple((-dy, dx) for dx, dy in lying)
    elif shape == "square":
        corners = ((-half, -half), (half, -half), (half, half), (-half, half))
    else:
        tip = half * sqrt(2)
        corners = ((0.0, -tip), (tip, 0.0), (0.0, tip), (-tip, 0.0))
    return SpaceOutline(x, y, max(hypot(*corner) for corner in corners), polygons.moved(corners, x, y))


def _closed(corners: Sequence[Point]) -> Path:
    """The path through these corners and back; empty if there are none."""
    if not corners:
        return ()
    first, *rest = corners
    return ("M", *first), *(("L", *point) for point in rest), ("Z",)


class BoardSpace(Struct, frozen=True):
    """A space with its position. (x, y) is its centre, `size` its width from side to side, and `heading` the direction
    of its track or ring in degrees clockwise from the right (0 if it stands alone)."""

    id: str
    x: float
    y: float
    kind: str
    region: str
    label: str
    values: Mapping[str, Any]
    shape: str
    size: float
    heading: float
    outline: SpaceOutline

    @property
    def path(self) -> Path:
        return self.outline.path

    @property
    def d(self) -> str:
        """The outline as SVG path data, in mm on the board."""
        return _path_data(self.path)


class BoardEdge(Struct, frozen=True):
    """An edge as drawn: its line from outline to outline, and the corners of its arrowhead, if any, in which the line
    then ends."""

    start: str
    end: str
    one_way: bool
    along: str
    line: Curve
    arrow: tuple[Point, ...] = ()

    @property
    def path(self) -> Path:
        return self.line.path

    @property
    def head(self) -> Path:
        """The outline of the arrowhead; empty if there is none."""
        return _closed(self.arrow)

    @property
    def d(self) -> str:
        """The line as SVG path data, in mm on the board."""
        return _path_data(self.path)

    @property
    def head_d(self) -> str:
        return _path_data(self.head)

    def passes(self, outlines: Iterable[tuple[str, SpaceOutline]], clearance: float) -> Iterator[tuple[str, float]]:
        """The outlines nearer than `clearance`, each with its distance (negative if the line runs through it)."""
        coarse = [(stop, self.line.at(stop)) for stop in self.line.dense(_COARSE)]
        left, top, right, bottom = bounds((*self.arrow, *self.line.points))
        for name, outline in outlines:
            reach, (x, y) = outline.radius + clearance, outline.middle
            if not (left - reach < x < right + reach and top - reach < y < bottom + reach):
                continue
            near = [
                self.line.at(stop + step)
                for stop, point in coarse
                if dist(point, (x, y)) < reach + _COARSE
                for step in _FINE_STEPS
            ]
            nearest = min((outline.distance(point) for point in (*self.arrow, *near)), default=clearance)
            if nearest < clearance:
                yield name, nearest


def _path_data(path: Path) -> str:
    return " ".join(
        f"{name}{' '.join(f'{round(float(number), 3) + 0.0:g}' for number in numbers)}" for name, *numbers in path
    )


class BoardPlan(Struct, frozen=True):
    """The layout of a board: its size in mm, spaces by id, and edges in the order of the definition."""

    width: float
    height: float
    spaces: Mapping[str, BoardSpace]
    edges: tuple[BoardEdge, ...]


def lay_out(board: Board) -> BoardPlan:
    """The layout of a board. Raises InputError with everything that overlaps, touches or is not on the board."""
    lines = {
        name: line_of([(point.x, point.y) for point in along.points], smooth=along.smooth, closed=along.closed)
        for name, along in board.definition.tracks.items()
    }
    spots = dict(_spots(board, lines))
    spaces = {name: _space(board, name, spot) for name, spot in spots.items()}
    problems = [*_overlaps(board, spaces), *_outside(board, spaces)]
    edges: list[BoardEdge] = []
    for edge in board.edges if not problems else ():
        try:
            edges.append(_edge(edge, _line(board, edge, spots, lines), spaces, board.definition.gap))
        except ValueError as error:
            problems.append(
                Problem(
                    f"no room for the edge from “{edge.start}” to “{edge.end}”: {error}",
                    edge.place,
                    "move the spaces apart or make them smaller",
                )
            )
            continue
        problems.extend(_run_through(edges[-1], edge, spaces))
    refuse(problems)
    size = board.definition.size
    return BoardPlan(size.width, size.height, MappingProxyType(spaces), tuple(edges))


def _spots(board: Board, lines: Mapping[str, Curve]) -> Iterator[tuple[str, Spot]]:
    """The spot of every space, in the order of the board; `lines` are those of tracks."""
    for name, space in board.definition.spaces.items():
        yield name, Spot(space.x or 0.0, space.y or 0.0, 0.0, 0.0)
    for name, along in board.definition.tracks.items():
        yield from zip(along.spaces, track(lines[name], len(along.spaces), closed=along.closed), strict=True)
    for circle in board.definition.rings.values():
        centre, count = (circle.centre.x, circle.centre.y), len(circle.spaces)
        spots = ring(centre, circle.radius, count, circle.start, clockwise=circle.clockwise)
        yield from zip(circle.spaces, spots, strict=True)


def _space(board: Board, name: str, spot: Spot) -> BoardSpace:
    space = board.spaces[name]
    kind = board.definition.kinds[space.kind]
    return BoardSpace(
        name,
        spot.x,
        spot.y,
        kind=space.kind,
        region=space.region,
        label=space.label,
        values=space.values,
        shape=kind.shape,
        size=kind.size,
        heading=spot.heading,
        outline=outline(kind.shape, spot.x, spot.y, kind.size),
    )


def _overlaps(board: Board, spaces: Mapping[str, BoardSpace]) -> Iterator[Problem]:
    for first, second in combinations(spaces.values(), 2):
        depth = first.outline.overlap(second.outline)
        if depth > _MAX_OVERLAP:
            yield Problem(
                f"the spaces “{first.id}” and “{second.id}” overlap by {max(depth, 0.1):.1f} mm",
                board.spaces[second.id].place,
            )


def _outside(board: Board, spaces: Mapping[str, BoardSpace]) -> Iterator[Problem]:
    size = board.definition.size
    for space in spaces.values():
        left, top, right, bottom = space.outline.bounds
        over = max(-left, -top, right - size.width, bottom - size.height)
        if over > _MAX_OVERLAP:
            yield Problem(
                f"the space “{space.id}” extends {max(over, 0.1):.1f} mm beyond the edge of the board",
                board.spaces[space.id].place,
            )


def _line(board: Board, edge: Edge, spots: Mapping[str, Spot], tracks: Mapping[str, Curve]) -> Curve:
    """The line of an edge from centre to centre, along its track or ring if it is part of one."""
    start, end = spots[edge.start], spots[edge.end]
    if edge.along in board.definition.rings:
        ring = board.definition.rings[edge.along]
        step = 360 / len(ring.spaces) * (1 if ring.clockwise else -1)
        angle = start.heading if ring.clockwise else start.heading - 180
        return polygons.circle_part((ring.centre.x, ring.centre.y), ring.radius, angle, angle + step)
    if edge.along:
        line = tracks[edge.along]
        return line.part(start.along, end.along if end.along > start.along else line.length)
    return polygons.bent((start.x, start.y), (end.x, end.y), edge.bend)


def _edge(edge: Edge, line: Curve, spaces: Mapping[str, BoardSpace], gap: float) -> BoardEdge:
    """The part of a line between two spaces, `gap` mm away from both. Raises ValueError with the lengths in mm if there
    is no room for it."""
    stops = list(line.dense(_STEP))
    begin = _exit(line, stops, spaces[edge.start].outline, gap)
    finish = _exit(line, stops[::-1], spaces[edge.end].outline, gap)
    needed = (HEAD_LENGTH if edge.one_way else 0.0) + MIN_EDGE
    if begin is None or finish is None or finish - begin < needed:
        room = 0.0 if begin is None or finish is None else max(0.0, finish - begin)
        raise ValueError(f"needs {needed:.1f} mm, has {room:.1f} mm")
    arrow = _arrow(line.at(finish - HEAD_LENGTH), line.at(finish)) if edge.one_way else ()
    line = line.part(begin, finish - HEAD_LENGTH / 2 if edge.one_way else finish)
    return BoardEdge(edge.start, edge.end, one_way=edge.one_way, along=edge.along, line=line, arrow=arrow)


def _exit(line: Curve, stops: list[float], outline: SpaceOutline, gap: float) -> float | None:
    """The distance along a line, in the order of `stops`, at which it leaves the outline that it starts in."""
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


def _arrow(foot: Point, tip: Point) -> tuple[Point, ...]:
    """An arrowhead from the middle of its base to its tip."""
    length = dist(foot, tip)
    x, y = (tip[0] - foot[0]) / length * HEAD_WIDTH / 2, (tip[1] - foot[1]) / length * HEAD_WIDTH / 2
    return tip, (foot[0] - y, foot[1] + x), (foot[0] + y, foot[1] - x)


def _run_through(drawn: BoardEdge, edge: Edge, spaces: Mapping[str, BoardSpace]) -> Iterator[Problem]:
    others = ((name, space.outline) for name, space in spaces.items() if name not in (edge.start, edge.end))
    for name, distance in drawn.passes(others, CLEARANCE):
        problem = "runs through" if distance < 0 else f"passes only {distance:.1f} mm from"
        yield Problem(
            f"the edge from “{edge.start}” to “{edge.end}” {problem} the space “{name}”",
            edge.place,
            "bend the edge, or move the space",
        )
