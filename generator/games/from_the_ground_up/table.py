"""The table sheet: where the cards are at the end, what is written on them, and the deal and log typed with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ...draws import SetCode
from ...errors import Place, Problem
from ...model.game import Card, Game
from ...model.values import span
from ...sheets import FilledSheet, Reading
from ...sheets.marks import near_cards
from .. import random_sets, standard_cards
from ..base import rule_book
from ..turns import no_such_player, seat_of
from . import DECK, play
from .crates import Compare
from .play import STAR, Spec, Writing

rules = rule_book("from_the_ground_up")


class MarkEntry(Struct, frozen=True, kw_only=True):
    """`mark:` in a turn: the card, and which of its places was marked. `card` is empty if the turn does not name it."""

    card: str
    crate: int | None = None
    star: bool = False
    tick: int | None = None
    place: Place


class Entry(Struct, frozen=True, kw_only=True):
    """One line of a log: a turn with its roll and what the player did with it, or a pass. `star` and `tick` can be in
    the turn itself, with or without the card."""

    player: str
    roll: int | None = None
    mark: MarkEntry | None = None
    card: str | None = None
    star: bool = False
    tick: int | None = None
    flip: str | None = None
    pass_: str | None = None
    place: Place

    @property
    def marks(self) -> tuple[MarkEntry, ...]:
        """Every mark of the turn."""
        direct = MarkEntry(card=self.card or "", star=self.star, tick=self.tick, place=self.place)
        return tuple(filter(None, (self.mark, direct if self.star or self.tick is not None else None)))


def cards(game: Game, code: SetCode | None) -> Mapping[str, Card]:
    """The cards by number: those of the random set, or the standard twelve. Raises InputError if the code is not for a
    set of cards."""
    decks = random_sets(game).deal(game, code).cards if code else standard_cards(game)
    return MappingProxyType({card.id: card for card in decks[DECK]})


def problems(sheet: FilledSheet) -> Iterator[Problem]:
    """Problems in the log and the deal: unknown players and cards, impossible rolls, incomplete turns."""
    for name, dealt in (sheet.extra.get("deal") or {}).items():
        yield from _unknown(sheet, name, dealt, sheet.place_of(f"deal.{name}"))
    for entry in sheet.extra.get("log", ()):
        names = [*(mark.card for mark in entry.marks), entry.flip, entry.pass_]
        yield from _unknown(sheet, entry.player, tuple(filter(None, names)), entry.place)
        yield from _entry_problems(sheet.game, entry)
    if "log" in sheet.extra and "deal" not in sheet.extra:
        yield Problem(
            "the log cannot be checked without the deal",
            sheet.place_of("log.1"),
            "add deal: {Ann: [4, 7, 11], ...} with every player’s first cards",
        )


def _entry_problems(game: Game, entry: Entry) -> Iterator[Problem]:
    if entry.pass_ is not None:
        if entry.roll is not None or entry.marks or entry.flip:
            yield Problem(
                "an entry is either a turn or a pass", entry.place, "write the turn and the pass as two entries"
            )
    elif entry.roll is None:
        yield Problem("a turn needs a roll", entry.place, "or write “pass” and the number of the card")
    elif entry.roll not in span(str(game.rules["die"])):
        yield Problem(f"“roll” must be a number on the die, 1 to 6, not “{entry.roll}”", entry.place)
    for mark in entry.marks:
        yield from _mark_problems(mark)


def _mark_problems(mark: MarkEntry) -> Iterator[Problem]:
    if sum((mark.crate is not None, mark.star, mark.tick is not None)) != 1:
        yield Problem(
            "a mark needs exactly one of crate, star and tick", mark.place, "for example mark: {card: 4, crate: 2}"
        )
    for number in (mark.crate, mark.tick):
        if number is not None and number < 1:
            yield Problem(f"there is no crate {number}", mark.place, "crates are numbered from 1, from the left")


def _unknown(sheet: FilledSheet, player: str, numbers: tuple[str, ...], place: Place) -> Iterator[Problem]:
    """A player and cards that do not exist."""
    names = player_names(sheet)
    if seat_of(names, player) is None:
        yield no_such_player(player, names, place)
    for card in numbers:
        if card not in sheet.cards:
            yield Problem(f"no card “{card}” in the game", place, near_cards(card, sheet.cards))


def player_names(sheet: FilledSheet) -> list[str]:
    """The names of the players in the order they are listed."""
    return [sheet.people[entry] for entry in sheet.entries.get("players", ())]


READING = Reading(
    extra=MappingProxyType({"log": tuple[Entry, ...], "deal": dict[str, tuple[str, ...]]}),
    cards=cards,
    problems=problems,
)


def spec_of(card: Card, game: Game) -> Spec:
    """A card as printed, with its symbols read as game.yaml says."""
    compare: Compare = "first" if game.rules.get("compare") == "first" else "neighbour"
    return Spec(card.id, card.star, card.symbols, compare)


class TableCard(Struct, frozen=True):
    """A card on the table: `id` is its entry on the sheet, `owner` the player's id (empty for a shared card).

    `typed` is the row of crates as typed; the `writing` has that row cut or padded to the number of crates on the
    card."""

    spec: Spec
    typed: tuple[int | None, ...]
    writing: Writing
    id: str = ""
    owner: str = ""
    flipped: bool = False
    ticked: frozenset[int] = frozenset()

    @classmethod
    def of(cls, spec: Spec, typed: tuple[int | None, ...], star: int | None, **about: Any) -> TableCard:
        """A card with these marks, and what else is known `about` it."""
        marks = (*typed, *[None] * len(spec.symbols), None)[: len(spec.symbols) + 1]
        return cls(spec, typed, (star or 0, *(mark or 0 for mark in marks)), **about)

    @property
    def name(self) -> str:
        return f"card {self.spec.name}"

    @property
    def star(self) -> int:
        """The number in the star; 0 if it is empty."""
        return self.writing[STAR]

    @property
    def crates(self) -> tuple[int | None, ...]:
        return tuple(number or None for number in self.writing[1:])

    @property
    def blanks(self) -> list[int]:
        """The numbers of the blank crates."""
        return [place for place in self.spec.places[1:] if not self.writing[place]]

    @property
    def scoring(self) -> bool:
        """Whether the card scores for the player who has it: it is finished or flipped."""
        return self.flipped or 0 not in self.writing


class TableSheet:
    """The table as the rules see it. Players are known by their ids (`players.1`)."""

    def __init__(self, sheet: FilledSheet) -> None:
        self.sheet = sheet
        self.stall = sheet.ticked("variant.stall") or sheet.game.rules.get("stall") is True
        """Whether the game ended under the stall variant."""
        self.players = sheet.entries.get("players", ())
        self.names = player_names(sheet)
        self.specs = {name: spec_of(card, sheet.game) for name, card in sheet.cards.items()}
        groups = [*((f"{player}.cards", player) for player in self.players), ("shared", "")]
        listed = [(entry, owner) for group, owner in groups for entry in sheet.entries.get(group, ())]
        self.unnamed = [entry for entry, _ in listed if not sheet.text(f"{entry}.card")]
        """The entries without a card number."""
        self.cards = [self._card(entry, owner) for entry, owner in listed if entry not in self.unnamed]
        """Every card on the table that has a number, players' cards first."""
        given_up = {sheet.text(f"{player}.discarded") for player in self.players} if self.stall else set()
        self.deleted = sorted(given_up - {"", *(card.spec.name for card in self.cards)})
        """The numbers of cards that were given up and then left out, although they stay on the sheet."""
        self.deal: Mapping[str, tuple[str, ...]] | None = sheet.extra.get("deal")
        """The numbers of the cards dealt to each player, by name; None if the sheet does not say."""
        self.dealt = [card for hand in (self.deal or {}).values() for card in hand]
        entries: tuple[Entry, ...] = sheet.extra.get("log", ())
        self.log = [replace(entry, player=self._full_name(entry.player)) for entry in entries]
        """The turns, each with the full name of its player."""

    @property
    def can_be_replayed(self) -> bool:
        """Whether there is a log from a deal in which every card is dealt once."""
        return bool(self.log) and len(set(self.dealt)) == len(self.dealt)

    @cached_property
    def points(self) -> dict[str, int]:
        """The points of every card, by its entry on the sheet; the cards that players gave up are not in it."""
        given_up = [card for player in self.players if (card := self.given_up(player))]
        unstarred = int(self.sheet.game.rules["unstarred"])
        return {
            card.id: play.points(card.spec, card.writing, card.flipped, unstarred)
            for card in self.cards
            if card not in given_up
        }

    def counting_cards(self, player: str) -> list[TableCard]:
        """A player's cards without the one given up under the stall variant."""
        return [card for card in self.in_front_of(player) if card.id in self.points]

    def total(self, player: str) -> int:
        return sum(self.points[card.id] for card in self.counting_cards(player))

    def in_front_of(self, player: str) -> list[TableCard]:
        return [card for card in self.cards if card.owner == player]

    def name(self, player: str) -> str:
        return self.sheet.people[player]

    def given_up(self, player: str) -> TableCard | None:
        """The card the player gave up under the stall variant; None if it could not be given up."""
        if not self.stall:
            return None
        number = self.sheet.text(f"{player}.discarded")
        return next((card for card in self.in_front_of(player) if card.spec.name == number and card.scoring), None)

    def _full_name(self, name: str) -> str:
        seat = seat_of(self.names, name)
        return name if seat is None else self.names[seat]

    def _card(self, entry: str, owner: str) -> TableCard:
        sheet = self.sheet
        return TableCard.of(
            self.specs[sheet.text(f"{entry}.card")],
            sheet.row(f"{entry}.crates"),
            sheet.number(f"{entry}.star"),
            id=entry,
            owner=owner,
            flipped=sheet.ticked(f"{entry}.flipped"),
            ticked=sheet.ticks(f"{entry}.ticked"),
        )
