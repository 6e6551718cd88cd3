"""Lays out faces that have elements in common: a placer that remembers what its faces share.

An element is remembered by its identity (`faces.reader`), its items by the element and its `Spot`, and the rectangles
of children by what a box reads of them (`arranged`). Where an element has a long text, it is new on each face, and so
are the elements around it: only they are laid out again, by plans of other boxes of the same shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ..errors import InputError
from ..faces.face import Element, Face, Words
from ..faces.reader import MAX_TEXT, UnusualError
from ..geometry.cuts import Cut
from ..geometry.frame import Frame, Group, Item, Slot
from ..geometry.outlines import Matrix, Rect
from ..model.game import Theme
from ..text.lines import Fitted
from . import measure
from .boxes import QUARTERS, Box, Extent
from .ink import Ink
from .place import Placer
from .safety import is_safe, lines_box
from .texts import write

Spot: TypeAlias = tuple[Rect, float, Matrix, float]
"""Where something is on the face: its rectangle, the turn and matrix of the box around it, and the bleed that it may
extend into."""
MAX_PLANS, MAX_PLACES, MAX_BOXES = 20, 2_000, 4_000
"""The number of plans that are remembered for a shape in one rectangle, and of such rectangles, and of boxes."""
_OWN = ("gap", "align", "justify", "columns", "rows")
_READ_BY_PARENTS = ("width", "height", "size", "grow")
"""What a box reads of its children besides their measurements, and of itself."""
_Guard: TypeAlias = tuple[int, str, Any, Extent]


class SharedPlacer(Placer):
    """Places the faces of one component, which have the size, bleed and safe area of `face`. Raises UnusualError for a
    face with a problem."""

    def __init__(self, face: Face, theme: Theme, cut: Cut | None) -> None:
        super().__init__(face, theme)
        self.cut = cut
        self._trim = Rect(0.0, 0.0, *face.size)
        self._boxes: dict[int, Box] = {}
        self._placed: dict[int, dict[Spot, tuple[Item, ...]]] = {}
        self._plans: dict[tuple[Any, ...], list[tuple[list[_Guard], list[Rect]]]] = {}
        self._shapes: dict[tuple[Any, ...], int] = {}
        self._safe: dict[tuple[Any, ...], bool] = {}

    @property
    def is_full(self) -> bool:
        return len(self._boxes) > MAX_BOXES

    def clear(self) -> None:
        """Forgets everything."""
        for memory in (self._boxes, self._placed, self._plans, self._shapes, self._safe):
            memory.clear()

    def items(self, root: Element) -> tuple[Item, ...]:
        """The items of a face. Each box that other faces may have is a plain group."""
        if len(self._plans) + len(self._safe) > MAX_PLACES:
            self._plans.clear()
            self._safe.clear()
        ink = Ink(self._trim, self.face.bleed)
        self.place(self.build(root), ink, self._trim)
        self.spans.clear()
        return tuple(ink.items)

    def report(self, element: Element, message: str, hint: str = "", characters: str = "") -> None:
        raise UnusualError

    def build(self, element: Element, parent: str = "") -> Box:
        """The box of an element, which is the same whenever the element is."""
        box = self._boxes.get(id(element))
        if box is None:
            box = super().build(element, parent)
            if box.style and box.style.role:
                raise UnusualError
            if all([id(child.element) in self._boxes for child in box.inner]) and _length(element) <= MAX_TEXT:
                self._boxes[id(element)] = box
            elif box.inner:
                box.shape = self._shape(box)
        return box

    def _unprepared(self, box: Box, error: InputError) -> Box:
        raise UnusualError

    def _shape(self, box: Box) -> int:
        """A number for all that the places of a box's children depend on, besides their measurements."""
        get = box.element.attributes.get
        children = [(child.tag, *map(child.element.attributes.get, _READ_BY_PARENTS)) for child in box.flow]
        key = box.tag, *map(get, _OWN), *children
        return self._shapes.setdefault(key, len(self._shapes))

    def place(self, box: Box, ink: Ink, rect: Rect) -> None:
        """Places a box, or repeats what is known of it at this spot. Its items are a plain group: what paints it finds
        it by its identity."""
        if id(box.element) not in self._boxes:
            super().place(box, ink, rect)
            return
        spot = rect, ink.turn, ink.matrix, ink.bleed
        placed = self._placed.setdefault(id(box.element), {})
        items = placed.get(spot)
        if items is None:
            inner = Ink(ink.trim, ink.bleed, [], ink.turn, ink.matrix)
            super().place(box, inner, rect)
            if box.turn not in QUARTERS and not self._is_safe(inner.items):
                raise UnusualError
            items = tuple(inner.items) if len(inner.items) < 2 else (Group(tuple(inner.items)),)
            placed[spot] = items
        ink.items.extend(items)

    def arranged(self, box: Box, inside: Rect) -> list[Rect]:
        """The rectangles of a box's children. A box that is new on each face has those of another box of its shape
        whose children measure the same."""
        if box.shape is None:
            return super().arranged(box, inside)
        plans, flow = self._plans.setdefault((box.shape, inside), []), box.flow
        for guards, rects in plans:
            if all([_MEASURES[how](flow[number], room) == extent for number, how, room, extent in guards]):
                return rects
        guards = list[_Guard]()
        watched = Box(box.element, box.padding, box.turn, box.opacity, box.grow, box.parent)
        watched.inner = tuple([_watched(child, number, guards) for number, child in enumerate(flow)])
        rects = super().arranged(watched, inside)
        if len(plans) < MAX_PLANS:
            plans.append((guards, rects))
        return rects

    # ---- the safe area

    def fits(self, box: Box, ink: Ink, inside: Rect, fit: Fitted) -> None:
        """Raises UnusualError for a text beyond the safe area. Unless it is near the edge, its size and number of lines
        tell."""
        key = box.style, inside, ink.turn, ink.matrix, fit.size, len(fit.lines)
        known = self._safe.get(key)
        if known is None:
            assert box.style
            around = ink.on_face(lines_box(box.style, inside, fit.size, len(fit.lines)))
            known = self._safe[key] = self._is_safe([Slot("", *around)])
        if not known and not self._is_safe(_written(box, ink, inside, fit)):
            raise UnusualError

    def content(self, box: Box, ink: Ink, inside: Rect) -> None:
        start = len(ink.items)
        super().content(box, ink, inside)
        if box.tag == "icon" and not self._is_safe(ink.items[start:]):
            raise UnusualError

    def _is_safe(self, items: Sequence[Item]) -> bool:
        face = self.face
        return is_safe(Frame("", *face.size, tuple(items), face.bleed, face.safe, self.cut))


def _written(box: Box, ink: Ink, inside: Rect, fit: Fitted) -> list[Item]:
    assert box.style
    text = Ink(ink.trim, ink.bleed, [], ink.turn, ink.matrix)
    write(text, fit, box.style, inside)
    return text.items


_MEASURES: Mapping[str, Callable[[Box, Any], Extent]] = {"widths": measure.widths, "heights": measure.heights}


class _Watched(dict[Any, Extent]):
    """The measurements of a child, each noted as a guard when it is read."""

    def __init__(self, child: Box, number: int, how: str, guards: list[_Guard]) -> None:
        super().__init__()
        self.child, self.number, self.how, self.guards = child, number, how, guards

    def get(self, room: Any, default: Any = None) -> Extent:
        extent = _MEASURES[self.how](self.child, room)
        self.guards.append((self.number, self.how, room, extent))
        return extent


def _watched(child: Box, number: int, guards: list[_Guard]) -> Box:
    """A box that stands for a child while its place is worked out."""
    box = Box(child.element, child.padding, child.turn, child.opacity, child.grow, child.parent, child.aspect)
    box.text, box.style = child.text, child.style
    box.widths, box.heights = (_Watched(child, number, how, guards) for how in _MEASURES)
    return box


def _length(element: Element) -> int:
    return sum([len(piece.text) if isinstance(piece, Words) else 1 for piece in element.pieces])
