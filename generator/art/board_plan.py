"""Lays out a board: its graph → the positions of its spaces and edges. No two spaces may overlap, no edge may run
through another space, and everything must be on the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from ..errors import InputError, Problem
from ..geometry import polygons
from ..geometry.outlines import Path
from ..geometry.polygons import Curve, Point
from ..model.board import Board, Edge, RingFile, TrackFile
from . import board_shapes
from .board_shapes import (
    Drawn,
    Outline,
    Spot,
    line_of,
    outline,
    ring,
    track,
)

CLEARANCE = 0.5
"""The minimum distance of an edge from the spaces that it does not join, in mm."""
_MAX_OVERLAP = 0.001
"""Outlines that share a side may overlap by this much, in mm, because of rounding."""


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
    outline: Outline

    @property
    def path(self) -> Path:
        return self.outline.path

    @property
    def d(self) -> str:
        """The outline as SVG path data, in mm on the board."""
        return _path_data(self.path)


class BoardEdge(Struct, frozen=True):
    """An edge as drawn: its line from outline to outline, and the outline of its arrowhead, if any."""

    start: str
    end: str
    one_way: bool
    along: str
    drawn: Drawn

    @property
    def path(self) -> Path:
        return self.drawn.line.path

    @property
    def head(self) -> Path:
        """The outline of the arrowhead; empty if there is none."""
        return self.drawn.head_path

    @property
    def d(self) -> str:
        """The line as SVG path data, in mm on the board."""
        return _path_data(self.path)

    @property
    def head_d(self) -> str:
        return _path_data(self.head)


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
    spots = dict(_spots(board))
    spaces = {name: _space(board, name, spot) for name, spot in spots.items()}
    problems = [*_overlaps(board, spaces), *_outside(board, spaces)]
    edges, lines = [], _track_lines(board)
    for edge in board.edges if not problems else ():
        try:
            edges.append(_edge(board, edge, spaces, _line(board, edge, spots, lines)))
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
    if problems:
        raise InputError(problems)
    size = board.definition.size
    return BoardPlan(size.width, size.height, MappingProxyType(spaces), tuple(edges))


# ---- spaces


def _spots(board: Board) -> Iterator[tuple[str, Spot]]:
    """The spot of every space, in the order of the board."""
    for name, space in board.definition.spaces.items():
        yield name, Spot(space.x or 0.0, space.y or 0.0, 0.0, 0.0)
    for line in board.definition.tracks.values():
        yield from zip(
            line.spaces, track(_points(line), len(line.spaces), smooth=line.smooth, closed=line.closed), strict=True
        )
    for circle in board.definition.rings.values():
        centre = circle.centre.x, circle.centre.y
        yield from zip(
            circle.spaces,
            ring(centre, circle.radius, len(circle.spaces), circle.start, clockwise=circle.clockwise),
            strict=True,
        )


def _points(track_: TrackFile) -> list[Point]:
    return [(point.x, point.y) for point in track_.points]


def _space(board: Board, name: str, spot: Spot) -> BoardSpace:
    space = board.spaces[name]
    kind = board.definition.kinds[space.kind]
    return BoardSpace(
        name,
        spot.x,
        spot.y,
        space.kind,
        space.region,
        space.label,
        space.values,
        kind.shape,
        kind.size,
        spot.heading,
        outline(kind.shape, spot.x, spot.y, kind.size),
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


# ---- edges


def _edge(board: Board, edge: Edge, spaces: Mapping[str, BoardSpace], line: Curve) -> BoardEdge:
    start, end = spaces[edge.start], spaces[edge.end]
    drawn = board_shapes.trimmed(line, start.outline, end.outline, board.definition.gap, one_way=edge.one_way)
    return BoardEdge(edge.start, edge.end, edge.one_way, edge.along, drawn)


def _track_lines(board: Board) -> dict[str, Curve]:
    return {
        name: line_of(_points(line), smooth=line.smooth, closed=line.closed)
        for name, line in board.definition.tracks.items()
    }


def _line(board: Board, edge: Edge, spots: Mapping[str, Spot], tracks: Mapping[str, Curve]) -> Curve:
    """The line of an edge from centre to centre, along its track or ring if it is part of one."""
    start, end = spots[edge.start], spots[edge.end]
    if edge.along in board.definition.rings:
        return _arc(board.definition.rings[edge.along], start)
    if edge.along:
        line = tracks[edge.along]
        return line.part(start.along, end.along if end.along > start.along else line.length)
    return polygons.bent((start.x, start.y), (end.x, end.y), edge.bend)


def _arc(along: RingFile, start: Spot) -> Curve:
    """The arc of a ring from one space to the next."""
    step = 360 / len(along.spaces) * (1 if along.clockwise else -1)
    angle = start.heading if along.clockwise else start.heading - 180
    return polygons.circle_part((along.centre.x, along.centre.y), along.radius, angle, angle + step)


def _run_through(drawn: BoardEdge, edge: Edge, spaces: Mapping[str, BoardSpace]) -> Iterator[Problem]:
    others = ((name, space.outline) for name, space in spaces.items() if name not in (edge.start, edge.end))
    for name, distance in drawn.drawn.passes(others, CLEARANCE):
        problem = "runs through" if distance < 0 else f"passes only {distance:.1f} mm from"
        yield Problem(
            f"the edge from “{edge.start}” to “{edge.end}” {problem} the space “{name}”",
            edge.place,
            "bend the edge, or move the space",
        )
