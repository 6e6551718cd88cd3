"""The referee's own map of the board: where a roll leads. It shares no code with the judge."""

from pathlib import Path

import yaml

BOARD = yaml.safe_load((Path(__file__).parents[3] / "data/cosmic_consequences/board.yaml").read_text("utf-8"))
HOLES = {"left": "left-1", "right": "right-1"}
ARROWS = {"is-2": "left-7", "weak-5": "right-7"}
TUBES = {"left-2": "right-3", "right-2": "left-3"}


class Map:
    """Where pawns can go on the board."""

    def __init__(self, board=BOARD):
        self.line = ["big-bang", *board["tracks"]["lap"]["spaces"]]
        self.rings = {name: list(ring["spaces"]) for name, ring in board["rings"].items()}
        self.kind = {"big-bang": "big-bang", **{f"{side}-centre": "centre" for side in self.rings}}
        self.card_at = {}
        for name, space in board["tracks"]["lap"]["spaces"].items():
            self.kind[name] = space["kind"]
            if "card" in space.get("fields", {}):
                self.card_at.setdefault(space["fields"]["card"], []).append(name)
        for ring in board["rings"].values():
            for name, space in ring["spaces"].items():
                self.kind[name] = (space or {}).get("kind", "curved")

    def ring(self, space):
        return next((name for name, ring in self.rings.items() if space in ring), None)

    def ends(self, space, roll):
        """Every end of a move, with the path to it: the spaces after the first."""
        if (space, roll) == ("left-5", 4):
            return {"big-bang": None}
        if space in TUBES:
            return self.turn_in(TUBES[space].partition("-")[0], TUBES[space], roll)
        if space in ARROWS:
            return self.after(ARROWS[space].partition("-")[0], ARROWS[space], roll)
        if space.endswith("-centre"):
            return self.from_centre(space.partition("-")[0], roll)
        if self.ring(space):
            return self.turn_in(self.ring(space), space, roll)
        place = self.line.index(space)
        way = [self.line[(place + step) % len(self.line)] for step in range(1, roll + 1)]
        return {way[-1]: way}

    def from_centre(self, side, roll):
        ends = {}
        for first in self.rings[side]:
            ends.update(self.after(side, first, roll))
        if roll == 2:
            del ends[f"{side}-centre"]
        return ends

    def after(self, side, first, roll):
        """The ends of a move whose first step leads into a ring."""
        if roll == 1:
            return {first: [first]}
        if first == HOLES[side]:
            out = self.outside(side, roll - 1)
            return {out[-1]: out, **({f"{side}-centre": [f"{side}-centre"]} if roll == 2 else {})}
        return self.turn_in(side, first, roll - 1)

    def outside(self, side, steps):
        begin = self.line.index({"left": "em-1", "right": "bh-1"}[side])
        return (self.line[begin:] + self.line)[:steps]

    def turn_in(self, side, space, roll):
        ends = {}
        if space == HOLES[side]:
            out = self.outside(side, roll)
            ends[out[-1]] = out
        return ends | self.round(side, space, roll, 1) | self.round(side, space, roll, -1)

    def round(self, side, space, roll, way):
        """The ends of a move one way round: on the ring, out through the hole, or in the centre with the last step."""
        ring, hole, centre = self.rings[side], HOLES[side], f"{side}-centre"
        path = [ring[(ring.index(space) + way * step) % 8] for step in range(1, roll + 1)]
        ends = {} if hole in path[:-2] else {centre: [*path[:-1], centre]}
        if hole in path[:-1]:
            inside = path[: path.index(hole) + 1]
            path = inside + self.outside(side, roll - len(inside))
        return {path[-1]: path, **ends}
