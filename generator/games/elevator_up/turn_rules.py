"""What the pile asks for, and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator

from ..legacy import Breach
from .book import Judged, book
from .deal_rules import faults

# ---- what is played -------------------------------------------------------------------------------------------------

@book.rule("one-thing", source="rulebook; E9")
def a_turn_is_one_thing(log: Judged) -> Iterator[Breach]:
    """In a turn cards are played, or a hidden card is flipped, or the pile is picked up; one of them, and with that
    the turn is over."""
    yield from faults(log, "one-thing")


@book.rule("same-cards", source="rulebook; E6")
def only_the_same_cards_are_played_together(log: Judged) -> Iterator[Breach]:
    """Several cards may be played at once when they are the same, special cards too; where the game says
    `specials_singly`, of these only one at a time."""
    yield from faults(log, "same-cards")


@book.rule("beats", source="rulebook; E1, E2, E4, E5")
def the_same_floor_or_a_higher_one(log: Judged) -> Iterator[Breach]:
    """A floor goes on the same floor or a lower one, on a Lobby, and on an empty pile; on a Penthouse only special
    cards go, another Penthouse too unless the game says `penthouse_on_penthouse: false`. Stuck and Door Closed are
    looked through: the nearest card below that is neither has to be beaten, and where there is none, anything goes."""
    yield from faults(log, "beats")


@book.rule("door-closed", source="rulebook; E3")
def door_closed_goes_on_no_special_card(log: Judged) -> Iterator[Breach]:
    """Door Closed goes on a floor or an empty pile, never on a special card: the card that really lies on top counts,
    even a Stuck or a Lobby. The other special cards go on anything."""
    yield from faults(log, "door-closed")


@book.rule("copies", source="E15")
def no_more_copies_than_the_deck_has(log: Judged) -> Iterator[Breach]:
    """Where the deal is not known, hands are taken on trust, but not the deck: of no card more copies turn up than it
    has, those in the pile, removed with it or picked up counted."""
    yield from faults(log, "copies")


# ---- whose turn it is -----------------------------------------------------------------------------------------------

@book.rule("turn-named", source="the turn log")
def every_turn_names_its_player(log: Judged) -> Iterator[Breach]:
    """Every turn says who takes it."""
    yield from faults(log, "turn-named")


@book.rule("turn-order", source="rulebook; E9")
def turns_go_round(log: Judged) -> Iterator[Breach]:
    """The first player on the sheet begins, and turns go round in the order of the sheet; who has picked up the pile
    has had a turn."""
    yield from faults(log, "turn-order")


@book.rule("skips", source="rulebook; E6, E11")
def door_closed_skips_the_next_player(log: Judged) -> Iterator[Breach]:
    """After a Door Closed the next player has no turn, after two of them played together the next two have none. With
    two players the one who played it plays again."""
    yield from faults(log, "skips")


@book.rule("new-building", source="rulebook; E6, E8")
def new_building_gives_another_turn(log: Judged) -> Iterator[Breach]:
    """A New Building takes the pile out of the game, itself included, and who played it goes again on an empty pile;
    several played together do that once."""
    yield from faults(log, "new-building")


@book.rule("four-of-a-kind", source="rulebook; E7, E8")
def four_of_a_kind_give_another_turn(log: Judged) -> Iterator[Breach]:
    """When the top four cards of the pile are of one floor, whoever played them and with nothing between them, the pile
    leaves the game, and who played the last of them goes again."""
    yield from faults(log, "four-of-a-kind")


@book.rule("failed-flip", source="rulebook; E10")
def a_failed_flip_is_a_turn(log: Judged) -> Iterator[Breach]:
    """A flipped card that may not be played goes to the player's hand at once, with the pile; that ends the turn, and
    no pick-up follows."""
    yield from faults(log, "failed-flip")


# ---- the end --------------------------------------------------------------------------------------------------------

@book.rule("out", source="rulebook; E12")
def who_is_said_to_be_out_is(log: Judged) -> Iterator[Breach]:
    """The player who is said to be out has got rid of all cards by the last turn of the log; whatever the last card
    was, unless the game says `finish_on_special: false`."""
    yield from faults(log, "out")


@book.rule("after-the-end", source="rulebook; E12, E15")
def nothing_follows_the_end(log: Judged) -> Iterator[Breach]:
    """The game ends at once when a player has no card left; no turn follows."""
    yield from faults(log, "after-the-end")
