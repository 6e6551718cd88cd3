"""Reports and scored copies as HTML: one file with its fonts and pictures, without scripts."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from .. import __version__, faces, paths
from ..art.frame_svg import SvgWriter, family
from ..model.game import Game, Theme
from ..pdf.fonts import subset
from ..simulation.report import Report
from ..text import fonts
from ..text.lines import colour
from .balance_report import contents
from .scored_copies import Copier, Copy

_STYLE = """
:root { color-scheme: light; --ink: %(ink)s; --accent: %(accent)s; --soft: %(soft)s; --line: %(line)s;
  --quiet: %(quiet)s; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.2rem 1rem 3rem; max-width: 60rem; color: var(--ink); background: #fff;
  font: 1rem/1.5 Lato, Carlito, system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: .2rem 0 .4rem; font-size: 1.9rem; font-weight: 900; line-height: 1.15; color: var(--accent);
  text-wrap: balance; }
h1.winner { font-size: clamp(1.9rem, 6vw, 3rem); margin-bottom: 1.2rem; }
.kicker { color: var(--quiet); font-weight: bold; letter-spacing: .02em; }
.standings { display: grid; gap: .4rem; margin: 0 0 1.4rem; padding: 0; max-width: 30rem; list-style: none; }
.standings li { display: grid; grid-template-columns: 2.6rem 1fr auto; gap: .8rem; align-items: baseline; margin: 0;
  padding: .45rem .9rem; border: 1px solid var(--line); border-radius: .5rem; }
.standings .wins { border: 2px solid var(--accent); background: var(--soft); }
.standings .who { grid-column: 2; font-weight: bold; font-size: 1.15rem; } .standings .rank { color: var(--quiet); }
.standings strong { font-size: 1.7rem; font-weight: 900; line-height: 1; }
table.score { width: auto; } table.score td.number { padding-right: 2.4rem; min-width: 4.5rem; }
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
.pieces svg.card { width: 2.2rem; } .pieces th { text-align: left; } .pieces td { min-width: 2.6rem; }
.pieces thead th { vertical-align: bottom; } .pieces small { display: block; color: var(--quiet); font-weight: normal; }
.pieces td + th { min-width: 7rem; } .fate span { text-align: right; }
.fate { display: grid; grid-template-columns: minmax(6rem, 1fr) 3.4rem; gap: 0 .6rem; align-items: center;
  min-width: 9rem; }
.sheet { margin: 1rem 0; border: 1px solid var(--line); background: #fff; }
ol { padding-left: 1.6rem; } li { margin: .5rem 0; } .rule { color: var(--quiet); font-size: .875rem; }
footer { margin: 2.4rem 0 0; padding: .8rem 0 0; border-top: 1px solid var(--line); color: var(--quiet);
  font-size: .875rem; }
footer svg { display: inline; width: 1.3rem; margin: 0 .4rem 0 0; vertical-align: -.25rem; }
@media print { body { max-width: none; padding: 0; } h2, figure, tr { break-inside: avoid; } }
"""


_FONTS = {"normal 400": "Lato-Regular", "normal 700": "Lato-Bold", "normal 900": "Lato-Black"}
_PRINTABLE = "".join(map(chr, (*range(32, 127), *range(160, 383)))) + "–—‘’“”…−≠×·★▲▼"
"""The letters of the texts of a page: others come from the fonts of the reader's machine."""


def _font_face(name: str, files: fonts.Files, letters: Iterable[str], style: str = "") -> str:
    """A font for texts with these letters, as CSS."""
    codes = []
    for face in fonts.load(files).faces:
        own = {letter for letter in letters if face.glyph(letter)}
        letters = {*letters} - own
        if own and not face.is_cff:
            program, _ = subset(face, letters=sorted(own))
            codes.append(f"url(data:font/ttf;base64,{b64encode(program).decode()})")
    weight = f"font-weight:{style.split()[-1]};" if style else ""
    return "".join(f'@font-face{{font-family:"{name}";{weight}src:{code}}}\n' for code in codes[:1])


def _fonts_of(pictures: Iterable[SvgWriter]) -> str:
    """The fonts of pictures: one for each font of their themes."""
    used: dict[str, tuple[fonts.Files, set[str]]] = {}
    for writer in pictures:
        for name, letters in writer.letters.items():
            used.setdefault(name, (writer.theme.fonts.get(name, ()), set()))[1].update(letters)
    return "".join(_font_face(family(name), files, letters) for name, (files, letters) in sorted(used.items()))


def page(title: str, theme: Theme, body: Iterable[str], pictures: Iterable[SvgWriter] = ()) -> str:
    """A whole page. `title` is text, `body` consists of HTML, with `pictures` in it."""
    body = [*body]
    own = {letter for part in body for letter in re.sub("<svg.*?</svg>|<[^>]*>", "", part, flags=re.S)} & {*_PRINTABLE}
    faces_of_page = "".join(
        _font_face("Lato", paths.SHARED_DATA / "fonts" / f"{file}.ttf", own, style) for style, file in _FONTS.items()
    )
    style = (
        faces_of_page
        + _fonts_of(pictures)
        + _STYLE % {name: colour(name, theme)[:7] for name in ("ink", "accent", "soft", "line", "quiet")}
    )
    language = theme.language if theme.language not in ("", "none") else "en"
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + f"\n<footer>{_mark()}Pencilbox {__version__}</footer>\n</body>\n</html>\n"
    )


def _mark() -> str:
    """The mark of Pencilbox."""
    return (paths.SHARED_DATA / "icons" / "pencilbox.svg").read_text(encoding="utf-8").replace("\n", "")


def balance(game: Game, report: Report) -> str:
    """The balance report of a game."""
    shown = contents(game, report)
    templates = faces.Templates(game.templates, game.theme)
    body = templates.render("balance", {"title": game.title, "page": shown}, "balance", ".html.j2")
    pictures = SvgWriter(game.theme)
    for number, (title, picture, _) in enumerate(shown.pieces):  # too large to pass through the template
        svg = pictures.svg(picture, title).replace("<svg", '<svg class="card"', 1) if picture else "<span></span>"
        body = body.replace(f"<!-- piece {number} -->", svg)
    title = f"{game.title}: balance report"
    return page(title, game.theme, [body.strip(), pictures.definitions()], [pictures])


def scored(copier: Copier, copies: Sequence[Copy]) -> str:
    """Scored copies of filled-in sheets."""
    title = " · ".join(dict.fromkeys(copy.game.title for copy in copies))
    pictures = [SvgWriter(copier.theme(copy)) for copy in copies]
    return page(f"{title}: scored", copies[0].game.theme, _scored(copier, copies, pictures), pictures)


def _scored(copier: Copier, copies: Sequence[Copy], writers: Sequence[SvgWriter]) -> Iterator[str]:
    templates = faces.Templates(copies[0].game.templates, copies[0].game.theme)
    for number, (copy, pictures) in enumerate(zip(copies, writers, strict=True)):
        if number:
            yield "<hr>"
        groups = [(kind, list(lines)) for kind, lines in groupby(copy.notes, key=lambda line: line["kind"])]
        yield templates.render("scored_notes", {"groups": groups}, "scored notes", ".html.j2").strip()
        for count, (frame, _) in enumerate(copier.sheets(copy), start=1):
            yield f'<div class="sheet">{pictures.svg(frame, f"{copy.game.title}, page {count} as filled in")}</div>'
        yield pictures.definitions()
