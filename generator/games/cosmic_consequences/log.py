"""The travel log as the rules see it: the players, the turns, the hands at the end and the order of the deck."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from ...model.board import Board
from ...model.game import Game
from .. import deal
from ..base import rule_book
from ..turns import TurnLog
from . import play
from .play import BOARD, CARDS, Cards, Spec, without
from .sheet import (
    DealEntry,
    Forced,
    Line,
    LineReader,
    card_name,
    read_card,
    read_cards,
    space_id,
    spellings,
)

rules = rule_book("cosmic_consequences")


class Turn(Struct, frozen=True):
    """A turn of the log; `id` is its place on the sheet. `seat` is None if the turn names no player; `roll` is 0 and
    `to` empty if they are missing."""

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
        """The card actions, in the order of the columns on the sheet."""
        actions: tuple[tuple[play.Kind, Line | None], ...] = (
            ("draw", self.draw),
            ("jump", self.jump),
            ("discard", self.discard),
        )
        return [(kind, line) for kind, line in actions if line]


class Hand(Struct, frozen=True):
    """A player's cards at the end of the game; `id` is their place on the sheet. `cc` are the cards that lie cc side
    up, `loose` those that lie number side up outside the `stacks`, and `fields` the fields of the stacks."""

    id: str
    seat: int
    cc: Cards
    loose: Cards
    stacks: tuple[Cards, ...]
    fields: tuple[str, ...]

    @property
    def numbers(self) -> Cards:
        """All cards that lie number side up."""
        return tuple(sorted(sum(self.stacks, self.loose)))

    @property
    def locked(self) -> int:
        """The number of zero stacks; a loose zero card counts as one."""
        return sum(map(is_stack, self.stacks)) + self.loose.count(0)


def is_stack(cards: Cards) -> bool:
    """Whether cards are a zero stack: two or more that add up to zero, or a single zero card."""
    return not sum(cards) and (len(cards) > 1 or cards == (0,))


class Log(TurnLog):
    """A travel log. Players are identified by seat, cards by value."""

    @cached_property
    def spec(self) -> Spec:
        cards = self.sheet.text("cards")
        return play.spec(self._game, cards == "with" if cards else None, eager=False)

    @cached_property
    def _game(self) -> Game:
        """The game with its board, shuffled if the sheet has a code for it."""
        game, code = self.sheet.game, self.sheet.codes.get("board")
        return deal(game, code).dress(game) if code else game

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        reader, board = LineReader(self._spellings, self.names), self._game.components[BOARD].board
        return tuple(self._turn(entry, reader, board) for entry in self.sheet.entries.get("turns", ()))

    @cached_property
    def hands(self) -> dict[int, Hand]:
        """The hands on the sheet, by seat."""
        seats = {number: seat for seat, number in enumerate(self.sheet.rows.get("players", ()))}
        return {
            seats[number]: self._hand(f"hands.{number}", seats[number])
            for number in sorted(seats)
            if f"hands.{number}" in self.sheet.entries.get("hands", ()) or f"hands.{number}" in self.sheet.places
        }

    @cached_property
    def deck(self) -> Cards | None:
        """The deck, top card first; None if the sheet does not give its order."""
        entry: DealEntry | None = self.sheet.extra.get("deal")
        if entry:
            return tuple(read_card(name, self._spellings) for name in entry.deck)
        code = self.sheet.codes.get("deal")
        return tuple(card.number for card in deal(self.sheet.game, code).cards[CARDS]) if code else None

    def cards(self, field: str) -> Cards:
        """The cards in a field, in the order they are written."""
        return read_cards(self.sheet.text(field), self._spellings)

    def on_paper(self) -> dict[str, str]:
        """What a player would write in each field: every action as one short line, and cards by their values."""
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

    def _turn(self, entry: str, reader: LineReader, board: Board | None) -> Turn:
        draw, jump, discard, forced, to = (
            self.sheet.text(f"{entry}.{part}") for part in ("draw", "jump", "discard", "forced", "to")
        )
        return Turn(
            entry,
            self.seat(self.sheet.text(f"{entry}.player")),
            reader.draw(draw) if draw else None,
            reader.jump(jump) if jump else None,
            reader.discard(discard) if discard else None,
            self.sheet.number(f"{entry}.roll") or 0,
            space_id(to, board) or "",
            reader.forced(forced),
        )

    def _hand(self, entry: str, seat: int) -> Hand:
        """A hand. The sheet may list the cards of the stacks again under `number_up`."""
        fields = tuple(f"{entry}.stacks.{number}" for number in self.sheet.rows.get(f"{entry}.stacks", ()))
        cc, loose = tuple(sorted(self.cards(f"{entry}.cc_up"))), tuple(sorted(self.cards(f"{entry}.number_up")))
        stacks = tuple(tuple(sorted(self.cards(field))) for field in fields)
        for stack in stacks:
            loose = without(loose, stack)
        return Hand(entry, seat, cc, loose, stacks, fields)
