"""A report as text, at most 80 columns wide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .report import Report, Spread, Who
from .statistics import Interval

BARS = " ▁▂▃▄▅▆▇█"
COLUMNS = 40


def text(made: Report) -> str:
    """The report: how long, how many points, who wins, and what became of the pieces."""
    return "\n".join(line.rstrip() for line in _lines(made))


def _lines(made: Report) -> Iterator[str]:
    setting = made.setting
    yield f"{setting.title}, {made.games:,} game{'s' * (made.games != 1)} ({setting.variant})"
    count = len(setting.minds)
    drawn = [f"set {setting.code}"] if setting.code else []
    yield ", ".join([f"{count} player{'s' * (count != 1)}", f"seed {setting.seed}", *drawn]) + "; intervals hold 95 %"
    yield ""
    yield from _spread("length", setting.unit, made.length)
    yield from _spread("points", setting.points_are, made.points)
    yield ""
    if count > 1:
        yield from _who("player", made.players, setting.points_are)
        yield ""
        yield from _who("order of play", made.places, setting.points_are)
        yield ""
    if shares := _shares(made):
        yield from (f"{label:<24}{signed(share) if share is made.edge else percent(share)}" for label, share in shares)
        yield ""
    if made.counts:
        yield from (f"{name:<24}{number(found.mean)}; nine in ten {found.marks[1]} to {found.marks[3]}"
                    for name, found in made.counts.items())
        yield ""
    yield from _pieces(made)


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


def _who(head: str, rows: Sequence[Who], unit: str) -> Iterator[str]:
    yield f"{head:<24}{unit:>18}{'games won alone':>22}"
    for who in rows:
        yield f"{who.name + '  ' + who.mind:<24}{number(who.points.mean):>18}{percent(who.wins):>22}"


def _shares(made: Report) -> list[tuple[str, Interval]]:
    alone = len(made.players) == 1
    found = [("first player’s edge", made.edge), ("ties", made.ties), ("everybody loses", made.all_lose)][3 * alone:]
    return [*found, ("without an end", made.endless)] if made.endless.value else found


def _pieces(made: Report) -> Iterator[str]:
    if not made.pieces:
        return
    fates = made.setting.fates
    yield f"{'':<16}" + "".join(f"{fate:>20}" for fate in fates)
    for piece in made.pieces:
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
