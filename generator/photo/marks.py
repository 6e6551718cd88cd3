"""Whether boxes are ticked, crossed or ringed.

A ring is often drawn right on the printed outline of its box, where ink cannot be told from print. But it makes the
outline thicker. How much darker the photo is than the blank page, summed up across the outline, does not depend on blur
or on the outline being a little beside its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..geometry.outlines import Rect
from .blank import PX
from .ink import PageInk

Floats: TypeAlias = NDArray[Any]

SECTORS = 16
_INSIDE, _OUTSIDE = 1.2, 1.6
"""How far from the outline a ring is looked for, in mm."""
_THINNEST, _THICKEST = -0.1, 0.35
"""Each sector counts at most as much as a thin pen line, in mm."""
_NEIGHBOURS = 4
"""So many sectors may be covered by the rings of neighbouring boxes: those with the most ink do not count."""
_FEW, _UNMARKED = 6, 30
"""On a page with at least so many round boxes, this percentage of them is surely unmarked."""


def ring_thickness(ink: PageInk, rects: Sequence[Rect | None]) -> Floats:
    """How much thicker than most the outline of each round box is, in mm of ink; 0 for None, which is not round."""
    thickness: Floats = np.zeros(len(rects))
    round_ = [number for number, rect in enumerate(rects) if rect]
    if round_:
        excess = np.array([_excess(ink, rect) for rect in rects if rect])
        usual = np.percentile(np.median(excess, axis=1), _UNMARKED) if len(round_) >= _FEW else 0.0
        clipped = np.sort(np.clip(excess - usual, _THINNEST, _THICKEST), axis=1)
        thickness[round_] = clipped[:, :-_NEIGHBOURS].mean(axis=1)
    return thickness


def _excess(ink: PageInk, rect: Rect) -> Floats:
    """The thickness of the ink on the outline of a box, in mm, sector by sector."""
    sectors, lengths = _sectors(round(rect.width * PX), round(rect.height * PX))
    height, width = sectors.shape
    top = round((rect.y + rect.height / 2) * PX - height / 2)
    left = round((rect.x + rect.width / 2) * PX - width / 2)
    rows, columns = slice(max(top, 0), top + height), slice(max(left, 0), left + width)
    darker = ink.printed[rows, columns].astype(np.float32) - ink.seen[rows, columns]
    sectors = sectors[rows.start - top :, columns.start - left :][: darker.shape[0], : darker.shape[1]]
    sums = np.bincount(sectors.ravel(), darker.ravel(), minlength=SECTORS + 1)[:SECTORS]
    return sums / (ink.dark * lengths * PX)


@cache
def _sectors(width: int, height: int) -> tuple[NDArray[np.intp], Floats]:
    """The sector of each pixel near the outline of a box (SECTORS elsewhere), and the length of its part of the outline
    in pixels. The boxes are circles or pills."""
    margin = round((_OUTSIDE + 0.2) * PX)
    y, x = np.mgrid[: height + 2 * margin, : width + 2 * margin] + 0.5
    y, x = y - margin - height / 2, x - margin - width / 2
    radius = min(width, height) / 2
    right, down = np.abs(x) - (width / 2 - radius), np.abs(y) - (height / 2 - radius)
    distance = np.hypot(np.maximum(right, 0), np.maximum(down, 0)) + np.minimum(np.maximum(right, down), 0) - radius
    turn = np.arctan2(y / height, x / width) / (2 * np.pi) + 0.5
    sectors = (turn * SECTORS).astype(np.intp) % SECTORS
    lengths = np.bincount(sectors[np.abs(distance) < PX / 2], minlength=SECTORS) / PX
    near = (distance > -_INSIDE * PX) & (distance < _OUTSIDE * PX)
    return np.where(near, sectors, SECTORS), np.maximum(lengths, 1.0)
