"""Makes docs/gallery.md and its pictures: every component of every game, as it is printed on A4."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pypdfium2
from PIL import Image, ImageChops, ImageFilter, ImageOps, ImageStat

from generator import games
from generator.draws import parse
from generator.model.game import Component
from generator.model.print_settings import PrintSettings
from generator.printing.press import Press, needs_set
from generator.reading.load import load
from generator.reading.sizes import paper

FOLDER = Path(__file__).parent / "gallery"
PAGE = FOLDER.parent.parent / "gallery.md"
MAX_BYTES = 150 * 1024
GROUND = "#d8dce0"
GAP, PAD, HEIGHT, WIDTH = 14, 24, 560, 1400
NOTE = 40
"""Pixels. A note at the foot of a page is not taller than this."""
SETS = {
    "elevator_up": "EU-1D03-C6XAY-KB6JB-4D",
    "rolling_cubes": "RC-1S11-EZ196-HTZ98-WK",
    "upwards": "UP-1S01-P6JC7-Q7V6T-NV",
}
"""The random sets of components that show nothing without one."""
INTRO = """\
# Gallery

Every component of the five games, as `pencilbox make` prints it on A4. These pictures are made by Pencilbox itself.
"""


def write() -> None:
    """Draws every picture, and writes the page that shows them."""
    FOLDER.mkdir(exist_ok=True)
    written, text = set(), [INTRO]
    for key in games.SHIPPED:
        game = load(key)
        text.append(f"\n## {game.title}\n\n{game.definition.tagline}.\n")
        for part in game.components.values():
            file = FOLDER / f"{key}-{part.name}.png"
            save(_row(_pages(key, part)), file)
            written.add(file)
            about = part.definition.about
            title = part.definition.title
            text.append(f"\n### {title}\n\n{about}\n\n![{title} of {game.title}](pictures/gallery/{file.name})\n")
    PAGE.write_text("".join(text), encoding="utf-8")
    for old in set(FOLDER.glob("*.png")) - written:
        old.unlink()


def _pages(key: str, part: Component) -> list[Image.Image]:
    """The pages of a component that show what it looks like."""
    game = load(key)
    code = SETS.get(key) if needs_set(part) else None
    press = Press(game, games.deal(game, parse(code) if code else None), PrintSettings(folded=False))
    size = "a2" if part.kind == "board" else "a4"
    document = pypdfium2.PdfDocument(BytesIO(press.component(part.name, paper(size)).pdf))
    pages = [
        document[number].render(scale=0.9 if size == "a2" else 1.6).to_pil().convert("RGB")
        for number in _chosen(part, len(document))
    ]
    document.close()
    return pages if part.kind in ("booklet", "sheet") else [_cropped(page) for page in pages]


def _chosen(part: Component, count: int) -> list[int]:
    """The numbers of the pages to show: of a deck the first front and back, of a booklet the cover, the first page and
    the picture in the middle."""
    if part.kind == "booklet":
        return [0, 1, count // 2]
    return list(range(min(count, 2 if part.kind == "deck" else 3)))


def _cropped(page: Image.Image) -> Image.Image:
    """The page without the paper that is left empty, and without the note at its foot; its margins stay."""
    ink = ImageOps.invert(page.convert("L")).point(lambda shade: 255 * (shade > 24))
    rows = ink.getprojection()[1]
    foot = len(rows) - rows[::-1].index(1) if 1 in rows else 0
    note = rows[: max(foot - NOTE, 0)]
    if 1 in note and not any(note[-PAD:]):
        foot = len(note)
    box = ink.crop((0, 0, page.width, foot)).getbbox()
    if not box:
        return page
    left, top, right, bottom = box
    return page.crop(
        (max(0, left - PAD), max(0, top - PAD), min(page.width, right + PAD), min(page.height, bottom + PAD))
    )


def _row(pages: list[Image.Image]) -> Image.Image:
    """The pages side by side on a grey ground."""
    height = HEIGHT
    widths = sum(page.width / page.height for page in pages)
    height = min(height, (WIDTH - GAP * (len(pages) + 1)) / widths)
    fitted = [
        page.resize((round(page.width * height / page.height), round(height)), Image.Resampling.LANCZOS)
        for page in pages
    ]
    row = Image.new(
        "RGB", (sum(page.width for page in fitted) + GAP * (len(fitted) + 1), round(height) + 2 * GAP), GROUND
    )
    x = GAP
    for page in fitted:
        row.paste(page, (x, GAP))
        x += page.width + GAP
    return row


def save(picture: Image.Image, file: Path) -> None:
    """Saves the picture in the 256 colours that suit it best within the limit, or smaller if those do not suit it."""
    while True:
        copies = sorted(_copies(picture), key=lambda copy: _error(picture, copy))
        fitting = [data for data in map(_packed, copies[:2]) if len(data) <= MAX_BYTES]
        if fitting:
            file.write_bytes(fitting[0])
            return
        picture = picture.resize((round(picture.width * 0.93), round(picture.height * 0.93)), Image.Resampling.LANCZOS)


def _copies(picture: Image.Image) -> Iterator[Image.Image]:
    """The picture in 256 colours, chosen in different ways, with and without dithering."""
    for method in (Image.Quantize.FASTOCTREE, Image.Quantize.MAXCOVERAGE, Image.Quantize.MEDIANCUT):
        palette = picture.quantize(256, method, kmeans=0 if method == Image.Quantize.FASTOCTREE else 4)
        for dither in (Image.Dither.FLOYDSTEINBERG, Image.Dither.NONE):
            yield picture.quantize(palette=palette, dither=dither)


def _packed(picture: Image.Image) -> bytes:
    stream = BytesIO()
    picture.save(stream, "PNG", optimize=True)
    return stream.getvalue()


def _error(picture: Image.Image, copy: Image.Image) -> float:
    """How far the colours of a copy are off, as seen from a distance at which dots blend."""
    blur = ImageFilter.GaussianBlur(1)
    difference = ImageChops.difference(picture.filter(blur), copy.convert("RGB").filter(blur))
    return sum(ImageStat.Stat(difference).sum2)
