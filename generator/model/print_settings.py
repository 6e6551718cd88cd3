"""How a game is printed: every option of `make` that decides what a PDF looks like, as one record.

The record is passed whole from the command to the stages, so that a new option is added in three places: the command,
this record, and the stage that uses it.
"""

from __future__ import annotations

from typing import Any

from ..fast_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PrintSettings:
    """Without `duplex`, each component has the mode of its definition. `printer` is the calibrated printer that backs
    are corrected for (`calibration.correction.Printer`), and `margin` the edge that it leaves white (mm) if that is not
    the game's or the paper's. `copies` makes score sheets pads of that many; `fillable` adds forms. Booklets are
    `folded`, or printed page by page. Pictures with more than `max_dpi` are scaled down. Flaws of a `draft` are marked;
    `strict` treats notes as problems. `cards` are the cards to print, as typed; without them, all are."""

    duplex: str | None = None
    printer: Any = None
    margin: float | None = None
    copies: int | None = None
    fillable: bool = False
    folded: bool = True
    low_ink: bool = False
    high_contrast: bool = False
    large_print: bool = False
    max_dpi: float | None = None
    draft: bool = False
    strict: bool = False
    cards: tuple[str, ...] = ()


DEFAULT = PrintSettings()
