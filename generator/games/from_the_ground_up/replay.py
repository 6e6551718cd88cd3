"""Replays a log of turns from the deal and checks every turn against the rules.

A turn that breaks a rule is reported and then carried out anyway, as it was at the table. If it cannot be carried
out (the card is not there, or it is another player's turn), the replay ends there.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...fast_dataclasses import dataclass
from ...lazy import cached_property
from ...rules.book import Rule, Violation
from ..replay import Replay, StopReplay
from . import play
from .crates import SIGNS
from .play import NONE, STAR, Move, State
from .sheet import Entry, Table, TableCard, rules


class ReplayedTable(Table):
    """The table, with the replay of its log if there is one that can be replayed."""

    @cached_property
    def replay(self) -> TableReplay | None:
        playable = self.log and len(set(self.dealt)) == len(self.dealt)
        return TableReplay(self) if playable else None


class TableReplay(Replay[tuple[int, Entry]]):
    """The replay of a log from a deal in which every card is dealt once: `state` is the table at its end, `where` the
    id of its last entry."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table, self.state, self.where = table, opening(table), ""
        self.follow(enumerate(table.log, 1))

    def play(self, numbered: tuple[int, Entry]) -> Iterator[Violation]:
        number, entry = numbered
        self.where = f"log.{number}"
        move = _move(self, entry)
        yield from move_violations(self, entry, move)
        self.state = play.apply(self.state, move)

    def end(self) -> Iterator[Violation]:
        return _end_violations(self)

    def name(self, seat: int) -> str:
        return self.table.names[seat]

    def stop(self, rule: Rule, message: str) -> StopReplay:
        return StopReplay(rule(self.where, message))


def opening(table: Table) -> State:
    """The table after the deal. Whoever takes the first turn of the log starts every round."""
    hands = [[table.spec(card) for card in (table.deal or {}).get(name, ())] for name in table.names]
    return play.start(hands, table.names.index(table.log[0].player), table.stall)


# ---- the move of an entry ------------------------------------------------------------------------------------


def _move(replay: TableReplay, entry: Entry) -> Move:
    """The move of an entry. Stops at one that nobody could have made with the cards as they are."""
    state, seat = replay.state, replay.table.names.index(entry.player)
    if play.is_over(state):
        raise replay.stop(rules["after-the-end"], "the game had ended before this entry")
    if entry.pass_ is not None:
        return _pass(replay, seat, entry)
    if state.passing:
        raise replay.stop(
            rules["pass"], f"{replay.name(state.seat)} still has to pass a card before the next round begins"
        )
    if seat != state.seat:
        raise replay.stop(
            rules["turn-order"], f"{entry.player} takes a turn, but it is {replay.name(state.seat)}’s turn"
        )
    moves = [*_marks(replay, entry)]
    if entry.flip is not None:
        moves.append(Move("flip", seat, _number(state, entry.flip)))
    if len(moves) > 1:
        raise replay.stop(rules["one-mark"], f"{entry.player} uses one roll {len(moves)} times")
    if not moves:
        return Move("nothing", seat, roll=entry.roll or 0)
    _refuse_impossible(replay, moves[0])
    return moves[0]


def _pass(replay: TableReplay, seat: int, entry: Entry) -> Move:
    state, name = replay.state, entry.player
    if not state.passing:
        raise replay.stop(rules["turn-order"], f"{name} passes a card before {replay.name(state.seat)} has had a turn")
    if state.passed[seat] != NONE:
        raise replay.stop(rules["pass"], f"{name} passes a second card in this round")
    card = _number(state, entry.pass_ or "")
    if card not in state.hands[seat]:
        raise replay.stop(rules["pass"], f"{name} passes card {entry.pass_}, but does not have it")
    return Move("pass", seat, card)


def _marks(replay: TableReplay, entry: Entry) -> Iterator[Move]:
    state, roll = replay.state, entry.roll or 0
    for mark in entry.marks:
        kind, place = ("tick", mark.tick) if mark.tick is not None else ("write", mark.crate or STAR)
        card = _number(state, mark.card) if mark.card else _implied_card(replay, kind, place, roll)
        yield Move(kind, state.seat, card, place, roll)


def _implied_card(replay: TableReplay, kind: str, place: int, roll: int) -> int:
    """The card of a star or tick that does not name it. Stops if several cards could be meant, or none."""
    cards = [move.card for move in play.marks(replay.state, roll) if (move.kind, move.place) == (kind, place)]
    if len(cards) != 1:
        what = "star" if kind == "write" else f"shared crate {place}"
        how_many = "more than one" if cards else "no"
        raise replay.stop(rules["log-named"], f"{how_many} {what} can take the {roll}; add the number of the card")
    return cards[0]


def _number(state: State, card: str) -> int:
    """The number of a card in the state; NONE if it was not dealt."""
    return next((number for number, spec in enumerate(state.specs) if spec.name == card), NONE)


def _refuse_impossible(replay: TableReplay, move: Move) -> None:
    """Stops at a mark or flip of a card that is not there, or of a place that is not free."""
    state, name = replay.state, replay.name(move.seat)
    rule = rules["flip"] if move.kind == "flip" else rules["mark-fits"]
    if move.card == NONE:
        raise replay.stop(rule, f"{name} uses a card that was not dealt")
    spec, writing = state.specs[move.card], state.writing[move.card]
    card = f"card {spec.name}"
    if move.card not in (state.shared if move.kind == "tick" else state.hands[move.seat]):
        raise replay.stop(rule, f"{card} is not {'shared' if move.kind == 'tick' else f'in front of {name}'}")
    if move.kind != "tick" and play.is_flipped(state, move.card):
        raise replay.stop(rule, f"{card} is already flipped")
    if move.kind == "flip":
        return
    if move.place not in (spec.places if move.kind == "write" else spec.places[1:]):
        raise replay.stop(rule, f"{card} has no crate {move.place}")
    if move.kind == "write" and spec.written(writing, move.place):
        raise replay.stop(rule, f"{_place(move)} of {card} is already filled in")
    if move.kind == "tick" and state.ticks[move.card] >> move.place & 1:
        raise replay.stop(rule, f"{_place(move)} of {card} is already ticked")


def _place(move: Move) -> str:
    return "the star" if move.place == STAR else f"crate {move.place}"


# ---- moves against the rules ---------------------------------------------------------------------------------------


def move_violations(replay: TableReplay, entry: Entry, move: Move) -> Iterator[Violation]:
    """The rules that a possible move breaks."""
    state, where, name, roll = replay.state, replay.where, entry.player, entry.roll or 0
    if move.kind == "pass":
        if move not in play.passes(state, move.seat):
            yield rules["pass"](where, _wrong_pass(state, move, name))
    elif move in play.legal(state, roll):
        return
    elif move.kind in ("write", "tick"):
        yield rules["mark-fits"](where, _unfitting(state, move))
    elif possible := play.marks(state, roll):
        action = f"flips card {entry.flip}" if entry.flip else "marks nothing"
        yield rules["must-mark"](where, f"{name} {action}, but could mark the {roll}: {_example(state, possible[0])}")
    elif move.kind == "flip":
        yield rules["flip"](where, f"{name} flips card {entry.flip}, but has no unfinished card face up")
    else:
        yield rules["must-flip"](where, f"{name} cannot mark the {roll} and must flip a card")


def _wrong_pass(state: State, move: Move, name: str) -> str:
    card, marked = state.specs[move.card].name, state.marked[move.seat]
    if marked in state.hands[move.seat]:
        return f"{name} passes card {card}, but must pass card {state.specs[marked].name}, written on this round"
    return f"{name} passes the flipped card {card}, but has a face-up card"


def _unfitting(state: State, move: Move) -> str:
    spec = state.specs[move.card]
    if move.kind == "tick":
        value = spec.written(state.writing[move.card], move.place)
        return f"crate {move.place} of card {spec.name} holds {value}, so a {move.roll} cannot tick it"
    if move.place == STAR:
        return f"the star of card {spec.name} takes {spec.star}, not {move.roll}"
    signs = " ".join(SIGNS[symbol] for symbol in spec.symbols)
    return f"a {move.roll} does not fit in crate {move.place} of card {spec.name} ({signs})"


def _example(state: State, move: Move) -> str:
    place = f"{_place(move)} of card {state.specs[move.card].name}"
    return f"{place} takes it" if move.kind == "write" else f"it ticks {place}"


# ---- the end ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ending:
    """A card at the end of the log: its owner's id (empty if shared), star and crates (0 is empty), and ticked
    crates."""

    owner: str
    star: int
    crates: tuple[int, ...]
    flipped: bool
    ticked: frozenset[int]


def endings(state: State, players: tuple[str, ...]) -> dict[str, Ending]:
    """Every card by its name. A card already passed in an unfinished round is in front of the next player."""
    owners = {card: player for player, hand in zip(players, play.passed_on(state), strict=True) for card in hand}
    cards = {}
    for card, spec in enumerate(state.specs):
        star, *crates = (spec.written(state.writing[card], place) for place in spec.places)
        ticked = frozenset(place for place in spec.places if state.ticks[card] >> place & 1)
        cards[spec.name] = Ending(owners.get(card, ""), star, tuple(crates), play.is_flipped(state, card), ticked)
    return cards


def _end_violations(replay: TableReplay) -> Iterator[Violation]:
    """A stall variant that ended without a stalled round, and differences between the log and the sheet."""
    table = replay.table
    if table.stall and not play.is_over(replay.state):
        yield rules["stalled"](
            replay.where, "the log does not end with a full round in which nobody marked or flipped anything"
        )
    expected = endings(replay.state, table.players)
    on_sheet = {card.card.id for card in table.cards}
    for name in expected:
        if name not in on_sheet:
            yield rules["log-agrees"]("deal", f"card {name} was dealt, but is not on the sheet")
    for card in table.cards:
        if card.card.id in expected:
            yield from _differences(table, card, expected[card.card.id])
        else:
            yield rules["log-agrees"](f"{card.id}.card", f"{card.name} was not dealt")


def _differences(table: Table, card: TableCard, end: Ending) -> Iterator[Violation]:
    if card.owner != end.owner:
        yield rules["log-agrees"](
            card.id, f"after the log {card.name} is {_holder(table, end.owner)}, not {_holder(table, card.owner)}"
        )
    if (card.star or 0) != end.star:
        yield rules["log-agrees"](
            f"{card.id}.star", f"after the log the star of {card.name} {_holds(end.star)}, not {card.star or 'empty'}"
        )
    for number, (typed, right) in enumerate(zip(card.crates, end.crates, strict=True), 1):
        if (typed or 0) != right:
            yield rules["log-agrees"](
                f"{card.id}.crates.{number}",
                f"after the log crate {number} of {card.name} {_holds(right)}, not {typed or 'empty'}",
            )
    if card.flipped != end.flipped:
        yield rules["log-agrees"](
            f"{card.id}.flipped", f"after the log {card.name} is {'flipped' if end.flipped else 'face up'}"
        )
    if not card.owner and not end.owner and card.ticked != end.ticked:
        ticks = ", ".join(map(str, sorted(end.ticked))) or "none"
        yield rules["log-agrees"](f"{card.id}.ticked", f"after the log the ticked crates of {card.name} are {ticks}")


def _holder(table: Table, owner: str) -> str:
    return f"in front of {table.name(owner)}" if owner else "in the shared area"


def _holds(number: int) -> str:
    return f"holds {number}" if number else "is empty"
