"""Pages → PDF."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, TypeAlias

from reportlab.pdfbase import pdfdoc

from ..definitions.models import Theme
from ..errors import fault
from ..geometry.frame import Page, Placed
from .canvas import Info, PrintCanvas
from .operators import POINTS, to_millimetres
from .paint import Content, Painter

Box: TypeAlias = tuple[float, float, float, float]
_RECENT_PAGES, _RECENT_STREAMS = 2, 4
_LEVEL = 3
"""Of compression: the usual 6 takes half as long again, for pages smaller by a twelfth."""


def write(pages: Iterable[Page], theme: Theme, *, info: Info, duplex: str | None = None) -> bytes:
    """The pages as a PDF, the same bytes for the same pages; they may come one by one. `duplex` tells the printer how
    to turn the paper: `long`, `short`, `gutterfold` and `none` (one side only), or None to leave it to the person
    printing.

    Raises InputError where an icon, a picture or a font cannot be used, or where there is no page."""
    return painted(pages, theme, info=info, duplex=duplex).getpdfdata()


def painted(pages: Iterable[Page], theme: Theme, *, info: Info, duplex: str | None = None) -> PrintCanvas:
    """The pages on a canvas, as `write` writes them, for what is not painted to be added."""
    canvas = PrintCanvas(BytesIO())
    canvas.describe(info, duplex)
    drawn, writer = _Drawn(Painter(canvas, theme)), _PageWriter(canvas._doc)
    uses = _uses(pages) if isinstance(pages, Sequence) else None
    for page in pages:
        _page(page, drawn, writer, uses or _uses([page]))
    if not canvas._doc.Pages.pages:
        raise fault(f"{info.title}: there is nothing to print")
    return canvas


def _uses(pages: Sequence[Page]) -> Counter[int]:
    """How often each frame stands on these pages. It is the very same frame that counts: to compare frames takes
    longer than to draw them."""
    return Counter(id(placed.frame) for page in pages for placed in page.placed)


@dataclass(slots=True)
class _Drawn:
    """The operators of the pages drawn last: a page of backs comes again and again."""

    painter: Painter
    recent: list[tuple[Page, str, Iterable[str]]] = field(default_factory=list)

    def page(self, page: Page, uses: Counter[int]) -> tuple[str, Iterable[str]]:
        """The operators of a page, and the XObjects they name."""
        for known, code, xobjects in self.recent:
            if known.placed is page.placed and known.marks is page.marks and known.notes is page.notes:
                return code, xobjects
        content = self._content(page, uses)
        self.recent = [*self.recent[1 - _RECENT_PAGES :], (page, "\n".join(content.code), content.xobjects)]
        return self.recent[-1][1:]

    def _content(self, page: Page, uses: Counter[int]) -> Content:
        painter, content = self.painter, Content([to_millimetres(page.height)])
        for placed in page.placed:
            painter.placed(placed, content, repeated=uses[id(placed.frame)] > 1)
        painter.marks(page.marks, content)
        for note in page.notes:
            painter.placed(note, content)
        content.code.append("Q\n")
        return content


def _page(page: Page, drawn: _Drawn, pages: _PageWriter, uses: Counter[int]) -> None:
    code, xobjects = drawn.page(page, uses)
    trim, bleed = _boxes(page)
    pages.add(code, xobjects, (0.0, 0.0, page.width * POINTS, page.height * POINTS), TrimBox=trim, BleedBox=bleed)


def _boxes(page: Page) -> tuple[Box | None, Box | None]:
    """Trim and bleed box in points, where the page is a single card."""
    if not page.cut or len(page.placed) != 1:
        return None, None
    (placed,) = page.placed
    left, top, right, bottom = placed.clip
    width, height = placed.box
    x, y = placed.x, placed.y
    return (
        in_points(page, x, y, x + width, y + height),
        in_points(page, x - left, y - top, x + width + right, y + height + bottom),
    )


def in_points(page: Page, left: float, top: float, right: float, bottom: float) -> Box:
    """A box on the page, given by its edges in mm, as PDF has it: in points from the lower left corner."""
    return left * POINTS, (page.height - bottom) * POINTS, right * POINTS, (page.height - top) * POINTS


def slot_rects(pages: Sequence[Page]) -> dict[str, tuple[int, float, float, float, float]]:
    """Where each slot lies on paper: its id → page index, x, y, width, height in mm. Of several slots with one id
    (copies of a card), the first counts."""
    found: dict[str, tuple[int, float, float, float, float]] = {}
    for number, page in enumerate(pages):
        for placed in page.placed:
            for slot in placed.frame.slots():
                box = _on_page(placed, slot.x, slot.y, slot.width, slot.height)
                found.setdefault(slot.id, (number, *box))
    return found


def _on_page(placed: Placed, x: float, y: float, width: float, height: float) -> Box:
    frame = placed.frame
    right, bottom = frame.width - x - width, frame.height - y - height
    dx, dy = {0: (x, y), 90: (bottom, x), 180: (right, bottom), 270: (y, right)}[placed.turn]
    size = (width, height) if placed.turn % 180 == 0 else (height, width)
    return placed.x + dx, placed.y + dy, *size


# ---- Pages as PDF objects (PDF 32000-1:2008, 7.7.3.3) whose code is known when they are added: a large deck has
# hundreds, and reportlab's own, which can do more, take longer to write than to draw.


@dataclass(slots=True, eq=False)
class Written(pdfdoc.PDFObject):  # type: ignore[misc]
    """PDF code that is known before the file is put together. Every character is a byte."""

    code: str = ""
    number: int = 0

    def format(self, document: Any) -> bytes:
        return self.code.encode("latin-1")


@dataclass(slots=True, eq=False)
class _Stream(pdfdoc.PDFObject):  # type: ignore[misc]
    """The operators of a page, compressed."""

    data: bytes

    def format(self, document: Any) -> bytes:
        return b"<</Filter/FlateDecode/Length %d>>\nstream\n%b\nendstream\n" % (len(self.data), self.data)


@dataclass(slots=True, eq=False)
class PageObject(pdfdoc.PDFObject):  # type: ignore[misc]
    """A page; `more` are entries of its dictionary that are added later."""

    code: str
    more: str = ""

    def format(self, document: Any) -> bytes:
        return f"<</Type/Page{self.code}{self.more}>>\n".encode("latin-1")


@dataclass(slots=True)
class _PageWriter:
    """Adds pages to one document. Pages drawn by the same operators, as the backs of a deck are, share them."""

    document: Any
    recent: dict[str, str] = field(default_factory=dict)

    def add(self, code: str, xobjects: Iterable[str], media: Box, **boxes: Box | None) -> None:
        """A page drawn by `code`, which names `xobjects`; its paper, and other boxes by their names, in points."""
        document = self.document
        marked = "".join([f"/{name}[{_numbers(box)}]" for name, box in {"MediaBox": media, **boxes}.items() if box])
        forms = "".join([f"/{document.getXObjectName(name)} {self._form(name)}" for name in xobjects])
        forms = f"/XObject<<{forms}>>" if forms else ""
        document.addPage(
            PageObject(
                f"/Parent {self.reference(document.Pages)}{marked}/Contents {self._contents(code)}"
                f"/Resources<</Font {self._named('BasicFonts')}/ProcSet[/PDF/Text]{forms}>>"
            )
        )

    def _contents(self, code: str) -> str:
        if code not in self.recent:
            if len(self.recent) >= _RECENT_STREAMS:
                del self.recent[next(iter(self.recent))]
            data = zlib.compress(code.encode("latin-1"), _LEVEL)
            self.document.updateSignature(data)
            self.recent[code] = self.reference(_Stream(data))
        return self.recent[code]

    def reference(self, made: Any) -> str:
        """How other objects name one of the document's; it is added where it is new."""
        return self._named(self.document.Reference(made).name)

    def _form(self, name: str) -> str:
        return self._named(pdfdoc.xObjectName(name))

    def _named(self, name: str) -> str:
        number, version = self.document.idToObjectNumberAndVersion[name]
        return f"{number} {version} R"


def _numbers(box: Box) -> str:
    return " ".join([f"{edge:.4f}".rstrip("0").rstrip(".") for edge in box])
