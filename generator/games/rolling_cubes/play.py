"""Words, rounds and lines without a sheet: the dice for a word, its points, and who wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice, permutations
from typing import Any

from msgspec import Struct

from .dice import PURPLE, WILDCARDS, Assignment, Dice, Points, Throw, letter_tiles, points_of


class PlayedWord(Struct, frozen=True):
    """A word on a sheet; `id` is its place. `text` is the word that the tiles stand for; if it is blank and there is no
    wildcard, it is taken from the tiles. `colours` are those of the dice, tile by tile."""

    id: str
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
        """Whether each tile has a colour."""
        return bool(self.colours) and len(self.colours) == len(self.tiles)


class WordRules(Struct, frozen=True):
    """Assigns dice to words, and scores them. `rules` are those in game.yaml."""

    dice: Dice
    rules: Mapping[str, Any]

    def assignments(self, word: PlayedWord) -> Iterator[Assignment]:
        """Every way to lay the tiles of a word: with the colours that are written down, else with the dice of the
        throw, else with any dice (including the purple one if it is ticked)."""
        if len(word.tiles) > len(self.dice):
            return
        dice = word.throw.dice if word.throw else self.dice
        if word.colours:
            named: dict[str, tuple[str, ...]] = {}
            for tile, colour in zip(word.tiles, word.colours, strict=False):
                named[tile] = (*named.get(tile, ()), colour)
            if word.all_named and dice.allow(named):
                yield named
        elif word.throw:
            # a throw that the dice cannot show may have any number of letters, so only take the first way
            possible = next(self.dice.problems(word.throw), None) is None
            yield from islice(dice.assignments(word.tiles), None if possible else 1)
        else:
            yield from (way for way in dice.assignments(word.tiles) if not word.purple_ticked or _with_purple(way))

    def can_be_laid(self, word: PlayedWord) -> bool:
        return next(self.assignments(word), None) is not None

    def uses_purple(self, word: PlayedWord) -> bool:
        """Whether the purple die is in the word, by the best choice of dice. Without colours or a throw, it counts
        if it is ticked, or if a letter is on no other die."""
        if word.colours:
            return PURPLE in word.colours
        if word.throw:
            letter = word.throw.letters[PURPLE][:1]
            return bool(letter) and letter not in WILDCARDS and letter in word.tiles
        letters = letter_tiles(word.tiles)
        return word.purple_ticked or any(self.dice.colours_of(letter) == [PURPLE] for letter in letters)

    def can_use_purple(self, word: PlayedWord) -> bool:
        if word.colours or word.throw:
            return self.uses_purple(word)
        return any(PURPLE in self.dice.colours_of(tile) for tile in word.tiles)

    def points(self, word: PlayedWord) -> Points:
        """The points for the tiles as written."""
        return points_of(word.tiles, self.uses_purple(word), self.rules["scoring"])

    def best_laying(self, line: str, word: PlayedWord) -> tuple[bool, bool]:
        """Whether a word meets a line of the five-throw sheet, and whether the purple die is in it, by the best choice
        of dice. Tiles that cannot be laid at all break another rule, and count as meeting it."""
        ways = self.assignments(word) if word.tiles else ()
        layings = ((self._fits(line, word.tiles, way), _with_purple(way)) for way in ways)
        meets, purple = max(layings, default=(True, self.uses_purple(word)))
        return meets, purple if word.throw or word.colours else self.uses_purple(word)

    def _fits(self, line: str, tiles: str, way: Assignment) -> bool:
        numbers = self.rules["five_throws"]
        if line == "no-wildcards":
            return not set(tiles) & set(WILDCARDS)
        if line == "double":
            return max(Counter(letter_tiles(tiles)).values(), default=0) >= int(numbers["double"])
        required = numbers["full_house"] if line == "full-house" else (numbers[line],)
        counts = Counter(colour for colours in way.values() for colour in colours).values()
        return any(
            all(count >= least for count, least in zip(chosen, required, strict=True))
            for chosen in permutations(counts, len(required))
        )

    def line_points(self, line: str, word: PlayedWord, rethrown: int) -> int:
        """The points of a word in a line, after throwing this many dice again. If several dice show the same letter,
        those that score best are used."""
        numbers, (meets, purple) = self.rules["five_throws"], self.best_laying(line, word)
        if not meets:
            return int(numbers["no_match"])
        points = points_of(word.tiles, purple, self.rules["scoring"]).total
        return max(int(numbers["least"]), points - int(numbers["penalty"]) * max(rethrown, 0))


def _with_purple(way: Assignment) -> bool:
    return any(PURPLE in colours for colours in way.values())


class Standing(Struct, frozen=True):
    """The standing after some rounds. `still` are the players who can still win: all players, in a play-off those who
    tie for the best total, and at the end the winner."""

    totals: Mapping[int, int]
    still: tuple[int, ...]
    play_off: bool = False
    won: bool = False


class RoundRules(Struct, frozen=True):
    """Games 1 and 2 with these players and this target. `rules` are those in game.yaml."""

    players: tuple[int, ...]
    target: int
    rules: Mapping[str, Any]

    @property
    def start(self) -> Standing:
        return Standing(dict.fromkeys(self.players, 0), self.players)

    def bonus(self, points: Mapping[int, int], before: Standing) -> dict[int, int]:
        """The round bonus by player; `points` are those of the words."""
        best = max(points.values(), default=0)
        if not best or len(self.players) == 1 or (before.play_off and not self.rules["play_off_bonus"]):
            return {}
        leaders = [player for player, score in points.items() if score == best]
        return dict.fromkeys(leaders, self.rules["round_bonus"]["shared" if len(leaders) > 1 else "alone"])

    def after(self, before: Standing, *points: Mapping[int, int], full: bool = True) -> Standing:
        """The standing after a round with these points. The target is tested only if the round is `full`."""
        totals = {
            player: total + sum(scores.get(player, 0) for scores in points) for player, total in before.totals.items()
        }
        best = max((totals[player] for player in before.still), default=0)
        if before.won or not full or best < self.target:
            return Standing(totals, before.still, before.play_off, before.won)
        leaders = tuple(player for player in before.still if totals[player] == best)
        return Standing(totals, leaders, True, len(leaders) == 1)
