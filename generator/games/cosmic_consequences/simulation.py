"""Simulates games of Cosmic Consequences: rolls the die, shuffles the deck, and writes the travel log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...draws import Chance, Deck, parse
from ...model.game import Game
from ..simulation import FinishedGame, Sheet, SimulatedGame, Simulation
from . import play
from .deal import ORDER
from .play import CARDS, PILE, Consequence, Move, stacked, without

RACE = "race"
LOCKED, DISCARDED, DECIDES = "locked", "discarded", "decides"
DRAWN, GIVEN, JUMPS, BUMPED, LAPS = "cards drawn", "cards discarded", "jumps with a card", "pawns met", "laps"
OUT = "deck runs out"
ENDS = {"jump": "a jump", "discard": "a card given", "orange": "orange space", "green": "green space", "": OUT}
"""How a game can end, by the kind of the last move or of the consequence that it answered."""

MIN_CHOICES_PER_TURN = 2
"""The fewest choices in a turn: a card action (or none), and the move."""


class CosmicConsequencesGame(SimulatedGame[Move]):
    """A simulated game. If a space asks something of a player during another player's turn, that player chooses."""

    def __init__(self, simulation: CosmicConsequencesSimulation, chance: Chance) -> None:
        super().__init__(chance)
        self.simulation = simulation
        self.deck = simulation.order or chance.shuffled(simulation.spec.deck)
        self.state = play.start(simulation.spec, simulation.players, self.deck)
        self.log: list[list[tuple[Consequence | None, Move]]] = []
        self._roll = 0
        self.counts: Counter[str] = Counter()
        self._last: tuple[Consequence | None, Move] | None = None

    def choices(self) -> Sequence[Move]:
        """The legal moves; chance decides which card a cut shows."""
        state = self.state
        self.seat = play.mover(state)
        if not state.consequences and state.step == "roll":
            self._roll = self.chance.below(self.simulation.sides) + 1
            return play.legal(state, self._roll)
        if not state.consequences and not play.is_over(state):
            self.log.append([])
        cards_below = len(state.deck) - 1
        cut = (state.deck[1 + self.chance.below(cards_below)],) if cards_below > 0 else ()
        return play.legal(state, cut_cards=cut)

    def do(self, move: Move) -> None:
        before = self.state
        self._last = before.consequences[0] if before.consequences else None, move
        self.log[-1].append(self._last)
        self.state = play.apply(before, move)
        kind, routes = move.kind, before.spec.routes
        moved = sum(there != here for there, here in zip(before.at, self.state.at, strict=True))
        self.counts.update(
            {
                DRAWN: kind in ("draw", "cut"),
                GIVEN: len(move.cards) * (kind == "discard"),
                JUMPS: kind == "jump",
                LAPS: kind == "go" and routes.walks(before.at[move.seat], move.roll)[move.to].home,
                BUMPED: moved > 1,
            }
        )

    def gain(self, move: Move) -> int:
        """The zero stacks a move makes for the player."""
        return self._stacks_gained(move, move.seat) if move.kind in ("jump", "discard") or move.place >= PILE else 0

    def is_harmful(self, move: Move) -> bool:
        """Whether the move gives another player a zero stack. Players can stack their own cards later."""
        return move.kind == "discard" and move.place >= 0 and self._stacks_gained(move, move.place) > 0

    def _stacks_gained(self, move: Move, seat: int) -> int:
        return play.count(play.apply(self.state, move), seat) - play.count(self.state, seat)

    def result(self) -> FinishedGame:
        state = self.state
        points = tuple(play.count(state, seat) for seat in range(self.simulation.players))
        return FinishedGame(
            len(self.log),
            points,
            state.winners,
            fates=tuple(self._fates(points)),
            ended=play.is_over(state),
            counts=tuple((name, self.counts[name]) for name in self.simulation.counts),
        )

    def _fates(self, points: tuple[int, ...]) -> Iterator[tuple[str, str]]:
        state, name = self.state, piece
        if not state.spec.cards:
            return
        yield from ((name(card), "") for card in state.spec.deck)
        yield from ((name(card), LOCKED) for stacks in state.stacks for stack in stacks for card in stack)
        yield from ((name(card), DISCARDED) for card in state.pile)
        yield from ((end, "") for end in ENDS.values())
        if max(points) < state.spec.stacks:
            yield from [(OUT, DECIDES)] * play.is_over(state)
        elif self._last:
            consequence, move = self._last
            yield from ((name(card), DECIDES) for card in dict.fromkeys(move.cards + move.onto))
            yield ENDS[consequence.kind if consequence else move.kind], DECIDES

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        sheet: Sheet = {"game": self.simulation.game.key, "players": list(names), **self.simulation.codes}
        if not self.state.spec.cards:
            sheet["cards"] = False
        else:
            sheet.setdefault("deal", {"deck": list(map(piece, self.deck))})
        sheet["turns"] = [_turn_data(names, moves) for moves in self.log]
        if self.state.spec.cards:
            state = self.state
            sheet["hands"] = {}
            for seat, name in enumerate(names):  # players stack all loose cards that make zero
                new_stacks = stacked(state.loose[seat])
                sheet["hands"][name] = {
                    "cc_up": [*map(piece, state.cc[seat])],
                    "number_up": [*map(piece, without(state.loose[seat], sum(new_stacks, ())))],
                    "stacks": [[*map(piece, stack)] for stack in state.stacks[seat] + new_stacks],
                }
        return [sheet]


def piece(card: int) -> str:
    """The name of a card; both zero cards have the same."""
    return f"{'dragon' if card > 0 else 'tiger'}-{abs(card)}" if card else "zero"


def _turn_data(names: Sequence[str], moves: Sequence[tuple[Consequence | None, Move]]) -> dict[str, Any]:
    turn: dict[str, Any] = {"player": names[next(move.seat for consequence, move in moves if consequence is None)]}
    forced = []
    for consequence, move in moves:
        if move.kind == "go":
            turn |= {"roll": move.roll, "to": move.to}
        elif move.kind != "pass" and consequence is None:
            turn |= _action_data(names, move)
        elif move.kind != "pass":
            player = names[move.seat] if names[move.seat] != turn["player"] else None
            forced.append({"player": player, **_action_data(names, move)})
    return turn | {"forced": forced if len(forced) > 1 else next(iter(forced), None)}


def _action_data(names: Sequence[str], move: Move) -> dict[str, Any]:
    """A card action as data for a log."""
    card, *more = ids = [*map(piece, move.cards)]
    onto = [*map(piece, move.onto)] or None
    if move.kind == "jump":
        return {"jump": {"card": card, "with": onto} if onto else card}
    place = {play.DECK: "deck", play.PILE: "pile"}.get(move.place) or names[move.place]
    if move.kind == "discard":
        return {"discard": {"card": ids if more else card, "onto": place, "with": onto}}
    return {"draw": {"from": place, "card": card, "with": onto}}


def _is_deal(deck: Deck) -> bool:
    return deck.code is not None and parse(deck.code).kind == ORDER


class CosmicConsequencesSimulation(Simulation):
    """Games on the standard board or a shuffled one, with a deck that is shuffled for every game or in the order of a
    deal; or the race without cards. `codes` has the set code for the log, by its field."""

    variants = ("standard", RACE)
    unit = "turns"
    points_are = "stacks"
    fates: Mapping[str, str] = {
        LOCKED: "ended in a zero stack",
        DISCARDED: "ended on the discard pile",
        DECIDES: "a card in the last move, or the way the game ended",
    }

    def __init__(self, game: Game, deck: Deck, players: int, variant: str) -> None:
        super().__init__(game, deck, players, variant)
        self.order = [card.number for card in deck.cards[CARDS]] if _is_deal(deck) else []
        self.codes = {deck.field: deck.code} if deck.code else {}
        self.spec = play.Spec(deck.dress(game), variant != RACE)
        self.sides = int(str(game.rules["die"]).rpartition("-")[2])
        self.longest = MIN_CHOICES_PER_TURN * (game.sheets["log"].definition.fields["turns"].most or 1)
        names = dict.fromkeys(map(piece, (card.number for card in game.components[CARDS].cards)))
        self.pieces = (
            {**dict.fromkeys(names, tuple(self.fates)), **dict.fromkeys(ENDS.values(), (DECIDES,))}
            if self.spec.cards
            else {}
        )
        self.counts = (DRAWN, GIVEN, JUMPS, BUMPED, LAPS) if self.spec.cards else (BUMPED,)

    @classmethod
    def variants_with(cls, game: Game, deck: Deck) -> tuple[str, ...]:
        """All variants, but not the race for a deal: the race has no cards."""
        return tuple(variant for variant in cls.variants if variant != RACE or not _is_deal(deck))

    def begin(self, chance: Chance, keep: bool = False) -> CosmicConsequencesGame:
        return CosmicConsequencesGame(self, chance)


SIMULATION = CosmicConsequencesSimulation
