"""Finds content beyond the safe area, and slots that overlap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor

from ..errors import Place, Problem
from ..faces.face import Element, Face
from ..geometry.frame import (
    Frame,
    Group,
    Icon,
    Image,
    Item,
    Run,
    Slot,
    leaves,
)
from ..geometry.outlines import (
    IDENTITY,
    ON_TRIM,
    Rect,
    rotation,
)
from ..text.lines import LineSetting, first_baseline
from .boxes import generic
from .draft import Flaw
from .missing_signs import RED

_CAPITALS, _DESCENDERS = 0.72, 0.22
"""The height of capitals above the baseline and the depth of descenders below it, in type sizes."""
_WITH_DESCENDERS = frozenset("gjpqyçşţųęąQJ,;()[]{}|/\\@§µ")
"""Characters that reach below the baseline."""


Spans = Sequence[tuple[int, int, Element]]
"""Elements with content, and which items of the frame are theirs."""


def safety_flaws(frame: Frame, face: Face, spans: Spans, key: str) -> Iterator[Flaw]:
    """A flaw for each item beyond the safe area, which `key` states in game.yaml, and for each pair of overlapping
    slots."""
    elements = {number: element for start, end, element in spans for number in range(start, end)}
    for number, item, excess in _outside(frame):
        element, most = elements.get(number), max(length for length, _ in excess)
        message = f"{frame.name}: {_describe(item)} leaves the safe area: {_sides(excess)}"
        what = generic(element) if element else "content"
        problem = Problem(
            message,
            face.place(element) if element else Place(face.template),
            _advice(frame.safe - most, key),
            f"{what} leaves the safe area by up to {{}} mm",
            detail=round(most, 3),
        )
        yield Flaw(problem, box_of(item), dashed=True)
    for first, second in _overlapping(frame):
        message = f"{frame.name}: slots “{first.id}” and “{second.id}” overlap"
        yield Flaw(Problem(message, Place(face.template)), box_of(second))


def _advice(room: float, key: str) -> str:
    """How to mend content that is `room` mm from the trim."""
    if room < 0:
        return "move it inwards: it would be cut off"
    return f"move it inwards, or write “{key}: {floor(room * 10 + 1e-6) / 10:g}” for its component in game.yaml"


def is_safe(frame: Frame) -> bool:
    """Whether nothing is beyond the safe area and no slots overlap."""
    return next(_outside(frame), None) is None and next(_overlapping(frame), None) is None


def unsafe(frame: Frame) -> Iterator[tuple[str, Rect, float]]:
    """Each text, slot and icon beyond the safe area, and each picture that ends between it and the trim: what it is,
    its box on the face, and how much further inwards it would have to be, as a negative length in mm."""
    for _, item, excess in _outside(frame):
        yield _describe(item), box_of(item), -max(length for length, _ in excess)
    safe = Rect(0.0, 0.0, frame.width, frame.height).grown(*[-frame.safe] * 4)
    for leaf, matrix in leaves(frame.items):
        if isinstance(leaf, Image):
            box = Rect(*(leaf.clip or (leaf.x, leaf.y, leaf.width, leaf.height))).around(matrix)
            near = [length for length, _ in _excess_in(frame, box, safe) if length < frame.safe - ON_TRIM]
            if near:
                yield f"picture “{leaf.file.rpartition('/')[2]}”", box, -max(near)


Excess = Sequence[tuple[float, str]]
"""How far an item is beyond the safe area (mm), and on which side."""


def _outside(frame: Frame) -> Iterator[tuple[int, Run | Slot | Icon, Excess]]:
    """Each text, slot and icon beyond the safe area, with its number, and how far. An icon that covers the whole face
    is a background."""
    trim = Rect(0.0, 0.0, frame.width, frame.height)
    safe = trim.grown(*[-frame.safe] * 4)
    for number, outer in enumerate(frame.items):
        for item, matrix in leaves([outer]) if isinstance(outer, Group) else ((outer, IDENTITY),):
            if isinstance(item, Run) and (item.outline or item.colour == RED):
                continue  # an outline, or the label of a crossed box
            if not isinstance(item, Run | Slot | Icon):
                continue
            box = box_of(item).around(matrix)
            if not (isinstance(item, Icon) and box.holds(trim)) and (excess := _excess_in(frame, box, safe)):
                yield number, item, excess


def _excess_in(frame: Frame, box: Rect, safe: Rect) -> Excess:
    """How far a box is beyond the safe area of a frame."""
    if frame.cut is None:
        return _excess(box, safe)
    corners = [(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
    beyond = frame.cut.beyond(corners, frame.width, frame.height, frame.safe)
    return [(beyond, "outline")] if beyond > 5 * ON_TRIM else []


def _excess(box: Rect, safe: Rect) -> Excess:
    excess = {
        "left": safe.x - box.x,
        "top": safe.y - box.y,
        "right": box.right - safe.right,
        "bottom": box.bottom - safe.bottom,
    }
    return [(length, side) for side, length in excess.items() if length > 5 * ON_TRIM]


def _sides(excess: Excess) -> str:
    return ", ".join(f"{length:.1f} mm at the {side}" for length, side in excess)


def _describe(item: Item) -> str:
    if isinstance(item, Run):
        return f"text “{item.text.strip()}”"
    return f"slot “{item.id}”" if isinstance(item, Slot) else f"icon “{getattr(item, 'name', '')}”"


def box_of(item: Run | Slot | Icon) -> Rect:
    """The box that an item covers on the face, once turned."""
    if isinstance(item, Slot):
        return item.box
    if isinstance(item, Run):
        below = _DESCENDERS * item.size if _WITH_DESCENDERS & set(item.text) else 0.0
        box = Rect(0.0, -_CAPITALS * item.size, item.width, _CAPITALS * item.size + below)
        x, y = item.x, item.y
    else:
        box = Rect(-item.width / 2, -item.height / 2, item.width, item.height)
        x, y = item.x + item.width / 2, item.y + item.height / 2
    if item.turn:
        box = box.around(rotation(item.turn, 0.0, 0.0))
    return Rect(x + box.x, y + box.y, box.width, box.height)


def lines_box(style: LineSetting, inside: Rect, size: float, count: int) -> Rect:
    """The box in which all lines of a text are, whatever its letters, if it has this size (mm) and number of lines and
    fits `inside`."""
    first = inside.y + first_baseline(count, style, size, inside.height)
    above = max(_CAPITALS, style.family.cap_height) * size
    between = (count - 1) * style.leading * size
    return Rect(inside.x, first - above, inside.width, above + between + _DESCENDERS * size)


def _overlapping(frame: Frame) -> Iterator[tuple[Slot, Slot]]:
    slots = sorted(frame.slots(), key=lambda slot: slot.x)
    candidates: list[Slot] = []
    for slot in slots:
        candidates = [other for other in candidates if other.x + other.width > slot.x + ON_TRIM]
        yield from (
            (other, slot)
            for other in candidates
            if other.y + other.height > slot.y + ON_TRIM and slot.y + slot.height > other.y + ON_TRIM
        )
        candidates.append(slot)
