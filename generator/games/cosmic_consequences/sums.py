"""Which of some numbers sum to zero."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def most_stacks(cards: Cards) -> int:
    """The most stacks that sum to zero and share no card."""
    return len(stacked(cards))


@lru_cache(1 << 14)
def stacked(cards: Cards) -> tuple[Cards, ...]:
    """The cards in as many stacks as there can be that sum to zero and share no card; some cards may be left over.

    A number and its opposite may always be paired: a stack that loses one of them to the pair finds its gap filled by
    the rest of the stack that loses the other. Of what is left, every set of cards is looked at once: in the best
    order of its cards, the most beginnings that sum to zero are the most stacks."""
    left, pairs = _paired(cards)
    sums, best = [0] * (1 << len(left)), [0] * (1 << len(left))
    for chosen in range(1, 1 << len(left)):
        low = (chosen & -chosen).bit_length() - 1
        sums[chosen] = sums[chosen & (chosen - 1)] + left[low]
        best[chosen] = (sums[chosen] == 0) + max(best[without] for without in _one_less(chosen))
    return (*pairs, *_beginnings(left, sums, best))


def _one_less(chosen: int) -> list[int]:
    """A set of cards, written as the bits of a number, without each of them in turn."""
    return [chosen ^ (1 << place) for place in range(chosen.bit_length()) if chosen >> place & 1]


def _beginnings(left: Sequence[int], sums: Sequence[int], best: Sequence[int]) -> Iterator[Cards]:
    """The stacks of the best order, the last one first."""
    chosen, end = len(best) - 1, 0
    while chosen:
        if sums[chosen] == 0:
            if end:
                yield _of(left, end ^ chosen)
            end = chosen
        chosen = max(_one_less(chosen), key=best.__getitem__)
    if end:
        yield _of(left, end)


def _of(left: Sequence[int], chosen: int) -> Cards:
    return tuple(card for place, card in enumerate(left) if chosen >> place & 1)


def _paired(cards: Cards) -> tuple[list[int], list[Cards]]:
    """What is left when zeros and numbers with their opposites are taken out, and the stacks those are."""
    left: list[int] = []
    stacks: list[Cards] = []
    for card in cards:
        if card == 0:
            stacks.append((0,))
        elif -card in left:
            left.remove(-card)
            stacks.append((-card, card))
        else:
            left.append(card)
    if not (any(card > 0 for card in left) and any(card < 0 for card in left)):
        return [], stacks
    return left, stacks
