"""The zero stacks of every player, and the winners."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...rules.book import Suggestion
from ...rules.results import Line, Part, Result, Score, ranks
from ..turns import counted, listed
from . import play
from .log import Hand, is_stack
from .play import Cards, stacked
from .replay import ReplayedLog
from .sheet import card_names


def score(log: ReplayedLog) -> Result:
    """The locked stacks of every player, and the winners."""
    seats = range(len(log.names))
    lines = [(Line("locked zero stacks", standing(log, seat)[0]),) if log.spec.cards else () for seat in seats]
    won = winners(log)
    return Result(
        tuple(map(Score, log.names, lines)),
        ranks((seat in won, standing(log, seat)[0]) for seat in seats),
        tuple(log.names[seat] for seat in won),
        _remark(log, won),
        unit="stack",
        over=bool(won),
    )


def standing(log: ReplayedLog, seat: int) -> tuple[int, int]:
    """A player's number of stacks, and minus the distance of the sum of the loose cards from zero. The greater pair
    wins. A hand on the sheet counts as written; without one, the number-side cards at the end of the log are stacked in
    the best possible way."""
    hand, replay = log.hands.get(seat), log.replay
    if hand:
        return hand.locked, -abs(sum(hand.loose))
    return (play.count(replay.state, seat), -play.distance_from_zero(replay.state, seat)) if replay else (0, 0)


def winners(log: ReplayedLog) -> tuple[int, ...]:
    """The seats of the winners; empty while the game goes on. Loose cards only win if the log ends as soon as they
    could make enough stacks, and no hand on the sheet says that they are loose."""
    replay, spec = log.replay, log.spec
    if replay is None or not spec.cards:
        return replay.state.winners if replay else ()
    if any(play.winning_stacks(replay.state, seat) >= spec.stacks for seat in replay.state.winners):
        return replay.state.winners
    with_enough = [seat for seat, hand in log.hands.items() if hand.locked >= spec.stacks]
    if with_enough or replay.state.winners:
        candidates = with_enough or range(len(log.names))
        return tuple(candidates[place] for place in play.best(standing(log, seat) for seat in candidates))
    return replay.assumed if len(replay.assumed) == 1 else ()


def _remark(log: ReplayedLog, won: tuple[int, ...]) -> str:
    replay, spec = log.replay, log.spec
    if replay is None:
        return ""
    if not won:
        turn = f"it is {log.names[replay.state.seat]}’s turn" if log.turns else "nobody has three zero stacks"
        return f"The game is not over: {turn}.{_could_win(log)}"
    if not spec.cards:
        return ""
    stacks = [standing(log, seat)[0] for seat in range(len(log.names))]
    if stacks[won[0]] >= spec.stacks:
        return "" if won != replay.assumed or replay.state.winners or won[0] in log.hands else _assumed(log, won[0])
    if stacks.count(stacks[won[0]]) == len(won):
        return "The deck has run out."
    whose = listed([f"{log.names[seat]}’s" for seat in won])
    return f"The deck has run out; of the players with the most stacks, {whose} loose cards come nearest to zero."


def _could_win(log: ReplayedLog) -> str:
    """Who could win with loose cards, while the game goes on."""
    names = [name for seat, name in enumerate(log.names) if log.turns and standing(log, seat)[0] >= log.spec.stacks]
    return f" {listed(names)} can win by laying three zero stacks." if names else ""


def _assumed(log: ReplayedLog, seat: int) -> str:
    return f"{log.names[seat]}’s loose cards are counted as stacked; if they are not, list the hands."


# ---- explaining -----------------------------------------------------------------------------------------------------


def explain(log: ReplayedLog) -> Iterator[list[list[Part]]]:
    """The parts of every player's line: one for each stack."""
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
            Part(f"{card_names(stack)} add up to zero and are counted as a stack", 1)
            for stack in stacked(state.loose[seat])
        )


def _stacks_of_hand(hand: Hand) -> Iterator[Part]:
    for stack in hand.stacks:
        yield Part(_locked(stack), 1) if is_stack(stack) else Part(f"{card_names(stack)} are not a zero stack", 0)
    yield from (Part("a zero card by itself", 1) for card in hand.loose if card == 0)


def _locked(stack: Cards) -> str:
    return f"{card_names(stack)} add up to zero" if any(stack) or len(stack) > 1 else "a zero card by itself"


def sums(log: ReplayedLog) -> Mapping[str, int]:
    """The number of stacks that every player should have claimed, by the id of the field."""
    numbers = log.sheet.rows.get("players", ()) if log.spec.cards else ()
    return {f"hands.{number}.claimed.stacks": standing(log, seat)[0] for seat, number in enumerate(numbers)}


def hints(log: ReplayedLog) -> Iterator[Suggestion]:
    """The turns in which a player could have won, and the stacks that loose number-side cards could make."""
    last = log.turns[-1].id if log.turns else ""
    for turn, seat in log.replay.chances if log.replay else ():
        if turn != last:
            yield Suggestion((turn,), f"{log.names[seat]} could have won here by laying three zero stacks")
    for hand in log.hands.values():
        stacks = stacked(tuple(card for card in hand.loose if card))
        if stacks:
            cards = "; ".join(map(card_names, stacks))
            yield Suggestion(
                (hand.id,),
                f"{log.names[hand.seat]} could make {counted(len(stacks), 'more stack')} from loose cards: {cards}",
            )
