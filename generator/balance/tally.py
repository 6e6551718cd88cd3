"""Games counted together. Everything is a count of games or of whole numbers, so that it does not matter in which
order they are added, nor who played them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..games.sitting import Played


@dataclass(slots=True)
class Tally:
    """Counts of games. Players are known by their number in the line-up, places by the order of play (0 begins).

    `lengths` by rounds; `points` by (player, points) and `place_points` by (place, points); `won` (player) and
    `place_won` (place) count games won alone, `shared` (player) those won with others; `fates` by (piece, fate);
    `counts` by (what was counted, how often)."""

    games: int = 0
    endless: int = 0
    ties: int = 0
    all_lose: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    points: Counter[tuple[int, int]] = field(default_factory=Counter)
    place_points: Counter[tuple[int, int]] = field(default_factory=Counter)
    won: Counter[int] = field(default_factory=Counter)
    place_won: Counter[int] = field(default_factory=Counter)
    shared: Counter[int] = field(default_factory=Counter)
    fates: Counter[tuple[str, str]] = field(default_factory=Counter)
    counts: Counter[tuple[str, int]] = field(default_factory=Counter)

    def count(self, played: Played, lineup: Sequence[int]) -> None:
        """Adds a game; `lineup` names the player in each place."""
        self.games += 1
        self.fates.update(played.fates)
        self.counts.update(played.counts)
        self.points.update(zip(lineup, played.points, strict=True))
        self.place_points.update(enumerate(played.points))
        if not played.ended:
            self.endless += 1
            return
        self.lengths[played.length] += 1
        self._count_winners(played.winners, lineup)

    def _count_winners(self, winners: tuple[int, ...], lineup: Sequence[int]) -> None:
        if len(winners) == 1:
            self.place_won[winners[0]] += 1
            self.won[lineup[winners[0]]] += 1
            return
        self.ties += bool(winners)
        self.all_lose += not winners
        self.shared.update(lineup[place] for place in winners)

    def add(self, other: Tally) -> None:
        """Adds the games of another tally."""
        for name in self.__slots__:
            if isinstance(count := getattr(self, name), Counter):
                count.update(getattr(other, name))
            else:
                setattr(self, name, count + getattr(other, name))
