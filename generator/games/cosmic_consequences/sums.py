"""Which of some numbers sum to zero."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

Cards: TypeAlias = tuple[int, ...]
"""Cards by their numbers, the least first; both zero cards are a 0."""


def without(cards: Cards, some: Cards) -> Cards:
    """The cards that are left when some are taken away, as far as they are there."""
    left = list(cards)
    for card in some:
        if card in left:
            left.remove(card)
    return tuple(left)


def holds(cards: Cards, some: Cards) -> bool:
    """Whether all of some cards are among these, each as often."""
    return len(without(cards, some)) == len(cards) - len(some)


def can_make(cards: Cards, total: int) -> bool:
    """Whether one or more of the cards have this sum."""
    reached: set[int] = set()
    for card in cards:
        reached |= {card, *(before + card for before in reached)}
    return total in reached


@lru_cache(1 << 14)
def choices(cards: Cards, total: int) -> tuple[Cards, ...]:
    """Every different choice of one or more of the cards with this sum."""
    found: dict[Cards, int] = {(): 0}
    for card in cards:
        found |= {(*chosen, card): value + card for chosen, value in found.items()}
    return tuple(chosen for chosen, value in found.items() if chosen and value == total)


@lru_cache(1 << 14)
def most_stacks(cards: Cards) -> int:
    """The most stacks that sum to zero and share no card.

    A number and its opposite may always be paired: a stack that loses one of them to the pair finds its gap filled by
    the rest of the stack that loses the other. Of what is left, every set of cards is looked at once: in the best
    order of its cards, the most beginnings that sum to zero are the most stacks."""
    left, pairs = _paired(cards)
    sums, best = [0] * (1 << len(left)), [0] * (1 << len(left))
    for chosen in range(1, 1 << len(left)):
        low = (chosen & -chosen).bit_length() - 1
        sums[chosen] = sums[chosen & (chosen - 1)] + left[low]
        best[chosen] = (sums[chosen] == 0) + max(
            best[chosen ^ (1 << place)] for place in range(len(left)) if chosen >> place & 1)
    return pairs + best[-1]


def _paired(cards: Cards) -> tuple[list[int], int]:
    """What is left when zeros and numbers with their opposites are taken out, and how many stacks those are."""
    left: list[int] = []
    stacks = 0
    for card in cards:
        if card == 0 or -card in left:
            stacks += 1
        if card and -card in left:
            left.remove(-card)
        elif card:
            left.append(card)
    if not (any(card > 0 for card in left) and any(card < 0 for card in left)):
        return [], stacks
    return left, stacks
