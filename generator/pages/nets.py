"""Nets: flat panels and the folds between them, how they fold up, and their cut and score lines.

A net is seen from its printed side, which ends up outside. Millimetres, y down; the net starts at (0, 0). Cut lines are
solid, and glue areas hatched, with a drop in the middle. Folds of blank panels are dashed. Those of faces, where a line
would remain visible, run from corner to corner, and have ticks outside the net where they end beside free paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import asin, cos, degrees, hypot, pi, radians, sin, tan
from typing import TypeAlias

from msgspec import Struct

from ..geometry import polygons
from ..geometry.frame import Frame, Placed, Shape, edged
from ..geometry.outlines import Path, Segment, line
from ..geometry.polygons import Point, Polygon, distance_to_line, share_along, sides
from ..limits import max_shoulder
from ..reading.components import LEAST_ROOM
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
    yield Shape(drop(*polygons.middle(outline), size), "#ffffff", _GLUE_INK, 2 * GLUE_WIDTH)


def drop(x: float, y: float, size: float) -> Path:
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


# ---- the nets of dice, pawns and boxes
#
# A box is a tuck box for a deck, glued along one side and at the bottom, whose lid tucks in behind the front; a sleeve,
# which has neither lid nor bottom; a band, which is folded over the top edge of a pad and hides its staples; or an open
# tray, such as one to roll dice in: a floor and four walls of two layers, with the print inside, whose outer layers are
# folded down over the rim, so that their print is outside.


FLANK = 60.0
"""Degrees between the base of a glue tab and its slanted edges; those of cubes have 45."""

# Column and row of each face. When folded, 1 and 6, 2 and 5, 3 and 4 are opposite; seen from outside, 1, 2 and 3 run
# counterclockwise around their common corner (a right-handed die).
_CELLS = {"1": (1, 1), "2": (2, 1), "3": (1, 0), "4": (1, 2), "5": (0, 1), "6": (3, 1)}
_HINGES = (("1", "2"), ("1", "3"), ("1", "4"), ("1", "5"), ("2", "6"))
# Each tab: the face that it is cut with, the side of that (0: upper, 1: right, 2: lower, 3: left), and the face that
# meets this side when the cube is folded. It is every second side along the rim of the net, which takes one of each
# pair that meets; the others would need more paper.
_CUBE_TABS = (("6", 0, "3"), ("6", 2, "4"), ("4", 1, "2"), ("4", 3, "5"), ("5", 3, "6"), ("3", 3, "5"), ("3", 1, "2"))


def tab_for(size: float) -> float:
    """The depth of a glue tab: three tenths of the edge, and 4 to 8 mm if the size allows it."""
    return min(max(4.0, 0.3 * size), 8.0, 0.4 * size)


def cube_net(size: float, faces: Sequence[Frame], name: str = "cube") -> Net:
    """The net of a cube of edge `size` mm. `faces` are six square frames of that size for the numbers 1 to 6: opposite
    numbers add up to 7, and the cube is right-handed (1, 2, 3 counterclockwise around their corner). The four faces of
    the strip (5, 1, 2, 6) are upright when 3 is on top.

    Tabs are `tab_for(size)` deep with edges at 45 degrees, so that two tabs on one face meet along its diagonal."""
    depth = tab_for(size)
    outlines = {face: polygons.box(column * size, row * size, size, size) for face, (column, row) in _CELLS.items()}
    hinges, joins = [(parent, child, 90.0) for parent, child in _HINGES], list[Join]()
    for number, (face, side, partner) in enumerate(_CUBE_TABS, start=1):
        outlines[f"tab {number}"] = _tab(*list(sides(outlines[face]))[side], depth, depth)
        hinges.append((face, f"tab {number}", 90.0))
        joins.append(Join(f"tab {number}", partner))
    return draw_net(
        name, outlines, hinges, joins=joins, art={str(number): (face, 0) for number, face in enumerate(faces, 1)}
    )


# The straight pieces of a round shoulder; one with a radius of 10 mm strays from the circle by 0.02 mm.
_ARC_PIECES = 12


def pawn_net(front: Frame, back: Frame, base: float, name: str = "pawn", shoulder: float = 0.0) -> Net:
    """The net of a pawn that stands like a tent: `front` and `back` (of one size) share their upper edge, a floor
    `base` mm deep joins their lower edges, and a tab up to 8 mm deep is glued to the floor. Their upper corners have
    the radius `shoulder`, in mm.

    Raises ValueError for a floor that is too deep or too narrow for the faces, or a radius of more than
    `max_shoulder`."""
    width, height = front.width, front.height
    depth = min(8.0, 0.8 * base, 0.4 * width)
    if not 0 < base < 1.5 * height:
        raise ValueError(f"a floor of {base:g} mm does not suit a pawn {height:g} mm high")
    if shoulder and not 0 < shoulder <= max_shoulder(width, height):
        raise ValueError(f"shoulders of {shoulder:g} mm do not suit a pawn of {width:g} × {height:g} mm")
    lean = degrees(asin(base / 2 / height))
    left, right = _shoulder(shoulder), tuple((width - x, y) for x, y in reversed(_shoulder(shoulder)))
    below = tuple((x, -y) for x, y in (*left, *right))[::-1]
    outlines = {
        "front": (*left, *right, (width, height), (0, height)),
        "back": ((0, -height), (width, -height), *below),
        "floor": polygons.box(0, height, width, base),
        "tab": _tab((0, -height), (width, -height), depth),
    }
    hinges = [("front", "back", 180 - 2 * lean), ("front", "floor", 90 + lean), ("back", "tab", 90 + lean)]
    return draw_net(
        name, outlines, hinges, joins=[Join("tab", "floor")], art={"front": (front, 0), "back": (back, 180)}
    )


def _shoulder(radius: float) -> tuple[Point, ...]:
    """The points of a round upper left corner, clockwise."""
    if not radius:
        return ((0.0, 0.0),)
    turns = [pi / 2 * number / _ARC_PIECES for number in range(1, _ARC_PIECES)]
    arc = ((radius * (1 - cos(turn)), radius * (1 - sin(turn))) for turn in turns)
    return ((0.0, radius), *arc, (radius, 0.0))


def _tab(start: Point, end: Point, depth: float, inset: float | None = None) -> Polygon:
    """A glue tab on the side of a panel from `start` to `end` (clockwise); at each end its outer edge is shorter by
    `inset`, by default as for edges at FLANK degrees."""
    inset = depth / tan(radians(FLANK)) if inset is None else inset
    (x1, y1), (x2, y2) = start, end
    length = hypot(x2 - x1, y2 - y1)
    across, down = (x2 - x1) / length, (y2 - y1) / length
    out = depth * down, -depth * across
    return (
        start,
        (x1 + inset * across + out[0], y1 + inset * down + out[1]),
        (x2 - inset * across + out[0], y2 - inset * down + out[1]),
        end,
    )


def _flap(start: Point, end: Point, length: float) -> Polygon:
    """A dust flap with two corners cut off at 45 degrees, so that it slides in easily."""
    cut = min(length / 2, abs(end[0] - start[0]) / 4)
    left, right = _tab(start, end, length - cut, 0)[1:3]
    return start, left, *_tab(left, right, cut, cut)[1:3], right, end


Lengths: TypeAlias = tuple[float, float, float]
"""A width, height and depth in mm."""
CLEARANCE = 1.0
BOARD = 0.3
"""The thickness of the card stock of the box, in mm."""
SHALLOWEST = 4.0
"""The smallest depth of a box in mm, for tabs that can be folded; a smaller stack has some room in its box."""
_EASE = 0.6  # how much is taken off each end of a flap that slides in, in mm
MAX_TRAY_TAB = 14.0
WALLS = ("back", "right", "front", "left")
"""The walls of a tray, clockwise as seen from above; the front is nearest to the reader."""


class BoxSize(Struct, frozen=True):
    """The size of a tuck box from fold to fold: `width` × `height` is its front, `depth` its sides. `inner` is the room
    inside (width, height, depth), which is smaller by the layers of card."""

    width: float
    height: float
    depth: float
    inner: Lengths


def tuck_box_size(card: tuple[float, float], count: int, stock: float, *, clearance: float = CLEARANCE) -> BoxSize:
    """The size of a tuck box for `count` cards of size `card` (width, height), each `stock` mm thick, with `clearance`
    in each direction. The depth has room for the side tab behind the front, or the flap of the lid; the height has room
    for the dust flaps under the lid and bottom."""
    depth = max(count * stock + clearance, SHALLOWEST - 2 * BOARD)
    return room_box_size((card[0] + clearance, card[1] + clearance, depth))


def room_box_size(room: Lengths) -> BoxSize:
    """The size of a tuck box with this width, height and depth inside. Half a layer of card is inside each fold
    line."""
    width, height, depth = room
    return BoxSize(width + BOARD, height + 3 * BOARD, depth + 2 * BOARD, room)


def sleeve_size(room: Lengths) -> Lengths:
    """The width, height and depth from fold to fold of a sleeve with this room inside."""
    width, height, depth = room
    return width + BOARD, height, depth + 2 * BOARD


class _Blank(Struct, frozen=True):
    """The flat parts of a box: the outlines of its panels, its folds and joins, and for each panel that can have a
    face, the width and height of that as you see it on the standing box, and how far it is turned in the net."""

    outlines: dict[str, Polygon]
    hinges: Sequence[Hinge]
    joins: Sequence[Join]
    faces: Mapping[str, tuple[float, float, int]]


def box_panels(form: str, size: Lengths) -> Mapping[str, tuple[float, float]]:
    """The width and height of the face of each panel of a box with this width, height and depth, as you see it on
    the standing box: the top with the front towards you, the bottom with the front above it, both layers of the wall of
    a tray upright. The height of a tray is that of its floor, and its depth that of its walls; the top of a band is the
    spine of the pad."""
    return {panel: (across, down) for panel, (across, down, _) in _FORMS[form](*size).faces.items()}


def box_net(form: str, size: Lengths, panels: Mapping[str, Frame], name: str = "box") -> Net:
    """The net of a box of a form (tuck, sleeve, band or tray) with this width, height and depth from fold to fold.
    `panels` are frames for any of `box_panels`. Raises ValueError for a box that is too small to be folded."""
    for side, given, least in zip(("width", "height", "depth"), size, LEAST_ROOM[form], strict=True):
        if given < least:
            raise ValueError(f"a {side} of {given:.1f} mm is too small for a {form} box: at least {least:g} mm")
    blank = _FORMS[form](*size)
    art = {panel: (frame, blank.faces[panel][2]) for panel, frame in panels.items()}
    return draw_net(name, blank.outlines, blank.hinges, joins=blank.joins, art=art)


def _sleeve(width: float, height: float, depth: float) -> _Blank:
    """Front, right, back and left in a strip from (0, 0), with a thumb notch in the front and back."""
    notch, tab = min(9.0, width / 5, height / 6), min(10.0, width / 3, height / 4)
    a, b, c, d = width, width + depth, 2 * width + depth, 2 * width + 2 * depth
    outlines = {
        "front": _notched(0, width, height, notch),
        "right": polygons.box(a, 0, depth, height),
        "back": _notched(b, width, height, notch),
        "left": polygons.box(c, 0, depth, height),
        "side tab": _tab((d, 0), (d, height), tab),
    }
    hinges = [(parent, child, 90.0) for parent, child in pairwise(outlines)]
    faces = {"front": (width, height, 0), "back": (width, height, 0)}
    faces |= {"left": (depth, height, 0), "right": (depth, height, 0)}
    return _Blank(outlines, hinges, [Join("side tab", "front")], faces)


def _tuck_box(width: float, height: float, depth: float) -> _Blank:
    """The strip of a sleeve, with the lid on the back and the bottom on the front."""
    strip = _sleeve(width, height, depth)
    tuck = min(max(0.8 * depth, 10.0), 16.0, height / 3)
    tab = min(10.0, width / 3, height / 4)
    dust = min(max(0.8 * depth, 12.0), 0.48 * width)  # both together reach nearly across
    a, b, c, d = width, width + depth, 2 * width + depth, 2 * width + 2 * depth
    radius, end = min(0.8 * tuck, width / 4), -depth - tuck
    left, right, low = b + _EASE, c - _EASE, height + depth
    outlines = {
        **strip.outlines,
        "back": polygons.box(b, 0, width, height),
        "top": polygons.box(b, -depth, width, depth),
        "tuck": (
            (left, -depth),
            *polygons.arc(left + radius, end + radius, radius, start=180, end=270),
            *polygons.arc(right - radius, end + radius, radius, start=270, end=360),
            (right, -depth),
        ),
        "bottom": polygons.box(0, height, width, depth),
        "bottom tab": _tab((width - _EASE, low), (_EASE, low), tab),
    }
    hinges = [*strip.hinges, ("back", "top", 90.0), ("top", "tuck", 90.0)]
    hinges += [("front", "bottom", 90.0), ("bottom", "bottom tab", 90.0)]
    joins = [*strip.joins, Join("bottom tab", "back"), Join("tuck", "front", glued=False)]
    for side, near, far in ("right", a + _EASE, b - _EASE), ("left", c + _EASE, d - _EASE):
        outlines[f"dust {side}"] = _flap((near, 0), (far, 0), dust)
        outlines[f"bottom dust {side}"] = _flap((far, height), (near, height), dust)
        hinges += [(side, f"dust {side}", 90.0), (side, f"bottom dust {side}", 90.0)]
        joins += [Join(f"dust {side}", "top", glued=False), Join(f"bottom dust {side}", "bottom")]
    return _Blank(outlines, hinges, joins, {**strip.faces, "top": (width, depth, 180), "bottom": (width, depth, 0)})


def _notched(left: float, width: float, height: float, notch: float) -> Polygon:
    """A panel with a thumb notch in its upper edge."""
    arc = polygons.arc(left + width / 2, 0, notch, start=180, end=0)
    return (left, 0), *arc, (left + width, 0), (left + width, height), (left, height)


def _band(width: float, height: float, depth: float) -> _Blank:
    """A strip `width` mm long for a pad `depth` mm thick, whose front and back are `height` mm high."""
    outlines = {
        "front": polygons.box(0, depth, width, height),
        "top": polygons.box(0, 0, width, depth),
        "back": polygons.box(0, -height, width, height),
    }
    faces = {"front": (width, height, 0), "top": (width, depth, 0), "back": (width, height, 180)}
    return _Blank(outlines, [("front", "top", 90.0), ("top", "back", 90.0)], (), faces)


def _tray(width: float, length: float, rim: float) -> _Blank:
    """The floor from (0, 0), and beyond each of its sides the inside and the outside of a wall. Tabs beside the back
    and front are glued between the two layers of the other walls."""
    outlines = {"floor": polygons.box(0, 0, width, length)}
    hinges, joins = list[Hinge](), list[Join]()
    walls = [
        (side, width if turn % 180 == 0 else length, turn) for side, turn in zip(WALLS, (0, 90, 180, 270), strict=True)
    ]
    faces = {"floor": (width, length, 0)} | {f"inside-{side}": (across, rim, turn) for side, across, turn in walls}
    faces |= {f"outside-{side}": (across, rim, (turn + 180) % 360) for side, across, turn in walls}
    for side in WALLS:
        for layer, away in ("inside", 0.0), ("outside", rim):
            outlines[f"{layer}-{side}"] = {
                "back": polygons.box(0, -away - rim, width, rim),
                "front": polygons.box(0, length + away, width, rim),
                "left": polygons.box(-away - rim, 0, rim, length),
                "right": polygons.box(width + away, 0, rim, length),
            }[side]
        hinges += [("floor", f"inside-{side}", -90.0), (f"inside-{side}", f"outside-{side}", 180.0)]
    depth = min(MAX_TRAY_TAB, 0.8 * rim, 0.4 * length)
    inset = min(depth / tan(radians(FLANK)), 0.25 * rim)
    for wall, top in ("back", -rim), ("front", length):
        for side, x in ("left", 0.0), ("right", width):
            ends = (x, top), (x, top + rim)
            outlines[f"tab {wall} {side}"] = _tab(*(ends if side == "right" else ends[::-1]), depth, inset)
            hinges.append((f"inside-{wall}", f"tab {wall} {side}", -90.0))
            joins.append(Join(f"tab {wall} {side}", f"inside-{side}"))
    return _Blank(outlines, hinges, joins, faces)


_FORMS: Mapping[str, Callable[[float, float, float], _Blank]] = {
    "tuck": _tuck_box,
    "sleeve": _sleeve,
    "band": _band,
    "tray": _tray,
}
