"""The layouts of your own score sheets as they were printed.

They are kept in the folder of the game, so that a photo of a sheet can be read although the game has changed since.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from msgspec import DecodeError, Struct, json

from .. import paths, pdf
from ..errors import InputError
from ..files import save
from ..geometry.frame import Frame
from ..geometry.outlines import IDENTITY
from ..model.game import Component, Game
from ..pages.field_map import FieldMap, layout_id, map_fields
from ..pages.nup import sheet_pages
from ..reading.sizes import Paper
from .press import Press, Printed
from .records import FOLDER
from .variants import whole_paper


class PrintedLayout(Struct, frozen=True):
    """The field map of a sheet, and a PDF of its pages without corner codes."""

    map: FieldMap
    pages: bytes


def layout_of(press: Press, part: Component, paper: Paper, *, large: bool) -> tuple[FieldMap, Paper, list[Frame]]:
    """The field map of a sheet, the part of the paper that it fills, and its pages without corner codes."""
    own = whole_paper(part, paper) if large else press.paper_of(part, paper)
    frames = press.blank_corners(part, own, large)
    return map_fields(frames, press.game.sheets[part.name], own, press.game), own, frames


def blank_pages(press: Press, frames: Sequence[Frame], paper: Paper) -> bytes:
    """Pages of a sheet as a PDF, each as large as the trimmed sheet."""
    painter = pdf.Painter(press.theme, None, None)
    document = pdf.PdfDocument(painter, pdf.Info(title=""), None)
    document.add(pdf.painted(page, painter, IDENTITY) for page in sheet_pages(frames, paper))
    return Printed(document.finish(), len(frames), None).pdf


def print_component(press: Press, name: str, paper: Paper) -> Printed:
    """A component as a PDF. If it is a sheet of your own game, its layout is kept, unless its folder is read-only."""
    printed, part = press.component(name, paper), press.part(name)
    if part.sheet and press.draft is None and press.game.folder.resolve().parent not in (paths.DATA, paths.EXAMPLES):
        large = press.settings.large_print and bool(part.definition.large)
        field_map, own, frames = layout_of(press, part, paper, large=large)
        kept = json.encode(PrintedLayout(field_map, blank_pages(press, frames, own)))
        with suppress(InputError):
            save(kept, press.game.folder / FOLDER / "layouts" / f"{layout_id(field_map)}.json")
    return printed


def kept_layout(game: Game, number: int) -> PrintedLayout | None:
    """The layout with this id, if it was kept."""
    with suppress(OSError, DecodeError):
        return json.decode((game.folder / FOLDER / "layouts" / f"{number}.json").read_bytes(), type=PrintedLayout)
    return None
