"""Where a longest snake may lie, quickly: boxes as the bits of a number, row by row from below, with a bit between two
rows that is never set. Boxes that hang together in the same shape, wherever that lies, have the same longest line, and
most shapes come again and again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from . import snake
from .snake import Box


def longest(numbered: Mapping[Box, int], columns: int, diagonal: bool, least: int) -> tuple[Box, ...]:
    """A longest line through boxes with one number, of the lowest where several numbers have one; none where no line
    has `least` boxes. The grid has so many columns."""
    wide, boxes = columns + 1, dict[int, int]()
    for (column, row), number in numbered.items():
        boxes[number] = boxes.get(number, 0) | 1 << row * wide + column
    return longest_in([mask for _, mask in sorted(boxes.items())], wide, diagonal, least)


def longest_in(masks: Iterable[int], wide: int, diagonal: bool, least: int) -> tuple[Box, ...]:
    """The same, of boxes that are bits already, those of the lowest number first; rows lie so `wide` apart."""
    best, lowest = tuple[Box, ...](), 0
    for size, above, mask in sorted([(mask.bit_count(), -number, mask) for number, mask in enumerate(masks)],
                                    reverse=True):
        number = -above
        wanted = max(len(best) + (number > lowest), least)
        if size < wanted:
            continue
        for patch in sorted(_patches(mask, wide, diagonal, wanted), key=int.bit_count, reverse=True):
            if patch.bit_count() < wanted:
                break
            line = _moved(patch, wide, diagonal)
            if len(line) >= wanted:
                best, lowest, wanted = line, number, len(line) + 1
    return best


def _patches(boxes: int, wide: int, diagonal: bool, least: int) -> Iterator[int]:
    """The boxes that hang together, `least` of them or more."""
    if least > 1 and boxes.bit_count() >= least:
        boxes &= _around(boxes, wide, diagonal)
    while boxes.bit_count() >= least:
        patch, more = 0, boxes & -boxes
        while more != patch:
            patch, more = more, (more | _around(more, wide, diagonal)) & boxes
        boxes ^= patch
        if patch.bit_count() >= least:
            yield patch


def _around(boxes: int, wide: int, diagonal: bool) -> int:
    """The neighbours of all these boxes, those of them too that are neighbours of one another."""
    beside = boxes << 1 | boxes >> 1
    upright = boxes | beside if diagonal else boxes
    return beside | upright << wide | upright >> wide


def _moved(patch: int, wide: int, diagonal: bool) -> tuple[Box, ...]:
    """A longest line through boxes that hang together, found with the lowest of them in the first row."""
    row = ((patch & -patch).bit_length() - 1) // wide
    return tuple([(column, row + up) for column, up in _line(patch >> row * wide, wide, diagonal)])


@lru_cache(1 << 14)
def _line(patch: int, wide: int, diagonal: bool) -> tuple[Box, ...]:
    boxes = frozenset([(bit % wide, bit // wide) for bit in range(patch.bit_length()) if patch >> bit & 1])
    return snake.longest_through(boxes, diagonal)
