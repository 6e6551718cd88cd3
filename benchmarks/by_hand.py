"""The decks drawn by hand on reportlab's canvas: `python by_hand.py KIND FOLDER OUT.pdf`.

It reads the same table as Pencilbox and draws the same cards, as an expert would who writes a script for one deck: what
recurs is drawn once as a form XObject, pages are compressed and not written as ASCII85, the widths of words and the
lines of texts are remembered, and texts are measured no more than needed. Every other time is a ratio to it.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from reportlab import rl_config
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import workload as w

MM = w.POINTS
HIGH = w.CARD[1] * MM
Card = dict[str, str]


@cache
def colour(code: str) -> Color:
    return HexColor(code)


def pen(canvas: Any, width: float, stroke: str = w.INK, fill: str = w.WHITE) -> None:
    canvas.setLineWidth(width * MM)
    canvas.setStrokeColor(colour(stroke))
    canvas.setFillColor(colour(fill))


def box(canvas: Any, edges: tuple[float, ...], high: float, stroke: int = 1, fill: int = 1) -> None:
    x, y, width, height, radius = edges
    canvas.roundRect(x * MM, high - (y + height) * MM, width * MM, height * MM, radius * MM, stroke=stroke, fill=fill)


def centred(canvas: Any, place: tuple[float, ...], text: str, high: float) -> None:
    x, y, size = place
    canvas.setFont("face", size)
    canvas.drawCentredString(x * MM, high - y * MM, text)


# ---- texts

TOKENS = re.compile(r"(\*\*|:\w+:| )")
CAP = 0.72
"""The height of the capitals of Lato; icons in a text are as high."""


class Style(NamedTuple):
    """A font, its bold font, a size and the distance of baselines in points, and a colour."""

    font: str
    size: float
    leading: float
    colour: str = w.INK
    bold: str = "bold"


class Run(NamedTuple):
    """Words in one font, or an icon, and its width in points at size 1."""

    font: str
    text: str
    width: float


Line = list[Run]


@cache
def advance(font: str, word: str) -> float:
    return float(pdfmetrics.stringWidth(word, font, 1))


def words(text: str, style: Style) -> Iterator[Line]:
    """The words of a text with bold words and icons."""
    font, word = style.font, Line()
    for token in TOKENS.split(text):
        if token == " ":
            yield word
            word = []
        elif token == "**":
            font = style.bold if font == style.font else style.font
        elif token.startswith(":"):
            word.append(Run("", token[1:-1], CAP))
        elif token:
            word.append(Run(font, token, advance(font, token)))
    yield word


def broken(text: str, style: Style, room: float) -> list[Line]:
    """A text with bold words and icons, broken into lines of at most `room` points."""
    space, line, left = advance(style.font, " "), Line(), room / style.size
    found = [line]
    for word in words(text, style):
        wide = sum(run.width for run in word)
        if wide > left and line:
            line, left = [], room / style.size
            found.append(line)
        for number, run in enumerate(word):
            if line and not number:
                append(line, Run(run.font or style.font, " ", space))
            append(line, run)
        left -= wide + space
    return found


def append(line: Line, run: Run) -> None:
    if line and run.font and line[-1].font == run.font:
        line[-1] = Run(run.font, line[-1].text + run.text, line[-1].width + run.width)
    else:
        line.append(run)


def lines(text: str, style: Style, room: float) -> list[str]:
    """A text without them."""
    space, line, left = advance(style.font, " "), list[str](), room / style.size
    found = []
    for word in text.split():
        wide = advance(style.font, word)
        if wide > left and line:
            found.append(" ".join(line))
            line, left = [], room / style.size
        line.append(word)
        left -= wide + space
    return [*found, " ".join(line)]


def write_lines(canvas: Any, found: list[str], style: Style, x: float, y: float) -> None:
    """Lines of plain text, the first with its baseline at y; everything in points."""
    canvas.setFillColor(colour(style.colour))
    text = canvas.beginText(x, y)
    text.setFont(style.font, style.size, style.leading)
    for line in found:
        text.textLine(line)
    canvas.drawText(text)


def write_runs(canvas: Any, found: list[Line], style: Style, x: float, y: float) -> None:
    """Lines with bold words and icons."""
    canvas.setFillColor(colour(style.colour))
    text, font, icons = canvas.beginText(x, y), "", []
    for number, line in enumerate(found):
        at, baseline, moved = x, y - number * style.leading, True
        for run in line:
            if not run.font:
                icons.append((run.text, at, baseline))
                moved = True
            else:
                if moved:
                    text.setTextOrigin(at, baseline)
                    moved = False
                if run.font != font:
                    font = run.font
                    text.setFont(font, style.size, style.leading)
                text.textOut(run.text)
            at += run.width * style.size
    canvas.drawText(text)
    for name, at, baseline in icons:
        icon(canvas, name, at, baseline, CAP * style.size)


def first_baseline(top: float, style: Style, cap: float = CAP) -> float:
    """The baseline of the first line of a text, in points from below, if its box begins `top` mm from above."""
    return HIGH - top * MM - (style.leading + cap * style.size) / 2


def middle(canvas: Any, text: str, style: Style, edges: tuple[float, ...], align: str = "centre") -> None:
    """Lines of text in the middle of a box in mm: x, y, width, height."""
    x, y, width, height = edges
    found = lines(text, style, width * MM)
    baseline = first_baseline(y + height / 2, style) + len(found) * style.leading / 2
    canvas.setFillColor(colour(style.colour))
    canvas.setFont(style.font, style.size)
    for number, line in enumerate(found):
        at = baseline - number * style.leading
        if align == "left":
            canvas.drawString(x * MM, at, line)
        elif align == "right":
            canvas.drawRightString((x + width) * MM, at, line)
        else:
            canvas.drawCentredString((x + width / 2) * MM, at, line)


def one_line(canvas: Any, text: str, style: Style, x: float, top: float, width: float, height: float) -> None:
    """A line in the middle of a height, smaller if it is too long."""
    wide = sum(advance(style.font, word) for word in text.split(" ")) + text.count(" ") * advance(style.font, " ")
    size = min(style.size, int(width * MM / wide * 4) / 4) if wide else style.size
    canvas.setFillColor(colour(style.colour))
    canvas.setFont(style.font, size)
    canvas.drawString(x * MM, HIGH - (top + height / 2) * MM - CAP * size / 2, text)


# ---- forms and pages


def form(canvas: Any, name: str, edges: tuple[float, ...], draw: Callable[..., None], *values: Any) -> None:
    """Something that is drawn more than once: its edges are left, lower, right and upper ones in mm."""
    canvas.beginForm(name, *(edge * MM for edge in edges))
    draw(canvas, *values)
    canvas.endForm()


def icon(canvas: Any, name: str, x: float, y: float, side: float) -> None:
    """An icon in a square whose lower left corner is at (x, y), in points."""
    canvas.saveState()
    canvas.transform(side / 20, 0, 0, side / 20, x + side / 2, y + side / 2)
    canvas.doForm(f"icon-{name}")
    canvas.restoreState()


def icons(canvas: Any, folder: Path) -> None:
    """The icons of the folder as forms, 20 points wide."""
    for file in sorted((folder / "icons").glob("*.svg")):
        svg = file.read_text()
        fills = re.findall(r'fill="(#\w+)"', svg)
        points = [tuple(map(float, pair.split(","))) for pair in re.search(r'points="([^"]+)"', svg)[1].split()]  # type: ignore[index]
        radius = float(re.search(r' r="([\d.]+)"', svg)[1])  # type: ignore[index]
        canvas.beginForm(f"icon-{file.stem}", -10, -10, 10, 10)
        canvas.setFillColor(colour(fills[0]))
        path = canvas.beginPath()
        path.moveTo(points[0][0], -points[0][1])
        for x, y in points[1:]:
            path.lineTo(x, -y)
        path.close()
        canvas.drawPath(path, stroke=0, fill=1)
        canvas.setFillColor(colour(fills[1]))
        canvas.circle(0, 0, radius, stroke=0, fill=1)
        canvas.endForm()


def rows(folder: Path, name: str = "cards") -> Iterator[Card]:
    if (folder / f"{name}.xlsx").exists():
        from openpyxl import load_workbook

        heads, *others = load_workbook(folder / f"{name}.xlsx", read_only=True).active.iter_rows(values_only=True)
        yield from ({head: str(value or "") for head, value in zip(heads, row, strict=True)} for row in others)
    else:
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
            yield from csv.DictReader(stream)


def deck(
    canvas: Any,
    folder: Path,
    front: Callable[[Any, Card], None],
    back: Callable[[Any, Card], None],
    gutter: float = w.GUTTER,
) -> None:
    """Pages of nine cards with crop marks, and a page of backs after each."""
    form(canvas, "crops", (0, 0, *w.A4), crops, gutter)
    cards, slots = rows(folder), w.slots(gutter)
    while group := [*islice(cards, 9)]:
        canvas.doForm("crops")
        for row, (x, y) in zip(group, slots, strict=False):
            canvas.saveState()
            canvas.translate(x * MM, (w.A4[1] - y - w.CARD[1]) * MM)
            front(canvas, row)
            canvas.restoreState()
        canvas.showPage()
        for row, (x, y) in zip(group, slots, strict=False):
            canvas.saveState()
            canvas.translate((w.A4[0] - w.CARD[0] - x) * MM, (w.A4[1] - y - w.CARD[1]) * MM)
            back(canvas, row)
            canvas.restoreState()
        canvas.showPage()


def crops(canvas: Any, gutter: float) -> None:
    pen(canvas, w.CROP, w.CROP_INK)
    marks = w.crop_marks(gutter)
    canvas.lines([(x * MM, (w.A4[1] - y) * MM, x2 * MM, (w.A4[1] - y2) * MM) for x, y, x2, y2 in marks])


# ---- plain cards and score sheets


def ornament(canvas: Any) -> None:
    pen(canvas, w.THIN, fill=w.GOLD)
    path = canvas.beginPath()
    path.moveTo(w.STAR[0][0] * MM, -w.STAR[0][1] * MM)
    for x, y in w.STAR[1:]:
        path.lineTo(x * MM, -y * MM)
    path.close()
    canvas.drawPath(path, stroke=1, fill=1)
    canvas.setFillColor(colour(w.WHITE))
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
    canvas.setFillColor(colour(w.WHITE))
    centred(canvas, w.BACK_TEXT, w.BACK_WORDS, HIGH)


PARAGRAPH = Style("face", w.PARAGRAPH_SIZE, w.PARAGRAPH_LEADING)


def plain_card(canvas: Any, row: Card) -> None:
    pen(canvas, w.LINE, fill=row["colour"])
    box(canvas, w.FRAME, HIGH)
    canvas.setFillColor(colour(w.WHITE))
    box(canvas, w.PANEL, HIGH, stroke=0)
    pen(canvas, w.THIN, fill=w.BOX)
    for x in w.BOXES:
        box(canvas, (x, w.BOX_Y, w.BOX_SIDE, w.BOX_SIDE, w.BOX_RADIUS), HIGH)
    canvas.setFillColor(colour(w.INK))
    centred(canvas, w.TITLE, row["title"], HIGH)
    canvas.setFont("face", w.DIGIT_SIZE)
    for x, text in zip(w.BOXES, row["digits"].split(), strict=True):
        canvas.drawCentredString((x + w.BOX_SIDE / 2) * MM, HIGH - w.DIGIT_Y * MM, text)
    canvas.setFont("face", w.SYMBOL_SIZE)
    for x, text in zip(w.BOXES, row["symbols"].split(), strict=False):
        canvas.drawCentredString((x + w.BOX_SIDE + 1.5) * MM, HIGH - w.SYMBOL_Y * MM, text)
    canvas.saveState()
    canvas.translate(w.ORNAMENT[0] * MM, HIGH - w.ORNAMENT[1] * MM)
    canvas.doForm("ornament")
    canvas.restoreState()
    x, y, room = w.PARAGRAPH_X * MM, HIGH - w.PARAGRAPH_Y * MM - w.PARAGRAPH_SIZE, w.PARAGRAPH_WIDTH * MM
    if "*" in row["text"]:
        write_runs(canvas, broken(row["text"], PARAGRAPH, room), PARAGRAPH, x, y)
    else:
        write_lines(canvas, lines(row["text"], PARAGRAPH, room), PARAGRAPH, x, y)
    centred(canvas, w.FOOTER, row["footer"], HIGH)


def plain(canvas: Any, folder: Path) -> None:
    form(canvas, "ornament", (-12, -12, 12, 12), ornament)
    canvas.beginForm("icon-ornament", -10, -10, 10, 10)
    canvas.scale(20 / 21 / MM, 20 / 21 / MM)
    ornament(canvas)
    canvas.endForm()
    form(canvas, "back", (0, 0, *w.CARD), back)
    deck(canvas, folder, plain_card, lambda _, row: canvas.doForm("back"), gutter=0)


def half(canvas: Any, high: float) -> None:
    pen(canvas, w.THIN, fill=w.TOTAL_FILL)
    for i in range(w.COLUMNS):
        box(canvas, (w.GRID_X + i * w.CELL[0] + 1, w.TOTAL_Y, w.CELL[0] - 2, w.TOTAL_HEIGHT, w.TOTAL_RADIUS), high)
    canvas.setFillColor(colour(w.INK))
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


def sheets(canvas: Any, folder: Path) -> None:
    high = w.SHEET[1] * MM
    form(canvas, "half", (0, 0, w.HALF, w.SHEET[1]), half, high)
    x, y, size = w.S_NUMBER
    numbers = rows(folder, "sheets")
    while pair := [*islice(numbers, 2)]:
        canvas.setPageSize((w.SHEET[0] * MM, high))
        for side, row in enumerate(pair):
            canvas.saveState()
            canvas.translate(side * w.HALF * MM, 0)
            canvas.doForm("half")
            canvas.setFillColor(colour(w.INK))
            canvas.setFont("face", size)
            canvas.drawRightString(x * MM, high - y * MM, row["number"])
            canvas.restoreState()
        pen(canvas, w.CROP, w.CROP_INK)
        middle = w.HALF * MM
        canvas.lines([(middle, high, middle, high - w.TICK * MM), (middle, w.TICK * MM, middle, 0)])
        canvas.showPage()


# ---- cards with art

BLACK = "black"
NAME, BADGE = Style(BLACK, 11, 12.1), Style(BLACK, 12, 12)
KIND = Style("bold", 7, 8.4)
RULES, FLAVOUR, FOOTER = Style("face", 8, 9.6), Style("italic", 7, 8.4, "#5c6670"), Style("face", 5.5, 6.6, "#5c6670")


def art(canvas: Any, folder: Path) -> None:
    icons(canvas, folder)
    colours = dict(re.findall(r"(\w+): '(#\w+)'", (folder / "theme.yaml").read_text()))
    for file in sorted((folder / "art").iterdir()):
        form(canvas, f"picture-{file.stem}", (0, 0, 53, 27), covered, file, 53, 27)
    for suit, code in colours.items():
        if (folder / f"icons/{suit}.svg").exists():
            form(canvas, f"back-{suit}", (0, 0, *w.CARD), art_back, suit, code)
            form(canvas, f"front-{suit}", (0, 0, *w.CARD), art_front, code, mixed(code, 0.75))
    deck(
        canvas,
        folder,
        lambda _, row: art_card(canvas, row, colours[row["suit"]]),
        lambda _, row: canvas.doForm(f"back-{row['suit']}"),
    )


def mixed(code: str, share: float) -> str:
    """A colour with a share of white."""
    return "#" + "".join(f"{round(255 * (part * (1 - share) + share)):02x}" for part in w.rgb(code))


def covered(canvas: Any, file: Path, width: float, height: float) -> None:
    """A picture that covers a box with round corners."""
    picture = ImageReader(str(file))
    across, down = picture.getSize()
    scale = max(width / across, height / down)
    path = canvas.beginPath()
    path.roundRect(0, 0, width * MM, height * MM, 1 * MM)
    canvas.clipPath(path, stroke=0, fill=0)
    left, low = (width - across * scale) / 2, (height - down * scale) / 2
    canvas.drawImage(str(file), left * MM, low * MM, across * scale * MM, down * scale * MM)


def art_front(canvas: Any, code: str, pale: str) -> None:
    canvas.setFillColor(colour(code))
    canvas.rect(0, 0, w.CARD[0] * MM, HIGH, stroke=0, fill=1)
    canvas.setFillColor(colour(w.WHITE))
    box(canvas, (3, 3, 57, 82, 2), HIGH, stroke=0)
    canvas.setFillColor(colour(pale))
    canvas.rect(5 * MM, HIGH - 46 * MM, 53 * MM, 5 * MM, stroke=0, fill=1)


def art_back(canvas: Any, suit: str, code: str) -> None:
    canvas.setFillColor(colour(code))
    canvas.rect(0, 0, w.CARD[0] * MM, HIGH, stroke=0, fill=1)
    pen(canvas, 0.6, w.WHITE)
    box(canvas, (4, 4, 55, 80, 2), HIGH, fill=0)
    icon(canvas, suit, 16.5 * MM, HIGH - 52 * MM, 30 * MM)
    x, baseline = 31.5 * MM, first_baseline(64, BADGE)
    canvas.setFillColor(colour(w.WHITE))
    canvas.setFont(BADGE.font, BADGE.size)
    canvas.drawCentredString(x, baseline, suit.upper())


def art_card(canvas: Any, row: Card, code: str) -> None:
    canvas.doForm(f"front-{row['suit']}")
    cost = row["cost"].split()
    one_line(canvas, row["title"], NAME, 5, 5, 53 - 4 * len(cost), 7)
    for number, name in enumerate(reversed(cost)):
        icon(canvas, name, (54.5 - 4 * number) * MM, HIGH - 10.25 * MM, 3.5 * MM)
    canvas.saveState()
    canvas.translate(5 * MM, HIGH - 40 * MM)
    canvas.doForm(f"picture-{Path(row['picture']).stem}")
    canvas.restoreState()
    if row["badge"]:
        pen(canvas, 0.25, fill=w.GOLD)
        canvas.circle(51.5 * MM, HIGH - 38.5 * MM, 4.5 * MM, stroke=1, fill=1)
        middle(canvas, row["badge"], BADGE, (47, 34, 9, 9))
    middle(canvas, f"{row['suit']} · {row['kind']}", KIND, (5, 41, 53, 5))
    found = broken(row["rules"], RULES, 51 * MM)
    write_runs(canvas, found, RULES, 6 * MM, first_baseline(47.5, RULES))
    if row["flavour"]:
        y = 47.5 + len(found) * RULES.leading / MM + 1.5 + 0.125
        canvas.setStrokeColor(colour(code))
        canvas.setLineWidth(0.25 * MM)
        canvas.line(6 * MM, HIGH - y * MM, 57 * MM, HIGH - y * MM)
        said = lines(row["flavour"], FLAVOUR, 51 * MM)
        write_lines(canvas, said, FLAVOUR, 6 * MM, first_baseline(y + 0.125 + 1.5, FLAVOUR))
    one_line(canvas, row["footer"], FOOTER, 5, 80.5, 53, 3)


# ---- flash cards, loops and unique backs

ACCENT = "#24507a"
HUGE = Style(BLACK, 48, 48, w.WHITE)
WORD = Style("face", 11, 13.75)


def outlined(canvas: Any, width: float, code: str) -> None:
    """The half of a card's outline that is inside its trim."""
    pen(canvas, width, code)
    edge = width / 2
    canvas.rect(edge * MM, edge * MM, (w.CARD[0] - width) * MM, HIGH - width * MM, stroke=1, fill=0)


def flash(canvas: Any, folder: Path) -> None:
    form(canvas, "edge", (0, 0, *w.CARD), outlined, 0.3, ACCENT)
    inside = 6, 6, 51, 76

    def front(_: Any, row: Card) -> None:
        canvas.doForm("edge")
        middle(canvas, row["word"], BADGE, inside)

    def back(_: Any, row: Card) -> None:
        canvas.doForm("edge")
        middle(canvas, row["meaning"], WORD, inside)

    deck(canvas, folder, front, back)


def title_back(canvas: Any) -> None:
    canvas.setFillColor(colour(ACCENT))
    canvas.rect(0, 0, w.CARD[0] * MM, HIGH, stroke=0, fill=1)
    middle(canvas, "Deck", BADGE._replace(colour=w.WHITE), (0, 0, *w.CARD))


def loops(canvas: Any, folder: Path) -> None:
    shade = re.search(r"shade: '(#\w+)'", (folder / "theme.yaml").read_text())[1]  # type: ignore[index]
    form(canvas, "edge", (0, 0, *w.CARD), outlined, 0.2, w.INK)
    form(canvas, "back", (0, 0, *w.CARD), title_back)

    def front(_: Any, row: Card) -> None:
        canvas.doForm("edge")
        one_line(canvas, row["title"], NAME, 5, 5, 53, 1.1 * 11 / MM)
        names = row["names"].split()
        canvas.setFillColor(colour(shade))
        for number in range(0, len(names), 2):
            canvas.rect(5 * MM, HIGH - (14 + 5.5 * (number + 1)) * MM, 53 * MM, 5.5 * MM, stroke=0, fill=1)
        canvas.setFillColor(colour(w.INK))
        canvas.setFont(RULES.font, RULES.size)
        y = HIGH - (14 + 2.75) * MM - CAP * RULES.size / 2
        for name, number_ in zip(names, row["numbers"].split(), strict=True):
            canvas.drawString(5 * MM, y, name.title())
            canvas.drawRightString(58 * MM, y, number_)
            y -= 5.5 * MM
        pen(canvas, 0.25, fill=w.GOLD)
        top = 14 + 5.5 * len(names) + 3
        for number in range(int(row["pips"])):
            canvas.circle((7 + 5 * number) * MM, HIGH - (top + 2) * MM, 2 * MM, stroke=1, fill=1)

    deck(canvas, folder, front, lambda _, row: canvas.doForm("back"))


def backs(canvas: Any, folder: Path) -> None:
    form(canvas, "edge", (0, 0, *w.CARD), outlined, 0.2, w.INK)

    def front(_: Any, row: Card) -> None:
        canvas.doForm("edge")
        one_line(canvas, row["title"], NAME, 5, 5, 53, 1.1 * 11 / MM)
        write_lines(canvas, lines(row["rules"], RULES, 53 * MM), RULES, 5 * MM, first_baseline(14, RULES))

    def back(_: Any, row: Card) -> None:
        canvas.setFillColor(colour(row["tint"]))
        canvas.rect(0, 0, w.CARD[0] * MM, HIGH, stroke=0, fill=1)
        pen(canvas, 1, w.WHITE)
        canvas.circle(31.5 * MM, HIGH - 39 * MM, 25 * MM, stroke=1, fill=0)
        middle(canvas, row["number"], HUGE, (6.5, 14, 50, 50))
        middle(canvas, row["word"], BADGE._replace(colour=w.WHITE), (6, 68, 51, 10))

    deck(canvas, folder, front, back)


TWINS: dict[str, Callable[[Any, Path], None]] = {
    "plain": plain,
    "rich": plain,
    "sheets": sheets,
    "art": art,
    "xlsx": art,
    "flash": flash,
    "loops": loops,
    "backs": backs,
}


def draw(kind: str, folder: Path, file: Path) -> None:
    """Draws the deck of a game folder into a PDF."""
    rl_config.useA85 = 0
    others = w.BOLD.parent
    fonts = {"face": w.FONT, "bold": w.BOLD, "italic": others / "Lato-Italic.ttf", BLACK: others / "Lato-Black.ttf"}
    for name in ["face"] if kind in {"plain", "sheets"} else fonts:
        pdfmetrics.registerFont(TTFont(name, str(fonts[name])))
    canvas = Canvas(str(file), pagesize=(w.A4[0] * MM, w.A4[1] * MM), pageCompression=1)
    TWINS[kind](canvas, folder)
    canvas.save()


if __name__ == "__main__":
    draw(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
