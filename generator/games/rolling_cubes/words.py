"""A word as it was written: which dice can have laid it, what it is worth, and whether it keeps the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ...rules.book import Violation
from . import tiles
from .dice import PURPLE, Dice, Laying, Throw, thrown_layings
from .rules import (
    COLOURS_NAMED,
    EQUAL_COPIES,
    PURPLE_DIE,
    SHORTEST,
    THROW_POSSIBLE,
    TILES_FIT,
    TILES_POSSIBLE,
    TILES_THROWN,
    TILES_WRITTEN,
    UNEQUAL_DIFFERS,
    WORD_LIST,
)

if TYPE_CHECKING:
    from .sheet import WordSheet


class Word(NamedTuple):
    """A word as it was written: `id` is its place on the sheet. `text` is what the tiles stand for, taken from them
    where it was left out and no wildcard is among them. `colours` names the dice that were used, tile by tile."""

    id: str
    player: int
    tiles: str
    text: str
    throw: Throw | None = None
    colours: tuple[str, ...] = ()
    purple_ticked: bool = False
    voted: bool = False

    @property
    def quoted(self) -> str:
        return f"“{self.text}”" if self.text else self.tiles

    @property
    def all_named(self) -> bool:
        """Whether the colour of every tile is named."""
        return bool(self.colours) and len(self.colours) == len(self.tiles)


@dataclass(frozen=True, slots=True)
class WordRules:
    """How words can be laid with the dice, and what they are worth. `rules` as in game.yaml."""

    dice: Dice
    rules: Mapping[str, Any]

    def layings(self, word: Word) -> Iterator[Laying]:
        """Every way the dice can have been used for the tiles of a word: with the colours that are named, else with the
        dice of the throw, else with any dice (the purple one among them where that is ticked)."""
        if len(word.tiles) > len(self.dice):
            return
        if word.colours:
            yield from self._as_named(word)
        elif word.throw:
            ways = thrown_layings(word.tiles, word.throw)
            # a throw that the dice cannot show has no limit to its letters: any one way will do
            yield from ways if next(self.dice.problems(word.throw), None) is None else islice(ways, 1)
        else:
            yield from (laying for laying in self.dice.layings(word.tiles)
                        if not word.purple_ticked or any(PURPLE in colours for colours in laying.values()))

    def _as_named(self, word: Word) -> Iterator[Laying]:
        laying: dict[str, tuple[str, ...]] = {}
        for tile, colour in zip(word.tiles, word.colours, strict=False):
            laying[tile] = (*laying.get(tile, ()), colour)
        if word.all_named and (_are_thrown(laying, word.throw) if word.throw else self.dice.allow(laying)):
            yield laying

    def can_be_laid(self, word: Word) -> bool:
        return next(self.layings(word), None) is not None

    def uses_purple(self, word: Word) -> bool:
        """Whether the purple die is in the word, by the best choice of dice. Where neither colours nor a throw are
        known, only if it was ticked."""
        if word.colours:
            return PURPLE in word.colours
        if word.throw:
            letter = word.throw.letters[PURPLE][:1]
            return bool(letter) and letter not in tiles.WILDCARDS and letter in word.tiles
        return word.purple_ticked

    def can_use_purple(self, word: Word) -> bool:
        if word.colours or word.throw:
            return self.uses_purple(word)
        return any(PURPLE in self.dice.colours_of(tile) for tile in word.tiles)

    def points(self, word: Word) -> tiles.Points:
        """What the tiles are worth, as they are written."""
        return tiles.points_of(word.tiles, self.uses_purple(word), self.rules["scoring"])


def _are_thrown(laying: Laying, throw: Throw) -> bool:
    return all(throw.letters.get(colour, "").count(face) >= colours.count(colour)
               for face, colours in laying.items() for colour in set(colours))


# ---- what is wrong with words and throws ----------------------------------------------------------------------------

def word_violations(sheet: WordSheet) -> Iterator[Violation]:
    """What the throws and words of a sheet break."""
    rules = sheet.word_rules
    for where, throw in sheet.throws:
        for problem in rules.dice.problems(throw):
            yield THROW_POSSIBLE(where, problem)
    for word in sheet.words:
        yield from _tile_violations(word, rules)
        if word.tiles and word.text:
            yield from _spelling_violations(word, sheet)


def _tile_violations(word: Word, rules: WordRules) -> Iterator[Violation]:
    """Whether the tiles are there, and are dice that can lie so."""
    if not word.tiles:
        yield TILES_WRITTEN(word.id, f"the tiles of {word.quoted or 'this word'} are not written")
    elif not word.text:
        yield TILES_WRITTEN(word.id, f"{word.tiles} does not say which word it stands for")
    if word.throw:
        yield from _throw_violations(word, word.throw, rules)
    elif word.tiles and not rules.dice.can_lay(word.tiles):
        yield TILES_POSSIBLE(f"{word.id}.tiles",
                             f"the {len(rules.dice)} dice cannot show {' '.join(word.tiles)} at once")
    elif word.tiles and word.all_named and not rules.can_be_laid(word):
        yield TILES_POSSIBLE(f"{word.id}.colours", f"no dice of these colours show {' '.join(word.tiles)}")
    if word.colours and not word.all_named:
        yield COLOURS_NAMED(f"{word.id}.colours", f"{word.tiles} has {len(word.tiles)} tiles, but "
                                                  f"{len(word.colours)} colours are named")
    if word.purple_ticked and word.tiles and not rules.can_use_purple(word):
        yield PURPLE_DIE(f"{word.id}.purple", f"the purple die is ticked, but it shows no tile of {word.tiles}")


def _throw_violations(word: Word, throw: Throw, rules: WordRules) -> Iterator[Violation]:
    """Tiles that the throw does not show, or not so often, or not in these colours."""
    faces, used = throw.faces, word.tiles
    short = [tile for tile in dict.fromkeys(used) if used.count(tile) > faces.count(tile)]
    for tile in short:
        shown = faces.count(tile)
        yield TILES_THROWN(f"{word.id}.tiles", f"the throw shows only {'one' if shown == 1 else shown} {tile}, but "
                                               f"{used.count(tile)} are used" if shown else
                                               f"no die of the throw shows {tile}")
    if not short and word.all_named and not rules.can_be_laid(word):
        yield TILES_THROWN(f"{word.id}.colours",
                           f"the throw does not show {word.tiles} in the colours that are named")


def _spelling_violations(word: Word, sheet: WordSheet) -> Iterator[Violation]:
    """Whether the tiles can stand for the word, and whether it counts as one."""
    if mismatch := tiles.mismatch(word.tiles, word.text):
        yield TILES_FIT((f"{word.id}.word", f"{word.id}.tiles"), mismatch)
    else:
        if tiles.EQUAL in word.tiles:
            for letter in dict.fromkeys(tiles.wrong_equals(word.tiles, word.text)):
                yield EQUAL_COPIES(f"{word.id}.tiles",
                                   f"= stands for {letter}, but no letter die of {word.tiles} shows it")
        if tiles.UNEQUAL in word.tiles:
            for letter in dict.fromkeys(tiles.wrong_unequals(word.tiles, word.text)):
                yield UNEQUAL_DIFFERS(f"{word.id}.tiles",
                                      f"≠ stands for {letter}, but “{word.text}” has another {letter}")
    if len(word.text) < sheet.rules["shortest"]:
        yield SHORTEST(f"{word.id}.word", f"{word.quoted} is too short for a word")
    elif not word.voted and sheet.word_list is not None and word.text not in sheet.word_list:
        yield WORD_LIST(f"{word.id}.word",
                        f"{word.quoted} is not in the list of words, and the table did not vote for it")
