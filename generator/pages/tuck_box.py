"""The net of a tuck box for a deck, glued along one side and at the bottom; its lid tucks in behind the front. That of
a sleeve, which has neither lid nor bottom. And that of a band: a strip folded over the top edge of a pad, which hides
its staples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import radians, tan

from ..fast_dataclasses import dataclass
from ..geometry import polygons
from ..geometry.frame import Frame
from ..geometry.polygons import Point, Polygon
from .nets import Fold, Join, Net, Panel, draw_net

CLEARANCE = 1.0
BOARD = 0.3
"""The thickness of the card stock of the box, in mm."""
FLANK = 60.0
"""Degrees between the base of a glue tab and its slanted edges."""
SHALLOWEST = 4.0
"""The smallest depth of a box in mm, for tabs that can be folded; a smaller stack has some room in its box."""
_EASE = 0.6
"""How much is taken off each end of a flap that slides in, in mm."""


@dataclass(frozen=True, slots=True)
class BoxSize:
    """The size of a box from fold to fold: `width` × `height` is its front, `depth` its sides. `inner` is the room
    inside (width, height, depth), which is smaller by the layers of card."""

    width: float
    height: float
    depth: float
    inner: tuple[float, float, float]


def tuck_box_size(
    card: tuple[float, float], count: int, stock: float, *, clearance: float = CLEARANCE, board: float = BOARD
) -> BoxSize:
    """The size of a tuck box for `count` cards of size `card` (width, height), each `stock` mm thick, with `clearance`
    in each direction. Half a layer of card (of thickness `board`) is inside each fold line. The depth has room for the
    side tab behind the front, or the flap of the lid; the height has room for the dust flaps under the lid and
    bottom."""
    width, height = card[0] + clearance, card[1] + clearance
    depth = max(count * stock + clearance, SHALLOWEST - 2 * board)
    return room_box_size((width, height, depth), board=board)


def room_box_size(room: tuple[float, float, float], *, board: float = BOARD) -> BoxSize:
    """The size of a tuck box with this width, height and depth inside."""
    width, height, depth = room
    return BoxSize(width + board, height + 3 * board, depth + 2 * board, room)


def panel_sizes(width: float, height: float, depth: float) -> Mapping[str, tuple[float, float]]:
    """The width and height of the face of each panel, as you see it on the standing box: the top with the front towards
    you, the bottom with the front above it."""
    return {
        "front": (width, height),
        "back": (width, height),
        "left": (depth, height),
        "right": (depth, height),
        "top": (width, depth),
        "bottom": (width, depth),
    }


def box_net(
    width: float,
    height: float,
    depth: float,
    panels: Mapping[str, Frame],
    *,
    tab: float | None = None,
    notch: float | None = None,
    name: str = "tuck box",
) -> Net:
    """The net of a tuck box with these sizes from fold to fold (`tuck_box_size`). `panels` are frames for any panels of
    `panel_sizes`. `tab` is the depth of the glue tabs (default: up to 10 mm), `notch` the radius of the thumb notch in
    the front (0: none).

    Raises ValueError for a box that is too small, an unknown panel or a frame of the wrong size."""
    unknown = panels.keys() - panel_sizes(width, height, depth)
    if unknown:
        raise ValueError(f"a tuck box has no panel {', '.join(sorted(unknown))}")
    plan = _Plan(
        width,
        height,
        depth,
        min(10.0, width / 3, height / 4) if tab is None else tab,
        min(9.0, width / 5, height / 6) if notch is None else notch,
    )
    plan.check()
    turns = {"top": 180}
    return draw_net(
        name,
        list(plan.panels()),
        list(plan.folds()),
        _JOINS,
        {panel: (frame, turns.get(panel, 0)) for panel, frame in panels.items()},
    )


_JOINS = (
    Join("side tab", "front"),
    Join("bottom dust right", "bottom"),
    Join("bottom dust left", "bottom"),
    Join("bottom tab", "back"),
    Join("tuck", "front", glued=False),
    Join("dust right", "top", glued=False),
    Join("dust left", "top", glued=False),
)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The flat box: front, right, back and left in a strip from (0, 0), with the lid on the back and the bottom on the
    front."""

    width: float
    height: float
    depth: float
    tab: float
    notch: float

    def check(self) -> None:
        limits = {"width": (self.width, 15.0), "height": (self.height, 15.0), "depth": (self.depth, SHALLOWEST)}
        for side, (length, minimum) in limits.items():
            if length < minimum:
                raise ValueError(f"a tuck box needs a {side} of {minimum:g} mm, has {length:.1f} mm")
        if not 0 < self.tab < min(self.width / 2, self.height / 3) or not 0 <= self.notch < self.width / 3:
            raise ValueError(f"a tab of {self.tab:g} mm or a notch of {self.notch:g} mm is too large for the box")

    @property
    def _ends(self) -> tuple[float, float, float, float]:
        """Right edges of front, right, back and left."""
        width, depth = self.width, self.depth
        return width, width + depth, 2 * width + depth, 2 * width + 2 * depth

    @property
    def _tuck(self) -> float:
        """The length of the lid's flap."""
        return min(max(0.8 * self.depth, 10.0), 16.0, self.height / 3)

    @property
    def _bottom_tab(self) -> float:
        return min(self.tab, self.height / 4)

    @property
    def _dust(self) -> float:
        """The length of the dust flaps, which together reach nearly across."""
        return min(max(0.8 * self.depth, 12.0), 0.48 * self.width)

    def panels(self) -> Iterator[Panel]:
        width, height, depth = self.width, self.height, self.depth
        a, b, c, d = self._ends
        yield Panel("front", self._front())
        yield Panel("right", polygons.box(a, 0, depth, height))
        yield Panel("back", polygons.box(b, 0, width, height))
        yield Panel("left", polygons.box(c, 0, depth, height))
        yield Panel("side tab", _tab((d, 0), (d, height), self.tab))
        yield Panel("top", polygons.box(b, -depth, width, depth))
        yield Panel("tuck", self._tuck_flap())
        yield Panel("bottom", polygons.box(0, height, width, depth))
        yield Panel("bottom tab", _tab((width - _EASE, height + depth), (_EASE, height + depth), self._bottom_tab))
        for side, left, right in ("right", a, b), ("left", c, d):
            yield Panel(f"dust {side}", _flap((left + _EASE, 0), (right - _EASE, 0), self._dust))
            yield Panel(f"bottom dust {side}", _flap((right - _EASE, height), (left + _EASE, height), self._dust))

    def _front(self) -> Polygon:
        return _notched(0, self.width, self.height, self.notch)

    def _tuck_flap(self) -> Polygon:
        left, right, base = self._ends[1] + _EASE, self._ends[2] - _EASE, -self.depth
        radius = min(0.8 * self._tuck, self.width / 4)
        end = base - self._tuck
        return (
            (left, base),
            *polygons.arc(left + radius, end + radius, radius, 180, 270),
            *polygons.arc(right - radius, end + radius, radius, 270, 360),
            (right, base),
        )

    def folds(self) -> Iterator[Fold]:
        width, height, depth = self.width, self.height, self.depth
        a, b, c, d = self._ends
        yield Fold("front", "right", (a, 0), (a, height))
        yield Fold("right", "back", (b, 0), (b, height))
        yield Fold("back", "left", (c, 0), (c, height))
        yield Fold("left", "side tab", (d, 0), (d, height))
        yield Fold("back", "top", (b, 0), (c, 0))
        yield Fold("top", "tuck", (b + _EASE, -depth), (c - _EASE, -depth))
        yield Fold("front", "bottom", (0, height), (width, height))
        yield Fold("bottom", "bottom tab", (_EASE, height + depth), (width - _EASE, height + depth))
        for side, left, right in ("right", a, b), ("left", c, d):
            yield Fold(side, f"dust {side}", (left + _EASE, 0), (right - _EASE, 0))
            yield Fold(side, f"bottom dust {side}", (left + _EASE, height), (right - _EASE, height))


def _notched(left: float, width: float, height: float, notch: float) -> Polygon:
    """A panel with a thumb notch in its upper edge, or none if its radius is 0."""
    arc = polygons.arc(left + width / 2, 0, notch, 180, 0) if notch else ()
    return (left, 0), *arc, (left + width, 0), (left + width, height), (left, height)


def _tab(start: Point, end: Point, depth: float) -> Polygon:
    """A glue tab on the side of a panel from `start` to `end` (clockwise), with edges at FLANK degrees."""
    inset = depth / tan(radians(FLANK))
    return _trapezium(start, end, depth, inset)


def _flap(start: Point, end: Point, length: float) -> Polygon:
    """A dust flap with two corners cut off at 45 degrees, so that it slides in easily."""
    cut = min(length / 2, abs(end[0] - start[0]) / 4)
    left, right = _trapezium(start, end, length - cut, 0)[1:3]
    return start, left, *_trapezium(left, right, cut, cut)[1:3], right, end


def _trapezium(start: Point, end: Point, depth: float, inset: float) -> Polygon:
    """A trapezium on a horizontal or vertical side, outwards (to its left)."""
    (x1, y1), (x2, y2) = start, end
    along = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
    out = depth * along[1], -depth * along[0]
    return (
        start,
        (x1 + inset * along[0] + out[0], y1 + inset * along[1] + out[1]),
        (x2 - inset * along[0] + out[0], y2 - inset * along[1] + out[1]),
        end,
    )


# ---- sleeves


def sleeve_size(room: tuple[float, float, float], *, board: float = BOARD) -> tuple[float, float, float]:
    """The width, height and depth from fold to fold of a sleeve with this room inside."""
    width, height, depth = room
    return width + board, height, depth + 2 * board


def sleeve_panels(width: float, height: float, depth: float) -> Mapping[str, tuple[float, float]]:
    """The width and height of the face of each panel."""
    whole = panel_sizes(width, height, depth)
    return {side: whole[side] for side in ("front", "back", "left", "right")}


def sleeve_net(width: float, height: float, depth: float, panels: Mapping[str, Frame], *, name: str = "sleeve") -> Net:
    """The net of a sleeve with these sizes from fold to fold, open at the top and at the bottom, with a thumb notch in
    its front and back. `panels` are frames for any panels of `sleeve_panels`.

    Raises ValueError for a sleeve that is too small, an unknown panel or a frame of the wrong size."""
    if unknown := panels.keys() - sleeve_panels(width, height, depth):
        raise ValueError(f"a sleeve has no panel {', '.join(sorted(unknown))}")
    for side, given, least in ("width", width, 15.0), ("height", height, 15.0), ("depth", depth, SHALLOWEST):
        if given < least:
            raise ValueError(f"a sleeve needs a {side} of {least:g} mm, has {given:.1f} mm")
    notch, tab = min(9.0, width / 5, height / 6), min(10.0, width / 3, height / 4)
    a, b, c, d = width, width + depth, 2 * width + depth, 2 * (width + depth)
    return draw_net(
        name,
        [
            Panel("front", _notched(0, width, height, notch)),
            Panel("right", polygons.box(a, 0, depth, height)),
            Panel("back", _notched(b, width, height, notch)),
            Panel("left", polygons.box(c, 0, depth, height)),
            Panel("side tab", _tab((d, 0), (d, height), tab)),
        ],
        [
            Fold(one, other, (x, 0), (x, height))
            for one, other, x in (
                ("front", "right", a),
                ("right", "back", b),
                ("back", "left", c),
                ("left", "side tab", d),
            )
        ],
        [Join("side tab", "front")],
        {panel: (frame, 0) for panel, frame in panels.items()},
    )


# ---- bands


def band_panels(width: float, height: float, depth: float) -> Mapping[str, tuple[float, float]]:
    """The width and height of the face of each panel; the top is the spine."""
    return {"front": (width, height), "top": (width, depth), "back": (width, height)}


def band_net(width: float, height: float, depth: float, panels: Mapping[str, Frame], *, name: str = "band") -> Net:
    """The net of a band `width` mm long for a pad `depth` mm thick, whose front and back are `height` mm high. `panels`
    are frames for any panels of `band_panels`.

    Raises ValueError for an unknown panel or a frame of the wrong size."""
    if unknown := panels.keys() - band_panels(width, height, depth):
        raise ValueError(f"a band has no panel {', '.join(sorted(unknown))}")
    return draw_net(
        name,
        [
            Panel("front", polygons.box(0, depth, width, height)),
            Panel("top", polygons.box(0, 0, width, depth)),
            Panel("back", polygons.box(0, -height, width, height)),
        ],
        [Fold("front", "top", (0, depth), (width, depth)), Fold("top", "back", (0, 0), (width, 0))],
        (),
        {panel: (frame, 180 if panel == "back" else 0) for panel, frame in panels.items()},
    )
