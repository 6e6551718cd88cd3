"""The balance report as a page with plots: figures as plain data → a face → PDF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum

from msgspec import Struct
from msgspec.structs import replace

from .. import faces, games, pdf
from ..geometry.frame import Frame, Group, Item
from ..layout.place import place
from ..model.game import Game
from ..pages import nup
from ..reading.sizes import paper
from ..simulation.report import NOTHING, Interval, PieceFigures, Report, Spread, counted, percent, signed, verdict
from .game_faces import GameFaces

PAPER = "a4"
MAX_BINS = 30
TICKS = 5
_MANY = 8  # with fewer pieces, the histograms fill the page instead of their rows
SCALES = (0.05, 0.1, 0.25, 0.5, 1.0)
"""The shares at which an axis may end."""
Ticks = tuple[tuple[float, str], ...]
"""Positions on an axis from 0 to 100, and their labels."""


class Bar(Struct, frozen=True):
    """A share as a percentage of its axis, with its interval, label and text."""

    label: str
    at: float
    low: float
    high: float
    says: str


class Histogram(Struct, frozen=True):
    """Columns of equal width with heights from 0 to 100. `ticks` are on the horizontal axis, `levels` on the vertical
    one; `mean` is a position from 0 to 100, too."""

    title: str
    says: str
    columns: tuple[float, ...]
    ticks: Ticks
    levels: Ticks
    mean: float


class ReportPage(Struct, frozen=True):
    """What a page of the report shows: its verdict and setting, histograms, groups of bars with their axis and the
    position of a fair share on it, boxes with other figures, and the pieces: each with its title, its picture if it is
    a card, and a bar (or None) for each fate, whose axes and meanings are `fates`."""

    verdict: str
    about: str
    histograms: tuple[Histogram, ...]
    groups: tuple[tuple[str, tuple[Bar, ...]], ...]
    wins: Ticks
    fair: float
    fair_at: float
    boxes: tuple[tuple[tuple[str, str], ...], ...]
    fates: tuple[tuple[str, str, Ticks], ...]
    pieces: tuple[tuple[str, Frame | None, tuple[Bar | None, ...]], ...]


def sheet(game: Game, report: Report) -> bytes:
    """The report as a PDF of one page."""
    size = paper(PAPER)
    page = contents(game, report)
    templates = faces.Templates(game.templates, game.theme)
    rows = len(page.pieces)
    face = faces.build(
        templates,
        "balance",
        {
            "game": game.definition,
            "verdict": page.verdict,
            "about": page.about,
            "histograms": page.histograms,
            "groups": page.groups,
            "win_ticks": page.wins,
            "fair": _percent(page.fair),
            "fair_at": page.fair_at,
            "shares": page.boxes[0] if page.boxes else (),
            "counts": page.boxes[1] if len(page.boxes) > 1 else (),
            "fates": [(fate, meaning) for fate, meaning, _ in page.fates],
            "fate_ticks": [ticks for _, _, ticks in page.fates],
            "pieces": [(title, f"piece.{number}", bars) for number, (title, _, bars) in enumerate(page.pieces)],
            "has_pictures": any(picture for _, picture, _ in page.pieces),
            "pieces_grow": rows >= _MANY,
            "plot_height": _plot_height(page) if rows < _MANY else 38 if rows <= 20 else 27,
            "picture_height": max(2.8, min(8.0, 90 / max(1, rows))),
            "bar_height": max(2.6, min(5.0, 80 / max(1, rows))),
        },
        name="balance",
        size=(size.width, size.height),
        folder=game.folder,
    )
    frame = place(face, game.theme)
    added: list[Item] = []
    for slot in frame.slots():
        picture = page.pieces[int(slot.id.rpartition(".")[2])][1]
        if picture:
            scale = min(slot.width / picture.width, slot.height / picture.height)
            x = slot.x + (slot.width - scale * picture.width) / 2
            y = slot.y + (slot.height - scale * picture.height) / 2
            wide, tall = picture.width, picture.height
            clip = (("M", 0.0, 0.0), ("L", wide, 0.0), ("L", wide, tall), ("L", 0.0, tall), ("Z",))
            added.append(Group(tuple(picture.items), clip=clip, transform=(scale, 0.0, 0.0, scale, x, y)))
    frame = replace(frame, items=(*frame.items, *added))
    return pdf.write(
        nup.sheet_pages([frame], size),
        game.theme,
        info=pdf.Info(
            title=f"{game.definition.title} – Balance", keywords=(game.key, "balance"), set_code=report.job.code
        ),
    )


def contents(game: Game, report: Report) -> ReportPage:
    """What the page shows."""
    setting = report.simulation
    has_lengths = setting.has_turns and report.length.counts
    most_wins = _scale([row.wins.high for row in (*report.places, *report.players)])
    fair = fsum(row.wins.value for row in report.places) / len(report.places)
    axes = [
        _scale([piece.fates[fate].high for piece in report.pieces if fate in piece.fates]) for fate in setting.fates
    ]
    pictures = _pictures(game, report.pieces)
    return ReportPage(
        verdict(report),
        _about(report),
        (
            *((histogram(f"Length in {setting.unit}", report.length, "games"),) if has_lengths else ()),
            histogram(setting.points_are.capitalize(), report.points, "results"),
        ),
        _groups(report, most_wins),
        wins=share_ticks(most_wins),
        fair=fair,
        fair_at=100 * fair / most_wins,
        boxes=tuple(filter(None, (_shares(report), _counts(report)))),
        fates=tuple(
            (fate, meaning, share_ticks(axis))
            for (fate, meaning), axis in zip(setting.fates.items(), axes, strict=True)
        ),
        pieces=tuple(
            (
                piece.title,
                pictures.get(piece.name),
                tuple(
                    _bar("", piece.fates[fate], axis) if fate in piece.fates else None
                    for fate, axis in zip(setting.fates, axes, strict=True)
                ),
            )
            for piece in report.pieces
        ),
    )


def _about(report: Report) -> str:
    count = len(report.players)
    facts = [
        f"{counted(report.games)} of {count} simulated player{'s' * (count != 1)}, {report.simulation.variant}",
        *([f"set {report.job.code}"] if report.job.code else []),
        f"seed {report.job.seed}",
    ]
    return "; ".join(facts)


def _plot_height(page: ReportPage) -> float:
    """The height of the histograms (mm) on a page with few pieces, which they fill."""
    rows = len(page.pieces)
    others = 33 + (48 if page.groups else 0) + 17 * len(page.boxes) + (9 * rows + 25 if rows else 0)
    return max(38.0, min(130.0, 275.0 - others))


def _pictures(game: Game, pieces: Sequence[PieceFigures]) -> dict[str, Frame]:
    """The fronts of the cards among the pieces, by the pieces' names."""
    drawn = GameFaces(game, games.deal(game))
    decks = [part for part in game.components.values() if part.kind == "deck" and part.cards]
    cards = {_plain(card.id): (part, card) for part in reversed(decks) for card in reversed(part.cards)}
    pictures: dict[str, Frame] = {}
    for piece in pieces:
        match = cards.get(_plain(piece.name)) or cards.get(_plain(piece.title))
        if match:
            part, card = match
            pictures[piece.name] = drawn.side(part, card, part.definition.face[0])
    return pictures if len(pictures) * 2 >= len(pieces) else {}


def _plain(name: str) -> str:
    return name.lower().replace("-", " ").removeprefix("card ").strip()


def _scale(shares: list[float]) -> float:
    """The share at which an axis ends: the smallest of a few that none of the shares exceeds."""
    return next((full for full in SCALES if max(shares, default=1.0) <= full), 1.0)


def share_ticks(full: float) -> Ticks:
    """An axis of shares from 0 to this one."""
    return tuple((position, f"{position * full:g}%") for position in (0.0, 50.0, 100.0))


def _shares(report: Report) -> tuple[tuple[str, str], ...]:
    """The other shares of the report; a single player cannot tie, lose to others or go first."""
    endless = ("endless", percent(report.endless))
    if len(report.players) == 1:
        return (endless,)
    return (
        ("ties", percent(report.ties)),
        ("everybody loses", percent(report.all_lose)),
        endless,
        *((("first-player advantage", signed(report.edge)),) if report.edge != NOTHING else ()),
    )


def _counts(report: Report) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, f"{spread.mean.value:.2f} ({spread.mean.low:.2f}–{spread.mean.high:.2f})")
        for name, spread in report.counts.items()
    )


def _groups(report: Report, full: float) -> tuple[tuple[str, tuple[Bar, ...]], ...]:
    if len(report.players) == 1:
        return ()
    return (
        ("Games won outright, by order of play", tuple(_bar(row.name, row.wins, full) for row in report.places)),
        (
            "Games won outright, by player",
            tuple(_bar(f"{row.name}, {row.strategy}", row.wins, full) for row in report.players),
        ),
    )


def _bar(label: str, share: Interval, widest: float) -> Bar:
    value, low, high = (min(100.0, 100 * part / widest) for part in share)
    return Bar(label, value, low, high, says=_percent(share.value))


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
    mean = f"{spread.mean.value:.1f} ({spread.mean.low:.1f} to {spread.mean.high:.1f})".replace("-", "−")
    total = sum(columns)
    top, levels = share_levels(max(columns) / total)
    together = f"; columns of {step}" if step > 1 else ""
    return Histogram(
        title,
        f"share of the {noun}; dashed line: mean {mean}{together}",
        tuple(100 * count / total / top for count in columns),
        ticks,
        levels=levels,
        mean=100 * (spread.mean.value - smallest + step / 2) / wide,
    )


def share_levels(most: float) -> tuple[float, Ticks]:
    """The top of a vertical axis for shares up to `most`, and its levels: multiples of 1, 2, 5, 10, 20 or 25%."""
    level = next(part for part in (0.01, 0.02, 0.05, 0.1, 0.2, 0.25) if part * 5 >= most or part == 0.25)
    count = -(-round(most * 1e6) // round(level * 1e6))
    return level * count, tuple((100 * n / count, f"{100 * level * n:.0f}%") for n in range(count + 1))
