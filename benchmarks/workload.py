"""The geometry and data of the two workloads that every tool draws: W(n), a deck, and S(n), numbered score sheets.

Lengths are in millimetres, y points down from the top left, type sizes are in points. W(n) is n cards of 63 × 88 mm,
nine to an A4 page with crop marks, and a page of backs after every page of fronts. S(n) is n landscape A4 pages of two
A5 sheets each.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent
FONT = Path(os.environ.get("PEER_FONT", ROOT / "data/_shared/fonts/Lato-Regular.ttf"))
BOLD = Path(os.environ.get("PEER_BOLD", ROOT / "data/_shared/fonts/Lato-Bold.ttf"))
T = TypeVar("T")

POINTS = 72 / 25.4
A4 = (210.0, 297.0)
CARD = (63.0, 88.0)
SLOTS = [(10.5 + 63 * column, 16.5 + 88 * row) for row in range(3) for column in range(3)]
GUTTER = 1.5
"""Between cards whose edges differ."""
UNPRINTED = 4.2
"""The border that printers leave white."""

INK, BOX, GOLD, NAVY, WHITE = "#222222", "#f2e8d0", "#d9a441", "#24405f", "#ffffff"
PALETTE = ("#b23a48", "#3a7ca5", "#4f772d", "#7b4b94", "#c8553d", "#2a9d8f", "#8d6a9f", "#5b5f97")
LINE, THIN = 0.35, 0.2
CROP, CROP_INK = 0.25 * 25.4 / 72, "#000000"

# A card: boxes are x, y, width, height, radius; texts are x, baseline, size.
FRAME, PANEL = (1.5, 1.5, 60.0, 85.0, 3.0), (4.0, 4.0, 55.0, 80.0, 2.0)
TITLE, FOOTER = (31.5, 11.5, 11.0), (31.5, 81.0, 6.0)
BOXES, BOX_Y, BOX_SIDE, BOX_RADIUS = [5.5 + 11 * i for i in range(5)], 15.0, 8.0, 1.2
DIGIT_Y, DIGIT_SIZE, SYMBOL_Y, SYMBOL_SIZE = 20.6, 12.0, 20.2, 8.0
ORNAMENT = (31.5, 36.0)
PARAGRAPH_X, PARAGRAPH_Y, PARAGRAPH_WIDTH, PARAGRAPH_SIZE, PARAGRAPH_LEADING = 6.5, 49.0, 50.0, 8.0, 10.0

# The back.
BACK_FRAME, BACK_INNER, BACK_LINE = (1.5, 1.5, 60.0, 85.0, 3.0), (5.0, 5.0, 53.0, 78.0, 2.0), 0.4
RINGS = [(31.5, 40.0, 22 + 0.4 * i) for i in range(8)]
BACK_ORNAMENT, BACK_TEXT, BACK_WORDS = (31.5, 40.0, 2.0), (31.5, 76.0, 11.0), "PEER DECK"

# Half a page of S, A5 upright.
SHEET, HALF = (297.0, 210.0), 148.5
S_TITLE, S_NUMBER, S_NAME = (74.25, 18.0, 16.0, "Score sheet"), (138.0, 26.0, 9.0), (12.0, 26.0, 9.0, "Name")
S_LINE = (24.0, 26.5, 90.0, 26.5)
GRID_X, GRID_Y, CELL, COLUMNS, ROWS = 30.0, 36.0, (26.0, 18.0), 4, 8
LABEL_SIZE, LABEL_X, LABEL_Y, CIRCLE = 9.0, 12.0, 34.0, 6.0
TOTAL_Y, TOTAL_HEIGHT, TOTAL_RADIUS, TOTAL_FILL = 184.0, 14.0, 2.0, "#e8eef4"
TICK = 5.0


def _star(outer: float, inner: float, points: int = 20) -> Iterator[tuple[float, float]]:
    for i in range(points * 2):
        radius, angle = (inner if i % 2 else outer), math.pi * i / points - math.pi / 2
        yield round(radius * math.cos(angle), 4), round(radius * math.sin(angle), 4)


STAR = list(_star(10.0, 7.5))
DOTS = [(round(5.5 * math.cos(math.pi * i / 5), 4), round(5.5 * math.sin(math.pi * i / 5), 4), 1.0) for i in range(10)]


def slots(gutter: float) -> list[tuple[float, float]]:
    """The corners of nine cards with a gutter between them."""
    return [
        (10.5 - gutter + (63 + gutter) * column, 16.5 - gutter + (88 + gutter) * row)
        for row in range(3)
        for column in range(3)
    ]


def crop_marks(gutter: float = 0.0) -> Iterator[tuple[float, float, float, float]]:
    """Crop marks in line with the trims: 2 mm away from them and 6 mm long, or less where printers cannot print."""
    corners = slots(gutter)
    (left, top), (right, bottom) = corners[0], (A4[0] - corners[0][0], A4[1] - corners[0][1])
    edges = [sorted({place[axis] + end for place in corners for end in (0.0, CARD[axis])}) for axis in (0, 1)]
    (above, far_above), (beside, far_beside) = _mark(top), _mark(left)
    for x in edges[0]:
        yield from ((x, top - above, x, top - far_above), (x, bottom + above, x, bottom + far_above))
    for y in edges[1]:
        yield from ((left - beside, y, left - far_beside, y), (right + beside, y, right + far_beside, y))


def _mark(room: float) -> tuple[float, float]:
    """How far from the trim a mark begins and ends."""
    room -= UNPRINTED
    start = min(2.0, room - 3)
    return start, start + min(6.0, room - start)


_STEMS = (
    "am",
    "ar",
    "bel",
    "bra",
    "cal",
    "cor",
    "dal",
    "der",
    "el",
    "fal",
    "fen",
    "gar",
    "glen",
    "har",
    "hol",
    "jas",
    "kel",
    "lor",
    "mar",
    "mor",
    "nor",
    "or",
    "pel",
    "quar",
    "ros",
    "sal",
    "sor",
    "tal",
    "tor",
    "ul",
    "val",
    "ver",
    "wil",
    "wor",
    "yar",
    "zen",
    "sté",
    "nai",
    "lün",
    "øst",
)
_ENDS = (
    "a",
    "an",
    "ane",
    "ar",
    "ber",
    "den",
    "dor",
    "e",
    "el",
    "en",
    "er",
    "est",
    "ia",
    "ick",
    "il",
    "in",
    "ing",
    "ion",
    "ir",
    "is",
    "ith",
    "le",
    "ley",
    "lin",
    "mar",
    "mas",
    "mer",
    "ness",
    "ney",
    "on",
    "or",
    "oth",
    "ra",
    "red",
    "ric",
    "ron",
    "set",
    "ton",
    "uin",
    "us",
)
SYMBOLS = "+−×=<>≤≥≠→"


@dataclass(frozen=True, slots=True)
class Row:
    """The text of one card."""

    title: str
    colour: str
    digits: tuple[str, ...]
    symbols: tuple[str, ...]
    text: str
    footer: str


def vocabulary(chance: random.Random) -> list[str]:
    """All words, in random order."""
    words = [stem + end for stem in _STEMS for end in _ENDS]
    chance.shuffle(words)
    return words


def rows(count: int, *, rich: bool = False, seed: int = 7) -> Iterator[Row]:
    """The cards of W(count). `rich` puts two bold words and an icon into every paragraph."""
    chance = random.Random(seed)
    words = vocabulary(chance)
    weights = [*accumulate(1 / (i + 8) for i in range(len(words)))]  # common words recur, as in real rules
    for n in range(1, count + 1):
        w = chance.choices(words, cum_weights=weights, k=25)
        digits = tuple(str(chance.randrange(10)) for _ in range(5))
        symbols = tuple(chance.choice(SYMBOLS) for _ in range(4))
        bold, icon = ("**", ":ornament: ") if rich else ("", "")
        text = (
            f"{w[2].capitalize()} {n} {w[2]} {bold}{w[3]} {w[4]}{bold} "
            + " ".join(w[5:13])
            + ", "
            + icon
            + " ".join(w[13:])
            + "."
        )
        yield Row(
            f"{w[0].title()} {w[1].title()} {n}",
            PALETTE[(n - 1) % len(PALETTE)],
            digits,
            symbols,
            text,
            f"Set {chr(65 + (n - 1) % 26)} · {n}/{count} · rev 3",
        )


def numbers(count: int) -> list[tuple[str, str]]:
    """The numbers on the two halves of each page of S(count)."""
    return [(f"No. {n:05d} A", f"No. {n:05d} B") for n in range(1, count + 1)]


def grouped(all_: Sequence[T], size: int = 9) -> Iterator[Sequence[T]]:
    for start in range(0, len(all_), size):
        yield all_[start : start + size]


def rgb(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue
