"""The hands at the end: each by itself, all together, and beside the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..legacy import Breach
from .book import Judged, book
from .lines import called, shown
from .log import Hand, is_stack
from .sums import Cards


@book.rule("stack-zero", source="rulebook; C3")
def stacks_sum_to_zero(log: Judged) -> Iterator[Breach]:
    """A stack has two or more number-side cards that sum to zero, or is a zero card alone."""
    for hand in log.hands.values():
        for stack, field in zip(hand.stacks, hand.fields, strict=True):
            if not is_stack(stack):
                yield f"{called(stack)} sum{'s' * (len(stack) == 1)} to {shown(sum(stack))}, not to zero" \
                      if sum(stack) else "a stack without cards", field


@book.rule("card-once", source="C3, C20")
def every_card_is_there_once(log: Judged) -> Iterator[Breach]:
    """Every card lies in one place only: the two zero cards in two, any other card in one."""
    there, seen = Counter(log.spec.deck), Counter[int]()
    for hand in log.hands.values():
        for card in hand.cc + hand.numbers:
            seen[card] += 1
            if seen[card] == there[card] + 1:
                yield f"{shown(card)} lies in more places than there are such cards", hand.id


@book.rule("hands-agree", source="the travel log")
def hands_agree_with_the_log(log: Judged) -> Iterator[Breach]:
    """Hands that are told beside a log are what its turns lead to: the same cards on the same sides, and what was
    stacked in a turn is a stack."""
    made = log.replay
    if made is None or not log.turns or not made.whole or not log.spec.cards:
        return
    for seat, hand in log.hands.items():
        state, name = made.state, log.names[seat]
        numbers = tuple(sorted(sum(state.stacks[seat], state.loose[seat])))
        yield from _differ(name, "cc side up", hand.cc, state.cc[seat], f"{hand.id}.cc_up")
        yield from _differ(name, "number side up", hand.numbers, numbers, f"{hand.id}.number_up")
        if hand.numbers == numbers:
            yield from _unstacked(name, hand, state.stacks[seat])


def _differ(name: str, side: str, told: Cards, right: Cards, where: str) -> Iterator[Breach]:
    if told != right:
        yield f"{name} has {called(told)} {side}, but the turns lead to {called(right)}", where


def _unstacked(name: str, hand: Hand, stacks: tuple[Cards, ...]) -> Iterator[Breach]:
    for stack in stacks:
        if len(stack) > 1 and stack not in hand.stacks:
            yield f"{called(stack)} were stacked before {name}, but are no stack in the hand", hand.id


@book.rule("claimed-stacks", source="the travel log")
def claimed_stacks_are_counted_right(log: Judged) -> Iterator[Breach]:
    """Where a player wrote how many locked stacks there are, there are so many."""
    for hand in log.hands.values():
        claimed = log.sheet.number(f"{hand.id}.claimed.stacks")
        if claimed is not None and claimed != hand.locked:
            yield f"{log.names[hand.seat]} claims {claimed}, but has {hand.locked} locked zero " \
                  f"stack{'s' * (hand.locked != 1)}", f"{hand.id}.claimed.stacks"
