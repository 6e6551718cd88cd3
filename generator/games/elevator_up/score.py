"""How many cards every player has left and where they lie, and who is out."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.results import Line, Part, Result, Score, ranks
from . import play
from .play import NONE, Cards, State
from .replay import ReplayedLog


def score(log: ReplayedLog) -> Result:
    """The cards that every player has left, and the winner if there is one."""
    scores = tuple(Score(name, _lines(log, seat)) for seat, name in enumerate(log.names))
    first = winner(log)
    places = ranks((each.player == first, -each.total) for each in scores)
    return Result(scores, places, (first,) if first else (), _remark(log, first), unit="card")


def _lines(log: ReplayedLog, seat: int) -> tuple[Line, ...]:
    """The cards that a player has left, if the log says how the cards were dealt."""
    if log.replay is None or not log.replay.followed:
        return ()
    return (Line("cards left", play.cards_left(log.replay.state, seat)),)


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
    unfinished = "" if first else f"The game is not over: it is {log.names[replay.state.seat]}'s turn."
    unknown = "How many cards are left cannot be told." if log.has_deal and not replay.followed else ""
    return " ".join(filter(None, [unfinished, unknown]))


# ---- explaining ----------------------------------------------------------------------------------------------------


def explain(log: ReplayedLog) -> Iterator[list[list[Part]]]:
    """The parts of every player's lines: cards in hand, face up and face down."""
    for seat in range(len(log.names)):
        yield [_card_counts(log, log.replay.state, seat)] if log.replay and log.replay.followed else []


def _card_counts(log: ReplayedLog, state: State, seat: int) -> list[Part]:
    parts = (("in hand", state.hands[seat]), ("face up", state.up[seat]), ("face down", state.down[seat]))
    counts = [Part(f"{where}: {_called(log, cards)}", len(cards)) for where, cards in parts if cards]
    return counts or [Part("no card is left", 0)]


def _called(log: ReplayedLog, cards: Cards) -> str:
    return log.called(cards) if NONE not in cards else f"{len(cards)} cards that nobody has seen"
