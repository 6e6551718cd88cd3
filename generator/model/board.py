"""Boards: the classes of board.yaml (named `…File`), and the graph of spaces and edges built from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from ..errors import Place, Problem
from ..fast_dataclasses import dataclass
from .columns import ColumnFile
from .values import (
    MAX_SIZE,
    Colour,
    Length,
    Raw,
    Size,
    empty_mapping,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointFile:
    """A point on the board, measured from its top left corner."""

    x: Length
    y: Length


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionFile:
    """A part of the board. Each space says which region it belongs to."""

    title: str = ""
    colour: Colour | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KindFile:
    """A kind of space: its outline, `size` mm from side to side (`hex` has a flat side at the bottom,
    `pointed-hex` a corner)."""

    shape: Literal["round", "square", "diamond", "hex", "pointed-hex"] = "round"
    size: Length = 16.0
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceFile:
    """A space. Under `spaces` its centre is at `x`, `y`; in a track or ring its place depends on its order in the list.

    `kind` and `region` default to those of its track or ring; `fields` holds the board's declared fields."""

    kind: str | None = None
    region: str | None = None
    label: str = ""
    x: Length | None = None
    y: Length | None = None
    fields: dict[str, Raw] = empty_mapping()
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackFile:
    """Spaces at equal distances along a line through `points`, from its first point to its last, or all the way round
    if it is `closed`; `smooth` makes the line a curve.

    `joined` makes an edge from each space to the next (`one_way`: in that direction only)."""

    points: tuple[PointFile, ...]
    smooth: bool = False
    closed: bool = False
    kind: str | None = None
    region: str | None = None
    joined: bool = True
    one_way: bool = False
    spaces: dict[str, SpaceFile]
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RingFile:
    """Spaces at equal distances on a circle, the first `start` degrees clockwise from the top."""

    centre: PointFile
    radius: Length
    start: float = 0.0
    clockwise: bool = True
    kind: str | None = None
    region: str | None = None
    joined: bool = True
    one_way: bool = False
    spaces: dict[str, SpaceFile]
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeFile:
    """An edge between two spaces; `one_way` gives it an arrow head. `bend` is how far its middle is to the right of
    the straight line, seen from `from` to `to`."""

    from_: str
    to: str
    one_way: bool = False
    bend: Length = 0.0
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFile:
    """board.yaml: a board as a graph of spaces. `gap` is the distance between an edge and the outline it leads to;
    `fields` declares what spaces have besides kind, region and label."""

    title: str = ""
    size: Size
    gap: Length = 0.8
    fields: dict[str, ColumnFile] = empty_mapping()
    kinds: dict[str, KindFile]
    regions: dict[str, RegionFile] = empty_mapping()
    spaces: dict[str, SpaceFile] = empty_mapping()
    tracks: dict[str, TrackFile] = empty_mapping()
    rings: dict[str, RingFile] = empty_mapping()
    edges: tuple[EdgeFile, ...] = ()
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Space:
    """One space: its id, kind, region ("" for none), label, and its declared fields."""

    id: str
    kind: str
    region: str
    label: str
    values: Mapping[str, Any]
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """A connection from `start` to `end` (and back, unless it is `one_way`). `along` is its track or ring."""

    start: str
    end: str
    one_way: bool = False
    bend: float = 0.0
    along: str = ""
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """A board: its edges, and its spaces by id, first those outside tracks and rings, then tracks, then rings."""

    definition: BoardFile
    spaces: Mapping[str, Space]
    edges: tuple[Edge, ...]

    def steps(self, start: str) -> tuple[str, ...]:
        """The spaces one step from a space, in the order of the edges."""
        forth = (edge.end for edge in self.edges if edge.start == start)
        back = (edge.start for edge in self.edges if edge.end == start and not edge.one_way)
        return tuple(dict.fromkeys((*forth, *back)))


# ---- limits

MAX_SPACES = 300
MAX_EDGES = 600


def limit_problems(definition: BoardFile) -> Iterator[Problem]:
    """Checks the dimensions of a board."""
    size = definition.size
    if not 0 <= definition.gap <= 20:
        yield Problem(f"“gap” must be from 0 to 20 mm, not {definition.gap:g}", definition.place)
    yield from (
        Problem(f"kind “{name}”: “size” must be from 1 to {MAX_SIZE:g} mm, not {kind.size:g}", kind.place)
        for name, kind in definition.kinds.items()
        if not 1 <= kind.size <= MAX_SIZE
    )
    for name, track in definition.tracks.items():
        yield from _track_problems(name, track, definition)
    for name, ring in definition.rings.items():
        yield from _ring_problems(name, ring, definition)
    yield from (
        Problem(f"“bend” must be smaller than the board, not {edge.bend:g} mm", edge.place)
        for edge in definition.edges
        if abs(edge.bend) > max(size.width, size.height)
    )


def _track_problems(name: str, track: TrackFile, definition: BoardFile) -> Iterator[Problem]:
    if len({(point.x, point.y) for point in track.points}) < 2:
        yield Problem(f"track “{name}” needs at least two different points", track.place)
    if len(track.points) > MAX_SPACES:
        yield Problem(f"track “{name}” has {len(track.points)} points; at most {MAX_SPACES}", track.place)
    if not all(_on_board(point, definition) for point in track.points):
        yield Problem(f"track “{name}” leaves the board", track.place)


def _ring_problems(name: str, ring: RingFile, definition: BoardFile) -> Iterator[Problem]:
    if not 1 <= ring.radius <= MAX_SIZE:
        yield Problem(f"ring “{name}”: “radius” must be from 1 to {MAX_SIZE:g} mm, not {ring.radius:g}", ring.place)
    if not abs(ring.start) <= 360:
        yield Problem(f"ring “{name}”: “start” must be from -360 to 360 degrees, not {ring.start:g}", ring.place)
    if not _on_board(ring.centre, definition):
        yield Problem(f"ring “{name}”: its centre is not on the board", ring.place)


def _on_board(point: PointFile, definition: BoardFile) -> bool:
    return 0 <= point.x <= definition.size.width and 0 <= point.y <= definition.size.height


def excess_problems(definition: BoardFile) -> Iterator[Problem]:
    """Reports more spaces or edges than a board may have."""
    spaces = len(definition.spaces) + sum(len(track.spaces) for track in definition.tracks.values())
    spaces += sum(len(ring.spaces) for ring in definition.rings.values())
    if spaces > MAX_SPACES:
        yield Problem(f"this board has {spaces:,} spaces; at most {MAX_SPACES}", definition.place)
    if len(definition.edges) > MAX_EDGES:
        yield Problem(f"this board has {len(definition.edges):,} edges; at most {MAX_EDGES}", definition.place)
