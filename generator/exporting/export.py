"""Exports components of a game to a target."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct, field

from ..errors import InputError, Problem, fault, note, noting, shortened
from ..model.game import Game
from ..reading import targets
from ..reading.sizes import Paper, paper
from ..reading.targets import Target
from ..reading.user_settings import settings, user_file
from . import cutters, images, pdfs, tabletop
from .images import ManifestRow
from .output_folder import NewFolder, new_folder
from .sides import ExportOrder, components_of, without_product

MANIFEST = "manifest.csv"


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
