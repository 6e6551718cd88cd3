"""Tables: wins, places, streaks, points and ratings, computed anew from all plays that count. Nothing is stored.

Ratings follow Weng and Lin, “A Bayesian Approximation Method for Online Ranking”, Journal of Machine Learning Research
12 (2011), pages 267–300, algorithm 1 (Bradley–Terry, full pair), with teams of one player. Its numbers are scaled so
that two players whose ratings are certain win against each other as often as Elo ratings say.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import exp, log, sqrt

from msgspec import Struct, field

from .plays import Play, lowest_win
from .store import EVERYTHING, Choice, League

START = 1500.0
# The spread of a player's form: with certain ratings, 400 points more win ten games of eleven, as with Elo.
_BETA = 400 / log(10) / sqrt(2)
START_DEVIATION = 2 * _BETA
"""As in section 6 of the paper, where the deviation begins at 25/3 and beta is 25/6."""
_LEAST = 0.0001  # the smallest factor by which one play may shrink a variance: kappa in the paper
RECENT = 5


class Rating(Struct):
    """A rating and its standard deviation: two times in three, the true one is within the deviation."""

    elo: float = START
    deviation: float = START_DEVIATION


class RatingPoint(Struct, frozen=True):
    """The rating of a player at the end of a day."""

    date: str
    elo: float
    deviation: float


class PlayerStanding(Struct, frozen=True):
    """A row of the table. Players who tie share the win: two of them have half a win each. `place` is the average place
    and None if nobody won any of the plays. `last` has the share of the win in the last five plays, the newest last.
    `streak` is the number of plays since the last one without a share of the win."""

    player: str
    played: int
    won: float
    win_rate: float
    place: float | None
    last: tuple[float, ...]
    streak: int
    elo: float
    deviation: float


class RatingSeries(Struct, frozen=True):
    """The ratings of a player for a chart, a point for each day with a play."""

    player: str
    points: tuple[RatingPoint, ...]


class HeadToHead(Struct, frozen=True):
    """How often a player finished before and after another one, and how often they shared a place."""

    player: str
    opponent: str
    before: int
    after: int
    tied: int


class GamePoints(Struct, frozen=True):
    """A player's points on one kind of score sheet, plays with one player included. `best` is the lowest number in
    games that the lowest number wins."""

    player: str
    game: str
    title: str
    sheet: str
    played: int
    best: int
    average: float


class LeagueTable(Struct, frozen=True):
    """Everything that a page shows of the chosen plays. `standings` begin with the highest rating; the other lists have
    the players in the same order. `games` are the keys and titles of the games that were played."""

    plays: int
    counted: int
    first_date: str
    last_date: str
    games: tuple[tuple[str, str], ...]
    standings: tuple[PlayerStanding, ...]
    series: tuple[RatingSeries, ...]
    head_to_head: tuple[HeadToHead, ...]
    points: tuple[GamePoints, ...]


def league_table(league: League, choice: Choice = EVERYTHING) -> LeagueTable:
    """The table of the chosen plays. Ratings also take into account the plays before the period."""
    history = Choice(game=choice.game, event=choice.event, until=choice.until)
    return tabulated(league.plays(history), choice.since)


def tabulated(plays: Iterable[Play], since: str = "") -> LeagueTable:
    """The table of plays in their order, from a day on."""
    chosen, counts, rated = list[Play](), _Counts(), _Ratings()
    for play in plays:
        if play.counted:
            rated.add(play, since)
        if play.date >= since:
            chosen.append(play)
            if play.counted:
                counts.add(play)
    rows = sorted((counts.standing(player, rated) for player in counts.shares), key=lambda row: (-row.elo, row.player))
    order = [row.player for row in rows]
    return LeagueTable(
        plays=len(chosen),
        counted=sum(play.counted for play in chosen),
        first_date=chosen[0].date if chosen else "",
        last_date=chosen[-1].date if chosen else "",
        games=tuple(sorted({play.game: play.title for play in chosen}.items(), key=lambda game: game[1].casefold())),
        standings=tuple(rows),
        series=tuple(RatingSeries(player, tuple(rated.series(player))) for player in order),
        head_to_head=tuple(counts.duels(order)),
        points=tuple(_points(chosen, order)),
    )


# ---- counting


class _Counts(Struct):
    """What adds up, by player: `shares` of wins in the order of plays, `places`, and pairs."""

    shares: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    places: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    ties: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, play: Play) -> None:
        placed = [(seat.place, seat.player) for seat in play.seats if seat.place is not None]
        share = 1 / max(1, [place for place, _ in placed].count(1))
        for seat in play.seats:
            self.shares[seat.player].append(share if seat.place == 1 else 0.0)
        for place, player in placed:
            self.places[player].append(place)
        for (place, player), (later, other) in combinations(sorted(placed), 2):
            if place == later:
                self.ties[player, other] += 1
                self.ties[other, player] += 1
            else:
                self.pairs[player, other] += 1

    def standing(self, player: str, rated: _Ratings) -> PlayerStanding:
        shares, places, rating = self.shares[player], self.places[player], rated.now[player]
        lost = next((count for count, share in enumerate(reversed(shares)) if not share), len(shares))
        return PlayerStanding(
            player=player,
            played=len(shares),
            won=sum(shares),
            win_rate=sum(shares) / len(shares),
            place=sum(places) / len(places) if places else None,
            last=tuple(shares[-RECENT:]),
            streak=lost,
            elo=rating.elo,
            deviation=rating.deviation,
        )

    def duels(self, order: Iterable[str]) -> Iterator[HeadToHead]:
        """Every player against every other one, if they have met."""
        players = list(order)
        for player in players:
            for other in players:
                counts = self.pairs[player, other], self.pairs[other, player], self.ties[player, other]
                if any(counts):
                    yield HeadToHead(player, other, *counts)


def _points(plays: Sequence[Play], order: Sequence[str]) -> Iterator[GamePoints]:
    """The points of the players in this order, and then of those who only played alone."""
    points, titles = dict[tuple[str, str], dict[str, list[int]]](), dict[str, str]()
    for play in plays:
        titles[play.game] = play.title
        for seat in play.seats if play.status in ("counted", "solo") else ():
            if seat.points is not None:
                points.setdefault((play.game, play.sheet), {}).setdefault(seat.player, []).append(seat.points)
    rank = {player: place for place, player in enumerate(order)}
    lowest = lowest_win(play for play in plays if play.counted)
    for (game, sheet), by_player in sorted(points.items()):
        best = min if (game, sheet) in lowest else max
        for player in sorted(by_player, key=lambda player: (rank.get(player, len(rank)), player)):
            mine = by_player[player]
            yield GamePoints(player, game, titles[game], sheet, len(mine), best(mine), sum(mine) / len(mine))


# ---- ratings


class _Ratings(Struct):
    """The ratings `now`, and those at the end of each day by player and date."""

    now: dict[str, Rating] = field(default_factory=lambda: defaultdict(Rating))
    days: dict[str, dict[str, tuple[float, float]]] = field(default_factory=lambda: defaultdict(dict))

    def series(self, player: str) -> Iterator[RatingPoint]:
        yield from (RatingPoint(day, elo, deviation) for day, (elo, deviation) in self.days[player].items())

    def add(self, play: Play, since: str) -> None:
        """Rates a play. Without a winner (all lose together), ratings stay."""
        ratings = [self.now[seat.player] for seat in play.seats]
        places = [seat.place for seat in play.seats if seat.place is not None]
        if len(places) == len(ratings):
            rate(ratings, places)
        if play.date >= since:
            for seat, rating in zip(play.seats, ratings, strict=True):
                self.days[seat.player][play.date] = rating.elo, rating.deviation


def rate(ratings: list[Rating], places: list[int]) -> None:
    """Changes the ratings of the players of one play by their places (algorithm 1 of the paper)."""
    gains, losses = [0.0] * len(ratings), [0.0] * len(ratings)
    for i, j in combinations(range(len(ratings)), 2):
        one, other = ratings[i].deviation, ratings[j].deviation
        spread = sqrt(one**2 + other**2 + 2 * _BETA**2)
        expected = 1 / (1 + exp((ratings[j].elo - ratings[i].elo) / spread))
        result = 0.5 if places[i] == places[j] else float(places[i] < places[j])
        gains[i] += one**2 / spread * (result - expected)
        gains[j] += other**2 / spread * (expected - result)
        losses[i] += (one / spread) ** 3 * expected * (1 - expected)  # gamma is the deviation through the spread
        losses[j] += (other / spread) ** 3 * expected * (1 - expected)
    for rating, gain, loss in zip(ratings, gains, losses, strict=True):
        rating.elo += gain
        rating.deviation *= sqrt(max(1 - loss, _LEAST))
