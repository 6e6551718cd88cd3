"""A board as a graph: what its YAML says (the classes named `…File`), and the spaces and edges of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ..errors import Place
from .models import ColumnFile, Empty
from .values import Colour, Length, Raw, Size


def _empty() -> Any:
    return field(default_factory=lambda: Empty)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointFile:
    """A point of the board, from its top left corner."""

    x: Length
    y: Length


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionFile:
    """A part of the board, named by its spaces."""

    title: str = ""
    colour: Colour | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KindFile:
    """A kind of space: its outline, `size` mm from side to side (`hex` lies on a side, `pointed-hex` stands on a
    corner)."""

    shape: Literal["round", "square", "diamond", "hex", "pointed-hex"] = "round"
    size: Length = 16.0
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceFile:
    """A space. One listed under `spaces` has its middle `x`, `y`; in a track or ring its place follows from the order.

    `kind` and `region` may be left out where its track or ring says them; `fields` are the board's declared fields."""

    kind: str | None = None
    region: str | None = None
    label: str = ""
    x: Length | None = None
    y: Length | None = None
    fields: dict[str, Raw] = _empty()
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackFile:
    """Spaces at equal distances along a line through `points`, from its first point to its last, or all the way round
    where it is `closed`; `smooth` makes the line a curve.

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
    """An edge between two spaces; `one_way` gives it an arrow head. `bend` is how far its middle lies to the right of
    the straight line, looking from `from` to `to`."""

    from_: str
    to: str
    one_way: bool = False
    bend: Length = 0.0
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFile:
    """board.yaml: a board as a graph of spaces. `gap` is kept between an edge and the outline it leads to; `fields`
    declares what spaces have besides kind, region and label."""

    title: str = ""
    size: Size
    gap: Length = 0.8
    fields: dict[str, ColumnFile] = _empty()
    kinds: dict[str, KindFile]
    regions: dict[str, RegionFile] = _empty()
    spaces: dict[str, SpaceFile] = _empty()
    tracks: dict[str, TrackFile] = _empty()
    rings: dict[str, RingFile] = _empty()
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
    """A way from `start` to `end` (and back, unless it is `one_way`). `along` names the track or ring it is part of."""

    start: str
    end: str
    one_way: bool = False
    bend: float = 0.0
    along: str = ""
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """A board: its spaces by id, those listed alone first, then track by track and ring by ring, and its edges."""

    definition: BoardFile
    spaces: Mapping[str, Space]
    edges: tuple[Edge, ...]

    def steps(self, start: str) -> tuple[str, ...]:
        """The spaces one step from a space, in the order of the edges."""
        forth = (edge.end for edge in self.edges if edge.start == start)
        back = (edge.start for edge in self.edges if edge.end == start and not edge.one_way)
        return tuple(dict.fromkeys((*forth, *back)))
