"""What was written on a straightened page: the photo without its paper, its light and its print.

Every pixel is compared with the white of the paper around it, then with the blank page in the greys and sharpness of
this photo. What is darker than the darkest print nearby is ink; where a stroke crosses print, the gap is closed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from ..errors import fault
from ..geometry.outlines import Rect
from .blank import PX, BlankPage
from .straighten import StraightPage

Gray: TypeAlias = NDArray[np.uint8]
Ink: TypeAlias = NDArray[np.float32]
Array: TypeAlias = NDArray[Any]

WHITE, EVEN = 250, 220
"""The darkest white of the blank page; the grey of paper in even light, which leaves room for brighter noise."""
_NOISY = 4.0
"""Photos with more noise than this, in grey levels, are smoothed."""
_BLOCK, _BRIGHT = PX // 2, 0.88
"""The white of paper is measured in blocks of 0.5 mm. Those this bright, compared with the brightest, have no ink."""
_WIDEST, _MISPLACED = 9.0, 0.2
"""What is wider and darker than the rest of the paper is a shadow; print may lie so far beside its place (mm)."""
_BLURS = (0.0, 0.5, 0.8, 1.1, 1.4, 1.8, 2.3, 3.0, 4.0)
_SAMPLE, _STEEP = 16, 60
"""Blur is measured in each sixteenth column, where neighbouring pixels of print differ by at least 60 grey levels."""
_GAP, _ACROSS, _THICKER, _NEAR = 0.9, 0.75, 0.15, 2.0
"""The widest gap closed across a line, how far beside it darkness is summed, how much ink adds, and how near (mm)."""
_FAINTEST, _PEN, _TOO_NOISY = 12, 90.0, 0.75
"""How much darker than paper faint ink and a usual pen are, in greys, and the largest share of it that is noise."""
_MARGIN, _LEAST_INK, _MOST_STROKES = 4, 4.0, 0.75
"""Ink is measured this far from print (pixels) if there is so much of it (mm²). This share of it is not darker."""


class PageInk(Struct, frozen=True):
    """A page in even light, the blank page in this photo, how dark strokes are, and the ink: 1 for most strokes."""

    seen: Gray
    printed: Gray
    dark: float
    ink: Ink


def page_ink(page: StraightPage) -> PageInk:
    """What was written on a page."""
    blank, inside = page.blank.gray, _inside_boxes(page.blank)
    paper = np.asarray(Image.fromarray(_paper(page.gray, blank)).resize(blank.shape[::-1], Image.Resampling.BILINEAR))
    seen = np.minimum(page.gray * (EVEN / paper), 255).astype(np.uint8)
    if (noise := _noise(seen[inside])) > _NOISY:
        seen = np.asarray(Image.fromarray(seen).filter(ImageFilter.BoxBlur(1)))
        noise = _noise(seen[inside])
    levels = _toner(blank, seen)[blank]
    blur = ImageFilter.GaussianBlur(_blur(levels, seen))
    printed = np.asarray(Image.fromarray(levels).filter(blur))
    darkest = _least(printed, round(_MISPLACED * PX))
    darker = np.where(seen < darkest, darkest - seen, 0).astype(np.uint8)
    faintest = max(_FAINTEST, 4 * noise)
    dark = _stroke_darkness(darker[inside], faintest)
    if faintest > _TOO_NOISY * dark:
        raise fault("too grainy: faint marks are hidden", hint="take it again in better light, not from a screen")
    near = _most(darker, round(_NEAR * PX)) > dark / 2
    darker = np.where(near, np.maximum(darker, _beside_lines(seen, printed, dark)), darker)
    darker[darker < np.maximum(np.median(paper[::8, ::8]) / paper, 1) * faintest] = 0  # shadows are noisier
    ink: Ink = np.minimum(_bridged(darker, seen, printed) * np.float32(1 / dark), np.float32(1))
    return PageInk(seen, printed, dark, ink)


def _paper(gray: Gray, blank: Gray) -> Ink:
    """The grey of unprinted paper, block by block: the mean around each of those that are as bright (no strokes)."""
    levels, white = (np.asarray(Image.fromarray(each).reduce(_BLOCK)) for each in (gray, _least(blank, 2)))
    reach = round(_WIDEST * PX / _BLOCK / 2)
    closed = _least(_most(np.where(white >= WHITE, levels, np.uint8(0)), reach), reach)
    paper = (white >= WHITE) & (levels > _BRIGHT * closed)
    values, weights = np.where(paper, levels, 0).astype(np.float32), paper.astype(np.float32)
    smooth, total = (
        sum(share * _mean_around(each, radius) for radius, share in ((3, 1.0), (12, 1e-3), (48, 1e-5), (192, 1e-7)))
        for each in (values, weights)
    )
    return np.asarray(np.maximum(smooth / (total + 1e-9), 1.0), np.float32)


def _blur(levels: Gray, seen: Gray) -> float:
    """The blur of the photo in pixels (a standard deviation): with it, printed edges are as steep as in the photo."""
    sharp = levels[:, ::_SAMPLE].astype(np.float32)
    edges = _steepness(sharp) > _STEEP
    if not edges.any():
        return 0.0
    target = _steepness(seen[:, ::_SAMPLE].astype(np.float32))[edges].mean()
    blurred = (_steepness(_blurred_down(sharp, blur))[edges].mean() for blur in _BLURS[1:])
    return _BLURS[sum(steepness > target for steepness in blurred)]


def _steepness(columns: Ink) -> Ink:
    """The steepest step in each column near each pixel."""
    return np.asarray(_extreme(np.abs(np.diff(columns, axis=0)), round(_MISPLACED * PX) + 1, np.maximum))


def _blurred_down(columns: Ink, deviation: float) -> Ink:
    reach = int(3 * deviation) + 1
    kernel = np.exp(-(np.arange(-reach, reach + 1) ** 2) / (2 * deviation**2))
    padded = np.pad(columns, ((reach, reach), (0, 0)), mode="edge")
    blurred = np.zeros_like(columns)
    for at, weight in enumerate(kernel / kernel.sum()):
        blurred += np.float32(weight) * padded[at : at + len(columns)]
    return blurred


def _toner(blank: Gray, seen: Gray) -> Gray:
    """For each grey level of the blank page, that of the photo, measured where the print is even."""
    even = (_most(blank, 3) - _least(blank, 3))[::2, ::2] <= 6
    levels, grays = blank[::2, ::2][even], seen[::2, ::2][even]
    counts = np.bincount(levels >> 3, minlength=32)
    sums = np.bincount(levels >> 3, grays.astype(np.float64), minlength=32)
    known = np.flatnonzero(counts > 200)
    means = np.maximum.accumulate(sums[known] / counts[known])
    centres = known * 8 + 3.5
    black = EVEN - (EVEN - means[:1]) * 255 / (255 - centres[:1])
    table = np.interp(np.arange(256), [*(0.0 for _ in black), *centres, 255.0], [*black, *means, EVEN])
    return np.asarray(np.clip(table, 0, EVEN), np.uint8)


def _beside_lines(seen: Gray, printed: Gray, dark: float) -> Gray:
    """Ink on printed lines. A line off its place is darker on one side, brighter on the other; ink adds darkness."""
    darker = printed.astype(np.int16) - seen
    reach = round(_ACROSS * PX)
    excess = np.minimum(_sums(darker, reach), _sums(darker.T, reach).T)
    lines = excess[(printed < EVEN - 60) & (_most(printed, reach + 2) > EVEN - 20)]
    usual = max(float(np.percentile(lines, 75)), 0.0) if len(lines) else 0.0  # most lines have no ink
    return np.where(excess > _THICKER * PX * dark + usual, np.maximum(darker, 0), 0).astype(np.uint8)


def _sums(values: Array, reach: int) -> Array:
    """The sum of 2·reach + 1 pixels above and below each."""
    sums = np.cumsum(np.pad(values, ((reach + 1, reach), (0, 0))), axis=0, dtype=np.int32)
    return sums[2 * reach + 1 :] - sums[: -2 * reach - 1]


def _bridged(ink: Gray, seen: Gray, printed: Gray) -> Gray:
    """The ink with the gaps closed where strokes cross printed lines: as dark as the paler stroke on both sides."""
    line = _least(printed, round(_MISPLACED * PX)) < EVEN - 20
    length = round(_GAP * PX)
    closed = ink
    for down, right in ((1, 0), (0, 1), (1, 1), (1, -1)):
        before, after, span = ink, ink, 1
        while span < length:
            step = min(span, length - span)
            before = np.maximum(before, np.roll(before, (down * step, right * step), (0, 1)))
            after = np.maximum(after, np.roll(after, (-down * step, -right * step), (0, 1)))
            span += step
        closed = np.maximum(closed, np.minimum(before, after))
    return np.where(line, np.maximum(ink, np.minimum(closed, EVEN - np.minimum(seen, EVEN))), ink)


def _inside_boxes(blank: BlankPage) -> NDArray[np.bool_]:
    """The white pixels in the boxes of a page, away from their outlines."""
    inside = np.zeros(blank.gray.shape, bool)
    slots = [field.slot for field in blank.map.fields if field.page == blank.page]
    for rect in (rect for slot in slots for rect in slot.boxes or (slot.box,)):
        top, left, bottom, right = (round(side * PX) for side in (rect.y, rect.x, rect.bottom, rect.right))
        inside[top + _MARGIN : bottom - _MARGIN, left + _MARGIN : right - _MARGIN] = True
    return inside & (_least(blank.gray, _MARGIN) >= WHITE)


def _noise(seen: Gray) -> float:
    """The standard deviation of the grey of paper, from the brighter half, where there is no ink."""
    middle, bright = np.percentile(seen, [50, 80]) if len(seen) else (0.0, 0.0)
    return float(bright - middle) / 0.84


def _stroke_darkness(darker: Gray, faintest: float) -> float:
    """How much darker than paper most strokes are; for a page without strokes, that of a pen."""
    counts = np.bincount(darker, minlength=256)
    counts[: round(faintest)] = 0
    if counts.sum() < _LEAST_INK * PX**2:
        return _PEN
    return max(float(np.searchsorted(np.cumsum(counts), _MOST_STROKES * counts.sum())), 2.5 * _FAINTEST)


def _mean_around(values: Array, radius: int) -> Array:
    """The mean of the square around each block, with zeros outside."""
    for _ in range(2):  # down, then across
        padded = np.pad(values, ((radius + 1, radius), (0, 0)))
        sums = np.cumsum(padded, axis=0, dtype=np.float64)
        values = ((sums[2 * radius + 1 :] - sums[: -2 * radius - 1]) / (2 * radius + 1)).T
    return values


def _least(array: Array, reach: int) -> Array:
    """The minimum of the square around each pixel."""
    return _extreme(_extreme(array, reach, np.minimum), reach, np.minimum, axis=1)


def _most(array: Array, reach: int) -> Array:
    """The maximum of the square around each pixel."""
    return _extreme(_extreme(array, reach, np.maximum), reach, np.maximum, axis=1)


def _extreme(array: Array, reach: int, extreme: np.ufunc, axis: int = 0) -> Array:
    """The extreme of 2·reach + 1 neighbours along an axis, in a logarithmic number of passes."""
    along = array if axis == 0 else array.T
    padded = np.pad(along, ((reach, reach), (0, 0)), mode="edge")
    size, span = 2 * reach + 1, 1
    while span < size:
        step = min(span, size - span)
        padded = extreme(padded[:-step], padded[step:])
        span += step
    return padded if axis == 0 else padded.T


# ---- rings


SECTORS = 16
_INSIDE, _OUTSIDE = 1.2, 1.6
"""How far from the outline a ring is looked for, in mm."""
_THINNEST, _THICKEST = -0.1, 0.35
"""Each sector counts at most as much as a thin pen line, in mm."""
_NEIGHBOURS = 4
"""Rings around neighbouring boxes may cover some sectors: this number of them, with the most ink, do not count."""
_SAME_GRAY, _FEW, _UNMARKED = 3, 6, 30
"""How far greys that look alike may differ; on a page with `_FEW` round boxes, `_UNMARKED` percent hold no mark."""


def ring_thickness(ink: PageInk, rects: Sequence[Rect | None]) -> Array:
    """How much thicker than most the outline of each round box is, in mm of ink; 0 for None, which is not round.
    A ring on the printed outline cannot be told from print, but makes it thicker: how much darker the photo is, summed
    up across the outline, depends neither on blur nor on small errors of place."""
    thickness: Array = np.zeros(len(rects))
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


def _measured(ink: PageInk, rect: Rect) -> Array:
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
def _sectors(width: int, height: int) -> tuple[NDArray[np.intp], Array]:
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
