"""The report on many games as a page with plots: the figures as plain data → a face → PDF."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .. import faces, pdf
from ..definitions.models import Game
from ..definitions.sizes import paper
from ..imposition import nup
from ..layout.place import place
from ..simulation.report import Report, Spread
from ..simulation.report_text import percent, signed
from ..simulation.statistics import Interval

PAPER = "a4"
MOST_BINS = 30
TICKS = 5


@dataclass(frozen=True, slots=True)
class Bar:
    """A share of the plot's width or height from 0 to 100, with its interval, and what it is called."""

    label: str
    at: float
    low: float
    high: float
    says: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """Columns of equal width, each with its height from 0 to 100; `ticks` are (place from 0 to 100, text); `mean` lies
    at a place, too."""

    title: str
    says: str
    columns: tuple[float, ...]
    ticks: tuple[tuple[float, str], ...]
    mean: float


def sheet(game: Game, report: Report) -> bytes:
    """The report as a PDF of one page."""
    on = paper(PAPER)
    templates = faces.Templates(game.templates, game.theme)
    face = faces.build(
        templates, "balance", _context(game, report), name="balance", size=(on.width, on.height), folder=game.folder
    )
    pages = nup.sheet_pages([place(face, game.theme)], on)
    return pdf.write(
        pages,
        game.theme,
        info=pdf.Info(
            title=f"{game.definition.title} - Balance", keywords=(game.key, "balance"), set_code=report.setting.code
        ),
    )


def _context(game: Game, report: Report) -> dict[str, object]:
    setting = report.setting
    widest = max([share.high for piece in report.pieces for share in piece.fates.values()], default=1.0)
    return {
        "game": game.definition,
        "setting": setting,
        "games": f"{report.games:,}",
        "histograms": [
            histogram(f"Length in {setting.unit}", report.length),
            histogram(setting.points_are.capitalize(), report.points),
        ],
        "groups": _groups(report),
        "fair": _percent(_fair(report)),
        "fair_at": 100 * _fair(report) / _most_wins(report),
        "shares": _shares(report),
        "counts": [
            (name, f"{found.mean.value:.2f} ({found.mean.low:.2f}–{found.mean.high:.2f})")
            for name, found in report.counts.items()
        ],
        "fates": list(setting.fates.items()),
        "widest": _percent(widest),
        "pieces": [
            (
                f"card {piece.name}" if piece.name.isdigit() else piece.name,
                [_bar("", piece.fates[fate], widest) if fate in piece.fates else None for fate in setting.fates],
            )
            for piece in report.pieces
        ],
    }


def _fair(report: Report) -> float:
    """What everybody would win alone if all were alike."""
    return sum(who.wins.value for who in report.places) / len(report.places)


def _most_wins(report: Report) -> float:
    return max(who.wins.high for who in (*report.places, *report.players)) or 1.0


def _shares(report: Report) -> list[tuple[str, str]]:
    """What a player alone does not tie, lose or begin is not told."""
    endless = ("without an end", percent(report.endless))
    if len(report.players) == 1:
        return [endless]
    return [
        ("ties", percent(report.ties)),
        ("everybody loses", percent(report.all_lose)),
        endless,
        ("first player’s edge", signed(report.edge)),
    ]


def _groups(report: Report) -> list[tuple[str, list[Bar]]]:
    most = _most_wins(report)
    return (
        []
        if len(report.players) == 1
        else [
            ("Games won alone, by the order of play", [_bar(who.name, who.wins, most) for who in report.places]),
            (
                "Games won alone, by player",
                [_bar(f"{who.name}, {who.strategy}", who.wins, most) for who in report.players],
            ),
        ]
    )


def _bar(label: str, share: Interval, widest: float) -> Bar:
    value, low, high = (100 * part / (widest or 1.0) for part in share)
    return Bar(label, value, low, high, _percent(share.value))


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def histogram(title: str, spread: Spread) -> Histogram:
    """The numbers met as columns: one for each number, or for several where there are many."""
    counts: Mapping[int, int] = spread.counts or {0: 1}
    least, most = min(counts), max(counts)
    step = -(-(most - least + 1) // MOST_BINS)
    columns = [0] * -(-(most - least + 1) // step)
    for number, count in counts.items():
        columns[(number - least) // step] += count
    wide = len(columns) * step
    every = max(1, -(-wide // TICKS))
    ticks = tuple(
        (100 * (number - least + step / 2) / wide, f"{number}".replace("-", "−"))
        for number in range(least, most + 1)
        if (number - least) % every == 0
    )
    mean = f"{spread.mean.value:.2f} ({spread.mean.low:.2f} to {spread.mean.high:.2f})".replace("-", "−")
    return Histogram(
        title,
        f"mean {mean}",
        tuple(100 * count / max(columns) for count in columns),
        ticks,
        100 * (spread.mean.value - least + step / 2) / wide,
    )
