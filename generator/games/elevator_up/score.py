"""The cards that each player has left, and the winner."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.results import Line, Part, Result, Score, ranks
from . import play
from .play import NONE, Cards, State
from .replay import ReplayedLog


def score(log: ReplayedLog) -> Result:
    """The number of cards each player has left, and the winner if there is one."""
    scores = tuple(Score(name, _lines(log, seat)) for seat, name in enumerate(log.names))
    out = winner(log)
    places = ranks((each.player == out, -each.total) for each in scores)
    return Result(
        scores, places, (out,) if out else (), _remark(log, out), unit="card", over=bool(out or log.replay is None)
    )


def _lines(log: ReplayedLog, seat: int) -> tuple[Line, ...]:
    """The number of cards a player has left, if they are known."""
    if log.replay is None or not log.replay.followed:
        return ()
    return (Line("cards left", play.cards_left(log.replay.state, seat)),)


def winner(log: ReplayedLog) -> str | None:
    """The player with no cards left; if hands are not known, the player named as out."""
    replay = log.replay
    if replay and replay.state.known:
        return log.names[replay.state.winner] if replay.state.winner != NONE else None
    return log.names[log.out] if log.out is not None else None


def _remark(log: ReplayedLog, out: str | None) -> str:
    replay = log.replay
    if replay is None:
        return ""
    unfinished = "" if out else f"The game is not over: it is {log.names[replay.state.seat]}’s turn."
    unknown = "The number of cards left is not known." if log.has_deal and not replay.followed else ""
    return " ".join(filter(None, [unfinished, unknown]))


# ---- explaining ----------------------------------------------------------------------------------------------------


def explain(log: ReplayedLog) -> Iterator[list[list[Part]]]:
    """For each player, the parts of each line: cards in hand, face up and face down."""
    for seat in range(len(log.names)):
        yield [_card_counts(log, log.replay.state, seat)] if log.replay and log.replay.followed else []


def _card_counts(log: ReplayedLog, state: State, seat: int) -> list[Part]:
    parts = (("in hand", state.hands[seat]), ("face up", state.up[seat]), ("face down", state.down[seat]))
    counts = [Part(f"{where}: {_description(log, cards)}", len(cards)) for where, cards in parts if cards]
    return counts or [Part("no cards left", 0)]


def _description(log: ReplayedLog, cards: Cards) -> str:
    return log.titles(cards) if NONE not in cards else f"{len(cards)} unknown cards"
