"""Where rolls and jumps lead from each space, and what a space asks for.

Moves and jumps follow the graph of the board and `curved` under `rules` in game.yaml. The code does not name any space,
so it also works for a smaller or shuffled board.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from ...errors import InputError, Problem
from ...model.board import Board
from ...model.game import Card, Game

BOARD, CARDS = "board", "cards"
DEMANDS: Mapping[str, Literal["green", "orange"]] = {"green": "green", "orange": "orange", "centre": "orange"}
"""What a space asks for, by its kind; the centre of a ring counts as orange."""


class Walk(Struct, frozen=True):
    """A move to a space. It `leaves` the Big Bang if it starts there or passes through; it comes `home` if it reaches
    the Big Bang at the end of a lap, even if it goes on."""

    leaves: bool = False
    home: bool = False


class Routes:
    """The spaces of a board, by their function.

    `lap` starts with the Big Bang. `rings` and `centres` are by the name of the ring. `entry` leads from an arrow into
    a ring, `exit` from a hole out of a ring, and `wormholes` from one end to the other. `loop` is the space and roll
    whose move would never end, and `beyond` is the region that a jump from the left ring leads to. `spots` are the
    spaces of each card value: those that name a card with this value, otherwise the space that the card names."""

    def __init__(self, board: Board, cards: Sequence[Card], numbers: Mapping[str, Any]) -> None:
        curved, values = numbers["curved"], {card.id: card.number for card in cards}
        (track,) = board.definition.tracks.values()
        self.start: str = numbers["start"]
        self.lap = (self.start, *track.spaces)
        self.kinds = {name: space.kind for name, space in board.spaces.items()}
        self.regions = {name: space.region for name, space in board.spaces.items()}
        self.steps = {name: board.steps(name) for name in board.spaces}
        self.rings = {name: tuple(ring.spaces) for name, ring in board.definition.rings.items()}
        self.ring_of = {space: name for name, ring in self.rings.items() for space in ring}
        self.centres = {
            name: next((step for step in self.steps[ring[0]] if self.kinds[step] == "centre"), "")
            for name, ring in self.rings.items()
        }
        self.entry = {
            edge.start: edge.end
            for edge in board.edges
            if self.kinds[edge.start] == "arrow" and edge.end in self.ring_of
        }
        self.exit: Mapping[str, str] = curved["exit"]
        self.wormholes: Mapping[str, str] = curved["wormholes"]
        self.loop = (curved["loop"]["from"], curved["loop"]["roll"])
        self.beyond: str = curved["region"].get("right", "")
        named: dict[int, tuple[str, ...]] = {}
        for name, space in board.spaces.items():
            if (card := space.values.get("card")) in values:
                named[values[card]] = (*named.get(values[card], ()), name)
        self.spots = {card.number: (card.space,) for card in cards} | named
        self._walks: dict[tuple[str, int], Mapping[str, Walk]] = {}

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
        """Every space that a roll leads to, and the move there. Remembered, because simulated players ask for it
        before every move."""
        if (space, roll) not in self._walks:
            start = self.wormholes.get(space, space)
            ends = [(self.start, Walk())] if (space, roll) == self.loop else self._ends(start, roll, "", Walk())
            self._walks[space, roll] = dict(ends)
        return self._walks[space, roll]

    def _ends(self, here: str, left: int, before: str, walk: Walk) -> Iterator[tuple[str, Walk]]:
        """Where a pawn may stop that has some steps left. `before` is its previous space, empty at the start."""
        if not left:
            yield here, walk
            return
        for step in reversed(self._onward(here, left, before)):
            onward = Walk(walk.leaves or here == self.start, walk.home or step == self.start)
            yield from self._ends(step, left - 1, here, onward)

    def _onward(self, here: str, left: int, before: str) -> tuple[str, ...]:
        """The spaces that the next step may lead to. In a ring, a pawn may go either way round but not back, leaves
        through the exit if it passes it, and may enter the centre with the last step."""
        if not before and here in self.entry:
            return (self.entry[here],)
        if here in self.ring_of:
            ring, centre = self.rings[self.ring_of[here]], self.centres[self.ring_of[here]]
            place, out = ring.index(here), [self.exit[here]] if here in self.exit else []
            around = [] if before and out else [ring[(place + 1) % len(ring)], ring[place - 1]]
            middle = [centre] if centre and left == 1 else []
            return tuple(dict.fromkeys(step for step in (*around, *out, *middle) if step != before))
        if here in self.centres.values():
            return tuple(step for step in self.steps[here] if step in self.ring_of)
        return (self.lap[(self.lap.index(here) + 1) % len(self.lap)],)

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
        return self._steps_between(space, spot), self.lap.index(spot) if spot in self.lap else 0

    def _steps_between(self, start: str, end: str) -> int:
        """The fewest steps between two spaces along edges in either direction (breadth-first search); the number of
        spaces if they are not connected."""
        distances, waiting = {start: 0}, deque([start])
        while waiting:
            here = waiting.popleft()
            for step in [step for step in self.steps if step in self.steps[here] or here in self.steps[step]]:
                if step not in distances:
                    distances[step] = distances[here] + 1
                    waiting.append(step)
        return distances.get(end, len(self.steps))


def routes(game: Game) -> Routes:
    """The routes on the board of a game. Raises InputError for spaces in game.yaml that the board does not have."""
    board, curved = game.components[BOARD].board, game.rules["curved"]
    assert board
    exits, wormholes = curved["exit"], curved["wormholes"]
    named = {
        "start": [game.rules["start"]],
        "curved": [*exits, *exits.values(), *wormholes, *wormholes.values(), curved["loop"]["from"]],
    }
    nodes: Mapping[str, Any] = game.definition.rules
    problems = [
        Problem(f"“rules.{key}” names the space “{space}”, which is not on the board", nodes[key].place)
        for key, spaces in named.items()
        for space in dict.fromkeys(spaces)
        if space not in board.spaces
    ]
    if problems:
        raise InputError(problems)
    return Routes(board, game.components[CARDS].cards, game.rules)
