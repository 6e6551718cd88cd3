"""Sheets of games 1 and 2, round by round: who plays, what the words are worth, and when it is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ...rules.book import Violation
from ...rules.results import Line, Part
from ..turns import listed
from .dice import Throw
from .play import RoundRules, Standing
from .rules import AFTER_THE_END, CLAIMED_ROUND, EVERYBODY_PLAYS, PLAY_OFF, STRIP
from .score import word_parts
from .sheet import Outcome, WordSheet
from .words import Word


@dataclass(frozen=True, slots=True)
class Round:
    """One round as it stands on the sheet, and the standing before it.

    `words` are all that were written, `points` what they are worth (a player without a word has 0) and `bonus` what the
    best of them earn; the latter two hold only players who play in it. `missing` have neither a word nor a 0 yet."""

    id: str
    before: Standing
    words: Mapping[int, Word]
    points: Mapping[int, int]
    bonus: Mapping[int, int]
    missing: tuple[int, ...]
    full: bool

    @property
    def label(self) -> str:
        return f"round {self.id.rpartition('.')[2]}"

    def brings(self, player: int) -> int:
        return self.points.get(player, 0) + self.bonus.get(player, 0)

    def has_line(self, player: int) -> bool:
        """Whether the player's word counts, or the lack of it."""
        return player in self.points and (player not in self.missing or self.full)


class Rounds(WordSheet):
    """A sheet of game 1 or game 2."""

    @cached_property
    def target(self) -> int:
        targets = self.rules["tournament"]["targets"] if self.sheet.ticked("tournament") else self.rules["targets"]
        return int(targets[self.sheet.sheet.name])

    @property
    def rounds(self) -> tuple[Round, ...]:
        return self._played[0]

    @property
    def standing(self) -> Standing:
        """How the game stands after the last round."""
        return self._played[1]

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return tuple(word for each in self.rounds for word in each.words.values())

    @cached_property
    def throws(self) -> tuple[tuple[str, Throw], ...]:
        """Each player's own throws in game 1, one for all in game 2."""
        names = (*(f"{each.id}.throw" for each in self.rounds), *(f"{word.id}.throw" for word in self.words))
        return tuple((name, throw) for name in names if (throw := self.throw(name)))

    @cached_property
    def _played(self) -> tuple[tuple[Round, ...], Standing]:
        rules = RoundRules(self.players, self.target, self.rules)
        standing = rules.start
        rounds: list[Round] = []
        entries = self.sheet.entries.get("rounds", ())
        for entry in entries:
            each = self._round(entry, standing, rules, entry == entries[-1])
            rounds.append(each)
            standing = rules.after(standing, each.points, each.bonus, full=each.full)
        return tuple(rounds), standing

    def _round(self, entry: str, before: Standing, rules: RoundRules, last: bool) -> Round:
        throw = self.throw(f"{entry}.throw")
        zeros = [player for player in self.players if self._is_zero(entry, player)]
        words = {player: word for player in self.players if player not in zeros
                 and (word := self.word(f"{entry}.words.{player}", player, throw))}
        playing = () if before.won else before.still
        missing = tuple(player for player in playing if player not in words and player not in zeros)
        full = not missing or not last
        points = {player: self.word_rules.points(words[player]).total if player in words else 0 for player in playing}
        return Round(entry, before, words, points, rules.bonus(points, before) if full else {}, missing, full)

    def _is_zero(self, entry: str, player: int) -> bool:
        """Whether the sheet says that a player had no word: a 0 in its place, or 0 points and nothing else."""
        name = f"{entry}.words.{player}"
        return self.is_nothing(name) or (self.sheet.marks.get(f"{entry}.claimed.{player}") == 0
                                         and name not in self.sheet.entries.get(f"{entry}.words", ()))

    # ---- the score ---------------------------------------------------------------------------------------------------

    def score_lines(self, player: int) -> Iterator[Line]:
        for each in self.rounds:
            if each.has_line(player):
                yield Line(each.label, each.points[player])
            if player in each.bonus:
                yield Line(f"{each.label} bonus", each.bonus[player])

    def line_parts(self, player: int) -> Iterator[list[Part]]:
        for each in self.rounds:
            if each.has_line(player):
                word = each.words.get(player)
                yield list(word_parts(word, self.word_rules.uses_purple(word), self.rules["scoring"])) if word else [
                    Part("no word", 0)]
            if player in each.bonus:
                others = [self.name(other) for other in each.bonus if other != player]
                shared = f", shared with {listed(others)}" if others else ""
                yield [Part(f"best word of the round with {each.points[player]}{shared}", each.bonus[player])]

    def inner_sums(self) -> Iterator[tuple[str, int]]:
        return ((f"{each.id}.claimed.{player}", each.brings(player)) for each in self.rounds for player in each.points)

    @property
    def outcome(self) -> Outcome:
        standing = self.standing
        last = self.rounds[-1] if self.rounds else None
        if standing.won:
            return Outcome(standing.still)
        if last and not last.full:
            going = listed([self.name(player) for player in last.missing])
            has = "has" if len(last.missing) == 1 else "have"
            return Outcome(remark=f"The game is not over: {going} {has} still to play {last.label}.")
        if standing.play_off:
            names = listed([self.name(player) for player in standing.still])
            best = max(standing.totals.values())
            return Outcome(remark=f"The game is not over: {names} share the lead with {best} points and play on.")
        return Outcome(remark=f"The game is not over: nobody has {self.target} points yet.")

    # ---- the rules ---------------------------------------------------------------------------------------------------

    def violations(self) -> Iterator[Violation]:
        yield from super().violations()
        if self.named.strip:
            yield from _strip_violations(self, self.named.strip.throws)
        late = next((each for each in self.rounds if each.before.won), None)
        if late:
            yield AFTER_THE_END(late.id, f"the game is won before {late.label}")
        for each in self.rounds:
            yield from self._round_violations(each)

    def _round_violations(self, each: Round) -> Iterator[Violation]:
        """Players who do not play although they must, who play although they must not, and claimed points."""
        for player in each.missing if each.full else ():
            yield EVERYBODY_PLAYS(f"{each.id}.words",
                                  f"{self.name(player)} has neither a word nor a 0 in {each.label}")
        if each.before.play_off and not each.before.won:
            for player, word in each.words.items():
                if player not in each.before.still:
                    yield PLAY_OFF(word.id, f"{self.name(player)} plays in {each.label}, but only those who share the "
                                            "lead do")
        for player in self.players:
            where = f"{each.id}.claimed.{player}"
            claimed = self.sheet.number(where)
            if claimed is not None and claimed != each.brings(player):
                yield CLAIMED_ROUND(where, f"{self.name(player)} claims {claimed}, but {each.label} brings "
                                           f"{each.brings(player)}")


# ---- a game that was played with a throw strip ----------------------------------------------------------------------

class UsedThrow(NamedTuple):
    """A throw on the sheet: its place, the number of its round, and the number of the turn it was used in, all players'
    turns counted on; both from 1."""

    where: str
    throw: Throw
    round: int
    turn: int


def _strip_violations(sheet: Rounds, strip: Sequence[Throw]) -> Iterator[Violation]:
    """Throws that are not those of the strip, by the way of counting them that leaves fewer."""
    used = tuple(_used_throws(sheet))
    ways = [[(each, each.round) for each in used], [(each, each.turn) for each in used]]
    yield from min((list(_strange_throws(strip, way)) for way in ways), key=len)


def _strange_throws(strip: Sequence[Throw], used: Sequence[tuple[UsedThrow, int]]) -> Iterator[Violation]:
    """The throws that are not those of the strip, each with the number it should have."""
    for each, number in used:
        if number > len(strip):
            yield STRIP(each.where, f"the strip has only {len(strip)} throws, and this would be number {number}")
        elif not each.throw.equals(strip[number - 1]):
            yield STRIP(each.where, f"this is not throw {number} of the strip, which shows {strip[number - 1]}")


def _used_throws(sheet: Rounds) -> Iterator[UsedThrow]:
    turn = 0
    for number, each in enumerate(sheet.rounds, 1):
        shared = sheet.throw(f"{each.id}.throw")
        if shared:
            yield UsedThrow(f"{each.id}.throw", shared, number, number)
        for player in each.points:
            turn += 1
            word = each.words.get(player)
            own = sheet.throw(f"{word.id}.throw") if word else None
            if word and own:
                yield UsedThrow(f"{word.id}.throw", own, number, number if shared else turn)
