"""Words in the columns of a terminal."""

from __future__ import annotations

from collections.abc import Callable
from unicodedata import combining, east_asian_width

Paint = Callable[[str, str], str]
"""Words and a style (bold, quiet, error, warning, good, hint) → the words as they are printed."""


def unpainted(words: str, style: str) -> str:
    return words


def columns(words: str) -> int:
    """Columns of a terminal that the words take."""
    return sum(0 if combining(letter) else 1 + (east_asian_width(letter) in "WF") for letter in words)


def filled(words: str, width: int) -> str:
    """The words with blanks behind them."""
    return words + " " * (width - columns(words))


def cut(words: str, width: int) -> str:
    """The words, shortened where they take more than so many columns."""
    if columns(words) <= width:
        return words
    while words and columns(words) > width - 1:
        words = words[:-1]
    return words.rstrip() + "…"


def number(points: int) -> str:
    """Points with a true minus sign."""
    return str(points).replace("-", "−")


def ordinal(rank: int) -> str:
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"
