"""The workloads W and S as an ordinary Pencilbox game: YAML, CSV, a theme, an icon and three templates."""

from __future__ import annotations

import csv
import io

from benchmarks import workload as w
from generator.text import fonts

_GAME = """\
title: Peer deck
prefix: PD
players: 1
components:
  cards: {kind: deck, title: Peer deck, cards: cards.yaml, size: 63 x 88, face: card, back: back, safe: 1.5}
  sheets: {kind: deck, title: Score sheets, cards: sheets.yaml, size: 148.5 x 210, face: sheet, up: 2}
"""
_CARDS = """\
fields:
  title: {kind: text}
  colour: {kind: colour}
  digits: {list: true}
  symbols: {list: true}
  text: {kind: text}
  footer: {kind: text}
table: cards.csv
"""
_SHEETS = "fields: {number: {kind: text}}\ntable: sheets.csv\n"
_STYLE = "{{size: {0}pt, floor: {1:g}pt, align: {2}, colour: ink}}"
_HIGH = 8.0
"""The height of the box around a line of text, in type sizes."""


def files(cards: int = 9, sheets: int = 1, *, rich: bool = False, seed: int = 7) -> dict[str, str | bytes]:
    """The contents of its folder, by file name."""
    cap = fonts.load(w.FONT).cap_height
    deck, numbers = io.StringIO(newline=""), [f"{number}\n" for pair in w.numbers(sheets) for number in pair]
    out = csv.writer(deck)
    out.writerow(("title", "colour", "digits", "symbols", "text", "footer"))
    out.writerows(
        (row.title, row.colour, " ".join(row.digits), " ".join(row.symbols), row.text, row.footer)
        for row in w.rows(cards, rich=rich, seed=seed)
    )
    return {
        "game.yaml": _GAME,
        "cards.yaml": _CARDS,
        "sheets.yaml": _SHEETS,
        "theme.yaml": _theme(),
        "cards.csv": deck.getvalue(),
        "sheets.csv": "number\n" + "".join(numbers),
        "icons/ornament.svg": _ornament(),
        "fonts/regular.ttf": w.FONT.read_bytes(),
        "fonts/bold.ttf": w.BOLD.read_bytes(),
        "templates/card.xml.j2": _card(cap),
        "templates/back.xml.j2": _back(cap),
        "templates/sheet.xml.j2": _sheet(cap),
    }


def _theme() -> str:
    sizes = {
        "title": w.TITLE[2],
        "digit": w.DIGIT_SIZE,
        "symbol": w.SYMBOL_SIZE,
        "footer": w.FOOTER[2],
        "back": w.BACK_TEXT[2],
        "heading": w.S_TITLE[2],
        "label": w.LABEL_SIZE,
    }
    styles = {name: _STYLE.format(size, size * 0.7, "center") for name, size in sizes.items()}
    paragraph = f"{{size: {w.PARAGRAPH_SIZE}pt, floor: 5pt, leading: {w.PARAGRAPH_LEADING / w.PARAGRAPH_SIZE}}}"
    lines = "".join(f"  {name}: {style}\n" for name, style in {**styles, "paragraph": paragraph}.items())
    return (
        f"colours: {{ink: '{w.INK}', paper: '{w.WHITE}', box: '{w.BOX}', gold: '{w.GOLD}', navy: '{w.NAVY}', "
        f"total: '{w.TOTAL_FILL}'}}\nfonts: {{regular: fonts/regular.ttf, bold: fonts/bold.ttf}}\nstyles:\n{lines}"
    )


def _ornament() -> str:
    points = " ".join(f"{x},{y}" for x, y in w.STAR)
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="{radius}"/>' for x, y, radius in w.DOTS)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10.5 -10.5 21 21"><g stroke="{w.INK}" stroke-width='
        f'"{w.THIN}"><polygon fill="{w.GOLD}" points="{points}"/><g fill="{w.WHITE}">{dots}</g></g></svg>\n'
    )


def _at(x: float, y: float, width: float, height: float, look: str = "", inside: str = "") -> str:
    return f'<at x="{x:g}" y="{y:.4f}" width="{width:g}" height="{height:g}" {look}>{inside}</at>\n'


def _box(edges: tuple[float, ...], look: str) -> str:
    x, y, width, height, radius = edges
    return _at(x, y, width, height, f'radius="{radius:g}" {look}')


def _top(cap: float, baseline: float, size: float) -> float:
    """The top of a box that centres a line of capitals on this baseline."""
    return baseline - (_HIGH + cap * size / w.POINTS) / 2


def _words(style: str, text: str, more: str = "") -> str:
    return f'<text style="{style}" valign="middle" {more}>{text}</text>'


def _line(cap: float, place: tuple[float, ...], style: str, text: str, room: float, more: str = "") -> str:
    """A centred line in a box `room` wide; `more` may align it differently."""
    x, y, size = place
    left = {"": x - room / 2, 'align="left"': x, 'align="right"': x - room}[more]
    return _at(left, _top(cap, y, size), room, _HIGH, inside=_words(style, text, f'wrap="false" {more}'))


def _art(x: float, y: float, side: float) -> str:
    return _at(x - side / 2, y - side / 2, side, side, inside='<icon name="ornament"/>')


def _card(cap: float) -> str:
    edge = f'stroke="ink" stroke-width="{w.THIN}"'
    boxes = "".join(_box((x, w.BOX_Y, w.BOX_SIDE, w.BOX_SIDE, w.BOX_RADIUS), f'fill="box" {edge}') for x in w.BOXES)
    digits, symbols = _top(cap, w.DIGIT_Y, w.DIGIT_SIZE), _top(cap, w.SYMBOL_Y, w.SYMBOL_SIZE)
    first = (w.PARAGRAPH_LEADING + cap * w.PARAGRAPH_SIZE) / 2
    return "".join(
        (
            "<face>",
            _box(w.FRAME, f'fill="{{{{ card.colour }}}}" stroke="ink" stroke-width="{w.LINE}"'),
            _box(w.PANEL, 'fill="paper"'),
            boxes,
            _art(*w.ORNAMENT, 21),
            _line(cap, w.TITLE, "title", "{{ card.title }}", 54),
            _at(
                5.5,
                digits,
                52,
                _HIGH,
                inside='<row gap="3">{% for digit in card.digits %}'
                + _words("digit", "{{ digit }}", 'width="8"')
                + "{% endfor %}</row>",
            ),
            _at(
                13,
                symbols,
                37,
                _HIGH,
                inside='<row gap="7">{% for symbol in card.symbols %}'
                + _words("symbol", "{{ symbol }}", 'width="4"')
                + "{% endfor %}</row>",
            ),
            _at(
                w.PARAGRAPH_X,
                w.PARAGRAPH_Y + (w.PARAGRAPH_SIZE - first) / w.POINTS,
                w.PARAGRAPH_WIDTH,
                28,
                inside='<text style="paragraph">{{ card.text | rich }}</text>',
            ),
            _line(cap, w.FOOTER, "footer", "{{ card.footer }}", 54),
            "</face>\n",
        )
    )


def _back(cap: float) -> str:
    edge = f'stroke="gold" stroke-width="{w.THIN}"'
    rings = "".join(_box((x - r, y - r, 2 * r, 2 * r, r), edge) for x, y, r in w.RINGS)
    return "".join(
        (
            "<face>",
            _box(w.BACK_FRAME, f'fill="navy" stroke="ink" stroke-width="{w.LINE}"'),
            _box(w.BACK_INNER, f'stroke="paper" stroke-width="{w.BACK_LINE}"'),
            rings,
            _art(w.BACK_ORNAMENT[0], w.BACK_ORNAMENT[1], 21 * w.BACK_ORNAMENT[2]),
            _line(cap, w.BACK_TEXT, "back", w.BACK_WORDS, 50).replace("<text", '<text colour="paper"'),
            "</face>\n",
        )
    )


def _sheet(cap: float) -> str:
    edge = f'stroke="ink" stroke-width="{w.THIN}"'
    wide, deep = w.CELL
    x, y, x2, y2 = w.S_LINE
    sums = "".join(
        _box((w.GRID_X + i * wide + 1, w.TOTAL_Y, wide - 2, w.TOTAL_HEIGHT, w.TOTAL_RADIUS), f'fill="total" {edge}')
        for i in range(w.COLUMNS)
    )
    side, corners = (
        2 * w.CIRCLE,
        [(w.GRID_X + i * wide, w.GRID_Y + j * deep) for j in range(w.ROWS) for i in range(w.COLUMNS)],
    )
    cells = "".join(
        _box((left, top, wide, deep, 0), edge)
        + _box((left + (wide - side) / 2, top + (deep - side) / 2, side, side, w.CIRCLE), edge)
        for left, top in corners
    )
    rounds = [(w.GRID_Y + (j + 0.5) * deep + 1, f"Round {j + 1}") for j in range(w.ROWS)]
    labels = "".join(
        _line(cap, (w.LABEL_X, at, w.LABEL_SIZE), "label", text, 18, 'align="left"')
        for at, text in (*rounds, (w.TOTAL_Y + w.TOTAL_HEIGHT / 2 + 1, "Total"))
    )
    heads = "".join(
        _line(cap, (w.GRID_X + (i + 0.5) * wide, w.LABEL_Y, w.LABEL_SIZE), "label", "ABCD"[i], 10)
        for i in range(w.COLUMNS)
    )
    return "".join(
        (
            "<face>",
            sums,
            f'<line x1="{x}" y1="{y}" x2="{x2}" y2="{y2}" {edge}/>',
            cells,
            _line(cap, w.S_TITLE[:3], "heading", w.S_TITLE[3], 60),
            _line(cap, w.S_NAME[:3], "label", w.S_NAME[3], 18, 'align="left"'),
            heads,
            labels,
            _line(cap, w.S_NUMBER, "label", "{{ card.number }}", 36, 'align="right"'),
            "</face>\n",
        )
    )
