"""Trains the classifiers of `generator/photo/nets.py` and writes data/_shared/photo/nets.npz:

    OPENBLAS_NUM_THREADS=1 python tests/photo/train.py [--out FILE]

It takes about three minutes. The same machine writes the same bytes each time, whatever it did before.

Characters come from digits of the UCI Machine Learning Repository (`handwriting/`: the `.tra` files, never `.tes`)
and from the forms in `strokes.txt`. Each is bent, slanted and drawn anew with a pencil or a pen as a straightened photo
shows it: 8 pixels per mm, blurred, grainy, with gaps where a printed line was removed.
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sums in one order: the same weights each time

import numpy as np
from numpy.typing import NDArray

from generator.photo import nets

HERE = Path(__file__).parent
GRID = 48
"""Side of the square a character is drawn on, in pixels: 6 mm."""
POINTS = 128
"""Points of a character's path."""
BATCH = 512
FOLDS = 6
HIDDEN = 118
EPOCHS = 22
POOL = {"paths": 48_000, "scans": 8_000, "digits": 54_000, "letters": 100_000, "others": 30_000}
"""How many examples to draw of each source."""
COPIES = 20
"""How often each form is written."""

Floats = NDArray[np.float32]
Path2 = NDArray[np.float64]
LOOK_ALIKE = "OQDIJLZSBGYU"
"""Letters that look like a digit in some hand: they teach nothing about what is not a digit."""
TWINS = ("0O", "1I", "2Z", "5S", "=≠")
"""Characters that cannot always be told apart: what is one of them may be the other."""
THICKEST = {"-": 2.0, "=": 2.3, "≠": 2.3, "+": 3.0}
"""Signs are small: how many times longer than their line is wide they are at least. Of other characters, 4.5."""


# ---- forms: paths of points


class WrittenForm(NamedTuple):
    """A form of a character, as somebody wrote it."""

    character: str
    number: int
    points: Path2
    strokes: NDArray[np.int64]


def written_forms(rng: np.random.Generator, copies: int, characters: str) -> list[WrittenForm]:
    """Forms of characters in strokes.txt, each written several times. `number` counts the forms of all characters."""
    lines = (HERE / "strokes.txt").read_text(encoding="utf-8").splitlines()
    forms = [(line[0], line[2:].split(" / ")) for line in lines if line[:1] not in "#"]
    return [
        WrittenForm(character, number, *even([curve(stroke, rng) for stroke in strokes]))
        for number, (character, strokes) in enumerate(forms)
        if character in characters
        for _ in range(copies)
    ]


def curve(stroke: str, rng: np.random.Generator) -> Path2:
    """The points of a stroke: Catmull-Rom curves from corner to corner. Its points are hit about, it starts and ends
    early or late, and may have hooks."""
    words = stroke.split()
    points = np.array([(int(word[0]), int(word[1])) for word in words], float)
    if len(points) > 2 or np.ptp(points) > 1:  # not a dot
        points += rng.normal(0, 0.3, points.shape)
        for end, inner in ((0, 1), (-1, -2)):
            away = points[end] - points[inner]
            away /= max(float(np.hypot(*away)), 1e-6)
            points[end] += away * rng.normal(0.1, 0.4)
    pieces: list[list[Path2]] = [[]]
    if rng.random() < 0.07:
        pieces[-1].append(points[0] + rng.normal(0, 0.9, 2))
    for word, point in zip(words, points, strict=True):
        pieces[-1].append(point)
        if word.endswith("."):
            pieces.append([point])
    if rng.random() < 0.07:
        pieces[-1].append(points[-1] + rng.normal(0, 0.9, 2))
    return joined(pieces)


def spline(points: Path2, steps: int = 12) -> Path2:
    """A Catmull-Rom curve through points; closed smoothly if it ends where it began."""
    if len(points) < 3:
        return np.linspace(points[0], points[-1], steps)
    closed = bool((points[0] == points[-1]).all())
    before = points[-2] if closed else 2 * points[0] - points[1]
    after = points[1] if closed else 2 * points[-1] - points[-2]
    p = np.concatenate([[before], points, [after]])
    t = np.linspace(0, 1, steps)[:, None]
    return np.concatenate(
        [
            0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
            for a, b, c, d in zip(p, p[1:], p[2:], p[3:], strict=False)
        ]
    )


def even(strokes: list[Path2], count: int = POINTS) -> tuple[Path2, NDArray[np.int64]]:
    """`count` points along strokes, evenly spaced, and the stroke of each."""
    lengths = np.array([max(np.hypot(*np.diff(stroke, axis=0).T).sum(), 0.5) for stroke in strokes])
    shares = np.maximum((lengths / lengths.sum() * count).astype(int), 4)
    shares[np.argmax(shares)] += count - shares.sum()
    points = []
    for stroke, share in zip(strokes, shares, strict=True):
        along = np.concatenate([[0], np.hypot(*np.diff(stroke, axis=0).T).cumsum()])
        wanted = np.linspace(0, along[-1], share)
        points.append(np.stack([np.interp(wanted, along, stroke[:, axis]) for axis in (0, 1)], axis=1))
    return np.concatenate(points), np.repeat(np.arange(len(strokes)), shares)


# ---- the collections of digits


def read_paths(kind: str) -> tuple[Path2, NDArray[np.int64]]:
    """Pen paths (n, 8, 2), y down, and their digits."""
    rows = [line.split(",") for line in gunzip(f"pendigits.{kind}") if line[:1].isdigit()]
    points = np.array([row[:16] for row in rows], float)
    paths = points.reshape(-1, 8, 2) * (0.09, -0.09) + (0, 9)
    return paths, np.array([row[16].index("1") for row in rows])  # the last column is ten digits, one of them 1


def read_scans(kind: str) -> tuple[Floats, NDArray[np.int64]]:
    """Grey digits (n, 8, 8) from 0 to 1, and what they are."""
    rows = np.array([line.split(",") for line in gunzip(f"optdigits.{kind}") if line[:1].isdigit()], int)
    return (rows[:, :64].reshape(-1, 8, 8) / 16).astype(np.float32), rows[:, 64]


def gunzip(name: str) -> list[str]:
    """The lines of a file in `handwriting/`."""
    with gzip.open(HERE / "handwriting" / f"{name}.gz", "rt") as stream:
        return stream.read().splitlines()


def pen_strokes(path: Path2, digit: int, rng: np.random.Generator) -> list[Path2]:
    """A pen path as strokes. Pen lifts are not marked: where the pen moves far up within a 4, a 5 or a 7, it moved to
    the next stroke. The collection stretches all digits to squares."""
    path = path * (breadth(path, digit) * np.exp(rng.normal(0, 0.2)), 1)
    start, end = highest_rise(path[:, 1]) if digit in (4, 5, 7) else (7, 7)
    limit = rng.uniform(1.0, 2.2)
    return [with_corners(part, limit) for part in (path[: start + 1], path[end:]) if len(part) > 1]


def breadth(path: Path2, digit: int) -> float:
    """How wide a digit usually is, as a share of its height."""
    if digit != 1:
        return 0.64
    is_bar = np.hypot(*(path[-1] - path[0])) > 0.9 * np.hypot(*np.diff(path, axis=0).T).sum()
    return 0.15 if is_bar else 0.42


def highest_rise(y: Path2) -> tuple[int, int]:
    """The points between which a path moves up most after it moved down; the last point twice if it is not far."""
    rises = [(y[a] - y[b], a, b) for a in range(2, 7) for b in range(a + 1, 8) if (np.diff(y[a : b + 1]) < 0).all()]
    rise, start, end = max(rises, default=(0.0, 7, 7))
    return (start, min(end, 6)) if rise > 0.3 * np.ptp(y) else (7, 7)


def with_corners(path: Path2, limit: float) -> Path2:
    """A smooth curve through points; turns sharper than `limit` (rad) stay corners."""
    steps = np.diff(path, axis=0)
    angles = np.arctan2(steps[:, 1], steps[:, 0])
    turns = np.abs((np.diff(angles) + np.pi) % (2 * np.pi) - np.pi)
    pieces: list[list[Path2]] = [[path[0]]]
    for index, point in enumerate(path[1:], 1):
        pieces[-1].append(point)
        if index < len(path) - 1 and turns[index - 1] > limit:
            pieces.append([point])
    return joined(pieces)


def joined(pieces: list[list[Path2]]) -> Path2:
    """Curves from corner to corner as one stroke."""
    return np.concatenate([spline(np.array(piece)) for piece in pieces if len(piece) > 1 or len(pieces) == 1])


# ---- drawing


def vary(points: Path2, strokes: NDArray[np.int64], rng: np.random.Generator, strength: float = 1.0) -> Path2:
    """Characters (n, points, 2) as other hands would write them: strokes moved, stretched and turned by themselves, the
    whole bent, slanted and turned. The result is centred and its longest side is 1."""
    count = len(points)
    p = points - points.mean(axis=1, keepdims=True)
    p = p / np.maximum(np.ptp(p, axis=1).max(axis=1), 1e-6)[:, None, None]
    for stroke in range(int(strokes.max()) + 1):
        mine = (strokes == stroke)[:, :, None]
        total = np.maximum(mine.sum(axis=1, keepdims=True), 1)
        middle = (p * mine).sum(axis=1, keepdims=True) / total
        turned = affine(p - middle, rng, 0.10 * strength, 0.10 * strength, 0.13 * strength)
        p = np.where(mine, turned + middle + rng.normal(0, 0.035 * strength, (count, 1, 2)), p)
    for waves in (0.6, 1.1, 1.8):  # bent: smooth displacements of low frequency
        direction = rng.normal(0, 1, (count, 2, 2)) * waves * 2 * np.pi / 1.6
        phase = rng.uniform(0, 2 * np.pi, (count, 1, 2))
        p = p + rng.normal(0, 0.035 * strength / waves, (count, 1, 2)) * np.sin(p @ direction + phase)
    p = affine(p, rng, 0.13 * strength, 0.2 * strength, 0.15 * strength)
    p = p - (p.max(axis=1, keepdims=True) + p.min(axis=1, keepdims=True)) / 2
    return p / np.maximum(np.ptp(p, axis=1).max(axis=1), 1e-6)[:, None, None]


def affine(p: Path2, rng: np.random.Generator, turn: float, slant: float, stretch: float) -> Path2:
    """Points turned (rad), slanted and stretched at random."""
    count = len(p)
    angle, shear = rng.normal(0, turn, count), rng.normal(0.25 * slant, slant, count)
    wide, high = np.exp(rng.normal(0, stretch, (2, count)))
    sine, cosine = np.sin(angle), np.cos(angle)
    matrix = np.array([[wide * cosine, -high * sine - shear], [wide * sine, high * cosine]])
    return np.einsum("ijn,npj->npi", matrix, p)


def splat(points: Path2, weights: Path2) -> Floats:
    """Weighted points (n, p, 2), in pixels, on a grid (n, GRID, GRID)."""
    inside = np.clip(points, 0, GRID - 1.001)
    low = inside.astype(np.int64)
    part = inside - low
    base = np.arange(len(points))[:, None] * GRID * GRID + low[:, :, 1] * GRID + low[:, :, 0]
    grid = np.zeros(len(points) * GRID * GRID)
    for right in (0, 1):
        for down in (0, 1):
            share = np.abs(1 - right - part[:, :, 0]) * np.abs(1 - down - part[:, :, 1]) * weights
            grid += np.bincount((base + down * GRID + right).ravel(), share.ravel(), len(grid))
    return grid.reshape(-1, GRID, GRID).astype(np.float32)


def blur(pictures: Floats, sigma: Path2) -> Floats:
    """Pictures blurred, each with a Gaussian of its own."""
    distance = np.arange(GRID)[:, None] - np.arange(GRID)
    kernel = np.exp(-0.5 * (distance / sigma[:, None, None]) ** 2)
    kernel = (kernel / kernel.sum(axis=2, keepdims=True)).astype(np.float32)
    return kernel @ pictures @ kernel.transpose(0, 2, 1)


def place(p: Path2, rng: np.random.Generator, small: Path2 | float = 1.0) -> tuple[Path2, Path2]:
    """Characters of side 1 at a size in pixels, anywhere it fits; and the sizes."""
    size = np.clip(rng.normal(32, 7, len(p)) * small, 12, 44)
    room = (GRID - 2 - size) / 2
    middle = GRID / 2 + rng.uniform(-1, 1, (2, len(p))) * room * 0.6
    return p * size[:, None, None] + middle.T[:, None, :], size


def draw_paths(
    points: Path2, strokes: NDArray[np.int64], rng: np.random.Generator, thickest: Path2 | float = 4.5
) -> Floats:
    """Ink of paths (n, p, 2) whose longest side is 1 and at least `thickest` times the width of their line."""
    count = len(points)
    p, size = place(points, rng, np.where(np.asarray(thickest) < 4, 0.62, 1.0))
    width = np.clip(np.exp(rng.normal(np.log(4.2), 0.33, count)), 2.4, size / thickest)  # 0.3 to 1 mm
    steps = np.hypot(*np.diff(p, axis=1).transpose(2, 0, 1)) * (np.diff(strokes, axis=1) == 0)
    weights = np.maximum((np.pad(steps, ((0, 0), (1, 0))) + np.pad(steps, ((0, 0), (0, 1)))) / 2, 0.15)
    where = np.linspace(0, 1, p.shape[1])
    waves = rng.uniform(1, 9, (count, 1))
    weights *= 1 + rng.uniform(0, 0.3, (count, 1)) * np.sin(2 * np.pi * (waves * where + rng.random((count, 1))))
    sigma = width / 2.9
    peak = (sigma * np.sqrt(2 * np.pi))[:, None, None].astype(np.float32)
    picture = blur(splat(p, weights), sigma) * peak
    return photographed(beside_outline(picture, p, rng), rng.uniform(0.2, 0.4, count), size, rng)


def beside_outline(pictures: Floats, p: Path2, rng: np.random.Generator) -> Floats:
    """Some of the pictures with what is left of the outline of a box: a piece of a line beside the character."""
    for number in np.flatnonzero(rng.random(len(p)) < 0.08):
        upright = rng.random() < 0.5
        picture = pictures[number].T if upright else pictures[number]
        along, across = p[number].T if upright else p[number].T[::-1]
        near = along.max() + rng.uniform(3, 9) if rng.random() < 0.5 else along.min() - rng.uniform(4, 10)
        start, end = np.sort(rng.uniform(across.min() - 4, across.max() + 4, 2)).clip(0, GRID).astype(int)
        at = int(near)
        if 0 < at < GRID - 4:
            picture[at : at + int(rng.integers(1, 4)), start:end] += np.float32(rng.uniform(0.2, 0.8))
    return pictures


def draw_scans(scans: Floats, rng: np.random.Generator) -> Floats:
    """Ink of grey digits (n, 8, 8): their pixels enlarged, bent and blurred together."""
    fine = upsampling(8, 26)
    grey = fine @ scans @ fine.T
    axis = (np.arange(26) - 12.5) / 26
    points = np.broadcast_to(np.stack(np.meshgrid(axis, axis), axis=2).reshape(1, -1, 2), (len(scans), 26 * 26, 2))
    p = vary(points, np.zeros(points.shape[:2], np.int64) - 1, rng)
    p, size = place(p, rng)
    area = (np.sqrt(np.abs(np.linalg.det(spread(p))))[:, None] * 12 / (26 * 26)).clip(0.1)
    picture = blur(splat(p, grey.reshape(len(scans), -1) * area), size * rng.uniform(0.03, 0.045, len(scans)))
    return photographed(picture, rng.uniform(0.2, 0.42, len(scans)), size, rng)


def spread(p: Path2) -> Path2:
    """The covariance matrices of points."""
    q = p - p.mean(axis=1, keepdims=True)
    return q.transpose(0, 2, 1) @ q / p.shape[1]


def upsampling(low: int, high: int) -> Floats:
    """The matrix that enlarges a line of `low` pixels to `high`."""
    centres = (np.arange(high) + 0.5) * low / high - 0.5
    return np.maximum(1 - np.abs(centres[:, None] - np.arange(low)), 0).astype(np.float32)


def photographed(picture: Floats, threshold: Path2, size: Path2, rng: np.random.Generator) -> Floats:
    """Ink (0 to 1) as it comes out of a photo: with grain, blur and noise, and gaps where printed lines were."""
    count = len(picture)

    def each(low: float, high: float) -> Floats:
        return rng.uniform(low, high, (count, 1, 1)).astype(np.float32)

    harm = each(0, 1) ** 2  # most photos are good
    ink = np.clip((picture - threshold[:, None, None].astype(np.float32)) / 0.25, 0, 1)
    ink = ink * np.clip(1 - harm * (1 + grain(ink.shape, rng)) * 0.35, 0.1, 1)
    ink = blur(ink, (0.3 + 1.4 * harm[:, 0, 0] * rng.random(count)) * np.minimum(size / 30, 1))
    for axis in (1, 2):
        gone = rng.random(count) < 0.05
        start, wide = rng.integers(4, GRID - 8, count), rng.integers(1, 5, count)
        line = np.arange(GRID)
        gap = gone[:, None] & (line >= start[:, None]) & (line < (start + wide)[:, None])
        ink = ink * (1 - np.expand_dims(gap, 3 - axis) * each(0.4, 1))
    paper = grain(ink.shape, rng) * each(0, 0.2) * (rng.random((count, 1, 1)) < 0.1)
    ink = ink + rng.standard_normal(ink.shape, np.float32) * harm * 0.05 + np.maximum(paper, 0).astype(np.float32)
    low = each(0.05, 0.3)
    return np.clip((ink - low) / (each(0.6, 1.0) - low), 0, 1).astype(np.float32)


def grain(shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Noise of pixels that are like their neighbours."""
    noise = rng.standard_normal(shape, np.float32)
    noise = noise + np.roll(noise, 1, axis=1)
    return (noise + np.roll(noise, 1, axis=2)) / 2


# ---- examples


def batches(count: int) -> Iterator[int]:
    """The sizes of batches."""
    for start in range(0, count, BATCH):
        yield min(BATCH, count - start)


def glyphs_of(ink: Floats) -> nets.Bytes:
    """Normalised glyphs."""
    return np.stack([nets.normalised(each) for each in ink])


Examples = tuple[nets.Bytes, NDArray[np.int64], NDArray[np.int64]]
"""Glyphs, their classes in CHARACTERS, and the fold of the writer or form that each is from."""


def from_collections(rng: np.random.Generator) -> Examples:
    """Digits of the two collections. Rows of a writer are next to each other, so folds are runs of rows."""
    made = []
    paths, labels = read_paths("tra")
    for count in batches(POOL["paths"]):
        rows = rng.integers(0, len(paths), count)
        dense = [even(pen_strokes(paths[row], int(labels[row]), rng)) for row in rows]
        points, strokes = np.stack([each[0] for each in dense]), np.stack([each[1] for each in dense])
        ink = draw_paths(vary(points, strokes, rng, 0.8), strokes, rng)
        made.append((glyphs_of(ink), labels[rows], rows * FOLDS // len(paths)))
    scans, labels = read_scans("tra")
    for count in batches(POOL["scans"]):
        rows = rng.integers(0, len(scans), count)
        made.append((glyphs_of(draw_scans(scans[rows], rng)), labels[rows], rows * FOLDS // len(scans)))
    return gathered(made)


def gathered(made: list[Examples]) -> Examples:
    """Examples together."""
    glyphs, labels, folds = zip(*made, strict=True)
    return np.concatenate(glyphs), np.concatenate(labels), np.concatenate(folds)


def from_forms(rng: np.random.Generator, characters: str, total: int) -> Examples:
    """Characters from the forms of strokes.txt, equally many of each character."""
    forms = written_forms(rng, COPIES, characters)
    by_character = [[i for i, form in enumerate(forms) if form.character == character] for character in characters]
    labels = np.array([nets.CHARACTERS.index(form.character) for form in forms])
    folds = np.array([form.number * 7 % FOLDS for form in forms])
    made = []
    for count in batches(total):
        alike = [by_character[chosen] for chosen in rng.integers(0, len(characters), count)]
        rows = np.array([each[int(rng.integers(len(each)))] for each in alike])
        points, strokes = np.stack([forms[row].points for row in rows]), np.stack([forms[row].strokes for row in rows])
        thickest = np.array([THICKEST.get(forms[row].character, 4.5) for row in rows])
        ink = draw_paths(vary(points, strokes, rng), strokes, rng, thickest)
        made.append((glyphs_of(ink), labels[rows], folds[rows]))
    return gathered(made)


def from_others(rng: np.random.Generator, total: int) -> Examples:
    """Ink that is not a character."""
    forms = written_forms(rng, max(COPIES // 5, 1), nets.CHARACTERS[:-1])
    marks = written_forms(rng, COPIES, nets.UNKNOWN)
    kinds = (crossed_out, corrected, corrected, scribble, pair, overwritten, residue, blob)
    made = []
    for count in batches(total):
        paths = []
        for _ in range(count):
            if rng.random() < 0.35:
                paths.append(marks[int(rng.integers(len(marks)))][2:])
            else:
                paths.append(kinds[int(rng.integers(len(kinds)))](forms, rng))
        points, strokes = np.stack([each[0] for each in paths]), np.stack([each[1] for each in paths])
        ink = draw_paths(vary(points, strokes, rng), strokes, rng)
        labels = np.full(count, nets.CHARACTERS.index(nets.UNKNOWN))
        made.append((glyphs_of(ink), labels, rng.integers(0, FOLDS, count)))
    return gathered(made)


Form = tuple[Path2, NDArray[np.int64]]


def any_form(forms: list[WrittenForm], rng: np.random.Generator) -> list[Path2]:
    """The strokes of a form, about 6 wide and 9 high, slightly varied."""
    _, _, points, strokes = forms[int(rng.integers(len(forms)))]
    p = points + rng.normal(0, 0.3, 2)
    return [p[strokes == stroke] for stroke in range(int(strokes[-1]) + 1)]


def crossed_out(forms: list[WrittenForm], rng: np.random.Generator) -> Form:
    """A character under a line, a cross, several lines or a zigzag."""
    return even(under_lines(any_form(forms, rng), rng))


def corrected(forms: list[WrittenForm], rng: np.random.Generator) -> Form:
    """A character that was crossed out, and another one above or beside it."""
    shift, size = np.array([rng.uniform(5, 8), rng.uniform(-4, 1)]), rng.uniform(0.6, 1.1)
    return even([*under_lines(any_form(forms, rng), rng), *(stroke * size + shift for stroke in any_form(forms, rng))])


def under_lines(strokes: list[Path2], rng: np.random.Generator) -> list[Path2]:
    """The strokes of a character and what crosses it out."""
    kind = int(rng.integers(4))
    out = rng.uniform(0.5, 2.5)
    if kind == 0:  # a cross over all of it
        strokes += [line((-out, -out), (6 + out, 9 + out), rng), line((6 + out, -out), (-out, 9 + out), rng)]
    elif kind == 1:  # two or more lines
        for _ in range(int(rng.integers(2, 5))):
            y = rng.uniform(1, 8)
            strokes.append(line((-out, y), (6 + out, y + rng.normal(0, 1.5)), rng))
    elif kind == 2:  # a zigzag
        turns = int(rng.integers(4, 10))
        x = np.where(np.arange(turns) % 2, 6 + out, -out) + rng.normal(0, 0.6, turns)
        zigzag = np.stack([x, np.linspace(rng.uniform(0, 3), rng.uniform(6, 9), turns)], axis=1)
        strokes.append(spline(zigzag if rng.random() < 0.6 else zigzag[:, ::-1]))
    else:  # two slanted lines
        for shift in (0, rng.uniform(1, 2.5)):
            strokes.append(line((-out, 8 - shift), (6 + out, 3 - shift), rng))
    return strokes


def line(start: tuple[float, float], end: tuple[float, float], rng: np.random.Generator) -> Path2:
    """A nearly straight line."""
    points = np.array([start, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end])
    return spline(points + rng.normal(0, 0.4, points.shape))


def scribble(forms: list[WrittenForm], rng: np.random.Generator) -> Form:
    """A line without meaning."""
    turns = int(rng.integers(7, 24))
    return even([spline(rng.uniform(0, 7, (turns, 2)))])


def pair(forms: list[WrittenForm], rng: np.random.Generator) -> Form:
    """Two or three characters in one cell."""
    gap = rng.uniform(6.5, 8.5)
    first, second = any_form(forms, rng), any_form(forms, rng)
    return even([*first, *(stroke + np.array([gap, 0]) for stroke in second)])


def overwritten(forms: list[WrittenForm], rng: np.random.Generator) -> Form:
    """A character on top of another."""
    return even([*any_form(forms, rng), *any_form(forms, rng)])


def residue(forms: list[WrittenForm], rng: np.random.Generator) -> Form:
    """Parts of the outline of a cell: pieces of its sides."""
    corners = np.array([(0, 0), (9, 0), (9, 9), (0, 9), (0, 0)], float)
    strokes = []
    for side in rng.permutation(4)[: int(rng.integers(2, 5))]:
        a, b = np.sort(rng.random(2))
        start, end = corners[side], corners[side + 1]
        strokes.append(np.linspace(start + (end - start) * a, start + (end - start) * b, 6))
    return even(strokes)


def blob(forms: list[WrittenForm], rng: np.random.Generator) -> Form:
    """A cell filled in with dense lines, or specks."""
    if rng.random() < 0.5:
        places = rng.uniform(0, 9, (int(rng.integers(2, 7)), 2))
        return even([np.linspace(place, place + rng.normal(0, 0.5, 2), 4) for place in places])
    turns = int(rng.integers(12, 24))
    x = np.where(np.arange(turns) % 2, 5.0, 0.0) + rng.normal(0, 0.4, turns)
    zigzag = np.stack([x, np.linspace(0, rng.uniform(4, 8), turns)], axis=1)
    return even([spline(zigzag if rng.random() < 0.5 else zigzag[:, ::-1])])


# ---- training


def targets(labels: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """What the two output layers should say: rows of probabilities for CHARACTERS, and for DIGITS. A character with a
    twin is both; a row of zeros teaches nothing."""
    characters = np.eye(len(nets.CHARACTERS), dtype=np.float32)
    for twins in TWINS:
        rows = [nets.CHARACTERS.index(twin) for twin in twins]
        characters[np.ix_(rows, rows)] += 0.3 / len(rows)
    characters /= characters.sum(axis=1, keepdims=True)
    digits = np.zeros((len(nets.CHARACTERS), len(nets.DIGITS)), np.float32)
    for row, character in enumerate(nets.CHARACTERS):
        if character in nets.DIGITS:
            digits[row, nets.DIGITS.index(character)] = 1
        elif character not in LOOK_ALIKE:
            digits[row, -1] = 0.4
    return balanced(characters[labels]), balanced(digits[labels])


def balanced(want: Floats) -> Floats:
    """Targets weighted as if all characters were equally frequent, and what is no character somewhat more."""
    shares = want.sum(axis=0)
    weights = shares.sum() / len(shares) / np.maximum(shares, 1)
    weights[-1] *= 1.5
    return want * weights.astype(np.float32)


def train(x: Floats, want: tuple[Floats, Floats], rng: np.random.Generator) -> list[Floats]:
    """The weights of a network (hidden layer, two output layers) by Adam, with a tenth of the inputs and of the hidden
    units dropped at random (Srivastava et al., 2014)."""
    sizes = ((x.shape[1] + 1, HIDDEN), (HIDDEN + 1, want[0].shape[1]), (HIDDEN + 1, want[1].shape[1]))
    weights = [(rng.normal(0, np.sqrt(2 / rows), (rows, columns))).astype(np.float32) for rows, columns in sizes]
    first, second = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    size, step = 256, 0
    total = EPOCHS * (len(x) // size)
    for _ in range(EPOCHS):
        order = rng.permutation(len(x))
        for start in range(0, len(x) - size + 1, size):
            rows = order[start : start + size]
            step += 1
            rate = 0.002 * 0.5 * (1 + np.cos(np.pi * step / total))
            gradients = slopes(weights, x[rows], [each[rows] for each in want], rng)
            for w, m, v, g in zip(weights, first, second, gradients, strict=True):
                g = g + 1e-5 * w
                m += 0.1 * (g - m)
                v += 0.001 * (g * g - v)
                w -= rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-7)
    return weights


def slopes(weights: list[Floats], x: Floats, want: list[Floats], rng: np.random.Generator) -> list[Floats]:
    """The gradients of the mean cross entropy."""
    hidden, *outputs = weights
    inputs = nets.with_bias(x * (rng.random(x.shape, np.float32) > 0.1))
    before = inputs @ hidden
    keep = (rng.random(before.shape, np.float32) > 0.15) / np.float32(0.85)
    after = nets.with_bias(np.maximum(before, 0) * keep)
    back = np.zeros_like(before)
    gradients = []
    for layer, wanted in zip(outputs, want, strict=True):
        error = (nets.softmax(after @ layer) * wanted.sum(axis=1, keepdims=True) - wanted) / len(x)
        gradients.append(after.T @ error)
        back += error @ layer[:-1].T
    return [inputs.T @ (back * (before > 0) * keep), *gradients]


def temperature(logits: Floats, want: Floats) -> float:
    """What to divide logits by so that their probabilities are right (Guo et al., 2017), on examples that the network
    was not trained on."""
    choices = np.geomspace(0.5, 4, 61)
    losses = [-(want * nets.log_softmax(logits / np.float32(choice))).sum() for choice in choices]
    return float(choices[int(np.argmin(losses))])


def calibrated(weights: list[Floats], x: Floats, want: tuple[Floats, Floats]) -> list[Floats]:
    """Weights whose output layers are divided by their temperatures."""
    hidden, *outputs = weights
    after = nets.with_bias(np.maximum(nets.with_bias(x) @ hidden, 0))
    heats = [temperature(after @ layer, wanted) for layer, wanted in zip(outputs, want, strict=True)]
    sys.stderr.write(f"temperatures {heats}\n")
    return [hidden, *(layer / np.float32(heat) for layer, heat in zip(outputs, heats, strict=True))]


def quantised(weights: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Weights as bytes, and the scale of each unit."""
    scale = np.abs(weights).max(axis=0) / 127
    return np.round(weights / scale).astype(np.int8), scale.astype(np.float32)


def examples() -> Examples:
    """All examples, from fixed seeds."""
    digits, letters = nets.CHARACTERS[:10], nets.CHARACTERS[10:-1]
    return gathered(
        [
            from_collections(np.random.default_rng(1)),
            from_forms(np.random.default_rng(2), digits, POOL["digits"]),
            from_forms(np.random.default_rng(3), letters, POOL["letters"]),
            from_others(np.random.default_rng(4), POOL["others"]),
        ]
    )


def main(out: Path) -> None:
    """Trains three networks, each without a part of the writers and forms, on which it is calibrated."""
    glyphs, labels, folds = examples()
    x = np.concatenate([nets.features(glyphs[start : start + BATCH]) for start in range(0, len(glyphs), BATCH)])
    want = targets(labels)
    sys.stderr.write(f"{len(x)} examples\n")
    layers: dict[str, list[tuple[NDArray[np.int8], Floats]]] = {"hidden": [], "characters": [], "digits": []}
    for seed, fold in enumerate((0, 2, 4)):
        inside, outside = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        weights = train(x[inside], (want[0][inside], want[1][inside]), np.random.default_rng(10 + seed))
        weights = calibrated(weights, x[outside], (want[0][outside], want[1][outside]))
        for name, layer in zip(layers, weights, strict=True):
            layers[name].append(quantised(layer))
    arrays = {}
    for name, pairs in layers.items():
        arrays[name] = np.stack([each for each, _ in pairs])
        arrays[f"{name}_scale"] = np.stack([scale for _, scale in pairs])
    out.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(out, **arrays)
    sys.stderr.write(f"{out.stat().st_size} bytes\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=nets.FILE)
    main(parser.parse_args().out)
