"""Simulates games of Elevator Up: the deal, the swaps and the turns, and writes the turn log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, TypeAlias

from msgspec import Struct

from ...draws import Chance, Deck, SetCode, draw_kinds, parse
from ...draws.setcode import SEED_BITS, VERSION
from ...model.game import Game
from ..simulation import FinishedGame, Sheet, SimulatedGame, Simulation
from . import play
from .play import DRAW, KIND, Cards, Move, dealt_cards

FLIPPED, CLEARS, DECIDES = "flipped", "clears", "decides"


class Swap(Struct, frozen=True):
    """A swap before the first turn: the cards put face up, and the face-up cards taken into the hand in return."""

    up: Cards
    hand: Cards


Choice: TypeAlias = Swap | Move


class ElevatorUpGame(SimulatedGame[Choice]):
    """A simulated game. The players swap one after another, then take their turns. The fewer cards left, the better."""

    def __init__(self, simulation: ElevatorUpSimulation, chance: Chance) -> None:
        super().__init__(chance)
        self.simulation = simulation
        prefix = simulation.game.definition.prefix
        self.code = simulation.code or SetCode(
            prefix, VERSION, KIND, recipe=simulation.recipe, seed=chance.below(1 << SEED_BITS)
        )
        spec = simulation.spec
        self.state = play.start(spec, dealt_cards(spec, simulation.game, self.code))
        self.swaps: list[Swap] = []
        self.turns: list[Move] = []
        self.fates: set[tuple[str, str]] = set()

    def choices(self) -> Sequence[Choice]:
        state = self.state
        if len(self.swaps) < len(state.hands):
            self.seat = len(self.swaps)
            return swaps(state.hands[self.seat], state.up[self.seat])
        self.seat = state.seat
        if state.winner == play.NONE and play.next_part(state, state.seat) == "down":
            return (Move("flip", state.seat, (self.chance.choice(state.down[state.seat]),)),)
        return play.legal(state)

    def do(self, move: Choice) -> None:
        if isinstance(move, Swap):
            self.state = play.swapped(self.state, self.seat, move.up, move.hand)
            self.swaps.append(move)
            return
        self.turns.append(move)
        state, names = self.state, self.simulation.spec.names
        if move.kind == "flip":
            self.fates.add((names[move.cards[0]], FLIPPED))
        if move.kind != "pickup" and play.stays(state, move):
            if play.clears(state.spec, state.pile + move.cards):
                self.fates.add((names[move.cards[0]], CLEARS))
            if play.cards_left(state, move.seat) == len(move.cards) and state.drawn == len(state.deck):
                self.fates.add((names[move.cards[0]], DECIDES))
        self.state = play.apply(state, move)

    def gain(self, move: Choice) -> int:
        """The number of cards that the player gets rid of; negative if they take the pile."""
        return 0 if isinstance(move, Swap) else -len(self.state.pile) if move.kind == "pickup" else len(move.cards)

    def result(self) -> FinishedGame:
        state = self.state
        cards_left = tuple(play.cards_left(state, seat) for seat in range(len(state.hands)))
        over = state.winner != play.NONE
        return FinishedGame(
            len(self.turns),
            cards_left,
            (state.winner,) if over else (),
            fates=(*((name, "") for name in self.simulation.pieces), *sorted(self.fates)),
            ended=over,
        )

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        cards = self.simulation.spec.names
        sheet: Sheet = {"game": self.simulation.game.key, "players": list(names), "deal": str(self.code)}
        sheet["swaps"] = {
            name: {"up": [cards[card] for card in swap.up], "hand": [cards[card] for card in swap.hand]}
            for name, swap in zip(names, self.swaps, strict=False)
            if swap.up
        }
        sheet["turns"] = [_turn(cards, names, move) for move in self.turns]
        return [sheet]


def swaps(hand: Cards, up: Cards) -> list[Swap]:
    """Every different swap, starting with no cards."""
    return [
        Swap(to_table, to_hand)
        for count in range(min(len(hand), len(up)) + 1)
        for to_table in dict.fromkeys(combinations(sorted(hand), count))
        for to_hand in dict.fromkeys(combinations(sorted(up), count))
    ]


def _turn(card_names: Sequence[str], players: Sequence[str], move: Move) -> dict[str, Any]:
    """A turn as plain data for a log."""
    turn: dict[str, Any] = {"player": players[move.seat]}
    if move.kind == "pickup":
        return turn | {"pickup": True}
    cards = [card_names[card] for card in move.cards]
    return turn | ({"play": cards} if move.kind == "play" else {"flip": cards[0]})


class ElevatorUpSimulation(Simulation):
    """Elevator Up, with the cards shuffled for each game or dealt by a code."""

    unit = "turns"
    points_are = "cards left"
    fates: Mapping[str, str] = {
        FLIPPED: "turned over from the face-down cards",
        CLEARS: "removed the pile from the game",
        DECIDES: "was the winner’s last card",
    }

    def __init__(self, game: Game, deck: Deck, players: int, variant: str) -> None:
        super().__init__(game, deck, players, variant)
        self.spec = play.Spec(game)
        self.pieces = dict.fromkeys(self.spec.names, tuple(self.fates))
        self.longest = players + (game.sheets["log"].definition.fields["turns"].most or 0)  # moves: swaps and turns
        self.code = parse(deck.code) if deck.code else None
        self.recipe = draw_kinds.recipe(game, DRAW, {"players": str(players)})

    @classmethod
    def players_with(cls, game: Game, deck: Deck) -> tuple[int, ...]:
        """The number of players that the code deals to."""
        return (
            (draw_kinds.own_draw_of(game, parse(deck.code))[1].players,)
            if deck.code
            else super().players_with(game, deck)
        )

    def begin(self, chance: Chance, keep: bool = False) -> ElevatorUpGame:
        return ElevatorUpGame(self, chance)


SIMULATION = ElevatorUpSimulation
