"""Numbers of copies that stand in the titles themselves, as in the lists of decks: `3x Village`, `Village (x3)`,
`3 Village`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .headings import is_section

_BEFORE = re.compile(r"(\d{1,3})\s?(?:[xX×*]\s+|[×*]|x(?=[^\W\da-z]))([^\W\d].*)", re.DOTALL)
_AFTER = re.compile(r"([^\W\d].*?)(?:\s+[(\[]?|[(\[])\s?(?:[x×*]\s?(\d{1,3})|(\d{1,3})\s?[x×])\s?[)\]]?", re.DOTALL)
_BARE = re.compile(r"(\d{1,3})\s+([^\W\d].*)", re.DOTALL)


def signed(text: str) -> tuple[int, str] | None:
    """The copies and title in `3x Village` or `Village x3`; None for any other text."""
    if match := _BEFORE.fullmatch(text):
        return int(match[1]), match[2]
    match = _AFTER.fullmatch(text)
    return (int(match[2] or match[3]), match[1]) if match else None


def bare(text: str) -> tuple[int, str] | None:
    """The number and the words in `3 Village`, which may be copies and a title, or a title such as “7 Wonders”."""
    match = _BARE.fullmatch(text)
    return (int(match[1]), match[2]) if match else None


def counted(text: str) -> tuple[int, str] | None:
    return signed(text) or bare(text)


def may_be_copies(texts: Sequence[str]) -> bool:
    """Whether numbers without a sign may be copies: if at least every second text has one, and the words after them
    differ, unlike those of “2 Hearts” and “3 Hearts”."""
    found = [line for line in map(bare, texts) if line]
    return 2 * len(found) >= len(texts) > 0 and len({title for _, title in found}) == len(found)


def are_copies(texts: Sequence[str]) -> bool:
    """Whether numbers without a sign are probably copies: if every text has one, and they do not just count the
    texts."""
    numbers = [line[0] for line in map(bare, texts) if line]
    return len(numbers) == len(texts) and numbers != [*range(numbers[0], numbers[0] + len(numbers))]


def is_list_of_copies(texts: Sequence[str]) -> bool:
    """Whether at least half of the texts are lines of a deck list."""
    return 2 * sum(counted(text) is not None for text in texts) >= len(texts) > 0


def names_a_section(text: str) -> bool:
    """Whether a line of a deck list names a part of the deck: `Sideboard`, `Creatures (12)`, `// Spells`."""
    return text.startswith("//") or text.endswith(":") or is_section(text.strip("0123456789 ()[]:"))
