"""A log of turns, played through: every turn is held against the rules, and what it leads to is kept.

A turn against the rules is told and then done all the same, as it was at the table. Where cards turn up that nobody
can have had, the rest of the log is judged by its pile alone, as a log without a deal is; where a turn does not say
what was done, the replay ends with it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from . import play
from .log import Fault, Log, Turn
from .opening import opening
from .play import NONE, Cards, Move, State
from .wrongs import wrongs


@dataclass(slots=True)
class Replay:
    """What came of a log: `state` is the table it leads to, `told` whether it says how the cards were dealt, `whole`
    whether it could be played to its end."""

    log: Log
    told: bool
    state: State
    faults: list[Fault]
    whole: bool = True
    last: tuple[State, Move] | None = None
    """The move before the present turn, and the table it was made on."""
    took: dict[int, int] = field(default_factory=dict)
    """For each seat the number of the last turn in which it took cards from the pile."""
    too_many: set[int] = field(default_factory=set)
    """Cards of which more copies have turned up than there are."""

    def fault(self, rule: str, message: str, *where: str) -> None:
        self.faults.append(Fault(rule, message, where))

    def name(self, seat: int) -> str:
        return self.log.names[seat]


def replay(log: Log) -> Replay:
    """Plays the log through."""
    begun = opening(log)
    made = Replay(log, begun.told, begun.state, list(begun.faults))
    for turn in log.turns:
        if _over(made, turn) or not _says_what_was_done(made, turn):
            break
        if not _follows_a_failed_flip(made, turn):
            _turn(made, turn)
    if made.whole:
        _hold_out(made)
    return made


def _says_what_was_done(made: Replay, turn: Turn) -> bool:
    if turn.things == 1:
        return True
    made.whole = False
    made.fault("one-thing", f"{turn.things} things are done in one turn" if turn.things else
               "it is not said what was done in this turn", turn.id)
    return False


def _turn(made: Replay, turn: Turn) -> None:
    seat = _seat(made, turn)
    state = made.state._replace(seat=seat)
    move = _move(turn, seat)
    found = list(wrongs(made.log, state, turn, move))
    made.faults += found
    if any(fault.rule in ("in-hand", "flip") for fault in found):
        state = _on_trust(state)
    if turn.pickup or not play.stays(state, move):
        made.took[seat] = turn.number
    made.last, made.state = (state, move), play.apply(state, move)
    _hold_copies(made, turn, move)


def _move(turn: Turn, seat: int) -> Move:
    if turn.pickup:
        return Move("pickup", seat)
    return Move("play", seat, turn.played) if turn.played else Move("flip", seat, (turn.flipped,))


def _on_trust(state: State) -> State:
    """The same table with hands that nothing is known of."""
    nothing: tuple[Cards, ...] = ((),) * len(state.hands)
    return state._replace(hands=nothing, up=nothing, down=nothing, known=False)


def _hold_copies(made: Replay, turn: Turn, move: Move) -> None:
    """Without the hands: tells when more copies of a card have turned up than the deck has."""
    state, spec = made.state, made.log.spec
    if state.known:
        return
    seen = Counter(state.pile + state.gone + sum(state.hands, ()))
    for card in sorted({*move.cards} - made.too_many):
        if seen[card] > spec.copies[card]:
            made.too_many.add(card)
            made.fault("copies", f"{made.log.called((card,))} has turned up {seen[card]} times, but the deck has it "
                                 f"only {spec.copies[card]} times", turn.done)


# ---- whose turn it is ---------------------------------------------------------------------------------------------

def _seat(made: Replay, turn: Turn) -> int:
    """Who takes the turn by the log; it is told where it should be somebody else."""
    right = made.state.seat
    if turn.seat is None:
        made.fault("turn-named", f"it is not said who takes this turn; it is {made.name(right)}'s", turn.id)
        return right
    if turn.seat != right:
        rule, reason = _reason(made, right)
        made.fault(rule, f"{made.name(turn.seat)} takes a turn, but {reason}", f"{turn.id}.player")
    return turn.seat


def _reason(made: Replay, right: int) -> tuple[str, str]:
    """Why it is the turn of this seat, and the rule that says so."""
    plainly = f"it is {made.name(right)}'s turn"
    if made.last is None:
        return "turn-order", plainly
    before, move = made.last
    if len(made.state.gone) > len(before.gone):
        if move.cards[-1] == made.log.spec.new_building:
            return "new-building", f"{made.name(right)} laid {made.log.called(move.cards[-1:])} and goes again"
        return "four-of-a-kind", f"{made.name(right)} laid the last of four {made.log.called(move.cards[-1:])}s and " \
                                 "goes again"
    skipped = move.cards.count(made.log.spec.door_closed) if made.state.pile else 0
    if not skipped:
        return "turn-order", plainly
    names = [made.name((move.seat + step) % len(made.log.names)) for step in range(1, skipped + 1)]
    return "skips", f"Door Closed skips {' and '.join(names)}: {plainly}"


def _follows_a_failed_flip(made: Replay, turn: Turn) -> bool:
    """Whether the turn picks up what the flipped card before it has brought to the hand already, which is told."""
    if not made.last or not turn.pickup or made.last[1].kind != "flip" or turn.seat != made.last[1].seat:
        return False
    if play.stays(*made.last):
        return False
    made.fault("failed-flip", f"{made.name(made.last[1].seat)} has taken the pile with the flipped card already, so no "
                              "pick-up follows", turn.done)
    return True


# ---- the end ------------------------------------------------------------------------------------------------------

def _over(made: Replay, turn: Turn) -> bool:
    """Whether the game was over before this turn, which is told."""
    out = made.state.winner if made.state.known else _gone_out_before(made.log, turn)
    if out == NONE:
        return False
    made.fault("after-the-end", f"{made.name(out)} was out before this turn, and the game over", turn.id)
    return True


def _gone_out_before(log: Log, turn: Turn) -> int:
    """The seat of the player who is said to be out, where this turn comes after that player's last one."""
    last = log.last_of_out
    return log.out if last and log.out is not None and turn.number > last.number else NONE


def _hold_out(made: Replay) -> None:
    """Holds the player who is said to be out against the log."""
    log, state = made.log, made.state
    if log.out is None:
        return
    if wrong := _out_with_hands(made, log.out) if state.known else _out_on_trust(made, log.out):
        made.fault("out", f"{made.name(log.out)} is said to be out, but {wrong}", "out")


def _out_with_hands(made: Replay, out: int) -> str:
    if made.state.winner == out:
        return ""
    count = play.left(made.state, out)
    return f"has {count} card{'s' * (count != 1)} left"


def _out_on_trust(made: Replay, out: int) -> str:
    last = made.log.last_of_out
    if last is None:
        return "takes no turn" if made.log.turns else ""
    if made.took.get(out) == last.number:
        return "takes the pile in the last turn"
    spec = made.log.spec
    if last.played and not spec.ends_special and not spec.floors[last.played[0]]:
        return f"ends with {made.log.called(last.played)}, a special card"
    return ""
