"""The rules for the rounds of games 1 and 2, and for what is claimed there."""

from __future__ import annotations

from collections.abc import Iterator

from ..legacy import Breach
from .book import POINTS, ROUNDS, book
from .last_die import LastDie
from .played import Played
from .rounds import Rounds


@book.rule("everybody-plays", source="rulebook, game 1; R9", sheets=ROUNDS)
def everybody_has_a_turn_before_the_next_round(played: Rounds) -> Iterator[Breach]:
    """Before the next round begins, everybody who plays has had a turn: there is a word, or a 0 for none."""
    for each in played.rounds:
        for player in each.missing if each.full else ():
            yield f"{played.name(player)} has neither a word nor a 0 in {each.label}", f"{each.id}.words"


@book.rule("after-the-end", source="rulebook; R10, R25", sheets=POINTS)
def no_round_follows_the_last(played: Rounds | LastDie) -> Iterator[Breach]:
    """When somebody has won, no other round is played."""
    late = played.late_rounds
    if late:
        yield f"the game is won before {late[0].label}", late[0].id


@book.rule("play-off", source="rulebook; R25", sheets=ROUNDS)
def only_those_who_tied_play_on(played: Rounds) -> Iterator[Breach]:
    """Players who share the best total above the target play on, and nobody else does."""
    for each in played.rounds:
        if each.before.play_off and not each.before.won:
            for player, word in each.words.items():
                if player not in each.before.still:
                    yield f"{played.name(player)} plays in {each.label}, but only those who share the lead do", word.id


@book.rule("claimed-round", source="rulebook, game 1", sheets=ROUNDS)
def the_points_of_a_round_are_right(played: Rounds) -> Iterator[Breach]:
    """Where a player wrote the points of a round, they are those of the word with the round's bonus."""
    for each in played.rounds:
        for player in played.players:
            claimed = played.sheet.number(f"{each.id}.claimed.{player}")
            if claimed is not None and claimed != each.of(player):
                yield f"{played.name(player)} claims {claimed}, but {each.label} brings {each.of(player)}", \
                    f"{each.id}.claimed.{player}"


@book.rule("names", source="the score sheet")
def players_have_their_own_names(played: Played) -> Iterator[Breach]:
    """Every player has a name that nobody else on the sheet has."""
    seen: dict[str, int] = {}
    for player in played.sheet.rows.get("players", ()):
        name = played.name(player)
        if name.casefold() in seen:
            yield f"two players are called {name}", f"players.{player}", f"players.{seen[name.casefold()]}"
        seen.setdefault(name.casefold(), player)


@book.rule("claimed-total", source="the score sheet")
def the_totals_are_right(played: Played) -> Iterator[Breach]:
    """Where a player wrote a total, it is the sum of what the sheet brings."""
    for player in played.players:
        claimed = played.sheet.number(f"claimed.{player}")
        if claimed is not None and claimed != (total := played.total(player)):
            yield f"{played.name(player)} claims {claimed}, but it adds up to {total}", f"claimed.{player}"
