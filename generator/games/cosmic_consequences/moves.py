"""Why a pawn cannot stand where a log has it: the rule that was forgotten, if its move shows which."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .log import Fault, Log
from .play import Move, State
from .sums import Cards
from .ways import Ways


class Note(NamedTuple):
    """Where a pawn would go on from, had a rule been forgotten: the rule, the space, and how a sentence about the
    pawn's player goes on after “but”. Without a rule, what was wrong has been told already."""

    rule: str
    space: str
    message: str


def displaced(before: State, after: State, move: Move) -> dict[int, tuple[Note, ...]]:
    """The pawns that a move has put elsewhere than their own roll did, each with what may be forgotten of it."""
    found = {seat: _moved(before, after, move, seat) for seat in range(len(before.at))}
    return {seat: notes for seat, notes in found.items() if notes}


def _moved(before: State, after: State, move: Move, seat: int) -> tuple[Note, ...]:
    ways, there, here = before.spec.ways, before.at[seat], after.at[seat]
    if move.kind == "go" and seat == move.seat:
        return (Note("first-three", move.to, "is back in the Big Bang"),) * (here != move.to)
    if there == here:
        return _stayed(before, after, move, seat)
    if move.kind == "jump" and seat == move.seat:
        return _jumped("jump", ways, there, here, move.cards)
    if move.kind == "discard" and seat == move.other:
        return _jumped("receiver-jumps", ways, there, here, move.cards)
    return (Note("bump", there, f"was met there and had to go to {spoken(ways, here)}"),)


def _jumped(rule: str, ways: Ways, there: str, here: str, cards: Cards) -> tuple[Note, ...]:
    """Not jumped at all, or jumped to another space than the nearest, or not across the wormhole."""
    spots = [spot for spot in ways.spots[cards[0]] if spot != here]
    across = ways.ring_of.get(there) == "left"
    said = f"has jumped from {spoken(ways, there)} to {spoken(ways, here)}"
    return (Note(rule, there, said), *(Note("across" if across else "jump", spot, said) for spot in spots))


def _stayed(before: State, after: State, move: Move, seat: int) -> tuple[Note, ...]:
    """In the Big Bang nobody has to make room."""
    start = before.spec.ways.start
    came = after.at[move.seat] == before.at[seat] == start and move.kind == "go" and seat != move.seat
    return (Note("together", before.at[move.seat], "stays in the Big Bang, where there is room"),) if came else ()


def forgotten(ways: Ways, notes: tuple[Note, ...], roll: int, to: str) -> Note | None:
    """What must have been forgotten for a move to lead to a space, if something can have been."""
    return next((note for note in notes if to in ways.walks(note.space, roll)), None)


def meant(ways: Ways, spaces: Iterable[str]) -> tuple[Note, ...]:
    """Where a pawn may be after all, whose move to another space was told of: the log had the wrong space, perhaps."""
    return tuple(Note("", ways.start if ways.sends_back(space) else space, "") for space in spaces)


def move_fault(log: Log, state: State, seat: int, roll: int, to: str, note: Note | None, turn: str) -> Fault:
    """What is wrong with a move to a space that it does not lead to."""
    ways, name, here = log.spec.ways, log.names[seat], state.at[seat]
    if note:
        return Fault(note.rule, f"{name} moves on from {spoken(ways, note.space)}, but {note.message}",
                     (f"{turn}.to",))
    spaces = _either([spoken(ways, space) for space in ways.walks(here, roll)])
    return Fault(_rule(ways, here, roll, to), f"{name} rolls a {roll} {standing(ways, here)}, which leads to "
                                              f"{spaces}, not to {spoken(ways, to)}", (f"{turn}.to",))


def _rule(ways: Ways, here: str, roll: int, to: str) -> str:
    rings = {**ways.ring_of, **{centre: name for name, centre in ways.centres.items()}}
    if (here, roll) == ways.loop:
        return "loop"
    if here in ways.wormholes or {rings.get(here), rings.get(to)} == {"left", "right"}:
        return "wormhole"
    if here in ways.entry or (here not in rings and to in rings):
        return "arrow"
    return "curved" if here in rings else "move"


def spoken(ways: Ways, space: str) -> str:
    """A space as sentences name it."""
    return "the Big Bang" if space == ways.start else space


def standing(ways: Ways, space: str) -> str:
    """Where a pawn stands, as sentences say it."""
    return "in the Big Bang" if space == ways.start else f"on {space}"


def _either(spaces: list[str]) -> str:
    return " or ".join(filter(None, [", ".join(spaces[:-1]), spaces[-1]]))
