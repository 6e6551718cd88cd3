"""What a pencil writes on a travel log: every card action in the paper's one short line, cards by their numbers."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.copies import Strokes
from . import lines
from .book import Judged
from .lines import Forced, Line
from .log import Turn
from .play import DECK, NONE, PILE
from .sums import Cards

_PLACES = {DECK: "deck", PILE: "pile"}
_HANDS = ("cc_up", "number_up")


def drawn(log: Judged) -> Strokes:
    """The lines of the turns and the cards of the hands."""
    return Strokes(marks=dict([*_turns(log), *_hands(log)]))


def _turns(log: Judged) -> Iterator[tuple[str, str]]:
    for turn in log.turns:
        yield from ((f"{turn.id}.{name}", _line(log, line)) for name, line in turn.actions)
        if turn.forced:
            yield f"{turn.id}.forced", "; ".join(_forced(log, turn, done) for done in turn.forced)


def _forced(log: Judged, turn: Turn, done: Forced) -> str:
    who = [] if done.seat in (None, turn.seat) else [log.names[done.seat or 0]]
    return " ".join([*who, done.verb, _line(log, done.line)])


def _line(log: Judged, line: Line) -> str:
    """A line as the paper has it: several cards are parted from those they are stacked with."""
    where = [] if line.other == NONE else [_PLACES.get(line.other) or log.names[line.other]]
    parted = ["with"] if line.onto and len(line.cards) > 1 else []
    return " ".join([*where, *_cards(line.cards), *parted, *_cards(line.onto or ())])


def _cards(cards: Cards) -> list[str]:
    return [lines.shown(card) for card in cards]


def _hands(log: Judged) -> Iterator[tuple[str, str]]:
    for hand in log.hands.values():
        names = (*(f"{hand.id}.{part}" for part in _HANDS), *hand.fields)
        yield from ((name, " ".join(_cards(lines.cards(text, log.known)))) for name in names
                    if (text := log.sheet.text(name)))
