"""The strokes on a page: connected pieces of ink, and the box that each of them belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..geometry.outlines import Rect
from .blank import PX
from .ink import Ink

Numbers: TypeAlias = NDArray[Any]

REACH = 3.0
"""How far outside a box its strokes are looked for, in mm."""
FAINT, _CLEAR = 0.3, 0.55
"""A stroke is connected ink above the first level that somewhere rises above the second (Canny's hysteresis)."""
_SPECK = 0.12
"""Smaller pieces of ink are dust and noise, in mm²."""
EDGE = 0.9
"""How close a line drawn around a part of a grid is to the outlines of its boxes, in mm."""
_MOST, _LARGEST = 0.65, 1.35
"""A piece of which no box holds more than the first share covers several boxes, if it is larger than a box."""


class PageStrokes(Struct, frozen=True):
    """All pixels of strokes, by the box they belong to (from `starts` on), and whether a line crosses each box."""

    rows: Numbers
    columns: Numbers
    ink: Numbers
    starts: Numbers
    crossed: Numbers

    def window(self, number: int, rect: Rect, margin: float) -> Ink:
        """The ink that belongs to box `number`, inside `rect` (mm) with a margin; all other ink is left out."""
        top, left, bottom, right = _pixels(rect, margin)
        window = np.zeros((bottom - top, right - left), np.float32)
        own = slice(self.starts[number], self.starts[number + 1])
        rows, columns = self.rows[own] - top, self.columns[own] - left
        inside = (rows >= 0) & (rows < window.shape[0]) & (columns >= 0) & (columns < window.shape[1])
        window[rows[inside], columns[inside]] = self.ink[own][inside]
        return window


def strokes_of(ink: Ink, rects: Sequence[Rect], groups: Sequence[int]) -> PageStrokes:
    """The strokes near these boxes, assigned to them. What crosses several groups except 0 is a line in a grid."""
    owners = _owners(ink.shape, rects)
    mask = (ink >= FAINT) & (owners > -2)
    rows, columns, pieces = connected(mask)
    values = ink[rows, columns]
    pieces, keep = _without_specks(pieces, values)
    rows, columns, values = rows[keep], columns[keep], values[keep]
    boxes, is_shared = _assigned(np.stack([rows, columns]), values, pieces, owners[rows, columns], rects)
    own = np.where(is_shared, np.asarray(groups)[boxes], 0)
    pairs = np.unique(np.stack([pieces, own], axis=1)[own > 0], axis=0)
    is_line = (own > 0) & (np.bincount(pairs[:, 0], minlength=int(pieces.max(initial=0)) + 1) > 1)[pieces]
    centres, halves = _boxes(rects)
    inside = halves[:, boxes] - np.abs(np.stack([rows, columns]) + 0.5 - centres[:, boxes])
    crossed = np.bincount(boxes[is_line & (inside.min(axis=0) > EDGE * PX)], minlength=len(rects)) > 0
    boxes[is_line & ~crossed[boxes]] = -1
    order = np.argsort(boxes, kind="stable")
    starts = np.searchsorted(boxes[order], np.arange(len(rects) + 1))
    return PageStrokes(rows[order], columns[order], values[order], starts, crossed)


def _boxes(rects: Sequence[Rect]) -> tuple[Numbers, Numbers]:
    """The middles of boxes and half their sizes, in pixels (2, n)."""
    centres = np.array([[rect.y + rect.height / 2, rect.x + rect.width / 2] for rect in rects]).T * PX
    return centres, np.array([[rect.height / 2, rect.width / 2] for rect in rects]).T * PX


def _pixels(rect: Rect, margin: float) -> tuple[int, int, int, int]:
    top, left = max(round((rect.y - margin) * PX), 0), max(round((rect.x - margin) * PX), 0)
    return top, left, round((rect.bottom + margin) * PX), round((rect.right + margin) * PX)


def _owners(shape: tuple[int, int], rects: Sequence[Rect]) -> Numbers:
    """The nearest box of each pixel, if it is close; -1 for one that strokes may lead through; -2 elsewhere."""
    owners = np.full(shape, -2, np.int16)
    for margin in (REACH, 1.6, 1.2, 0.8, 0.4, 0.0):
        for number, rect in enumerate(rects):
            top, left, bottom, right = _pixels(rect, margin)
            owners[top:bottom, left:right] = -1 if margin == REACH else number
    return owners


def connected(mask: NDArray[np.bool_]) -> tuple[Numbers, Numbers, Numbers]:
    """The pixels of a mask, row by row, and the connected piece (8 neighbours) of each, by runs (L. He, Y. Chao,
    K. Suzuki: “A run-based two-scan labeling algorithm”, IEEE Transactions on Image Processing 17, 2008)."""
    line = mask.shape[1] + 2
    changes = np.flatnonzero(np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(np.int8).ravel()))
    starts, ends = changes[::2] + 1, changes[1::2] + 1
    if not len(starts):
        return starts, starts, starts
    first = np.searchsorted(ends, starts - line)  # the first run above that ends at or after this one's left neighbour
    last = np.searchsorted(starts, ends - line, side="right")
    touching = np.maximum(last - first, 0)
    below = np.repeat(np.arange(len(starts)), touching)
    offsets = np.arange(len(below)) - np.repeat(np.cumsum(touching) - touching, touching)
    above = np.repeat(first, touching) + offsets
    pieces = _joined(len(starts), above, below)
    lengths = ends - starts
    runs = np.repeat(np.arange(len(starts)), lengths)
    places = np.arange(len(runs)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + starts[runs]
    return places // line, places % line - 1, pieces[runs]


def _joined(count: int, above: Numbers, below: Numbers) -> Numbers:
    """Numbers of connected pieces from pairs of connected runs."""
    pieces = np.arange(count)
    while True:
        least = np.minimum(pieces[above], pieces[below])
        joined = pieces.copy()
        np.minimum.at(joined, pieces[above], least)
        np.minimum.at(joined, pieces[below], least)
        joined = joined[joined]
        if np.array_equal(joined, pieces):
            return np.unique(pieces, return_inverse=True)[1]
        pieces = joined


def _without_specks(pieces: Numbers, values: Numbers) -> tuple[Numbers, NDArray[np.bool_]]:
    """The remaining pieces, numbered anew, and which pixels are theirs."""
    size = np.bincount(pieces, values, minlength=1) / PX**2
    peak = np.zeros(len(size), np.float32)
    np.maximum.at(peak, pieces, values)
    large = (size >= _SPECK) & (peak >= _CLEAR)
    keep = large[pieces] if len(pieces) else np.zeros(0, bool)
    return (np.cumsum(large) - 1)[pieces[keep]], keep


def _assigned(
    places: Numbers, values: Numbers, pieces: Numbers, owners: Numbers, rects: Sequence[Rect]
) -> tuple[Numbers, NDArray[np.bool_]]:
    """The box of each pixel at `places` (2, n): one for most pieces, several for large ones; and which these are."""
    count = int(pieces.max(initial=-1)) + 1
    mass = np.bincount(pieces, values, minlength=count)
    low, high = np.full((2, count), np.iinfo(np.intp).max), np.full((2, count), -1)
    for axis in (0, 1):
        np.minimum.at(low[axis], pieces, places[axis])
        np.maximum.at(high[axis], pieces, places[axis])
    centre = np.stack([np.bincount(pieces, values * along, minlength=count) / mass for along in places])
    middle = (centre + (low + high) / 2) / 2
    centres, halves = _boxes(rects)
    known = owners >= 0
    pairs, pair = np.unique(pieces[known] * len(rects) + owners[known], return_inverse=True)
    piece, box = np.divmod(pairs, len(rects))
    share = np.bincount(pair, values[known], minlength=len(pairs)) / mass[piece]
    off = (middle[:, piece] - centres[:, box]) / halves[:, box]
    order = np.argsort(share + np.exp(-(off**2).sum(axis=0)), kind="stable")
    best, most = np.full(count, -1), np.zeros(count)
    best[piece[order]] = box[order]
    np.maximum.at(most, piece, share)
    extent = (high - low) / (2 * halves[:, best])
    several = (most < _MOST) & (extent.max(axis=0) > _LARGEST)
    shared = several[pieces] & known
    boxes = best[pieces]
    boxes[shared] = owners[shared]
    return boxes, shared
