"""Simulates games of Rolling Cubes: games 1 and 2 round by round, and the five-throw sheet line by line.

Players choose among all words that the throw can lay, as if they knew the whole word list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Any, NamedTuple

from ...draws import parse
from ...draws.chance import Chance
from ...draws.deck import Deck
from ...model.game import Card, Game
from ..simulation import FinishedGame, Sheet, SimulatedGame, Simulation
from . import search
from .deal import DICE_PART, STRIP_PART, language, strip
from .dice import WILDCARDS, Throw, dice_with, faces_of, throw_dice
from .play import Combination, LineRules, PlayedWord, RoundRules, WordRules
from .search import LaidWord, Layable
from .wordlist import WordList, list_in

ONE_BY_ONE, ALL_TOGETHER, FIVE_THROWS = "one-by-one", "all-together", "five-throws"
SCORES, DECIDES = "scores", "decides"
PIECES = ("wildcards", "repeats", "purple", "round bonus")
MAX_ROUNDS = 20
"""A game with more rounds is abandoned: players who always find the best word of a shared throw tie for ever."""

EQUALLY_GOOD = 20
"""The number of best words that a player chooses among."""

MAX_TRIED = 100
"""The number of best words that are tried for each line of the five-throw sheet."""


def _fates(piece: str, points: int, totals: Sequence[int], player: int, wins: bool) -> Iterator[tuple[str, str]]:
    """The fates of a piece that scored these points for a player."""
    yield piece, ""
    if points:
        yield piece, SCORES
        others = [total for other, total in enumerate(totals) if other != player]
        if wins and totals[player] - points < max(others, default=0):
            yield piece, DECIDES


# ---- games 1 and 2 --------------------------------------------------------------------------------------------------


class Choice(NamedTuple):
    """A word that a player may choose; None if the throw can lay no word."""

    throw: Throw
    word: LaidWord | None

    @property
    def points(self) -> int:
        return self.word.points.total if self.word else 0

    @property
    def typed(self) -> dict[str, str] | int:
        return {"tiles": self.word.tiles, "word": self.word.word} if self.word else 0


class Choices(Sequence[Choice]):
    """The words that a player may choose with a throw."""

    def __init__(self, throw: Throw, layable: Layable) -> None:
        self.throw, self.layable = throw, layable

    def __len__(self) -> int:
        return len(self.layable) or 1

    def __getitem__(self, number: Any) -> Any:
        return Choice(self.throw, self.layable[number] if len(self.layable) else None)


class RoundsGame(SimulatedGame[Choice]):
    """Game 1 or 2, round by round and player by player."""

    __slots__ = ("_choices", "_throw", "_throws", "_waiting", "parts", "rounds", "setup", "standing")

    def __init__(self, setup: RollingCubesSimulation, chance: Chance) -> None:
        super().__init__(chance)
        self.setup = setup
        self.standing = setup.round_rules.start
        self.rounds: list[tuple[Throw, dict[int, Choice]]] = []
        self.parts: Counter[tuple[int, str]] = Counter()
        self._waiting: list[int] = []
        self._throw = Throw({})
        self._choices = Choices(self._throw, setup.layable(self._throw))
        self._throws = 0

    def choices(self) -> Sequence[Choice]:
        if not self._waiting:
            if self.standing.won or not self._can_throw():
                return ()
            self._waiting = list(self.standing.still)
            self._throw = self._next_throw()
            self.rounds.append((self._throw, {}))
        elif self.setup.by_turns:
            self._throw = self._next_throw()
        self.seat = self._waiting[0]
        if self._choices.throw is not self._throw:
            self._choices = Choices(self._throw, self.setup.layable(self._throw))
        return self._choices

    def _can_throw(self) -> bool:
        """Whether the strip has enough throws for another round."""
        needed = len(self.standing.still) if self.setup.by_turns else 1
        return not self.setup.throws or self._throws + needed <= len(self.setup.throws)

    def _next_throw(self) -> Throw:
        self._throws += 1
        if self.setup.throws:
            return self.setup.throws[self._throws - 1]
        return throw_dice(self.setup.dice, self.chance)

    def do(self, move: Choice) -> None:
        seat = self._waiting.pop(0)
        self.rounds[-1][1][seat] = move
        if move.word:
            for part in PIECES[:3]:
                self.parts[seat, part] += getattr(move.word.points, part)
        if not self._waiting:
            self._end_round()

    def _end_round(self) -> None:
        rules = self.setup.round_rules
        points = {seat: choice.points for seat, choice in self.rounds[-1][1].items()}
        bonus = rules.bonus(points, self.standing)
        for seat, bonus_points in bonus.items():
            self.parts[seat, "round bonus"] += bonus_points
        self.standing = rules.after(self.standing, points, bonus)

    def gain(self, move: Choice) -> int:
        return move.points

    def best(self, choices: Sequence[Choice]) -> Sequence[Choice]:
        if not isinstance(choices, Choices):
            return super().best(choices)
        words = search.best(choices.throw, self.setup.words, self.setup.game.rules, EQUALLY_GOOD)
        return [Choice(choices.throw, word) for word in words if word.points.total == words[0].points.total] or choices

    def harmless(self, choices: Sequence[Choice]) -> Sequence[Choice]:
        """All choices: no word spoils another."""
        return choices

    def result(self) -> FinishedGame:
        totals = tuple(self.standing.totals.values())
        winners = self.standing.still if self.standing.won else ()
        fates = chain.from_iterable(
            _fates(piece, self.parts[seat, piece], totals, seat, seat in winners)
            for seat in range(len(totals))
            for piece in PIECES
        )
        return FinishedGame(len(self.rounds), totals, winners, tuple(fates), self.standing.won)

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        rounds = [
            self._round_data(throw, {names[seat]: choice for seat, choice in choices.items()})
            for throw, choices in self.rounds
        ]
        return [
            {
                "game": self.setup.game.key,
                **self.setup.named,
                "mode": self.setup.variant,
                "players": list(names),
                "rounds": rounds,
                "claimed": dict(zip(names, self.standing.totals.values(), strict=True)),
            }
        ]

    def _round_data(self, throw: Throw, choices: Mapping[str, Choice]) -> dict[str, Any]:
        if self.setup.variant == ALL_TOGETHER:
            return {"throw": dict(throw.letters), "words": {name: choice.typed for name, choice in choices.items()}}
        return {
            "words": {
                name: {"throw": dict(choice.throw.letters), **typed}
                if isinstance(typed := choice.typed, dict)
                else typed
                for name, choice in choices.items()
            }
        }


# ---- the five-throw sheet -------------------------------------------------------------------------------------------


class Rethrow(NamedTuple):
    """Throwing dice again, by their numbers."""

    dice: tuple[int, ...]


class Filling(NamedTuple):
    """Filling a line with a word that meets it, or with 0."""

    line: str
    word: LaidWord | None


class FiveThrowSetup:
    """The dice, words and numbers for games with the five-throw sheet."""

    def __init__(self, game: Game, dice: Sequence[Card], words: WordList, players: int) -> None:
        self.game, self.rules, self.words, self.players = game, game.rules, words, players
        numbers = game.rules["five_throws"]
        self.lines: tuple[str, ...] = tuple(numbers["lines"])
        self.penalty = int(numbers["penalty"])
        self.dice_of_one_colour = {
            "trio": (numbers["trio"],),
            "full-house": numbers["full_house"],
            "poker": (numbers["poker"],),
        }
        self.dice = [die for die in dice for _ in range(die.copies)]
        self.rethrows = [
            Rethrow(die_numbers)
            for count in range(numbers["rethrow"] + 1)
            for die_numbers in combinations(range(len(self.dice)), count)
        ]
        self.line_rules = LineRules(WordRules(dice_with(faces_of(self.dice)), game.rules))


class Fillings(Sequence[Filling]):
    """Every word in every open line. A word that does not meet the line is entered as 0."""

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
    """A simulated game: the players take turns to fill a line until all lines are filled."""

    __slots__ = ("_rethrown", "_shown", "_throw", "filled", "named", "setup")

    def __init__(self, setup: FiveThrowSetup, chance: Chance, named: Mapping[str, str]) -> None:
        super().__init__(chance)
        self.setup, self.named = setup, named
        self.seat = -1
        self.filled: list[dict[str, Combination]] = [{} for _ in range(setup.players)]
        self._shown: list[str] = []
        self._throw: Throw | None = None
        self._rethrown = 0

    @property
    def open(self) -> list[str]:
        """The open lines of the player."""
        return [name for name in self.setup.lines if name not in self.filled[self.seat]]

    def choices(self) -> Sequence[Rethrow | Filling]:
        if self._throw is None:
            self.seat = (self.seat + 1) % len(self.filled)
            if not self.open:
                return ()
            self._shown = [self.chance.choice(die.faces) for die in self.setup.dice]
            return self.setup.rethrows
        return Fillings(self, Layable(self._throw, self.setup.words, self.setup.rules))

    def do(self, move: Rethrow | Filling) -> None:
        if isinstance(move, Rethrow):
            for die in move.dice:
                self._shown[die] = self.chance.choice(self.setup.dice[die].faces)
            self._rethrown, self._throw = len(move.dice), self._thrown()
        else:
            self.filled[self.seat][move.line] = self._combination(move.line, move.word)
            self._throw = None

    def _thrown(self) -> Throw:
        letters: dict[str, str] = {}
        for die, face in zip(self.setup.dice, self._shown, strict=True):
            letters[die.colour] = letters.get(die.colour, "") + face
        return Throw(letters)

    def _combination(self, name: str, laid: LaidWord | None) -> Combination:
        if not laid:
            return Combination("", self.seat, name, zero=True)
        word = PlayedWord("", self.seat, laid.tiles, laid.word, self._throw)
        return Combination("", self.seat, name, word, False, self._rethrown)

    def points(self, name: str, word: LaidWord) -> int:
        """The points of a word in a line."""
        return self.setup.line_rules.points(self._combination(name, word))

    # ---- evaluating moves --------------------------------------------------------------------------------------------

    def gain(self, move: Rethrow | Filling) -> int:
        """The points of the word, or the penalty for dice thrown again, regardless of what they may score later."""
        if isinstance(move, Rethrow):
            return -self.setup.penalty * len(move.dice)
        return self.points(move.line, move.word) if move.word else 0

    def best(self, choices: Sequence[Rethrow | Filling]) -> Sequence[Rethrow | Filling]:
        if not isinstance(choices, Fillings):
            return super().best(choices)
        assert self._throw
        letters_only = Throw(
            {
                colour: "".join(face for face in faces if face not in WILDCARDS)
                for colour, faces in self._throw.letters.items()
            }
        )
        words = self._best_words(self._throw)
        plain = self._best_words(letters_only) if "no-wildcards" in self.open else []
        return super().best(
            [self._best_filling(name, plain if name == "no-wildcards" else words) for name in self.open]
        )

    def _best_words(self, throw: Throw) -> list[LaidWord]:
        return search.best(throw, self.setup.words, self.setup.rules, MAX_TRIED)

    def _best_filling(self, line: str, words: Sequence[LaidWord]) -> Filling:
        """The best of these words for a line; the words are sorted, the best first."""
        best, most_points = None, 0
        for word in words:
            if word.points.total - self.setup.penalty * self._rethrown <= most_points:
                break
            if self._may_meet(line, word.tiles) and (points := self.points(line, word)) > most_points:
                best, most_points = word, points
        return Filling(line, best)

    def _may_meet(self, line: str, tiles: str) -> bool:
        """Whether the word can have enough dice of one colour, by any choice of dice."""
        needed = self.setup.dice_of_one_colour.get(line, ())
        assert self._throw
        counts = sorted(
            (
                sum(min(tiles.count(face), faces.count(face)) for face in set(faces))
                for faces in self._throw.letters.values()
            ),
            reverse=True,
        )
        return all(count >= least for count, least in zip(counts, needed, strict=False))

    def harmless(self, choices: Sequence[Rethrow | Filling]) -> Sequence[Rethrow | Filling]:
        """All choices: no player looks ahead."""
        return choices

    # ---- the end -----------------------------------------------------------------------------------------------------

    def result(self) -> FinishedGame:
        points = [{name: self.setup.line_rules.points(line) for name, line in lines.items()} for lines in self.filled]
        totals = tuple(sum(lines.values()) for lines in points)
        winners = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
        fates = chain.from_iterable(
            _fates(name, scored, totals, seat, seat in winners)
            for seat, lines in enumerate(points)
            for name, scored in lines.items()
        )
        return FinishedGame(len(self.filled[0]), totals, winners, tuple(fates))

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        lines = {
            name: {line: _line_data(combination) for line, combination in filled.items()}
            for name, filled in zip(names, self.filled, strict=True)
        }
        return [
            {"game": self.setup.game.key, **self.named, "mode": FIVE_THROWS, "players": list(names), "lines": lines}
        ]


def _line_data(line: Combination) -> Mapping[str, Any] | int:
    if not line.word or not line.word.throw:
        return 0
    return {
        "throw": dict(line.word.throw.letters),
        "tiles": line.word.tiles,
        "word": line.word.text,
        "rethrown": line.rethrown,
    }


# ---- all variants ---------------------------------------------------------------------------------------------------


class RollingCubesSimulation(Simulation):
    """Games 1 and 2 and five throws, with dice or a throw strip.

    In game 1, each turn uses the next throw of the strip if there are enough throws for all rounds on the sheet;
    otherwise all players share one throw per round."""

    variants = (ONE_BY_ONE, ALL_TOGETHER, FIVE_THROWS)
    fates: Mapping[str, str] = {
        SCORES: "scores points for a player",
        DECIDES: "without its points, another player would have led",
    }

    def __init__(self, game: Game, deck: Deck, players: int, variant: str) -> None:
        super().__init__(game, deck, players, variant)
        self.longest = MAX_ROUNDS * players
        self.throws = strip(game, parse(deck.code)).throws if deck.code and deck.field == STRIP_PART else ()
        self.named = {deck.field: deck.code} if deck.code else {}
        sheet_rounds = game.sheets[ONE_BY_ONE].definition.fields["rounds"].repeat or 1
        self.by_turns = variant == ONE_BY_ONE and (not self.throws or len(self.throws) >= sheet_rounds * players)
        cards = deck.dress(game).components[DICE_PART].cards
        self.dice = faces_of(die for die in cards for _ in range(die.copies))
        self.words = list_in(game, language(game, parse(deck.code)) if deck.code else "")
        self.five_throws = FiveThrowSetup(game, cards, self.words, players) if variant == FIVE_THROWS else None
        self.pieces = dict.fromkeys(self.five_throws.lines if self.five_throws else PIECES, (SCORES, DECIDES))
        target = int(game.rules["targets"].get(variant, 0))
        self.round_rules = RoundRules(tuple(range(players)), target, game.rules)

    @classmethod
    def variants_with(cls, game: Game, deck: Deck) -> tuple[str, ...]:
        """All variants, but only games 1 and 2 for a strip: the five-throw sheet cannot name one."""
        return cls.variants[:2] if deck.code and deck.field == STRIP_PART else cls.variants

    def layable(self, throw: Throw) -> Layable:
        """Every word that the throw can lay."""
        return Layable(throw, self.words, self.game.rules)

    def begin(self, chance: Chance, keep: bool = False) -> RoundsGame | FiveThrowGame:
        if self.five_throws:
            return FiveThrowGame(self.five_throws, chance, self.named)
        return RoundsGame(self, chance)


SIMULATION: type[Simulation] = RollingCubesSimulation
