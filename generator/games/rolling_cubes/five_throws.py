"""The five-throw sheet: every player's five lines."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ...rules.book import Violation
from ...rules.results import Line, Part
from .dice import Throw
from .play import Combination, LineRules
from .rules import CLAIMED_LINE, LINE_MET, RETHROWN
from .score import word_parts
from .sheet import Outcome, WordSheet
from .words import Word

_LACKS = {"no-wildcards": "a wildcard in it", "trio": "fewer than {trio} dice of one colour",
          "full-house": "no {full_house[0]} dice of one colour and {full_house[1]} of another",
          "poker": "fewer than {poker} dice of one colour", "double": "no two letter dice that show the same"}
"""What a word that is not what its line asks for has instead, by the names of the lines."""


class FiveThrows(WordSheet):
    """A five-throw sheet."""

    @cached_property
    def line_rules(self) -> LineRules:
        return LineRules(self.word_rules)

    @cached_property
    def combinations(self) -> tuple[Combination, ...]:
        """The five lines of every player, in the order of the sheet."""
        names = self.rules["five_throws"]["lines"]
        return tuple(self._combination(player, name) for player in self.players for name in names)

    def _combination(self, player: int, name: str) -> Combination:
        where = f"lines.{player}.{name}"
        if self.is_nothing(where):
            return Combination(where, player, name, zero=True)
        word = self.word(where, player)
        zero = word is None and self.sheet.number(f"{where}.claimed") == 0
        return Combination(where, player, name, word, zero, self.sheet.number(f"{where}.rethrown") or 0)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return tuple(line.word for line in self.combinations if line.word)

    @cached_property
    def throws(self) -> tuple[tuple[str, Throw], ...]:
        return tuple((f"{word.id}.throw", word.throw) for word in self.words if word.throw)

    # ---- the score ---------------------------------------------------------------------------------------------------

    def score_lines(self, player: int) -> Iterator[Line]:
        for line in self.combinations:
            if line.player == player:
                yield Line(line.label, self.line_rules.points(line))

    def line_parts(self, player: int) -> Iterator[list[Part]]:
        return (self._parts(line) for line in self.combinations if line.player == player)

    def _parts(self, line: Combination) -> list[Part]:
        numbers, points = self.line_rules.numbers, self.line_rules.points(line)
        if not line.word:
            return [Part("a zero taken on purpose" if line.zero else "still open", 0)]
        if not self.line_rules.meets(line):
            return [Part(f"{line.word.quoted} is not what the line asks for", points)]
        parts = list(word_parts(line.word, self.line_rules.counts_purple(line), self.rules["scoring"]))
        if line.rethrown > 0:
            dice = f"{line.rethrown} dice" if line.rethrown > 1 else "1 die"
            parts.append(Part(f"{dice} thrown again", -int(numbers["penalty"]) * line.rethrown))
        short = points - sum(part.points for part in parts)
        return [*parts, Part(f"a line never brings less than {numbers['least']}", short)] if short else parts

    def inner_sums(self) -> Iterator[tuple[str, int]]:
        return ((f"{line.id}.claimed", self.line_rules.points(line)) for line in self.combinations if line.filled)

    @property
    def outcome(self) -> Outcome:
        still = [line for line in self.combinations if not line.filled]
        if still:
            more = f" (and {len(still) - 1} more)" if len(still) > 1 else ""
            return Outcome(remark=f"The game is not over: {self.name(still[0].player)}'s line “{still[0].label}” is "
                                  f"open{more}.")
        totals = {player: self.total(player) for player in self.players}
        best = max(totals.values(), default=0)
        return Outcome(tuple(player for player, total in totals.items() if total == best),
                       "" if totals else "The game is not over: nobody has begun.")

    # ---- the rules ---------------------------------------------------------------------------------------------------

    def violations(self) -> Iterator[Violation]:
        yield from super().violations()
        numbers = self.line_rules.numbers
        for line in self.combinations:
            word = line.word
            if word and word.tiles and not self.line_rules.meets(line):
                lack = _LACKS[line.name].format(**numbers)
                yield LINE_MET(line.id, f"{word.tiles} has {lack}, so it scores 0 in the line “{line.label}”")
            if not 0 <= line.rethrown <= numbers["rethrow"]:
                yield RETHROWN(f"{line.id}.rethrown", f"{line.rethrown} dice are thrown again for the {line.label}, "
                                                      f"but 0 to {numbers['rethrow']} may be")
            claimed = self.sheet.number(f"{line.id}.claimed")
            if claimed is not None and claimed != (points := self.line_rules.points(line)):
                yield CLAIMED_LINE(f"{line.id}.claimed",
                                   f"{self.name(line.player)} claims {claimed}, but the {line.label} brings {points}")
