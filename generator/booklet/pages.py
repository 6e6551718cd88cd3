"""What the pages of a booklet consist of (paragraphs, which are set like the texts of cards; figures; and more in
`setting`), and page breaks after which all pages are about equally full. Lengths are in mm.

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
from msgspec.structs import replace

from ..geometry.frame import Frame, Group, Shape
from ..geometry.outlines import Rect
from ..layout.ink import Ink, write
from ..text.breaks import may_break
from ..text.lines import EPSILON, Fitted, Lines, LineSetting, break_lines
from ..text.words import Paragraph, Span, cut, letters_of, line_width
from .figures import FigureFile, outline_of

LEAST_LINES = 2
"""The smallest number of lines of a paragraph at the foot or at the head of a page."""
_RAGGED = 0.14  # the share of a line that may stay empty to avoid a hyphen
_SHORT, _NARROWER = 0.14, (0.98, 0.96, 0.94, 0.92, 0.9, 0.87, 0.84, 0.81)
"""The share of a line that the last line of a paragraph should fill, and the widths, as shares of the room, that are
tried for the other lines to achieve that."""
_SMALL = 0.2  # the precision to which the lines of captions are balanced, in type sizes
_MARKER_GAP = 0.25  # the distance from the marker of a list to the text, in type sizes


class Item(Struct, eq=False, kw_only=True):
    """Something that is as wide as the column, or narrower by an `indent`: a paragraph, a table, a figure or a note.
    `before` and `after` are its margins. `keep` allows no page break after it, `breaks` demands one before it. `cost`
    is the cost of a page break before it, and `stretch` how much more than the gap before a paragraph the one before it
    grows. The `bookmark` of a heading is its level and text."""

    before: float = 0.0
    after: float = 0.0
    indent: float = 0.0
    keep: bool = False
    breaks: bool = False
    cost: float = 8.0
    stretch: float = 1.0
    bookmark: tuple[int, str] | None = None

    def height(self, width: float) -> float:
        """Its height if it is this wide."""
        raise NotImplementedError

    def draw(self, ink: Ink, x: float, y: float, width: float) -> None:
        """Draws it, with its upper left corner at (x, y)."""
        raise NotImplementedError

    def parts(self, width: float) -> Iterator[tuple[int, int, float]]:
        """Its parts that page breaks cannot divide, each with its first and last line and its height."""
        yield 0, 0, self.height(width)


def gap(above: Item, below: Item) -> float:
    """The distance between two items on a page: as in CSS, the larger of their margins."""
    return max(above.after, below.before)


def stacked(items: Sequence[Item], width: float, stretch: float = 0.0) -> Iterator[tuple[Item, float, float]]:
    """Items one below the other, each with its upper and its lower edge. The gap before a paragraph grows by
    `stretch`."""
    y, above = 0.0, None
    for item in items:
        if above is not None:
            y += gap(above, item) + stretch * item.stretch
        top, above = y, item
        y += item.height(width - item.indent)
        yield item, top, y


def measured(items: Sequence[Item], width: float) -> float:
    """The height of items one below the other, without the margins of the first and the last."""
    return max((bottom for _, _, bottom in stacked(items, width)), default=0.0)


def _is_full(span: Span, room: float, allowed: float) -> bool:
    """Whether a line fits, and is shorter than `room` by at most `allowed`, or the word after it stays whole anyway:
    it is the last one, or too short."""
    whole, _, end = span
    free = room - line_width(cut(span))
    if free <= allowed:
        return free >= -EPSILON
    return end + 2 > len(whole) or not may_break(letters_of(whole[end : end + 1]))


class TextLines(Item):
    """A paragraph; `marker` is the bullet or number to its left, and `lines` are given if it is a part of another one.

    `hyphenated` returns the same text with hyphens, which is used if lines would be very short without them."""

    text: Paragraph
    style: LineSetting
    marker: Paragraph | None = None
    lines: Lines | None = None
    hyphenated: Callable[[], Paragraph] | None = None
    broken: tuple[float, Lines] | None = None
    """The lines in the column that was last asked for, and its width."""

    @property
    def line_height(self) -> float:
        return self.style.leading * self.style.size

    def height(self, width: float) -> float:
        return len(self.lines_in(width)) * self.line_height

    def lines_in(self, width: float) -> Lines:
        """Its lines in a column of this width."""
        if self.lines is not None:
            return self.lines
        if self.broken is None or self.broken[0] != width:
            self.broken = width, self._break(width)
        return self.broken[1]

    def _break(self, width: float) -> Lines:
        room = width / self.style.size
        allowed = 0.0 if self.style.align == "justify" else _RAGGED * room
        text = self.text
        lines = break_lines(text, max(room, text.widest_word), wrap=True) or []
        if self.hyphenated and not all(_is_full(span, room + self.text.tracking, allowed) for span in lines):
            text = self.hyphenated()
            lines = break_lines(text, max(room, text.widest_word), wrap=True, ragged=allowed) or []
        if self.style.align == "center":
            return self._balanced(lines, room)
        # If the last line is very short or one word, somewhat narrower lines leave more words for it.
        if len(lines) < 2 or self.style.align == "justify":
            return lines
        for narrower in (1.0, *_NARROWER):
            width = narrower * room
            if width < text.widest_word:
                break
            other = (
                lines
                if narrower == 1.0
                else break_lines(text, width, wrap=True, ragged=max(0.0, allowed - room + width)) or []
            )
            if len(other) == len(lines) and len(cut(other[-1])) > 1 and line_width(cut(other[-1])) >= _SHORT * room:
                return other
        return lines

    def _balanced(self, lines: Lines, room: float) -> Lines:
        """The lines of a caption or title, as many as before but of similar widths."""
        narrow, wide = self.text.widest_word, room
        while len(lines) > 1 and wide - narrow > _SMALL:
            middle = (narrow + wide) / 2
            shorter = break_lines(self.text, middle, wrap=True)
            if shorter and len(shorter) == len(lines):
                lines, wide = shorter, middle
            else:
                narrow = middle
        return lines

    def parts(self, width: float) -> Iterator[tuple[int, int, float]]:
        count, line = len(self.lines_in(width)), self.line_height
        if count < 2 * LEAST_LINES:
            yield 0, count, count * line
            return
        yield 0, LEAST_LINES, LEAST_LINES * line
        yield from ((number, number + 1, line) for number in range(LEAST_LINES, count - LEAST_LINES))
        yield count - LEAST_LINES, count, LEAST_LINES * line

    def part(self, first: int, end: int, width: float) -> TextLines:
        """Some of its lines in a column of this width, without the margins that belong to its others."""
        lines = self.lines_in(width)
        part = replace(self, lines=lines[first:end], after=self.after if end == len(lines) else 0.0)
        return replace(part, before=0.0, marker=None, bookmark=None) if first else part

    def draw(self, ink: Ink, x: float, y: float, width: float) -> None:
        size = self.style.size
        if self.marker:
            beside = Rect(x - 10 * size, y, (10 - _MARKER_GAP) * size, self.line_height)
            lines = break_lines(self.marker, 10.0, wrap=False) or []
            write(ink, Fitted(size, lines), replace(self.style, align="right"), beside)
        lines, box = self.lines_in(width), Rect(x, y, width, self.height(width))
        write(ink, Fitted(size, lines), self.style, box)


MAX_GROWTH = 1.3
"""How much larger a figure may be on a page with room to spare."""
CAPTION_WIDTH, _CAPTION_GAP = 104.0, 1.6
"""The largest width of a caption, and its distance from the pictures, in mm."""


class FigureItem(Item):
    """Frames side by side above a caption, all centred, at this `scale`; they may grow on a page with room to spare."""

    frames: list[Frame]
    contents: FigureFile
    caption: TextLines
    scale: float
    growth: float = 1.0

    @property
    def picture_height(self) -> float:
        return max(height for _, height in sizes(self.frames, self.contents)) * self.scale * self.growth

    def most_growth(self, width: float) -> float:
        """The largest `growth` in a column of this width."""
        return max(1.0, min(MAX_GROWTH, widest(self.frames, self.contents, width) / self.scale))

    def height(self, width: float) -> float:
        """Its height; a figure that is too wide is too high for any page."""
        if self._across() > width + 0.04:
            return 1e6
        return self.picture_height + _CAPTION_GAP + self.caption.height(min(width, CAPTION_WIDTH))

    def _across(self) -> float:
        """The width of the frames and the gaps between them."""
        across = fsum(width for width, _ in sizes(self.frames, self.contents))
        return across * self.scale * self.growth + self.contents.gap * (len(self.frames) - 1)

    def draw(self, ink: Ink, x: float, y: float, width: float) -> None:
        left, bottom, scale = x + (width - self._across()) / 2, y + self.picture_height, self.scale * self.growth
        for frame, (across, down) in zip(self.frames, sizes(self.frames, self.contents), strict=True):
            upright = (scale, 0.0, 0.0, scale, left, bottom - down * scale)
            turned = (0.0, -scale, scale, 0.0, left, bottom)
            outline = outline_of(frame)
            items: list[Group | Shape] = [Group(tuple(frame.items), clip=outline)]
            if self.contents.cards or self.contents.dice:  # they are cut from paper
                items.append(Shape(outline, None, "#8c8c8c", 0.2))
            ink.items.append(Group(tuple(items), transform=turned if self.contents.turned else upright))
            left += across * scale + self.contents.gap
        under = min(width, CAPTION_WIDTH)
        self.caption.draw(ink, x + (width - under) / 2, bottom + _CAPTION_GAP, under)


def figure_item(
    frames: list[Frame], contents: FigureFile, caption: TextLines, room: float, zoom: float = 1.0
) -> FigureItem:
    """A figure. Its frames are `zoom` times as large as it says, if they fit into the `room` (mm)."""
    width = contents.piece_width
    scale = width / max(across for across, _ in sizes(frames, contents)) if width else 1.0
    scale *= min(zoom, max(1.0, widest(frames, contents, room) / scale))
    return FigureItem(frames, contents, caption, scale, before=2.0, after=3.0, cost=60.0, stretch=2.0)


def sizes(frames: Sequence[Frame], contents: FigureFile) -> list[tuple[float, float]]:
    """The width and height of each frame as it appears on the page, before scaling."""
    return [(frame.height, frame.width) if contents.turned else (frame.width, frame.height) for frame in frames]


def widest(frames: Sequence[Frame], contents: FigureFile, room: float) -> float:
    """The largest scale at which frames fit into a room (mm)."""
    return (room - contents.gap * (len(frames) - 1)) / fsum(width for width, _ in sizes(frames, contents))


# ---- page breaks


SIZES = 0.92, 1.1
"""How much the type of a booklet may be smaller or larger than its theme says, so that its pages are full."""
# How much the gap before a paragraph may grow, in mm; those before headings and figures grow by a multiple.
_STRETCH = 1.1
_WITHIN_PARAGRAPH = 30.0
_FULL = 0.93  # how full pages should be before their figures and gaps grow
LEAST_FILL = 2 / 3
"""How full pages must be for their figures to grow."""
_STEP = 0.02
_TRIES = 3  # how many type sizes to try for a number of pages: in smaller ones, there are more places for page breaks
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
        stretch = item.stretch * _STRETCH
        if isinstance(item, FigureItem):
            stretch += (item.most_growth(room) - 1) * item.picture_height / item.growth
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


# From this number of pages on, only numbers of pages near the natural one are tried, and each in one type size.
_LONG = 16


def _emptiness(slack: float, growth: float) -> float:
    """The cost of the empty part of a page, before and after its figures and gaps grow (as shares of a page)."""
    remaining = max(0.0, slack - growth)
    return 40 * slack**2 + 200 * remaining**2 + (600 * (remaining - 0.17) if remaining > 0.17 else 0.0)


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
