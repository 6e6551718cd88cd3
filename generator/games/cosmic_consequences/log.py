"""The log as the sheet shows it: who plays, the turns one after another, the hands at the end, and the deck's order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ...definitions.models import Game
from ...sheets import FilledSheet
from .. import deal
from . import lines, play, reading
from .lines import Forced, Line
from .play import CARDS, Spec
from .reading import DealEntry
from .sums import Cards, without


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
    def actions(self) -> list[tuple[str, Line]]:
        """The card actions, in the order of the paper."""
        said = (("draw", self.draw), ("jump", self.jump), ("discard", self.discard))
        return [(name, line) for name, line in said if line]


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


@dataclass(frozen=True, slots=True)
class Fault:
    """Something against a rule: the rule's name, one sentence, and the ids of the fields it lies in."""

    rule: str
    message: str
    where: tuple[str, ...]


@dataclass(frozen=True)
class Log:
    """Everything a rule wants to look at. Players are known by their seats, cards by their numbers."""

    sheet: FilledSheet

    @cached_property
    def spec(self) -> Spec:
        said = self.sheet.text("cards")
        return play.spec(self._game, said == "with" if said else None)

    @cached_property
    def _game(self) -> Game:
        """The game with its board, which a code may have shuffled."""
        game, code = self.sheet.game, self.sheet.codes.get("board")
        return deal(game, code).dress(game) if code else game

    @cached_property
    def names(self) -> list[str]:
        return reading.players(self.sheet)

    @property
    def playable(self) -> bool:
        """Whether so many players can play, and can be told apart."""
        return len(self.names) in self.sheet.game.definition.players and not self.twins

    @cached_property
    def twins(self) -> list[int]:
        """The seats whose name another player has already."""
        bare = [name.casefold() for name in self.names]
        return [seat for seat, name in enumerate(bare) if name in bare[:seat]]

    @cached_property
    def known(self) -> dict[str, int]:
        """All that cards may be called."""
        return lines.spellings(self.sheet.cards)

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        reader = lines.Reader(self.known, self.names)
        return tuple(self._turn(entry, reader) for entry in self.sheet.entries.get("turns", ()))

    @cached_property
    def hands(self) -> dict[int, Hand]:
        """The hands that are told, by seat."""
        seats = {number: seat for seat, number in enumerate(self.sheet.rows.get("players", ()))}
        return {seats[number]: self._hand(f"hands.{number}", seats[number]) for number in sorted(seats)
                if f"hands.{number}" in self.sheet.entries.get("hands", ())
                or f"hands.{number}" in self.sheet.places}

    @cached_property
    def deck(self) -> Cards | None:
        """The deck in its order, where the sheet tells it."""
        told: DealEntry | None = self.sheet.extra.get("deal")
        if told:
            return tuple(lines.card(name, self.known) for name in told.deck)
        code = self.sheet.codes.get("deal")
        return tuple(card.number for card in deal(self.sheet.game, code).cards[CARDS]) if code else None

    def _turn(self, entry: str, reader: lines.Reader) -> Turn:
        said = {part: self.sheet.text(f"{entry}.{part}") for part in ("draw", "jump", "discard", "forced", "to")}
        return Turn(
            entry, reading.seat(self.names, self.sheet.text(f"{entry}.player")),
            reader.draw(said["draw"]) if said["draw"] else None, reader.jump(said["jump"]) if said["jump"] else None,
            reader.discard(said["discard"]) if said["discard"] else None, self.sheet.number(f"{entry}.roll") or 0,
            reading.space_id(said["to"], list(self.spec.ways.kinds)) or "", reader.forced(said["forced"]))

    def _hand(self, entry: str, seat: int) -> Hand:
        """A hand; the cards of its stacks may be listed among those number side up once more."""
        fields = tuple(f"{entry}.stacks.{number}" for number in self.sheet.rows.get(f"{entry}.stacks", ()))
        cc, loose = self._cards(f"{entry}.cc_up"), self._cards(f"{entry}.number_up")
        stacks = tuple(tuple(sorted(self._cards(name))) for name in fields)
        for stack in stacks:
            loose = without(loose, stack)
        return Hand(entry, seat, cc, loose, stacks, fields)

    def _cards(self, field: str) -> Cards:
        return tuple(sorted(lines.cards(self.sheet.text(field), self.known)))
