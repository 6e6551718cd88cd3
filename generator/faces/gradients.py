"""Gradients as CSS writes them: `linear-gradient(90deg, navy, white 40%)`, `radial-gradient(circle at top, gold, red)`
(https://www.w3.org/TR/css-images-3/#gradients)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from ..model import values
from .kinds import Percent

EXPECTED = "a gradient such as linear-gradient(90deg, navy, #fff 40%) or radial-gradient(gold, red)"
MAX_STOPS = 50
_BEGINNING = re.compile(r"[\w-]*gradient\(")
_GRADIENT = re.compile(r"(repeating-)?(linear|radial)-gradient\((.*)\)", re.DOTALL)
_ANGLE = re.compile(r"(-?\d{1,6}(?:\.\d{1,6})?)(deg|turn|grad|rad)|-?0")
_DEGREES = {"deg": 1.0, "turn": 360.0, "grad": 0.9, "rad": 57.29577951308232}
_EXTENTS = ("closest-side", "farthest-side", "closest-corner", "farthest-corner")
_ACROSS, _DOWN = {"left": 0.0, "right": 1.0}, {"top": 0.0, "bottom": 1.0}

Position: TypeAlias = float | Percent
"""In mm, or a share of the length it is measured along."""
Colour: TypeAlias = Callable[[str], str]
"""Looks up a colour; raises ValueError."""


class ColourStop(Struct, frozen=True):
    """A colour of a gradient; None as its position: evenly between its neighbours."""

    colour: str
    position: Position | None = None


class Fading(Struct, frozen=True):
    """A gradient in a box of any size; it `repeats` beyond its last colour."""

    stops: tuple[ColourStop, ...]
    repeats: bool


class Linear(Fading, frozen=True):
    """In the direction of an angle (0 is up, 90 to the right), or `to` a corner (x and y, each 0 or 1)."""

    angle: float = 180.0
    to: tuple[float, float] | None = None


class Radial(Fading, frozen=True):
    """From a point at `x` and `y` outwards, as a circle or an ellipse, to an `extent` (a word of CSS) or `radii`."""

    circle: bool = False
    extent: str = "farthest-corner"
    radii: tuple[Position, ...] = ()
    x: Position = Percent(0.5)
    y: Position = Percent(0.5)


def is_gradient(text: str) -> bool:
    return bool(_BEGINNING.match(text))


def parsed(text: str, colour: Colour) -> Linear | Radial:
    """The gradient in a text. Raises ValueError with what is wrong with it, or what `colour` raises."""
    match = _GRADIENT.fullmatch(text.strip())
    if not match:
        raise ValueError(f"must be {EXPECTED}")
    first, *rest = [part.split() for part in _split(match[3], ",")]
    linear = match[2] == "linear"
    begins = _is_direction(first) if linear else _is_radial_shape(first)
    listed = rest if begins else [first, *rest]
    stops = tuple(stop for words in listed for stop in _stops(_joined(words), colour))
    if not 2 <= len(stops) <= MAX_STOPS:
        raise ValueError(f"needs from 2 to {MAX_STOPS} colours, has {len(stops)}")
    return (_linear if linear else _radial)(first if begins else [], stops, bool(match[1]))


def _split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators outside parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == separator and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _joined(words: Sequence[str]) -> list[str]:
    """The words of a stop, with functions such as `rgb(1 2 3)` as one word."""
    return [part for part in _split(" ".join(words), " ") if part]


def _stops(words: Sequence[str], colour: Colour) -> Iterator[ColourStop]:
    """The stops of one colour: two if it has two positions."""
    if not words:
        raise ValueError("has a comma too many")
    name, *positions = words
    if len(positions) > 2 or (not positions and _is_position(name)):
        raise ValueError(f"must have a colour and at most two positions between commas, not “{' '.join(words)}”")
    code = colour(name)
    for position in map(_position, positions) if positions else (None,):
        yield ColourStop(code, position)


def _is_position(word: str) -> bool:
    return bool(re.fullmatch(r"-?[\d.]+(%|mm|cm|in|pt|px)?", word))


def _position(word: str) -> Position:
    try:
        return Percent(values.decimal(word[:-1]) / 100) if word.endswith("%") else values.length(word)
    except ValueError:
        raise ValueError(f"has “{word}” where there must be a percentage such as 40% or a length such as 5mm") from None


# ---- linear gradients


def _is_direction(words: Sequence[str]) -> bool:
    return bool(words) and (words[0] == "to" or bool(_ANGLE.fullmatch(words[0])))


def _linear(words: Sequence[str], stops: tuple[ColourStop, ...], repeats: bool) -> Linear:
    if not words:
        return Linear(stops, repeats)
    if match := _ANGLE.fullmatch(" ".join(words)):
        return Linear(stops, repeats, float(match[1]) * _DEGREES[match[2]] % 360 if match[1] else 0.0)
    sides = words[1:]
    across, down = ([side for side in sides if side in axis] for axis in (_ACROSS, _DOWN))
    if not sides or len(across) > 1 or len(down) > 1 or len(across) + len(down) != len(sides):
        raise ValueError(f"must go “to” a side or corner such as “to top right”, not “{' '.join(words)}”")
    if across and down:
        return Linear(stops, repeats, to=(_ACROSS[across[0]], _DOWN[down[0]]))
    return Linear(stops, repeats, {"top": 0.0, "right": 90.0, "bottom": 180.0, "left": 270.0}[sides[0]])


# ---- radial gradients


def _is_radial_shape(words: Sequence[str]) -> bool:
    return bool(words) and (words[0] in ("circle", "ellipse", "at", *_EXTENTS) or _is_position(words[0]))


def _radial(words: Sequence[str], stops: tuple[ColourStop, ...], repeats: bool) -> Radial:
    at = words.index("at") if "at" in words else len(words)
    shape, place = words[:at], words[at + 1 :]
    names = [word for word in shape if word in ("circle", "ellipse")]
    extents = [word for word in shape if word in _EXTENTS]
    radii = tuple(_position(word) for word in shape if word not in names and word not in extents)
    circle = names == ["circle"] or (not names and len(radii) == 1)
    wrong_size = radii and (extents or len(radii) != (1 if circle else 2) or (circle and isinstance(radii[0], Percent)))
    if len(names) > 1 or len(extents) > 1 or wrong_size:
        raise ValueError(f"must have a shape such as “circle”, “circle 5mm” or “closest-side”, not “{' '.join(shape)}”")
    if at < len(words) and not 1 <= len(place) <= 2:
        raise ValueError("must have one or two places after “at”, such as “at top left” or “at 20% 5mm”")
    x, y = _place(place)
    return Radial(stops, repeats, circle, extents[0] if extents else "farthest-corner", radii=radii, x=x, y=y)


def _place(words: Sequence[str]) -> tuple[Position, Position]:
    """The point of `at …`: names in any order, or lengths and shares, first across."""
    ways: list[Position] = [Percent(0.5), Percent(0.5)]
    if words and (words[0] in _DOWN or words[-1] in _ACROSS):
        words = words[::-1] if len(words) == 2 else ["center", *words] if words[0] in _DOWN else words
    for number, (word, axis) in enumerate(zip(words, (_ACROSS, _DOWN), strict=False)):
        if word != "center":
            ways[number] = Percent(axis[word]) if word in axis else _position(word)
    return ways[0], ways[1]
