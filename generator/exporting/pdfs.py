"""A PDF for each component, with one side on each page, as large as its bleed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from .. import pdf
from ..errors import fault
from ..geometry.frame import Frame, Page
from ..pdf.canvas import Info
from .folder import NewFolder
from .images import MANIFEST, Row, file_name, manifest
from .sides import Order, Piece, pieces


def write(order: Order, names: list[str], folder: NewFolder) -> list[Row]:
    """Writes the PDF of each component, and a list of all cards. Raises InputError with all problems."""
    rows: list[Row] = []
    for name in names:
        for file, document in documents(order, name, rows):
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


def documents(order: Order, name: str, rows: list[Row]) -> Iterator[tuple[str, bytes]]:
    """The PDF of a component with its name; adds a row for each card."""
    part = order.dressed.components[name]
    whole = pieces(order, name)
    first = next(whole)
    file = file_name(order, first, "front").rpartition(".")[0] + ".pdf"
    if not isinstance(first.front, Frame):  # a booklet is a PDF already
        yield file, first.front.document
        rows += [Row(piece, file, "") for piece in (first, *whole)]
        return
    info = Info(
        title=f"{order.dressed.title} - {part.definition.title}",
        author="; ".join(order.dressed.definition.credits),
        subject=part.definition.about,
        keywords=(order.dressed.key, part.name),
        set_code=order.deck.code,
    )
    pages = sides(_listed(_and_rest(first, whole), rows, file), order.target.definition.order)
    yield file, pdf.write(pages, order.dressed.theme, info=info, max_dpi=350)


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
        front, back = piece.canvas.page(cast(Frame, piece.front)), None
        if piece.back:
            if piece.back_name not in shared:
                shared[piece.back_name] = piece.canvas.page(piece.back, back=True)
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
