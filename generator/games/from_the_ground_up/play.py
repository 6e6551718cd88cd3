"""The rules of play: the legal moves in a state (`legal`) and the state after a move (`apply`).

A state consists only of tuples of small numbers, because simulations play thousands of games. Seats and cards are
numbered from 0 in the order of the deal. A card has places: 0 is its star, and 1, 2 … are its crates.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from ...model.values import Span
from ..turns import replaced
from .crates import DIE, Compare, room

Hands: TypeAlias = tuple[tuple[int, ...], ...]
Writing: TypeAlias = tuple[int, ...]
"""The numbers written on a card, by place; 0 is empty."""

STAR = 0
NONE = -1


class Spec(Struct, frozen=True, eq=False):
    """A card as printed: star range, symbols, and which crates the symbols compare."""

    name: str
    star: Span
    symbols: tuple[str, ...]
    compare: Compare = "neighbour"

    @property
    def places(self) -> range:
        return range(len(self.symbols) + 2)


@lru_cache(maxsize=1 << 16)
def open_places(spec: Spec, writing: Writing) -> tuple[tuple[int, ...], ...]:
    """For each roll, the empty places of a card that can take it: a star if its range includes it, a crate if no other
    contradicts it. Remembered, or the games of random players would take twice as long."""
    values = [number or None for number in writing[1:]]
    numbers = {
        place: room(spec.symbols, values, spec.compare, place - 1) if place else spec.star
        for place in spec.places
        if not writing[place]
    }
    return tuple(tuple(place for place in numbers if roll in numbers[place]) for roll in range(len(DIE) + 1))


class Move(NamedTuple):
    """A move: `write` the roll in a place, `tick` a crate, `flip` or `pass` a card, or do `nothing`."""

    kind: str
    seat: int
    card: int = NONE
    place: int = STAR
    roll: int = 0


class State(NamedTuple):
    """The table between two moves.

    By card: `writing`, and the places that are ticked. `flipped` are the flipped cards. By seat: `hands` are the cards
    in front of each player, `marked` and `passed` the card marked and the card passed this round, or NONE. `seat` moves
    next; in the `passing` phase it is the first player who still has to pass. `idle` counts the turns of this round in
    which nothing was written, ticked or flipped.
    """

    specs: tuple[Spec, ...]
    hands: Hands
    writing: tuple[Writing, ...]
    ticks: tuple[frozenset[int], ...]
    flipped: frozenset[int] = frozenset()
    shared: tuple[int, ...] = ()
    first: int = 0
    seat: int = 0
    passing: bool = False
    marked: tuple[int, ...] = ()
    passed: tuple[int, ...] = ()
    idle: int = 0
    stall: bool = False


def start(hands: Sequence[Sequence[Spec]], first: int = 0, stall: bool = False) -> State:
    """The table after the deal. `hands` are the players' cards by seat; `first` starts every round."""
    specs = tuple(spec for hand in hands for spec in hand)
    numbers = iter(range(len(specs)))
    nobody = (NONE,) * len(hands)
    return State(
        specs,
        tuple(tuple(next(numbers) for _ in hand) for hand in hands),
        tuple((0,) * len(spec.places) for spec in specs),
        (frozenset(),) * len(specs),
        first=first,
        seat=first,
        marked=nobody,
        passed=nobody,
        stall=stall,
    )


def is_full(state: State, card: int) -> bool:
    """Whether no place of a card is empty."""
    return 0 not in state.writing[card]


def is_over(state: State) -> bool:
    """Whether the game has ended: no card is shared or unfinished and face up, or it stalled (variant)."""
    if state.stall and state.idle == len(state.hands):
        return True
    return not state.shared and not any(is_stuck(state, seat) for seat in range(len(state.hands)))


def is_stuck(state: State, seat: int) -> bool:
    """Whether the player has an unfinished card face up, and so must flip a card if the roll fits nowhere."""
    return any(0 in state.writing[card] and card not in state.flipped for card in state.hands[seat])


def completes(state: State, tick: Move) -> bool:
    """Whether a tick is the last one of its card, so that the player takes the card."""
    return len(state.ticks[tick.card] | {tick.place}) == len(state.specs[tick.card].places) - 1


def points(spec: Spec, writing: Writing, flipped: bool, unstarred: int = 0) -> int:
    """The points of a card for the player who has it. A card with full crates and an empty star is worth
    `unstarred`."""
    star = writing[STAR]
    if flipped:
        return -(star or spec.star.low)
    return 0 if 0 in writing[1:] else star or unstarred


def standings(hands: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """For every player, given the points of their cards: the total and then the points of each card, highest first,
    filled up with zeros."""
    most = max(map(len, hands), default=0)
    return tuple((sum(cards), *sorted((*cards, *[0] * (most - len(cards))), reverse=True)) for cards in hands)


def winners(hands: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The seats of the winners of a finished game, given the points of every player's cards; empty if all lose, as no
    total reaches zero."""
    order = standings(hands)
    best = max(order, default=(0,))
    return tuple(seat for seat, standing in enumerate(order) if standing == best and best[0] >= 0)


def legal(state: State, roll: int = 0) -> tuple[Move, ...]:
    """Every legal move of the current seat with this roll (not needed for passing); empty when the game is over. A
    player who can mark nothing must flip a card if one is unfinished, and otherwise does `nothing`."""
    if state.passing:
        return passes(state, state.seat)
    if is_over(state):
        return ()
    return marks(state, roll) or flips(state) or (Move("nothing", state.seat, roll=roll),)


def marks(state: State, roll: int) -> tuple[Move, ...]:
    """Every place on the player's cards that can take the roll, and every shared crate it can tick."""
    seat, specs, writing = state.seat, state.specs, state.writing
    writes = [
        Move("write", seat, card, place=place, roll=roll)
        for card in state.hands[seat]
        if card not in state.flipped
        for place in open_places(specs[card], writing[card])[roll]
    ]
    ticks = [
        Move("tick", seat, card, place=place, roll=roll)
        for card in state.shared
        for place, number in enumerate(writing[card])
        if number == roll and place and place not in state.ticks[card]
    ]
    return (*writes, *ticks)


def flips(state: State) -> tuple[Move, ...]:
    """The flips of a player who cannot mark the roll: any face-up card, if an unfinished card is face up."""
    if not is_stuck(state, state.seat):
        return ()
    return tuple(Move("flip", state.seat, card) for card in state.hands[state.seat] if card not in state.flipped)


def passes(state: State, seat: int) -> tuple[Move, ...]:
    """The card marked this round, if the player still has it; otherwise any face-up card; otherwise any card."""
    hand, marked = state.hands[seat], state.marked[seat]
    face_up = tuple(card for card in hand if card not in state.flipped)
    return tuple(Move("pass", seat, card) for card in ((marked,) if marked in hand else face_up or hand))


def apply(state: State, move: Move) -> State:
    """The table after a move, which is not checked for being legal."""
    card, seat, hands, shared = move.card, move.seat, state.hands, state.shared
    if move.kind == "pass":
        return _after_pass(state._replace(passed=replaced(state.passed, seat, card)))
    if move.kind == "write":
        writing = replaced(state.writing[card], move.place, move.roll)
        if 0 not in writing:
            hands = replaced(hands, seat, tuple(other for other in hands[seat] if other != card))
            shared = (*shared, card)
        state = state._replace(
            hands=hands,
            writing=replaced(state.writing, card, writing),
            shared=shared,
            marked=replaced(state.marked, seat, card),
        )
    elif move.kind == "tick":
        if completes(state, move):
            shared = tuple(other for other in shared if other != card)
            hands = replaced(hands, seat, (*hands[seat], card))
        ticks = replaced(state.ticks, card, state.ticks[card] | {move.place})
        state = state._replace(ticks=ticks, hands=hands, shared=shared)
    elif move.kind == "flip":
        state = state._replace(flipped=state.flipped | {card})
    else:
        state = state._replace(idle=state.idle + 1)
    after = (state.seat + 1) % len(hands)
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
    received = (*passed[-1:], *passed[:-1])
    return tuple(
        (*(card for card in hand if card != gone), *([new] if new != NONE else []))
        for hand, gone, new in zip(hands, passed, received, strict=True)
    )
