"""A PDF for each component or size, with one side on each page, as large as its bleed. Print shops get dice, pawns and
boxes of any form as flat nets, each on a page of its own, with the die lines of their cuts and folds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path as FilePath
from tempfile import TemporaryDirectory
from typing import TypeAlias, TypeVar, cast

from msgspec.structs import replace

from .. import pdf
from ..errors import InputError, fault, note
from ..geometry.frame import Frame, Page, Placed
from ..geometry.outlines import Cut, Matrix, Path, Segment, line, rect, transformed
from ..model.game import Component
from ..model.values import Size
from ..pages.cut_paths import CUT as THROUGH
from ..pages.cut_paths import lines
from ..pages.nets import SPREAD, Net
from ..pdf import Info
from ..printing.game_faces import cut_of
from ..printing.pieces import nets
from . import pdfx
from .images import ManifestRow, file_name
from .output_folder import NewFolder
from .pdfx import CREASE, CUT, Dies, Flattener, Inks
from .sides import ExportOrder, ExportPiece, canvas, pieces, press_for

KINDS = ("box", "dice", "pawns")
"""Kinds of components that are cut out, folded and glued."""
_SAME = 0.1
"""By how many mm the cards in one file may differ: file names round sizes."""
_BESIDE = 5.0
"""The paper beside the bleed of a net, in mm."""
Pieces: TypeAlias = tuple[ExportPiece, Iterator[ExportPiece]]
"""The first piece of a component, and all of them: the others are drawn as they are written."""
T = TypeVar("T")


def write(order: ExportOrder, names: list[str], folder: NewFolder) -> list[ManifestRow]:
    """Writes the PDFs of these components; returns all their cards. Components of one kind and size whose files have
    the same name share one. Raises InputError with all problems."""
    rows: list[ManifestRow] = []
    together: dict[str, list[Pieces]] = {}
    for name in names:
        part = order.dressed.components[name]
        if is_net(order, part):
            flat, listed = flat_nets(order, part)
            file = _file(order, listed[0])
            rows += [ManifestRow(piece, file) for piece in listed]
            _save(order, folder, file, _nets_document(order, listed[0].component, flat))
            continue
        rest = pieces(order, name)
        first = next(rest)
        file, whole = _file(order, first), chain([first], rest)
        if not isinstance(first.front, Frame):  # a booklet is a PDF already
            rows += [ManifestRow(piece, file) for piece in whole]
            _save(order, folder, file, first.front.document)
            continue
        if file in together and not _alike(first, together[file][0][0]):
            raise _twice(order, file)
        together.setdefault(file, []).append((first, whole))
    for file, parts in together.items():
        _save(order, folder, file, document(order, [(first, _listed(whole, rows, file)) for first, whole in parts]))
    if "{surname}" in order.target.definition.naming and not order.surname:
        service = order.target.definition.service
        note(f"{service} wants your surname in the name of each file", hint="add --surname NAME, or rename the files")
    return rows


def _file(order: ExportOrder, piece: ExportPiece) -> str:
    return file_name(order, piece, "front").rpartition(".")[0] + ".pdf"


def _alike(one: ExportPiece, two: ExportPiece) -> bool:
    """Whether the cards of two components can be in one file: they are of one kind and size."""
    near = all(abs(a - b) < _SAME for a, b in zip(one.canvas.trim, two.canvas.trim, strict=True))
    return near and one.component.kind == two.component.kind


def _save(order: ExportOrder, folder: NewFolder, file: str, content: bytes) -> None:
    path = folder.path / file
    if path.exists():
        raise _twice(order, file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _twice(order: ExportOrder, file: str) -> InputError:
    hint = f"add {{component}} to “naming” of the target “{order.target.name}”"
    return fault(f"{file} would be written twice", hint=hint)


def _listed(whole: Iterator[ExportPiece], rows: list[ManifestRow], file: str) -> Iterator[ExportPiece]:
    for piece in whole:
        rows.append(ManifestRow(piece, file, file if piece.back else ""))
        yield piece


def document(order: ExportOrder, parts: Sequence[Pieces]) -> bytes:
    """The pieces of components of one size as a PDF for the target, one component after the other."""
    components = [first.component for first, _ in parts]
    if order.target.definition.format == "pdf-x1a":
        return _converted(
            order,
            components,
            lambda flattener: chain.from_iterable(_printed(order, part, flattener) for part in parts),
        )
    pages = chain.from_iterable(sides(whole, order.target.definition.order) for _, whole in parts)
    return pdf.write(pages, order.dressed.theme, info=order_info(order, components), max_dpi=350)


def order_info(order: ExportOrder, parts: Sequence[Component]) -> Info:
    """The document information of a PDF of these components."""
    titles = ", ".join(part.definition.title for part in parts)
    return Info(
        title=f"{order.dressed.title} - {titles}",
        author="; ".join(order.dressed.definition.credits),
        subject=parts[0].definition.about if len(parts) == 1 else "",
        keywords=(order.dressed.key, *(part.name for part in parts)),
        set_code=order.deck.code,
    )


def in_order(pairs: Iterable[tuple[T, T | None]], sequence: str) -> Iterator[T]:
    """Fronts and their backs, if they have any, in the sequence of a target: `front-back`, `back-front` or
    `fronts-backs`."""
    backs: list[T] = []
    for front, back in pairs:
        if back and sequence == "back-front":
            yield back
        yield front
        if back and sequence == "front-back":
            yield back
        if back and sequence == "fronts-backs":
            backs.append(back)
    yield from backs


def sides(whole: Iterable[ExportPiece], sequence: str) -> Iterator[Page]:
    """The pages of all copies of the pieces, in the sequence of a target."""
    return in_order(_sides(whole), sequence)


def _sides(whole: Iterable[ExportPiece]) -> Iterator[tuple[Page, Page | None]]:
    """The pages of the front and back of each copy; that of a back, which other cards may share, has its name."""
    shared: dict[str, Page] = {}
    for piece in whole:
        front, back = piece.canvas.page(cast(Frame, piece.front), label=piece.name or piece.component.name), None
        if piece.back:
            if piece.back_name not in shared:
                label = piece.back_name.replace("-", " ")
                shared[piece.back_name] = piece.canvas.page(piece.back, back=True, label=label)
            back = shared[piece.back_name]
        for _ in range(piece.copies):
            yield front, back


def _converted(
    order: ExportOrder, parts: Sequence[Component], pages: Callable[[Flattener], Iterable[tuple[Page, Dies]]]
) -> bytes:
    """Pages as PDF/X-1a. `pages` draws them without transparency, each with its die lines."""
    definition, theme = order.target.definition, order.dressed.theme
    inks = Inks((definition.ink or 400.0) / 100, order.icc)
    with TemporaryDirectory() as scratch:
        drawn = pages(Flattener(theme, FilePath(scratch)))
        return pdfx.write(drawn, theme, order_info(order, parts), condition=definition.condition, inks=inks)


def _printed(order: ExportOrder, part: Pieces, flattener: Flattener) -> Iterator[tuple[Page, Dies]]:
    """The pages of a component, each with its outline as a die line if the shop wants that."""
    definition, (first, whole), before = order.target.definition, part, flattener.count
    cut = (cut_of(first.component) or Cut("rectangle")).turned(first.canvas.turn)
    outline = rect(*first.canvas.trim) if cut.shape == "rectangle" else cut.path(*first.canvas.trim)
    for page in sides(_flat(whole, flattener, blank_backs=first.component.kind == "deck"), definition.order):
        yield page, {CUT: outline} if definition.cut_lines else {}
    _note_pictures(flattener.count - before, first.component)


def _flat(whole: Iterable[ExportPiece], flattener: Flattener, *, blank_backs: bool) -> Iterator[ExportPiece]:
    """The pieces without transparency; those that have no back get a white one if they are printed on both sides."""
    backs: dict[str, Frame] = {}
    for piece in whole:
        front = flattener.flat(cast(Frame, piece.front))
        if piece.back and piece.back_name not in backs:
            backs[piece.back_name] = flattener.flat(piece.back)
        if piece.back is None and blank_backs:
            note(f"“{piece.component.name}” has cards without backs: they are printed white")
            backs.setdefault("", replace(front, items=()))
        yield replace(piece, front=front, back=backs.get(piece.back_name), back_name=piece.back_name or "white")


def _note_pictures(count: int, part: Component) -> None:
    if count:
        many = f"{count} side{'s' * (count != 1)}"
        note(f"“{part.name}” has {many} with transparency: what is under it is printed as a picture")


def is_net(order: ExportOrder, part: Component) -> bool:
    """Whether a component goes to this target as nets. A service with dice of its own wants their sides."""
    folded = part.kind == "box" or (part.kind in KINDS and not order.target.products_for(part.kind))
    return folded and order.target.definition.cut_lines


def flat_nets(order: ExportOrder, part: Component) -> tuple[list[Net], list[ExportPiece]]:
    """The nets of all copies in a component, and a piece for each one that differs. Raises InputError with the problems
    of their faces."""
    press = press_for(order, part, order.target.definition.bleed)
    part = press.part(part.name)
    flat = nets(press, part)
    ids = [card.id for card in part.cards] or [""]
    first, listed = dict(zip(reversed(ids), reversed(flat), strict=True)), list[ExportPiece]()
    for number, (name, copies) in enumerate(Counter(ids).items(), start=1):
        net, title = first[name], name or part.definition.title
        where, frame = (
            canvas(part, Size(net.width, net.height), order.target),
            Frame(net.name, net.width, net.height, ()),
        )
        listed.append(ExportPiece(part, name, title=title, number=number, canvas=where, front=frame, copies=copies))
    return flat, listed


def _nets_document(order: ExportOrder, part: Component, flat: Sequence[Net]) -> bytes:
    bleed = order.target.definition.bleed
    aside = _BESIDE + bleed

    def pages(flattener: Flattener) -> Iterator[tuple[Page, Dies]]:
        drawn: dict[int, Page] = {}
        for net in flat:
            if id(net) not in drawn:
                drawn[id(net)] = _net_page(net, flattener, bleed, aside)
            yield drawn[id(net)], die_lines(net, aside)
        _note_pictures(flattener.count, part)

    return _converted(order, [part], pages)


def _net_page(net: Net, flattener: Flattener, bleed: float, aside: float) -> Page:
    """The faces of a net; their bleed is as wide as the shop wants it where it is as wide as nets have it. An empty
    frame has the trim and the bleed of the net."""
    placed = [Placed(Frame(net.name, net.width, net.height, ()), aside, aside, clip=(bleed,) * 4)]
    for each in net.placed:
        left, top, right, bottom = (bleed if side >= SPREAD - 0.01 else side for side in each.clip)
        frame = flattener.flat(each.frame)
        placed.append(replace(each, frame=frame, x=each.x + aside, y=each.y + aside, clip=(left, top, right, bottom)))
    return Page(net.width + 2 * aside, net.height + 2 * aside, tuple(placed), label=net.name, cut=True)


def die_lines(net: Net, aside: float) -> dict[str, Path]:
    """The cuts and the folds of a net by their spot colours, `aside` mm from the left and upper edge of the page."""
    at: Matrix = (1.0, 0.0, 0.0, 1.0, aside, aside)
    folds = tuple(segment for fold in net.folds for segment in line(*fold.start, *fold.end))
    return {CUT: tuple(_cuts(net, at)), CREASE: transformed(folds, at)}


def _cuts(net: Net, at: Matrix) -> Iterator[Segment]:
    """The outline of a net, each line once, joined wherever lines meet."""
    for cut in lines(net.cuts[-1].path, at, THROUGH):
        for number, vertex in enumerate(cut.vertices):
            yield "L" if number else "M", vertex.x, vertex.y
        if cut.closed:
            yield ("Z",)
