"""How many of the words of a list a set of dice can lay, exactly.

A word can be laid with letter dice alone if there is a different die for each of its letters. By Hall's theorem there
is, unless some dice are too few: unless more letters of the word than there are of these dice show on no other die. So
the words that cannot be laid are counted out for one group of dice after another, all words at once: a whole number
holds a bit for each word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from .tiles import WILDCARDS
from .wordlist import WordList

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SIGNS = [bytes(ord("1") if code == ord(letter.lower()) else ord("0") for code in range(256)) for letter in _ALPHABET]

Levels = Sequence[int]
"""The words that have a letter more than 0, 1, 2 … times, as bits."""


def laid(dice: Sequence[Sequence[str]], words: WordList) -> int:
    """How many words of the list these dice, each given by its faces, can lay without a wildcard."""
    having = _having(words)
    failing = 0
    for letters, count in _short(dice):
        failing |= _more_than(count, [having[letter] for letter in letters])
    return len(words) - failing.bit_count()


def share(dice: Sequence[Sequence[str]], words: WordList) -> float:
    """The same as a share of the list, from 0 to 1."""
    return laid(dice, words) / len(words)


def _short(dice: Sequence[Sequence[str]]) -> Iterator[tuple[str, int]]:
    """Letters that show on these dice and on no others, and how many dice that are, for every group of dice; a group
    with a die that none of the letters shows on tells nothing new and is left out."""
    kinds: dict[frozenset[str], int] = {}
    for die in dice:
        letters = frozenset(face for face in die if face not in WILDCARDS)
        kinds[letters] = kinds.get(letters, 0) + 1
    for size in range(len(kinds) + 1):
        for group in combinations(kinds, size):
            shown = frozenset().union(*(kind for kind in kinds if kind not in group))
            own = [letter for letter in _ALPHABET if letter not in shown]
            if own and all(not kind.isdisjoint(own) for kind in group):
                yield "".join(own), sum(kinds[kind] for kind in group)


def _more_than(count: int, letters: Sequence[Levels]) -> int:
    """The words with more than `count` of these letters."""
    if sum(map(len, letters)) <= count:
        return 0
    digits = [0] * sum(map(len, letters)).bit_length()
    for levels in letters:
        for bits in levels:
            _add(digits, bits)
    return _above(count, digits)


def _add(digits: list[int], bits: int) -> None:
    """Counts the words with a bit once more, in binary: `digits` are those of every word's count, the lowest first."""
    for place, digit in enumerate(digits):
        digits[place], bits = digit ^ bits, digit & bits
        if not bits:
            return


def _above(count: int, digits: Sequence[int]) -> int:
    """The words whose count is more than `count`: with a 1 where it has a 0, and above that the same digits."""
    more, same = 0, -1
    for place in reversed(range(len(digits))):
        if count >> place & 1:
            same &= digits[place]
        else:
            more |= same & digits[place]
            same &= ~digits[place]
    return more


@lru_cache(4)
def _having(words: WordList) -> Mapping[str, Levels]:
    """The levels of every letter, over all lengths of the list."""
    having: dict[str, list[int]] = {letter: [] for letter in _ALPHABET}
    before = 0
    for length, block in words.blocks.items():
        count = len(block) // (length + 1)
        for column in (block[at::length + 1] for at in range(length)):
            for letter, signs in zip(_ALPHABET, _SIGNS, strict=True):
                bits = int(column.translate(signs), 2)
                if bits:
                    _count_in(having[letter], bits << before)
        before += count
    return having


def _count_in(levels: list[int], bits: int) -> None:
    """Counts the words with a bit once more: from `levels[n]`, those counted more than `n` times, to the next."""
    for number, level in enumerate(levels):
        levels[number], bits = level | bits, level & bits
        if not bits:
            return
    levels.append(bits)
