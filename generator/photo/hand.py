"""What the characters of a sheet say of each other: a person writes the same character in much the same way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import exp, log

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from .cells import CellReading

ALIKE = 0.8
"""How similar two characters must be to be the same: the correlation of their pictures."""
_STRENGTH = 12.0
"""The logarithm of how much more probable a character becomes by one that a person read and that looks the same."""
_NEIGHBOURS, _WEIGHT = 4, 0.5
"""How many characters that look alike are taken into account, and how much each weighs beside the character itself."""
_LEAST = 1e-5


def similarity(one: CellReading, other: CellReading) -> float:
    """The correlation of two glyphs, -1 to 1."""
    if one.glyph is None or other.glyph is None or one.kind != other.kind:
        return 0.0
    return float(_vectors([one.glyph])[0] @ _vectors([other.glyph])[0])


def _vectors(glyphs: Iterable[NDArray[np.uint8]]) -> NDArray[np.float32]:
    """Glyphs as vectors of length 1, blurred so that small differences in place do not matter."""
    padded = np.pad(np.stack([*glyphs]).astype(np.float32), ((0, 0), (1, 1), (1, 1)))
    rows = padded[:, :-2] + 2 * padded[:, 1:-1] + padded[:, 2:]
    flat = (rows[..., :-2] + 2 * rows[..., 1:-1] + rows[..., 2:]).reshape(len(rows), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    return (flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)).astype(np.float32)


def in_one_hand(cells: Sequence[CellReading]) -> list[CellReading]:
    """The cells of a sheet, each character weighed by those that look most like it: several doubtful ones that look
    alike and are probably the same confirm each other."""
    written = [cell for cell in cells if cell.glyph is not None and cell.kind in ("digit", "letter")]
    if len(written) < 2:
        return list(cells)
    vectors = _vectors(cell.glyph for cell in written if cell.glyph is not None)
    alike = vectors @ vectors.T
    np.fill_diagonal(alike, 0.0)
    weighed = {}
    for cell, row in zip(written, alike, strict=True):
        nearest = [number for number in np.argsort(row)[-_NEIGHBOURS:] if row[number] > ALIKE]
        others = [(written[number], (row[number] - ALIKE) / (1 - ALIKE)) for number in nearest]
        weighed[cell.field, cell.box] = _weighed(cell, others)
    return [weighed.get((cell.field, cell.box), cell) for cell in cells]


def _weighed(cell: CellReading, others: Sequence[tuple[CellReading, float]]) -> CellReading:
    """A cell with the probabilities of those that look like it, as far as they may hold the same characters."""
    logs: dict[str, float] = defaultdict(float)
    for character, chance in cell.probabilities.items():
        logs[character] = log(chance + _LEAST)
        for other, weight in others:
            if other.probabilities.keys() >= cell.probabilities.keys():
                logs[character] += _WEIGHT * weight * log(other.probabilities[character] + _LEAST)
    return _normalised(cell, logs)


def learnt(cell: CellReading, known: Sequence[tuple[str, CellReading]]) -> CellReading:
    """A cell with the probabilities raised of the characters that a person read where it looks the same."""
    nearest: dict[str, float] = defaultdict(float)
    for character, other in known:
        nearest[character] = max(nearest[character], similarity(cell, other))
    return _normalised(
        cell,
        {
            character: log(chance + _LEAST) + _STRENGTH * max(nearest[character] - ALIKE, 0.0) / (1 - ALIKE)
            for character, chance in cell.probabilities.items()
        },
    )


def _normalised(cell: CellReading, logs: dict[str, float]) -> CellReading:
    highest = max(logs.values())
    chances = {character: exp(value - highest) for character, value in logs.items()}
    total = sum(chances.values())
    return replace(cell, probabilities={character: chance / total for character, chance in chances.items()})
