"""Sets texts in their boxes, as items of a frame."""

from __future__ import annotations

from collections.abc import Iterator

from ..geometry import outlines
from ..geometry.frame import Item, LazyItems, Run
from ..geometry.outlines import Rect
from ..text.lines import Fitted, LineSetting, aligned, first_baseline, line_offset
from ..text.words import Plain, Stretch, cut, is_last, line_width, stretches
from .ink import Ink, Stroke


class Lettering(LazyItems):
    """The items of a text that fits its box at `rect`, in the coordinates of `ink`. What paints them as PDF takes them
    line by line, which saves a tenth of the time for a deck of 540 cards."""

    __slots__ = ("box", "ink", "rect", "style", "text")

    def __init__(self, ink: Ink, text: Fitted, style: LineSetting, rect: Rect) -> None:
        self.ink, self.text, self.style, self.rect = ink, text, style, rect
        self.box = ink.on_face(rect)

    def all(self) -> tuple[Item, ...]:
        ink = Ink(self.ink.trim, self.ink.bleed, [], self.ink.turn, matrix=self.ink.matrix)
        write(ink, self.text, self.style, self.rect)
        return tuple(ink.items)

    def lines(self) -> Iterator[tuple[Stretch | Plain, float, float, float]]:
        """The lines of the text, or stretches of them, as `_placed` places them."""
        return _placed(self.text, self.style, self.rect)


def write(ink: Ink, text: Fitted, style: LineSetting, box: Rect) -> None:
    """Writes the lines of a text into a box; they must fit."""
    size = text.size
    placed = [
        (next(stretches(part)) if isinstance(part, Plain) else part, x, y, spread)
        for part, x, y, spread in _placed(text, style, box)
    ]
    if style.outline:
        for stretch, x, y, spread in placed:
            if not stretch.icon:
                ink.run(_run(stretch, style, size, x, y=y, spread=spread, outline=True))
    for stretch, x, y, spread in placed:
        _write_stretch(ink, stretch, style, size, x=x, y=y, spread=spread)


def _placed(text: Fitted, style: LineSetting, box: Rect) -> Iterator[tuple[Stretch | Plain, float, float, float]]:
    """The lines of a text or, if they are not all in the style's own font, their stretches, each with its left end, its
    baseline and what is added to its spaces (mm)."""
    size, style = text.size, aligned(text, style)
    y = box.y + first_baseline(len(text.lines), style, size, box.height)
    for span in text.lines:
        line = cut(span)
        x, spread = box.x + line_offset(line, style, size, box.width), 0.0
        spaces = 0
        if style.align == "justify" and not is_last(span):
            spaces = sum([part.text.count(" ") for part in stretches(line)])
        if spaces:
            spread = (box.width - (line_width(line) - style.tracking) * size) / spaces
        if isinstance(line, Plain):
            yield line, x, y, spread
        else:
            for part in stretches(line):
                yield part, x + part.x * size, y, spread
                x += part.text.count(" ") * spread
        y += style.leading * size


UNDERLINE, STRIKE, LINE_WIDTH = 0.13, -0.27, 0.065
"""The middle of lines below and through words, from the baseline, and their width, in type sizes."""


def _write_stretch(
    ink: Ink, stretch: Stretch, style: LineSetting, size: float, x: float, y: float, spread: float = 0.0
) -> None:
    run = _run(stretch, style, size, x, y=y, spread=spread)
    if stretch.icon:
        height = style.family.cap_height * size
        ink.icon(stretch.icon, Rect(x, y - height, run.width, height), run.colour)
    else:
        ink.run(run)
    for drawn, middle in ((stretch.emphasis.underlined, UNDERLINE), (stretch.emphasis.struck, STRIKE)):
        if drawn:
            height = LINE_WIDTH * size
            path = outlines.rect(x, y + middle * size - height / 2, run.width, height)
            ink.shape(path, run.colour, Stroke(None))


def _run(
    stretch: Stretch, style: LineSetting, size: float, x: float, y: float, spread: float, *, outline: bool = False
) -> Run:
    tracking = style.tracking * size
    width = stretch.width * size - tracking + stretch.text.count(" ") * spread
    colour = style.outline if outline else stretch.emphasis.colour or style.colour
    key, beyond = style.family.keys[stretch.font], style.outline_width if outline else 0.0
    return Run(
        x,
        y,
        stretch.text,
        key,
        size=size,
        colour=colour,
        width=width,
        tracking=tracking,
        spread=spread,
        outline=beyond,
        rtl=stretch.rtl,
    )
