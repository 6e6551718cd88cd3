"""A report as text, at most 80 columns wide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .report import PlayerFigures, Report, Spread
from .statistics import Interval

BARS = " ▁▂▃▄▅▆▇█"
COLUMNS = 40


def text(report: Report) -> str:
    """The report: how long, how many points, who wins, and what became of the pieces."""
    return "\n".join(line.rstrip() for line in _lines(report))


def ranking(rows: Sequence[Mapping[str, Any]], count: int, best: Report) -> str:
    """The best sets of a search among so many, and the report on the very best."""
    table = [f"{place:>3}  {row['set']}  {row['score']:>8.3f}  {row['games']:>9,}" for place, row in enumerate(rows, 1)]
    head = f"The best of {count} sets; the lower the score, the better balanced."
    width = len(str(rows[0]["set"]))
    return "\n".join([head, "", f"{'':3}  {'set':<{width}}  {'score':>8}  {'games':>9}", *table, "", text(best)])


def _lines(report: Report) -> Iterator[str]:
    setting = report.setting
    yield f"{setting.title}, {report.games:,} game{'s' * (report.games != 1)} ({setting.variant})"
    count = len(setting.strategies)
    drawn = [f"set {setting.code}"] if setting.code else []
    yield ", ".join([f"{count} player{'s' * (count != 1)}", f"seed {setting.seed}", *drawn]) + "; intervals hold 95 %"
    yield ""
    yield from _spread("length", setting.unit, report.length)
    yield from _spread("points", setting.points_are, report.points)
    yield ""
    if count > 1:
        yield from _players("player", report.players, setting.points_are)
        yield ""
        yield from _players("order of play", report.places, setting.points_are)
        yield ""
    if shares := _shares(report):
        yield from (
            f"{label:<24}{signed(share) if share is report.edge else percent(share)}" for label, share in shares
        )
        yield ""
    if report.counts:
        yield from (
            f"{name:<24}{number(found.mean)}; nine in ten {found.marks[1]} to {found.marks[3]}"
            for name, found in report.counts.items()
        )
        yield ""
    yield from _pieces(report)


def _spread(label: str, unit: str, found: Spread) -> Iterator[str]:
    least, low, middle, high, most = found.marks
    said = f"{label:<8}{number(found.mean)} {unit}; median {middle}, nine in ten {low} to {high}"
    yield said.replace("-", "−")
    yield f"{'':<8}{least:>4} {sketch(found.counts)} {most}".replace("-", "−")


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


def _players(head: str, rows: Sequence[PlayerFigures], unit: str) -> Iterator[str]:
    yield f"{head:<24}{unit:>18}{'games won alone':>22}"
    for player in rows:
        yield f"{player.name + '  ' + player.strategy:<24}{number(player.points.mean):>18}{percent(player.wins):>22}"


def _shares(report: Report) -> list[tuple[str, Interval]]:
    """A player alone has no edge, no ties and nobody to lose with; endless games are told only if there are any."""
    shares = (
        []
        if len(report.players) == 1
        else [("first player’s edge", report.edge), ("ties", report.ties), ("everybody loses", report.all_lose)]
    )
    return [*shares, ("without an end", report.endless)] if report.endless.value else shares


def _pieces(report: Report) -> Iterator[str]:
    if not report.pieces:
        return
    fates = report.setting.fates
    yield f"{'':<16}" + "".join(f"{fate:>20}" for fate in fates)
    for piece in report.pieces:
        told = (percent(piece.fates[fate]) if fate in piece.fates else "" for fate in fates)
        yield f"{_named(piece.name):<16}" + "".join(f"{share:>20}" for share in told)
    yield ""
    for fate, meaning in fates.items():
        yield f"{fate}: {meaning}"


def _named(piece: str) -> str:
    return f"card {piece}" if piece.isdigit() else piece


def number(found: Interval) -> str:
    """A mean with half its interval's width: `12.3 ± 0.4`."""
    return f"{found.value:.2f} ± {(found.high - found.low) / 2:.2f}".replace("-", "−")


def percent(found: Interval) -> str:
    """A share with its interval: `31.0 % (28.2–33.9)`."""
    return f"{100 * found.value:.1f} % ({100 * found.low:.1f}–{100 * found.high:.1f})"


def signed(found: Interval) -> str:
    """A difference of shares: `+1.2 % (−0.9 to +3.3)`."""
    value, low, high = (f"{100 * part:+.1f}".replace("-", "−") for part in found)
    return f"{value} % ({low} to {high})"
