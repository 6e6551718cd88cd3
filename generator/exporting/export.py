"""Exports components of a game to a target."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError, Problem, note, noting
from ..fast_dataclasses import dataclass
from ..model.game import Game
from ..reading.targets import Target
from .folder import new_folder
from .sides import Order, components_of, without_product

if TYPE_CHECKING:
    from .images import Row


@dataclass(slots=True)
class Report:
    """What was exported: the folder and its files, the number of cards and other pieces, the components that the target
    does not take, and notes."""

    folder: Path
    files: list[str] = field(default_factory=list)
    pieces: int = 0
    left_out: list[str] = field(default_factory=list)
    notes: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Options:
    """How to export: the number of `processes`, a colour profile (`icc`) for CMYK, and the numbers of slots on the
    sheets of a cutting machine that stay empty (`skipped`)."""

    processes: int | None = None
    icc: Path | None = None
    skipped: tuple[int, ...] = ()


def export(order: Order, names: tuple[str, ...], folder: Path, options: Options) -> Report:
    """Exports components, or all that the target takes, into a folder, which then holds all files or is unchanged.
    Raises InputError with every problem."""
    chosen, left_out = components_of(order, names)
    report = Report(folder, left_out=left_out)
    state: dict[str, Any] = {}
    rows: list[Row] = []
    with noting() as notes, new_folder(folder) as new:
        if not names:
            chosen = _with_products(order, chosen)
        kind = order.target.definition.format
        if kind in ("png", "jpg"):
            from . import images

            rows = images.write(order, chosen, new, options.processes)
        elif kind in ("pdf", "pdf-x1a"):
            from . import pdfs

            rows = pdfs.write(order, chosen, new, options.icc)
        elif kind == "tabletop-simulator":
            from . import tabletop

            rows, state = tabletop.write(order, chosen, new)
        elif kind == "pcio":
            from . import room

            rows = room.write(order, chosen, new)
        else:
            from . import cutters

            report.pieces = cutters.write(order, chosen, new, options.skipped)
        report.pieces += sum(row.piece.copies for row in rows)
        report.files = new.files()
        new.record({"target": order.target.name, "game": order.game.key, "set": order.deck.code, **state})
    report.notes = tuple(notes)
    return report


def _with_products(order: Order, names: list[str]) -> list[str]:
    """The components for which the service has a product; the others are noted. Raises InputError if it has none."""
    missing = {name: problems for name in names if (problems := without_product(order, name))}
    if len(missing) == len(names):
        raise InputError(problem for problems in missing.values() for problem in problems)
    for problem in (problem for problems in missing.values() for problem in problems):
        note(f"left out: {problem.message}", problem.place, problem.hint)
    return [name for name in names if name not in missing]


def folder_of(game: Game, target: Target, code: str | None, names: tuple[str, ...]) -> str:
    """The name of the folder for an export, in the output folder. Each choice of components has its own, so that no
    export removes the files of another."""
    return f"{game.key}/{'-'.join([target.name, *names, *([code] if code else [])])}"
