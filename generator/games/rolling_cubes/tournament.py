"""The tournament sheet: the results of the three games, and the points for the places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from msgspec import Struct

from ...rules.book import Violation
from ...rules.results import Line, Part, number_text, ranks
from ..base import WrittenSum
from ..turns import listed
from .play import tournament_points, tournament_winners
from .sheet import CubesSheet, GameOutcome, line_of, rules


class GameResults(Struct, frozen=True):
    """The results of one game of the tournament, by player, the place of each of these players, and the players without
    a result."""

    name: str
    results: Mapping[int, int]
    places: Mapping[int, int]
    missing: tuple[int, ...]

    @property
    def id(self) -> str:
        return f"games.{self.name}"

    @property
    def label(self) -> str:
        return self.name.replace("-", " ")

    @property
    def over(self) -> bool:
        return bool(self.results) and not self.missing


class Tournament(CubesSheet):
    """A tournament sheet."""

    @cached_property
    def games(self) -> list[GameResults]:
        """The three games, in order."""
        targets = self.rules["tournament"]["targets"]
        return [self._game(name) for name in targets if f"games.{name}.1" in self.sheet.sheet.fields]

    def _game(self, name: str) -> GameResults:
        numbers = {player: self.sheet.number(f"games.{name}.{player}") for player in self.players}
        results = {player: points for player, points in numbers.items() if points is not None}
        places = ranks((points,) for points in results.values())
        missing = tuple(player for player in self.players if player not in results)
        return GameResults(name, results, dict(zip(results, places, strict=True)), missing)

    def points_of(self, game: GameResults, player: int) -> int:
        return tournament_points(game.places, self.rules["tournament"]["points"]).get(player, 0)

    def score_lines(self, player: int) -> Iterator[Line]:
        for game in self.games:
            text, place = "not played yet", game.places.get(player)
            if place:
                nth = {1: "1st", 2: "2nd", 3: "3rd"}.get(place, f"{place}th")
                text = f"{nth} place with {number_text(game.results[player])}"
            yield line_of(game.label, [Part(text, self.points_of(game, player))])

    def inner_sums(self) -> Iterator[WrittenSum]:
        for game in self.games:
            for player in self.players:
                field, right = f"awarded.{game.name}.{player}", f"scores {{}} for “{game.label}”"
                points, shown = self.points_of(game, player), player in game.results
                yield self.sum_of(field, player, points, "claimed-awarded", right=right, shown=shown)

    @property
    def outcome(self) -> GameOutcome:
        unfinished = next((game for game in self.games if not game.over), None)
        if unfinished:
            return GameOutcome(remark=f"The tournament is not over: “{unfinished.label}” has no final result yet.")
        decided_by = self.rules["tournament"]["decided_by"]
        winners = tournament_winners(self.totals, next(game for game in self.games if game.name == decided_by).places)
        best = [player for player, total in self.totals.items() if total == max(self.totals.values())]
        others = listed([self.name(player) for player in best if player not in winners])
        remark = f"The tie with {others} is decided by “{decided_by.replace('-', ' ')}”."
        return GameOutcome(winners, remark if others else "")

    def violations(self) -> Iterator[Violation]:
        for number, game in enumerate(self.games):
            if game.over:
                yield from self._winner_violations(game)
            elif game.results:
                names, verb = listed([*map(self.name, game.missing)]), "has" if len(game.missing) == 1 else "have"
                yield rules["games-complete"](game.id, f"{names} {verb} no result in “{game.label}”")
            elif any(later.results for later in self.games[number:]):
                yield rules["games-complete"](game.id, f"“{game.label}” is blank, but a later game is not")

    def _winner_violations(self, game: GameResults) -> Iterator[Violation]:
        """A finished game with several winners, or with a winner who has not reached its target."""
        targets, for_two = self.rules["tournament"]["targets"], f"{game.name}-for-two"
        target = int(targets[for_two if len(self.players) == 2 and for_two in targets else game.name])
        best = max(game.results.values())
        leaders = [player for player, points in game.results.items() if points == best]
        where, won = f"{game.id}.{leaders[0]}", f"“{game.label}” is won with {number_text(best)}"
        if len(leaders) > 1:
            names = listed([*map(self.name, leaders)])
            fields = [f"{game.id}.{player}" for player in leaders]
            yield rules["one-winner"](fields, f"{names} share the best result in “{game.label}”")
        if best < target:
            yield rules["target-reached"](where, f"{won}, but its target is {target}")
        if game.name == "last-die" and best > target:
            yield rules["played-on"](where, f"{won}, but it ends when a player has {target}")
