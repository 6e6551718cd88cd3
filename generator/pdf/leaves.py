"""Pages as PDF objects whose code is known when they are added: a large deck has hundreds, and reportlab's own, which
can do more, take longer to write than to draw."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from reportlab.pdfbase import pdfdoc

Box: TypeAlias = tuple[float, float, float, float]
_RECENT = 4
_LEVEL = 3
"""Of compression: the usual 6 takes half as long again, for pages smaller by a twelfth."""


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
class Leaf(pdfdoc.PDFObject):  # type: ignore[misc]
    """A page; `more` are entries of its dictionary that are added later."""

    code: str
    more: str = ""

    def format(self, document: Any) -> bytes:
        return f"<</Type/Page{self.code}{self.more}>>\n".encode("latin-1")


@dataclass(slots=True)
class Leaves:
    """Adds pages to one document. Pages drawn by the same operators, as the backs of a deck are, share them."""

    document: Any
    recent: dict[str, str] = field(default_factory=dict)

    def add(self, code: str, xobjects: Iterable[str], media: Box, **boxes: Box | None) -> None:
        """A page drawn by `code`, which names `xobjects`; its paper, and other boxes by their names, in points."""
        document = self.document
        marked = "".join([f"/{name}[{_numbers(box)}]" for name, box in {"MediaBox": media, **boxes}.items() if box])
        forms = "".join([f"/{document.getXObjectName(name)} {self._form(name)}" for name in xobjects])
        forms = f"/XObject<<{forms}>>" if forms else ""
        document.addPage(Leaf(f"/Parent {self.reference(document.Pages)}{marked}/Contents {self._contents(code)}"
                              f"/Resources<</Font {self._named('BasicFonts')}/ProcSet[/PDF/Text]{forms}>>"))

    def _contents(self, code: str) -> str:
        if code not in self.recent:
            if len(self.recent) >= _RECENT:
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
