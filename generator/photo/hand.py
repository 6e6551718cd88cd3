"""What the characters of a sheet say of each other: a person writes the same character in much the same way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import exp, log
from operator import itemgetter

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from .cells import CellReading

ALIKE = 0.8
"""How similar two characters must be to be the same: the correlation of their pictures."""
_NOTHING = np.zeros((24, 24), np.uint8)
_STRENGTH = 12.0
"""The logarithm of how much more probable a character becomes by one that a person read and that looks the same."""
_NEIGHBOURS, _WEIGHT = 4, 0.5
"""How many characters that look alike are taken into account, and how much each weighs beside the character itself."""
_LEAST = 1e-5


def likeness(cells: Sequence[CellReading], others: Sequence[CellReading]) -> NDArray[np.float32]:
    """How alike characters are to others (rows and columns), 0 to 1. Boxes without a character are like nothing."""
    correlations: NDArray[np.float32] = _vectors(cells) @ _vectors(others).T
    return np.clip((correlations - ALIKE) / (1 - ALIKE), 0.0, 1.0)


def _vectors(cells: Iterable[CellReading]) -> NDArray[np.float32]:
    """Glyphs as vectors of length 1, blurred so that small differences in place do not matter."""
    glyphs = np.stack([_NOTHING if cell.glyph is None else cell.glyph for cell in cells]).astype(np.float32)
    padded = np.pad(glyphs, ((0, 0), (1, 1), (1, 1)))
    rows = padded[:, :-2] + 2 * padded[:, 1:-1] + padded[:, 2:]
    flat = (rows[..., :-2] + 2 * rows[..., 1:-1] + rows[..., 2:]).reshape(len(rows), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    return (flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)).astype(np.float32)


def in_one_hand(cells: Sequence[CellReading]) -> list[CellReading]:
    """The cells of a sheet, weighed by those that look most like them: doubtful ones confirm each other."""
    written = [cell for cell in cells if cell.glyph is not None and cell.kind in ("digit", "letter")]
    if len(written) < 2:
        return list(cells)
    alike = likeness(written, written)
    np.fill_diagonal(alike, 0.0)
    weighed = {}
    for cell, row in zip(written, alike, strict=True):
        others = [(written[number], row[number]) for number in np.argsort(row)[-_NEIGHBOURS:] if row[number] > 0]
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


def learnt(cells: Sequence[CellReading], known: Sequence[tuple[str, CellReading]]) -> list[CellReading]:
    """Cells with the probabilities raised of the characters that a person read where they look the same."""
    return [
        _normalised(
            cell,
            {
                mark: log(chance + _LEAST) + _STRENGTH * alike.get(mark, 0.0)
                for mark, chance in cell.probabilities.items()
            },
        )
        for cell, row in zip(cells, likeness(cells, [other for _, other in known]), strict=True)
        for alike in [dict(sorted(zip((mark for mark, _ in known), row, strict=True), key=itemgetter(1)))]
    ]


def _normalised(cell: CellReading, logs: dict[str, float]) -> CellReading:
    highest = max(logs.values())
    chances = {character: exp(value - highest) for character, value in logs.items()}
    total = sum(chances.values())
    return replace(cell, probabilities={character: chance / total for character, chance in chances.items()})
