"""Writes pages as a PDF document."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, Any, TypeAlias

from msgspec import Struct, field
from reportlab.pdfbase import pdfdoc

from ..errors import fault
from ..geometry.frame import Page, Placed
from ..geometry.outlines import IDENTITY, Matrix
from ..layout.draft import Draft
from ..model.game import Theme
from .canvas import Info, PrintCanvas, shared_name
from .operators import POINTS, matrix, to_millimetres
from .paint import Content, Painter, head

Box: TypeAlias = tuple[float, float, float, float]
_RECENT_STREAMS = 4
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
    painter = painter_for(theme, info=info, duplex=duplex, max_dpi=max_dpi, draft=draft)
    return paint_pages(pages, painter, backs).getpdfdata()


def painter_for(
    theme: Theme, *, info: Info, duplex: str | None = None, max_dpi: float | None = None, draft: Draft | None = None
) -> Painter:
    """A painter for the pages of a document, as `write` makes it."""
    canvas = PrintCanvas(BytesIO())
    canvas.describe(info, duplex, theme.language)
    return Painter(canvas, theme, max_dpi, draft)


def paint_pages(pages: Iterable[Page], painter: Painter, backs: Matrix = IDENTITY) -> PrintCanvas:
    """Paints the pages on a canvas, as `write` does, so that a form can be added."""
    canvas = painter.canvas
    writer = _PageWriter(canvas._doc)
    uses = _uses(pages) if isinstance(pages, Sequence) else None
    labels: list[str] = []
    for page in pages:
        content = _content(page, painter, backs, uses or _uses([page]))
        writer.add("\n".join(content.code), content.xobjects, _boxes(page))
        labels.append(page.label)
    if not labels:
        raise fault(f"{canvas._doc.info.title}: there is nothing to print")
    painter.finish()
    canvas.label_pages(labels)
    return canvas


def _uses(pages: Sequence[Page]) -> Counter[int]:
    """How often each frame occurs on these pages, by identity: comparing frames takes longer than drawing them."""
    return Counter(id(placed.frame) for page in pages for placed in page.placed)


def _content(page: Page, painter: Painter, backs: Matrix, uses: Counter[int]) -> Content:
    """The operators of a page, and the XObjects that they name."""
    content = Content([to_millimetres(page.height)])
    if page.back and backs != IDENTITY:
        content.code.append(matrix(*backs))
    for placed in page.placed:
        painter.frame(placed.frame, head(placed), content, repeated=uses[id(placed.frame)] > 1)
    painter.marks(page.marks, content)
    for note in page.notes:
        painter.frame(note.frame, head(note), content)
    content.code.append("Q\n")
    return content


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


class _Stored(Struct, pdfdoc.PDFObject, eq=False):  # type: ignore[misc]
    """An object whose code is in a file, from `start`."""

    file: IO[bytes]
    start: int
    length: int

    def code(self) -> bytes:
        self.file.seek(self.start)
        return self.file.read(self.length)


class _Stream(_Stored, eq=False):
    """The operators of a page, compressed."""

    def format(self, document: Any) -> bytes:
        return b"<</Filter/FlateDecode/Length %d>>\nstream\n%b\nendstream\n" % (self.length, self.code())


class PageObject(_Stored, eq=False):
    """A page; `more` holds entries that are added to its dictionary later."""

    more: str = ""

    def format(self, document: Any) -> bytes:
        return b"<</Type/Page%b%b>>\n" % (self.code(), self.more.encode("latin-1"))


class _PageWriter(Struct):
    """Adds pages to a document. Pages with the same operators, such as the backs of a deck, share a stream."""

    document: Any
    file: IO[bytes] = field(default_factory=lambda: SpooledTemporaryFile(_IN_MEMORY))  # noqa: SIM115 - pages read it
    recent: dict[str, str] = field(default_factory=dict)

    def add(self, code: str, xobjects: Iterable[str], boxes: str) -> None:
        """Adds a page with the operators `code`, which name `xobjects`, and the entries `boxes` of its dictionary."""
        document = self.document
        forms = "".join([f"/{document.getXObjectName(name)} {self._form(name)}" for name in xobjects])
        forms = f"/XObject<<{forms}>>" if forms else ""
        group = states = ""
        if shared_name("ExtGState") in document.idToObject:  # there is transparency in this document
            group = "/Group<</S/Transparency/CS/DeviceRGB>>"
            states = f"/ExtGState {self._object_reference(shared_name('ExtGState'))}"
        page = (
            f"/Parent {self.reference(document.Pages)}{boxes}{group}/Contents {self._contents(code)}"
            f"/Resources<</Font {self._object_reference('BasicFonts')}/ProcSet[/PDF/Text]{states}{forms}>>"
        )
        document.addPage(PageObject(*self._stored(page.encode("latin-1"))))

    def _contents(self, code: str) -> str:
        if code not in self.recent:
            if len(self.recent) >= _RECENT_STREAMS:
                del self.recent[next(iter(self.recent))]
            data = zlib.compress(code.encode("latin-1"), _LEVEL)
            self.document.updateSignature(data)
            self.recent[code] = self.reference(_Stream(*self._stored(data)))
        return self.recent[code]

    def _stored(self, code: bytes) -> tuple[IO[bytes], int, int]:
        """Stores the code of an object; returns the file, where it begins, and its length."""
        start = self.file.tell()
        return self.file, start, self.file.write(code)

    def reference(self, pdf_object: Any) -> str:
        """The reference to an object, which is added to the document if it is new."""
        return self._object_reference(self.document.Reference(pdf_object).name)

    def _form(self, name: str) -> str:
        return self._object_reference(pdfdoc.xObjectName(name))

    def _object_reference(self, name: str) -> str:
        number, version = self.document.idToObjectNumberAndVersion[name]
        return f"{number} {version} R"
