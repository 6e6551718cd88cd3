"""Simulates games of Rolling Cubes: games 1 and 2 round by round, the last die letter by letter, the tournament with
these three games, and the five-throw sheet line by line.

Players choose among all words that the throw can lay, as if they knew the whole word list; but careful players overlook
most words of a throw, as people do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from ...draws import Chance, Deck, parse
from ...errors import fault
from ...model.game import Game
from ...rules.results import ranks
from ..simulation import FinishedGame, Sheet, SimulatedGame, Simulation
from .deal import DICE_PART, STRIP_PART, language, strip
from .last_die import Letter, RoundState, Settings, after_letter, legal_letters
from .play import (
    WILDCARDS,
    Dice,
    PlayedWord,
    RoundRules,
    Throw,
    WordRules,
    faces_of,
    letter_tiles,
    target_of,
    throw_dice,
    thrown,
    tournament_points,
    tournament_winners,
)
from .word_lists import ALPHABET, MAX_TRIED, LaidWord, Layable, list_in
from .word_lists import best as best_words

ONE_BY_ONE, ALL_TOGETHER, LAST_DIE = GAMES = ("one-by-one", "all-together", "last-die")
TOURNAMENT, FIVE_THROWS = "tournament", "five-throws"
SCORES, DECIDES = "scores", "decides"
PIECES = ("wildcards", "repeats", "purple", "round bonus")
THROW, DOUBT, STUCK = "throw", "doubt", "stuck"
# A game with more rounds is abandoned: players who always find the best word of a shared throw tie for ever.
MAX_ROUNDS = 20

# A careful player notices one in this number of them.
NOTICED = 4


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

    def __init__(self, setup: RollingCubesSimulation, chance: Chance, variant: str, target: int) -> None:
        super().__init__(chance)
        self.setup, self.together = setup, variant == ALL_TOGETHER
        self.by_turns = variant == ONE_BY_ONE and setup.has_throws_for_turns
        self.round_rules = RoundRules(tuple(range(setup.players)), target, setup.game.rules)
        self.standing = self.round_rules.start
        self.rounds: list[dict[int, tuple[Throw, LaidWord | None]]] = []
        self.parts = [dict.fromkeys(PIECES, 0) for _ in self.standing.totals]
        self._waiting: list[int] = []
        self._layable = setup.layable(Throw({}))
        self._throws = 0

    def choices(self) -> Sequence[LaidWord | None]:
        setup = self.setup
        if not self._waiting:
            needed = len(self.standing.still) if self.by_turns else 1
            has_throws = not setup.throws or self._throws + needed <= len(setup.throws)
            if self.standing.won or len(self.rounds) == MAX_ROUNDS or not has_throws:
                return ()
            self._waiting = list(self.standing.still)
            self.rounds.append({})
        if self.by_turns or not self.rounds[-1]:
            throw = setup.throws[self._throws] if setup.throws else throw_dice(setup.dice, self.chance)
            self._throws += 1
            self._layable = setup.layable(throw)
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
            bonus = self.round_rules.bonus(points, self.standing)
            for player, bonus_points in bonus.items():
                self.parts[player]["round bonus"] += bonus_points
            self.standing = self.round_rules.after(self.standing, points, bonus)

    def gain(self, move: LaidWord | None) -> int:
        return move.points.total if move else 0

    def best(self, choices: Sequence[LaidWord | None]) -> Sequence[LaidWord | None]:
        return super().best(self._layable.best if isinstance(choices, Layable) else choices)

    def harmless(self, choices: Sequence[LaidWord | None]) -> Sequence[LaidWord | None]:
        """The words that the player notices."""
        words = self._layable.best
        return [word for word in words if not self.chance.below(NOTICED)] or words[-1:]

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
        together, typed = self.together, Sheet()
        for seat, (throw, word) in words.items():
            own = {} if together else {"throw": throw.letters}
            typed[names[seat]] = {**own, "tiles": word.tiles, "word": word.word} if word else 0
        return {"throw": throw.letters, "words": typed} if together else {"words": typed}


class LastDieGame(SimulatedGame[Letter | str]):
    """Game 3. A move is to throw or to doubt, then a letter, or being stuck if no letter that begins a word is left.
    `rounds` has the letters of each finished round, its ending (`stuck` or `doubt`) and the answer to a doubt."""

    def __init__(self, setup: RollingCubesSimulation, chance: Chance, target: int) -> None:
        super().__init__(chance)
        self.setup, self.target = setup, target
        self.won = [0] * setup.players
        self.rounds: list[tuple[RoundState, str, str]] = []
        self._begin()

    def _begin(self) -> None:
        """Begins a round with all dice; the players start in turn."""
        self.state = RoundState(self.setup.players, len(self.rounds) % self.setup.players)
        self._free = list(range(len(self.setup.dice)))
        self._shown: dict[int, str] = {}

    def choices(self) -> Sequence[Letter | str]:
        if max(self.won) >= self.target:
            return ()
        self.seat = self.state.seat
        if self.state.letters and not self._shown:
            return (THROW, DOUBT)
        self._throw()
        letters = legal_letters(self.state, self._shown.values(), self.setup.letter_settings)
        may_go_on = not self.state.letters or any(map(self._begins_a_word, letters))
        return letters if may_go_on else [*letters, STUCK]

    def _throw(self) -> None:
        if not self._shown:
            self._shown = {die: self.chance.choice(self.setup.dice[die][1]) for die in self._free}

    def do(self, move: Letter | str) -> None:
        if isinstance(move, Letter):
            die = next(die for die, face in self._shown.items() if face == move.tile)
            self._free.remove(die)
            self._shown, self.state = {}, after_letter(self.state, move, self.setup.letter_settings)
        elif move == THROW:
            self._throw()
        else:
            answer = self.setup.answer(self.state.spelling) if move == DOUBT else ""
            self.won[self.seat if move == DOUBT and not answer else self.state.letters[-1].seat] += 1
            self.rounds.append((self.state, move, answer))
            self._begin()

    def _begins_a_word(self, letter: Letter) -> bool:
        return self.setup.answer(self.state.spelling + letter.stands) != ""

    def gain(self, move: Letter | str) -> int:
        """A doubt wins or loses the round, and whoever is stuck or bluffs is likely to lose it."""
        if isinstance(move, Letter):
            return 0 if self._begins_a_word(move) else -1
        return {THROW: 0, STUCK: -1, DOUBT: -1 if self.setup.answer(self.state.spelling) else 1}[move]

    def harmless(self, choices: Sequence[Letter | str]) -> Sequence[Letter | str]:
        """The letters that begin a word and leave the next player the fewest letters to add."""
        exits = {
            letter: self.setup.exits(self.state.spelling + letter.stands)
            for letter in choices
            if isinstance(letter, Letter) and self._begins_a_word(letter)
        }
        fewest = min(exits.values(), default=0)
        return [letter for letter, count in exits.items() if count == fewest] or choices

    def result(self) -> FinishedGame:
        winners = tuple(seat for seat, won in enumerate(self.won) if won >= self.target)
        letters = sum(len(state.letters) for state, _, _ in self.rounds)
        counts = (("letters", letters), ("doubts", sum(ending == DOUBT for _, ending, _ in self.rounds)))
        return FinishedGame(len(self.rounds), tuple(self.won), winners, ended=bool(winners), counts=counts)

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        rounds = [self._typed(*played, names=names) for played in self.rounds]
        return [{**self.setup.head(names), "rounds": rounds, "claimed": dict(zip(names, self.won, strict=True))}]

    def _typed(self, state: RoundState, ending: str, answer: str, names: Sequence[str]) -> Sheet:
        letters = [
            {"player": names[letter.seat], "letter": letter.tile}
            | ({"as": letter.stands} if letter.tile in WILDCARDS else {})
            for letter in state.letters
        ]
        name = names[state.seat]
        return {"letters": letters, ending: {"by": name, "answer": answer or "-"} if ending == DOUBT else name}


class TournamentGame(SimulatedGame[Any]):
    """The three games one after the other, each with its moves. A tournament ends with a game that does not end."""

    def __init__(self, setup: RollingCubesSimulation, chance: Chance) -> None:
        super().__init__(chance)
        self.setup = setup
        self.games: list[RoundsGame | LastDieGame] = [setup.begin_game(name, chance) for name in GAMES]
        self.current = self.games[0]

    def choices(self) -> Sequence[Any]:
        for game in self.games[self.games.index(self.current) :]:
            self.current = game
            choices = game.choices()
            if len(choices) or not game.result().ended:
                self.seat = game.seat
                return choices
        return ()

    def do(self, move: Any) -> None:
        self.current.do(move)

    def gain(self, move: Any) -> int:
        return self.current.gain(move)

    def best(self, choices: Sequence[Any]) -> Sequence[Any]:
        return self.current.best(choices)

    def harmless(self, choices: Sequence[Any]) -> Sequence[Any]:
        return self.current.harmless(choices)

    def result(self) -> FinishedGame:
        results = [game.result() for game in self.games]
        places = [dict(enumerate(ranks((points,) for points in result.points))) for result in results]
        awarded = [tournament_points(placed, self.setup.game.rules["tournament"]["points"]) for placed in places]
        totals = {seat: sum(points[seat] for points in awarded) for seat in range(self.setup.players)}
        decides = places[GAMES.index(self.setup.game.rules["tournament"]["decided_by"])]
        pieces = [{name: points[seat] for name, points in zip(GAMES, awarded, strict=True)} for seat in totals]
        winners, all_points = tournament_winners(totals, decides), tuple(totals.values())
        length, ended = sum(result.length for result in results), all(result.ended for result in results)
        return FinishedGame(length, all_points, winners, tuple(_fates(pieces, all_points, winners)), ended)

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        results = {name: game.result() for name, game in zip(GAMES, self.games, strict=True)}
        reached = {
            name: dict(zip(names, result.points, strict=True)) for name, result in results.items() if result.ended
        }
        return [{"game": self.setup.game.key, "mode": TOURNAMENT, "players": list(names), "games": reached}]


class FiveThrowGame(SimulatedGame[Any]):
    """The players take turns to fill a line until all lines are filled. A move is to throw dice again, by their
    numbers; then a line; then a word for it, or None. `filled` has the points of each player's lines, `typed` what is
    written there."""

    def __init__(self, setup: RollingCubesSimulation, chance: Chance) -> None:
        super().__init__(chance)
        self.setup, self.seat = setup, -1
        self.filled: list[dict[str, int]] = [{} for _ in range(setup.players)]
        self.typed: list[Sheet] = [{} for _ in range(setup.players)]
        self._shown: list[str] = []
        self._throw: Throw | None = None
        self._rethrown, self._line = 0, ""
        self._best: dict[bool, list[LaidWord]] = {}

    @property
    def open(self) -> list[str]:
        """The open lines of the player."""
        return [name for name in self.setup.numbers["lines"] if name not in self.filled[self.seat]]

    def choices(self) -> Sequence[Any]:
        if self._throw:
            return (self.setup.layable(self._throw) or (None,)) if self._line else self.open
        self.seat = (self.seat + 1) % len(self.filled)
        self._shown, self._best = [self.chance.choice(faces) for _, faces in self.setup.dice], {}
        return self.setup.rethrows if self.open else ()

    def do(self, move: Any) -> None:
        if self._throw is None:
            for die in move:
                self._shown[die] = self.chance.choice(self.setup.dice[die][1])
            self._rethrown, self._throw = len(move), thrown((colour for colour, _ in self.setup.dice), self._shown)
        elif not self._line:
            self._line = move
        else:
            self.filled[self.seat][self._line], self.typed[self.seat][self._line] = self.points(self._line, move), 0
            if self.points(self._line, move):
                typed = {"throw": self._throw.letters, "tiles": move.tiles, "word": move.word}
                self.typed[self.seat][self._line] = {**typed, "rethrown": self._rethrown}
            self._throw, self._line = None, ""

    def points(self, line: str, word: LaidWord | None) -> int:
        played = PlayedWord("", word.tiles, word.word, self._throw) if word else None
        return self.setup.word_rules.line_points(line, played, self._rethrown) if played else 0

    def gain(self, move: Any) -> int:
        """The points of the word, or of the best word for the line, or the penalty for dice thrown again, regardless of
        what they may score later."""
        if self._throw is None:
            return -int(self.setup.numbers["penalty"]) * len(move)
        return self.points(self._line, move) if self._line else self.points(move, self._best_word(move))

    def best(self, choices: Sequence[Any]) -> Sequence[Any]:
        return [self._best_word(self._line)] if self._line else super().best(choices)

    def _best_word(self, line: str) -> LaidWord | None:
        """The best word of the throw for a line. Without wildcards, other words are the best."""
        plain, letters = line == "no-wildcards", self._throw.letters if self._throw else {}
        if plain not in self._best:
            faces = {colour: letter_tiles(shown) if plain else shown for colour, shown in letters.items()}
            self._best[plain] = best_words(Throw(faces), self.setup.words, self.setup.game.rules, MAX_TRIED)
        best, most_points = None, 0
        for word in self._best[plain]:
            if word.points.total - self.setup.numbers["penalty"] * self._rethrown <= most_points:
                break
            if (points := self.points(line, word)) > most_points:
                best, most_points = word, points
        return best

    def harmless(self, choices: Sequence[Any]) -> Sequence[Any]:
        """All choices: no player looks ahead."""
        return choices

    def result(self) -> FinishedGame:
        totals = tuple(sum(lines.values()) for lines in self.filled)
        winners = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
        return FinishedGame(len(self.filled[0]), totals, winners, tuple(_fates(self.filled, totals, winners)))

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        return [{**self.setup.head(names), "lines": dict(zip(names, self.typed, strict=True))}]


class RollingCubesSimulation(Simulation):
    """All games, with dice or a throw strip.

    In game 1, each turn uses the next throw of the strip if it `has_throws_for_turns`, enough for all rounds on the
    sheet; otherwise all players share one throw per round. `numbers` are those for the five-throw sheet."""

    variants = (ONE_BY_ONE, ALL_TOGETHER, FIVE_THROWS, LAST_DIE, TOURNAMENT)
    fates: Mapping[str, str] = {
        SCORES: "scores points for a player",
        DECIDES: "without its points, another player would have led",
    }

    def __init__(self, game: Game, deck: Deck, players: int, variant: str) -> None:
        super().__init__(game, deck, players, variant)
        if players < 2 and variant in (LAST_DIE, TOURNAMENT):
            raise fault(f"the variant “{variant}” is for two or more players", hint="add --players 2")
        self.throws = strip(game, parse(deck.code)).throws if deck.code and deck.field == STRIP_PART else ()
        sheet_rounds = game.sheets[ONE_BY_ONE].definition.fields["rounds"].repeat or 1
        self.has_throws_for_turns = not self.throws or len(self.throws) >= sheet_rounds * players
        self.dice = faces_of(deck.dress(game).components[DICE_PART].cards)
        own_language = language(game, parse(deck.code)) if deck.code else ""
        self.words = list_in(game, own_language)
        self.numbers: Mapping[str, Any] = game.rules["five_throws"]
        pieces = {FIVE_THROWS: self.numbers["lines"], TOURNAMENT: GAMES, LAST_DIE: ()}.get(variant, PIECES)
        self.pieces = dict.fromkeys(pieces, (SCORES, DECIDES))
        self.word_rules = WordRules(Dice(self.dice), game.rules)
        counts = range(self.numbers["rethrow"] + 1 if variant == FIVE_THROWS else 0)
        self.rethrows = [dice for count in counts for dice in combinations(range(len(self.dice)), count)]
        if variant in (LAST_DIE, TOURNAMENT):
            numbers = game.rules["last_die"]
            words = list_in(game, own_language, numbers["words"])
            self.letter_settings = Settings(
                Dice(self.dice), numbers["complete"], numbers["wildcards_from"], words, answers=self.words
            )
            self.answer = lru_cache(1 << 14)(self.letter_settings.answer)
            self.exits = lru_cache(1 << 12)(self._exits)
        if variant == LAST_DIE:
            self.points_are, self.counts, self.fates = "rounds won", ("letters", "doubts"), {}

    @classmethod
    def variants_with(cls, game: Game, deck: Deck) -> tuple[str, ...]:
        """The variants whose sheets can name the code: only games 1 and 2 for a strip, and no tournament for dice."""
        return cls.variants[: (2 if deck.field == STRIP_PART else -1) if deck.code else None]

    def _exits(self, spelling: str) -> int:
        """How many letters can follow so that they begin a word and do not complete one."""
        longer = (spelling + letter for letter in ALPHABET)
        return sum(self.answer(word) != "" and not self.letter_settings.is_complete(word) for word in longer)

    def layable(self, throw: Throw) -> Layable:
        """Every word that the throw can lay."""
        return Layable(throw, self.words, self.game.rules)

    def head(self, names: Sequence[str]) -> Sheet:
        """The beginning of a sheet."""
        code = {self.deck.field: self.deck.code} if self.deck.code else {}
        return {"game": self.game.key, **code, "mode": self.variant, "players": list(names)}

    def begin_game(self, name: str, chance: Chance) -> RoundsGame | LastDieGame:
        """One of the three games, by itself or in a tournament."""
        target = target_of(self.game.rules, name, self.players, self.variant == TOURNAMENT)
        return LastDieGame(self, chance, target) if name == LAST_DIE else RoundsGame(self, chance, name, target)

    def begin(self, chance: Chance, keep: bool = False) -> SimulatedGame[Any]:
        if self.variant == FIVE_THROWS:
            return FiveThrowGame(self, chance)
        return TournamentGame(self, chance) if self.variant == TOURNAMENT else self.begin_game(self.variant, chance)


SIMULATION: type[Simulation] = RollingCubesSimulation
