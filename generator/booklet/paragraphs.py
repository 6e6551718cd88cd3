"""What pages of a booklet consist of, and its paragraphs, which are set like the texts of cards. Lengths are in mm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..geometry.outlines import Rect
from ..layout.ink import Ink, write
from ..text.breaks import may_break
from ..text.lines import EPSILON, Fitted, Lines, LineSetting, break_lines
from ..text.words import (
    Paragraph,
    Span,
    cut,
    letters_of,
    line_width,
)

LEAST_LINES = 2
"""The smallest number of lines of a paragraph at the foot or at the head of a page."""
_RAGGED = 0.14
"""The share of a line that may stay empty to avoid a hyphen."""
_SHORT, _NARROWER = 0.14, (0.98, 0.96, 0.94, 0.92, 0.9, 0.87, 0.84, 0.81)
"""The share of a line that the last line of a paragraph should fill, and the widths, as shares of the room, that are
tried for the other lines to achieve that."""
_SMALL = 0.2
"""The precision to which the lines of captions are balanced, in type sizes."""
_MARKER_GAP = 0.25
"""The distance from the marker of a list to the text, in type sizes."""


class Item(Struct, eq=False, kw_only=True):
    """Something that is as wide as the column, or narrower by an `indent`: a paragraph, a table, a figure or a note.
    `before` and `after` are its margins. `keep` allows no page break after it, `breaks` demands one before it. `cost`
    is the cost of a page break before it, and `stretch` how much more than the gap before a paragraph the one before it
    grows."""

    before: float = 0.0
    after: float = 0.0
    indent: float = 0.0
    keep: bool = False
    breaks: bool = False
    cost: float = 8.0
    stretch: float = 1.0

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

    `hyphenated` returns the same text with hyphens, which is used if lines would be very short without them. The
    `bookmark` of a heading is its level and text."""

    text: Paragraph
    style: LineSetting
    marker: Paragraph | None = None
    lines: Lines | None = None
    hyphenated: Callable[[], Paragraph] | None = None
    bookmark: tuple[int, str] | None = None
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
        return self._without_short_end(lines, text, room, allowed)

    def _without_short_end(self, lines: Lines, text: Paragraph, room: float, allowed: float) -> Lines:
        """The lines of a paragraph; if the last one is very short, somewhat narrower ones that leave more words for
        it."""
        if len(lines) < 2 or self.style.align == "justify" or line_width(cut(lines[-1])) >= _SHORT * room:
            return lines
        for narrower in _NARROWER:
            width = narrower * room
            if width < text.widest_word:
                break
            other = break_lines(text, width, wrap=True, ragged=max(0.0, allowed - room + width)) or []
            if len(other) == len(lines) and line_width(cut(other[-1])) >= _SHORT * room:
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
        for number in range(LEAST_LINES, count - LEAST_LINES):
            yield number, number + 1, line
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
            write(ink, Fitted(size, lines, self.marker.across), replace(self.style, align="right"), beside)
        lines, box = self.lines_in(width), Rect(x, y, width, self.height(width))
        write(ink, Fitted(size, lines, self.text.across), self.style, box)
