"""How the sheets of this game are asked for."""

from __future__ import annotations

from ...sheets.shapes import Asking

ASKING = Asking(
    order=("players", "deal", "swaps", "turns", "out"),
    places={"turns": ("player", "play"), "swaps": ("up", "hand")},
    when={"swaps": ("deal", "")},
    notes={"swaps": "the cards that went up before the first turn, and those that came back"},
    examples={"turns": "Ann 7 7, or Ann pickup, or Ann flip 8", "swaps": "up 9 L, hand 1 2"})
