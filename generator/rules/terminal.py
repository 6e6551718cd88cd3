"""Texts in the columns of a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unicodedata import combining, east_asian_width

Paint = Callable[[str, str], str]
"""Takes words and a style (bold, quiet, error, warning, good, hint); returns the words as printed."""


def unpainted(words: str, style: str) -> str:
    return words


def columns(words: str) -> int:
    """The width of a text in columns of the terminal."""
    return sum(0 if combining(letter) else 1 + (east_asian_width(letter) in "WF") for letter in words)


def filled(words: str, width: int) -> str:
    """The text, padded with spaces to `width` columns."""
    return words + " " * (width - columns(words))


def cut(words: str, width: int) -> str:
    """The text, shortened to at most `width` columns."""
    if columns(words) <= width:
        return words
    while words and columns(words) > width - 1:
        words = words[:-1]
    return words.rstrip() + "…"


def number_text(value: Any) -> str:
    """A number with a real minus sign; a fraction has at most two decimals."""
    if isinstance(value, int) or value.denominator == 1:
        return str(int(value)).replace("-", "−")
    return f"{float(value):.2f}".rstrip("0").replace("-", "−")


def ordinal(rank: int) -> str:
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"
