"""What a word is worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .tiles import EQUAL, UNEQUAL


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


def points(laid: str, purple: bool, scoring: Mapping[str, Any]) -> Points:
    """The points of these tiles; `purple` says whether one of them is the purple die. `scoring` as in game.yaml."""
    shown = laid.replace(EQUAL, "").replace(UNEQUAL, "")
    counts = map(shown.count, set(shown)) if len(set(shown)) < len(shown) else ()
    return worth(len(shown), len(laid) - len(shown), counts, purple, scoring)


def worth(dice: int, wild: int, counts: Iterable[int], purple: bool, scoring: Mapping[str, Any]) -> Points:
    """The points of so many letter dice and wildcards; `counts` says how many of the dice show the same letter."""
    return Points(letters(dice, scoring), wildcards(wild, scoring), repeats(counts, scoring),
                  on_purple(purple, scoring))


def letters(count: int, scoring: Mapping[str, Any]) -> int:
    """Every letter die of the word counts 1 point."""
    return int(count * scoring["letter"])


def wildcards(count: int, scoring: Mapping[str, Any]) -> int:
    """The first wildcard counts nothing, every other one 1 point; it does not matter which of them is called the
    first."""
    return int(scoring["first_wildcard"] + (count - 1) * scoring["wildcard"]) if count else 0


def repeats(counts: Iterable[int], scoring: Mapping[str, Any]) -> int:
    """A letter that two letter dice of the word show counts 1 more, one that three or more show counts 2 more, and so
    for every letter that repeats. What a wildcard stands for is no repeat."""
    bonus = {1: 0, 2: scoring["twice"], 3: scoring["thrice"]}
    each = [bonus.get(count, scoring["more"]) for count in counts if count]
    return sum(each) if scoring["repeats"] == "per_letter" else max(each, default=0)


def on_purple(used: bool, scoring: Mapping[str, Any]) -> int:
    """A letter on the purple die counts 1 more. Where neither the throw nor colours are known, only if it is ticked."""
    return int(scoring["purple"]) * used
