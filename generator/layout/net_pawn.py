"""The net of a pawn: two faces leaning against each other over a floor, which keeps them apart and on their feet."""

from __future__ import annotations

from math import asin, degrees, radians, tan

from . import polygons
from .frame import Frame
from .net_box import FLANK
from .net_lines import drawn
from .net_parts import Fold, Join, Net, Panel


def pawn_net(front: Frame, back: Frame, base: float, tab: float | None = None, name: str = "pawn") -> Net:
    """The net of a pawn that stands like a tent: `front` and `back` (of one size) share their upper edge, a floor
    `base` mm deep joins their lower ones, and a tab `tab` mm deep (default: up to 8 mm) is glued onto the floor.

    Raises ValueError for faces of different sizes, or a floor too deep or too narrow for them."""
    width, height = front.width, front.height
    depth = min(8.0, 0.8 * base, 0.4 * width) if tab is None else tab
    inset = depth / tan(radians(FLANK))
    if max(abs(back.width - width), abs(back.height - height)) > 0.01:
        raise ValueError(f"{front.name} and {back.name} must be of one size")
    if not 0 < base < 1.5 * height:
        raise ValueError(f"a floor of {base:g} mm under a pawn {height:g} mm high")
    if not 0 < depth <= base or 2 * inset >= width:
        raise ValueError(f"a tab of {depth:g} mm on a floor of {width:g} × {base:g} mm")
    lean = degrees(asin(base / 2 / height))
    top = -height - depth
    panels = [Panel("front", polygons.box(0, 0, width, height)),
              Panel("back", polygons.box(0, -height, width, height)),
              Panel("floor", polygons.box(0, height, width, base)),
              Panel("tab", ((0, -height), (inset, top), (width - inset, top), (width, -height)))]
    folds = [Fold("front", "back", (0, 0), (width, 0), 180 - 2 * lean),
             Fold("front", "floor", (0, height), (width, height), 90 + lean),
             Fold("back", "tab", (0, -height), (width, -height), 90 + lean)]
    return drawn(name, panels, folds, [Join("tab", "floor")], {"front": (front, 0), "back": (back, 180)})
