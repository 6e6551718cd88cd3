"""The best words for a throw, exactly, out of a whole word list.

Words of one length are looked at all at once: a whole number holds a bit for each word, and for every letter there is
one such number for “the word has it”, one for “at least twice”, and so on. What a throw can lay comes out of a few
hundred operations on these numbers; no word is looked at by itself until it is known to be one of the best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, overload

from .dice import PURPLE, Throw
from .points import Points, points, repeats, worth
from .tiles import EQUAL, UNEQUAL, WILDCARDS
from .wordlist import WordList

_PLANES = [bytes(ord("1") if 97 <= code <= 122 and (code - 96) >> bit & 1 else ord("0") for code in range(256))
           for bit in (4, 3, 2, 1, 0)]
_FIRST = ord("A") - 1


@dataclass(frozen=True, slots=True)
class Found:
    """A word, how a throw lays it, and what it is worth."""

    word: str
    tiles: str
    colours: tuple[str, ...]
    points: Points


@dataclass(frozen=True, slots=True)
class Index:
    """The words of one length. `having[letter][n]` has a bit for each word with the letter more than `n` times; the
    first word has the highest bit."""

    count: int
    having: Mapping[str, list[int]]

    def at_least(self, letter: str, times: int) -> int:
        found = self.having[letter]
        return found[times - 1] if times <= len(found) else 0


@lru_cache(32)
def index(words: WordList, length: int) -> Index:
    """The index of one length, made when it is first asked for."""
    block, width = words.blocks.get(length, b""), length + 1
    count = len(block) // width
    having: dict[str, list[int]] = {chr(_FIRST + code): [] for code in range(1, 27)}
    for column in (block[at::width] for at in range(length if count else 0)):
        for code, bits in enumerate(_by_letter(column, count)):
            if code in range(1, 27):
                _count_in(having[chr(_FIRST + code)], bits)
    return Index(count, having)


def _by_letter(column: bytes, count: int) -> list[int]:
    """For each letter code which words have it in this column; each plane of the code's bits halves what is left."""
    found = [(1 << count) - 1]
    for plane in _PLANES:
        ones = int(column.translate(plane), 2)
        found = [half for bits in found for half in (bits & ~ones, bits & ones)]
    return found


def _count_in(levels: list[int], bits: int, most: int = 99) -> None:
    """Counts the words with a bit once more: from `levels[n]`, those counted more than `n` times, to the next."""
    for number, level in enumerate(levels):
        levels[number], bits = level | bits, level & bits
    if bits and len(levels) < most:
        levels.append(bits)


@dataclass(frozen=True, slots=True)
class Hand:
    """A throw as the search wants it."""

    letters: Counter[str]
    equals: int
    unequals: int
    purple: str

    @property
    def repeated(self) -> list[str]:
        return [letter for letter, count in self.letters.items() if count > 1]


def hand(throw: Throw) -> Hand:
    shown = Counter(throw.faces)
    equals, unequals = shown.pop(EQUAL, 0), shown.pop(UNEQUAL, 0)
    purple = throw.letters.get(PURPLE, "")[:1]
    return Hand(shown, equals, unequals, "" if purple in WILDCARDS else purple)


def best(throw: Throw, words: WordList, rules: Mapping[str, Any], count: int = 10) -> list[Found]:
    """The `count` words worth most that the throw can lay; of those worth the same the longest, then by alphabet.
    `rules` as in game.yaml."""
    dice, scoring = hand(throw), rules["scoring"]
    found: list[tuple[int, str]] = []
    for length in range(len(throw.faces), rules["shortest"] - 1, -1):
        if len(found) >= count and _bound(dice, length, scoring) <= found[count - 1][0]:
            break
        found += islice(_of_length(dice, words, length, scoring), count)
        found.sort(key=lambda one: (-one[0], -len(one[1]), one[1]))
    colours = {face: throw.showing(face) for face in set(throw.faces)}
    return [_laid(word, colours, scoring) for _, word in found[:count]]


class Layable(Sequence[Found]):
    """Every word a throw can lay, the shortest first, each made only when it is looked at: there are thousands."""

    def __init__(self, throw: Throw, words: WordList, rules: Mapping[str, Any]) -> None:
        self.throw, self.words, self.scoring = throw, words, rules["scoring"]
        dice = hand(throw)
        self._blocks = [(_layable(dice, table)[0], length, table.count)
                        for length in range(rules["shortest"], len(throw.faces) + 1)
                        if (table := index(words, length)).count]
        self._count = sum(bits.bit_count() for bits, _, _ in self._blocks)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, number: int) -> Found: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[Found]: ...

    def __getitem__(self, number: int | slice) -> Found | Sequence[Found]:
        if isinstance(number, slice):
            return [self[one] for one in range(*number.indices(len(self)))]
        left = number if number >= 0 else number + len(self)
        for bits, length, count in self._blocks:
            if 0 <= left < bits.bit_count():
                at = count - 1 - _nth(bits, left, count)
                word = self.words.blocks[length][at * (length + 1):at * (length + 1) + length].decode()
                return _laid(word, {face: self.throw.showing(face) for face in set(self.throw.faces)}, self.scoring)
            left -= bits.bit_count()
        raise IndexError(number)


def _bound(dice: Hand, length: int, scoring: Mapping[str, Any]) -> int:
    """More than this no word of the length is worth."""
    return int(length * max(scoring["letter"], scoring["wildcard"], scoring["first_wildcard"])
               + repeats(dice.letters.values(), scoring) + scoring["purple"] * bool(dice.purple))


def _of_length(dice: Hand, words: WordList, length: int, scoring: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """The words of one length with their points, the best first, then by alphabet."""
    table = index(words, length)
    ranked: dict[int, int] = {}
    for bits, (wild, purple, *counts) in _classes(dice, table) if table.count else ():
        total = worth(length - wild, wild, counts, bool(purple), scoring).total
        ranked[total] = ranked.get(total, 0) | bits
    for total in sorted(ranked, reverse=True):
        yield from ((total, word) for word in _named(ranked[total], words.blocks[length], length, table.count))


def _classes(dice: Hand, table: Index) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The words that can be laid, sorted by all that their points hang on: the number of wildcards, whether the purple
    die is in, and for each letter that several dice show how many of them are."""
    every, wild = _layable(dice, table)
    sorts = [_exactly(wild), _exactly([every, table.at_least(dice.purple, 1)] if dice.purple else [every])]
    for letter in dice.repeated:
        sorts.append(_exactly([every, *(table.at_least(letter, n) for n in range(1, dice.letters[letter] + 1))]))
    classes: list[tuple[int, tuple[int, ...]]] = [(every, ())]
    for ways in sorts:
        classes = [(both, (*parts, number)) for bits, parts in classes for number, way in enumerate(ways)
                   if (both := bits & way)]
    yield from classes


def _exactly(at_least: list[int]) -> list[int]:
    """Words counted at least 0, 1, 2 … times → exactly so many times."""
    return [bits & ~more for bits, more in zip(at_least, [*at_least[1:], 0], strict=True)]


def _layable(dice: Hand, table: Index) -> tuple[int, list[int]]:
    """The words that can be laid, and those of them that need at least 0, 1, 2 … wildcards.

    As many letter dice are used as there are: a wildcard never scores better. A letter that no die shows takes a ≠, so
    it stands in the word once; what goes beyond the dice that show a letter takes a =."""
    every = (1 << table.count) - 1
    strange: list[int] = [every]
    beyond: list[int] = [every]
    barred = 0
    for letter, levels in table.having.items():
        shown = dice.letters.get(letter, 0)
        if len(levels) <= shown:
            continue
        if not (dice.equals if shown else dice.unequals):
            barred |= levels[shown]
        elif not shown:
            _count_in(strange, levels[0], dice.unequals + 2)
            barred |= table.at_least(letter, 2)
        else:
            for bits in levels[shown:]:
                _count_in(beyond, bits, dice.equals + 2)
    for levels, most in ((strange, dice.unequals), (beyond, dice.equals)):
        barred |= levels[most + 1] if len(levels) > most + 1 else 0
    every &= ~barred
    return every, _sums(strange, beyond, every)


def _sums(one: list[int], other: list[int], every: int) -> list[int]:
    """Two counts of the same words, “at least n” each → their sum."""
    sums = [0] * (len(one) + len(other) - 1)
    for number, bits in enumerate(one):
        for more, others in enumerate(other):
            sums[number + more] |= bits & others & every
    return sums


def _named(bits: int, block: bytes, length: int, count: int) -> Iterator[str]:
    """The words whose bits are set, in their order."""
    marks = f"{bits:0{count}b}"
    at = marks.find("1")
    while at >= 0:
        yield block[at * (length + 1):at * (length + 1) + length].decode()
        at = marks.find("1", at + 1)


def _nth(bits: int, number: int, width: int) -> int:
    """Which bit the `number`-th of those that are set is, from 0 and the highest of `width` bits on."""
    low = 0
    while width > 1:
        half = width // 2
        high = bits >> half
        if (more := high.bit_count()) > number:
            bits, width, low = high, width - half, low + half
        else:
            bits, width, number = bits & (1 << half) - 1, half, number - more
    return low


def _laid(said: str, showing: Mapping[str, list[str]], scoring: Mapping[str, Any]) -> Found:
    """How a throw lays a word that it can lay: with letter dice first, and of those that show the same letter in the
    order of `showing`."""
    tiles, colours = "", []
    for letter in said.upper():
        free = tiles.count(letter) < len(showing.get(letter, ()))
        tile = letter if free else EQUAL if letter in tiles else UNEQUAL
        colours.append(showing[tile][tiles.count(tile)])
        tiles += tile
    return Found(said, tiles, tuple(colours), points(tiles, PURPLE in colours, scoring))
