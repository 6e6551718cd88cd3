"""Rolling Cubes at the table: games 1 and 2 with the throws, the words that can be laid, and the sheet at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ...codes import parse
from ...codes.chance import Chance
from ...definitions.models import Game
from ..deck import Deck
from ..simulation import FinishedGame, Sheet, SimulatedGame, Simulation
from . import search
from .deal import DICE_PART, STRIP_PART, strip
from .dice import Throw
from .five_seats import DECIDES, SCORES, Fivefold, FiveThrown
from .rounds import Round, Rounds, Standing
from .search import Found, Layable
from .wordlist import bundled

ONE_BY_ONE, ALL_TOGETHER, FIVE_THROWS = "one-by-one", "all-together", "five-throws"
PIECES = ("wildcards", "repeats", "purple", "round bonus")
MOST_ROUNDS = 20
"""A game of more rounds is given up: players who find the best words of one throw for all tie for ever."""

ALIKE = 20
"""Of the best words so many at most are chosen from."""


class Word:
    """A word one may choose, or none where the throw can lay none."""

    __slots__ = ("found", "throw")

    def __init__(self, throw: Throw, found: Found | None) -> None:
        self.throw, self.found = throw, found

    @property
    def points(self) -> int:
        return self.found.points.total if self.found else 0


class Words(Sequence[Word]):
    """The words one may choose with a throw."""

    def __init__(self, throw: Throw, layable: Layable) -> None:
        self.throw, self.layable = throw, layable

    def __len__(self) -> int:
        return len(self.layable) or 1

    def __getitem__(self, number: Any) -> Any:
        return Word(self.throw, self.layable[number] if len(self.layable) else None)


class Throwing(SimulatedGame[Word]):
    """One game, round by round; the players of a round one after the other."""

    __slots__ = ("_throw", "_throws", "_waiting", "_words", "made", "parts", "rounds", "seats", "standing", "words")

    def __init__(self, seats: Rolling, chance: Chance) -> None:
        super().__init__(chance)
        self.seats = seats
        self.standing = seats.paper.after_none
        self.rounds: list[tuple[Throw, dict[int, Word]]] = []
        self.parts: Counter[tuple[int, str]] = Counter()
        self._waiting: list[int] = []
        self._throw = Throw({})
        self._words = Words(self._throw, seats.layable(self._throw))
        self._throws = 0

    def choices(self) -> Sequence[Word]:
        if not self._waiting:
            if self.standing.won or not self._are_left():
                return ()
            self._waiting = list(self.standing.still)
            self._throw = self._thrown()
            self.rounds.append((self._throw, {}))
        elif self.seats.by_turns:
            self._throw = self._thrown()
        self.seat = self._waiting[0]
        if self._words.throw is not self._throw:
            self._words = Words(self._throw, self.seats.layable(self._throw))
        return self._words

    def _are_left(self) -> bool:
        """Whether the strip has throws enough for another round."""
        wanted = len(self.standing.still) if self.seats.by_turns else 1
        return not self.seats.throws or self._throws + wanted <= len(self.seats.throws)

    def _thrown(self) -> Throw:
        self._throws += 1
        if self.seats.throws:
            return self.seats.throws[self._throws - 1]
        shown: dict[str, str] = {}
        for colour, faces in self.seats.dice:
            shown[colour] = shown.get(colour, "") + self.chance.choice(faces)
        return Throw(shown)

    def do(self, move: Word) -> None:
        seat = self._waiting.pop(0)
        self.rounds[-1][1][seat] = move
        if move.found:
            for part in PIECES[:3]:
                self.parts[seat, part] += getattr(move.found.points, part)
        if not self._waiting:
            self._end_round()

    def _end_round(self) -> None:
        words, paper = self.rounds[-1][1], self.seats.paper
        points = {seat: word.points for seat, word in words.items()}
        bonus = paper.bonus(points, self.standing)
        for seat, more in bonus.items():
            self.parts[seat, "round bonus"] += more
        self.standing = paper.after(Round("", self.standing, {}, points, bonus, (), True))

    def gain(self, move: Word) -> int:
        return move.points

    def best(self, choices: Sequence[Word]) -> Sequence[Word]:
        if not isinstance(choices, Words):
            return super().best(choices)
        found = search.best(choices.throw, self.seats.words, self.seats.game.rules, ALIKE)
        return [Word(choices.throw, one) for one in found if one.points.total == found[0].points.total] or choices

    def unspoilt(self, choices: Sequence[Word]) -> Sequence[Word]:
        """No word spoils another."""
        return choices

    def played(self) -> FinishedGame:
        totals = tuple(self.standing.totals.values())
        winners = self.standing.still if self.standing.won else ()
        return FinishedGame(len(self.rounds), totals, winners, tuple(self._fates(totals, winners)), self.standing.won)

    def _fates(self, totals: tuple[int, ...], winners: tuple[int, ...]) -> list[tuple[str, str]]:
        found = []
        for seat, total in enumerate(totals):
            for piece in PIECES:
                points = self.parts[seat, piece]
                found.append((piece, ""))
                if points:
                    found.append((piece, SCORES))
                others = [other for rival, other in enumerate(totals) if rival != seat]
                if points and seat in winners and total - points < max(others, default=0):
                    found.append((piece, DECIDES))
        return found

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        rounds = [self._typed(throw, {names[seat]: word for seat, word in words.items()})
                  for throw, words in self.rounds]
        return [{"game": self.seats.game.key, **self.seats.named, "mode": self.seats.variant,
                 "players": list(names), "rounds": rounds,
                 "claimed": dict(zip(names, self.standing.totals.values(), strict=True))}]

    def _typed(self, throw: Throw, words: Mapping[str, Word]) -> dict[str, Any]:
        if self.seats.variant == ONE_BY_ONE:
            return {"words": {name: {"throw": dict(word.throw.letters), **_laid(word.found)} if word.found else 0
                              for name, word in words.items()}}
        return {"throw": dict(throw.letters),
                "words": {name: _laid(word.found) if word.found else 0 for name, word in words.items()}}


def _laid(found: Found) -> dict[str, str]:
    return {"tiles": found.tiles, "word": found.word}


class Paper(Rounds):
    """What a sheet of games 1 and 2 says of rounds, without a sheet."""

    @property
    def after_none(self) -> Standing:
        return Standing(dict.fromkeys(self.players, 0), self.players)


class Rolling(Simulation):
    """The dice or a throw strip, and the word list. A word is chosen from all that can be laid, as if the players knew
    the list.

    In game 1 a strip that has throws enough for as many rounds as the sheet has is used up turn by turn; otherwise
    everybody has the throw with the number of the round."""

    variants = (ONE_BY_ONE, ALL_TOGETHER, FIVE_THROWS)
    fates: Mapping[str, str] = {SCORES: "brings a player points", DECIDES: "without its points another would have led"}

    def __init__(self, game: Game, deck: Deck, players: int, variant: str) -> None:
        super().__init__(game, deck, players, variant)
        self.longest = MOST_ROUNDS * players
        self.throws = strip(game, parse(deck.code)).throws if deck.code and deck.field == STRIP_PART else ()
        self.named = {deck.field: deck.code} if deck.code else {}
        sheet_rounds = game.sheets[ONE_BY_ONE].definition.fields["rounds"].repeat or 1
        self.by_turns = variant == ONE_BY_ONE and (not self.throws or len(self.throws) >= sheet_rounds * players)
        cards = deck.dress(game).components[DICE_PART].cards
        self.dice = [(die.colour, tuple(die.faces)) for die in cards for _ in range(die.copies)]
        self.words = bundled(game.folder / game.rules["words"]["all"])
        self.five = FiveThrown(game, cards, self.words, players) if variant == FIVE_THROWS else None
        self.pieces = dict.fromkeys(self.five.lines if self.five else PIECES, (SCORES, DECIDES))
        self.paper = Paper.__new__(Paper)
        vars(self.paper).update(players=tuple(range(players)), rules=game.rules, mode=variant,
                                target=int(game.rules["targets"].get(variant, 0)))

    @classmethod
    def variants_with(cls, game: Game, deck: Deck) -> tuple[str, ...]:
        """The five-throw sheet names no strip."""
        return cls.variants[:2] if deck.code and deck.field == STRIP_PART else cls.variants

    def layable(self, throw: Throw) -> Layable:
        """Every word that a throw can lay."""
        return Layable(throw, self.words, self.game.rules)

    def begin(self, chance: Chance, keep: bool = False) -> Throwing | Fivefold:
        return Fivefold(self.five, chance, self.named) if self.five else Throwing(self, chance)


SEATS = Rolling
