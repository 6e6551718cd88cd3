"""Tiles as they are laid, and what they may stand for. `=` and `≠` are wildcards; tiles are capitals, words small."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import normalize

EQUAL, UNEQUAL = "=", "≠"
WILDCARDS = EQUAL + UNEQUAL

_TILES = re.compile(r"[A-Za-z=≠/ ]*")
_WORD = re.compile(r"[A-Za-z]+")


@lru_cache(1 << 12)
def tiles(text: str) -> str | None:
    """Tiles as they are typed (`co/king`, `C O = K I N G`) → `CO=KING`; None for anything else."""
    text = normalize("NFC", text)
    if not _TILES.fullmatch(text):
        return None
    return text.upper().replace(" ", "").replace("/", UNEQUAL)


def word(text: str) -> str | None:
    """A word in small letters; None for a text with anything but the letters A to Z."""
    text = text.strip()
    return text.lower() if _WORD.fullmatch(text) else None


def letters(laid: str) -> str:
    """The tiles without the wildcards."""
    return laid.replace(EQUAL, "").replace(UNEQUAL, "")


def unlike(laid: str, said: str) -> str:
    """Why the letters among the tiles are not those of the word, in a sentence; empty where they are."""
    if laid == said.upper():
        return ""
    if len(laid) != len(said):
        return f"“{said}” has {_counted(said, 'letter')}, but {laid} has {_counted(laid, 'tile')}"
    for number, (tile, letter) in enumerate(zip(laid, said.upper(), strict=True), 1):
        if tile not in (letter, *WILDCARDS):
            return f"tile {number} of {laid} is {tile}, but “{said}” has {letter} there"
    return ""


def _counted(many: str, one: str) -> str:
    return f"{len(many)} {one}{'s' * (len(many) != 1)}"


def wrong_equal(laid: str, said: str) -> list[str]:
    """The letters that a `=` stands for without a letter die of the word showing them."""
    shown = letters(laid)
    return [letter for tile, letter in zip(laid, said.upper(), strict=True) if tile == EQUAL and letter not in shown]


def wrong_unequal(laid: str, said: str) -> list[str]:
    """The letters that a `≠` stands for although another tile of the word stands for them too."""
    stands = said.upper()
    return [letter for tile, letter in zip(laid, stands, strict=True) if tile == UNEQUAL and stands.count(letter) > 1]
