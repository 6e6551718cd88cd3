"""The tournament sheet: what was reached in the three games, and the points for the places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...rules.kept import kept
from ...rules.results import Line, ranks
from .played import Outcome, Played, listed


@dataclass(frozen=True, slots=True)
class GamePlayed:
    """One game of the tournament: what the players reached, and who of those who played has nothing written."""

    name: str
    reached: Mapping[int, int]
    missing: tuple[int, ...]

    @property
    def id(self) -> str:
        return f"games.{self.name}"

    @property
    def label(self) -> str:
        return self.name.replace("-", " ")

    @property
    def places(self) -> dict[int, int]:
        """The place of every player with a number."""
        return dict(zip(self.reached, ranks((points,) for points in self.reached.values()), strict=True))

    @property
    def first(self) -> list[int]:
        return [player for player, place in self.places.items() if place == 1]


class Tournament(Played):
    """A tournament sheet."""

    words = ()

    @kept
    def games(self) -> tuple[GamePlayed, ...]:
        """The three games in their order."""
        names = [name for name in self.rules["tournament"]["targets"] if f"games.{name}.1" in self.sheet.sheet.fields]
        return tuple(map(self._game, names))

    def _game(self, name: str) -> GamePlayed:
        written = {player: self.sheet.number(f"games.{name}.{player}") for player in self.players}
        reached = {player: points for player, points in written.items() if points is not None}
        return GamePlayed(name, reached, tuple(player for player in self.players if player not in reached))

    def target(self, game: GamePlayed) -> int:
        """What wins a game of the tournament."""
        targets = self.rules["tournament"]["targets"]
        for_two = f"{game.name}-for-two"
        return int(targets[for_two if len(self.players) == 2 and for_two in targets else game.name])

    def points_of(self, game: GamePlayed, player: int) -> int:
        """The places in a game bring 10, 7, 6, 5, 4 and 3 points. Those who share a place all get the points of the
        higher one, and the next place is skipped."""
        table = self.rules["tournament"]["points"]
        return int(table[game.places[player] - 1]) if player in game.reached else 0

    def lines_of(self, player: int) -> Iterator[Line]:
        for game in self.games:
            yield Line(game.label, self.points_of(game, player))

    @property
    def outcome(self) -> Outcome:
        going = [game for game in self.games if game.missing or not game.reached]
        if going:
            return Outcome(remark=f"The tournament is not over: {going[0].label} is still to be played.")
        others = listed([self.name(player) for player in self.best if player not in self.winners()])
        decides = str(self.rules["tournament"]["decided_by"]).replace("-", " ")
        return Outcome(tuple(self.winners()), f"The tie with {others} is broken by {decides}." if others else "")

    @kept
    def best(self) -> list[int]:
        """The players who share the highest sum."""
        most = max(map(self.total, self.players), default=0)
        return [player for player in self.players if self.total(player) == most]

    def winners(self) -> list[int]:
        """The highest sum wins. Where it is shared, whoever won game 2 wins, or else who has the higher place there."""
        decides = next(game for game in self.games if game.name == self.rules["tournament"]["decided_by"])
        places = {player: decides.places.get(player, len(self.players) + 1) for player in self.best}
        return [player for player in self.best if places[player] == min(places.values())]
