"""Writes pages as a PDF document."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from hashlib import md5
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, Any, TypeAlias

from msgspec import Struct
from reportlab.pdfbase import pdfdoc

from ..errors import fault
from ..geometry.frame import Page, Placed
from ..geometry.outlines import IDENTITY, Matrix
from ..layout.draft import Draft
from ..model.game import Theme
from .canvas import Info, PrintCanvas, shared_name
from .operators import POINTS, matrix, to_millimetres
from .paint import Content, Painter, Shared
from .resources import reference, references

Box: TypeAlias = tuple[float, float, float, float]
_IN_MEMORY = 1 << 20
"""Compressed pages of this size, in bytes, are kept in memory; those of larger documents in a temporary file."""
_LEVEL = 3
"""The compression level. The default, 6, takes 50% longer and makes pages 8% smaller."""


def write(
    pages: Iterable[Page],
    theme: Theme,
    *,
    info: Info,
    duplex: str | None = None,
    max_dpi: float | None = None,
    draft: Draft | None = None,
    backs: Matrix = IDENTITY,
) -> bytes:
    """The pages as a PDF; the same pages give the same bytes. `pages` may be an iterator. `duplex` is the printer's
    duplex mode: `long`, `short`, `gutterfold` or `none` (single-sided), or None to leave it to the person printing.
    Pictures with more than `max_dpi` are scaled down; a `draft` shows damaged ones as crossed boxes. The matrix `backs`
    (mm, y down) moves everything on the backs to where a calibrated printer puts it behind the fronts.

    Raises InputError if an icon, a picture or a font cannot be used, or if there are no pages."""
    canvas = canvas_for(theme, info, duplex)
    return paint_pages(pages, Painter(theme, max_dpi, draft), canvas, backs).getpdfdata()


def canvas_for(theme: Theme, info: Info, duplex: str | None = None) -> PrintCanvas:
    """A canvas for a document, as `write` makes it."""
    canvas = PrintCanvas(BytesIO())
    canvas.describe(info, duplex, theme.language)
    return canvas


def paint_pages(pages: Iterable[Page], painter: Painter, canvas: PrintCanvas, backs: Matrix = IDENTITY) -> PrintCanvas:
    """Paints the pages on a canvas, as `write` does, so that a form can be added."""
    document = PageWriter(canvas, painter)
    document.add(painted(page, painter, backs) for page in pages)
    document.finish()
    return canvas


class PaintedPage(Struct, frozen=True):
    """A page: its operators, compressed if they are settled, the XObjects that they name, the entries of its dictionary
    for its boxes, and its label."""

    code: bytes | str
    xobjects: tuple[str, ...]
    boxes: str
    label: str


def painted(page: Page, painter: Painter, backs: Matrix = IDENTITY) -> PaintedPage:
    """A painted page, in any process."""
    content = Content([to_millimetres(page.height)])
    if page.back and backs != IDENTITY:
        content.code.append(matrix(*backs))
    painter.frames(page.placed, content)
    painter.marks(page.marks, content)
    painter.frames(page.notes, content)
    content.code.append("Q\n")
    code = content.text
    return PaintedPage(_compressed(code) if code.isascii() else code, tuple(content.xobjects), _boxes(page), page.label)


def _compressed(code: str) -> bytes:
    return zlib.compress(code.encode("latin-1"), _LEVEL)


def _boxes(page: Page) -> str:
    """The entries of a page's dictionary for its boxes."""
    trim, bleed = _trim_and_bleed(page)
    boxes = {"MediaBox": (0.0, 0.0, page.width * POINTS, page.height * POINTS), "TrimBox": trim, "BleedBox": bleed}
    return "".join([f"/{name}[{' '.join(map(_number, box))}]" for name, box in boxes.items()])


def _number(edge: float) -> str:
    return f"{edge:.4f}".rstrip("0").rstrip(".")


def _trim_and_bleed(page: Page) -> tuple[Box, Box]:
    """Trim box and bleed box in points (ISO 32000-1:2008, 14.11.2): those around everything that is cut out, or the
    whole page if nothing is."""
    if not page.cut or not page.placed:
        whole = in_points(page, 0.0, 0.0, page.width, bottom=page.height)
        return whole, whole
    trims, bleeds = [], []
    for placed in page.placed:
        (left, top, right, bottom), (width, height) = placed.clip, placed.box
        x, y = placed.x, placed.y
        trims.append((x, y, x + width, y + height))
        bleeds.append((x - left, y - top, x + width + right, y + height + bottom))
    if page.trim:
        x, y, width, height = page.trim
        trims = [(x, y, x + width, y + height)]
    return in_points(page, *_around(trims)), in_points(page, *_around(bleeds))


def _around(boxes: Sequence[Box]) -> Box:
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def in_points(page: Page, left: float, top: float, right: float, bottom: float) -> Box:
    """Converts a box, given by its edges on the page in mm, to points from the lower left corner, as in PDF."""
    return left * POINTS, (page.height - bottom) * POINTS, right * POINTS, (page.height - top) * POINTS


def slot_rects(pages: Sequence[Page]) -> dict[str, tuple[int, float, float, float, float]]:
    """Where each slot is on paper: id → page index, x, y, width, height in mm. If several slots have the same id
    (copies of a card), the first one counts."""
    rects: dict[str, tuple[int, float, float, float, float]] = {}
    for number, page in enumerate(pages):
        for placed in page.placed:
            for slot in placed.frame.slots():
                box = _on_page(placed, slot.x, slot.y, slot.width, height=slot.height)
                rects.setdefault(slot.id, (number, *box))
    return rects


def _on_page(placed: Placed, x: float, y: float, width: float, height: float) -> Box:
    frame = placed.frame
    right, bottom = frame.width - x - width, frame.height - y - height
    dx, dy = {0: (x, y), 90: (bottom, x), 180: (right, bottom), 270: (y, right)}[placed.turn]
    size = (width, height) if placed.turn % 180 == 0 else (height, width)
    return placed.x + dx, placed.y + dy, *size


# ---- Pages as PDF objects (ISO 32000-1:2008, 7.7.3.3) whose code is known when they are added. A large deck has
# hundreds of pages, and reportlab's own page objects take longer to write than the pages take to draw.


class _Stream(Struct, pdfdoc.PDFObject, eq=False):  # type: ignore[misc]
    """The operators of a page, compressed and stored in a file, from `start`."""

    file: IO[bytes]
    start: int
    length: int

    def format(self, document: Any) -> bytes:
        self.file.seek(self.start)
        code = self.file.read(self.length)
        return b"<</Filter/FlateDecode/Length %d>>\nstream\n%b\nendstream\n" % (self.length, code)


class PageObject(Struct, pdfdoc.PDFObject, eq=False):  # type: ignore[misc]
    """A page; `more` holds entries that are added to its dictionary later."""

    contents: str
    xobjects: tuple[str, ...]
    boxes: str
    more: str = ""

    def format(self, document: Any) -> bytes:
        is_blended = shared_name("ExtGState") in document.idToObject  # there is transparency in this document
        page = (
            f"<</Type/Page/Parent {document.Reference(document.Pages).format(document).decode()}{self.boxes}"
            f"{'/Group<</S/Transparency/CS/DeviceRGB>>' * is_blended}/Contents {self.contents}"
            f"/Resources<<{references(document, self.xobjects)}>>{self.more}>>\n"
        )
        return page.encode("latin-1")


class PageWriter:
    """Adds painted pages to a document. Pages with the same operators, such as the backs of a deck, share a stream."""

    def __init__(self, canvas: PrintCanvas, painter: Painter) -> None:
        self.canvas = canvas
        self.painter = painter
        self.labels: list[str] = []
        self._document = canvas._doc
        self._file = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - the streams read it
        self._streams: dict[bytes, str] = {}

    def add(self, pages: Iterable[PaintedPage], shared: Shared | None = None) -> None:
        """Adds the next pages; if another process has painted them, with what they share."""
        if shared:
            self.painter.update(shared)
        for page in pages:
            self._add(page)

    def _add(self, page: PaintedPage) -> None:
        data = page.code if isinstance(page.code, bytes) else _compressed(self.painter.fonts.settled(page.code))
        key = md5(data, usedforsecurity=False).digest()
        if key not in self._streams:
            self._document.updateSignature(data)
            stream = _Stream(self._file, self._file.tell(), self._file.write(data))
            self._streams[key] = reference(self._document, self._document.Reference(stream).name)
        self._document.addPage(PageObject(self._streams[key], page.xobjects, page.boxes))
        self.labels.append(page.label)

    def finish(self) -> None:
        """Adds what the pages share. Raises InputError if there are no pages, or for pictures that cannot be used."""
        if not self.labels:
            raise fault(f"{self._document.info.title}: there is nothing to print")
        self.painter.add_to(self._document)
        self.canvas.label_pages(self.labels)
