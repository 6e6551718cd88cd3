"""Words for terminals that cannot show every letter."""

from __future__ import annotations

import codecs
from io import TextIOWrapper
from typing import TextIO

_PLAIN = str.maketrans({
    "→": "->", "−": "-", "–": "-", "─": "-", "“": '"', "”": '"', "’": "'", "▼": "v", "▲": "^", "≠": "/", "★": "*",
    "·": ".", "…": "...", "×": "x", "□": "o"})


def spoken(words: str, encoding: str | None) -> str:
    """The words as a terminal of this encoding can show them: what it does not have is written plainly, and where
    nothing plain is like it, as a question mark."""
    name = encoding or "utf-8"
    try:
        words.encode(name)
    except UnicodeEncodeError:
        return words.translate(_PLAIN).encode(name, "replace").decode(name)
    return words


def in_utf8(stream: TextIO) -> None:
    """Has a stream written in UTF-8 from now on, as JSON is, whatever the terminal's encoding."""
    if isinstance(stream, TextIOWrapper) and codecs.lookup(stream.encoding).name != "utf-8":
        stream.reconfigure(encoding="utf-8")
