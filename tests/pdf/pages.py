"""Prints frames on pages and inspects the result."""

from __future__ import annotations

from io import BytesIO

import pypdf

from generator.geometry.frame import Frame, Page, Placed, Run
from generator.pdf import Info

INFO = Info(
    title="From the Ground Up – cards",
    author="rules by Žofia",
    subject="12 cards",
    keywords=("dice", "pencil"),
    set_code="GU-7K2M",
)
MM = 72 / 25.4


def box(x: float, y: float, width: float, height: float):
    return ("M", x, y), ("L", x + width, y), ("L", x + width, y + height), ("L", x, y + height), ("Z",)


def card(*things, bleed: float = 0.0, name: str = "card") -> Frame:
    return Frame(name, 60, 80, things, bleed)


def text(words: str, font: str = "regular", **more) -> Run:
    return Run(5, 20, words, font, 4, "#20262e", 0, **more)


def page(*frames: Frame) -> Page:
    return Page(210, 297, tuple(Placed(frame, 10 + 65 * n, 10) for n, frame in enumerate(frames)))


def reader(pdf: bytes) -> pypdf.PdfReader:
    return pypdf.PdfReader(BytesIO(pdf))


def pixel(image, x: float, y: float) -> tuple[int, int, int]:
    """The colour at a place in mm, of a page rendered at 254 dpi."""
    return image.getpixel((int(x * 10), int(y * 10)))
