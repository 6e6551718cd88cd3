"""How many zero stacks everybody has, and who has won."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.results import Line, Result, Score, ranks
from . import play
from .book import Judged, book


@book.counts("locked-zero-stacks", source="rulebook; C3, C20")
def locked_stacks(log: Judged, seat: int) -> Iterator[Line]:
    """A zero stack counts one, a zero card that lies number side up by itself one too. Hands that are told count as
    they lie; without them, a log's number-side cards are stacked as well as they can be."""
    if log.spec.cards:
        yield Line("locked zero stacks", standing(log, seat)[0])


@book.counts("three-stacks", source="ours")
def winners(log: Judged) -> tuple[int, ...]:
    """Who has three zero stacks wins at once. If the deck runs out before, the most stacks win when that turn is done,
    and of those with as many, who has loose number-side cards whose sum is nearest to zero; else they share."""
    made = log.replay
    if made is None:
        return ()
    seats = range(len(log.names))
    if made.state.winners and (not log.spec.cards or max(play.count(made.state, seat) for seat in seats)
                               >= log.spec.stacks):
        return made.state.winners
    if made.state.winners or any(hand.locked >= log.spec.stacks for hand in log.hands.values()):
        return play.best(standing(log, seat) for seat in seats)
    return ()


def standing(log: Judged, seat: int) -> tuple[int, int]:
    """A player's stacks, and minus how far the sum of the loose cards is from zero."""
    hand, made = log.hands.get(seat), log.replay
    if hand:
        return hand.locked, -abs(sum(hand.loose))
    return (play.count(made.state, seat), -play.rest(made.state, seat)) if made else (0, 0)


def score(log: Judged) -> Result:
    """Everybody's locked stacks, and the winners where there are any."""
    scores = tuple(Score(name, tuple(locked_stacks(log, seat))) for seat, name in enumerate(log.names))
    won = winners(log)
    places = ranks((seat in won, standing(log, seat)[0]) for seat in range(len(log.names)))
    return Result(scores, places, tuple(log.names[seat] for seat in won), _remark(log, won), unit="stack")


def _remark(log: Judged, won: tuple[int, ...]) -> str:
    if log.replay is None:
        return ""
    if not won:
        turn = f"it is {log.names[log.replay.state.seat]}'s turn" if log.turns else "nobody has three zero stacks"
        return f"The game is not over: {turn}."
    if log.spec.cards and standing(log, won[0])[0] < log.spec.stacks:
        return f"The deck has run out{_nearest(log, won)}."
    return ""


def _nearest(log: Judged, won: tuple[int, ...]) -> str:
    """Why others with as many stacks have not won."""
    alike = [seat for seat in range(len(log.names)) if standing(log, seat)[0] == standing(log, won[0])[0]]
    if len(alike) == len(won):
        return ""
    whose = " and ".join(f"{log.names[seat]}'s" for seat in won)
    return f"; of those with as many stacks, {whose} loose cards come nearest to zero"
