"""Crockford's base32 and the two check characters of a set code.

The letters of a code are taken as numbers of the field GF(32), and the check characters make the whole a multiple of
(x + a)(x + a²): a Reed-Solomon code, in which any two valid codes differ in at least three places. So one or two wrong
letters never go unnoticed, wherever they stand; two neighbours that changed places are two wrong letters.
"""

from __future__ import annotations

from collections.abc import Iterable

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

_FORGIVEN = str.maketrans("OIL", "011")
_FIELD = 0b100101        # x⁵ + x² + 1, whose root a = 2 runs through all 31 numbers but 0


def _times(a: int, b: int) -> int:
    product = 0
    while b:
        product ^= a * (b & 1)
        a, b = a << 1, b >> 1
        a ^= _FIELD * (a >> 5)
    return product


_TIMES_6, _TIMES_8 = ([_times(number, factor) for number in range(32)] for factor in (6, 8))   # x² + 6x + 8


def forgiven(letters: str) -> str:
    """Capital letters with O read as 0, I and L as 1."""
    return letters.translate(_FORGIVEN)


def encode(number: int, length: int) -> str:
    """A number in base32, filled up with zeros to `length` characters."""
    digits = [ALPHABET[number >> 5 * place & 31] for place in range(length)]
    return "".join(reversed(digits))


def decode(digits: str) -> int:
    """The number that `encode` wrote; raises ValueError at a letter outside the alphabet."""
    number = 0
    for digit in digits:
        number = number * 32 + ALPHABET.index(digit)
    return number


def remainder(numbers: Iterable[int]) -> tuple[int, int]:
    """What is left over dividing the numbers (0–31, highest power first) by x² + 6x + 8; (0, 0) for a valid code."""
    high = low = 0
    for number in numbers:
        high, low = low ^ _TIMES_6[high], number ^ _TIMES_8[high]
    return high, low


def check(numbers: Iterable[int]) -> str:
    """The two check characters that belong behind the numbers."""
    high, low = remainder([*numbers, 0, 0])
    return ALPHABET[high] + ALPHABET[low]
