"""Folds nets by calculation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import cos, hypot, radians, sin
from typing import NamedTuple

from ..geometry.polygons import Point, distance_to_line, middle
from .nets import Fold, Net, NetPanel

Point3 = tuple[float, float, float]


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
            result[fold.child] = _folded(result[fold.parent], fold, by_name[fold.child])
        pending = [fold for fold in pending if fold not in ready]
    if result.keys() != by_name.keys():
        raise ValueError(f"no fold leads to {', '.join(sorted(by_name.keys() - result.keys()))}")
    return result


def _folded(parent: Pose, edge: Fold, child: NetPanel) -> Pose:
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
