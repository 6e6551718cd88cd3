"""Makes the fonts of the specimens in twenty languages, and records how Chromium sets them.

`python docs/pictures/languages.py` needs the Noto fonts and Chromium of a Linux distribution; nothing else does. Each
font has the letters of the sentences only. `reference.json` has the width of each sentence on one line as a multiple of
the type size, `reference.webp` a picture of all.
"""

from __future__ import annotations

import json
import re
import subprocess
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdfium2
import yaml
from fontTools.subset import Options, Subsetter, load_font, save_font
from msgspec.structs import replace
from PIL import Image, ImageOps

from generator import games
from generator.geometry.frame import Page, Placed
from generator.pdf import Info, write
from generator.pdf.operators import POINTS
from generator.printing.press import Press
from generator.reading.load import load

FOLDER = Path(__file__).parent.parent / "specimens" / "languages"
NOTO = Path("/usr/share/fonts/truetype/noto")
CJK = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
SCRIPTS = ("Arabic", "Hebrew", "Devanagari", "Bengali", "Tamil", "Thai", "Armenian", "Georgian", "Ethiopic")
ASIAN = {"JP": (0, "ja"), "KR": (1, "ko"), "SC": (2, "zh")}
WIDTH, HEIGHT, SCALE = 300, 196, 2
"""The size of a card in pixels of Chromium, and how many pixels of the picture each of them is."""
COLUMNS = 4


def sentences() -> dict[str, str]:
    cards = yaml.safe_load((FOLDER / "cards.yaml").read_text("utf-8"))["cards"]
    return {card["id"]: card["sentence"] for card in cards}


def make_fonts() -> None:
    texts = sentences()
    for name in SCRIPTS:
        _reduced(NOTO / f"NotoSans{name}-Regular.ttf", 0, "".join(texts.values()), FOLDER / f"fonts/NotoSans{name}.ttf")
    for name, (number, language) in ASIAN.items():
        _reduced(CJK, number, texts[language], FOLDER / f"fonts/NotoSans{name}.otf")


def _reduced(source: Path, number: int, text: str, target: Path) -> None:
    options = Options(layout_features=["*"], hinting=False, notdef_outline=True, name_IDs=[0, 1, 2, 6, 13, 14])
    options.font_number = number
    options.desubroutinize = True
    font = load_font(str(source), options)
    reducer = Subsetter(options)
    reducer.populate(text=text)
    reducer.subset(font)
    font["head"].modified = font["head"].created
    save_font(font, str(target), options)


def page(*, wraps: bool) -> str:
    """The sentences as a web page, in the fonts of the theme."""
    theme = load(str(FOLDER)).theme
    faces, lists = [], {}
    for key in ("regular", "chinese"):
        names = []
        for file in theme.fonts[key]:
            names.append(file.path.stem)
            faces.append(f"@font-face {{font-family: {file.path.stem}; src: url('{file.path.as_uri()}')}}")
        lists[key] = ", ".join(names)
    cards = "".join(
        f'<p dir="auto" lang="{name}" style="font-family: {lists["chinese" if name == "zh" else "regular"]}">'
        f"<span>{text}</span></p>"
        for name, text in sentences().items()
    )
    flow, size = ("normal", "15px") if wraps else ("nowrap", "100px")
    script = (
        "document.fonts.ready.then(() => {document.title = JSON.stringify([...document.querySelectorAll('span')]"
        ".map(span => span.getBoundingClientRect().width)); document.body.dataset.widths = document.title})"
    )
    return (
        f"<!doctype html><meta charset=utf-8><style>{''.join(dict.fromkeys(faces))}"
        f"body {{margin: 0; background: #fff; display: grid;"
        f"grid-template-columns: repeat({COLUMNS}, {WIDTH}px)}} p {{box-sizing: border-box; margin: 0; padding: 24px;"
        f"height: {HEIGHT}px; font-size: {size}; line-height: 1.5; white-space: {flow}}}</style>"
        f"{cards}<script>{script}</script>"
    )


def chromium(folder: Path, html: str, *options: str) -> str:
    file = folder / "page.html"
    file.write_text(html, "utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", *options]
    return subprocess.run(
        [*command, "--virtual-time-budget=8000", file.as_uri()], capture_output=True, text=True, check=True, timeout=120
    ).stdout


def record_widths(folder: Path) -> None:
    dom = chromium(folder, page(wraps=False), "--dump-dom")
    found = re.search(r'data-widths="([^"]*)"', dom)
    assert found, "Chromium does not say how wide the sentences are"
    widths = [round(width / 100, 4) for width in json.loads(found[1].replace("&quot;", '"'))]
    table = dict(zip(sentences(), widths, strict=True))
    (FOLDER / "reference.json").write_text(json.dumps(table, indent=1) + "\n", "utf-8")


def record_picture(folder: Path) -> None:
    rows = -(-len(sentences()) // COLUMNS)
    size = f"--window-size={WIDTH * COLUMNS},{HEIGHT * rows}"
    shot = folder / "page.png"
    chromium(folder, page(wraps=True), f"--screenshot={shot}", size, f"--force-device-scale-factor={SCALE}")
    Image.open(shot).convert("L").save(FOLDER / "reference.webp", lossless=True)


def printed() -> list[Image.Image]:
    """The sentences as Pencilbox prints them, at the size of those in Chromium's picture."""
    game = load(str(FOLDER))
    press = Press(game, games.deal(game))
    part, pictures = press.part("cards"), []
    for card in press.deck.cards["cards"]:
        frame = press.card(part, card, "sentence")
        frame = replace(frame, items=tuple(item for item in frame.items if getattr(item, "font", "") != "bold"))
        content = write([Page(frame.width, frame.height, (Placed(frame, 0, 0),))], game.theme, info=Info(title="Page"))
        scale = WIDTH * SCALE / (frame.width * POINTS)
        pictures.append(pypdfium2.PdfDocument(BytesIO(content))[0].render(scale=scale).to_pil().convert("L"))
    return pictures


def references() -> list[Image.Image]:
    """The sentences as Chromium shows them."""
    picture = Image.open(FOLDER / "reference.webp").convert("L")
    width, height = WIDTH * SCALE, HEIGHT * SCALE
    corners = ((n % COLUMNS * width, n // COLUMNS * height) for n in range(len(sentences())))
    return [picture.crop((x, y, x + width, y + height)) for x, y in corners]


def side_by_side() -> Image.Image:
    """Each sentence as Pencilbox prints it, and to its right as Chromium shows it, without their margins."""
    pairs = [[_trimmed(picture) for picture in pair] for pair in zip(printed(), references(), strict=True)]
    width, height, gap = WIDTH * SCALE - 60, max(picture.height for pair in pairs for picture in pair) + 36, 24
    grid = Image.new("L", (4 * width + 5 * gap, (len(pairs) + 1) // 2 * (height + gap) + gap), 216)
    for number, pair in enumerate(pairs):
        for column, picture in enumerate(pair):
            x = gap + (number % 2 * 2 + column) * (width + gap)
            y = gap + number // 2 * (height + gap)
            grid.paste(255, (x, y, x + width, y + height))
            grid.paste(picture, (x + (width - picture.width) // 2, y + 18))
    return grid.resize((grid.width // 2, grid.height // 2), Image.Resampling.LANCZOS)


def _trimmed(picture: Image.Image) -> Image.Image:
    return picture.crop(ImageOps.invert(picture).getbbox())


if __name__ == "__main__":
    make_fonts()
    with TemporaryDirectory() as scratch:
        record_widths(Path(scratch))
        record_picture(Path(scratch))
    side_by_side().quantize(16).save(Path(__file__).parent / "specimens_languages.png", optimize=True)
