"""Parses the values of SVG attributes: numbers, path data, transforms and inherited properties.

Specification: https://www.w3.org/TR/SVG11/, numbers in 4.2, transforms in 7.6, path data in 8.3.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin, tan
from typing import Any

from ..definitions import colours
from ..geometry.outlines import IDENTITY, Matrix, Path, Segment, multiplied

LARGEST = 1e6
"""Larger coordinates and factors are rejected."""
MAX_SEGMENTS = 20_000

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_TRANSFORM = re.compile(r"[\s,]*([A-Za-z]+)\s*\(([^()]*)\)[\s,]*")


@dataclass(frozen=True, slots=True)
class Look:
    """The properties that a shape inherits. Lengths are those before `matrix` is applied."""

    fill: str | None = "#000000"
    stroke: str | None = None
    stroke_width: float = 1.0
    dash: tuple[float, ...] = ()
    even_odd: bool = False
    cap: str = ""
    join: str = ""
    matrix: Matrix = IDENTITY


def number(text: str) -> float:
    """A plain number, optionally followed by `px`."""
    plain = text.strip().removesuffix("px")
    if not _NUMBER.fullmatch(plain):
        raise ValueError("must be a number")
    if abs(float(plain)) > LARGEST:
        raise ValueError("is too large")
    return float(plain)


def numbers(text: str) -> list[float]:
    """Numbers separated by spaces and commas."""
    rest = _NUMBER.sub(" ", text)
    if rest.replace(",", " ").strip():
        raise ValueError("must be numbers")
    return [number(word) for word in _NUMBER.findall(text)]


def not_negative(text: str) -> float:
    value = number(text)
    if value < 0:
        raise ValueError("must not be below 0")
    return value


def _paint(text: str) -> str | None:
    if text == "none":
        return None
    if text.lower() == "currentcolor":
        return "currentColor"
    if text.startswith("url("):
        raise ValueError("must be a plain colour: gradients and patterns are not supported")
    try:
        return colours.parsed(text)
    except ValueError:
        raise ValueError("must be none, currentColor or a colour such as #24405f") from None


def _dash(text: str) -> tuple[float, ...]:
    lengths = () if text == "none" else tuple(numbers(text))
    if any(length < 0 for length in lengths):
        raise ValueError("must not be below 0")
    return lengths * (1 + len(lengths) % 2) if any(lengths) else ()


def _one_of(**words: Any) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        if text not in words:
            raise ValueError(f"must be {' or '.join(words)}")
        return words[text]

    return parse


def _only(*values: float) -> Callable[[str], None]:
    def parse(text: str) -> None:
        if number(text) not in values:
            raise ValueError(f"is only supported as {values[0]:g}")

    return parse


_PROPERTIES: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "fill": ("fill", _paint),
    "stroke": ("stroke", _paint),
    "stroke-width": ("stroke_width", not_negative),
    "stroke-dasharray": ("dash", _dash),
    "stroke-linecap": ("cap", _one_of(butt="", round="round", square="square")),
    "stroke-linejoin": ("join", _one_of(miter="", round="round", bevel="bevel")),
    "fill-rule": ("even_odd", _one_of(nonzero=False, evenodd=True)),
    "clip-rule": ("", _one_of(nonzero=None, evenodd=None)),
    "opacity": ("", _only(1)),
    "fill-opacity": ("", _only(1)),
    "stroke-opacity": ("", _only(1)),
    "stroke-miterlimit": ("", _only(10, 4)),
    "stroke-dashoffset": ("", _only(0)),
}
PROPERTIES = frozenset(_PROPERTIES)


def properties(attributes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yields the properties of an element: first its attributes, then those in `style`, which take precedence."""
    for name, value in attributes.items():
        if name in _PROPERTIES:
            yield name, value
    for declaration in filter(str.strip, attributes.get("style", "").split(";")):
        name, _, value = declaration.partition(":")
        yield name.strip(), value.strip()


def look_of(name: str, value: str) -> dict[str, Any]:
    """The fields of Look that a property sets. Raises KeyError for an unknown name."""
    field, parse = _PROPERTIES[name]
    if value.strip() == "inherit":
        return {}
    parsed = parse(value.strip())
    return {field: parsed} if field else {}


def matrix(text: str) -> Matrix:
    """Combines the transforms of a `transform` attribute into one matrix."""
    combined, position = IDENTITY, 0
    while position < len(text.rstrip()):
        match = _TRANSFORM.match(text, position)
        if not match:
            raise ValueError("must be a list such as translate(1 2) rotate(45)")
        combined = multiplied(combined, _transform(match[1], numbers(match[2])))
        if max(map(abs, combined)) > LARGEST:
            raise ValueError("is too large")
        position = match.end()
    return combined


def _transform(name: str, arguments: list[float]) -> Matrix:
    match name, arguments:
        case "matrix", [a, b, c, d, e, f]:
            return a, b, c, d, e, f
        case "translate", [x, *rest] if len(rest) < 2:
            return 1.0, 0.0, 0.0, 1.0, x, *(rest or (0.0,))
        case "scale", [x, *rest] if len(rest) < 2:
            return x, 0.0, 0.0, (rest or [x])[0], 0.0, 0.0
        case "rotate", [angle]:
            return _rotation(angle)
        case "rotate", [angle, x, y]:
            return multiplied(multiplied((1.0, 0.0, 0.0, 1.0, x, y), _rotation(angle)), (1.0, 0.0, 0.0, 1.0, -x, -y))
        case "skewX", [angle]:
            return 1.0, 0.0, tan(radians(angle)), 1.0, 0.0, 0.0
        case "skewY", [angle]:
            return 1.0, tan(radians(angle)), 0.0, 1.0, 0.0, 0.0
    raise ValueError(f"has {name} with {len(arguments)} numbers, which is not supported")


def _rotation(angle: float) -> Matrix:
    c, s = cos(radians(angle)), sin(radians(angle))
    return c, s, -s, c, 0.0, 0.0


# ---- path data

_MAX_TOKENS = 7 * MAX_SEGMENTS

_COMMAND = re.compile("([MmZzLlHhVvCcSsQqTtAa])")
_PATH_NUMBER = re.compile(r"[\s,]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[\s,]*")
_FLAG = re.compile(r"[\s,]*([01])[\s,]*")
_ARC_FLAGS = (3, 4)


@lru_cache(maxsize=128)
def segments(data: str, max_segments: int = MAX_SEGMENTS) -> Path:
    """Parses path data into segments; raises ValueError for anything unsupported."""
    from fontTools.svgLib.path.parser import parse_path  # slow to load, and only needed for paths

    pen = _Pen(max_segments)
    normalised = " ".join(_tokens(data))
    try:
        parse_path(normalised, pen)
    except _PathError:
        raise
    except ArithmeticError as error:
        raise ValueError("path data with numbers that are too large") from error
    except ValueError as error:
        raise ValueError("path data that does not begin with M or lacks numbers") from error
    return tuple(pen.path)


def _tokens(data: str) -> Iterator[str]:
    """Yields the tokens of path data in normal form. Raises ValueError where fontTools would skip something."""
    count = 0
    command = ""
    for part in _COMMAND.split(data):
        if _COMMAND.fullmatch(part):
            command, words = part, iter([part])
        elif not part.strip():
            continue
        elif not command:
            raise ValueError(f"path data must begin with M, not “{part[:12]}”")
        else:
            words = _numbers(part, arc=command in "Aa")
        for word in words:
            count += 1
            if count > _MAX_TOKENS:
                raise ValueError(f"more than {MAX_SEGMENTS:,} segments")
            yield word


def _numbers(text: str, *, arc: bool) -> Iterator[str]:
    position = count = 0
    while position < len(text):
        pattern = _FLAG if arc and count % 7 in _ARC_FLAGS else _PATH_NUMBER
        match = pattern.match(text, position)
        if not match:
            raise ValueError(f"path data with “{text[position : position + 12].strip()}” instead of a number")
        yield repr(float(match[1])) if pattern is _PATH_NUMBER else match[1]
        position, count = match.end(), count + 1


class _PathError(ValueError):
    """Raised by the pen, with a message of our own: those of fontTools quote the whole path."""


class _Pen:
    """Records the segments that fontTools draws, with quadratic curves as cubic ones."""

    def __init__(self, max_segments: int) -> None:
        self.path: list[Segment] = []
        self.max_segments = max_segments
        self.position = (0.0, 0.0)

    def _add(self, name: str, *points: tuple[float, float]) -> None:
        if len(self.path) >= self.max_segments:
            raise _PathError(f"more than {MAX_SEGMENTS:,} segments")
        numbers = [number for point in points for number in point]
        if not all(-LARGEST < number < LARGEST for number in numbers):
            raise _PathError("path data with numbers that are too large")
        self.path.append((name, *numbers))
        self.position = points[-1]

    def moveTo(self, point: tuple[float, float]) -> None:  # noqa: N802 - fontTools' name
        self._add("M", point)

    def lineTo(self, point: tuple[float, float]) -> None:  # noqa: N802
        self._add("L", point)

    def curveTo(self, *points: tuple[float, float]) -> None:  # noqa: N802
        self._add("C", *points)

    def qCurveTo(self, control: tuple[float, float], end: tuple[float, float]) -> None:  # noqa: N802
        (x0, y0), (x, y), (x1, y1) = self.position, control, end
        self._add(
            "C", (x0 + (x - x0) * 2 / 3, y0 + (y - y0) * 2 / 3), (x1 + (x - x1) * 2 / 3, y1 + (y - y1) * 2 / 3), end
        )

    def closePath(self) -> None:  # noqa: N802
        self.path.append(("Z",))

    def endPath(self) -> None:  # noqa: N802
        """Ends an open subpath, which needs no segment."""
