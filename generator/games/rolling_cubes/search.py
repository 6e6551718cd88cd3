"""What dice can lay out of a whole word list, exactly: the best words for a throw, and how many words in all.

All words are tested at once, as in a bitmap index (https://en.wikipedia.org/wiki/Bitmap_index): an integer holds a bit
for each word, and for every letter there is one such integer for “the word has it”, one for “at least twice”, and so
on. What a throw can lay comes out of a few hundred operations on these integers; no word is looked at by itself until
it is known to be one of the best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice
from typing import Any, overload

from .dice import EQUAL, PURPLE, UNEQUAL, WILDCARDS, Points, Throw, points_by_count, points_of, repeat_points
from .wordlist import WordList

_PLANES = [
    bytes(ord("1") if 97 <= code <= 122 and (code - 96) >> bit & 1 else ord("0") for code in range(256))
    for bit in (4, 3, 2, 1, 0)
]
"""For each bit of a letter's number (a is 1, z is 26), the highest first: a table for bytes.translate that turns
letters into this bit, as a digit 0 or 1, so that a column of a block reads as one binary number."""

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class LaidWord:
    """A word, how a throw lays it, and what it is worth."""

    word: str
    tiles: str
    colours: tuple[str, ...]
    points: Points


@dataclass(frozen=True, slots=True)
class Index:
    """Words of a list as bits. `having[letter][n]` has a bit for each word with the letter more than `n` times; of
    words of one length the first has the highest bit."""

    count: int
    having: Mapping[str, list[int]]

    def at_least(self, letter: str, times: int) -> int:
        levels = self.having.get(letter, ())  # dice of your own may show what no word has
        return levels[times - 1] if times <= len(levels) else 0


@lru_cache(32)
def index(words: WordList, length: int) -> Index:
    """The words of one length, indexed when they are first asked for."""
    block, width = words.blocks.get(length, b""), length + 1
    count = len(block) // width
    having: dict[str, list[int]] = {letter: [] for letter in _ALPHABET}
    for column in (block[at::width] for at in range(length if count else 0)):
        for letter, bits in zip(_ALPHABET, _by_letter(column, count)[1:], strict=False):
            _count_in(having[letter], bits)
    return Index(count, having)


@lru_cache(4)
def whole_index(words: WordList) -> Index:
    """The words of all lengths."""
    having: dict[str, list[int]] = {letter: [] for letter in _ALPHABET}
    count = 0
    for table in (index(words, length) for length in words.blocks):
        for letter, levels in table.having.items():
            all_levels = having[letter]
            all_levels += [0] * (len(levels) - len(all_levels))
            for number, bits in enumerate(levels):
                all_levels[number] |= bits << count
        count += table.count
    return Index(count, having)


def _by_letter(column: bytes, count: int) -> list[int]:
    """For each letter code which words have it in this column; each plane of the code's bits halves what is left."""
    halves = [(1 << count) - 1]
    for plane in _PLANES:
        ones = int(column.translate(plane), 2)
        halves = [half for bits in halves for half in (bits & ~ones, bits & ones)]
    return halves


def _count_in(levels: list[int], bits: int, most: int = 99) -> None:
    """Counts the words with a bit once more: from `levels[n]`, those counted more than `n` times, to the next."""
    for number, level in enumerate(levels):
        levels[number], bits = level | bits, level & bits
    if bits and len(levels) < most:
        levels.append(bits)


@dataclass(frozen=True, slots=True)
class ThrownLetters:
    """A throw as the search wants it: how many dice show each letter, and the letter on the purple die."""

    letters: Counter[str]
    equals: int
    unequals: int
    purple: str

    @property
    def repeated(self) -> list[str]:
        return [letter for letter, count in self.letters.items() if count > 1]


def _letters_of(throw: Throw) -> ThrownLetters:
    shown = Counter(throw.faces)
    equals, unequals = shown.pop(EQUAL, 0), shown.pop(UNEQUAL, 0)
    purple = throw.letters.get(PURPLE, "")[:1]
    return ThrownLetters(shown, equals, unequals, "" if purple in WILDCARDS else purple)


# ---- the best words for a throw -------------------------------------------------------------------------------------


def best(throw: Throw, words: WordList, rules: Mapping[str, Any], count: int = 10) -> list[LaidWord]:
    """The `count` words worth most that the throw can lay; of those worth the same the longest, then by alphabet.
    `rules` as in game.yaml."""
    dice, scoring = _letters_of(throw), rules["scoring"]
    ranked: list[tuple[int, str]] = []
    for length in range(len(throw.faces), rules["shortest"] - 1, -1):
        if len(ranked) >= count and _bound(dice, length, scoring) <= ranked[count - 1][0]:
            break
        ranked += islice(_of_length(dice, words, length, scoring), count)
        ranked.sort(key=lambda each: (-each[0], -len(each[1]), each[1]))
    colours = {face: throw.showing(face) for face in set(throw.faces)}
    return [_laid(word, colours, scoring) for _, word in ranked[:count]]


class Layable(Sequence[LaidWord]):
    """Every word a throw can lay, the shortest first, each laid only when it is looked at: there are thousands."""

    def __init__(self, throw: Throw, words: WordList, rules: Mapping[str, Any]) -> None:
        self.throw, self.words, self.scoring = throw, words, rules["scoring"]
        dice = _letters_of(throw)
        self._blocks = [
            (_layable(dice, table)[0], length, table.count)
            for length in range(rules["shortest"], len(throw.faces) + 1)
            if (table := index(words, length)).count
        ]
        self._count = sum(bits.bit_count() for bits, _, _ in self._blocks)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, number: int) -> LaidWord: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[LaidWord]: ...

    def __getitem__(self, number: int | slice) -> LaidWord | Sequence[LaidWord]:
        if isinstance(number, slice):
            return [self[at] for at in range(*number.indices(len(self)))]
        left = number if number >= 0 else number + len(self)
        for bits, length, count in self._blocks:
            if 0 <= left < bits.bit_count():
                at = count - 1 - _nth(bits, left, count)
                word = self.words.blocks[length][at * (length + 1) : at * (length + 1) + length].decode()
                return _laid(word, {face: self.throw.showing(face) for face in set(self.throw.faces)}, self.scoring)
            left -= bits.bit_count()
        raise IndexError(number)


def _bound(dice: ThrownLetters, length: int, scoring: Mapping[str, Any]) -> int:
    """More than this no word of the length is worth."""
    return int(
        length * max(scoring["letter"], scoring["wildcard"], scoring["first_wildcard"])
        + repeat_points(dice.letters.values(), scoring)
        + scoring["purple"] * bool(dice.purple)
    )


def _of_length(
    dice: ThrownLetters, words: WordList, length: int, scoring: Mapping[str, Any]
) -> Iterator[tuple[int, str]]:
    """The words of one length with their points, the best first, then by alphabet."""
    table = index(words, length)
    ranked: dict[int, int] = {}
    for bits, (wild, purple, *counts) in _classes(dice, table) if table.count else ():
        total = points_by_count(length - wild, wild, counts, bool(purple), scoring).total
        ranked[total] = ranked.get(total, 0) | bits
    for total in sorted(ranked, reverse=True):
        yield from ((total, word) for word in _named(ranked[total], words.blocks[length], length, table.count))


def _classes(dice: ThrownLetters, table: Index) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The words that can be laid, sorted by all that their points hang on: the number of wildcards, whether the purple
    die is in, and for each letter that several dice show how many of them are."""
    every, wild = _layable(dice, table)
    sorts = [_exactly(wild), _exactly([every, table.at_least(dice.purple, 1)] if dice.purple else [every])]
    for letter in dice.repeated:
        sorts.append(_exactly([every, *(table.at_least(letter, n) for n in range(1, dice.letters[letter] + 1))]))
    classes: list[tuple[int, tuple[int, ...]]] = [(every, ())]
    for ways in sorts:
        classes = [
            (both, (*parts, number))
            for bits, parts in classes
            for number, way in enumerate(ways)
            if (both := bits & way)
        ]
    yield from classes


def _exactly(at_least: list[int]) -> list[int]:
    """Words counted at least 0, 1, 2 … times → exactly so many times."""
    return [bits & ~more for bits, more in zip(at_least, [*at_least[1:], 0], strict=True)]


def _layable(dice: ThrownLetters, table: Index) -> tuple[int, list[int]]:
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


def _sums(first: list[int], second: list[int], every: int) -> list[int]:
    """Two counts of the same words, “at least n” each → their sum."""
    sums = [0] * (len(first) + len(second) - 1)
    for number, bits in enumerate(first):
        for more, others in enumerate(second):
            sums[number + more] |= bits & others & every
    return sums


def _named(bits: int, block: bytes, length: int, count: int) -> Iterator[str]:
    """The words whose bits are set, in their order."""
    marks = f"{bits:0{count}b}"
    at = marks.find("1")
    while at >= 0:
        yield block[at * (length + 1) : at * (length + 1) + length].decode()
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


def _laid(word: str, showing: Mapping[str, list[str]], scoring: Mapping[str, Any]) -> LaidWord:
    """How a throw lays a word that it can lay: with letter dice first, and of those that show the same letter in the
    order of `showing`."""
    tiles, colours = "", []
    for letter in word.upper():
        free = tiles.count(letter) < len(showing.get(letter, ()))
        tile = letter if free else EQUAL if letter in tiles else UNEQUAL
        colours.append(showing[tile][tiles.count(tile)])
        tiles += tile
    return LaidWord(word, tiles, tuple(colours), points_of(tiles, PURPLE in colours, scoring))


# ---- how many words a set of dice can lay ---------------------------------------------------------------------------


def count_layable(dice: Sequence[Sequence[str]], words: WordList) -> int:
    """How many words of the list these dice, each given by its faces, can lay without a wildcard.

    A word can be laid if there is a different die for each of its letters. By Hall's marriage theorem
    (https://en.wikipedia.org/wiki/Hall%27s_marriage_theorem) there is, unless some dice are too few: unless more
    letters of the word than there are of these dice show on no other die. So the words that cannot be laid are counted
    out for one group of dice after another, all words at once."""
    having = whole_index(words).having
    failing = 0
    for letters, count in _own_letters(dice):
        failing |= _more_than(count, [having[letter] for letter in letters])
    return len(words) - failing.bit_count()


def share_layable(dice: Sequence[Sequence[str]], words: WordList) -> float:
    """The same as a share of the list, from 0 to 1."""
    return count_layable(dice, words) / len(words)


def _own_letters(dice: Sequence[Sequence[str]]) -> Iterator[tuple[str, int]]:
    """Letters that show on these dice and on no others, and how many dice that are, for every group of dice; a group
    with a die that none of the letters shows on says nothing new and is left out."""
    kinds = Counter(frozenset(face for face in die if face not in WILDCARDS) for die in dice)
    for size in range(len(kinds) + 1):
        for group in combinations(kinds, size):
            shown = frozenset().union(*(kind for kind in kinds if kind not in group))
            own = [letter for letter in _ALPHABET if letter not in shown]
            if own and all(not kind.isdisjoint(own) for kind in group):
                yield "".join(own), sum(kinds[kind] for kind in group)


def _more_than(count: int, letters: Sequence[Sequence[int]]) -> int:
    """The words with more than `count` of these letters: their counts are added up and compared bit by bit for all
    words at once (bit slicing, https://en.wikipedia.org/wiki/Bit_slicing)."""
    if sum(map(len, letters)) <= count:
        return 0
    digits = [0] * sum(map(len, letters)).bit_length()  # of every word's count in binary, the lowest first
    for levels in letters:
        for bits in levels:
            for place, digit in enumerate(digits):
                digits[place], bits = digit ^ bits, digit & bits
                if not bits:
                    break
    more, same = 0, -1  # with a 1 where `count` has a 0, and the same above that
    for place in reversed(range(len(digits))):
        if count >> place & 1:
            same &= digits[place]
        else:
            more |= same & digits[place]
            same &= ~digits[place]
    return more
