"""What a printer and a pencil would trip over: things beyond the safe area, and slots on top of each other."""

from __future__ import annotations

from collections.abc import Iterator

from ..geometry.frame import Frame, Icon, Item, Run, Slot
from ..geometry.outlines import ON_TRIM, Rect

_CAPITALS, _DESCENDERS = 0.72, 0.22
"""Heights above and depths below the baseline, as multiples of the type size."""
_DEEP = frozenset("gjpqyçşţųęąQJ,;()[]{}|/\\@§µ")
"""Letters that reach below the baseline."""


def outside_safe(frame: Frame) -> list[str]:
    """A sentence for each text, slot and icon that leaves the safe area. Backgrounds and outlines are free to."""
    safe = Rect(0.0, 0.0, frame.width, frame.height).grown(*[-frame.safe] * 4)
    return [
        f"{_named(item)} leaves the safe area: {over}"
        for item in frame.items
        if isinstance(item, Run | Slot | Icon) and (over := _over(box_of(item), safe))
    ]


def _over(box: Rect, safe: Rect) -> str:
    over = {
        "left": safe.x - box.x,
        "top": safe.y - box.y,
        "right": box.right - safe.right,
        "bottom": box.bottom - safe.bottom,
    }
    return ", ".join(f"{length:.1f} mm at the {side}" for side, length in over.items() if length > 5 * ON_TRIM)


def _named(item: Item) -> str:
    if isinstance(item, Run):
        return f"text “{item.text.strip()}”"
    return f"slot “{item.id}”" if isinstance(item, Slot) else f"icon “{getattr(item, 'name', '')}”"


def box_of(item: Run | Slot | Icon) -> Rect:
    """The box an item covers on the face, turns included."""
    if isinstance(item, Slot):
        return Rect(item.x, item.y, item.width, item.height)
    if isinstance(item, Run):
        below = _DESCENDERS * item.size if _DEEP & set(item.text) else 0.0
        box = Rect(0.0, -_CAPITALS * item.size, item.width, _CAPITALS * item.size + below)
        x, y = item.x, item.y
    else:
        box = Rect(-item.width / 2, -item.height / 2, item.width, item.height)
        x, y = item.x + item.width / 2, item.y + item.height / 2
    left, top, width, height = _turned(box, int(item.turn))
    return Rect(x + left, y + top, width, height)


def _turned(box: Rect, turn: int) -> Rect:
    """A box turned clockwise about the origin, by quarters of a circle."""
    for _ in range(turn // 90 % 4):
        box = Rect(-box.bottom, box.x, box.height, box.width)
    return box


def overlaps(frame: Frame) -> list[str]:
    """A sentence for each pair of slots of which one lies on the other."""
    return [f"slots “{one.id}” and “{other.id}” overlap" for one, other in _overlapping(frame)]


def _overlapping(frame: Frame) -> Iterator[tuple[Slot, Slot]]:
    slots = sorted(frame.slots(), key=lambda slot: slot.x)
    open_: list[Slot] = []
    for slot in slots:
        open_ = [other for other in open_ if other.x + other.width > slot.x + ON_TRIM]
        yield from (
            (other, slot)
            for other in open_
            if other.y + other.height > slot.y + ON_TRIM and slot.y + slot.height > other.y + ON_TRIM
        )
        open_.append(slot)
