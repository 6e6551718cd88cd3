"""What the players have, and who has won."""

from __future__ import annotations

from ...rules.results import Result, Score, ranks
from . import points
from .book import FIVE_THROWS, LAST_DIE, ROUNDS, TOURNAMENT, WORDS, book
from .five_throws import FiveThrows
from .last_die import LastDie
from .played import Played
from .rounds import Rounds
from .tournament import Tournament

for _name, _source, _sheets, _function in (
        ("letters", "rulebook, game 1", WORDS, points.letters),
        ("wildcards", "rulebook, game 1; R4", WORDS, points.wildcards),
        ("repeats", "rulebook, game 1; R1, R2, R3", WORDS, points.repeats),
        ("purple-letter", "rulebook, game 1; R7, R26", WORDS, points.on_purple),
        ("round-bonus", "rulebook, game 1; R9, R25", ROUNDS, Rounds.bonus),
        ("the-end", "rulebook, games 1 and 2; R10, R25", ROUNDS, Rounds.after),
        ("rounds-won", "rulebook, game 3; R20, R22", LAST_DIE, LastDie.won),
        ("rounds-to-win", "rulebook, game 3; R13", LAST_DIE, LastDie.target),
        ("lines", "rulebook, yahtzee; R16, R17, R18, R27", FIVE_THROWS, FiveThrows.points_of),
        ("all-lines-filled", "rulebook, yahtzee; R27", FIVE_THROWS, FiveThrows.leaders),
        ("places", "rulebook, the tournament; R11", TOURNAMENT, Tournament.points_of),
        ("tie-break", "rulebook, the tournament; R12", TOURNAMENT, Tournament.winners)):
    book.counts(_name, source=_source, sheets=_sheets)(_function)


def score(played: Played) -> Result:
    """The score of every player, and the winners where there are any."""
    scores = tuple(Score(played.name(player), tuple(played.lines_of(player))) for player in played.players)
    outcome = played.outcome
    tied_apart = [player in outcome.winners for player in played.players]
    places = ranks((each.total, ahead) for each, ahead in zip(scores, tied_apart, strict=True))
    return Result(scores, places, tuple(map(played.name, outcome.winners)), outcome.remark)
