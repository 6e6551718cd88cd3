"""How the sheets of this game are asked for."""

from __future__ import annotations

from ...sheets.shapes import Asking

ASKING = Asking(
    places={"turns": ("player", "roll", "to"), "hands": ("cc_up", "number_up")},
    when={"hands": ("cards", "not without")},
    rest=frozenset({"turns.forced"}),
    examples={"turns": "Ann draw pile +3 roll 2 to em-4 forced draw deck -7",
              "hands": '+3 -5, -7 +1, stacks "+2 -2" "-3 -4 +7" 0'})
