"""Frames with high contrast: the same faces, with other colours where something is hard to see.

Texts get a contrast of at least 7:1 (WCAG 2.2, success criterion 1.4.6) with everything behind them, and outlines and
icons one of 4.5:1. First the colour of a text becomes darker or lighter; where even black or white is not enough, so
does the ground. Lines and icons that hardly show are decoration and stay as they are. Nothing moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path as File
from typing import Any, NamedTuple

from msgspec.structs import replace

from ..geometry.frame import (
    Frame,
    Gradient,
    Group,
    Icon,
    Item,
    Paint,
    Run,
    Shape,
    ungrouped,
)
from ..model.colours import brightness, contrast, find, mixed
from ..model.game import Theme
from ..model.values import Colour
from .contrast import (
    PAPER,
    Area,
    Colours,
    Grounds,
    Sign,
    fields,
    least_contrast,
)

TEXT, LINE = 7.0, 4.5
DECORATION = 1.8
"""Lines and icons with less contrast than this are decoration."""
_STEPS = 40
_PASSES = 3
_HALO = 0.3
"""The width of the line around letters on a picture, in mm."""
_BOOKLET = "book"
_BLACK, _WHITE = "#000000", "#ffffff"


def frame_with_contrast(frame: Frame, icons: Sequence[File]) -> Frame:
    """The frame in high contrast; `icons` are the folders of its icons."""
    frame = replace(frame, items=tuple(ungrouped(frame.items)))
    for _ in range(_PASSES):
        fills = _new_fills(Grounds(frame, icons).signs())
        if not fills:
            break
        frame = replace(frame, items=_repainted(frame.items, fills))
    grounds = Grounds(frame, icons)
    colours = _Colours(dict(_signs(grounds)), dict(_strokes(grounds, frame)), dict(_halos(grounds)))
    return replace(frame, items=tuple(_recoloured(frame.items, colours, iter(range(1, 1 << 30)))))


def theme_with_contrast(theme: Theme) -> Theme:
    """The theme with styles of booklets that can be read on paper."""
    grounds = frozenset(theme.colours.get(name, PAPER) for name in ("paper", "soft"))
    styles = {
        name: replace(style, colour=Colour(lifted(find(style.colour, theme.colours), grounds, TEXT)))
        if name.startswith(_BOOKLET)
        else style
        for name, style in theme.styles.items()
    }
    return replace(theme, styles=styles)


def lifted(colour: str, ground: Colours, least: float) -> str:
    """The colour itself, or the nearest shade or tint that has this contrast with its ground; if there is none, black
    or white, whichever has more. A colour that is darker than its ground becomes darker if it can."""
    if not ground or least_contrast(colour, ground) >= least:
        return colour
    mean = sum(map(brightness, ground)) / len(ground)
    ends = (_BLACK, _WHITE) if brightness(colour) <= mean else (_WHITE, _BLACK)
    alpha = colour[7:]
    for end in ends:
        for step in range(1, _STEPS + 1):
            shade = mixed(colour, end, step / _STEPS)
            if least_contrast(shade, ground) >= least:
                return shade + alpha
    return max(ends, key=lambda end: least_contrast(end, ground)) + alpha


# ---- what changes


class _Colours(NamedTuple):
    """New colours of texts and icons, and of outlines, and those of halos, by the number of the item."""

    signs: Mapping[int, str]
    strokes: Mapping[int, str]
    halos: Mapping[int, str]


def _needed(sign: Sign) -> float:
    return TEXT if isinstance(sign.item, Run) else LINE


def _new_fills(signs: Iterable[Sign]) -> dict[str, str]:
    """New colours of grounds on which not even black or white can be read."""
    fills: dict[str, str] = {}
    for sign in signs:
        if not isinstance(sign.item, Run) or not sign.ground or sign.item.outline:
            continue
        best = max(least_contrast(end, sign.ground) for end in (_BLACK, _WHITE))
        if best < TEXT:
            mean = sum(map(brightness, sign.ground)) / len(sign.ground)
            text = _WHITE if brightness(sign.item.colour[:7]) > mean else _BLACK
            for fill in sign.paints or {PAPER}:
                fills.setdefault(fill, _readable_ground(fill, text))
    return {fill: new for fill, new in fills.items() if fill != new}


def _readable_ground(fill: str, text: str) -> str:
    """The shade of a ground on which white can be read, or the tint on which black can."""
    end = _BLACK if text == _WHITE else _WHITE
    shades = (mixed(fill, end, step / _STEPS) for step in range(_STEPS + 1))
    return next(shade for shade in shades if contrast(shade, text) >= TEXT)


def _signs(grounds: Grounds) -> Iterator[tuple[int, str]]:
    for sign in grounds.signs():
        now = least_contrast(sign.item.colour[:7], sign.ground)
        decoration = isinstance(sign.item, Icon) and now < DECORATION
        if not decoration and not (isinstance(sign.item, Run) and sign.item.outline):
            colour = lifted(sign.item.colour, sign.ground, _needed(sign))
            if colour != sign.item.colour:
                yield sign.number, colour


def _halos(grounds: Grounds) -> Iterator[tuple[int, str]]:
    """Halos of texts on pictures."""
    for sign in grounds.signs():
        if isinstance(sign.item, Run) and sign.ground is None and not sign.item.outline:
            yield sign.number, _WHITE if contrast(sign.item.colour[:7], _WHITE) >= LINE else _BLACK


def _strokes(grounds: Grounds, frame: Frame) -> Iterator[tuple[int, str]]:
    """New colours of lines: outlines of fields, and all other lines that can be seen."""
    around = {area.number for _, area in fields(grounds, frame)}
    for area in grounds.areas:
        if not area.stroke or not area.item:
            continue
        inside, outside = grounds.sides(area) if area.number in around else _beside(grounds, area)
        now = max(least_contrast(area.stroke, side) for side in (inside, outside))
        is_edge = min((least_contrast(colour, outside) for colour in inside or ()), default=21.0) >= LINE
        if now < LINE and not is_edge and (area.number in around or now >= DECORATION):
            yield area.item, lifted(area.stroke, inside, LINE)


def _beside(grounds: Grounds, area: Area) -> tuple[Colours, Colours]:
    """What is inside a shape, and behind its outline."""
    points = [(float(segment[-2]), float(segment[-1])) for segment in area.path if len(segment) > 1]
    behind = grounds.at(points[len(points) // 2], area.number)
    return area.fill if area.filled else behind, behind


# ---- changing it


def _repainted(items: Iterable[Item], fills: Mapping[str, str]) -> tuple[Item, ...]:
    """The items with other grounds."""
    return tuple(
        replace(item, items=_repainted(item.items, fills))
        if isinstance(item, Group)
        else replace(item, fill=_painted(item.fill, fills))
        if isinstance(item, Shape) and item.fill
        else item
        for item in items
    )


def _painted(paint: Paint, fills: Mapping[str, str]) -> Paint:
    if isinstance(paint, Gradient):
        return replace(paint, stops=tuple(replace(s, colour=_filled(s.colour, fills)) for s in paint.stops))
    return _filled(paint, fills)


def _filled(code: str, fills: Mapping[str, str]) -> str:
    return fills.get(code[:7], code[:7]) + code[7:]


def _recoloured(items: Iterable[Item], colours: _Colours, numbers: Iterator[int]) -> Iterator[Item]:
    """The items with new colours. They are numbered as `Grounds` numbers them."""
    for item in items:
        if isinstance(item, Group):
            yield replace(item, items=tuple(_recoloured(item.items, colours, numbers)))
            continue
        number = next(numbers)
        if isinstance(item, Run) and number in colours.halos:
            yield replace(item, colour=colours.halos[number], outline=_HALO)
        changes: dict[str, Any] = {}
        if number in colours.signs:
            changes["colour"] = colours.signs[number]
        if number in colours.strokes:
            changes["stroke"] = colours.strokes[number]
        yield replace(item, **changes) if changes else item
