"""What the rules say of the games, without a sheet: rounds and their bonus, five lines, and the last die's letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from ...rules.book import Violation
from .dice import PURPLE, Dice, Laying
from .rules import COMPLETE, DIE_LEFT, EQUAL_ADDED, UNEQUAL_ADDED, WILDCARD_FROM, WILDCARD_SAID
from .tiles import EQUAL, UNEQUAL, WILDCARDS, letter_tiles, points_of
from .wordlist import WordList
from .words import Word, WordRules

# ---- games 1 and 2 --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Standing:
    """How the game stands after some rounds. `still` can win: everybody, in a play-off those who share the best total,
    and in the end the winner alone."""

    totals: Mapping[int, int]
    still: tuple[int, ...]
    play_off: bool = False
    won: bool = False


@dataclass(frozen=True, slots=True)
class RoundRules:
    """Games 1 and 2 for these players, up to a target. `rules` as in game.yaml."""

    players: tuple[int, ...]
    target: int
    rules: Mapping[str, Any]

    @property
    def start(self) -> Standing:
        return Standing(dict.fromkeys(self.players, 0), self.players)

    def bonus(self, points: Mapping[int, int], before: Standing) -> dict[int, int]:
        """What the best word of a round earns besides, by player; `points` are those of the words."""
        best = max(points.values(), default=0)
        if not best or len(self.players) == 1 or (before.play_off and not self.rules["play_off_bonus"]):
            return {}
        leaders = [player for player, reached in points.items() if reached == best]
        return dict.fromkeys(leaders, self.rules["round_bonus"]["shared" if len(leaders) > 1 else "alone"])

    def after(self, before: Standing, *points: Mapping[int, int], full: bool = True) -> Standing:
        """The standing after a round that brought these points. The target is tested when a round is full."""
        totals = {player: reached + sum(some.get(player, 0) for some in points)
                  for player, reached in before.totals.items()}
        best = max((totals[player] for player in before.still), default=0)
        if before.won or not full or best < self.target:
            return Standing(totals, before.still, before.play_off, before.won)
        leaders = tuple(player for player in before.still if totals[player] == best)
        return Standing(totals, leaders, True, len(leaders) == 1)


# ---- the five-throw sheet -------------------------------------------------------------------------------------------

@dataclass(frozen=True, slots=True)
class Combination:
    """One line of a player. `word` is None for a line that is open, or a zero taken on purpose (`zero`)."""

    id: str
    player: int
    name: str
    word: Word | None = None
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
    """What the lines of the five-throw sheet ask for, and what they bring."""

    words: WordRules

    @property
    def numbers(self) -> Mapping[str, Any]:
        """What game.yaml says of the five-throw sheet."""
        numbers: Mapping[str, Any] = self.words.rules["five_throws"]
        return numbers

    def meets(self, line: Combination) -> bool:
        """Whether the word is what its line asks for, by the best choice of dice. Tiles that cannot have been laid at
        all are another matter, and not held against the line."""
        return self._best_laying(line)[0]

    def counts_purple(self, line: Combination) -> bool:
        """Whether the purple die is in the word, by the choice of dice that scores best."""
        assert line.word
        known = line.word.throw or line.word.colours
        return self._best_laying(line)[1] if known else line.word.purple_ticked

    def _best_laying(self, line: Combination) -> tuple[bool, bool]:
        """Whether the line is met, and whether the purple die can be in a word that meets it."""
        assert line.word
        layings = self.words.layings(line.word) if line.word.tiles else ()
        ways = [(self._fits(line.name, line.word.tiles, laying),
                 any(PURPLE in colours for colours in laying.values())) for laying in layings]
        return max(ways, default=(True, self.words.uses_purple(line.word)))

    def _fits(self, name: str, tiles: str, laying: Laying) -> bool:
        numbers = self.numbers
        if name == "no-wildcards":
            return not set(tiles) & set(WILDCARDS)
        if name == "double":
            return max(Counter(letter_tiles(tiles)).values(), default=0) >= int(numbers["double"])
        wanted = numbers["full_house"] if name == "full-house" else (numbers[name],)
        counts = Counter(colour for colours in laying.values() for colour in colours).values()
        return any(all(count >= least for count, least in zip(some, wanted, strict=True))
                   for some in permutations(counts, len(wanted)))

    def points(self, line: Combination) -> int:
        """What a line brings. Of several dice that show the same letter those that score best are taken."""
        if not line.word:
            return 0
        if not self.meets(line):
            return int(self.numbers["no_match"])
        points = points_of(line.word.tiles, self.counts_purple(line), self.words.rules["scoring"]).total
        return max(int(self.numbers["least"]), points - int(self.numbers["penalty"]) * max(line.rethrown, 0))


# ---- the last die: adding a letter ----------------------------------------------------------------------------------

UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a round is played with. `words` decides what is complete, `answers` what may be named after a doubt (besides
    those); None takes any word, so that nothing is complete."""

    dice: Dice
    complete: int
    wildcards_from: int
    words: WordList | None
    answers: WordList | None

    def is_complete(self, spelt: str) -> bool:
        return self.words is not None and len(spelt) >= self.complete and spelt.lower() in self.words

    def is_word(self, word: str) -> bool:
        return self.words is None or self.answers is None or word in self.words or word in self.answers


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter that a player added: the tile, and the letter it stands for (`?` where that was not said)."""

    seat: int
    tile: str
    stands: str


@dataclass(frozen=True, slots=True)
class State:
    """A round so far. `first` is the seat that began; seats count from 0. `winner` is a seat, or None while the round
    goes on."""

    players: int
    first: int
    letters: tuple[Letter, ...] = ()
    winner: int | None = None

    @property
    def seat(self) -> int:
        """Whose turn it is: that of the player after the one who added the last letter."""
        return (self.letters[-1].seat + 1) % self.players if self.letters else self.first

    @property
    def tiles(self) -> str:
        return "".join(letter.tile for letter in self.letters)

    @property
    def spelt(self) -> str:
        return "".join(letter.stands for letter in self.letters)


def letter_violations(state: State, letter: Letter, settings: Settings, where: str = "") -> Iterator[Violation]:
    """Why a letter may not be added; `where` is its place on the sheet."""
    yield from _wildcard_violations(state, letter, settings, where)
    if not settings.dice.can_lay(state.tiles + letter.tile):
        yield DIE_LEFT(where, f"no die that is left can show {letter.tile} after {' '.join(state.tiles)}")
    spelt = state.spelt + letter.stands
    if settings.is_complete(spelt):
        yield COMPLETE(where, f"{letter.stands} completes the word “{spelt.lower()}”")


def _wildcard_violations(state: State, letter: Letter, settings: Settings, where: str) -> Iterator[Violation]:
    tile, stands, number = letter.tile, letter.stands, len(state.letters) + 1
    if tile not in WILDCARDS:
        if stands != tile:
            yield WILDCARD_SAID(where, f"the tile shows {tile} and cannot stand for {stands}")
        return
    if stands == UNKNOWN:
        yield WILDCARD_SAID(where, f"nobody says what {tile} stands for")
    if number < settings.wildcards_from:
        yield WILDCARD_FROM(where, f"die {number} is a wildcard, but they may be used from die "
                                   f"{settings.wildcards_from} on")
    elif tile == EQUAL and stands not in (*letter_tiles(state.tiles), UNKNOWN):
        yield EQUAL_ADDED(where, f"= stands for {stands}, but no letter die before it shows {stands}")
    elif tile == UNEQUAL and stands != UNKNOWN and stands in state.spelt:
        yield UNEQUAL_ADDED(where, f"≠ stands for {stands}, but {state.spelt} has {stands} already")


def added(state: State, letter: Letter, settings: Settings) -> State:
    """The round after a letter; one that completes a word ends it, and it goes to whoever added the letter before."""
    winner = state.winner
    if winner is None and state.letters and settings.is_complete(state.spelt + letter.stands):
        winner = state.letters[-1].seat
    return replace(state, letters=(*state.letters, letter), winner=winner)


def legal(state: State, faces: str, settings: Settings) -> list[Letter]:
    """Every letter that the player whose turn it is may add, with dice that fell so."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    letters = [Letter(state.seat, tile, stands) for tile in sorted(set(faces))
               for stands in (alphabet if tile in WILDCARDS else tile)]
    return [letter for letter in letters if not any(letter_violations(state, letter, settings))]


# ---- the last die: how a round ends ---------------------------------------------------------------------------------

def stuck(state: State) -> State:
    """The round after a player could add nothing: it goes to whoever added the last letter."""
    last = state.letters[-1].seat if state.letters else None
    return replace(state, winner=last if state.winner is None else state.winner)


def wrong_answer(state: State, answer: str, settings: Settings) -> str:
    """Why an answer to a doubt does not do, in a sentence; empty where it does."""
    spelt = state.spelt.lower()
    if UNKNOWN not in spelt and not answer.startswith(spelt):
        return f"“{answer}” does not begin with {state.spelt}"
    if len(answer) < settings.complete or not settings.is_word(answer):
        return f"“{answer}” is not in the list of words"
    return ""


def doubted(state: State, doubter: int, answer: str, settings: Settings) -> State:
    """The round after a doubt: with a word that begins so it goes to whoever added the last letter, without one to the
    doubter."""
    if state.winner is not None or not state.letters:
        return state
    answered = bool(answer) and not wrong_answer(state, answer, settings)
    return replace(state, winner=state.letters[-1].seat if answered else doubter)
