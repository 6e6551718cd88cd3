"""Classifiers of single handwritten characters.

A character is cut out, scaled to 24 × 24 pixels and described by the directions of its edges (features as in C.-L. Liu
et al., “Handwritten digit recognition: benchmarking of state-of-the-art techniques”, Pattern Recognition 36, 2003).
Three small networks, each with a hidden layer and two output layers, one for digits alone and one for all characters,
give the logarithms of probabilities; their mean is taken. `tests/photo/train.py` trains them and writes their weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TypeAlias

import numpy
from numpy.typing import NDArray

from .. import paths

FILE = paths.SHARED_DATA / "photo" / "nets.npz"
SIDE = 24
LONGEST = 20
"""The longest side of a glyph's ink, in pixels: it has a margin of two pixels."""
LARGEST_ZOOM = 2.0
"""Ink is enlarged at most so much: a dot stays a dot."""
UNKNOWN = "?"
"""Ink that is none of the characters: crossed out, a scribble, several characters."""
DIGITS = "0123456789-+" + UNKNOWN
CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-=≠+" + UNKNOWN
"""Small letters count as capitals. A meteorite, drawn as a ring, is an O."""
LEAST = 1e-4
"""No probability is lower than this, as a network is never that certain about hands it has not seen."""
LOOK_ALIKE = dict(zip("012568OIZSGB9", (*"OIZSGB012568", "GQ"), strict=True))
"""Characters that some people write like others."""
OTHER = 0.02
"""How much less likely a character that a field does not allow is than one that it does."""

Floats: TypeAlias = NDArray[numpy.float32]
Bytes: TypeAlias = NDArray[numpy.uint8]


def normalised(ink: Floats) -> Bytes:
    """The glyph of some ink without its grain, centred in proportion, its longest side 20 pixels; empty without ink."""
    around = _blurred(ink.astype(numpy.float32))
    darkest = float(around.max(initial=0.0))
    if darkest <= 0.05:
        return numpy.zeros((SIDE, SIDE), numpy.uint8)
    counts = ((around > 0.4 * darkest).sum(axis=axis) for axis in (1, 0))
    inked = (numpy.flatnonzero(count >= min(2, count.max())) for count in counts)  # single pixels do not count
    (top, bottom), (left, right) = ((int(places[0]), int(places[-1]) + 1) for places in inked)
    scale = min(LONGEST / max(bottom - top, right - left), LARGEST_ZOOM)
    rows = _resampling(len(ink), (top + bottom) / 2, scale)
    columns = _resampling(ink.shape[1], (left + right) / 2, scale)
    glyph = rows @ (ink * numpy.clip(around / darkest * 5 - 0.75, 0, 1)) @ columns.T
    levels: Bytes = (numpy.clip(glyph / max(float(glyph.max()), 0.05), 0, 1) * 255 + 0.5).astype(numpy.uint8)
    return levels


def _blurred(ink: Floats) -> Floats:
    """The means of 3 × 3 pixels."""
    rows = numpy.pad(ink, ((1, 1), (0, 0)))
    sums = numpy.pad(rows[:-2] + rows[1:-1] + rows[2:], ((0, 0), (1, 1)))
    means: Floats = ((sums[:, :-2] + sums[:, 1:-1] + sums[:, 2:]) / 9).astype(numpy.float32)
    return means


def _resampling(length: int, middle: float, scale: float) -> Floats:
    """The matrix that scales a line of pixels to SIDE pixels around its `middle`, with a triangular filter."""
    margin = int(SIDE / scale) + 1  # a glyph may reach beyond the ends of the line
    centres = middle + (numpy.arange(SIDE) + 0.5 - SIDE / 2) / scale
    distances = numpy.abs(numpy.arange(-margin, length + margin) + 0.5 - centres[:, None])
    weights = numpy.maximum(1 - distances * min(scale, 1.0), 0)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights[:, margin:-margin].astype(numpy.float32)


_GRID = 6
_ANGLES = numpy.arange(8) * (numpy.pi / 4)
_DIRECTIONS = numpy.stack([numpy.sin(_ANGLES), numpy.cos(_ANGLES)]).astype(numpy.float32)
_POOL = numpy.maximum(
    1 - numpy.abs((numpy.arange(_GRID) + 0.5)[:, None] * (SIDE / _GRID) - numpy.arange(SIDE) - 0.5) / 5, 0
).astype(numpy.float32)
"""Each of the six fields along a side overlaps its neighbours, so that a small shift changes little."""


def features(glyphs: Bytes) -> Floats:
    """432 features of each glyph: the edges in eight directions in 6 × 6 fields, and its picture at half size."""
    ink = glyphs.astype(numpy.float32) / 255
    padded = numpy.pad(ink, ((0, 0), (1, 1), (1, 1)))
    down = padded[:, 2:, 1:-1] - padded[:, :-2, 1:-1]
    right = padded[:, 1:-1, 2:] - padded[:, 1:-1, :-2]
    strength = numpy.sqrt(down**2 + right**2) * numpy.float32(numpy.cos(numpy.pi / 4))
    planes = [numpy.maximum(down * sine + right * cosine - strength, 0) for sine, cosine in _DIRECTIONS.T]
    pooled = _POOL @ numpy.stack(planes, axis=1) @ _POOL.T
    half = ink.reshape(-1, SIDE // 2, 2, SIDE // 2, 2).mean(axis=(2, 4))
    return numpy.concatenate([numpy.sqrt(pooled).reshape(len(ink), 288), half.reshape(len(ink), 144)], axis=1)


@cache
def layer(name: str) -> Floats:
    """The weights of a layer (`hidden`, `digits` or `characters`) of each network, the biases of the units last."""
    with numpy.load(FILE) as stored:
        return numpy.asarray(stored[name] * stored[f"{name}_scale"][:, None], numpy.float32)


def scores(glyphs: Bytes) -> Floats:
    """The probabilities that glyphs (n, 24, 24) are each of DIGITS, and then those that they are each of CHARACTERS."""
    described = with_bias(features(glyphs))
    hidden = [with_bias(numpy.maximum(described @ weights, 0)) for weights in layer("hidden")]
    outputs = []
    for name in ("digits", "characters"):
        logits = [log_softmax(values @ weights) for values, weights in zip(hidden, layer(name), strict=True)]
        read = softmax(numpy.mean(logits, axis=0)) + numpy.float32(LEAST)
        outputs.append(read / numpy.float32(1 + LEAST * read.shape[1]))
    return numpy.concatenate(outputs, axis=1)


def with_bias(values: Floats) -> Floats:
    """The inputs of a layer: `values` and a one for the bias."""
    return numpy.concatenate([values, numpy.ones((len(values), 1), numpy.float32)], axis=1)


def log_softmax(logits: Floats) -> Floats:
    """The logarithms of probabilities, row by row."""
    above = logits - logits.max(axis=1, keepdims=True)
    logarithms: Floats = above - numpy.log(numpy.exp(above).sum(axis=1, keepdims=True))
    return logarithms


def softmax(logits: Floats) -> Floats:
    """Probabilities, row by row."""
    probabilities: Floats = numpy.exp(log_softmax(logits))
    return probabilities


def among(row: Floats, allowed: Mapping[str, str], is_digit: bool) -> Mapping[str, float]:
    """A row of `scores`, the part for digits or that for characters, as probabilities of the marks of a field and of
    UNKNOWN. `allowed` maps each character that may be written to its mark. One that may not be written counts as those
    that look like it: in a field for numbers, an O is a zero. If there are none, it counts as UNKNOWN, but little."""
    columns, row = (DIGITS, row[: len(DIGITS)]) if is_digit else (CHARACTERS, row[len(DIGITS) :])
    marks = dict.fromkeys((*allowed.values(), UNKNOWN), 0.0)
    chances = dict(zip(columns, row.tolist(), strict=True))
    for character, chance in chances.items():
        alike = {other: chances[other] for other in LOOK_ALIKE.get(character, "") if other in allowed}
        if character in allowed or character == UNKNOWN:
            marks[allowed.get(character, UNKNOWN)] += chance
        elif alike:
            for other, share in alike.items():
                marks[allowed[other]] += chance * share / sum(alike.values())
        else:
            marks[UNKNOWN] += chance * OTHER
    total = sum(marks.values())
    return MappingProxyType({mark: probability / total for mark, probability in marks.items()})
