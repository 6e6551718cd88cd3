"""The five-throw sheet at the table: a throw, some dice thrown again, and a word or a zero in one of the open lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, combinations
from typing import Any, NamedTuple

from ...codes.chance import Chance
from ...definitions.models import Card, Game
from ..simulation import FinishedGame, Sheet, SimulatedGame
from . import search
from .dice import Throw, dice_made
from .five_throws import Combination, FiveThrows
from .played import Laid
from .search import Found, Layable
from .tiles import WILDCARDS
from .wordlist import WordList

LOOKED_AT = 100
"""Of the best words of a throw so many are tried for each line."""


class Again(NamedTuple):
    """The numbers of the dice that are thrown again."""

    dice: tuple[int, ...]


class Filling(NamedTuple):
    """What goes into a line: a word that is what it asks for, or a zero."""

    line: str
    found: Found | None


class Fillings(Sequence[Filling]):
    """Every word in every open line; one that is not what the line asks for is written down as the zero it is worth."""

    def __init__(self, sitting: Fivefold, layable: Layable) -> None:
        self.sitting, self.layable = sitting, layable

    def __len__(self) -> int:
        return len(self.sitting.open) * (len(self.layable) or 1)

    def __getitem__(self, number: Any) -> Any:
        line, word = divmod(number, len(self.layable) or 1)
        name = self.sitting.open[line]
        found = self.layable[word] if len(self.layable) else None
        return Filling(name, found if found and self.sitting.worth(name, found) else None)


class Fivefold(SimulatedGame[Again | Filling]):
    """One game: every player in turn fills a line, until all have filled theirs."""

    __slots__ = ("_rethrown", "_shown", "_throw", "filled", "named", "seats")

    def __init__(self, seats: FiveThrown, chance: Chance, named: Mapping[str, str]) -> None:
        super().__init__(chance)
        self.seats, self.named = seats, named
        self.seat = -1
        self.filled: list[dict[str, Combination]] = [{} for _ in range(seats.players)]
        self._shown: list[str] = []
        self._throw: Throw | None = None
        self._rethrown = 0

    @property
    def open(self) -> list[str]:
        """The lines that the player has still to fill."""
        return [name for name in self.seats.lines if name not in self.filled[self.seat]]

    def choices(self) -> Sequence[Again | Filling]:
        if self._throw is None:
            self.seat = (self.seat + 1) % len(self.filled)
            if not self.open:
                return ()
            self._shown = [self.chance.choice(die.faces) for die in self.seats.dice]
            return self.seats.again
        return Fillings(self, Layable(self._throw, self.seats.words, self.seats.rules))

    def do(self, move: Again | Filling) -> None:
        if isinstance(move, Again):
            for die in move.dice:
                self._shown[die] = self.chance.choice(self.seats.dice[die].faces)
            self._rethrown, self._throw = len(move.dice), self._thrown()
        else:
            self.filled[self.seat][move.line] = self._line(move.line, move.found)
            self._throw = None

    def _thrown(self) -> Throw:
        letters: dict[str, str] = {}
        for die, face in zip(self.seats.dice, self._shown, strict=True):
            letters[die.colour] = letters.get(die.colour, "") + face
        return Throw(letters)

    def _line(self, name: str, found: Found | None) -> Combination:
        if not found:
            return Combination("", self.seat, name, zero=True)
        word = Laid("", self.seat, found.tiles, found.word, self._throw, (), False, False)
        return Combination("", self.seat, name, word, False, self._rethrown)

    def worth(self, name: str, found: Found) -> int:
        """What a word brings in a line."""
        return self.seats.paper.points_of(self._line(name, found))

    # ---- what a move is worth ----------------------------------------------------------------------------------------

    def gain(self, move: Again | Filling) -> int:
        """The points of the word; dice thrown again cost theirs, whatever they may bring later."""
        if isinstance(move, Again):
            return -self.seats.penalty * len(move.dice)
        return self.worth(move.line, move.found) if move.found else 0

    def best(self, choices: Sequence[Again | Filling]) -> Sequence[Again | Filling]:
        if not isinstance(choices, Fillings):
            return super().best(choices)
        assert self._throw
        bare = Throw({colour: "".join(face for face in faces if face not in WILDCARDS)
                      for colour, faces in self._throw.letters.items()})
        words = self._words(self._throw)
        plain = self._words(bare) if "no-wildcards" in self.open else []
        return super().best([self._best(name, plain if name == "no-wildcards" else words) for name in self.open])

    def _words(self, throw: Throw) -> list[Found]:
        return search.best(throw, self.seats.words, self.seats.rules, LOOKED_AT)

    def _best(self, line: str, words: Sequence[Found]) -> Filling:
        """The best word for a line, of these, the best first."""
        best, most = None, 0
        for found in words:
            if found.points.total - self.seats.penalty * self._rethrown <= most:
                break
            if self._may_meet(line, found.tiles) and (points := self.worth(line, found)) > most:
                best, most = found, points
        return Filling(line, best)

    def _may_meet(self, line: str, laid: str) -> bool:
        """Whether there can be so many dice of one colour in the word, however its tiles were chosen."""
        asked = self.seats.asked.get(line, ())
        assert self._throw
        most = sorted((sum(min(laid.count(face), faces.count(face)) for face in set(faces))
                       for faces in self._throw.letters.values()), reverse=True)
        return all(count >= least for count, least in zip(most, asked, strict=False))

    def unspoilt(self, choices: Sequence[Again | Filling]) -> Sequence[Again | Filling]:
        """A line that is filled is filled; nobody looks ahead."""
        return choices

    # ---- the end -----------------------------------------------------------------------------------------------------

    def played(self) -> FinishedGame:
        worth = [{name: self.seats.paper.points_of(line) for name, line in lines.items()} for lines in self.filled]
        totals = tuple(sum(lines.values()) for lines in worth)
        winners = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
        fates = tuple(chain.from_iterable(
            _fates(name, points, totals, seat) for seat, lines in enumerate(worth) for name, points in lines.items()))
        return FinishedGame(len(self.filled[0]), totals, winners, fates)

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        lines = {name: {line: _typed(one) for line, one in filled.items()}
                 for name, filled in zip(names, self.filled, strict=True)}
        return [{"game": self.seats.game.key, **self.named, "mode": "five-throws", "players": list(names),
                 "lines": lines}]


SCORES, DECIDES = "scores", "decides"


def _fates(line: str, points: int, totals: tuple[int, ...], seat: int) -> list[tuple[str, str]]:
    """What became of a line of one player."""
    others = [total for rival, total in enumerate(totals) if rival != seat]
    decides = points and totals[seat] == max(totals) and totals[seat] - points < max(others, default=0)
    return [(line, ""), *([(line, SCORES)] if points else []), *([(line, DECIDES)] if decides else [])]


def _typed(line: Combination) -> Mapping[str, Any] | int:
    if not line.word or not line.word.throw:
        return 0
    return {"throw": dict(line.word.throw.letters), "tiles": line.word.tiles, "word": line.word.word,
            "rethrown": line.rethrown}


class FiveThrown:
    """What every game with the five-throw sheet is played with."""

    def __init__(self, game: Game, dice: Sequence[Card], words: WordList, players: int) -> None:
        self.game, self.rules, self.words, self.players = game, game.rules, words, players
        asks = game.rules["five_throws"]
        self.lines: tuple[str, ...] = tuple(asks["lines"])
        self.penalty = int(asks["penalty"])
        self.asked = {"trio": (asks["trio"],), "full-house": asks["full_house"], "poker": (asks["poker"],)}
        self.dice = [die for die in dice for _ in range(die.copies)]
        self.again = [Again(some) for count in range(asks["rethrow"] + 1)
                      for some in combinations(range(len(self.dice)), count)]
        self.paper = FiveThrows.__new__(FiveThrows)
        vars(self.paper).update(rules=game.rules, dice=dice_made(self.dice), players=tuple(range(players)))
