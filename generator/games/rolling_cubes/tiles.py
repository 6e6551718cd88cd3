"""Tiles as they are laid, what they may stand for, and what they are worth.

`=` and `≠` are wildcards; tiles are capitals, words small. `scoring` is that of game.yaml everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple
from unicodedata import normalize

EQUAL, UNEQUAL = "=", "≠"
WILDCARDS = EQUAL + UNEQUAL

_TILES = re.compile(r"[A-Za-z=≠/ ]*")
_WORD = re.compile(r"[A-Za-z]+")


@lru_cache(1 << 12)
def read_tiles(text: str) -> str | None:
    """Tiles as they are typed (`co/king`, `C O = K I N G`) → `CO=KING`; None for anything else."""
    text = normalize("NFC", text)
    if not _TILES.fullmatch(text):
        return None
    return text.upper().replace(" ", "").replace("/", UNEQUAL)


def read_word(text: str) -> str | None:
    """A word in small letters; None for a text with anything but the letters A to Z."""
    text = text.strip()
    return text.lower() if _WORD.fullmatch(text) else None


def letter_tiles(tiles: str) -> str:
    """The tiles without the wildcards."""
    return tiles.replace(EQUAL, "").replace(UNEQUAL, "")


# ---- tiles and the word they stand for ------------------------------------------------------------------------------

def mismatch(tiles: str, word: str) -> str:
    """Why the letters among the tiles are not those of the word, in a sentence; empty where they are."""
    if tiles == word.upper():
        return ""
    if len(tiles) != len(word):
        return f"“{word}” has {_counted(word, 'letter')}, but {tiles} has {_counted(tiles, 'tile')}"
    for number, (tile, letter) in enumerate(zip(tiles, word.upper(), strict=True), 1):
        if tile not in (letter, *WILDCARDS):
            return f"tile {number} of {tiles} is {tile}, but “{word}” has {letter} there"
    return ""


def _counted(letters: str, noun: str) -> str:
    return f"{len(letters)} {noun}{'s' * (len(letters) != 1)}"


def wrong_equals(tiles: str, word: str) -> list[str]:
    """The letters that a `=` stands for without a letter die of the word showing them."""
    shown = letter_tiles(tiles)
    return [letter for tile, letter in zip(tiles, word.upper(), strict=True) if tile == EQUAL and letter not in shown]


def wrong_unequals(tiles: str, word: str) -> list[str]:
    """The letters that a `≠` stands for although another tile of the word stands for them too."""
    letters = word.upper()
    return [letter for tile, letter in zip(tiles, letters, strict=True)
            if tile == UNEQUAL and letters.count(letter) > 1]


# ---- points ---------------------------------------------------------------------------------------------------------

class Points(NamedTuple):
    """The points of one word, part by part as the rulebook adds them up."""

    letters: int = 0
    wildcards: int = 0
    repeats: int = 0
    purple: int = 0

    @property
    def total(self) -> int:
        return self.letters + self.wildcards + self.repeats + self.purple

    def __str__(self) -> str:
        parts = [(self.wildcards, "wildcards"), (self.repeats, "repeats"), (self.purple, "purple")]
        more = (f" + {points} for {name}" for points, name in parts if points)
        return f"{self.letters} letter{'s' * (self.letters != 1)}{''.join(more)}"


def points_of(tiles: str, purple: bool, scoring: Mapping[str, Any]) -> Points:
    """The points of these tiles; `purple` says whether one of them is the purple die."""
    shown = letter_tiles(tiles)
    counts = map(shown.count, set(shown)) if len(set(shown)) < len(shown) else ()
    return points_by_count(len(shown), len(tiles) - len(shown), counts, purple, scoring)


def points_by_count(dice: int, wildcards: int, counts: Iterable[int], purple: bool,
                    scoring: Mapping[str, Any]) -> Points:
    """The points of so many letter dice and wildcards; `counts` says how many of the dice show the same letter."""
    return Points(letter_points(dice, scoring), wildcard_points(wildcards, scoring), repeat_points(counts, scoring),
                  purple_points(purple, scoring))


def letter_points(count: int, scoring: Mapping[str, Any]) -> int:
    return int(count * scoring["letter"])


def wildcard_points(count: int, scoring: Mapping[str, Any]) -> int:
    """It does not matter which of the wildcards is called the first."""
    return int(scoring["first_wildcard"] + (count - 1) * scoring["wildcard"]) if count else 0


def repeat_points(counts: Iterable[int], scoring: Mapping[str, Any]) -> int:
    """The points for letters that several letter dice show, each so many times."""
    bonus = {1: 0, 2: scoring["twice"], 3: scoring["thrice"]}
    each = [bonus.get(count, scoring["more"]) for count in counts if count]
    return sum(each) if scoring["repeats"] == "per_letter" else max(each, default=0)


def purple_points(used: bool, scoring: Mapping[str, Any]) -> int:
    return int(scoring["purple"]) * used
