"""The five-throw sheet: every player's five lines, and whether a word is what its line asks for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

from ...rules.kept import kept
from ...rules.results import Line
from . import tiles
from .dice import PURPLE, Lying, Throw
from .played import Laid, Outcome, Played
from .points import points


@dataclass(frozen=True, slots=True)
class Combination:
    """One line of a player. `word` is None for a line that is open, or a zero taken on purpose (`zero`)."""

    id: str
    player: int
    name: str
    word: Laid | None = None
    zero: bool = False
    rethrown: int = 0

    @property
    def filled(self) -> bool:
        return self.zero or self.word is not None

    @property
    def label(self) -> str:
        return self.name.replace("-", " ")


class FiveThrows(Played):
    """A five-throw sheet."""

    @kept
    def combinations(self) -> tuple[Combination, ...]:
        """The five lines of every player, in the order of the sheet."""
        names = self.rules["five_throws"]["lines"]
        return tuple(self._line(player, name) for player in self.players for name in names)

    @kept
    def words(self) -> tuple[Laid, ...]:
        """Every word on the sheet."""
        return tuple(line.word for line in self.combinations if line.word)

    @kept
    def throws(self) -> tuple[tuple[str, Throw], ...]:
        """Every throw with its place."""
        return tuple((f"{word.id}.throw", word.throw) for word in self.words if word.throw)

    def _line(self, player: int, name: str) -> Combination:
        where = f"lines.{player}.{name}"
        if self.is_nothing(where):
            return Combination(where, player, name, zero=True)
        word = self.laid(where, player)
        zero = word is None and self.sheet.number(f"{where}.claimed") == 0
        return Combination(where, player, name, word, zero, self.sheet.number(f"{where}.rethrown") or 0)

    def lines_of(self, player: int) -> Iterator[Line]:
        for line in self.combinations:
            if line.player == player:
                yield Line(line.label, self.points_of(line))

    @property
    def outcome(self) -> Outcome:
        still = [line for line in self.combinations if not line.filled]
        if not still:
            return Outcome(self.leaders(), "" if self.players else "The game is not over: nobody has begun.")
        more = f" (and {len(still) - 1} more)" if len(still) > 1 else ""
        return Outcome(remark=f"The game is not over: {self.name(still[0].player)}'s line “{still[0].label}” is "
                              f"open{more}.")

    def leaders(self) -> tuple[int, ...]:
        """When every line of every player is filled the most points win; players who share them win together."""
        best = max(map(self.total, self.players), default=0)
        return tuple(player for player in self.players if self.total(player) == best)

    # ---- what a line asks for ------------------------------------------------------------------------------------

    def meets(self, line: Combination) -> bool:
        """Whether the word is what its line asks for, by the best choice of dice. Tiles that cannot have been laid at
        all are another matter, and not held against the line."""
        return self._best(line)[0]

    def counts_purple(self, line: Combination) -> bool:
        """Whether the purple die is in the word, by the choice of dice that scores best."""
        assert line.word
        known = line.word.throw or line.word.colours
        return self._best(line)[1] if known else line.word.purple_ticked

    def _best(self, line: Combination) -> tuple[bool, bool]:
        """Whether the line is met, and whether the purple die can be in a word that meets it."""
        assert line.word
        ways = [(self._asked(line, lying), any(PURPLE in colours for colours in lying.values()))
                for lying in self._ways(line)]
        return max(ways, default=(True, self.uses_purple(line.word)))

    def _ways(self, line: Combination) -> Iterator[Lying]:
        return self.lyings(line.word) if line.word and line.word.tiles else iter(())

    def _asked(self, line: Combination, lying: Lying) -> bool:
        asks = self.rules["five_throws"]
        laid = line.word.tiles if line.word else ""
        if line.name == "no-wildcards":
            return not set(laid) & set(tiles.WILDCARDS)
        if line.name == "double":
            return max(Counter(tiles.letters(laid)).values(), default=0) >= int(asks["double"])
        wanted = asks["full_house"] if line.name == "full-house" else (asks[line.name],)
        counts = Counter(colour for colours in lying.values() for colour in colours).values()
        return any(all(count >= least for count, least in zip(some, wanted, strict=True))
                   for some in permutations(counts, len(wanted)))

    def points_of(self, line: Combination) -> int:
        """A line brings the points of its word, without a round's bonus, less 1 for each die thrown again, but never
        less than 0. A word that is not what the line asks for brings 0; so does a zero taken on purpose. Of several
        dice that show the same letter those that score best are taken."""
        asks = self.rules["five_throws"]
        if not line.word:
            return 0
        if not self.meets(line):
            return int(asks["no_match"])
        worth = points(line.word.tiles, self.counts_purple(line), self.rules["scoring"]).total
        return max(int(asks["least"]), worth - int(asks["penalty"]) * max(line.rethrown, 0))
