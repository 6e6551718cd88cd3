"""Sets texts in their boxes, as items of a frame or beside items that several frames share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from ..fast_dataclasses import NamedTuple, dataclass
from ..geometry import outlines
from ..geometry.frame import Item, Run
from ..geometry.outlines import Matrix, Rect
from ..text.lines import Fitted, Setting, first_baseline, line_offset
from ..text.words import Plain, Stretch, cut, line_width, stretches
from .ink import Ink, Stroke

_NOWHERE = Rect(0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class TextBox:
    """The place of a text: its style, its box, and how the box is turned on the face (`turn` and `matrix`)."""

    style: Setting
    inside: Rect
    turn: float
    matrix: Matrix

    def items(self, text: Fitted) -> Sequence[Item]:
        """The frame items of a text that fits this box."""
        ink = Ink(_NOWHERE, 0.0, [], self.turn, self.matrix)
        if text.lines:
            write(ink, text, self.style, self.inside)
        return ink.items


@dataclass(frozen=True, slots=True, eq=False)
class Fixed:
    """Items that several frames may share. They are compared by identity, because a PDF contains them once."""

    items: tuple[Item, ...]


class Text(NamedTuple):
    """A text that fits its box. `written` has its words if they are few: the same words in the same box always look the
    same."""

    box: TextBox
    fitted: Fitted
    written: str | None

    @property
    def items(self) -> Sequence[Item]:
        """The frame items."""
        return self.box.items(self.fitted)


class Written(NamedTuple):
    """Consecutive texts as PDF operators, and the names of the XObjects that these paint. They are not items any
    more."""

    code: str
    xobjects: Iterable[str] = ()

    @property
    def items(self) -> tuple[Item, ...]:
        raise TypeError("these texts have been written")


class Lettered(Sequence[Item]):
    """The items of a frame in blocks, each of which is worked out on demand. When its texts have been written for a
    document, `written` holds the blocks with their operators, and `writer` who wrote them."""

    __slots__ = ("blocks", "writer", "written")

    def __init__(self, blocks: Sequence[Fixed | Text | Written]) -> None:
        self.blocks = blocks
        self.written: Sequence[Fixed | Written] = ()
        self.writer: object = None

    @property
    def art(self) -> tuple[tuple[Item, ...], ...]:
        """The items of each block; `Frame.art` says what they are for."""
        return tuple([block.items for block in self.blocks if isinstance(block, Fixed)])

    def _all(self) -> tuple[Item, ...]:
        items: list[Item] = []
        for block in self.blocks:
            items += block.items
        return tuple(items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, index: int | slice) -> Item | tuple[Item, ...]:
        return self._all()[index]

    def __eq__(self, other: object) -> bool:
        return self._all() == (other._all() if isinstance(other, Lettered) else other)

    def __hash__(self) -> int:
        return hash(self._all())


# ---- lines → items -------------------------------------------------------------------------------------------------


def write(ink: Ink, text: Fitted, style: Setting, box: Rect) -> None:
    """Writes the lines of a text into a box; they must fit."""
    size = text.size
    placed = list(_placed(text, style, box))
    if style.outline:
        for stretch, x, y, spread in placed:
            if not stretch.icon:
                ink.run(_run(stretch, style, size, x, y, spread, outline=True))
    for stretch, x, y, spread in placed:
        _write_stretch(ink, stretch, style, size, x, y, spread)


def _placed(text: Fitted, style: Setting, box: Rect) -> Iterator[tuple[Stretch, float, float, float]]:
    """The stretches of a text, each with its left end, its baseline and what is added to its spaces (mm)."""
    size = text.size
    y = box.y + first_baseline(len(text.lines), style, size, box.height)
    for span in text.lines:
        line, (whole, _, end) = cut(span), span
        x = box.x + line_offset(line, style, size, box.width)
        parts, spread = list(stretches(line)), 0.0
        last = end == len(whole.texts if isinstance(whole, Plain) else whole)
        spaces = 0 if style.align != "justify" or last else sum(part.text.count(" ") for part in parts)
        if spaces:
            spread = (box.width - (line_width(line) - style.tracking) * size) / spaces
        for part in parts:
            yield part, x + part.x * size, y, spread
            x += part.text.count(" ") * spread
        y += style.leading * size


UNDERLINE, STRIKE, LINE_WIDTH = 0.13, -0.27, 0.065
"""The middle of lines below and through words, from the baseline, and their width, in type sizes."""


def _write_stretch(
    ink: Ink, stretch: Stretch, style: Setting, size: float, x: float, y: float, spread: float = 0.0
) -> None:
    run = _run(stretch, style, size, x, y, spread)
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
    stretch: Stretch, style: Setting, size: float, x: float, y: float, spread: float, *, outline: bool = False
) -> Run:
    tracking = style.tracking * size
    width = stretch.width * size - tracking + stretch.text.count(" ") * spread
    colour = style.outline if outline else stretch.emphasis.colour or style.colour
    key, beyond = style.family.keys[stretch.font], style.outline_width if outline else 0.0
    return Run(x, y, stretch.text, key, size, colour, width, tracking, spread=spread, outline=beyond, rtl=stretch.rtl)


def stretch_items(stretch: Stretch, style: Setting, size: float, x: float, y: float) -> list[Item]:
    """The frame items of one stretch of a line; `x` is its left end, `y` its baseline."""
    ink = Ink(_NOWHERE, 0.0)
    _write_stretch(ink, stretch, style, size, x, y)
    return ink.items
