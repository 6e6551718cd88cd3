"""The net of an open tray, such as one to roll dice in: a floor and four walls of two layers. Its print is inside; the
outer layers are folded down over the rim, so that their print is outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import radians, tan

from ..fast_dataclasses import dataclass
from ..geometry import polygons
from ..geometry.frame import Frame
from ..geometry.polygons import Point, Polygon
from .nets import Fold, Join, Net, Panel, draw_net
from .tuck_box import FLANK

LEAST_FLOOR = 30.0
LEAST_RIM = 8.0
"""The smallest sides of the floor and the smallest height of the walls, in mm, for tabs that hold."""
MAX_TAB = 14.0
SIDES = ("back", "right", "front", "left")
"""The walls, clockwise as seen from above; the front is nearest to the reader."""
_TURNS = {"back": 0, "right": 90, "front": 180, "left": 270}
"""How far the inside of each wall is turned in the net, so that it is upright when the tray stands."""


def tray_panels(width: float, length: float, rim: float) -> Mapping[str, tuple[float, float]]:
    """The width and height of the face of each panel of a tray, as you see it: the floor from above, both layers of
    each wall upright."""
    across = {"back": width, "right": length, "front": width, "left": length}
    return {
        "floor": (width, length),
        **{f"inside-{side}": (across[side], rim) for side in SIDES},
        **{f"outside-{side}": (across[side], rim) for side in SIDES},
    }


def tray_net(width: float, length: float, rim: float, panels: Mapping[str, Frame], *, name: str = "tray") -> Net:
    """The net of a tray with a floor of `width` × `length` mm and walls `rim` mm high. `panels` are frames for any
    panels of `tray_panels`. Tabs beside the back and front are glued between the two layers of the other walls.

    Raises ValueError for a tray that is too small, an unknown panel or a frame of the wrong size."""
    if unknown := panels.keys() - tray_panels(width, length, rim):
        raise ValueError(f"a tray has no panel {', '.join(sorted(unknown))}")
    plan = _Plan(width, length, rim)
    plan.check()
    return draw_net(
        name,
        list(plan.panels()),
        list(plan.folds()),
        [Join(f"tab {wall} {side}", f"inside-{side}") for wall, side in _TABS],
        {panel: (frame, _turn(panel)) for panel, frame in panels.items()},
    )


_TABS = (("back", "left"), ("back", "right"), ("front", "left"), ("front", "right"))
"""The wall that each tab is cut with, and the wall that it is glued to."""


def _turn(panel: str) -> int:
    if panel == "floor":
        return 0
    layer, _, side = panel.partition("-")
    return (_TURNS[side] + (180 if layer == "outside" else 0)) % 360


@dataclass(frozen=True, slots=True)
class _Plan:
    """The flat tray: the floor from (0, 0), and beyond each of its sides the inside and the outside of a wall."""

    width: float
    length: float
    rim: float

    def check(self) -> None:
        limits = {
            "floor": (min(self.width, self.length), LEAST_FLOOR),
            "rim": (self.rim, LEAST_RIM),
        }
        for what, (given, least) in limits.items():
            if given < least:
                raise ValueError(f"a tray needs a {what} of {least:g} mm, has {given:.1f} mm")

    @property
    def _tab(self) -> float:
        """How far a tab reaches along the wall that it is glued to."""
        return min(MAX_TAB, 0.8 * self.rim, 0.4 * self.length)

    def _strip(self, side: str, layer: int) -> Polygon:
        """A layer of a wall: 0 is inside, 1 outside."""
        near, far = layer * self.rim, (layer + 1) * self.rim
        width, length = self.width, self.length
        return {
            "back": polygons.box(0, -far, width, self.rim),
            "front": polygons.box(0, length + near, width, self.rim),
            "left": polygons.box(-far, 0, self.rim, length),
            "right": polygons.box(width + near, 0, self.rim, length),
        }[side]

    def _edge(self, side: str, away: float) -> tuple[Point, Point]:
        """The line along a side of the floor, `away` mm outside it."""
        width, length = self.width, self.length
        return {
            "back": ((0.0, -away), (width, -away)),
            "front": ((0.0, length + away), (width, length + away)),
            "left": ((-away, 0.0), (-away, length)),
            "right": ((width + away, 0.0), (width + away, length)),
        }[side]

    def panels(self) -> Iterator[Panel]:
        yield Panel("floor", polygons.box(0, 0, self.width, self.length))
        for side in SIDES:
            yield Panel(f"inside-{side}", self._strip(side, 0))
            yield Panel(f"outside-{side}", self._strip(side, 1))
        for wall, side in _TABS:
            yield Panel(f"tab {wall} {side}", self._tab_of(wall, side))

    def _tab_of(self, wall: str, side: str) -> Polygon:
        x, out = (0.0, -self._tab) if side == "left" else (self.width, self._tab)
        top = -self.rim if wall == "back" else self.length
        bottom, inset = top + self.rim, min(self._tab / tan(radians(FLANK)), 0.25 * self.rim)
        corners = (x, top), (x + out, top + inset), (x + out, bottom - inset), (x, bottom)
        return corners if side == "right" else corners[::-1]

    def folds(self) -> Iterator[Fold]:
        for side in SIDES:
            yield Fold("floor", f"inside-{side}", *self._edge(side, 0), -90)
            yield Fold(f"inside-{side}", f"outside-{side}", *self._edge(side, self.rim), 180)
        for wall, side in _TABS:
            x, top = 0.0 if side == "left" else self.width, -self.rim if wall == "back" else self.length
            yield Fold(f"inside-{wall}", f"tab {wall} {side}", (x, top), (x, top + self.rim), -90)
