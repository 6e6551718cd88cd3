"""How many cards everybody has left and where they lie, and who is out."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.results import Line, Part, Result, Score, ranks
from . import play
from .play import NONE, Cards, State
from .replay import ReplayedLog


def score(log: ReplayedLog) -> Result:
    """The cards everybody has left, and the winner where there is one."""
    scores = tuple(Score(name, _lines(log, seat)) for seat, name in enumerate(log.names))
    first = winner(log)
    places = ranks((each.player == first, -each.total) for each in scores)
    return Result(scores, places, (first,) if first else (), _remark(log, first), unit="card")


def _lines(log: ReplayedLog, seat: int) -> tuple[Line, ...]:
    """The cards that a player has left, where the log tells how the cards were dealt."""
    if log.replay is None or not log.replay.followed:
        return ()
    return (Line("cards left", play.left(log.replay.state, seat)),)


def winner(log: ReplayedLog) -> str | None:
    """Whoever has got rid of all cards; without the deal, the player whom the log names as out."""
    replay = log.replay
    if replay and replay.state.known:
        return log.names[replay.state.winner] if replay.state.winner != NONE else None
    return log.names[log.out] if log.out is not None else None


def _remark(log: ReplayedLog, first: str | None) -> str:
    replay = log.replay
    if replay is None:
        return ""
    going = "" if first else f"The game is not over: it is {log.names[replay.state.seat]}'s turn."
    lost = "How many cards are left cannot be told." if replay.dealt and not replay.followed else ""
    return " ".join(filter(None, [going, lost]))


# ---- how the count is made up --------------------------------------------------------------------------------------

def explain(log: ReplayedLog) -> Iterator[list[list[Part]]]:
    """The parts of every player's lines: cards in hand, face up and face down."""
    for seat in range(len(log.names)):
        yield [_heaps(log, log.replay.state, seat)] if log.replay and log.replay.followed else []


def _heaps(log: ReplayedLog, state: State, seat: int) -> list[Part]:
    heaps = (("in hand", state.hands[seat]), ("face up", state.up[seat]), ("face down", state.down[seat]))
    parts = [Part(f"{where}: {_called(log, cards)}", len(cards)) for where, cards in heaps if cards]
    return parts or [Part("no card is left", 0)]


def _called(log: ReplayedLog, cards: Cards) -> str:
    return log.called(cards) if NONE not in cards else f"{len(cards)} cards that nobody has seen"
