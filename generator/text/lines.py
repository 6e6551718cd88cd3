"""Lays out text: combines a style with an element's attributes, breaks lines, and finds the size that fits."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import ceil, inf
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..errors import did_you_mean, fault, note
from ..model import colours
from ..model.game import FontFile, Theme
from ..model.values import MM_PER_UNIT
from . import breaks
from .words import (
    STEP,
    Family,
    Line,
    Paragraph,
    Span,
    Word,
    family_of,
    is_rtl,
    letters_of,
    line_width,
    with_words_broken,
)

POINT = MM_PER_UNIT["pt"]
EPSILON = 1e-6
SHARES = {"left": 0.0, "center": 0.5, "right": 1.0, "justify": 0.0, "auto": 0.5}
"""The share of the free space on a line that goes to its left."""
_STEP = 0.25 * POINT
# A last line that is shorter than this share of the longest, or a single word that is, gets another word.
_SHORT, _SHORT_WORD = 0.2, 0.5
_HALVINGS = 7

Lines = Sequence[Span]


class LineSetting(Struct, frozen=True):
    """How a text is laid out. `size` and `floor`, the smallest size allowed, are in mm; `leading` and `tracking` are
    multiples of the size and shrink with it; `max_lines` limits the number of lines. With `breaks_words`, a word that
    is wider than its box is broken; with a `language`, words are hyphenated by its rules. The `outline` of letters
    extends `outline_width` mm beyond them. On one face, texts of the same `role` have the same size. `balance` says
    whether lines are evenly long (`lines`), or at least the last one is not a single word (`end`)."""

    family: Family
    size: float
    floor: float
    leading: float
    tracking: float
    colour: str
    align: str
    valign: str
    upper: bool
    wrap: bool
    breaks_words: bool
    max_lines: int | None
    outline: str = ""
    outline_width: float = 0.0
    language: str = ""
    role: str = ""
    balance: str = "none"


def setting(attributes: Mapping[str, Any], theme: Theme) -> LineSetting:
    """The setting of a `text` element; raises InputError for a style or font that the theme does not have."""
    name = attributes.get("style", "body")
    style = theme.styles.get(name)
    if style is None:
        raise fault(f"no style “{name}”", hint=did_you_mean(name, theme.styles))
    get = attributes.get
    size = max(get("font_size", style.size), theme.least_type)
    floor = max(get("floor", style.size if style.floor is None else style.floor), theme.least_type)
    return LineSetting(
        family=family(style.font, theme.fonts),
        size=size,
        floor=min(size, floor),
        leading=get("leading", style.leading),
        tracking=get("tracking", style.tracking) / size,
        colour=colour(get("colour") or style.colour, theme),
        align=get("align", style.align),
        valign=get("valign", "top"),
        upper=get("case", style.case) == "upper",
        wrap=get("wrap", True) is not False,
        breaks_words=get("wrap") == "anywhere",
        max_lines=get("lines"),
        outline=colour(outline, theme) if (outline := get("outline", style.outline)) else "",
        outline_width=get("outline_width", style.outline_width),
        language=breaks.checked(get("language", theme.language)),
        role=f"{name} {size:g}" if style.together else "",
        balance=get("balance", style.balance),
    )


def colour(name: str, theme: Theme) -> str:
    """The colour as `#rrggbb`: the theme's colour with that name, or a colour in any notation."""
    if name.startswith("#"):
        return name
    try:
        return colours.find(name, theme.colours)
    except ValueError:
        raise fault(f"no colour “{name}”", hint=did_you_mean(name, [*theme.colours, *colours.NAMES])) from None


def family(font: str, files: Mapping[str, tuple[FontFile, ...]]) -> Family:
    """The fonts of a style. The bold of `regular` is the theme's font `bold`; that of any other font has the same name
    with `-bold`. Italics work alike. If the theme has no such font, the style's own is used instead."""
    if font not in files:
        raise fault(f"no font “{font}”", hint=did_you_mean(font, files))
    stem = "" if font == "regular" else font + "-"
    bold, italic, both = (stem + name for name in ("bold", "italic", "bold-italic"))
    bold = bold if bold in files else font
    italic = italic if italic in files else font
    both = next((key for key in (both, bold, italic) if key in files and key != font), font)
    return family_of((font, bold, italic, both), (files[font], files[bold], files[italic], files[both]))


def break_lines(text: Paragraph, room: float, *, wrap: bool, ragged: float | None = None) -> Lines | None:
    """Breaks a text into lines of at most `room` (a multiple of its size). Returns None if a word is wider or, without
    `wrap`, a line is. With `ragged`, hyphenates only where a line would otherwise be shorter than `room` by more than
    this, and not in the last word."""
    room += text.tracking + EPSILON
    if text.across <= room:
        return [(line, 0, len(line)) for line in text.lines]
    if not wrap:
        return None
    lines: list[Span] = []
    fits = [_fill(line, room, lines, ragged) for line in text.lines]
    return lines if all(fits) else None


def _fill(line: Line, room: float, lines: list[Span], ragged: float | None) -> bool:
    """Appends the parts of a broken line to `lines`; returns False if a word is too wide. Finds breaks by bisection."""
    ends, begin, count = [*accumulate(map(STEP, line))], 0, len(line)
    while begin < count:
        wide = line[begin].step - line[begin].gap
        if wide > room:
            return False
        end = bisect_right(ends, ends[begin] + room - wide, begin + 1)
        if end < count:
            end = _before_hyphen(line, begin, end, ends[begin] + room - wide - ends[end - 1], ragged=ragged)
        lines.append((line, begin, end))
        begin = end
    if not count:
        lines.append((line, 0, 0))
    return True


def _before_hyphen(line: tuple[Word, ...], begin: int, end: int, free: float, ragged: float | None) -> int:
    """The end of a line that has room for its hyphen, if it ends in one; `free` is the room that is left. A line that
    may be `ragged` ends before the hyphenated word instead."""
    while end > begin + 1 and line[end - 1].hyphen > free:
        end -= 1
        free += line[end].step
    if ragged is None:
        return end
    ends_in_last_word = not any(word.gap for word in line[end:])
    whole = end
    while whole > begin + 1 and line[whole - 1].hyphen:
        whole -= 1
        free += line[whole].step
    return whole if not line[whole - 1].hyphen and (ends_in_last_word or free <= ragged) else end


def height(lines: int, style: LineSetting, size: float) -> float:
    """The height of a text if there is enough space: the leading times the number of lines."""
    return lines * style.leading * size


def min_height(lines: int, style: LineSetting, size: float) -> float:
    """The smallest height that keeps all ink inside the box: from the capitals of the first line to the descenders of
    the last, with as much space above as the descenders take, so that capitals are centred."""
    if not lines:
        return 0.0
    ink: float = style.family.cap_height + 2 * style.family.descent
    return ((lines - 1) * style.leading + min(ink, style.leading)) * size


class Fitted(Struct, frozen=True):
    """A text at the size that fits. If it does not fit even at its floor, `shortfall` says what is missing."""

    size: float
    lines: Lines
    shortfall: str = ""
    hint: str = ""


def fitted(text: Paragraph, style: LineSetting, width: float, room: float = inf) -> Fitted:
    """Fits text into a box of `width` × `room` mm, as `_fitted` does, and balances its lines."""
    fit = _fitted(text, style, width, room)
    if style.balance == "none" or fit.shortfall or len(fit.lines) < 2:
        return fit
    across = width / fit.size
    lines = _balanced(text, fit.lines, across) if style.balance == "lines" else fit.lines
    return replace(fit, lines=_without_single_words(lines, across))


def _without_single_words(lines: Lines, across: float) -> Lines:
    """The lines with one more word on each last line of a paragraph that is only a word or a few letters."""
    spans = list(lines)
    widest_line = max(line_width(line[begin:end]) for line, begin, end in spans if begin < end)
    for at in range(1, len(spans)):
        line, begin, end = spans[at]
        if not begin or end < len(line):
            continue
        if line_width(line[begin:end]) / widest_line > (_SHORT_WORD if end - begin == 1 else _SHORT):
            continue
        first, more = spans[at - 1][1], begin - 1
        while more > first and line[more - 1].hyphen:
            more -= 1
        if more > first + 1 and line_width(line[more:end]) <= across:
            spans[at - 1 : at + 1] = (line, first, more), (line, more, end)
    return spans


def _balanced(text: Paragraph, lines: Lines, across: float) -> Lines:
    """The same number of lines, broken as if the box were as narrow as possible for it."""
    narrow = across * (1 - 1 / len(lines)) * 0.9
    for _ in range(_HALVINGS):
        middle = (narrow + across) / 2
        other = break_lines(text, middle, wrap=True)
        if other is None or len(other) > len(lines):
            narrow = middle
        else:
            lines, across = other, middle
    return lines


def _fitted(text: Paragraph, style: LineSetting, width: float, room: float) -> Fitted:
    """Fits text into a box of `width` × `room` mm: at the style's size, or at the largest size that fits, in steps of a
    quarter of a point down to the floor."""
    lines = _at(text, style, style.size, width, room=room)
    if (lines is None or len(lines) > 1) and breaks.needs_dictionaries(text.letters):
        note("lines of Thai, Lao, Khmer or Burmese break only at spaces", hint=breaks.DICTIONARIES)
    if lines is not None:
        return Fitted(style.size, lines)
    best = _at(text, style, style.floor, width, room=room)
    if best is None:
        return _not_fitting(text, style, width, room)
    size, fits, fails = style.floor, ceil((style.size - style.floor) / _STEP - EPSILON), 0
    while fits - fails > 1:
        middle = (fits + fails) // 2
        lines = _at(text, style, style.size - middle * _STEP, width, room=room)
        if lines is None:
            fails = middle
        else:
            fits, best, size = middle, lines, style.size - middle * _STEP
    return Fitted(size, best)


def floored(text: Paragraph, style: LineSetting, width: float) -> Fitted:
    """The text at its floor, however high it becomes."""
    lines = _at(text, style, style.floor, width, room=inf)
    return _not_fitting(text, style, width, inf) if lines is None else Fitted(style.floor, lines)


def _at(text: Paragraph, style: LineSetting, size: float, width: float, room: float) -> Lines | None:
    """The lines at this size, or None if they do not fit."""
    lines = break_lines(text, width / size, wrap=style.wrap)
    if lines is None and style.breaks_words and width > size:
        lines = break_lines(with_words_broken(text, style.family, width / size), width / size, wrap=True)
    if lines is None or (style.max_lines and len(lines) > style.max_lines):
        return None
    return lines if min_height(len(lines), style, size) <= room + EPSILON else None


def _not_fitting(text: Paragraph, style: LineSetting, width: float, room: float) -> Fitted:
    size = style.floor
    at = f"at {round(size / POINT, 2):g}pt"
    if style.breaks_words and width > size:
        text = with_words_broken(text, style.family, width / size)
    across = (text.widest_word if style.wrap else text.widest_line) * size
    lines = break_lines(text, max(width, across) / size, wrap=style.wrap) or []
    if across > width + EPSILON:
        return Fitted(
            size,
            lines,
            f"needs {rounded_up(across)} mm, has {rounded_down(width)} mm {at}",
            hint=breaks.DICTIONARIES if breaks.needs_dictionaries(text.letters) else "too wide for its box",
        )
    if style.max_lines and len(lines) > style.max_lines:
        return Fitted(size, lines, f"needs {len(lines)} lines, has {style.max_lines} {at}")
    high = min_height(len(lines), style, size)
    return Fitted(
        size,
        lines,
        f"needs {rounded_up(high)} mm, has {rounded_down(room)} mm {at}",
        hint="too high for its box",
    )


def rounded_up(length: float) -> str:
    """A required length in millimetres, rounded up to tenths."""
    return f"{ceil(length * 10 - 1e-4) / 10:.1f}"


def rounded_down(length: float) -> str:
    """An available length in millimetres, rounded down to tenths so that it never looks equal to the required one."""
    return f"{max(0.0, (length * 10 + 1e-4) // 1 / 10):.1f}"


def aligned(text: Fitted, style: LineSetting) -> LineSetting:
    """The setting of a fitted text: with `auto`, running text in Chinese, Japanese or Korean begins on the left."""
    if style.align != "auto" or len(text.lines) < 2:
        return style
    letters = " ".join({id(line): letters_of(line) for line, _, _ in text.lines}.values())
    running = breaks.is_east_asian(letters) and (len(text.lines) > 2 or not {*letters}.isdisjoint("、。，．！？；："))
    return replace(style, align="left") if running else style


def line_offset(line: Line, style: LineSetting, size: float, width: float) -> float:
    """The distance of a line from the left edge of its box."""
    share = 1.0 if style.align == "left" and is_rtl(line) else SHARES[style.align]
    return share * (width - (line_width(line) - style.tracking) * size) if share and line else 0.0


def first_baseline(lines: int, style: LineSetting, size: float, room: float) -> float:
    """The distance from the top of the box to the first baseline. Capitals are centred in the height of their line, so
    that a single line in the middle of its box looks centred."""
    block = min(height(lines, style, size), room)
    above = {"top": 0.0, "middle": 0.5, "bottom": 1.0}[style.valign] * (room - block)
    between = (lines - 1) * style.leading * size
    capitals: float = style.family.cap_height * size
    return above + (block - between + capitals) / 2
