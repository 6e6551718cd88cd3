"""A score sheet that is filled in: a printed frame with marks, sums, lines and rings on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..definitions.models import Empty, Theme
from ..errors import InputError, Problem
from . import outlines
from .frame import Frame, Shape
from .ink import Ink
from .outlines import Path
from .pencil import free_of_badges, hand, mark, ring
from .rect import Rect
from .text import colour

_LINE_WIDTH, _OUTLINE_WIDTH, _OUTLINE_GAP, _NEAR, _SPARED = 1.1, 0.8, 1.1, 1.0, 0.2


@dataclass(frozen=True, slots=True)
class Writing:
    """What is written on a sheet, by the ids of its slots: the players' `marks`, the `sums` that were left to add up,
    and the `rings` round what is wrong, each with its numbers. `lines` go from slot to slot, `outlines` round slots;
    what is `crossed` has a stroke through its slot."""

    marks: Mapping[str, str] = field(default_factory=lambda: Empty)
    sums: Mapping[str, str] = field(default_factory=lambda: Empty)
    rings: Mapping[str, Sequence[int]] = field(default_factory=lambda: Empty)
    lines: tuple[tuple[str, ...], ...] = ()
    outlines: tuple[tuple[str, ...], ...] = ()
    crossed: tuple[str, ...] = ()


def written(frame: Frame, theme: Theme, writing: Writing) -> Frame:
    """The frame with all of the writing that its slots are for, in the styles `mark` and `sum` of the theme.

    Raises InputError with every mark that cannot be written: letters its font does not have, too many for its slot."""
    slots = {slot.id: Rect(slot.x, slot.y, slot.width, slot.height) for slot in frame.slots()}
    ink = Ink(Rect(0.0, 0.0, frame.width, frame.height), 0.0, list(frame.items))
    ink.items.extend(_drawn(writing, slots, colour("stroke", theme)))
    problems = [problem for style, texts in (("mark", writing.marks), ("sum", writing.sums))
                for problem in _marks(frame, theme, ink, slots, style, texts)]
    if problems:
        raise InputError(problems)
    safe = free_of_badges(ink.trim, frame.safe)
    for name, numbers in writing.rings.items():
        if name in slots:
            ring(ink, theme, slots[name], numbers, safe)
    return replace(frame, items=tuple(ink.items))


def _marks(frame: Frame, theme: Theme, ink: Ink, slots: Mapping[str, Rect], style: str,
           texts: Mapping[str, str]) -> Iterator[Problem]:
    how = hand(style, theme, wrap=True)
    for name, text in texts.items():
        if name in slots:
            for what in mark(ink, theme, how, text, slots[name]):
                yield Problem(f"{frame.name}, mark “{text}” in slot “{name}”: {what}")


# ---- lines and outlines ---------------------------------------------------------------------------------------------

def _drawn(writing: Writing, slots: Mapping[str, Rect], paint: str) -> Iterator[Shape]:
    for names in writing.lines:
        if len(names) > 1 and slots.keys() >= set(names):
            yield Shape(_through([slots[name] for name in names]), None, paint, _LINE_WIDTH, cap="round", join="round")
    for names in writing.outlines:
        if names and slots.keys() >= set(names):
            yield Shape(tuple(_around([slots[name] for name in dict.fromkeys(names)])), None, paint, _OUTLINE_WIDTH,
                        cap="round")


    for slot in (slots[name] for name in writing.crossed if name in slots):
        x, y = slot.width * _SPARED, slot.height * _SPARED
        path = outlines.line(slot.x + x, slot.bottom - y, slot.right - x, slot.y + y)
        yield Shape(path, None, paint, _OUTLINE_WIDTH, cap="round")


def _through(boxes: list[Rect]) -> Path:
    middles = [(box.x + box.width / 2, box.y + box.height / 2) for box in boxes]
    return (("M", *middles[0]), *(("L", *middle) for middle in middles[1:]))


def _around(boxes: list[Rect]) -> Iterator[tuple[str | float, ...]]:
    """The sides of the boxes that no other of them shares, a little inside."""
    for box in boxes:
        for across, down in ((0, -1), (1, 0), (0, 1), (-1, 0)):
            if not any(_beside(box, other, across, down) for other in boxes):
                yield from _side(box, boxes, across, down)


def _beside(box: Rect, other: Rect, across: int, down: int) -> bool:
    return (abs(other.x - box.x - across * box.width) < _NEAR and abs(other.y - box.y - down * box.height) < _NEAR)


def _side(box: Rect, boxes: list[Rect], across: int, down: int) -> Path:
    """One side of a box; it runs on to the next box of the outline on both ends where that has the side too."""
    ends = []
    for way in (-1, 1):
        goes_on = any(_beside(box, other, abs(down) * way, abs(across) * way) for other in boxes)
        ends.append(0.0 if goes_on else _OUTLINE_GAP)
    inner = box.grown(*[-_OUTLINE_GAP] * 4)
    if down:
        y = inner.y if down < 0 else inner.bottom
        return outlines.line(box.x + ends[0], y, box.right - ends[1], y)
    x = inner.x if across < 0 else inner.right
    return outlines.line(x, box.y + ends[0], x, box.bottom - ends[1])
