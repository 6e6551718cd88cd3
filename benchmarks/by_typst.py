"""The workloads set by Typst (`pip install typst`): `python by_typst.py N OUT.pdf W|S`."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

import typst  # type: ignore[import-not-found]
from fontTools.ttLib import TTFont

from benchmarks import workload as w

_HEAD = """
#let d = json("data.json")
#let ink = rgb(d.ink)
#let thin = d.thin * 1mm + ink
#let at(x, y, body) = place(top + left, dx: x * 1mm, dy: y * 1mm, body)
#let box_(b, fill: none, stroke: none) = at(b.at(0), b.at(1), rect(width: b.at(2) * 1mm, height: b.at(3) * 1mm,
  radius: b.at(4) * 1mm, fill: fill, stroke: stroke))
#let ring(x, y, r, fill: none, stroke: thin) = at(x - r, y - r, circle(radius: r * 1mm, fill: fill, stroke: stroke))
// A line of text whose baseline is y.
#let words(x, y, size, body, to: center, fill: ink) = at(
  if to == center { x - 60 } else if to == right { x - 120 } else { x }, y, box(width: 120mm, align(to,
    text(size: size * 1pt, fill: fill, top-edge: "baseline", bottom-edge: "baseline", body))))
#set text(font: d.family, fill: ink, hyphenate: false)
#set par(leading: 0pt, justify: false)
#set page(margin: 0pt, width: d.page.at(0) * 1mm, height: d.page.at(1) * 1mm)
"""
_DECK = """
#let ornament(x, y, s) = {
  at(x, y, polygon(fill: rgb(d.gold), stroke: (d.thin * s * 1mm) + ink,
    ..d.star.map(p => (p.at(0) * s * 1mm, p.at(1) * s * 1mm))))
  for c in d.dots { ring(x + c.at(0) * s, y + c.at(1) * s, c.at(2) * s, fill: white, stroke: (d.thin * s * 1mm) + ink) }
}
#let star = ornament(..d.ornament, 1)
#let card(c) = block(width: 63mm, height: 88mm, {
  box_(d.frame, fill: rgb(c.colour), stroke: d.line * 1mm + ink)
  box_(d.panel, fill: white)
  for x in d.boxes { box_((x, d.box_y, 8, 8, 1.2), fill: rgb(d.box), stroke: thin) }
  words(..d.title, c.title)
  for (x, s) in d.boxes.zip(c.digits) { words(x + 4, d.digit_y, 12, s) }
  for (x, s) in d.boxes.slice(0, 4).zip(c.symbols) { words(x + 9.5, d.symbol_y, 8, s) }
  star
  at(6.5, 49, block(width: 50mm, text(size: 8pt, top-edge: 8pt, bottom-edge: -2pt, c.text)))
  words(..d.footer, c.footer)
})
#let back = block(width: 63mm, height: 88mm, {
  box_(d.back_frame, fill: rgb(d.navy), stroke: d.line * 1mm + ink)
  box_(d.back_inner, stroke: 0.4mm + white)
  for r in d.rings { ring(..r, stroke: d.thin * 1mm + rgb(d.gold)) }
  ornament(..d.back_ornament)
  words(..d.back_text, d.back_words, fill: white)
})
#let crops = for l in d.crops { place(top + left, line(start: (l.at(0) * 1mm, l.at(1) * 1mm),
  end: (l.at(2) * 1mm, l.at(3) * 1mm), stroke: d.crop * 1mm + black)) }
#for group in d.cards.chunks(9) {
  crops
  for (c, p) in group.zip(d.slots) { at(..p, card(c)) }
  pagebreak()
  for (c, p) in group.zip(d.slots) { at(147 - p.at(0), p.at(1), back) }
  if group.last() != d.cards.last() { pagebreak() }
}
"""
_SHEETS = """
#let half = {
  for i in range(4) { box_((30 + i * 26 + 1, 184, 24, 14, 2), fill: rgb(d.total), stroke: thin) }
  words(74.25, 18, 16, "Score sheet")
  words(12, 26, 9, "Name", to: left)
  place(top + left, line(start: (24mm, 26.5mm), end: (90mm, 26.5mm), stroke: thin))
  for (i, s) in "ABCD".clusters().enumerate() { words(30 + (i + .5) * 26, 34, 9, s) }
  for j in range(8) { words(12, 36 + (j + .5) * 18 + 1, 9, "Round " + str(j + 1), to: left) }
  words(12, 192, 9, "Total", to: left)
  for j in range(8) { for i in range(4) {
    box_((30 + i * 26, 36 + j * 18, 26, 18, 0), stroke: thin)
    ring(30 + i * 26 + 13, 36 + j * 18 + 9, 6)
  } }
}
#for (n, pair) in d.numbers.enumerate() {
  if n > 0 { pagebreak() }
  for (k, s) in pair.enumerate() {
    at(k * 148.5, 0, block(width: 148.5mm, height: 210mm, { half; words(138, 26, 9, s, to: right) }))
  }
  for y in (0, 205) { place(top + left, line(start: (148.5mm, y * 1mm), end: (148.5mm, (y + 5) * 1mm),
    stroke: d.crop * 1mm + black)) }
}
"""


def data(count: int, kind: str) -> dict[str, object]:
    shared = {
        "ink": w.INK,
        "gold": w.GOLD,
        "navy": w.NAVY,
        "box": w.BOX,
        "total": w.TOTAL_FILL,
        "thin": w.THIN,
        "line": w.LINE,
        "crop": w.CROP,
        "family": TTFont(w.FONT, lazy=True)["name"].getDebugName(1),
    }
    if kind == "S":
        return shared | {"page": w.SHEET, "numbers": w.numbers(count)}
    return shared | {
        "page": w.A4,
        "star": w.STAR,
        "dots": w.DOTS,
        "frame": w.FRAME,
        "panel": w.PANEL,
        "boxes": w.BOXES,
        "box_y": w.BOX_Y,
        "title": w.TITLE,
        "digit_y": w.DIGIT_Y,
        "symbol_y": w.SYMBOL_Y,
        "footer": w.FOOTER,
        "ornament": w.ORNAMENT,
        "back_frame": w.BACK_FRAME,
        "back_inner": w.BACK_INNER,
        "rings": w.RINGS,
        "back_ornament": w.BACK_ORNAMENT,
        "back_text": w.BACK_TEXT,
        "back_words": w.BACK_WORDS,
        "crops": list(w.crop_marks()),
        "slots": w.SLOTS,
        "cards": [asdict(row) for row in w.rows(count)],
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "data.json").write_text(json.dumps(data(int(sys.argv[1]), sys.argv[3])))
        main = Path(scratch) / "main.typ"
        main.write_text(_HEAD + (_SHEETS if sys.argv[3] == "S" else _DECK))
        typst.compile(str(main), output=sys.argv[2], font_paths=[str(w.FONT.parent)], ignore_system_fonts=True)
