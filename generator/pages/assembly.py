"""How a net becomes a die, a pawn or a box, in four pictures without words: cut, fold, glue, done. They are drawn from
the net itself, folded to a share of each angle."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import cos, fsum, hypot, radians, sin
from typing import NamedTuple

from msgspec.structs import replace

from ..geometry import polygons
from ..geometry.frame import Frame, Run, Shape, leaves
from ..geometry.outlines import Matrix, ellipse, rounded_rect, transformed
from ..geometry.polygons import Point, distance_to_line, middle
from ..model.colours import mixed
from .nets import Fold, Net, NetPanel, drop

STEPS = ((0.0, 0.0), (0.4, 0.4), (0.8, 0.55), (1.0, 1.0))
"""The shares to which the panels and the flaps are folded in each picture."""
BETWEEN = 3.0
"""The space between two pictures, in mm."""
_INK, _INSIDE, _GLUE, _FRAME = "#2b2b33", "#ffffff", "#f2b233", "#8c8c94"
_LINE = 0.25
_TURN, _TILT = radians(-24), radians(-50)
_YAW, _PITCH = radians(32), radians(24)

Point3 = tuple[float, float, float]
View = tuple[Point3, Point3, Point3]
"""The directions that lead to the right, down and away in a picture."""
_FROM_ABOVE: View = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
_LYING: View = (
    (cos(_TURN), -sin(_TURN), 0.0),
    (sin(_TURN) * cos(_TILT), cos(_TURN) * cos(_TILT), -sin(_TILT)),
    (sin(_TURN) * sin(_TILT), cos(_TURN) * sin(_TILT), cos(_TILT)),
)
_UPRIGHT: View = (
    (cos(_YAW), 0.0, sin(_YAW)),
    (sin(_YAW) * sin(_PITCH), cos(_PITCH), -cos(_YAW) * sin(_PITCH)),
    (-sin(_YAW) * cos(_PITCH), sin(_PITCH), cos(_YAW) * cos(_PITCH)),
)


def extent(side: float, columns: int) -> tuple[float, float]:
    """The width and height of the four pictures, each `side` mm square, in this many columns."""
    step, rows = side + BETWEEN, -(-len(STEPS) // columns)
    return columns * step - BETWEEN, rows * step - BETWEEN


def pictures(net: Net, side: float, columns: int) -> Frame:
    """The four pictures, each `side` mm square, in this many columns, and one frame around all of them."""
    step, (width, height) = side + BETWEEN, extent(side, columns)
    items = [
        item
        for number, shares in enumerate(STEPS)
        for item in _picture(net, shares, number, (number % columns * step, number // columns * step, side))
    ]
    frame = Shape(rounded_rect(0, 0, width, height, (1.6,) * 4), "#ffffff", _FRAME, _LINE)
    return Frame(f"assembly of {net.name}", width, height, (frame, *items))


def _picture(net: Net, shares: Point, number: int, place: tuple[float, float, float]) -> Iterator[Shape | Run]:
    """One picture in a square with its number."""
    (x, y, side), flaps = place, {join.flap for join in net.joins}
    view = _FROM_ABOVE if not number else _UPRIGHT if len(net.panels) < 5 else _LYING
    corners = {
        name: tuple(_seen(point, view) for point in points) for name, points in _folded(net, shares, flaps).items()
    }
    if number == 3:
        corners = {name: points for name, points in corners.items() if name not in flaps}
    flat = {name: tuple((across, down) for across, down, _ in points) for name, points in corners.items()}
    left, top, right, bottom = polygons.bounds(tuple(chain.from_iterable(flat.values())))
    size = min((side - (7 if number else 11)) / (right - left), (side - 9) / (bottom - top))
    middle = (
        x + side / 2 - (left + right) / 2 * size - (0 if number else 2),
        y + side / 2 + 1 - (top + bottom) / 2 * size,
    )
    matrix = size, 0.0, 0.0, size, *middle
    for name in sorted(corners, key=lambda name: _order(corners[name])):
        outline = flat[name]
        is_tab = number == 2 and name in flaps and any(join.flap == name and join.glued for join in net.joins)
        fill = _GLUE if is_tab else _print(net, name) if _area(outline) > 0 else _INSIDE
        path = transformed((("M", *outline[0]), *(("L", x, y) for x, y in outline[1:]), ("Z",)), matrix)
        yield Shape(path, fill, _INK, _LINE, join="round")
        if is_tab:
            x, y = _moved([polygons.middle(outline)], matrix)[0]
            yield Shape(drop(x, y, 2.4), "#ffffff", _INK, _LINE)
    if not number:
        yield from _scissors(
            *max(_moved(chain.from_iterable(flat.values()), matrix), key=lambda point: (point[0], -point[1]))
        )
    yield Shape(ellipse(x + 1.2, y + 1.2, 4.4, 4.4), _INK)
    yield Run(x + 2.55, y + 4.55, str(number + 1), font="bold", size=3.2, colour="#ffffff", width=1.7)


def _folded(net: Net, shares: Point, flaps: Collection[str]) -> Mapping[str, tuple[Point3, ...]]:
    """The corners of every panel after each fold is made to its share."""
    folds = (replace(each, angle=each.angle * shares[each.child in flaps]) for each in net.folds)
    return fold(replace(net, folds=tuple(folds)))


def _seen(point: Point3, view: View) -> Point3:
    across, down, away = (fsum(a * b for a, b in zip(point, axis, strict=True)) for axis in view)
    return across, down, away


def _area(outline: Sequence[Point]) -> float:
    return fsum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in polygons.sides(tuple(outline)))


def _order(points: Sequence[Point3]) -> tuple[float, bool]:
    """Far panels are drawn first; of two layers at one place, the one whose print is seen is drawn last."""
    depths = [away for *_, away in points]
    return -round(min(depths) + max(depths), 1), _area([(x, y) for x, y, _ in points]) > 0


def _moved(points: Iterable[Point], matrix: Matrix) -> list[Point]:
    return [(x * matrix[0] + matrix[4], y * matrix[3] + matrix[5]) for x, y in points]


def _print(net: Net, name: str) -> str:
    """The colour of the print of a panel, made paler."""
    corner = polygons.bounds(net.panel(name).outline)[:2]
    faces = (face.frame.items for face in net.placed if (face.x, face.y) == corner)
    fills = (item.fill for item, _ in leaves(next(faces, ())) if isinstance(item, Shape))
    return mixed(next((fill[:7] for fill in fills if isinstance(fill, str)), "#ffffff"), "#ffffff", 0.68)


def _scissors(x: float, y: float) -> Iterator[Shape]:
    """Scissors that cut into the edge at (x, y) from the right."""
    for side in (-1, 1):
        blade = (("M", x - 2.6, y - 0.9 * side), ("L", x + 3.2, y + 0.5 * side), ("L", x + 2.6, y + 1.1 * side), ("Z",))
        yield Shape(blade, _INK, _INK, _LINE, join="round")
        yield Shape(ellipse(x + 3, y + (1.3 * side if side > 0 else -3.3), 2.6, 2.0), "#ffffff", _INK, 2 * _LINE)


class Pose(NamedTuple):
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


def poses(panels: Iterable[NetPanel], folds: Iterable[Fold]) -> dict[str, Pose]:
    """The pose of every panel; the first one does not move. Raises ValueError unless folds lead to every panel."""
    by_name = {panel.name: panel for panel in panels}
    result, pending = {next(iter(by_name)): Pose()}, list(folds)
    while pending:
        ready = [fold for fold in pending if fold.parent in result]
        if not ready:
            raise ValueError(f"no fold leads to {', '.join(fold.parent for fold in pending)}")
        for fold in ready:
            # The child is turned about the fold so that it moves back.
            parent = result[fold.parent]
            (x1, y1), (x2, y2) = fold.start, fold.end
            length = hypot(x2 - x1, y2 - y1)
            side = 1.0 if distance_to_line(middle(by_name[fold.child].outline), fold.start, fold.end) > 0 else -1.0
            along = side * (x2 - x1) / length, side * (y2 - y1) / length
            turned = [_turned(axis, along, fold.angle) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
            moved = _turned((-x1, -y1, 0.0), along, fold.angle)
            result[fold.child] = Pose(
                parent.point(x1 + moved[0], y1 + moved[1], moved[2]), *(parent.direction(*axis) for axis in turned)
            )
        pending = [fold for fold in pending if fold not in ready]
    if result.keys() != by_name.keys():
        raise ValueError(f"no fold leads to {', '.join(sorted(by_name.keys() - result.keys()))}")
    return result


def _turned(vector: Point3, along: Point, angle: float) -> Point3:
    """A vector turned about a line in the plane of the print: points to the left of the line move back."""
    x, y, z = vector
    out, on = along[1] * x - along[0] * y, along[0] * x + along[1] * y
    c, s = cos(radians(angle)), sin(radians(angle))
    out, back = c * out - s * z, s * out + c * z
    return on * along[0] + out * along[1], on * along[1] - out * along[0], back
