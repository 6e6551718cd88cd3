"""Turns a board's YAML into a graph of spaces and edges, which the rules and the judge use.

`boards/plan.py` places them on paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from ..errors import InputError, Place, Problem, did_you_mean
from . import nodes, tables
from .boards import Board, BoardFile, Edge, RingFile, Space, SpaceFile, TrackFile, excess_problems, limit_problems
from .models import CardsFile
from .nodes import Scalar
from .values import Empty


def reached(board: Board, start: str) -> frozenset[str]:
    """Every space that can be reached from `start`, including `start`."""
    return _reached(start, board.edges)


def _reached(start: str, edges: Iterable[Edge]) -> frozenset[str]:
    steps: dict[str, list[str]] = {}
    for edge in edges:
        steps.setdefault(edge.start, []).append(edge.end)
        if not edge.one_way:
            steps.setdefault(edge.end, []).append(edge.start)
    found, waiting = {start}, [start]
    while waiting:
        new = [space for space in steps.get(waiting.pop(), ()) if space not in found]
        found.update(new)
        waiting.extend(new)
    return frozenset(found)


def board(definition: BoardFile) -> Board:
    """The board of a definition; raises InputError with every problem."""
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
        for _, name, space in _each(groups)
    }
    made = Board(definition, MappingProxyType(spaces), tuple(_edges(definition)))
    problems.extend(_apart(made))
    if problems:
        raise InputError(problems)
    return made


# ---- spaces

Group = tuple[str, Mapping[str, SpaceFile]]
"""A track or ring ("" for the spaces listed alone) and its spaces with their kinds and regions filled in."""


def _laid_out(definition: BoardFile) -> Iterator[tuple[str, TrackFile | RingFile]]:
    yield from definition.tracks.items()
    yield from definition.rings.items()


def _groups(definition: BoardFile) -> Iterator[Group]:
    yield "", definition.spaces
    for name, group in _laid_out(definition):
        yield (
            name,
            {
                key: replace(space, kind=space.kind or group.kind, region=space.region or group.region)
                for key, space in group.spaces.items()
            },
        )


def _each(groups: list[Group]) -> Iterator[tuple[str, str, SpaceFile]]:
    return ((group, name, space) for group, spaces in groups for name, space in spaces.items())


def _space_problems(definition: BoardFile, groups: list[Group]) -> Iterator[Problem]:
    first: dict[str, SpaceFile] = {}
    for group, name, space in _each(groups):
        if name in first:
            yield Problem(f"two spaces have the id “{name}”", space.place, f"the first is in {first[name].place}")
        first.setdefault(name, space)
        yield from _unknown(f"space “{name}”", "kind", space.kind, definition.kinds, space.place)
        yield from _unknown(f"space “{name}”", "region", space.region or "", definition.regions, space.place)
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


def _unknown(
    whose: str, what: str, name: str | None, known: Mapping[str, Any], place: Place | None
) -> Iterator[Problem]:
    if name and name not in known:
        yield Problem(f"{whose}: no {what} “{name}”", place, did_you_mean(name, known))


def _values(definition: BoardFile, groups: list[Group], problems: list[Problem]) -> dict[str, Mapping[str, Any]]:
    """The declared fields of every space, read by their kinds like those of cards."""
    declared, found = definition.fields, {}
    lenient = {name: replace(column, required=False) for name, column in declared.items()}
    for _, name, space in _each(groups):
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
        try:
            listing: Any = nodes.Listing([nodes.Mapping(pairs, place)], place)
            found[name] = tables.cards(CardsFile(fields=lenient, cards=listing), None, "", place)[0].values
        except InputError as error:
            problems.extend(error.problems)
            found[name] = Empty
    return found


# ---- edges


def _edges(definition: BoardFile) -> Iterator[Edge]:
    """The edges of tracks and rings, then the listed ones."""
    for name, group in _laid_out(definition):
        ids = list(group.spaces)
        round_ = (isinstance(group, RingFile) or group.closed) and len(ids) > 2
        for start, end in pairwise([*ids, ids[0]] if round_ else ids) if group.joined else ():
            yield Edge(start, end, group.one_way, 0.0, name, group.place)
    for edge in definition.edges:
        yield Edge(edge.from_, edge.to, edge.one_way, edge.bend, "", edge.place)


def _edge_problems(definition: BoardFile, groups: list[Group]) -> Iterator[Problem]:
    known = {name: space for _, name, space in _each(groups)}
    seen: set[frozenset[str]] = set()
    for edge in _edges(definition):
        for end in (edge.start, edge.end):
            yield from _unknown("edge", "space", end, known, edge.place)
        if edge.start == edge.end:
            yield Problem(f"this edge leads from “{edge.start}” to itself", edge.place)
        elif (ends := frozenset((edge.start, edge.end))) in seen:
            yield Problem(f"this is a second edge between “{edge.start}” and “{edge.end}”", edge.place)
        else:
            seen.add(ends)


def _apart(made: Board) -> Iterator[Problem]:
    """Reports spaces that no edges connect with the rest. A board without any edges is a plain set of spaces."""
    if not made.edges:
        return
    first = next(iter(made.spaces))
    joined = _reached(first, (replace(edge, one_way=False) for edge in made.edges))
    lost = [name for name in made.spaces if name not in joined]
    if lost:
        shown = ", ".join(lost[:5]) + (f" and {len(lost) - 5} more" if len(lost) > 5 else "")
        yield Problem(f"no edges connect {shown} with “{first}”", made.spaces[lost[0]].place, "add an edge")
