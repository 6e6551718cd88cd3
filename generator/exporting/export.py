"""Exports components of a game to a target, and finds what a print shop would reject in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct, field
from msgspec.structs import replace

from .. import pdf
from ..errors import InputError, Problem, fault, note, noting, shortened
from ..geometry.outlines import Path as Outline
from ..geometry.outlines import Rect
from ..layout.flaws import unsafe
from ..model.game import Game
from ..pdf import Info
from ..printing.game_faces import cut_of
from ..reading import targets
from ..reading.sizes import Paper, paper
from ..reading.targets import Target
from ..reading.user_settings import settings, user_file
from . import cutters, images, pdfs, tabletop
from .images import ManifestRow
from .output_folder import NewFolder, new_folder
from .pdf_checks import POINTS, KnownPages, PreflightFinding, Rim, check, refuse_screens
from .sides import ExportOrder, ExportPiece, components_of, pieces, press_for, without_product

MANIFEST = "manifest.csv"
TOLERANCE = 0.2
"""How far something may reach out of the safe area, in mm: no cut is more exact."""
FOLDED = ("box", "dice")
"""Kinds of components whose faces end at folds, not at cuts."""
NEAR, FAR = 0.4, 0.5
"""How far inside the outline, and how far inside the edge of its bleed, art is looked for, in mm."""
STEPS = 24
"""Points along each side of an outline."""


class ExportReport(Struct):
    """What was exported: the folder and its files, the number of cards and other pieces, the components that the target
    does not take, and notes."""

    folder: Path
    files: list[str] = field(default_factory=list)
    pieces: int = 0
    left_out: list[str] = field(default_factory=list)
    notes: tuple[Problem, ...] = ()


Writer = Callable[[ExportOrder, list[str], NewFolder], list[ManifestRow]]
_WRITERS: Mapping[str, Writer] = {
    "png": images.write,
    "jpg": images.write,
    "pdf": pdfs.write,
    "pdf-x1a": pdfs.write,
    "tabletop-simulator": tabletop.write,
    "pcio": tabletop.write_room,
}


def export(order: ExportOrder, names: tuple[str, ...], folder: Path) -> ExportReport:
    """Exports components, or all that the target takes, into a folder, which then holds all files or is unchanged.
    Raises InputError with every problem."""
    chosen, left_out = components_of(order, names)
    report = ExportReport(folder, left_out=left_out)
    with noting() as notes, new_folder(folder) as new:
        if not names:
            chosen = _with_products(order, chosen)
        if order.target.definition.format in _WRITERS:
            rows = _WRITERS[order.target.definition.format](order, chosen, new)
            report.pieces, listed = sum(row.piece.copies for row in rows), images.manifest(rows)
        else:
            report.pieces, listed = cutters.write(order, chosen, new)
        (new.path / MANIFEST).write_text(listed, encoding="utf-8", newline="")
        report.files = new.files()
        new.record({"target": order.target.name, "game": order.game.key, "set": order.deck.code})
    report.notes = tuple(notes)
    return report


def _with_products(order: ExportOrder, names: list[str]) -> list[str]:
    """The components for which the service has a product; the others are noted. Raises InputError if it has none."""
    missing = {name: problems for name in names if (problems := without_product(order, name))}
    listed = [problem for problems in missing.values() for problem in problems]
    if len(missing) == len(names):
        raise InputError(listed)
    for problem in listed:
        note(f"left out: {problem.message}", problem.place, problem.hint)
    return [name for name in names if name not in missing]


def folder_of(game: Game, target: Target, code: str | None, names: tuple[str, ...]) -> str:
    """The name of the folder for an export, in the output folder. Each choice of components has its own, so that no
    export removes the files of another."""
    return f"{game.key}/{'-'.join([target.name, *names, *([code] if code else [])])}"


# ---- what can be chosen


def known_targets(folder: Path | None) -> dict[str, Target]:
    """The targets that come with Pencilbox, yours, and those of a game's folder."""
    return targets.targets(user_file().parent, *([folder] if folder else []))


def paper_of(target: Target, typed: Paper | None) -> Paper:
    """The paper for sheets and rules: American services print on American papers."""
    return typed or paper("letter" if target.products else settings()["paper"].value[0])


def slot_numbers(text: str | None) -> tuple[int, ...]:
    """The numbers of slots in a list such as `3,7`. Raises InputError."""
    parts = [part.strip() for part in (text or "").split(",") if part.strip()]
    wrong = [part for part in parts if not (part.isascii() and part.isdecimal()) or len(part) > 4]
    if wrong:
        raise fault(f"--skip: “{shortened(wrong[0])}” is not a slot", hint="type the numbers of slots, such as 3,7")
    return tuple(map(int, parts))


def preflight(order: ExportOrder, names: Sequence[str]) -> list[PreflightFinding]:
    """What the target rejects in these components. Raises InputError with the problems of faces."""
    refuse_screens(order.target)
    return [finding for name in names for finding in _component(order, name)]


def _component(order: ExportOrder, name: str) -> Iterator[PreflightFinding]:
    part, definition = order.dressed.components[name], order.target.definition
    if missing := without_product(order, name):
        yield from (PreflightFinding("size", problem.message, name, hint=problem.hint) for problem in missing)
        return
    whole = [replace(piece, copies=1) for piece in pieces(order, name)]
    if (
        part.kind == "booklet" and definition.format != "pdf-x1a"
    ):  # it has no bleed, and its texts are far from the edges
        names = dict.fromkeys(range(1, len(whole) + 1), (name, ""))
        document = press_for(order, part).component(name, order.paper).pdf
        yield from _of_rules(check(document, order.target, KnownPages(names, None, 0.0)))
        return
    product = whole[0].canvas.product
    safe = product.safe if product else 0.0 if part.kind in FOLDED else definition.safe
    for piece in whole:
        if part.kind != "booklet" or piece.front.name.startswith("page "):  # not on pictures that fill a page
            yield from _unsafe(piece, safe)
    if definition.format in ("pdf", "pdf-x1a"):
        data = pdfs.document(order, [(whole[0], iter(whole))])
    else:  # the pages that the pictures show
        pages = pdfs.sides(whole, definition.order)
        data = pdf.write(pages, order.dressed.theme, info=Info(title=order.dressed.title), max_dpi=600)
    white = definition.format == "pdf-x1a" and part.kind == "deck"
    sides = ((each.name or name, f"back of {each.name}" if each.back or white else None) for each in whole)
    cards = {number: (name, card) for number, card in enumerate(pdfs.in_order(sides, definition.order), start=1)}
    bleed = min(product.bleed) if product else definition.bleed
    found = check(data, order.target, KnownPages(cards, _rim(whole[0]), bleed, part.kind != "booklet"))
    folds = {number: f"on the {piece.fold}" for number, piece in enumerate(whole, start=1) if piece.fold}
    yield from _of_rules(found, folds) if part.kind == "booklet" else found


def _of_rules(
    findings: Iterable[PreflightFinding], folds: Mapping[int, str] = MappingProxyType({})
) -> Iterator[PreflightFinding]:
    """Those of a booklet: it shows cards smaller than they are, with texts and lines that nobody needs to make out. A
    spread is not cut at its `folds`, which have the number of a page and its side."""
    for finding in findings:
        at_fold = finding.rule == "bleed" and finding.message.endswith(folds.get(finding.page, "\0"))
        if finding.rule not in ("text", "lines") and not at_fold:
            yield finding


def _rim(piece: ExportPiece) -> Rim | None:
    """Points along the outline of a card that is not a rectangle, in points from the lower left corner of its page."""
    cut, where = cut_of(piece.component), piece.canvas
    if cut is None or cut.shape == "rounded":
        return None
    cut, bleed = cut.turned(where.turn), min(where.trim[:2])
    inner, outer = (cut.path(*where.trim, grown) for grown in (-NEAR, max(bleed - FAR, 0.0)))
    pairs = zip(_along(inner), _along(outer), strict=True)
    return [
        tuple((x * POINTS, (where.height - y) * POINTS) for x, y in pair)  # type: ignore[misc]
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
            yield from (_between([at, *ends], step / STEPS) for step in range(1, STEPS))
        at = ends[-1]


def _between(points: Sequence[tuple[float, float]], share: float) -> tuple[float, float]:
    """A point of a straight line or of a Bézier curve."""
    while len(points) > 1:
        points = [(a + (c - a) * share, b + (d - b) * share) for (a, b), (c, d) in pairwise(points)]
    return points[0]


def _unsafe(piece: ExportPiece, safe: float) -> Iterator[PreflightFinding]:
    """The texts, symbols and fields of a card that are too close to its cut, once the card has its size in print."""
    if not safe:
        return
    where = piece.canvas
    _, _, width, height = where.trim
    for side, label in ((piece.front, piece.name), (piece.back, f"back of {piece.name}")):
        if side is None or (label != piece.name and piece.number > 1 and piece.back_name == "back"):
            continue
        sideways = where.turn % 180 != 0
        trim = (height, width) if sideways else (width, height)
        # the frame as large as the trim of the product: a product may be a little smaller, and cuts that much more off
        beside = (side.width * where.scale - trim[0]) / 2, (side.height * where.scale - trim[1]) / 2
        inner = replace(side, safe=(safe + max(*beside, 0.0)) / where.scale)
        for what, box, room in unsafe(inner):
            away = room * where.scale + safe
            if safe - away > TOLERANCE:
                message = f"{what} is {away:.1f} mm from the cut" if away >= 0 else f"{what} is cut off"
                place = Rect(*(round(length * where.scale, 2) for length in box))
                hint = f"keep it {safe:.4g} mm from the cut"
                yield PreflightFinding("safe", message, piece.component.name, card=label, place=place, hint=hint)
