"""The workloads drawn with cairo (`pip install pycairo`, or cairocffi): `python by_cairo.py N OUT.pdf W|S`. Cairo finds
fonts by name only, so `benchmarks/print.py` tells fontconfig where the bundled ones are.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from fontTools.ttLib import TTFont

from benchmarks import workload as w

try:
    import cairo  # type: ignore[import-not-found]
except ImportError:
    import cairocffi as cairo  # type: ignore[import-not-found]

RIGHT = math.pi / 2
FAMILY = TTFont(w.FONT, lazy=True)["name"].getDebugName(1)
FACE = cairo.ToyFontFace(FAMILY)


def box(c: Any, edges: tuple[float, ...]) -> None:
    x, y, width, height, r = edges
    c.new_sub_path()
    for corner, (cx, cy) in enumerate(
        ((x + width - r, y + r), (x + width - r, y + height - r), (x + r, y + height - r), (x + r, y + r))
    ):
        c.arc(cx, cy, r, (corner - 1) * RIGHT, corner * RIGHT)
    c.close_path()


def paint(c: Any, fill: str | None = None, stroke: str | None = None, width: float = 0.0) -> None:
    if fill:
        c.set_source_rgb(*w.rgb(fill))
        (c.fill_preserve if stroke else c.fill)()
    if stroke:
        c.set_source_rgb(*w.rgb(stroke))
        c.set_line_width(width)
        c.stroke()


def ring(c: Any, x: float, y: float, radius: float) -> None:
    c.new_sub_path()
    c.arc(x, y, radius, 0, 4 * RIGHT)


def ornament(c: Any) -> None:
    c.move_to(*w.STAR[0])
    for point in w.STAR[1:]:
        c.line_to(*point)
    c.close_path()
    paint(c, w.GOLD, w.INK, w.THIN)
    for dot in w.DOTS:
        ring(c, *dot)
        paint(c, w.WHITE, w.INK, w.THIN)


@cache
def _scaled(size: float) -> Any:
    options = cairo.FontOptions()
    options.set_hint_metrics(1)
    options.set_hint_style(1)
    scale = w.POINTS
    return cairo.ScaledFont(
        FACE, cairo.Matrix(size / scale, 0, 0, size / scale), cairo.Matrix(scale, 0, 0, scale), options
    )


def advance(size: float, text: str) -> float:
    return float(_scaled(size).text_extents(text)[4])


def words(c: Any, place: tuple[float, ...], text: str, share: float = 0.5, colour: str = w.INK) -> None:
    x, y, size = place
    c.set_source_rgb(*w.rgb(colour))
    c.set_font_face(FACE)
    c.set_font_size(size / w.POINTS)
    c.move_to(x - advance(size, text) * share, y)
    c.show_text(text)


def recorded(edges: tuple[float, ...], draw: Callable[[Any], None]) -> Any:
    surface = cairo.RecordingSurface(0x3000, edges)
    draw(cairo.Context(surface))
    return surface


def back(c: Any) -> None:
    box(c, w.BACK_FRAME)
    paint(c, w.NAVY, w.INK, w.LINE)
    box(c, w.BACK_INNER)
    paint(c, None, w.WHITE, w.BACK_LINE)
    for measures in w.RINGS:
        ring(c, *measures)
        paint(c, None, w.GOLD, w.THIN)
    x, y, scale = w.BACK_ORNAMENT
    c.save()
    c.translate(x, y)
    c.scale(scale, scale)
    ornament(c)
    c.restore()
    words(c, w.BACK_TEXT, w.BACK_WORDS, colour=w.WHITE)


def lines(text: str, size: float, room: float) -> Iterator[str]:
    line: list[str] = []
    left, space = room, advance(size, "a b") - advance(size, "ab")
    for word in text.split():
        wide = advance(size, word)
        if wide > left and line:
            yield " ".join(line)
            line, left = [], room
        line.append(word)
        left -= wide + space
    yield " ".join(line)


def card(c: Any, row: w.Row, star: Any) -> None:
    box(c, w.FRAME)
    paint(c, row.colour, w.INK, w.LINE)
    box(c, w.PANEL)
    paint(c, w.WHITE)
    for x in w.BOXES:
        box(c, (x, w.BOX_Y, w.BOX_SIDE, w.BOX_SIDE, w.BOX_RADIUS))
        paint(c, w.BOX, w.INK, w.THIN)
    words(c, w.TITLE, row.title)
    for x, text in zip(w.BOXES, row.digits, strict=True):
        words(c, (x + w.BOX_SIDE / 2, w.DIGIT_Y, w.DIGIT_SIZE), text)
    for x, text in zip(w.BOXES, row.symbols, strict=False):
        words(c, (x + w.BOX_SIDE + 1.5, w.SYMBOL_Y, w.SYMBOL_SIZE), text)
    for i, line in enumerate(lines(row.text, w.PARAGRAPH_SIZE, w.PARAGRAPH_WIDTH)):
        y = w.PARAGRAPH_Y + (w.PARAGRAPH_SIZE + i * w.PARAGRAPH_LEADING) / w.POINTS
        words(c, (w.PARAGRAPH_X, y, w.PARAGRAPH_SIZE), line, 0)
    words(c, w.FOOTER, row.footer)
    c.save()
    c.translate(*w.ORNAMENT)
    c.set_source_surface(star, 0, 0)
    c.paint()
    c.restore()


def deck(surface: Any, count: int) -> None:
    c = cairo.Context(surface)
    c.scale(w.POINTS, w.POINTS)
    star, behind = recorded((-12, -12, 24, 24), ornament), recorded((0, 0, *w.CARD), back)
    for group in w.grouped(list(w.rows(count))):
        for x, y, x2, y2 in w.crop_marks():
            c.move_to(x, y)
            c.line_to(x2, y2)
        paint(c, None, w.CROP_INK, w.CROP)
        for row, place in zip(group, w.SLOTS, strict=False):
            c.save()
            c.translate(*place)
            card(c, row, star)
            c.restore()
        c.show_page()
        for (x, y), _ in zip(w.SLOTS, group, strict=False):
            c.set_source_surface(behind, w.A4[0] - w.CARD[0] - x, y)
            c.paint()
        c.show_page()


def half(c: Any) -> None:
    wide, deep = w.CELL
    for i in range(w.COLUMNS):
        box(c, (w.GRID_X + i * wide + 1, w.TOTAL_Y, wide - 2, w.TOTAL_HEIGHT, w.TOTAL_RADIUS))
        paint(c, w.TOTAL_FILL, w.INK, w.THIN)
    words(c, w.S_TITLE[:3], w.S_TITLE[3])
    words(c, w.S_NAME[:3], w.S_NAME[3], 0)
    for i in range(w.COLUMNS):
        words(c, (w.GRID_X + (i + 0.5) * wide, w.LABEL_Y, w.LABEL_SIZE), "ABCD"[i])
    for j in range(w.ROWS):
        words(c, (w.LABEL_X, w.GRID_Y + (j + 0.5) * deep + 1, w.LABEL_SIZE), f"Round {j + 1}", 0)
    words(c, (w.LABEL_X, w.TOTAL_Y + w.TOTAL_HEIGHT / 2 + 1, w.LABEL_SIZE), "Total", 0)
    x, y, x2, y2 = w.S_LINE
    c.move_to(x, y)
    c.line_to(x2, y2)
    for j in range(w.ROWS):
        for i in range(w.COLUMNS):
            x, y = w.GRID_X + i * wide, w.GRID_Y + j * deep
            c.rectangle(x, y, wide, deep)
            ring(c, x + wide / 2, y + deep / 2, w.CIRCLE)
    paint(c, None, w.INK, w.THIN)


def sheets(surface: Any, count: int) -> None:
    c = cairo.Context(surface)
    c.scale(w.POINTS, w.POINTS)
    blank = recorded((0, 0, w.HALF, w.SHEET[1]), half)
    for pair in w.numbers(count):
        for side, number in enumerate(pair):
            c.save()
            c.translate(side * w.HALF, 0)
            c.set_source_surface(blank, 0, 0)
            c.paint()
            words(c, w.S_NUMBER, number, 1)
            c.restore()
        for y in (0.0, w.SHEET[1] - w.TICK):
            c.move_to(w.HALF, y)
            c.line_to(w.HALF, y + w.TICK)
        paint(c, None, w.CROP_INK, w.CROP)
        c.show_page()


if __name__ == "__main__":
    page = w.SHEET if sys.argv[3] == "S" else w.A4
    surface = cairo.PDFSurface(sys.argv[2], page[0] * w.POINTS, page[1] * w.POINTS)
    (sheets if sys.argv[3] == "S" else deck)(surface, int(sys.argv[1]))
    surface.finish()
