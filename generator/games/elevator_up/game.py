"""Reads, replays, checks and scores the turn logs of Elevator Up.

A turn that breaks a rule is reported and played anyway, as it was at the table. Without a deal, the cards are not
known, but their numbers are: all players are dealt the same number, and draw as long as the deck lasts. If a player
plays cards that they cannot have, the rest of the log is judged as if it had no deal. The replay ends at a turn that
does not say what the player did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from types import MappingProxyType

from msgspec import Struct, field

from ...draws import SetCode
from ...draws.own_sets import drawn_set
from ...errors import Place, Problem
from ...model.game import Card, FieldFile, Game
from ...rules.results import Part, Result, Rule, Score, Violation, line_of, ranks
from ...sheets import FilledSheet, Reading, marks
from ...spelling import joined
from ..base import GameRules, rule_book
from ..turns import Replay, StopReplay, TurnLog, counted, no_players, no_such_player
from . import play
from .play import DECK, NONE, UNKNOWN, Cards, DealtCards, Move, Spec, State

rules = rule_book("elevator_up")
_PART_NAMES = {"hands": "in hand", "up": "face up", "down": "face down"}
_CARDS = FieldFile(kind="card")
_PHASE_NAMES = {"hand": "in hand", "up": "face up"}


class DealEntry(Struct, frozen=True, kw_only=True):
    """`deal:` written card by card: the deck, next card first, and the cards that each player was dealt."""

    deck: tuple[str, ...] = ()
    hands: dict[str, tuple[str, ...]] = field(default_factory=dict)
    up: dict[str, tuple[str, ...]] = field(default_factory=dict)
    down: dict[str, tuple[str, ...]] = field(default_factory=dict)
    place: Place


class SwapEntry(Struct, frozen=True, kw_only=True):
    """A swap before the first turn: the cards that the player put face up, and those they took into their hand."""

    up: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    place: Place


class Turn(Struct, frozen=True):
    """A turn of the log; `id` is its place on the sheet. `seat` is None if the turn names no player. `played` are the
    cards in the `fields`; `flipped` is the face-down card that the player turned over, or NONE. With `pickup`, it did
    not fit, and the player took the pile."""

    id: str
    seat: int | None
    played: Cards
    fields: tuple[str, ...]
    flipped: int
    pickup: bool

    @property
    def actions(self) -> int:
        """The number of actions in this turn; it should be one."""
        return bool(self.played) + (self.flipped != NONE or self.pickup)

    @property
    def action_field(self) -> str:
        return self.fields[0] if self.played else f"{self.id}.{'pickup' if self.flipped == NONE else 'flip'}"

    def move(self, seat: int) -> Move:
        """The move that the player in this seat makes."""
        if self.played:
            return Move("play", seat, self.played)
        return Move("pickup", seat) if self.flipped == NONE else Move("flip", seat, (self.flipped,))


class Log(TurnLog):
    """A turn log. Players are identified by seat, cards by their number in the `spec`."""

    @cached_property
    def spec(self) -> Spec:
        return Spec(self.sheet.game)

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        return tuple(map(self._turn, self.sheet.entries.get("turns", ())))

    @cached_property
    def out(self) -> int | None:
        """The seat of the player named as out."""
        return self.seat(self.sheet.text("out"))

    @cached_property
    def swaps(self) -> dict[int, tuple[Cards, Cards]]:
        """By seat, the cards that a player put face up, and those taken into the hand."""
        entries = self.sheet.extra.get("swaps") or {}
        seats = {name: self.seat(name) for name in entries}
        return {
            seat: (self.numbers(entries[name].up), self.numbers(entries[name].hand))
            for name, seat in seats.items()
            if seat is not None
        }

    @cached_property
    def deal(self) -> DealtCards | None:
        """The deal, in numbers; None if the log does not contain it. A code may deal to another number of players."""
        entry: DealEntry | None = self.sheet.extra.get("deal")
        if entry is None:
            code = self.sheet.code
            return play.dealt_cards(self.spec, self.sheet.game, code) if code else None
        rows = {
            (part, self.seat(name)): self.numbers(row)
            for part in ("down", "up", "hands")
            for name, row in getattr(entry, part).items()
        }
        seats = range(len(self.names))
        down, up, hands = (tuple(rows.get((part, seat), ()) for seat in seats) for part in ("down", "up", "hands"))
        return DealtCards(down, up, hands, self.numbers(entry.deck))

    def numbers(self, card_list: tuple[str, ...]) -> Cards:
        """The numbers of the cards in a list as typed."""
        return tuple(self._number(marks.card(name, self.sheet.cards)) for name in self._listed(card_list))

    def _listed(self, row: tuple[str, ...]) -> list[str]:
        """The cards in a list, which may be typed as one text, without blanks."""
        names = [*row]
        if len(row) == 1:
            with suppress(marks.LineError):
                names = marks.pieces(_CARDS, row[0], self.sheet.cards)
        return [name for name in names if name not in marks.BLANK]

    def titles(self, cards: Cards) -> str:
        """Cards for a message: `7 and 7`, `Stuck, Lobby and 3`, `7 and 2 other cards`."""
        floors, names = self.spec.floors, self.spec.names
        titles = [str(floors[card] or self.sheet.cards[names[card]].name) for card in cards if card != UNKNOWN]
        if unseen := cards.count(UNKNOWN):
            titles.append(counted(unseen, "other card" if titles else "card"))
        return joined(titles) or "no card"

    def _turn(self, entry: str) -> Turn:
        sheet, flipped = self.sheet, self.sheet.text(f"{entry}.flip")
        fields = tuple(f"{entry}.play.{number}" for number in sheet.rows.get(f"{entry}.play", ()))
        return Turn(
            entry,
            self.seat(sheet.text(f"{entry}.player")),
            tuple(self._number(sheet.text(name)) for name in fields),
            fields=fields,
            flipped=self._number(flipped) if flipped else NONE,
            pickup=sheet.ticked(f"{entry}.pickup"),
        )

    def _number(self, name: str) -> int:
        return self.spec.names.index(self.sheet.cards[name].id)

    def problems(self) -> Iterator[Problem]:
        """Players who are not on the sheet, and cards that are not in the game."""
        sheet, extra = self.sheet, self.sheet.extra
        fields = [*(f"{turn}.player" for turn in sheet.entries.get("turns", ())), "out"]
        names = {name: sheet.text(name) for name in fields}
        players = [
            (text, sheet.place_of(name))
            for name, text in names.items()
            if text and not (name == "out" and marks.is_nothing(text))
        ]
        rows: list[tuple[tuple[str, ...], Place]] = []
        if deal := extra.get("deal"):
            players += [(name, deal.place) for name in {**deal.hands, **deal.up, **deal.down}]
            dealt = [deal.deck, *deal.hands.values(), *deal.up.values(), *deal.down.values()]
            rows += [(row, deal.place) for row in dealt]
        for name, swap in (extra.get("swaps") or {}).items():
            players.append((name, sheet.place_of(f"swaps.{name}")))
            rows += [(swap.up, swap.place), (swap.hand, swap.place)]
        if players and not self.names:
            yield no_players(players[0][1])
        for name, place in players if self.names else ():
            if self.seat(name) is None:
                yield no_such_player(name, self.names, place)
        for row, place in rows:
            yield from self._unknown_cards(row, place)

    def _unknown_cards(self, row: tuple[str, ...], place: Place) -> Iterator[Problem]:
        for name in self._listed(row):
            try:
                marks.card(name, self.sheet.cards)
            except marks.MarkError as error:
                yield Problem(f"there is no card “{name}” in the game", place, error.look_up())


def _cards(game: Game, code: SetCode | None) -> Mapping[str, Card]:
    """The cards by the names and letters that a log may use. Raises InputError for a wrong code."""
    if code:
        drawn_set(game, code)
    deck = game.components[DECK].cards
    return MappingProxyType({name: card for card in deck for name in (card.id, card.letter, card.older) if name})


class LogReplay(Log, Replay[Turn]):
    """A turn log and its replay; `state` is the table at its end. Nothing is replayed if the log does not name the
    right number of players, each by a different name. An error in the deal leaves only the pile to judge by."""

    def __init__(self, sheet: FilledSheet) -> None:
        Log.__init__(self, sheet)
        Replay.__init__(self)
        self.state = play.start_unseen(self.spec, len(self.names))
        # The previous move, and the table before it.
        self._last: tuple[State, Move] | None = None
        # Cards that are already reported because they appear more often than the deck contains them.
        self._surplus: set[int] = set()
        if not self.playable:
            return
        self.violations = list(_deal_violations(self, self.deal) if self.deal else ())
        if not any(violation.rule is rules["deal"] for violation in self.violations):
            wrong_swaps = list(_swap_violations(self, self.deal))
            self.violations += wrong_swaps
            if self.deal and not wrong_swaps:
                self.state = play.start(self.spec, self.deal)
            for seat, (up, hand) in self.swaps.items() if not wrong_swaps else ():
                self.state = play.swapped(self.state, seat, up, hand)
        self.follow(self.turns)

    @property
    def followed(self) -> bool:
        """Whether every player's cards are known from the deal to the end of the log."""
        state = self.state
        return self.playable and self.complete and play.UNKNOWN not in sum(state.hands + state.up + state.down, ())

    def play(self, turn: Turn) -> Iterator[Violation]:
        if self.state.winner != NONE:
            message = f"the game ended before this turn: {self.names[self.state.winner]} had no cards left"
            raise StopReplay(rules["after-the-end"](turn.id, message), complete=True)
        if turn.actions != 1:
            message = (
                f"this turn has {turn.actions} actions instead of one"
                if turn.actions
                else "this turn does not say what the player does"
            )
            raise StopReplay(rules["one-thing"](turn.id, message))
        if self._follows_a_failed_flip(turn):
            yield rules["failed-flip"](
                turn.action_field,
                f"{self.names[turn.seat or 0]} has already taken the pile with the card that was turned over",
            )
            return
        expected = self.state.seat
        seat = expected if turn.seat is None else turn.seat
        if turn.seat is None:
            yield rules["turn-named"](turn.id, f"this turn names no player; it is {self.names[expected]}’s turn")
        elif seat != expected:
            rule, reason = self._whose_turn(expected)
            yield rule(f"{turn.id}.player", f"{self.names[seat]} takes a turn, but {reason}")
        state, move = self.state._replace(seat=seat), turn.move(seat)
        violations = list(move_violations(self, state, turn, move))
        yield from violations
        if any(violation.rule in (rules["in-hand"], rules["flip"]) for violation in violations):
            state = play.unseen(state)
        self._last, self.state = (state, move), play.apply(state, move)
        yield from self._too_many_copies(turn, move)

    def _whose_turn(self, seat: int) -> tuple[Rule, str]:
        """The rule that makes it the turn of this seat, and the reason for a message."""
        its_turn = f"it is {self.names[seat]}’s turn"
        if self._last is None:
            return rules["turn-order"], its_turn
        before, move = self._last
        if len(self.state.gone) > len(before.gone):
            card = self.titles(move.cards[-1:])
            if move.cards[-1] == self.spec.new_building:
                return rules["new-building"], f"{self.names[seat]} played {card} and takes another turn"
            return rules["four-of-a-kind"], f"{self.names[seat]} played the last of four {card}s and takes another turn"
        skipped = move.cards.count(self.spec.door_closed) if self.state.pile else 0
        if not skipped:
            return rules["turn-order"], its_turn
        names = [self.names[(move.seat + step) % len(self.names)] for step in range(1, skipped + 1)]
        return rules["skips"], f"Door Closed skips {joined(names)}, so {its_turn}"

    def _follows_a_failed_flip(self, turn: Turn) -> bool:
        """Whether this turn takes the pile although the failed flip before it already did."""
        if not self._last or not turn.pickup or turn.flipped != play.NONE:
            return False
        before, move = self._last
        return move.kind == "flip" and turn.seat == move.seat and not play.stays(before, move)

    def _too_many_copies(self, turn: Turn, move: Move) -> Iterator[Violation]:
        """Cards that appear more often than the deck contains them."""
        state, copies = self.state, self.spec.copies
        seen = Counter(state.pile + state.gone + sum(state.hands + state.up + state.down, ()))
        for card in sorted({*move.cards} - self._surplus):
            if seen[card] > copies[card]:
                self._surplus.add(card)
                yield rules["copies"](
                    turn.action_field,
                    f"{self.titles((card,))} appears {seen[card]} times, but the deck has only {copies[card]}",
                )

    def end(self) -> Iterator[Violation]:
        """The player named as out, if they still have cards."""
        if self.out is not None and self.state.winner != self.out:
            left = counted(play.cards_left(self.state, self.out), "card")
            yield rules["out"]("out", f"{self.names[self.out]} is named as out, but has {left} left")


def _deal_violations(log: Log, deal: DealtCards) -> Iterator[Violation]:
    """Cards that are dealt too often, and players who were dealt too many cards or, if the deal lists the whole deck,
    too few."""
    copies, sizes, count = log.spec.copies, log.spec.rules["deal"], len(deal.cards)
    if len(deal.hands) != len(log.names):
        yield rules["deal"]("deal", f"the deal code is for {len(deal.hands)} players, but {len(log.names)} play")
        return
    wrong = [
        ("deal", f"{log.titles((card,))} is dealt {dealt} times, but the deck has only {copies[card]}")
        for card, dealt in sorted(Counter(deal.cards).items())
        if dealt > copies[card]
    ]
    for seat, name in enumerate(log.names):
        own = {"hands": deal.hands[seat], "up": deal.up[seat], "down": deal.down[seat]}
        if not any(own.values()):
            wrong.append(("deal", f"{name} is dealt no cards"))
            continue
        for part, cards in own.items():
            size = sizes["hand" if part == "hands" else part]
            if len(cards) > size or (len(cards) < size and count >= sum(copies)):
                dealt_here = f"{counted(len(cards), 'card')} {_PART_NAMES[part]}"
                wrong.append((f"deal.{part}.{name}", f"{name} is dealt {dealt_here} instead of {size}"))
    yield from (rules["deal"](where, message) for where, message in wrong)
    if count < sum(copies) and not wrong:
        message = f"the deal lists {count} of the {sum(copies)} cards; they are taken as the whole deck"
        yield rules["deal-whole"]("deal", message)


def _swap_violations(log: Log, deal: DealtCards | None) -> Iterator[Violation]:
    most = log.sheet.game.rules["deal"]["up"]
    for seat, (up, hand) in log.swaps.items():
        messages = []
        if len(up) != len(hand):
            messages.append(f"puts {counted(len(up), 'card')} face up, but takes {len(hand)} back")
        elif len(up) > most:
            messages.append(f"swaps {counted(len(up), 'card')}, but has only {most} face-up cards")
        if deal and play.missing(up, deal.hands[seat]):
            messages.append(f"puts {log.titles(up)} face up, but was dealt {log.titles(deal.hands[seat])} in hand")
        if deal and play.missing(hand, deal.up[seat]):
            messages.append(f"takes {log.titles(hand)} back, but was dealt {log.titles(deal.up[seat])} face up")
        yield from (rules["swaps"](f"swaps.{log.names[seat]}", f"{log.names[seat]} {text}") for text in messages)


def move_violations(log: Log, state: State, turn: Turn, move: Move) -> Iterator[Violation]:
    """The rules that a move breaks, as far as its player’s cards are known."""
    if move.kind == "pickup":
        name, may_finish = log.names[move.seat], log.spec.rules["finish_on_special"]
        if play.next_part(state, move.seat) == "down":
            yield rules["pickup"](turn.action_field, f"{name} takes the pile, but must turn over a face-down card")
        elif not state.pile and (may_finish or play.cards_left(state, move.seat) > 1):
            yield rules["pickup"](
                turn.action_field, f"{name} takes the pile, but there is none: any card may be played"
            )
        elif playable := play.plays(state):
            yield rules["pickup"](
                turn.action_field, f"{name} takes the pile, but could play {log.titles(playable[0].cards[:1])}"
            )
    elif move.kind == "flip":
        yield from _wrong_flip(log, state, turn, move)
    else:
        yield from _different_cards(log, turn, move)
        yield from _not_in_hand(log, state, turn, move)
        yield from _cannot_follow(log, state, turn, move)
        if not play.may_end(state, move.seat, move.cards[0], len(move.cards)):
            yield rules["out"](
                turn.fields,
                f"{log.names[move.seat]} ends with {log.titles(move.cards)}, but must not end with a special card",
            )


def _wrong_flip(log: Log, state: State, turn: Turn, move: Move) -> Iterator[Violation]:
    name, part = log.names[move.seat], play.next_part(state, move.seat)
    if turn.pickup and play.stays(state, move):
        message = f"{name} takes the pile, but could play {log.titles(move.cards)}, which was turned over"
        yield rules["failed-flip"](f"{turn.id}.pickup", message)
    if play.missing(move.cards, state.down[move.seat]):
        yield rules["flip"](
            turn.action_field, f"{name} turns over {log.titles(move.cards)}, which is not one of their face-down cards"
        )
    elif part != "down":
        count = len(state.hands[move.seat] or state.up[move.seat])
        yield rules["phases"](
            turn.action_field,
            f"{name} turns over a face-down card, but still has {counted(count, 'card')} {_PHASE_NAMES[part]}",
        )


def _different_cards(log: Log, turn: Turn, move: Move) -> Iterator[Violation]:
    name, (first, *others) = log.names[move.seat], move.cards
    if any(card != first for card in others):
        yield rules["same-cards"](
            turn.fields, f"{name} plays {log.titles(move.cards)} together, but they are not the same"
        )
    elif len(move.cards) > play.most_at_once(log.spec, first, len(move.cards)):
        yield rules["same-cards"](
            turn.fields,
            f"{name} plays {log.titles(move.cards)} together, but special cards must be played one at a time",
        )


def _not_in_hand(log: Log, state: State, turn: Turn, move: Move) -> Iterator[Violation]:
    """Cards that the player does not have, or may not play yet."""
    name, seat, cards = log.names[move.seat], move.seat, log.titles(move.cards)
    hand, up, down = state.hands[seat], state.up[seat], state.down[seat]
    if not play.missing(move.cards, hand or up):
        return
    if play.UNKNOWN in (hand or up) or play.missing(move.cards, hand + up + down):
        yield rules["in-hand"](
            turn.fields,
            f"{name} plays {cards}, but has only {log.titles(hand or up)} {_PHASE_NAMES['hand' if hand else 'up']}",
        )
    elif play.missing(move.cards, hand + up):
        yield rules["phases"](turn.fields, f"{name} plays {cards}, but has it only face down: log it as a flip")
    else:
        yield rules["phases"](
            turn.fields,
            f"{name} plays {cards} from the face-up cards, but still has {counted(len(hand), 'card')} in hand",
        )


def _cannot_follow(log: Log, state: State, turn: Turn, move: Move) -> Iterator[Violation]:
    """Cards that may not be played on the pile."""
    name, card = log.names[move.seat], move.cards[0]
    if play.may_follow(log.spec, state.pile, card):
        return
    below = play.to_beat(log.spec, state.pile)
    if below == NONE or log.spec.beats[below][card]:
        yield rules["door-closed"](
            turn.fields,
            f"{name} plays {log.titles((card,))} on {log.titles(state.pile[-1:])}, but it may not go on a special card",
        )
    else:
        yield rules["beats"](
            turn.fields, f"{name} plays {log.titles((card,))}, which does not beat {log.titles((below,))}"
        )


class ElevatorUpRules(GameRules[LogReplay]):
    """The rules of the turns; the score is the number of cards that each player has left."""

    rules = rules
    sheets = ("log",)
    reading = Reading(
        extra=MappingProxyType({"deal": DealEntry, "swaps": dict[str, SwapEntry]}),
        cards=_cards,
        problems=lambda sheet: Log(sheet).problems(),
    )

    def read(self, sheet: FilledSheet) -> LogReplay:
        return LogReplay(sheet)

    def violations(self, view: LogReplay) -> Iterator[Violation]:
        yield from view.player_violations(rules["two-to-five"], rules["names"])
        yield from view.violations

    def score(self, view: LogReplay) -> Result:
        """The number of cards each player has left, if the cards are known, and the winner: the player with no cards
        left or, if the log cannot be replayed, the player named as out."""
        state, winner = view.state, view.out
        if view.playable:
            winner = state.winner if state.winner != NONE else None
        remarks = []
        if view.playable and winner is None:
            remarks.append(f"The game is not over: it is {view.names[state.seat]}’s turn.")
        if view.playable and not view.followed and (view.sheet.code or view.sheet.extra.get("deal")):
            remarks.append("The number of cards left is not known.")
        scores = tuple(
            Score(name, (line_of("cards left", _cards_left(view, seat)),) if view.followed else ())
            for seat, name in enumerate(view.names)
        )
        places = ranks((seat == winner, -score.total) for seat, score in enumerate(scores))
        winners = () if winner is None else (view.names[winner],)
        over = bool(winners) or not view.playable
        return Result(scores, places, winners, " ".join(remarks), unit="card", over=over)


def _cards_left(log: LogReplay, seat: int) -> list[Part]:
    state = log.state
    parts = {"in hand": state.hands[seat], "face up": state.up[seat], "face down": state.down[seat]}
    counts = [Part(f"{where}: {log.titles(cards)}", len(cards)) for where, cards in parts.items() if cards]
    return counts or [Part("no cards left", 0)]


RULES = ElevatorUpRules()
