"""Fills in score sheets: draws marks, sums, lines and numbered rings as if in pencil."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from ..errors import Problem, did_you_mean, refuse
from ..faces.face import InlineIcon, Words
from ..geometry import outlines
from ..geometry.frame import Frame, Shape, Slot
from ..geometry.outlines import Path, Rect
from ..model.game import Theme
from ..model.values import Empty
from ..text.lines import POINT, Fitted, LineSetting, colour, fitted, setting
from ..text.words import paragraph
from .content import contained
from .flaws import printable
from .ink import Ink, Stroke, write

CROSS = "x"
CIRCLE = "○"
CROSS_SIZE, CIRCLE_SIZE, CROSS_WIDTH = 0.6, 0.7, 0.09
"""The size of a cross and of a circle and the thickness of their strokes, as shares of the slot's shorter side."""
_MARGIN = 0.08  # the margin on each side of a mark, as a share of the slot's shorter side

_RING_GAP, _RING_WIDTH, _RING_RADIUS = 0.5, 0.45, 1.2
_NUMBER = re.compile("[-+−]?[0-9]+")
# Characters drawn as icons in italics: in Lato Italic this one looks like a mere stroke.
_ICON_INSTEAD = {"≠": "unequal"}
_BADGE = 3.2
_BADGE_STYLE = {"style": "mark", "font_size": 6.5 * POINT, "floor": 4 * POINT, "colour": "#ffffff"}
_MIDDLE = {"align": "center", "valign": "middle", "wrap": False}


def with_marks(frame: Frame, theme: Theme, marks: Mapping[str, str]) -> Frame:
    """The frame with marks in its slots, each on one line (`"x"` is drawn as a cross). Raises InputError with their
    problems."""
    slots, ink = {slot.id: slot for slot in frame.slots()}, _on(frame)
    problems = [
        Problem(f"{frame.name} has no slot “{name}”", None, did_you_mean(name, slots))
        for name in marks
        if name not in slots
    ]
    problems += _write_marks(frame.name, ink, theme, mark_setting("mark", theme), slots=slots, texts=marks)
    refuse(problems)
    return replace(frame, items=tuple(ink.items))


def _on(frame: Frame) -> Ink:
    """Ink to draw with on top of a frame."""
    return Ink(Rect(0.0, 0.0, frame.width, frame.height), 0.0, list(frame.items))


def mark_setting(style: str, theme: Theme, *, wrap: bool = False) -> LineSetting:
    """How marks in a style are set: centred in the slot, on one line or, with `wrap`, on several if they can be larger
    that way."""
    return setting({"style": style, **_MIDDLE, "wrap": wrap}, theme)


def write_mark(ink: Ink, theme: Theme, style: LineSetting, text: str, slot: Slot) -> Iterator[str]:
    """Writes a mark into a slot: one letter into each of its boxes, or a ring or cross that chooses one; yields its
    problems."""
    if text in slot.marks or (text == CROSS and not slot.letters):
        box = slot.boxes[slot.marks.index(text)] if slot.marks else slot.box
        if slot.is_round:
            _circle(ink, style.colour, box.grown(*[_RING_GAP] * 4))
        else:
            _cross(ink, style.colour, box)
    elif 0 < len(text) <= slot.letters:
        for letter, box in zip(spread(text, slot.letters), slot.boxes, strict=True):
            yield from _write_text(ink, theme, style, letter.strip(), slot=box)
    elif text == CIRCLE:
        margin = (1 - CIRCLE_SIZE) / 2 * min(slot.width, slot.height)
        _circle(ink, style.colour, contained(CIRCLE_SIZE, slot.box.grown(*[-margin] * 4)))
    else:
        yield from _write_text(ink, theme, style, text, slot=slot.box)


def spread(text: str, count: int) -> str:
    """A text with a character for each of `count` boxes: numbers end in the last one, and have their sign in the first
    one."""
    if not _NUMBER.fullmatch(text):
        return text.ljust(count)
    sign = "" if text[0].isdecimal() else text[0]
    return sign + text[len(sign) :].rjust(count - len(sign))


def _circle(ink: Ink, paint: str, box: Rect) -> None:
    width = min(box.width, box.height) * CROSS_WIDTH
    ink.items.append(Shape(outlines.pill(*box), None, paint, width, cap="round"))


def _write_text(ink: Ink, theme: Theme, style: LineSetting, text: str, slot: Rect) -> Iterator[str]:
    margin = _MARGIN * min(slot.width, slot.height)
    box = slot.grown(*[-margin] * 4)
    fit, missing = _lettering(text, style, theme, box)
    if missing:
        yield f"the font has no “{'” “'.join(map(printable, missing))}”"
    elif fit.shortfall:
        yield fit.shortfall
    elif fit.lines:
        write(ink, fit, style, box)


def _lettering(text: str, style: LineSetting, theme: Theme, box: Rect) -> tuple[Fitted, tuple[str, ...]]:
    icons = _ICON_INSTEAD if "Italic" in style.family.font(0).name else {}
    parts = re.split(f"([{''.join(_ICON_INSTEAD)}])", text)
    pieces = tuple(InlineIcon(icons[part]) if part in icons else Words(part) for part in parts if part)
    words = paragraph(pieces, style.family, style.tracking, style.upper, icons=theme.icon_folders)
    return fitted(words, style, box.width, box.height), words.missing


def _cross(ink: Ink, paint: str, slot: Rect) -> None:
    square = contained(1.0, slot)
    half, x, y = square.width * CROSS_SIZE / 2, square.x + square.width / 2, square.y + square.height / 2
    path = (
        *outlines.line(x - half, y - half, x + half, y + half),
        *outlines.line(x + half, y - half, x - half, y + half),
    )
    ink.items.append(Shape(path, None, paint, square.width * CROSS_WIDTH, cap="round"))


def _ring_groups(
    rings: Mapping[str, Sequence[int]], slots: Mapping[str, Rect]
) -> Iterator[tuple[Sequence[int], list[Rect]]]:
    """The boxes to ring together, because they touch and have the same problems."""
    waiting = [(tuple(numbers), slots[name]) for name, numbers in rings.items() if name in slots]
    while waiting:
        numbers, first = waiting.pop(0)
        group = [first]
        for box in group:
            touching = [
                pair
                for pair in waiting
                if pair[0] == numbers and any(_beside(box, pair[1], across, down) for across, down in _DIRECTIONS)
            ]
            waiting = [pair for pair in waiting if pair not in touching]
            group += [other for _, other in touching]
        yield numbers, group


def ring(ink: Ink, theme: Theme, boxes: Sequence[Rect], numbers: Sequence[int], safe: Rect) -> None:
    """Draws a ring just outside boxes that touch, and its numbers in discs from the top right corner leftwards, within
    the safe area."""
    paint = colour("flaw", theme)
    around = max(boxes, key=lambda box: box.right - box.y).grown(*[_RING_GAP] * 4)
    if len(boxes) == 1:
        ink.box(around, None, Stroke(paint, _RING_WIDTH), (_RING_RADIUS,) * 4, bleed=False)
    else:
        ink.items.append(Shape(tuple(_around(boxes, -_RING_GAP)), None, paint, _RING_WIDTH, cap="round"))
    x = min(max(around.right, safe.x), safe.right)
    y = min(max(around.y, safe.y), safe.bottom)
    for index, number in enumerate(reversed(numbers)):
        disc = Rect(max(x - index * _BADGE, safe.x) - _BADGE / 2, y - _BADGE / 2, _BADGE, _BADGE)
        ink.shape(outlines.ellipse(*disc), paint, Stroke(None))
        style = setting({**_BADGE_STYLE, **_MIDDLE}, theme)
        inside = disc.grown(*[-_BADGE / 10] * 4)
        write(ink, _lettering(str(number), style, theme, inside)[0], style, inside)


_LINE_WIDTH, _OUTLINE_WIDTH, _OUTLINE_GAP, _NEAR, _STRIKE_INSET = 1.1, 0.8, 1.1, 1.0, 0.2


class Writing(Struct, frozen=True):
    """What to write on a sheet, by slot id: the players' `marks`, the judge's `sums`, and numbered `rings` around
    mistakes. `lines` connect slots, `outlines` enclose them, and `crossed` slots are struck through."""

    marks: Mapping[str, str] = field(default_factory=lambda: Empty)
    sums: Mapping[str, str] = field(default_factory=lambda: Empty)
    rings: Mapping[str, Sequence[int]] = field(default_factory=lambda: Empty)
    lines: tuple[tuple[str, ...], ...] = ()
    outlines: tuple[tuple[str, ...], ...] = ()
    crossed: tuple[str, ...] = ()


def write_on(frame: Frame, theme: Theme, writing: Writing) -> Frame:
    """The frame with everything of `writing` that belongs on it, in the theme's styles `mark` and `sum`.

    Raises InputError with every mark that cannot be written because the font does not have a letter or the slot is too
    small."""
    placed = {slot.id: slot for slot in frame.slots()}
    slots = {name: slot.box for name, slot in placed.items()}
    ink = _on(frame)
    ink.items.extend(_lines_and_outlines(writing, slots, colour("stroke", theme)))
    refuse(
        problem
        for style, texts in (("mark", writing.marks), ("sum", writing.sums))
        for problem in _write_marks(
            frame.name, ink, theme, mark_setting(style, theme, wrap=True), slots=placed, texts=texts
        )
    )
    safe = ink.trim.grown(*[-frame.safe - _BADGE / 2] * 4)
    for numbers, boxes in _ring_groups(writing.rings, slots):
        ring(ink, theme, boxes, numbers, safe=safe)
    return replace(frame, items=tuple(ink.items))


def _write_marks(
    face: str, ink: Ink, theme: Theme, style: LineSetting, slots: Mapping[str, Slot], texts: Mapping[str, str]
) -> Iterator[Problem]:
    """Writes the texts of a face into those slots that are on it; yields their problems."""
    for name, text in texts.items():
        if name in slots:
            for problem in write_mark(ink, theme, style, text, slots[name]):
                yield Problem(f"{face}, mark “{text}” in slot “{name}”: {problem}")


def _lines_and_outlines(writing: Writing, slots: Mapping[str, Rect], paint: str) -> Iterator[Shape]:
    for names in writing.lines:
        if len(names) > 1 and slots.keys() >= set(names):
            centres = [(slot.x + slot.width / 2, slot.y + slot.height / 2) for slot in map(slots.__getitem__, names)]
            through = ("M", *centres[0]), *(("L", *centre) for centre in centres[1:])
            yield Shape(through, None, paint, _LINE_WIDTH, cap="round", join="round")
    for names in writing.outlines:
        if names and slots.keys() >= set(names):
            yield Shape(
                tuple(_around([slots[name] for name in dict.fromkeys(names)], _OUTLINE_GAP)),
                None,
                paint,
                _OUTLINE_WIDTH,
                cap="round",
            )

    for slot in (slots[name] for name in writing.crossed if name in slots):
        x, y = slot.width * _STRIKE_INSET, slot.height * _STRIKE_INSET
        path = outlines.line(slot.x + x, slot.bottom - y, slot.right - x, slot.y + y)
        yield Shape(path, None, paint, _OUTLINE_WIDTH, cap="round")


_DIRECTIONS = (0, -1), (1, 0), (0, 1), (-1, 0)


def _around(boxes: Sequence[Rect], gap: float) -> Iterator[tuple[str | float, ...]]:
    """The sides that only one of the boxes has, moved inwards by `gap` mm (or outwards, if it is negative): the outline
    around all boxes."""
    for box in boxes:
        for across, down in _DIRECTIONS:
            if not any(_beside(box, other, across, down) for other in boxes):
                yield from _side(box, boxes, gap, across, down)


def _beside(box: Rect, other: Rect, across: int, down: int) -> bool:
    return abs(other.x - box.x - across * box.width) < _NEAR and abs(other.y - box.y - down * box.height) < _NEAR


def _side(box: Rect, boxes: Sequence[Rect], gap: float, across: int, down: int) -> Path:
    """One side of a box. It runs on to the next box if the outline continues there, and further into a corner that
    points inwards."""
    ends = []
    for direction in (-1, 1):
        along = abs(down) * direction, abs(across) * direction
        beyond = along[0] + across, along[1] + down
        continues, turns = (any(_beside(box, other, *way) for other in boxes) for way in (along, beyond))
        ends.append(-gap if continues and turns else 0.0 if continues else gap)
    inner = box.grown(*[-gap] * 4)
    if down:
        y = inner.y if down < 0 else inner.bottom
        return outlines.line(box.x + ends[0], y, box.right - ends[1], y)
    x = inner.x if across < 0 else inner.right
    return outlines.line(x, box.y + ends[0], x, box.bottom - ends[1])
