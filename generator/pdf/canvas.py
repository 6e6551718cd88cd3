"""reportlab's canvas, set up for print: its files do not depend on the clock, the machine or global settings."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import md5
from typing import Any

from msgspec import Struct
from reportlab import rl_config
from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

from .. import __version__
from ..files import Writable
from ..geometry.outlines import Matrix
from .operators import escaped

_NAME_BYTES = 6
_DUPLEX = {"long": "DuplexFlipLongEdge", "short": "DuplexFlipShortEdge", "gutterfold": "Simplex", "none": "Simplex"}
_SETTINGS = {"useA85": 0, "pdfMultiLine": 0, "pdfComments": 0}


class Info(Struct, frozen=True, kw_only=True):
    """The document information. `set_code` is the code of a random set. A score sheet also has its `game`, its name
    (`sheet`) and the id of its `layout`, by which a filled-in copy is recognised. `margin` is the edge that the printer
    leaves white, if it is not the paper's usual one, `backs` the matrix that corrects the backs for a printer, and
    `high_contrast` and `large_print` say how it was printed: with them, `verify` prints the same pages again."""

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


class EncodedObject(Struct, pdfdoc.PDFObject, eq=False):  # type: ignore[misc]
    """An object whose PDF code is written before the file is assembled. Each character of the code is one byte."""

    code: str = ""
    number: int = 0

    def format(self, document: Any) -> bytes:
        return self.code.encode("latin-1")


def digest(code: str) -> str:
    """The name of something with this code: the same in every process and document."""
    data = md5(code.encode("utf-8", "surrogatepass"), usedforsecurity=False).digest()
    return urlsafe_b64encode(data[:_NAME_BYTES]).decode()


def shared_name(kind: str) -> str:
    """The name in the document of the resources of one kind that its pages and forms share."""
    return f"Pencilbox{kind}"


@contextmanager
def plain_streams() -> Iterator[None]:
    """Sets reportlab's global settings, which it reads while it writes, and restores them afterwards."""
    before = {name: getattr(rl_config, name) for name in _SETTINGS}
    try:
        vars(rl_config).update(_SETTINGS)
        yield
    finally:
        vars(rl_config).update(before)


class PrintCanvas(Canvas):  # type: ignore[misc]
    """A canvas for pages to be printed at actual size. Booklets use it through platypus."""

    def __init__(self, filename: Any, **options: Any) -> None:
        options |= {"invariant": 1, "pageCompression": 1, "pdfVersion": (1, 7)}
        super().__init__(filename, **options)
        self._doc.signature = md5(usedforsecurity=False)
        self.setViewerPreference("PrintScaling", "None")
        self.setViewerPreference("DisplayDocTitle", "true")

    def _make_preamble(self) -> None:
        """Leaves out reportlab's initial font, which would not be embedded."""
        self._preamble = ""

    def describe(self, info: Info, duplex: str | None = None, language: str = "") -> None:
        """Writes the document information, the printer's duplex mode, and the language of the texts. What Pencilbox
        prints by itself is English, and so is everything unless the theme says otherwise."""
        self._doc.info = _Information(info)
        self._doc.Catalog.Lang = pdfdoc.PDFString(language if language not in ("", "none") else "en")
        if duplex:
            self.setViewerPreference("Duplex", _DUPLEX[duplex])

    def label_pages(self, labels: Sequence[str]) -> None:
        """Names the pages, as viewers show them instead of numbers (ISO 32000-1:2008, 12.4.2); not if a name is
        missing. Names such as `sheet 1`, `sheet 2` are written once."""
        if not all(labels):
            return
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
        self._doc.Catalog.PageLabels = EncodedObject(f"<</Nums[{''.join(entries)}]>>")

    def showPage(self) -> None:  # noqa: N802
        self._doc.updateSignature("\n".join(self._code))
        super().showPage()

    def _setExtGState(self, page: Any) -> None:  # noqa: N802
        name = shared_name("ExtGState")
        page.ExtGState = pdfdoc.PDFObjectReference(name) if name in self._doc.idToObject else {}

    def getpdfdata(self) -> bytes:
        with plain_streams():
            return bytes(super().getpdfdata())

    def save(self) -> None:
        with plain_streams():
            super().save()

    def write_to(self, stream: Writable) -> None:
        """Writes the file to a stream, object by object, so that it is never in memory as a whole. A canvas can be
        written once."""

        def file(version: tuple[int, int]) -> _StreamedFile:
            return _StreamedFile(stream, version)

        in_memory, pdfdoc.PDFFile = pdfdoc.PDFFile, file
        try:
            self.getpdfdata()
        finally:
            pdfdoc.PDFFile = in_memory


class _StreamedFile(pdfdoc.PDFFile):  # type: ignore[misc]
    """A file that is written while it is assembled. reportlab's own is a list of its objects."""

    def __init__(self, stream: Writable, version: tuple[int, int]) -> None:
        super().__init__(version)
        stream.write(self.format(None))
        self.strings.clear()
        self.write = stream.write


class _Information(pdfdoc.PDFInfo):  # type: ignore[misc]
    """The information dictionary without dates, so that the same input gives the same bytes."""

    def __init__(self, info: Info) -> None:
        super().__init__()
        self.title, self.author, self.subject = info.title, info.author, info.subject
        self.keywords = ", ".join([*info.keywords, *([info.set_code] if info.set_code else [])])
        self.pencilbox_entries = {
            "PencilboxGame": info.game,
            "PencilboxSheet": info.sheet,
            "PencilboxLayout": info.layout,
            "PencilboxSet": info.set_code,
            "PencilboxMargin": None if info.margin is None else f"{info.margin:g}",
            "PencilboxBacks": " ".join(f"{number:.8g}" for number in info.backs or ()),
            "PencilboxContrast": "high" if info.high_contrast else "",
            "PencilboxPrint": "large" if info.large_print else "",
        }

    def format(self, document: Any) -> bytes:
        entries = {
            "Title": self.title,
            "Author": self.author,
            "Subject": self.subject,
            "Keywords": self.keywords,
            "Creator": f"Pencilbox {__version__}",
            "Producer": "ReportLab",
            **self.pencilbox_entries,
        }
        present = {name: pdfdoc.PDFString(text) for name, text in entries.items() if text}
        return bytes(pdfdoc.PDFDictionary(present).format(document))
