"""Where rolls and jumps lead from each space, and what a space asks for.

Moves and jumps follow the graph of the board and `curved` under `rules` in game.yaml. The code does not name any space,
so it also works for a smaller or shuffled board.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from msgspec import Struct, field

from ...model.board import Board
from ...model.game import Card

DEMANDS: Mapping[str, Literal["green", "orange"]] = {"green": "green", "orange": "orange", "centre": "orange"}
"""What a space asks for, by its kind; the centre of a ring counts as orange."""


class Walk(NamedTuple):
    """A move to a space. It `leaves` the Big Bang if it starts there or passes through; it comes `home` if it reaches
    the Big Bang at the end of a lap, even if it goes on."""

    leaves: bool = False
    home: bool = False


class Routes(Struct, frozen=True, eq=False):
    """The spaces of a board, by their function.

    `lap` starts with the Big Bang. `rings` and `centres` are by the name of the ring, and `steps` are the edges of the
    graph. `entry` leads from an arrow into a ring, `exit` from a hole out of a ring, and `wormholes` from one end to
    the other. `loop` is the space and roll whose move would never end, and `beyond` is the region that a jump from the
    left ring leads to. `spots` are the spaces of each card value."""

    start: str
    lap: tuple[str, ...]
    rings: Mapping[str, tuple[str, ...]]
    centres: Mapping[str, str]
    kinds: Mapping[str, str]
    regions: Mapping[str, str]
    steps: Mapping[str, tuple[str, ...]]
    entry: Mapping[str, str]
    exit: Mapping[str, str]
    wormholes: Mapping[str, str]
    loop: tuple[str, int]
    beyond: str
    spots: Mapping[int, tuple[str, ...]]
    ring_of: Mapping[str, str]
    _walks: dict[tuple[str, int], Mapping[str, Walk]] = field(default_factory=dict)

    def asks(self, space: str) -> str:
        """`green`, `orange` or an empty text."""
        return DEMANDS.get(self.kinds[space], "")

    def sends_back(self, space: str) -> bool:
        """Whether a pawn that lands here goes back to the Big Bang."""
        return self.kinds[space] == "first"

    def space_name(self, space: str) -> str:
        """The name of a space in a message."""
        return "the Big Bang" if space == self.start else space

    def on_space(self, space: str) -> str:
        """The place of a pawn in a message."""
        return "in the Big Bang" if space == self.start else f"on {space}"

    def walks(self, space: str, roll: int) -> Mapping[str, Walk]:
        """Every space that a roll leads to, and the move there."""
        walks = self._walks.get((space, roll))
        if walks is None:
            walks = self._walks[space, roll] = dict(_walks(self, space, roll))
        return walks

    def jump(self, space: str, card: int) -> str:
        """Where a jump with a card leads: to the nearest space of the card. From the left ring it leads to the region
        above the right ring, to the first space there if no space of the card is in that region."""
        spots = self.spots[card]
        if self.ring_of.get(space) == "left" and self.beyond:
            spots = tuple(spot for spot in spots if self.regions[spot] == self.beyond)
            spots = spots or (next(spot for spot in self.lap if self.regions[spot] == self.beyond),)
        return min(spots, key=lambda spot: self.distance(space, spot)) if len(spots) > 1 else spots[0]

    def distance(self, space: str, spot: str) -> tuple[int, int]:
        """The distance to a space for comparison: the fewest steps along the track, then the steps forward."""
        if space in self.lap and spot in self.lap:
            forward = (self.lap.index(spot) - self.lap.index(space)) % len(self.lap)
            return min(forward, len(self.lap) - forward), forward
        return _steps_between(self, space, spot), self.lap.index(spot) if spot in self.lap else 0


def routes(board: Board, cards: tuple[Card, ...], numbers: Mapping[str, Any]) -> Routes:
    """The routes on a board. `cards` determine the space of each value; `numbers` are the rules in game.yaml."""
    curved, start = numbers["curved"], numbers["start"]
    (track,) = board.definition.tracks.values()
    rings = {name: tuple(ring.spaces) for name, ring in board.definition.rings.items()}
    kinds = {name: space.kind for name, space in board.spaces.items()}
    steps = {name: board.steps(name) for name in board.spaces}
    centres = {
        name: next((step for step in steps[ring[0]] if kinds[step] == "centre"), "") for name, ring in rings.items()
    }
    return Routes(
        start,
        (start, *track.spaces),
        rings,
        centres,
        kinds,
        {name: space.region for name, space in board.spaces.items()},
        steps,
        _entries(board, rings),
        curved["exit"],
        curved["wormholes"],
        (curved["loop"]["from"], curved["loop"]["roll"]),
        curved["region"].get("right", ""),
        _spots(board, cards),
        {space: name for name, ring in rings.items() for space in ring},
    )


def _entries(board: Board, rings: Mapping[str, tuple[str, ...]]) -> Mapping[str, str]:
    """The space of a ring that each arrow points to."""
    inside = {space for ring in rings.values() for space in ring}
    return {
        edge.start: edge.end for edge in board.edges if board.spaces[edge.start].kind == "arrow" and edge.end in inside
    }


def _spots(board: Board, cards: tuple[Card, ...]) -> Mapping[int, tuple[str, ...]]:
    """The spaces of each value: those that name a card with this value, otherwise the space that the card names."""
    values = {card.id: card.number for card in cards}
    spots: dict[int, tuple[str, ...]] = {}
    for name, space in board.spaces.items():
        if space.values.get("card") in values:
            value = values[space.values["card"]]
            spots[value] = (*spots.get(value, ()), name)
    return {card.number: (card.space,) for card in cards} | spots


# ---- walking ------------------------------------------------------------------------------------------------------


class _At(NamedTuple):
    """A pawn during a move: its space, the steps left, and the previous space (empty at the start)."""

    here: str
    left: int
    before: str
    walk: Walk


def _walks(routes: Routes, space: str, roll: int) -> Iterator[tuple[str, Walk]]:
    if (space, roll) == routes.loop:
        yield routes.start, Walk()
        return
    waiting = [_At(routes.wormholes.get(space, space), roll, "", Walk())]
    while waiting:
        at = waiting.pop()
        if not at.left:
            yield at.here, at.walk
            continue
        for step in _onward(routes, at):
            walk = Walk(at.walk.leaves or at.here == routes.start, at.walk.home or step == routes.start)
            waiting.append(_At(step, at.left - 1, at.here, walk))


def _onward(routes: Routes, at: _At) -> tuple[str, ...]:
    """The spaces that the next step may lead to. In a ring, a pawn may go either way round but not back, leaves through
    the exit if it passes it, and may enter the centre with the last step."""
    here, begins = at.here, not at.before
    if begins and here in routes.entry:
        return (routes.entry[here],)
    if here in routes.ring_of:
        return _onward_in_ring(routes, at)
    if here in routes.centres.values():
        return tuple(step for step in routes.steps[here] if step in routes.ring_of)
    return (routes.lap[(routes.lap.index(here) + 1) % len(routes.lap)],)


def _onward_in_ring(routes: Routes, at: _At) -> tuple[str, ...]:
    name = routes.ring_of[at.here]
    ring, centre = routes.rings[name], routes.centres[name]
    place = ring.index(at.here)
    around = [ring[(place + 1) % len(ring)], ring[place - 1]] if not (at.before and at.here in routes.exit) else []
    out = [routes.exit[at.here]] if at.here in routes.exit else []
    middle = [centre] if centre and at.left == 1 else []
    return tuple(dict.fromkeys(step for step in (*around, *out, *middle) if step != at.before))


def _steps_between(routes: Routes, start: str, end: str) -> int:
    """The fewest steps between two spaces along edges in either direction (breadth-first search); the number of spaces
    if they are not connected."""
    both: dict[str, set[str]] = {name: set(steps) for name, steps in routes.steps.items()}
    for name, steps in routes.steps.items():
        for step in steps:
            both[step].add(name)
    distances, waiting = {start: 0}, deque([start])
    while waiting:
        here = waiting.popleft()
        for step in both[here] - distances.keys():
            distances[step] = distances[here] + 1
            waiting.append(step)
    return distances.get(end, len(both))
