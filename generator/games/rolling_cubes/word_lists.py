"""Word lists, the bundled ones and your own. Searching them: the best words for a throw, and how many words a set of
dice can lay.

The search tests all words at once with a bitmap index (https://en.wikipedia.org/wiki/Bitmap_index). An integer holds
one bit for each word. For each letter there is one such integer for “the word has the letter”, one for “the word has it
at least twice”, and so on. A few hundred operations on these integers find the words that a throw can lay; only the
best ones are then read one by one.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, combinations, groupby, islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from ... import nodes, paths
from ...errors import Place, fault
from ...model.game import Game
from .play import (
    EQUAL,
    PURPLE,
    UNEQUAL,
    WILDCARDS,
    Points,
    Throw,
    letter_tiles,
    points_by_count,
    points_of,
    read_word,
    repeat_points,
)

MAX_BYTES = 16_000_000
# The number of best words that a player chooses among, and that are tried for each line of the five-throw sheet.
MAX_TRIED = 100


class WordList:
    """Words in the lower-case letters a to z. For each length, `blocks` holds the words in alphabetical order, each
    followed by a line end, so that a binary search finds them. `language` is that of a bundled list."""

    def __init__(self, blocks: Mapping[int, bytes], language: str = "") -> None:
        self.blocks, self.language = blocks, language

    def __len__(self) -> int:
        return sum(len(block) // (length + 1) for length, block in self.blocks.items())

    def __contains__(self, word: str) -> bool:
        return bool(word) and any(self._beginning(word, len(word)))

    def beginning(self, letters: str, shortest: int) -> Iterator[str]:
        """The words of at least this length that begin with these letters, the shortest first."""
        for length in sorted(self.blocks):
            if length >= max(shortest, len(letters)):
                yield from self._beginning(letters, length)

    def _beginning(self, letters: str, length: int) -> Iterator[str]:
        block, key, width = self.blocks.get(length, b""), letters.encode(), length + 1
        starts = range(0, len(block), width)
        first = bisect_left(starts, key, key=lambda start: block[start : start + len(key)])
        for start in starts[first:]:
            if not block.startswith(key, start):
                return
            yield block[start : start + length].decode()


def from_words(words: Iterable[str]) -> WordList:
    """A list of these words, given in any order."""
    ordered = sorted({*words}, key=lambda word: (len(word), word))
    blocks = {length: "".join(f"{word}\n" for word in group) for length, group in groupby(ordered, key=len)}
    return WordList({length: block.encode() for length, block in blocks.items()})


@lru_cache(8)
def bundled(path: Path, language: str = "") -> WordList:
    """A bundled list: a gzip file with the words of each length, separated by empty lines. Raises InputError for any
    other file, and for one that is too large."""
    place = Place(paths.display_path(path))
    reader = zlib.decompressobj(31)  # 15 + 16: gzip (https://www.zlib.net/manual.html#Advanced, inflateInit2)
    try:
        with path.open("rb") as stream:
            words = reader.decompress(stream.read(MAX_BYTES), MAX_BYTES)
        if reader.unconsumed_tail or not reader.eof:
            raise fault(f"the word list is damaged or larger than {MAX_BYTES / 1e6:g} MB", place)
        blocks = [block.rstrip(b"\n") + b"\n" for block in words.split(b"\n\n")]
        return WordList({block.index(b"\n"): block for block in blocks}, language)
    except (OSError, zlib.error) as error:
        raise fault("the word list cannot be read", place, "bundled lists are gzip files") from error


def bundled_lists(game: Game) -> Mapping[str, Mapping[str, str]]:
    """The bundled lists by language, starting with that of the standard dice: the files with `all` words and with the
    `common` ones."""
    return {game.rules["language"]: game.rules["words"], **game.rules["words_in"]}


def list_in(game: Game, language: str, kind: str = "all") -> WordList:
    """The bundled list in a language; if there is none, the list for the standard dice."""
    lists = bundled_lists(game)
    language = language if language in lists else next(iter(lists))
    name = lists[language][kind]
    path = paths.within(game.folder, name)
    if path is None:
        message = f"the word list “{name}” is outside the game’s folder"
        raise fault(message, Place(paths.display_path(game.folder / "game.yaml")))
    return bundled(path, language)


def own(path: Path, display_name: str, capitalised: bool = True) -> WordList:
    """Your own list: plain text, one word per line, in either case. Umlauts and accents are spelled as dice can lay
    them; lines with anything but letters are left out, and so, unless `capitalised`, are words that begin with a
    capital letter. Raises InputError for a file that cannot be read or has no words."""
    stamp = path.stat().st_mtime_ns if paths.is_file(path) else 0
    return _own(path, display_name, capitalised, stamp)


@lru_cache(4)
def _own(path: Path, display_name: str, capitalised: bool, stamp: int) -> WordList:
    lines = map(str.strip, nodes.read_text(path, display_name, MAX_BYTES).splitlines())
    words = from_words(word for line in lines if (capitalised or not line.istitle()) and (word := read_word(line)))
    if not words.blocks:
        raise fault("the word list has no words", Place(display_name), "write plain text, one word per line")
    return words


# For each bit of the number of a letter (a is 1, z is 26), the highest bit first: a table for bytes.translate that
# turns letters into the digit 0 or 1, so that a column of a block reads as one binary number.
_PLANES = [
    bytes(ord("1") if 97 <= code <= 122 and (code - 96) >> bit & 1 else ord("0") for code in range(256))
    for bit in (4, 3, 2, 1, 0)
]

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class LaidWord(Struct, frozen=True):
    """A word, how a throw lays it, and its points."""

    word: str
    tiles: str
    colours: tuple[str, ...]
    points: Points


class Index(Struct, frozen=True):
    """The words of a list as bits. `having[letter][n]` has a bit for each word that contains the letter more than `n`
    times; the first word has the highest bit."""

    count: int
    having: Mapping[str, list[int]]


@lru_cache(32)
def index(words: WordList, length: int) -> Index:
    """The index of the words of one length, cached."""
    block, width = words.blocks.get(length, b""), length + 1
    count = len(block) // width
    having: dict[str, list[int]] = {letter: [] for letter in ALPHABET}
    for column in (block[at::width] for at in range(length if count else 0)):
        # For each letter number, the words that have it in this column: each bit of the number halves the words.
        halves = [(1 << count) - 1]
        for plane in _PLANES:
            ones = int(column.translate(plane), 2)
            halves = [half for bits in halves for half in (bits & ~ones, bits & ones)]
        for letter, bits in zip(ALPHABET, halves[1:], strict=False):
            _count_in(having[letter], bits)
    return Index(count, having)


def _count_in(levels: list[int], bits: int, most: int = 99) -> None:
    """Adds one to the count of each word with a bit; `levels[n]` are the words counted more than `n` times, for `n`
    below `most`."""
    for number, level in enumerate(levels):
        levels[number], bits = level | bits, level & bits
        if not bits:
            return
    if len(levels) < most:
        levels.append(bits)


def best(throw: Throw, words: WordList, rules: Mapping[str, Any], count: int = 10) -> list[LaidWord]:
    """The `count` best words that the throw can lay; for equal points the longest first, then in alphabetical order.
    `rules` are those in game.yaml."""
    letters, scoring = Counter(letter_tiles(throw.faces)), rules["scoring"]
    purple = throw.letters.get(PURPLE, "")[:1]
    ranked: list[tuple[int, int, str]] = []
    for length in range(len(throw.faces), rules["shortest"] - 1, -1):
        most = length * max(scoring["letter"], scoring["wildcard"], scoring["first_wildcard"]) + scoring["purple"]
        if len(ranked) >= count and most + repeat_points(letters.values(), scoring) <= -ranked[count - 1][0]:
            break  # no word of this length can have more points
        layable = _words_at(_layable(throw, index(words, length)), words, length)
        ranked += ((-_total(letters, purple, word.upper(), scoring), -length, word) for word in layable)
        ranked.sort()
    colours = {face: throw.showing(face) for face in set(throw.faces)}
    return [_lay(word, colours, scoring) for _, _, word in ranked[:count]]


def _total(letters: Mapping[str, int], purple: str, word: str, scoring: Mapping[str, Any]) -> int:
    """The points of a word that dice with these letters can lay. It uses as many letter dice as possible, because a
    wildcard never scores more."""
    used = [min(word.count(letter), shown) for letter, shown in letters.items()]
    return points_by_count(used, len(word) - sum(used), bool(purple) and purple in word, scoring).total


class Layable(Sequence[LaidWord]):
    """Every word that a throw can lay, the shortest first. There are thousands, so each is laid only when needed."""

    def __init__(self, throw: Throw, words: WordList, rules: Mapping[str, Any]) -> None:
        self.throw, self.words, self.rules = throw, words, rules
        lengths = range(rules["shortest"], len(throw.faces) + 1)
        self._blocks = [(_layable(throw, index(words, length)), length) for length in lengths]
        self._count = sum(bits.bit_count() for bits, _ in self._blocks)

    @cached_property
    def best(self) -> list[LaidWord]:
        """The best words, as many as a simulated player looks at."""
        return best(self.throw, self.words, self.rules, MAX_TRIED)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: Any) -> Any:
        for bits, length in self._blocks:
            if number < bits.bit_count():
                word = next(islice(_words_at(bits, self.words, length), number, None))
                return _lay(
                    word, {face: self.throw.showing(face) for face in set(self.throw.faces)}, self.rules["scoring"]
                )
            number -= bits.bit_count()
        raise IndexError(number)


def _layable(throw: Throw, table: Index) -> int:
    """The words that can be laid. A letter that no die shows needs a ≠, so the word has it only once. If a word has a
    letter more often than dice show it, it needs a = for each."""
    faces, excluded = Counter(throw.faces), 0
    needed: dict[str, list[int]] = {EQUAL: [], UNEQUAL: []}
    for letter, levels in table.having.items():
        shown = faces[letter]
        wildcard = EQUAL if shown else UNEQUAL
        for bits in levels[shown:] if shown else levels[:1]:
            _count_in(needed[wildcard], bits, faces[wildcard] + 1)
        excluded |= levels[1] if not shown and len(levels) > 1 else 0
    for wildcard, levels in needed.items():
        excluded |= levels[faces[wildcard]] if len(levels) > faces[wildcard] else 0
    return ((1 << table.count) - 1) & ~excluded


def _words_at(bits: int, words: WordList, length: int) -> Iterator[str]:
    """The words of this length whose bits are set, in order."""
    block, width = words.blocks.get(length, b""), length + 1
    marks = f"{bits:0{len(block) // width}b}" if bits else ""
    at = marks.find("1")
    while at >= 0:
        yield block[at * width : at * width + length].decode()
        at = marks.find("1", at + 1)


def _lay(word: str, showing: Mapping[str, list[str]], scoring: Mapping[str, Any]) -> LaidWord:
    """A word that the throw can lay, with its tiles: letter dice before wildcards, dice that show the same letter in
    the order of `showing`."""
    tiles, colours = "", []
    for letter in word.upper():
        free = tiles.count(letter) < len(showing.get(letter, ()))
        tile = letter if free else EQUAL if letter in tiles else UNEQUAL
        colours.append(showing[tile][tiles.count(tile)])
        tiles += tile
    return LaidWord(word, tiles, tuple(colours), points_of(tiles, PURPLE in colours, scoring))


def share_layable(dice: Sequence[Sequence[str]], words: WordList) -> float:
    """The share of the list that these dice, each given by its faces, can lay without wildcards, from 0 to 1.

    A word can be laid if there is a different die for each of its letters. By Hall's marriage theorem
    (https://en.wikipedia.org/wiki/Hall%27s_marriage_theorem), it cannot be laid if and only if the word has more
    letters that are only on some group of dice than there are dice in the group. The words that fail are found group by
    group, all words of a length at once."""
    groups, layable = [*_own_letters(dice)], len(words)
    for having in (index(words, length).having for length in words.blocks):
        failing = 0
        for letters, count in groups:
            counted: list[int] = []
            for bits in chain.from_iterable(having[letter] for letter in letters):
                _count_in(counted, bits, count + 1)
            failing |= counted[count] if len(counted) > count else 0
        layable -= failing.bit_count()
    return layable / len(words)


def _own_letters(dice: Sequence[Sequence[str]]) -> Iterator[tuple[str, int]]:
    """For every group of dice, the letters that are only on these dice, and the number of dice. Groups with a die that
    has none of these letters are left out: a smaller group covers them."""
    kinds = Counter(frozenset(face for face in die if face not in WILDCARDS) for die in dice)
    for size in range(len(kinds) + 1):
        for group in combinations(kinds, size):
            shown = frozenset().union(*(kind for kind in kinds if kind not in group))
            own = [letter for letter in ALPHABET if letter not in shown]
            if own and all(not kind.isdisjoint(own) for kind in group):
                yield "".join(own), sum(kinds[kind] for kind in group)
