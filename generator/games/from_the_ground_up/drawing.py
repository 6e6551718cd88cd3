"""What is printed between the marks of a table sheet's rows, for the drawing under a finding."""

from __future__ import annotations

from ...sheets import FilledSheet
from .crates import SIGNS


def signs(sheet: FilledSheet, row: str) -> tuple[str, ...]:
    """The symbols of the card whose row of crates this is; none for any other row."""
    entry, _, field = row.rpartition(".")
    card = sheet.cards.get(sheet.text(f"{entry}.card"))
    return tuple(SIGNS[symbol] for symbol in card.symbols) if card and field == "crates" else ()
