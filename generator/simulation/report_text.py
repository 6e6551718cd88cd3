"""A report as text, at most 80 columns wide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from .report import Interval, PlayerFigures, Report, Spread

BARS = " ▁▂▃▄▅▆▇█"
COLUMNS = 40
LABELS = 24
"""The width of the first column."""


def text(report: Report) -> str:
    """The report: how long the games are, how many points players get, who wins, and what happens to the pieces."""
    return "\n".join(line.rstrip() for line in _lines(report)).rstrip("\n")


def ranking(rows: Sequence[Mapping[str, Any]], count: int, best: Report) -> str:
    """The best of `count` sets that were searched, and the report on the very best."""
    table = [f"{place:>3}  {row['set']}  {row['score']:>8.3f}  {row['games']:>9,}" for place, row in enumerate(rows, 1)]
    title = f"The best of {count} sets; the lower the score, the better balanced."
    width = len(str(rows[0]["set"]))
    return "\n".join([title, "", f"{'':3}  {'set':<{width}}  {'score':>8}  {'games':>9}", *table, "", text(best)])


def headline(report: Report) -> str:
    """The report in one sentence."""
    if not report.simulation.has_turns:
        return "Every box of the score sheet is filled in at random, within its rules."
    length = f"A game lasts about {report.length.mean.value:.0f} {report.simulation.unit}"
    if len(report.players) == 1:
        return f"{length}."
    if not report.edge_is_clear:
        return f"{length}. In {counted(report.games)}, going first made no clear difference."
    fair = 1 / len(report.players)
    share = f"{100 * (fair + report.edge.value):.0f}% of the games with one winner; a fair share is {100 * fair:.0f}%"
    return f"{length}. The first player wins {share}."


def verdict(report: Report) -> str:
    """Whether the game is fair, and how long it is, in one sentence for a title."""
    if not report.simulation.has_turns or len(report.players) == 1:
        return headline(report)
    length = f"{report.length.mean.value:.0f} {report.simulation.unit}"
    if not report.edge_is_clear:
        return f"Going first makes no clear difference in games of about {length}."
    fair = 1 / len(report.players)
    won, due = 100 * (fair + report.edge.value), 100 * fair
    return f"The first player wins {won:.0f}% of the games where {due:.0f}% would be fair; games last about {length}."


def counted(games: int) -> str:
    return f"{games:,} game{'s' * (games != 1)}"


def _lines(report: Report) -> Iterator[str]:
    setting, count = report.simulation, len(report.players)
    yield f"{setting.game.title}, {counted(report.games)} ({setting.variant})"
    code = [f"set {report.job.code}"] if report.job.code else []
    yield ", ".join([f"{count} player{'s' * (count != 1)}", f"seed {report.job.seed}", *code])
    yield "± and the ranges in brackets are 95% confidence intervals."
    yield ""
    yield from wrap(headline(report), 80)
    yield ""
    if setting.has_turns:
        yield from _spread("length", setting.unit, report.length)
    yield from _spread("points", setting.points_are, report.points)
    yield ""
    if count > 1:
        yield from _players("player", report.players, setting.points_are)
        yield ""
        if setting.has_turns:
            yield from _players("order of play", report.places, setting.points_are)
            yield ""
    if shares := _shares(report):
        yield from (
            f"{label:<{LABELS}}{signed(share) if share is report.edge else percent(share)}" for label, share in shares
        )
        yield ""
    if report.counts:
        yield from (
            f"{name:<{LABELS}}{number(spread.mean)}; nine in ten {spread.marks[1]} to {spread.marks[3]}"
            for name, spread in report.counts.items()
        )
        yield ""
    yield from _pieces(report)


def _spread(label: str, unit: str, spread: Spread) -> Iterator[str]:
    least, low, median, high, most = spread.marks
    line = f"{label:<8}{number(spread.mean)} {unit}; median {median}, nine in ten {low} to {high}"
    yield line.replace("-", "−")
    yield f"{'':<8}{least:>4} {sketch(spread.counts)} {most}".replace("-", "−")


def sketch(counts: Mapping[int, int], columns: int = COLUMNS) -> str:
    """A histogram in one line."""
    if not counts:
        return ""
    least, most = min(counts), max(counts)
    step = -(-(most - least + 1) // columns)
    bins = [0] * -(-(most - least + 1) // step)
    for value, count in counts.items():
        bins[(value - least) // step] += count
    top = max(bins)
    return "".join(BARS[-(-count * (len(BARS) - 1) // top)] for count in bins)


def _players(title: str, rows: Sequence[PlayerFigures], unit: str) -> Iterator[str]:
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
        shares = [("first-player advantage", report.edge)] if has_turns else []
        shares += [("ties", report.ties)]
    rare = [("everybody loses", report.all_lose), ("endless" if has_turns else "no legal sheet found", report.endless)]
    return [*shares, *(share for share in rare if share[1].value)]


def _pieces(report: Report) -> Iterator[str]:
    if not report.pieces:
        return
    fates = report.simulation.fates
    yield from _table(
        [
            ("", *fates),
            *(
                (piece.title, *(percent(piece.fates[fate]) if fate in piece.fates else "" for fate in fates))
                for piece in report.pieces
            ),
        ]
    )
    yield ""
    for fate, meaning in fates.items():
        yield f"{fate}: {meaning}"


def _table(rows: Sequence[Sequence[str]], first: int = 0) -> Iterator[str]:
    """Rows of cells in columns two spaces apart, all but the first aligned right. `first` is the minimum
    width of the first column."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    widths[0] = max(widths[0], first - 2)
    for row in rows:
        cells = [
            f"{row[0]:<{widths[0]}}",
            *(f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)),
        ]
        yield "  ".join(cells)


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
