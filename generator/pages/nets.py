"""Nets: flat panels and the folds between them, how they fold up, and their cut and score lines.

A net is seen from its printed side, which ends up outside. Millimetres, y down; the net starts at (0, 0). Cut lines are
solid, and glue areas hatched, with a drop in the middle. Folds of blank panels are dashed. Those of faces, where a line
would remain visible, run from corner to corner, and have ticks outside the net where they end beside free paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import hypot
from typing import TypeAlias

from msgspec import Struct

from ..geometry import polygons
from ..geometry.frame import Frame, Placed, Shape, edged
from ..geometry.outlines import Path, Segment, line
from ..geometry.polygons import Point, Polygon, distance_to_line, share_along, sides
from .crop_marks import hatching

Side: TypeAlias = tuple[Point, Point]
"""The two ends of a side of a panel."""


class NetPanel(Struct, frozen=True):
    """A part of a net that stays flat: its corners, clockwise as seen."""

    name: str
    outline: Polygon


class Fold(Struct, frozen=True):
    """The edge from `start` to `end` between two panels. `child` is folded back by `angle` degrees, away from the
    viewer of the print: 0 leaves it flat, 90 makes the corner of a box."""

    parent: str
    child: str
    start: Point
    end: Point
    angle: float = 90.0


class Join(Struct, frozen=True):
    """A flap that ends up behind another panel, glued to it by its printed side or only tucked in."""

    flap: str
    panel: str
    glued: bool = True


class Net(Struct, frozen=True):
    """A net as it is printed (faces, and on top of them glue areas, score and cut lines) and as it is folded. The first
    panel keeps its place when the net is folded."""

    name: str
    width: float
    height: float
    placed: tuple[Placed, ...]
    cuts: tuple[Shape, ...]
    scores: tuple[Shape, ...]
    glue: tuple[Shape, ...]
    panels: tuple[NetPanel, ...]
    folds: tuple[Fold, ...]
    joins: tuple[Join, ...]

    def panel(self, name: str) -> NetPanel:
        return next(panel for panel in self.panels if panel.name == name)


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
_HATCH = 1.8 * 2**0.5
SPREAD = 2.0
"""How far a face's bleed may extend over a cut edge, or onto the flap behind a fold, in mm."""
TICK = 0.8, 2.0
"""Where the tick at the end of a fold begins and ends, in mm outside the net."""
TICK_ROOM = 0.3
"""The free paper on either side of a tick, in mm."""
_NEAR = 0.001

Hinge: TypeAlias = tuple[str, str, float]
"""The two panels of a fold, parent and child, and its angle."""
Art: TypeAlias = Mapping[str, tuple[Frame, int]]
"""NetPanel → the frame on it, as large as the panel, and its turn in degrees clockwise."""


def draw_net(
    name: str, outlines: Mapping[str, Polygon], hinges: Iterable[Hinge], joins: Sequence[Join], art: Art
) -> Net:
    """The net of panels with these outlines, moved so that it starts at (0, 0). Two panels are folded along the side of
    the child that lies on a side of its parent."""
    left, top, right, bottom = polygons.bounds(tuple(point for outline in outlines.values() for point in outline))
    panels = [NetPanel(panel, polygons.moved(outline, -left, -top)) for panel, outline in outlines.items()]
    outline_of = {panel.name: panel.outline for panel in panels}
    folds = [
        Fold(parent, child, *_common_side(outline_of[parent], outline_of[child]), angle)
        for parent, child, angle in hinges
    ]
    cuts = Shape(tuple(_cuts(panels, folds)), stroke=INK, stroke_width=CUT_WIDTH, cap="round", join="round")
    return Net(
        name,
        right - left,
        bottom - top,
        tuple(_placed(panel, art, folds) for panel in panels if panel.name in art),
        cuts=edged(cuts, HALO),
        scores=tuple(_scores(panels, folds, art)),
        glue=tuple(shape for join in joins if join.glued for shape in _glue(outline_of[join.flap])),
        panels=tuple(panels),
        folds=tuple(folds),
        joins=tuple(joins),
    )


def _common_side(parent: Polygon, child: Polygon) -> Side:
    """The side of a panel that lies on a side of another one, in the direction of that."""
    return next(
        (end, start)
        for start, end in sides(child)
        for side in sides(parent)
        if all(_is_on(side, point) and -_NEAR < share_along(point, *side) < 1 + _NEAR for point in (start, end))
    )


def _is_on(side: Side, point: Point) -> bool:
    return abs(distance_to_line(point, *side)) < _NEAR


def _placed(panel: NetPanel, art: Art, folds: Sequence[Fold]) -> Placed:
    frame, turn = art[panel.name]
    left, top, right, bottom = polygons.bounds(panel.outline)
    corners = polygons.box(left, top, right - left, bottom - top)
    over_top, over_right, over_bottom, over_left = (
        _bleed(side, panel, frame, art=art, folds=folds) for side in sides(corners)
    )
    return Placed(frame, left, top, turn=turn, clip=(over_left, over_top, over_right, over_bottom))


def _bleed(side: Side, panel: NetPanel, frame: Frame, art: Art, folds: Sequence[Fold]) -> float:
    """How far a face may extend beyond one side of its panel, which is never onto another face."""
    neighbours = [
        fold.parent if fold.child == panel.name else fold.child
        for fold in folds
        if panel.name in (fold.parent, fold.child) and _is_on(side, fold.start) and _is_on(side, fold.end)
    ]
    return 0.0 if any(name in art for name in neighbours) else min(frame.bleed, SPREAD)


def _cuts(panels: Sequence[NetPanel], folds: Sequence[Fold]) -> Iterator[Segment]:
    """The parts of the panels' sides that are not folds; consecutive sides form one line."""
    for panel in panels:
        panel_folds, last = [fold for fold in folds if panel.name in (fold.parent, fold.child)], None
        for side in sides(panel.outline):
            for start, end in _unfolded(side, panel_folds):
                if last != start:
                    yield "M", *start
                yield "L", *end
                last = end


def _unfolded(side: Side, folds: Sequence[Fold]) -> Iterator[Side]:
    """The parts of a side without a fold."""
    folded = sorted(
        tuple(sorted((share_along(fold.start, *side), share_along(fold.end, *side))))
        for fold in folds
        if _is_on(side, fold.start) and _is_on(side, fold.end)
    )
    start, end = side
    length, at = hypot(end[0] - start[0], end[1] - start[1]), 0.0
    for low, high in (*folded, (1.0, 1.0)):
        if (low - at) * length > _NEAR:
            yield polygons.between(start, end, at), polygons.between(start, end, low) if low < 1 else end
        at = max(at, high)


def _scores(panels: Sequence[NetPanel], folds: Sequence[Fold], art: Art) -> Iterator[Shape]:
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


def _tick(inner: Point, outer: Point, panels: Sequence[NetPanel]) -> Path:
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
    yield Shape(hatching(outline, _HATCH), stroke=_GLUE_INK, stroke_width=GLUE_WIDTH)
    left, top, right, bottom = polygons.bounds(outline)
    size = min(3.0, 0.7 * min(right - left, bottom - top))
    yield Shape(_drop(*polygons.middle(outline), size), "#ffffff", _GLUE_INK, 2 * GLUE_WIDTH)


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
