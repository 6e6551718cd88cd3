"""Which zero stacks a player has, and the sums that belong on the sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...rules.results import Part
from . import score
from .book import Judged
from .lines import called
from .log import Hand, is_stack
from .sums import Cards, stacked


def explain(log: Judged) -> Iterator[list[list[Part]]]:
    """The parts of every player's lines: each stack is one."""
    for seat in range(len(log.names)):
        yield [list(_stacks(log, seat)) or [Part("no zero stack", 0)] for _ in score.locked_stacks(log, seat)]


def _stacks(log: Judged, seat: int) -> Iterator[Part]:
    hand = log.hands.get(seat)
    if hand:
        yield from _told(hand)
    elif log.replay:
        state = log.replay.state
        yield from (Part(_locked(stack), 1) for stack in state.stacks[seat])
        yield from (Part(f"{called(stack)} sum to zero, though nobody has stacked them", 1)
                    for stack in stacked(state.loose[seat]))


def _told(hand: Hand) -> Iterator[Part]:
    for stack in hand.stacks:
        yield Part(_locked(stack), 1) if is_stack(stack) else Part(f"{called(stack)} are no zero stack", 0)
    yield from (Part("a zero card by itself", 1) for card in hand.loose if card == 0)


def _locked(stack: Cards) -> str:
    return f"{called(stack)} sum to zero" if any(stack) or len(stack) > 1 else "a zero card by itself"


def sums(log: Judged) -> Mapping[str, int]:
    """How many stacks every player should have written down, by the id of the field."""
    if not log.spec.cards:
        return {}
    numbers = log.sheet.rows.get("players", ())
    return {f"hands.{number}.claimed.stacks": score.standing(log, seat)[0] for seat, number in enumerate(numbers)}
