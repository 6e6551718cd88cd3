"""How texts that people type are compared: what looks alike is alike, and a beginning is enough where it is clear."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

_BETWEEN_WORDS = re.compile(r"[\s.]+")
_NO_LETTERS = re.compile(r"[\W_]+")
_SHORTEST_BEGINNING = 3
"""The fewest letters that a key may be cut to: with fewer, a slip of the finger would too often be one."""


def even(text: str) -> str:
    """The text in Unicode NFC, with a single plain space wherever there is any kind of white space, and none around
    it."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(unicodedata.normalize("NFC", text).split())


@lru_cache(1 << 10)
def comparable(text: str) -> str:
    """The text as names are compared: even, and without a difference between upper and lower case."""
    return even(text).casefold()


@lru_cache(1 << 10)
def bare(key: str) -> str:
    """The letters and digits of a key in lower case; anything between them becomes a single `_`."""
    return _NO_LETTERS.sub("_", comparable(key)).strip("_")


def invisible(text: str) -> str:
    """The first character of the text that cannot be seen, by its name and number; empty if there is none."""
    for character in text:
        if not character.isprintable():
            name = unicodedata.name(character, "control character").lower()
            return f"{name} (U+{ord(character):04X})"
    return ""


# ---- names ----------------------------------------------------------------------------------------------------------


def meant(names: Sequence[str], text: str) -> list[int]:
    """The indices of the names that `text` can stand for: of an exact spelling, else of one in another case, else of
    the beginning or the initials of a name. Empty if it stands for nobody, several if it is ambiguous. A number only
    ever stands for a whole name, because entries have numbers too."""
    text = even(text)
    if text in names:
        return [names.index(text)]
    wanted = comparable(text)
    same = [index for index, name in enumerate(names) if comparable(name) == wanted]
    if same or wanted.isdecimal():
        return same
    wanted = wanted.removesuffix(".")
    initials = _BETWEEN_WORDS.sub("", wanted)
    return [
        index
        for index, name in enumerate(names)
        if wanted and (comparable(name).startswith(wanted) or _initials(name) == initials)
    ]


def _initials(name: str) -> str:
    return "".join(word[0] for word in _BETWEEN_WORDS.split(comparable(name)) if word)


def ambiguous(names: Sequence[str], text: str) -> str:
    """What is wrong with a text that can stand for several names; empty if it stands for one or none."""
    candidates = [*dict.fromkeys(names[index] for index in meant(names, text))]
    return f"“{text}” could be {either(candidates)}" if len(candidates) > 1 else ""


def either(words: Sequence[str]) -> str:
    """The words as a choice: `rows, snake or blocks`."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


# ---- keys -----------------------------------------------------------------------------------------------------------


def keys_meant(spellings: Mapping[str, str], key: str) -> list[str]:
    """The keys that `key` can stand for although it is not one of their `spellings` (keys by their bare spellings): by
    the singular or plural of a spelling, else by the beginning of one. Empty if there are none, several if it is
    ambiguous."""
    word = _in_singular(bare(key))  # not cached: the keys of a hostile file would push the spellings out
    if len(word) < _SHORTEST_BEGINNING or not word.replace("_", "").isalpha():
        return []
    singulars = [(_singular(spelling), name) for spelling, name in spellings.items()]
    same = [name for spelling, name in singulars if spelling == word]
    return [*dict.fromkeys(same or [name for spelling, name in singulars if spelling.startswith(word)])]


_PLURALS = (("dice", "die"), ("ies", "y"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("ss", "ss"), ("us", "us"))


def _in_singular(words: str) -> str:
    """A bare spelling with each of its words in the singular."""
    return "_".join(map(_singular_word, words.split("_")))


_singular = lru_cache(1 << 10)(_in_singular)


def _singular_word(word: str) -> str:
    for plural, singular in _PLURALS:
        if word.endswith(plural):
            return word.removesuffix(plural) + singular
    return word.removesuffix("s")
