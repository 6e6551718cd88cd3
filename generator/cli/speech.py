"""Words for terminals that cannot show every letter."""

from __future__ import annotations

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


def is_utf8(encoding: str | None) -> bool:
    """Whether every letter can be written in this encoding."""
    return (encoding or "utf-8").lower().replace("-", "").replace("_", "") == "utf8"
