"""Why a pawn cannot stand where a log has it: the rule that was forgotten, if its move shows which."""

from __future__ import annotations

from typing import NamedTuple

from .log import Fault, Log
from .play import Move, State
from .sums import Cards
from .ways import Ways


class Note(NamedTuple):
    """Where a pawn would go on from, had a rule been forgotten: the rule, the space, and what really happened."""

    rule: str
    space: str
    message: str


def displaced(names: list[str], before: State, after: State, move: Move) -> dict[int, tuple[Note, ...]]:
    """The pawns that a move has put elsewhere than their own roll did, each with what may be forgotten of it."""
    found = {seat: _moved(names, before, after, move, seat) for seat in range(len(before.at))}
    return {seat: notes for seat, notes in found.items() if notes}


def _moved(names: list[str], before: State, after: State, move: Move, seat: int) -> tuple[Note, ...]:
    ways, name, there, here = before.spec.ways, names[seat], before.at[seat], after.at[seat]
    if move.kind == "go" and seat == move.seat:
        return (Note("first-three", move.to, f"{name} is back in the Big Bang from {move.to}"),) * (here != move.to)
    if there == here:
        return _stayed(ways, name, before, after, move, seat)
    if move.kind == "jump" and seat == move.seat:
        return _jumped("jump", ways, name, there, here, move.cards)
    if move.kind == "discard" and seat == move.other:
        return _jumped("receiver-jumps", ways, name, there, here, move.cards)
    return (Note("bump", there, f"{name} was met on {there} and stands on {here}"),)


def _jumped(rule: str, ways: Ways, name: str, there: str, here: str, cards: Cards) -> tuple[Note, ...]:
    """Not jumped at all, or jumped to another space than the nearest, or not across the wormhole."""
    spots = [spot for spot in ways.spots[cards[0]] if spot != here]
    across = ways.ring_of.get(there) == "left"
    said = f"{name} jumps from {there} to {here}"
    return (Note(rule, there, said), *(Note("across" if across else "nearest", spot, said) for spot in spots))


def _stayed(ways: Ways, name: str, before: State, after: State, move: Move, seat: int) -> tuple[Note, ...]:
    """In the Big Bang nobody has to make room."""
    came = after.at[move.seat] == before.at[seat] == ways.start and move.kind == "go" and seat != move.seat
    left = before.at[move.seat]
    return (Note("together", left, f"{name} stays in the Big Bang, where there is room"),) if came else ()


def move_fault(log: Log, state: State, seat: int, roll: int, to: str, notes: tuple[Note, ...], turn: str) -> Fault:
    """What is wrong with a move to a space that it does not lead to."""
    ways, name, here = log.spec.ways, log.names[seat], state.at[seat]
    for note in notes:
        if to in ways.walks(note.space, roll):
            return Fault(note.rule, f"{name} moves on from {note.space}, but {note.message}", (f"{turn}.to",))
    spaces = _either(list(dict.fromkeys(ways.walks(here, roll))))
    return Fault(_rule(ways, here, roll, to), f"{name} rolls a {roll} on {here}, which leads to {spaces}, not to {to}",
                 (f"{turn}.to",))


def _rule(ways: Ways, here: str, roll: int, to: str) -> str:
    rings = {**ways.ring_of, **{centre: name for name, centre in ways.centres.items()}}
    if (here, roll) == ways.loop:
        return "loop"
    if here in ways.wormholes or {rings.get(here), rings.get(to)} == {"left", "right"}:
        return "wormhole"
    if here in ways.entry or (here not in rings and to in rings):
        return "arrow"
    return "curved" if here in rings else "move"


def _either(spaces: list[str]) -> str:
    return " or ".join(filter(None, [", ".join(spaces[:-1]), spaces[-1]]))
