"""Cosmic Consequences at the table: the die, the deck, what stacks a move makes, and the travel log at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...codes.chance import Chance
from ...definitions.models import Game
from ...errors import InputError, fault
from ..deck import Deck
from ..sitting import Played, Seats, Sheet, Sitting
from . import play
from .play import CARDS, DECK, PILE, Demand, Move, State

RACE = "race"
LOCKED, DISCARDED, DECIDES = "locked", "discarded", "decides"
ZEROS = ("zero-1", "zero-2")
LEAST_A_TURN = 2
"""Choices of a turn at least: a card action or none, and the move."""


class Travelling(Sitting[Move]):
    """One game. What a player is asked for on another's turn is theirs to choose."""

    __slots__ = ("_last", "_roll", "deck", "log", "seats", "state", "turns")

    def __init__(self, seats: Cosmic, chance: Chance, keep: bool) -> None:
        super().__init__(chance)
        self.seats = seats
        self.deck = chance.shuffled(seats.spec.deck)
        self.state = play.start(seats.spec, seats.players, self.deck)
        self.log: list[list[tuple[Demand | None, Move]]] | None = [] if keep else None
        self._roll = self.turns = 0
        self._last: Move | None = None

    def choices(self) -> Sequence[Move]:
        """The moves there are; of a cut deck chance shows one card."""
        state = self.state
        self.seat = play.mover(state)
        if not state.asked and state.step == "roll":
            self._roll = self.chance.below(self.seats.sides) + 1
            return play.legal(state, self._roll)
        if not state.asked and not play.is_over(state):
            self.turns += 1
            if self.log is not None:
                self.log.append([])
        moves = play.legal(state)
        cuts = [move for move in moves if move.kind == "cut"]
        return [*(move for move in moves if move.kind != "cut"), self.chance.choice(cuts)] if cuts else moves

    def do(self, move: Move) -> None:
        if self.log is not None:
            self.log[-1].append((self.state.asked[0] if self.state.asked else None, move))
        self._last = move
        self.state = play.apply(self.state, move)

    def gain(self, move: Move) -> int:
        """The zero stacks a move makes for the player."""
        if move.kind in ("go", "pass"):
            return 0
        return play.count(play.apply(self.state, move), move.seat) - play.count(self.state, move.seat)

    def played(self) -> Played:
        state = self.state
        points = tuple(play.count(state, seat) for seat in range(self.seats.players))
        return Played(self.turns, points, state.winners, tuple(self._fates(points)), play.is_over(state))

    def _fates(self, points: tuple[int, ...]) -> Iterator[tuple[str, str]]:
        state, name = self.state, piece
        if not state.spec.cards:
            return
        yield from ((name(card), "") for card in state.spec.deck)
        yield from ((name(card), LOCKED) for stacks in state.stacks for stack in stacks for card in stack)
        yield from ((name(card), DISCARDED) for card in state.pile)
        if self._last and max(points) >= state.spec.stacks:
            yield from ((name(card), DECIDES) for card in self._last.cards + self._last.onto)

    # ---- the sheet ---------------------------------------------------------------------------------------------------

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        made: Sheet = {"game": self.seats.game.key, "players": list(names)}
        if not self.state.spec.cards:
            made["cards"] = False
        else:
            made["deal"] = {"deck": _ids(self.deck)}
        made["turns"] = [_turn(names, moves) for moves in self.log or ()]
        if self.state.spec.cards:
            made["hands"] = _hands(names, self.state)
        return [made]


def piece(card: int) -> str:
    """The name of a card; both zero cards have the same."""
    return f"{'dragon' if card > 0 else 'tiger'}-{abs(card)}" if card else "zero"


def _ids(cards: Sequence[int], zeros: Iterator[str] | None = None) -> list[str]:
    zeros = zeros or iter(ZEROS)
    return [piece(card) if card else next(zeros) for card in cards]


def _turn(names: Sequence[str], moves: Sequence[tuple[Demand | None, Move]]) -> dict[str, Any]:
    turn: dict[str, Any] = {"player": names[next(move.seat for demand, move in moves if demand is None)]}
    forced = []
    for demand, move in moves:
        if move.kind == "go":
            turn |= {"roll": move.roll, "to": move.to}
        elif move.kind != "pass" and demand is None:
            turn |= _written(names, move)
        elif move.kind != "pass":
            own = names[move.seat] == turn["player"]
            forced.append(_written(names, move) if own else {"player": names[move.seat], **_written(names, move)})
    return turn | ({"forced": forced if len(forced) > 1 else forced[0]} if forced else {})


def _written(names: Sequence[str], move: Move) -> dict[str, Any]:
    """A move with cards, as a log has it."""
    ids, stacked = [_one(card) for card in move.cards], {}
    if move.onto:
        stacked = {"with": [_one(card) for card in move.onto]}
    where = {DECK: "deck", PILE: "pile"}.get(move.other) or names[move.other]
    if move.kind == "jump":
        return {"jump": {"card": ids[0], **stacked} if stacked else ids[0]}
    if move.kind == "discard":
        return {"discard": {"card": ids if len(ids) > 1 else ids[0], "onto": where, **stacked}}
    return {"draw": {"from": where, "card": ids[0], **stacked}}


def _one(card: int) -> str:
    return piece(card) if card else ZEROS[0]


def _hands(names: Sequence[str], state: State) -> dict[str, Any]:
    zeros = iter(ZEROS)
    return {name: {"cc_up": _ids(state.cc[seat], zeros), "number_up": _ids(state.loose[seat], zeros),
                   "stacks": [_ids(stack, zeros) for stack in state.stacks[seat]]} for seat, name in enumerate(names)}


def shuffled_anew(game: Game) -> InputError:
    return fault(f"{game.title} is simulated with its deck shuffled anew, not by a code")


class Cosmic(Seats):
    """The deck, shuffled anew for every game, and the board; or the race without cards."""

    variants = ("standard", RACE)
    unit = "turns"
    points_are = "stacks"
    fates: Mapping[str, str] = {LOCKED: "ended in a zero stack", DISCARDED: "ended on the discard pile",
                                DECIDES: "was in the move that made the last stack"}

    def __init__(self, game: Game, deck: Deck, players: int, variant: str) -> None:
        super().__init__(game, deck, players, variant)
        if deck.code:
            raise shuffled_anew(game)
        self.spec = play.spec(game, variant != RACE)
        self.sides = int(str(game.rules["die"]).rpartition("-")[2])
        self.longest = LEAST_A_TURN * (game.sheets["log"].definition.fields["turns"].most or 1)
        names = dict.fromkeys(map(piece, (card.number for card in game.components[CARDS].cards)))
        self.pieces = dict.fromkeys(names if self.spec.cards else (), tuple(self.fates))

    @classmethod
    def new_code(cls, game: Game, seed: str, index: int, players: int) -> str:
        raise shuffled_anew(game)

    def begin(self, chance: Chance, keep: bool = False) -> Travelling:
        return Travelling(self, chance, keep)


SEATS = Cosmic
