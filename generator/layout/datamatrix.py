"""Data Matrix ECC 200 in its smallest size: 10 × 10 modules, which hold six digits (ISO/IEC 16022).

Two digits are one codeword, five check codewords follow the three: a Reed-Solomon code over GF(256) that mends any two
wrong codewords of the eight.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

Modules: TypeAlias = tuple[tuple[bool, ...], ...]
"""Rows from the top, modules from the left; True is dark."""

SIDE = 10
DIGITS = 6

_FIELD = 0b1_0010_1101                    # x⁸ + x⁵ + x³ + x² + 1
_GENERATOR = (62, 111, 15, 48, 228)       # (x + 2)(x + 4)(x + 8)(x + 16)(x + 32), without its x⁵

# Where the bits lie, as the standard's figure for 10 × 10 has it: codeword 1-8, bit 1-8 from the highest.
_BITS = """
21 22 36 37 38 43 44 45
23 24 25 51 52 46 47 48
26 27 28 53 54 55 11 12
15 61 62 56 57 58 13 14
18 63 64 65 81 82 16 17
72 66 67 68 83 84 85 71
74 75 31 32 86 87 88 73
77 78 33 34 35 41 42 76
"""
_PLACES = tuple(tuple((int(place[0]) - 1, 8 - int(place[1])) for place in row.split())
                for row in _BITS.split("\n") if row)


def modules(digits: str) -> Modules:
    """The symbol of six digits, without the white around it; raises ValueError for anything else."""
    if not re.fullmatch(rf"[0-9]{{{DIGITS}}}", digits):
        raise ValueError(f"six digits, not “{digits}”")
    words = codewords(digits)
    return (tuple(column % 2 == 0 for column in range(SIDE)),
            *((True, *(bool(words[word] >> bit & 1) for word, bit in row), number % 2 == 0)
              for number, row in enumerate(_PLACES)),
            (True,) * SIDE)


def codewords(digits: str) -> tuple[int, ...]:
    """Three codewords of two digits each and their five check codewords."""
    data = [130 + int(digits[at:at + 2]) for at in range(0, DIGITS, 2)]
    return *data, *_check(data)


def _check(data: Iterable[int]) -> Iterator[int]:
    """What is left over dividing the codewords (highest power first) by the generator."""
    rest = [0] * len(_GENERATOR)
    for word in data:
        factor = word ^ rest[0]
        rest = [_times(factor, part) ^ later for part, later in zip(_GENERATOR, [*rest[1:], 0], strict=True)]
    yield from rest


def _times(a: int, b: int) -> int:
    product = 0
    while b:
        product ^= a * (b & 1)
        a, b = a << 1, b >> 1
        a ^= _FIELD * (a >> 8)
    return product
