"""How the sheets of this game are asked for."""

from __future__ import annotations

from ...sheets.shapes import Asking

ASKING = Asking(
    places={"turns": ("player", "roll", "to"), "hands": ("cc_up", "number_up")},
    examples={"turns": "Ann 5 em-2, or Ann draw deck +3 roll 2 to em-4"})
