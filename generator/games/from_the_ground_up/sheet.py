"""The table sheet: where the cards are at the end, what is written on them, and the deal and log typed with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from ...draws import SetCode
from ...errors import Place, Problem
from ...fast_dataclasses import dataclass
from ...lazy import cached_property
from ...model.game import Card, Game
from ...model.values import span
from ...sheets import FilledSheet, Reading
from ...sheets.marks import near_cards
from .. import random_sets, standard_cards
from ..base import rule_book
from ..turns import no_such_player, seat_of
from . import DECK
from .crates import Compare
from .play import Spec

rules = rule_book("from_the_ground_up")

# ---- not on paper: the deal and the log ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkEntry:
    """`mark:` in a turn: the card, and which of its places was marked."""

    card: str
    crate: int | None = None
    star: bool = False
    tick: int | None = None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
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
        """Every mark of the turn; `card` is empty if the mark does not name it."""
        direct = MarkEntry(card=self.card or "", star=self.star, tick=self.tick, place=self.place)
        return tuple(filter(None, (self.mark, direct if self.star or self.tick is not None else None)))


EXTRA: Mapping[str, object] = MappingProxyType({"log": tuple[Entry, ...], "deal": dict[str, tuple[str, ...]]})


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
        yield from _entry_problems(sheet, entry)
    if "log" in sheet.extra and "deal" not in sheet.extra:
        yield Problem(
            "the log cannot be checked without the deal",
            sheet.place_of("log.1"),
            "add deal: {Ann: [4, 7, 11], ...} with every player’s first cards",
        )


def _entry_problems(sheet: FilledSheet, entry: Entry) -> Iterator[Problem]:
    cards = [mark.card for mark in entry.marks] + [entry.flip or "", entry.pass_ or ""]
    yield from _unknown(sheet, entry.player, tuple(filter(None, cards)), entry.place)
    if entry.pass_ is not None:
        if entry.roll is not None or entry.marks or entry.flip:
            yield Problem(
                "an entry is either a turn or a pass", entry.place, "write the turn and the pass as two entries"
            )
    elif entry.roll is None:
        yield Problem("a turn needs a roll", entry.place, "or write “pass” and the number of the card")
    elif entry.roll not in span(str(sheet.game.rules["die"])):
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


def _unknown(sheet: FilledSheet, player: str, cards: tuple[str, ...], place: Place) -> Iterator[Problem]:
    """A player and cards that do not exist."""
    names = player_names(sheet)
    if seat_of(names, player) is None:
        yield no_such_player(player, names, place)
    for card in cards:
        if card not in sheet.cards:
            yield Problem(f"no card “{card}” in the game", place, near_cards(card, sheet.cards))


def player_names(sheet: FilledSheet) -> list[str]:
    """The names of the players in the order they are listed."""
    return [sheet.people[entry] for entry in sheet.entries.get("players", ())]


def compare_of(game: Game) -> Compare:
    """Which crate the symbols compare a crate with."""
    return "first" if game.rules.get("compare") == "first" else "neighbour"


READING = Reading(extra=EXTRA, cards=cards, problems=problems)


# ---- the table -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableCard:
    """A card on the table: `id` is its entry on the sheet, `owner` the player's id (empty for a shared card).

    `typed` is the row of crates as typed; `crates` is that row, cut or padded to the number of crates on the card."""

    id: str
    owner: str
    card: Card
    typed: tuple[int | None, ...]
    star: int | None
    flipped: bool
    ticked: frozenset[int]

    @property
    def name(self) -> str:
        return f"card {self.card.id}"

    @property
    def symbols(self) -> tuple[str, ...]:
        symbols: tuple[str, ...] = self.card.symbols
        return symbols

    @property
    def crates(self) -> tuple[int | None, ...]:
        count = len(self.symbols) + 1
        return (*self.typed, *[None] * count)[:count]

    @property
    def blanks(self) -> list[int]:
        """The numbers of the blank crates."""
        return [number for number, value in enumerate(self.crates, 1) if value is None]

    @property
    def built(self) -> bool:
        """Whether every crate and the star are filled in."""
        return not self.blanks and self.star is not None

    @property
    def scoring(self) -> bool:
        """Whether the card scores for the player who has it: it is finished or flipped."""
        return self.flipped or self.built


class Table:
    """The table as the rules see it. Players are known by their ids (`players.1`)."""

    def __init__(self, sheet: FilledSheet) -> None:
        self.sheet = sheet

    @cached_property
    def compare(self) -> Compare:
        return compare_of(self.sheet.game)

    @cached_property
    def stall(self) -> bool:
        """Whether the game ended under the stall variant."""
        return self.sheet.ticked("variant.stall") or self.sheet.game.rules.get("stall") is True

    @cached_property
    def players(self) -> tuple[str, ...]:
        return self.sheet.entries.get("players", ())

    @cached_property
    def names(self) -> list[str]:
        return player_names(self.sheet)

    @cached_property
    def cards(self) -> tuple[TableCard, ...]:
        """Every card on the table that has a number, players' cards first."""
        return tuple(self._card(entry, owner) for entry, owner in self._listed if self._number(entry))

    @cached_property
    def unnamed(self) -> tuple[str, ...]:
        """The entries without a card number."""
        return tuple(entry for entry, _ in self._listed if not self._number(entry))

    @cached_property
    def log(self) -> tuple[Entry, ...]:
        """The turns, each with the full name of its player."""
        log: tuple[Entry, ...] = self.sheet.extra.get("log", ())
        return tuple([replace(entry, player=self._full_name(entry.player)) for entry in log])

    @cached_property
    def deal(self) -> Mapping[str, tuple[str, ...]] | None:
        """The numbers of the cards dealt to each player, by name; None if the sheet does not say."""
        return self.sheet.extra.get("deal")

    def _full_name(self, name: str) -> str:
        seat = seat_of(self.names, name)
        return name if seat is None else self.names[seat]

    @cached_property
    def dealt(self) -> list[str]:
        """Every card that was dealt."""
        return [card for hand in (self.deal or {}).values() for card in hand]

    @property
    def dealt_to_each(self) -> int | None:
        """How many cards each player is dealt; None if the number of players is impossible."""
        count = self.sheet.game.rules["deal"].get(str(len(self.players)))
        return None if count is None else int(count)

    def in_front_of(self, player: str) -> list[TableCard]:
        return [card for card in self.cards if card.owner == player]

    def name(self, player: str) -> str:
        return self.sheet.people[player]

    def given_up(self, player: str) -> TableCard | None:
        """The card the player gave up under the stall variant; None if it could not be given up."""
        if not self.stall:
            return None
        number = self.sheet.text(f"{player}.discarded")
        return next((card for card in self.in_front_of(player) if card.card.id == number and card.scoring), None)

    def spec(self, card: str) -> Spec:
        printed = self.sheet.cards[card]
        return Spec(card, printed.star, printed.symbols, self.compare)

    @cached_property
    def _listed(self) -> list[tuple[str, str]]:
        """Every entry that lists a card, and the id of its owner."""
        groups = [*((f"{player}.cards", player) for player in self.players), ("shared", "")]
        return [(entry, owner) for group, owner in groups for entry in self.sheet.entries.get(group, ())]

    def _number(self, entry: str) -> str:
        return self.sheet.text(f"{entry}.card")

    def _card(self, entry: str, owner: str) -> TableCard:
        sheet = self.sheet
        return TableCard(
            entry,
            owner,
            sheet.cards[self._number(entry)],
            sheet.row(f"{entry}.crates"),
            sheet.number(f"{entry}.star"),
            sheet.ticked(f"{entry}.flipped"),
            sheet.ticks(f"{entry}.ticked"),
        )
