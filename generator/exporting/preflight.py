"""Everything that a print shop would reject in a game, before it is exported, or in a PDF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from .. import pdf
from ..errors import fault
from ..geometry.frame import Frame
from ..geometry.outlines import Path as Outline
from ..layout.safety import unsafe
from ..nodes import read_bytes
from ..pdf.canvas import Info
from ..printing.game_faces import cut_of
from ..reading.targets import Target
from . import pdf_checks, pdfs
from .findings import Box, Finding
from .page_edges import Rim
from .sides import BookPage, Order, Piece, pieces, without_product

MAX_BYTES = 500_000_000
TOLERANCE = 0.2
"""How far something may reach out of the safe area, in mm: no cut is more exact."""
FOLDED = ("box", "dice")
"""Kinds of components whose faces end at folds, not at cuts."""
NEAR, FAR = 0.4, 0.5
"""How far inside the outline, and how far inside the edge of its bleed, art is looked for, in mm."""
STEPS = 24
"""Points along each side of an outline."""
SCREEN = ("tabletop-simulator", "pcio", "svg", "dxf")
"""Formats that are not printed."""


def of_pdf(path: Path, target: Target) -> list[Finding]:
    """What the target rejects in a PDF file. Raises InputError if it cannot be read."""
    _refuse_screens(target)
    return list(pdf_checks.check(read_bytes(path, str(path), MAX_BYTES), target, str(path)))


def of_game(order: Order, names: Sequence[str], icc: Path | None = None) -> list[Finding]:
    """What the target rejects in these components. Raises InputError with the problems of faces."""
    _refuse_screens(order.target)
    found: list[Finding] = []
    for name in names:
        found += _component(order, name, icc)
    return found


def _refuse_screens(target: Target) -> None:
    if target.definition.format in SCREEN:
        raise fault(f"{target.name} prints nothing", hint="preflight is for print services and print shops")


def _component(order: Order, name: str, icc: Path | None) -> Iterator[Finding]:
    part = order.dressed.components[name]
    if missing := without_product(order, name):
        yield from (Finding("size", problem.message, name, hint=problem.hint) for problem in missing)
        return
    whole = [replace(piece, copies=1) for piece in pieces(order, name)]
    framed = [piece for piece in whole if isinstance(piece.front, Frame)]
    yield from (finding for piece in framed for finding in _unsafe(piece, _safe(piece, order.target)))
    if isinstance(whole[0].front, BookPage):  # a booklet has no bleed, and its texts are far from the edges
        listed = {number: (name, "") for number in range(1, len(whole) + 1)}
        yield from pdf_checks.check(whole[0].front.document, order.target, name, pdf_checks.Ours(listed, None, 0.0))
    if not framed:
        return
    data = _document(order, framed, icc)
    sequence = order.target.definition.order
    pages = list(
        _page_names(framed, sequence, white=order.target.definition.format == "pdf-x1a" and part.kind == "deck")
    )
    listed = {number: (name, card) for number, card in enumerate(pages, start=1)}
    rim = _rim(framed[0], order.target)
    shapes = dict.fromkeys(range(len(pages)), rim) if rim else None
    ours = pdf_checks.Ours(listed, shapes, _bleed(framed[0], order.target))
    yield from pdf_checks.check(data, order.target, name, ours)


def _rim(piece: Piece, target: Target) -> Rim | None:
    """Points along the outline of a card that is no rectangle, in points from the lower left corner of its page."""
    cut, where = cut_of(piece.component), piece.canvas
    if cut is None or cut.shape == "rounded":
        return None
    cut, bleed = cut.turned(where.turn), min(where.trim[:2])
    inner, outer = (cut.path(*where.trim, grown) for grown in (-NEAR, max(bleed - FAR, 0.0)))
    pairs = zip(_along(inner), _along(outer), strict=True)
    return [
        tuple((x * pdf_checks.POINTS, (where.height - y) * pdf_checks.POINTS) for x, y in pair)  # type: ignore[misc]
        for pair in pairs
    ]


def _along(path: Outline) -> Iterator[tuple[float, float]]:
    """Points along a path: the same number for all paths of the same kind."""
    at = start = (0.0, 0.0)
    for name, *numbers in path:
        values = [float(value) for value in numbers]
        ends = list(zip(values[::2], values[1::2], strict=True)) if values else [start]
        if name == "M":
            start = ends[0]
        else:
            for step in range(1, STEPS):
                yield _between([at, *ends], step / STEPS)
        at = ends[-1]


def _between(points: Sequence[tuple[float, float]], share: float) -> tuple[float, float]:
    """A point of a straight line or of a Bézier curve."""
    while len(points) > 1:
        points = [(a + (c - a) * share, b + (d - b) * share) for (a, b), (c, d) in pairwise(points)]
    return points[0]


def _document(order: Order, whole: Sequence[Piece], icc: Path | None) -> bytes:
    """The pages as they are exported: for pictures, what these show."""
    if order.target.definition.format in ("pdf", "pdf-x1a"):
        return pdfs.document(order, whole, icc)
    pages = pdfs.sides(iter(whole), order.target.definition.order)
    return pdf.write(pages, order.dressed.theme, info=Info(title=order.dressed.title), max_dpi=600)


def _page_names(whole: Sequence[Piece], sequence: str, *, white: bool) -> Iterator[str]:
    """The card on each page, in the order of `pdfs.sides`."""
    backs: list[str] = []
    for piece in whole:
        front, back = piece.name or piece.component.name, f"back of {piece.name}"
        if not (piece.back or white):
            yield front
        elif sequence == "back-front":
            yield from (back, front)
        elif sequence == "front-back":
            yield from (front, back)
        else:
            yield front
            backs.append(back)
    yield from backs


def _safe(piece: Piece, target: Target) -> float:
    """How far things must be from the cut, in mm."""
    if piece.canvas.product:
        return piece.canvas.product.safe
    return 0.0 if piece.component.kind in FOLDED else target.definition.safe


def _bleed(piece: Piece, target: Target) -> float:
    """How wide the bleed is, in mm; 0 for products that have none."""
    product = piece.canvas.product
    return min(product.bleed) if product else target.definition.bleed


def _unsafe(piece: Piece, safe: float) -> Iterator[Finding]:
    """The texts, symbols and fields of a card that are too close to its cut, once the card has its size in print."""
    if not safe:
        return
    where = piece.canvas
    _, _, width, height = where.trim
    for side, label in ((piece.front, piece.name), (piece.back, f"back of {piece.name}")):
        if not isinstance(side, Frame) or (label != piece.name and piece.number > 1 and piece.back_name == "back"):
            continue
        sideways = where.turn % 180 != 0
        trim = (height, width) if sideways else (width, height)
        # the frame as large as the trim of the product: a product may be a little smaller, and cuts that much more off
        beside = (side.width * where.scale - trim[0]) / 2, (side.height * where.scale - trim[1]) / 2
        inner = replace(side, safe=(safe + max(*beside, 0.0)) / where.scale)
        for what, box, room in unsafe(inner):
            if -room * where.scale <= TOLERANCE:
                continue
            away = room * where.scale + safe
            message = f"{what} is {away:.1f} mm from the cut" if away >= 0 else f"{what} is cut off"
            place = Box(*(round(length * where.scale, 2) for length in box))
            hint = f"keep it {safe:.4g} mm from the cut"
            yield Finding("safe", message, piece.component.name, label, 0, place, hint)
