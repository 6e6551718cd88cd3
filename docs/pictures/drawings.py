"""The drawings of docs/specimens/svg, each as Pencilbox prints it and as resvg draws it."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from benchmarks.svg import compared

HERE = Path(__file__).parents[1] / "specimens/svg"
KINDS = "bootstrap_icons", "lucide", "font_awesome", "flag_icons", "tango", "openclipart", "inkscape", "illustrator"
SIDE, GAP = 92, 8
_FINER = 4


def specimens() -> Image.Image:
    """One row for each kind of files: each drawing on white as it is printed, beside its reference."""
    files = [sorted((HERE / kind).glob("*.svg")) for kind in KINDS]
    cell = 2 * SIDE + 3 * GAP
    sheet = Image.new("RGB", (len(files[0]) * (cell + GAP) - GAP, len(files) * (SIDE + 3 * GAP) - GAP), "#d8dce0")
    for row, kind in enumerate(files):
        for column, file in enumerate(kind):
            _, *pictures = compared(file, _FINER)
            x, y = column * (cell + GAP), row * (SIDE + 3 * GAP)
            sheet.paste("white", (x, y, x + cell, y + SIDE + 2 * GAP))
            for number, picture in enumerate(pictures):
                assert picture is not None
                picture.thumbnail((SIDE, SIDE), Image.Resampling.LANCZOS)
                left, top = x + GAP + number * (SIDE + GAP), y + GAP
                sheet.paste(picture, (left + (SIDE - picture.width) // 2, top + (SIDE - picture.height) // 2))
    return sheet
