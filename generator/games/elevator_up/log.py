"""The turn log as the rules see it: players, turns, deal and swaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from types import MappingProxyType

from msgspec import Struct, field

from ...draws import SetCode
from ...errors import Place, Problem
from ...model.game import Card, Game
from ...sheets import FilledSheet, Reading, marks
from ..base import rule_book
from ..turns import (
    TurnLog,
    listed,
    no_players,
    no_such_player,
    player_names,
    seat_of,
)
from . import play
from .play import DECK, Cards, Spec, dealt_cards

rules = rule_book("elevator_up")

# ---- what a file may add to the paper sheet --------------------------------------------------------------------------


class DealEntry(Struct, frozen=True, kw_only=True):
    """`deal:` written card by card: the deck, next card first, and the cards that each player was dealt."""

    deck: tuple[str, ...] = ()
    hands: dict[str, tuple[str, ...]] = field(default_factory=dict)
    up: dict[str, tuple[str, ...]] = field(default_factory=dict)
    down: dict[str, tuple[str, ...]] = field(default_factory=dict)
    place: Place

    @property
    def players(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Each part of the deal: its name, the player and the cards."""
        for part, cards in (("hands", self.hands), ("up", self.up), ("down", self.down)):
            yield from ((part, player, row) for player, row in cards.items())


class SwapEntry(Struct, frozen=True, kw_only=True):
    """A swap before the first turn: the cards that the player put face up, and those they took into their hand."""

    up: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    place: Place


EXTRA: Mapping[str, object] = MappingProxyType({"deal": DealEntry, "swaps": dict[str, SwapEntry]})


def cards(game: Game, code: SetCode | None) -> Mapping[str, Card]:
    """The cards by the names and letters that a log may use. Raises InputError for a wrong code."""
    if code:
        dealt_cards(game, code)
    deck = game.components[DECK].cards
    return MappingProxyType({**{card.id: card for card in deck}, **{card.letter: card for card in deck}})


# ---- the log -------------------------------------------------------------------------------------------------------


class Turn(Struct, frozen=True):
    """A turn of the log; `id` is its place on the sheet. `seat` is None if the turn names no player. `played` are the
    cards in the numbered `fields`; `flipped` is the face-down card that the player turned over, or NONE. With `pickup`,
    it did not fit, and the player took the pile."""

    id: str
    number: int
    seat: int | None
    played: Cards
    fields: tuple[int, ...]
    flipped: int
    pickup: bool

    @property
    def actions(self) -> int:
        """The number of actions in this turn; it should be one."""
        return bool(self.played) + (self.flipped != play.NONE or self.pickup)

    @property
    def action_field(self) -> str:
        """The id of the field with the action."""
        if self.played:
            return f"{self.id}.play.{self.fields[0]}"
        return f"{self.id}.flip" if self.flipped != play.NONE else f"{self.id}.pickup"


class Log(TurnLog):
    """A turn log. Players are identified by seat, cards by their number in the `spec`."""

    @cached_property
    def spec(self) -> Spec:
        return play.spec(self.sheet.game.components[DECK].cards, self.sheet.game.rules)

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        return tuple(map(self._turn, self.sheet.entries.get("turns", ())))

    @cached_property
    def out(self) -> int | None:
        """The seat of the player named as out."""
        return self.seat(self.sheet.text("out"))

    @cached_property
    def last_of_out(self) -> Turn | None:
        """The last turn of the player named as out."""
        turns = [turn for turn in self.turns if self.out is not None and turn.seat == self.out]
        return turns[-1] if turns else None

    @property
    def has_deal(self) -> bool:
        """Whether the log contains the deal."""
        return self.sheet.code is not None or self.sheet.extra.get("deal") is not None

    @cached_property
    def swaps(self) -> dict[int, SwapEntry]:
        swaps = self.sheet.extra.get("swaps") or {}
        return {seat: swap for name, swap in swaps.items() if (seat := self.seat(name)) is not None}

    def numbers(self, card_list: tuple[str, ...]) -> Cards:
        """The numbers of the cards in a list as typed, leaving out blanks and unknown cards (`problems` reports
        these)."""
        numbers = []
        for name in card_list:
            with suppress(marks.MarkError):
                numbers.append(self._number(marks.card(name, self.sheet.cards)))
        return tuple(numbers)

    def titles(self, cards: Cards) -> str:
        """Cards for a message: `7 and 7`, `Stuck, Lobby and 3`."""
        return listed([self._title(card) for card in cards]) or "no card"

    def _title(self, card: int) -> str:
        floor = self.spec.floors[card]
        return str(floor) if floor else str(self.sheet.cards[self.spec.names[card]].name)

    def _turn(self, entry: str) -> Turn:
        fields = self.sheet.rows.get(f"{entry}.play", ())
        return Turn(
            entry,
            int(entry.rpartition(".")[2]),
            self.seat(self.sheet.text(f"{entry}.player")),
            tuple(self._card(f"{entry}.play.{number}") for number in fields),
            fields,
            self._card(f"{entry}.flip"),
            self.sheet.ticked(f"{entry}.pickup"),
        )

    def _card(self, field: str) -> int:
        name = self.sheet.text(field)
        return self._number(name) if name else play.NONE

    def _number(self, name: str) -> int:
        return self.spec.names.index(self.sheet.cards[name].id)


# ---- problems --------------------------------------------------------------------------------------------------------


def problems(sheet: FilledSheet) -> Iterator[Problem]:
    """Players who are not on the sheet, and cards that are not in the game."""
    yield from _unknown_players(sheet)
    deal: DealEntry | None = sheet.extra.get("deal")
    if deal:
        yield from _unknown_cards(sheet, deal.deck, deal.place)
        for _, _, row in deal.players:
            yield from _unknown_cards(sheet, row, deal.place)
    for swap in (sheet.extra.get("swaps") or {}).values():
        yield from _unknown_cards(sheet, (*swap.up, *swap.hand), swap.place)


def _unknown_players(sheet: FilledSheet) -> Iterator[Problem]:
    names = player_names(sheet)
    mentions = list(_player_mentions(sheet))
    if mentions and not names:
        yield no_players(mentions[0][1])
        return
    for name, place in mentions:
        if seat_of(names, name) is None:
            yield no_such_player(name, names, place)


def _player_mentions(sheet: FilledSheet) -> Iterator[tuple[str, Place]]:
    """Every name that must be a player's, with its place in the file."""
    for name in (*(f"{turn}.player" for turn in sheet.entries.get("turns", ())), "out"):
        if sheet.text(name) and not (name == "out" and marks.is_nothing(sheet.text(name))):
            yield sheet.text(name), sheet.place_of(name)
    deal: DealEntry | None = sheet.extra.get("deal")
    for name in dict.fromkeys(player for _, player, _ in (deal.players if deal else ())):
        yield name, deal.place if deal else sheet.place
    for name in sheet.extra.get("swaps") or {}:
        yield name, sheet.place_of(f"swaps.{name}")


def _unknown_cards(sheet: FilledSheet, card_list: Iterable[str], place: Place) -> Iterator[Problem]:
    for name in card_list:
        try:
            if name not in marks.BLANK:
                marks.card(name, sheet.cards)
        except marks.MarkError as error:
            yield Problem(f"there is no card “{name}” in the game", place, error.look_up())


READING = Reading(extra=EXTRA, cards=cards, problems=problems)
