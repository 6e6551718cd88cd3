"""Why a move that was made is against the rules: everything that is, each with the rule it breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from . import play
from .log import Fault, Log, Turn
from .play import Cards, Move, State

_MANY = {"hand": "in hand", "up": "face up"}


def wrongs(log: Log, state: State, turn: Turn, move: Move) -> Iterator[Fault]:
    """All that is wrong with a move; where hands are not known, all that the pile alone shows."""
    if state.known and move in play.legal(state):
        return
    if move.kind == "pickup":
        yield from _pickup(log, state, turn, move)
    elif move.kind == "flip":
        yield from _flip(log, state, turn, move)
    else:
        yield from _together(log, turn, move)
        yield from _held(log, state, turn, move) if state.known else ()
        yield from _beaten(log, state, turn, move)
        yield from _last(log, state, turn, move)


def _pickup(log: Log, state: State, turn: Turn, move: Move) -> Iterator[Fault]:
    name = log.names[move.seat]
    if state.known and play.part(state, move.seat) == "down":
        yield Fault("pickup", f"{name} picks up the pile, but has to flip a hidden card", (turn.done,))
    elif state.known:
        could = play.plays(state)[0].cards[:1]
        yield Fault("pickup", f"{name} picks up the pile, but could play {log.called(could)}", (turn.done,))
    elif not state.pile and log.spec.ends_special:
        yield Fault("pickup", f"{name} picks up a pile where there is none: any card could be played", (turn.done,))


def _flip(log: Log, state: State, turn: Turn, move: Move) -> Iterator[Fault]:
    if not state.known:
        return
    name, part = log.names[move.seat], play.part(state, move.seat)
    if move.cards[0] not in state.down[move.seat]:
        yield Fault("flip", f"{name} flips {log.called(move.cards)}, which is none of the hidden cards", (turn.done,))
    elif part != "down":
        count = len(state.hands[move.seat] or state.up[move.seat])
        yield Fault("phases", f"{name} flips a hidden card with {count} still {_MANY[part]}", (turn.done,))


def _together(log: Log, turn: Turn, move: Move) -> Iterator[Fault]:
    name, (first, *others) = log.names[move.seat], move.cards
    if any(card != first for card in others):
        yield Fault("same-cards", f"{name} plays {log.called(move.cards)} together, which are not the same",
                    _fields(turn))
    elif len(move.cards) > play.together(log.spec, first, len(move.cards)):
        yield Fault("same-cards", f"{name} plays {log.called(move.cards)} together, but special cards are played one "
                                  "at a time", _fields(turn))


def _held(log: Log, state: State, turn: Turn, move: Move) -> Iterator[Fault]:
    """Whether the cards are where the player has to play from."""
    name, seat = log.names[move.seat], move.seat
    hand, up, down = state.hands[seat], state.up[seat], state.down[seat]
    if not _missing(move.cards, hand or up):
        return
    if _missing(move.cards, hand + up + down):
        yield Fault("in-hand", f"{name} plays {log.called(move.cards)}, but has {log.called(hand or up)} to play from",
                    _fields(turn))
    elif _missing(move.cards, hand + up):
        yield Fault("phases", f"{name} plays {log.called(move.cards)}, which lies face down and can only be flipped",
                    _fields(turn))
    else:
        yield Fault("phases", f"{name} plays {log.called(move.cards)} from the face-up cards with {len(hand)} still in "
                              "hand", _fields(turn))


def _missing(wanted: Cards, held: Cards) -> Counter[int]:
    return Counter(wanted) - Counter(held)


def _beaten(log: Log, state: State, turn: Turn, move: Move) -> Iterator[Fault]:
    """Whether the cards may be laid on the pile."""
    name, card = log.names[move.seat], move.cards[0]
    if play.may_follow(log.spec, state.pile, card):
        return
    below = play.to_beat(log.spec, state.pile)
    if below == play.NONE or log.spec.beats[below][card]:
        yield Fault("door-closed", f"{name} plays {log.called((card,))} on {log.called(state.pile[-1:])}, "
                                   "which is a special card", _fields(turn))
    else:
        yield Fault("beats", f"{name} plays {log.called((card,))}, which does not beat {log.called((below,))}",
                    _fields(turn))


def _last(log: Log, state: State, turn: Turn, move: Move) -> Iterator[Fault]:
    if not play.may_end(state, move.seat, move.cards[0], len(move.cards)):
        yield Fault("out", f"{log.names[move.seat]} ends with {log.called(move.cards)}, but the last card must be no "
                           "special one", _fields(turn))


def _fields(turn: Turn) -> tuple[str, ...]:
    return tuple(f"{turn.id}.play.{number}" for number in turn.fields)
