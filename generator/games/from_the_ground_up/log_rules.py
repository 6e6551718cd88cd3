"""The rules a log of turns is held against, after it was played through (`replay`)."""

from __future__ import annotations

from collections.abc import Iterator

from ..legacy import Breach
from . import play
from .book import Judged, book
from .replay import Ending, endings
from .table import Lying


def _faults(table: Judged, rule: str) -> Iterator[Breach]:
    for fault in table.replay.faults if table.replay else ():
        if fault.rule == rule:
            yield fault.message, fault.where


@book.rule("log-named", source="the log")
def every_marked_card_is_named(table: Judged) -> Iterator[Breach]:
    """A turn names the card that is marked; a star or a tick may do without, where only one card can be meant."""
    yield from _faults(table, "log-named")


@book.rule("deal", source="rulebook; F15")
def everyone_is_dealt_the_same(table: Judged) -> Iterator[Breach]:
    """Every player is dealt as many cards as all the others, and no card is dealt twice."""
    deal = table.sheet.extra.get("deal")
    each = table.dealt_to_each
    if deal is None:
        return
    for name in map(table.name, table.players):
        cards = deal.get(name, ())
        if each is not None and len(cards) != each:
            yield f"{name} is dealt {len(cards)} cards instead of {each}", f"deal.{name}"
    dealt = [card for hand in deal.values() for card in hand]
    for card in dict.fromkeys(dealt):
        if dealt.count(card) > 1:
            yield f"card {card} is dealt {dealt.count(card)} times", "deal"


@book.rule("turn-order", source="rulebook")
def turns_go_round(table: Judged) -> Iterator[Breach]:
    """The players take their turns clockwise, in the order of the sheet; when all have had one, they all pass a card,
    and the next round begins with the same player."""
    yield from _faults(table, "turn-order")


@book.rule("one-mark", source="rulebook; F14")
def one_thing_with_one_roll(table: Judged) -> Iterator[Breach]:
    """A turn is one roll of a die, shared or one's own, and one thing done with it."""
    yield from _faults(table, "one-mark")


@book.rule("mark-fits", source="rulebook A, B, C; F4")
def a_mark_fits_where_it_is_made(table: Judged) -> Iterator[Breach]:
    """A roll goes into a blank crate of an unflipped card in front of the player, where no other crate is against it;
    or into a blank star whose range has it; or ticks a crate of a shared card that holds exactly that number."""
    yield from _faults(table, "mark-fits")


@book.rule("must-mark", source="rulebook; F16")
def who_can_mark_must(table: Judged) -> Iterator[Breach]:
    """Whoever can mark something must, and does not flip a card."""
    yield from _faults(table, "must-mark")


@book.rule("flip", source="rulebook; F7")
def only_a_card_of_ones_own_is_flipped(table: Judged) -> Iterator[Breach]:
    """A player flips one of the unflipped cards in front, and only while holding an unflipped card still to be
    built."""
    yield from _faults(table, "flip")


@book.rule("must-flip", source="rulebook; F7")
def who_is_stuck_must_flip(table: Judged) -> Iterator[Breach]:
    """Whoever holds an unflipped card still to be built and can mark nothing must flip a card."""
    yield from _faults(table, "must-flip")


@book.rule("pass", source="rulebook; F13")
def the_right_card_is_passed(table: Judged) -> Iterator[Breach]:
    """When all have had a turn, everybody who holds cards passes one: the card marked this round, if it is still there;
    else any unflipped card; a flipped one only where there is no other."""
    yield from _faults(table, "pass")


@book.rule("after-the-end", source="rulebook; F9")
def nothing_follows_the_end(table: Judged) -> Iterator[Breach]:
    """The game ends at once when the last shared card is taken and no card is left to build; nothing is played after
    that."""
    yield from _faults(table, "after-the-end")


@book.rule("stalled", source="rulebook; F9, F12")
def a_stalled_log_ends_with_an_idle_round(table: Judged) -> Iterator[Breach]:
    """The log of a game that ended by the stall variant ends with a full round in which nobody marked or flipped
    anything."""
    state = table.replay.state if table.replay else None
    if table.stall and table.replay and state and not play.is_over(state):
        yield "the log ends without a full round in which nothing was marked or flipped", table.replay.where


@book.rule("log-agrees", source="the log")
def the_log_ends_in_this_sheet(table: Judged) -> Iterator[Breach]:
    """Played through from the deal, the log ends in exactly the cards on the sheet."""
    state = table.replay.state if table.replay else None
    if state is None:
        return
    expected = endings(state, table.players)
    listed = {card.card.id for card in table.cards}
    for name in expected:
        if name not in listed:
            yield f"card {name} was dealt, but is not on the sheet", "deal"
    for card in table.cards:
        if card.card.id in expected:
            yield from _differences(table, card, expected[card.card.id])
        else:
            yield f"{card.name} was not dealt", f"{card.id}.card"


def _differences(table: Judged, card: Lying, end: Ending) -> Iterator[Breach]:
    if card.owner != end.owner:
        yield f"by the log {card.name} lies {_lies(table, end.owner)}, not {_lies(table, card.owner)}", card.id
    if (card.star or 0) != end.star:
        yield f"by the log the star of {card.name} {_holds(end.star)}, not {card.star or 'blank'}", f"{card.id}.star"
    for number, (typed, right) in enumerate(zip(card.crates, end.crates, strict=True), 1):
        if (typed or 0) != right:
            yield (f"by the log crate {number} of {card.name} {_holds(right)}, not {typed or 'blank'}",
                   f"{card.id}.crates.{number}")
    if card.flipped != end.flipped:
        yield f"by the log {card.name} lies {'flipped' if end.flipped else 'face up'}", f"{card.id}.flipped"
    if not card.owner and not end.owner and card.ticked != end.ticked:
        ticks = ", ".join(map(str, sorted(end.ticked))) or "none"
        yield f"by the log the ticked crates of {card.name} are {ticks}", f"{card.id}.ticked"


def _lies(table: Judged, owner: str) -> str:
    return f"in front of {table.name(owner)}" if owner else "in the shared area"


def _holds(number: int) -> str:
    return f"holds {number}" if number else "is blank"
