"""The rules of play: the legal moves in a state (`legal`) and the state after a move (`apply`).

A state consists only of tuples of small numbers, because simulations play thousands of games. Seats and cards are
numbered from 0 in the order of the deal. A card has places: 0 is its star, and 1, 2 … are its crates. Everything
written on a card is one number, its *writing*: the digit of place p in base 7, where 0 is empty.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import field
from functools import lru_cache
from typing import TypeAlias

from ...fast_dataclasses import NamedTuple, dataclass
from ...model.values import Span
from ..turns import replaced
from .crates import DIE, Compare, agreeing, contradictions

Hands: TypeAlias = tuple[tuple[int, ...], ...]

STAR = 0
NONE = -1
BASE = 7


class Places(NamedTuple):
    """The places on a card with some writing: `open` has for each roll the empty places that can take it, `holding`
    the crates of a full card that hold it; `full` says whether no place is empty."""

    open: tuple[tuple[int, ...], ...]
    holding: tuple[tuple[int, ...], ...]
    full: bool


_NOWHERE: tuple[tuple[int, ...], ...] = ((),) * (1 + len(DIE))


@dataclass(frozen=True, eq=False, slots=True)
class Spec:
    """A card as printed: star range, symbols, and which crates the symbols compare."""

    name: str
    star: Span
    symbols: tuple[str, ...]
    compare: Compare = "neighbour"
    _places: dict[int, Places] = field(default_factory=dict)

    @property
    def crates(self) -> int:
        return len(self.symbols) + 1

    @property
    def places(self) -> range:
        return range(self.crates + 1)

    def writing(self, star: int | None, crates: Sequence[int | None]) -> int:
        """The writing of a star and crates; None is empty."""
        writing = 0
        for number in reversed((star, *crates)):
            writing = writing * BASE + (number or 0)
        return writing

    def written(self, writing: int, place: int) -> int:
        """The number in a place, 0 if it is empty."""
        return writing // int(BASE**place) % BASE

    def values(self, writing: int) -> list[int | None]:
        """The numbers in the crates; None is empty."""
        return [self.written(writing, place) or None for place in self.places[1:]]

    def places_with(self, writing: int) -> Places:
        """The open and filled places of a card with this writing, cached."""
        places = self._places.get(writing)
        if places is None:
            places = self._places[writing] = self._find_places(writing)
        return places

    def suits(self, writing: int, place: int, roll: int) -> bool:
        """Whether an empty place can take the roll: a star if its range includes it, a crate if no other contradicts
        it."""
        if place == STAR:
            return roll in self.star
        values = self.values(writing)
        if self.compare == "neighbour":
            return roll in self._agreeing(values, place - 1)
        values[place - 1] = roll
        return not any(place in group for group in contradictions(self.symbols, values, self.compare))

    def _agreeing(self, values: Sequence[int | None], at: int) -> tuple[int, ...]:
        """The rolls that contradict neither the nearest filled crate to the left of an empty one nor the nearest to its
        right."""
        before, after = at - 1, at + 1
        while before >= 0 and not values[before]:
            before -= 1
        while after < len(values) and not values[after]:
            after += 1
        left = values[before] if before >= 0 else None
        right = values[after] if after < len(values) else None
        return agreeing(left, self.symbols[max(before, 0) : at], self.symbols[at:after], right)

    def _find_places(self, writing: int) -> Places:
        values = self.values(writing)
        star = self.written(writing, STAR)
        blank = [place for place in self.places[1:] if not values[place - 1]]
        if star and not blank:
            return Places(
                _NOWHERE,
                ((), *(tuple(place for place, value in enumerate(values, 1) if value == roll) for roll in DIE)),
                True,
            )
        places: list[list[int]] = [[] for _ in _NOWHERE]
        for place in blank if star else (STAR, *blank):
            for roll in self._fitting(writing, values, place):
                places[roll].append(place)
        return Places(tuple(map(tuple, places)), _NOWHERE, False)

    def _fitting(self, writing: int, values: Sequence[int | None], place: int) -> Collection[int]:
        if place and self.compare == "neighbour":
            return self._agreeing(values, place - 1)
        return [roll for roll in DIE if self.suits(writing, place, roll)]


class Move(NamedTuple):
    """A move: `write` the roll in a place, `tick` a crate, `flip` or `pass` a card, or do `nothing`."""

    kind: str
    seat: int
    card: int = NONE
    place: int = STAR
    roll: int = 0


class State(NamedTuple):
    """The table between two moves.

    By card: `writing`, and `ticks`, `flipped` and `building` (neither flipped nor full) as bits. By seat: `hands` are
    the cards in front of each player, `marked` and `passed` the card marked and the card passed this round, or NONE.
    `seat` moves next; in the `passing` phase it is the first player who still has to pass. `idle` counts the turns of
    this round in which nothing was written, ticked or flipped.
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
    building: int = 0


def start(hands: Sequence[Sequence[Spec]], first: int = 0, stall: bool = False) -> State:
    """The table after the deal. `hands` are the players' cards by seat; `first` starts every round."""
    specs = tuple(spec for hand in hands for spec in hand)
    numbers = iter(range(len(specs)))
    blank = (0,) * len(specs)
    nobody = (NONE,) * len(hands)
    return State(
        specs,
        tuple(tuple(next(numbers) for _ in hand) for hand in hands),
        blank,
        blank,
        first=first,
        seat=first,
        marked=nobody,
        passed=nobody,
        stall=stall,
        building=(1 << len(specs)) - 1,
    )


# ---- questions about a state ----------------------------------------------------------------------------------------


def is_flipped(state: State, card: int) -> bool:
    return bool(state.flipped >> card & 1)


def is_full(state: State, card: int) -> bool:
    return state.specs[card].places_with(state.writing[card]).full


def is_over(state: State) -> bool:
    """Whether the game has ended: no card is shared or unfinished and face up, or it stalled (variant)."""
    if state.stall and state.idle == len(state.hands):
        return True
    return not (state.shared or state.building)


def is_stuck(state: State, seat: int) -> bool:
    """Whether the player has an unfinished card face up, and so must flip a card if the roll fits nowhere."""
    return any(state.building >> card & 1 for card in state.hands[seat])


def completes(state: State, tick: Move) -> bool:
    """Whether a tick is the last one of its card, so that the player takes the card."""
    return state.ticks[tick.card] | 1 << tick.place == (1 << state.specs[tick.card].crates + 1) - 2


# ---- legal moves ------------------------------------------------------------------------------------------------


def legal(state: State, roll: int = 0) -> tuple[Move, ...]:
    """Every legal move of the current seat with this roll (not needed for passing); empty when the game is over."""
    if state.passing:
        return passes(state, state.seat)
    return () if is_over(state) else turns(state, roll)


def turns(state: State, roll: int) -> tuple[Move, ...]:
    """All marks if there are any, otherwise all flips if the player must flip, otherwise only `nothing`."""
    return marks(state, roll) or flips(state) or (Move("nothing", state.seat, roll=roll),)


def marks(state: State, roll: int) -> tuple[Move, ...]:
    """Every place on the player's cards that can take the roll, and every shared crate it can tick."""
    seat, flipped, writing, specs = state.seat, state.flipped, state.writing, state.specs
    moves: tuple[Move, ...] = ()
    for card in state.hands[seat]:
        if not flipped >> card & 1:
            spec, written = specs[card], writing[card]
            places = spec._places.get(written) or spec.places_with(written)
            moves += _writes(seat, card, places.open[roll], roll)
    for card in state.shared:
        moves += _ticks(seat, card, specs[card].places_with(writing[card]).holding[roll], roll, state.ticks[card])
    return moves


@lru_cache(maxsize=1 << 16)
def _writes(seat: int, card: int, places: tuple[int, ...], roll: int) -> tuple[Move, ...]:
    return tuple(Move("write", seat, card, place, roll) for place in places)


@lru_cache(maxsize=1 << 16)
def _ticks(seat: int, card: int, places: tuple[int, ...], roll: int, ticked: int) -> tuple[Move, ...]:
    return tuple(Move("tick", seat, card, place, roll) for place in places if not ticked >> place & 1)


def flips(state: State) -> tuple[Move, ...]:
    """The flips of a player who cannot mark the roll: any face-up card, if an unfinished card is face up."""
    if not is_stuck(state, state.seat):
        return ()
    return tuple(Move("flip", state.seat, card) for card in state.hands[state.seat] if not is_flipped(state, card))


def passes(state: State, seat: int) -> tuple[Move, ...]:
    """The card marked this round, if the player still has it; otherwise any face-up card; otherwise any card."""
    hand = state.hands[seat]
    marked = state.marked[seat]
    face_up = tuple(card for card in hand if not is_flipped(state, card))
    cards = (marked,) if marked in hand else face_up or hand
    return tuple(Move("pass", seat, card) for card in cards)


# ---- the state after a move -----------------------------------------------------------------------------------------


def apply(state: State, move: Move) -> State:
    """The table after a move, which is not checked for being legal."""
    if move.kind == "pass":
        return _after_pass(state._replace(passed=replaced(state.passed, move.seat, move.card)))
    if move.kind == "write":
        return _after_turn(_written(state, move))
    if move.kind == "tick":
        return _after_turn(_ticked(state, move))
    if move.kind == "flip":
        bit = 1 << move.card
        return _after_turn(state._replace(flipped=state.flipped | bit, building=state.building & ~bit))
    return _after_turn(state._replace(idle=state.idle + 1))


def _written(state: State, move: Move) -> State:
    card, seat, hands, shared, building = move.card, move.seat, state.hands, state.shared, state.building
    writing = state.writing[card] + move.roll * BASE**move.place
    if state.specs[card].places_with(writing).full:
        hands = replaced(hands, seat, tuple(other for other in hands[seat] if other != card))
        shared, building = (*shared, card), building & ~(1 << card)
    return state._replace(
        hands=hands,
        writing=replaced(state.writing, card, writing),
        shared=shared,
        marked=replaced(state.marked, seat, card),
        building=building,
    )


def _ticked(state: State, move: Move) -> State:
    card, seat, hands, shared = move.card, move.seat, state.hands, state.shared
    if completes(state, move):
        shared = tuple(other for other in shared if other != card)
        hands = replaced(hands, seat, (*hands[seat], card))
    ticks = replaced(state.ticks, card, state.ticks[card] | 1 << move.place)
    return state._replace(ticks=ticks, hands=hands, shared=shared)


def _after_turn(state: State) -> State:
    """The state when a turn ends: the next seat's turn or, after the last one, passing."""
    after = (state.seat + 1) % len(state.hands)
    if after != state.first:
        return state._replace(seat=after)
    return state if is_over(state) else _after_pass(state)


def _after_pass(state: State) -> State:
    """The state after a pass: the next seat that has to pass or, after the last one, a new round with the cards
    passed."""
    count = len(state.hands)
    for seat in (*range(state.first, count), *range(state.first)):
        if state.passed[seat] == NONE and state.hands[seat]:
            return state._replace(seat=seat, passing=True)
    nobody = (NONE,) * count
    return state._replace(hands=passed_on(state), seat=state.first, passing=False, marked=nobody, passed=nobody, idle=0)


def passed_on(state: State) -> Hands:
    """The hands with every card passed this round in front of the next player, clockwise."""
    hands, passed = state.hands, state.passed
    remaining = [
        tuple(card for card in hand if card != passed_card) if passed_card != NONE else hand
        for hand, passed_card in zip(hands, passed, strict=True)
    ]
    received = (*passed[-1:], *passed[:-1])
    return tuple((*hand, card) if card != NONE else hand for hand, card in zip(remaining, received, strict=True))
