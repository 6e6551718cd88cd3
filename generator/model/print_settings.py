"""How a game is printed: every option of `make` that decides what a PDF looks like, as one record.

The record is passed whole from the command to the stages, so that a new option is added in three places: the command,
this record, and the stage that uses it.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class PrintSettings(Struct, frozen=True):
    """How a game is printed. The defaults are those of the Python interface; the command has its own."""

    duplex: str | None = None
    """How backs are printed: long, short, gutterfold or none; None for the mode of each component's definition."""
    printer: Any = None
    """The calibrated printer that backs are corrected for, a `printing.printers.Printer`."""
    margin: float | None = None
    """The edge that the printer leaves white, in mm, if it is not the game's or the paper's."""
    copies: int | None = None
    """Score sheets become pads of that many sheets, which are numbered in their corner codes."""
    fillable: bool = False
    """Whether score sheets are printed as forms, too."""
    folded: bool = True
    """Whether booklets are folded; otherwise they are printed page by page."""
    low_ink: bool = False
    high_contrast: bool = False
    large_print: bool = False
    max_dpi: float | None = None
    """Pictures with more dots per inch are scaled down."""
    draft: bool = False
    """Whether faces are drawn in spite of their flaws, which are marked."""
    strict: bool = False
    """Whether notes are treated as problems."""
    cards: str | None = None
    """The cards to print, as typed (`printing.selection`); None for all."""


DEFAULT = PrintSettings()
