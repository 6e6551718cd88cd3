"""What a player could have had."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.book import Breach
from .book import Judged
from .sums import most_stacks


def hints(log: Judged) -> Iterator[Breach]:
    """Loose number-side cards that could be stacked: how many stacks they make at the most."""
    for hand in log.hands.values():
        loose = tuple(card for card in hand.loose if card)
        more = most_stacks(loose)
        if more:
            yield f"{log.names[hand.seat]} could make {more} more stack{'s' * (more != 1)} of loose cards", hand.id
