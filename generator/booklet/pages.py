"""Breaks a booklet into pages that are about equally full.

Breaking is a shortest path over all places where a page may end, as in Knuth and Plass, “Breaking Paragraphs into
Lines” (1981), with the lines of a page in place of the words of a line. The space left on a page is then used up: its
figures grow, and so do the gaps between its blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from math import ceil, floor, fsum, inf
from typing import NamedTuple

from msgspec import Struct

from .figures import MAX_GROWTH, FigureItem
from .paragraphs import Item, TextLines, gap, measured, stacked

SIZES = 0.92, 1.1
"""How much the type of a booklet may be smaller or larger than its theme says, so that its pages are full."""
_STRETCH = 1.1
"""How much the gap before a paragraph may grow, in mm; those before headings and figures grow by a multiple."""
_WITHIN_PARAGRAPH = 20.0
_FULL = 0.93
"""How full pages should be before their figures and gaps grow."""
LEAST_FILL = 2 / 3
"""How full pages must be for their figures to grow."""
_STEP = 0.02
_TRIES = 3
"""How many type sizes to try for a number of pages: in smaller ones, there are more places for page breaks."""
_EPSILON = 0.01


class PageAtom(Struct, frozen=True):
    """What a page break cannot divide: an item, or the lines of one from `first` to `end`. `gap` is the distance to the
    atom above it on the same page, `stretch` how much it and its gap may grow; `cost` that of a page break before it.
    All lengths are in mm."""

    item: Item
    first: int
    end: int
    height: float
    gap: float
    stretch: float
    cost: float


class PlacedItem(NamedTuple):
    """An item on a page: its upper edge, in mm from the top of the column, and its width."""

    item: Item
    y: float
    width: float


Layout = Callable[[float], Sequence[Item] | None]
"""The items of a booklet whose type is larger by a factor; None if something does not fit."""


def atoms(items: Sequence[Item], width: float) -> list[PageAtom]:
    """The atoms of items in a column of this width."""
    result: list[PageAtom] = []
    above: Item | None = None
    for item in items:
        room = width - item.indent
        space = gap(above, item) if above else 0.0
        cost = inf if above and above.keep else 0.0 if item.breaks else item.cost
        stretch = item.stretch * _STRETCH + (item.growth_room(room) if isinstance(item, FigureItem) else 0.0)
        for part, (first, end, tall) in enumerate(item.parts(room)):
            if part:
                space, cost, stretch = 0.0, _WITHIN_PARAGRAPH, 0.0
            result.append(PageAtom(item, first, end, height=tall, gap=space, stretch=stretch, cost=cost))
        above = item
    return result


class _Breaker:
    """Finds the best page breaks between atoms."""

    def __init__(self, parts: Sequence[PageAtom], pages: int, height: float) -> None:
        self.parts, self.pages, self.height = parts, pages, height
        self.count = len(parts)
        self.heights = [0.0, *accumulate(atom.gap + atom.height for atom in parts)]
        self.stretches = [0.0, *accumulate(atom.stretch for atom in parts)]
        self.forced = [0, *accumulate(int(atom.item.breaks and atom.first == 0) for atom in parts)]

    def best(self) -> tuple[float, list[int]] | None:
        """The cost of the best page breaks, and the end of each page; None if the atoms do not fit."""
        steps: list[dict[int, tuple[float, int]]] = [{0: (0.0, 0)}]
        for page in range(1, self.pages + 1):
            ends: dict[int, tuple[float, int]] = {}
            for start, (before, _) in steps[-1].items():
                for end, cost in self._pages_from(start, page):
                    if end not in ends or before + cost < ends[end][0]:
                        ends[end] = before + cost, start
            steps.append(ends)
        if self.count not in steps[-1]:
            return None
        breaks = [self.count]
        for ends in reversed(steps[1:]):
            breaks.append(ends[breaks[-1]][1])
        return steps[-1][self.count][0], breaks[-2::-1]

    def least(self) -> float:
        """The smallest number of pages that the atoms fit on; infinite if one does not fit on any page."""
        pages = [0.0] + [inf] * self.count
        for start in range(self.count):
            for end in range(start + 1, self.count + 1) if pages[start] < inf else ():
                tall = self.heights[end] - self.heights[start] - self.parts[start].gap
                if tall > self.height + _EPSILON or self.forced[end] > self.forced[start + 1]:
                    break
                if end == self.count or self.parts[end].cost < inf:
                    pages[end] = min(pages[end], pages[start] + 1)
        return pages[-1]

    def _pages_from(self, start: int, number: int) -> Iterator[tuple[int, float]]:
        """The possible ends of the page with this number that begins at an atom, each with the cost of that page."""
        is_last = number == self.pages
        least = self.heights[-1] - (self.pages - number) * self.height  # what is left must fit on the other pages
        for end in range(start + 1, self.count + 1):
            tall = self.heights[end] - self.heights[start] - self.parts[start].gap
            if tall > self.height + _EPSILON or self.forced[end] > self.forced[start + 1]:
                return
            cut = 0.0 if end == self.count else self.parts[end].cost
            if self.heights[end] < least or (end == self.count) != is_last or cut == inf:
                continue
            grown = self.stretches[end] - self.stretches[start]
            yield end, cut + _emptiness(1 - tall / self.height, grown / self.height)


_LONG = 16
"""From this number of pages on, only numbers of pages near the natural one are tried, and each in one type size."""


def _emptiness(slack: float, growth: float) -> float:
    """The cost of the empty part of a page, before and after its figures and gaps grow (as shares of a page)."""
    remaining = max(0.0, slack - growth)
    return 40 * slack**2 + 200 * remaining**2 + (600 * (remaining - 0.28) if remaining > 0.28 else 0.0)


def best_pages(layout: Layout, width: float, height: float, blank: Callable[[int], float]) -> list[list[PlacedItem]]:
    """The pages of a booklet: in the type size and the number of pages that fill them best. `blank` is the cost of that
    number of pages, which some blank ones may have to follow. Raises ValueError if there is no way."""
    plain = layout(1.0)
    assert plain is not None
    parts = atoms(plain, width)
    natural = fsum(atom.gap + atom.height for atom in parts) / height
    best: tuple[float, list[PageAtom], list[int]] | None = None
    long = natural > _LONG
    first = max(1, ceil(natural) - 1 if long else ceil(natural * SIZES[0] ** 2))
    last = first + 5 if long else ceil(natural * SIZES[1] ** 2) + 7
    least = _Breaker(parts, 0, height).least()
    if least == inf:
        raise ValueError
    for pages in range(first, max(first, last, int(least) + 3) + 1):
        tries = 0
        for size in _sizes(natural, pages):
            items = plain if size == 1.0 else layout(size)
            parts = atoms(items, width) if items is not None else []
            broken_at = _Breaker(parts, pages, height).best() if parts else None
            if broken_at is None:
                continue
            cost = broken_at[0] + blank(pages) + pages * 110 * (size - 1) ** 2
            if best is None or cost < best[0]:
                best = cost, parts, broken_at[1]
            tries += 1
            if tries == (1 if long else _TRIES):
                break
    if best is None:
        raise ValueError
    _, parts, ends = best
    return [_page(parts[start:end], width, height) for start, end in pairwise([0, *ends])]


def _sizes(natural: float, pages: int) -> list[float]:
    """The type sizes to try for this number of pages, best first. `natural` is how many the booklet fills in the size
    of its theme, which it keeps if it fills these pages in no size."""
    if natural * SIZES[1] ** 2 < LEAST_FILL * pages:
        return [1.0]
    ideal = (_FULL * pages / natural) ** (1 / 1.75)
    start = min(SIZES[1], max(SIZES[0], ideal))
    count = floor((start - SIZES[0]) / _STEP + _EPSILON) + 1
    sizes = {round(start - _STEP * step, 2) for step in range(count)}
    return sorted(sizes | ({1.0} if start >= 1.0 else set()), reverse=True)


def _page(parts: Sequence[PageAtom], width: float, height: float) -> list[PlacedItem]:
    """Places the atoms of a page. Figures grow together, then gaps."""
    items = [_joined(list(run), width) for _, run in groupby(parts, key=lambda atom: id(atom.item))]
    pictures = [item for item in items if isinstance(item, FigureItem)]
    slack = height - measured(items, width)
    if pictures and 0 < slack < (1 - LEAST_FILL / MAX_GROWTH) * height:
        growth = 1 + 0.8 * slack / fsum(item.picture_height for item in pictures)
        for item in pictures:
            item.growth = min(growth, item.most_growth(width - item.indent))
        slack = height - measured(items, width)
    units = fsum(item.stretch for item in items[1:])
    stretch = min(_STRETCH, max(0.0, slack) / units) if units else 0.0
    return [PlacedItem(item, top, width - item.indent) for item, top, _ in stacked(items, width, stretch)]


def _joined(run: Sequence[PageAtom], width: float) -> Item:
    """The item of some atoms; of a paragraph that continues on another page, only these lines."""
    item = run[0].item
    return item.part(run[0].first, run[-1].end, width - item.indent) if isinstance(item, TextLines) else item
