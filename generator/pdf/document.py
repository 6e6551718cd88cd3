"""Writes pages as a PDF document. Sections are those of ISO 32000-1:2008."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from hashlib import md5
from typing import TypeAlias

from msgspec import Struct

from .. import __version__
from ..errors import fault
from ..geometry.frame import Page, Placed, Slot
from ..geometry.outlines import IDENTITY, Matrix, Rect
from ..layout.flaws import Draft
from ..model.game import Theme
from .file import PdfFile, packed_stream, references, stream, text_string
from .operators import POINTS, escaped, matrix, to_millimetres
from .paint import Content, Painter, Shared

Box: TypeAlias = tuple[float, float, float, float]
_DUPLEX = {"long": "DuplexFlipLongEdge", "short": "DuplexFlipShortEdge", "gutterfold": "Simplex", "none": "Simplex"}
_DATE = "D:20200101000000Z"  # the date where a standard demands one: the same cards give the same bytes
# The compression level. The default, 6, takes 50% longer and makes pages 8% smaller.
_LEVEL = 3


Bookmark: TypeAlias = tuple[int, str, int]
"""The level of a bookmark (1 is the highest), its title, and the index of its page."""


class Info(Struct, frozen=True, kw_only=True):
    """The document information. `set_code` is the code of a random set. A score sheet also has its `game`, its name
    (`sheet`) and the id of its `layout`, by which a filled-in copy is recognised. `margin` is the edge that the printer
    leaves white, if it is not the paper's usual one, `backs` the matrix that corrects the backs for a printer, and
    `high_contrast` and `large_print` say how it was printed: with them, `verify` prints the same pages again.
    `standard` is the version of PDF/X that the document follows."""

    title: str
    author: str = ""
    subject: str = ""
    keywords: tuple[str, ...] = ()
    set_code: str | None = None
    game: str = ""
    sheet: str = ""
    layout: str = ""
    margin: float | None = None
    backs: Matrix | None = None
    high_contrast: bool = False
    large_print: bool = False
    standard: str = ""

    @property
    def code(self) -> str:
        """The information dictionary (14.3.3), without dates, so that the same input gives the same bytes."""
        entries = {
            "Title": self.title,
            "Author": self.author,
            "Subject": self.subject,
            "Keywords": ", ".join([*self.keywords, *([self.set_code] if self.set_code else [])]),
            "Creator": f"Pencilbox {__version__}",
            "Producer": "ReportLab",
            "PencilboxGame": self.game,
            "PencilboxSheet": self.sheet,
            "PencilboxLayout": self.layout,
            "PencilboxSet": self.set_code,
            "PencilboxMargin": None if self.margin is None else f"{self.margin:g}",
            "PencilboxBacks": " ".join(f"{number:.8g}" for number in self.backs or ()),
            "PencilboxContrast": "high" if self.high_contrast else "",
            "PencilboxPrint": "large" if self.large_print else "",
        }
        if self.standard:
            entries |= {"GTS_PDFXVersion": self.standard, "CreationDate": _DATE, "ModDate": _DATE}
        trapped = "/Trapped/False" if self.standard else ""
        return f"<<{''.join([f'/{name}{text_string(text)}' for name, text in entries.items() if text])}{trapped}>>"


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
    painter = Painter(theme, max_dpi, draft)
    document = PdfDocument(painter, info, duplex)
    document.add(painted(page, painter, backs) for page in pages)
    return document.finish().content()


class PaintedPage(Struct, frozen=True):
    """A page: its operators, compressed if they are settled, the XObjects that they name, the entries of its dictionary
    for its boxes, and its label. The operators `over` it are in points, with y up."""

    code: bytes | str
    xobjects: tuple[str, ...]
    boxes: str
    label: str
    over: str = ""


def painted(page: Page, painter: Painter, backs: Matrix = IDENTITY) -> PaintedPage:
    """A painted page, in any process."""
    content = Content([to_millimetres(page.height)])
    if page.back and backs != IDENTITY:
        content.code.append(matrix(*backs))
    painter.frames(page.placed, content)
    painter.marks(page.marks, content)
    painter.frames(page.notes, content)
    content.code.append("Q\n")
    code = painter.converted(content.text)
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


def slots_on(pages: Sequence[Page]) -> dict[str, tuple[int, Slot]]:
    """Where each slot is on paper: id → page index, and the slot with its boxes in mm on the page. If several slots
    have the same id (copies of a card), the first one counts."""
    found: dict[str, tuple[int, Slot]] = {}
    for number, page in enumerate(pages):
        for placed in page.placed:
            for slot in placed.frame.slots():
                if slot.id not in found:
                    found[slot.id] = number, slot.moved(partial(_on_page, placed))
    return found


def _on_page(placed: Placed, box: Rect) -> Rect:
    frame, (x, y, width, height) = placed.frame, box
    right, bottom = frame.width - x - width, frame.height - y - height
    dx, dy = {0: (x, y), 90: (bottom, x), 180: (right, bottom), 270: (y, right)}[placed.turn]
    size = (width, height) if placed.turn % 180 == 0 else (height, width)
    return Rect(placed.x + dx, placed.y + dy, *size)


class _WrittenPage(Struct):
    """A page in a document: the number of its object, references to its operators, the XObjects that they name, and
    the entries of its dictionary for its boxes; `more` holds entries that are added later."""

    number: int
    contents: str
    xobjects: tuple[str, ...]
    boxes: str
    more: str = ""


class PdfDocument:
    """A PDF that is being written: painted pages, and what they share. Pages with the same operators, such as the backs
    of a deck, share a stream. What Pencilbox prints by itself is English, and so is everything unless the theme says
    otherwise."""

    def __init__(self, painter: Painter, info: Info, duplex: str | None = None) -> None:
        self.painter, self.info, self.duplex = painter, info, duplex
        self.file = PdfFile((1, 4) if info.standard else (1, 7))
        self.pages: list[_WrittenPage] = []
        self._labels: list[str] = []
        self._streams: dict[bytes, int] = {}
        language = painter.theme.language if painter.theme.language not in ("", "none") else "en"
        wishes = f"/PrintScaling/None/DisplayDocTitle true{f'/Duplex/{_DUPLEX[duplex]}' if duplex else ''}"
        self.catalog = f"/Lang{text_string(language)}/ViewerPreferences<<{wishes}>>"
        """The entries of the catalogue (7.7.2)."""

    def add(self, pages: Iterable[PaintedPage], shared: Shared | None = None) -> None:
        """Adds the next pages; if another process has painted them, with what they share."""
        if shared:
            self.painter.update(shared)
        for page in pages:
            data = page.code if isinstance(page.code, bytes) else _compressed(self.painter.fonts.settled(page.code))
            key = md5(data, usedforsecurity=False).digest()
            if key not in self._streams:
                self._streams[key] = self.file.add(packed_stream(data, "/Filter/FlateDecode"))
            contents = f"{self._streams[key]} 0 R"
            if page.over:
                contents = references([self._streams[key], self.file.add(stream(page.over.encode()))])
            self.pages.append(_WrittenPage(self.file.reserve(), contents, page.xobjects, page.boxes))
            self._labels.append(page.label)

    def add_bookmarks(self, bookmarks: Sequence[Bookmark]) -> None:
        """Adds bookmarks (12.3.3), which viewers show beside pages to read on a screen. A bookmark may be only one
        level below the one before."""
        root, numbers = self.file.reserve(), [self.file.reserve() for _ in bookmarks]
        children: dict[int, list[int]] = {number: [] for number in (root, *numbers)}
        path, parents, counts = [root], list[int](), Counter[int]()
        for number, (level, *_) in zip(numbers, bookmarks, strict=True):
            del path[level:]
            parents.append(path[-1])
            counts.update(path)
            children[path[-1]].append(number)
            path.append(number)
        inside = {
            number: f"/First {inner[0]} 0 R/Last {inner[-1]} 0 R/Count {counts[number]}"
            for number, inner in children.items()
            if inner
        }
        for number, parent, (_, title, page) in zip(numbers, parents, bookmarks, strict=True):
            at = children[parent].index(number)
            beside = {"Prev": children[parent][:at][-1:], "Next": children[parent][at + 1 : at + 2]}
            entries = "".join([f"/{key} {other[0]} 0 R" for key, other in beside.items() if other])
            entries += f"{inside.get(number, '')}/Dest[{self.pages[page].number} 0 R/Fit]"
            self.file.add(f"<</Title{text_string(title)}/Parent {parent} 0 R{entries}>>", number)
        self.file.add(f"<</Type/Outlines{inside.get(root, '')}>>", root)
        self.catalog += f"/Outlines {root} 0 R/PageMode/{'UseNone' if self.duplex else 'UseOutlines'}"

    def finish(self) -> PdfFile:
        """Writes what the pages share; returns the finished file. Raises InputError if there are no pages, or for
        pictures that cannot be used."""
        if not self.pages:
            raise fault(f"{self.info.title}: there is nothing to print")
        self.painter.add_to(self.file)
        file, resources = self.file, self.painter.resources
        tree, blended = file.number("Pages"), "/Group<</S/Transparency/CS/DeviceRGB>>" * resources.are_blended
        for page in self.pages:
            file.add(
                f"<</Type/Page/Parent {tree} 0 R{page.boxes}{blended}/Contents {page.contents}"
                f"/Resources<<{resources.entries(file, page.xobjects)}>>{page.more}>>",
                page.number,
            )
        kids = references([page.number for page in self.pages])
        file.add(f"<</Type/Pages/Count {len(self.pages)}/Kids{kids}>>", tree)
        root = file.add(f"<</Type/Catalog/Pages {tree} 0 R{self.catalog}{_page_labels(self._labels)}>>")
        file.finish(root, file.add(self.info.code))
        return file


def _page_labels(labels: Sequence[str]) -> str:
    """The names of the pages, as viewers show them instead of numbers (12.4.2); none if one is missing. Names such as
    `sheet 1`, `sheet 2` are written once."""
    if not all(labels):
        return ""
    entries, expected = [], ""
    for page, label in enumerate(labels):
        head, _, number = label.rpartition(" ")
        numbered = number.isdecimal() and number.isascii() and number[0] != "0"
        if label != expected:
            style = f"/S/D/St {number}" if numbered else ""
            prefix = f"{head} " * bool(head) if numbered else label
            name = f"/P({escaped(prefix.encode('latin-1', 'replace'))})" if prefix else ""
            entries.append(f"{page}<<{name}{style}>>")
        expected = f"{head} {int(number) + 1}".strip() if numbered else ""
    return f"/PageLabels<</Nums[{''.join(entries)}]>>"
