"""The log as the rules look at it: who plays, the turns, the hands at the end, and the deck's order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ...definitions.models import Game
from ...rules.book import Violation
from .. import deal
from ..turns import TurnLog, counted
from . import play, rules
from .lines import Forced, Line, LineReader, card_name, card_names, read_card, read_cards, spellings
from .play import CARDS, Cards, Spec, without
from .replay import Replay, replay
from .sheet import DealEntry, space_id


@dataclass(frozen=True, slots=True)
class Turn:
    """A line of the log. `id` is where the sheet has it; `seat` is None where it names nobody, `roll` 0 and `to` empty
    where they are left out."""

    id: str
    seat: int | None
    draw: Line | None
    jump: Line | None
    discard: Line | None
    roll: int
    to: str
    forced: tuple[Forced, ...]

    @property
    def actions(self) -> list[tuple[play.Kind, Line]]:
        """The card actions, in the order of the paper."""
        actions: tuple[tuple[play.Kind, Line | None], ...] = (
            ("draw", self.draw), ("jump", self.jump), ("discard", self.discard))
        return [(kind, line) for kind, line in actions if line]


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand at the end, as it lies: `loose` are number-side cards outside `stacks`. `id` is where the sheet has it,
    `fields` where it has the stacks."""

    id: str
    seat: int
    cc: Cards
    loose: Cards
    stacks: tuple[Cards, ...]
    fields: tuple[str, ...]

    @property
    def numbers(self) -> Cards:
        """Every card that lies number side up."""
        return tuple(sorted(sum(self.stacks, self.loose)))

    @property
    def locked(self) -> int:
        """How many zero stacks there are; a zero card that lies loose is one by itself."""
        return sum(map(is_stack, self.stacks)) + self.loose.count(0)


def is_stack(cards: Cards) -> bool:
    """Whether cards are a zero stack: two or more that sum to zero, or a zero card alone."""
    return not sum(cards) and (len(cards) > 1 or cards == (0,))


class Log(TurnLog):
    """A travel log. Players are known by their seats, cards by their numbers."""

    @cached_property
    def spec(self) -> Spec:
        cards = self.sheet.text("cards")
        return play.spec(self._game, cards == "with" if cards else None)

    @cached_property
    def _game(self) -> Game:
        """The game with its board, which a code may have shuffled."""
        game, code = self.sheet.game, self.sheet.codes.get("board")
        return deal(game, code).dress(game) if code else game

    @cached_property
    def replay(self) -> Replay | None:
        """What comes of playing the log through, where its players can be told apart."""
        return replay(self) if self.playable else None

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        reader, spaces = LineReader(self._spellings, self.names), list(self.spec.routes.kinds)
        return tuple(self._turn(entry, reader, spaces) for entry in self.sheet.entries.get("turns", ()))

    @cached_property
    def hands(self) -> dict[int, Hand]:
        """The hands that the sheet has, by seat."""
        seats = {number: seat for seat, number in enumerate(self.sheet.rows.get("players", ()))}
        return {seats[number]: self._hand(f"hands.{number}", seats[number]) for number in sorted(seats)
                if f"hands.{number}" in self.sheet.entries.get("hands", ())
                or f"hands.{number}" in self.sheet.places}

    @cached_property
    def deck(self) -> Cards | None:
        """The deck in its order, where the sheet has it."""
        entry: DealEntry | None = self.sheet.extra.get("deal")
        if entry:
            return tuple(read_card(name, self._spellings) for name in entry.deck)
        code = self.sheet.codes.get("deal")
        return tuple(card.number for card in deal(self.sheet.game, code).cards[CARDS]) if code else None

    def cards(self, field: str) -> Cards:
        """The cards in a field, in its order."""
        return read_cards(self.sheet.text(field), self._spellings)

    def on_paper(self) -> dict[str, str]:
        """What a pencil writes, by field: every action in the paper's one short line, and cards by their numbers."""
        marks: dict[str, str] = {}
        for turn in self.turns:
            marks |= {f"{turn.id}.{kind}": line.text(self.names) for kind, line in turn.actions}
            if turn.forced:
                marks[f"{turn.id}.forced"] = "; ".join(self._forced_text(turn, answer) for answer in turn.forced)
        for hand in self.hands.values():
            for field in (f"{hand.id}.cc_up", f"{hand.id}.number_up", *hand.fields):
                if self.sheet.text(field):
                    marks[field] = " ".join(map(card_name, self.cards(field)))
        return marks

    def _forced_text(self, turn: Turn, answer: Forced) -> str:
        player = "" if answer.seat in (None, turn.seat) else f"{self.names[answer.seat or 0]} "
        return f"{player}{answer.verb} {answer.line.text(self.names)}"

    @cached_property
    def _spellings(self) -> dict[str, int]:
        return spellings(self.sheet.cards)

    def _turn(self, entry: str, reader: LineReader, spaces: list[str]) -> Turn:
        draw, jump, discard, forced, to = (
            self.sheet.text(f"{entry}.{part}") for part in ("draw", "jump", "discard", "forced", "to"))
        return Turn(
            entry, self.seat(self.sheet.text(f"{entry}.player")), reader.draw(draw) if draw else None,
            reader.jump(jump) if jump else None, reader.discard(discard) if discard else None,
            self.sheet.number(f"{entry}.roll") or 0, space_id(to, spaces) or "", reader.forced(forced))

    def _hand(self, entry: str, seat: int) -> Hand:
        """A hand; the cards of its stacks may be listed among those number side up once more."""
        fields = tuple(f"{entry}.stacks.{number}" for number in self.sheet.rows.get(f"{entry}.stacks", ()))
        cc, loose = tuple(sorted(self.cards(f"{entry}.cc_up"))), tuple(sorted(self.cards(f"{entry}.number_up")))
        stacks = tuple(tuple(sorted(self.cards(field))) for field in fields)
        for stack in stacks:
            loose = without(loose, stack)
        return Hand(entry, seat, cc, loose, stacks, fields)


# ---- what the hands break -------------------------------------------------------------------------------------------

def hand_violations(log: Log) -> Iterator[Violation]:
    """What is wrong with the hands at the end: each by itself, all together, and beside the log."""
    for hand in log.hands.values():
        for stack, field in zip(hand.stacks, hand.fields, strict=True):
            if not is_stack(stack):
                yield rules.STACK_ZERO(field, f"{card_names(stack)} sum{'s' * (len(stack) == 1)} to "
                                              f"{card_name(sum(stack))}, not to zero"
                                       if sum(stack) else "a stack without cards")
    yield from _card_once(log)
    yield from _hands_agree(log)
    for hand in log.hands.values():
        claimed = log.sheet.number(f"{hand.id}.claimed.stacks")
        if claimed is not None and claimed != hand.locked:
            yield rules.CLAIMED_STACKS(f"{hand.id}.claimed.stacks", f"{log.names[hand.seat]} claims {claimed}, but has "
                                                                    f"{counted(hand.locked, 'locked zero stack')}")


def _card_once(log: Log) -> Iterator[Violation]:
    copies, seen = Counter(log.spec.deck), Counter[int]()
    for hand in log.hands.values():
        for card in hand.cc + hand.numbers:
            seen[card] += 1
            if seen[card] == copies[card] + 1:
                yield rules.CARD_ONCE(hand.id, f"{card_name(card)} lies in more places than there are such cards")


def _hands_agree(log: Log) -> Iterator[Violation]:
    if log.replay is None or not log.turns or not log.replay.whole or not log.spec.cards:
        return
    state = log.replay.state
    for seat, hand in log.hands.items():
        name, numbers = log.names[seat], tuple(sorted(sum(state.stacks[seat], state.loose[seat])))
        for side, in_hand, in_play, field in (("cc side up", hand.cc, state.cc[seat], "cc_up"),
                                              ("number side up", hand.numbers, numbers, "number_up")):
            if in_hand != in_play:
                yield rules.HANDS_AGREE(f"{hand.id}.{field}", f"{name} has {card_names(in_hand)} {side}, but the turns "
                                                              f"lead to {card_names(in_play)}")
        for stack in state.stacks[seat] if hand.numbers == numbers else ():
            if len(stack) > 1 and stack not in hand.stacks:
                yield rules.HANDS_AGREE(hand.id, f"{card_names(stack)} were stacked before {name}, but are no stack in "
                                                 "the hand")
