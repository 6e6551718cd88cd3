"""Makes the pictures for README and docs from what Pencilbox prints: `make pictures`.

`python docs/pictures/render.py gallery` renews only docs/gallery.md and its pictures."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pypdfium2
from PIL import Image, ImageDraw, ImageFilter

from generator import games, paths, pdf
from generator.geometry.frame import Frame, Page, Placed
from generator.judging.judge import Judge
from generator.layout.flaws import Draft
from generator.model.columns import LOOKS
from generator.model.game import Theme
from generator.model.print_settings import PrintSettings
from generator.pages import cutting_sheets
from generator.pages.cutting_sheets import CutPath
from generator.printing import pieces
from generator.printing.calibration_sheet import Wording
from generator.printing.calibration_sheet import pages as sheet_pages
from generator.printing.calibration_sheet import sheet as calibration_sheet
from generator.printing.game_faces import GameFaces
from generator.printing.press import Press
from generator.printing.scored_copies import Copier
from generator.reading import targets
from generator.reading.load import load
from generator.reading.sizes import paper
from generator.reading.table_game import TableLook, table_game
from generator.reading.theme import theme
from generator.rules.results import Judged
from generator.scaffold import new_game
from generator.scaffold.new_game import write

HERE = Path(__file__).parent
GROUND = "#d8dce0"
Crop = tuple[float, float, float, float]
SHEET: Crop = (0.03, 0.03, 0.97, 0.97)


def page(
    key: str,
    component: str,
    number: int,
    dpi: int = 110,
    crop: Crop = (0, 0, 1, 1),
    draft: Draft | None = None,
    seed: str = "",
    low_ink: bool = False,
) -> Image.Image:
    """One printed page, or the part of it within `crop` (left, top, right and bottom as shares of its size); with a
    `seed`, of a random set."""
    game = load(key)
    deck = games.deal(game, games.new_code(game, seed) if seed else None)
    printed = Press(game, deck, PrintSettings(low_ink=low_ink), draft=draft).component(component, paper("a4"))
    picture = pypdfium2.PdfDocument(BytesIO(printed.pdf))[number].render(scale=dpi / 72).to_pil().convert("RGB")
    left, top, right, bottom = crop
    width, height = picture.size
    return picture.crop((round(left * width), round(top * height), round(right * width), round(bottom * height)))


def side_by_side(*pictures: Image.Image, height: int = 620, gap: int = 18) -> Image.Image:
    """The pictures in a row on a grey background, all scaled to the same height."""
    fitted = [
        picture.resize((round(picture.width * height / picture.height), height), Image.Resampling.LANCZOS)
        for picture in pictures
    ]
    width = sum(picture.width for picture in fitted) + gap * (len(fitted) + 1)
    row = Image.new("RGB", (width, height + 2 * gap), GROUND)
    x = gap
    for picture in fitted:
        row.paste(picture, (x, gap))
        x += picture.width + gap
    return row


def save(picture: Image.Image, name: str, colours: int = 128) -> None:
    picture.quantize(colours).save(HERE / f"{name}.png", optimize=True)


GAMES = {
    "from_the_ground_up": [("cards", 0), ("cards", 1), ("table", 0), ("box", 0)],
    "elevator_up": [("cards", 0), ("cards", 8), ("log", 0), ("box", 0)],
    "rolling_cubes": [("dice", 0), ("one-by-one", 0), ("box", 0)],
    "upwards": [("sheet", 0), ("folder", 0), ("dice", 0)],
    "cosmic_consequences": [("cards", 1), ("log", 0), ("box", 0)],
}


def board(key: str) -> Image.Image:
    """A whole board on large paper."""
    game = load(key)
    printed = Press(game, games.deal(game)).component("board", paper("a2"))
    return pypdfium2.PdfDocument(BytesIO(printed.pdf))[0].render(scale=0.6).to_pil().convert("RGB")


EXAMPLES: dict[str, list[tuple[str, int, Crop]]] = {
    "score_pad": [("pad", 0, (0, 0, 1, 1))],
    "grids": [
        ("board", 0, (0.13, 0.24, 0.87, 0.76)),
        ("moor", 0, (0.13, 0.24, 0.87, 0.76)),
        ("sheet", 0, (0, 0, 1, 0.74)),
    ],
    "tracks": [("board", 0, (0.04, 0.04, 0.96, 0.52)), ("sheet", 0, (0, 0, 1, 0.7))],
    "boxes": [("tray", 0, (0, 0.18, 1, 0.82)), ("sleeve", 0, (0, 0.18, 1, 0.82))],
    "tokens": [
        ("coins", 0, (0.05, 0.02, 0.95, 0.53)),
        ("crops", 0, (0.05, 0.06, 0.95, 0.52)),
        ("crops", 1, (0.05, 0.06, 0.95, 0.52)),
    ],
}
"""The pages of docs/ with a picture of their example game: component, page and crop."""
_EXAMPLE_FILE = re.compile(r'^```\w+ title="\w+/([\w./]+)"\n(.*?)^```', re.MULTILINE | re.DOTALL)


def example(name: str, folder: Path) -> str:
    """Writes the game shown in docs/<name>.md into a folder; returns its key."""
    text = (HERE.parent / f"{name}.md").read_text(encoding="utf-8")
    for path, content in _EXAMPLE_FILE.findall(text):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")
    return str(folder)


CARD_FACES: list[tuple[str, str, str, int]] = [
    ("creatures", "standard", "poker", 0),
    ("market", "standard", "poker", 1),
    ("pictures", "picture", "poker", 0),
    ("words", "word", "poker", 2),
    ("nouns", "flash", "poker", 0),
    ("tarot", "tarot", "tarot", 0),
    ("suits", "number_and_suit", "poker", 0),
]
"""The picture of docs/card_faces.md: a table of docs/examples/cards, its face, the size, and the number of the card."""
CARD_LOOKS = [("words", 2), ("market", 0), ("market", 1), ("creatures", 0), ("nouns", 0), ("suits", 0)]
"""The tables of docs/card_faces.md that are shown in each look, and the numbers of the cards."""


def card(table: str, template: str, size: str, number: int, back: bool, dpi: int = 150) -> Image.Image:
    """One side of one card of a table, without its bleed."""
    game = table_game(HERE.parent / "examples/cards" / f"{table}.csv", TableLook(size, template))
    faces = GameFaces(game, games.deal(game))
    part = faces.part("cards")
    return trimmed(list(faces.back_sides(part) if back else faces.front_sides(part))[number], faces.theme, dpi)


def card_looks() -> Image.Image:
    """The same cards in each look, one below the other."""
    rows = [
        side_by_side(*(card(table, look, "poker", number, back=False) for table, number in CARD_LOOKS), height=330)
        for look in LOOKS
    ]
    picture = Image.new("RGB", (rows[0].width, 348 * len(rows) + 18), GROUND)
    for number, row in enumerate(rows):
        picture.paste(row, (0, 348 * number))
    return picture


def trimmed(frame: Frame, look: Theme, dpi: float) -> Image.Image:
    """A face without its bleed."""
    page = Page(frame.width, frame.height, (Placed(frame, 0, 0),))
    printed = pdf.write([page], look, info=pdf.Info(title=frame.name))
    return pypdfium2.PdfDocument(BytesIO(printed))[0].render(scale=dpi / 72).to_pil().convert("RGB")


LAID_OUT = [
    ("board", 0, 130, 26, 0.0),
    ("front", 0, 30, 36, 7.0),
    ("front", 4, 24, 160, -9.0),
    ("front", 7, 46, 170, 8.0),
    ("back", 0, 34, 294, 3.0),
    ("back", 0, 32, 291, 1.0),
    ("front", 9, 664, 30, -8.0),
    ("front", 16, 670, 160, 5.0),
    ("front", 22, 650, 288, -12.0),
    ("front", 1, 676, 296, 9.0),
]
"""What lies on the table in `laid_out`: side, number, left and top edges in mm, and degrees clockwise."""


def laid_out(key: str = "cosmic_consequences", dpi: float = 42) -> Image.Image:
    """A game on a table."""
    game = load(key)
    faces = GameFaces(game, games.deal(game))
    table = Image.new("RGB", (round(768 * dpi / 25.4), round(420 * dpi / 25.4)), "#c8b08c")
    cards = faces.part("cards")
    sides = {
        "board": [faces.board(faces.part("board"))],
        "front": list(faces.front_sides(cards)),
        "back": list(faces.back_sides(cards)),
    }
    for side, number, x, y, turn in LAID_OUT:
        drawn = (
            trimmed(sides[side][number], faces.theme, dpi * 2)
            .convert("RGBA")
            .rotate(-turn, Image.Resampling.BICUBIC, True)
        )
        drawn = drawn.resize((drawn.width // 2, drawn.height // 2), Image.Resampling.LANCZOS)
        place = round(x * dpi / 25.4), round(y * dpi / 25.4)
        shadow = Image.new("L", table.size)
        shadow.paste(drawn.getchannel("A"), (place[0] + 3, place[1] + 4))
        table.paste("#3a2c18", (0, 0), shadow.filter(ImageFilter.GaussianBlur(4)).point(lambda level: level * 6 // 10))
        table.paste(drawn, place, drawn)
    return table


FOLDERS: dict[str, list[Any]] = {
    "example_flash_cards": [("cards", 0, SHEET), ("cards", 1, SHEET)],
    "example_sky_wonders": [("cards", 0, SHEET), ("cards", 2, SHEET), ("box", 0, (0, 0.22, 1, 0.78))],
    "example_kite_day": [("sheet", 0, (0, 0, 0.5, 1)), ("sheet", 0, (0, 0, 0.5, 1), ("seed", "hello"))],
    "example_potting_shed": [("sheet", 0, (0, 0, 0.5, 1)), ("sheet", 0, (0, 0, 0.5, 1), ("low_ink", True))],
    "example_dice_dozen": [("sheet", 0, (0, 0, 1, 1))],
    "example_star_trails": [("sheet", 0, (0, 0, 1, 1))],
    "example_picnic": [("cards", 2, SHEET), ("cards", 6, SHEET), ("sheet", 0, (0, 0, 0.5, 1))],
    "example_hex_meadows": [("tiles", 0, SHEET), ("tiles", 1, SHEET)],
    "example_beetles": [("garden", 0, SHEET), ("sheet", 0, SHEET)],
    "example_harbour_lights": [
        ("cards", 0, SHEET),
        ("cards", 1, SHEET),
        ("rules", 0, (0.5, 0, 1, 1)),
        ("box", 0, (0, 0.22, 1, 0.78)),
    ],
}
"""The pictures of docs/examples.md: `example_` with the name of the folder, and the pages shown: component, page, the
part of it, and perhaps an option of `page`."""


def first_deck() -> Image.Image:
    """The deck of docs/first_deck.md: as printed from its table alone, and with its own face."""
    text = (HERE.parent / "first_deck.md").read_text(encoding="utf-8")
    with TemporaryDirectory() as name:
        folder = Path(name)
        table = re.search(r'^```csv title="tea.csv"\n(.*?)^```', text, re.MULTILINE | re.DOTALL)
        assert table
        (folder / "tea.csv").write_text(table[1], encoding="utf-8")
        start = new_game.source(str(folder / "tea.csv"))
        write(folder / "tea_party", new_game.files(folder / "tea_party", start, ()))
        plain = page(str(folder / "tea.csv"), "cards", 0, crop=SHEET)
        return side_by_side(
            plain, page(example("first_deck", folder / "tea_party"), "cards", 0, crop=SHEET), height=420
        )


def draft() -> Image.Image:
    """The draft of docs/drafts.md, with a broken picture and a booklet that has a mistake."""
    with TemporaryDirectory() as name:
        folder = Path(example("drafts", Path(name)))
        (folder / "templates" / "rules.md.j2").write_text(
            "# Lanterns\n\nPlace it <u>beside</u> another one, and follow its rule.\n\n![The harbour](harbour.jpg)\n"
        )
        noise = BytesIO()
        Image.effect_noise((400, 240), 60).save(noise, "JPEG")
        (folder / "harbour.jpg").write_bytes(noise.getvalue()[:5000])
        definition = folder / "game.yaml"
        definition.write_text(definition.read_text() + "  rules: {kind: booklet, title: Rules, text: rules}\n")
        marks = Draft()
        return side_by_side(
            page(str(folder), "lanterns", 0, crop=(0, 0, 1, 0.36), draft=marks),
            page(str(folder), "rules", 0, crop=(0.5, 0, 1, 0.5), draft=marks),
            height=330,
        )


def scored(file: str, dpi: int = 110) -> Image.Image:
    """The first page of the scored copy of an example."""
    (answer,) = Judge(explain=True, draw=True, copies=True).answers([file])
    assert isinstance(answer, Judged)
    copier = Copier(paper("a4"))
    return (
        pypdfium2.PdfDocument(BytesIO(copier.pdf(copier.copies([answer]))))[0]
        .render(scale=dpi / 72)
        .to_pil()
        .convert("RGB")
    )


def calibration() -> Image.Image:
    """The calibration sheet: its front and its back."""
    look = theme(paths.SHARED_DATA, "theme.yaml")
    words = Wording("pencilbox calibrate --enter --paper a4")
    sheet = pdf.write(sheet_pages(calibration_sheet(paper("a4"), "long"), look, words), look, info=pdf.Info(title=""))
    document = pypdfium2.PdfDocument(BytesIO(sheet))
    return side_by_side(*(document[side].render(scale=1.6).to_pil().convert("RGB") for side in (0, 1)), height=900)


def silhouette() -> Image.Image:
    """A sheet of cards and one of a box for a cutting machine; what it cuts is red, what it scores blue."""
    press = Press(load("elevator_up"), games.deal(load("elevator_up")))
    machine = cutting_sheets.Machine.of(targets.targets()["silhouette"].definition.cutter, paper("a4"))
    fronts = list(press.front_sides(press.part("cards")))[::4]
    slots = cutting_sheets.slots(machine, fronts[0])
    (front, *_) = cutting_sheets.card_pages(machine, slots, range(len(slots.places)), fronts, (), "long")
    (box,) = cutting_sheets.net_sheets(machine, [pieces.net_pieces(press, press.part("box"))[0]])
    shown = []
    for sheet, lines in ((front, slots.paths(3)), (box.page, box.paths)):
        document = pypdfium2.PdfDocument(BytesIO(pdf.write([sheet], press.theme, info=pdf.Info(title=""))))
        picture = document[0].render(scale=2).to_pil().convert("RGB")
        draw = ImageDraw.Draw(picture)
        for path in lines:
            for start, end in straight(path):
                ends = [length * 2 * 72 / 25.4 for length in (*start, *end)]
                draw.line(ends, fill="#e00000" if path.layer == "CUT" else "#0050ff", width=4)
        shown.append(picture)
    return side_by_side(*shown, height=560)


def straight(path: CutPath) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """The straight lines of a path; an arc is one as well, bent at its middle."""
    ends = [*path.vertices[1:], *([path.vertices[0]] if path.closed else [])]
    for start, end in zip(path.vertices, ends, strict=False):
        x, y = (start.x + end.x) / 2, (start.y + end.y) / 2
        dx, dy = (end.x - start.x) / 2, (end.y - start.y) / 2
        middle = x + dy * start.bulge, y - dx * start.bulge
        yield (start.x, start.y), middle
        yield middle, (end.x, end.y)


def folder_picture(name: str) -> Image.Image:
    pages = [
        page(str(paths.EXAMPLES / name.removeprefix("example_")), *part[:2], crop=part[2], **dict(part[3:]))
        for part in FOLDERS[name]
    ]
    return side_by_side(*pages, height=400)


if __name__ == "__main__":
    import gallery  # beside this file

    gallery.write()
    if sys.argv[1:] == ["gallery"]:
        raise SystemExit
    import drawings
    import looks
    import photos

    for name, face in looks.sections().items():
        save(side_by_side(looks.drawn(face, name), height=looks.SIZE[1]), name, 256)
    save(side_by_side(photos.printed(), photos.reference(), height=photos.SIZE[1]), "specimens_pictures", 256)
    save(drawings.specimens(), "specimens_svg", 256)
    save(photos.examples(), "pictures")
    looks.sheet().save(HERE / "specimens_looks.png", optimize=True)  # gradients need all their colours
    save(first_deck(), "first_deck")
    save(draft(), "draft")
    save(calibration(), "calibration", 128)
    save(silhouette(), "silhouette", 64)
    for name in FOLDERS:
        save(folder_picture(name), name)
    for name, parts in EXAMPLES.items():
        with TemporaryDirectory() as folder:
            key = example(name, Path(folder))
            picture = side_by_side(*(page(key, *part[:2], crop=part[2]) for part in parts), height=330)
            save(picture, name, 56 if name == "tokens" else 128)  # many edges make a large file
    for key, pages in GAMES.items():
        extra = [board(key)] if "board" in load(key).components else []
        shown = (page(key, component, number) for component, number in pages)
        row = side_by_side(*extra, *shown, height=460 if key != "from_the_ground_up" else 440)
        gallery.save(row, HERE / f"{key}.png")
    fronts, backs = (
        side_by_side(*(card(*example_card, back=back) for example_card in CARD_FACES), height=330)
        for back in (False, True)
    )
    both = Image.new("RGB", (fronts.width, fronts.height + backs.height), GROUND)
    both.paste(fronts, (0, 0))
    both.paste(backs, (0, fronts.height - 9))
    save(both, "card_faces", 256)
    save(card_looks(), "card_looks", 256)
    save(side_by_side(page("from_the_ground_up", "rules", 2), height=420), "from_the_ground_up-rules")
    save(laid_out(), "laid_out", 256)
    save(page("docs/cheat_sheet", "sheet", 0), "cheat_sheet", 64)
    save(side_by_side(scored("docs/examples/upwards_ringed.yaml"), height=520), "scored", 256)
