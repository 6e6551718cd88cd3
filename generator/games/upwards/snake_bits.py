"""Where a longest snake may lie, quickly: boxes as the bits of a number, row by row from below, with a bit between two
rows that is never set. Boxes that hang together in the same shape, wherever that lies, have the same longest line, and
most shapes come again and again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from . import snake
from .snake import Box


def longest(boxes: Iterable[Box], columns: int, diagonal: bool, least: int) -> tuple[Box, ...]:
    """A longest line through boxes of a grid of so many columns; none where no line has `least` boxes."""
    wide, best = columns + 1, tuple[Box, ...]()
    mask = sum([1 << row * wide + column for column, row in boxes])
    for patch in sorted(_patches(mask, wide, diagonal, max(least, 1)), key=int.bit_count, reverse=True):
        if patch.bit_count() > len(best):
            row = ((patch & -patch).bit_length() - 1) // wide
            line = _line(patch >> row * wide, wide, diagonal)
            best = max(best, tuple([(column, row + up) for column, up in line]), key=len)
    return best if len(best) >= least else ()


def _patches(boxes: int, wide: int, diagonal: bool, least: int) -> Iterator[int]:
    """The boxes that hang together, `least` of them or more."""
    while boxes.bit_count() >= least:
        patch, more = 0, boxes & -boxes
        while more != patch:
            patch = more
            beside = patch | patch << 1 | patch >> 1
            upright = beside if diagonal else patch
            more = (beside | upright << wide | upright >> wide) & boxes
        boxes ^= patch
        if patch.bit_count() >= least:
            yield patch


@lru_cache(1 << 14)
def _line(patch: int, wide: int, diagonal: bool) -> tuple[Box, ...]:
    """A longest line through boxes that hang together, the lowest of them in the first row."""
    return snake.longest([(bit % wide, bit // wide) for bit in range(patch.bit_length()) if patch >> bit & 1], diagonal)
