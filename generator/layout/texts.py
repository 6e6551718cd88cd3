"""Sets texts in their boxes, as items of a frame or on an artwork that several frames share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, overload

from ..geometry import outlines
from ..geometry.frame import Item, Run
from ..geometry.outlines import Matrix, Rect
from ..text.lines import Fitted, Setting, first_baseline, line_offset
from ..text.words import Stretch, cut, stretches
from .ink import Ink

Part: TypeAlias = "tuple[Item, ...] | TextBox"
_NOWHERE = Rect(0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class TextBox:
    """The place of a text: its style, its box, and how the box is turned on the face (`turn` and `matrix`)."""

    style: Setting
    inside: Rect
    turn: float
    matrix: Matrix

    def tilted(self, matrix: Matrix, turn: float) -> TextBox:
        """The same text in a box that `matrix` turns by `turn` degrees on the face."""
        return replace(self, turn=(self.turn + turn) % 360, matrix=outlines.multiplied(matrix, self.matrix))

    def items(self, text: Fitted) -> Sequence[Item]:
        """The frame items of a text that fits this box."""
        ink = Ink(_NOWHERE, 0.0, [], self.turn, self.matrix)
        if text.lines:
            write(ink, text, self.style, self.inside)
        return ink.items


@dataclass(frozen=True, slots=True, eq=False)
class Artwork:
    """What several frames of one size have in common: fixed items and text boxes, in painting order. Artworks are
    compared by identity, because a PDF contains each artwork once, however many texts are set on it."""

    width: float
    height: float
    parts: tuple[Part, ...]


class Lettered(Sequence[Item]):
    """The items of an artwork with texts in its boxes, computed on demand.

    `texts` are those of the boxes, in order. `written` has the words of each short text and None for the others: the
    same words in the same box always look the same."""

    __slots__ = ("artwork", "texts", "written")

    def __init__(self, artwork: Artwork, texts: Sequence[Fitted], written: Sequence[str | None]) -> None:
        self.artwork = artwork
        self.texts = texts
        self.written = written

    def _all(self) -> tuple[Item, ...]:
        items: list[Item] = []
        texts = iter(self.texts)
        for part in self.artwork.parts:
            items += part.items(next(texts)) if isinstance(part, TextBox) else part
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
    y = box.y + first_baseline(len(text.lines), style, size, box.height)
    for line in map(cut, text.lines):
        x = box.x + line_offset(line, style, size, box.width)
        for stretch in stretches(line):
            _write_stretch(ink, stretch, style, size, x + stretch.x * size, y)
        y += style.leading * size


def _write_stretch(ink: Ink, stretch: Stretch, style: Setting, size: float, x: float, y: float) -> None:
    tracking = style.tracking * size
    width = stretch.width * size - tracking
    if stretch.icon:
        height = style.family.cap_height * size
        ink.icon(stretch.icon, Rect(x, y - height, width, height), style.colour)
    else:
        ink.run(Run(x, y, stretch.text, style.family.keys[stretch.font], size, style.colour, width, tracking))


def stretch_items(stretch: Stretch, style: Setting, size: float, x: float, y: float) -> list[Item]:
    """The frame items of one stretch of a line; `x` is its left end, `y` its baseline."""
    ink = Ink(_NOWHERE, 0.0)
    _write_stretch(ink, stretch, style, size, x, y)
    return ink.items
