"""Counts simulated games, and turns the counts of many into a report: figures with 95% intervals, and the balance score
of a set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import fsum, sqrt
from textwrap import wrap
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from .. import nodes
from ..errors import Place, Problem, did_you_mean, fault, refuse
from ..games import SHIPPED
from ..games.simulation import FinishedGame, Simulation
from ..model.game import BalanceFile, Game
from ..paths import display_path
from ..reading import typed
from ..rules.results import ordinal

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")
Z95 = 1.959963984540054
Z999 = 3.290526731491894
"""The 97.5% and 99.95% quantiles of the standard normal distribution, for intervals of 95% and 99.9%."""


class Job(Struct, frozen=True):
    """Games to play: `game` is a key or folder, `code` that of a set (None for the standard one), and `strategies` are
    in the order of the line-up. Plays the games of `seed` with the numbers from `first` up to, but not including,
    `stop`. With `keep`, the sheets are returned too; with `trust_code`, the rules.py of the game may run."""

    game: str
    strategies: tuple[str, ...]
    code: str | None = None
    variant: str = ""
    seed: str = "1"
    first: int = 0
    stop: int = 0
    keep: bool = False
    trust_code: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES[: len(self.strategies)]

    def parts(self, size: int) -> Iterator[Job]:
        """The same games, in jobs of at most `size` games."""
        for first in range(self.first, self.stop, size):
            yield replace(self, first=first, stop=min(first + size, self.stop))


class Tally(Struct):
    """Counts of games. Players are numbered as in the line-up, places in the order of play (0 goes first).

    `lengths` by rounds; `points` by (player, points) and `place_points` by (place, points); `won` (player) and
    `place_won` (place) count games won alone, `shared` (player) games won with others; `fates` by (piece, fate);
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

    def count(self, played: FinishedGame, lineup: Sequence[int]) -> None:
        """Adds a game; `lineup` has the player in each place."""
        self.games += 1
        self.fates.update(played.fates)
        self.counts.update(played.counts)
        self.points.update(zip(lineup, played.points, strict=True))
        self.place_points.update(enumerate(played.points))
        if not played.ended:
            self.endless += 1
            return
        self.lengths[played.length] += 1
        if len(played.winners) == 1:
            self.place_won[played.winners[0]] += 1
            self.won[lineup[played.winners[0]]] += 1
        else:
            self.shared.update(lineup[place] for place in played.winners)
        self.ties += len(played.winners) > 1
        self.all_lose += not played.winners

    def add(self, other: Tally) -> None:
        for name in self.__struct_fields__:
            if isinstance(count := getattr(self, name), Counter):
                count.update(getattr(other, name))
            else:
                setattr(self, name, count + getattr(other, name))


class Interval(NamedTuple):
    """A figure and the ends of its 95% interval."""

    value: float
    low: float
    high: float


NOTHING = Interval(0.0, 0.0, 0.0)


def wilson(hits: int, games: int, z: float = Z95) -> Interval:
    """A share with its score interval, by default of 95%, which stays between 0 and 1 and is useful even for 0 hits.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927,
    https://doi.org/10.1080/01621459.1927.10502953
    """
    if not games:
        return Interval(0.0, 0.0, 1.0)
    share, z2 = hits / games, z * z
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = z / (1 + z2 / games) * sqrt(share * (1 - share) / games + z2 / (4 * games * games))
    return Interval(share, max(0.0, middle - half) if hits else 0.0, min(1.0, middle + half) if hits < games else 1.0)


def mean(counts: Mapping[int, int]) -> float:
    """The mean of integers, given with their counts."""
    games = sum(counts.values())
    return sum(number * count for number, count in counts.items()) / games if games else 0.0


def deviation(counts: Mapping[int, int]) -> float:
    """The standard deviation of numbers, given with their counts."""
    games, middle = sum(counts.values()), mean(counts)
    return sqrt(fsum(count * (number - middle) ** 2 for number, count in counts.items()) / games) if games else 0.0


def mean_with_interval(counts: Mapping[int, int]) -> Interval:
    """The mean with its 95% interval, which is nearly normal for the many games that are played."""
    middle, half = mean(counts), Z95 * deviation(counts) / sqrt(sum(counts.values()) or 1)
    return Interval(middle, middle - half, middle + half)


T = TypeVar("T")


class Spread(Struct, frozen=True):
    """The distribution of a number over many games: its mean; the minimum, the 5%, 50% and 95% points and the maximum;
    and the count of each number."""

    mean: Interval
    marks: tuple[int, int, int, int, int]
    counts: Mapping[int, int]


class PlayerFigures(Struct, frozen=True):
    """A player of the line-up, or a place in the order of play: points, and the share of games won outright."""

    name: str
    strategy: str
    points: Spread
    wins: Interval


class PieceFigures(Struct, frozen=True):
    """How often a piece met each fate, as shares of the `met` times it was in play. `title` is its printed name."""

    name: str
    title: str
    met: int
    fates: Mapping[str, Interval]


class Report(Struct, frozen=True):
    """The figures of the games of a job. `edge` is the first player’s share of games with one winner, minus a fair
    share; `edge_is_clear` says whether chance hardly explains it: a 99.9% interval excludes 0."""

    job: Job
    simulation: Simulation
    games: int
    length: Spread
    points: Spread
    players: tuple[PlayerFigures, ...]
    places: tuple[PlayerFigures, ...]
    edge: Interval
    edge_is_clear: bool
    ties: Interval
    all_lose: Interval
    endless: Interval
    pieces: tuple[PieceFigures, ...]
    counts: Mapping[str, Spread]


def summarise(job: Job, simulation: Simulation, tally: Tally) -> Report:
    def player(name: str, strategy: str, points: Mapping[tuple[int, int], int], number: int, won: int) -> PlayerFigures:
        return PlayerFigures(name, strategy, spread(_of(points, number)), wilson(won, tally.games))

    count = len(job.strategies)
    decided = sum(tally.place_won.values())
    edge, certain = (wilson(tally.place_won[0], decided, z) for z in (Z95, Z999))
    titles = {}  # of the cards by their ids: `New Building`, `card 12`, `dragon 3`
    for card in (card for part in simulation.game.components.values() for card in part.cards):
        title = f"card {card.id}" if card.id.isdigit() else card.id.replace("-", " ")
        name = card.values.get("name")
        titles[card.id] = name if isinstance(name, str) else title
    return Report(
        job=job,
        simulation=simulation,
        games=tally.games,
        length=spread(tally.lengths),
        points=spread(_merged(tally.points)),
        players=tuple(
            player(job.names[number], job.strategies[number], tally.points, number, tally.won[number])
            for number in range(count)
        ),
        places=tuple(
            player(ordinal(number + 1), "", tally.place_points, number, tally.place_won[number])
            for number in range(count)
        ),
        edge=Interval(*(share - 1 / count for share in edge)) if decided else NOTHING,
        edge_is_clear=not certain.low <= 1 / count <= certain.high,
        ties=wilson(tally.ties, tally.games),
        all_lose=wilson(tally.all_lose, tally.games),
        endless=wilson(tally.endless, tally.games),
        pieces=tuple(
            PieceFigures(
                name,
                titles.get(name, name),
                tally.fates[name, ""],
                {fate: wilson(tally.fates[name, fate], tally.fates[name, ""]) for fate in fates},
            )
            for name, fates in simulation.pieces.items()
        ),
        counts={name: spread(_of(tally.counts, name)) for name in simulation.counts},
    )


def spread(counts: Mapping[int, int]) -> Spread:
    """The distribution of numbers, given with their counts."""
    numbers = sorted(number for number, count in counts.items() for _ in range(count))
    points = (0.0, 0.05, 0.5, 0.95, 1.0)
    marks = tuple(numbers[round(part * (len(numbers) - 1))] for part in points) if numbers else (0,) * len(points)
    return Spread(mean_with_interval(counts), marks, dict(sorted(counts.items())))  # type: ignore[arg-type]


def _merged(points: Mapping[tuple[int, int], int]) -> Counter[int]:
    merged: Counter[int] = Counter()
    for (_, number), count in points.items():
        merged[number] += count
    return merged


def _of(counts: Mapping[tuple[T, int], int], key: T) -> dict[int, int]:
    """The counts of the numbers that belong to a key."""
    return {number: count for (other, number), count in counts.items() if other == key}


FIGURES: Mapping[str, str] = {
    "length": "mean length of a game",
    "length_spread": "standard deviation of the length",
    "points": "mean points of a player",
    "points_spread": "standard deviation of a player’s points",
    "first_player_edge": "distance of the first player’s share of wins from a fair share",
    "place_edge": "the same for the place where it is greatest",
    "ties": "share of games that end in a tie",
    "all_lose": "share of games that everybody loses",
    "endless": "share of games abandoned as endless",
    "least_finished": "lowest share of the first fate among the pieces (From the Ground Up: finished)",
    "finished_gap": "difference between the highest and the lowest share of the first fate",
    "most_deciding": "share of games decided by the most decisive piece",
}


def figures(report: Report) -> dict[str, float]:
    """The figures by which sets are compared, named as in FIGURES."""
    fates = list(report.simulation.fates)
    first = [piece.fates[fates[0]].value for piece in report.pieces if fates[0] in piece.fates] if fates else []
    last = [piece.fates[fates[-1]].value for piece in report.pieces if fates[-1] in piece.fates] if fates else []
    decided = fsum(place.wins.value for place in report.places) or 1.0
    edges = [abs(place.wins.value / decided - 1 / len(report.places)) for place in report.places]
    return {
        "length": report.length.mean.value,
        "length_spread": deviation(report.length.counts),
        "points": report.points.mean.value,
        "points_spread": deviation(report.points.counts),
        "first_player_edge": edges[0],
        "place_edge": max(edges),
        "ties": report.ties.value,
        "all_lose": report.all_lose.value,
        "endless": report.endless.value,
        "least_finished": min(first, default=0.0),
        "finished_gap": max(first, default=0.0) - min(first, default=0.0),
        "most_deciding": max(last, default=0.0),
    }


BALANCE_FILE = "balance.yaml"


def read_balance(game: Game) -> BalanceFile:
    """Reads the balance.yaml of a game. Raises InputError with all its problems, or if there is none."""
    path = game.folder / BALANCE_FILE
    if not path.is_file() and game.key not in SHIPPED:
        return BalanceFile()
    if not path.is_file():
        raise fault(f"{game.title} has no {BALANCE_FILE}", Place(display_path(game.folder)))
    balance = typed.read(nodes.document(nodes.read_text(path), display_path(path)), BalanceFile)
    refuse(_balance_problems(game, balance))
    return balance


def _balance_problems(game: Game, balance: BalanceFile) -> Iterator[Problem]:
    for weight in (*balance.score, *chain.from_iterable(balance.scores.values())):
        if weight.figure not in FIGURES:
            yield Problem(f"there is no figure “{weight.figure}”", weight.place, did_you_mean(weight.figure, FIGURES))
    for draw, weights in balance.scores.items():
        if draw not in game.draws:
            yield Problem(
                f"{game.title} has no kind of random set “{draw}”",
                weights[0].place if weights else None,
                did_you_mean(draw, game.draws),
            )


def balance_score(balance: BalanceFile, report: Report, draw: str = "") -> float:
    """The weighted sum of the figures of a report; lower is better. `draw` is the draw of the set, for which
    balance.yaml may have separate weights."""
    values = figures(report)
    return fsum(
        weight.weight * (values[weight.figure] if weight.aim is None else abs(values[weight.figure] - weight.aim))
        for weight in balance.scores.get(draw, balance.score)
    )


def plain(report: Report) -> dict[str, Any]:
    """The report for JSON. Shares are from 0 to 1, and every figure has its interval."""
    job, simulation = report.job, report.simulation
    return {
        "game": simulation.game.key,
        "set": job.code,
        "variant": simulation.variant,
        "seed": job.seed,
        "games": report.games,
        "length": {"unit": simulation.unit, **_spread(report.length)},
        "points": {"are": simulation.points_are, **_spread(report.points)},
        "players": [{"name": player.name, "player": player.strategy, **_player(player)} for player in report.players],
        "places": [_player(place) for place in report.places],
        "first_player_edge": interval(report.edge),
        "ties": interval(report.ties),
        "all_lose": interval(report.all_lose),
        "endless": interval(report.endless),
        "counts": {name: _spread(numbers) for name, numbers in report.counts.items()},
        "pieces": [
            {"piece": piece.name, "met": piece.met, **{fate: interval(share) for fate, share in piece.fates.items()}}
            for piece in report.pieces
        ],
        "figures": {name: round(value, 6) for name, value in figures(report).items()},
    }


def interval(figure: Interval) -> dict[str, float]:
    return {name: round(value, 6) for name, value in figure._asdict().items()}


def _spread(distribution: Spread) -> dict[str, Any]:
    names: Sequence[str] = ("least", "p5", "median", "p95", "greatest")
    return {
        "mean": interval(distribution.mean),
        **dict(zip(names, distribution.marks, strict=True)),
        "counts": {str(number): count for number, count in distribution.counts.items()},
    }


def _player(player: PlayerFigures) -> dict[str, Any]:
    return {"points": interval(player.points.mean), "wins": interval(player.wins)}


# ---- as text, at most 80 columns wide

BARS = " ▁▂▃▄▅▆▇█"
COLUMNS = 40
LABELS = 24
"""The width of the first column."""


def text(report: Report) -> str:
    """The report: how long the games are, how many points players get, who wins, and what happens to the pieces."""
    setting, count, unit = report.simulation, len(report.players), report.simulation.points_are
    code = [f"set {report.job.code}"] if report.job.code else []
    length = _spread_text("length", setting.unit, report.length) if setting.has_turns and report.length.counts else []
    places = report.places if setting.has_turns else ()
    sections = [
        [
            f"{setting.game.title}, {counted(report.games)} ({setting.variant})",
            ", ".join([f"{count} player{'s' * (count != 1)}", f"seed {report.job.seed}", *code]),
            "± and the ranges in brackets are 95% confidence intervals.",
        ],
        wrap(headline(report), 80),
        [*length, *_spread_text("points", unit, report.points)],
        _players("player", report.players, unit) if count > 1 else [],
        _players("order of play", places, unit) if count > 1 and places else [],
        [
            f"{label:<{LABELS}}{signed(share) if share is report.edge else percent(share)}"
            for label, share in _shares(report)
        ],
        [
            f"{name:<{LABELS}}{number(spread.mean)}; nine in ten {spread.marks[1]} to {spread.marks[3]}"
            for name, spread in report.counts.items()
        ],
        *_pieces(report),
    ]
    return "\n\n".join("\n".join(line.rstrip() for line in section) for section in sections if section)


def ranking(rows: Sequence[Mapping[str, Any]], count: int, best: Report) -> str:
    """The best of `count` sets that were searched, and the report on the very best."""
    table = [f"{place:>3}  {row['set']}  {row['score']:>8.3f}  {row['games']:>9,}" for place, row in enumerate(rows, 1)]
    title = f"The best of {count} sets; the lower the score, the better balanced."
    width = len(str(rows[0]["set"]))
    return "\n".join([title, "", f"{'':3}  {'set':<{width}}  {'score':>8}  {'games':>9}", *table, "", text(best)])


def headline(report: Report) -> str:
    """The report in one sentence. If most games did not end, it leaves out what only the others show."""
    if not report.simulation.has_turns:
        return "Every box of the score sheet is filled in at random, within its rules."
    endless = endless_games(report)
    if 2 * endless > report.games:
        games = f"{endless:,} of {counted(report.games)}"
        return f"{games} did not end, so nothing can be said about the length of a game or its winner."
    length = f"A game lasts about {report.length.mean.value:.0f} {report.simulation.unit}"
    if endless:
        length += f", but {endless:,} of {counted(report.games)} did not end"
    if len(report.players) == 1:
        return f"{length}."
    if not report.edge_is_clear:
        return f"{length}. In {counted(report.games - endless)}, going first made no clear difference."
    fair = 1 / len(report.players)
    share = f"{100 * (fair + report.edge.value):.0f}% of the games with one winner; a fair share is {100 * fair:.0f}%"
    return f"{length}. The first player wins {share}."


def verdict(report: Report) -> str:
    """Whether the game is fair, and how long it is, in one sentence for a title."""
    if not report.simulation.has_turns or len(report.players) == 1 or endless_games(report):
        return headline(report)
    length = f"{report.length.mean.value:.0f} {report.simulation.unit}"
    if not report.edge_is_clear:
        return f"Going first makes no clear difference in games of about {length}."
    fair = 1 / len(report.players)
    won, due = 100 * (fair + report.edge.value), 100 * fair
    return f"The first player wins {won:.0f}% of the games where {due:.0f}% would be fair; games last about {length}."


def endless_games(report: Report) -> int:
    """The number of games that were abandoned."""
    return round(report.endless.value * report.games)


def counted(games: int) -> str:
    return f"{games:,} game{'s' * (games != 1)}"


def _spread_text(label: str, unit: str, spread: Spread) -> list[str]:
    least, low, median, high, most = spread.marks
    line = f"{label:<8}{number(spread.mean)} {unit}; median {median}, nine in ten {low} to {high}"
    return [words.replace("-", "−") for words in (line, f"{'':<8}{least:>4} {sketch(spread.counts)} {most}")]


def sketch(counts: Mapping[int, int]) -> str:
    """A histogram in one line."""
    if not counts:
        return ""
    least, most = min(counts), max(counts)
    step = -(-(most - least + 1) // COLUMNS)
    bins = [0] * -(-(most - least + 1) // step)
    for value, count in counts.items():
        bins[(value - least) // step] += count
    return "".join(BARS[-(-count * (len(BARS) - 1) // max(bins))] for count in bins)


def _players(title: str, rows: Sequence[PlayerFigures], unit: str) -> list[str]:
    return _table(
        [
            (title, unit, "games won outright"),
            *((f"{row.name}  {row.strategy}", number(row.points.mean), percent(row.wins)) for row in rows),
        ],
        LABELS,
    )


def _shares(report: Report) -> list[tuple[str, Interval]]:
    """The shares to list: a single player has no advantage and no ties. Games that everybody loses and endless ones are
    listed only if there are any."""
    has_turns, shares = report.simulation.has_turns, list[tuple[str, Interval]]()
    if len(report.players) > 1:
        shares = [("first-player advantage", report.edge)] if has_turns and report.edge != NOTHING else []
        shares += [("ties", report.ties)]
    rare = [("everybody loses", report.all_lose), ("endless" if has_turns else "no legal sheet found", report.endless)]
    return [*shares, *(share for share in rare if share[1].value)]


def _pieces(report: Report) -> list[list[str]]:
    """A table of the pieces, and what their fates mean."""
    fates = report.simulation.fates
    rows = [
        (piece.title, *(percent(piece.fates[fate]) if fate in piece.fates else "" for fate in fates))
        for piece in report.pieces
    ]
    meanings = [f"{fate}: {meaning}" for fate, meaning in fates.items()]
    return [_table([("", *fates), *rows]), meanings] if rows else []


def _table(rows: Sequence[Sequence[str]], first: int = 0) -> list[str]:
    """Rows of cells in columns two spaces apart, all but the first aligned right. `first` is the minimum
    width of the first column."""
    left, *widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    left = max(left, first - 2)
    return [
        "  ".join([f"{name:<{left}}", *(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))])
        for name, *cells in rows
    ]


def number(figure: Interval) -> str:
    """A mean with half the width of its interval: `12.3 ± 0.4`."""
    return f"{figure.value:.2f} ± {(figure.high - figure.low) / 2:.2f}".replace("-", "−")


def percent(figure: Interval) -> str:
    """A share with its interval: `31.0% (28.2–33.9)`."""
    return f"{100 * figure.value:.1f}% ({100 * figure.low:.1f}–{100 * figure.high:.1f})"


def signed(figure: Interval) -> str:
    """A difference between shares: `+1.2% (−0.9 to +3.3)`."""
    value, low, high = (f"{100 * part:+.1f}".replace("-", "−") for part in figure)
    return f"{value}% ({low} to {high})"
