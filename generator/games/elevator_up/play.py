"""The game itself: `legal` lists the moves of the next player, and `apply` makes a move.

States are tuples of small integers because a simulation plays thousands of games. Seats count from 0 in the
order of play, cards from 0 in the order of cards.yaml (`Spec.names`). A pile lists its cards from the bottom up, a deck
lists the next card first.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from ...draws import SetCode
from ...draws.own_sets import drawn_set
from ...model.game import Game
from ..turns import replaced

NONE = -1
UNKNOWN = -2
"""A card that is not known, because the log has no deal."""
KIND, DRAW = "D", "deal"
"""The kind of code, and the name of the draw in game.yaml."""
DECK = "cards"

Cards: TypeAlias = tuple[int, ...]


class Spec:
    """The different cards and the rules in game.yaml. A special card has floor 0. `new_building` and `door_closed` are
    NONE if the deck has no such card.

    `beats[below][card]` says whether `card` beats `below`. The last row, `beats[NONE]`, is for a pile without a card to
    beat."""

    def __init__(self, game: Game) -> None:
        by_id = {card.id: card for card in game.components[DECK].cards}
        self.names, self.rules = tuple(by_id), game.rules
        self.floors = tuple(card.floor or 0 for card in by_id.values())
        self.copies = tuple(card.copies for card in by_id.values())
        numbers = {name: number for number, name in enumerate(by_id)}
        self.transparent = {numbers[name] for name in self.rules["transparent"] if name in numbers}
        self.never_on_special = {numbers[name] for name in self.rules["never_on_special"] if name in numbers}
        self.new_building: int = numbers.get("new-building", NONE)
        self.door_closed: int = numbers.get("door-closed", NONE)
        penthouse, again = numbers.get("penthouse", NONE), self.rules["penthouse_on_penthouse"]
        beats = [
            tuple(
                not floor and (again or card != penthouse) if below == penthouse else not floor or floor >= lowest
                for card, floor in enumerate(self.floors)
            )
            for below, lowest in enumerate(self.floors)
        ]
        self.beats = (*beats, (True,) * len(beats))


class Move(NamedTuple):
    """A player's move: `play` cards from the hand or face-up cards, `flip` a face-down card, or `pickup` the pile."""

    kind: Literal["play", "flip", "pickup"]
    seat: int
    cards: Cards = ()


class State(NamedTuple):
    """The table between two turns.

    `hands` (sorted), `up` and `down` hold the cards of each seat, some of which may be UNKNOWN. The first `drawn` cards
    of `deck` have been drawn; `gone` are the cards that were removed from the game. `seat` moves next; `winner` is the
    seat without cards, or NONE.
    """

    spec: Spec
    hands: tuple[Cards, ...]
    up: tuple[Cards, ...]
    down: tuple[Cards, ...]
    deck: Cards = ()
    drawn: int = 0
    pile: Cards = ()
    gone: Cards = ()
    seat: int = 0
    winner: int = NONE


def start(spec: Spec, deal: DealtCards) -> State:
    """The table before the first turn."""
    return State(spec, tuple(tuple(sorted(hand)) for hand in deal.hands), deal.up, down=deal.down, deck=deal.deck)


def start_unseen(spec: Spec, players: int) -> State:
    """The table before the first turn of a log without a deal: the numbers of cards are known, the cards are not."""
    sizes = spec.rules["deal"]
    down, up, hands = (((UNKNOWN,) * sizes[part],) * players for part in ("down", "up", "hand"))
    deck = (UNKNOWN,) * (sum(spec.copies) - players * sum(sizes.values()))
    return start(spec, DealtCards(down, up, hands, deck))


def unseen(state: State) -> State:
    """The table after a card that its player cannot have: from now on only the numbers of cards are known."""
    hands, up, down, (deck,) = (
        tuple((UNKNOWN,) * len(row) for row in rows) for rows in (state.hands, state.up, state.down, (state.deck,))
    )
    return state._replace(hands=hands, up=up, down=down, deck=deck)


def less(cards: Cards, removed: Cards) -> Cards:
    """The cards without the removed ones. One that is not among them may be any of the unknown ones."""
    left = list(cards)
    for card in removed:
        if (known := card if card in left else UNKNOWN) in left:
            left.remove(known)
    return tuple(left)


def missing(needed: Cards, cards: Cards) -> int:
    """How many of the needed cards cannot be among the cards."""
    return len(needed) + len(less(cards, needed)) - len(cards)


def swapped(state: State, seat: int, up: Cards, hand: Cards) -> State:
    """The table after a swap before the first turn: `up` go from hand to table, `hand` from table to hand."""
    new_hand = tuple(sorted(less(state.hands[seat], up) + hand))
    new_up = less(state.up[seat], hand) + up
    return state._replace(hands=replaced(state.hands, seat, new_hand), up=replaced(state.up, seat, new_up))


def to_beat(spec: Spec, pile: Cards) -> int:
    """The card to beat: the topmost one that is not transparent; NONE if there is none."""
    return next((card for card in reversed(pile) if card not in spec.transparent), NONE)


def may_follow(spec: Spec, pile: Cards, card: int) -> bool:
    if card in spec.never_on_special and pile and not spec.floors[pile[-1]]:
        return False
    return spec.beats[to_beat(spec, pile)][card]


def next_part(state: State, seat: int) -> Literal["hand", "up", "down"]:
    """Where a player must play from: the hand, then the face-up cards, then the face-down cards."""
    return "hand" if state.hands[seat] else "up" if state.up[seat] else "down"


def cards_left(state: State, seat: int) -> int:
    return len(state.hands[seat]) + len(state.up[seat]) + len(state.down[seat])


def clears(spec: Spec, pile: Cards) -> bool:
    """Whether a pile is removed from the game: with a New Building on top, or four cards of one floor."""
    top = pile[-1]
    if top == spec.new_building:
        return True
    four = spec.rules["four_of_a_kind"]
    return spec.floors[top] > 0 and pile[-four:] == (top,) * four


def legal(state: State) -> tuple[Move, ...]:
    """Every different move of the next player; empty when the game is over. Chance decides which face-down card a
    flip turns over, so there is one move for each card it may be."""
    if state.winner != NONE:
        return ()
    seat = state.seat
    if next_part(state, seat) == "down":
        return tuple(Move("flip", seat, (card,)) for card in sorted(set(state.down[seat])))
    return plays(state) or (Move("pickup", seat),)


def plays(state: State) -> tuple[Move, ...]:
    """Every way to play one or more copies of a known card from the hand or, if it is empty, from the face-up cards."""
    seat = state.seat
    cards = state.hands[seat] or state.up[seat]
    return tuple(
        Move("play", seat, (card,) * count)
        for card in sorted({*cards} - {UNKNOWN})
        if may_follow(state.spec, state.pile, card)
        for count in range(1, most_at_once(state.spec, card, cards.count(card)) + 1)
        if may_end(state, seat, card, count)
    )


def most_at_once(spec: Spec, card: int, count: int) -> int:
    """The number of copies of a card, out of `count`, that a player may play at once."""
    return 1 if spec.rules["specials_singly"] and not spec.floors[card] else count


def may_end(state: State, seat: int, card: int, count: int) -> bool:
    """Whether a player may play this many copies of a card. With `finish_on_special: false`, a player must not play
    their last cards if they are special. A flip is always allowed, because nobody chooses the card."""
    return state.spec.rules["finish_on_special"] or state.spec.floors[card] > 0 or cards_left(state, seat) != count


def apply(state: State, move: Move) -> State:
    """The table after a move. An illegal move is carried out as far as possible."""
    seat = move.seat
    if move.kind == "pickup":
        return _picked_up(state, seat, state.pile)
    if not stays(state, move):
        return _picked_up(_without(state, move), seat, state.pile + move.cards)
    state = _without(state, move)
    pile = state.pile + move.cards
    if clears(state.spec, pile):
        return _drawn(state._replace(pile=(), gone=state.gone + pile, seat=seat), seat, again=True)
    skipped = move.cards.count(state.spec.door_closed)
    return _drawn(state._replace(pile=pile, seat=(seat + 1 + skipped) % len(state.hands)), seat)


def stays(state: State, move: Move) -> bool:
    """Whether the cards of a move stay on the pile. Only a flipped card may have to be taken back."""
    return move.kind == "play" or may_follow(state.spec, state.pile, move.cards[0])


def _picked_up(state: State, seat: int, cards: Cards) -> State:
    hand = tuple(sorted(state.hands[seat] + cards))
    return state._replace(hands=replaced(state.hands, seat, hand), pile=(), seat=(seat + 1) % len(state.hands))


def _without(state: State, move: Move) -> State:
    """The table without the cards of a move. They are taken from the part that the player must play from or, if they
    are not there, from another."""
    parts: dict[str, Cards] = {part: getattr(state, part)[move.seat] for part in ("hands", "up", "down")}
    order = ("down", "hands", "up") if move.kind == "flip" else ("hands", "up", "down")
    for card in move.cards:
        if part := next((part for part in order if {card, UNKNOWN} & {*parts[part]}), None):
            parts[part] = less(parts[part], (card,))
    hands, up, down = (
        replaced(rows, move.seat, cards)
        for rows, cards in zip((state.hands, state.up, state.down), parts.values(), strict=True)
    )
    return state._replace(hands=hands, up=up, down=down)


def _drawn(state: State, seat: int, again: bool = False) -> State:
    """The table after the player draws. A player without cards wins."""
    hand = state.hands[seat]
    missing = state.spec.rules["hand"] - len(hand)
    if (
        missing > 0
        and state.drawn < len(state.deck)
        and not (again and hand and not state.spec.rules["draw_before_extra_turn"])
    ):
        new = state.deck[state.drawn : state.drawn + missing]
        return state._replace(
            hands=replaced(state.hands, seat, tuple(sorted(hand + new))), drawn=state.drawn + len(new)
        )
    return state._replace(winner=seat) if not cards_left(state, seat) else state


class DealtCards(Struct, frozen=True):
    """The cards that each player gets, in the order of play, and the deck, next card first."""

    down: tuple[Cards, ...]
    up: tuple[Cards, ...]
    hands: tuple[Cards, ...]
    deck: Cards

    @property
    def cards(self) -> Cards:
        """Every card, in the order of dealing."""
        return sum((*self.down, *self.up, *self.hands, self.deck), ())


def dealt_cards(spec: Spec, game: Game, code: SetCode) -> DealtCards:
    """The deal of a code. Raises InputError as `RandomSets.deal` does."""
    dealt = drawn_set(game, code)[2]
    rows = [[tuple(map(spec.names.index, hand[part])) for hand in dealt.hands] for part in ("down", "up", "hand")]
    down, up, hands = map(tuple, rows)
    return DealtCards(down, up, hands, tuple(map(spec.names.index, dealt.piles["deck"])))
