"""The table as the sheet shows it: whose cards lie where, and what is written on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...definitions.models import Card
from ...rules.kept import kept
from ...sheets import FilledSheet
from .crates import Compare
from .play import Spec


@dataclass(frozen=True, slots=True)
class Lying:
    """A card as it lies: `id` is where the sheet lists it, `owner` the player's id or empty for a shared card.

    `typed` is the row of crates as typed, `crates` the same cut or filled up to the crates the card has."""

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
        """Whether the card counts for the player it lies in front of: it is finished, or flipped."""
        return self.flipped or self.built


@dataclass(frozen=True)
class Table:
    """Everything a rule wants to look at. Players are known by their ids (`players.1`)."""

    sheet: FilledSheet

    @kept
    def compare(self) -> Compare:
        return "first" if self.sheet.game.rules.get("compare") == "first" else "neighbour"

    @kept
    def stall(self) -> bool:
        """Whether the game ended by the stall variant."""
        return self.sheet.text("variant") == "stall" or self.sheet.game.rules.get("stall") is True

    @kept
    def players(self) -> tuple[str, ...]:
        return self.sheet.entries.get("players", ())

    @kept
    def cards(self) -> tuple[Lying, ...]:
        """Every card on the table that is named, those of the players first."""
        listed = [(entry, player) for player in self.players
                  for entry in self.sheet.entries.get(f"{player}.cards", ())]
        shared = [(entry, "") for entry in self.sheet.entries.get("shared", ())]
        return tuple(self._lying(entry, owner) for entry, owner in (*listed, *shared)
                     if self.sheet.text(f"{entry}.card"))

    @kept
    def unnamed(self) -> tuple[str, ...]:
        """The entries that do not say which card they are."""
        groups = (*(f"{player}.cards" for player in self.players), "shared")
        return tuple(entry for group in groups for entry in self.sheet.entries.get(group, ())
                     if not self.sheet.text(f"{entry}.card"))

    @property
    def dealt_to_each(self) -> int | None:
        """How many cards each of so many players is dealt; None where so many cannot play."""
        found = self.sheet.game.rules["deal"].get(str(len(self.players)))
        return None if found is None else int(found)

    @property
    def shared(self) -> Iterator[Lying]:
        return (card for card in self.cards if not card.owner)

    def in_front_of(self, player: str) -> list[Lying]:
        return [card for card in self.cards if card.owner == player]

    def name(self, player: str) -> str:
        return self.sheet.people[player]

    def discarded(self, player: str) -> Lying | None:
        """The card the player gave up under the stall variant, where it could be given up."""
        named = self.sheet.text(f"{player}.discarded")
        mine = (card for card in self.in_front_of(player) if card.card.id == named and card.scoring)
        return next(mine, None) if self.stall else None

    def spec(self, card: str) -> Spec:
        printed = self.sheet.cards[card]
        return Spec(card, printed.star, printed.symbols, self.compare)

    def _lying(self, entry: str, owner: str) -> Lying:
        sheet = self.sheet
        return Lying(entry, owner, sheet.cards[sheet.text(f"{entry}.card")], sheet.row(f"{entry}.crates"),
                     sheet.number(f"{entry}.star"), sheet.ticked(f"{entry}.flipped"), sheet.ticks(f"{entry}.ticked"))
