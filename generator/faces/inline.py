"""Reads the markup in values: running text with tags, as `marks` passes it on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..lazy import pattern
from .face import Piece, Words
from .markup import PLAIN, font_in, glyph_or_break, words_in

TAGS = ("b", "i", "u", "s", "br")
"""The elements without attributes that the markup of a value may have."""
_TAG = pattern("<([^>]*)>")
_ICON, _NAMED = "icon name=", "icon_name="
_SEVERAL_WORDS = pattern(r"<([bius])>(?:[^< ]++|<icon)*+ (?:[^<]++|<icon)*+</\1>")
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&#34;": '"', "&#39;": "'", "&amp;": "&"}


def raw_pieces(markup: str, font: Words = PLAIN) -> Iterator[Piece]:
    """The raw pieces of markup in a text set in this font. Raises ValueError if a tag is not closed."""
    first, *parts = _TAG.split(markup)
    yield words_in(unescaped(first), font)
    fonts, tags = [font], [""]
    for tag, text in zip(parts[::2], parts[1::2], strict=True):
        if tag[0] == "/":
            if tags.pop() != tag[1:]:
                raise ValueError
            fonts.pop()
        elif tag[-1] == "/":
            yield glyph_or_break(tag[:4].rstrip("/"), tag[len(_ICON) + 1 : -2], fonts[-1])
        else:
            fonts.append(font_in(tag, fonts[-1]))
            tags.append(tag)
        if text:
            yield words_in(unescaped(text), fonts[-1])
    if len(tags) > 1:
        raise ValueError


def words(markup: str) -> Iterator[str]:
    """The words of a line of markup, each with the tags around it, so that `raw_pieces` reads it on its own. Tags
    within tags may be left without their ends."""
    if "<" in markup:
        markup = _SEVERAL_WORDS.sub(_word_by_word, markup.replace(_ICON, _NAMED))
    return filter(None, markup.split(" "))


def _word_by_word(element: re.Match[str]) -> str:
    """An element with several words as an element for each word."""
    return element[0].replace(" ", f"</{element[1]}> <{element[1]}>")


def unescaped(written: str) -> str:
    """The text that markup without tags stands for."""
    if "&" in written:
        for entity, letter in _ENTITIES.items():
            written = written.replace(entity, letter)
    return written
