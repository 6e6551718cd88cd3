"""Whether boxes are ticked, crossed or ringed.

A ring on the printed outline of its box cannot be told from print, but makes it thicker: how much darker the photo is
than the blank page, summed up across the outline, depends neither on blur nor on small errors of place.
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
"""Rings around neighbouring boxes may cover some sectors: this number of them, with the most ink, do not count."""
_SAME_GRAY, _FEW, _UNMARKED = 3, 6, 30
"""How far greys that look alike may differ; on a page with `_FEW` round boxes, `_UNMARKED` percent hold no mark."""


def ring_thickness(ink: PageInk, rects: Sequence[Rect | None]) -> Floats:
    """How much thicker than most the outline of each round box is, in mm of ink; 0 for None, which is not round."""
    thickness: Floats = np.zeros(len(rects))
    round_ = [number for number, rect in enumerate(rects) if rect]
    if round_:
        excess, grays = np.split(np.array([_measured(ink, rect) for rect in rects if rect]), [SECTORS], axis=1)
        alike = np.abs(grays - grays.T) <= _SAME_GRAY  # light makes colours darker or paler than on paper
        alike |= alike.sum(axis=1, keepdims=True) < _FEW
        medians = np.where(alike, np.median(excess, axis=1), np.nan)
        usual = np.nanpercentile(medians, _UNMARKED, axis=1, keepdims=True) * (len(excess) >= _FEW)
        clipped = np.sort(np.clip(excess - usual, _THINNEST, _THICKEST), axis=1)
        thickness[round_] = clipped[:, :-_NEIGHBOURS].mean(axis=1)
    return thickness


def _measured(ink: PageInk, rect: Rect) -> Floats:
    """The thickness of the ink on the outline of a box, in mm, sector by sector, and at last its printed grey."""
    sectors, lengths = _sectors(round(rect.width * PX), round(rect.height * PX))
    height, width = sectors.shape
    top, left = round((rect.y + rect.height / 2) * PX - height / 2), round((rect.x + rect.width / 2) * PX - width / 2)
    rows, columns = slice(max(top, 0), top + height), slice(max(left, 0), left + width)
    darker = ink.printed[rows, columns].astype(np.float32) - ink.seen[rows, columns]
    sectors = sectors[rows.start - top :, columns.start - left :][: darker.shape[0], : darker.shape[1]]
    sums = np.bincount(sectors.ravel(), darker.ravel(), minlength=SECTORS + 1)[:SECTORS]
    return np.append(sums / (ink.dark * lengths * PX), np.percentile(ink.printed[rows, columns][sectors < SECTORS], 8))


@cache
def _sectors(width: int, height: int) -> tuple[NDArray[np.intp], Floats]:
    """The sector of each pixel near the outline of a circle or pill (else SECTORS), and the length of its outline."""
    margin = round((_OUTSIDE + 0.2) * PX)
    y, x = np.mgrid[: height + 2 * margin, : width + 2 * margin] + 0.5
    y, x = y - margin - height / 2, x - margin - width / 2
    radius = min(width, height) / 2
    right, down = np.abs(x) - (width / 2 - radius), np.abs(y) - (height / 2 - radius)
    distance = np.hypot(np.maximum(right, 0), np.maximum(down, 0)) + np.minimum(np.maximum(right, down), 0) - radius
    turn = np.arctan2(y / height, x / width) / (2 * np.pi) + 0.5
    sectors = (turn * SECTORS).astype(np.intp) % SECTORS
    lengths = np.bincount(sectors[np.abs(distance) < PX / 2], minlength=SECTORS) / PX
    sectors[(distance <= -_INSIDE * PX) | (distance >= _OUTSIDE * PX)] = SECTORS
    return sectors, np.maximum(lengths, 1.0)
