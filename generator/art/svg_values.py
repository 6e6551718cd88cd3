"""Parses the values of SVG attributes and properties: lengths, transforms, paints, and path data.

Specification: https://www.w3.org/TR/SVG11/, units in 7.10, transforms in 7.6, painting in 11, paths in 8; arcs become
curves as in F.6 of its implementation notes. Like browsers, this ignores properties with values that cannot be
understood.
"""

from __future__ import annotations

import cmath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import atan2, ceil, degrees, hypot, isclose, pi, radians, sqrt, tan
from typing import Any, TypeAlias

from msgspec import Struct

from ..geometry import outlines
from ..geometry.outlines import IDENTITY, Matrix, Path, Segment, multiplied
from ..model import colours

LARGEST = 1e6
"""Larger coordinates and factors are refused."""
MAX_SEGMENTS = 20_000
CURRENT = "currentColor"
CONTEXT = {"context-fill", "context-stroke"}
"""The paints of the element that repeats this one."""

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_LENGTH = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([a-z]*|%)", re.IGNORECASE)
_TRANSFORM = re.compile(r"[\s,]*([A-Za-z]+)\s*\(([^()]*)\)[\s,]*")
_URL = re.compile(r"""url\(\s*["']?\s*#([^)"'\s]*)\s*["']?\s*\)\s*(.*)""")
_ICC = re.compile(r"\s+icc-color\([^)]*\)")
_PIXELS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6}


class Reference(Struct, frozen=True):
    """A paint defined elsewhere, such as a gradient or pattern, and the fallback if it does not exist."""

    id: str
    fallback: str | None


Paint = str | Reference | None


class Viewport(Struct, frozen=True):
    """What percentages and relative units refer to: a width and a height in user units, and a type size."""

    width: float
    height: float
    type_size: float = 16.0

    def with_type_size(self, size: float) -> Viewport:
        return self if size == self.type_size else Viewport(self.width, self.height, size)


Look: TypeAlias = Mapping[str, Any]
"""The parsed values of the properties that elements inherit, by their names in CSS."""


def inherited(look: Look, style: Mapping[str, str]) -> Look:
    """The look of a child with these properties of its own. Values that cannot be understood are ignored."""
    changes: dict[str, Any] = {}
    for stated, value in style.items():
        name = "marker-start" if stated == "marker" else stated  # a shorthand, and one marker is enough to know
        if name in _INHERITED and (name != "color" or value.lower() != "currentcolor"):
            initial, parse = _INHERITED[name]
            changes[name] = initial if value.lower() == "initial" else or_else(look[name], parse, value)
    return {**look, **changes} if changes else look


def or_else(default: Any, parse: Callable[..., Any], *arguments: Any) -> Any:
    """What a function returns, or the default if it does not understand a value: browsers ignore it as well."""
    try:
        return parse(*arguments)
    except (ValueError, OverflowError):
        return default


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


def length(text: str, viewport: Viewport, axis: str = "") -> float:
    """A length in user units. Percentages are those of the viewport's width (`axis` "x"), its height ("y") or its
    diagonal."""
    match = _LENGTH.fullmatch(text.strip())
    unit = match[2].lower() if match else ""
    if not match or (unit not in _PIXELS and unit not in ("%", "em", "ex", "rem")):
        raise ValueError("must be a number or a length such as 5mm")
    if unit == "%":
        whole = {"x": viewport.width, "y": viewport.height}.get(axis, hypot(viewport.width, viewport.height) / sqrt(2))
        value = float(match[1]) * whole / 100
    else:
        value = float(match[1]) * {"em": viewport.type_size, "ex": viewport.type_size / 2, "rem": 16.0, **_PIXELS}[unit]
    if abs(value) > LARGEST:
        raise ValueError("is too large")
    return value


def share(text: str) -> float:
    """A number or percentage from 0 to 1."""
    value = number(text.strip().removesuffix("%")) / (100 if text.strip().endswith("%") else 1)
    return max(0.0, min(value, 1.0))


def lengths(text: str, viewport: Viewport) -> tuple[float, ...]:
    """The dashes of an outline; an odd number of them is repeated."""
    words = text.replace(",", " ").split() if text != "none" else []
    values = tuple(length(word, viewport) for word in words)
    if any(value < 0 for value in values):
        raise ValueError("cannot be negative")
    values *= 1 + len(values) % 2
    return values if any(values[1::2]) else ()


def paint(text: str) -> Paint:
    """`none`, a colour, `currentColor`, or a reference with its fallback."""
    match = _URL.fullmatch(text.strip())
    if match:
        fallback = paint(match[2]) if match[2] else None
        return Reference(match[1], fallback if isinstance(fallback, str) else None)
    if text in CONTEXT:
        return Reference(text, None)
    return None if text.strip().lower() in ("none", "transparent") else colour(text)


def reference(text: str) -> str | None:
    """The id that a value such as `url(#shape)` refers to."""
    match = _URL.fullmatch(text.strip())
    return match[1] if match else None


def colour(text: str) -> str:
    plain = _ICC.sub("", text.strip())
    return CURRENT if plain.lower() == "currentcolor" else colours.parsed(plain)


def _one_of(**words: Any) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        if text.lower() not in words:
            raise ValueError(f"must be {' or '.join(words)}")
        return words[text.lower()]

    return parse


def _stroke_first(text: str) -> bool:
    words = text.split()
    return "stroke" in words and ("fill" not in words or words.index("stroke") < words.index("fill"))


_RULE = _one_of(nonzero=False, evenodd=True)


# The value of each inherited property at first, and how it is parsed. That of `paint-order` says whether the outline
# is painted first, that of `visibility` whether anything is, that of `fill-rule` whether it is even-odd.
_INHERITED: Mapping[str, tuple[Any, Callable[[str], Any]]] = {
    "fill": ("#000000", paint),
    "stroke": (None, paint),
    "stroke-width": ("1", str),
    "stroke-dasharray": ("", str),
    "stroke-dashoffset": ("0", str),
    "fill-opacity": (1.0, share),
    "stroke-opacity": (1.0, share),
    "fill-rule": (False, _RULE),
    "clip-rule": (False, _RULE),
    "stroke-linecap": ("", _one_of(butt="", round="round", square="square")),
    "stroke-linejoin": ("", _one_of(miter="", round="round", bevel="bevel", arcs="", **{"miter-clip": ""})),
    "stroke-miterlimit": (4.0, number),
    "color": (CURRENT, colour),
    "visibility": (True, _one_of(visible=True, hidden=False, collapse=False)),
    "paint-order": (False, _stroke_first),
    **dict.fromkeys(("marker-start", "marker-mid", "marker-end"), (False, lambda text: text.strip() != "none")),
    "font-size": (16.0, lambda text: length(text, Viewport(100.0, 100.0))),
}
INITIAL: Look = {name: value for name, (value, _) in _INHERITED.items()}


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
            return outlines.rotation(angle, 0.0, 0.0)
        case "rotate", [angle, x, y]:
            return outlines.rotation(angle, x, y)
        case "skewX", [angle]:
            return 1.0, 0.0, tan(radians(angle)), 1.0, 0.0, 0.0
        case "skewY", [angle]:
            return 1.0, tan(radians(angle)), 0.0, 1.0, 0.0, 0.0
    raise ValueError(f"has {name} with {len(arguments)} numbers, which is not supported")


# Outlines of shapes as PDF draws them: how a transform changes their width (11.4)


def uniform_scale(matrix: Matrix) -> float | None:
    """The factor by which a matrix scales all lengths; None if it is not uniform."""
    a, b, c, d, _, _ = matrix
    first, second = hypot(a, b), hypot(c, d)
    uniform = isclose(first, second, rel_tol=1e-6) and abs(a * c + b * d) <= 1e-6 * first * second
    return sqrt(first * second) if uniform else None


def main_direction(matrix: Matrix) -> float:
    """The angle in degrees of the direction that a matrix stretches most. Outlines are turned so that it becomes their
    x axis, because viewers (pdfium) go by its scale to choose how many straight lines a curve needs."""
    a, b, c, d, _, _ = matrix
    return degrees(atan2(2 * (a * c + b * d), a * a + b * b - c * c - d * d) / 2)


_COMMAND = re.compile("([MmZzLlHhVvCcSsQqTtAa])")
_PATH_NUMBER = re.compile(r"[\s,]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[\s,]*")
_FLAG = re.compile(r"[\s,]*([01])[\s,]*")
_ARC_FLAGS = (3, 4)
SIZES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7}
"""The number of arguments of each command."""
_MAX_NUMBERS = 7 * MAX_SEGMENTS

_ROUNDED = 1e-12  # a semicircle has its centre on its chord, apart from rounding


class TooManySegmentsError(Exception):
    """Raised for path data that is too long to be drawn as a path."""

    def __init__(self) -> None:
        super().__init__(f"more than {MAX_SEGMENTS:,} segments")


@lru_cache(maxsize=128)
def segments(data: str) -> Path:
    """Parses path data into segments; raises ValueError for anything unsupported."""
    before, *parts = _COMMAND.split(data)
    if before.strip():
        raise ValueError(f"must begin with M, not “{before[:12]}”")
    pen, count = _Pen(), 0
    for letter, text in zip(parts[::2], parts[1::2], strict=True):
        numbers = [*_numbers(text, arc=letter in "Aa")] if text.strip() else []
        count += len(numbers)
        if count > _MAX_NUMBERS:
            raise TooManySegmentsError
        try:
            pen.draw(letter, numbers)
        except ArithmeticError as error:
            raise ValueError("has numbers that are too large") from error
    return tuple(pen.path)


def _numbers(text: str, *, arc: bool) -> Iterator[float]:
    """The numbers after a command. The flags of an arc need no separators."""
    position = count = 0
    while position < len(text):
        match = (_FLAG if arc and count % 7 in _ARC_FLAGS else _PATH_NUMBER).match(text, position)
        if not match:
            raise ValueError(f"has “{text[position : position + 12].strip()}” instead of a number")
        yield float(match[1])
        position, count = match.end(), count + 1


class _Pen:
    """Follows commands; points are complex numbers. `family` and `control` are the command of the last curve, C or Q,
    and its last control point, which a smooth curve mirrors."""

    def __init__(self) -> None:
        self.path: list[Segment] = []
        self.position, self.start, self.control = 0j, 0j, 0j
        self.family = ""
        self.is_open = False

    def draw(self, letter: str, numbers: Sequence[float]) -> None:
        """A command with its arguments, which may be repeated."""
        command = letter.upper()
        size = SIZES.get(command, 0)
        if (command != "M" and not self.path) or (len(numbers) % size or not numbers if size else numbers):
            raise ValueError("does not begin with M, or lacks numbers")
        if command == "Z":
            self._close()
        for at in range(0, len(numbers), size or 1):
            group = numbers[at : at + size]
            self._one("L" if command == "M" and at else command, group, self.position if letter.islower() else 0j)

    def _one(self, command: str, numbers: Sequence[float], base: complex) -> None:
        if command != "M" and not self.is_open:
            self._add("M", self.start)
        self.is_open = True
        if command == "A":
            self._arc(*numbers[:3], large=bool(numbers[3]), sweep=bool(numbers[4]), end=base + complex(*numbers[5:]))
        elif command in "HV":
            x, y = self.position.real, self.position.imag
            x, y = (numbers[0] + base.real, y) if command == "H" else (x, numbers[0] + base.imag)
            self._add("L", complex(x, y))
        else:
            points = [base + complex(*numbers[at : at + 2]) for at in range(0, len(numbers), 2)]
            if command in "CSQT":
                self._curve(command, points)
                return
            self._add(command, *points)
            self.start = self.position if command == "M" else self.start
        self.family = ""

    def _curve(self, command: str, points: Sequence[complex]) -> None:
        """A cubic curve, or a quadratic one as a cubic one."""
        family = "C" if command in "CS" else "Q"
        if command in "ST":
            points = 2 * self.position - self.control if self.family == family else self.position, *points
        self.family, self.control = family, points[-2]
        if family == "Q":
            points = [end + (points[0] - end) * 2 / 3 for end in (self.position, points[1])] + [points[1]]
        self._add("C", *points)

    def _arc(self, rx: float, ry: float, degrees: float, *, large: bool, sweep: bool, end: complex) -> None:
        """An elliptical arc as curves of at most 90° (F.6.5 and F.6.6)."""
        rx, ry, turn, middle = abs(rx), abs(ry), cmath.rect(1.0, radians(degrees)), (self.position - end) / 2
        if not (rx and ry):
            self._add("L", end)
        if not (rx and ry and middle):
            return
        middle /= turn
        scale = max(1.0, sqrt((middle.real / rx) ** 2 + (middle.imag / ry) ** 2))
        rx, ry = rx * scale, ry * scale

        def on_circle(point: complex) -> complex:
            point /= turn
            return complex(point.real / rx, point.imag / ry)

        first, last = on_circle(self.position), on_circle(end)
        chord = last - first
        squared = 1 / abs(chord) ** 2 - 0.25
        away = sqrt(squared) if squared > _ROUNDED else 0.0
        centre = (first + last) / 2 + chord * 1j * (-away if large == sweep else away)
        begin = cmath.phase(first - centre)
        angle = cmath.phase(last - centre) - begin
        angle += 2 * pi * ((angle < 0 and sweep) - (angle > 0 and not sweep))
        count = ceil(abs(angle) / (pi / 2 + 0.001)) if abs(angle) < LARGEST else 0
        for number in range(count):
            here, there = (cmath.rect(1.0, begin + angle * at / count) for at in (number, number + 1))
            reach = 4 / 3 * tan(angle / count / 4) * 1j
            points = [centre + here * (1 + reach), centre + there * (1 - reach), centre + there]
            self._add("C", *(turn * complex(point.real * rx, point.imag * ry) for point in points))
        self.position = end

    def _close(self) -> None:
        if self.is_open:
            if not cmath.isclose(self.position, self.start, rel_tol=1e-15, abs_tol=1e-15):
                self._add("L", self.start)
            self.path.append(("Z",))
        self.position, self.is_open, self.family = self.start, False, ""

    def _add(self, name: str, *points: complex) -> None:
        if len(self.path) >= MAX_SEGMENTS:
            raise TooManySegmentsError
        numbers = [number for point in points for number in (point.real, point.imag)]
        if not all(-LARGEST < number < LARGEST for number in numbers):
            raise ValueError("has numbers that are too large")
        self.path.append((name, *numbers))
        self.position = points[-1]
