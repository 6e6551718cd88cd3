"""The turn log as the rules see it: players, turns, deal and swaps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType

from msgspec import Struct, field

from ...draws import SetCode
from ...draws.own_sets import drawn_set
from ...errors import Place, Problem
from ...model.game import Card, Game
from ...sheets import FilledSheet, Reading, marks
from ..base import rule_book
from ..turns import TurnLog, counted, listed, no_players, no_such_player
from . import play
from .play import DECK, NONE, UNKNOWN, Cards, Move, Spec

rules = rule_book("elevator_up")


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
    number: int
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
        """The id of the field with the action."""
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
    def deal(self) -> play.DealtCards | None:
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
        return play.DealtCards(down, up, hands, self.numbers(entry.deck))

    def numbers(self, card_list: tuple[str, ...]) -> Cards:
        """The numbers of the cards in a list as typed, leaving out blanks."""
        names = [marks.card(name, self.sheet.cards) for name in card_list if name not in marks.BLANK]
        return tuple(map(self._number, names))

    def titles(self, cards: Cards) -> str:
        """Cards for a message: `7 and 7`, `Stuck, Lobby and 3`, `7 and 2 other cards`."""
        floors, names = self.spec.floors, self.spec.names
        titles = [str(floors[card] or self.sheet.cards[names[card]].name) for card in cards if card != UNKNOWN]
        if unseen := cards.count(UNKNOWN):
            titles.append(counted(unseen, "other card" if titles else "card"))
        return listed(titles) or "no card"

    def _turn(self, entry: str) -> Turn:
        fields = tuple(f"{entry}.play.{number}" for number in self.sheet.rows.get(f"{entry}.play", ()))
        return Turn(
            entry,
            int(entry.rpartition(".")[2]),
            self.seat(self.sheet.text(f"{entry}.player")),
            played=tuple(self._number(self.sheet.text(name)) for name in fields),
            fields=fields,
            flipped=self._number(flipped) if (flipped := self.sheet.text(f"{entry}.flip")) else NONE,
            pickup=self.sheet.ticked(f"{entry}.pickup"),
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
        cards: list[tuple[str, Place]] = []
        if deal := extra.get("deal"):
            players += [(name, deal.place) for name in {**deal.hands, **deal.up, **deal.down}]
            rows = [deal.deck, *deal.hands.values(), *deal.up.values(), *deal.down.values()]
            cards += [(card, deal.place) for row in rows for card in row]
        for name, swap in (extra.get("swaps") or {}).items():
            players.append((name, sheet.place_of(f"swaps.{name}")))
            cards += [(card, swap.place) for card in (*swap.up, *swap.hand)]
        if players and not self.names:
            yield no_players(players[0][1])
        for name, place in players if self.names else ():
            if self.seat(name) is None:
                yield no_such_player(name, self.names, place)
        for name, place in cards:
            try:
                self.numbers((name,))
            except marks.MarkError as error:
                yield Problem(f"there is no card “{name}” in the game", place, error.look_up())


def _cards(game: Game, code: SetCode | None) -> Mapping[str, Card]:
    """The cards by the names and letters that a log may use. Raises InputError for a wrong code."""
    if code:
        drawn_set(game, code)
    deck = game.components[DECK].cards
    return MappingProxyType({**{card.id: card for card in deck}, **{card.letter: card for card in deck}})


def _problems(sheet: FilledSheet) -> Iterator[Problem]:
    return Log(sheet).problems()


READING = Reading(
    extra=MappingProxyType({"deal": DealEntry, "swaps": dict[str, SwapEntry]}), cards=_cards, problems=_problems
)
