"""Replays a log of turns from the deal and checks every turn against the rules.

A turn that breaks a rule is reported and then carried out anyway, as it was at the table. If it cannot be carried
out (the card is not there, or it is another player's turn), the replay ends there.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.book import Rule, Violation
from ..replay import Replay, StopReplay
from . import play
from .crates import SIGNS
from .play import NONE, STAR, Move
from .table import Entry, TableCard, TableSheet, rules


class TableReplay(Replay[tuple[int, Entry]]):
    """The replay of a log from a deal in which every card is dealt once: `state` is the table at its end, `where` the
    id of its last entry. Whoever takes the first turn of the log starts every round."""

    def __init__(self, table: TableSheet) -> None:
        super().__init__()
        self.table, self.where = table, ""
        hands = [[table.specs[card] for card in (table.deal or {}).get(name, ())] for name in table.names]
        self.state = play.start(hands, table.names.index(table.log[0].player), table.stall)
        self.follow(enumerate(table.log, 1))

    def play(self, numbered: tuple[int, Entry]) -> Iterator[Violation]:
        number, entry = numbered
        self.where, seat = f"log.{number}", self.table.names.index(entry.player)
        if play.is_over(self.state):
            raise self._stop(rules["after-the-end"], "the game had ended before this entry")
        move = self._turn(seat, entry) if entry.pass_ is None else self._pass(seat, entry.player, entry.pass_)
        yield from self._violations(entry, move)
        self.state = play.apply(self.state, move)

    def _stop(self, rule: Rule, message: str) -> StopReplay:
        return StopReplay(rule(self.where, message))

    def _number(self, name: str) -> int:
        """The number of a card in the state; NONE if it was not dealt."""
        return next((number for number, spec in enumerate(self.state.specs) if spec.name == name), NONE)

    def _pass(self, seat: int, name: str, card: str) -> Move:
        state, move = self.state, Move("pass", seat, self._number(card))
        if not state.passing:
            whose = self.table.names[state.seat]
            raise self._stop(rules["turn-order"], f"{name} passes a card before {whose} has had a turn")
        if state.passed[seat] != NONE:
            raise self._stop(rules["pass"], f"{name} passes a second card in this round")
        if move.card not in state.hands[seat]:
            raise self._stop(rules["pass"], f"{name} passes card {card}, but does not have it")
        return move

    def _turn(self, seat: int, entry: Entry) -> Move:
        """The move of a turn. Stops at one that nobody could have made with the cards as they are."""
        state, roll, whose = self.state, entry.roll or 0, self.table.names[self.state.seat]
        if state.passing:
            raise self._stop(rules["pass"], f"{whose} still has to pass a card before the next round begins")
        if seat != state.seat:
            raise self._stop(rules["turn-order"], f"{entry.player} takes a turn, but it is {whose}’s turn")
        moves = []
        for mark in entry.marks:
            kind, place = ("tick", mark.tick) if mark.tick is not None else ("write", mark.crate or STAR)
            card = self._number(mark.card) if mark.card else self._implied_card(kind, place, roll)
            moves.append(Move(kind, seat, card, place=place, roll=roll))
        if entry.flip is not None:
            moves.append(Move("flip", seat, self._number(entry.flip)))
        if len(moves) > 1:
            raise self._stop(rules["one-mark"], f"{entry.player} uses one roll {len(moves)} times")
        if not moves:
            return Move("nothing", seat, roll=roll)
        (move,) = moves
        if reason := self._impossible(move, entry.player):
            raise self._stop(rules["flip"] if move.kind == "flip" else rules["mark-fits"], reason)
        return move

    def _implied_card(self, kind: str, place: int, roll: int) -> int:
        """The card of a star or tick that does not name it. Stops if several cards could be meant, or none."""
        cards = [move.card for move in play.marks(self.state, roll) if (move.kind, move.place) == (kind, place)]
        if len(cards) != 1:
            what = "star" if kind == "write" else f"shared crate {place}"
            message = f"{'more than one' if cards else 'no'} {what} can take the {roll}; add the number of the card"
            raise self._stop(rules["log-named"], message)
        return cards[0]

    def _impossible(self, move: Move, name: str) -> str:
        """Why a card is not there to be marked or flipped, or a place is not free; empty if they are."""
        state = self.state
        if move.card == NONE:
            return f"{name} uses a card that was not dealt"
        card, writing, is_tick = f"card {state.specs[move.card].name}", state.writing[move.card], move.kind == "tick"
        if move.card not in (state.shared if is_tick else state.hands[move.seat]):
            return f"{card} is not {'shared' if is_tick else f'in front of {name}'}"
        if not is_tick and move.card in state.flipped:
            return f"{card} is already flipped"
        if move.kind == "flip":
            return ""
        if move.place >= len(writing) or (is_tick and move.place == STAR):
            return f"{card} has no crate {move.place}"
        if not is_tick and writing[move.place]:
            return f"{_place(move)} of {card} is already filled in"
        return f"{_place(move)} of {card} is already ticked" if is_tick and move.place in state.ticks[move.card] else ""

    def _violations(self, entry: Entry, move: Move) -> Iterator[Violation]:
        """The rules that a possible move breaks."""
        state, where, name, roll = self.state, self.where, entry.player, entry.roll or 0
        if move.kind == "pass":
            if move not in play.passes(state, move.seat):
                yield rules["pass"](where, self._wrong_pass(move, name))
        elif move in play.legal(state, roll):
            return
        elif move.kind in ("write", "tick"):
            yield rules["mark-fits"](where, self._unfitting(move))
        elif possible := play.marks(state, roll):
            action = f"flips card {entry.flip}" if entry.flip else "marks nothing"
            place = f"{_place(possible[0])} of card {state.specs[possible[0].card].name}"
            example = f"{place} takes it" if possible[0].kind == "write" else f"it ticks {place}"
            yield rules["must-mark"](where, f"{name} {action}, but could mark the {roll}: {example}")
        elif move.kind == "flip":
            yield rules["flip"](where, f"{name} flips card {entry.flip}, but has no unfinished card face up")
        else:
            yield rules["must-flip"](where, f"{name} cannot mark the {roll} and must flip a card")

    def _wrong_pass(self, move: Move, name: str) -> str:
        state = self.state
        card, marked = state.specs[move.card].name, state.marked[move.seat]
        if marked in state.hands[move.seat]:
            return f"{name} passes card {card}, but must pass card {state.specs[marked].name}, written on this round"
        return f"{name} passes the flipped card {card}, but has a face-up card"

    def _unfitting(self, move: Move) -> str:
        spec = self.state.specs[move.card]
        if move.kind == "tick":
            value = self.state.writing[move.card][move.place]
            return f"crate {move.place} of card {spec.name} holds {value}, so a {move.roll} cannot tick it"
        if move.place == STAR:
            return f"the star of card {spec.name} takes {spec.star}, not {move.roll}"
        signs = " ".join(SIGNS[symbol] for symbol in spec.symbols)
        return f"a {move.roll} does not fit in crate {move.place} of card {spec.name} ({signs})"

    def end(self) -> Iterator[Violation]:
        """A stall variant that ended without a stalled round, and differences between the log and the sheet. A card
        already passed in an unfinished round is in front of the next player."""
        table, state = self.table, self.state
        if table.stall and not play.is_over(state):
            yield rules["stalled"](
                self.where, "the log does not end with a full round in which nobody marked or flipped anything"
            )
        hands = zip(table.players, play.passed_on(state), strict=True)
        owners = {card: player for player, hand in hands for card in hand}
        dealt = {spec.name: number for number, spec in enumerate(state.specs)}
        on_sheet = {*(card.spec.name for card in table.cards), *table.deleted}
        for name in dealt:
            if name not in on_sheet:
                yield rules["log-agrees"]("deal", f"card {name} was dealt, but is not on the sheet")
        for card in table.cards:
            number = dealt.get(card.spec.name, NONE)
            if number == NONE:
                yield rules["log-agrees"](f"{card.id}.card", f"{card.name} was not dealt")
                continue
            for field, message in self._differences(card, number, owners.get(number, "")):
                yield rules["log-agrees"](f"{card.id}{field}", f"after the log {message}")

    def _differences(self, card: TableCard, number: int, owner: str) -> Iterator[tuple[str, str]]:
        """The fields of a card that do not agree with the state at the end of the log, in which it has this number and
        owner, and what they should hold."""
        state = self.state
        if card.owner != owner:
            yield "", f"{card.name} is {self._holder(owner)}, not {self._holder(card.owner)}"
        for place, (typed, right) in enumerate(zip(card.writing, state.writing[number], strict=True)):
            if typed != right:
                where, what = (f".crates.{place}", f"crate {place}") if place else (".star", "the star")
                holds = f"holds {right}" if right else "is empty"
                yield where, f"{what} of {card.name} {holds}, not {typed or 'empty'}"
        if card.flipped != (number in state.flipped):
            yield ".flipped", f"{card.name} is {'face up' if card.flipped else 'flipped'}"
        if not card.owner and not owner and card.ticked != state.ticks[number]:
            ticks = ", ".join(map(str, sorted(state.ticks[number]))) or "none"
            yield ".ticked", f"the ticked crates of {card.name} are {ticks}"

    def _holder(self, owner: str) -> str:
        return f"in front of {self.table.name(owner)}" if owner else "in the shared area"


def _place(move: Move) -> str:
    return "the star" if move.place == STAR else f"crate {move.place}"
