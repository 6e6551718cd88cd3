"""Set codes such as `GU-1C01-62K98-RJWND-XN`: their parts, their check characters, and how they are read.

Codes are written in Crockford's base32 (https://www.crockford.com/base32.html), but without its check symbol, which
detects only one wrong letter and needs five extra symbols. Instead, the letters are elements of the field GF(32), and
two check characters make the whole code a multiple of (x + a)(x + a²). In such a Reed-Solomon code any two valid codes
differ in at least three places, so one or two wrong letters are always detected; two swapped neighbours are two wrong
letters. docs/codes.md describes the format in full.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from random import SystemRandom
from types import MappingProxyType

from msgspec import Struct

from ..errors import Place, fault

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

_LOOK_ALIKES = str.maketrans("OIL", "011")
_FIELD = 0b100101  # x⁵ + x² + 1, whose root a = 2 generates all 31 elements except 0


def _times(a: int, b: int) -> int:
    """The product of two elements of the field."""
    product = 0
    while b:
        product ^= a * (b & 1)
        a, b = a << 1, b >> 1
        a ^= _FIELD * (a >> 5)
    return product


_TIMES_6, _TIMES_8 = ([_times(number, factor) for number in range(32)] for factor in (6, 8))  # x² + 6x + 8


def normalised(letters: str) -> str:
    """Reads O as 0, and I and L as 1, as Crockford's base32 does."""
    return letters.translate(_LOOK_ALIKES)


def encode(number: int, length: int) -> str:
    """A number in base32, padded with zeros to `length` characters."""
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(length)))


def decode(digits: str) -> int:
    """The number that `encode` wrote; raises ValueError for a letter outside the alphabet."""
    number = 0
    for digit in digits:
        number = number * 32 + ALPHABET.index(digit)
    return number


def remainder(numbers: Iterable[int]) -> tuple[int, int]:
    """The remainder of the numbers (0 to 31, highest power first) when divided by x² + 6x + 8; (0, 0) for a valid
    code."""
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
_EXAMPLE = "GU-1C01-XXXXX-XXXXX-KK"
_SEPARATORS = r"[\s\-\u2010-\u2015\u2212]+"  # spaces, hyphens, dashes and the minus sign
_MAX_QUOTED = 40


def plural(kind: str) -> str:
    """The plural of what a kind of code names, such as `card sets` or `dice`."""
    return KINDS[kind] if KINDS[kind].endswith("dice") else f"{KINDS[kind]}s"


class SetCode(Struct, frozen=True):
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
        return SetCode(prefix, VERSION, kind, recipe, seed=SystemRandom().getrandbits(SEED_BITS))
    key = f"{prefix}\n{VERSION}\n{kind}\n{recipe}\n{index}\n{unicodedata.normalize('NFC', text)}"
    return SetCode(prefix, VERSION, kind, recipe, seed=digest_bits(key, SEED_BITS))


def digest_bits(text: str, bits: int) -> int:
    """The first bits of the SHA-256 digest of a text."""
    from hashlib import sha256  # takes 3 ms to load, and neither standard decks nor sheets need it

    return int.from_bytes(sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big") >> (64 - bits)


# ---- reading ------------------------------------------------------------------------------------------------------


def parse(text: str, *, prefix: str | None = None, place: Place | None = None) -> SetCode:
    """Reads a code as people type it: upper or lower case, with or without dashes and spaces, O for 0, I or L for 1.

    With `prefix`, only codes of that game are accepted. The InputError for an invalid code suggests the valid codes
    that are one typo away (one wrong letter, or two swapped neighbours)."""
    letters = re.sub(_SEPARATORS, "", text).upper()
    if problem := _problem(letters, prefix):
        quoted = "".join(letter if letter.isprintable() else " " for letter in text[:_MAX_QUOTED]).strip()
        quoted += "…" if len(text) > _MAX_QUOTED else ""
        raise fault(f"“{quoted}” is not a valid set code: {problem}", place, _hint(letters, prefix))
    return _read(letters, prefix)


def _corrected(letters: str, prefix: str | None) -> str:
    """The letters with O, I and L read as digits; in the prefix, which has no digits, 0 is read as O instead."""
    head, rest = letters[:_PREFIX_LENGTH], letters[_PREFIX_LENGTH:]
    same = prefix is not None and normalised(head) == normalised(prefix)
    return (prefix if same and prefix else head.replace("0", "O")) + normalised(rest)


def _problem(letters: str, prefix: str | None) -> str:
    """What is wrong with a code, in words; empty for a valid code."""
    if len(letters) != _LENGTH:
        return f"it has {len(letters)} instead of {_LENGTH} letters and digits"
    code = _corrected(letters, prefix)
    misplaced = [f"{letters[i]} (letter {i + 1})" for i, letter in enumerate(code) if letter not in _allowed_at(i)]
    if misplaced:
        return f"{', '.join(misplaced)} cannot be there"
    if prefix and code[:_PREFIX_LENGTH] != prefix:
        return f"it begins with {code[:_PREFIX_LENGTH]}, but codes of this game begin with {prefix}"
    if remainder(_numbers(code[:_PREFIX_LENGTH], code[_PREFIX_LENGTH:])) != (0, 0):
        return "its check characters do not match, so it is mistyped"
    version, kind = code[_PREFIX_LENGTH], code[_PREFIX_LENGTH + 1]
    if decode(version) != VERSION:
        return f"its version is {version}, but this version of Pencilbox only supports version {VERSION}"
    if kind not in KINDS:
        return f"its kind is {kind}, which must be one of {', '.join(f'{k} ({name})' for k, name in KINDS.items())}"
    return ""


def _allowed_at(i: int) -> str:
    return _PREFIX if i < _PREFIX_LENGTH else ALPHABET


def _read(letters: str, prefix: str | None) -> SetCode:
    code = _corrected(letters, prefix)
    return SetCode(code[:2], decode(code[2]), code[3], code[4:6], seed=decode(code[6:16]))


def _hint(letters: str, prefix: str | None) -> str:
    if len(letters) != _LENGTH:
        return f"a set code looks like {prefix or _EXAMPLE[:2]}{_EXAMPLE[2:]}"
    similar = {str(_read(other, prefix)) for other in _one_typo_away(letters) if not _problem(other, prefix)}
    return f"did you mean {' or '.join(sorted(similar))}?" if similar else ""


def _one_typo_away(letters: str) -> Iterator[str]:
    for i in range(_LENGTH):
        yield from (letters[:i] + letter + letters[i + 1 :] for letter in _allowed_at(i))
    yield from (letters[:i] + letters[i + 1] + letters[i] + letters[i + 2 :] for i in range(_LENGTH - 1))
