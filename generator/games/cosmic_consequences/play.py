"""The game itself: where rolls and jumps lead, the moves a player may make (`legal`) and what they do (`apply`).

Moves and jumps follow the graph of the board and `curved` under `rules` in game.yaml. The code does not name any space,
so it also works for a smaller or shuffled board.

A turn has two steps, `act` (at most one card action) and `roll` (the move). After each step, the players answer its
`consequences` (what spaces ask of them) one by one. The caller rolls the die and shuffles the deck. Seats count from 0
in the order of play. A card is represented by its value; tuples of cards are sorted, except the deck (next card first)
and the pile (top card last). States are tuples because a simulation creates millions of them.

Cards that a move stacks to make zero become a locked stack (`onto`; stacking is always optional), and so does a single
zero card. Players may stack loose cards that make zero at any time, but do not have to. Simulated players stack as soon
as they can (`Spec.eager`); in a log, only the moves that mention stacking do.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from ...errors import Problem, refuse
from ...model.board import Board
from ...model.game import Card, Game
from ..turns import replaced

BOARD, CARDS = "board", "cards"
DEMANDS: Mapping[str, Literal["green", "orange"]] = {"green": "green", "orange": "orange", "centre": "orange"}
"""What a space asks for, by its kind; the centre of a ring counts as orange."""


class Walk(Struct, frozen=True):
    """A move to a space. It `leaves` the Big Bang if it starts there or passes through; it comes `home` if it reaches
    the Big Bang at the end of a lap, even if it goes on."""

    leaves: bool = False
    home: bool = False


class Routes:
    """The spaces of a board, by their function.

    `lap` starts with the Big Bang. `rings` and `centres` are by the name of the ring. `entry` leads from an arrow into
    a ring, `exit` from a hole out of a ring, and `wormholes` from one end to the other. `loop` is the space and roll
    whose move would never end, and `beyond` is the region that a jump from the left ring leads to. `spots` are the
    spaces of each card value: those that name a card with this value, otherwise the space that the card names."""

    def __init__(self, board: Board, cards: Sequence[Card], numbers: Mapping[str, Any]) -> None:
        curved, values = numbers["curved"], {card.id: card.number for card in cards}
        (track,) = board.definition.tracks.values()
        self.start: str = numbers["start"]
        self.lap = (self.start, *track.spaces)
        self.kinds = {name: space.kind for name, space in board.spaces.items()}
        self.regions = {name: space.region for name, space in board.spaces.items()}
        self.steps = {name: board.steps(name) for name in board.spaces}
        self.rings = {name: tuple(ring.spaces) for name, ring in board.definition.rings.items()}
        self.ring_of = {space: name for name, ring in self.rings.items() for space in ring}
        self.centres = {
            name: next((step for step in self.steps[ring[0]] if self.kinds[step] == "centre"), "")
            for name, ring in self.rings.items()
        }
        self.entry = {
            edge.start: edge.end
            for edge in board.edges
            if self.kinds[edge.start] == "arrow" and edge.end in self.ring_of
        }
        self.exit: Mapping[str, str] = curved["exit"]
        self.wormholes: Mapping[str, str] = curved["wormholes"]
        self.loop = (curved["loop"]["from"], curved["loop"]["roll"])
        self.beyond: str = curved["region"].get("right", "")
        named: dict[int, tuple[str, ...]] = {}
        for name, space in board.spaces.items():
            if (card := space.values.get("card")) in values:
                named[values[card]] = (*named.get(values[card], ()), name)
        self.spots = {card.number: (card.space,) for card in cards} | named
        self._walks: dict[tuple[str, int], Mapping[str, Walk]] = {}

    def asks(self, space: str) -> str:
        """`green`, `orange` or an empty text."""
        return DEMANDS.get(self.kinds[space], "")

    def sends_back(self, space: str) -> bool:
        """Whether a pawn that lands here goes back to the Big Bang."""
        return self.kinds[space] == "first"

    def space_name(self, space: str) -> str:
        """The name of a space in a message."""
        return "the Big Bang" if space == self.start else space

    def on_space(self, space: str) -> str:
        """The place of a pawn in a message."""
        return "in the Big Bang" if space == self.start else f"on {space}"

    def walks(self, space: str, roll: int) -> Mapping[str, Walk]:
        """Every space that a roll leads to, and the move there. Remembered, because simulated players ask for it
        before every move."""
        if (space, roll) not in self._walks:
            start = self.wormholes.get(space, space)
            ends = [(self.start, Walk())] if (space, roll) == self.loop else self._ends(start, roll, "", Walk())
            self._walks[space, roll] = dict(ends)
        return self._walks[space, roll]

    def _ends(self, here: str, left: int, before: str, walk: Walk) -> Iterator[tuple[str, Walk]]:
        """Where a pawn may stop that has some steps left. `before` is its previous space, empty at the start."""
        if not left:
            yield here, walk
            return
        for step in reversed(self._onward(here, left, before)):
            onward = Walk(walk.leaves or here == self.start, walk.home or step == self.start)
            yield from self._ends(step, left - 1, here, onward)

    def _onward(self, here: str, left: int, before: str) -> tuple[str, ...]:
        """The spaces that the next step may lead to. In a ring, a pawn may go either way round but not back, leaves
        through the exit if it passes it, and may enter the centre with the last step."""
        if not before and here in self.entry:
            return (self.entry[here],)
        if here in self.ring_of:
            ring, centre = self.rings[self.ring_of[here]], self.centres[self.ring_of[here]]
            place, out = ring.index(here), [self.exit[here]] if here in self.exit else []
            around = [] if before and out else [ring[(place + 1) % len(ring)], ring[place - 1]]
            middle = [centre] if centre and left == 1 else []
            return tuple(dict.fromkeys(step for step in (*around, *out, *middle) if step != before))
        if here in self.centres.values():
            return tuple(step for step in self.steps[here] if step in self.ring_of)
        return (self.lap[(self.lap.index(here) + 1) % len(self.lap)],)

    def jump(self, space: str, card: int) -> str:
        """Where a jump with a card leads: to the nearest space of the card. From the left ring it leads to the region
        above the right ring, to the first space there if no space of the card is in that region."""
        spots = self.spots[card]
        if self.ring_of.get(space) == "left" and self.beyond:
            spots = tuple(spot for spot in spots if self.regions[spot] == self.beyond)
            spots = spots or (next(spot for spot in self.lap if self.regions[spot] == self.beyond),)
        return min(spots, key=lambda spot: self.distance(space, spot)) if len(spots) > 1 else spots[0]

    def distance(self, space: str, spot: str) -> tuple[int, int]:
        """The distance to a space for comparison: the fewest steps along the track, then the steps forward."""
        if space in self.lap and spot in self.lap:
            forward = (self.lap.index(spot) - self.lap.index(space)) % len(self.lap)
            return min(forward, len(self.lap) - forward), forward
        # breadth-first search, along edges in either direction
        distances, waiting = {space: 0}, deque([space])
        while waiting:
            here = waiting.popleft()
            for step in [step for step in self.steps if step in self.steps[here] or here in self.steps[step]]:
                if step not in distances:
                    distances[step] = distances[here] + 1
                    waiting.append(step)
        return distances.get(spot, len(self.steps)), self.lap.index(spot) if spot in self.lap else 0


def board_of(game: Game) -> Board:
    board = game.components[BOARD].board
    assert board
    return board


def routes(game: Game) -> Routes:
    """The routes on the board of a game. Raises InputError for spaces in game.yaml that the board does not have."""
    board, curved = board_of(game), game.rules["curved"]
    exits, wormholes = curved["exit"], curved["wormholes"]
    named = {
        "start": [game.rules["start"]],
        "curved": [*exits, *exits.values(), *wormholes, *wormholes.values(), curved["loop"]["from"]],
    }
    nodes: Mapping[str, Any] = game.definition.rules
    problems = [
        Problem(f"“rules.{key}” names the space “{space}”, which is not on the board", nodes[key].place)
        for key, spaces in named.items()
        for space in dict.fromkeys(spaces)
        if space not in board.spaces
    ]
    refuse(problems)
    return Routes(board, game.components[CARDS].cards, game.rules)


Cards: TypeAlias = tuple[int, ...]
"""Cards by their values, the lowest first; both zero cards are 0."""

NONE = -1
DECK = -2
PILE = -3

Kind: TypeAlias = Literal["pass", "draw", "cut", "jump", "discard", "go"]
ConsequenceKind: TypeAlias = Literal["leaving", "orange", "green"]


class Spec:
    """The board, the deck in the order of cards.yaml, and the number of `stacks` that wins. `cards` says whether it is
    played with cards or as the race; by default, as in game.yaml. If players are `eager`, loose cards win as soon as
    they could make enough stacks."""

    def __init__(self, game: Game, cards: bool | None = None, *, eager: bool = True) -> None:
        self.routes, self.eager = routes(game), eager
        self.deck: Cards = tuple(card.number for card in game.components[CARDS].cards)
        self.cards: bool = game.rules["cards"] if cards is None else cards
        self.stacks: int = game.rules["win"]["stacks"]


class Move(NamedTuple):
    """What a player does in one step, or in answer to a consequence.

    A `draw` takes one card from a `place` (DECK, PILE or a seat), a `jump` uses one card, and a `discard` puts `cards`
    there; `onto` are the number-side cards that they are stacked with. A `cut` draws the card that a cut of the
    deck shows. A `go` moves the pawn `roll` steps to the space `to`. A `pass` does nothing."""

    kind: Kind
    seat: int
    cards: Cards = ()
    place: int = NONE
    onto: Cards = ()
    to: str = ""
    roll: int = 0


class Consequence(Struct, frozen=True):
    """What a player must do before the turn goes on: draw when `leaving` the Big Bang or on `orange`. On `green` the
    player may discard."""

    seat: int
    kind: ConsequenceKind


class State(NamedTuple):
    """The table between two steps.

    `at` (the spaces of the pawns), `cc` (cards cc side up), `loose` (loose cards number side up) and `stacks` (locked
    stacks) are lists by seat. `deck` lists the next card first; if its order is not `known`, it lists the cards that
    the deck may still contain. Players answer the `consequences` first, in order; then the `seat` whose turn it is
    takes its `step` or, if it has `moved`, the next turn starts. `winners` is empty while the game goes on."""

    spec: Spec
    at: tuple[str, ...]
    cc: tuple[Cards, ...]
    loose: tuple[Cards, ...]
    stacks: tuple[tuple[Cards, ...], ...]
    deck: Cards
    pile: Cards = ()
    seat: int = 0
    step: Literal["act", "roll"] = "act"
    moved: bool = False
    consequences: tuple[Consequence, ...] = ()
    winners: tuple[int, ...] = ()
    known: bool = True


def start(spec: Spec, players: int, deck: Sequence[int] | None = None) -> State:
    """The table before the first turn, with all pawns in the Big Bang. Without a `deck`, the order is not known."""
    nothing: tuple[Cards, ...] = ((),) * players
    order = tuple(deck) if deck is not None else tuple(sorted(spec.deck))
    return State(
        spec,
        (spec.routes.start,) * players,
        nothing,
        loose=nothing,
        stacks=((),) * players,
        deck=order,
        known=deck is not None,
    )


def is_over(state: State) -> bool:
    return bool(state.winners)


def count(state: State, seat: int) -> int:
    """A player's locked stacks, and the most stacks that the loose cards could make."""
    return len(state.stacks[seat]) + len(stacked(state.loose[seat]))


def winning_stacks(state: State, seat: int) -> int:
    """The number of stacks that count towards winning: the locked ones and, for eager players, those that the loose
    cards could make."""
    return count(state, seat) if state.spec.eager else len(state.stacks[seat])


def standing(state: State, seat: int) -> tuple[int, int]:
    """A player's number of stacks, and minus the distance of the sum of the loose cards from zero, which stacking does
    not change. The greater pair wins."""
    return count(state, seat), -abs(sum(state.loose[seat]))


def mover(state: State) -> int:
    """The seat of the player who moves next."""
    return state.consequences[0].seat if state.consequences else state.seat


def legal(state: State, roll: int = 0, cut_cards: Iterable[int] | None = None) -> tuple[Move, ...]:
    """Every different move of the `mover`; empty when the game is over. `roll` is only needed in the step `roll` if
    there are no consequences. Chance decides which card a cut shows, so there is one `cut` for every card below the top
    card or, if `cut_cards` are given, for each of them."""
    if state.winners:
        return ()
    if state.consequences:
        return tuple(_answers(state, state.consequences[0], cut_cards)) or (Move("pass", state.consequences[0].seat),)
    seat = state.seat
    if state.step == "act":
        return (Move("pass", seat), *(_actions(state, seat, cut_cards) if state.spec.cards else ()))
    return tuple(Move("go", seat, to=to, roll=roll) for to in state.spec.routes.walks(state.at[seat], roll))


def _actions(state: State, seat: int, cut_cards: Iterable[int] | None) -> Iterator[Move]:
    routes = state.spec.routes
    kind = routes.kinds[state.at[seat]]
    if kind == "cc":
        yield from _from_deck(state, seat, cut_cards)
        yield from (Move("draw", seat, (card,), PILE) for card in state.pile[-1:])
        for card in sorted(set(state.cc[seat])):
            jump = Move("jump", seat, (card,))
            yield jump
            yield from (jump._replace(onto=onto) for onto in stackings(state.loose[seat], (card,)))
    if state.cc[seat] and any(state.loose) and kind not in DEMANDS:
        yield from (
            Move("discard", seat, (card,), place=other, onto=(-card,))
            for card in sorted(set(state.cc[seat]))
            if card
            for other in _others(state, seat)
            if -card in state.loose[other]
        )


def _from_deck(state: State, seat: int, cut_cards: Iterable[int] | None) -> Iterator[Move]:
    """Draws of the top card, and cuts. If the order is not known, any card may be the top card."""
    deck = state.deck
    if not state.known:
        yield from (Move("draw", seat, (card,), DECK) for card in sorted(set(deck)))
        return
    yield from (Move("draw", seat, (card,), DECK) for card in deck[:1])
    yield from (
        Move("cut", seat, (card,), DECK) for card in (sorted(set(deck[1:])) if cut_cards is None else cut_cards)
    )


def stackings(loose: Cards, cards: Cards) -> tuple[Cards, ...]:
    """Every choice of loose cards that makes zero with these cards; none for a zero card, which is locked by itself."""
    return choices(loose, -sum(cards)) if any(cards) else ()


def _answers(state: State, consequence: Consequence, cut_cards: Iterable[int] | None) -> Iterator[Move]:
    seat, loose = consequence.seat, state.loose[consequence.seat]
    if consequence.kind == "leaving":
        top = state.deck[:1] if state.known else sorted(set(state.deck))
        yield from (Move("draw", seat, (card,), DECK) for card in top)
    elif consequence.kind == "orange":
        yield from _from_deck(state, seat, cut_cards)
        for other in _others(state, seat) if not state.cc[seat] else ():
            yield from (Move("draw", seat, (card,), other) for card in sorted(set(state.cc[other])))
        for place, cards in ((PILE, state.pile[-1:]), *((other, state.loose[other]) for other in _others(state, seat))):
            for card in sorted(set(cards)):
                yield from _stacked_or_not(Move("draw", seat, (card,), place), loose)
    else:
        yield Move("pass", seat)
        yield from _green_discards(state, seat)


def _stacked_or_not(move: Move, loose: Cards) -> Iterator[Move]:
    """The moves of cards that make zero with loose cards of a player, who may stack them or not."""
    stacked_with = stackings(loose, move.cards)
    yield from (move,) if stacked_with else ()
    yield from (move._replace(onto=onto) for onto in stacked_with)


def can_answer(state: State, consequence: Consequence) -> bool:
    """Whether there is certainly something to draw. Unless players are eager, cards that they may have stacked do not
    count."""
    loose = state.loose
    if not state.spec.eager:
        loose = tuple(
            tuple(card for card in cards if -card not in sums_of(without(cards, (card,)))) for cards in state.loose
        )
    return next(_answers(state._replace(loose=loose), consequence, ()), None) is not None


def _green_discards(state: State, seat: int) -> Iterator[Move]:
    """On green: discards onto the pile and to other players, who get number-side cards of one suit if these make zero
    with their own."""
    cc, loose = sorted(set(state.cc[seat])), state.loose[seat]
    yield from (Move("discard", seat, (card,), PILE) for card in sorted({*cc, *loose}))
    suits = (tuple(card for card in loose if card < 0), tuple(card for card in loose if card > 0))
    for other in _others(state, seat):
        if not state.cc[other]:
            yield from (Move("discard", seat, (card,), other) for card in cc)
        for suit in suits:
            totals = {-total for total in sums_of(state.loose[other])} & sums_of(suit)
            for cards in (cards for total in sorted(totals) for cards in choices(suit, total)):
                yield from _stacked_or_not(Move("discard", seat, cards, other), state.loose[other])


def _others(state: State, seat: int) -> list[int]:
    return [other for other in range(len(state.at)) if other != seat]


def apply(state: State, move: Move) -> State:
    """The table after a move. An illegal move is carried out as far as possible."""
    consequence = state.consequences[0] if state.consequences else None
    if consequence:
        state = state._replace(consequences=state.consequences[1:])
    elif move.kind != "go":
        state = state._replace(step="roll")
    if move.kind in ("draw", "cut"):
        state = _draw(state, move, consequence)
    elif move.kind == "jump":
        without_it = without_card(state, move.cards[0], move.seat)
        state = _jump(_lay(without_it, move.seat, move.cards, move.onto), move.seat, move.cards[0])
    elif move.kind == "discard":
        state = _discard(state, move, consequence)
    elif move.kind == "go":
        state = _move_pawn(state, move)
    return _next_turn(state) if state.moved and not state.consequences and not state.winners else state


def _draw(state: State, move: Move, consequence: Consequence | None) -> State:
    """Draws a card, which then lies cc side up unless it was a number-side card drawn on orange."""
    (card,), seat, place = move.cards, move.seat, move.place
    numbered = consequence is not None and (place == PILE or (place >= 0 and card not in state.cc[place]))
    if move.kind == "cut" and card in state.deck[1:]:  # not the zero card on top, if there are two
        state = state._replace(deck=(*state.deck[:1], *without(state.deck[1:], move.cards)))
    else:
        state = without_card(state, card, place)
    return _lay(state, seat, move.cards, move.onto) if numbered else _put_cc(state, seat, (card,))


def _discard(state: State, move: Move, consequence: Consequence | None) -> State:
    seat, place = move.seat, move.place
    cc_up = consequence is not None and move.cards[0] in state.cc[seat] and not move.onto
    for card in move.cards:
        state = without_card(state, card, seat)
    if place == PILE:
        return state._replace(pile=state.pile + move.cards)
    if cc_up:
        return _put_cc(state, place, move.cards)
    state = _lay(state, place, move.cards, move.onto)
    return state if consequence or state.winners else _jump(state, place, move.cards[0])


def _lay(state: State, seat: int, cards: Cards, onto: Cards) -> State:
    """Puts cards in front of a player number side up, stacked with the cards `onto`; this may win the game."""
    loose, stacks = state.loose[seat], state.stacks[seat]
    zeros = tuple(card for card in cards if card == 0)
    if onto and holds(loose, onto) and not sum(cards) + sum(onto):
        loose, stacks = without(loose, onto), (*stacks, tuple(sorted(cards + onto)))
    else:
        loose = tuple(sorted(loose + without(cards, zeros)))
        stacks = (*stacks, *((zero,) for zero in zeros))
    state = state._replace(loose=replaced(state.loose, seat, loose), stacks=replaced(state.stacks, seat, stacks))
    wins = winning_stacks(state, seat) >= state.spec.stacks
    return state._replace(winners=(seat,), consequences=()) if wins else state


def _put_cc(state: State, seat: int, cards: Cards) -> State:
    return state._replace(cc=replaced(state.cc, seat, tuple(sorted(state.cc[seat] + cards))))


def without_card(state: State, card: int, source: int) -> State:
    """The table without a card. It is taken from `source` or, if it is not there, from wherever it is."""
    for place in (source, DECK, PILE, *range(len(state.at))):
        if place == DECK and card in state.deck:
            return state._replace(deck=without(state.deck, (card,)))
        if place == PILE and card in state.pile:
            return state._replace(pile=without(state.pile[::-1], (card,))[::-1])
        if place >= 0 and card in state.cc[place]:
            return state._replace(cc=replaced(state.cc, place, without(state.cc[place], (card,))))
        if place >= 0 and card in state.loose[place]:
            return state._replace(loose=replaced(state.loose, place, without(state.loose[place], (card,))))
    for seat, stacks in enumerate(state.stacks):
        for stack in (stack for stack in stacks if card in stack):
            freed = tuple(sorted(state.loose[seat] + without(stack, (card,))))
            others = tuple(other for other in stacks if other is not stack)
            return state._replace(stacks=replaced(state.stacks, seat, others), loose=replaced(state.loose, seat, freed))
    return state


def _move_pawn(state: State, move: Move) -> State:
    spec, seat, left = state.spec, move.seat, state.at[move.seat]
    routes = spec.routes
    walk = routes.walks(left, move.roll).get(move.to) or Walk(left == routes.start, move.to == routes.start != left)
    to = routes.start if routes.sends_back(move.to) else move.to
    if walk.home and not spec.cards:
        return state._replace(at=replaced(state.at, seat, to), moved=True, winners=(seat,))
    leaving = [Consequence(seat, "leaving")] if walk.leaves else []
    return _put_pawn(state, seat, to, [*leaving, *_consequences(routes, seat, to)], moved=True)


def _jump(state: State, seat: int, card: int) -> State:
    routes, left = state.spec.routes, state.at[seat]
    to = routes.jump(left, card)
    if to == left:
        return state
    return _put_pawn(
        state, seat, to, consequences=[Consequence(seat, "leaving")] if left == routes.start else [], moved=state.moved
    )


def _put_pawn(state: State, seat: int, to: str, consequences: list[Consequence], moved: bool) -> State:
    """Puts a pawn on its new space. A pawn that is already there is bumped to the space that the first one left."""
    routes, left, at = state.spec.routes, state.at[seat], list(state.at)
    bumped = at.index(to) if to in at and to not in (left, routes.start) else NONE
    at[seat] = to
    if bumped != NONE:
        at[bumped] = left
        consequences = [*consequences, *_consequences(routes, bumped, left)]
    return state._replace(
        at=tuple(at), moved=moved, consequences=(*state.consequences, *consequences) if state.spec.cards else ()
    )


def _consequences(routes: Routes, seat: int, space: str) -> list[Consequence]:
    kind = DEMANDS.get(routes.kinds[space])
    return [Consequence(seat, kind)] if kind else []


def _next_turn(state: State) -> State:
    """The table at the beginning of the next turn, or at the end of the game if the deck has run out."""
    if state.spec.cards and not state.deck:
        return state._replace(winners=best(standing(state, seat) for seat in range(len(state.at))))
    return state._replace(seat=(state.seat + 1) % len(state.at), step="act", moved=False)


def best(standings: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """The seats with the best `standing`: the most stacks, then the loose cards nearest to zero."""
    results = list(standings)
    return tuple(seat for seat, result in enumerate(results) if result == max(results))


def without(cards: Cards, removed: Cards) -> Cards:
    """The cards without the removed ones; a removed card that is not there is ignored."""
    left = list(cards)
    for card in removed:
        if card in left:
            left.remove(card)
    return tuple(left)


def holds(cards: Cards, others: Cards) -> bool:
    """Whether the cards include all the others, counting copies."""
    return len(without(cards, others)) == len(cards) - len(others)


def sums_of(cards: Cards) -> set[int]:
    """The sum of every choice of one or more of the cards."""
    sums: set[int] = set()
    for card in cards:
        sums |= {card, *(before + card for before in sums)}
    return sums


@lru_cache(1 << 14)
def choices(cards: Cards, total: int) -> tuple[Cards, ...]:
    """Every different choice of one or more of the cards with this sum."""
    totals: dict[Cards, int] = {(): 0}
    for card in cards:
        totals |= {(*chosen, card): value + card for chosen, value in totals.items()}
    return tuple(chosen for chosen, value in totals.items() if chosen and value == total)


@lru_cache(1 << 14)
def stacked(cards: Cards) -> tuple[Cards, ...]:
    """The most stacks that the cards can make; cards may be left over.

    A zero card is a stack, and a value and its opposite can always be paired first: if the best solution has them in
    two stacks, the rest of those two stacks also adds up to zero. Dividing the other cards into the most zero stacks is
    NP-hard (T. Verhoeff, "Settling Multiple Debts Efficiently", Informatics in Education 3, 2004), but there are few
    of them: the first one is in no stack, or in one of those that it can make."""
    for card in cards:
        if card >= 0 and -card in cards:
            stack = (-card, card) if card else (card,)
            return (stack, *stacked(without(cards, stack)))
    if not cards or cards[0] > 0 or cards[-1] < 0:  # cards of one suit make no stack
        return ()
    first, others = cards[:1], cards[1:]
    stacks = [first + chosen for chosen in choices(others, -first[0])]
    return max([stacked(others), *((stack, *stacked(without(cards, stack))) for stack in stacks)], key=len)
