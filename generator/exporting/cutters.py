"""Sheets for cutting machines: what is printed, and what is cut."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import field
from io import StringIO

from .. import pdf
from ..errors import note
from ..fast_dataclasses import dataclass
from ..geometry.frame import Page
from ..geometry.outlines import IDENTITY, Matrix
from ..model.game import Component
from ..model.print_settings import PrintSettings
from ..pages import cut_files, cutting_sheets
from ..pages.cut_paths import CutPath
from ..pages.cutting_sheets import Machine
from ..pdf.canvas import Info
from ..printing import pieces as nets
from ..printing.press import Press
from .folder import NewFolder
from .images import MANIFEST
from .raster import Picture, pictures_of, save
from .sides import Order

_HEAD = "component", "piece", "sheet", "slot", "print", "cut"


@dataclass(slots=True)
class _Job:
    """A component on its sheets: the pages, the paths for each file, and the piece in each slot."""

    part: Component
    pages: list[Page]
    cuts: dict[str, Sequence[CutPath]]
    rows: list[tuple[str, int, int, str]] = field(default_factory=list)
    duplex: str | None = None
    backs: Matrix = IDENTITY


def write(order: Order, names: Sequence[str], folder: NewFolder, skipped: Sequence[int] = ()) -> int:
    """Writes what is printed and what is cut for each component, and a list of all pieces with their places. Returns
    the number of pieces. `skipped` are the numbers of slots that stay empty. Raises InputError."""
    about = order.target.definition.cutter
    assert about
    machine = Machine.of(about, order.paper)
    press = Press(order.game, order.deck, PrintSettings(max_dpi=350), step=order.step)
    text = StringIO()
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow(_HEAD)
    write_paths = cut_files.svg if order.target.definition.format == "svg" else cut_files.dxf
    count = 0
    parts = list(map(press.part, names))
    together = {other for part in parts if part.kind != "deck" for other in part.definition.with_}
    for part in parts:
        name = part.name
        if name in together:  # it is on the sheets of another one
            continue
        job = _deck(order, press, machine, part, skipped) if part.kind == "deck" else _nets(order, press, machine, part)
        printed = _print(order, press, machine, job, folder)
        for file, paths in job.cuts.items():
            (folder.path / file).write_bytes(write_paths(paths, machine.width, machine.height))
        for piece, sheet, slot, file in job.rows:
            table.writerow((name, piece, sheet, slot, printed[sheet - 1], file))
        count += len(job.rows)
    (folder.path / MANIFEST).write_text(text.getvalue(), encoding="utf-8", newline="")
    return count


def _deck(order: Order, press: Press, machine: Machine, part: Component, skipped: Sequence[int]) -> _Job:
    fronts = list(press.front_sides(part))
    slots = cutting_sheets.slots(machine, fronts[0])
    used = cutting_sheets.used_slots(slots, skipped)
    duplex = part.definition.duplex or "long"
    backs = list(press.back_sides(part)) if part.definition.back and duplex in ("long", "short") else []
    if backs and machine.about.art == "png":
        note(f"the backs of “{part.name}” are left out: {order.target.definition.service} prints one side only")
        backs = []
    if fronts[0].bleed < machine.bleed:
        note(f"“{part.name}” has a bleed of {fronts[0].bleed:g} mm, which shows white where a cut strays")
    file = f"{part.name}.{order.target.definition.format}"
    cards = [card.id for card in order.deck.cards[part.name]]
    rows = [(card, number // len(used) + 1, used[number % len(used)] + 1, file) for number, card in enumerate(cards)]
    pages = cutting_sheets.card_pages(machine, slots, used, fronts, backs, duplex)
    job = _Job(part, pages, {file: slots.paths(machine.about.corner)}, rows, duplex if backs else None)
    if backs and order.printer:
        matrix = order.printer.backs(order.paper, duplex)
        if matrix:
            job.backs = matrix
        else:
            hint = f"“{order.printer.hint(order.paper, duplex)}” prints the sheet"
            note(f"backs are not corrected: {order.printer.lacks(order.paper, duplex)}", hint=hint)
    return job


def _nets(order: Order, press: Press, machine: Machine, part: Component) -> _Job:
    made = cutting_sheets.net_sheets(machine, nets.net_pieces(press, part))
    names = _numbered(part.name, len(made), order.target.definition.format)
    job = _Job(part, [sheet.page for sheet in made], {})
    for number, (file, sheet) in enumerate(zip(names, made, strict=True), start=1):
        job.cuts[file] = sheet.paths
        job.rows += [(piece, number, slot, file) for slot, piece in enumerate(sheet.names, start=1)]
    return job


def _numbered(name: str, count: int, kind: str) -> list[str]:
    """The names of files, with numbers if there are several."""
    return [f"{name}{f'-{number}' if count > 1 else ''}.{kind}" for number in range(1, count + 1)]


def _print(order: Order, press: Press, machine: Machine, job: _Job, folder: NewFolder) -> list[str]:
    """Writes the pages to print; returns the name of the file for each sheet."""
    info = Info(
        title=f"{order.dressed.title} - {job.part.definition.title}",
        author="; ".join(order.dressed.definition.credits),
        set_code=order.deck.code,
    )
    document = pdf.write(job.pages, press.theme, info=info, duplex=job.duplex, max_dpi=350, backs=job.backs)
    count = sum(not page.back for page in job.pages)
    if machine.about.art == "pdf":
        (folder.path / f"{job.part.name}.pdf").write_bytes(document)
        return [f"{job.part.name}.pdf"] * count
    names = _numbered(job.part.name, count, "png")
    dpi = order.target.definition.dpi
    pixels = round(machine.width * dpi / 25.4), round(machine.height * dpi / 25.4)
    pictures = [Picture(name, number, pixels, dpi) for number, name in enumerate(names)]
    for picture, image in zip(pictures, pictures_of(document, pictures), strict=True):
        save(image, folder.path / picture.file, dpi)
    return names
