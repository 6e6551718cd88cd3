"""A page of a score sheet as an eye sees it: what is drawn where, and which slots have the outline of a cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import floor
from pathlib import PurePath

from ..definitions.models import ScoreSheet
from ..definitions.values import MM_PER_UNIT
from .cells import holds_digits
from .frame import Frame, Icon, Image, Item, Run, Shape, Slot
from .nearness import Line, apart, covered, lines
from .outlines import bounds
from .rect import Rect
from .safety import box_of

OUTLINE = 0.5 * MM_PER_UNIT["pt"]
GREY = "#a6a6a6"
WHITE = "#ffffff"
SLACK = 0.05
"""Things nearer to each other than this (mm) lie on each other."""

_BAND = 10.0


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """An item with the box it covers. `tint` is a fill that is not white, `lines` are what can be seen of the edges
    of a shape."""

    item: Item
    box: Rect
    tint: str | None = None
    lines: tuple[Line, ...] = ()

    def __str__(self) -> str:
        item = self.item
        if isinstance(item, Run):
            return f"text “{item.text.strip()}”"
        if isinstance(item, Slot):
            return f"slot “{item.id}”"
        if isinstance(item, Icon):
            return f"icon “{item.name}”"
        return f"picture “{PurePath(item.file).name}”" if isinstance(item, Image) else "a line"

    def outlines(self, box: Rect) -> bool:
        """Whether it is one closed path round this box: square, rounded or round."""
        return (isinstance(self.item, Shape) and self.item.stroke is not None and same(self.box, box)
                and self.item.path[-1] == ("Z",) and sum(segment[0] == "M" for segment in self.item.path) == 1)

    @property
    def lawful(self) -> bool:
        """Whether it is drawn as the outline of a cell has to be: 0.5 pt, 35 % grey, unbroken."""
        return (isinstance(self.item, Shape) and self.item.stroke == GREY and not self.item.dash
                and abs(self.item.stroke_width - OUTLINE) < 0.01)

    @property
    def curved(self) -> bool:
        """Whether it is a shape without a straight line, as a circle is."""
        return isinstance(self.item, Shape) and all(segment[0] in ("M", "C", "Z") for segment in self.item.path)


class Side:
    """One page: its slots with their fields, and all that is drawn on it."""

    def __init__(self, frame: Frame, sheet: ScoreSheet) -> None:
        self.frame = frame
        self.seen = list(_seen(frame))
        self.slots = [(sheet.fields[slot.id], box_of(slot)) for slot in frame.slots()]
        self.cells = [(field, box) for field, box in self.slots if holds_digits(field)]
        self._bands: dict[int, list[int]] = {}
        for number, one in enumerate(self.seen):
            for band in _bands(one.box):
                self._bands.setdefault(band, []).append(number)

    def near(self, box: Rect, reach: float) -> list[Seen]:
        """What is drawn less than `reach` from a box, in painting order."""
        numbers = {number for band in _bands(box.grown(0.0, reach, 0.0, reach)) for number in self._bands.get(band, ())}
        return [self.seen[number] for number in sorted(numbers) if apart(self.seen[number].box, box) < reach]

    @cached_property
    def outlined(self) -> frozenset[Rect]:
        """The boxes of slots, of any kind, that have the outline of a cell."""
        return frozenset(box for _, box in self.slots if _outlined(box, self.near(box, SLACK)))

    def circled(self, box: Rect) -> bool:
        """Whether the outline of a cell is a circle: what is near it is then as far as from the circle."""
        return any(one.lawful and one.curved and one.outlines(box) for one in self.near(box, SLACK))

    def grid(self, box: Rect, near: Sequence[Seen]) -> list[Rect]:
        """A cell and those of the outlined slots near it that touch it."""
        return [box, *(one.box for one in near if isinstance(one.item, Slot) and one.box != box
                       and one.box in self.outlined and apart(one.box, box) < SLACK)]


def _bands(box: Rect) -> range:
    return range(floor(box.y / _BAND), floor(box.bottom / _BAND) + 1)


def _seen(frame: Frame) -> Iterator[Seen]:
    tinted: list[Rect] = []
    for item in frame.items:
        if isinstance(item, Image):
            yield Seen(item, Rect(*(item.clip or (item.x, item.y, item.width, item.height))))
        elif not isinstance(item, Shape):
            yield Seen(item, box_of(item))
        else:
            yield _shape(item, tinted)


def _shape(item: Shape, tinted: list[Rect]) -> Seen:
    """A shape as it is seen: white on white is not there, white on a tint has an edge."""
    left, top, right, bottom = bounds(item.path)
    box = Rect(left, top, right - left, bottom - top)
    tint = item.fill if item.fill != WHITE else None
    if tint:
        tinted.append(box)
    seen = tint or item.stroke not in (None, WHITE) or (item.fill and any(apart(box, one) == 0 for one in tinted))
    return Seen(item, box, tint, tuple(lines(item.path)) if seen else ())


def same(one: Rect, other: Rect) -> bool:
    """Whether two boxes lie on each other."""
    return (abs(one.x - other.x) < SLACK and abs(one.y - other.y) < SLACK
            and abs(one.right - other.right) < SLACK and abs(one.bottom - other.bottom) < SLACK)


def shrunk(box: Rect) -> Rect:
    """The inside of a box, what lies on its edges left out."""
    return box.grown(-SLACK, -SLACK, -SLACK, -SLACK)


# ---- outlines -----------------------------------------------------------------------------------------------------

def _outlined(box: Rect, near: Sequence[Seen]) -> bool:
    lawful = [one for one in near if one.lawful]
    return any(one.outlines(box) for one in lawful) or all(
        covered(low, high, _along(edge, lawful), SLACK) for edge, low, high in edges(box))


def edges(box: Rect) -> Iterator[tuple[tuple[int, float], float, float]]:
    """The edges of a box: across which axis (0: x, 1: y) and where they lie, from where to where."""
    for at in (box.y, box.bottom):
        yield (1, at), box.x, box.right
    for at in (box.x, box.right):
        yield (0, at), box.y, box.bottom


def _along(edge: tuple[int, float], near: Sequence[Seen]) -> list[tuple[float, float]]:
    axis, at = edge
    return [tuple(sorted((line[1 - axis], line[3 - axis]))) for one in near for line in one.lines  # type: ignore[misc]
            if abs(line[axis] - at) < SLACK and abs(line[axis + 2] - at) < SLACK]
