"""A log of turns, played through from the deal: every turn is checked against the rules, and what it leads to is kept.

A turn against the rules is reported and then done all the same, as it was at the table; where it cannot be done (a card
that is not there, the wrong player's turn) the replay ends with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ...rules.book import Rule, Violation
from ..turns import StopReplay
from . import play
from .crates import SIGNS
from .play import NONE, STAR, Move, State
from .rules import (
    AFTER_THE_END,
    FLIP,
    LOG_AGREES,
    LOG_NAMED,
    MARK_FITS,
    MUST_FLIP,
    MUST_MARK,
    ONE_MARK,
    PASS,
    STALLED,
    TURN_ORDER,
)
from .sheet import Entry, Table, TableCard


class ReplayedTable(Table):
    """The table and, where the sheet has a log that can be played through, what comes of it."""

    @cached_property
    def replay(self) -> Replay | None:
        playable = self.log and len(set(self.dealt)) == len(self.dealt)
        return replay(self) if playable else None


@dataclass(slots=True)
class Replay:
    """What came of a log so far: `state` is the table it has led to, `where` the id of the entry it has come to."""

    table: Table
    state: State
    where: str = ""
    violations: list[Violation] = field(default_factory=list)

    def name(self, seat: int) -> str:
        return self.table.names[seat]

    def stop(self, rule: Rule, message: str) -> StopReplay:
        return StopReplay(rule(self.where, message))


def replay(table: Table) -> Replay:
    """Plays the log through, from a deal in which every card is dealt once."""
    played = Replay(table, opening(table))
    try:
        for number, entry in enumerate(table.log, 1):
            played.where = f"log.{number}"
            move = _move(played, entry)
            played.violations += move_violations(played, entry, move)
            played.state = play.apply(played.state, move)
    except StopReplay as stop:
        played.violations.append(stop.violation)
        return played
    played.violations += _end_violations(played)
    return played


def opening(table: Table) -> State:
    """The table after the deal; whoever takes the first turn of the log begins every round."""
    hands = [[table.spec(card) for card in (table.deal or {}).get(name, ())] for name in table.names]
    return play.start(hands, table.names.index(table.log[0].player), table.stall)


# ---- which move an entry tells of ------------------------------------------------------------------------------------


def _move(played: Replay, entry: Entry) -> Move:
    """The move of an entry; stops at one that nobody could have made with the cards as they lie."""
    state, seat = played.state, played.table.names.index(entry.player)
    if play.is_over(state):
        raise played.stop(AFTER_THE_END, "the game was over before this entry")
    if entry.pass_ is not None:
        return _pass(played, seat, entry)
    if state.passing:
        raise played.stop(
            PASS, f"{played.name(state.seat)} holds cards and has passed none, so the next round cannot begin"
        )
    if seat != state.seat:
        raise played.stop(TURN_ORDER, f"{entry.player} takes a turn, but it is {played.name(state.seat)}'s turn")
    moves = [*_marks(played, entry)]
    if entry.flip is not None:
        moves.append(Move("flip", seat, _number(state, entry.flip)))
    if len(moves) > 1:
        raise played.stop(ONE_MARK, f"{entry.player} does {len(moves)} things with one roll")
    if not moves:
        return Move("nothing", seat, roll=entry.roll or 0)
    _refuse_impossible(played, moves[0])
    return moves[0]


def _pass(played: Replay, seat: int, entry: Entry) -> Move:
    state, name = played.state, entry.player
    if not state.passing:
        raise played.stop(TURN_ORDER, f"{name} passes a card before {played.name(state.seat)} has had a turn")
    if state.passed[seat] != NONE:
        raise played.stop(PASS, f"{name} passes a second card in this round")
    card = _number(state, entry.pass_ or "")
    if card not in state.hands[seat]:
        raise played.stop(PASS, f"{name} passes card {entry.pass_}, which is not in front of {name}")
    return Move("pass", seat, card)


def _marks(played: Replay, entry: Entry) -> Iterator[Move]:
    state, roll = played.state, entry.roll or 0
    for mark in entry.marks:
        kind, place = ("tick", mark.tick) if mark.tick is not None else ("write", mark.crate or STAR)
        card = _number(state, mark.card) if mark.card else _card_meant(played, kind, place, roll)
        yield Move(kind, state.seat, card, place, roll)


def _card_meant(played: Replay, kind: str, place: int, roll: int) -> int:
    """The card of a star or tick that does not name it, where only one can be meant."""
    cards = [move.card for move in play.marks(played.state, roll) if (move.kind, move.place) == (kind, place)]
    if len(cards) != 1:
        what = "star" if kind == "write" else f"shared crate {place}"
        how_many = "more than one" if cards else "no"
        raise played.stop(LOG_NAMED, f"{how_many} {what} could take the {roll}: name the card")
    return cards[0]


def _number(state: State, card: str) -> int:
    """The number of a card in the state; NONE for one that was not dealt."""
    return next((number for number, spec in enumerate(state.specs) if spec.name == card), NONE)


def _refuse_impossible(played: Replay, move: Move) -> None:
    """Stops at a mark or a flip of a card that does not lie there, or of a place that is not free."""
    state, name = played.state, played.name(move.seat)
    rule = FLIP if move.kind == "flip" else MARK_FITS
    if move.card == NONE:
        raise played.stop(rule, f"{name} marks a card that was not dealt")
    spec, writing = state.specs[move.card], state.writing[move.card]
    card = f"card {spec.name}"
    if move.card not in (state.shared if move.kind == "tick" else state.hands[move.seat]):
        raise played.stop(rule, f"{card} is not {'shared' if move.kind == 'tick' else f'in front of {name}'}")
    if move.kind != "tick" and play.is_flipped(state, move.card):
        raise played.stop(rule, f"{card} lies flipped already")
    if move.kind == "flip":
        return
    if move.place not in (spec.places if move.kind == "write" else spec.places[1:]):
        raise played.stop(rule, f"{card} has no crate {move.place}")
    if move.kind == "write" and spec.written(writing, move.place):
        raise played.stop(rule, f"{_place(move)} of {card} is filled in already")
    if move.kind == "tick" and state.ticks[move.card] >> move.place & 1:
        raise played.stop(rule, f"{_place(move)} of {card} is ticked already")


def _place(move: Move) -> str:
    return "the star" if move.place == STAR else f"crate {move.place}"


# ---- what is wrong with a move ---------------------------------------------------------------------------------------


def move_violations(played: Replay, entry: Entry, move: Move) -> Iterator[Violation]:
    """Why a move that can be made is against the rules."""
    state, where, name, roll = played.state, played.where, entry.player, entry.roll or 0
    if move.kind == "pass":
        if move not in play.passes(state, move.seat):
            yield PASS(where, _wrong_pass(state, move, name))
    elif move in play.legal(state, roll):
        return
    elif move.kind in ("write", "tick"):
        yield MARK_FITS(where, _unfitting(state, move))
    elif could := play.marks(state, roll):
        done = f"flips card {entry.flip}" if entry.flip else "marks nothing"
        yield MUST_MARK(where, f"{name} {done}, but the {roll} could be marked: {_example(state, could[0])}")
    elif move.kind == "flip":
        yield FLIP(where, f"{name} flips card {entry.flip} without holding a card still to be built")
    else:
        yield MUST_FLIP(where, f"{name} can mark nothing with the {roll} and must flip a card")


def _wrong_pass(state: State, move: Move, name: str) -> str:
    card, marked = state.specs[move.card].name, state.marked[move.seat]
    if marked in state.hands[move.seat]:
        return f"{name} passes card {card}, but must pass card {state.specs[marked].name}, marked now"
    return f"{name} passes the flipped card {card} while holding one that is not flipped"


def _unfitting(state: State, move: Move) -> str:
    spec = state.specs[move.card]
    if move.kind == "tick":
        value = spec.written(state.writing[move.card], move.place)
        return f"crate {move.place} of card {spec.name} holds {value} and is not ticked by a {move.roll}"
    if move.place == STAR:
        return f"the star of card {spec.name} takes {spec.star}, not {move.roll}"
    signs = " ".join(SIGNS[symbol] for symbol in spec.symbols)
    return f"a {move.roll} cannot stand in crate {move.place} of card {spec.name} ({signs})"


def _example(state: State, move: Move) -> str:
    place = f"{_place(move)} of card {state.specs[move.card].name}"
    return f"{place} takes it" if move.kind == "write" else f"it ticks {place}"


# ---- the end ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ending:
    """A card as the log leaves it: the owner's id or empty, star and crates (0 is blank), flipped, the ticked ones."""

    owner: str
    star: int
    crates: tuple[int, ...]
    flipped: bool
    ticked: frozenset[int]


def endings(state: State, players: tuple[str, ...]) -> dict[str, Ending]:
    """Every card by its name; one passed on in the middle of a round lies in front of the next player already."""
    owners = {card: player for player, hand in zip(players, play.passed_on(state), strict=True) for card in hand}
    cards = {}
    for card, spec in enumerate(state.specs):
        star, *crates = (spec.written(state.writing[card], place) for place in spec.places)
        ticked = frozenset(place for place in spec.places if state.ticks[card] >> place & 1)
        cards[spec.name] = Ending(owners.get(card, ""), star, tuple(crates), play.is_flipped(state, card), ticked)
    return cards


def _end_violations(played: Replay) -> Iterator[Violation]:
    """A stalled game that did not stall, and cards that lie otherwise on the sheet than at the end of the log."""
    table = played.table
    if table.stall and not play.is_over(played.state):
        yield STALLED(played.where, "the log ends without a full round in which nothing was marked or flipped")
    expected = endings(played.state, table.players)
    on_sheet = {card.card.id for card in table.cards}
    for name in expected:
        if name not in on_sheet:
            yield LOG_AGREES("deal", f"card {name} was dealt, but is not on the sheet")
    for card in table.cards:
        if card.card.id in expected:
            yield from _differences(table, card, expected[card.card.id])
        else:
            yield LOG_AGREES(f"{card.id}.card", f"{card.name} was not dealt")


def _differences(table: Table, card: TableCard, end: Ending) -> Iterator[Violation]:
    if card.owner != end.owner:
        yield LOG_AGREES(
            card.id, f"by the log {card.name} lies {_lies(table, end.owner)}, not {_lies(table, card.owner)}"
        )
    if (card.star or 0) != end.star:
        yield LOG_AGREES(
            f"{card.id}.star", f"by the log the star of {card.name} {_holds(end.star)}, not {card.star or 'blank'}"
        )
    for number, (typed, right) in enumerate(zip(card.crates, end.crates, strict=True), 1):
        if (typed or 0) != right:
            yield LOG_AGREES(
                f"{card.id}.crates.{number}",
                f"by the log crate {number} of {card.name} {_holds(right)}, not {typed or 'blank'}",
            )
    if card.flipped != end.flipped:
        yield LOG_AGREES(f"{card.id}.flipped", f"by the log {card.name} lies {'flipped' if end.flipped else 'face up'}")
    if not card.owner and not end.owner and card.ticked != end.ticked:
        ticks = ", ".join(map(str, sorted(end.ticked))) or "none"
        yield LOG_AGREES(f"{card.id}.ticked", f"by the log the ticked crates of {card.name} are {ticks}")


def _lies(table: Table, owner: str) -> str:
    return f"in front of {table.name(owner)}" if owner else "in the shared area"


def _holds(number: int) -> str:
    return f"holds {number}" if number else "is blank"
