"""How the marks of a sheet are written with a pencil: tiles in capitals, the unlike sign as itself."""

from __future__ import annotations

from ...rules.copies import Strokes
from . import tiles
from .played import Played

_TILES = ("tiles", "letter")


def drawn(played: Played) -> Strokes:
    """The tiles that are typed with `/`, or small."""
    sheet = played.sheet
    typed = ((name, sheet.text(name)) for name in sheet.marks
             if name.rpartition(".")[2] in _TILES or ".throw." in name)
    return Strokes(marks={name: tiles.tiles(text) or text for name, text in typed})
