"""A log of turns, played through from the deal: every turn is held against the rules, and what it leads to is kept.

A turn against the rules is told and then done all the same, as it was at the table; where it cannot be done (a card
that is not there, the wrong player's turn) the replay ends with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from . import play
from .crates import SIGNS
from .play import NONE, STAR, Move, State
from .reading import Entry
from .table import Table


@dataclass(frozen=True, slots=True)
class Fault:
    """A turn against a rule: the rule's name, one sentence, and the id of the entry in the log."""

    rule: str
    message: str
    where: str


class _Stop(Exception):  # noqa: N818 - not an error, the end of what can be played through
    """The turn cannot be done, so nothing after it can be judged."""


@dataclass(slots=True)
class Replay:
    """What came of a log. `state` is the table it leads to, or None where the log could not be played to its end."""

    table: Table
    faults: list[Fault] = field(default_factory=list)
    state: State | None = None
    where: str = ""

    def fault(self, rule: str, message: str) -> None:
        self.faults.append(Fault(rule, message, self.where))

    def stop(self, rule: str, message: str) -> _Stop:
        self.fault(rule, message)
        return _Stop()


def replay(table: Table) -> Replay:
    """Plays the log through, from a deal in which every card is dealt once."""
    made = Replay(table)
    log: tuple[Entry, ...] = table.sheet.extra["log"]
    state = opening(table, log)
    try:
        for number, entry in enumerate(log, 1):
            made.where = f"log.{number}"
            state = _step(made, state, entry)
    except _Stop:
        return made
    made.state = state
    return made


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
    found = {}
    for card, spec in enumerate(state.specs):
        star, *crates = (spec.written(state.writing[card], place) for place in spec.places)
        ticked = frozenset(place for place in spec.places if state.ticks[card] >> place & 1)
        found[spec.name] = Ending(owners.get(card, ""), star, tuple(crates), play.is_flipped(state, card), ticked)
    return found


def opening(table: Table, log: tuple[Entry, ...]) -> State:
    """The table after the deal; whoever takes the first turn of the log begins every round."""
    deal = table.sheet.extra["deal"]
    names = [table.name(player) for player in table.players]
    first = names.index(log[0].player) if log else 0
    return play.start([[table.spec(card) for card in deal.get(name, ())] for name in names], first, table.stall)


def _step(made: Replay, state: State, entry: Entry) -> State:
    if play.is_over(state):
        raise made.stop("after-the-end", "the game was over before this entry")
    seat = [made.table.name(player) for player in made.table.players].index(entry.player)
    if entry.pass_ is not None:
        return _passed(made, state, seat, entry)
    if state.passing:
        waiting = _name(made, state.seat)
        raise made.stop("pass", f"{waiting} holds cards and has passed none, so the next round cannot begin")
    if seat != state.seat:
        raise made.stop("turn-order", f"{entry.player} takes a turn, but it is {_name(made, state.seat)}'s turn")
    return _turn(made, state, entry)


def _name(made: Replay, seat: int) -> str:
    return made.table.name(made.table.players[seat])


def _number(state: State, card: str) -> int:
    """The number of a card in the state; NONE for one that was not dealt."""
    return next((number for number, spec in enumerate(state.specs) if spec.name == card), NONE)


# ---- passing ------------------------------------------------------------------------------------------------------

def _passed(made: Replay, state: State, seat: int, entry: Entry) -> State:
    if not state.passing:
        raise made.stop("turn-order", f"{entry.player} passes a card before {_name(made, state.seat)} has had a turn")
    card = _number(state, entry.pass_ or "")
    if state.passed[seat] != NONE:
        raise made.stop("pass", f"{entry.player} passes a second card in this round")
    if card not in state.hands[seat]:
        raise made.stop("pass", f"{entry.player} passes card {entry.pass_}, which is not in front of {entry.player}")
    move = Move("pass", seat, card)
    if move not in play.passes(state, seat):
        made.fault("pass", _wrong_pass(state, seat, card, entry.player))
    return play.apply(state, move)


def _wrong_pass(state: State, seat: int, card: int, name: str) -> str:
    marked = state.marked[seat]
    if marked in state.hands[seat]:
        return f"{name} passes card {state.specs[card].name}, but must pass card {state.specs[marked].name}, marked now"
    return f"{name} passes the flipped card {state.specs[card].name} while holding one that is not flipped"


# ---- turns --------------------------------------------------------------------------------------------------------

def _turn(made: Replay, state: State, entry: Entry) -> State:
    moves = [*_marks(made, state, entry), *_flip(state, entry)] or [Move("nothing", state.seat, roll=entry.roll or 0)]
    if len(moves) > 1:
        raise made.stop("one-mark", f"{entry.player} does {len(moves)} things with one roll")
    (move,) = moves
    _refuse_impossible(made, state, move)
    if move not in play.legal(state, entry.roll or 0):
        for rule, message in _wrongs(state, move, entry):
            made.fault(rule, message)
    return play.apply(state, move)


def _marks(made: Replay, state: State, entry: Entry) -> Iterator[Move]:
    for mark in entry.marks:
        kind, place = ("tick", mark.tick) if mark.tick is not None else ("write", mark.crate or STAR)
        card = _number(state, mark.card) if mark.card else _meant(made, state, kind, place, entry.roll or 0)
        yield Move(kind, state.seat, card, place, entry.roll or 0)


def _meant(made: Replay, state: State, kind: str, place: int, roll: int) -> int:
    """The card of a star or tick that does not name it, where only one can be meant."""
    cards = [move.card for move in play.marks(state, roll) if (move.kind, move.place) == (kind, place)]
    if len(cards) != 1:
        what = "star" if kind == "write" else f"shared crate {place}"
        how_many = "more than one" if cards else "no"
        raise made.stop("log-named", f"{how_many} {what} could take the {roll}: name the card")
    return cards[0]


def _flip(state: State, entry: Entry) -> Iterator[Move]:
    if entry.flip is not None:
        yield Move("flip", state.seat, _number(state, entry.flip))


def _refuse_impossible(made: Replay, state: State, move: Move) -> None:
    """Stops at a move that nobody could have made with the cards as they lie."""
    name, rule = _name(made, state.seat), "flip" if move.kind == "flip" else "mark-fits"
    if move.kind == "nothing":
        return
    if move.card == NONE:
        raise made.stop(rule, f"{name} marks a card that was not dealt")
    card = f"card {state.specs[move.card].name}"
    if move.card not in (state.shared if move.kind == "tick" else state.hands[state.seat]):
        raise made.stop(rule, f"{card} is not {'shared' if move.kind == 'tick' else f'in front of {name}'}")
    if move.kind != "tick" and play.is_flipped(state, move.card):
        raise made.stop(rule, f"{card} lies flipped already")
    if move.kind != "flip":
        _refuse_taken(made, state, move, card)


def _refuse_taken(made: Replay, state: State, move: Move, card: str) -> None:
    spec = state.specs[move.card]
    if move.place not in (spec.places if move.kind == "write" else spec.places[1:]):
        raise made.stop("mark-fits", f"{card} has no crate {move.place}")
    where = f"crate {move.place}" if move.place else "the star"
    if move.kind == "write" and spec.written(state.writing[move.card], move.place):
        raise made.stop("mark-fits", f"{where} of {card} is filled in already")
    if move.kind == "tick" and state.ticks[move.card] >> move.place & 1:
        raise made.stop("mark-fits", f"{where} of {card} is ticked already")


def _wrongs(state: State, move: Move, entry: Entry) -> Iterator[tuple[str, str]]:
    """Why a move that can be done is against the rules."""
    roll = entry.roll or 0
    if move.kind in ("write", "tick"):
        yield "mark-fits", _unfitting(state, move)
        return
    if play.marks(state, roll):
        done = f"flips card {entry.flip}" if entry.flip else "marks nothing"
        yield "must-mark", f"{entry.player} {done}, but the {roll} could be marked: {_example(state, roll)}"
    elif move.kind == "flip":
        yield "flip", f"{entry.player} flips card {entry.flip} without holding a card still to be built"
    else:
        yield "must-flip", f"{entry.player} can mark nothing with the {roll} and must flip a card"


def _unfitting(state: State, move: Move) -> str:
    spec = state.specs[move.card]
    if move.kind == "tick":
        value = spec.written(state.writing[move.card], move.place)
        return f"crate {move.place} of card {spec.name} holds {value} and is not ticked by a {move.roll}"
    if move.place == STAR:
        return f"the star of card {spec.name} takes {spec.star}, not {move.roll}"
    signs = " ".join(SIGNS[symbol] for symbol in spec.symbols)
    return f"a {move.roll} cannot stand in crate {move.place} of card {spec.name} ({signs})"


def _example(state: State, roll: int) -> str:
    move = play.marks(state, roll)[0]
    where = f"crate {move.place}" if move.place else "the star"
    return f"{where} of card {state.specs[move.card].name} takes it" if move.kind == "write" else \
        f"it ticks {where} of card {state.specs[move.card].name}"
