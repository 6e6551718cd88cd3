"""Turns a board's YAML into a graph of spaces and edges, which rules and scoring use.

`art/board_plan.py` places them on paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from .. import nodes
from ..errors import InputError, Place, Problem, did_you_mean, fault, refuse
from ..model.board import Board, BoardFile, Edge, PointFile, RingFile, Space, SpaceFile, TrackFile
from ..model.game import CardsFile
from ..nodes import Node, Scalar
from . import card_tables, typed

MAX_SPACES = 300
MAX_EDGES = 600


def reachable(start: str, edges: Iterable[Edge]) -> frozenset[str]:
    """Every space that can be reached from `start` along these edges, including `start`."""
    steps: dict[str, list[str]] = {}
    for edge in edges:
        steps.setdefault(edge.start, []).append(edge.end)
        if not edge.one_way:
            steps.setdefault(edge.end, []).append(edge.start)
    visited, pending = {start}, [start]
    while pending:
        unvisited = [space for space in steps.get(pending.pop(), ()) if space not in visited]
        visited.update(unvisited)
        pending.extend(unvisited)
    return frozenset(visited)


def read_board(node: Node) -> Board:
    """The board in a YAML file; raises InputError with every problem."""
    return board(typed.read(node, BoardFile))


def board(definition: BoardFile) -> Board:
    """Builds the board that a definition describes; raises InputError with every problem."""
    groups = {"": definition.spaces, **{name: group.spaces for name, group in _lines(definition)}}
    for noun, count, limit in (
        ("spaces", sum(map(len, groups.values())), MAX_SPACES),
        ("edges", len(definition.edges), MAX_EDGES),
    ):
        if count > limit:
            raise fault(f"this board has {count:,} {noun}; at most {limit}", definition.place)
    files = list(_spaces(definition))
    edges = tuple(_edges(definition))
    problems = [
        *_line_problems(definition),
        *_space_problems(definition, files),
        *_edge_problems(definition, edges, {name for _, name, _ in files}),
    ]
    values = _values(definition, files, problems)
    if not problems:
        spaces = {
            name: Space(name, file.kind or "", file.region or "", file.label, values=values[name], place=file.place)
            for _, name, file in files
        }
        problems.extend(_isolation_problems(spaces, edges))
    refuse(problems)
    return Board(definition, MappingProxyType(spaces), edges)


# The track or ring of a space ("" for none), its id, and the space with its kind and region filled in.
_SpaceOf = tuple[str, str, SpaceFile]


def _lines(definition: BoardFile) -> Iterator[tuple[str, TrackFile | RingFile]]:
    """The tracks and rings."""
    yield from definition.tracks.items()
    yield from definition.rings.items()


def _spaces(definition: BoardFile) -> Iterator[_SpaceOf]:
    yield from (("", name, space) for name, space in definition.spaces.items())
    for line, group in _lines(definition):
        for name, space in group.spaces.items():
            yield line, name, replace(space, kind=space.kind or group.kind, region=space.region or group.region)


def _line_problems(definition: BoardFile) -> Iterator[Problem]:
    for name, track in definition.tracks.items():
        if len({(point.x, point.y) for point in track.points}) < 2:
            yield Problem(f"track “{name}” needs at least two different points", track.place)
        if len(track.points) > MAX_SPACES:
            yield Problem(f"track “{name}” has {len(track.points)} points; at most {MAX_SPACES}", track.place)
        if not all(_on_board(point, definition) for point in track.points):
            yield Problem(f"track “{name}” leaves the board", track.place)
    for name, ring in definition.rings.items():
        if not _on_board(ring.centre, definition):
            yield Problem(f"ring “{name}”: its centre is not on the board", ring.place)
        if name in definition.tracks:
            yield Problem(f"a track and a ring are both called “{name}”", ring.place, "rename the ring")


def _on_board(point: PointFile, definition: BoardFile) -> bool:
    return 0 <= point.x <= definition.size.width and 0 <= point.y <= definition.size.height


def _space_problems(definition: BoardFile, files: list[_SpaceOf]) -> Iterator[Problem]:
    first: dict[str, Place | None] = {}
    for line, name, space in files:
        if name in first:
            yield Problem(f"two spaces have the id “{name}”", space.place, f"the first is in {first[name]}")
        first.setdefault(name, space.place)
        yield from _unknown_name_problems(f"space “{name}”: no kind", space.kind, definition.kinds, space.place)
        yield from _unknown_name_problems(f"space “{name}”: no region", space.region, definition.regions, space.place)
        if not space.kind:
            yield Problem(f"space “{name}” needs a kind", space.place)
        if line and (space.x is not None or space.y is not None):
            yield Problem(f"space “{name}” must not have x and y: “{line}” places it", space.place)
        if not line and (space.x is None or space.y is None):
            yield Problem(f"space “{name}” needs x and y", space.place)
    if not first:
        yield Problem("this board has no spaces", definition.place)


def _unknown_name_problems(
    message: str, name: str | None, declared: Iterable[str], place: Place | None
) -> Iterator[Problem]:
    if name and name not in declared:
        yield Problem(f"{message} “{name}”", place, did_you_mean(name, declared))


def _values(definition: BoardFile, files: list[_SpaceOf], problems: list[Problem]) -> dict[str, Mapping[str, Any]]:
    """Reads the declared fields of every space in the same way as those of cards."""
    declared, rows = definition.fields, []
    for _, name, space in files:
        for key, column in declared.items():
            if column.required and key not in space.fields:
                problems.append(Problem(f"space “{name}” needs “{key}”", space.place))
        for key in space.fields:
            if key not in declared:
                hint = did_you_mean(key, declared) or "declare it under “fields”"
                problems.append(Problem(f"space “{name}”: unknown field “{key}”", space.place, hint))
        place = space.place or Place("")
        pairs: Any = [(Scalar(key, place), value) for key, value in space.fields.items() if key in declared]
        rows.append(nodes.Mapping(pairs, place))
    if not rows:
        return {}
    place = definition.place or Place("")
    lenient = {name: replace(column, required=False) for name, column in declared.items()}
    listing: Any = nodes.Listing(rows, place)
    try:
        cards = card_tables.cards(CardsFile(fields=lenient, cards=listing), place, distinct=False)
    except InputError as error:
        problems.extend(error.problems)
        return {}
    return {name: card.values for (_, name, _), card in zip(files, cards, strict=True)}


def _edges(definition: BoardFile) -> Iterator[Edge]:
    """The edges of tracks and rings, then the listed ones."""
    for name, group in _lines(definition):
        ids = list(group.spaces)
        is_loop = (isinstance(group, RingFile) or group.closed) and len(ids) > 2
        for start, end in pairwise([*ids, ids[0]] if is_loop else ids) if group.joined else ():
            yield Edge(start, end, group.one_way, 0.0, along=name, place=group.place)
    for edge in definition.edges:
        yield Edge(edge.from_, edge.to, edge.one_way, edge.bend, along="", place=edge.place)


def _edge_problems(definition: BoardFile, edges: tuple[Edge, ...], spaces: set[str]) -> Iterator[Problem]:
    seen: set[frozenset[str]] = set()
    for edge in edges:
        for end in (edge.start, edge.end):
            yield from _unknown_name_problems("edge: no space", end, spaces, edge.place)
        ends = frozenset((edge.start, edge.end))
        if len(ends) < 2:
            yield Problem(f"this edge leads from “{edge.start}” to itself", edge.place)
        elif ends in seen:
            yield Problem(f"this is a second edge between “{edge.start}” and “{edge.end}”", edge.place)
        seen.add(ends)
        if abs(edge.bend) > max(definition.size.width, definition.size.height):
            yield Problem(f"“bend” must be smaller than the board, not {edge.bend:g} mm", edge.place)


def _isolation_problems(spaces: Mapping[str, Space], edges: tuple[Edge, ...]) -> Iterator[Problem]:
    """Reports spaces that no edges connect with the rest. A board without edges is simply a set of spaces."""
    first = next(iter(spaces))
    connected = reachable(first, (replace(edge, one_way=False) for edge in edges))
    isolated = [name for name in spaces if name not in connected]
    if edges and isolated:
        names = ", ".join(isolated[:5]) + (f" and {len(isolated) - 5} more" if len(isolated) > 5 else "")
        yield Problem(f"no edges connect {names} with “{first}”", spaces[isolated[0]].place, "add an edge")
