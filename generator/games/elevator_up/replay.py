"""Playing a turn log through: every turn is checked against the rules and leads on to the next.

A turn that breaks a rule is reported and then played all the same, as it was at the table. If cards turn up that nobody
can have had, the rest of the log is judged by its pile alone, like a log without a deal. If a turn does not say what
was done, the replay ends there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ...rules.book import Rule, Violation
from ..turns import StopReplay, counted
from . import play
from .deal import dealt_cards
from .log import DealEntry, Log, SwapEntry, Turn
from .play import NONE, Cards, Move, State
from .rules import (
    AFTER_THE_END,
    BEATS,
    COPIES,
    DEAL,
    DEAL_WHOLE,
    DOOR_CLOSED,
    FAILED_FLIP,
    FLIP,
    FOUR_OF_A_KIND,
    IN_HAND,
    NEW_BUILDING,
    ONE_THING,
    OUT,
    PHASES,
    PICKUP,
    SAME_CARDS,
    SKIPS,
    SWAPS,
    TURN_NAMED,
    TURN_ORDER,
)

PARTS = ("hands", "up", "down")
_WHERE = {"hands": "in hand", "up": "face up", "down": "face down"}
_STILL = {"hand": "in hand", "up": "face up"}


class ReplayedLog(Log):
    """A turn log that knows what it leads to."""

    @cached_property
    def replay(self) -> Replay | None:
        """The log played through; None if its players cannot be told apart."""
        return Replay(self) if self.playable else None


class Replay:
    """What a log leads to: `state` is the table at its end, `whole` whether it could be played to its end, and
    `violations` what it breaks."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.state, self.violations = _opening(log)
        self.whole = True
        self._last: tuple[State, Move] | None = None
        """The move before the present turn, and the table on which it was made."""
        self._took: dict[int, int] = {}
        """For each seat the number of the last turn in which it took cards from the pile."""
        self._too_many: set[int] = set()
        """Cards of which more copies have turned up than there are."""
        self._play_log()

    @property
    def followed(self) -> bool:
        """Whether the cards could be followed from the deal to the end of the log."""
        return self.state.known and self.whole

    def _play_log(self) -> None:
        try:
            for turn in self.log.turns:
                self._refuse_after_the_end(turn)
                if turn.things != 1:
                    self.whole = False
                    raise StopReplay(
                        ONE_THING(
                            turn.id,
                            f"{turn.things} things are done in one turn"
                            if turn.things
                            else "it is not said what was done in this turn",
                        )
                    )
                if not self._follows_a_failed_flip(turn):
                    self._play_turn(turn)
        except StopReplay as stop:
            self.violations.append(stop.violation)
        if self.whole:
            self._check_out()

    def _breach(self, rule: Rule, where: str | Iterable[str], message: str) -> None:
        self.violations.append(rule(where, message))

    def _name(self, seat: int) -> str:
        return self.log.names[seat]

    # ---- one turn ---------------------------------------------------------------------------------------------------

    def _play_turn(self, turn: Turn) -> None:
        seat = self._seat(turn)
        state, move = self.state._replace(seat=seat), _move(turn, seat)
        violations = list(move_violations(self.log, state, turn, move))
        self.violations += violations
        if any(violation.rule in (IN_HAND, FLIP) for violation in violations):
            state = _on_trust(state)
        if turn.pickup or not play.stays(state, move):
            self._took[seat] = turn.number
        self._last, self.state = (state, move), play.apply(state, move)
        self._check_copies(turn, move)

    def _seat(self, turn: Turn) -> int:
        """The seat that takes the turn by the log, even if it is another player's turn."""
        right = self.state.seat
        if turn.seat is None:
            self._breach(TURN_NAMED, turn.id, f"it is not said who takes this turn; it is {self._name(right)}'s")
            return right
        if turn.seat != right:
            rule, reason = self._whose_turn(right)
            self._breach(rule, f"{turn.id}.player", f"{self._name(turn.seat)} takes a turn, but {reason}")
        return turn.seat

    def _whose_turn(self, right: int) -> tuple[Rule, str]:
        """The rule by which it is the turn of this seat, and why."""
        log, its_turn = self.log, f"it is {self._name(right)}'s turn"
        if self._last is None:
            return TURN_ORDER, its_turn
        before, move = self._last
        if len(self.state.gone) > len(before.gone):
            card = log.called(move.cards[-1:])
            if move.cards[-1] == log.spec.new_building:
                return NEW_BUILDING, f"{self._name(right)} laid {card} and goes again"
            return FOUR_OF_A_KIND, f"{self._name(right)} laid the last of four {card}s and goes again"
        skipped = move.cards.count(log.spec.door_closed) if self.state.pile else 0
        if not skipped:
            return TURN_ORDER, its_turn
        names = [self._name((move.seat + step) % len(log.names)) for step in range(1, skipped + 1)]
        return SKIPS, f"Door Closed skips {' and '.join(names)}: {its_turn}"

    def _follows_a_failed_flip(self, turn: Turn) -> bool:
        """Whether the turn picks up the pile that the failed flip before it has brought to the hand already."""
        if not self._last or not turn.pickup:
            return False
        before, move = self._last
        if move.kind != "flip" or turn.seat != move.seat or play.stays(before, move):
            return False
        self._breach(
            FAILED_FLIP,
            turn.done,
            f"{self._name(move.seat)} has taken the pile with the flipped card already, so no pick-up follows",
        )
        return True

    def _check_copies(self, turn: Turn, move: Move) -> None:
        """Without the hands: whether more copies of a card have turned up than the deck has."""
        state, spec = self.state, self.log.spec
        if state.known:
            return
        seen = Counter(state.pile + state.gone + sum(state.hands, ()))
        for card in sorted({*move.cards} - self._too_many):
            if seen[card] > spec.copies[card]:
                self._too_many.add(card)
                self._breach(
                    COPIES,
                    turn.done,
                    f"{self.log.called((card,))} has turned up {seen[card]} times, but the "
                    f"deck has it only {spec.copies[card]} times",
                )

    # ---- the end ----------------------------------------------------------------------------------------------------

    def _refuse_after_the_end(self, turn: Turn) -> None:
        """Stops the replay if the game was over before this turn."""
        out = self.state.winner if self.state.known else self._out_before(turn)
        if out != NONE:
            raise StopReplay(AFTER_THE_END(turn.id, f"{self._name(out)} was out before this turn, and the game over"))

    def _out_before(self, turn: Turn) -> int:
        """The seat of the player who is said to be out, if this turn comes after that player's last one."""
        last, out = self.log.last_of_out, self.log.out
        return out if last and out is not None and turn.number > last.number else NONE

    def _check_out(self) -> None:
        """Whether the player who is said to be out has got rid of all cards."""
        out = self.log.out
        if out is None:
            return
        if reason := self._not_out(out) if self.state.known else self._not_out_on_trust(out):
            self._breach(OUT, "out", f"{self._name(out)} is said to be out, but {reason}")

    def _not_out(self, out: int) -> str:
        if self.state.winner == out:
            return ""
        return f"has {counted(play.cards_left(self.state, out), 'card')} left"

    def _not_out_on_trust(self, out: int) -> str:
        last, spec = self.log.last_of_out, self.log.spec
        if last is None:
            return "takes no turn" if self.log.turns else ""
        if self._took.get(out) == last.number:
            return "takes the pile in the last turn"
        if last.played and not spec.ends_special and not spec.floors[last.played[0]]:
            return f"ends with {self.log.called(last.played)}, a special card"
        return ""


def _move(turn: Turn, seat: int) -> Move:
    if turn.pickup:
        return Move("pickup", seat)
    return Move("play", seat, turn.played) if turn.played else Move("flip", seat, (turn.flipped,))


def _on_trust(state: State) -> State:
    """The same table with hands of which nothing is known."""
    nothing: tuple[Cards, ...] = ((),) * len(state.hands)
    return state._replace(hands=nothing, up=nothing, down=nothing, known=False)


# ---- the table before the first turn -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parts:
    """The numbers of the cards that every player was dealt, in the order of play, and of the deck."""

    hands: tuple[Cards, ...]
    up: tuple[Cards, ...]
    down: tuple[Cards, ...]
    deck: Cards

    def of(self, seat: int) -> dict[str, Cards]:
        """What a player was dealt, part by part."""
        return {"hands": self.hands[seat], "up": self.up[seat], "down": self.down[seat]}

    @property
    def cards(self) -> Cards:
        return sum((*self.hands, *self.up, *self.down, self.deck), ())


def _opening(log: Log) -> tuple[State, list[Violation]]:
    """The table before the first turn, and what is wrong with how it came about. If there is an error, or the log does
    not say how the cards were dealt, hands are not known."""
    parts = _parts(log)
    deal = list(_deal_violations(log, parts) if parts else _other_players(log))
    swaps = list(_swap_violations(log, parts))
    if parts is None or swaps or any(violation.rule is DEAL for violation in deal):
        return play.unknown(log.spec, len(log.names)), [*deal, *swaps]
    state = play.start(log.spec, parts.hands, parts.up, parts.down, parts.deck)
    for seat, swap in log.swaps.items():
        state = play.swapped(state, seat, log.numbers(swap.up), log.numbers(swap.hand))
    return state, deal


def _parts(log: Log) -> Parts | None:
    """How the cards were dealt; None if the log does not say it, or if its code deals to another number of players."""
    entry: DealEntry | None = log.sheet.extra.get("deal")
    if entry:
        rows = {(part, log.seat(name)): log.numbers(cards) for part, name, cards in entry.players}
        hands, up, down = (tuple(rows.get((part, seat), ()) for seat in range(len(log.names))) for part in PARTS)
        return Parts(hands, up, down, log.numbers(entry.deck))
    if log.sheet.code is None:
        return None
    deal = dealt_cards(log.sheet.game, log.sheet.code)
    if len(deal.hands) != len(log.names):
        return None
    hands, up, down = (tuple(map(log.numbers, row)) for row in (deal.hands, deal.up, deal.down))
    return Parts(hands, up, down, log.numbers(deal.deck))


def _other_players(log: Log) -> Iterator[Violation]:
    if log.sheet.code:
        count = len(dealt_cards(log.sheet.game, log.sheet.code).hands)
        yield DEAL("deal", f"the code deals to {count} players, but {len(log.names)} play")


def _deal_violations(log: Log, parts: Parts) -> Iterator[Violation]:
    size = sum(log.spec.copies)
    count = len(parts.cards)
    violations = [*_too_many_copies(log, parts), *_wrong_counts(log, parts, whole=count >= size)]
    yield from violations
    if count < size and not violations:
        yield DEAL_WHOLE("deal", f"the deal tells of {count} of the {size} cards, and is taken for the whole")


def _too_many_copies(log: Log, parts: Parts) -> Iterator[Violation]:
    for card, count in sorted(Counter(parts.cards).items()):
        if count > log.spec.copies[card]:
            yield DEAL(
                "deal",
                f"{log.called((card,))} is dealt {count} times, but the deck has it only {log.spec.copies[card]} times",
            )


def _wrong_counts(log: Log, parts: Parts, whole: bool) -> Iterator[Violation]:
    """Players with more cards than they should have or, if the `whole` deck is accounted for, with fewer."""
    sizes = log.sheet.game.rules["deal"]
    for seat, name in enumerate(log.names):
        own = parts.of(seat)
        if not any(own.values()):
            yield DEAL("deal", f"{name} is dealt no card")
            continue
        for part, cards in own.items():
            count, right = len(cards), sizes["hand" if part == "hands" else part]
            if count > right or (whole and count < right):
                yield DEAL(
                    f"deal.{part}.{name}", f"{name} is dealt {counted(count, 'card')} {_WHERE[part]} instead of {right}"
                )


def _swap_violations(log: Log, parts: Parts | None) -> Iterator[Violation]:
    for seat, swap in log.swaps.items():
        for message in _wrong_swaps(log, parts, seat, swap):
            yield SWAPS(f"swaps.{log.names[seat]}", f"{log.names[seat]} {message}")


def _wrong_swaps(log: Log, parts: Parts | None, seat: int, swap: SwapEntry) -> Iterator[str]:
    up, hand = log.numbers(swap.up), log.numbers(swap.hand)
    most = log.sheet.game.rules["deal"]["up"]
    if len(up) != len(hand):
        yield f"puts {counted(len(up), 'card')} face up and takes {len(hand)} back"
    elif len(up) > most:
        yield f"swaps {counted(len(up), 'card')}, but has only {most} face up"
    if parts and _missing(up, parts.hands[seat]):
        yield f"puts {log.called(up)} face up, but is dealt {log.called(parts.hands[seat])} in hand"
    if parts and _missing(hand, parts.up[seat]):
        yield f"takes {log.called(hand)} back, but is dealt {log.called(parts.up[seat])} face up"


def _missing(wanted: Cards, cards: Cards) -> Counter[int]:
    return Counter(wanted) - Counter(cards)


# ---- what is wrong with a move -------------------------------------------------------------------------------------


def move_violations(log: Log, state: State, turn: Turn, move: Move) -> Iterator[Violation]:
    """All that is wrong with a move; if hands are not known, all that the pile alone shows."""
    if state.known and move in play.legal(state):
        return
    if move.kind == "pickup":
        yield from _wrong_pickup(log, state, turn, move)
    elif move.kind == "flip":
        yield from _wrong_flip(log, state, turn, move)
    else:
        yield from _not_the_same(log, turn, move)
        yield from _not_in_hand(log, state, turn, move) if state.known else ()
        yield from _not_beaten(log, state, turn, move)
        if not play.may_end(state, move.seat, move.cards[0], len(move.cards)):
            yield OUT(
                _fields(turn),
                f"{log.names[move.seat]} ends with {log.called(move.cards)}, but the last card must be no special one",
            )


def _wrong_pickup(log: Log, state: State, turn: Turn, move: Move) -> Iterator[Violation]:
    name = log.names[move.seat]
    if state.known and play.next_part(state, move.seat) == "down":
        yield PICKUP(turn.done, f"{name} picks up the pile, but has to flip a hidden card")
    elif state.known:
        could = play.plays(state)[0].cards[:1]
        yield PICKUP(turn.done, f"{name} picks up the pile, but could play {log.called(could)}")
    elif not state.pile and log.spec.ends_special:
        yield PICKUP(turn.done, f"{name} picks up a pile where there is none: any card could be played")


def _wrong_flip(log: Log, state: State, turn: Turn, move: Move) -> Iterator[Violation]:
    if not state.known:
        return
    name, part = log.names[move.seat], play.next_part(state, move.seat)
    if move.cards[0] not in state.down[move.seat]:
        yield FLIP(turn.done, f"{name} flips {log.called(move.cards)}, which is none of the hidden cards")
    elif part != "down":
        count = len(state.hands[move.seat] or state.up[move.seat])
        yield PHASES(turn.done, f"{name} flips a hidden card with {count} still {_STILL[part]}")


def _not_the_same(log: Log, turn: Turn, move: Move) -> Iterator[Violation]:
    name, (first, *others) = log.names[move.seat], move.cards
    if any(card != first for card in others):
        yield SAME_CARDS(_fields(turn), f"{name} plays {log.called(move.cards)} together, which are not the same")
    elif len(move.cards) > play.most_at_once(log.spec, first, len(move.cards)):
        yield SAME_CARDS(
            _fields(turn), f"{name} plays {log.called(move.cards)} together, but special cards are played one at a time"
        )


def _not_in_hand(log: Log, state: State, turn: Turn, move: Move) -> Iterator[Violation]:
    """Cards that are not where the player has to play from."""
    name, seat, cards = log.names[move.seat], move.seat, log.called(move.cards)
    hand, up, down = state.hands[seat], state.up[seat], state.down[seat]
    if not _missing(move.cards, hand or up):
        return
    if _missing(move.cards, hand + up + down):
        yield IN_HAND(_fields(turn), f"{name} plays {cards}, but has {log.called(hand or up)} to play from")
    elif _missing(move.cards, hand + up):
        yield PHASES(_fields(turn), f"{name} plays {cards}, which lies face down and can only be flipped")
    else:
        yield PHASES(_fields(turn), f"{name} plays {cards} from the face-up cards with {len(hand)} still in hand")


def _not_beaten(log: Log, state: State, turn: Turn, move: Move) -> Iterator[Violation]:
    """Cards that may not be laid on the pile."""
    name, card = log.names[move.seat], move.cards[0]
    if play.may_follow(log.spec, state.pile, card):
        return
    below = play.to_beat(log.spec, state.pile)
    if below == NONE or log.spec.beats[below][card]:
        yield DOOR_CLOSED(
            _fields(turn),
            f"{name} plays {log.called((card,))} on {log.called(state.pile[-1:])}, which is a special card",
        )
    else:
        yield BEATS(_fields(turn), f"{name} plays {log.called((card,))}, which does not beat {log.called((below,))}")


def _fields(turn: Turn) -> tuple[str, ...]:
    return tuple(f"{turn.id}.play.{number}" for number in turn.fields)
