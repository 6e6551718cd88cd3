"""Parses path data of SVG into segments: lines and cubic curves.

Specification: https://www.w3.org/TR/SVG11/paths.html; arcs become curves as in F.6 of its implementation notes.
"""

from __future__ import annotations

import re
from cmath import isclose, phase, rect
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil, pi, radians, sqrt, tan

from ..geometry.outlines import Path, Segment
from .svg_values import LARGEST, MAX_SEGMENTS

_COMMAND = re.compile("([MmZzLlHhVvCcSsQqTtAa])")
_NUMBER = re.compile(r"[\s,]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[\s,]*")
_FLAG = re.compile(r"[\s,]*([01])[\s,]*")
_ARC_FLAGS = (3, 4)
SIZES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7}
"""The number of arguments of each command."""
_MAX_NUMBERS = 7 * MAX_SEGMENTS

_ROUNDED = 1e-12
"""A semicircle has its centre on its chord, apart from rounding."""


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
        match = (_FLAG if arc and count % 7 in _ARC_FLAGS else _NUMBER).match(text, position)
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
        rx, ry, turn, middle = abs(rx), abs(ry), rect(1.0, radians(degrees)), (self.position - end) / 2
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
        begin = phase(first - centre)
        angle = phase(last - centre) - begin
        angle += 2 * pi * ((angle < 0 and sweep) - (angle > 0 and not sweep))
        count = ceil(abs(angle) / (pi / 2 + 0.001)) if abs(angle) < LARGEST else 0
        for number in range(count):
            here, there = (rect(1.0, begin + angle * at / count) for at in (number, number + 1))
            reach = 4 / 3 * tan(angle / count / 4) * 1j
            points = [centre + here * (1 + reach), centre + there * (1 - reach), centre + there]
            self._add("C", *(turn * complex(point.real * rx, point.imag * ry) for point in points))
        self.position = end

    def _close(self) -> None:
        if self.is_open:
            if not isclose(self.position, self.start, rel_tol=1e-15, abs_tol=1e-15):
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
