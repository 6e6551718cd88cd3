"""The log as the sheet shows it: who plays, the turns one after another, and the deal where it is told."""

from __future__ import annotations

from dataclasses import dataclass

from ...rules.kept import kept
from ...sheets import FilledSheet
from . import play, reading
from .deal import DECK
from .play import Cards, Spec
from .reading import SwapEntry


@dataclass(frozen=True, slots=True)
class Turn:
    """A line of the log. `id` is where the sheet has it; `seat` is None where it names nobody; `played` are the cards
    laid on the pile and the numbers of their fields, `flipped` the hidden card turned up."""

    id: str
    number: int
    seat: int | None
    played: Cards
    fields: tuple[int, ...]
    flipped: int
    pickup: bool

    @property
    def things(self) -> int:
        """How many things are done in this turn; it should be one."""
        return bool(self.played) + (self.flipped != play.NONE) + self.pickup

    @property
    def done(self) -> str:
        """The field that says what was done."""
        if self.played:
            return f"{self.id}.play.{self.fields[0]}"
        return f"{self.id}.flip" if self.flipped != play.NONE else f"{self.id}.pickup"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something against a rule: the rule's name, one sentence, and the ids of the fields it lies in."""

    rule: str
    message: str
    where: tuple[str, ...]


@dataclass(frozen=True)
class Log:
    """Everything a rule wants to look at. Players are known by their seats, cards by their numbers in the `spec`."""

    sheet: FilledSheet

    @kept
    def spec(self) -> Spec:
        return play.spec(self.sheet.game.components[DECK].cards, self.sheet.game.rules)

    @kept
    def names(self) -> list[str]:
        return reading.players(self.sheet)

    @property
    def playable(self) -> bool:
        """Whether so many players can play, and can be told apart."""
        return len(self.names) in self.sheet.game.definition.players and not self.twins

    @kept
    def twins(self) -> list[int]:
        """The seats whose name another player has already."""
        bare = [name.casefold() for name in self.names]
        return [seat for seat, name in enumerate(bare) if name in bare[:seat]]

    @kept
    def turns(self) -> tuple[Turn, ...]:
        return tuple(map(self._turn, self.sheet.entries.get("turns", ())))

    @kept
    def out(self) -> int | None:
        """The seat of the player who is said to be out."""
        return self.seat(self.sheet.text("out"))

    @kept
    def last_of_out(self) -> Turn | None:
        """The last turn of the player who is said to be out."""
        own = [turn for turn in self.turns if self.out is not None and turn.seat == self.out]
        return own[-1] if own else None

    @kept
    def swaps(self) -> dict[int, SwapEntry]:
        told = self.sheet.extra.get("swaps") or {}
        return {seat: swap for name, swap in told.items() if (seat := self.seat(name)) is not None}

    def seat(self, name: str) -> int | None:
        return reading.seat(self.names, name)

    def numbers(self, typed: tuple[str, ...]) -> Cards:
        """Cards as typed in a list → their numbers."""
        return tuple(map(self.spec.names.index, reading.named(self.sheet, typed)))

    def called(self, cards: Cards) -> str:
        """Cards as sentences name them: `7 and 7`, `Stuck, Lobby and 3`."""
        names = [self._title(card) for card in cards]
        return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])) if names else "no card"

    def _title(self, card: int) -> str:
        floor = self.spec.floors[card]
        return str(floor) if floor else str(self.sheet.cards[self.spec.names[card]].name)

    def _turn(self, entry: str) -> Turn:
        fields = self.sheet.rows.get(f"{entry}.play", ())
        return Turn(entry, int(entry.rpartition(".")[2]), self.seat(self.sheet.text(f"{entry}.player")),
                    tuple(self._card(f"{entry}.play.{number}") for number in fields), fields,
                    self._card(f"{entry}.flip"), self.sheet.ticked(f"{entry}.pickup"))

    def _card(self, field: str) -> int:
        typed = self.sheet.text(field)
        return self.spec.names.index(self.sheet.cards[typed].id) if typed else play.NONE
