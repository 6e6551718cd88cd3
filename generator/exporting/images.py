"""A picture for each side, a list of all cards, and the order file of the uploading tool."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from io import StringIO
from math import ceil
from unicodedata import normalize
from xml.etree import ElementTree

from .. import pdf
from ..errors import fault
from ..fast_dataclasses import dataclass
from ..geometry.frame import Frame, Page
from ..pdf.canvas import Info
from .canvas import NO_BLEED
from .folder import NewFolder
from .raster import Job, Picture, batches, write_all
from .sides import BookPage, Order, Piece, Side, pieces

MANIFEST = "manifest.csv"
ORDER = "order.xml"
STOCK = "(S30) Standard Smooth"
TWO_SIDED = ("deck", "pawns")
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")
_MAX_NAME = 60


@dataclass(frozen=True, slots=True)
class Row:
    """A card as the manifest lists it: the names of its pictures."""

    piece: Piece
    front: str
    back: str


def write(order: Order, names: list[str], folder: NewFolder, processes: int | None = None) -> list[Row]:
    """Writes the pictures of these components, and their manifest. Raises InputError with all problems."""
    rows: list[Row] = []
    write_all(_jobs(order, names, folder, rows), _count(order, names), processes, order.step)
    _refuse_too_many(order, rows)
    (folder.path / MANIFEST).write_text(manifest(rows), encoding="utf-8", newline="")
    if order.target.definition.order_file == "makeplayingcards":
        (folder.path / ORDER).write_bytes(order_xml(rows))
    return rows


def _count(order: Order, names: list[str]) -> int:
    """About how many pictures there are."""
    decks = order.deck.cards
    return sum(len({card.id for card in decks.get(name, ())}) + 1 for name in names)


def _jobs(order: Order, names: list[str], folder: NewFolder, rows: list[Row]) -> Iterator[Job]:
    """The pictures in jobs; adds a row for each card."""
    written: set[str] = set()
    for sides in batches(_sides(order, names, rows, written)):
        yield from _job(order, list(sides), str(folder.path))


@dataclass(frozen=True, slots=True)
class _Drawing:
    file: str
    piece: Piece
    side: Side
    back: bool


def _sides(order: Order, names: list[str], rows: list[Row], written: set[str]) -> Iterator[_Drawing]:
    for name in names:
        for piece in pieces(order, name):
            front = file_name(order, piece, "front")
            back = file_name(order, piece, piece.back_name) if piece.back else ""
            if front in written:
                raise fault(
                    f"{front} would be written twice",
                    hint=f"add {{component}} and {{number}} to “naming” of the target “{order.target.name}”",
                )
            written.add(front)
            rows.append(Row(piece, front, back))
            yield _Drawing(front, piece, piece.front, False)
            if piece.back and back not in written:
                written.add(back)
                yield _Drawing(back, piece, piece.back, True)


def _job(order: Order, drawings: list[_Drawing], folder: str) -> Iterator[Job]:
    """A job for the frames among the drawings, and one for each booklet."""
    dpi = float(order.target.definition.dpi)
    framed = [drawing for drawing in drawings if isinstance(drawing.side, Frame)]
    if framed:
        document = written_pages(order, [_page(drawing) for drawing in framed])
        pictures = [
            Picture(each.file, n, each.piece.canvas.pixels, dpi, inside=_inside(each.piece))
            for n, each in enumerate(framed)
        ]
        yield Job(document, tuple(pictures), folder)
    booked = [(drawing, drawing.side) for drawing in drawings if isinstance(drawing.side, BookPage)]
    if booked:
        pictures = [
            Picture(each.file, side.number, each.piece.canvas.pixels, dpi, _box(each.piece, side), _inside(each.piece))
            for each, side in booked
        ]
        yield Job(booked[0][1].document, tuple(pictures), folder)


def _page(drawing: _Drawing) -> Page:
    assert isinstance(drawing.side, Frame)
    return drawing.piece.canvas.page(drawing.side, back=drawing.back)


def _box(piece: Piece, side: BookPage) -> tuple[int, int, int, int]:
    where = piece.canvas
    across, down = where.pixels[0] / where.width, where.pixels[1] / where.height
    width, height = side.full * where.scale * across, side.height * where.scale * down
    left = where.x - side.left * where.scale
    return round(left * across), round(where.y * down), round(width), round(height)


def _inside(piece: Piece) -> tuple[int, int, int, int] | None:
    """What the page fills of a picture that has a bleed, if the page has none: its edges are continued."""
    where = piece.canvas
    if piece.component.kind not in NO_BLEED or max(where.x, where.y) <= 0:
        return None
    across, down = where.pixels[0] / where.width, where.pixels[1] / where.height
    x, y = max(0, ceil(where.x * across) + 1), max(0, ceil(where.y * down) + 1)
    left, right = x, where.pixels[0] - x
    if isinstance(piece.front, BookPage) and piece.front.full > piece.front.width:  # the other page follows at the fold
        left, right = (0, right) if piece.front.left else (left, where.pixels[0])
    return left, y, right, where.pixels[1] - y


def written_pages(order: Order, pages: list[Page]) -> bytes:
    """Pages as a PDF, for drawing."""
    info = Info(title=order.game.title)
    return pdf.write(pages, order.game.theme, info=info, max_dpi=order.target.definition.dpi * 1.5)


# ---- names


def file_name(order: Order, piece: Piece, side: str) -> str:
    """The name of the picture of a side, with its ending."""
    definition = order.target.definition
    shared = side.startswith("back")
    name = definition.naming
    if shared:  # one picture for all cards with this back
        name = re.sub(r"\{number\}-?|\{card\}-?", "", name)
    fields = {
        "game": plain_name(order.game.key),
        "surname": plain_name(order.surname or order.game.key),
        "component": plain_name(piece.component.name),
        "card": plain_name(_card_name(piece)),
        "number": f"{piece.number:03}",
        "side": side if piece.component.kind in TWO_SIDED else "",
        "width": f"{piece.canvas.trim[2]:.4g}",
        "height": f"{piece.canvas.trim[3]:.4g}",
    }
    return name.format(**fields).strip("-") + f".{definition.format}"


def _card_name(piece: Piece) -> str:
    """The id of a card, or its title if the id is only a number."""
    return piece.title.lower() if piece.name.isdecimal() else piece.name or piece.component.name


def plain_name(text: str) -> str:
    """A text as part of a file name on any system: without accents if letters are left then."""
    plain = normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _short(plain) or _short(re.sub(r"[^\w.-]+", "-", text)) or "x"


def _short(text: str) -> str:
    return _NOT_IN_NAMES.sub("-", text).strip("-.")[:_MAX_NAME]


# ---- lists


def manifest(rows: list[Row]) -> str:
    """The list of cards as CSV."""
    text = StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["component", "card", "title", "copies", "front", "back", "product"])
    for row in rows:
        piece = row.piece
        product = piece.canvas.product.name if piece.canvas.product else ""
        cells = (piece.component.name, piece.name, piece.title, piece.copies, row.front, row.back, product)
        table.writerow([_cell(cell) for cell in cells])
    return text.getvalue()


def _cell(value: object) -> object:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@") else value


def order_xml(rows: list[Row]) -> bytes:
    """The order as the desktop tool of MPC Autofill reads it. The back that most cards have is the common one."""
    slots: dict[str, list[int]] = {}
    backs: dict[str, list[int]] = {}
    slot = 0
    for row in rows:
        numbers = range(slot, slot + row.piece.copies)
        slots.setdefault(row.front, []).extend(numbers)
        backs.setdefault(row.back, []).extend(numbers)
        slot += row.piece.copies
    common = max(backs, key=lambda name: len(backs[name]), default="")
    root = ElementTree.Element("order")
    details = ElementTree.SubElement(root, "details")
    for key, value in (("quantity", str(slot)), ("stock", STOCK), ("foil", "false")):
        ElementTree.SubElement(details, key).text = value
    _cards(ElementTree.SubElement(root, "fronts"), slots)
    _cards(ElementTree.SubElement(root, "backs"), {name: used for name, used in backs.items() if name != common})
    ElementTree.SubElement(root, "cardback").text = common
    ElementTree.indent(root)
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _cards(parent: ElementTree.Element, slots: dict[str, list[int]]) -> None:
    for name, numbers in slots.items():
        card = ElementTree.SubElement(parent, "card")
        listed, plain = ",".join(map(str, numbers)), name.rpartition("/")[2]
        for key, value in (("id", name), ("sourceType", "Local File"), ("slots", listed), ("name", plain)):
            ElementTree.SubElement(card, key).text = value


def _refuse_too_many(order: Order, rows: list[Row]) -> None:
    definition = order.target.definition
    total, most = sum(row.piece.copies for row in rows), definition.max_cards
    if most and total > most:
        raise fault(
            f"{definition.service} prints at most {most} cards in an order, and these are {total}",
            hint="export some components at a time with --component",
        )
    if definition.order_file == "makeplayingcards":
        plain = [row for row in rows if not row.back]
        if plain:
            raise fault(
                f"{definition.service} prints a back on every card, and {plain[0].piece.shown} has none",
                hint="give the component a “back” in game.yaml",
            )
