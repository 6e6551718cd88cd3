"""Simulates From the Ground Up: the deal, the die, the value of a move, and the table sheet at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...draws import Chance, Deck
from ...model.game import Game
from ..simulation import FinishedGame, Sheet, SimulatedGame, Simulation
from ..turns import replaced
from . import play
from .play import DECK, DIE, Move, ways
from .table import spec_of

STALL = "stall"
FINISHED, FLIPPED, DECIDES = "finished", "flipped", "decides"


class FromTheGroundUpGame(SimulatedGame[Move]):
    """One game. Players score the finished and flipped cards in front of them."""

    def __init__(self, simulation: FromTheGroundUpSimulation, chance: Chance) -> None:
        super().__init__(chance)
        self.simulation = simulation
        cards = iter(chance.shuffled(simulation.specs))
        self.hands = [[next(cards) for _ in range(simulation.each)] for _ in range(simulation.players)]
        self.state = play.start(self.hands, 0, simulation.variant == STALL)
        self.log: list[tuple[Move, int]] = []
        self._roll = self.rounds = 0

    def choices(self) -> Sequence[Move]:
        state = self.state
        if not state.passing:
            self.rounds += state.seat == state.first
            self._roll = self.chance.below(DIE[-1]) + 1
        return play.legal(state, self._roll)

    def do(self, move: Move) -> None:
        self.log.append((move, self._roll))
        self.state = play.apply(self.state, move)
        self.seat = self.state.seat

    def gain(self, move: Move) -> int:
        """The points a move gains: the last tick wins a card, a flip turns one negative, a pass gives one away."""
        if move.kind == "tick":
            return self.state.writing[move.card][play.STAR] if play.completes(self.state, move) else 0
        if move.kind == "flip":
            return play.points(self.state.specs[move.card], self.state.writing[move.card], flipped=True)
        return -self._points(move.card) if move.kind == "pass" else 0

    def is_harmful(self, move: Move) -> bool:
        """Whether no rolls could fill the crates of the card after this move."""
        if move.kind != "write" or move.place == play.STAR:
            return False
        spec, writing = self.state.specs[move.card], replaced(self.state.writing[move.card], move.place, move.roll)
        return not ways(spec.symbols, spec.compare, tuple(number or None for number in writing[1:]))

    def _points(self, card: int) -> int:
        """The points of a card for the player who has it."""
        state = self.state
        return play.points(state.specs[card], state.writing[card], card in state.flipped, self.simulation.unstarred)

    def result(self) -> FinishedGame:
        state, hands = self.state, self._counted()
        points = [list(hand.values()) for hand in hands]
        winners = play.winners(points)
        fates = [(spec.name, "") for spec in state.specs]
        for card, spec in enumerate(state.specs):
            if card in state.flipped:
                fates.append((spec.name, FLIPPED))
            elif play.is_full(state, card) and card not in state.shared:
                fates.append((spec.name, FINISHED))
        for seat, hand in enumerate(hands):
            for number, (card, worth) in enumerate(hand.items()):
                if worth > 0 if seat in winners else worth < 0:
                    without = replaced(tuple(points), seat, list(replaced(tuple(points[seat]), number, 0)))
                    if play.winners(without) != winners:
                        fates.append((state.specs[card].name, DECIDES))
        return FinishedGame(
            self.rounds, tuple(map(sum, points)), winners, fates=tuple(fates), ended=play.is_over(state)
        )

    def _counted(self) -> list[dict[int, int]]:
        """Each player's cards with their points, under the stall variant without the one that scores least, which
        simulated players give up."""
        state, hands = self.state, []
        for hand in play.passed_on(state):
            points = {card: self._points(card) for card in hand}
            scoring = [card for card in hand if card in state.flipped or play.is_full(state, card)]
            if scoring and self.simulation.variant == STALL:
                del points[min(scoring, key=self._points)]
            hands.append(points)
        return hands

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        state, specs = self.state, self.state.specs
        hands = zip(names, play.passed_on(state), self._counted(), strict=True)
        return [
            {
                "game": self.simulation.game.key,
                "set": self.simulation.deck.code,
                "variant": STALL if self.simulation.variant == STALL else None,
                "players": [
                    {
                        "name": name,
                        "cards": [self._typed(card) for card in hand],
                        "discarded": next((specs[card].name for card in hand if card not in counted), None),
                        "claimed": {"total": sum(counted.values())},
                    }
                    for name, hand, counted in hands
                ],
                "shared": [self._typed(card) | {"ticked": sorted(state.ticks[card])} for card in state.shared],
                "deal": {name: [spec.name for spec in hand] for name, hand in zip(names, self.hands, strict=True)},
                "log": [self._entry(names[move.seat], move, roll) for move, roll in self.log],
            }
        ]

    def _typed(self, card: int) -> dict[str, Any]:
        star, *crates = (number or None for number in self.state.writing[card])
        flipped = card in self.state.flipped or None
        return {"card": self.state.specs[card].name, "crates": crates, "star": star, "flipped": flipped}

    def _entry(self, player: str, move: Move, roll: int) -> dict[str, Any]:
        """A move as an entry of the log."""
        card = self.state.specs[move.card].name
        if move.kind in ("pass", "flip", "nothing"):
            entry = {"player": player, "roll": None if move.kind == "pass" else roll}
            return entry | ({} if move.kind == "nothing" else {move.kind: card})
        place = {"tick": move.place} if move.kind == "tick" else {"crate": move.place} if move.place else {"star": True}
        return {"player": player, "roll": roll, "mark": {"card": card, **place}}


class FromTheGroundUpSimulation(Simulation):
    """A set of cards, dealt afresh for every game."""

    variants = ("standard", STALL)
    fates: Mapping[str, str] = {
        FINISHED: "finished, and in front of a player at the end",
        FLIPPED: "flipped, so that it counts against its player",
        DECIDES: "without its points, the winners would be different",
    }

    def __init__(self, game: Game, deck: Deck, players: int, variant: str) -> None:
        super().__init__(game, deck, players, variant)
        self.specs = tuple(spec_of(card, game) for card in deck.cards[DECK])
        self.unstarred = int(game.rules["unstarred"])
        self.each = int(game.rules["deal"][str(players)])
        self.pieces = dict.fromkeys((spec.name for spec in self.specs), tuple(self.fates))

    @classmethod
    def players_with(cls, game: Game, deck: Deck) -> tuple[int, ...]:
        """The numbers of players for which there are enough cards."""
        deals, possible = game.rules["deal"], super().players_with(game, deck)
        return tuple(players for players in possible if players * int(deals[str(players)]) <= len(deck.cards[DECK]))

    def begin(self, chance: Chance, keep: bool = False) -> FromTheGroundUpGame:
        return FromTheGroundUpGame(self, chance)


SIMULATION = FromTheGroundUpSimulation
