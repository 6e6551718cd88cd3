"""The rows of crates on cards, and the rules of play: the legal moves in a state (`legal`) and the state after a move
(`apply`).

A row of n symbols has n + 1 crates. Each symbol says what the crate on its right must be, compared with the crate on
its left (`neighbour`) or with the first crate of the row (`first`). Blank crates are None.

A state consists only of tuples of small numbers, because simulations play thousands of games. Seats and cards are
numbered from 0 in the order of the deal. A card has places: 0 is its star, and 1, 2 … are its crates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache, reduce
from itertools import combinations, pairwise
from operator import eq, gt, lt, ne
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from ...model.values import Span
from ..turns import replaced

# The component with the cards of the game.
DECK = "cards"

Compare: TypeAlias = Literal["neighbour", "first"]
Row: TypeAlias = tuple[str, ...]
Values: TypeAlias = Sequence[int | None]

SIGNS: Mapping[str, str] = MappingProxyType({"lower": "▼", "higher": "▲", "equal": "=", "unequal": "≠"})
DIE = range(1, 7)
# Every whole number that matters for a crate in a row of up to twelve.
WHOLE_NUMBERS = frozenset(range(-12, 20))

_COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {"lower": lt, "higher": gt, "equal": eq, "unequal": ne}
_TURNED = {"lower": "higher", "higher": "lower", "equal": "equal", "unequal": "unequal"}


def fits(symbol: str, left: int, right: int) -> bool:
    """Whether `right` may follow `left` across `symbol`."""
    return _COMPARISONS[symbol](right, left)


def row_text(symbols: Iterable[str]) -> str:
    """The row as printed: `□ ▼ □ ▼ □`."""
    return "□" + "".join(f" {SIGNS[symbol]} □" for symbol in symbols)


def alike(symbols: Row) -> Row:
    """The row that represents all rows alike: this one as printed, read backwards, turned over (v → 7 − v), or both."""
    turned = tuple(_TURNED[symbol] for symbol in symbols)
    return min(symbols, symbols[::-1], turned, turned[::-1])


Counts: TypeAlias = tuple[int, ...]
"""For each value of the die, the number of ways to fill the row so far with that value in the crate that the next
symbol compares."""

START: Counts = (1,) * len(DIE)


@cache
def _fitting(symbol: str, right: int | None) -> tuple[tuple[int, int], ...]:
    """The indices in DIE of every pair of values that fits the symbol; with `right`, only of those that end with it."""
    pairs = [(left, value) for left in DIE for value in DIE if right in (None, value) and fits(symbol, left, value)]
    return tuple((DIE.index(left), DIE.index(value)) for left, value in pairs)


def extend(counts: Counts, symbol: str, compare: Compare = "neighbour", right: int | None = None) -> Counts:
    """The counts after one more crate, which holds `right` unless that is None."""
    extended = [0] * len(DIE)
    for left, value in _fitting(symbol, right):
        extended[value if compare == "neighbour" else left] += counts[left]
    return tuple(extended)


@lru_cache(maxsize=1 << 15)
def ways(symbols: Row, compare: Compare = "neighbour", values: tuple[int | None, ...] = ()) -> int:
    """The number of ways to fill the blank crates with values of the die without breaking a symbol. Crates beyond the
    `values` are blank. Remembered because careful simulated players ask before every mark: a third of their time."""
    first, *others = values + (None,) * (len(symbols) + 1 - len(values))
    counts = tuple(int(first in (None, value)) for value in DIE)
    for symbol, right in zip(symbols, others, strict=True):
        counts = extend(counts, symbol, compare, right)
    return sum(counts)


@cache
def _after(numbers: frozenset[int], symbol: str) -> frozenset[int]:
    """The whole numbers that may follow one of these across a symbol."""
    return frozenset(right for right in WHOLE_NUMBERS if any(fits(symbol, left, right) for left in numbers))


def room(symbols: Row, values: Values, compare: Compare, place: int) -> frozenset[int]:
    """The whole numbers that agree with the filled crates, and with any whole numbers in the other blank ones, in the
    crate with this index."""
    if compare == "first":
        first = WHOLE_NUMBERS if values[0] is None else frozenset([values[0]])
        for index, symbol in enumerate(symbols, 1) if values[0] is None else ():
            if index != place and (value := values[index]) is not None:
                first &= _after(frozenset([value]), _TURNED[symbol])
        return _after(first, symbols[place - 1]) if place else first
    left = right = WHOLE_NUMBERS
    for symbol, value in zip(symbols[:place], values[:place], strict=True):
        left = _after(left if value is None else frozenset([value]), symbol)
    for symbol, value in zip(symbols[place:][::-1], values[place + 1 :][::-1], strict=True):
        right = _after(right if value is None else frozenset([value]), _TURNED[symbol])
    return left & right


def contradictions(symbols: Row, values: Values, compare: Compare = "neighbour") -> list[tuple[int, ...]]:
    """Groups of filled crates, by their numbers from 1, that no whole numbers in the blank ones can reconcile.

    With `neighbour` a group is two filled crates with only blank ones between them, with `first` any two crates. Only
    with `first` and a blank first crate can it take three or more crates to leave no number for it; these are then one
    group."""
    filled = [(number, value) for number, value in enumerate(values, 1) if value is not None]
    if compare == "neighbour":
        return [
            (number, other)
            for (number, left), (other, right) in pairwise(filled)
            if right not in reduce(_after, symbols[number - 1 : other - 1], frozenset([left]))
        ]
    if values[0] is not None:
        first = values[0]
        return [(1, number) for number, value in filled[1:] if not fits(symbols[number - 2], first, value)]
    for size in range(2, len(filled) + 1):
        groups = [
            tuple(number for number, _ in group)
            for group in combinations(filled, size)
            if not any(
                all(fits(symbols[number - 2], first, value) for number, value in group) for first in WHOLE_NUMBERS
            )
        ]
        if groups:
            return groups if size == 2 else groups[:1]
    return []


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
    return -(star or spec.star.low) if flipped else 0 if 0 in writing[1:] else star or unstarred


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
    return () if is_over(state) else marks(state, roll) or flips(state) or (Move("nothing", state.seat, roll=roll),)


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
    return state._replace(seat=after) if after != state.first else state if is_over(state) else _after_pass(state)


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
