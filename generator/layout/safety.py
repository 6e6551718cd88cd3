"""Finds content beyond the safe area, and slots that overlap."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import Place, Problem
from ..geometry.frame import Frame, Icon, Item, Run, Slot
from ..geometry.outlines import ON_TRIM, Rect
from .draft import RED, Flaw

_CAPITALS, _DESCENDERS = 0.72, 0.22
"""The height of capitals above the baseline and the depth of descenders below it, in type sizes."""
_WITH_DESCENDERS = frozenset("gjpqyçşţųęąQJ,;()[]{}|/\\@§µ")
"""Characters that reach below the baseline."""


def safety_flaws(frame: Frame, template: str) -> Iterator[Flaw]:
    """A flaw for each item beyond the safe area and for each pair of overlapping slots."""
    for item, excess in _outside(frame):
        message = f"{frame.name}: {_describe(item)} leaves the safe area: {excess}"
        yield Flaw(Problem(message, Place(template)), box_of(item), dashed=True)
    for first, second in _overlapping(frame):
        message = f"{frame.name}: slots “{first.id}” and “{second.id}” overlap"
        yield Flaw(Problem(message, Place(template)), box_of(second))


def is_safe(frame: Frame) -> bool:
    """Whether a frame has no safety flaws."""
    return next(safety_flaws(frame, ""), None) is None


def outside_safe(frame: Frame) -> list[str]:
    """A sentence for each text, slot and icon beyond the safe area. Backgrounds and outlines may extend beyond it."""
    return [f"{_describe(item)} leaves the safe area: {excess}" for item, excess in _outside(frame)]


def _outside(frame: Frame) -> Iterator[tuple[Run | Slot | Icon, str]]:
    """Each text, slot and icon beyond the safe area, and how far."""
    safe = Rect(0.0, 0.0, frame.width, frame.height).grown(*[-frame.safe] * 4)
    for item in frame.items:
        if isinstance(item, Run) and item.colour == RED:
            continue  # the label of a crossed box
        if isinstance(item, Run | Slot | Icon) and (excess := _excess(box_of(item), safe)):
            yield item, excess


def _excess(box: Rect, safe: Rect) -> str:
    excess = {
        "left": safe.x - box.x,
        "top": safe.y - box.y,
        "right": box.right - safe.right,
        "bottom": box.bottom - safe.bottom,
    }
    return ", ".join(f"{length:.1f} mm at the {side}" for side, length in excess.items() if length > 5 * ON_TRIM)


def _describe(item: Item) -> str:
    if isinstance(item, Run):
        return f"text “{item.text.strip()}”"
    return f"slot “{item.id}”" if isinstance(item, Slot) else f"icon “{getattr(item, 'name', '')}”"


def box_of(item: Run | Slot | Icon) -> Rect:
    """The box that an item covers on the face, once turned."""
    if isinstance(item, Slot):
        return Rect(item.x, item.y, item.width, item.height)
    if isinstance(item, Run):
        below = _DESCENDERS * item.size if _WITH_DESCENDERS & set(item.text) else 0.0
        box = Rect(0.0, -_CAPITALS * item.size, item.width, _CAPITALS * item.size + below)
        x, y = item.x, item.y
    else:
        box = Rect(-item.width / 2, -item.height / 2, item.width, item.height)
        x, y = item.x + item.width / 2, item.y + item.height / 2
    left, top, width, height = _turned(box, int(item.turn))
    return Rect(x + left, y + top, width, height)


def _turned(box: Rect, turn: int) -> Rect:
    """A box turned clockwise about the origin by quarter turns."""
    for _ in range(turn // 90 % 4):
        box = Rect(-box.bottom, box.x, box.height, box.width)
    return box


def overlaps(frame: Frame) -> list[str]:
    """A sentence for each pair of overlapping slots."""
    return [f"slots “{first.id}” and “{second.id}” overlap" for first, second in _overlapping(frame)]


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
