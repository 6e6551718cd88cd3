"""Paragraphs of a booklet, set like the texts of cards."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace
from reportlab.platypus import Flowable

from ..geometry.outlines import Rect
from ..layout.ink import Ink
from ..layout.texts import write
from ..pdf.operators import POINTS
from ..pdf.paint import Content, put
from ..text.breaks import may_break
from ..text.lines import EPSILON, Fitted, Lines, LineSetting, break_lines
from ..text.words import (
    Paragraph,
    Plain,
    Span,
    Word,
    cut,
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
_NOWHERE = Rect(0.0, 0.0, 0.0, 0.0)


def _is_full(span: Span, room: float, allowed: float) -> bool:
    """Whether a line fits, and is shorter than `room` by at most `allowed`, or the word after it stays whole anyway:
    it is the last one, or too short."""
    whole, _, end = span
    free = room - line_width(cut(span))
    if free <= allowed:
        return free >= -EPSILON
    count, following = (len(whole.texts), whole.texts[end:]) if isinstance(whole, Plain) else (len(whole), whole[end:])
    return end + 2 > count or not may_break(_letters(following[0]))


def _letters(word: str | Word) -> str:
    return word if isinstance(word, str) else word.plain or "".join(atom.text for atom in word.atoms)


class TextLines(Flowable):  # type: ignore[misc]
    """A paragraph; `marker` is the bullet or number to its left. `before` and `after` are distances in mm.

    `hyphenated` returns the same text with hyphens, which is used if lines would be very short without them."""

    def __init__(
        self,
        text: Paragraph,
        style: LineSetting,
        *,
        before: float = 0.0,
        after: float = 0.0,
        marker: Paragraph | None = None,
        lines: Lines | None = None,
        hyphenated: Callable[[], Paragraph] | None = None,
    ) -> None:
        super().__init__()
        self.hyphenated = hyphenated
        self.text, self.style, self.marker, self.lines = text, style, marker, lines
        self.spaceBefore, self.spaceAfter = before * POINTS, after * POINTS
        self.line_height = style.leading * style.size * POINTS
        self._broken: tuple[float, Lines] | None = None
        self.bookmark: tuple[int, str] | None = None
        """The level and text of a heading, for the bookmarks of the document."""

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """The size of the paragraph in points."""
        self.width = width
        self.height = len(self._lines(width)) * self.line_height
        return width, self.height

    def _lines(self, width: float) -> Lines:
        if self.lines is not None:
            return self.lines
        if self._broken is None or self._broken[0] != width:
            self._broken = width, self._break(width)
        return self._broken[1]

    def _break(self, width: float) -> Lines:
        room = width / POINTS / self.style.size
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

    def count(self, width: float) -> int:
        """The number of its lines in a column of this width, in points."""
        return len(self._lines(width))

    def part(self, first: int, end: int) -> TextLines:
        """Some of the lines that it was last wrapped into, without the margins that belong to its others."""
        lines = self._lines(self.width)
        if first == 0 and end == len(lines):
            return self
        part = TextLines(
            self.text,
            self.style,
            before=0.0 if first else self.spaceBefore / POINTS,
            after=0.0 if end < len(lines) else self.spaceAfter / POINTS,
            marker=None if first else self.marker,
            lines=lines[first:end],
        )
        part.bookmark = None if first else self.bookmark
        return part

    def draw(self) -> None:
        if self.bookmark and self.bookmark[1]:
            self.canv.heading(*self.bookmark)
        ink = Ink(_NOWHERE, 0.0)
        size = self.style.size
        if self.marker:
            beside = Rect(-10 * size, 0.0, (10 - _MARKER_GAP) * size, self.style.leading * size)
            lines = break_lines(self.marker, 10.0, wrap=False) or []
            write(ink, Fitted(size, lines, self.marker.across), replace(self.style, align="right"), beside)
        box = Rect(0.0, 0.0, self.width / POINTS, self.height / POINTS)
        write(ink, Fitted(size, self._lines(self.width), self.text.across), self.style, box)
        content = Content([f"q {POINTS:.6f} 0 0 {-POINTS:.6f} 0 {self.height:.4f} cm"])
        self.canv.painter.items(ink.items, content)
        content.code.append("Q")
        put(self.canv, content)
