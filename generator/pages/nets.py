"""Nets: flat panels and the folds between them, how they fold up, and their cut and score lines.

A net is seen from its printed side, which ends up outside. Millimetres, y down; the net starts at (0, 0). Cut lines are
solid, and glue areas hatched, with a drop in the middle. Folds of blank panels are dashed. Those of faces, where a line
would remain visible, run from corner to corner, and have ticks outside the net where they end beside free paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import cos, hypot, radians, sin
from typing import TypeAlias

from ..fast_dataclasses import dataclass
from ..geometry import polygons
from ..geometry.frame import Frame, Placed, Shape, edged
from ..geometry.outlines import Path, Segment, line
from ..geometry.polygons import (
    Point,
    Polygon,
    distance_to_line,
    middle,
    share_along,
    sides,
)


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a net that stays flat: its corners, clockwise as seen."""

    name: str
    outline: Polygon


@dataclass(frozen=True, slots=True)
class Fold:
    """The edge from `start` to `end` between two panels. `child` is folded back by `angle` degrees, away from the
    viewer of the print: 0 leaves it flat, 90 makes the corner of a box."""

    parent: str
    child: str
    start: Point
    end: Point
    angle: float = 90.0


@dataclass(frozen=True, slots=True)
class Join:
    """A flap that ends up behind another panel, glued to it by its printed side or only tucked in."""

    flap: str
    panel: str
    glued: bool = True


@dataclass(frozen=True, slots=True)
class Net:
    """A net as it is printed (faces, and on top of them glue areas, score and cut lines) and as it is folded. The first
    panel keeps its place when the net is folded."""

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


# ---- folding; z points away from the viewer of the flat print

Point3: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Pose:
    """The pose of a folded panel: where the net's origin is now, and the new directions of x, y and the back."""

    origin: Point3 = (0.0, 0.0, 0.0)
    right: Point3 = (1.0, 0.0, 0.0)
    down: Point3 = (0.0, 1.0, 0.0)
    behind: Point3 = (0.0, 0.0, 1.0)

    def point(self, x: float, y: float, z: float = 0.0) -> Point3:
        """The new position of a point of the flat net; `z` runs from the print towards its back."""
        a, b, c = (
            o + x * r + y * d + z * k
            for o, r, d, k in zip(self.origin, self.right, self.down, self.behind, strict=True)
        )
        return a, b, c

    def direction(self, x: float, y: float, z: float) -> Point3:
        a, b, c = (x * r + y * d + z * k for r, d, k in zip(self.right, self.down, self.behind, strict=True))
        return a, b, c


def fold(net: Net) -> Mapping[str, tuple[Point3, ...]]:
    """The corners of every panel of the folded net, by panel name."""
    pose_of = poses(net.panels, net.folds)
    return {panel.name: tuple(pose_of[panel.name].point(x, y) for x, y in panel.outline) for panel in net.panels}


def poses(panels: Iterable[Panel], folds: Iterable[Fold]) -> dict[str, Pose]:
    """The pose of every panel; the first one does not move. Raises ValueError unless folds lead to every panel."""
    by_name = {panel.name: panel for panel in panels}
    result, pending = {next(iter(by_name)): Pose()}, list(folds)
    while pending:
        ready = [fold for fold in pending if fold.parent in result]
        if not ready:
            raise ValueError(f"no fold leads to {', '.join(fold.parent for fold in pending)}")
        for fold in ready:
            result[fold.child] = _folded(result[fold.parent], fold, by_name[fold.child])
        pending = [fold for fold in pending if fold not in ready]
    if result.keys() != by_name.keys():
        raise ValueError(f"no fold leads to {', '.join(sorted(by_name.keys() - result.keys()))}")
    return result


def _folded(parent: Pose, edge: Fold, child: Panel) -> Pose:
    """The pose of a child, turned about the fold so that it moves back."""
    (x1, y1), (x2, y2) = edge.start, edge.end
    length = hypot(x2 - x1, y2 - y1)
    side = 1.0 if distance_to_line(middle(child.outline), edge.start, edge.end) > 0 else -1.0
    along = side * (x2 - x1) / length, side * (y2 - y1) / length
    turned = [_turned(axis, along, edge.angle) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
    moved = _turned((-x1, -y1, 0.0), along, edge.angle)
    return Pose(parent.point(x1 + moved[0], y1 + moved[1], moved[2]), *(parent.direction(*axis) for axis in turned))


def _turned(vector: Point3, along: Point, angle: float) -> Point3:
    """A vector turned about a line in the plane of the print: points to the left of the line move back."""
    x, y, z = vector
    out, on = along[1] * x - along[0] * y, along[0] * x + along[1] * y
    c, s = cos(radians(angle)), sin(radians(angle))
    out, back = c * out - s * z, s * out + c * z
    return on * along[0] + out * along[1], on * along[1] - out * along[0], back


# ---- printing: cut and score lines, hatched glue areas, faces

INK = "#000000"
PALE = "#ffffff"
"""The colour between the dashes of a score line, so that it is visible on dark panels."""
HALO = 0.1
"""The width of the white edges of a cut line, in mm."""
CUT_WIDTH = 0.15
SCORE_WIDTH = 0.25
SCORE_DASH = (2.0, 1.5)
GLUE_WIDTH = 0.12
_GLUE_INK = "#8c8c8c"
_HATCH = 1.8
SPREAD = 2.0
"""How far a face's bleed may extend over a cut edge, or onto the flap behind a fold, in mm."""
TICK = 0.8, 2.0
"""Where the tick at the end of a fold begins and ends, in mm outside the net."""
TICK_ROOM = 0.3
"""The free paper on either side of a tick, in mm."""
_NEAR = 0.001

Art = Mapping[str, tuple[Frame, int]]
"""Panel → the frame on it and its turn in degrees clockwise."""


def draw_net(name: str, panels: Sequence[Panel], folds: Sequence[Fold], joins: Sequence[Join], art: Art) -> Net:
    """The net of these parts, moved so that it starts at (0, 0).

    Raises ValueError for a frame whose size differs from that of its panel."""
    left, top, right, bottom = polygons.bounds(tuple(point for panel in panels for point in panel.outline))
    panels = [replace(panel, outline=polygons.moved(panel.outline, -left, -top)) for panel in panels]
    folds = [
        replace(fold, start=(fold.start[0] - left, fold.start[1] - top), end=(fold.end[0] - left, fold.end[1] - top))
        for fold in folds
    ]
    glued = [panel.outline for panel in panels if any(join.glued and join.flap == panel.name for join in joins)]
    return Net(
        name,
        right - left,
        bottom - top,
        tuple(_placed(panel, art, folds) for panel in panels if panel.name in art),
        cuts=edged(
            Shape(tuple(_cuts(panels, folds)), stroke=INK, stroke_width=CUT_WIDTH, cap="round", join="round"), HALO
        ),
        scores=tuple(_scores(panels, folds, art)),
        glue=tuple(shape for outline in glued for shape in _glue(outline)),
        panels=tuple(panels),
        folds=tuple(folds),
        joins=tuple(joins),
    )


# ---- faces


def _placed(panel: Panel, art: Art, folds: Sequence[Fold]) -> Placed:
    frame, turn = art[panel.name]
    left, top, right, bottom = polygons.bounds(panel.outline)
    placed = Placed(frame, left, top, turn)
    if max(abs(placed.box[0] - right + left), abs(placed.box[1] - bottom + top)) > 0.01:
        raise ValueError(
            f"{frame.name} is {placed.box[0]:.2f} × {placed.box[1]:.2f} mm, "
            f"but the panel “{panel.name}” is {right - left:.2f} × {bottom - top:.2f} mm"
        )
    corners = polygons.box(left, top, right - left, bottom - top)
    over_top, over_right, over_bottom, over_left = (_bleed(side, panel, frame, art, folds) for side in sides(corners))
    return replace(placed, clip=(over_left, over_top, over_right, over_bottom))


def _bleed(side: tuple[Point, Point], panel: Panel, frame: Frame, art: Art, folds: Sequence[Fold]) -> float:
    """How far a face may extend beyond one side of its panel, which is never onto another face."""
    neighbours = [
        fold.parent if fold.child == panel.name else fold.child
        for fold in folds
        if panel.name in (fold.parent, fold.child) and _is_on(side, fold)
    ]
    return 0.0 if any(name in art for name in neighbours) else min(frame.bleed, SPREAD)


def _is_on(side: tuple[Point, Point], fold: Fold) -> bool:
    return all(abs(distance_to_line(end, *side)) < _NEAR for end in (fold.start, fold.end))


# ---- lines


def _cuts(panels: Sequence[Panel], folds: Sequence[Fold]) -> Iterator[Segment]:
    """The parts of the panels' sides that are not folds; consecutive sides form one line."""
    for panel in panels:
        panel_folds, last = [fold for fold in folds if panel.name in (fold.parent, fold.child)], None
        for side in sides(panel.outline):
            for start, end in _unfolded(side, panel_folds):
                if last != start:
                    yield "M", *start
                yield "L", *end
                last = end


def _unfolded(side: tuple[Point, Point], folds: Sequence[Fold]) -> Iterator[tuple[Point, Point]]:
    """The parts of a side without a fold."""
    folded = sorted(
        tuple(sorted((share_along(fold.start, *side), share_along(fold.end, *side))))
        for fold in folds
        if _is_on(side, fold)
    )
    start, end = side
    length, at = hypot(end[0] - start[0], end[1] - start[1]), 0.0
    for low, high in (*folded, (1.0, 1.0)):
        if (low - at) * length > _NEAR:
            yield polygons.between(start, end, at), polygons.between(start, end, low) if low < 1 else end
        at = max(at, high)


def _scores(panels: Sequence[Panel], folds: Sequence[Fold], art: Art) -> Iterator[Shape]:
    """Dashed lines along the folds between blank panels, and ticks at the ends of all others."""
    blank = [fold for fold in folds if fold.parent not in art and fold.child not in art]
    lines = tuple(segment for fold in blank for segment in line(*fold.start, *fold.end))
    if lines:
        yield Shape(lines, stroke=PALE, stroke_width=SCORE_WIDTH)
        yield Shape(lines, stroke=INK, stroke_width=SCORE_WIDTH, dash=SCORE_DASH)
    ends = (end for fold in folds if fold not in blank for end in ((fold.end, fold.start), (fold.start, fold.end)))
    ticks = tuple(segment for inner, outer in ends for segment in _tick(inner, outer, panels))
    if ticks:
        yield from edged(Shape(ticks, stroke=INK, stroke_width=CUT_WIDTH), HALO)


def _tick(inner: Point, outer: Point, panels: Sequence[Panel]) -> Path:
    """A tick beyond the outer end of a fold, unless a panel is there: then a corner of the net shows where it ends."""
    length = hypot(outer[0] - inner[0], outer[1] - inner[1])
    x, y = (outer[0] - inner[0]) / length, (outer[1] - inner[1]) / length
    start, end = ((outer[0] + x * away, outer[1] + y * away) for away in TICK)
    for aside in (-TICK_ROOM, TICK_ROOM):
        first, last = ((at[0] - y * aside, at[1] + x * aside) for at in (start, end))
        if any(polygons.clipped(first, last, panel.outline) for panel in panels):
            return ()
    return line(*start, *end)


def _glue(outline: Polygon) -> Iterator[Shape]:
    yield Shape(tuple(_hatching(outline)), stroke=_GLUE_INK, stroke_width=GLUE_WIDTH)
    left, top, right, bottom = polygons.bounds(outline)
    size = min(3.0, 0.7 * min(right - left, bottom - top))
    yield Shape(_drop(*polygons.middle(outline), size), "#ffffff", _GLUE_INK, 2 * GLUE_WIDTH)


def _hatching(convex: Polygon) -> Iterator[Segment]:
    """Lines through a convex polygon that rise to the right."""
    left, top, right, bottom = polygons.bounds(convex)
    height, step = bottom - top, _HATCH * 2**0.5
    for i in range(int((right - left + height) / step) + 1):
        x = left - height + (i + 0.5) * step
        line = polygons.clipped((x, bottom), (x + height, top), convex)
        if line:
            yield "M", *line[0]
            yield "L", *line[1]


def _drop(x: float, y: float, size: float) -> Path:
    """A drop of glue around (x, y), `size` mm high."""
    wide, tip, foot = size * 0.45, y - size / 2, y + size / 2
    return (
        ("M", x, tip),
        ("C", x + wide * 0.3, tip + size * 0.3, x + wide, y, x + wide, y + size * 0.12),
        ("C", x + wide, y + size * 0.36, x + wide / 2, foot, x, foot),
        ("C", x - wide / 2, foot, x - wide, y + size * 0.36, x - wide, y + size * 0.12),
        ("C", x - wide, y, x - wide * 0.3, tip + size * 0.3, x, tip),
        ("Z",),
    )
