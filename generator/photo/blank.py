"""Blank pages of score sheets as pictures: what a photo shows apart from what was written."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from threading import RLock

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from .. import games, pdf
from ..draws.deck import Deck
from ..exporting.raster import PagePicture, pictures_of
from ..geometry.frame import Frame
from ..geometry.outlines import IDENTITY
from ..model.game import Game
from ..model.print_settings import PrintSettings
from ..pages.field_map import FieldMap, map_fields
from ..pages.nup import sheet_pages
from ..printing.large_print import whole_paper
from ..printing.press import Press
from ..reading.sizes import Paper

PX = 8
"""Pixels per mm of straightened pages."""
_MAX_SHEETS = 12
"""The number of sheets that are remembered: a page takes 4 MB."""


class BlankPage(Struct, frozen=True):
    """A page of a sheet without marks and without corner codes: 0 is black, 255 white. `printed` draws it with other
    options, such as `low_ink`: a photo does not say how it was printed."""

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
    """A page of a sheet on a paper (the whole one, if two sheets are cut from it). A `deck` decides what is printed on
    sheets that show the set in play; by default, it is the standard one. Pages are remembered."""
    settings = PrintSettings(low_ink=low_ink, high_contrast=high_contrast, large_print=large)
    with _lock:
        blank = _printed_sheet(game, sheet, paper, settings, deck)
        if page not in blank.pages:
            printed = partial(blank_page, game, sheet, paper, page, large=large, deck=deck)
            blank.pages[page] = BlankPage(blank.map, page, _drawn(blank, page), printed)
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
        part = press.part(sheet)
        own = whole_paper(part, paper) if settings.large_print else press.paper_of(part, paper)
        frames = press.blank_corners(part, own, settings.large_print)
        blank = _PrintedSheet(game, map_fields(frames, game.sheets[sheet], own, game), press, frames, own, {})
    _sheets[key] = blank
    if len(_sheets) > _MAX_SHEETS:
        del _sheets[next(iter(_sheets))]
    return blank


def _drawn(blank: _PrintedSheet, page: int) -> NDArray[np.uint8]:
    painter = pdf.Painter(blank.press.theme, None, None)
    document = pdf.PdfDocument(painter, pdf.Info(title=blank.map.sheet), None)
    pages = sheet_pages(blank.frames[page - 1 : page], blank.paper)
    document.add(pdf.painted(each, painter, IDENTITY) for each in pages)
    finished = document.finish()
    size = round(blank.map.width * PX), round(blank.map.height * PX)
    content = finished if isinstance(finished, bytes) else finished.content()
    picture = next(iter(pictures_of(content, [PagePicture("", 0, size)])))
    return np.array(picture.convert("L"))
