"""Marks written into slots as if by pencil, and numbered rings round slots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..definitions.models import Theme
from ..errors import Problem, did_you_mean
from ..faces.nouns import Face, Words
from . import outlines
from .boxes import shown_character
from .content import contained, write
from .frame import Shape, Slot
from .ink import Ink, Stroke
from .rect import Rect
from .text import POINT, Fitted, Setting, colour, fitted, setting
from .words import paragraph

CROSS = "x"
_CROSS_SIZE, _CROSS_WIDTH = 0.6, 0.09
_MARGIN = 0.08
"""Left free on each side of a mark, as a share of the slot's shorter side."""

_RING_GAP, _RING_WIDTH, _RING_RADIUS = 0.5, 0.45, 1.2
_BADGE = 3.2
_BADGE_TYPE = {"style": "mark", "font_size": 6.5 * POINT, "floor": 4 * POINT, "colour": "#ffffff"}
_MIDDLE = {"align": "center", "valign": "middle", "wrap": False}


def pencilled(ink: Ink, theme: Theme, face: Face, marks: Mapping[str, str],
              rings: Mapping[str, int]) -> list[Problem]:
    """Writes marks and rings on top of what `ink` holds; returns what is wrong with them."""
    if not marks and not rings:
        return []
    slots = {item.id: Rect(item.x, item.y, item.width, item.height) for item in ink.items if isinstance(item, Slot)}
    problems = [Problem(f"{face.name} has no slot “{name}”", None, did_you_mean(name, slots))
                for name in [*marks, *(ring for ring in rings if ring not in marks)] if name not in slots]
    style = setting({"style": "mark", **_MIDDLE}, theme)
    for name, text in marks.items():
        if name in slots:
            problems += [Problem(f"{face.name}, mark “{text}” in slot “{name}”: {what}")
                         for what in _mark(ink, theme, style, text, slots[name])]
    safe = ink.trim.grown(*[-face.safe - _BADGE / 2] * 4)
    for name, number in rings.items():
        if name in slots:
            _ring(ink, theme, slots[name], number, safe)
    return problems


def _mark(ink: Ink, theme: Theme, style: Setting, text: str, slot: Rect) -> Iterator[str]:
    if text == CROSS:
        _cross(ink, style.colour, slot)
        return
    margin = _MARGIN * min(slot.width, slot.height)
    box = slot.grown(*[-margin] * 4)
    found, missing = _lettering(text, style, theme, box)
    if missing:
        yield f"the font has no “{'” “'.join(map(shown_character, missing))}”"
    elif found.short:
        yield found.short
    elif found.lines:
        write(ink, found, style, box)


def _lettering(text: str, style: Setting, theme: Theme, box: Rect) -> tuple[Fitted, tuple[str, ...]]:
    words = paragraph((Words(text),), style.family, style.tracking, style.upper, theme.icon_folders)
    return fitted(words, style, box.width, box.height), words.missing


def _cross(ink: Ink, paint: str, slot: Rect) -> None:
    square = contained(1.0, slot)
    half, x, y = square.width * _CROSS_SIZE / 2, square.x + square.width / 2, square.y + square.height / 2
    path = (*outlines.line(x - half, y - half, x + half, y + half),
            *outlines.line(x + half, y - half, x - half, y + half))
    ink.items.append(Shape(path, None, paint, square.width * _CROSS_WIDTH, cap="round"))


def _ring(ink: Ink, theme: Theme, slot: Rect, number: int, safe: Rect) -> None:
    """A ring just outside the slot, its number in a disc at the top right corner, inside the safe area."""
    paint = colour("flaw", theme)
    ring = slot.grown(*[_RING_GAP] * 4)
    ink.box(ring, None, Stroke(paint, _RING_WIDTH), (_RING_RADIUS,) * 4, bleed=False)
    x = min(max(ring.right, safe.x), safe.right)
    y = min(max(ring.y, safe.y), safe.bottom)
    disc = Rect(x - _BADGE / 2, y - _BADGE / 2, _BADGE, _BADGE)
    ink.shape(outlines.ellipse(*disc), paint, Stroke(None))
    style = setting({**_BADGE_TYPE, **_MIDDLE}, theme)
    inside = disc.grown(*[-_BADGE / 10] * 4)
    write(ink, _lettering(str(number), style, theme, inside)[0], style, inside)
