"""Measures of a board that make sense: sizes above nothing, lines on the board, no more than a table could hold."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import Problem
from .boards import BoardFile, PointFile, RingFile, TrackFile

LARGEST = 1500.0
MOST_SPACES = 300
MOST_EDGES = 600


def limit_problems(definition: BoardFile) -> Iterator[Problem]:
    """Everything about the measures of a board that is wrong in itself."""
    size = definition.size
    if max(size.width, size.height) > LARGEST:
        yield Problem(f"a board of {size.width:g} × {size.height:g} mm; at most {LARGEST:g} mm", definition.place)
    if not 0 <= definition.gap <= 20:
        yield Problem(f"“gap” must be from 0 to 20 mm, not {definition.gap:g}", definition.place)
    yield from (Problem(f"kind “{name}”: a size of {kind.size:g} mm; from 1 to {LARGEST:g} mm", kind.place)
                for name, kind in definition.kinds.items() if not 1 <= kind.size <= LARGEST)
    for name, track in definition.tracks.items():
        yield from _track_problems(name, track, definition)
    for name, ring in definition.rings.items():
        yield from _ring_problems(name, ring, definition)
    yield from (Problem(f"a bend of {edge.bend:g} mm is more than the board", edge.place)
                for edge in definition.edges if abs(edge.bend) > max(size.width, size.height))


def _track_problems(name: str, track: TrackFile, definition: BoardFile) -> Iterator[Problem]:
    if len({(point.x, point.y) for point in track.points}) < 2:
        yield Problem(f"track “{name}” needs two different points or more", track.place)
    if len(track.points) > MOST_SPACES:
        yield Problem(f"track “{name}” has {len(track.points)} points; at most {MOST_SPACES}", track.place)
    if not all(_on_board(point, definition) for point in track.points):
        yield Problem(f"track “{name}” leaves the board", track.place)


def _ring_problems(name: str, ring: RingFile, definition: BoardFile) -> Iterator[Problem]:
    if not 1 <= ring.radius <= LARGEST:
        yield Problem(f"ring “{name}”: a radius of {ring.radius:g} mm; from 1 to {LARGEST:g} mm", ring.place)
    if not abs(ring.start) <= 360:
        yield Problem(f"ring “{name}”: “start” must be from -360 to 360 degrees, not {ring.start:g}", ring.place)
    if not _on_board(ring.centre, definition):
        yield Problem(f"ring “{name}”: its centre is not on the board", ring.place)


def _on_board(point: PointFile, definition: BoardFile) -> bool:
    return 0 <= point.x <= definition.size.width and 0 <= point.y <= definition.size.height


def excess_problems(definition: BoardFile) -> Iterator[Problem]:
    """More spaces or edges than are worth working on."""
    spaces = len(definition.spaces) + sum(len(track.spaces) for track in definition.tracks.values())
    spaces += sum(len(ring.spaces) for ring in definition.rings.values())
    if spaces > MOST_SPACES:
        yield Problem(f"{spaces} spaces; at most {MOST_SPACES}", definition.place)
    if len(definition.edges) > MOST_EDGES:
        yield Problem(f"{len(definition.edges)} edges; at most {MOST_EDGES}", definition.place)
