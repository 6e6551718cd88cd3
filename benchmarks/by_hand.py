"""The workloads drawn by hand on reportlab's canvas, as an expert would: shared art as form XObjects, compressed
pages, no ASCII85. `python by_hand.py N OUT.pdf W|S [--no-accel]`; every other time is reported as a ratio to it.
"""

from __future__ import annotations

import sys
from typing import Any

import workload as w

if "--no-accel" in sys.argv:
    sys.modules["_rl_accel"] = None  # type: ignore[assignment]

from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

MM = w.POINTS
CODES = (w.INK, w.BOX, w.GOLD, w.NAVY, w.WHITE, w.TOTAL_FILL, w.CROP_INK, *w.PALETTE)
COLOUR = {code: HexColor(code) for code in CODES}
HIGH = w.CARD[1] * MM


def pen(canvas: Any, width: float, stroke: str = w.INK, fill: str = w.WHITE) -> None:
    canvas.setLineWidth(width * MM)
    canvas.setStrokeColor(COLOUR[stroke])
    canvas.setFillColor(COLOUR[fill])


def box(canvas: Any, edges: tuple[float, ...], high: float, stroke: int = 1, fill: int = 1) -> None:
    x, y, width, height, radius = edges
    canvas.roundRect(x * MM, high - (y + height) * MM, width * MM, height * MM, radius * MM, stroke=stroke, fill=fill)


def centred(canvas: Any, place: tuple[float, ...], text: str, high: float) -> None:
    x, y, size = place
    canvas.setFont("face", size)
    canvas.drawCentredString(x * MM, high - y * MM, text)


def ornament(canvas: Any) -> None:
    pen(canvas, w.THIN, fill=w.GOLD)
    path = canvas.beginPath()
    path.moveTo(w.STAR[0][0] * MM, -w.STAR[0][1] * MM)
    for x, y in w.STAR[1:]:
        path.lineTo(x * MM, -y * MM)
    path.close()
    canvas.drawPath(path, stroke=1, fill=1)
    canvas.setFillColor(COLOUR[w.WHITE])
    for x, y, radius in w.DOTS:
        canvas.circle(x * MM, -y * MM, radius * MM, stroke=1, fill=1)


def back(canvas: Any) -> None:
    pen(canvas, w.LINE, fill=w.NAVY)
    box(canvas, w.BACK_FRAME, HIGH)
    pen(canvas, w.BACK_LINE, w.WHITE)
    box(canvas, w.BACK_INNER, HIGH, fill=0)
    pen(canvas, w.THIN, w.GOLD)
    for x, y, radius in w.RINGS:
        canvas.circle(x * MM, HIGH - y * MM, radius * MM, stroke=1, fill=0)
    x, y, scale = w.BACK_ORNAMENT
    canvas.saveState()
    canvas.translate(x * MM, HIGH - y * MM)
    canvas.scale(scale, scale)
    ornament(canvas)
    canvas.restoreState()
    canvas.setFillColor(COLOUR[w.WHITE])
    centred(canvas, w.BACK_TEXT, w.BACK_WORDS, HIGH)


def card(canvas: Any, row: w.Row) -> None:
    pen(canvas, w.LINE, fill=row.colour)
    box(canvas, w.FRAME, HIGH)
    canvas.setFillColor(COLOUR[w.WHITE])
    box(canvas, w.PANEL, HIGH, stroke=0)
    pen(canvas, w.THIN, fill=w.BOX)
    for x in w.BOXES:
        box(canvas, (x, w.BOX_Y, w.BOX_SIDE, w.BOX_SIDE, w.BOX_RADIUS), HIGH)
    canvas.setFillColor(COLOUR[w.INK])
    centred(canvas, w.TITLE, row.title, HIGH)
    canvas.setFont("face", w.DIGIT_SIZE)
    for x, text in zip(w.BOXES, row.digits, strict=True):
        canvas.drawCentredString((x + w.BOX_SIDE / 2) * MM, HIGH - w.DIGIT_Y * MM, text)
    canvas.setFont("face", w.SYMBOL_SIZE)
    for x, text in zip(w.BOXES, row.symbols, strict=False):
        canvas.drawCentredString((x + w.BOX_SIDE + 1.5) * MM, HIGH - w.SYMBOL_Y * MM, text)
    canvas.saveState()
    canvas.translate(w.ORNAMENT[0] * MM, HIGH - w.ORNAMENT[1] * MM)
    canvas.doForm("ornament")
    canvas.restoreState()
    canvas.setFillColor(COLOUR[w.INK])
    text = canvas.beginText(w.PARAGRAPH_X * MM, HIGH - w.PARAGRAPH_Y * MM - w.PARAGRAPH_SIZE)
    text.setFont("face", w.PARAGRAPH_SIZE, w.PARAGRAPH_LEADING)
    for line in simpleSplit(row.text, "face", w.PARAGRAPH_SIZE, w.PARAGRAPH_WIDTH * MM):
        text.textLine(line)
    canvas.drawText(text)
    centred(canvas, w.FOOTER, row.footer, HIGH)


def crops(canvas: Any) -> None:
    pen(canvas, w.CROP, w.CROP_INK)
    canvas.lines([(x * MM, (w.A4[1] - y) * MM, x2 * MM, (w.A4[1] - y2) * MM) for x, y, x2, y2 in w.crop_marks()])


def at_slot(canvas: Any, x: float, y: float) -> None:
    canvas.translate(x * MM, (w.A4[1] - y - w.CARD[1]) * MM)


def deck(canvas: Any, count: int) -> None:
    canvas.beginForm("ornament", -12 * MM, -12 * MM, 12 * MM, 12 * MM)
    ornament(canvas)
    canvas.endForm()
    canvas.beginForm("back", 0, 0, w.CARD[0] * MM, HIGH)
    back(canvas)
    canvas.endForm()
    canvas.beginForm("crops", 0, 0, w.A4[0] * MM, w.A4[1] * MM)
    crops(canvas)
    canvas.endForm()
    for group in w.grouped(list(w.rows(count))):
        canvas.doForm("crops")
        for row, place in zip(group, w.SLOTS, strict=False):
            canvas.saveState()
            at_slot(canvas, *place)
            card(canvas, row)
            canvas.restoreState()
        canvas.showPage()
        for (x, y), _ in zip(w.SLOTS, group, strict=False):
            canvas.saveState()
            at_slot(canvas, w.A4[0] - w.CARD[0] - x, y)
            canvas.doForm("back")
            canvas.restoreState()
        canvas.showPage()


def half(canvas: Any, high: float) -> None:
    pen(canvas, w.THIN, fill=w.TOTAL_FILL)
    for i in range(w.COLUMNS):
        box(canvas, (w.GRID_X + i * w.CELL[0] + 1, w.TOTAL_Y, w.CELL[0] - 2, w.TOTAL_HEIGHT, w.TOTAL_RADIUS), high)
    canvas.setFillColor(COLOUR[w.INK])
    centred(canvas, w.S_TITLE[:3], w.S_TITLE[3], high)
    canvas.setFont("face", w.LABEL_SIZE)
    canvas.drawString(w.S_NAME[0] * MM, high - w.S_NAME[1] * MM, w.S_NAME[3])
    x, y, x2, y2 = (edge * MM for edge in w.S_LINE)
    canvas.line(x, high - y, x2, high - y2)
    for i in range(w.COLUMNS):
        centred(canvas, (w.GRID_X + (i + 0.5) * w.CELL[0], w.LABEL_Y, w.LABEL_SIZE), "ABCD"[i], high)
    for j in range(w.ROWS):
        canvas.drawString(w.LABEL_X * MM, high - (w.GRID_Y + (j + 0.5) * w.CELL[1] + 1) * MM, f"Round {j + 1}")
    canvas.drawString(w.LABEL_X * MM, high - (w.TOTAL_Y + w.TOTAL_HEIGHT / 2 + 1) * MM, "Total")
    for j in range(w.ROWS):
        for i in range(w.COLUMNS):
            x, y = (w.GRID_X + i * w.CELL[0]) * MM, high - (w.GRID_Y + j * w.CELL[1]) * MM
            wide, deep = w.CELL[0] * MM, w.CELL[1] * MM
            canvas.rect(x, y - deep, wide, deep)
            canvas.circle(x + wide / 2, y - deep / 2, w.CIRCLE * MM)


def sheets(canvas: Any, count: int) -> None:
    high = w.SHEET[1] * MM
    canvas.beginForm("half", 0, 0, w.HALF * MM, high)
    half(canvas, high)
    canvas.endForm()
    x, y, size = w.S_NUMBER
    for pair in w.numbers(count):
        canvas.setPageSize((w.SHEET[0] * MM, high))
        for side, number in enumerate(pair):
            canvas.saveState()
            canvas.translate(side * w.HALF * MM, 0)
            canvas.doForm("half")
            canvas.setFillColor(COLOUR[w.INK])
            canvas.setFont("face", size)
            canvas.drawRightString(x * MM, high - y * MM, number)
            canvas.restoreState()
        pen(canvas, w.CROP, w.CROP_INK)
        middle = w.HALF * MM
        canvas.lines([(middle, high, middle, high - w.TICK * MM), (middle, w.TICK * MM, middle, 0)])
        canvas.showPage()


if __name__ == "__main__":
    rl_config.useA85 = 0
    pdfmetrics.registerFont(TTFont("face", str(w.FONT)))
    canvas = Canvas(sys.argv[2], pagesize=(w.A4[0] * MM, w.A4[1] * MM), pageCompression=1)
    (sheets if sys.argv[3] == "S" else deck)(canvas, int(sys.argv[1]))
    canvas.save()
