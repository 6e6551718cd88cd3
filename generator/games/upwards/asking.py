"""How the sheets of this game are asked for."""

from __future__ import annotations

from ...sheets.shapes import Asking

ASKING = Asking(
    order=("player", "event_die", "option", "grid", "snake", "reserve", "extra_reserve", "bonus_rows", "blocks", "log",
           "claimed"),
    places={"log": ("dice", "entries", "event")},
    when={"snake": ("option", "snake"), "blocks": ("option", "blocks"), "extra_reserve": ("event_die", ""),
          "bonus_rows": ("event_die", "")},
    later=frozenset({"log-agrees"}),
    by_rows=frozenset({"grid"}),
    notes={"snake": "its boxes from one end to the other, if it was drawn; nothing if not",
           "blocks": "the blocks as they are outlined", "log": "the rounds, if they were written down"},
    examples={"snake": "a1 b2 b3", "blocks": "square a2 a3 b2 b3", "extra_reserve": ". 3 -",
              "log": "4 3 1, a=4 b=3+1, or 4 1 3, c=o d=5, meteorite", "claimed": "3 0 0 3, 10, 3, 19"})
