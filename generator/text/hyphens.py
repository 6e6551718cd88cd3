"""Marks where words may be hyphenated, by the patterns of a language (pyphen, from the dictionaries of LibreOffice)."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from ..errors import did_you_mean, fault
from ..lazy import pattern

if TYPE_CHECKING:
    from pyphen import Pyphen

SOFT_HYPHEN = "\u00ad"
MIN_LENGTH = 5
_MIN_AFTER = {"en": 3}
"""The smallest number of letters after a hyphen, by language; 2 in others. No line of English begins with “ly”."""
_OTHERS = """
am ar az bn bs fa fi fo ga gu ha he hi hy ig ja ka kk km ko ky lb lo mk ml mi mt my ne ps si so sw ta tl tr ug ur uz vi
yi yo zh
"""
_WITHOUT_PATTERNS = frozenset(_OTHERS.split())
"""Languages whose words are not hyphenated; they may still need letters and capitals of their own."""
_WORD = pattern(r"[\w\u00ad-]+")
_HYPHENATED = pattern(rf"[^\W\d_]{{{MIN_LENGTH},}}")


def checked(language: str) -> str:
    """Returns the language, "" for `none`; raises InputError for one that is unknown."""
    if language == "none":
        return ""
    if language:
        _patterns(language)
    return language


def hyphenated(text: str, language: str, *, capitalised: bool = True) -> str:
    """The text with a soft hyphen wherever a word may be broken. Words in capitals, names with capitals inside, words
    with digits and short words stay whole, and so do words that have hyphens of their own. If not `capitalised`, words
    that begin with a capital also stay whole."""
    return " ".join(map(_hyphenated(language, capitalised).__getitem__, text.split(" ")))


def may_break(text: str) -> bool:
    """Whether `hyphenated` may break any word in the text, whatever the language."""
    return any(_HYPHENATED.fullmatch(word) for word in _WORD.findall(text))


@cache
def _hyphenated(language: str, capitalised: bool) -> _Hyphenated:
    """The words of a language that were hyphenated so far."""
    return _Hyphenated(language, capitalised)


class _Hyphenated(dict[str, str]):
    """Text without spaces → the same with soft hyphens."""

    def __init__(self, language: str, capitalised: bool) -> None:
        super().__init__()
        self.language = language
        self.capitalised = capitalised

    def __missing__(self, text: str) -> str:
        if len(self) > _MAX_WORDS:
            self.clear()
        hyphenated = self[text] = _WORD.sub(self._replaced, text)
        return hyphenated

    def _replaced(self, match: re.Match[str]) -> str:
        return _word(match[0], self.language) if self.capitalised or match[0].islower() else match[0]


_MAX_WORDS = 20_000


def _word(word: str, language: str) -> str:
    if not _HYPHENATED.fullmatch(word) or word[1:] != word[1:].lower():
        return word
    patterns = _patterns(language)
    if patterns is None:
        return word
    places = [int(place) for place in patterns.positions(word) if not getattr(place, "data", None)]
    ends = [0, *places, len(word)]
    return SOFT_HYPHEN.join(word[start:end] for start, end in pairwise(ends))


@cache
def _patterns(language: str) -> Pyphen | None:
    """The patterns of a language; None if it has none, and its words stay whole."""
    import pyphen  # few texts are hyphenated

    name = language.replace("-", "_")
    found = pyphen.language_fallback(name)
    if found is None:
        if name.partition("_")[0] in _WITHOUT_PATTERNS:
            return None
        known = sorted({code.split("_")[0] for code in pyphen.LANGUAGES} | _WITHOUT_PATTERNS)
        raise fault(f"no language “{language}”", hint=did_you_mean(language, known))
    return pyphen.Pyphen(lang=found, right=_MIN_AFTER.get(found.partition("_")[0], 2))
