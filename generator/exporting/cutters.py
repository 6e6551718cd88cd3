"""Sheets for cutting machines: what is printed, and what is cut."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from io import StringIO
from itertools import count

from msgspec import Struct

from .. import pdf
from ..errors import note
from ..geometry.frame import Page
from ..geometry.outlines import IDENTITY, Matrix
from ..model.game import Component
from ..model.print_settings import PrintSettings
from ..pages import cutting_sheets
from ..pages.cutting_sheets import CutPath, Machine, cut_file
from ..printing.pieces import net_pieces
from ..printing.press import Press, correction_of_backs
from ..reading.targets import MM_PER_INCH
from . import raster
from .output_folder import NewFolder
from .pdfs import order_info
from .raster import PagePicture, RasterJob
from .sides import ExportOrder

_HEAD = "component", "piece", "sheet", "slot", "print", "cut"


class _Sheets(Struct):
    """A component on its sheets: the pages, the paths for each file, and for each piece its name, sheet and slot, and
    the file with its cuts."""

    part: Component
    pages: Sequence[Page]
    cuts: Mapping[str, Sequence[CutPath]]
    rows: list[tuple[str, int, int, str]]
    duplex: str | None = None
    backs: Matrix = IDENTITY


def write(order: ExportOrder, names: Sequence[str], folder: NewFolder) -> tuple[int, str]:
    """Writes what is printed and what is cut for each component. Returns the number of pieces and the list of them with
    their places, as CSV. Raises InputError."""
    about, kind = order.target.definition.cutter, order.target.definition.format
    assert about
    machine = Machine.of(about, order.paper)
    press = Press(order.game, order.deck, PrintSettings(max_dpi=350), step=order.step)
    text = StringIO()
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow(_HEAD)
    pieces = 0
    parts = list(map(press.part, names))
    together = {other for part in parts if part.kind != "deck" for other in part.definition.with_}
    for part in parts:
        if part.name in together:  # it is on the sheets of another one
            continue
        sheets = (_deck if part.kind == "deck" else _nets)(order, press, machine, part)
        printed = _print(order, press, machine, sheets=sheets, folder=folder)
        for file, paths in sheets.cuts.items():
            (folder.path / file).write_bytes(cut_file(kind, paths, machine.width, machine.height))
        for piece, sheet, slot, file in sheets.rows:
            table.writerow((part.name, piece, sheet, slot, printed[sheet - 1], file))
        pieces += len(sheets.rows)
    return pieces, text.getvalue()


def _deck(order: ExportOrder, press: Press, machine: Machine, part: Component) -> _Sheets:
    fronts = list(press.front_sides(part))
    slots = cutting_sheets.slots(machine, fronts[0])
    used = cutting_sheets.used_slots(slots, order.skipped)
    duplex = part.definition.duplex or "long"
    backs = list(press.back_sides(part)) if part.definition.back and duplex in ("long", "short") else []
    if backs and machine.about.art == "png":
        note(f"the backs of “{part.name}” are left out: {order.target.definition.service} prints one side only")
        backs = []
    if fronts[0].bleed < machine.bleed:
        note(f"“{part.name}” has a bleed of {fronts[0].bleed:g} mm, which shows white where a cut strays")
    file = f"{part.name}.{order.target.definition.format}"
    places = ((number // len(used) + 1, used[number % len(used)] + 1) for number in count())
    rows = [(card.id, *place, file) for card, place in zip(order.deck.cards[part.name], places, strict=False)]
    pages = cutting_sheets.card_pages(machine, slots, used, fronts=fronts, backs=backs, duplex=duplex)
    sheets = _Sheets(part, pages, {file: slots.paths(machine.about.corner)}, rows, duplex=duplex if backs else None)
    if backs:
        sheets.backs = correction_of_backs(order.printer, order.paper, duplex) or IDENTITY
    return sheets


def _nets(order: ExportOrder, press: Press, machine: Machine, part: Component) -> _Sheets:
    sheets = cutting_sheets.net_sheets(machine, net_pieces(press, part))
    files = _numbered(part.name, len(sheets), order.target.definition.format)
    rows = [
        (piece, number, slot, file)
        for number, (file, sheet) in enumerate(zip(files, sheets, strict=True), start=1)
        for slot, piece in enumerate(sheet.names, start=1)
    ]
    cuts = {file: sheet.paths for file, sheet in zip(files, sheets, strict=True)}
    return _Sheets(part, [sheet.page for sheet in sheets], cuts, rows)


def _numbered(name: str, count: int, kind: str) -> list[str]:
    """The names of files, with numbers if there are several."""
    return [f"{name}{f'-{number}' if count > 1 else ''}.{kind}" for number in range(1, count + 1)]


def _print(order: ExportOrder, press: Press, machine: Machine, sheets: _Sheets, folder: NewFolder) -> list[str]:
    """Writes the pages to print; returns the name of the file for each sheet."""
    name, info = sheets.part.name, order_info(order, [sheets.part])
    document = pdf.write(sheets.pages, press.theme, info=info, duplex=sheets.duplex, max_dpi=350, backs=sheets.backs)
    count = sum(not page.back for page in sheets.pages)
    if machine.about.art == "pdf":
        (folder.path / f"{name}.pdf").write_bytes(document)
        return [f"{name}.pdf"] * count
    files, dpi = _numbered(name, count, "png"), order.target.definition.dpi
    pixels = round(machine.width * dpi / MM_PER_INCH), round(machine.height * dpi / MM_PER_INCH)
    pictures = tuple(PagePicture(file, number, pixels, dpi) for number, file in enumerate(files))
    raster.write(RasterJob(document, pictures, str(folder.path)))
    return files
