"""The parts of a net: flat panels, the folds between them, and what is joined to what once it is folded.

A net is seen from its printed side, which folding leaves outside. Millimetres, y down, the net's box begins at (0, 0).
"""

from __future__ import annotations

from dataclasses import dataclass

from .frame import Shape
from .page import Placed
from .polygons import Point, Polygon


@dataclass(frozen=True, slots=True)
class Panel:
    """A flat part of a net that stays flat: its corners, clockwise as seen."""

    name: str
    outline: Polygon


@dataclass(frozen=True, slots=True)
class Fold:
    """The edge from `start` to `end` between two panels. `child` is folded back by `angle` degrees, away from the one
    who looks at the print: 0 leaves it flat, 90 makes the corner of a box."""

    parent: str
    child: str
    start: Point
    end: Point
    angle: float = 90.0


@dataclass(frozen=True, slots=True)
class Join:
    """A flap that lies behind another panel in the folded thing, glued there with its printed side, or tucked in."""

    flap: str
    panel: str
    glued: bool = True


@dataclass(frozen=True, slots=True)
class Net:
    """A net as it is printed (faces, then glue areas, score and cut lines on top of them) and as it is folded. The
    first panel is the one that stays where it is."""

    name: str
    width: float
    height: float
    placed: tuple[Placed, ...]
    cuts: tuple[Shape, ...]
    scores: tuple[Shape, ...]
    glue: tuple[Shape, ...]
    panels: tuple[Panel, ...]
    folds: tuple[Fold, ...]
    joins: tuple[Join, ...]

    def panel(self, name: str) -> Panel:
        return next(panel for panel in self.panels if panel.name == name)
