"""What a player could have had."""

from __future__ import annotations

from collections.abc import Iterator

from ..legacy import Breach
from .book import Judged
from .lines import called
from .sums import stacked


def hints(log: Judged) -> Iterator[Breach]:
    """Loose number-side cards that could be stacked: the most stacks that they make."""
    for hand in log.hands.values():
        loose = tuple(card for card in hand.loose if card)
        more = stacked(loose)
        if more:
            name, which = log.names[hand.seat], "; ".join(map(called, more))
            yield f"{name} could make {len(more)} more stack{'s' * (len(more) != 1)} of loose cards: {which}", hand.id
