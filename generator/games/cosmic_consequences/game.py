"""Reads, checks and scores the travel logs of Cosmic Consequences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...rules.book import Suggestion, Violation
from ...rules.results import Line, Part, Result, Score, Strokes, ranks
from ...sheets import FilledSheet
from ..base import GameRules
from ..turns import counted, listed
from . import play
from .log import READING, card_names, is_stack, rules
from .play import stacked
from .replay import TravelReplay, hand_violations


class CosmicConsequencesRules(GameRules[TravelReplay]):
    """The rules of the turns and of the hands at the end."""

    rules = rules
    sheets = ("log",)
    reading = READING

    def read(self, sheet: FilledSheet) -> TravelReplay:
        return TravelReplay(sheet)

    def violations(self, view: TravelReplay) -> Iterator[Violation]:
        yield from view.player_violations(rules["two-to-six"], rules["names"])
        yield from view.violations
        yield from hand_violations(view)

    def score(self, view: TravelReplay) -> Result:
        """The locked stacks of every player, and the winners."""
        standings = [standing(view, seat) for seat in range(len(view.names))]
        won = winners(view)
        return Result(
            tuple(
                Score(name, (Line("locked zero stacks", stacks),) if view.spec.cards else ())
                for name, (stacks, _) in zip(view.names, standings, strict=True)
            ),
            ranks((seat in won, stacks) for seat, (stacks, _) in enumerate(standings)),
            tuple(view.names[seat] for seat in won),
            _remark(view, won),
            unit="stack",
            over=bool(won),
        )

    def explain(self, view: TravelReplay) -> Iterator[list[list[Part]]]:
        """The parts of every player's line: one for each stack."""
        for seat in range(len(view.names)):
            yield [list(_stacks(view, seat)) or [Part("no zero stack", 0)]] if view.spec.cards else []

    def sums(self, view: TravelReplay) -> Mapping[str, int]:
        """The number of stacks that every player should have claimed, by the id of the field."""
        numbers = view.sheet.rows.get("players", ()) if view.spec.cards else ()
        return {f"hands.{number}.claimed.stacks": standing(view, seat)[0] for seat, number in enumerate(numbers)}

    def hints(self, view: TravelReplay) -> Iterator[Suggestion]:
        """The turns in which a player could have won, and the stacks that loose number-side cards could make."""
        for turn, seat in view.chances:
            if turn != view.turns[-1].id:
                yield Suggestion((turn,), f"{view.names[seat]} could have won here by laying three zero stacks")
        for hand in view.hands.values():
            if stacks := stacked(tuple(card for card in hand.loose if card)):
                more, cards = counted(len(stacks), "more stack"), "; ".join(map(card_names, stacks))
                yield Suggestion((hand.id,), f"{view.names[hand.seat]} could make {more} from loose cards: {cards}")

    def strokes(self, view: TravelReplay) -> Strokes:
        return Strokes(marks=view.on_paper())


RULES = CosmicConsequencesRules()


def standing(log: TravelReplay, seat: int) -> tuple[int, int]:
    """A player's `play.standing`. A hand on the sheet counts as written; without one, the number-side cards at the end
    of the log are stacked in the best possible way."""
    hand = log.hands.get(seat)
    if hand:
        return hand.locked, -abs(sum(hand.loose))
    return play.standing(log.state, seat) if log.playable else (0, 0)


def winners(log: TravelReplay) -> tuple[int, ...]:
    """The seats of the winners; empty while the game goes on. Loose cards only win if the log ends as soon as they
    could make enough stacks, and no hand on the sheet says that they are loose."""
    state, spec = log.state, log.spec
    if not log.playable or not spec.cards:
        return state.winners
    if any(play.winning_stacks(state, seat) >= spec.stacks for seat in state.winners):
        return state.winners
    with_enough = [seat for seat, hand in log.hands.items() if hand.locked >= spec.stacks]
    if with_enough or state.winners:
        candidates = with_enough or range(len(log.names))
        return tuple(candidates[place] for place in play.best(standing(log, seat) for seat in candidates))
    return log.assumed if len(log.assumed) == 1 else ()


def _remark(log: TravelReplay, won: tuple[int, ...]) -> str:
    spec = log.spec
    if not log.playable:
        return ""
    stacks = [standing(log, seat)[0] for seat in range(len(log.names))]
    if not won:
        turn = f"it is {log.names[log.state.seat]}’s turn" if log.turns else "nobody has three zero stacks"
        names = [name for name, count in zip(log.names, stacks, strict=True) if log.turns and count >= spec.stacks]
        could_win = f" {listed(names)} can win by laying three zero stacks." if names else ""
        return f"The game is not over: {turn}.{could_win}"
    if not spec.cards:
        return ""
    if stacks[won[0]] >= spec.stacks:
        name, loose = log.names[won[0]], won == log.assumed and not log.state.winners and won[0] not in log.hands
        return f"{name}’s loose cards are counted as stacked; if they are not, list the hands." if loose else ""
    if stacks.count(stacks[won[0]]) == len(won):
        return "The deck has run out."
    whose = listed([f"{log.names[seat]}’s" for seat in won])
    return f"The deck has run out; of the players with the most stacks, {whose} loose cards come nearest to zero."


def _stacks(log: TravelReplay, seat: int) -> Iterator[Part]:
    hand = log.hands.get(seat)
    stacks = hand.stacks if hand else log.state.stacks[seat]
    for stack in stacks:
        locked = f"{card_names(stack)} add up to zero" if len(stack) > 1 else "a zero card by itself"
        yield Part(locked, 1) if is_stack(stack) else Part(f"{card_names(stack)} are not a zero stack", 0)
    if hand:
        yield from (Part("a zero card by itself", 1) for card in hand.loose if card == 0)
    else:
        counted_as = "add up to zero and are counted as a stack"
        yield from (Part(f"{card_names(cards)} {counted_as}", 1) for cards in stacked(log.state.loose[seat]))
