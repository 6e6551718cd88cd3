"""What may be done with cards: actions of one's own, and what spaces ask for."""

from __future__ import annotations

from collections.abc import Iterator

from ..legacy import Breach
from .book import Judged, book
from .move_rules import faults


@book.rule("race", source="rulebook; C19")
def a_race_has_no_cards(log: Judged) -> Iterator[Breach]:
    """Where one races without cards, nothing is done with any."""
    yield from faults(log, "race")


@book.rule("deal", source="ours")
def the_deck_is_the_whole_deck(log: Judged) -> Iterator[Breach]:
    """A deck that is told card by card has no card more often than there are: two zero cards, and each number once."""
    yield from faults(log, "deal")


@book.rule("deal-whole", source="the travel log", severity="warning")
def the_whole_deck_is_told(log: Judged) -> Iterator[Breach]:
    """A deck that is told card by card tells of all of it. Where it does not, it is taken for all there is."""
    yield from faults(log, "deal-whole")


# ---- card actions ---------------------------------------------------------------------------------------------------

@book.rule("one-action", source="rulebook; C1, C2")
def one_card_action_a_turn(log: Judged) -> Iterator[Breach]:
    """In a turn one jumps, draws or discards, or does nothing of it; so a card just drawn jumps on a later turn. What a
    space or leaving the Big Bang asks for is no such action."""
    yield from faults(log, "one-action")


@book.rule("where-act", source="rulebook; C14, C16")
def where_card_actions_are_done(log: Judged) -> Iterator[Breach]:
    """One jumps and draws before rolling, in a turn that begins on a number. A card may be laid onto another player's
    in any turn but one that begins on green or orange, where there is no action at all."""
    yield from faults(log, "where-act")


@book.rule("in-hand", source="rulebook; C4")
def cards_lie_where_they_are_taken_from(log: Judged) -> Iterator[Breach]:
    """One jumps and discards with a card of one's own that lies cc side up, and turns it over; cards it makes zero with
    lie number side up and loose before the player they are said to."""
    yield from faults(log, "in-hand")


@book.rule("draw-from", source="rulebook; C17")
def one_draws_from_the_deck_or_the_pile(log: Judged) -> Iterator[Breach]:
    """A draw by one's own choice is from the deck or the pile, not from a player."""
    yield from faults(log, "draw-from")


@book.rule("pile", source="rulebook; C17")
def the_top_card_of_the_pile(log: Judged) -> Iterator[Breach]:
    """Of the pile only the top card can be drawn."""
    yield from faults(log, "pile")


@book.rule("deck", source="rulebook; C9")
def a_card_from_the_deck_was_still_in_it(log: Judged) -> Iterator[Breach]:
    """Who draws from the deck takes its top card, or may cut it once and must take the card that shows; the upper part
    goes back on top. So it is any card that is still in the deck."""
    yield from faults(log, "deck")


@book.rule("discard", source="rulebook; C4, C16")
def a_card_is_laid_onto_one_that_makes_zero(log: Judged) -> Iterator[Breach]:
    """By one's own choice a card is discarded only onto one number-side card of another player, so that the two make
    zero; they are a locked stack there."""
    yield from faults(log, "discard")


@book.rule("receiver-jumps", source="rulebook; C4")
def the_receiver_jumps_at_once(log: Judged) -> Iterator[Breach]:
    """Onto whose card one is laid, that player jumps at once to the space it stands for; who is there already stays."""
    yield from faults(log, "receiver-jumps")


# ---- what is asked for ----------------------------------------------------------------------------------------------

@book.rule("leaving", source="rulebook; C2")
def who_leaves_the_big_bang_takes_the_top_card(log: Judged) -> Iterator[Breach]:
    """Every way out of the Big Bang, through it or to the first three minutes too, brings the top card of the deck, cc
    side up."""
    yield from faults(log, "leaving")


@book.rule("orange", source="rulebook; C2, C6")
def on_orange_one_draws(log: Judged) -> Iterator[Breach]:
    """Who comes to an orange space or a centre draws at once, if there is anything to draw."""
    yield from faults(log, "orange")


@book.rule("orange-ways", source="rulebook; C6, C7")
def the_ways_to_draw_on_orange(log: Judged) -> Iterator[Breach]:
    """On orange one takes a card from the deck; or cc side up from another player, if one has none lying so; or a
    number-side card, the top one of the pile or another player's, that makes zero with one or more of one's own."""
    yield from faults(log, "orange-ways")


@book.rule("green-ways", source="rulebook; C5, C7")
def the_ways_to_discard_on_green(log: Judged) -> Iterator[Breach]:
    """On green one may discard a card onto the pile; or give a card cc side up to a player who has none lying so; or
    number-side cards of one suit to a player with whose number-side cards they make zero."""
    yield from faults(log, "green-ways")


@book.rule("not-asked", source="rulebook; C5, C6")
def only_what_is_asked_for(log: Judged) -> Iterator[Breach]:
    """Beside the one card action, cards are drawn and discarded only where a space or leaving the Big Bang asks for it,
    once each time."""
    yield from faults(log, "not-asked")


# ---- stacks ---------------------------------------------------------------------------------------------------------

@book.rule("zero-sum", source="rulebook; C3")
def cards_stacked_in_a_turn_sum_to_zero(log: Judged) -> Iterator[Breach]:
    """Cards that are said to be stacked in a turn sum to zero, and lie number side up."""
    yield from faults(log, "zero-sum")


@book.rule("locked", source="rulebook; C3, C20")
def stacks_and_zero_cards_are_locked(log: Judged) -> Iterator[Breach]:
    """Nothing is taken from a zero stack or laid onto it, nor is a zero card that lies number side up. A log need not
    say when loose cards were stacked; only where it does, they are locked from then on."""
    yield from faults(log, "locked")
