"""A picture for each side, a list of all cards, and the order file of the uploading tool."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from html import escape
from io import StringIO
from math import ceil
from typing import Any
from unicodedata import normalize
from xml.etree import ElementTree

from msgspec import Struct

from .. import pdf
from ..errors import fault
from ..geometry.frame import Frame
from ..pdf import Info
from .output_folder import NewFolder
from .raster import PagePicture, RasterJob, batches, pictures_of, write_all
from .sides import NO_BLEED, Canvas, ExportOrder, ExportPiece, pieces

ORDER = "order.xml"
STOCK = "(S30) Standard Smooth"
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")
_MAX_NAME = 60


class ManifestRow(Struct, frozen=True):
    """A card as the manifest lists it: the names of its pictures."""

    piece: ExportPiece
    front: str = ""
    back: str = ""


class SidePicture(Struct, frozen=True):
    """A picture of the front or back of a piece on a canvas, this large in pixels."""

    piece: ExportPiece
    back: bool
    canvas: Canvas
    pixels: tuple[int, int]
    file: str = "a picture"

    @property
    def side(self) -> Frame:
        side = self.piece.back if self.back else self.piece.front
        assert side
        return side

    def picture(self, number: int, dpi: float) -> PagePicture:
        """The picture of this side from a page of a PDF."""
        across, down = self.pixels[0] / self.canvas.width, self.pixels[1] / self.canvas.height
        return PagePicture(self.file, number, self.pixels, dpi, inside=self._inside(across, down))

    def _inside(self, across: float, down: float) -> tuple[int, int, int, int] | None:
        """What the page fills of a picture that has a bleed, if the page has none: its edges are continued."""
        where, fold = self.canvas, self.piece.fold
        if self.piece.component.kind not in NO_BLEED or max(where.x, where.y) <= 0:
            return None
        x, y = max(0, ceil(where.x * across) + 1), max(0, ceil(where.y * down) + 1)
        left, right = x, self.pixels[0] - x
        if fold:  # the other page follows there
            left, right = (0, right) if fold == "left" else (left, self.pixels[0])
        return left, y, right, self.pixels[1] - y


def write(order: ExportOrder, names: list[str], folder: NewFolder) -> list[ManifestRow]:
    """Writes the pictures of these components; returns their cards. Raises InputError with all problems."""
    rows: list[ManifestRow] = []
    count = sum(len({card.id for card in order.deck.cards.get(name, ())}) + 1 for name in names)  # about
    jobs = _jobs(order, _sides(order, names, rows), str(folder.path))
    write_all(jobs, count, order.processes, order.step)
    definition = order.target.definition
    total, most = sum(row.piece.copies for row in rows), definition.max_cards
    if most and total > most:
        raise fault(
            f"{definition.service} prints at most {most} cards in an order, but there are {total}",
            hint="export some components at a time with --component",
        )
    if definition.order_file == "makeplayingcards":
        if plain := [row for row in rows if not row.back]:
            raise fault(
                f"{definition.service} prints a back on every card, and {plain[0].piece.shown} has none",
                hint="give the component a “back” in game.yaml",
            )
        # The order as the desktop tool of MPC Autofill reads it. The back that most cards have is the common one.
        slots: dict[str, list[int]] = {}
        backs: dict[str, list[int]] = {}
        slot = 0
        for row in rows:
            numbers = range(slot, slot + row.piece.copies)
            slots.setdefault(row.front, []).extend(numbers)
            backs.setdefault(row.back, []).extend(numbers)
            slot += row.piece.copies
        common = max(backs, key=lambda name: len(backs[name]), default="")
        others = {name: used for name, used in backs.items() if name != common}
        root = ElementTree.fromstring(
            f"<order><details><quantity>{slot}</quantity><stock>{STOCK}</stock><foil>false</foil></details>"
            f"<fronts>{_cards(slots)}</fronts><backs>{_cards(others)}</backs><cardback>{escape(common)}</cardback></order>"
        )
        ElementTree.indent(root)
        text = bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))
        (folder.path / ORDER).write_bytes(text + b"\n")
    return rows


def drawn(order: ExportOrder, sides: Iterable[SidePicture]) -> Iterator[Any]:
    """The sides as Pillow images in RGB, a few at a time."""
    for job in _jobs(order, sides):
        yield from pictures_of(job.document, job.pictures)


def _jobs(order: ExportOrder, sides: Iterable[SidePicture], folder: str = "") -> Iterator[RasterJob]:
    """The pictures of sides in jobs of a few."""
    dpi = float(order.target.definition.dpi)
    for batch in batches(sides):
        pages = [each.canvas.page(each.side, back=each.back) for each in batch]
        document = pdf.write(pages, order.game.theme, info=Info(title=order.game.title), max_dpi=dpi * 1.5)
        yield RasterJob(document, tuple(each.picture(n, dpi) for n, each in enumerate(batch)), folder)


def _sides(order: ExportOrder, names: list[str], rows: list[ManifestRow]) -> Iterator[SidePicture]:
    """The pictures of components; adds a row for each card."""
    written: set[str] = set()
    for piece in (piece for name in names for piece in pieces(order, name)):
        where, front = piece.canvas, file_name(order, piece, "front")
        back = file_name(order, piece, piece.back_name) if piece.back else ""
        if front in written:
            raise fault(
                f"{front} would be written twice",
                hint=f"add {{component}} and {{number}} to “naming” of the target “{order.target.name}”",
            )
        rows.append(ManifestRow(piece, front, back))
        yield SidePicture(piece, False, where, where.pixels, file=front)
        if back and back not in written:
            yield SidePicture(piece, True, where, where.pixels, file=back)
        written |= {front, back}


def file_name(order: ExportOrder, piece: ExportPiece, side: str) -> str:
    """The name of the picture of a side, with its ending. A card whose id is only a number has its title in it."""
    definition = order.target.definition
    name = definition.naming
    if side.startswith("back"):  # one picture for all cards with this back
        name = re.sub(r"\{number\}-?|\{card\}-?", "", name)
    fields = {
        "game": plain_name(order.game.key),
        "surname": plain_name(order.surname or order.game.key),
        "component": plain_name(piece.component.name),
        "card": plain_name(piece.title.lower() if piece.name.isdecimal() else piece.name or piece.component.name),
        "number": f"{piece.number:03}",
        "side": side if piece.component.kind in ("deck", "pawns") else "",
        "width": f"{piece.canvas.trim[2]:.4g}",
        "height": f"{piece.canvas.trim[3]:.4g}",
    }
    return name.format(**fields).strip("-") + f".{definition.format}"


def plain_name(text: str) -> str:
    """A text as part of a file name on any system: without accents if letters are left then."""
    plain = normalize("NFKD", text).encode("ascii", "ignore").decode()
    return _short(plain) or _short(re.sub(r"[^\w.-]+", "-", text)) or "x"


def _short(text: str) -> str:
    return _NOT_IN_NAMES.sub("-", text).strip("-.")[:_MAX_NAME]


def manifest(rows: list[ManifestRow]) -> str:
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


def _cards(slots: dict[str, list[int]]) -> str:
    return "".join(
        f"<card><id>{escape(name)}</id><sourceType>Local File</sourceType><slots>{','.join(map(str, numbers))}</slots>"
        f"<name>{escape(name.rpartition('/')[2])}</name></card>"
        for name, numbers in slots.items()
    )
