"""Capitals and small letters in languages with rules of their own (The Unicode Standard, 5.18; SpecialCasing.txt).

Turkish and Azerbaijani have İ for i and I for ı. Greek capitals have no accents, and a vowel that would form a
diphthong with the one before, now without its accent, gets a diaeresis (Μάιος, ΜΑΪΟΣ). A Dutch word that begins with ij
has both letters in capitals.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_DOTTED = frozenset(("tr", "az"))
_SPECIAL = _DOTTED | {"el", "nl"}
_CAPITALS, _SMALL = str.maketrans("iı", "İI"), str.maketrans("Iİ", "ıi")
_ACCENTS = frozenset("\u0300\u0301\u0313\u0314\u0342")
_DIAERESIS, _SOFT_HYPHEN = "\u0308", "\u00ad"
_FIRST_VOWELS, _SECOND_VOWELS = frozenset("αεουηΑΕΟΥΗ"), frozenset("ιυΙΥ")
_OR = re.compile(r"(?<!\w)[ήΉ](?!\w)")
"""The Greek word “or”, which keeps its accent."""
_WORD = re.compile(r"[^\W_][\w'’\u0300-\u036f]*")


def is_special(language: str) -> bool:
    """Whether a language has rules of its own."""
    return _primary(language) in _SPECIAL


def upper(text: str, language: str = "") -> str:
    """The text in capitals."""
    primary = _primary(language)
    if primary in _DOTTED:
        return text.replace("i\u0307", "i").translate(_CAPITALS).upper()
    if primary == "el":
        return "Ή".join(["".join(_without_accents(part)).upper() for part in _OR.split(text)])
    return text.upper()


def lower(text: str, language: str = "") -> str:
    """The text in small letters."""
    return (text.translate(_SMALL) if _primary(language) in _DOTTED else text).lower()


def title(text: str, language: str = "") -> str:
    """The text with a capital at the beginning of each word and small letters after it."""
    return _WORD.sub(lambda match: capitalised(match[0], language), text)


def capitalised(text: str, language: str = "") -> str:
    """The text with a capital at its beginning and small letters after it."""
    count = 2 if _primary(language) == "nl" and text[:2].lower() == "ij" else 1
    first = upper(text[:count], language) if _primary(language) != "el" else text[:count].upper()
    return first + lower(text[count:], language)


def _primary(language: str) -> str:
    return re.split("[-_]", language, maxsplit=1)[0]


def _without_accents(text: str) -> Iterator[str]:
    """Greek letters without their accents."""
    lost_accent = False
    for letter in unicodedata.normalize("NFC", text):
        decomposed = unicodedata.normalize("NFD", letter)
        base, marks = decomposed[0], decomposed[1:]
        if not "\u0370" <= base <= "\u03ff":
            lost_accent = lost_accent and letter == _SOFT_HYPHEN
            yield letter
            continue
        rest = [mark for mark in marks if mark not in _ACCENTS]
        if lost_accent and base in _SECOND_VOWELS and not marks:
            rest = [_DIAERESIS]
        lost_accent = base in _FIRST_VOWELS and len(rest) < len(marks)
        yield unicodedata.normalize("NFC", base + "".join(rest))
