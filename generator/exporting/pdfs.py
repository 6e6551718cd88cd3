"""A PDF for each component, with one side on each page, as large as its bleed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path as FilePath
from tempfile import TemporaryDirectory
from typing import cast

from .. import pdf
from ..definitions.models import Component
from ..errors import fault, note
from ..geometry.cuts import Cut
from ..geometry.frame import Frame, Page
from ..geometry.outlines import rect
from ..pdf.canvas import Info
from ..printing.game_faces import cut_of
from . import flat_nets
from .colour import Inks
from .flatten import DPI, Flattener
from .folder import NewFolder
from .images import MANIFEST, Row, file_name, manifest
from .pdfx import CUT, Dies, Intent, convert
from .sides import Order, Piece, pieces


def write(order: Order, names: list[str], folder: NewFolder, icc: FilePath | None = None) -> list[Row]:
    """Writes the PDF of each component, and a list of all cards; `icc` is a profile for CMYK. Raises InputError with
    all problems."""
    rows: list[Row] = []
    for name in names:
        for file, document in documents(order, name, rows, icc):
            path = folder.path / file
            if path.exists():
                raise fault(
                    f"{file} would be written twice",
                    hint=f"add {{component}} to “naming” of the target “{order.target.name}”",
                )
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(document)
    (folder.path / MANIFEST).write_text(manifest(rows), encoding="utf-8", newline="")
    return rows


def documents(order: Order, name: str, rows: list[Row], icc: FilePath | None = None) -> Iterator[tuple[str, bytes]]:
    """The PDF of a component with its name; adds a row for each card."""
    part = order.dressed.components[name]
    if flat_nets.is_net(order, part):
        nets = flat_nets.flat_nets(order, part)
        file = _file(order, nets.pieces[0])
        rows += [Row(piece, file, "") for piece in nets.pieces]
        yield file, _nets(order, nets, icc)
        return
    whole = pieces(order, name)
    first = next(whole)
    file = _file(order, first)
    if not isinstance(first.front, Frame):  # a booklet is a PDF already
        yield file, first.front.document
        rows += [Row(piece, file, "") for piece in (first, *whole)]
        return
    yield file, document(order, _listed(_and_rest(first, whole), rows, file), first, icc)


def _file(order: Order, piece: Piece) -> str:
    return file_name(order, piece, "front").rpartition(".")[0] + ".pdf"


def document(order: Order, whole: Iterator[Piece], first: Piece, icc: FilePath | None = None) -> bytes:
    """These pieces of a component, of which `first` is one, as a PDF for the target."""
    definition, part = order.target.definition, first.component
    info = _info(order, part)
    if definition.format != "pdf-x1a":
        return pdf.write(sides(whole, definition.order), order.dressed.theme, info=info, max_dpi=350)
    with TemporaryDirectory() as scratch:
        flattener = Flattener(order.dressed.theme, FilePath(scratch))
        dies: list[Dies] = []
        flat = _flat(whole, flattener, blank_backs=part.kind == "deck")
        pages = _with_dies(sides(flat, definition.order), first, dies, definition.cut_lines)
        written = pdf.write(pages, order.dressed.theme, info=info, max_dpi=2 * DPI)
    _note_pictures(flattener, part)
    return convert(written, _intent(order, icc), dies)


def _nets(order: Order, nets: flat_nets.FlatNets, icc: FilePath | None) -> bytes:
    """The nets of a component, flat, with their die lines: what is cut, and what is creased."""
    part, dies = nets.pieces[0].component, list[Dies]()
    with TemporaryDirectory() as scratch:
        flattener = Flattener(order.dressed.theme, FilePath(scratch))
        pages = flat_nets.pages(nets, flattener, order.target.definition.bleed, dies)
        written = pdf.write(pages, order.dressed.theme, info=_info(order, part), max_dpi=2 * DPI)
    _note_pictures(flattener, part)
    return convert(written, _intent(order, icc), dies)


def _note_pictures(flattener: Flattener, part: Component) -> None:
    if flattener.count:
        many = f"{flattener.count} side{'s' * (flattener.count != 1)}"
        note(f"“{part.name}” has {many} with transparency: what is under it is printed as a picture")


def _info(order: Order, part: Component) -> Info:
    return Info(
        title=f"{order.dressed.title} - {part.definition.title}",
        author="; ".join(order.dressed.definition.credits),
        subject=part.definition.about,
        keywords=(order.dressed.key, part.name),
        set_code=order.deck.code,
    )


def _intent(order: Order, icc: FilePath | None) -> Intent:
    definition = order.target.definition
    return Intent(definition.condition, Inks((definition.ink or 400.0) / 100, icc))


def _back_label(piece: Piece) -> str:
    """The name of the page of a back, which other cards may share."""
    return piece.back_name.replace("-", " ")


def _flat(whole: Iterator[Piece], flattener: Flattener, *, blank_backs: bool) -> Iterator[Piece]:
    """The pieces without transparency; those that have no back get a white one if they are printed on both sides."""
    backs: dict[str, Frame] = {}
    for piece in whole:
        front = flattener.flat(cast(Frame, piece.front))
        back = piece.back
        if back and piece.back_name not in backs:
            backs[piece.back_name] = flattener.flat(back)
        if back is None and blank_backs:
            note(f"“{piece.component.name}” has cards without backs: they are printed white")
            backs.setdefault("", replace(front, items=()))
        yield replace(piece, front=front, back=backs.get(piece.back_name), back_name=piece.back_name or "white")


def _with_dies(pages: Iterator[Page], piece: Piece, dies: list[Dies], wanted: bool) -> Iterator[Page]:
    """The pages as they are; adds the die line of each to the list."""
    cut = cut_of(piece.component) or Cut("rectangle")
    x, y, width, height = piece.canvas.trim
    outline = (
        cut.turned(piece.canvas.turn).path(x, y, width, height)
        if cut.shape != "rectangle"
        else rect(x, y, width, height)
    )
    for page in pages:
        if wanted:
            dies.append(Dies({CUT: outline}))
        yield page


def _and_rest(first: Piece, rest: Iterator[Piece]) -> Iterator[Piece]:
    yield first
    yield from rest


def _listed(whole: Iterator[Piece], rows: list[Row], file: str) -> Iterator[Piece]:
    for piece in whole:
        rows.append(Row(piece, file, file if piece.back else ""))
        yield piece


def sides(whole: Iterator[Piece], sequence: str) -> Iterator[Page]:
    """The pages of all copies of the pieces. `sequence` is that of a target: `front-back`, `back-front` or
    `fronts-backs`."""
    backs: list[Page] = []
    shared: dict[str, Page] = {}
    for piece in whole:
        front, back = piece.canvas.page(cast(Frame, piece.front), label=piece.name or piece.component.name), None
        if piece.back:
            if piece.back_name not in shared:
                shared[piece.back_name] = piece.canvas.page(piece.back, back=True, label=_back_label(piece))
            back = shared[piece.back_name]
        for _ in range(piece.copies):
            if sequence == "back-front" and back:
                yield back
            yield front
            if back and sequence == "front-back":
                yield back
            if back and sequence == "fronts-backs":
                backs.append(back)
    yield from backs
