"""The balance report as a page with plots: figures as plain data → a face → PDF."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum

from .. import faces, pdf
from ..definitions.models import Game
from ..definitions.sizes import paper
from ..fast_dataclasses import dataclass
from ..imposition import nup
from ..layout.place import place
from ..simulation.report import Report, Spread
from ..simulation.report_text import headline, percent, signed
from ..simulation.statistics import Interval

PAPER = "a4"
MAX_BINS = 30
TICKS = 5


@dataclass(frozen=True, slots=True)
class Bar:
    """A share as a percentage of the plot's width, with its interval, label and text."""

    label: str
    at: float
    low: float
    high: float
    says: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """Columns of equal width with heights from 0 to 100. `ticks` are pairs of a position from 0 to 100 and a text;
    `mean` is a position, too."""

    title: str
    says: str
    columns: tuple[float, ...]
    ticks: tuple[tuple[float, str], ...]
    mean: float


def sheet(game: Game, report: Report) -> bytes:
    """The report as a PDF of one page."""
    page = paper(PAPER)
    templates = faces.Templates(game.templates, game.theme)
    face = faces.build(
        templates, "balance", _context(game, report), name="balance", size=(page.width, page.height), folder=game.folder
    )
    pages = nup.sheet_pages([place(face, game.theme)], page)
    return pdf.write(
        pages,
        game.theme,
        info=pdf.Info(
            title=f"{game.definition.title} – Balance", keywords=(game.key, "balance"), set_code=report.setting.code
        ),
    )


def _context(game: Game, report: Report) -> dict[str, object]:
    setting = report.setting
    widest = _scale([share.high for piece in report.pieces for share in piece.fates.values()])
    return {
        "game": game.definition,
        "setting": setting,
        "games": f"{report.games:,}",
        "headline": headline(report),
        "histograms": [
            histogram(f"Length in {setting.unit}", report.length, "games"),
            histogram(setting.points_are.capitalize(), report.points, "results"),
        ],
        "groups": _groups(report),
        "fair": _percent(_fair(report)),
        "fair_at": 100 * _fair(report) / _most_wins(report),
        "shares": _shares(report),
        "counts": [
            (name, f"{spread.mean.value:.2f} ({spread.mean.low:.2f}–{spread.mean.high:.2f})")
            for name, spread in report.counts.items()
        ],
        "fates": list(setting.fates.items()),
        "widest": f"{widest:.0%}",
        "widest_wins": f"{_most_wins(report):.0%}",
        "pieces": [
            (
                piece.title,
                [_bar("", piece.fates[fate], widest) if fate in piece.fates else None for fate in setting.fates],
            )
            for piece in report.pieces
        ],
    }


def _fair(report: Report) -> float:
    """The share of outright wins for each player if all were equally good."""
    return fsum(row.wins.value for row in report.places) / len(report.places)


def _most_wins(report: Report) -> float:
    return _scale([row.wins.high for row in (*report.places, *report.players)])


def _scale(shares: list[float]) -> float:
    """The share that a full bar stands for: the smallest of 25%, 50% and 100% that none of the shares exceeds."""
    return next((full for full in (0.25, 0.5) if max(shares, default=1.0) <= full), 1.0)


def _shares(report: Report) -> list[tuple[str, str]]:
    """The other shares of the report; a single player cannot tie, lose to others or go first."""
    endless = ("endless", percent(report.endless))
    if len(report.players) == 1:
        return [endless]
    return [
        ("ties", percent(report.ties)),
        ("everybody loses", percent(report.all_lose)),
        endless,
        ("first-player advantage", signed(report.edge)),
    ]


def _groups(report: Report) -> list[tuple[str, list[Bar]]]:
    full = _most_wins(report)
    return (
        []
        if len(report.players) == 1
        else [
            ("Games won outright, by order of play", [_bar(row.name, row.wins, full) for row in report.places]),
            (
                "Games won outright, by player",
                [_bar(f"{row.name}, {row.strategy}", row.wins, full) for row in report.players],
            ),
        ]
    )


def _bar(label: str, share: Interval, widest: float) -> Bar:
    value, low, high = (100 * part / widest for part in share)
    return Bar(label, value, low, high, _percent(share.value))


def _percent(share: float) -> str:
    return f"{share:.1%}"


def histogram(title: str, spread: Spread, noun: str) -> Histogram:
    """A histogram with a column for each number, or for several numbers if there are many; `noun` says what was
    counted."""
    counts: Mapping[int, int] = spread.counts or {0: 1}
    smallest, largest = min(counts), max(counts)
    step = -(-(largest - smallest + 1) // MAX_BINS)
    columns = [0] * -(-(largest - smallest + 1) // step)
    for number, count in counts.items():
        columns[(number - smallest) // step] += count
    wide = len(columns) * step
    every = max(1, -(-wide // TICKS))
    ticks = tuple(
        (100 * (number - smallest + step / 2) / wide, f"{number}".replace("-", "−"))
        for number in range(smallest, largest + 1)
        if (number - smallest) % every == 0
    )
    mean = f"{spread.mean.value:.2f} ({spread.mean.low:.2f} to {spread.mean.high:.2f})".replace("-", "−")
    return Histogram(
        title,
        f"mean {mean}; tallest column: {max(columns) / sum(columns):.0%} of the {noun}",
        tuple(100 * count / max(columns) for count in columns),
        ticks,
        100 * (spread.mean.value - smallest + step / 2) / wide,
    )
