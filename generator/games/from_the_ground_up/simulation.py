"""Simulates From the Ground Up: the deal, the die, the value of a move, and the table sheet at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...draws.chance import Chance
from ...draws.deck import Deck
from ...model.game import Game
from ..simulation import FinishedGame, Sheet, SimulatedGame, Simulation
from . import DECK, crates, play, score
from .play import Move, Spec, State

STALL = "stall"
FINISHED, FLIPPED, DECIDES = "finished", "flipped", "decides"


class FromTheGroundUpGame(SimulatedGame[Move]):
    """One game. Players score the finished and flipped cards in front of them."""

    __slots__ = ("_roll", "hands", "log", "rounds", "simulation", "state")

    def __init__(self, simulation: FromTheGroundUpSimulation, chance: Chance, keep: bool) -> None:
        super().__init__(chance)
        self.simulation = simulation
        cards = iter(chance.shuffled(simulation.specs))
        self.hands = [[next(cards) for _ in range(simulation.each)] for _ in range(simulation.players)]
        self.state = play.start(self.hands, 0, simulation.variant == STALL)
        self.log: list[tuple[Move, int]] | None = [] if keep else None
        self._roll = self.rounds = 0

    def choices(self) -> Sequence[Move]:
        state = self.state
        if not state.passing:
            self.rounds += state.seat == state.first
            self._roll = self.chance.below(crates.DIE[-1]) + 1
        return play.legal(state, self._roll)

    def do(self, move: Move) -> None:
        if self.log is not None:
            self.log.append((move, self._roll))
        self.state = play.apply(self.state, move)
        self.seat = self.state.seat

    def gain(self, move: Move) -> int:
        """The points a move gains: the last tick wins a card, a flip turns one negative, a pass gives one away."""
        if move.kind == "tick":
            return self._star(move.card) if play.completes(self.state, move) else 0
        if move.kind == "flip":
            return self._points(move.card, flipped=True)
        return -self._points(move.card, play.is_flipped(self.state, move.card)) if move.kind == "pass" else 0

    def is_harmful(self, move: Move) -> bool:
        """Whether no rolls could fill the crates of the card after this move."""
        if move.kind != "write" or move.place == play.STAR:
            return False
        spec, writing = self.state.specs[move.card], self.state.writing[move.card]
        values = spec.values(writing)
        values[move.place - 1] = move.roll
        return not crates.can_finish(spec.symbols, tuple(values), spec.compare)

    def _star(self, card: int) -> int:
        return self.state.specs[card].written(self.state.writing[card], play.STAR)

    def _points(self, card: int, flipped: bool) -> int:
        if flipped:
            return score.flipped_points(self._star(card), self.state.specs[card].star.low)
        return self._star(card) if play.is_full(self.state, card) else 0

    # ---- the end -----------------------------------------------------------------------------------------------------

    def result(self) -> FinishedGame:
        state, own = self.state, self._counted()
        points = [[worth for _, worth in cards] for cards in own]
        winners = score.winning(points)
        return FinishedGame(
            self.rounds,
            tuple(map(sum, points)),
            winners,
            (*self._fates(), *self._deciding(own, winners)),
            play.is_over(state),
        )

    def _counted(self) -> list[list[tuple[int, int]]]:
        """Each player's cards with their points, under the stall variant without the card given up."""
        own = [
            [(card, self._points(card, play.is_flipped(self.state, card))) for card in hand]
            for hand in play.passed_on(self.state)
        ]
        for cards in own:
            if (given_up := self._given_up([card for card, _ in cards])) is not None:
                cards[:] = [(card, worth) for card, worth in cards if card != given_up]
        return own

    def _given_up(self, hand: Sequence[int]) -> int | None:
        """The card a simulated player gives up: always the one with the fewest points."""
        candidates = [card for card in hand if play.is_flipped(self.state, card) or play.is_full(self.state, card)]
        if self.simulation.variant != STALL or not candidates:
            return None
        return min(candidates, key=lambda card: self._points(card, play.is_flipped(self.state, card)))

    def _fates(self) -> list[tuple[str, str]]:
        state = self.state
        fates = [(spec.name, "") for spec in state.specs]
        for card, spec in enumerate(state.specs):
            if state.flipped >> card & 1:
                fates.append((spec.name, FLIPPED))
            elif not state.building >> card & 1 and card not in state.shared:
                fates.append((spec.name, FINISHED))
        return fates

    def _deciding(self, own: Sequence[Sequence[tuple[int, int]]], winners: tuple[int, ...]) -> list[tuple[str, str]]:
        """The cards that decided the game: without their points, the winners would be different."""
        deciding = []
        points = [[worth for _, worth in cards] for cards in own]
        for seat, cards in enumerate(own):
            for number, (card, worth) in enumerate(cards):
                if worth > 0 if seat in winners else worth < 0:
                    without = [
                        *points[:seat],
                        [*points[seat][:number], 0, *points[seat][number + 1 :]],
                        *points[seat + 1 :],
                    ]
                    if score.winning(without) != winners:
                        deciding.append((self.state.specs[card].name, DECIDES))
        return deciding

    # ---- the sheet ---------------------------------------------------------------------------------------------------

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        state = self.state
        sheet: Sheet = {"game": self.simulation.game.key}
        if self.simulation.deck.code:
            sheet["set"] = self.simulation.deck.code
        if self.simulation.variant == STALL:
            sheet["variant"] = STALL
        sheet["players"] = [self._player(name, hand) for name, hand in zip(names, play.passed_on(state), strict=True)]
        sheet["shared"] = [
            _typed(state, card)
            | {"ticked": [place for place in state.specs[card].places if state.ticks[card] >> place & 1]}
            for card in state.shared
        ]
        sheet["deal"] = {name: [spec.name for spec in hand] for name, hand in zip(names, self.hands, strict=True)}
        sheet["log"] = [_entry(state, names, move, roll) for move, roll in self.log or ()]
        return [sheet]

    def _player(self, name: str, hand: Sequence[int]) -> dict[str, Any]:
        given_up = self._given_up(hand)
        points = sum(self._points(card, play.is_flipped(self.state, card)) for card in hand if card != given_up)
        return {
            "name": name,
            "cards": [_typed(self.state, card) for card in hand],
            **({} if given_up is None else {"discarded": self.state.specs[given_up].name}),
            "claimed": {"total": points},
        }


def _typed(state: State, card: int) -> dict[str, Any]:
    spec, writing = state.specs[card], state.writing[card]
    typed: dict[str, Any] = {"card": spec.name, "crates": [value or "." for value in spec.values(writing)]}
    if star := spec.written(writing, play.STAR):
        typed["star"] = star
    return typed | ({"flipped": True} if play.is_flipped(state, card) else {})


def _entry(state: State, names: Sequence[str], move: Move, roll: int) -> dict[str, Any]:
    """A move as an entry of the log."""
    name = state.specs[move.card].name if move.card != play.NONE else ""
    if move.kind == "pass":
        return {"player": names[move.seat], "pass": name}
    turn: dict[str, Any] = {"player": names[move.seat], "roll": roll}
    if move.kind in ("flip", "nothing"):
        return turn | ({"flip": name} if move.kind == "flip" else {})
    where = {"tick": move.place} if move.kind == "tick" else {"crate": move.place} if move.place else {"star": True}
    return turn | {"mark": {"card": name, **where}}


def _each(game: Game, players: int) -> int:
    """How many cards each player is dealt."""
    return int(game.rules["deal"][str(players)])


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
        compare = game.rules["compare"]
        self.specs = tuple(Spec(card.id, card.star, card.symbols, compare) for card in deck.cards[DECK])
        self.each = _each(game, players)
        self.pieces = dict.fromkeys((spec.name for spec in self.specs), tuple(self.fates))

    @classmethod
    def players_with(cls, game: Game, deck: Deck) -> tuple[int, ...]:
        """The numbers of players for which there are enough cards."""
        possible = super().players_with(game, deck)
        return tuple(players for players in possible if players * _each(game, players) <= len(deck.cards[DECK]))

    def begin(self, chance: Chance, keep: bool = False) -> FromTheGroundUpGame:
        return FromTheGroundUpGame(self, chance, keep)


SIMULATION = FromTheGroundUpSimulation
