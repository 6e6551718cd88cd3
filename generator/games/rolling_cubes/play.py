"""Words, rounds and lines without a sheet: the dice for a word, its points, and who wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, combinations, permutations, product, zip_longest
from typing import Any, TypeVar

from msgspec import Struct

from .dice import PURPLE, WILDCARDS, Dice, Points, Throw, letter_tiles, matched, points_of

T = TypeVar("T")


class PlayedWord(Struct, frozen=True):
    """A word on a sheet; `id` is its place. `text` is the word that the tiles stand for; if it is blank and there is no
    wildcard, it is taken from the tiles. `colours` are those of the dice, tile by tile. The players accepted a `voted`
    word, and `rejected` others, which score nothing."""

    id: str
    tiles: str
    text: str
    throw: Throw | None = None
    colours: tuple[str, ...] = ()
    purple_ticked: bool = False
    voted: bool = False
    rejected: bool = False

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

    def able(self, word: PlayedWord) -> list[list[int]]:
        """For each tile of a word, the dice that can show it: those of the throw if it is known, otherwise any, in the
        colour that is written down."""
        dice = word.throw.dice if word.throw else self.dice
        return [dice.showing(*tile) for tile in zip_longest(word.tiles, word.colours, fillvalue="")]

    def can_be_laid(self, word: PlayedWord) -> bool:
        return matched(self.able(word)) is not None

    def conflict(self, words: list[PlayedWord]) -> tuple[list[PlayedWord], str]:
        """The fewest of these words that no single throw can show, and the fewest of their tiles; none if there is such
        a throw. Words that no throw can show by themselves are left out."""
        words = [word for word in words if not self._conflicts([word])]
        if not self._conflicts(words):
            return [], ""
        words = _fewest(words, self._conflicts)
        faces = _fewest(next(self._needed(words)), self._is_impossible)
        return words, " ".join(f"{face} ({colour})" if colour else face for face, colour in faces)

    def _conflicts(self, words: list[PlayedWord]) -> bool:
        return all(map(self._is_impossible, self._needed(words)))

    def _is_impossible(self, faces: list[tuple[str, str]]) -> bool:
        return matched([self.dice.showing(*face) for face in faces]) is None

    def _needed(self, words: list[PlayedWord]) -> Iterator[list[tuple[str, str]]]:
        """What a throw must show at least for all of these words, each face with its colour (empty for any); for every
        choice of the letters on the purple die, where it is ticked."""
        named, others, purple = Counter[tuple[str, str]](), Counter[str](), list[set[str]]()
        for word in words:
            if word.all_named:
                named |= Counter(zip(word.tiles, word.colours, strict=True))
            else:
                others |= Counter(word.tiles)
                purple += [{tile for tile in word.tiles if self.dice.showing(tile, PURPLE)}] * word.purple_ticked
        for letters in dict.fromkeys(map(frozenset, product(*purple))):
            coloured = named | Counter((letter, PURPLE) for letter in letters)
            counted = Counter(face for face, _ in coloured.elements())
            yield [*coloured.elements(), *((face, "") for face in (others - counted).elements())]

    def uses_purple(self, word: PlayedWord) -> bool:
        """Whether the purple die is in the word, by the best choice of dice. Without colours or a throw, it counts
        if it is ticked, or if a letter is on no other die."""
        if word.colours:
            return PURPLE in word.colours
        if word.throw:
            letter = word.throw.letters[PURPLE][:1]
            return bool(letter) and letter not in WILDCARDS and letter in word.tiles
        letters = letter_tiles(word.tiles)
        dice = self.dice
        return word.purple_ticked or any(dice.showing(tile) == dice.showing(tile, PURPLE) != [] for tile in letters)

    def points(self, word: PlayedWord) -> Points:
        """The points for the tiles as written."""
        return Points() if word.rejected else points_of(word.tiles, self.uses_purple(word), self.rules["scoring"])

    def best_laying(self, line: str, word: PlayedWord) -> tuple[bool, bool]:
        """Whether a word meets a line of the five-throw sheet, and whether the purple die is in it, by the best choice
        of dice. Tiles that cannot be laid, or a throw of too many dice, break another rule and count as meeting it."""
        purple, numbers, able = self.uses_purple(word), self.rules["five_throws"], self.able(word)
        colours, named = (word.throw.dice if word.throw else self.dice).colours, not word.colours or word.all_named
        if not (able and named and len(colours) <= len(self.dice) and matched(able)):
            return True, purple
        if line == "no-wildcards":
            return not set(word.tiles) & set(WILDCARDS), purple
        if line == "double":
            return max(Counter(letter_tiles(word.tiles)).values(), default=0) >= int(numbers["double"]), purple
        # If there is a die for each tile, and a tile for each die of a group, there is a way with both: N. Mendelsohn,
        # A. Dulmage, Some generalizations of the problem of distinct representatives, 1958, theorem 1.
        tiles = [[tile for tile, dice in enumerate(able) if die in dice] for die in range(len(colours))]
        groups = _groups(colours, numbers["full_house"] if line == "full-house" else [numbers[line]])
        met = [group for group in groups if matched([tiles[die] for die in group]) is not None]
        if purple and any(matched([tiles[die] for die in {*group, colours.index(PURPLE)}]) for group in met):
            return True, True
        return bool(met) and not (purple and not word.throw), purple and not word.throw

    def line_points(self, line: str, word: PlayedWord, rethrown: int) -> int:
        """The points of a word in a line, after throwing this many dice again. If several dice show the same letter,
        those that score best are used."""
        numbers, (meets, purple) = self.rules["five_throws"], self.best_laying(line, word)
        if word.rejected or not meets:
            return int(numbers["no_match"])
        points = points_of(word.tiles, purple, self.rules["scoring"]).total
        return max(int(numbers["least"]), points - int(numbers["penalty"]) * max(rethrown, 0))


def _fewest(items: list[T], fail: Callable[[list[T]], bool]) -> list[T]:
    """The items without those that can be left out so that the others still fail."""
    for number in reversed(range(len(items))):
        rest = [*items[:number], *items[number + 1 :]]
        items = rest if fail(rest) else items
    return items


def _groups(colours: Sequence[str], counts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every group of dice with this many of one colour, and of another; the dice are numbered by their `colours`."""
    numbers = {colour: [number for number, own in enumerate(colours) if own == colour] for colour in colours}
    for chosen in permutations(numbers.values(), len(counts)):
        for group in product(*map(combinations, chosen, counts)):
            yield tuple(chain(*group))


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


def target_of(rules: Mapping[str, Any], game: str, players: int, in_tournament: bool) -> int:
    """The points or rounds that win a game with this number of players. `rules` are those in game.yaml."""
    targets = (rules["tournament"] if in_tournament else rules)["targets"]
    return int(targets.get(f"{game}-for-two", targets[game]) if players == 2 else targets[game])


def tournament_points(places: Mapping[int, int], points: Sequence[int]) -> dict[int, int]:
    """The points of the players for their places in one game. Players who share a place get those of the higher one."""
    return {player: points[place - 1] for player, place in places.items()}


def tournament_winners(totals: Mapping[int, int], places: Mapping[int, int]) -> tuple[int, ...]:
    """The players with the highest total; among those who tie, those with the highest of the places in the game that
    decides."""
    top = max(totals.values(), default=0)
    best = [player for player, total in totals.items() if total == top]
    highest = min((places[player] for player in best), default=0)
    return tuple(player for player in best if places[player] == highest)
