"""Simulates games of Rolling Cubes: games 1 and 2 round by round, and the five-throw sheet line by line.

Players choose among all words that the throw can lay, as if they knew the whole word list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from msgspec import Struct

from ...draws import parse
from ...draws.chance import Chance
from ...draws.deck import Deck
from ...model.game import Game
from ..simulation import FinishedGame, Sheet, SimulatedGame, Simulation
from .deal import DICE_PART, STRIP_PART, language, strip
from .dice import WILDCARDS, Dice, Throw, faces_of, throw_dice, thrown
from .play import PlayedWord, RoundRules, WordRules
from .word_lists import LaidWord, Layable, list_in
from .word_lists import best as best_words

ONE_BY_ONE, ALL_TOGETHER, FIVE_THROWS = "one-by-one", "all-together", "five-throws"
SCORES, DECIDES = "scores", "decides"
PIECES = ("wildcards", "repeats", "purple", "round bonus")
MAX_ROUNDS = 20
"""A game with more rounds is abandoned: players who always find the best word of a shared throw tie for ever."""

EQUALLY_GOOD = 20
"""The number of best words that a player chooses among."""

MAX_TRIED = 100
"""The number of best words that are tried for each line of the five-throw sheet."""


def _fates(
    pieces: Sequence[Mapping[str, int]], totals: Sequence[int], winners: Sequence[int]
) -> Iterator[tuple[str, str]]:
    """The fates of the pieces that scored points for each player."""
    for player, scored in enumerate(pieces):
        others = [total for other, total in enumerate(totals) if other != player]
        for piece, points in scored.items():
            yield piece, ""
            if points:
                yield piece, SCORES
                if player in winners and totals[player] - points < max(others, default=0):
                    yield piece, DECIDES


class RoundsGame(SimulatedGame[LaidWord | None]):
    """Game 1 or 2, round by round and player by player. A move is a word, or None if the throw can lay no word."""

    __slots__ = ("_layable", "_throws", "_waiting", "parts", "rounds", "setup", "standing")

    def __init__(self, setup: RollingCubesSimulation, chance: Chance) -> None:
        super().__init__(chance)
        self.setup = setup
        self.standing = setup.round_rules.start
        self.rounds: list[dict[int, tuple[Throw, LaidWord | None]]] = []
        self.parts = [dict.fromkeys(PIECES, 0) for _ in self.standing.totals]
        self._waiting: list[int] = []
        self._layable = setup.layable(Throw({}))
        self._throws = 0

    def choices(self) -> Sequence[LaidWord | None]:
        setup, starts = self.setup, not self._waiting
        if starts:
            needed = len(self.standing.still) if setup.by_turns else 1
            if self.standing.won or (setup.throws and self._throws + needed > len(setup.throws)):
                return ()
            self._waiting = list(self.standing.still)
        if starts or setup.by_turns:
            throw = setup.throws[self._throws] if setup.throws else throw_dice(setup.dice, self.chance)
            self._throws += 1
            self._layable = setup.layable(throw)
        if starts:
            self.rounds.append({})
        self.seat = self._waiting[0]
        return self._layable or (None,)

    def do(self, move: LaidWord | None) -> None:
        seat, words = self._waiting.pop(0), self.rounds[-1]
        words[seat] = self._layable.throw, move
        if move:
            for part in PIECES[:3]:
                self.parts[seat][part] += getattr(move.points, part)
        if not self._waiting:
            points = {player: self.gain(word) for player, (_, word) in words.items()}
            bonus = self.setup.round_rules.bonus(points, self.standing)
            for player, bonus_points in bonus.items():
                self.parts[player]["round bonus"] += bonus_points
            self.standing = self.setup.round_rules.after(self.standing, points, bonus)

    def gain(self, move: LaidWord | None) -> int:
        return move.points.total if move else 0

    def best(self, choices: Sequence[LaidWord | None]) -> Sequence[LaidWord | None]:
        if not isinstance(choices, Layable):
            return super().best(choices)
        words = best_words(choices.throw, self.setup.words, self.setup.game.rules, EQUALLY_GOOD)
        return [word for word in words if word.points.total == words[0].points.total] or choices

    def harmless(self, choices: Sequence[LaidWord | None]) -> Sequence[LaidWord | None]:
        """All choices: no word spoils another."""
        return choices

    def result(self) -> FinishedGame:
        totals = tuple(self.standing.totals.values())
        winners = self.standing.still if self.standing.won else ()
        fates = tuple(_fates(self.parts, totals, winners))
        return FinishedGame(len(self.rounds), totals, winners, fates, ended=self.standing.won)

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        claimed = dict(zip(names, self.standing.totals.values(), strict=True))
        rounds = [self._typed(words, names) for words in self.rounds]
        return [{**self.setup.head(names), "rounds": rounds, "claimed": claimed}]

    def _typed(self, words: Mapping[int, tuple[Throw, LaidWord | None]], names: Sequence[str]) -> Sheet:
        together = self.setup.variant == ALL_TOGETHER
        typed: Sheet = {}
        for seat, (throw, word) in words.items():
            own = {} if together else {"throw": throw.letters}
            typed[names[seat]] = {**own, "tiles": word.tiles, "word": word.word} if word else 0
        return {"throw": throw.letters, "words": typed} if together else {"words": typed}


Rethrow = tuple[int, ...]
"""Throwing dice again, by their numbers."""


class Filling(Struct, frozen=True):
    """Filling a line with a word that meets it, or with 0."""

    line: str
    word: LaidWord | None


class Fillings(Sequence[Filling]):
    """Every word in every open line. A word that does not fit the line is entered as 0."""

    def __init__(self, game: FiveThrowGame, layable: Layable) -> None:
        self.game, self.layable = game, layable

    def __len__(self) -> int:
        return len(self.game.open) * (len(self.layable) or 1)

    def __getitem__(self, number: Any) -> Any:
        line, index = divmod(number, len(self.layable) or 1)
        name = self.game.open[line]
        word = self.layable[index] if len(self.layable) else None
        return Filling(name, word if word and self.game.points(name, word) else None)


class FiveThrowGame(SimulatedGame[Rethrow | Filling]):
    """A simulated game: the players take turns to fill a line until all lines are filled. `filled` has the points of
    each player's lines, `typed` what is written there."""

    __slots__ = ("_rethrown", "_shown", "_throw", "filled", "setup", "typed")

    def __init__(self, setup: RollingCubesSimulation, chance: Chance) -> None:
        super().__init__(chance)
        self.setup = setup
        self.seat = -1
        self.filled: list[dict[str, int]] = [{} for _ in range(setup.players)]
        self.typed: list[Sheet] = [{} for _ in range(setup.players)]
        self._shown: list[str] = []
        self._throw: Throw | None = None
        self._rethrown = 0

    @property
    def open(self) -> list[str]:
        """The open lines of the player."""
        return [name for name in self.setup.numbers["lines"] if name not in self.filled[self.seat]]

    def choices(self) -> Sequence[Rethrow | Filling]:
        if self._throw is None:
            self.seat = (self.seat + 1) % len(self.filled)
            if not self.open:
                return ()
            self._shown = [self.chance.choice(faces) for _, faces in self.setup.dice]
            return self.setup.rethrows
        return Fillings(self, self.setup.layable(self._throw))

    def do(self, move: Rethrow | Filling) -> None:
        if not isinstance(move, Filling):
            for die in move:
                self._shown[die] = self.chance.choice(self.setup.dice[die][1])
            self._rethrown = len(move)
            self._throw = thrown((colour for colour, _ in self.setup.dice), self._shown)
            return
        assert self._throw
        self.filled[self.seat][move.line], self.typed[self.seat][move.line] = self.gain(move), 0
        if move.word:
            typed = {"throw": self._throw.letters, "tiles": move.word.tiles, "word": move.word.word}
            self.typed[self.seat][move.line] = {**typed, "rethrown": self._rethrown}
        self._throw = None

    def points(self, line: str, word: LaidWord) -> int:
        """The points of a word in a line."""
        played = PlayedWord("", word.tiles, word.word, self._throw)
        return self.setup.word_rules.line_points(line, played, self._rethrown)

    def gain(self, move: Rethrow | Filling) -> int:
        """The points of the word, or the penalty for dice thrown again, regardless of what they may score later."""
        if not isinstance(move, Filling):
            return -int(self.setup.numbers["penalty"]) * len(move)
        return self.points(move.line, move.word) if move.word else 0

    def best(self, choices: Sequence[Rethrow | Filling]) -> Sequence[Rethrow | Filling]:
        if not isinstance(choices, Fillings):
            return super().best(choices)
        assert self._throw
        letters = self._throw.letters.items()
        plain = {colour: "".join(face for face in faces if face not in WILDCARDS) for colour, faces in letters}
        words, open_lines = self._best_words(self._throw), self.open
        plain_words = self._best_words(Throw(plain)) if "no-wildcards" in open_lines else []
        return super().best(
            [self._best_filling(line, plain_words if line == "no-wildcards" else words) for line in open_lines]
        )

    def _best_words(self, throw: Throw) -> list[LaidWord]:
        return best_words(throw, self.setup.words, self.setup.game.rules, MAX_TRIED)

    def _best_filling(self, line: str, words: Sequence[LaidWord]) -> Filling:
        """The best of these words for a line; the words are sorted, the best first."""
        best, most_points = None, 0
        for word in words:
            if word.points.total - self.setup.numbers["penalty"] * self._rethrown <= most_points:
                break
            if self._may_meet(line, word.tiles) and (points := self.points(line, word)) > most_points:
                best, most_points = word, points
        return Filling(line, best)

    def _may_meet(self, line: str, tiles: str) -> bool:
        """Whether the word can have enough dice of one colour, by any choice of dice."""
        assert self._throw
        numbers = self.setup.numbers
        needed = {"trio": [numbers["trio"]], "full-house": numbers["full_house"], "poker": [numbers["poker"]]}
        counts = [
            sum(min(tiles.count(face), faces.count(face)) for face in set(faces))
            for faces in self._throw.letters.values()
        ]
        most = zip(sorted(counts, reverse=True), needed.get(line, ()), strict=False)
        return all(count >= least for count, least in most)

    def harmless(self, choices: Sequence[Rethrow | Filling]) -> Sequence[Rethrow | Filling]:
        """All choices: no player looks ahead."""
        return choices

    def result(self) -> FinishedGame:
        totals = tuple(sum(lines.values()) for lines in self.filled)
        winners = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
        return FinishedGame(len(self.filled[0]), totals, winners, tuple(_fates(self.filled, totals, winners)))

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        return [{**self.setup.head(names), "lines": dict(zip(names, self.typed, strict=True))}]


class RollingCubesSimulation(Simulation):
    """Games 1 and 2 and five throws, with dice or a throw strip.

    In game 1, each turn uses the next throw of the strip if there are enough throws for all rounds on the sheet;
    otherwise all players share one throw per round. `numbers` are those for the five-throw sheet."""

    variants = (ONE_BY_ONE, ALL_TOGETHER, FIVE_THROWS)
    fates: Mapping[str, str] = {
        SCORES: "scores points for a player",
        DECIDES: "without its points, another player would have led",
    }

    def __init__(self, game: Game, deck: Deck, players: int, variant: str) -> None:
        super().__init__(game, deck, players, variant)
        self.longest = MAX_ROUNDS * players
        self.throws = strip(game, parse(deck.code)).throws if deck.code and deck.field == STRIP_PART else ()
        sheet_rounds = game.sheets[ONE_BY_ONE].definition.fields["rounds"].repeat or 1
        self.by_turns = variant == ONE_BY_ONE and (not self.throws or len(self.throws) >= sheet_rounds * players)
        self.dice = faces_of(deck.dress(game).components[DICE_PART].cards)
        self.words = list_in(game, language(game, parse(deck.code)) if deck.code else "")
        self.numbers: Mapping[str, Any] = game.rules["five_throws"]
        self.pieces = dict.fromkeys(self.numbers["lines"] if variant == FIVE_THROWS else PIECES, (SCORES, DECIDES))
        target = int(game.rules["targets"].get(variant, 0))
        self.round_rules = RoundRules(tuple(range(players)), target, game.rules)
        self.word_rules = WordRules(Dice(self.dice), game.rules)
        counts = range(self.numbers["rethrow"] + 1 if variant == FIVE_THROWS else 0)
        self.rethrows = [dice for count in counts for dice in combinations(range(len(self.dice)), count)]

    @classmethod
    def variants_with(cls, game: Game, deck: Deck) -> tuple[str, ...]:
        """All variants, but only games 1 and 2 for a strip: the five-throw sheet cannot name one."""
        return cls.variants[:2] if deck.code and deck.field == STRIP_PART else cls.variants

    def layable(self, throw: Throw) -> Layable:
        """Every word that the throw can lay."""
        return Layable(throw, self.words, self.game.rules)

    def head(self, names: Sequence[str]) -> Sheet:
        """The beginning of a sheet."""
        code = {self.deck.field: self.deck.code} if self.deck.code else {}
        return {"game": self.game.key, **code, "mode": self.variant, "players": list(names)}

    def begin(self, chance: Chance, keep: bool = False) -> RoundsGame | FiveThrowGame:
        return FiveThrowGame(self, chance) if self.variant == FIVE_THROWS else RoundsGame(self, chance)


SIMULATION: type[Simulation] = RollingCubesSimulation
