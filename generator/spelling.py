"""Compares names and keys as people type them: case and white space make no difference, and an abbreviation is enough
if it is unambiguous."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache

_BETWEEN_WORDS = re.compile(r"[\s.]+")
_NO_LETTERS = re.compile(r"[\W_]+")
_MIN_ABBREVIATION = 3
"""The minimum number of letters in an abbreviated key. A shorter text is more likely to be a typo."""


def tidy(text: str) -> str:
    """The text in Unicode NFC, with each run of white space as a single space, and none at either end."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(unicodedata.normalize("NFC", text).split())


@lru_cache(1 << 10)
def comparable(text: str) -> str:
    """The form in which names are compared: tidied and case-folded."""
    return tidy(text).casefold()


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
    """The Unicode name and number of the first invisible character in a text; empty if there is none."""
    for character in text:
        if not character.isprintable():
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
        if key and (comparable(name).startswith(key) or _initials(name) == initials)
    ]


def _initials(name: str) -> str:
    return "".join(word[0] for word in _BETWEEN_WORDS.split(comparable(name)) if word)


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
