"""The tournament sheet: the results of the three games, and the points for the places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...fast_dataclasses import dataclass
from ...lazy import cached_property
from ...rules.book import Violation
from ...rules.results import Line, Part, ranks
from ...rules.terminal import number_text
from ..turns import listed
from .rules import CLAIMED_AWARDED, GAMES_COMPLETE, ONE_WINNER, PLAYED_ON, TARGET_REACHED
from .sheet import CubesSheet, GameOutcome


@dataclass(frozen=True, slots=True)
class GameResults:
    """The results of one game of the tournament, by player, and the players without a result."""

    name: str
    results: Mapping[int, int]
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

    @property
    def places(self) -> dict[int, int]:
        """The place of each player with a result."""
        return dict(zip(self.results, ranks((points,) for points in self.results.values()), strict=True))


class Tournament(CubesSheet):
    """A tournament sheet."""

    @cached_property
    def games(self) -> tuple[GameResults, ...]:
        """The three games, in order."""
        names = [name for name in self.rules["tournament"]["targets"] if f"games.{name}.1" in self.sheet.sheet.fields]
        return tuple(map(self._game, names))

    def _game(self, name: str) -> GameResults:
        numbers = {player: self.sheet.number(f"games.{name}.{player}") for player in self.players}
        results = {player: points for player, points in numbers.items() if points is not None}
        return GameResults(name, results, tuple(player for player in self.players if player not in results))

    def target(self, game: GameResults) -> int:
        """The target of a game in the tournament."""
        targets = self.rules["tournament"]["targets"]
        for_two = f"{game.name}-for-two"
        return int(targets[for_two if len(self.players) == 2 and for_two in targets else game.name])

    # ---- the score ---------------------------------------------------------------------------------------------------

    def points_of(self, game: GameResults, player: int) -> int:
        """The points for a player's place in a game. Players who share a place get the points of the higher one."""
        table = self.rules["tournament"]["points"]
        return int(table[game.places[player] - 1]) if player in game.results else 0

    def score_lines(self, player: int) -> Iterator[Line]:
        return (Line(game.label, self.points_of(game, player)) for game in self.games)

    def line_parts(self, player: int) -> Iterator[list[Part]]:
        for game in self.games:
            if player in game.results:
                place = game.places[player]
                nth = {1: "1st", 2: "2nd", 3: "3rd"}.get(place, f"{place}th")
                yield [Part(f"{nth} place with {number_text(game.results[player])}", self.points_of(game, player))]
            else:
                yield [Part("not played yet", 0)]

    def inner_sums(self) -> Iterator[tuple[str, int]]:
        return (
            (f"awarded.{game.name}.{player}", self.points_of(game, player))
            for game in self.games
            for player in game.results
        )

    @property
    def outcome(self) -> GameOutcome:
        unfinished = next((game for game in self.games if not game.over), None)
        if unfinished:
            return GameOutcome(remark=f"The tournament is not over: “{unfinished.label}” has no final result yet.")
        totals = {player: self.total(player) for player in self.players}
        top = max(totals.values(), default=0)
        best = [player for player, total in totals.items() if total == top]
        decided_by = self.rules["tournament"]["decided_by"]
        places = next(game for game in self.games if game.name == decided_by).places
        highest = min((places[player] for player in best), default=0)
        winners = tuple(player for player in best if places[player] == highest)
        others = listed([self.name(player) for player in best if player not in winners])
        remark = f"The tie with {others} is decided by “{decided_by.replace('-', ' ')}”."
        return GameOutcome(winners, remark if others else "")

    # ---- the rules ---------------------------------------------------------------------------------------------------

    def violations(self) -> Iterator[Violation]:
        for number, game in enumerate(self.games):
            if game.over:
                yield from self._winner_violations(game)
            elif game.results:
                names, verb = listed([*map(self.name, game.missing)]), "has" if len(game.missing) == 1 else "have"
                yield GAMES_COMPLETE(game.id, f"{names} {verb} no result in “{game.label}”")
            elif any(later.results for later in self.games[number:]):
                yield GAMES_COMPLETE(game.id, f"“{game.label}” is blank, but a later game is not")
            yield from self._awarded_violations(game)

    def _winner_violations(self, game: GameResults) -> Iterator[Violation]:
        """A finished game with several winners, or with a winner who has not reached its target."""
        best, target = max(game.results.values()), self.target(game)
        leaders = [player for player, points in game.results.items() if points == best]
        where = f"{game.id}.{leaders[0]}"
        if len(leaders) > 1:
            yield ONE_WINNER(
                [f"{game.id}.{player}" for player in leaders],
                f"{listed([*map(self.name, leaders)])} share the best result in “{game.label}”",
            )
        if best < target:
            yield TARGET_REACHED(where, f"“{game.label}” is won with {number_text(best)}, but its target is {target}")
        if game.name == "last-die" and best > target:
            yield PLAYED_ON(
                where, f"“{game.label}” is won with {number_text(best)}, but it ends when a player has {target}"
            )

    def _awarded_violations(self, game: GameResults) -> Iterator[Violation]:
        for player in self.players:
            where, points = f"awarded.{game.name}.{player}", self.points_of(game, player)
            claimed = self.sheet.number(where)
            if claimed is not None and claimed != points:
                yield CLAIMED_AWARDED(
                    where,
                    f"{self.name(player)} wrote {number_text(claimed)}, but scores {number_text(points)} "
                    f"for “{game.label}”",
                )
