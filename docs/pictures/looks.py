"""The faces of docs/looks.md, and those of docs/specimens/looks with their references: NAME.xml is a face of
60 × 36 mm, NAME.html the same for a browser, and NAME.png what Chromium makes of that. Run this file to record the
references of all faces, or of some."""

from __future__ import annotations

import re
import subprocess
import sys
from io import BytesIO
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdfium2
from PIL import Image, ImageChops

from generator import faces, paths, pdf
from generator.geometry.frame import Page, Placed
from generator.layout.place import place
from generator.reading.theme import theme

DOCS = Path(__file__).parents[1]
HERE = DOCS / "specimens/looks"
WIDTH, HEIGHT = 60.0, 36.0
DPI = 150
SIZE = round(WIDTH / 25.4 * DPI), round(HEIGHT / 25.4 * DPI)
_HEAD = """<!doctype html><meta charset="utf-8"><base href="{folder}/"><style>
{fonts}
* {{ box-sizing: border-box }}
body {{ margin: 0; width: 60mm; height: 36mm; position: relative; overflow: hidden; color: #20262e;
font: 8.5pt/1.28 Lato }} div, img, svg {{ position: absolute }}
</style>
"""
_FONT = "@font-face {{ font-family: Lato; src: url({file}); font-weight: {weight}; font-style: {style} }}"
_FONTS = {
    "Regular": ("normal", "normal"),
    "Bold": ("bold", "normal"),
    "Italic": ("normal", "italic"),
    "BoldItalic": ("bold", "italic"),
    "Black": ("900", "normal"),
}


_LOOK = re.compile(r"^## ([^\n]+)\n(?:(?!^## ).)*?^```xml\n(.*?)^```", re.MULTILINE | re.DOTALL)


def drawn(face: str, name: str) -> Image.Image:
    """A face of 60 × 36 mm as Pencilbox prints it."""
    look = theme(HERE, "theme.yaml")
    with TemporaryDirectory() as folder:
        (Path(folder) / "face.xml.j2").write_text(face, encoding="utf-8")
        templates = faces.Templates((Path(folder),), look)
        frame = place(faces.build(templates, "face", {}, name=name, size=(WIDTH, HEIGHT), folder=HERE), look)
        paper = [6 * ceil(side / 6) / DPI * 25.4 for side in SIZE]  # whole points and pixels
        document = pdf.write([Page(paper[0], paper[1], (Placed(frame, 0, 0),))], look, info=pdf.Info(title=name))
    printed_page = pypdfium2.PdfDocument(BytesIO(document))[0]
    return printed_page.render(scale=DPI / 72).to_pil().convert("RGB").crop((0, 0, *SIZE))


# ---- docs/looks.md --------------------------------------------------------------------------------------------------


def sections() -> dict[str, str]:
    """The faces of docs/looks.md by the names of their pictures."""
    found = _LOOK.findall((DOCS / "looks.md").read_text("utf-8"))
    return {"look_" + re.sub(r"\W+", "_", heading.lower()): face for heading, face in found}


# ---- specimens ------------------------------------------------------------------------------------------------------


def names() -> list[str]:
    return sorted(path.stem for path in HERE.glob("*.xml"))


def printed(name: str) -> Image.Image:
    """The face as Pencilbox prints it."""
    return drawn((HERE / f"{name}.xml").read_text("utf-8"), name)


def reference(name: str) -> Image.Image:
    """The same as recorded from Chromium."""
    return Image.open(HERE / f"{name}.png").convert("RGB")


def difference(first: Image.Image, second: Image.Image) -> float:
    """The mean difference of two pictures, as a share of that between black and white. Each pixel is compared with the
    nearest ones of the other picture, because browsers round edges to whole pixels."""
    least = Image.new("L", first.size, 255)
    for x in (-1, 0, 1):
        for y in (-1, 0, 1):
            change = ImageChops.difference(first, ImageChops.offset(second, x, y))
            least = ImageChops.darker(least, change.convert("L"))
    levels = least.histogram()
    return sum(level * count for level, count in enumerate(levels)) / sum(levels) / 255


def sheet() -> Image.Image:
    """All specimens, each with what Pencilbox prints on the left and the reference on the right."""
    across, down = (side * 3 // 4 for side in SIZE)
    listed = [look for look in names() if (HERE / f"{look}.png").exists()]
    picture = Image.new("RGB", (4 * across + 48, ceil(len(listed) / 2) * (down + 12) + 12), "#d8dce0")
    for number, name in enumerate(listed):
        row, pair = divmod(number, 2)
        for side, drawn_face in enumerate((printed(name), reference(name))):
            place_ = 12 + pair * (2 * across + 24) + side * (across + 4), 12 + row * (down + 12)
            picture.paste(drawn_face.resize((across, down), Image.Resampling.LANCZOS), place_)
    return picture


def record(name: str) -> None:
    fonts = paths.SHARED_DATA / "fonts"
    rules = "\n".join(
        _FONT.format(file=(fonts / f"Lato-{kind}.ttf").as_uri(), weight=weight, style=style)
        for kind, (weight, style) in _FONTS.items()
    )
    with TemporaryDirectory() as folder:
        page, shot = Path(folder) / "page.html", Path(folder) / "shot.png"
        head = _HEAD.format(folder=HERE.as_uri(), fonts=rules)
        page.write_text(head + (HERE / f"{name}.html").read_text("utf-8"), encoding="utf-8")
        command = [
            *("chromium", "--headless", "--no-sandbox", "--hide-scrollbars", f"--screenshot={shot}"),
            *(f"--force-device-scale-factor={DPI / 96}", "--window-size=300,200", "--allow-file-access-from-files"),
            page.as_uri(),
        ]
        subprocess.run(command, check=True, capture_output=True)
        picture = Image.open(shot).convert("RGB").crop((0, 0, *SIZE))
    picture.save(HERE / f"{name}.png", optimize=True)


if __name__ == "__main__":
    for each in sys.argv[1:] or names():
        record(each)
        sys.stdout.write(f"{each}: {difference(printed(each), reference(each)):.4f}\n")
