"""Reports and scored copies as HTML: one file, without scripts, fonts or pictures from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from .. import faces
from ..art.frame_svg import SvgWriter
from ..model.game import Game, Theme
from ..simulation.report import Report
from ..text.lines import colour
from .balance_report import contents
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


def balance(game: Game, report: Report) -> str:
    """The balance report of a game."""
    shown = contents(game, report)
    templates = faces.Templates(game.templates, game.theme)
    body = templates.render("balance", {"title": game.title, "page": shown}, "balance", ".html.j2")
    pictures = SvgWriter(game.theme)
    for number, (title, picture, _) in enumerate(shown.pieces):  # too large to pass through the template
        svg = pictures.svg(picture, title).replace("<svg", '<svg class="card"', 1) if picture else "<span></span>"
        body = body.replace(f"<!-- piece {number} -->", svg)
    return page(f"{game.title}: balance report", game.theme, [body.strip(), pictures.definitions()])


def scored(copier: Copier, copies: Sequence[Copy]) -> str:
    """Scored copies of filled-in sheets."""
    title = " · ".join(dict.fromkeys(copy.game.title for copy in copies))
    return page(f"{title}: scored", copies[0].game.theme, _scored(copier, copies))


def _scored(copier: Copier, copies: Sequence[Copy]) -> Iterator[str]:
    templates = faces.Templates(copies[0].game.templates, copies[0].game.theme)
    for number, copy in enumerate(copies):
        pictures = SvgWriter(copier.theme(copy))
        if number:
            yield "<hr>"
        groups = [(kind, list(lines)) for kind, lines in groupby(copy.notes, key=lambda line: line["kind"])]
        yield templates.render("scored_notes", {"groups": groups}, "scored notes", ".html.j2").strip()
        for count, (frame, _) in enumerate(copier.sheets(copy), start=1):
            yield f'<div class="sheet">{pictures.svg(frame, f"{copy.game.title}, page {count} as filled in")}</div>'
        yield pictures.definitions()
