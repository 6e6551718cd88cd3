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
from ..geometry.outlines import Matrix, line, rect, transformed
from ..papercraft.nets import SPREAD
from ..pdf.canvas import Info
from ..printing.game_faces import cut_of
from .colour import Inks
from .flatten import DPI, Flattener
from .folder import NewFolder
from .images import MANIFEST, Row, file_name, manifest
from .pdfx import CREASE, CUT, Dies, Intent, convert
from .sides import Order, Piece, pieces, press_for

_BESIDE = 5.0
"""The paper beside the bleed of a box, in mm."""


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
    whole = pieces(order, name)
    first = next(whole)
    file = file_name(order, first, "front").rpartition(".")[0] + ".pdf"
    if not isinstance(first.front, Frame):  # a booklet is a PDF already
        yield file, first.front.document
        rows += [Row(piece, file, "") for piece in (first, *whole)]
        return
    if first.component.kind == "box" and order.target.definition.cut_lines:
        rows += [Row(piece, file, "") for piece in (first, *whole)]
        yield file, box(order, name, icc)
        return
    yield file, document(order, _listed(_and_rest(first, whole), rows, file), first, icc)


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
    if flattener.count:
        many = f"{flattener.count} side{'s' * (flattener.count != 1)}"
        note(f"“{part.name}” has {many} with transparency: what is under it is printed as a picture")
    return convert(written, _intent(order, icc), dies)


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


def box(order: Order, name: str, icc: FilePath | None = None) -> bytes:
    """The net of a tuck box, flat, with its die lines: what is cut, and what is creased."""
    from ..printing import pieces as nets  # few games have a box

    bleed = order.target.definition.bleed
    press = press_for(order, order.dressed.components[name], bleed)
    (net,) = nets.nets(press, press.part(name))
    aside = _BESIDE + bleed
    cuts = tuple(segment for shape in net.cuts for segment in shape.path)
    folds = tuple(segment for fold in net.folds for segment in line(*fold.start, *fold.end))
    moved: Matrix = (1.0, 0.0, 0.0, 1.0, aside, aside)
    paths = {CUT: transformed(cuts, moved), CREASE: transformed(folds, moved)}
    with TemporaryDirectory() as scratch:
        flattener = Flattener(order.dressed.theme, FilePath(scratch))
        placed = tuple(
            replace(
                each,
                frame=flattener.flat(each.frame),
                x=each.x + aside,
                y=each.y + aside,
                clip=_wider(each.clip, bleed),
            )
            for each in net.placed
        )
        page = Page(net.width + 2 * aside, net.height + 2 * aside, placed, label=name, cut=True)
        written = pdf.write([page], order.dressed.theme, info=_info(order, press.part(name)), max_dpi=2 * DPI)
    dies = Dies(paths, (aside, aside, net.width, net.height), bleed)
    return convert(written, _intent(order, icc), [dies])


def _back_label(piece: Piece) -> str:
    """The name of the page of a back, which other cards may share."""
    return piece.back_name.replace("-", " ")


def _wider(clip: tuple[float, float, float, float], bleed: float) -> tuple[float, float, float, float]:
    """The bleed of a face of a net: as wide as the shop wants it where it is as wide as nets have it."""
    left, top, right, bottom = (bleed if side >= SPREAD - 0.01 else side for side in clip)
    return left, top, right, bottom


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
