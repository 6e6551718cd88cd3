"""The deck drawn by hand on reportlab's canvas: `python by_reportlab.py OUT.pdf`."""

import csv
import re
import sys
from pathlib import Path

from reportlab.lib.colors import HexColor, white
from reportlab.lib.enums import TA_LEFT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

HERE = Path(__file__).parent
FONTS = HERE.parent.parent / "data/_shared/fonts"
FILES = {"Lato": "Regular", "Lato-Bold": "Bold", "Lato-Italic": "Italic", "Lato-Black": "Black"}
COLOURS = {"Night": "#2d3a63", "Harbour": "#1f6f8b", "Market": "#a3532b", "Garden": "#3f7d46"}
WIDTH, HEIGHT, BLEED = 63.5 * mm, 88.9 * mm, 3 * mm
COLUMNS, ROWS = 3, 3
LEFT, TOP = (A4[0] - COLUMNS * WIDTH) / 2, (A4[1] + ROWS * HEIGHT) / 2
SIZES = (10, 9.5, 9, 8.5, 8, 7.5, 7)


def main(out: str) -> None:
    for font, kind in FILES.items():
        pdfmetrics.registerFont(TTFont(font, FONTS / f"Lato-{kind}.ttf"))
    pdfmetrics.registerFontFamily("Lato", normal="Lato", bold="Lato-Bold", italic="Lato-Italic")
    with (HERE / "deck.csv").open(encoding="utf-8", newline="") as file:
        cards = list(csv.DictReader(file))
    canvas = Canvas(out, A4, pageCompression=1)
    for start in range(0, len(cards), COLUMNS * ROWS):
        page = cards[start : start + COLUMNS * ROWS]
        for draw, mirrored in ((front, False), (back, True)):
            crop_marks(canvas)
            for number, card in enumerate(page):
                row, column = divmod(number, COLUMNS)
                x = LEFT + (COLUMNS - 1 - column if mirrored else column) * WIDTH
                neighbours = set(range(len(page)))
                edges = bleeds(number, neighbours, mirrored)
                canvas.saveState()
                canvas.translate(x, TOP - (row + 1) * HEIGHT)
                draw(canvas, card, edges)
                canvas.restoreState()
            canvas.showPage()
    canvas.save()


def bleeds(number: int, neighbours: set[int], mirrored: bool) -> tuple[float, float, float, float]:
    """The bleed on the left, right, top and bottom: none towards a neighbour."""
    row, column = divmod(number, COLUMNS)
    before = column > 0
    after = column < COLUMNS - 1 and number + 1 in neighbours
    left, right = (after, before) if mirrored else (before, after)
    sides = (left, right, row > 0, number + COLUMNS in neighbours)
    return tuple(0 if side else BLEED for side in sides)  # type: ignore[return-value]


def filled(canvas: Canvas, colour: str, bottom: float, edges: tuple[float, float, float, float], *, low: bool) -> None:
    left, right, top, below = edges
    canvas.setFillColor(HexColor(colour))
    bottom -= below if low else 0
    canvas.rect(-left, bottom, WIDTH + left + right, HEIGHT + top - bottom, stroke=0, fill=1)


def front(canvas: Canvas, card: dict[str, str], edges: tuple[float, float, float, float]) -> None:
    filled(canvas, COLOURS[card["Type"]], HEIGHT - 12 * mm, edges, low=False)
    canvas.setFillColor(white)
    canvas.circle(WIDTH - 8 * mm, HEIGHT - 6 * mm, 4 * mm, stroke=0, fill=1)
    size = 13
    while pdfmetrics.stringWidth(card["Name"], "Lato-Black", size) > WIDTH - 16 * mm and size > 8:
        size -= 0.5
    canvas.setFont("Lato-Black", size)
    canvas.drawString(4 * mm, HEIGHT - 7.5 * mm, card["Name"])
    canvas.setFillColor(HexColor("#1d1d1b"))
    canvas.setFont("Lato-Black", 14)
    canvas.drawCentredString(WIDTH - 8 * mm, HEIGHT - 7.7 * mm, card["Cost"])
    picture(canvas, HERE / "art" / card["Picture"], 4 * mm, HEIGHT - 52 * mm, WIDTH - 8 * mm, 37 * mm)
    canvas.setFont("Lato-Italic", 8.5)
    canvas.drawString(4 * mm, HEIGHT - 56.6 * mm, card["Type"])
    rules(canvas, card)


def picture(canvas: Canvas, file: Path, x: float, y: float, width: float, height: float) -> None:
    """Covers the box and rounds its corners."""
    across, down = ImageReader(file).getSize()
    scale = max(width / across, height / down)
    canvas.saveState()
    path = canvas.beginPath()
    path.roundRect(x, y, width, height, 2 * mm)
    canvas.clipPath(path, stroke=0, fill=0)
    left, bottom = x + (width - across * scale) / 2, y + (height - down * scale) / 2
    canvas.drawImage(file, left, bottom, across * scale, down * scale)
    canvas.restoreState()


def rules(canvas: Canvas, card: dict[str, str]) -> None:
    """The text in the largest type size that fits."""
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", card["Text"].replace("&", "&amp;").replace("<", "&lt;"))
    room = HEIGHT - 59 * mm - 4 * mm
    for size in SIZES:
        style = ParagraphStyle("rules", fontName="Lato", fontSize=size, leading=size * 1.25, alignment=TA_LEFT)
        paragraph = Paragraph(text, style)
        _, height = paragraph.wrap(WIDTH - 8 * mm, room)
        if height <= room:
            paragraph.drawOn(canvas, 4 * mm, HEIGHT - 59 * mm - height)
            return
    sys.exit(f"{card['Name']}: the text does not fit")


def back(canvas: Canvas, card: dict[str, str], edges: tuple[float, float, float, float]) -> None:
    filled(canvas, COLOURS["Night"], 0, edges, low=True)
    canvas.setFillColor(white)
    canvas.setFont("Lato-Black", 13)
    canvas.drawCentredString(WIDTH / 2, HEIGHT / 2 - 1.6 * mm, "Night Market")


def crop_marks(canvas: Canvas) -> None:
    canvas.setLineWidth(0.2 * mm)
    right, bottom = LEFT + COLUMNS * WIDTH, TOP - ROWS * HEIGHT
    for column in range(COLUMNS + 1):
        x = LEFT + column * WIDTH
        canvas.line(x, TOP + 4 * mm, x, TOP + 8 * mm)
        canvas.line(x, bottom - 4 * mm, x, bottom - 8 * mm)
    for row in range(ROWS + 1):
        y = TOP - row * HEIGHT
        canvas.line(LEFT - 4 * mm, y, max(LEFT - 8 * mm, 2 * mm), y)
        canvas.line(right + 4 * mm, y, right + 8 * mm, y)


if __name__ == "__main__":
    main(sys.argv[1])
