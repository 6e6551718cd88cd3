"""What is against the rules in something that is done with cards: everything that is, each with the rule it breaks."""

from __future__ import annotations

from collections.abc import Iterator

from .lines import Line, called, shown
from .log import Fault, Log
from .moves import standing
from .play import DECK, NONE, PILE, Asked, Demand, Move, State
from .sums import Cards, can_make, holds, without


def split(state: State, seat: int, line: Line, asked: Asked | None) -> tuple[Cards, Cards]:
    """The cards of a line that are moved, and those they are stacked with. Where the line does not tell them apart, the
    first is moved; of the others, on green, those that the player has and the receiver has not."""
    first, others = line.cards[:1], line.cards[1:]
    if line.onto is not None:
        return line.cards, line.onto
    if asked != "green":
        lone = asked is None and not others and line.other >= 0 and holds(state.loose[line.other], (-first[0],))
        return first, (-first[0],) if lone and first[0] else others
    there = state.loose[line.other] if line.other >= 0 else ()
    mine = tuple(card for card in others if card in state.loose[seat] and card not in there)
    return first + mine, without(others, mine)


# ---- card actions -------------------------------------------------------------------------------------------------

def action_wrongs(log: Log, state: State, move: Move, began: str, where: str) -> Iterator[Fault]:
    """All that is wrong with a card action in a turn that began on the space `began`."""
    name, ways = log.names[move.seat], log.spec.ways
    if ways.asks(began):
        yield Fault("where-act", f"{name} begins this turn on {began}, which is {ways.asks(began)}: there is no card "
                                 "action there", (where,))
    elif move.kind != "discard" and ways.kinds[began] != "cc":
        yield Fault("where-act", f"{name} begins this turn {standing(ways, began)}, but only a number lets one "
                                 f"{move.kind}", (where,))
    if move.kind == "draw":
        yield from _draw(log, state, move, where)
    elif move.kind == "jump":
        yield from _cc_up(log, state, move, where)
        yield from _stacked(log, state, move.seat, move, where)
    else:
        yield from _laid_on(log, state, move, where)


def _draw(log: Log, state: State, move: Move, where: str) -> Iterator[Fault]:
    name = log.names[move.seat]
    if move.other in (DECK, PILE):
        yield from _on_top(log, state, move, where)
    else:
        yield Fault("draw-from", f"{name} draws from {log.names[move.other]}, but a number lets one draw from the deck "
                                 "and the pile only", (where,))
    yield from _unstacked(log, move, where)


def _unstacked(log: Log, move: Move, where: str) -> Iterator[Fault]:
    """A card that is drawn cc side up makes no stack."""
    if move.onto:
        yield Fault("zero-sum", f"{log.names[move.seat]} stacks {called(move.cards)}, which lies cc side up", (where,))


def _on_top(log: Log, state: State, move: Move, where: str) -> Iterator[Fault]:
    """Whether a card can be drawn from the deck, top or cut, or from the pile."""
    card, name = move.cards[0], log.names[move.seat]
    if move.other == DECK and card not in state.deck:
        yield Fault("deck", f"{name} draws {shown(card)} from the deck, but it {_lies(log, state, card)}", (where,))
    elif move.other == PILE and state.pile[-1:] != (card,):
        top = f"{shown(state.pile[-1])} lies on top" if state.pile else "no card lies there"
        yield Fault("pile", f"{name} draws {shown(card)} from the pile, but {top}", (where,))


def _cc_up(log: Log, state: State, move: Move, where: str) -> Iterator[Fault]:
    """Whether a card that is to be turned over lies cc side up before the player."""
    card = move.cards[0]
    if card not in state.cc[move.seat]:
        yield Fault("in-hand", f"{log.names[move.seat]} has no {shown(card)} cc side up: it {_lies(log, state, card)}",
                    (where,))


def _laid_on(log: Log, state: State, move: Move, where: str) -> Iterator[Fault]:
    """A cc-side card laid onto one number-side card of another player."""
    name = log.names[move.seat]
    if move.other in (PILE, move.seat, NONE):
        onto = "the pile" if move.other == PILE else "an own card"
        yield Fault("discard", f"{name} discards onto {onto}, but may only lay a card onto another player's", (where,))
        return
    yield from _cc_up(log, state, move, where)
    if len(move.cards) != 1 or len(move.onto) != 1 or sum(move.cards) + sum(move.onto):
        yield Fault("discard", f"{called(move.cards)} onto {called(move.onto)} is not one card that makes zero with "
                               "one other", (where,))
    elif not any(move.onto):
        yield Fault("locked", f"{name} discards onto a zero card, which is locked", (where,))
    else:
        yield from _loose(log, state, move.other, move.onto, where)


# ---- what is asked for --------------------------------------------------------------------------------------------

def answer_wrongs(log: Log, state: State, move: Move, demand: Demand, where: str) -> Iterator[Fault]:
    """All that is wrong with what is done because it was asked for."""
    if demand.asked == "leaving":
        yield from _top_card(log, state, move, where)
        yield from _unstacked(log, move, where)
    elif demand.asked == "orange":
        yield from _orange(log, state, move, where)
    else:
        yield from _green(log, state, move, where)


def _top_card(log: Log, state: State, move: Move, where: str) -> Iterator[Fault]:
    name, card = log.names[move.seat], move.cards[0]
    if move.other != DECK:
        yield Fault("leaving", f"{name} leaves the Big Bang and takes {shown(card)} from elsewhere than the deck",
                    (where,))
    elif card not in state.deck:
        yield from _on_top(log, state, move, where)
    elif state.known and state.deck[0] != card:
        yield Fault("leaving", f"{name} leaves the Big Bang and takes {shown(card)}, but {shown(state.deck[0])} is the "
                               "top card of the deck", (where,))


def _orange(log: Log, state: State, move: Move, where: str) -> Iterator[Fault]:
    name, other, card = log.names[move.seat], move.other, move.cards[0]
    if other == move.seat:
        yield Fault("orange-ways", f"{name} draws an own card", (where,))
    elif other == DECK:
        yield from _on_top(log, state, move, where)
        yield from _unstacked(log, move, where)
    elif other == PILE:
        yield from _on_top(log, state, move, where)
        yield from _makes_zero(log, state, move, where)
    elif card in state.cc[other]:
        yield from _unstacked(log, move, where)
        if state.cc[move.seat]:
            yield Fault("orange-ways", f"{name} takes a card cc side up from {log.names[other]}, but has "
                                       f"{called(state.cc[move.seat])} cc side up", (where,))
    else:
        loose = list(_loose(log, state, other, (card,), where))
        yield from loose or _makes_zero(log, state, move, where)


def _makes_zero(log: Log, state: State, move: Move, where: str) -> Iterator[Fault]:
    if move.onto:
        yield from _stacked(log, state, move.seat, move, where)
    elif not can_make(state.loose[move.seat], -move.cards[0]):
        yield Fault("orange-ways", f"{shown(move.cards[0])} makes no zero with what lies number side up before "
                                   f"{log.names[move.seat]}", (where,))


def _green(log: Log, state: State, move: Move, where: str) -> Iterator[Fault]:
    name, seat, other, cards = log.names[move.seat], move.seat, move.other, move.cards
    cc_up = cards[0] in state.cc[seat]
    if other == seat:
        yield Fault("green-ways", f"{name} discards onto an own card", (where,))
    elif (other == PILE or cc_up) and len(cards) + len(move.onto) > 1:
        what = "a card that lies cc side up is given as it lies" if other != PILE else "one card goes onto the pile"
        yield Fault("green-ways", f"{name} discards {called(cards + move.onto)}, but {what}", (where,))
    elif cc_up and other != PILE and state.cc[other]:
        yield Fault("green-ways", f"{name} gives {called(cards)} cc side up to {log.names[other]}, who has "
                                  f"{called(state.cc[other])} lying so", (where,))
    elif not cc_up:
        loose = list(_loose(log, state, seat, cards, where))
        yield from loose or (_given(log, state, move, where) if other != PILE else ())


def _given(log: Log, state: State, move: Move, where: str) -> Iterator[Fault]:
    """Number-side cards given to a player."""
    name, receiver = log.names[move.seat], log.names[move.other]
    if min(move.cards) < 0 < max(move.cards):
        yield Fault("green-ways", f"{name} gives {called(move.cards)}, which are of both suits", (where,))
    elif move.onto:
        yield from _stacked(log, state, move.other, move, where)
    elif not can_make(state.loose[move.other], -sum(move.cards)):
        yield Fault("green-ways", f"{called(move.cards)} makes no zero with what lies number side up before {receiver}",
                    (where,))


# ---- where cards lie ----------------------------------------------------------------------------------------------

def _stacked(log: Log, state: State, seat: int, move: Move, where: str) -> Iterator[Fault]:
    """Whether cards make a stack with those they are said to, before this player."""
    if move.onto and sum(move.cards) + sum(move.onto):
        yield Fault("zero-sum", f"{called(move.cards + move.onto)} do not sum to zero", (where,))
    elif move.onto:
        yield from _loose(log, state, seat, move.onto, where)


def _loose(log: Log, state: State, seat: int, cards: Cards, where: str) -> Iterator[Fault]:
    """Whether cards lie loose before a player, number side up."""
    for card in without(cards, state.loose[seat]):
        if any(card in stack for stack in state.stacks[seat]):
            yield Fault("locked", f"{shown(card)} lies in a locked stack before {log.names[seat]}", (where,))
        else:
            yield Fault("in-hand", f"{log.names[seat]} has no loose {shown(card)} number side up: it "
                                   f"{_lies(log, state, card)}", (where,))


def _lies(log: Log, state: State, card: int) -> str:
    """Where a card lies, as a sentence goes on after “it”."""
    for seat, name in enumerate(log.names):
        if card in state.cc[seat]:
            return f"lies cc side up before {name}"
        if card in state.loose[seat] or any(card in stack for stack in state.stacks[seat]):
            return f"lies number side up before {name}"
    if card in state.pile:
        return "lies in the pile"
    return "is still in the deck" if card in state.deck else "is not there"
