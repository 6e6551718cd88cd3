"""How many zero stacks every player has, who has won, and which stacks those are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...rules.book import Suggestion
from ...rules.results import Line, Part, Result, Score, ranks
from ..turns import counted
from . import play
from .log import Hand, is_stack
from .play import Cards, stacked
from .replay import ReplayedLog
from .sheet import card_names


def score(log: ReplayedLog) -> Result:
    """Every player's locked stacks, and the winners if there are any."""
    seats = range(len(log.names))
    lines = [(Line("locked zero stacks", standing(log, seat)[0]),) if log.spec.cards else () for seat in seats]
    won = winners(log)
    return Result(
        tuple(map(Score, log.names, lines)),
        ranks((seat in won, standing(log, seat)[0]) for seat in seats),
        tuple(log.names[seat] for seat in won),
        _remark(log, won),
        unit="stack",
    )


def standing(log: ReplayedLog, seat: int) -> tuple[int, int]:
    """A player's number of stacks, and minus the distance of the sum of the loose cards from zero: the greater wins.
    A hand on the sheet counts as it lies; without one, the number-side cards of the log are stacked as well as they
    can be."""
    hand, replay = log.hands.get(seat), log.replay
    if hand:
        return hand.locked, -abs(sum(hand.loose))
    return (play.count(replay.state, seat), -play.rest(replay.state, seat)) if replay else (0, 0)


def winners(log: ReplayedLog) -> tuple[int, ...]:
    """The seats of the winners; none while the game goes on."""
    if log.replay is None:
        return ()
    state, spec, seats = log.replay.state, log.spec, range(len(log.names))
    if state.winners and (not spec.cards or max(play.count(state, seat) for seat in seats) >= spec.stacks):
        return state.winners
    if state.winners or any(hand.locked >= spec.stacks for hand in log.hands.values()):
        return play.best(standing(log, seat) for seat in seats)
    return ()


def _remark(log: ReplayedLog, won: tuple[int, ...]) -> str:
    if log.replay is None:
        return ""
    if not won:
        turn = f"it is {log.names[log.replay.state.seat]}'s turn" if log.turns else "nobody has three zero stacks"
        return f"The game is not over: {turn}."
    if not log.spec.cards or standing(log, won[0])[0] >= log.spec.stacks:
        return ""
    stacks = [standing(log, seat)[0] for seat in range(len(log.names))]
    if stacks.count(stacks[won[0]]) == len(won):
        return "The deck has run out."
    whose = " and ".join(f"{log.names[seat]}'s" for seat in won)
    return f"The deck has run out; of those with as many stacks, {whose} loose cards come nearest to zero."


# ---- explaining -----------------------------------------------------------------------------------------------------


def explain(log: ReplayedLog) -> Iterator[list[list[Part]]]:
    """The parts of every player's lines, one for each stack."""
    for seat in range(len(log.names)):
        yield [list(_stacks(log, seat)) or [Part("no zero stack", 0)]] if log.spec.cards else []


def _stacks(log: ReplayedLog, seat: int) -> Iterator[Part]:
    hand = log.hands.get(seat)
    if hand:
        yield from _stacks_of_hand(hand)
    elif log.replay:
        state = log.replay.state
        yield from (Part(_locked(stack), 1) for stack in state.stacks[seat])
        yield from (
            Part(f"{card_names(stack)} sum to zero, though nobody has stacked them", 1)
            for stack in stacked(state.loose[seat])
        )


def _stacks_of_hand(hand: Hand) -> Iterator[Part]:
    for stack in hand.stacks:
        yield Part(_locked(stack), 1) if is_stack(stack) else Part(f"{card_names(stack)} are no zero stack", 0)
    yield from (Part("a zero card by itself", 1) for card in hand.loose if card == 0)


def _locked(stack: Cards) -> str:
    return f"{card_names(stack)} sum to zero" if any(stack) or len(stack) > 1 else "a zero card by itself"


def sums(log: ReplayedLog) -> Mapping[str, int]:
    """The number of stacks that every player should have written down, by the id of the field."""
    numbers = log.sheet.rows.get("players", ()) if log.spec.cards else ()
    return {f"hands.{number}.claimed.stacks": standing(log, seat)[0] for seat, number in enumerate(numbers)}


def hints(log: ReplayedLog) -> Iterator[Suggestion]:
    """The most stacks that loose number-side cards could make."""
    for hand in log.hands.values():
        more = stacked(tuple(card for card in hand.loose if card))
        if more:
            stacks = "; ".join(map(card_names, more))
            yield Suggestion(
                (hand.id,),
                f"{log.names[hand.seat]} could make {counted(len(more), 'more stack')} of loose cards: {stacks}",
            )
