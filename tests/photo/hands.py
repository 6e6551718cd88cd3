"""Hands: simulated people who write digits, letters, ticks and rings with a pencil or a pen.

The digits are pen paths of people (`handwriting/pendigits.tes`, whose writers no reader was trained on); the rows do
not say who wrote them, so that a hand takes one path for each digit and, from digit to digit, those most like it. The
letters are drawn in `letters`. Lengths are in millimetres.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from tests.photo.letters import HABITS, forms, smooth, strokes

PEN_PATHS = Path(__file__).parent / "handwriting/pendigits.tes.gz"
_ALIKE = 8
_LIFTS = (4, 5, 7)
"""Digits of two strokes, whose path rises while the pen is lifted."""


_BREADTHS = (0.7, 0.3, 0.68, 0.6, 0.72, 0.66, 0.6, 0.66, 0.6, 0.58)


class Line(NamedTuple):
    """A stroke on paper: points (n, 2), and how wide and how dark (0 to 1) it is at each of them."""

    points: np.ndarray
    width: np.ndarray
    darkness: np.ndarray


@cache
def _paths() -> dict[int, np.ndarray]:
    """The pen paths (n, 8, 2) of each digit, from 0 to 1, y down."""
    with gzip.open(PEN_PATHS, "rt") as file:
        rows = [line.strip().split(",") for line in file]
    points = np.array([row[:16] for row in rows], float).reshape(-1, 8, 2) / 100
    points[:, :, 1] = 1 - points[:, :, 1]
    digits = np.array([row[16].index("1") for row in rows])
    return {digit: points[digits == digit] for digit in range(10)}


@cache
def _like(digit: int, number: int) -> np.ndarray:
    """The numbers of the paths of a digit that are most like one of them, itself first."""
    paths = _paths()[digit]
    return np.argsort(np.abs(paths - paths[number]).sum((1, 2)))[:_ALIKE]


class Hand:
    """One person's writing. `tool` is `pencil` or `pen`, `colour` the colour of its line on white paper, `slant` the
    tangent of the slope, `size` the height of what is written as a share of the box, `unrest` how uneven it is."""

    def __init__(self, rng: Generator, tool: str = "") -> None:
        self.rng = rng
        self.tool = tool or str(rng.choice(["pencil", "pencil", "pen"]))
        if self.tool == "pencil":
            self.colour = tuple(int(value) for value in np.full(3, rng.integers(35, 80)) + rng.integers(-4, 5, 3))
            self.width, self.darkness = rng.uniform(0.4, 0.85), rng.uniform(0.55, 0.95)
        else:
            blues_and_black = [(25, 40, 120), (20, 30, 90), (40, 60, 150), (25, 25, 30), (40, 40, 45), (15, 15, 20)]
            self.colour = blues_and_black[rng.integers(6)]
            self.width, self.darkness = rng.uniform(0.35, 0.7), rng.uniform(0.85, 1.0)
        self.slant = rng.normal(0.08, 0.14)
        self.size = rng.uniform(0.5, 0.82)
        self.aspect = rng.uniform(0.8, 1.15)
        self.unrest = rng.uniform(0.5, 1.4)
        self.offset = rng.normal(0, 0.07, 2)
        self.styles = {digit: int(rng.integers(len(paths))) for digit, paths in _paths().items()}
        self.forms = {letter: int(rng.integers(12)) for letter in map(chr, range(33, 0x2300))}
        self.habits = {letter for letter in HABITS if rng.random() < 0.12}
        self.tick = str(
            rng.choice(["cross", "cross", "tick", "tick", "scribble", "slash"], p=[0.25, 0.2, 0.25, 0.2, 0.05, 0.05])
        )
        self.ring = str(
            rng.choice(["ring", "ring", "open", "double", "fill", "cross"], p=[0.3, 0.2, 0.3, 0.1, 0.04, 0.06])
        )
        self.align = str(rng.choice(["right", "left"], p=[0.8, 0.2]))
        self.slips = rng.uniform(0, 0.03)
        """How many marks are crossed out and corrected."""

    # ---- characters

    def character(self, letter: str, x: float, y: float, width: float, height: float) -> list[Line]:
        """A digit, letter or sign written into a box."""
        rng, unrest = self.rng, self.unrest
        shapes, breadth = self._digit(int(letter)) if letter.isdecimal() else (self._letter(letter), 0.72)
        size = self.size * height * np.exp(rng.normal(0, 0.07) * unrest)
        across = min(size * self.aspect * breadth, width * 1.02)
        flat = letter in "-=+~≠*."
        if flat:
            size, across = size * 0.5, min(size * 0.55, width * 0.7)
        middle = np.array([x + width / 2, y + height / 2]) + self.offset * (width, height)
        middle += rng.normal(0, 0.045, 2) * (width, height) * unrest
        stretch = np.exp(rng.normal(0, 0.06, 2) * unrest)
        turn = rng.normal(0, 0.05) * unrest
        matrix = np.array([[1, -self.slant], [0, 1]]) @ np.array(
            [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
        )
        everything = np.concatenate(shapes)
        low, high = everything.min(0), everything.max(0)
        centre = (low + high) / 2 if letter.isdecimal() else np.array([0.5, 0.5])
        return [
            self._line(((points - centre) * (across, size) * stretch) @ matrix.T + middle, self._stroke_width(height))
            for points in shapes
        ]

    def _stroke_width(self, height: float) -> float:
        return self.width * min(1.0, 0.6 + height / 20)

    def _digit(self, digit: int) -> tuple[list[np.ndarray], float]:
        paths, rng = _paths()[digit], self.rng
        near = _like(digit, self.styles[digit])
        first, second = paths[rng.choice(near[:4])], paths[rng.choice(near)]
        path = first + (second - first) * rng.uniform(0, 0.4)
        path = path + rng.normal(0, 0.012, path.shape) * self.unrest
        breadth = _breadth(digit, path) * np.exp(rng.normal(0, 0.1))
        return [smooth(part) for part in _pen_down(digit, path) if len(part) > 1], breadth

    def _letter(self, letter: str) -> list[np.ndarray]:
        rng = self.rng
        drawn = HABITS[letter] if letter in self.habits else letter
        choices = forms(drawn)
        number = self.forms.get(letter, 0) if rng.random() < 0.93 else int(rng.integers(9))
        result = []
        for points, corners in strokes(choices[number % len(choices)]):
            own = np.random.default_rng((ord(letter), number, len(points), int(self.width * 1000)))
            points = points + own.normal(0, 0.035, points.shape) + rng.normal(0, 0.022, points.shape) * self.unrest
            corners = [corner and own.random() < 0.85 for corner in corners]
            result.append(smooth(points, corners))
        return result

    def text(self, text: str, x: float, y: float, width: float, height: float) -> list[Line]:
        """A name or a word in a long box."""
        size = min(height * 0.62, width / max(len(text), 1) * 1.5)
        step = min(size * 0.62, width * 0.94 / max(len(text), 1))
        left = x + width * 0.03 + self.rng.uniform(0, max(width - step * len(text) - width * 0.06, 0)) * 0.3
        saved, self.size, self.offset = (self.size, self.offset), 0.9, np.zeros(2)
        slope, lines = self.rng.normal(0, 0.012), []
        for number, letter in enumerate(text):
            if letter.isspace():
                continue
            down = y + (height - size) / 2 + slope * number * step
            lines += self.character(_plain(letter), left + number * step, down, step * 0.95, size)
        self.size, self.offset = saved
        return lines

    # ---- marks

    def ticked(self, x: float, y: float, width: float, height: float) -> list[Line]:
        """A cross or a tick in a box."""
        kind = self.tick if self.rng.random() < 0.95 else "cross"
        if kind == "cross":
            shapes = [[(0.12, 0.15), (0.5, 0.48), (0.88, 0.88)], [(0.85, 0.1), (0.45, 0.55), (0.15, 0.9)]]
        elif kind == "tick":
            shapes = [[(0.1, 0.5), (0.25, 0.68), (0.38, 0.92), (0.6, 0.5), (1.05, -0.05)]]
        elif kind == "slash":
            shapes = [[(0.9, 0.05), (0.5, 0.5), (0.1, 0.95)]]
        else:
            shapes = [[(0.1 + 0.8 * (step % 2), 0.15 + step * 0.1) for step in range(8)]]
        return self._marked(shapes, x, y, width, height)

    def ringed(self, x: float, y: float, width: float, height: float) -> list[Line]:
        """A ring along the outline of a round box: closed, open, overlapping or hurried."""
        rng = self.rng
        kind = self.ring if rng.random() < 0.95 else "ring"
        if kind == "cross":
            return self._marked(
                [[(0.1, 0.1), (0.5, 0.5), (0.9, 0.9)], [(0.9, 0.1), (0.5, 0.5), (0.1, 0.9)]], x, y, width, height
            )
        if kind == "fill":
            return self._marked(
                [[(0.15 + 0.7 * (step % 2), 0.2 + step * 0.08) for step in range(9)]], x, y, width, height
            )
        turn = {"ring": rng.uniform(0.97, 1.1), "open": rng.uniform(0.8, 0.96), "double": rng.uniform(1.5, 2.0)}[kind]
        start, way = rng.uniform(-2.6, -0.5), rng.choice([-1, 1], p=[0.8, 0.2])
        angle = start + way * np.linspace(0, 2 * np.pi * turn, int(14 * turn))
        grow = rng.uniform(0.92, 1.22) * (1 + np.linspace(0, rng.normal(0, 0.08), len(angle)))
        radius = grow + 0.04 * self.unrest * np.sin(2 * angle + rng.uniform(0, 6))
        shape = np.stack([0.5 + 0.5 * radius * np.cos(angle), 0.5 + 0.5 * radius * np.sin(angle)], 1)
        return self._marked([shape], x, y, width, height, 0.4)

    def crossed_out(self, x: float, y: float, width: float, height: float) -> list[Line]:
        """What crosses out a mark in a box."""
        kind = self.rng.integers(4)
        if kind == 0:
            shapes = [[(0.05, 0.55), (0.5, 0.5), (0.95, 0.45)], [(0.05, 0.4), (0.95, 0.35)]]
        elif kind == 1:
            shapes = [[(0.1, 0.1), (0.9, 0.9)], [(0.9, 0.1), (0.1, 0.9)]]
        elif kind == 2:
            shapes = [[(0.1 + 0.8 * (step % 2), 0.15 + step * 0.07) for step in range(11)]]
        else:
            shapes = [[(0.95, 0.1), (0.5, 0.5), (0.05, 0.9)]]
        return self._marked(shapes, x, y, width, height, 0.8)

    def drawn(self, points: Sequence[tuple[float, float]], closed: bool = False, width: float = 1.1) -> list[Line]:
        """A line along points on the page, such as a snake through a grid or an outline around a block."""
        path = np.array([*points, *points[:1]] if closed else points, float)
        parts = [np.linspace(start, end, 6, endpoint=False) for start, end in pairwise(path)]
        path = np.concatenate([*parts, path[-1:]])
        path = path + np.cumsum(self.rng.normal(0, 0.08, path.shape), 0) * 0.5 + self.rng.normal(0, 0.1, path.shape)
        return [self._line(smooth(path, steps=4), self.width * width)]

    def _marked(
        self, shapes: Sequence[object], x: float, y: float, width: float, height: float, unrest: float = 1
    ) -> list[Line]:
        rng, lines = self.rng, []
        shift = rng.normal(0, 0.05, 2) * self.unrest * unrest
        scale = np.exp(rng.normal(0, 0.12, 2) * self.unrest * unrest)
        for shape in shapes:
            points = np.array(shape, float)
            points = (points - 0.5) * scale + 0.5 + shift + rng.normal(0, 0.035, points.shape) * self.unrest * unrest
            lines.append(self._line(smooth(points * (width, height) + (x, y)), self._stroke_width(height)))
        return lines

    def _line(self, points: np.ndarray, width: float) -> Line:
        """The stroke with the pressure of the hand: it changes slowly, and fades where the pen leaves the paper."""
        count, rng = len(points), self.rng
        along = np.linspace(0, 1, count)
        wave = 1 + 0.12 * np.sin(2 * np.pi * (along * rng.uniform(0.5, 2) + rng.random())) + rng.normal(0, 0.03, count)
        lift = np.clip(np.minimum(along * 12 + 0.6, (1 - along) * rng.uniform(3, 15) + 0.45), 0, 1)
        shaking = rng.normal(0, 0.015 + 0.02 * self.unrest, points.shape)
        soft = 0.85 if self.tool == "pen" else 0.5
        darkness = self.darkness * (soft + (1 - soft) * np.clip(wave * lift, 0, 1.1))
        return Line(points + shaking, width * (0.75 + 0.25 * wave * lift), np.clip(darkness, 0.05, 1))


def _pen_down(digit: int, path: np.ndarray) -> Iterator[np.ndarray]:
    """The parts of a digit's path that were drawn. The pen rises from the end of one stroke to the start of the next,
    which the data do not mark; the true ends are between the points beside it."""
    up = path[:-1, 1] - path[1:, 1] > 0.22
    first = 2 if digit == 4 else 3
    lifted = [number for number in np.flatnonzero(up) if number >= first] if digit in _LIFTS else []
    start = 0
    for number in [*lifted, len(path) - 1]:
        part = path[start : number + 1]
        if number in lifted and len(part) > 1:
            part = np.concatenate([part, part[-1:] + (part[-1] - part[-2]) * 0.5])
        if start and len(part) > 1:
            part = np.concatenate([part[:1] - (part[1] - part[0]) * 0.4, part])
        yield part
        start = number + 1


def _breadth(digit: int, path: np.ndarray) -> float:
    """The width of a digit as a share of its height: the paths were stretched to squares. A stroke is a 1 by itself."""
    if digit != 1:
        return _BREADTHS[digit]
    length = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
    return 0.12 if np.linalg.norm(path[-1] - path[0]) > 0.9 * length else 0.45


def _plain(letter: str) -> str:
    """A letter of the templates for any letter of a name."""
    plain = {"é": "e", "ë": "e", "ö": "o", "ü": "u", "ä": "a", "ß": "s", "'": ".", "’": "."}.get(letter, letter)
    return plain if plain.isascii() else "?"
