"""Reads, checks and scores the turn logs of Elevator Up."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.book import Violation
from ...rules.results import Line, Part, Result, Score, ranks
from ...sheets import FilledSheet
from ..base import GameRules
from . import play
from .log import READING, rules
from .play import NONE
from .replay import LogReplay


class ElevatorUpRules(GameRules[LogReplay]):
    """The rules of the turns; the score is the number of cards that each player has left."""

    rules = rules
    sheets = ("log",)
    reading = READING

    def read(self, sheet: FilledSheet) -> LogReplay:
        return LogReplay(sheet)

    def violations(self, view: LogReplay) -> Iterator[Violation]:
        yield from view.player_violations(rules["two-to-five"], rules["names"])
        yield from view.violations

    def score(self, view: LogReplay) -> Result:
        """The number of cards each player has left, if the deal is known, and the winner: the player with no cards left
        or, if even the numbers of cards are not known, the player named as out."""
        state, winner = view.state, view.out
        if view.playable and state.known:
            winner = state.winner if state.winner != NONE else None
        remarks = []
        if view.playable and winner is None:
            remarks.append(f"The game is not over: it is {view.names[state.seat]}’s turn.")
        if view.playable and not view.followed and (view.sheet.code or view.sheet.extra.get("deal")):
            remarks.append("The number of cards left is not known.")
        scores = tuple(
            Score(name, (Line("cards left", play.cards_left(state, seat)),) if view.followed else ())
            for seat, name in enumerate(view.names)
        )
        places = ranks((seat == winner, -score.total) for seat, score in enumerate(scores))
        winners = () if winner is None else (view.names[winner],)
        over = bool(winners) or not view.playable
        return Result(scores, places, winners, " ".join(remarks), unit="card", over=over)

    def explain(self, view: LogReplay) -> Iterator[list[list[Part]]]:
        """For each player, the parts of the line: cards in hand, face up and face down."""
        for seat in range(len(view.names)):
            if not view.followed:
                yield []
                continue
            state = view.state
            parts = {"in hand": state.hands[seat], "face up": state.up[seat], "face down": state.down[seat]}
            counts = [Part(f"{where}: {view.titles(cards)}", len(cards)) for where, cards in parts.items() if cards]
            yield [counts or [Part("no cards left", 0)]]


RULES = ElevatorUpRules()
