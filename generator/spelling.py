"""Compares names and keys as people type them: case and white space make no difference, and an abbreviation is enough
if it is unambiguous.

Capitals and small letters follow the rules of languages (The Unicode Standard, 5.18; SpecialCasing.txt). Turkish and
Azerbaijani have İ for i and I for ı. Greek capitals have no accents, and a vowel that would form a diphthong with the
one before, now without its accent, gets a diaeresis (Μάιος, ΜΑΪΟΣ). A Dutch word that begins with ij has both letters
in capitals.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache

_BETWEEN_WORDS = re.compile(r"[\s.]+")
_NO_LETTERS = re.compile(r"[\W_]+")
# The minimum number of letters in an abbreviated key. A shorter text is more likely to be a typo.
_MIN_ABBREVIATION = 3
_DOTTED = frozenset(("tr", "az"))
_SPECIAL = _DOTTED | {"el", "nl"}
_CAPITALS, _SMALL = str.maketrans("iı", "İI"), str.maketrans("Iİ", "ıi")
_ACCENTS = frozenset("\u0300\u0301\u0313\u0314\u0342")
_DIAERESIS, _SOFT_HYPHEN = "\u0308", "\u00ad"
_FIRST_VOWELS, _SECOND_VOWELS = frozenset("αεουηΑΕΟΥΗ"), frozenset("ιυΙΥ")
_OR = re.compile(r"(?<!\w)[ήΉ](?!\w)")  # the Greek word “or”, which keeps its accent
_JOINERS = str.maketrans("", "", "\u200c\u200d")
_WORD = re.compile(r"[^\W_][\w'’\u0300-\u036f]*")


def tidy(text: str) -> str:
    """The text in Unicode NFC, with each run of white space as a single space, and none at either end."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(unicodedata.normalize("NFC", text).split())


@lru_cache(1 << 10)
def comparable(text: str) -> str:
    """The form in which names are compared: tidied, case-folded and without joiners."""
    return tidy(text).translate(_JOINERS).casefold()


@lru_cache(1 << 10)
def bare(key: str) -> str:
    """A key in lower case, with a single `_` for everything between its letters and digits."""
    return _NO_LETTERS.sub("_", comparable(key)).strip("_")


_UNUSUAL = re.compile(r"[^\x00-\x7f]")
_MINUS = re.compile(r"[‒–—―−﹣](?=\d)")
_HYPHENS = "‐‑"


def usual_signs(text: str) -> str:
    """The text with digits, spaces, hyphens and minus signs as on a keyboard: full-width letters and digits become
    ordinary ones, and a dash before a digit is a minus sign."""
    return text if text.isascii() else _MINUS.sub("-", _UNUSUAL.sub(_usual_sign, text))


def _usual_sign(match: re.Match[str]) -> str:
    sign = match[0]
    if sign in _HYPHENS:
        return "-"
    digit = unicodedata.decimal(sign, None)
    if digit is not None:
        return str(digit)
    if unicodedata.category(sign) == "Zs":
        return " "
    return unicodedata.normalize("NFKC", sign) if "！" <= sign <= "～" and sign not in "＂＃＇：＼" else sign


def invisible_character(text: str) -> str:
    """The Unicode name and number of the first invisible character in a text; empty if there is none. Joiners within
    a text are allowed: they belong to names in Persian and Indian scripts, and to emoji."""
    for place, character in enumerate(text):
        if not character.isprintable() and not (ord(character) in _JOINERS and 0 < place < len(text) - 1):
            name = unicodedata.name(character, "control character").lower()
            return f"{name} (U+{ord(character):04X})"
    return ""


# ---- names ----------------------------------------------------------------------------------------------------------


def matching(names: Sequence[str], text: str) -> list[int]:
    """The indices of the names that a text matches: exactly, otherwise ignoring case, otherwise as a beginning or the
    initials. Empty if it matches no name, several if it is ambiguous. A number only matches a whole name, because
    entries have numbers too."""
    text = tidy(text)
    if text in names:
        return [names.index(text)]
    key = comparable(text)
    same = [index for index, name in enumerate(names) if comparable(name) == key]
    if same or key.isdecimal():
        return same
    key = key.removesuffix(".")
    initials = _BETWEEN_WORDS.sub("", key)
    return [
        index
        for index, name in enumerate(names)
        if key
        and (
            comparable(name).startswith(key)
            or "".join(word[0] for word in _BETWEEN_WORDS.split(comparable(name)) if word) == initials
        )
    ]


def ambiguity(names: Sequence[str], text: str) -> str:
    """The message that a text matches several names; empty if it matches one or none."""
    candidates = [*dict.fromkeys(names[index] for index in matching(names, text))]
    return f"“{text}” could be {joined(candidates, 'or')}" if len(candidates) > 1 else ""


def joined(words: Sequence[str], last: str = "and") -> str:
    """Joins words for a sentence: `Ann`, `Ann and Ben`, `Ann, Ben and Cat`; empty for no words."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def numbered(name: str, taken: Container[str], before: str = "_") -> str:
    """A name that is different from those `taken`, if need be with a number after it: `text_2`."""
    unique, number = name, 1
    while unique in taken:
        number += 1
        unique = f"{name}{before}{number}"
    return unique


# ---- keys -----------------------------------------------------------------------------------------------------------


def matching_keys(spellings: Mapping[str, str], key: str) -> list[str]:
    """The keys that a misspelt `key` matches: as the singular or plural of a spelling, otherwise as its beginning.
    `spellings` maps bare spellings to keys. Empty if it matches none, several if it is ambiguous."""
    word = _in_singular(bare(key))  # not cached, so that the keys of a hostile file do not evict the spellings
    if len(word) < _MIN_ABBREVIATION or not word.replace("_", "").isalpha():
        return []
    singulars = [(_singular(spelling), name) for spelling, name in spellings.items()]
    same = [name for spelling, name in singulars if spelling == word]
    return [*dict.fromkeys(same or [name for spelling, name in singulars if spelling.startswith(word)])]


_PLURALS = (("dice", "die"), ("ies", "y"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("ss", "ss"), ("us", "us"))


def _in_singular(words: str) -> str:
    """A bare spelling with each word in the singular."""
    return "_".join(map(_singular_word, words.split("_")))


_singular = lru_cache(1 << 10)(_in_singular)


def _singular_word(word: str) -> str:
    for plural, singular in _PLURALS:
        if word.endswith(plural):
            return word.removesuffix(plural) + singular
    return word.removesuffix("s")


# ---- capital and small letters --------------------------------------------------------------------------------------


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
