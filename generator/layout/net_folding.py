"""Folding a net: where each panel ends up. x right, y down, z away from the one who looks at the flat print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import cos, hypot, radians, sin
from typing import TypeAlias

from .net_parts import Fold, Net, Panel
from .polygons import Point, distance_to_line, middle

Point3: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Pose:
    """How a panel lies once folded: where the net's origin went, and the directions its x, its y and its back took."""

    origin: Point3 = (0.0, 0.0, 0.0)
    right: Point3 = (1.0, 0.0, 0.0)
    down: Point3 = (0.0, 1.0, 0.0)
    behind: Point3 = (0.0, 0.0, 1.0)

    def point(self, x: float, y: float, z: float = 0.0) -> Point3:
        """Where a point of the flat net went; `z` counts from the print towards its back."""
        a, b, c = (o + x * r + y * d + z * k for o, r, d, k in
                   zip(self.origin, self.right, self.down, self.behind, strict=True))
        return a, b, c

    def direction(self, x: float, y: float, z: float) -> Point3:
        a, b, c = (x * r + y * d + z * k for r, d, k in zip(self.right, self.down, self.behind, strict=True))
        return a, b, c


def fold(net: Net) -> Mapping[str, tuple[Point3, ...]]:
    """The corners of every panel of the folded net, by its name."""
    where = poses(net.panels, net.folds)
    return {panel.name: tuple(where[panel.name].point(x, y) for x, y in panel.outline) for panel in net.panels}


def poses(panels: Iterable[Panel], folds: Iterable[Fold]) -> dict[str, Pose]:
    """How every panel lies; the first one stays. Raises ValueError where folds do not reach all panels from it."""
    by_name = {panel.name: panel for panel in panels}
    found, waiting = {next(iter(by_name)): Pose()}, list(folds)
    while waiting:
        ready = [one for one in waiting if one.parent in found]
        if not ready:
            raise ValueError(f"no fold leads to {', '.join(one.parent for one in waiting)}")
        for one in ready:
            found[one.child] = _folded(found[one.parent], one, by_name[one.child])
        waiting = [one for one in waiting if one not in ready]
    if found.keys() != by_name.keys():
        raise ValueError(f"no fold leads to {', '.join(sorted(by_name.keys() - found.keys()))}")
    return found


def _folded(parent: Pose, edge: Fold, child: Panel) -> Pose:
    """The pose of a child: turned about the fold, so that what points away from it goes back."""
    (x1, y1), (x2, y2) = edge.start, edge.end
    length = hypot(x2 - x1, y2 - y1)
    side = 1.0 if distance_to_line(middle(child.outline), edge.start, edge.end) > 0 else -1.0
    along = side * (x2 - x1) / length, side * (y2 - y1) / length
    turned = [_turned(axis, along, edge.angle) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))]
    moved = _turned((-x1, -y1, 0.0), along, edge.angle)
    return Pose(parent.point(x1 + moved[0], y1 + moved[1], moved[2]), *(parent.direction(*one) for one in turned))


def _turned(vector: Point3, along: Point, angle: float) -> Point3:
    """A vector turned about a line in the plane of the print: what lies to the left of it goes back."""
    x, y, z = vector
    out, on = along[1] * x - along[0] * y, along[0] * x + along[1] * y
    c, s = cos(radians(angle)), sin(radians(angle))
    out, back = c * out - s * z, s * out + c * z
    return on * along[0] + out * along[1], on * along[1] - out * along[0], back
