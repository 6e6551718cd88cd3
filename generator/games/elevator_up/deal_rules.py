"""Who plays, how the cards were dealt and swapped, and what a player who has them may play from."""

from __future__ import annotations

from collections.abc import Iterator

from ..legacy import Breach
from .book import Judged, book


def faults(log: Judged, rule: str) -> Iterator[Breach]:
    """What the replay of the log found against a rule."""
    for fault in log.replay.faults if log.replay else ():
        if fault.rule == rule:
            yield fault.message, *fault.where


@book.rule("two-to-five", source="rulebook")
def as_many_players_as_can_play(log: Judged) -> Iterator[Breach]:
    """Two to five players play."""
    span, count = log.sheet.game.definition.players, len(log.names)
    if count not in span:
        yield f"{count} player{'s' * (count != 1)} on the sheet, but {span.low} to {span.high} can play", "players"


@book.rule("names", source="the turn log")
def players_have_names_of_their_own(log: Judged) -> Iterator[Breach]:
    """Every player has a name that nobody else on the sheet has."""
    fields = log.sheet.rows.get("players", ())
    for seat in log.twins:
        yield f"two players are called {log.names[seat]}", f"players.{fields[seat]}"


@book.rule("deal", source="rulebook; E15")
def everybody_is_dealt_the_same(log: Judged) -> Iterator[Breach]:
    """Everybody is dealt three cards face down, two face up and three in hand, from a deck that has each card only as
    often as it has; what is left is the deck to draw from."""
    yield from faults(log, "deal")


@book.rule("deal-whole", source="the turn log", severity="warning")
def the_whole_deal_is_told(log: Judged) -> Iterator[Breach]:
    """A deal that is told card by card tells of all fifty. Where it does not, it is taken for all there is."""
    yield from faults(log, "deal-whole")


@book.rule("swaps", source="rulebook")
def cards_are_swapped_with_ones_own_hand(log: Judged) -> Iterator[Breach]:
    """Before the first turn everybody may swap face-up cards with cards from the own hand: both, one or none, each for
    one card."""
    yield from faults(log, "swaps")


@book.rule("in-hand", source="rulebook; E8, E9")
def only_cards_that_one_has_are_played(log: Judged) -> Iterator[Breach]:
    """Where the deal is known: a player plays cards that are there to play. After every play the hand is filled up to
    three while the deck lasts, before an extra turn too; after picking up the pile nothing is drawn."""
    yield from faults(log, "in-hand")


@book.rule("phases", source="rulebook")
def hand_then_face_up_then_face_down(log: Judged) -> Iterator[Breach]:
    """Cards are played from the hand as long as there are any; then from those face up; and only when those are gone,
    one of those face down is flipped, unseen."""
    yield from faults(log, "phases")


@book.rule("flip", source="rulebook; E14")
def a_hidden_card_of_ones_own_is_flipped(log: Judged) -> Iterator[Breach]:
    """A flipped card is one of the player's own face-down cards. It counts as any card that is played: if it may be
    played, it stays on the pile with all it does."""
    yield from faults(log, "flip")


@book.rule("pickup", source="rulebook; E13")
def who_can_play_must(log: Judged) -> Iterator[Breach]:
    """The pile is picked up only when nothing can be played: never where there is no pile, nor instead of flipping a
    hidden card."""
    yield from faults(log, "pickup")
