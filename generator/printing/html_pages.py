"""Reports and scored copies as HTML: one file, without scripts, fonts or pictures from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from ..art.frame_svg import SvgWriter
from ..geometry.frame import Frame
from ..model.game import Game, Theme
from ..simulation.report import Report
from ..text.lines import colour
from .balance_report import Bar, Histogram, Ticks, contents
from .scored_copies import Copier, Copy

_STYLE = """
:root { color-scheme: light; --ink: %(ink)s; --accent: %(accent)s; --soft: %(soft)s; --line: %(line)s;
  --quiet: %(quiet)s; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.2rem 1rem 3rem; max-width: 60rem; color: var(--ink); background: #fff;
  font: 1rem/1.5 Lato, Carlito, system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: .2rem 0 .4rem; font-size: 1.7rem; line-height: 1.2; color: var(--accent); }
h2 { margin: 2rem 0 .4rem; font-size: 1.15rem; }
p { margin: .3rem 0; } .quiet, figcaption { color: var(--quiet); font-size: .875rem; }
.two { display: grid; gap: 0 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%%, 22rem), 1fr)); }
.boxes { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1.2rem 0 0; padding: 0; }
.boxes div { flex: 1 1 8rem; padding: .5rem .7rem; border-radius: .4rem; background: var(--soft); }
.boxes dt { color: var(--quiet); font-size: .8rem; font-weight: bold; } .boxes dd { margin: 0; }
figure { margin: .4rem 0 0; } svg { display: block; width: 100%%; height: auto; }
svg text { white-space: pre; }
table { width: 100%%; border-collapse: collapse; } .wide { overflow-x: auto; }
th, td { padding: .25rem .5rem; text-align: left; vertical-align: middle; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: right; white-space: nowrap; } tr.sum td, tr.sum th { background: var(--soft);
  font-weight: bold; }
.bars { display: grid; grid-template-columns: max-content 1fr max-content; gap: .1rem .8rem; align-items: center; }
.bars.quiet, .bars .quiet { grid-column: 2 / -1; } .bars svg { min-width: 4rem; }
.piece { display: grid; grid-template-columns: 2.4rem 8rem repeat(auto-fit, minmax(11rem, 1fr)); gap: 0 1rem;
  align-items: center; padding: .35rem 0; border-bottom: 1px solid var(--line); break-inside: avoid; }
.piece svg.card { width: 2.2rem; } .fate { display: grid; grid-template-columns: 1fr 3.4rem; gap: 0 .6rem;
  align-items: center; } .fate small { grid-column: 1 / -1; color: var(--quiet); line-height: 1.1; }
.fate b { text-align: right; font-weight: normal; }
@media (max-width: 40rem) { .piece { grid-template-columns: 2.4rem 1fr; } .piece .fate { grid-column: 2; } }
.sheet { margin: 1rem 0; border: 1px solid var(--line); background: #fff; }
ol { padding-left: 1.6rem; } li { margin: .5rem 0; } .rule { color: var(--quiet); font-size: .875rem; }
@media print { body { max-width: none; padding: 0; } h2, figure, tr { break-inside: avoid; } }
"""


def page(title: str, theme: Theme, body: Iterable[str]) -> str:
    """A whole page. `title` is text, `body` consists of HTML."""
    style = _STYLE % {name: colour(name, theme)[:7] for name in ("ink", "accent", "soft", "line", "quiet")}
    language = theme.language if theme.language not in ("", "none") else "en"
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def _table(rows: Iterable[str]) -> str:
    return f'<div class="wide"><table>{"".join(rows)}</table></div>'


def balance(game: Game, report: Report) -> str:
    """The balance report of a game."""
    return page(f"{game.title}: balance report", game.theme, _balance(game, report))


def _balance(game: Game, report: Report) -> Iterator[str]:
    shown = contents(game, report)
    pictures = SvgWriter(game.theme)
    yield f'<p class="quiet">{escape(game.title)} · balance report</p>'
    yield f"<h1>{escape(shown.verdict)}</h1>\n<p>{escape(shown.about)}</p>"
    yield f'<div class="two">{"".join(map(_histogram, shown.histograms))}</div>'
    if shown.groups:
        groups = (
            f"<section><h2>{escape(title)}</h2>{_bars(bars, shown.wins, shown.fair_at)}</section>"
            for title, bars in shown.groups
        )
        yield f'<div class="two">{"".join(groups)}</div>'
        fair = f"{shown.fair:.1%} of the games, the share of each player if all had the same chances"
        yield f'<p class="quiet">Dashed line: {fair}.</p>'
    for boxes in shown.boxes:
        inner = "".join(f"<div><dt>{escape(label)}</dt><dd>{escape(says)}</dd></div>" for label, says in boxes)
        yield f'<dl class="boxes">{inner}</dl>'
    if shown.pieces:
        yield "<h2>Cards and other pieces</h2>"
        yield from (_piece(piece, shown.fates, pictures) for piece in shown.pieces)
        meanings = (f"<b>{escape(fate.capitalize())}:</b> {escape(meaning)}." for fate, meaning, _ in shown.fates)
        yield f'<p class="quiet">Shares of the times that a piece was in play. {" ".join(meanings)}</p>'
    intervals = "95% confidence intervals (Wilson for shares, bootstrap for means): with more games, they get shorter"
    yield f'<p class="quiet">Lines with two ends are {intervals}.</p>'
    yield pictures.definitions()


def _histogram(plot: Histogram) -> str:
    left, wide, tall = 12.0, 100.0, 46.0
    parts = []
    for at, label in plot.levels:
        y = tall - at * tall / 100 + 3
        parts.append(f'<path d="M{left} {y:.2f}H{left + wide}" stroke="var(--line)" stroke-width=".2"/>')
        parts.append(_label(left - 1.5, y + 1.2, label, "end"))
    step = wide / len(plot.columns)
    for number, column in enumerate(plot.columns):
        height = column * tall / 100
        x, y = left + number * step, tall - height + 3
        parts.append(f'<rect x="{x:.2f}" y="{y:.2f}" width="{0.92 * step:.2f}" height="{height:.2f}" {_BAR}/>')
    parts.append(f'<path d="M{left} {tall + 3}H{left + wide}" stroke="var(--ink)" stroke-width=".4"/>')
    mean = left + plot.mean * wide / 100
    parts.append(f'<path d="M{mean:.2f} 3V{tall + 3}" {_DASHED}/>')
    parts += [_label(left + at * wide / 100, tall + 8, label, "middle") for at, label in plot.ticks]
    box = f"0 0 {left + wide + 2} {tall + 10}"
    drawn = f'<svg viewBox="{box}" role="img" aria-label="{escape(plot.says)}">{"".join(parts)}</svg>'
    caption = f"<figcaption>{escape(plot.says)}</figcaption>"
    return f"<section><h2>{escape(plot.title)}</h2><figure>{drawn}{caption}</figure></section>"


_BAR = 'fill="var(--accent)" fill-opacity=".5"'
_DASHED = 'stroke="var(--ink)" stroke-width=".6" stroke-dasharray="1.6 1"'


def _label(x: float, y: float, text: str, anchor: str) -> str:
    look = f'font-size="3.6" fill="var(--quiet)" text-anchor="{anchor}"'
    return f'<text x="{x:.2f}" y="{y:.2f}" {look}>{escape(text)}</text>'


def _bars(bars: Sequence[Bar], ticks: Ticks, fair_at: float) -> str:
    rows = (f"<b>{escape(bar.label)}</b>{_bar(bar, ticks, fair_at)}<span>{escape(bar.says)}</span>" for bar in bars)
    return f'<div class="bars">{"".join(rows)}<span class="quiet">0 to {escape(ticks[-1][1])} of the games</span></div>'


def _piece(
    piece: tuple[str, Frame | None, tuple[Bar | None, ...]],
    fates: Sequence[tuple[str, str, Ticks]],
    pictures: SvgWriter,
) -> str:
    """The picture and title of a piece, and a bar for each of its fates."""
    title, picture, bars = piece
    card = pictures.svg(picture, title).replace("<svg", '<svg class="card"', 1) if picture else "<span></span>"
    shares = (
        f'<div class="fate"><small>{escape(fate)}, 0 to {escape(ticks[-1][1])}</small>{_bar(bar, ticks)}'
        f"<b>{escape(bar.says)}</b></div>"
        for bar, (fate, _, ticks) in zip(bars, fates, strict=True)
        if bar
    )
    return f'<div class="piece">{card}<b>{escape(title)}</b>{"".join(shares)}</div>'


def _bar(bar: Bar, ticks: Ticks, fair_at: float | None = None) -> str:
    """A bar with its interval."""
    fair = f'<path d="M{fair_at:.2f} 0V10" {_DASHED}/>' if fair_at is not None else ""
    lines = "".join(f'<path d="M{at:.0f} 0V10" stroke="var(--line)" stroke-width=".3"/>' for at, _ in ticks)
    interval = f"M{bar.low:.2f} 5H{bar.high:.2f}M{bar.low:.2f} 3.4V6.6M{bar.high:.2f} 3.4V6.6"
    body = f'<rect x="0" y="2" width="{bar.at:.2f}" height="6" {_BAR}/>{fair}'
    ends = f'<path d="{interval}" stroke="var(--ink)" stroke-width=".6" fill="none"/>'
    return f'<svg viewBox="-1 0 102 10" aria-hidden="true">{lines}{body}{ends}</svg>'


def scored(copier: Copier, copies: Sequence[Copy]) -> str:
    """Scored copies of filled-in sheets."""
    title = " · ".join(dict.fromkeys(copy.game.title for copy in copies))
    return page(f"{title}: scored", copies[0].game.theme, _scored(copier, copies))


def _scored(copier: Copier, copies: Sequence[Copy]) -> Iterator[str]:
    for number, copy in enumerate(copies):
        pictures = SvgWriter(copier.theme(copy))
        if number:
            yield "<hr>"
        yield from _notes(copy.notes)
        for count, (frame, _) in enumerate(copier.sheets(copy), start=1):
            yield f'<div class="sheet">{pictures.svg(frame, f"{copy.game.title}, page {count} as filled in")}</div>'
        yield pictures.definitions()


def _notes(lines: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The notes: rows that follow each other in one table, and problems in one list."""
    for kind, group in groupby(lines, key=lambda line: line["kind"]):
        if kind == "row":
            yield _table(map(_row, group))
        elif kind == "finding":
            yield f"<ol>{''.join(map(_finding, group))}</ol>"
        else:
            yield from (_note(line) for line in group if "text" in line)


def _finding(line: Mapping[str, Any]) -> str:
    head, text = escape(line.get("head", "")), escape(line["text"])
    return f'<li value="{line["number"]}"><div class="rule">{head}</div>{text}</li>'


def _note(line: Mapping[str, Any]) -> str:
    text = escape(line["text"])
    if line["kind"] == "part":
        return f"<p>{escape(line.get('head', ''))} {text}</p>"
    tag = {"title": "h1", "heading": "h2"}.get(line["kind"])
    return f"<{tag}>{text}</{tag}>" if tag else f'<p class="quiet">{text}</p>'


def _row(line: Mapping[str, Any]) -> str:
    cells = "".join(
        f"<td{' class=number' if align == 'right' else ''}>{escape(text)}</td>" for text, align in line["cells"][:-1]
    )
    return f"<tr{' class=sum' if line['style'] == 'cell-heavy' else ''}>{cells}</tr>"
