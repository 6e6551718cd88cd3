"""How the sheets of this game are asked for."""

from __future__ import annotations

from ...sheets import Asking

_CARD = ("card", "crates", "star")

ASKING = Asking(
    order=("set", "variant", "players", "shared", "deal", "log"),
    places={"players.cards": (*_CARD, "flipped"), "shared": (*_CARD, "ticked"), "log": ("player", "roll"),
            "log.mark": ("card", "crate")},
    when={"log": ("deal", "")},
    later=frozenset({"cards-dealt", "log-agrees", "stalled"}),
    notes={"deal": "the first cards of every player, if the turns were written down; nothing if not",
           "log": "the turns and passes from the first to the last"},
    examples={"players.cards": "4, 6 5 4 2, 4", "shared": "12, 5 2 5, 1, ticked 2", "deal": "4 7 11",
              "log": "Ann 5 mark 4 2, or Ann 3 flip 7, or Ann pass 4"})
