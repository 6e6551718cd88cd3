"""Paragraphs of a booklet, set like the texts of cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reportlab.platypus import Flowable

from ..geometry.outlines import Rect
from ..layout.ink import Ink
from ..layout.texts import write
from ..pdf.operators import POINTS
from ..pdf.paint import Content
from ..text.lines import Fitted, Lines, Setting, break_lines
from ..text.words import Paragraph

_LEAST_LINES = 2
"""The smallest number of lines of a paragraph at the foot or at the head of a page."""
_MARKER_GAP = 0.25
"""The distance from the marker of a list to the text, in type sizes."""
_NOWHERE = Rect(0.0, 0.0, 0.0, 0.0)


class TextLines(Flowable):  # type: ignore[misc]
    """A paragraph; `marker` is the bullet or number to its left. `before` and `after` are distances in mm."""

    def __init__(
        self,
        text: Paragraph,
        style: Setting,
        *,
        before: float = 0.0,
        after: float = 0.0,
        marker: Paragraph | None = None,
        lines: Lines | None = None,
    ) -> None:
        super().__init__()
        self.text, self.style, self.marker, self.lines = text, style, marker, lines
        self.spaceBefore, self.spaceAfter = before * POINTS, after * POINTS
        self.line_height = style.leading * style.size * POINTS

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """The size of the paragraph in points."""
        self.width = width
        self.height = len(self._lines(width)) * self.line_height
        return width, self.height

    def _lines(self, width: float) -> Lines:
        if self.lines is not None:
            return self.lines
        room = max(width / POINTS / self.style.size, self.text.widest_word)
        return break_lines(self.text, room, wrap=True) or []

    def split(self, width: float, height: float) -> Sequence[Flowable]:
        """The paragraph in two parts, the first at most this high; nothing if it is better kept whole."""
        lines = self._lines(width)
        fit = int(height / self.line_height + 1e-6)
        if fit >= len(lines):
            return [self]
        fit = min(fit, len(lines) - _LEAST_LINES)
        if fit < _LEAST_LINES:
            return []
        first = TextLines(
            self.text, self.style, before=self.spaceBefore / POINTS, marker=self.marker, lines=lines[:fit]
        )
        return [first, TextLines(self.text, self.style, after=self.spaceAfter / POINTS, lines=lines[fit:])]

    def draw(self) -> None:
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
        self.canv._code.append("\n".join([*content.code, "Q"]))
        self.canv._formsinuse.extend(content.xobjects)
