"""A list of words, which is searched for a word in a few steps."""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from ...definitions import nodes
from ...errors import Place, fault
from .dice import read_word

MOST_BYTES = 16_000_000
_HEAD = 2
"""By how many letters the places of words are remembered."""

_AFTER_Z = b"{"
_GZIP = 31
"""wbits for a gzip file, 15 + 16 (https://www.zlib.net/manual.html#Advanced, inflateInit2)."""


class WordList:
    """Words of small letters a to z. `blocks` holds for each length its words in the order of the alphabet, each
    followed by a line's end, so that every word of a block lies at a known place."""

    def __init__(self, blocks: Mapping[int, bytes]) -> None:
        self.blocks = blocks
        self._heads: dict[tuple[int, bytes], tuple[int, int]] = {}

    def __len__(self) -> int:
        return sum(len(block) // (length + 1) for length, block in self.blocks.items())

    def __contains__(self, word: str) -> bool:
        block, key = self.blocks.get(len(word), b""), word.encode()
        if not key or not block:
            return False
        at = _first(block, len(word), key, *self._within(block, len(word), key[:_HEAD]))
        return block[at : at + len(key)] == key

    def _within(self, block: bytes, length: int, head: bytes) -> tuple[int, int]:
        """Between which words of this length those lie that begin with these letters, found once."""
        if (length, head) not in self._heads:
            self._heads[length, head] = (
                _first(block, length, head) // (length + 1),
                _first(block, length, head + _AFTER_Z) // (length + 1),
            )
        return self._heads[length, head]


def _first(block: bytes, length: int, key: bytes, low: int = 0, high: int | None = None) -> int:
    """Where the first word that is not before `key` lies in a block, or in its words from `low` to `high`."""
    width = length + 1
    starts = range(0, len(block), width)
    return bisect_left(starts, key, low, high, key=lambda start: block[start : start + length]) * width


def from_words(words: Iterable[str]) -> WordList:
    """A list of these words, in any order."""
    by_length: dict[int, set[str]] = {}
    for word in words:
        by_length.setdefault(len(word), set()).add(word)
    return WordList(
        {length: "".join(f"{word}\n" for word in sorted(group)).encode() for length, group in sorted(by_length.items())}
    )


@lru_cache(4)
def bundled(path: Path) -> WordList:
    """A list that came with the game: lengths one after another, an empty line between them."""
    blocks = (block.rstrip(b"\n") + b"\n" for block in zlib.decompress(path.read_bytes(), _GZIP).split(b"\n\n"))
    return WordList({block.index(b"\n"): block for block in blocks})


def own(path: Path, shown: str, proper_nouns: bool = True) -> WordList:
    """Your own list: plain text, one word a line, in either case. Lines with anything but the letters A to Z are
    left out, as no dice can lay them; without `proper_nouns` also those with a capital at their beginning only. Raises
    InputError for a file that cannot be read or has no word."""
    try:
        stamp = path.stat().st_mtime_ns
    except OSError:
        stamp = 0  # reading it will say what is wrong
    return _own(path, shown, proper_nouns, stamp)


@lru_cache(4)
def _own(path: Path, shown: str, proper_nouns: bool, stamp: int) -> WordList:
    lines = map(str.strip, nodes.read_text(path, shown, MOST_BYTES).splitlines())
    own_words = from_words(word for line in lines if (word := read_word(line)) and (proper_nouns or not line.istitle()))
    if not own_words.blocks:
        raise fault("no words in it", Place(shown), "plain text, one word a line")
    return own_words
