"""Word lists: the bundled ones and your own."""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from ... import nodes, paths
from ...errors import Place, fault
from ...model.game import Game
from .dice import read_word

MAX_BYTES = 16_000_000
_GZIP = 31
"""wbits for a gzip file, 15 + 16 (https://www.zlib.net/manual.html#Advanced, inflateInit2)."""


class WordList:
    """Words in the lower-case letters a to z. For each length, `blocks` holds the words in alphabetical order, each
    followed by a line end, so that a binary search finds them."""

    def __init__(self, blocks: Mapping[int, bytes]) -> None:
        self.blocks = blocks

    def __len__(self) -> int:
        return sum(len(block) // (length + 1) for length, block in self.blocks.items())

    def __contains__(self, word: str) -> bool:
        block, key, width = self.blocks.get(len(word), b""), word.encode(), len(word) + 1
        starts = range(0, len(block), width)
        place = bisect_left(starts, key, key=lambda start: block[start : start + width - 1]) * width
        return bool(key) and block[place : place + len(key)] == key


def from_words(words: Iterable[str]) -> WordList:
    """A list of these words, given in any order."""
    by_length: dict[int, set[str]] = {}
    for word in words:
        by_length.setdefault(len(word), set()).add(word)
    return WordList(
        {length: "".join(f"{word}\n" for word in sorted(group)).encode() for length, group in sorted(by_length.items())}
    )


@lru_cache(8)
def bundled(path: Path) -> WordList:
    """A bundled list: a gzip file with the words of each length, separated by empty lines. Raises InputError for any
    other file, and for one that is too large."""
    place, reader = Place(paths.display_path(path)), zlib.decompressobj(_GZIP)
    try:
        with path.open("rb") as stream:
            words = reader.decompress(stream.read(MAX_BYTES), MAX_BYTES)
        if reader.unconsumed_tail or not reader.eof:
            raise fault(f"the word list is damaged or larger than {MAX_BYTES / 1e6:g} MB", place)
        blocks = [block.rstrip(b"\n") + b"\n" for block in words.split(b"\n\n")]
        return WordList({block.index(b"\n"): block for block in blocks})
    except (OSError, zlib.error) as error:
        raise fault("the word list cannot be read", place, "bundled lists are gzip files") from error


def bundled_lists(game: Game) -> Mapping[str, Mapping[str, str]]:
    """The bundled lists by language, starting with that of the standard dice: the files with `all` words and with the
    `common` ones."""
    return {game.rules["language"]: game.rules["words"], **game.rules["words_in"]}


def list_in(game: Game, language: str, kind: str = "all") -> WordList:
    """The bundled list in a language; if there is none, the list for the standard dice."""
    lists = bundled_lists(game)
    return _bundled_in(game.folder, lists.get(language, game.rules["words"])[kind])


@lru_cache(8)
def _bundled_in(folder: Path, name: str) -> WordList:
    path = paths.within(folder, name)
    if path is None:
        place = Place(paths.display_path(folder / "game.yaml"))
        raise fault(f"the word list “{name}” is outside the game’s folder", place)
    return bundled(path)


def own(path: Path, display_name: str, capitalised: bool = True) -> WordList:
    """Your own list: plain text, one word per line, in either case. Umlauts and accents are spelled as dice can lay
    them; lines with anything but letters are left out, and so, unless `capitalised`, are words that begin with a
    capital letter. Raises InputError for a file that cannot be read or has no words."""
    try:
        stamp = path.stat().st_mtime_ns
    except OSError:
        stamp = 0  # reading the file will report the problem
    return _own(path, display_name, capitalised, stamp)


@lru_cache(4)
def _own(path: Path, display_name: str, capitalised: bool, stamp: int) -> WordList:
    lines = map(str.strip, nodes.read_text(path, display_name, MAX_BYTES).splitlines())
    words = from_words(word for line in lines if (capitalised or not line.istitle()) and (word := read_word(line)))
    if not words.blocks:
        raise fault("the word list has no words", Place(display_name), "write plain text, one word per line")
    return words
