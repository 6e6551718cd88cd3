"""Turns a board's YAML into a graph of spaces and edges, which the rules and the judge use.

`art/board_plan.py` places them on paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from .. import nodes
from ..errors import InputError, Place, Problem, did_you_mean
from ..model.board import (
    Board,
    BoardFile,
    Edge,
    RingFile,
    Space,
    SpaceFile,
    TrackFile,
    excess_problems,
    limit_problems,
)
from ..model.game import CardsFile
from ..nodes import Scalar
from . import card_tables


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


def board(definition: BoardFile) -> Board:
    """Builds the board that a definition describes; raises InputError with every problem."""
    excess = list(excess_problems(definition))
    if excess:
        raise InputError(excess)
    groups = list(_groups(definition))
    problems = [*limit_problems(definition), *_space_problems(definition, groups), *_edge_problems(definition, groups)]
    values = _values(definition, groups, problems)
    if problems:
        raise InputError(problems)
    spaces = {
        name: Space(name, space.kind or "", space.region or "", space.label, values[name], space.place)
        for _, name, space in _all_spaces(groups)
    }
    graph = Board(definition, MappingProxyType(spaces), tuple(_edges(definition)))
    problems.extend(_isolation_problems(graph))
    if problems:
        raise InputError(problems)
    return graph


# ---- spaces

Group = tuple[str, Mapping[str, SpaceFile]]
"""The name of a track or ring ("" for spaces outside them), and its spaces with kinds and regions filled in."""


def _tracks_and_rings(definition: BoardFile) -> Iterator[tuple[str, TrackFile | RingFile]]:
    yield from definition.tracks.items()
    yield from definition.rings.items()


def _groups(definition: BoardFile) -> Iterator[Group]:
    yield "", definition.spaces
    for name, group in _tracks_and_rings(definition):
        yield (
            name,
            {
                key: replace(space, kind=space.kind or group.kind, region=space.region or group.region)
                for key, space in group.spaces.items()
            },
        )


def _all_spaces(groups: list[Group]) -> Iterator[tuple[str, str, SpaceFile]]:
    return ((group, name, space) for group, spaces in groups for name, space in spaces.items())


def _space_problems(definition: BoardFile, groups: list[Group]) -> Iterator[Problem]:
    first: dict[str, SpaceFile] = {}
    for group, name, space in _all_spaces(groups):
        if name in first:
            yield Problem(f"two spaces have the id “{name}”", space.place, f"the first is in {first[name].place}")
        first.setdefault(name, space)
        yield from _unknown_name_problems(f"space “{name}”", "kind", space.kind, definition.kinds, space.place)
        yield from _unknown_name_problems(
            f"space “{name}”", "region", space.region or "", definition.regions, space.place
        )
        if not space.kind:
            yield Problem(f"space “{name}” needs a kind", space.place)
        if bool(group) == (space.x is not None or space.y is not None) or (space.x is None) != (space.y is None):
            yield Problem(
                f"space “{name}” {f'must not have x and y: “{group}” places it' if group else 'needs x and y'}",
                space.place,
            )
    yield from (
        Problem(f"a track and a ring are both called “{name}”", ring.place, "rename the ring")
        for name, ring in definition.rings.items()
        if name in definition.tracks
    )
    if not first:
        yield Problem("this board has no spaces", definition.place)


def _unknown_name_problems(
    owner: str, noun: str, name: str | None, declared: Mapping[str, Any], place: Place | None
) -> Iterator[Problem]:
    if name and name not in declared:
        yield Problem(f"{owner}: no {noun} “{name}”", place, did_you_mean(name, declared))


def _values(definition: BoardFile, groups: list[Group], problems: list[Problem]) -> dict[str, Mapping[str, Any]]:
    """Reads the declared fields of every space in the same way as those of cards."""
    declared = definition.fields
    lenient = {name: replace(column, required=False) for name, column in declared.items()}
    rows = []
    for _, name, space in _all_spaces(groups):
        problems.extend(
            Problem(f"space “{name}” needs “{key}”", space.place)
            for key, column in declared.items()
            if column.required and key not in space.fields
        )
        problems.extend(
            Problem(
                f"space “{name}”: unknown field “{key}”",
                space.place,
                did_you_mean(key, declared) or "declare it under “fields”",
            )
            for key in space.fields
            if key not in declared
        )
        place = space.place or Place("")
        pairs: Any = [(Scalar(key, place), value) for key, value in space.fields.items() if key in declared]
        rows.append(nodes.Mapping(pairs, place))
    if not rows:
        return {}
    place = definition.place or Place("")
    listing: Any = nodes.Listing(rows, place)
    try:
        cards = card_tables.cards(CardsFile(fields=lenient, cards=listing), place, distinct=False)
    except InputError as error:
        problems.extend(error.problems)
        return {}
    return {name: card.values for (_, name, _), card in zip(_all_spaces(groups), cards, strict=True)}


# ---- edges


def _edges(definition: BoardFile) -> Iterator[Edge]:
    """The edges of tracks and rings, then the listed ones."""
    for name, group in _tracks_and_rings(definition):
        ids = list(group.spaces)
        is_loop = (isinstance(group, RingFile) or group.closed) and len(ids) > 2
        for start, end in pairwise([*ids, ids[0]] if is_loop else ids) if group.joined else ():
            yield Edge(start, end, group.one_way, 0.0, name, group.place)
    for edge in definition.edges:
        yield Edge(edge.from_, edge.to, edge.one_way, edge.bend, "", edge.place)


def _edge_problems(definition: BoardFile, groups: list[Group]) -> Iterator[Problem]:
    spaces = {name: space for _, name, space in _all_spaces(groups)}
    seen: set[frozenset[str]] = set()
    for edge in _edges(definition):
        for end in (edge.start, edge.end):
            yield from _unknown_name_problems("edge", "space", end, spaces, edge.place)
        if edge.start == edge.end:
            yield Problem(f"this edge leads from “{edge.start}” to itself", edge.place)
        elif (ends := frozenset((edge.start, edge.end))) in seen:
            yield Problem(f"this is a second edge between “{edge.start}” and “{edge.end}”", edge.place)
        else:
            seen.add(ends)


def _isolation_problems(graph: Board) -> Iterator[Problem]:
    """Reports spaces that no edges connect with the rest. A board without edges is simply a set of spaces."""
    if not graph.edges:
        return
    first = next(iter(graph.spaces))
    connected = reachable(first, (replace(edge, one_way=False) for edge in graph.edges))
    isolated = [name for name in graph.spaces if name not in connected]
    if isolated:
        names = ", ".join(isolated[:5]) + (f" and {len(isolated) - 5} more" if len(isolated) > 5 else "")
        yield Problem(f"no edges connect {names} with “{first}”", graph.spaces[isolated[0]].place, "add an edge")
