"""How many cards everybody has left, and who is out."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.results import Line, Result, Score, ranks
from . import play
from .book import Judged, book
from .replay import Replay


@book.counts("cards-left", source="rulebook")
def cards_left(log: Judged, seat: int) -> Iterator[Line]:
    """Where the log tells how the cards were dealt, everybody's cards that are left are counted: in hand, face up and
    face down. Fewer are better."""
    if _followed(log.replay):
        assert log.replay
        yield Line("cards left", play.left(log.replay.state, seat))


@book.counts("out-first", source="rulebook; E12")
def winner(log: Judged) -> str | None:
    """Whoever gets rid of all cards first wins, whatever the last card was. Without the deal it is the player whom the
    log names as out."""
    found = log.replay
    if found and found.state.known:
        return log.names[found.state.winner] if found.state.winner != play.NONE else None
    return log.names[log.out] if log.out is not None else None


def score(log: Judged) -> Result:
    """The cards everybody has left, and the winner where there is one."""
    scores = tuple(Score(name, tuple(cards_left(log, seat))) for seat, name in enumerate(log.names))
    first = winner(log)
    places = ranks((each.player == first, -each.total) for each in scores)
    return Result(scores, places, (first,) if first else (), _remark(log, first), unit="card")


def _followed(replay: Replay | None) -> bool:
    """Whether the cards could be followed from the deal to the end of the log."""
    return replay is not None and replay.state.known and replay.whole


def _remark(log: Judged, first: str | None) -> str:
    if log.replay is None:
        return ""
    lost = log.replay.told and not _followed(log.replay)
    going = "" if first else f"The game is not over: it is {log.names[log.replay.state.seat]}'s turn."
    return " ".join(filter(None, [going, "How many cards are left cannot be told." if lost else ""]))
