"""A travel log, played through: every turn is held against the rules, and what it leads to is kept.

A turn against the rules is told and then done all the same, as it was at the table: the pawn stands where the log has
it, and a card lies where it was put. Where a turn does not say what was done, the replay ends with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from . import play
from .lines import Forced, called
from .log import Fault, Log, Turn
from .moves import Note, displaced, forgotten, meant, move_fault
from .play import Demand, Move, State
from .wrongs import action_wrongs, answer_wrongs, split


class Entry(NamedTuple):
    """Something that was done because it was asked for, and the field it stands in."""

    done: Forced
    where: str


@dataclass(slots=True)
class Replay:
    """What came of a log: `state` is the table it leads to, `whole` whether it could be played to its end, `finished`
    whether it was."""

    log: Log
    state: State
    faults: list[Fault]
    whole: bool = True
    notes: dict[int, tuple[Note, ...]] = field(default_factory=dict)
    """For each seat, where its pawn would be if it had not been moved by something other than its roll."""

    def fault(self, rule: str, message: str, *where: str) -> None:
        self.faults.append(Fault(rule, message, where))

    def name(self, seat: int) -> str:
        return self.log.names[seat]

    def do(self, move: Move) -> None:
        """Makes a move, and remembers which pawns it has moved beside."""
        before, self.state = self.state, play.apply(self.state, move)
        for seat, notes in displaced(before, self.state, move).items():
            self.notes[seat] = (*notes, *self.notes.get(seat, ()))


def replay(log: Log) -> Replay:
    """Plays the log through."""
    faults = list(_deal_faults(log))
    deck = log.deck if not any(fault.rule == "deal" for fault in faults) else None
    made = Replay(log, play.start(log.spec, len(log.names), deck), faults)
    for turn in log.turns:
        if play.is_over(made.state):
            _after_the_end(made, turn.id)
            break
        _turn(made, turn)
        if not made.whole:
            break
    return made


def _deal_faults(log: Log) -> Iterator[Fault]:
    if log.deck is None:
        return
    there, told = Counter(log.spec.deck), Counter(log.deck)
    too_many = sorted((told - there).elements())
    if too_many:
        yield Fault("deal", f"the deck has {called(too_many)} too often", ("deal",))
    elif there - told:
        yield Fault("deal-whole", f"the deal tells of {len(log.deck)} of the {len(log.spec.deck)} cards, and is taken "
                                  "for the whole deck", ("deal",))


def _after_the_end(made: Replay, where: str) -> None:
    winners = [made.name(seat) for seat in made.state.winners]
    won = f"{' and '.join(winners)} had won before this"
    made.fault("after-the-end", won if not _ran_out(made.state) else f"the deck had run out before this, and {won}",
               where)


def _ran_out(state: State) -> bool:
    return state.spec.cards and not state.deck and all(
        play.count(state, seat) < state.spec.stacks for seat in state.winners)


# ---- a turn -------------------------------------------------------------------------------------------------------

def _turn(made: Replay, turn: Turn) -> None:
    seat = _seat(made, turn)
    made.state = made.state._replace(seat=seat)
    entries = [Entry(done, f"{turn.id}.forced") for done in turn.forced]
    if not made.log.spec.cards:
        _without_cards(made, turn)
        entries = []
    else:
        _actions(made, turn, seat)
    made.state = made.state._replace(step="roll")
    _meet(made, turn, entries)
    if play.is_over(made.state):
        rest = (("roll", turn.roll), ("to", turn.to), ("forced", entries))
        for where in [f"{turn.id}.{name}" for name, said in rest if said][:1]:
            _after_the_end(made, where)
        return
    _roll(made, turn, seat)
    _meet(made, turn, entries)
    for entry in entries:
        _not_asked(made, entry, seat)


def _seat(made: Replay, turn: Turn) -> int:
    """Who takes the turn by the log; it is told where it should be somebody else."""
    right = made.state.seat
    if turn.seat is None:
        made.fault("turn-named", f"it is not said who takes this turn; it is {made.name(right)}'s", turn.id)
        return right
    if turn.seat != right:
        made.fault("turn-order", f"{made.name(turn.seat)} takes a turn, but it is {made.name(right)}'s turn",
                   f"{turn.id}.player")
    return turn.seat


def _without_cards(made: Replay, turn: Turn) -> None:
    done = [name for name, _ in turn.actions] + ["forced"] * bool(turn.forced)
    if done:
        made.fault("race", f"{made.name(made.state.seat)} does something with cards in a race without them",
                   *(f"{turn.id}.{name}" for name in done))


def _actions(made: Replay, turn: Turn, seat: int) -> None:
    began, names = made.state.at[seat], [name for name, _ in turn.actions]
    if len(names) > 1:
        made.fault("one-action", f"{made.name(seat)} does {' and '.join(names)} in one turn",
                   *(f"{turn.id}.{name}" for name in names))
    for name, line in turn.actions:
        state = made.state._replace(step="act", asked=())
        cards, onto = split(state, seat, line, asked=None) if name == "discard" else (line.cards[:1], line.onto or ())
        kind: play.Kind = "draw" if name == "draw" else "jump" if name == "jump" else "discard"
        move = Move(kind, seat, cards, line.other, onto)
        made.faults += action_wrongs(made.log, state, move, began, f"{turn.id}.{name}")
        asked = made.state.asked
        made.state = state
        made.do(move)
        made.state = made.state._replace(asked=(*asked, *made.state.asked) if not made.state.winners else ())


# ---- the move -----------------------------------------------------------------------------------------------------

def _roll(made: Replay, turn: Turn, seat: int) -> None:
    state, ways, to = made.state, made.log.spec.ways, turn.to
    walks = ways.walks(state.at[seat], turn.roll) if turn.roll else {}
    if not (turn.roll and to):
        missing = " and ".join(what for what, said in (("the roll", turn.roll), ("the space", to)) if not said)
        made.fault("turn-told", f"{missing} of {made.name(seat)}'s move is not told", turn.id)
        if not to and len(walks) != 1:
            made.whole = False
            return
        to = to or next(iter(walks))
    elif to == ways.start not in walks:        # who is sent back there may say so at once
        to = next((space for space in walks if ways.sends_back(space)), to)
    strays: tuple[Note, ...] = ()
    if turn.roll and to not in walks:
        note = forgotten(ways, made.notes.get(seat, ()), turn.roll, to)
        if note is None or note.rule:
            made.faults.append(move_fault(made.log, state, seat, turn.roll, to, note, turn.id))
        if note:
            made.state = state._replace(at=(*state.at[:seat], note.space, *state.at[seat + 1:]))
        else:
            strays = meant(ways, walks)
    made.notes.pop(seat, None)
    made.do(Move("go", seat, to=to, roll=turn.roll))
    if strays:
        made.notes[seat] = (*strays, *made.notes.get(seat, ()))


# ---- what is asked for --------------------------------------------------------------------------------------------

def _meet(made: Replay, turn: Turn, entries: list[Entry]) -> None:
    """Meets the demands that are open, each with the first entry that fits it, which is taken off the list."""
    while made.state.asked and not made.state.winners:
        demand = made.state.asked[0]
        entry = next((entry for entry in entries if _fits(made.state, demand, entry.done)), None)
        if entry is None:
            _unmet(made, demand, turn)
            made.do(Move("pass", demand.seat))
            continue
        entries.remove(entry)
        move = _met(made.state, demand, entry.done)
        made.faults += answer_wrongs(made.log, made.state, move, demand, entry.where)
        made.do(move)


def _fits(state: State, demand: Demand, done: Forced) -> bool:
    if done.verb != ("discard" if demand.asked == "green" else "draw"):
        return False
    if done.seat is not None:
        return done.seat == demand.seat
    if demand.asked != "green":
        return True
    mine = state.cc[demand.seat] + state.loose[demand.seat]
    return done.line.cards[0] in mine or not any(
        done.line.cards[0] in state.cc[other.seat] + state.loose[other.seat] for other in state.asked[1:])


def _unmet(made: Replay, demand: Demand, turn: Turn) -> None:
    """Tells of a draw that was left out, if there was something to draw."""
    if demand.asked == "green" or not play.can_answer(made.state, demand):
        return
    why = "leaves the Big Bang" if demand.asked == "leaving" else f"stands on {made.state.at[demand.seat]}, which is " \
                                                                  "orange,"
    what = "the top card of the deck" if demand.asked == "leaving" else "a card"
    made.fault(demand.asked, f"{made.name(demand.seat)} {why} and has to take {what}", turn.id)


def _not_asked(made: Replay, entry: Entry, seat: int) -> None:
    who = "" if entry.done.seat is None else f" of {made.name(entry.done.seat)}"
    what = f"{entry.done.verb} of {called(entry.done.line.cards)}"
    made.fault("not-asked", f"nothing asks{who} for this {what}", entry.where)
    if not made.state.winners:
        asked: play.Asked = "orange" if entry.done.verb == "draw" else "green"
        demand = Demand(seat if entry.done.seat is None else entry.done.seat, asked)
        made.state = made.state._replace(asked=(demand,))
        made.do(_met(made.state, demand, entry.done))


def _met(state: State, demand: Demand, done: Forced) -> Move:
    """What was done where this was asked for."""
    cards, onto = split(state, demand.seat, done.line, asked=demand.asked)
    return Move("draw" if done.verb == "draw" else "discard", demand.seat, cards, done.line.other, onto)
