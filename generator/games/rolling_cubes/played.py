"""A sheet of any of the games, and the words written on it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, NamedTuple

from ...rules.kept import kept
from ...rules.results import Line
from ...sheets import FilledSheet
from . import lists, tiles
from .dice import PURPLE, Dice, Lying, Throw, dice_of, thrown_layings
from .points import Points, points
from .reading import NOTHING
from .wordlist import WordList

_ROWS = ("players", "claimed", "games", "awarded")
_GROUPS = ("words", "lines")
_OTHERS = ("purple", "voted", "rethrown")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The numbers of the winners, none while the game goes on; and a sentence on that, or on how a tie was broken."""

    winners: tuple[int, ...] = ()
    remark: str = ""


class Laid(NamedTuple):
    """A word as it was written: `id` is its place on the sheet. `word` is what the tiles stand for, taken from them
    where it was left out and no wildcard is among them. `colours` names the dice that were used, tile by tile."""

    id: str
    player: int
    tiles: str
    word: str
    throw: Throw | None
    colours: tuple[str, ...]
    purple_ticked: bool
    voted: bool

    @property
    def said(self) -> str:
        return f"“{self.word}”" if self.word else self.tiles


@dataclass(frozen=True)
class Played(ABC):
    """Everything a rule wants to look at. Players are known by their numbers."""

    sheet: FilledSheet

    @kept
    def rules(self) -> Mapping[str, Any]:
        return self.sheet.game.rules

    @kept
    def mode(self) -> str:
        return self.sheet.sheet.name

    @kept
    def dice(self) -> Dice:
        if self.sheet.codes:
            from . import coded  # few sheets name their dice
            return coded.dice_of(self.sheet) or dice_of(self.sheet.game)
        return dice_of(self.sheet.game)

    @kept
    def list(self) -> WordList | None:
        """The word list that counts; None where any word does."""
        return lists.words(self.sheet)

    @kept
    def players(self) -> tuple[int, ...]:
        """The numbers of the players: those with a name, and those with anything else on the sheet."""
        rows = (numbers for name, numbers in self.sheet.rows.items() if name.partition(".")[0] in _ROWS)
        entries = (entry for group, some in self.sheet.entries.items() if group.endswith(_GROUPS) for entry in some)
        return tuple(sorted({*chain(*rows), *(int(entry.rpartition(".")[2]) for entry in entries)}))

    def name(self, player: int) -> str:
        return self.sheet.people.get(f"players.{player}") or f"player {player}"

    @abstractmethod
    def lines_of(self, player: int) -> Iterator[Line]:
        """What the sheet brings a player, line by line."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome:
        """Who has won, or why nobody has yet."""

    def total(self, player: int) -> int:
        return sum(line.points for line in self.lines_of(player))

    # ---- words -----------------------------------------------------------------------------------------------------

    def laid(self, name: str, player: int, throw: Throw | None = None) -> Laid | None:
        """The word written at this place; None where there is none. `throw` is one that all players share."""
        own, text, marks = self.throw(f"{name}.throw"), self.sheet.text, self.sheet.marks
        laid = tiles.tiles(text(f"{name}.tiles")) or ""
        word = tiles.word(text(f"{name}.word")) or ""
        if not laid and not word and not own and not any(f"{name}.{mark}" in marks for mark in _OTHERS):
            return None
        if not word and laid == tiles.letters(laid):
            word = laid.lower()
        numbers: tuple[Any, ...] = self.sheet.rows.get(f"{name}.colours", ())
        return Laid(name, player, laid, word, own or throw,
                    numbers and tuple([text(f"{name}.colours.{number}") for number in numbers]),
                    f"{name}.purple" in marks, f"{name}.voted" in marks)

    def is_nothing(self, name: str) -> bool:
        """Whether a 0 stands there instead of a word."""
        marks = self.sheet.marks
        return marks.get(name) == 0 or NOTHING in (marks.get(f"{name}.tiles"), marks.get(f"{name}.word"))

    def throw(self, name: str) -> Throw | None:
        """The throw written at this place; None where there is none."""
        return self._throws.get(name)

    @kept
    def _throws(self) -> Mapping[str, Throw]:
        """Every throw by its place."""
        found: dict[str, dict[str, str]] = {}
        for name, mark in self.sheet.marks.items():
            if ".throw." in name:
                where, _, colour = name.rpartition(".")
                found.setdefault(where, {})[colour] = tiles.tiles(str(mark)) or ""
        blank = dict.fromkeys(self.rules["colours"], "")
        return {where: Throw({colour: letters.get(colour, "") for colour in blank})
                for where, letters in found.items()}

    @property
    @abstractmethod
    def words(self) -> tuple[Laid, ...]:
        """Every word on the sheet that is laid from a throw."""

    @kept
    def fitting(self) -> tuple[Laid, ...]:
        """The words whose letter tiles are right, so that their wildcards can be looked at."""
        return tuple([word for word in self.words
                      if word.tiles and word.word and not tiles.unlike(word.tiles, word.word)])

    def lyings(self, word: Laid) -> Iterator[Lying]:
        """Every way the dice can have been used for the tiles of a word: with the colours that are named, else with the
        dice of the throw, else with any dice (the purple one among them where that is ticked)."""
        if len(word.tiles) > len(self.dice):
            return
        if word.colours:
            yield from self._as_named(word)
        elif word.throw:
            yield from self.thrown(word.tiles, word.throw)
        else:
            yield from (lying for lying in self.dice.layings(word.tiles)
                        if not word.purple_ticked or any(PURPLE in colours for colours in lying.values()))

    def thrown(self, laid: str, throw: Throw) -> Iterator[Lying]:
        """Every way these tiles can have been taken from a throw; of one that the dice cannot show any one way."""
        ways = thrown_layings(laid, throw)
        return ways if self.can_fall(throw) else islice(ways, 1)

    def can_fall(self, throw: Throw) -> bool:
        return next(self.dice.wrong(throw), None) is None

    def _as_named(self, word: Laid) -> Iterator[Lying]:
        lying: dict[str, tuple[str, ...]] = {}
        for tile, colour in zip(word.tiles, word.colours, strict=False):
            lying[tile] = (*lying.get(tile, ()), colour)
        if len(word.colours) == len(word.tiles) and (
                _are_thrown(lying, word.throw) if word.throw else self.dice.all_fit(lying)):
            yield lying

    def uses_purple(self, word: Laid) -> bool:
        """Whether the purple die is in the word, by the best choice of dice. Where neither colours nor a throw are
        known, only if it was ticked."""
        if word.colours:
            return PURPLE in word.colours
        if word.throw:
            letter = word.throw.letters[PURPLE][:1]
            return bool(letter) and letter not in tiles.WILDCARDS and letter in word.tiles
        return word.purple_ticked

    def points(self, word: Laid) -> Points:
        """What the tiles are worth, as they are written."""
        return points(word.tiles, self.uses_purple(word), self.rules["scoring"])


def _are_thrown(lying: Lying, throw: Throw) -> bool:
    return all(throw.letters.get(colour, "").count(face) >= colours.count(colour)
               for face, colours in lying.items() for colour in set(colours))


def listed(names: list[str]) -> str:
    """Names in a sentence: `Ann, Ben and Cat`."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
