"""How the sheets of this game are asked for."""

from __future__ import annotations

from ...sheets import Asking

_WORD = "CO=KING cooking"

ASKING = Asking(
    order=("players", "tournament", "words_from"),
    notes={"words_from": "a file with the words that count, beside the sheet, or any; nothing for the list that came "
                         "with the game"},
    examples={"rounds.words": _WORD, "rounds.throw": "AEIO C= NSR G ≠T K", "rounds.letters": "Ann T, or Ben / as R",
              "rounds.doubt": "Ann throne",
              **{f"lines.{name}": _WORD for name in ("no-wildcards", "trio", "full-house", "poker", "double")}})
