"""Who plays, whose turn it is, and where a pawn may go."""

from __future__ import annotations

from collections.abc import Iterator

from ..legacy import Breach
from .book import Judged, book


def faults(log: Judged, rule: str) -> Iterator[Breach]:
    """What the replay of the log found against a rule."""
    for fault in log.replay.faults if log.replay else ():
        if fault.rule == rule:
            yield fault.message, *fault.where


@book.rule("two-to-six", source="ours")
def as_many_players_as_can_play(log: Judged) -> Iterator[Breach]:
    """Two to six players play."""
    span, count = log.sheet.game.definition.players, len(log.names)
    if count not in span:
        yield f"{count} player{'s' * (count != 1)} on the sheet, but {span.low} to {span.high} can play", "players"


@book.rule("names", source="the travel log")
def players_have_names_of_their_own(log: Judged) -> Iterator[Breach]:
    """Every player has a name that nobody else on the sheet has."""
    fields = log.sheet.rows.get("players", ())
    for seat in log.twins:
        yield f"two players are called {log.names[seat]}", f"players.{fields[seat]}"


# ---- turns ----------------------------------------------------------------------------------------------------------

@book.rule("turn-named", source="the travel log")
def every_turn_names_its_player(log: Judged) -> Iterator[Breach]:
    """Every turn says who takes it."""
    yield from faults(log, "turn-named")


@book.rule("turn-told", source="rulebook; C14")
def every_turn_has_its_move(log: Judged) -> Iterator[Breach]:
    """Every turn has one roll and one move, after a jump too; the log tells the roll and the space."""
    yield from faults(log, "turn-told")


@book.rule("turn-order", source="rulebook")
def turns_go_round(log: Judged) -> Iterator[Breach]:
    """The first player on the sheet begins, and turns go round in the order of the sheet."""
    yield from faults(log, "turn-order")


@book.rule("after-the-end", source="ours; C19")
def nothing_follows_the_end(log: Judged) -> Iterator[Breach]:
    """The game ends at once when a player's cards make three zero stacks, or with the turn in which the deck runs out;
    without cards when a player comes into the Big Bang at the end of a lap. Nothing follows."""
    yield from faults(log, "after-the-end")


# ---- moves ----------------------------------------------------------------------------------------------------------

@book.rule("move", source="rulebook")
def as_many_steps_as_the_die_shows(log: Judged) -> Iterator[Breach]:
    """A pawn goes as many spaces forward along the lap as the die shows, through the Big Bang as well."""
    yield from faults(log, "move")


@book.rule("first-three", source="rulebook, what happens there is ours")
def the_first_minutes_lead_back(log: Judged) -> Iterator[Breach]:
    """Who stops on a space of the first three minutes goes back to the Big Bang at once: only four or more leads on
    from there."""
    yield from faults(log, "first-three")


@book.rule("arrow", source="rulebook")
def an_arrow_leads_into_its_ring(log: Judged) -> Iterator[Breach]:
    """Who stands on an arrow moves into the ring, the first step to where it points; who only passes one stays on the
    lap."""
    yield from faults(log, "arrow")


@book.rule("curved", source="rulebook")
def round_the_ring_and_out_by_its_hole(log: Judged) -> Iterator[Breach]:
    """In a ring a pawn goes either way round, but does not turn back within a move. A move that would lead past the
    white hole of the left ring, or the black hole of the right one, goes out there; who begins on that hole may go out
    or on round. The centre is no space of the ring: a move may end there, and begins there with a step to any space of
    the ring."""
    yield from faults(log, "curved")


@book.rule("wormhole", source="rulebook; C12")
def a_wormhole_is_crossed_by_who_stops_on_it(log: Judged) -> Iterator[Breach]:
    """Who stands on a wormhole has to cross it: the next move begins at its other end. Nobody crosses by passing."""
    yield from faults(log, "wormhole")


@book.rule("loop", source="rulebook; C11")
def four_in_the_left_black_hole(log: Judged) -> Iterator[Breach]:
    """Who rolls a 4 in the black hole of the left ring would fall to and fro for ever, and goes to the Big Bang."""
    yield from faults(log, "loop")


@book.rule("bump", source="rulebook; C8")
def who_is_met_goes_where_the_other_came_from(log: Judged) -> Iterator[Breach]:
    """A pawn that is met on its space goes to the space the other one has left, and what that asks for is done; there
    is nobody to be met there."""
    yield from faults(log, "bump")


@book.rule("together", source="C15")
def the_big_bang_has_room_for_everybody(log: Judged) -> Iterator[Breach]:
    """In the Big Bang there may be several pawns, and none of them has to go."""
    yield from faults(log, "together")


@book.rule("jump", source="rulebook; C10, C13, C18, C20")
def a_jump_leads_to_the_space_of_its_card(log: Judged) -> Iterator[Breach]:
    """Who jumps goes to the space that bears the card's number, with a zero card to the Big Bang, and rolls and moves
    on from there. On a board with several such spaces it is the nearest: the fewest steps along the track either way,
    and if two are as near, the one ahead. What else a cc side shows changes nothing."""
    yield from faults(log, "jump")


@book.rule("across", source="rulebook; C12, C13")
def a_jump_in_the_left_ring_leads_across(log: Judged) -> Iterator[Breach]:
    """From the left ring, but not from its arrow, a jump leads across the wormhole: to the card's space if that lies in
    the region above the right ring, else to the first space there."""
    yield from faults(log, "across")
