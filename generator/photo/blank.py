"""Blank pages of score sheets as pictures: what a photo shows apart from what was written."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from threading import RLock

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from .. import games
from ..draws.deck import Deck
from ..exporting.raster import PagePicture, pictures_of
from ..geometry.frame import Frame
from ..model.game import Game
from ..model.print_settings import PrintSettings
from ..pages.field_map import FieldMap
from ..printing.jobs import PrintedLayout, blank_pages, layout_of
from ..printing.press import Press
from ..reading.sizes import Paper

PX = 8
"""Pixels per mm of straightened pages."""
_MAX_SHEETS = 12
"""The number of sheets that are remembered: a page takes 4 MB."""


class BlankPage(Struct, frozen=True):
    """A page without marks and corner codes: 0 is black, 255 white. `printed` draws it with options, as `low_ink`."""

    map: FieldMap
    page: int
    gray: NDArray[np.uint8]
    printed: Callable[..., BlankPage] | None = None


class _PrintedSheet(Struct):
    """A sheet without corner codes, whose pages are drawn when they are needed. `game` is the one it was made for."""

    game: Game
    map: FieldMap
    press: Press
    frames: list[Frame]
    paper: Paper
    pages: dict[int, BlankPage]


_sheets: dict[Hashable, _PrintedSheet] = {}
_lock = RLock()  # pdfium may run in only one thread


def blank_page(
    game: Game,
    sheet: str,
    paper: Paper,
    page: int,
    *,
    large: bool = False,
    low_ink: bool = False,
    high_contrast: bool = False,
    deck: Deck | None = None,
) -> BlankPage:
    """A page of a sheet on a whole paper. Sheets that show the set in play are drawn with `deck`. Pages are kept."""
    settings = PrintSettings(low_ink=low_ink, high_contrast=high_contrast, large_print=large)
    with _lock:
        blank = _printed_sheet(game, sheet, paper, settings, deck)
        if page not in blank.pages:
            printed = partial(blank_page, game, sheet, paper, page, large=large, deck=deck)
            pages = blank_pages(blank.press, blank.frames[page - 1 : page], blank.paper)
            blank.pages[page] = BlankPage(blank.map, page, _drawn(pages, 1, blank.map), printed)
        return blank.pages[page]


def map_of(game: Game, sheet: str, paper: Paper, large: bool = False) -> FieldMap:
    """The field map of a sheet on a paper. Raises InputError if it does not fit."""
    with _lock:
        return _printed_sheet(game, sheet, paper, PrintSettings(large_print=large), None).map


def _printed_sheet(game: Game, sheet: str, paper: Paper, settings: PrintSettings, deck: Deck | None) -> _PrintedSheet:
    key = (game.folder, sheet, paper, settings, str(deck.code) if deck else "")
    blank = _sheets.pop(key, None)
    if blank is None or blank.game is not game:
        press = Press(game, deck or games.deal(game), settings)
        field_map, own, frames = layout_of(press, press.part(sheet), paper, large=settings.large_print)
        blank = _PrintedSheet(game, field_map, press, frames, own, {})
    _sheets[key] = blank
    if len(_sheets) > _MAX_SHEETS:
        del _sheets[next(iter(_sheets))]
    return blank


def kept_page(layout: PrintedLayout, page: int, *, deck: Deck | None = None) -> BlankPage:
    """A page of a sheet that was printed before its game changed, with the deck that it was printed with."""
    with _lock:
        return BlankPage(layout.map, page, _drawn(layout.pages, page, layout.map))


def _drawn(pages: bytes, page: int, field_map: FieldMap) -> NDArray[np.uint8]:
    size = round(field_map.width * PX), round(field_map.height * PX)
    return np.array(next(iter(pictures_of(pages, [PagePicture("", page - 1, size)]))).convert("L"))
