"""The game itself: what a player may do now (`legal`) and what comes of it (`apply`).

A state is made of tuples of small numbers and nothing else, because simulation goes through thousands of games. Seats
and cards are numbered from 0 in the order of the deal; a card has places: 0 is its star, 1, 2 … are its crates.
What is written on a card is one number, its *writing*: the digit of place p in base 7, where 0 is a blank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ...definitions.values import Span
from .crates import Compare, contradictions

STAR = 0
NONE = -1
DIE = range(1, 7)
BASE = 7


class Known(NamedTuple):
    """What is asked of a writing again and again: for each roll the blank places that may take it and the crates that
    hold it already, and whether no place is blank."""

    open: tuple[tuple[int, ...], ...]
    holding: tuple[tuple[int, ...], ...]
    full: bool


@dataclass(frozen=True, eq=False, slots=True)
class Spec:
    """A card as it is printed: star range, symbols, and how the symbols compare."""

    name: str
    star: Span
    symbols: tuple[str, ...]
    compare: Compare = "neighbour"
    _known: dict[int, Known] = field(default_factory=dict)

    @property
    def crates(self) -> int:
        return len(self.symbols) + 1

    @property
    def places(self) -> range:
        return range(self.crates + 1)

    def writing(self, star: int | None, crates: Sequence[int | None]) -> int:
        """The writing of a star and crates, each None where it is blank."""
        writing = 0
        for number in reversed((star, *crates)):
            writing = writing * BASE + (number or 0)
        return writing

    def written(self, writing: int, place: int) -> int:
        """The number in a place, 0 where it is blank."""
        return writing // int(BASE ** place) % BASE

    def values(self, writing: int) -> list[int | None]:
        """The crates, each None where it is blank."""
        return [self.written(writing, place) or None for place in self.places[1:]]

    def known(self, writing: int) -> Known:
        found = self._known.get(writing)
        if found is None:
            found = self._known[writing] = self._know(writing)
        return found

    def suits(self, writing: int, place: int, roll: int) -> bool:
        """Whether the roll may stand in a blank place: inside the star's range, or against no other crate."""
        if place == STAR:
            return roll in self.star
        values = self.values(writing)
        values[place - 1] = roll
        return not any(place in group for group in contradictions(self.symbols, values, self.compare))

    def _know(self, writing: int) -> Known:
        numbers = [self.written(writing, place) for place in self.places]
        blank = [place for place in self.places if not numbers[place]]
        return Known(((), *(tuple(place for place in blank if self.suits(writing, place, roll)) for roll in DIE)),
                     ((), *(tuple(place for place in self.places[1:] if numbers[place] == roll) for roll in DIE)),
                     not blank)


class Move(NamedTuple):
    """What a player does: `write` the roll in a place, `tick` a crate, `flip` or `pass` a card, or `nothing`."""

    kind: str
    seat: int
    card: int = NONE
    place: int = STAR
    roll: int = 0


class State(NamedTuple):
    """The table between two moves.

    By card: `writing`, and `ticks` and `flipped` as bits. By seat: the cards in its hand (in front of the player), the
    one `marked` and the one `passed` this round, or NONE. `seat` is to move; in the `passing` phase it is the first one
    that has still to pass. `idle` counts the turns of this round in which nothing was written, ticked or flipped.
    """

    specs: tuple[Spec, ...]
    hands: tuple[tuple[int, ...], ...]
    writing: tuple[int, ...]
    ticks: tuple[int, ...]
    flipped: int = 0
    shared: tuple[int, ...] = ()
    first: int = 0
    seat: int = 0
    passing: bool = False
    marked: tuple[int, ...] = ()
    passed: tuple[int, ...] = ()
    idle: int = 0
    stall: bool = False


def start(hands: Sequence[Sequence[Spec]], first: int = 0, stall: bool = False) -> State:
    """The table after the deal: each player's cards in the order of seats; `first` takes the first turn of a round."""
    specs = tuple(spec for hand in hands for spec in hand)
    numbers = iter(range(len(specs)))
    blank = (0,) * len(specs)
    nobody = (NONE,) * len(hands)
    return State(specs, tuple(tuple(next(numbers) for _ in hand) for hand in hands), blank, blank, first=first,
                 seat=first, marked=nobody, passed=nobody, stall=stall)


# ---- what is so ---------------------------------------------------------------------------------------------------

def is_flipped(state: State, card: int) -> bool:
    return bool(state.flipped >> card & 1)


def is_full(state: State, card: int) -> bool:
    return state.specs[card].known(state.writing[card]).full


def is_over(state: State) -> bool:
    """Whether the game has ended: nothing is shared and nothing can be built any more, or it stalled (variant)."""
    if state.stall and state.idle == len(state.hands):
        return True
    return not state.shared and all(is_flipped(state, card) or is_full(state, card)
                                    for card in range(len(state.specs)))


def is_stuck(state: State, seat: int) -> bool:
    """Whether the player holds a card still to be built, and so must flip one where the roll fits nowhere."""
    return any(not is_flipped(state, card) and not is_full(state, card) for card in state.hands[seat])


# ---- what may be done ------------------------------------------------------------------------------------------------

def legal(state: State, roll: int = 0) -> tuple[Move, ...]:
    """Every move of the seat whose turn it is, with this roll (none is needed to pass); empty when the game is over."""
    if is_over(state):
        return ()
    return passes(state, state.seat) if state.passing else turns(state, roll)


def turns(state: State, roll: int) -> tuple[Move, ...]:
    """Marks where there are any, else flips where one must flip, else nothing."""
    return marks(state, roll) or flips(state) or (Move("nothing", state.seat, roll=roll),)


def marks(state: State, roll: int) -> tuple[Move, ...]:
    """Every place where the roll can be written on one's own cards, and every shared crate it ticks."""
    seat = state.seat
    own = [Move("write", seat, card, place, roll) for card in state.hands[seat] if not is_flipped(state, card)
           for place in state.specs[card].known(state.writing[card]).open[roll]]
    ticks = [Move("tick", seat, card, place, roll) for card in state.shared
             for place in state.specs[card].known(state.writing[card]).holding[roll]
             if not state.ticks[card] >> place & 1]
    return (*own, *ticks)


def flips(state: State) -> tuple[Move, ...]:
    """The cards one may flip when nothing can be marked: any unflipped one, if one holds a card still to be built."""
    if not is_stuck(state, state.seat):
        return ()
    return tuple(Move("flip", state.seat, card) for card in state.hands[state.seat] if not is_flipped(state, card))


def passes(state: State, seat: int) -> tuple[Move, ...]:
    """The card marked this round, if it is still there; else any unflipped one; else any."""
    hand = state.hands[seat]
    if state.marked[seat] in hand:
        return (Move("pass", seat, state.marked[seat]),)
    unflipped = [card for card in hand if not is_flipped(state, card)]
    return tuple(Move("pass", seat, card) for card in unflipped or hand)


# ---- what comes of it ------------------------------------------------------------------------------------------------

def apply(state: State, move: Move) -> State:
    """The table after a move. The move is not asked whether it is legal, only done as far as it can be."""
    if move.kind == "pass":
        return _after_pass(state._replace(passed=_put(state.passed, move.seat, move.card)))
    if move.kind == "nothing":
        return _after_turn(state._replace(idle=state.idle + 1))
    if move.kind == "flip":
        return _after_turn(state._replace(flipped=state.flipped | 1 << move.card))
    return _after_turn(_tick(state, move) if move.kind == "tick" else _write(state, move))


def _write(state: State, move: Move) -> State:
    card, seat = move.card, move.seat
    added = state.writing[card] + move.roll * BASE ** move.place
    state = state._replace(writing=_put(state.writing, card, added), marked=_put(state.marked, seat, card))
    if not state.specs[card].known(added).full:
        return state
    hand = tuple(other for other in state.hands[seat] if other != card)
    return state._replace(hands=_put(state.hands, seat, hand), shared=(*state.shared, card))


def _tick(state: State, move: Move) -> State:
    card, seat = move.card, move.seat
    ticks = state.ticks[card] | 1 << move.place
    state = state._replace(ticks=_put(state.ticks, card, ticks))
    if ticks != (1 << state.specs[card].crates + 1) - 2:
        return state
    shared = tuple(other for other in state.shared if other != card)
    return state._replace(hands=_put(state.hands, seat, (*state.hands[seat], card)), shared=shared)


def _put(row: tuple, index: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (*row[:index], value, *row[index + 1:])


def _after_turn(state: State) -> State:
    seat = (state.seat + 1) % len(state.hands)
    if seat != state.first:
        return state._replace(seat=seat)
    return state if is_over(state) else _after_pass(state._replace(passing=True))


def _after_pass(state: State) -> State:
    """On to the next seat that has still to pass; after the last one the cards change hands and a round begins."""
    count = len(state.hands)
    for step in range(count):
        seat = (state.first + step) % count
        if state.hands[seat] and state.passed[seat] == NONE:
            return state._replace(seat=seat)
    nobody = (NONE,) * count
    return state._replace(hands=passed_on(state), passing=False, seat=state.first, marked=nobody, passed=nobody, idle=0)


def passed_on(state: State) -> tuple[tuple[int, ...], ...]:
    """The hands with every card that was passed this round in front of the next player, clockwise."""
    hands = [tuple(card for card in hand if card != passed)
             for hand, passed in zip(state.hands, state.passed, strict=True)]
    for seat, card in enumerate(state.passed):
        if card != NONE:
            after = (seat + 1) % len(hands)
            hands[after] = (*hands[after], card)
    return tuple(hands)
