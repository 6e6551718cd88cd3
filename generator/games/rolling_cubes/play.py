"""Words, rounds and lines without a sheet: the dice for a word, its points, and who wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice, permutations
from typing import Any, NamedTuple

from ...fast_dataclasses import dataclass
from .dice import (
    PURPLE,
    WILDCARDS,
    Assignment,
    Dice,
    Points,
    Throw,
    letter_tiles,
    points_of,
    thrown_assignments,
)

# ---- words ----------------------------------------------------------------------------------------------------------


class PlayedWord(NamedTuple):
    """A word on a sheet; `id` is its place. `text` is the word that the tiles stand for; if it is blank and there is no
    wildcard, it is taken from the tiles. `colours` are those of the dice, tile by tile."""

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
        """Whether each tile has a colour."""
        return bool(self.colours) and len(self.colours) == len(self.tiles)


@dataclass(frozen=True, slots=True)
class WordRules:
    """Assigns dice to words, and scores them. `rules` are those in game.yaml."""

    dice: Dice
    rules: Mapping[str, Any]

    def assignments(self, word: PlayedWord) -> Iterator[Assignment]:
        """Every way to lay the tiles of a word: with the colours that are written down, else with the dice of the
        throw, else with any dice (including the purple one if it is ticked)."""
        if len(word.tiles) > len(self.dice):
            return
        if word.colours:
            yield from self._as_named(word)
        elif word.throw:
            ways = thrown_assignments(word.tiles, word.throw)
            # a throw that the dice cannot show may have any number of letters, so only take the first way
            yield from ways if next(self.dice.problems(word.throw), None) is None else islice(ways, 1)
        else:
            yield from (
                assignment
                for assignment in self.dice.assignments(word.tiles)
                if not word.purple_ticked or any(PURPLE in colours for colours in assignment.values())
            )

    def _as_named(self, word: PlayedWord) -> Iterator[Assignment]:
        assignment: dict[str, tuple[str, ...]] = {}
        for tile, colour in zip(word.tiles, word.colours, strict=False):
            assignment[tile] = (*assignment.get(tile, ()), colour)
        if word.all_named and (_are_thrown(assignment, word.throw) if word.throw else self.dice.allow(assignment)):
            yield assignment

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
        return word.purple_ticked or self.dice.needs_purple(word.tiles)

    def can_use_purple(self, word: PlayedWord) -> bool:
        if word.colours or word.throw:
            return self.uses_purple(word)
        return any(PURPLE in self.dice.colours_of(tile) for tile in word.tiles)

    def points(self, word: PlayedWord) -> Points:
        """The points for the tiles as written."""
        return points_of(word.tiles, self.uses_purple(word), self.rules["scoring"])


def _are_thrown(assignment: Assignment, throw: Throw) -> bool:
    return all(
        throw.letters.get(colour, "").count(face) >= colours.count(colour)
        for face, colours in assignment.items()
        for colour in set(colours)
    )


# ---- the rounds of games 1 and 2 ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing after some rounds. `still` are the players who can still win: all players, in a play-off those who
    tie for the best total, and at the end the winner."""

    totals: Mapping[int, int]
    still: tuple[int, ...]
    play_off: bool = False
    won: bool = False


@dataclass(frozen=True, slots=True)
class RoundRules:
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


# ---- the five-throw sheet -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Combination:
    """One line of a player. `word` is None for an open line, or for a line given up for 0 (`zero`)."""

    id: str
    player: int
    name: str
    word: PlayedWord | None = None
    zero: bool = False
    rethrown: int = 0

    @property
    def filled(self) -> bool:
        return self.zero or self.word is not None

    @property
    def label(self) -> str:
        return self.name.replace("-", " ")


@dataclass(frozen=True, slots=True)
class LineRules:
    """The requirements and points of the lines of the five-throw sheet."""

    words: WordRules

    @property
    def numbers(self) -> Mapping[str, Any]:
        """The numbers for the five-throw sheet in game.yaml."""
        numbers: Mapping[str, Any] = self.words.rules["five_throws"]
        return numbers

    def meets(self, line: Combination) -> bool:
        """Whether the word meets its line, by the best choice of dice. Tiles that cannot be laid at all break another
        rule, and count as meeting it."""
        return self._best_laying(line)[0]

    def counts_purple(self, line: Combination) -> bool:
        """Whether the purple die is in the word, by the best choice of dice."""
        assert line.word
        has_dice = line.word.throw or line.word.colours
        return self._best_laying(line)[1] if has_dice else self.words.uses_purple(line.word)

    def _best_laying(self, line: Combination) -> tuple[bool, bool]:
        """Whether the word meets the line, and whether it can do so with the purple die."""
        assert line.word
        assignments = self.words.assignments(line.word) if line.word.tiles else ()
        ways = [
            (
                self._fits(line.name, line.word.tiles, assignment),
                any(PURPLE in colours for colours in assignment.values()),
            )
            for assignment in assignments
        ]
        return max(ways, default=(True, self.words.uses_purple(line.word)))

    def _fits(self, name: str, tiles: str, assignment: Assignment) -> bool:
        numbers = self.numbers
        if name == "no-wildcards":
            return not set(tiles) & set(WILDCARDS)
        if name == "double":
            return max(Counter(letter_tiles(tiles)).values(), default=0) >= int(numbers["double"])
        required = numbers["full_house"] if name == "full-house" else (numbers[name],)
        counts = Counter(colour for colours in assignment.values() for colour in colours).values()
        return any(
            all(count >= least for count, least in zip(chosen, required, strict=True))
            for chosen in permutations(counts, len(required))
        )

    def points(self, line: Combination) -> int:
        """The points of a line. If several dice show the same letter, those that score best are used."""
        if not line.word:
            return 0
        if not self.meets(line):
            return int(self.numbers["no_match"])
        points = points_of(line.word.tiles, self.counts_purple(line), self.words.rules["scoring"]).total
        return max(int(self.numbers["least"]), points - int(self.numbers["penalty"]) * max(line.rethrown, 0))
