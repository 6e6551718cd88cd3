"""Where the cards lie that a player has left."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.results import Part
from . import score
from .book import Judged
from .play import NONE, Cards


def explain(log: Judged) -> Iterator[list[list[Part]]]:
    """The parts of every player's lines: cards in hand, face up and face down."""
    for seat in range(len(log.names)):
        yield [_lying(log, seat) for _ in score.cards_left(log, seat)]


def _lying(log: Judged, seat: int) -> list[Part]:
    assert log.replay
    state = log.replay.state
    heaps = (("in hand", state.hands[seat]), ("face up", state.up[seat]), ("face down", state.down[seat]))
    parts = [Part(f"{where}: {_called(log, cards)}", len(cards)) for where, cards in heaps if cards]
    return parts or [Part("no card is left", 0)]


def _called(log: Judged, cards: Cards) -> str:
    return log.called(cards) if NONE not in cards else f"{len(cards)} cards that nobody has seen"
