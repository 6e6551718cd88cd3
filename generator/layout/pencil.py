"""Marks written into slots as if by pencil, and numbered rings round slots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from ..definitions.models import Theme
from ..errors import Problem, did_you_mean
from ..faces.nouns import Face, Glyph, Piece, Words
from . import fonts, outlines
from .boxes import shown_character
from .content import contained, write
from .frame import Shape, Slot
from .ink import Ink, Stroke
from .lexicon import paragraph
from .rect import Rect
from .text import POINT, Fitted, Setting, colour, fitted, setting

CROSS = "x"
_CROSS_SIZE, _CROSS_WIDTH = 0.6, 0.09
_MARGIN = 0.08
"""Left free on each side of a mark, as a share of the slot's shorter side."""

_RING_GAP, _RING_WIDTH, _RING_RADIUS = 0.5, 0.45, 1.2
_FAULTY = {"≠": "unequal"}
"""Lato's italics have only the stroke of this sign."""
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
    style = hand("mark", theme)
    for name, text in marks.items():
        if name in slots:
            problems += [Problem(f"{face.name}, mark “{text}” in slot “{name}”: {what}")
                         for what in mark(ink, theme, style, text, slots[name])]
    safe = free_of_badges(ink.trim, face.safe)
    for name, number in rings.items():
        if name in slots:
            ring(ink, theme, slots[name], (number,), safe)
    return problems


def hand(style: str, theme: Theme, *, wrap: bool = False) -> Setting:
    """How marks are written in a style: in the middle of their slot, on one line (with `wrap`, words on several where
    they can be larger so)."""
    return setting({"style": style, **_MIDDLE, "wrap": wrap}, theme)


def free_of_badges(trim: Rect, safe: float) -> Rect:
    """Where the middle of a ring's number may lie."""
    return trim.grown(*[-safe - _BADGE / 2] * 4)


def mark(ink: Ink, theme: Theme, style: Setting, text: str, slot: Rect) -> Iterator[str]:
    """Writes a mark into a slot; yields what is wrong with it."""
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
    words = paragraph(tuple(_words(text, style, theme)), style.family, style.tracking, style.upper, theme.icon_folders)
    return fitted(words, style, box.width, box.height), words.missing


def _words(text: str, style: Setting, theme: Theme) -> Iterator[Piece]:
    """The text, letters that only the bold font of a family has in that one."""
    plain, bold = (fonts.load(theme.fonts[key]) for key in style.family.keys[:2])
    strange = frozenset(plain.missing(text)) if plain is not bold else frozenset()
    icons = _FAULTY if "Italic" in plain.name else {}
    for (icon, is_strange), letters in groupby(text, lambda letter: (icons.get(letter), letter in strange)):
        if icon:
            yield from (Glyph(icon) for _ in letters)
        else:
            yield Words("".join(letters), bold=is_strange)


def _cross(ink: Ink, paint: str, slot: Rect) -> None:
    square = contained(1.0, slot)
    half, x, y = square.width * _CROSS_SIZE / 2, square.x + square.width / 2, square.y + square.height / 2
    path = (*outlines.line(x - half, y - half, x + half, y + half),
            *outlines.line(x + half, y - half, x - half, y + half))
    ink.items.append(Shape(path, None, paint, square.width * _CROSS_WIDTH, cap="round"))


def ring(ink: Ink, theme: Theme, slot: Rect, numbers: Sequence[int], safe: Rect) -> None:
    """A ring just outside the slot, its numbers in discs from the top right corner to the left, in the safe area."""
    paint = colour("flaw", theme)
    around = slot.grown(*[_RING_GAP] * 4)
    ink.box(around, None, Stroke(paint, _RING_WIDTH), (_RING_RADIUS,) * 4, bleed=False)
    x = min(max(around.right, safe.x), safe.right)
    y = min(max(around.y, safe.y), safe.bottom)
    for place, number in enumerate(reversed(numbers)):
        disc = Rect(max(x - place * _BADGE, safe.x) - _BADGE / 2, y - _BADGE / 2, _BADGE, _BADGE)
        ink.shape(outlines.ellipse(*disc), paint, Stroke(None))
        style = setting({**_BADGE_TYPE, **_MIDDLE}, theme)
        inside = disc.grown(*[-_BADGE / 10] * 4)
        write(ink, _lettering(str(number), style, theme, inside)[0], style, inside)
