"""Boards: the classes of board.yaml (named `…File`), and the graph of spaces and edges built from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Struct

from ..errors import Place
from .columns import ColumnFile
from .values import MAX_SIZE, Between, Colour, Length, Raw, Size, empty_mapping

SIDES = Between(1, MAX_SIZE)


class PointFile(Struct, frozen=True, kw_only=True):
    """A point on the board, measured from its top left corner."""

    x: Length
    y: Length


class RegionFile(Struct, frozen=True, kw_only=True):
    """A part of the board. Each space says which region it belongs to."""

    title: str = ""
    colour: Colour | None = None


class KindFile(Struct, frozen=True, kw_only=True):
    """A kind of space: its outline, `size` mm from side to side (`hex` has a flat side at the bottom,
    `pointed-hex` a corner)."""

    shape: Literal["round", "square", "diamond", "hex", "pointed-hex"] = "round"
    size: Annotated[Length, SIDES] = 16.0
    place: Place | None = None


class SpaceFile(Struct, frozen=True, kw_only=True):
    """A space. Under `spaces` its centre is at `x`, `y`; in a track or ring its place depends on its order in the list.

    `kind` and `region` default to those of its track or ring; `fields` holds the board's declared fields."""

    kind: str | None = None
    region: str | None = None
    label: str = ""
    x: Length | None = None
    y: Length | None = None
    fields: dict[str, Raw] = empty_mapping()
    place: Place | None = None


class TrackFile(Struct, frozen=True, kw_only=True):
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


class RingFile(Struct, frozen=True, kw_only=True):
    """Spaces at equal distances on a circle, the first `start` degrees clockwise from the top."""

    centre: PointFile
    radius: Annotated[Length, SIDES]
    start: Annotated[float, Between(-360, 360)] = 0.0
    clockwise: bool = True
    kind: str | None = None
    region: str | None = None
    joined: bool = True
    one_way: bool = False
    spaces: dict[str, SpaceFile]
    place: Place | None = None


class EdgeFile(Struct, frozen=True, kw_only=True):
    """An edge between two spaces; `one_way` gives it an arrow head. `bend` is how far its middle is to the right of
    the straight line, seen from `from` to `to`."""

    from_: str
    to: str
    one_way: bool = False
    bend: Length = 0.0
    place: Place | None = None


class BoardFile(Struct, frozen=True, kw_only=True):
    """board.yaml: a board as a graph of spaces. `gap` is the distance between an edge and the outline it leads to;
    `fields` declares what spaces have besides kind, region and label."""

    title: str = ""
    size: Size
    gap: Annotated[Length, Between(0, 20)] = 0.8
    fields: dict[str, ColumnFile] = empty_mapping()
    kinds: dict[str, KindFile]
    regions: dict[str, RegionFile] = empty_mapping()
    spaces: dict[str, SpaceFile] = empty_mapping()
    tracks: dict[str, TrackFile] = empty_mapping()
    rings: dict[str, RingFile] = empty_mapping()
    edges: tuple[EdgeFile, ...] = ()
    place: Place | None = None


class Space(Struct, frozen=True):
    """One space: its id, kind, region ("" for none), label, and its declared fields."""

    id: str
    kind: str
    region: str
    label: str
    values: Mapping[str, Any]
    place: Place | None = None


class Edge(Struct, frozen=True):
    """A connection from `start` to `end` (and back, unless it is `one_way`). `along` is its track or ring."""

    start: str
    end: str
    one_way: bool = False
    bend: float = 0.0
    along: str = ""
    place: Place | None = None


class Board(Struct, frozen=True):
    """A board: its edges, and its spaces by id, first those outside tracks and rings, then tracks, then rings."""

    definition: BoardFile
    spaces: Mapping[str, Space]
    edges: tuple[Edge, ...]

    def steps(self, start: str) -> tuple[str, ...]:
        """The spaces one step from a space, in the order of the edges."""
        forth = (edge.end for edge in self.edges if edge.start == start)
        back = (edge.start for edge in self.edges if edge.end == start and not edge.one_way)
        return tuple(dict.fromkeys((*forth, *back)))
