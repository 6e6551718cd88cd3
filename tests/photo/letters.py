"""Letters as pen strokes: how people draw them, drawn for the simulator alone (no reader was trained on them).

Each letter has one or several forms, each form strokes separated by spaces-and-bars: `05!8a` is a row of points, each
one two hexadecimal digits, x and y from the top left corner of a box of 10 x 10; lower-case letters may go below it. A
stroke bends smoothly through its points and has a corner where a point is followed by `!`.
"""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

Stroke = np.ndarray
"""Points (n, 2), x and y from 0 to 1, y down."""

CAPITALS = {
    "A": ["0a 50! aa|26 86", "0a 13 40 60 93 aa|06 a6", "0a 50! aa! 26! 86", "1a 50|50 9a|16 97"],
    "B": ["10 1a|10 70 93 75 15! 85 a7 8a 1a", "1a 10! 80 93 65 25! 95 a8 7a 0a", "20 19|00 60 82 65 25! 85 98 7a 09"],
    "C": ["a2 80 40 12 05 18 4a 8a a8", "90 50 13 07 3a 7a 99", "92 71! 32 05 18 4a 99"],
    "D": ["10 1a|10 60 a3 a7 6a 1a", "20 2a|00 60 93 97 6a 0a", "1a 10! 50 94 88 4a 09"],
    "E": ["a0 10! 1a! aa|15 85", "91 50 12 24 55! 16 08 3a 7a a9", "10 1a|10 a0|15 75|1a aa", "90 10! 19 3a 9a|15 74"],
    "F": ["a0 10! 1a|15 75", "10 1a|00 a0|15 85", "90 30 11! 1a|05 75"],
    "G": ["a2 70 30 02 06 2a 7a a8 a5! 65", "a2 70 30 02 06 2a 7a a6! 56! a6! aa", "91 50 13 07 4a 89 95! 55|95 9a"],
    "H": ["10 1a|90 9a|15 95", "10 1a! 15! 95! 90! 9a", "20 1a|a0 8a|05 a4"],
    "I": ["50 5a", "50 5a|20 80|2a 8a", "60 4a"],
    "J": ["80 88 5a 29 07", "80 88 5a 29 07|40 a0", "60 6a 3c 0b"],
    "K": ["10 1a|a0 15! aa", "10 1a|90 16|45 aa", "20 1a|90 34 15! 36 6a 99"],
    "L": ["10 1a! aa", "10 18 3a aa", "30 19! 9a"],
    "M": ["0a 10! 57! 90! aa", "10 1a|10 56! 90! 9a", "0a 02 20 45 5a! 52 70 92 aa", "0a 20! 48! 90! 9a"],
    "N": ["0a 00! aa! a0", "10 1a|10 9a|9a 90", "1a 10! 14 50 92 9a", "0a 11! 99! a0"],
    "O": ["60 20 03 07 3a 7a a7 a3 70 40", "51 83 96 79 3a 07 13 40 80", "70 30 04 28 6a 96 72 51"],
    "P": ["10 1a|10 70 a2 75 15", "1a 10! 80 a3 65 16", "20 1a|00 50 92 84 55 25"],
    "Q": [
        "60 20 03 07 3a 7a a7 a3 70 40|67 ab",
        "60 20 03 07 39 79 a5 82 50|49 67 89 b9",
        "51 14 18 49 87 72 40|6a 98",
    ],
    "R": ["10 1a|10 70 a2 75 15! aa", "1a 10! 80 a3 65 15! 57 9a", "20 1a|00 60 92 65 25! 58 9a aa"],
    "S": ["a1 60 20 13 45 76 98 6a 2a 08", "91 50 22 34 65 87 7a 3a 09", "80 40 13 55! 98 6a 09"],
    "T": ["00 a0|50 5a", "01 90|50 59 7a", "50 5a|10 91"],
    "U": ["10 07 3a 7a a7 a0", "00 06 2a 6a 97 90! 9a", "11 17 49 78 91"],
    "V": ["00 5a! a0", "00 37 5a 77 a0", "01 4a! 80 b0"],
    "W": ["00 2a! 53! 8a! a0", "00 07 2a 58 53! 58 8a a6 a0", "00 3a! 50! 7a! a0"],
    "X": ["00 aa|a0 0a", "10 33 78 9a|90 0a", "01 22 79 aa|a0 67 0a"],
    "Y": ["00 55|a0 2a", "00 55! a0|55 5a", "00 04 36 75 90! 98 6a 2a", "01 45! 90|45 4a"],
    "Z": ["00 a0! 0a! aa", "00 a0! 0a! aa|25 75", "01 50 91! 39 09! 3a 99"],
}
HABITS = {
    "A": "a",
    "B": "b",
    "D": "d",
    "E": "e",
    "G": "g",
    "H": "h",
    "I": "i",
    "M": "m",
    "N": "n",
    "Q": "q",
    "R": "r",
    "T": "t",
    "Y": "y",
    "F": "f",
}
"""Capitals that some people write as a small letter, whatever they write around it."""
SMALL = {
    "a": "84 44 16 19 4a 79 84! 8a", "b": "10 1a! 15 54 87 69 3a 19", "c": "85 54 16 19 5a 8a",
    "d": "84 44 16 19 4a 78! 80! 8a", "e": "17 87! 75 44 16 19 4a 89", "f": "80 50 32 3a|14 74",
    "g": "84 44 16 28 68 84! 8a 6c 2c", "h": "10 1a! 16 54 76 7a", "i": "54 5a|51 52", "j": "64 6b 4d 1c|61 62",
    "k": "10 1a|74 17! 8a", "l": "40 49 6a", "m": "04 0a! 06 24 46 4a! 46 64 86 8a", "n": "14 1a! 16 54 76 7a",
    "o": "54 25 18 4a 79 86 54", "p": "14 1d|15 54 87 69 19", "q": "84 44 16 28 78! 84! 8d", "r": "24 2a! 26 54 85",
    "s": "84 45 26 67 79 4a 19", "t": "41 49 6a 8a|14 74", "u": "14 18 3a 69 84! 8a", "v": "14 4a! 84",
    "w": "04 2a! 45! 6a! 94", "x": "14 8a|84 1a", "y": "14 38 68! 84! 6c 2d", "z": "14 84! 1a! 8a",
}  # fmt: skip
SIGNS = {
    "-": ["05 a5"], "+": ["05 a5|51 59"], "=": ["03 a3|07 a7"], "≠": ["03 a3|07 a7|81 29"], "*": ["50 5a|12 98|92 18"],
    ".": ["59 5a"], "?": ["12 40 82 65 57|59 5a"],
}  # fmt: skip


def forms(letter: str) -> list[str]:
    """The forms of a capital, a small letter or a sign."""
    return CAPITALS.get(letter) or SIGNS.get(letter) or [SMALL[letter]]


def strokes(form: str) -> list[tuple[Stroke, list[bool]]]:
    """The strokes of a form: points, and which of them are corners."""
    return [_stroke(text) for text in form.split("|")]


def _stroke(text: str) -> tuple[Stroke, list[bool]]:
    points = re.findall("([0-9a-f])([0-9a-f])(!?)", text)
    return np.array([(int(x, 16), int(y, 16)) for x, y, _ in points], float) / 10, [
        bool(corner) for *_, corner in points
    ]


def smooth(points: Stroke, corners: list[bool] | None = None, steps: int = 8) -> Stroke:
    """The curve through the points (Catmull-Rom), with `steps` points for each part of it."""
    ends = [number for number, corner in enumerate(corners or []) if corner and 0 < number < len(points) - 1]
    edges = [0, *ends, len(points) - 1]
    parts = [_curve(points[first : last + 1], steps) for first, last in pairwise(edges)]
    return np.concatenate([parts[0], *(part[1:] for part in parts[1:])])


def _curve(points: Stroke, steps: int) -> Stroke:
    if len(points) < 2:
        return points
    padded = np.concatenate([[2 * points[0] - points[1]], points, [2 * points[-1] - points[-2]]])
    before, start, end, after = padded[:-3], padded[1:-2], padded[2:-1], padded[3:]
    t = np.linspace(0, 1, steps, endpoint=False)[:, None, None]
    curve = 0.5 * (
        2 * start
        + (end - before) * t
        + (2 * before - 5 * start + 4 * end - after) * t**2
        + (3 * start - before - 3 * end + after) * t**3
    )
    return np.concatenate([curve.transpose(1, 0, 2).reshape(-1, 2), points[-1:]])
