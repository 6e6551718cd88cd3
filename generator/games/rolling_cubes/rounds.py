"""Games 1 and 2, round by round: who plays, what the words are worth, who is best, and when it is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...rules.kept import kept
from ...rules.results import Line
from .dice import Throw
from .played import Laid, Outcome, Played, listed


@dataclass(frozen=True, slots=True)
class Standing:
    """How the game stands after some rounds. `still` can win: everybody, in a play-off those who share the best total,
    and in the end the winner alone."""

    totals: Mapping[int, int]
    still: tuple[int, ...]
    play_off: bool = False
    won: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """One round as it stands on the sheet, and the standing before it.

    `words` are all that were written, `points` what they are worth (a player without a word has 0) and `bonus` what the
    best of them earn; the latter two hold only players who play in it. `missing` have neither a word nor a 0 yet."""

    id: str
    before: Standing
    words: Mapping[int, Laid]
    points: Mapping[int, int]
    bonus: Mapping[int, int]
    missing: tuple[int, ...]
    full: bool

    @property
    def label(self) -> str:
        return f"round {self.id.rpartition('.')[2]}"

    def of(self, player: int) -> int:
        """What the round brings a player."""
        return self.points.get(player, 0) + self.bonus.get(player, 0)


class Rounds(Played):
    """A sheet of game 1 or game 2."""

    @kept
    def target(self) -> int:
        targets = self.rules["tournament"]["targets"] if self.sheet.ticked("tournament") else self.rules["targets"]
        return int(targets[self.mode])

    @kept
    def rounds(self) -> tuple[Round, ...]:
        return self._played[0]

    @kept
    def standing(self) -> Standing:
        """How the game stands after the last round."""
        return self._played[1]

    @kept
    def words(self) -> tuple[Laid, ...]:
        """Every word on the sheet."""
        return tuple(word for each in self.rounds for word in each.words.values())

    @kept
    def throws(self) -> tuple[tuple[str, Throw], ...]:
        """Every throw with its place: each player's own in game 1, one for all in game 2."""
        shared = ((f"{each.id}.throw", self.throw(f"{each.id}.throw")) for each in self.rounds)
        own = ((f"{word.id}.throw", self.throw(f"{word.id}.throw")) for word in self.words)
        return tuple((name, throw) for name, throw in (*shared, *own) if throw)

    @property
    def late_rounds(self) -> list[Round]:
        """The rounds after somebody has won."""
        return [each for each in self.rounds if each.before.won]

    def lines_of(self, player: int) -> Iterator[Line]:
        for each in self.rounds:
            if player in each.points and (player not in each.missing or each.full):
                yield Line(each.label, each.points[player])
            if player in each.bonus:
                yield Line(f"{each.label} bonus", each.bonus[player])

    @property
    def outcome(self) -> Outcome:
        names = listed([self.name(player) for player in self.standing.still])
        last = self.rounds[-1] if self.rounds else None
        if self.standing.won:
            return Outcome(self.standing.still)
        if last and not last.full:
            going = listed([self.name(player) for player in last.missing])
            return Outcome(remark=f"The game is not over: {going} {_has(last.missing)} still to play {last.label}.")
        if self.standing.play_off:
            best = max(self.standing.totals.values())
            return Outcome(remark=f"The game is not over: {names} share the lead with {best} points and play on.")
        return Outcome(remark=f"The game is not over: nobody has {self.target} points yet.")

    @kept
    def _played(self) -> tuple[tuple[Round, ...], Standing]:
        standing = Standing(dict.fromkeys(self.players, 0), self.players)
        rounds: list[Round] = []
        entries = self.sheet.entries.get("rounds", ())
        for entry in entries:
            rounds.append(self._round(entry, standing, entry == entries[-1]))
            standing = self.after(rounds[-1])
        return tuple(rounds), standing

    def _round(self, entry: str, before: Standing, last: bool) -> Round:
        throw = self.throw(f"{entry}.throw")
        zeros = [player for player in self.players if self._is_zero(entry, player)]
        words = {player: word for player in self.players if player not in zeros
                 and (word := self.laid(f"{entry}.words.{player}", player, throw))}
        playing = () if before.won else before.still
        missing = tuple(player for player in playing if player not in words and player not in zeros)
        full = not missing or not last
        points = {player: self.points(words[player]).total if player in words else 0 for player in playing}
        return Round(entry, before, words, points, self.bonus(points, before) if full else {}, missing, full)

    def _is_zero(self, entry: str, player: int) -> bool:
        """Whether the sheet says that a player had no word: a 0 in its place, or 0 points and nothing else."""
        name = f"{entry}.words.{player}"
        return self.is_nothing(name) or (self.sheet.marks.get(f"{entry}.claimed.{player}") == 0
                                         and name not in self.sheet.entries.get(f"{entry}.words", ()))

    def bonus(self, points: Mapping[int, int], before: Standing) -> dict[int, int]:
        """When everybody has had a turn, the best word of the round earns 2 points more for a single player, 1 point
        for each of those who share it. There is none for a round of noughts, for a player alone, or in a play-off."""
        best = max(points.values(), default=0)
        if not best or len(self.players) == 1 or (before.play_off and not self.rules["play_off_bonus"]):
            return {}
        leaders = [player for player, reached in points.items() if reached == best]
        return dict.fromkeys(leaders, self.rules["round_bonus"]["shared" if len(leaders) > 1 else "alone"])

    def after(self, each: Round) -> Standing:
        """The target is tested when a round is over, with its bonus: the highest total of the target or more wins.
        Those who share it play another round, and so on until one of them is ahead."""
        before = each.before
        totals = {player: reached + each.of(player) for player, reached in before.totals.items()}
        best = max((totals[player] for player in before.still), default=0)
        if before.won or not each.full or best < self.target:
            return Standing(totals, before.still, before.play_off, before.won)
        leaders = tuple(player for player in before.still if totals[player] == best)
        return Standing(totals, leaders, True, len(leaders) == 1)


def _has(players: tuple[int, ...]) -> str:
    return "has" if len(players) == 1 else "have"
