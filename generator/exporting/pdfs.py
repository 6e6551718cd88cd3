"""A PDF for each component or size, with one side on each page, as large as its bleed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path as FilePath
from tempfile import TemporaryDirectory
from typing import cast

from .. import pdf
from ..errors import InputError, fault, note
from ..fast_dataclasses import dataclass
from ..geometry.cuts import Cut
from ..geometry.frame import Frame, Page
from ..geometry.outlines import rect
from ..model.game import Component
from ..pdf.canvas import Info
from ..printing.game_faces import cut_of
from . import flat_nets
from .colour import Inks
from .flatten import DPI, Flattener
from .folder import NewFolder
from .images import MANIFEST, Row, file_name, manifest
from .pdfx import CUT, Dies, Intent, convert
from .sides import Order, Piece, pieces

_SAME = 0.1
"""By how many mm the cards in one file may differ: file names round sizes."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A component whose first piece is drawn: the others follow as they are written."""

    first: Piece
    rest: Iterator[Piece]

    def pieces(self) -> Iterator[Piece]:
        yield self.first
        yield from self.rest

    def joins(self, other: _Part) -> bool:
        """Whether the cards of both can be in one file: they are of one kind and size."""
        one, two = self.first, other.first
        near = all(abs(a - b) < _SAME for a, b in zip(one.canvas.trim, two.canvas.trim, strict=True))
        return near and one.component.kind == two.component.kind


def write(order: Order, names: list[str], folder: NewFolder, icc: FilePath | None = None) -> list[Row]:
    """Writes the PDFs of these components, and a list of all cards; `icc` is a profile for CMYK. Raises InputError with
    all problems."""
    rows: list[Row] = []
    for file, document in documents(order, names, rows, icc):
        path = folder.path / file
        if path.exists():
            raise _twice(order, file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(document)
    (folder.path / MANIFEST).write_text(manifest(rows), encoding="utf-8", newline="")
    _note_surname(order)
    return rows


def _twice(order: Order, file: str) -> InputError:
    return fault(
        f"{file} would be written twice", hint=f"add {{component}} to “naming” of the target “{order.target.name}”"
    )


def _note_surname(order: Order) -> None:
    if "{surname}" in order.target.definition.naming and not order.surname:
        service = order.target.definition.service
        note(f"{service} wants your surname in the name of each file", hint="add --surname NAME, or rename the files")


def documents(
    order: Order, names: list[str], rows: list[Row], icc: FilePath | None = None
) -> Iterator[tuple[str, bytes]]:
    """The PDFs of components with their names; adds a row for each card. Components of one kind and size whose files
    have the same name share one."""
    together: dict[str, list[_Part]] = {}
    for name in names:
        part = order.dressed.components[name]
        if flat_nets.is_net(order, part):
            nets = flat_nets.flat_nets(order, part)
            file = _file(order, nets.pieces[0])
            rows += [Row(piece, file, "") for piece in nets.pieces]
            yield file, _nets(order, nets, icc)
            continue
        whole = pieces(order, name)
        drawn = _Part(next(whole), whole)
        file = _file(order, drawn.first)
        if not isinstance(drawn.first.front, Frame):  # a booklet is a PDF already
            rows += [Row(piece, file, "") for piece in drawn.pieces()]
            yield file, drawn.first.front.document
            continue
        if file in together and not drawn.joins(together[file][0]):
            raise _twice(order, file)
        together.setdefault(file, []).append(drawn)
    for file, parts in together.items():
        listed = [_Part(each.first, _listed(each.pieces(), rows, file)) for each in parts]
        yield file, _document(order, listed, icc)


def _file(order: Order, piece: Piece) -> str:
    return file_name(order, piece, "front").rpartition(".")[0] + ".pdf"


def document(order: Order, whole: Sequence[Piece], icc: FilePath | None = None) -> bytes:
    """These pieces of a component as a PDF for the target."""
    return _document(order, [_Part(whole[0], iter(whole))], icc)


def _document(order: Order, parts: Sequence[_Part], icc: FilePath | None) -> bytes:
    """The pieces of components of one size, one component after the other; `rest` of each part are all its pieces."""
    definition = order.target.definition
    info = _info(order, [part.first.component for part in parts])
    if definition.format != "pdf-x1a":
        pages = chain.from_iterable(sides(part.rest, definition.order) for part in parts)
        return pdf.write(pages, order.dressed.theme, info=info, max_dpi=350)
    with TemporaryDirectory() as scratch:
        flattener = Flattener(order.dressed.theme, FilePath(scratch))
        dies: list[Dies] = []
        pages = chain.from_iterable(_printed(order, part, flattener, dies) for part in parts)
        written = pdf.write(pages, order.dressed.theme, info=info, max_dpi=2 * DPI)
    return convert(written, _intent(order, icc), dies)


def _printed(order: Order, part: _Part, flattener: Flattener, dies: list[Dies]) -> Iterator[Page]:
    """The pages of a component for a print shop; adds the die line of each to the list."""
    definition, component, before = order.target.definition, part.first.component, flattener.count
    flat = _flat(part.rest, flattener, blank_backs=component.kind == "deck")
    yield from _with_dies(sides(flat, definition.order), part.first, dies, definition.cut_lines)
    _note_pictures(flattener.count - before, component)


def _nets(order: Order, nets: flat_nets.FlatNets, icc: FilePath | None) -> bytes:
    """The nets of a component, flat, with their die lines: what is cut, and what is creased."""
    part, dies = nets.pieces[0].component, list[Dies]()
    with TemporaryDirectory() as scratch:
        flattener = Flattener(order.dressed.theme, FilePath(scratch))
        pages = flat_nets.pages(nets, flattener, order.target.definition.bleed, dies)
        written = pdf.write(pages, order.dressed.theme, info=_info(order, [part]), max_dpi=2 * DPI)
    _note_pictures(flattener.count, part)
    return convert(written, _intent(order, icc), dies)


def _note_pictures(count: int, part: Component) -> None:
    if count:
        many = f"{count} side{'s' * (count != 1)}"
        note(f"“{part.name}” has {many} with transparency: what is under it is printed as a picture")


def _info(order: Order, parts: Sequence[Component]) -> Info:
    titles = ", ".join(part.definition.title for part in parts)
    return Info(
        title=f"{order.dressed.title} - {titles}",
        author="; ".join(order.dressed.definition.credits),
        subject=parts[0].definition.about if len(parts) == 1 else "",
        keywords=(order.dressed.key, *(part.name for part in parts)),
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
