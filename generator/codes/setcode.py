"""Set codes such as `GU-1C01-62K98-RJWND-XN`: their parts, their check characters, and how typed ones are read.

Codes are written in Crockford's base32 (https://www.crockford.com/base32.html), but without its check symbol, which
detects only one wrong letter and needs five more symbols. Instead, the letters are elements of the field GF(32), and
two check characters make the whole code a multiple of (x + a)(x + a²). In such a Reed-Solomon code any two valid codes
differ in at least three places, so one or two wrong letters are always detected; two swapped neighbours are two wrong
letters. docs/codes.md describes the format in full.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ..errors import InputError, Place, fault

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

_FORGIVEN = str.maketrans("OIL", "011")
_FIELD = 0b100101  # x⁵ + x² + 1, whose root a = 2 runs through all 31 numbers but 0


def _times(a: int, b: int) -> int:
    product = 0
    while b:
        product ^= a * (b & 1)
        a, b = a << 1, b >> 1
        a ^= _FIELD * (a >> 5)
    return product


_TIMES_6, _TIMES_8 = ([_times(number, factor) for number in range(32)] for factor in (6, 8))  # x² + 6x + 8


def forgiven(letters: str) -> str:
    """Reads O as 0, and I and L as 1, as Crockford's base32 does."""
    return letters.translate(_FORGIVEN)


def encode(number: int, length: int) -> str:
    """A number in base32, padded with zeros to `length` characters."""
    digits = [ALPHABET[number >> 5 * place & 31] for place in range(length)]
    return "".join(reversed(digits))


def decode(digits: str) -> int:
    """The number that `encode` wrote; raises ValueError for a letter outside the alphabet."""
    number = 0
    for digit in digits:
        number = number * 32 + ALPHABET.index(digit)
    return number


def remainder(numbers: Iterable[int]) -> tuple[int, int]:
    """The remainder of the numbers (0–31, highest power first) divided by x² + 6x + 8; (0, 0) for a valid code."""
    high = low = 0
    for number in numbers:
        high, low = low ^ _TIMES_6[high], number ^ _TIMES_8[high]
    return high, low


def check(numbers: Iterable[int]) -> str:
    """The two check characters that follow the numbers."""
    high, low = remainder([*numbers, 0, 0])
    return ALPHABET[high] + ALPHABET[low]


# ---- set codes

VERSION = 1
KINDS: Mapping[str, str] = MappingProxyType({"C": "card set", "D": "deal", "R": "dice", "S": "strip", "B": "board"})
SEED_BITS = 50

_PREFIX = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_PREFIX_LENGTH = 2
_LENGTH = 18
_SHAPE = "GU-1C01-XXXXX-XXXXX-KK"
_BETWEEN = r"[\s\-\u2010-\u2015\u2212]+"  # spaces, the hyphens and dashes, the minus sign
_MOST_SHOWN = 40


def plural(kind: str) -> str:
    """The sets that codes of a kind are for, as in `card sets` or `dice`."""
    return KINDS[kind] if KINDS[kind].endswith("dice") else f"{KINDS[kind]}s"


@dataclass(frozen=True, slots=True)
class SetCode:
    """A set code: the prefix of its game (two capital letters), code version, kind (a letter of KINDS), recipe id (two
    base32 characters) and a seed of 50 bits. `str()` gives the code as it is printed."""

    prefix: str
    version: int
    kind: str
    recipe: str
    seed: int

    def __post_init__(self) -> None:
        if not re.fullmatch("[A-Z]{2}", self.prefix):
            raise ValueError(f"the prefix of a set code is two capital letters, not {self.prefix!r}")
        if self.version not in range(32) or self.kind not in KINDS or self.seed not in range(1 << SEED_BITS):
            raise ValueError(f"no such version, kind or seed: {self.version}, {self.kind!r}, {self.seed}")
        if len(self.recipe) != 2 or not set(self.recipe) <= set(ALPHABET):
            raise ValueError(f"a recipe id is two characters of {ALPHABET}, not {self.recipe!r}")

    def __str__(self) -> str:
        head = f"{encode(self.version, 1)}{self.kind}{self.recipe}"
        seed = encode(self.seed, 10)
        return f"{self.prefix}-{head}-{seed[:5]}-{seed[5:]}-{check(_numbers(self.prefix, head + seed))}"


def _numbers(prefix: str, rest: str) -> list[int]:
    return [*map(_PREFIX.index, prefix), *map(ALPHABET.index, rest)]


# ---- drawing ------------------------------------------------------------------------------------------------------


def draw(prefix: str, kind: str, recipe: str, text: str | None, index: int = 0) -> SetCode:
    """A new code: the same one for the same seed text and `index`, or a random one without a text."""
    if text is None:
        from secrets import randbits  # only drawing needs secrets and hashlib

        return SetCode(prefix, VERSION, kind, recipe, randbits(SEED_BITS))
    from hashlib import sha256

    named = f"{prefix}\n{VERSION}\n{kind}\n{recipe}\n{index}\n{unicodedata.normalize('NFC', text)}"
    digest = sha256(named.encode("utf-8", "surrogatepass")).digest()
    return SetCode(prefix, VERSION, kind, recipe, int.from_bytes(digest[:8], "big") >> (64 - SEED_BITS))


# ---- reading ------------------------------------------------------------------------------------------------------


def parse(text: str, *, prefix: str | None = None, place: Place | None = None) -> SetCode:
    """Reads a code as a person types it: in either case, with or without dashes and spaces, O for 0 and I or L for 1.

    With `prefix`, only codes of that game are accepted. Raises InputError with the fault, and with the valid codes that
    are one typo away (one wrong letter, or two swapped neighbours).
    """
    letters = re.sub(_BETWEEN, "", text).upper()
    wrong = _wrong(letters, prefix)
    if wrong:
        raise _refused(text, wrong, _hint(letters, prefix), place)
    return _read(letters, prefix)


def _refused(text: str, wrong: str, hint: str, place: Place | None) -> InputError:
    quoted = "".join(letter if letter.isprintable() else " " for letter in text[:_MOST_SHOWN]).strip()
    quoted += "…" if len(text) > _MOST_SHOWN else ""
    return fault(f"“{quoted}” is not a valid set code: {wrong}", place, hint)


def _spelt(letters: str, prefix: str | None) -> str:
    """The letters with O, I and L replaced; in the prefix, which has no digits, 0 becomes O instead."""
    head, rest = letters[:_PREFIX_LENGTH], letters[_PREFIX_LENGTH:]
    same = prefix is not None and forgiven(head) == forgiven(prefix)
    return (prefix if same and prefix else head.replace("0", "O")) + forgiven(rest)


def _wrong(letters: str, prefix: str | None) -> str:
    """What is wrong with the letters, in words; empty for a valid code."""
    if len(letters) != _LENGTH:
        return f"it has {len(letters)} letters and digits instead of {_LENGTH}"
    spelt = _spelt(letters, prefix)
    strange = [f"{letters[i]} (letter {i + 1})" for i, letter in enumerate(spelt) if letter not in _allowed_at(i)]
    if strange:
        return f"{', '.join(strange)} cannot be there"
    if prefix and spelt[:_PREFIX_LENGTH] != prefix:
        return f"it begins with {spelt[:_PREFIX_LENGTH]}, but codes of this game begin with {prefix}"
    if remainder(_numbers(spelt[:_PREFIX_LENGTH], spelt[_PREFIX_LENGTH:])) != (0, 0):
        return "its check characters do not match, so it is mistyped"
    return _unknown(spelt[_PREFIX_LENGTH], spelt[_PREFIX_LENGTH + 1])


def _allowed_at(i: int) -> str:
    return _PREFIX if i < _PREFIX_LENGTH else ALPHABET


def _unknown(version: str, kind: str) -> str:
    if decode(version) != VERSION:
        return f"its version is {version}, but this Pencilbox only knows version {VERSION}"
    if kind not in KINDS:
        return f"its kind is {kind}, which must be one of {', '.join(f'{k} ({name})' for k, name in KINDS.items())}"
    return ""


def _read(letters: str, prefix: str | None) -> SetCode:
    spelt = _spelt(letters, prefix)
    return SetCode(spelt[:2], decode(spelt[2]), spelt[3], spelt[4:6], decode(spelt[6:16]))


def _hint(letters: str, prefix: str | None) -> str:
    if len(letters) != _LENGTH:
        return f"a set code looks like {prefix or _SHAPE[:2]}{_SHAPE[2:]}"
    near = {str(_read(other, prefix)) for other in _one_typo_away(letters) if not _wrong(other, prefix)}
    return f"did you mean {' or '.join(sorted(near))}?" if near else ""


def _one_typo_away(letters: str) -> Iterator[str]:
    for i in range(_LENGTH):
        for letter in _allowed_at(i):
            yield letters[:i] + letter + letters[i + 1 :]
    for i in range(_LENGTH - 1):
        yield letters[:i] + letters[i + 1] + letters[i] + letters[i + 2 :]
